"""Icehouse: calls, penalties, captures, crashes, meltdowns and the end, with every distribution of a few pieces.

The table is given, small, and simple. What is not on it may lie on any pad or be in any hand, and any players may be
iced: every event in every such position is compared, whether play leads to it or not.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import Any

from rulecheck.games.icehouse import read_move, read_params, read_position
from rulecheck.games.icehouse.families.compared import Comparison, result, small_events
from rulecheck.games.icehouse.pieces import Event, Params, Piece, Position
from rulecheck.model import Readings, Result, Witness
from rulecheck.pyramids import Pyramid

Encodings = tuple[Callable[..., Any], Callable[..., Any]]


@dataclass(frozen=True, eq=False)
class Table:
    """A game with few pieces, some of them on the table, and placements to try."""

    params: dict[str, str]
    line: str
    places: tuple[str, ...]  # without colour and size: `@0,0`, `@20,0>-1,0`

    def start(self) -> tuple[Params, Position]:
        params = read_params(self.params)
        return params, read_position(params, self.line)


TABLES = {
    "empty": Table({"players": "2", "pieces": "1,0,0", "limit": "2"}, "all", ("@0,0", "@30,0>-1,0")),
    "frozen": Table(
        {"players": "2", "pieces": "1,1,0", "limit": "2"}, "all A1@0,0 B2@20,0>-1,0", ("@200,0", "@-20,0>1,0")
    ),
    "over-iced": Table(
        {"players": "2", "pieces": "1,2,0", "limit": "2"},
        "all A1@0,0 B2@20,0>-1,0 B2@-20,0>1,0",
        ("@0,20>0,-1", "@200,0"),
    ),
    "over-iced twice": Table(
        {"players": "2", "pieces": "1,2,0", "limit": "2"},
        "all A1@0,0 B2@20,0>-1,0 B2@-20,0>1,0 B1@0,20>0,-1",
        ("@0,-20>0,1", "@200,0"),
    ),
    "early": Table(
        {"players": "2", "pieces": "1,1,0", "limit": "3"}, "all B1@0,0 A2@20,0>-1,0", ("@200,0", "@-20,0>1,0")
    ),
    "three": Table(
        {"players": "3", "pieces": "1,1,0", "limit": "2"},
        "all A1@0,0 B1@200,0 C2@20,0>-1,0 A2@220,0>-1,0 C1@400,0",
        ("@420,0>-1,0",),
    ),
    "prisoners": Table(
        {"players": "2", "pieces": "2,1,0", "limit": "2"},
        "all A1@0,0:B B1@200,0:A B1@400,0 A1@420,0>-1,0:B",
        ("@20,0>-1,0", "@220,0>-1,0"),
    ),
    "melted": Table(
        {"players": "2", "pieces": "1,2,0", "limit": "3"},
        "all A1@0,0 B2@20,0>-1,0 B2@200,0 A2@220,0>-1,0:B A2@300,0:B",
        ("@-20,0>1,0",),
    ),
}


def positions(readings: Readings, params: Params, start: Position) -> Iterator[Position]:
    """Everything that is not on the table, everywhere; everybody iced or not; marks where a reading has them."""
    left = list(chain.from_iterable(start.own_left(k).elements() for k in params.colours))
    homes = [(kind, k) for kind in ("pad", "hand") for k in params.colours]
    seen = set()
    for where in product(homes, repeat=len(left)):
        spots = sorted(zip(where, left, strict=True))
        hands = Counter(home for home in where if home[0] == "hand")
        if tuple(spots) not in seen and max(hands.values(), default=0) < 2:
            seen.add(tuple(spots))
            for pieces in _marked(readings, start.pieces):
                yield from _frames(readings, replace(_stashed(params, start, spots), pieces=pieces))


def _stashed(params: Params, start: Position, spots: list[tuple[tuple[str, str], Pyramid]]) -> Position:
    for k in params.colours:
        held = [pyramid for home, pyramid in spots if home == ("hand", k)]
        start = start.with_hand(k, held[0] if held else None)
        start = start.with_pad(k, [pyramid for home, pyramid in spots if home == ("pad", k)])
    return start


def _marked(readings: Readings, pieces: tuple[Piece, ...]) -> Iterator[tuple[Piece, ...]]:
    can = [
        (p.lying and readings["revalidate"] == "no") or (not p.lying and readings["capture_chain"] == "one")
        for p in pieces
    ]
    for marks in product(*([False, True] if may else [False] for may in can)):
        yield tuple(replace(p, marked=mark) for p, mark in zip(pieces, marks, strict=True))


def _frames(readings: Readings, position: Position) -> Iterator[Position]:
    """Who is iced, who has lost without a call, whether the time is up."""
    colours = position.params.colours
    losing = readings["trigger"] == "automatic"
    for states in product(("", "iced", "lost") if losing else ("", "iced"), repeat=len(colours)):
        out = {name: tuple(k for k, s in zip(colours, states, strict=True) if s == name) for name in ("iced", "lost")}
        yield replace(position, iced=out["iced"], lost=out["lost"])
    if not any(position.hands) and any(map(position.pad, colours)):
        yield replace(position, stopped=True)


def events(table: Table, position: Position) -> Iterator[Event]:
    yield from small_events(position)
    yield from placements(table, position.params)


@functools.cache
def placements(table: Table, params: Params) -> tuple[Event, ...]:
    """Every small and medium piece by every player on the places to try, allowed or not."""
    owned = product(params.colours, (1, 2), params.colours)
    named = [(f"{colour}{size}", "" if player == colour else f":{player}") for colour, size, player in owned]
    return tuple(read_move(params, f"{piece}{place}{owner}") for piece, owner in named for place in table.places)


def compared(
    names: Iterable[str], encodings: Encodings, readings: Readings, stride: int = 1
) -> Iterator[tuple[Comparison, Witness | None]]:
    for name in names:
        table = TABLES[name]
        params, start = table.start()
        comparison = Comparison(encodings[0](params, readings), encodings[1](params, readings))
        for number, position in enumerate(positions(readings, params, start)):
            if number % stride == 0:
                yield comparison, comparison.all_of(position, events(table, position)) or comparison.listed(position)


def prove_stashes(names: Iterable[str], encodings: Encodings, readings: Readings, stride: int = 1) -> Result:
    chosen = list(names)
    tables = "; ".join(f"`{TABLES[name].line}` of a game with {TABLES[name].params['pieces']}" for name in chosen)
    part = "" if stride == 1 else f" (one in {stride} of these positions, and nothing about the others)"
    what = "all events but placements, and some of those, their results, what is listed and the count"
    scope = f"{what}, wherever the pieces may be that are not on these tables: {tables}{part}"
    return result(compared(chosen, encodings, readings, stride), scope, sample=stride > 1)
