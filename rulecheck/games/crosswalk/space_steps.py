"""Crosswalk's arrangements as numbers, and what the player to move, always A, can do in them; compiled.

Places are 0 (A's finish) to `last` (B's finish). A pyramid is a *type* from 1 on, A's by rising size, then B's, then
the pedestrians'; alike pyramids have one type. An arrangement is what stands at the two finishes, which has a number
k, and one word for the squares with a 0 between two of them; words of the same letters are numbered in order.

The letters of a word from one of them on, in any order, are a *bag*, which has a number m. A word's number is a sum
over its letters: how many words of the bag begin with a smaller one. A step takes one letter past some others, and
only what these add to the sum changes.

Functions called in inner loops are inlined. They read from arrays before they branch: numba counts the references to
an array that not all branches use, which takes longer than everything else.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.compiled import njit

A, B, PEDESTRIAN = 0, 1, 2

# What the readings say, as flags.
IMMEDIATE, NEST_ORDER, FROM_BOARD, NO_NULL, NO_DIRECT, MAY_PASS = 1, 2, 4, 8, 16, 32

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Street(NamedTuple):
    """Everything compiled code must know of a game. Index t is a type or 0, k what stands at the finishes."""

    last: int
    colour: Numbers  # [t]
    pips: Numbers  # [t]
    other: Numbers  # [t] the type that takes its place in the mirror
    weight: Numbers  # [t] by how much a bag falls without this letter
    smaller: Numbers  # [m + t] how many words of the bag begin with a smaller letter than t
    offset: Numbers  # [k] number of the first arrangement; behind the last k, how many there are in all
    bag: Numbers  # [k] the letters of the squares
    length: Numbers  # [k] how many they are
    turned: Numbers  # [k] the same in the mirror
    top: Numbers  # [k, side] the type on top at the finish of A or B, or 0
    robbed: Numbers  # [k, side] the same without this top
    entered: Numbers  # [k, t] the same with this type on top at A's finish; unchanged if it is not A's
    in_order: Flags  # [k, t] is that the lower part of a nest?
    nest: Flags  # [k, side] is it a nest?


class Laid(NamedTuple):
    """An arrangement laid out. Letters have the places 1, 2, ... in their word; on place 0 there is a 0 as well."""

    word: Numbers  # [j] the letter
    bag: Numbers  # [j] the letters from here on
    before: Numbers  # [j] what the letters before it add to the number
    square: Numbers  # [j] where it is
    end: Numbers  # [p] the place of the 0 behind a square, or of what would follow the word
    top: Numbers  # [p] the type on top, or 0


@njit(cache=True)
def nothing_laid(s: Street) -> Laid:
    """Room for arrangements one after the other."""
    rows, ends = np.zeros((4, s.length.max() + 2), dtype=np.int64), np.zeros((2, s.last + 1), dtype=np.int64)
    rows[3, :] = 1
    return Laid(rows[0], rows[1], rows[2], rows[3], ends[0], ends[1])


@njit(cache=True, inline="always")
def _lay_out(s: Street, laid: Laid, k: int, number: int) -> int:
    """Lay out an arrangement with a greater number than the last one, whose finishes were k, or -1 for the first.

    Letters that both words begin with stay. Returns what stands at the finishes.
    """
    smaller, weight, offset, length = s.smaller, s.weight, s.offset, s.length
    word, bag, before, square, end, top = laid.word, laid.bag, laid.before, laid.square, laid.end, laid.top
    j = length[k]
    while number >= offset[k + 1]:
        k += 1
        j = 0
    bag[1] = s.bag[k]
    rest = number - offset[k]
    while j > 0 and rest >= before[j] + smaller[bag[j] + word[j] + 1]:
        j -= 1
    p = square[j + 1]
    for i in range(j + 1, length[k] + 1):
        m, t = bag[i], 0
        while rest >= before[i] + smaller[m + t + 1]:
            t += 1
        word[i] = t
        bag[i + 1] = m - weight[t]
        before[i + 1] = before[i] + smaller[m + t]
        end[p] = i
        p += t == 0
        square[i + 1] = p
    end[p] = length[k] + 1
    top[0], top[s.last] = s.top[k, A], s.top[k, B]
    for p in range(1, s.last):
        top[p] = word[end[p] - 1]
    return k


@njit(cache=True, inline="always")
def _mirrored(s: Street, laid: Laid, k: int) -> int:
    """The number of the arrangement as the other player sees it."""
    smaller, weight, other, word, end = s.smaller, s.weight, s.other, laid.word, laid.end
    number, m = s.offset[s.turned[k]], s.bag[s.turned[k]]
    for p in range(s.last - 1, 0, -1):
        for j in range(end[p - 1] + 1, end[p]):
            t = other[word[j]]
            number += smaller[m + t]
            m -= weight[t]
        m -= weight[0]
    return int(number)


@njit(cache=True, inline="always")
def _moved(s: Street, laid: Laid, k: int, source: int, target: int) -> int:
    """The number of the arrangement after the top of a place has gone to another, which is not B's finish."""
    smaller, weight, word, before, t = s.smaller, s.weight, laid.word, laid.before, laid.top[source]
    after = _chosen(source, target, s.last, k, s.robbed[k, A], s.robbed[k, B], s.entered[k, t])
    leaves = laid.end[source] - 1 if 0 < source < s.last else 0
    enters = laid.end[target] if target > 0 else 0
    begin, end = max(1, min(leaves, enters)), max(leaves + 1, enters)  # other letters add what they did
    number = s.offset[after] + before[begin] + before[s.length[k] + 1] - before[end]
    m = laid.bag[begin] + s.bag[after] - s.bag[k]
    for j in range(begin, end + 1):
        if j == enters:
            number += smaller[m + t]
            m -= weight[t]
        if j != leaves and j < end:
            number += smaller[m + word[j]]
            m -= weight[word[j]]
    return int(number)


@njit(cache=True, inline="always")
def _chosen(source: int, target: int, last: int, neither: int, from_a: int, from_b: int, to_a: int) -> int:
    """Of these, the one for a pyramid that leaves or enters these places."""
    if source == 0:
        return from_a
    if source == last:
        return from_b
    return to_a if target == 0 else neither


@njit(cache=True, inline="always")
def _may_step(rules: int, last: int, moves: int, there: int, target: int, in_order: bool) -> bool:
    """CW-11, CW-13..18: may a top of this colour go to the place beside, where the top is of that colour?"""
    if moves == PEDESTRIAN:
        return 0 < target < last
    if moves == B or target == last:
        return False
    if there == B:
        return False
    if target == 0 and rules & NEST_ORDER:
        return in_order
    return True


@njit(cache=True, inline="always")
def _may_relocate(rules: int, last: int, moves: int, under: int, source: int, target: int) -> bool:
    """CW-20, CW-21: may a top of this colour be put down on this square, on one of that colour?"""
    if moves == A or (rules & FROM_BOARD and (source == 0 or source == last)):
        return False
    if source == target and rules & NO_NULL:
        return False
    return not (rules & NO_DIRECT and moves == B and under == A)


@njit(cache=True)
def survey(s: Street, rules: int, begin: int, end: int) -> Any:
    """For each arrangement from `begin` on: its mirror image, whether somebody has won, whether A's nest ends a walk,
    how many steps it has, and in a row the costs of all steps and where they lead."""
    last, colour, pips, in_order, nest, laid = s.last, s.colour, s.pips, s.in_order, s.nest, nothing_laid(s)
    count, top = end - begin, laid.top
    mirror = np.empty(count, dtype=np.int32)
    over, stops = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    degree = np.zeros(count, dtype=np.uint8)
    cost = np.empty(4 * count + 64, dtype=np.uint8)
    to = np.empty(4 * count + 64, dtype=np.int32)
    k, n = -1, 0
    for i in range(count):
        k = _lay_out(s, laid, k, begin + i)
        mirror[i] = _mirrored(s, laid, k)
        won, lost = nest[k, A], nest[k, B]
        over[i] = won or lost
        stops[i] = won and rules & IMMEDIATE
        if stops[i] or lost:
            continue
        if n + 2 * last + 2 > len(to):
            cost = np.concatenate((cost, np.empty(len(cost), dtype=np.uint8)))
            to = np.concatenate((to, np.empty(len(to), dtype=np.int32)))
        first = n
        for source in range(last + 1):
            t = top[source]
            for target in (source - 1, source + 1):
                if t == 0 or target < 0 or target > last:
                    continue
                if _may_step(rules, last, colour[t], colour[top[target]], target, in_order[k, t]):
                    cost[n] = pips[t]
                    to[n] = _moved(s, laid, k, source, target)
                    n += 1
        degree[i] = n - first
    return mirror, over, stops, degree, cost[:n].copy(), to[:n].copy()


@njit(cache=True)
def spend(k: int, first: Any, cost: Any, to: Any, spent: Any) -> None:
    """Set bit k of `spent` where exactly k points can be spent from an arrangement."""
    for i in range(len(first) - 1):
        for e in range(first[i], first[i + 1]):
            if cost[e] <= k and spent[to[e]] >> (k - cost[e]) & 1:
                spent[i] |= 1 << k


@njit(cache=True)
def stuck(die: int, over: Any, spent: Any) -> Any:
    """CW-12, CW-19: where the game goes on, but some roll can neither be spent to the last point nor win on the way."""
    return ~over & (spent & ((2 << die) - 1) != (2 << die) - 1)


@njit(cache=True)
def exceptions(s: Street, rules: int, numbers: Any) -> Any:
    """CW-19..21: for each of these arrangements, in rising order, how often relocating or passing changes it, and in a
    row into what."""
    last, colour, laid = s.last, s.colour, nothing_laid(s)
    word, end, top = laid.word, laid.end, laid.top
    degree = np.zeros(len(numbers), dtype=np.uint8)
    most = (last + 1) * last + 1
    to = np.empty(4 * len(numbers) + most, dtype=np.int32)
    k, n = -1, 0
    for i in range(len(numbers)):
        if n + most > len(to):
            to = np.concatenate((to, np.empty(len(to) + most, dtype=np.int32)))
        k = _lay_out(s, laid, k, numbers[i])
        begin = n
        for source in range(last + 1):
            if top[source] == 0:
                continue
            for target in range(1, last):
                under = word[end[target] - 2] if source == target else top[target]
                if _may_relocate(rules, last, colour[top[source]], colour[under], source, target):
                    to[n] = _moved(s, laid, k, source, target)
                    n += 1
        if n == begin or rules & MAY_PASS:
            to[n] = numbers[i]
            n += 1
        degree[i] = n - begin
    return degree, to[:n].copy()
