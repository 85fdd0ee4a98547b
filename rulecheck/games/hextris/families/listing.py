"""Hextris: the engine tries every turn that could be allowed, whatever stands on the board.

Of a slide or an exchange it matters who owns its first point, of a placement what is in hand; `composed` proves that
nothing else can be allowed. Here the lists of what is tried are gone through for every set of points that the
mover may own and for all that may be in hand.
"""

from __future__ import annotations

import functools
from itertools import chain
from typing import Any

from rulecheck.cases import Observer, cases
from rulecheck.games.hextris import SIZES, Exchange, Placement, Slide
from rulecheck.games.hextris.engine import Engine
from rulecheck.games.hextris.families.acts import LazyPosition, Tick
from rulecheck.model import Result, Status, Witness
from rulecheck.pyramids import Pyramid

Turn = Slide | Exchange
MOVER = object()  # whoever it is
STRIDE = 4096  # sets of points between two reports


class Owned:
    """A position of which only one thing can be asked: where the mover has pieces, the bits of a number."""

    mover = MOVER

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def owns(self, colour: object, point: int) -> bool:
        if colour is not MOVER:
            raise TypeError("what a player may try depends on the own pieces")
        return bool(self.bits >> point & 1)


def prove_listing(engine: Engine, stated: Any, tick: Tick) -> Result:
    """HX-09, 10, 16: what is tried, and that it is all there can be."""
    count = len(engine.params.points)
    scope = f"the turns tried by any player, for all sets of own points on {count} points and all that is in hand"
    problem, done = _hands(engine, stated)
    if not problem:
        problem, more = _boards(engine, stated, tick)
        done += more
    if problem:
        return Result(Status.REFUTED, scope, Witness(str(engine.start()), None, problem), done)
    return Result(Status.PROVED, scope, cases=done)


def _hands(engine: Engine, stated: Any) -> tuple[str, int]:
    """A placement is tried on each point of the perimeter with each kind of piece that is in hand."""
    params, done = engine.params, 0
    rim = [p for p in params.points if stated.on_perimeter(params.radius, p)]

    def listed(mover: str, observer: Observer) -> tuple[list[Placement], list[int]]:
        position: Any = LazyPosition(observer, params, mover)
        tried = list(engine.placements(position))
        return tried, [s for s in SIZES if position.in_hand(mover, s) >= 1]

    for mover in params.colours:
        for case in cases(functools.partial(listed, mover)):
            done += 1
            tried, held = case.outcome
            wanted = [Placement(Pyramid(mover, s), p, params.radius) for s in held for p in rim]
            if len(tried) != len(wanted) or set(tried) != set(wanted):
                return f"{mover} with sizes {held} in hand tries {len(tried)} placements, not {len(wanted)}", done
    return "", done


def _boards(engine: Engine, stated: Any, tick: Tick) -> tuple[str, int]:
    """Slides along lines from own points, exchanges with neighbours from own points, or by one reading from all."""
    points = engine.params.points
    wanted = [(_from(engine, stated, p, own=False), _from(engine, stated, p, own=True)) for p in points]
    everything = 1 << len(points)
    none, every = tried(engine, 0), tried(engine, everything - 1)
    parts = [([m for m in none if m.source == p], [m for m in every if m.source == p]) for p in points]
    for p, (there, said) in enumerate(zip(parts, wanted, strict=True)):
        if any(len(a) != len(b) or set(a) != b for a, b in zip(there, said, strict=True)):
            return f"from {engine.params.names[p]} other turns are tried than there are", p
    for bits in range(everything):
        if tried(engine, bits) != list(chain.from_iterable(parts[p][bits >> p & 1] for p in points)):
            names = ", ".join(engine.params.names[p] for p in points if bits >> p & 1)
            return f"with pieces on {names} the turns tried are not those from each of these points", bits
        if bits % STRIDE == 0:
            tick(bits / everything)
    tick(1.0)
    return "", everything


def tried(engine: Engine, bits: int) -> list[Turn]:
    return list(engine.displacements(Owned(bits)))  # type: ignore[arg-type]  # it answers alike


def _from(engine: Engine, stated: Any, p: int, *, own: bool) -> set[Turn]:
    """What can be tried from this point, if the piece there is the mover's or not."""
    radius, turns = engine.params.radius, set[Turn]()
    for q in engine.params.points:
        if own and stated.in_line(radius, p, q):
            turns.add(Slide(p, q, radius))
        if stated.adjacent(radius, p, q) and (own or engine.readings["swap"] == "any_two"):
            turns.add(Exchange(p, q, radius))
    return turns
