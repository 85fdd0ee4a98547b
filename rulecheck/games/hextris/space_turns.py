"""Every turn of a Hextris position by compiled code, written from the rulebook."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulecheck.games.hextris.space_boards import (
    ANY_TWO,
    COUNTS,
    FOE,
    FOR_COLOUR,
    FOR_MOVER,
    GROUPS,
    HANDS,
    ILLEGAL,
    INITIATOR,
    MAPS,
    MUTUAL,
    SEAT,
    STATE,
    Rules,
    can_stand,
    copy,
    count,
    decode,
    encode,
    group_of,
    is_least,
    least_images,
    lowest,
    standing,
)
from rulecheck.games.hextris.space_ranking import begin_of, rank_side, unrank_state
from rulecheck.solve.packed import LOST, WON
from solvers.compiled import njit
from solvers.graph import Kind

GOES_ON, REFUSED = 0, -4  # what a turn leads to, besides WON and LOST
NOWHERE = -1
BEGIN = GROUPS  # in `steady`: see `turns`
MOVE, VOID = int(Kind.MOVE), int(Kind.VOID)


# -- Candidates: a kind, where from (NOWHERE: the hand), where to, the kind it changes places with, was six crossed --


@njit(cache=True)
def list_slides(state: Any, r: Rules, turns: Any, n: int) -> int:
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
                    turns[n, 0], turns[n, 1], turns[n, 2], turns[n, 3], turns[n, 4] = kind, p, q, NOWHERE, crossed
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
def list_exchanges(state: Any, r: Rules, turns: Any, n: int) -> int:
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
                    turns[n, 0], turns[n, 1], turns[n, 2], turns[n, 3], turns[n, 4] = kind, p, q, other, 0
                    n += 1
    return n


@njit(cache=True)
def list_placements(state: Any, r: Rules, turns: Any, n: int) -> int:
    """HX-09"""
    free = r.rim & ~(standing(state, 0) | standing(state, FOE))
    for kind in range(3):
        rest = free if state[HANDS + kind] else 0
        while rest:
            q = lowest(rest)
            rest &= rest - 1
            turns[n, 0], turns[n, 1], turns[n, 2], turns[n, 3], turns[n, 4] = kind, NOWHERE, q, NOWHERE, 0
            n += 1
    return n


# -- Turns ---------------------------------------------------------------------------------------------------


@njit(cache=True)
def make(turns: Any, i: int, r: Rules, state: Any) -> int:
    """Make a turn on the state, as far as it may be made, with the same player still to move."""
    kind, p, q, other, crossed = turns[i, 0], turns[i, 1], turns[i, 2], turns[i, 3], turns[i, 4]
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
def hand_over(state: Any, r: Rules, steady: Any, makers: int, least: Any, ranking: Any) -> Any:
    """The key of this state with the opponent to move, or its number if there is a ranking."""
    unchanged = True
    for kind in range(FOE, 6):
        unchanged = unchanged and state[kind] == steady[kind]
    if unchanged:
        copy(steady, least, HANDS + FOE, FOE, 3)
    else:
        makers = least_images(state, FOE, r.images, (1 << MAPS) - 1, least)
    least_images(state, 0, r.images, makers, least)
    seat = state[SEAT] if r.alike else 1 - state[SEAT]
    if ranking is not None:
        begin = steady[BEGIN] if unchanged else begin_of(least, FOE, seat, r.points, ranking)
        free = ((1 << r.points) - 1) & ~standing(least, FOE)
        return begin + rank_side(least, 0, free, 1 - seat, ranking.offsets)
    for kind in range(3):
        state[kind], state[kind + FOE] = least[kind + FOE], least[kind]
        state[HANDS + kind], state[HANDS + kind + FOE] = state[HANDS + kind + FOE], state[HANDS + kind]
    state[GROUPS], state[GROUPS + 1] = state[GROUPS + 1], state[GROUPS]
    state[SEAT] = seat
    return encode(state, r)


@njit(cache=True)
def turns(state: Any, r: Rules, work: Any, candidates: Any, out: Any, filled: int, ranking: Any) -> Any:
    """Add all successors; displacements come first, then placements, then the lost turn.

    Few turns move the opponent's pieces, so what follows from their boards alone is computed once and kept in `steady`:
    the boards, their least images, the maps that make these, and where their numbers begin.
    """
    after, steady, least = work[0], work[1], work[2]
    copy(state, steady, 0, 0, HANDS)
    makers = least_images(state, FOE, r.images, (1 << MAPS) - 1, least)
    copy(least, steady, FOE, HANDS + FOE, 3)
    if ranking is not None:
        steady[BEGIN] = begin_of(least, FOE, state[SEAT] if r.alike else 1 - state[SEAT], r.points, ranking)
    displacements = list_exchanges(state, r, candidates, list_slides(state, r, candidates, 0))
    n = list_placements(state, r, candidates, displacements)
    begin, moved = filled, False
    for i in range(n + 1):
        copy(state, after, 0, 0, STATE)
        if i < n:
            reached = make(candidates, i, r, after)
        else:  # HX-16, HX-17
            reached = GOES_ON if filled == begin or (r.displacement and not moved) else REFUSED
        if reached == REFUSED:
            continue
        moved = moved or i < displacements
        out[filled] = hand_over(after, r, steady, makers, least, ranking) if reached == GOES_ON else reached
        filled += 1
    return filled


@njit(cache=True)
def expand(keys: Any, r: Rules, ranking: Any, listing: Any) -> Any:
    """For each key its kind, where its successors begin, and all of these; VOID if it is no position's least key.

    With a ranking, numbers take the place of keys.
    """
    state, work = np.empty(STATE, np.int64), np.empty((3, STATE), np.int64)
    kind = np.empty(len(keys), np.uint8)
    first = np.zeros(len(keys) + 1, np.int64)
    most = 64 * r.points  # turns of one position
    candidates = np.empty((most, 5), np.int64)
    out = np.empty(most + 16 * len(keys), np.int64)
    filled = 0
    for i in range(len(keys)):
        if filled + most > len(out):
            grown = np.empty(2 * len(out), np.int64)
            grown[:filled] = out[:filled]
            out = grown
        if ranking is None:
            decode(keys[i], r, state)
        else:
            unrank_state(keys[i], r, ranking, listing, state)
        kind[i] = VOID
        if is_least(state, r.images, work[2]) and can_stand(state, r):
            kind[i] = MOVE
            filled = turns(state, r, work, candidates, out, filled, ranking)
        first[i + 1] = filled
    return kind, first, out[:filled].copy()
