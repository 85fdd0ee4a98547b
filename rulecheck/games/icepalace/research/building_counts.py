"""Ice Palace: could a build be better? z3 answers by counting stacks, for more pyramids than it can give turns.

Every build says how many stacks of each sort it covers in which way, and how many new stacks of each sort it has. Of
these numbers a few things are true: nothing is used more often than it is there; stacks get their additions from the
largest to the smallest; and the base of a new stack has a colour that was seen, where colours are seen in rounds: first
those of the tops there are, and what is added on them; then those on new stacks whose base was seen in the round
before. If no numbers with all this are better, no build is. (They need not be a build, so YES says nothing.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import z3

from rulecheck.games.icepalace import Structure
from rulecheck.model import Readings
from rulecheck.pyramids import Pyramid, Stack
from solvers.smt import Answer, Asker, Bool, every, some

BUDGET = 60_000_000
Number = Any  # z3 ships no types; an integer term


class Sort(NamedTuple):
    """Stacks equivalent for building: their top, height, and the colours of stacks that may stand beside them."""

    top: Pyramid
    height: int
    open_to: frozenset[str]


def growths(left: Mapping[Pyramid, int], top: Pyramid | None, same: bool) -> Iterator[Stack]:
    """All chains that fit on a top, or all new stacks."""
    for pyramid in left:
        if top is None or (pyramid.pips < top.pips and not (same and pyramid.colour != top.colour)):
            yield (pyramid,)
            yield from ((pyramid, *more) for more in growths(left, pyramid, same))


class Counts:
    """The counts of stacks, and their constraints."""

    def __init__(self, palace: Structure, left: Stack, readings: Readings, open_to: Mapping[Any, set[str]]) -> None:
        self.left = Counter(left)
        self.readings = readings
        sorts = [Sort(stack[-1], len(stack), frozenset(open_to[cell])) for cell, stack in palace]
        self.sorts = Counter(sorts)
        same = readings["palace_stack"] == "same_colour"
        self.covered = {
            (sort, chain): z3.Int(f"{number} {_text(chain)}")
            for number, sort in enumerate(self.sorts)
            for chain in growths(self.left, sort.top, same)
        }
        self.begun = {stack: z3.Int(f"new {_text(stack)}") for stack in growths(self.left, None, same)}
        self.asker = Asker(BUDGET)
        self.asker.add(*self._stock(), *self._order(bool(palace)))

    def _stock(self) -> Iterator[Bool]:
        everything = [*self.covered.items(), *((("", stack), n) for stack, n in self.begun.items())]
        for _, number in everything:
            yield number >= 0
        for pyramid, count in self.left.items():
            yield _sum(number for (_, chain), number in everything if pyramid in chain) <= count
        for sort, count in self.sorts.items():
            yield _sum(number for (s, _), number in self.covered.items() if s == sort) <= count

    def _order(self, stands: bool) -> Iterator[Bool]:
        """Colours are seen in rounds; every new stack begins in a colour seen by the last round."""
        if self.readings["palace_island"] == "yes":
            return
        colours = sorted({pyramid.colour for pyramid in self.left})
        seen = {c: self._at_once(c) for c in colours} if stands else dict.fromkeys(colours, z3.BoolVal(False))
        if not stands:
            first = {stack: z3.Bool(f"first {_text(stack)}") for stack in self.begun}
            begins = self.readings["palace_first"] == "free"
            yield z3.PbLe([(flag, 1) for flag in first.values()], int(begins))
            yield from (z3.Implies(flag, self.begun[stack] >= 1) for stack, flag in first.items())
            seen = {c: some(flag for stack, flag in first.items() if c in _colours(stack)) for c in colours}
        for _ in colours:
            seen = {c: some([seen[c], *self._shown(c, seen)]) for c in colours}
        for stack, number in self.begun.items():
            yield z3.Implies(number >= 1, seen[stack[0].colour])

    def _at_once(self, c: str) -> Bool:
        """The colour is seen on an old stack, as it stands or after an addition."""
        if any(sort.top.colour == c and c in sort.open_to for sort in self.sorts):
            return z3.BoolVal(True)
        fitting = ((sort, chain) for sort, chain in self.covered if c in sort.open_to and c in _colours(chain))
        return some(self.covered[key] >= 1 for key in fitting)

    def _shown(self, c: str, seen: Mapping[str, Bool]) -> Iterator[Bool]:
        for stack, number in self.begun.items():
            if c in _colours(stack[1:]):
                yield every([number >= 1, seen[stack[0].colour]])

    def is_possible(self, k: int, player: str, points: int, low: int | None, high: int | None) -> Answer:
        """k pyramids, and the player's points, which are `points` now, at least `low` or at most `high`."""
        used = _sum(len(chain) * number for (_, chain), number in self.covered.items())
        used += _sum(len(stack) * number for stack, number in self.begun.items())
        total = points + _sum(self._gain(sort, chain, player) * n for (sort, chain), n in self.covered.items())
        total += _sum(len(stack) * n for stack, n in self.begun.items() if stack[-1].colour == player)
        facts = [used == k] + ([] if low is None else [total >= low]) + ([] if high is None else [total <= high])
        with self.asker.supposing(*facts):
            return self.asker.ask()

    def _gain(self, sort: Sort, chain: Stack, player: str) -> int:
        after = sort.height + len(chain) if chain[-1].colour == player else 0
        return after - (sort.height if sort.top.colour == player else 0)


def _text(stack: Stack) -> str:
    return "".join(map(str, stack))


def _colours(stack: Stack) -> set[str]:
    return {pyramid.colour for pyramid in stack}


def _sum(terms: Iterable[Number]) -> Number:
    return z3.Sum([z3.IntVal(0), *terms])
