"""What stands where in Hextris, for compiled code: bit boards, keys, the twelve images of a board, groups.

A state is seen by the player to move: three boards of own pieces by size (bit p for point p), three of the opponent's,
the numbers in hand in the same order, the groups counted for each, and the seat of the player to move, which is 0
if both own the same. Positions that turns and reflections of the board carry into each other have one key: that of
the least state, where own boards count before the opponent's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from solvers.compiled import njit

FOE, HANDS, GROUPS, SEAT, STATE = 3, 6, 12, 14, 15  # where parts of a state begin, and its length
CHUNK = 10  # bits of a board that are mapped by one look
MAPS = 12

# The values of readings, in the order of the rulebook.
INITIATOR, SYMMETRIC, MUTUAL, ANY_TWO = range(4)
COUNTS, ILLEGAL, IGNORED = range(3)
FOR_COLOUR, FOR_MOVER, FOR_NOBODY = range(3)


class Rules(NamedTuple):
    """A board, what the players own, and the readings, in arrays and numbers."""

    points: int
    bits: int  # of a key for each point
    near: NDArray[np.int64]  # [point]: its neighbours
    rays: NDArray[np.int64]  # [point, direction]: the points in line, then -1
    images: NDArray[np.int64]  # [chunk of the board, content, map]: where it goes
    rim: int
    stash: NDArray[np.int64]  # [seat]: six numbers, own pieces first
    digit: NDArray[np.int64]  # [seat]: what stands for these six kinds in a key; 0 if there are none
    implied: bool  # no piece ever leaves the board, so what does not stand there is in hand
    alike: bool  # both own the same
    group: int
    groups: int
    swap: int
    place_group: int
    win_overflow: bool
    displacement: bool
    transit: bool
    gift: int


def _count(context: Any, board: Any) -> Any:
    return types.int64(types.int64), lambda _, builder, __, given: builder.ctpop(given[0])


def _lowest(context: Any, board: Any) -> Any:
    return types.int64(types.int64), lambda _, builder, __, given: builder.cttz(given[0], ir.Constant(ir.IntType(1), 1))


# One instruction of the processor each.
count: Any = intrinsic(_count)  # how many points a board has
lowest: Any = intrinsic(_lowest)  # the first point of a board that is not empty


@njit(cache=True)
def copy(source: Any, target: Any, at: int, to: int, length: int) -> None:
    """Faster than an assignment of slices, which checks their shapes."""
    for i in range(length):
        target[to + i] = source[at + i]


# -- Keys ----------------------------------------------------------------------------------------------------


@njit(cache=True)
def decode(key: int, r: Rules, state: Any) -> None:
    whole = (1 << r.points) - 1
    rest = key >> (r.bits * r.points)
    seat = 0 if r.alike else rest & 1
    rest = rest if r.alike else rest >> 1
    state[SEAT] = seat
    for kind in range(6):
        digit = r.digit[seat, kind]
        board = whole if digit else 0
        for bit in range(r.bits if digit else 0):
            layer = key >> (bit * r.points)
            board &= layer if digit >> bit & 1 else ~layer
        state[kind] = board
        if r.implied:
            state[HANDS + kind] = r.stash[seat, kind] - count(board)
        else:
            state[HANDS + kind] = rest % (r.stash[seat, kind] + 1)
            rest //= r.stash[seat, kind] + 1
    state[GROUPS], state[GROUPS + 1] = 0, 0
    if r.groups > 1:  # divisions are slow
        state[GROUPS], state[GROUPS + 1] = rest % r.groups, rest // r.groups


@njit(cache=True)
def encode(state: Any, r: Rules) -> Any:
    seat = state[SEAT]
    rest = state[GROUPS + 1] * r.groups + state[GROUPS]
    if not r.implied:
        for kind in range(5, -1, -1):
            rest = rest * (r.stash[seat, kind] + 1) + state[HANDS + kind]
    if not r.alike:
        rest = rest << 1 | seat
    for bit in range(r.bits - 1, -1, -1):
        layer = 0
        for kind in range(6):
            if r.digit[seat, kind] >> bit & 1:
                layer |= state[kind]
        rest = rest << r.points | layer
    return rest


# -- Images --------------------------------------------------------------------------------------------------


@njit(cache=True)
def image(board: int, by: int, images: Any) -> Any:
    mapped = 0
    for chunk in range(images.shape[0]):
        mapped |= images[chunk, board >> (chunk * CHUNK) & ((1 << CHUNK) - 1), by]
    return mapped


@njit(cache=True)
def least_images(state: Any, first: int, images: Any, allowed: int, least: Any) -> int:
    """The least images of three boards from `first` on by one of the maps allowed, and the maps that make them."""
    for kind in range(first, first + 3):
        board = state[kind]
        if board == 0 or allowed & (allowed - 1) == 0:
            least[kind] = image(board, lowest(allowed), images) if board else 0
            continue
        best, makers = 1 << 62, 0
        rest = allowed
        while rest:
            by = lowest(rest)
            rest &= rest - 1
            there = image(board, by, images)
            makers = 0 if there < best else makers
            best = min(best, there)
            makers |= 1 << by if there == best else 0
        least[kind], allowed = best, makers
    return allowed


@njit(cache=True)
def make_least(state: Any, images: Any) -> None:
    least = np.empty(HANDS, np.int64)
    least_images(state, FOE, images, least_images(state, 0, images, (1 << MAPS) - 1, least), least)
    state[:HANDS] = least


@njit(cache=True)
def is_least(state: Any, images: Any, least: Any) -> bool:
    least_images(state, FOE, images, least_images(state, 0, images, (1 << MAPS) - 1, least), least)
    same = True
    for kind in range(HANDS):
        same = same and state[kind] == least[kind]
    return same


# -- Groups --------------------------------------------------------------------------------------------------


@njit(cache=True)
def standing(state: Any, first: int) -> Any:
    return state[first] | state[first + 1] | state[first + 2]


@njit(cache=True)
def group_of(point: int, colour: int, near: Any) -> int:
    """HX-27, HX-28: all that hangs together with the piece on this point."""
    group = 1 << point
    rest = colour & ~group
    fresh = group
    while fresh:
        joined = near[lowest(fresh)] & rest
        fresh = (fresh & (fresh - 1)) | joined
        group |= joined
        rest &= ~joined
    return group


@njit(cache=True)
def can_stand(state: Any, r: Rules) -> bool:
    """While the game goes on, no group is too large, and a whole one stands only if placing it counts for nothing."""
    most = r.group if r.place_group == IGNORED else r.group - 1
    for first in (0, FOE):
        rest = standing(state, first)
        while rest:
            group = group_of(lowest(rest), rest, r.near)
            if count(group) > most:
                return False
            rest &= ~group
    return True
