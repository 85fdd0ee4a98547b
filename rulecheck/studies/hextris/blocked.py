"""Hextris: "this player has no allowed turn" as constraints on a position, for z3 to find the smallest.

The constraints of the game speak of one turn; here all turns of a position are spoken of at once. Written for the
default readings of everything but `swap` and `place_group`; every position found is held against the engine.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import NamedTuple

from rulecheck.games.hextris import SIZES, Params, Position
from rulecheck.model import Readings
from rulecheck.pyramids import MEDIUM, SMALL
from rulecheck.studies.hextris.real import real
from solvers.smt import Answer, Bool, at_most
from specs.hextris import (
    PARTNER,
    Spec,
    adjacent,
    between,
    connected_sets,
    distance,
    every,
    in_line,
    no,
    on_perimeter,
    some,
)

FURTHEST = {SMALL: 1, MEDIUM: 2}


class Blocked:
    """What keeps a player from every turn, over the scene before the turn of a spec."""

    def __init__(self, spec: Spec) -> None:
        self.spec, self.params, self.x = spec, spec.params, spec.x
        self.radius = spec.params.radius
        self.free = {p: no(taken) for p, taken in self.x.taken.items()}

    @functools.cached_property
    def larger(self) -> dict[int, list[tuple[int, ...]]]:
        """For each point the connected sets with one piece too many that it belongs to, without the point."""
        sets = connected_sets(self.radius, self.params.group + 1)
        return {p: [tuple(q for q in inside if q != p) for inside in sets if p in inside] for p in self.params.points}

    @functools.cache  # noqa: B019  # one object for one spec
    def rest_is(self, c: str, p: int) -> list[tuple[tuple[int, ...], Bool]]:
        """For each of those sets: the other points all have this colour."""
        return [(rest, every(self.x.at[c, q] for q in rest)) for rest in self.larger[p]]

    @functools.cache  # noqa: B019
    def overflows(self, c: str, p: int, left: int | None) -> Bool:
        """A piece of this colour that comes to p (from `left`) is part of a group that is too large."""
        found = [whole for rest, whole in self.rest_is(c, p) if left not in rest]
        return self.spec.name(some(found), "too large")

    def facts(self, c: str) -> list[Bool]:
        """Colour c, were it to move, has no allowed turn."""
        return [*self.placements(c), *self.slides(c), *self.exchanges(c)]

    def placements(self, c: str) -> Iterator[Bool]:
        holds = some(held for (o, _, v), held in self.spec.has_hand.items() if o == c and v == 1)
        for p in self.params.points:
            if on_perimeter(self.radius, p):
                yield some([no(holds), self.x.taken[p], self.overflows(c, p, None)])

    def slides(self, c: str) -> Iterator[Bool]:
        for p in self.params.points:
            for q in self.params.points:
                if in_line(self.radius, p, q):
                    goes = [self.x.at[c, p], self.free[q], *(self.free[r] for r in between(self.radius, p, q))]
                    far = distance(self.radius, p, q)
                    fit = some(self.x.at[s, p] for s in SIZES if far <= FURTHEST.get(s, far))
                    yield some([no(every([*goes, fit])), self.overflows(c, q, p)])

    def exchanges(self, c: str) -> Iterator[Bool]:
        for p in self.params.points:
            for q in self.params.points:
                if adjacent(self.radius, p, q):
                    at = self.x.at
                    different = no(some(every([at[s, p], at[s, q]]) for s in SIZES))
                    yield no(every([at[c, p], at[c, q], different]))
                    yield from self._with_foes(c, p, q)

    def _with_foes(self, c: str, p: int, q: int) -> Iterator[Bool]:
        swap = self.spec.readings["swap"]
        pairs = [(s, t) for s in SIZES for t in SIZES if s != t and (swap == "symmetric" or PARTNER[s] == t)]
        if swap == "mutual":
            return
        fit = some(every([self.x.at[s, p], self.x.at[t, q]]) for s, t in pairs)
        for foe in self.spec.colours:
            if foe != c:
                may = every([self.x.at[c, p], self.x.at[foe, q], fit])
                yield some([no(may), self.overflows(c, q, p), self.overflows(foe, p, q)])


class Least(NamedTuple):
    pieces: int
    position: Position


@functools.cache
def stuck_position(params: Params, readings: Readings, players: tuple[str, ...], whole: bool = False) -> Least:
    """The fewest pieces with which each of these players, were it their turn, could only pass; A is to move.

    If `whole`, only positions count that nothing has left. Fewer pieces are asked for from below in larger and larger
    steps, and the answer NO to one piece fewer is what makes the position smallest.
    """
    spec = Spec(params, readings)
    asker, taken = spec.asker, list(spec.x.taken.values())
    blocked = Blocked(spec)
    asker.tell(*real(spec), spec.to_move["A"], no(spec.over), spec.turn.kind["pass"])
    asker.tell(*(fact for c in players for fact in blocked.facts(c)))
    if whole:
        asker.tell(*map(no, spec.has_formed.values()))
    found, position = len(taken), None
    while True:
        with asker.supposing(at_most(taken, found)):
            answer = asker.ask()
            if answer is Answer.YES:
                position = spec.read_position()
        if answer is Answer.UNKNOWN:
            raise TimeoutError("z3 gave no answer within its budget")
        if answer is Answer.NO:
            break
        found = sum(piece is not None for piece in position.points) - 1
    if position is None:
        raise LookupError("no such position")
    return Least(found + 1, position)
