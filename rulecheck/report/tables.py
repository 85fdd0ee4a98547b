"""The tables of the appendix: claims by readings, solved values, proofs, planted mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from markupsafe import Markup

from rulecheck.render.svg import Element
from rulecheck.report.figures import Figure
from rulecheck.report.paper import Document, Paper
from rulecheck.theme import DARK_INK, LIGHT_INK, PALETTE

MOST_DIGITS = 9
MOST_SEEN = 3
SIDES = ("mover", "opponent", "neither")
SIDE_HEADS = ("the player to move can force", "the opponent can", "neither", "shares")
OUTCOME_HEADS = ("at the start", "won", "lost", "tied", "drawn", "longest win")
MOST_WINS = 4  # pictures of longest wins

# -- Claims by readings ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    holds: bool
    turned: bool  # the outcome differs from the default
    noted: bool  # a different witness was seen
    words: str


def columns(paper: Paper) -> list[str]:
    first = next(iter(paper.verdicts.values()), None)
    return list(first["readings"]) if first else []


def cells(row: Document, names: Sequence[str]) -> list[Cell]:
    return [_cell(row, name) for name in ("", *names)]


def _cell(row: Document, column: str) -> Cell:
    holds = row["readings"].get(column, row["default"])
    words = f"{row['claim']} {'holds' if holds else 'fails'} with {column or 'the readings we take'}"
    return Cell(holds, holds != row["default"], column in told(row), words)


def told(row: Document) -> Document:
    """The witnesses of other readings; if too many differ, only those with a different outcome."""
    seen = row["witnesses"]
    if len(grouped(seen)) <= MOST_SEEN:
        return dict(seen)
    return {value: words for value, words in seen.items() if row["readings"][value] != row["default"]}


def grouped(witnesses: Document) -> dict[str, list[str]]:
    by_words: dict[str, list[str]] = {}
    for value, seen in witnesses.items():
        by_words.setdefault(seen, []).append(value)
    return by_words


# -- Solved values --------------------------------------------------------------------------------------------


def solved_games(paper: Paper) -> list[Document]:
    """Solved games, grouped by title."""
    games = (paper.document.get("solved") or {}).get("games", [])
    titles = list(dict.fromkeys(game["title"] for game in games))
    return sorted(games, key=lambda game: titles.index(game["title"]))


def solved_heads(games: Sequence[Document]) -> tuple[str, ...]:
    return OUTCOME_HEADS if "value" in games[0] else SIDE_HEADS


def solved_cells(game: Document) -> list[object]:
    if "value" not in game:
        return worth_cells(game)
    longest = game["longest_win"]["distance"] if game["longest_win"] else "none"
    return [*worth_cells(game), *(f"{game[outcome]:,}" for outcome in ("win", "loss", "tie", "draw")), longest]


def worth_cells(worth: Document) -> list[object]:
    """What the start of a game is worth: one cell without dice, otherwise the three chances and a bar."""
    if "value" in worth:
        return [worth["value"] + ("" if worth["distance"] is None else f" in {worth['distance']}")]
    return [*(bounds(*worth[side]) for side in SIDES), bar(worth)]


def changes(paper: Paper, game: Document) -> str:
    """The readings of a solved game that differ from ours."""
    return " ".join(f"{name}={value}" for name, value in game["readings"].items() if paper.usual.get(name) != value)


def longest_wins(paper: Paper, games: Sequence[Document]) -> list[tuple[Figure, Sequence[str]]]:
    """The longest forced wins of more than one move under our readings, with their lines."""
    shown = [g for g in games if not changes(paper, g) and (g.get("longest_win") or {}).get("distance", 0) > 1]
    best = sorted(shown, key=lambda game: -game["longest_win"]["distance"])[:MOST_WINS]
    return [(_longest_win(paper, game), game["longest_win"]["line"]) for game in best]


def _longest_win(paper: Paper, game: Document) -> Figure:
    longest = game["longest_win"]
    words = f"{longest['position'].partition(' ')[0]} to move wins in {longest['distance']} moves"
    witness = {"position": longest["position"], "params": game["params"], "move": longest["line"][0]}
    return paper.artist.figure(witness, words)


def orders(paper: Paper, games: Sequence[Document]) -> list[tuple[Document, Figure]]:
    """Positions in which the best order of placements is known."""
    pairs = []
    for game in (game for game in games if not changes(paper, game)):
        witness = {"position": game["position"], "params": game["params"], "move": next(iter(game["line"]), None)}
        pairs.append(
            (game, paper.artist.figure(witness, f"{game['title']}: best for {game['player']}, {game['value']}"))
        )
    return pairs


def other_orders(paper: Paper, games: Sequence[Document]) -> list[Document]:
    usual = {game["title"]: worth_cells(game) for game in games if not changes(paper, game)}
    return [game for game in games if worth_cells(game) != usual[game["title"]]]


def bar(game: Document) -> Markup:
    """The three chances side by side: dark the mover's, light the opponent's, empty neither's."""
    shares = [sum(game[side]) / 2 for side in SIDES]
    words = ", ".join(f"{side} {100 * share:.1f} %" for side, share in zip(SIDES, shares, strict=True))
    frame = Element("rect", x=0.5, y=0.5, width=120, height=11, fill=LIGHT_INK, stroke=DARK_INK)
    drawn = Element("svg", viewBox="0 0 121 12", width=121, height=12, role="img").add(
        Element("title").add(words), frame
    )
    left = 0.5
    for share, (fill, _) in zip(shares, PALETTE[:2], strict=False):
        drawn = drawn.add(Element("rect", x=left, y=0.5, width=120 * share, height=11, fill=fill, stroke=DARK_INK))
        left += 120 * share
    return Markup(drawn)


def bounds(low: float, high: float) -> str:
    """Both ends, rounded outwards to as many digits as their distance supports."""
    if low == high:
        return f"{low:.{MOST_DIGITS}f}".rstrip("0").rstrip(".")
    least, most = Decimal(repr(low)), Decimal(repr(high))  # decimal, as a document writes them
    unit = Decimal(1).scaleb(-min(MOST_DIGITS, max(1, -(most - least).adjusted())))
    return f"{least.quantize(unit, ROUND_FLOOR):f} to {most.quantize(unit, ROUND_CEILING):f}"


# -- How sure ---------------------------------------------------------------------------------------------------


def noticed_by(rows: Sequence[Document]) -> str:
    """How many changes each check notices: proofs, comparisons of moves, claims, move counts."""
    kinds = {"family": "by proofs", "comparing": "by comparing moves", "claim": "by claims", "perft": "by move counts"}
    counts = Counter(kinds[row["by"].split()[0]] for row in rows if row.get("by"))
    return ", ".join(f"{counts[kind]} {kind}" for kind in kinds.values() if counts[kind])


def planted(rows: Sequence[Document]) -> list[tuple[str, list[str]]]:
    """The deliberate changes to each clause."""
    changed: dict[str, list[str]] = {}
    for row in rows:
        changed.setdefault(row["clause"], []).append(row["text"])
    return sorted(changed.items())
