"""Worth in words: the verdict of a position, and its moves in groups, best first, as a page shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Document = Mapping[str, Any]
GROUPS = {"win": "Winning", "tie": "Tie", "draw": "Draw by endless play", "loss": "Losing"}
LOSES = ((0.0, "Best"), (0.01, "Gives away less than 0.01"), (0.1, "Gives away 0.01 to 0.1"))
MORE = "Gives away more than 0.1"
MAY = "May be best: the bounds do not tell"


@dataclass(frozen=True)
class Shown:
    """A headline with its tone (good, bad, even or open), and the shares of the two sides and of neither."""

    text: str
    tone: str
    details: tuple[str, ...] = ()
    shares: tuple[tuple[str, float, float], ...] = ()  # who, at least, at most


@dataclass
class Group:
    title: str
    tone: str
    moves: list[dict[str, Any]] = field(default_factory=list)


TONES = {"win": "good", "loss": "bad", "tie": "even", "draw": "even"}


def verdict(look: Document, worth: Document | None) -> Shown:
    """The headline: what a position is worth."""
    if look["end"] is not None:
        return Shown(f"Game over: {look['end']['text']}", "even")
    if worth is None:
        return Shown("Solving …", "open", ("All play from here is being explored.",))
    if not worth["solved"]:
        return Shown("Not solved", "open", (f"{_sentence(worth['reason'])}", *worth["known"]))
    if "value" in worth:
        return _outcome(look, worth)
    who = worth.get("for") or look["actor"]
    rest = [_other(look, who), "neither"]
    parts = [worth, worth["opponent"], worth["neither"]]
    shares = tuple((w, part["low"], part["high"]) for w, part in zip([who, *rest], parts, strict=True))
    text = " / ".join(between(low, high) for _, low, high in shares)
    return Shown(text, "even", (f"{who} can force / {rest[0]} can force / neither can",), shares)


def _outcome(look: Document, worth: Document) -> Shown:
    value, distance = worth["value"], worth["distance"]
    who = worth.get("for") or look["actor"]
    moves = f"{distance} move" + ("s" if distance != 1 else "") + (" of both" if distance else "")
    if value == "win":
        return Shown(f"{who} wins in {distance}", "good", (f"{who} can force it in {moves}.",))
    if value == "loss":
        return Shown(f"{who} loses in {distance}", "bad", (f"The other side can force it in {moves}.",))
    if value == "tie":
        return Shown(f"Tie in {distance}", "even", ("Neither side can do better than a game without a winner.",))
    return Shown("Draw", "even", ("Neither side can end the game without losing it.",))


def _other(look: Document, who: str) -> str:
    others = [player for player in look["players"] if player != who]
    return others[0] if len(others) == 1 and who in look["players"] else "the other side"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def between(low: float, high: float) -> str:
    """An interval with four digits, rounded outwards."""
    down, up = int(low * 10_000) / 10_000, -int(-high * 10_000 // 1) / 10_000
    return f"{down:.4f}" if up - down < 0.00015 else f"{down:.4f} to {up:.4f}"


def said(row: Document) -> str:
    """What a solved game in a report is worth to the starting player."""
    if isinstance(row.get("value"), str):
        return str(row["value"]) + ("" if row.get("distance") is None else f" in {row['distance']}")
    return between(*row["mover"])


# -- Moves -----------------------------------------------------------------------------------------------------


def groups(look: Document, worth: Document | None) -> list[Group]:
    """The moves in groups, best first; in one group if nothing is known about them."""
    rated = {row["move"]: row for row in _rated(worth)}
    if not rated:
        return _unrated(look["moves"], look["players"])
    order = {text: at for at, text in enumerate(rated)}
    by_title: dict[str, Group] = {}
    for move in sorted(look["moves"], key=lambda m: order.get(m["move"], len(order))):
        title, tone, text = _rating(rated.get(move["move"]))
        by_title.setdefault(title, Group(title, tone)).moves.append({**move, "worth": text})
    return list(by_title.values())


def _unrated(moves: Iterable[Document], players: Sequence[str]) -> list[Group]:
    """The moves in one group, or in one per player where everybody may act."""
    by_title: dict[str, Group] = {}
    for move in moves:
        by = move["by"]
        title = "Legal moves" if not by else f"{by} may" if by in players else "Also"
        by_title.setdefault(title, Group(title, "open")).moves.append({**move, "worth": ""})
    return list(by_title.values())


def _rated(worth: Document | None) -> Iterable[Document]:
    """The moves here with their worth, best first; empty if chance is to act or nothing is known."""
    if worth is None or not worth["solved"]:
        return ()
    if "moves" in worth:
        return list(worth["moves"])
    rolls = worth.get("rolls", ())
    return list(rolls[0]["turns"]) if len(rolls) == 1 and rolls[0].get("weight") is None else ()


def _rating(row: Document | None) -> tuple[str, str, str]:
    """Group, tone and words."""
    if row is None:
        return "Not in the table", "open", ""
    if "value" in row:
        away = "" if row["distance"] is None else f" in {row['distance']}"
        return GROUPS[row["value"]], TONES[row["value"]], f"{row['value']}{away}"
    text, loses = between(row["low"], row["high"]), row["loses"]
    if loses["low"] <= 0 < loses["high"] and loses["high"] > 1e-5:
        return MAY, "open", text
    for most, title in LOSES:
        if loses["low"] <= most:
            return title, "good" if most == 0 else "even", text
    return MORE, "bad", text


def rolls(worth: Document | None) -> dict[str, Document]:
    """Each outcome of chance, with its worth and the best move after it."""
    if worth is None or not worth["solved"]:
        return {}
    return {str(row["roll"]): _roll(row) for row in worth.get("rolls", ())}


def _roll(row: Document) -> Document:
    turns = row["turns"]
    if "value" in row:
        away = "" if row["distance"] is None else f" in {row['distance']}"
        return {"worth": f"{row['value']}{away}", "best": turns[0]["move"] if turns else ""}
    return {"worth": between(row["low"], row["high"]), "best": turns[0]["move"] if turns else ""}
