"""All arrangements of a Crosswalk game in a row, without a list of them, and their links by compiled code.

The mover is always seen as A. Tests and `certify` compare these links with the engine.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulecheck.games.crosswalk import COLOURS, OTHER, Params
from rulecheck.games.crosswalk import space_steps as c
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError, Readings
from rulecheck.pyramids import Pyramid, Stack
from solvers.walks import Steps, Walks, whole

MOST = 1 << 31  # arrangements that can be numbered
FLAGS = {
    ("win", "immediate"): c.IMMEDIATE,
    ("finish_entry", "nest_order"): c.NEST_ORDER,
    ("reloc_from", "board"): c.FROM_BOARD,
    ("reloc_null", "forbidden"): c.NO_NULL,
    ("reloc_onto", "no_direct"): c.NO_DIRECT,
    ("relocation", "may"): c.MAY_PASS,
}

Word = tuple[int, ...]


def rules_of(readings: Readings) -> int:
    return sum(flag for (name, value), flag in FLAGS.items() if readings[name] == value)


class Arrangements:
    """Numbers for all arrangements of a game's pyramids on its places."""

    def __init__(self, params: Params) -> None:
        material = params.material
        self.params = params
        self.types = sorted(material, key=lambda q: (COLOURS.index(q.colour), q.pips))
        self.number = {pyramid: t for t, pyramid in enumerate(self.types, start=1)}
        self.other = [0, *(self.number[Pyramid(OTHER[q.colour], q.pips)] for q in self.types)]
        self.letters = [params.squares - 1, *(material[q] for q in self.types)]
        self.own = range(1, len(params.sizes) + 1)
        words = [w for size in range(len(self.own) + 1) for w in itertools.permutations(self.own, size)]
        self.finishes = [(a, self._turned(b)) for a in words for b in words]
        self.at = {finishes: k for k, finishes in enumerate(self.finishes)}
        self.offset = [0, *itertools.accumulate(self._ways(len(a) + len(b)) for a, b in self.finishes)]
        self.size = self.offset[-1]
        if self.size >= MOST:
            raise InputError(
                f"this game has {self.size:,} arrangements, too many to be numbered here; "
                "try fewer squares, sizes or pedestrians"
            )
        self.weight, self.smaller = self._bags()
        full = len(self.smaller) - len(self.letters) - 1
        self.bag = [full - sum(self.weight[t] for t in a + b) for a, b in self.finishes]
        self.street = self._street()

    def _turned(self, word: Word) -> Word:
        return tuple(self.other[t] for t in word)

    def _ways(self, gone: int) -> int:
        """The number of words for the squares, given how many of the players' pyramids stand at the finishes."""
        alike = [self.letters[0], *self.letters[2 * len(self.own) + 1 :]]
        return math.factorial(sum(self.letters) - gone) // math.prod(map(math.factorial, alike))

    def _bags(self) -> tuple[list[int], list[int]]:
        """Each letter's weight in the number of a bag; and by bag and letter the number of words that begin with a
        smaller letter, with a last column for all words."""
        sizes = [count + 1 for count in self.letters]
        units = [math.prod(sizes[:t]) for t in range(len(sizes))]
        ways, smaller = [1], [0] * len(sizes) + [1]
        for bag in range(1, math.prod(sizes)):
            begun = (ways[bag - u] if bag // u % size else 0 for u, size in zip(units, sizes, strict=True))
            smaller += itertools.accumulate(begun, initial=0)
            ways.append(smaller[-1])
        return [u * (len(sizes) + 1) for u in units], smaller

    def _street(self) -> c.Street:
        nest, types = tuple(self.own), range(len(self.letters))
        grown = [[((*a, t), b) for t in types] for a, b in self.finishes]
        return c.Street(
            last=self.params.squares + 1,
            colour=_numbers([-1, *(COLOURS.index(q.colour) for q in self.types)]),
            pips=_numbers([0, *(q.pips for q in self.types)]),
            other=_numbers(self.other),
            weight=_numbers(self.weight),
            smaller=_numbers(self.smaller),
            offset=_numbers(self.offset),
            bag=_numbers(self.bag),
            length=_numbers([sum(self.letters) - len(a + b) for a, b in self.finishes]),
            turned=_numbers([self.at[self._turned(b), self._turned(a)] for a, b in self.finishes]),
            top=_numbers([[(0, *a)[-1], (0, *b)[-1]] for a, b in self.finishes]),
            robbed=_numbers([[self.at[a[:-1], b], self.at[a, b[:-1]]] for a, b in self.finishes]),
            entered=_numbers([[self.at.get(finishes, k) for finishes in row] for k, row in enumerate(grown)]),
            in_order=np.array([[a == nest[: len(a)] for a, _ in row] for row in grown]),
            nest=np.array([[a == nest, self._turned(b) == nest] for a, b in self.finishes]),
        )

    def rank(self, stacks: Sequence[Stack]) -> int:
        a, *squares, b = (tuple(self.number[pyramid] for pyramid in stack) for stack in stacks)
        k = self.at[a, b]
        number, bag = self.offset[k], self.bag[k]
        for t in itertools.chain.from_iterable((*square, 0) for square in squares):
            number += self.smaller[bag + t]
            bag -= self.weight[t]
        return number

    def unrank(self, number: int) -> tuple[Stack, ...]:
        k = bisect.bisect_right(self.offset, number) - 1
        a, b = self.finishes[k]
        rest, bag = number - self.offset[k], self.bag[k]
        squares: list[list[int]] = [[]]
        while bag:
            t = bisect.bisect_right(self.smaller, rest, bag, bag + len(self.letters)) - bag - 1
            if t == 0:
                squares.append([])
            else:
                squares[-1].append(t)
            rest -= self.smaller[bag + t]
            bag -= self.weight[t]
        return tuple(tuple(self.types[t - 1] for t in stack) for stack in (a, *squares, b))


def _numbers(values: Sequence[Any]) -> NDArray[np.int64]:
    return np.array(values, dtype=np.int64)


@functools.lru_cache(maxsize=4)
def arrangements(params: Params) -> Arrangements:
    return Arrangements(params)


class Source:
    """All arrangements of a game and the links between them, by compiled code.

    The readings must be such that its arrangement and the points left determine a walk.
    """

    def __init__(self, params: Params, readings: Readings) -> None:
        numbered = arrangements(params)
        self.size, self.die, self._street = numbered.size, params.die, numbered.street
        self._rules, self.then_spend = rules_of(readings), readings["after_relocation"] == "then_spend"

    def steps(self, low: int, high: int) -> Steps:
        return Steps(*c.survey(self._street, self._rules, low, high))

    def spend(self, k: int, first: Any, cost: Any, to: Any, spent: Any) -> None:
        c.spend(k, first, cost, to, spent)

    def stuck(self, over: Any, spent: Any) -> NDArray[np.bool_]:
        flags: NDArray[np.bool_] = c.stuck(self.die, over, spent)
        return flags

    def exceptions(self, numbers: NDArray[Any]) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
        degree, put = c.exceptions(self._street, self._rules, numbers)
        return degree, put


def walks(params: Params, readings: Readings, report: Report = ignore) -> Walks:
    return whole(Source(params, readings), report)
