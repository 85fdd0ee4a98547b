"""All boards of a Hextris game from which no piece ever leaves, numbered in a row by arithmetic.

The mover's pieces come first: how many of each size stand, and where. Only arrangements that are the least of their
twelve images count, and these are kept in a list (for five pieces of one size, 1,530 of 16,664). Then come the
opponent's pieces, on the points that are left, without regard to images; so where the mover's pieces stand
symmetrically, a number may belong to a board that is not the least of its images.
"""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rulecheck.model import InputError
from rulecheck.spaces.hextris_turns import (
    FOE,
    HANDS,
    MAPS,
    SEAT,
    STATE,
    Rules,
    count,
    decode,
    encode,
    is_least,
    standing,
)
from rulecheck.spaces.packed import Keys

MOST = 200_000_000  # numbers: as many as the solvers can hold in the memory of a large computer


class Side(NamedTuple):
    """How one player's pieces can stand on a number of free points."""

    offsets: NDArray[np.int64]  # [free, small, medium, large]: how many arrangements with other numbers come before
    sizes: NDArray[np.int64]  # [free]: all arrangements


def make_side(points: int, stash: NDArray[np.int64]) -> Side:
    ranges = [range(int(number) + 1) for number in stash]
    offsets = np.zeros((points + 1, *map(len, ranges)), dtype=np.int64)
    sizes = np.zeros(points + 1, dtype=np.int64)
    for free in range(points + 1):
        for small, medium, large in itertools.product(*ranges):
            offsets[free, small, medium, large] = sizes[free]
            ways = math.comb(free, small) * math.comb(max(free - small, 0), medium)
            sizes[free] += ways * math.comb(max(free - small - medium, 0), large)
    return Side(offsets, sizes)


@njit(cache=True)
def rank_side(boards: Any, free: int, side: Side, choose: Any) -> Any:
    """The number of an arrangement: of its counts, and among those, of the points taken by each size in turn."""
    left, within = count(free), 0
    offset = side.offsets[left, count(boards[0]), count(boards[1]), count(boards[2])]
    for size in range(3):
        taken, among = 0, 0
        rest = boards[size]
        while rest:
            before = (rest & -rest) - 1
            taken += 1
            among += choose[count(free & before), taken]
            rest &= rest - 1
        within = within * choose[left, taken] + among
        free &= ~boards[size]
        left -= taken
    return offset + within


@njit(cache=True)
def unrank_side(number: int, free: int, side: Side, choose: Any, boards: Any) -> None:
    left = count(free)
    small, medium, large = counts_of(number, left, side)
    number -= side.offsets[left, small, medium, large]
    last = choose[left - small - medium, large]
    middle = choose[left - small, medium]
    ranks = (number // last // middle, number // last % middle, number % last)
    for size in range(3):
        boards[size] = take(ranks[size], (small, medium, large)[size], free, choose)
        free &= ~boards[size]


@njit(cache=True)
def counts_of(number: int, left: int, side: Side) -> tuple[int, int, int]:
    """The last counts whose arrangements begin at or before the number; those without any are passed over."""
    _, smalls, mediums, larges = side.offsets.shape
    for small in range(smalls - 1, -1, -1):
        for medium in range(mediums - 1, -1, -1):
            for large in range(larges - 1, -1, -1):
                if small + medium + large <= left and side.offsets[left, small, medium, large] <= number:
                    return small, medium, large
    return 0, 0, 0


@njit(cache=True)
def take(among: int, taken: int, free: int, choose: Any) -> int:
    """The points chosen: the highest place first, each as high as the number allows."""
    found, place = 0, count(free) - 1
    highest = 1 << 62
    while taken:
        while free < highest:
            highest >>= 1
        if choose[place, taken] <= among:
            among -= choose[place, taken]
            taken -= 1
            found |= highest
        free ^= highest
        place -= 1
    return found


class Table(NamedTuple):
    """All boards with a certain player to move."""

    first: Side
    second: Side
    begins: NDArray[np.int64]  # of each arrangement of the first player: the number where it begins; -1 if not least
    least: NDArray[np.int64]  # the arrangements that are the least of their images ...
    starts: NDArray[np.int64]  # ... and the numbers where they begin, and the end of the last


@njit(cache=True)
def list_least(r: Rules, first: Side, second: Side, choose: Any) -> Any:
    whole = (1 << r.points) - 1
    state, least = np.zeros(STATE, np.int64), np.empty(STATE, np.int64)
    size = first.sizes[r.points]
    begins = np.full(size, -1, np.int64)
    found, starts = np.empty(size, np.int64), np.zeros(size + 1, np.int64)
    filled = 0
    for number in range(size):
        unrank_side(number, whole, first, choose, state[:FOE])
        if is_least(state, r.images, least):
            begins[number] = starts[filled]
            found[filled] = number
            starts[filled + 1] = starts[filled] + second.sizes[r.points - count(standing(state, 0))]
            filled += 1
    return begins, found[:filled].copy(), starts[: filled + 1].copy()


@njit(cache=True)
def rank_state(state: Any, whole: int, table: Table, choose: Any) -> Any:
    begin = table.begins[rank_side(state[:FOE], whole, table.first, choose)]
    return begin + rank_side(state[FOE:HANDS], whole & ~standing(state, 0), table.second, choose)


@njit(cache=True)
def unrank_state(number: int, whole: int, table: Table, choose: Any, state: Any) -> None:
    at = np.searchsorted(table.starts, number, side="right") - 1
    unrank_side(table.least[at], whole, table.first, choose, state[:FOE])
    unrank_side(number - table.starts[at], whole & ~standing(state, 0), table.second, choose, state[FOE:HANDS])


@njit(cache=True)
def rank_all(keys: Any, r: Rules, by_a: Table, by_b: Table, choose: Any) -> Any:
    whole, half = (1 << r.points) - 1, by_a.starts[-1]
    state, numbers = np.empty(STATE, np.int64), np.empty(len(keys), np.int64)
    for i in range(len(keys)):
        decode(keys[i], r, state)
        if state[SEAT] == 0:
            numbers[i] = rank_state(state, whole, by_a, choose)
        else:
            numbers[i] = half + rank_state(state, whole, by_b, choose)
    return numbers


@njit(cache=True)
def unrank_all(numbers: Any, r: Rules, by_a: Table, by_b: Table, choose: Any) -> Any:
    whole, half = (1 << r.points) - 1, by_a.starts[-1]
    state, keys = np.zeros(STATE, np.int64), np.empty(len(numbers), np.int64)
    for i in range(len(numbers)):
        state[SEAT] = int(numbers[i] >= half)
        if state[SEAT] == 0:
            unrank_state(numbers[i], whole, by_a, choose, state)
        else:
            unrank_state(numbers[i] - half, whole, by_b, choose, state)
        keys[i] = encode(state, r)
    return keys


class ClassRanking:
    """A `rulecheck.spaces.packed.Ranking`; the keys it is given must be those of least boards."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        places = range(rules.points + 1)
        self._choose = np.array([[math.comb(n, k) for k in places] for n in places], dtype=np.int64)
        sides = [make_side(rules.points, stash[:FOE]) for stash in rules.stash]
        _refuse_too_many(rules, sides[0], sides[1])
        self._tables = (self._table(sides[0], sides[1]), self._table(sides[1], sides[0]))
        self.size = sum(int(table.starts[-1]) for table in self._tables[: 1 if rules.alike else 2])

    def _table(self, first: Side, second: Side) -> Table:
        return Table(first, second, *list_least(self._rules, first, second, self._choose))

    def rank(self, keys: Keys) -> Keys:
        numbers: Keys = rank_all(keys, self._rules, *self._tables, self._choose)
        return numbers

    def unrank(self, numbers: Keys) -> Keys:
        keys: Keys = unrank_all(numbers, self._rules, *self._tables, self._choose)
        return keys


def _refuse_too_many(rules: Rules, first: Side, second: Side) -> None:
    points = rules.points
    ways = np.diff(np.append(first.offsets[points].ravel(), first.sizes[points]))
    taken = np.indices(first.offsets.shape[1:]).sum(axis=0).ravel()
    boards = sum(int(w) * int(second.sizes[max(points - n, 0)]) for w, n in zip(ways, taken, strict=True))
    about = boards * (1 if rules.alike else 2) // MAPS
    if about > MOST:
        raise InputError(f"this game has about {about:,} positions up to symmetry; up to {MOST:,} can be solved")
