"""The result of a job, as a page shows it: a table, or a list of links. Its document is that of `--json`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import quote

from rulecheck import registry
from rulecheck.explorer.book import address_of
from rulecheck.explorer.worths import between
from rulecheck.registry import Game

Document = Mapping[str, Any]


@dataclass(frozen=True)
class Item:
    """A line of text, with a link if it has one."""

    text: str
    result: str = ""
    url: str = ""


@dataclass(frozen=True)
class Shown:
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    items: tuple[Item, ...] = field(default=())


def shown(kind: str, document: Any) -> dict[str, Any]:
    """Empty if nothing is better than the document itself."""
    maker = MAKERS.get(kind)
    return {} if maker is None else asdict(maker(document))


# -- Compare ---------------------------------------------------------------------------------------------------


def _compared(document: Document) -> Shown:
    before, after = document["printed"], document["changed"]
    rows = list(_sides(before, after))
    claims = registry.find(document["game"]).rulebook.claims
    told = document["claims"]
    items = [Item(f"{claims[name].text} (seen: {why})", "no longer holds") for name, why in told["breaks"].items()]
    items += [Item(f"{claims[name].text} (seen: {why})", "holds now") for name, why in told["mends"].items()]
    if not items:
        items = [Item("Every claim that can be asked of both games has the same answer.")]
    if told["unasked"]:
        items.append(Item(f"These do not fit the changed game: {', '.join(told['unasked'])}.", "not asked"))
    return Shown(("", "as printed", "yours"), tuple(rows), tuple(items))


def _sides(before: Document, after: Document) -> Iterator[tuple[str, str, str]]:
    yield "legal moves at the start", _count(before["moves"]), _count(after["moves"])
    for ours, theirs in zip(before["play"], after["play"], strict=True):
        if "problem" in ours or "problem" in theirs:
            yield f"{ours['policy']} play", ours.get("problem", "played"), theirs.get("problem", "played")
            continue
        yield f"{ours['policy']} play: games sampled", str(ours["games"]), str(theirs["games"])
        yield "… mean length, in moves", f"{ours['mean_length']:.1f}", f"{theirs['mean_length']:.1f}"
        yield "… won by", _winners(ours), _winners(theirs)
    for version in dict.fromkeys([*before["solved"], *after["solved"]]):
        yield f"solved: {version}", *(side["solved"].get(version, "too large") for side in (before, after))


def _count(moves: int | None) -> str:
    return "a continuum" if moves is None else f"{moves:,}"


def _winners(play: Document) -> str:
    return ", ".join(f"{who} {count}" for who, count in play["winners"].items())


# -- Others ----------------------------------------------------------------------------------------------------


def _dead_ends(document: list[Document]) -> Shown:
    return Shown(items=tuple(_dead_end(registry.find(row["game"]), row) for row in document))


def _dead_end(game: Game, row: Document) -> Item:
    """The row's readings are those of the game examined; a witness may have parameters of its own."""
    witness = row["witness"]
    text = f"{row['statement']} ({row['scope']})"
    if not witness:
        return Item(text, row["result"])
    there = {"params": row["params"], "readings": row["readings"], **witness}
    return Item(text, row["result"], address_of(game, there).url())


def _solved(document: Document) -> Shown:
    game = registry.find(document["game"])
    there = {"params": document["params"], "readings": document["readings"]}
    rows = [(key, f"{document[key]:,}") for key in ("positions", "win", "tie", "draw", "loss") if key in document]
    if "low" in document:
        parts = (
            ("the player to move", document),
            ("the opponent", document["opponent"]),
            ("neither", document["neither"]),
        )
        rows += [(who, between(part["low"], part["high"])) for who, part in parts]
    items = []
    longest = document.get("longest_win")
    if longest:
        url = address_of(game, {**there, "position": longest["position"]}).url()
        items.append(Item(f"The longest win takes {longest['distance']} moves: {longest['position']}", "open", url))
    if "value" in document:
        away = "" if document.get("distance") is None else f" in {document['distance']}"
        rows.insert(0, (f"for {document['for']}" if document.get("for") else "worth", f"{document['value']}{away}"))
    return Shown(("", "solved"), tuple(rows), tuple(items))


def _puzzles(document: Document) -> Shown:
    return Shown(items=tuple(map(_puzzle, document["puzzles"])))


def _puzzle(row: Document) -> Item:
    return Item(row["question"], f"level {row['level']}", f"/puzzle/{quote(row['id'], safe='')}")


MAKERS: Mapping[str, Callable[[Any], Shown]] = {
    "compare": _compared,
    "stalemates": _dead_ends,
    "solve": _solved,
    "puzzles": _puzzles,
}
