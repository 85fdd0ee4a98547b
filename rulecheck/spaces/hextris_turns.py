"""Every turn of a Hextris position by compiled code, written from the rulebook: bit boards, no objects.

A state is seen by the player to move: three boards of own pieces by size (bit p for point p), three of the opponent's,
the numbers in hand in the same order, the groups counted for each, and the seat of the player to move, which is 0
if both own the same. Positions that turns and reflections of the board carry into each other have one key: that of
the least state, where own boards count before the opponent's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from rulecheck.spaces.packed import LOST, WON
from solvers.graph import Kind

FOE, HANDS, GROUPS, SEAT, STATE = 3, 6, 12, 14, 15  # where parts of a state begin, and its length
GOES_ON, REFUSED = 0, -4  # what a turn leads to, besides WON and LOST
NOWHERE = -1
CHUNK = 10  # bits of a board that are mapped by one look
MAPS = 12
MOVE, VOID = int(Kind.MOVE), int(Kind.VOID)

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
    """Faster than an assignment of slices, which looks at their shapes."""
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
    found = 0
    for chunk in range(images.shape[0]):
        found |= images[chunk, board >> (chunk * CHUNK) & ((1 << CHUNK) - 1), by]
    return found


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
    found = 1 << point
    rest = colour & ~found
    fresh = found
    while fresh:
        joined = near[lowest(fresh)] & rest
        fresh = (fresh & (fresh - 1)) | joined
        found |= joined
        rest &= ~joined
    return found


@njit(cache=True)
def can_stand(state: Any, r: Rules) -> bool:
    """While the game goes on, no group is too large, and a whole one stands only if placing it counts for nothing."""
    most = r.group if r.place_group == IGNORED else r.group - 1
    for first in (0, FOE):
        rest = standing(state, first)
        while rest:
            found = group_of(lowest(rest), rest, r.near)
            if count(found) > most:
                return False
            rest &= ~found
    return True


# -- Candidates: a kind, where from (NOWHERE: the hand), where to, the kind it changes places with, was six crossed --


@njit(cache=True)
def list_slides(state: Any, r: Rules, found: Any, n: int) -> int:
    """HX-18 to HX-21; with what is crossed tested for HX-31 if a reading asks for it."""
    free = ~(standing(state, 0) | standing(state, FOE))
    for kind in range(3):
        reach = min(r.rays.shape[2], r.rays.shape[2] if kind == 2 else kind + 1)
        rest = state[kind]
        while rest:
            p = lowest(rest)
            rest &= rest - 1
            for direction in range(6):
                crossed = 0
                for step in range(reach):
                    q = r.rays[p, direction, step]
                    if q < 0 or not free >> q & 1:
                        break
                    found[n, 0], found[n, 1], found[n, 2], found[n, 3], found[n, 4] = kind, p, q, NOWHERE, crossed
                    n += 1
                    if r.transit:
                        there = standing(state, 0) & ~(1 << p) | 1 << q
                        crossed |= count(group_of(q, there, r.near)) > r.group
    return n


@njit(cache=True)
def may_exchange(kind: int, other: int, swap: int) -> bool:
    """HX-22 to HX-25: two of one player always, if their sizes differ."""
    size, other_size = kind % 3, other % 3
    if size == other_size or (kind >= FOE and swap != ANY_TWO):
        return False
    if (kind < FOE) == (other < FOE):
        return kind < other
    if kind >= FOE or swap == MUTUAL:
        return False
    return swap != INITIATOR or other_size == (size + 2) % 3


@njit(cache=True)
def list_exchanges(state: Any, r: Rules, found: Any, n: int) -> int:
    """HX-13: each once, by the smaller kind if they are of one colour, by the mover's if not."""
    for kind in range(6):
        for other in range(6):
            rest = state[kind] if may_exchange(kind, other, r.swap) else 0
            while rest:
                p = lowest(rest)
                rest &= rest - 1
                partners = state[other] & r.near[p]
                while partners:
                    q = lowest(partners)
                    partners &= partners - 1
                    found[n, 0], found[n, 1], found[n, 2], found[n, 3], found[n, 4] = kind, p, q, other, 0
                    n += 1
    return n


@njit(cache=True)
def list_placements(state: Any, r: Rules, found: Any, n: int) -> int:
    """HX-09"""
    free = r.rim & ~(standing(state, 0) | standing(state, FOE))
    for kind in range(3):
        rest = free if state[HANDS + kind] else 0
        while rest:
            q = lowest(rest)
            rest &= rest - 1
            found[n, 0], found[n, 1], found[n, 2], found[n, 3], found[n, 4] = kind, NOWHERE, q, NOWHERE, 0
            n += 1
    return n


# -- Turns ---------------------------------------------------------------------------------------------------


@njit(cache=True)
def make(found: Any, i: int, r: Rules, state: Any) -> int:
    """Make a turn on the state, as far as it may be made, with the same player still to move."""
    kind, p, q, other, crossed = found[i, 0], found[i, 1], found[i, 2], found[i, 3], found[i, 4]
    if p == NOWHERE:
        state[kind] |= 1 << q
        state[HANDS + kind] -= 1
    else:
        state[kind] ^= 1 << p | 1 << q
    if other != NOWHERE:
        state[other] ^= 1 << p | 1 << q
        if (kind < FOE) == (other < FOE):  # no colour has a new point, so no group is made
            return GOES_ON
    return arrive(state, r, q, p if other != NOWHERE else NOWHERE, p == NOWHERE, crossed > 0)


@njit(cache=True)
def arrive(state: Any, r: Rules, at: int, foe_at: int, placed: bool, crossed: bool) -> int:
    """What comes of an own piece that has arrived on a point, and of an opponent's on another."""
    ours = group_of(at, standing(state, 0), r.near)
    theirs = group_of(foe_at, standing(state, FOE), r.near) if foe_at != NOWHERE else 0
    too_large = crossed or count(ours) > r.group or count(theirs) > r.group  # HX-31
    five, gift = count(ours) == r.group, count(theirs) == r.group
    if five and placed and r.place_group != COUNTS:
        if r.place_group == ILLEGAL:
            return REFUSED
        five = False
    state[GROUPS] += int(five) + int(gift and r.gift == FOR_MOVER)
    state[GROUPS + 1] += int(gift and r.gift == FOR_COLOUR)
    over = state[GROUPS] >= r.groups or state[GROUPS + 1] >= r.groups
    if too_large and not (over and r.win_overflow):
        return REFUSED
    if over:  # HX-32, HX-33; as the next player sees it
        return LOST if state[GROUPS] >= r.groups else WON
    for size in range(3):  # HX-29
        state[size] &= ~ours if five else ~0
        state[FOE + size] &= ~theirs if gift else ~0
    return GOES_ON


@njit(cache=True)
def hand_over(state: Any, r: Rules, steady: Any, makers: int, least: Any) -> Any:
    """The key of this state with the opponent to move, whose boards, if `steady`, have the least images known."""
    unchanged = True
    for kind in range(FOE, 6):
        unchanged = unchanged and state[kind] == steady[kind]
    if unchanged:
        copy(steady, least, HANDS + FOE, FOE, 3)
    else:
        makers = least_images(state, FOE, r.images, (1 << MAPS) - 1, least)
    least_images(state, 0, r.images, makers, least)
    for kind in range(3):
        state[kind], state[kind + FOE] = least[kind + FOE], least[kind]
        state[HANDS + kind], state[HANDS + kind + FOE] = state[HANDS + kind + FOE], state[HANDS + kind]
    state[GROUPS], state[GROUPS + 1] = state[GROUPS + 1], state[GROUPS]
    if not r.alike:
        state[SEAT] = 1 - state[SEAT]
    return encode(state, r)


@njit(cache=True)
def turns(state: Any, r: Rules, work: Any, found: Any, out: Any, filled: int) -> int:
    """Add the keys of all successors; displacements come first, then placements, then the lost turn."""
    after, steady, least = work[0], work[1], work[2]
    copy(state, steady, 0, 0, HANDS)
    makers = least_images(state, FOE, r.images, (1 << MAPS) - 1, least)
    copy(least, steady, FOE, HANDS + FOE, 3)
    displacements = list_exchanges(state, r, found, list_slides(state, r, found, 0))
    n = list_placements(state, r, found, displacements)
    begin, moved = filled, False
    for i in range(n + 1):
        copy(state, after, 0, 0, STATE)
        if i < n:
            reached = make(found, i, r, after)
        else:  # HX-16, HX-17
            reached = GOES_ON if filled == begin or (r.displacement and not moved) else REFUSED
        if reached == REFUSED:
            continue
        moved = moved or i < displacements
        out[filled] = hand_over(after, r, steady, makers, least) if reached == GOES_ON else reached
        filled += 1
    return filled


@njit(cache=True)
def expand(keys: Any, r: Rules) -> Any:
    """For each key its kind, where its successors begin, and all of these; VOID if it is no position's least key."""
    state, work = np.empty(STATE, np.int64), np.empty((3, STATE), np.int64)
    kind = np.empty(len(keys), np.uint8)
    first = np.zeros(len(keys) + 1, np.int64)
    most = 64 * r.points  # turns of one position
    found = np.empty((most, 5), np.int64)
    out = np.empty(most + 16 * len(keys), np.int64)
    filled = 0
    for i in range(len(keys)):
        if filled + most > len(out):
            grown = np.empty(2 * len(out), np.int64)
            grown[:filled] = out[:filled]
            out = grown
        decode(keys[i], r, state)
        kind[i] = VOID
        if is_least(state, r.images, work[2]) and can_stand(state, r):
            kind[i] = MOVE
            filled = turns(state, r, work, found, out, filled)
        first[i + 1] = filled
    return kind, first, out[:filled].copy()
