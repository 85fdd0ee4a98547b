"""All arrangements of a Crosswalk game in a row, without a table, and their links by compiled code.

The mover is always seen as A. Tests and `certify` hold these links against the engine.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rulecheck.games.crosswalk import COLOURS, OTHER, Params
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError, Readings
from rulecheck.pyramids import Pyramid, Stack
from rulecheck.spaces import crosswalk_steps as c
from solvers.walks import Walks

MOST = 1 << 31  # arrangements that can be numbered
BLOCK = 1 << 18  # arrangements between two reports
FLAGS = {
    ("win", "immediate"): c.IMMEDIATE,
    ("finish_entry", "nest_order"): c.NEST_ORDER,
    ("reloc_from", "board"): c.FROM_BOARD,
    ("reloc_null", "forbidden"): c.NO_NULL,
    ("reloc_onto", "no_direct"): c.NO_DIRECT,
    ("relocation", "may"): c.MAY_PASS,
}


def rules_of(readings: Readings) -> int:
    return sum(flag for (name, value), flag in FLAGS.items() if readings[name] == value)


class Arrangements:
    """Numbers for all arrangements of a game's pyramids on its places."""

    def __init__(self, params: Params) -> None:
        material = params.material
        self.types = sorted(material, key=lambda q: (COLOURS.index(q.colour), q.pips))
        self.number = {pyramid: t for t, pyramid in enumerate(self.types, start=1)}
        self.params = params
        letters = [0, *(material[q] for q in self.types)]
        own = range(1, len(params.sizes) + 1)
        words = [w for size in range(len(own) + 1) for w in itertools.permutations(own, size)]
        self.size = sum(self._ways(letters, len(a) + len(b)) for a in words for b in words)
        if self.size >= MOST:
            raise InputError(
                f"this game has {self.size:,} arrangements, too many to be numbered here; "
                "try fewer squares, sizes or pedestrians"
            )
        self.street = self._street(letters, own, words)

    def _street(self, letters: list[int], own: range, words: list[tuple[int, ...]]) -> c.Street:
        at = {word: w for w, word in enumerate(words)}
        word_of = np.full((len(words), len(letters)), -1, dtype=np.int64)
        for word, t in itertools.product(words, own):
            word_of[at[word], t] = at.get((*word, t), -1)
        nest = tuple(own)
        ways = [[self._ways(letters, len(a) + len(b)) for b in words] for a in words]
        offset = [0, *itertools.accumulate(itertools.chain.from_iterable(ways))]
        padded = [(*word, *(0,) * (len(own) + 1 - len(word))) for word in words]
        return c.Street(
            last=self.params.squares + 1,
            letters=np.array(letters, dtype=np.int64),
            colour=np.array([-1, *(COLOURS.index(q.colour) for q in self.types)], dtype=np.int64),
            pips=np.array([0, *(q.pips for q in self.types)], dtype=np.int64),
            other=np.array([0, *(self.number[Pyramid(OTHER[q.colour], q.pips)] for q in self.types)], dtype=np.int64),
            words=np.array(padded, dtype=np.int64),
            word_of=word_of,
            home=at[nest],
            prefix=np.array([word == nest[: len(word)] for word in words]),
            offset=np.array(offset[:-1], dtype=np.int64).reshape(len(words), len(words)),
            ways=np.array(ways, dtype=np.int64),
        )

    def _ways(self, letters: list[int], gone: int) -> int:
        """How many words there are for the squares if so many of the players' pyramids stand at the finishes."""
        length = sum(letters) - gone + self.params.squares - 1
        own = 2 * len(self.params.sizes)
        alike = [self.params.squares - 1, *letters[own + 1 :]]
        return math.factorial(length) // math.prod(map(math.factorial, alike))

    def rank(self, stacks: Sequence[Stack]) -> int:
        table = np.zeros((len(stacks), sum(self.street.letters)), dtype=np.int64)
        for p, stack in enumerate(stacks):
            table[p, : len(stack)] = [self.number[pyramid] for pyramid in stack]
        height = np.array([len(stack) for stack in stacks], dtype=np.int64)
        return int(c.pack(self.street, table, height, np.zeros(len(self.types) + 1, dtype=np.int64)))

    def unrank(self, number: int) -> tuple[Stack, ...]:
        places = self.street.last + 1
        table = np.zeros((places, sum(self.street.letters)), dtype=np.int64)
        height, left = np.zeros(places, dtype=np.int64), np.zeros(len(self.types) + 1, dtype=np.int64)
        c.unpack(self.street, number, table, height, left)
        return tuple(tuple(self.types[t - 1] for t in table[p, : height[p]]) for p in range(places))


@functools.lru_cache(maxsize=4)
def arrangements(params: Params) -> Arrangements:
    return Arrangements(params)


def walks(params: Params, readings: Readings, report: Report = ignore) -> Walks:
    """All arrangements of a game and the links between them, by compiled code.

    The readings must be such that a walk is known by its arrangement and the points it has left.
    """
    numbered, rules = arrangements(params), rules_of(readings)
    parts = []
    for begin in range(0, numbered.size, BLOCK):
        report(f"{begin:,} of {numbered.size:,} arrangements", 0.0)
        parts.append(c.survey(numbered.street, rules, begin, min(begin + BLOCK, numbered.size)))
    mirror, over, stops, degree, cost, to = (np.concatenate(column) for column in zip(*parts, strict=True))
    del parts
    first = np.concatenate([[0], np.cumsum(degree, dtype=np.int64)])
    stuck = np.flatnonzero(c.stuck(params.die, over, stops, first, cost, to)).astype(np.int32)
    other, put = _exceptions(numbered, rules, stuck, report)
    then_spend = readings["after_relocation"] == "then_spend"
    return Walks(params.die, then_spend, mirror, over, stops, first, cost, to, stuck, other, put)


def _exceptions(
    numbered: Arrangements, rules: int, stuck: NDArray[np.int32], report: Report
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    parts = []
    for begin in range(0, len(stuck), BLOCK):
        report(f"exceptions of {begin:,} of {len(stuck):,} arrangements", 0.0)
        parts.append(c.exceptions(numbered.street, rules, stuck[begin : begin + BLOCK]))
    degree = np.concatenate([np.zeros(1, dtype=np.int64), *(part[0] for part in parts)])
    return np.cumsum(degree), np.concatenate([np.zeros(0, dtype=np.int32), *(part[1] for part in parts)])
