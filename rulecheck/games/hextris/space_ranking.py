"""All boards of a Hextris game from which no piece ever leaves, numbered in a row by arithmetic.

The mover's pieces come first: how many of each size stand, and where. Only arrangements that are the least of their
twelve images count, and these are kept in a list (for five pieces of one size, 1,530 of 16,664). Then come the
opponent's pieces, on the points that are left, without regard to images; so where the mover's pieces stand
symmetrically, a number may belong to a board that is not the least of its images.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulecheck.games.hextris.space_boards import (
    FOE,
    GROUPS,
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
from rulecheck.model import InputError
from rulecheck.solve.packed import Keys
from solvers.compiled import njit
from solvers.graph import Layer

MOST = 200_000_000  # numbers: some 20 GB for the solvers
MOST_POINTS = 37
NEVER = 1 << 62
CHOOSE = np.array([[math.comb(n, k) for k in range(MOST_POINTS + 1)] for n in range(MOST_POINTS + 1)], dtype=np.int64)


class Numbering(NamedTuple):
    """`side` is 0 for the pieces of A, 1 for those of B; `free` points are there for them."""

    offsets: NDArray[np.int64]  # [side, free, small, medium, large]: how many come before; NEVER if there are none
    sizes: NDArray[np.int64]  # [side, free]: all arrangements
    begins: NDArray[np.int64]  # [A's arrangement, A to move], then the same for B: the first number; -1 if not least


class Listing(NamedTuple):
    """The tables that map numbers back to arrangements."""

    least: NDArray[np.int64]  # where in `begins` the least arrangements are ...
    starts: NDArray[np.int64]  # ... and the numbers where they begin, rising, and the end of the last


def count_ways(free: int, numbers: Sequence[int]) -> int:
    """The number of arrangements on `free` points with these numbers of each size."""
    left = [free, free - numbers[0], free - numbers[0] - numbers[1]]
    return math.prod(map(math.comb, left, numbers)) if sum(numbers) <= free else 0


def count_arrangements(points: int, stash: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The offsets and sizes of a numbering."""
    shape = stash.max(axis=0) + 1
    offsets = np.full((2, points + 1, *shape), NEVER, dtype=np.int64)
    sizes = np.zeros((2, points + 1), dtype=np.int64)
    for side, free in itertools.product(range(2), range(points + 1)):
        for numbers in np.ndindex(*(stash[side] + 1)):
            if ways := count_ways(free, numbers):
                offsets[side, free, *numbers] = sizes[side, free]
                sizes[side, free] += ways
    return offsets, sizes


@njit(cache=True)
def rank_side(boards: Any, first: int, free: int, side: int, offsets: Any) -> Any:
    """The number of an arrangement: of its counts, and among those, of the points taken by each size in turn."""
    left, within = count(free), 0
    offset = offsets[side, left, count(boards[first]), count(boards[first + 1]), count(boards[first + 2])]
    for kind in range(first, first + 3):
        taken, among = 0, 0
        rest = boards[kind]
        while rest:
            before = (rest & -rest) - 1
            taken += 1
            among += CHOOSE[count(free & before), taken]
            rest &= rest - 1
        if taken:
            within = within * CHOOSE[left, taken] + among
            free &= ~boards[kind]
            left -= taken
    return offset + within


@njit(cache=True)
def unrank_side(number: int, free: int, side: int, offsets: Any, boards: Any, first: int) -> None:
    left = count(free)
    small, medium, large = counts_of(number, offsets[side, left])
    number -= offsets[side, left, small, medium, large]
    last = CHOOSE[left - small - medium, large]
    middle = CHOOSE[left - small, medium]
    ranks = (number // last // middle, number // last % middle, number % last)
    for size in range(3):
        boards[first + size] = take(ranks[size], (small, medium, large)[size], free)
        free &= ~boards[first + size]


@njit(cache=True)
def counts_of(number: int, offsets: Any) -> tuple[int, int, int]:
    """The last counts whose arrangements begin at or before the number."""
    counts, best = (0, 0, 0), -1
    smalls, mediums, larges = offsets.shape
    for small in range(smalls):
        for medium in range(mediums):
            for large in range(larges):
                begin = offsets[small, medium, large]
                if best < begin <= number:
                    counts, best = (small, medium, large), begin
    return counts


@njit(cache=True)
def take(among: int, taken: int, free: int) -> int:
    """The points chosen: the highest place first, each as high as the number allows."""
    board, place = 0, count(free) - 1
    highest = 1 << 62
    while taken:
        while free < highest:
            highest >>= 1
        if CHOOSE[place, taken] <= among:
            among -= CHOOSE[place, taken]
            taken -= 1
            board |= highest
        free ^= highest
        place -= 1
    return board


@njit(cache=True)
def list_least(r: Rules, offsets: Any, sizes: Any) -> Any:
    whole = (1 << r.points) - 1
    state, least = np.zeros(STATE, np.int64), np.empty(STATE, np.int64)
    size = sizes[0, r.points] + (0 if r.alike else sizes[1, r.points])
    begins = np.full(size, -1, np.int64)
    arrangements, starts = np.empty(size, np.int64), np.zeros(size + 1, np.int64)
    filled = 0
    for number in range(size):
        side = int(number >= sizes[0, r.points])
        unrank_side(number - side * sizes[0, r.points], whole, side, offsets, state, 0)
        if is_least(state, r.images, least):
            begins[number] = starts[filled]
            arrangements[filled] = number
            starts[filled + 1] = starts[filled] + sizes[1 - side, r.points - count(standing(state, 0))]
            filled += 1
    return begins, arrangements[:filled].copy(), starts[: filled + 1].copy()


@njit(cache=True)
def begin_of(boards: Any, first: int, seat: int, points: int, n: Numbering) -> Any:
    """Where the numbers of the mover's arrangement begin."""
    number = rank_side(boards, first, (1 << points) - 1, seat, n.offsets)
    return n.begins[number + seat * n.sizes[0, points]]


@njit(cache=True)
def unrank_state(number: int, r: Rules, n: Numbering, listing: Listing, state: Any) -> None:
    whole = (1 << r.points) - 1
    at = np.searchsorted(listing.starts, number, side="right") - 1
    arrangement = listing.least[at]
    seat = int(arrangement >= n.sizes[0, r.points])
    unrank_side(arrangement - seat * n.sizes[0, r.points], whole, seat, n.offsets, state, 0)
    free = whole & ~standing(state, 0)
    unrank_side(number - listing.starts[at], free, 1 - seat, n.offsets, state, FOE)
    state[GROUPS], state[GROUPS + 1], state[SEAT] = 0, 0, seat
    for kind in range(HANDS):
        state[HANDS + kind] = r.stash[seat, kind] - count(state[kind])


@njit(cache=True)
def rank_all(keys: Any, r: Rules, n: Numbering) -> Any:
    whole = (1 << r.points) - 1
    state, numbers = np.empty(STATE, np.int64), np.empty(len(keys), np.int64)
    for i in range(len(keys)):
        decode(keys[i], r, state)
        begin = begin_of(state, 0, state[SEAT], r.points, n)
        numbers[i] = begin + rank_side(state, FOE, whole & ~standing(state, 0), 1 - state[SEAT], n.offsets)
    return numbers


@njit(cache=True)
def unrank_all(numbers: Any, r: Rules, n: Numbering, listing: Listing) -> Any:
    state, keys = np.empty(STATE, np.int64), np.empty(len(numbers), np.int64)
    for i in range(len(numbers)):
        unrank_state(numbers[i], r, n, listing, state)
        keys[i] = encode(state, r)
    return keys


class ClassRanking:
    """A `rulecheck.solve.packed.Ranking`; the keys it is given must be those of least boards."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        stash = np.minimum(rules.stash[:, :FOE], rules.points)  # no more can stand
        offsets, sizes = count_arrangements(rules.points, stash)
        _refuse_too_many(rules, stash, sizes)
        begins, least, starts = list_least(rules, offsets, sizes)
        self.numbering = Numbering(offsets, sizes, begins)
        self.listing = Listing(least, starts)
        self.size = int(starts[-1])

    def rank(self, keys: Keys) -> Keys:
        numbers: Keys = rank_all(keys, self._rules, self.numbering)
        return numbers

    def unrank(self, numbers: Keys) -> Keys:
        keys: Keys = unrank_all(numbers, self._rules, self.numbering, self.listing)
        return keys

    def layers(self) -> list[Layer]:
        """No piece ever leaves the board, so that those with the most pieces there come first."""
        offsets, points = self.numbering.offsets, self._rules.points
        parts: dict[int, list[tuple[Any, Any]]] = {}
        for seat, own, there in self._by_count():
            for numbers in np.ndindex(*offsets.shape[2:]):
                if offsets[1 - seat, points - own, *numbers] < NEVER:
                    low = there + offsets[1 - seat, points - own, *numbers]
                    parts.setdefault(own + sum(numbers), []).append((low, low + count_ways(points - own, numbers)))
        return [_in_order(parts[standing]) for standing in sorted(parts, reverse=True)]

    def _by_count(self) -> Iterator[tuple[int, int, NDArray[np.int64]]]:
        """The mover's seat, how many pieces of the mover stand, and where the numbers of such arrangements begin."""
        first = self.numbering.sizes[0, self._rules.points]
        standing = count_standing(self.listing.least, first, self._rules.points, self.numbering.offsets)
        seats = self.listing.least >= first
        for seat in range(1 if self._rules.alike else 2):
            for own in np.unique(standing[seats == seat]).tolist():
                yield seat, own, self.listing.starts[:-1][(seats == seat) & (standing == own)]


@njit(cache=True)
def count_standing(arrangements: Any, first: int, points: int, offsets: Any) -> Any:
    """How many pieces each arrangement has; those of B come from `first` on."""
    pieces = np.empty(len(arrangements), np.int64)
    for i in range(len(arrangements)):
        side = int(arrangements[i] >= first)
        small, medium, large = counts_of(arrangements[i] - side * first, offsets[side, points])
        pieces[i] = small + medium + large
    return pieces


def _in_order(parts: list[tuple[Any, Any]]) -> Layer:
    low, high = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(low)
    return Layer.of(low[order], high[order])


def _refuse_too_many(rules: Rules, stash: NDArray[np.int64], sizes: NDArray[np.int64]) -> None:
    points = rules.points
    boards = sum(
        count_ways(points, numbers) * int(sizes[1, points - sum(numbers)])
        for numbers in np.ndindex(*(stash[0] + 1))
        if sum(numbers) <= points
    )
    about = boards * (1 if rules.alike else 2) // MAPS
    if about > MOST:
        raise InputError(f"this game has about {about:,} positions up to symmetry; up to {MOST:,} can be solved")
