"""Icehouse: whole positions, drawn by chance along games, or chosen by z3 where things are on the verge.

These are samples. They look at what cannot be said for all places at once, above all at distances, and at how
everything works together.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

import z3

from rulecheck.games.icehouse import read_move, read_params, read_position
from rulecheck.games.icehouse.families.compared import Comparison, small_events
from rulecheck.games.icehouse.families.places import Kind, Places, on_table
from rulecheck.games.icehouse.pieces import EAST, HEIGHT, Event, Params, Piece, Place, Position
from rulecheck.games.icehouse.sampling import TURNS, proposals
from rulecheck.model import Readings, Witness
from rulecheck.notation import NotationError
from solvers.simplest import simplest
from solvers.smt import Answer, Asker, Bool

Encodings = tuple[Callable[..., Any], Callable[..., Any]]
Compared = Iterator[tuple[Comparison, Witness | None]]
OPEN = {"players": "3", "pieces": "2,2,2", "limit": "4"}
TABLE = {**OPEN, "table": "160x160", "pads": "0,0,30,30/130,0,160,30/130,130,160,160"}
SEED = 7


def comparison(params: Params, encodings: Encodings, readings: Readings) -> Comparison:
    return Comparison(encodings[0](params, readings), encodings[1](params, readings))


# -- Along games --------------------------------------------------------------------------------------------


def played(encodings: Encodings, readings: Readings, games: int, length: int) -> Compared:
    """Random games with many attackers; at each position some placements, often on the verge, and other events."""
    for number in range(games):
        params = read_params(TABLE if number % 2 else OPEN)
        yield from _game(comparison(params, encodings, readings), random.Random(SEED + number), length)


def _game(both: Comparison, rng: random.Random, length: int) -> Compared:
    position = both.engine.start()
    for _ in range(length):
        placements: list[Event] = list(islice(proposals(rng, position), 8))
        others = list(small_events(position))
        events = placements + rng.sample(others, 12)
        yield both, both.all_of(position, events)
        allowed = [event for event in events if both.engine.judge(position, event).legal]
        if not allowed:
            return
        # Time and returns make games short and dull.
        allowed = [event for event in allowed if isinstance(event, Place)] or allowed
        position = both.engine.play(position, rng.choice(allowed))


# -- Chosen by z3 -------------------------------------------------------------------------------------------


def chosen(encodings: Encodings, readings: Readings, count: int) -> Compared:
    """Placements of a piece near one or two others, for which the constraints say that things are on the verge."""
    rng, params = random.Random(SEED), read_params({"players": "2"})
    both = comparison(params, encodings, readings)
    for _ in range(count):
        for verge in VERGES:
            for pieces in verge(rng, both.spec):
                if position := _on_table(params, pieces[1:]):
                    yield both, both.all_of(position, [Place(pieces[0])])


def _on_table(params: Params, pieces: Sequence[Piece]) -> Position | None:
    """Pieces of A's opponent, if no two of them share any area."""
    try:
        return read_position(params, str(on_table(params, pieces)))
    except NotationError:
        return None


def _kind(rng: random.Random, *, lying: bool) -> Kind:
    x, y = rng.choice((*TURNS, EAST))
    return rng.randint(1, 3), lying, ((-y, x) if lying and rng.random() < 0.5 else (x, y))


def _solved(rng: random.Random, places: Places, *wanted: Bool) -> Iterator[list[Piece]]:
    """One solution, somewhere else each time; nothing if there is none."""
    asker = Asker()
    asker.add(*wanted)
    first = places.variables[0]
    asker.add(first[0] == rng.randint(-9, 9), first[1] == rng.randint(-9, 9))
    other = places.variables[-1]
    beyond = rng.randint(-5, 5) * other[0] + rng.randint(-5, 5) * other[1] > rng.randint(-60, 60)
    for facts in ([beyond], []):
        with asker.supposing(*facts):
            if asker.ask() is Answer.YES:
                yield places.found(simplest(asker, places.free))
                return


def touching(rng: random.Random, spec: Any) -> Iterator[list[Piece]]:
    places = Places([_kind(rng, lying=rng.random() < 0.5), _kind(rng, lying=rng.random() < 0.5)])
    meet, overlap = spec.contact(*places.stated())
    yield from _solved(rng, places, meet, z3.Not(overlap))


def corner_to_corner(rng: random.Random, spec: Any) -> Iterator[list[Piece]]:
    places = Places([_kind(rng, lying=rng.random() < 0.5), _kind(rng, lying=False)])
    one, other = places.stated()
    _, overlap = spec.contact(one, other)
    mine, theirs = rng.choice(one.corners), rng.choice(other.corners)
    yield from _solved(rng, places, mine[0] == theirs[0], mine[1] == theirs[1], z3.Not(overlap))


def grazing(rng: random.Random, spec: Any) -> Iterator[list[Piece]]:
    """The line touches the one thing there is."""
    places = Places([_kind(rng, lying=True), _kind(rng, lying=rng.random() < 0.5)])
    met = spec.meeting(*places.stated())
    _, overlap = spec.contact(*places.stated())
    yield from _solved(rng, places, met.left if rng.random() < 0.5 else met.right, z3.Not(overlap))


def pinched(rng: random.Random, spec: Any) -> Iterator[list[Piece]]:
    """The line crosses the first thing, and is touched by others on both sides of it, before it or just there."""
    places = Places([_kind(rng, lying=True), *(_kind(rng, lying=False) for _ in range(3))])
    line, *things = places.stated()
    met = [spec.meeting(line, thing) for thing in things]
    apart = [z3.Not(spec.contact(a, b)[1]) for n, a in enumerate(places.stated()) for b in places.stated()[:n]]
    yield from _solved(rng, places, met[0].crossed, met[1].left, met[2].right, *apart)


def at_range(rng: random.Random, spec: Any) -> Iterator[list[Piece]]:
    """The line enters a square exactly at the attacker's height, or a corner is exactly that far from the tip."""
    kind = _kind(rng, lying=True)
    places = Places([kind, _kind(rng, lying=False)])
    line, thing = places.stated()
    met, reach = spec.meeting(line, thing), HEIGHT[kind[0]]
    if rng.random() < 0.5:
        bounds = met.entry[1:]
        exact = [z3.And([bound <= reach for bound in bounds]), z3.Or([bound == reach for bound in bounds])]
    else:
        corner, (x, y) = rng.choice(thing.corners), rng.choice(TURNS)
        dx, dy = kind[2]
        tip = line.point
        exact = [corner[0] - tip[0] == reach * (dx * x - dy * y), corner[1] - tip[1] == reach * (dx * y + dy * x)]
    yield from _solved(rng, places, met.crossed, z3.Not(spec.contact(line, thing)[1]), *exact)


VERGES = (touching, corner_to_corner, grazing, pinched, at_range)


# -- Kept positions -----------------------------------------------------------------------------------------

PADS = {"players": "2", "table": "200x200", "pads": "0,0,9,9/30,40,60,70"}
# Placements that are on the verge of some reading: a game, a line, an event.
KEPT: tuple[tuple[dict[str, str], str, str], ...] = (
    ({}, "all A1@0,0 B1@300,0 B1@340,0", "B1@41,0>-1,0"),  # exactly at the range
    ({}, "all A1@0,0 B1@300,0 B1@340,0", "B3@65,0>-1,0"),
    ({}, "all A1@0,0 B1@300,0 B1@340,0", "B1@83/2,0>-1,0"),  # within the slant only
    ({}, "all A1@0,0 B1@300,0 B1@340,0", "B1@44,0>-1,0"),  # beyond it
    ({}, "all A1@0,0 B1@300,0 B1@340,0", "B2@41,24>-4/5,-3/5"),  # nearest point and line apart
    ({}, "all A3@0,0 A3@33,0 A1@33/2,25 B1@300,0 B1@340,0", "B1@33/2,-16>0,1"),
    ({}, "all A1@0,0 A1@18,0 A1@-18,0 A1@0,18 A1@0,-18 B1@300,0", "B1@13,12>-4/5,-3/5"),
    ({}, "all A3@0,0 A3@32,0 A1@16,40 B1@300,0 B1@340,0", "B2@16,-20>0,1"),  # along a seam
    ({}, "all A1@40,9 A2@80,0 B1@300,0 B1@340,0", "B2@20,0>1,0"),  # grazes one, then crosses the other
    ({}, "all A1@0,0 B1@300,0 B1@340,0", "B1@9,0>-1,0"),  # the tip touches
    (PADS, "all A1@45,80", "B1@45,38>0,1"),  # across a pad
    (PADS, "all A1@45,80", "B1@45,45>0,1"),  # from a pad
    (PADS, "all A1@60,80", "B3@60,38>0,1"),  # along a pad
    (PADS, "all A1@90,80", "A1@45,60"),
    (PADS, "all A1@90,80", "A1@69,60"),
    ({"table": "100x100"}, "all A1@9,20", "A1@9,50"),
    ({"table": "100x100"}, "all A1@9,20", "A1@8,50"),
    ({"table": "100x100"}, "all A1@20,20", "B1@99,90>1,0"),
    ({"table": "100x100"}, "all A1@20,20", "A3@100,50"),
)


def kept(encodings: Encodings, readings: Readings) -> Compared:
    for given, line, event in KEPT:
        params = read_params(given)
        both = comparison(params, encodings, readings)
        position = read_position(params, line)
        place = read_move(params, event)
        yield both, both.all_of(position, [place])
        if both.engine.judge(position, place).legal:
            after = both.engine.play(position, place)
            yield both, both.all_of(after, small_events(after, (1,)))
