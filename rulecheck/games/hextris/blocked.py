"""Hextris: "this player has no allowed turn" as constraints on a position, for z3 to find the smallest.

The constraints of the game describe one turn; these describe all turns of a position at once, under every reading but
win_overflow=allowed. The tests compare them with the engine, and so does every caller with its witness.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

from rulecheck.games.hextris import SIZES, Params, Position
from rulecheck.games.hextris.real import least_case, real
from rulecheck.model import Readings
from rulecheck.pyramids import MEDIUM, SMALL
from solvers.smt import Answer, Bool, every, no, some
from specs.hextris.spec import Spec
from specs.hextris.spec_board import adjacent, between, connected_sets, distance, in_line, on_perimeter, rim
from specs.hextris.spec_rules import partner

FURTHEST = {SMALL: 1, MEDIUM: 2}


class Blocked:
    """What keeps a player from every turn, over the scene before the turn of a spec."""

    def __init__(self, spec: Spec) -> None:
        self.spec, self.params, self.x = spec, spec.params, spec.x
        self.radius = spec.params.radius
        self.free = {p: no(taken) for p, taken in self.x.taken.items()}

    @functools.cached_property
    def larger(self) -> dict[int, list[tuple[int, ...]]]:
        """For each point, the connected sets with one piece too many that contain it, without the point."""
        sets = connected_sets(self.radius, self.params.group + 1)
        return {p: [tuple(q for q in inside if q != p) for inside in sets if p in inside] for p in self.params.points}

    @functools.cache  # noqa: B019  # one object for one spec
    def rest_is(self, c: str, p: int) -> list[tuple[tuple[int, ...], Bool]]:
        """For each of those sets: the other points all have this colour."""
        return [(rest, every(self.x.at[c, q] for q in rest)) for rest in self.larger[p]]

    @functools.cache  # noqa: B019
    def overflows(self, c: str, p: int, left: int | None) -> Bool:
        """A piece of this colour that arrives on p (from `left`) joins a group that is too large."""
        groups = [whole for rest, whole in self.rest_is(c, p) if left not in rest]
        return self.spec.name(some(groups), "too large")

    def completes(self, c: str, p: int) -> Bool:
        """A piece of this colour put down on p makes a group of just the right size."""
        sets = [inside for inside in connected_sets(self.radius, self.params.group) if p in inside]
        at = self.x.at
        return some(
            every([*(at[c, q] for q in inside if q != p), *(no(at[c, q]) for q in rim(self.radius, inside))])
            for inside in sets
        )

    def facts(self, c: str) -> list[Bool]:
        """Colour c, were it to move, has no allowed turn."""
        return [*self.placements(c), *self.slides(c), *self.exchanges(c)]

    def placements(self, c: str) -> Iterator[Bool]:
        holds = some(held for (o, _, v), held in self.spec.has_hand.items() if o == c and v == 1)
        for p in self.params.points:
            if on_perimeter(self.radius, p):
                barred = [self.completes(c, p)] if self.spec.readings["place_group"] == "illegal" else []
                yield some([no(holds), self.x.taken[p], self.overflows(c, p, None), *barred])

    def slides(self, c: str) -> Iterator[Bool]:
        for p in self.params.points:
            for q in self.params.points:
                if in_line(self.radius, p, q):
                    way = between(self.radius, p, q)
                    far = distance(self.radius, p, q)
                    fit = some(self.x.at[s, p] for s in SIZES if far <= FURTHEST.get(s, far))
                    goes = every([self.x.at[c, p], fit, *(self.free[r] for r in (q, *way))])
                    tested = way if self.spec.readings["overflow_test"] == "transit" else []
                    yield some([no(goes), *(self.overflows(c, r, p) for r in (q, *tested))])

    def exchanges(self, c: str) -> Iterator[Bool]:
        """Own pieces of different sizes always may exchange; others may unless a group gets too large."""
        at, anybody = self.x.at, self.spec.readings["swap"] == "any_two"
        for p in self.params.points:
            for q in self.params.points:
                if adjacent(self.radius, p, q):
                    same = some(every([at[s, p], at[s, q]]) for s in SIZES)
                    for first in self.spec.colours if anybody else c:
                        yield some([no(at[first, p]), no(at[first, q]), same])
                        yield from self._mixed(first, p, q)

    def _mixed(self, first: str, p: int, q: int) -> Iterator[Bool]:
        at, swap = self.x.at, self.spec.readings["swap"]
        if swap == "mutual":
            return
        free = swap in ("symmetric", "any_two")
        fit = some(every([at[s, p], at[t, q]]) for s, t in permutations(SIZES, 2) if free or partner(s) == t)
        for second in self.spec.colours:
            if second != first:
                may = every([at[first, p], at[second, q], fit])
                yield some([no(may), self.overflows(first, q, p), self.overflows(second, p, q)])


class Least(NamedTuple):
    pieces: int
    position: Position


@functools.cache
def stuck_position(params: Params, readings: Readings, players: tuple[str, ...], whole: bool) -> Least | None:
    """A position with the fewest pieces in which each of these players, if to move, could only pass; A is to move.

    `whole` requires that no piece has left. None if there is no such position, or z3 cannot say.
    """
    if readings["win_overflow"] != "illegal":
        return None
    spec = Spec(params, readings, search=True)
    blocked = Blocked(spec)
    spec.asker.add(*real(spec), spec.to_move["A"], no(spec.over), spec.turn.kind["pass"])
    spec.asker.add(*(fact for c in players for fact in blocked.facts(c)))
    if whole:
        spec.asker.add(*map(no, spec.has_formed.values()))
    if least_case(spec) is not Answer.YES:
        return None
    position = spec.read_position()
    return Least(sum(piece is not None for piece in position.points), position)
