"""Crosswalk's arrangements as numbers, and what the player to move, always A, can do in them; compiled.

Places are 0 (A's finish) to `last` (B's finish). A pyramid is a *type* from 1 on, A's by rising size, then B's, then
the pedestrians'; alike pyramids have one type. An arrangement is the words of the two finishes, which have a number
each, and one word for the squares with a 0 between two of them; words of the same letters are numbered in order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

A, B, PEDESTRIAN = 0, 1, 2

# What the readings say, as flags.
IMMEDIATE, NEST_ORDER, FROM_BOARD, NO_NULL, NO_DIRECT, MAY_PASS = 1, 2, 4, 8, 16, 32

Numbers = NDArray[np.int64]


class Street(NamedTuple):
    """Everything compiled code must know of a game. Index t is a type, w the number of a word at a finish."""

    last: int
    letters: Numbers  # [t] how many pyramids there are of the type
    colour: Numbers  # [t]
    pips: Numbers  # [t]
    other: Numbers  # [t] the type that takes its place in the mirror
    words: Numbers  # [w, level] the types at a finish as A's, bottom first, then zeros
    word_of: Numbers  # [w, t] the word with this type on top of it, or -1
    home: int  # the word that is a nest
    prefix: NDArray[np.bool_]  # [w] is it the lower part of a nest?
    offset: Numbers  # [w of A, w of B] number of the first arrangement with these finishes
    ways: Numbers  # [w of A, w of B] how many there are


@njit(cache=True)
def unpack(s: Street, number: int, stack: Any, height: Any, left: Any) -> None:
    """Lay out an arrangement: stack[p, level] is a type, height[p] how many stand there. `left` is scratch."""
    words = s.offset.shape[0]
    low, high = 0, words * words - 1
    flat = s.offset.ravel()
    while low < high:  # the last class that begins at or before the number; empty ones share their beginning
        middle = (low + high + 1) // 2
        if flat[middle] <= number:
            low = middle
        else:
            high = middle - 1
    a, b = low // words, low % words
    rest, total = number - flat[low], s.ways[a, b]
    height[:] = 0
    length = s.last - 2
    left[0] = s.last - 2
    for t in range(1, len(s.letters)):
        left[t] = s.letters[t]
        length += s.letters[t]
    while s.words[a, height[0]] != 0:
        t = s.words[a, height[0]]
        stack[0, height[0]] = t
        left[t] -= 1
        height[0] += 1
        length -= 1
    while s.words[b, height[s.last]] != 0:
        t = s.other[s.words[b, height[s.last]]]
        stack[s.last, height[s.last]] = t
        left[t] -= 1
        height[s.last] += 1
        length -= 1
    p = 1
    while length > 0:
        t, before = 0, 0
        while rest * length >= total * (before + left[t]):
            before += left[t]
            t += 1
        rest -= total * before // length
        total = total * left[t] // length
        left[t] -= 1
        length -= 1
        if t == 0:
            p += 1
        else:
            stack[p, height[p]] = t
            height[p] += 1


@njit(cache=True)
def finish_word(s: Street, stack: Any, height: Any, p: int) -> int:
    """The number of the word at a finish, as A's."""
    word = 0
    for level in range(height[p]):
        word = s.word_of[word, stack[p, level] if p == 0 else s.other[stack[p, level]]]
    return word


@njit(cache=True)
def pack(s: Street, stack: Any, height: Any, left: Any) -> int:
    """The number of an arrangement."""
    a, b, last = finish_word(s, stack, height, 0), finish_word(s, stack, height, s.last), s.last
    length = last - 2
    left[0] = last - 2
    left[1:] = 0
    for p in range(1, last):
        for level in range(height[p]):
            left[stack[p, level]] += 1
            length += 1
    rest, total = 0, s.ways[a, b]
    for p in range(1, last):
        for level in range(height[p] + 1):
            if level == height[p] and p == last - 1:
                break  # no 0 behind the last square
            t = 0 if level == height[p] else stack[p, level]
            before = 0
            for smaller in range(t):
                before += left[smaller]
            rest += total * before // length
            total = total * left[t] // length
            left[t] -= 1
            length -= 1
    return int(s.offset[a, b] + rest)


@njit(cache=True, inline="always")
def _shift(stack: Any, height: Any, source: int, target: int) -> None:
    height[source] -= 1
    stack[target, height[target]] = stack[source, height[source]]
    height[target] += 1


@njit(cache=True, inline="always")
def _may_step(
    last: int,
    colour: Any,
    prefix: Any,
    word_of: Any,
    rules: int,
    stack: Any,
    height: Any,
    source: int,
    target: int,
    a: int,
) -> bool:
    """CW-11, CW-13..18: may this top go to the place beside? `a` is the word of A's finish."""
    t = stack[source, height[source] - 1]
    if colour[t] == PEDESTRIAN:
        return 0 < target < last
    if colour[t] == B or target == last:
        return False
    if height[target] > 0 and colour[stack[target, height[target] - 1]] == B:
        return False
    if target == 0 and rules & NEST_ORDER:
        return bool(prefix[word_of[a, t]])
    return True


@njit(cache=True, inline="always")
def _may_relocate(last: int, colour: Any, rules: int, stack: Any, height: Any, source: int, target: int) -> bool:
    """CW-20, CW-21: may a top that is not A's be put down on this square?"""
    t = stack[source, height[source] - 1]
    if colour[t] == A or (rules & FROM_BOARD and (source == 0 or source == last)):
        return False
    if source == target and rules & NO_NULL:
        return False
    under = height[target] - 1 if source != target else height[target] - 2
    onto_own = under >= 0 and colour[stack[target, under]] == A
    return not (rules & NO_DIRECT and colour[t] == B and onto_own)


@njit(cache=True)
def survey(s: Street, rules: int, begin: int, end: int) -> Any:
    """For each arrangement from `begin` on: its mirror image, whether somebody has won, whether A's nest ends a walk,
    how many steps it has, and in a row the costs of all steps and where they lead."""
    last, colour, pips, other, prefix, word_of = s.last, s.colour, s.pips, s.other, s.prefix, s.word_of
    count = end - begin
    mirror = np.empty(count, dtype=np.int32)
    over, stops = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    degree = np.zeros(count, dtype=np.uint8)
    cost = np.empty(4 * count + 64, dtype=np.uint8)
    to = np.empty(4 * count + 64, dtype=np.int32)
    pyramids = s.letters.sum()
    stack = np.zeros((last + 1, pyramids), dtype=np.int64)
    turned, risen = np.zeros((last + 1, pyramids), dtype=np.int64), np.zeros(last + 1, dtype=np.int64)
    height, left = np.zeros(last + 1, dtype=np.int64), np.zeros(len(s.letters), dtype=np.int64)
    n = 0
    for i in range(count):
        unpack(s, begin + i, stack, height, left)
        for p in range(last + 1):
            risen[last - p] = height[p]
            for level in range(height[p]):
                turned[last - p, level] = other[stack[p, level]]
        mirror[i] = pack(s, turned, risen, left)
        a = finish_word(s, stack, height, 0)
        won = a == s.home
        lost = finish_word(s, stack, height, last) == s.home
        over[i] = won or lost
        stops[i] = won and rules & IMMEDIATE
        if not (stops[i] or lost):
            if n + 2 * last + 2 > len(to):
                cost = np.concatenate((cost, np.empty(len(cost), dtype=np.uint8)))
                to = np.concatenate((to, np.empty(len(to), dtype=np.int32)))
            for source in range(last + 1):
                if height[source] == 0:
                    continue
                for target in (source - 1, source + 1):
                    if 0 <= target <= last and _may_step(
                        last, colour, prefix, word_of, rules, stack, height, source, target, a
                    ):
                        cost[n] = pips[stack[source, height[source] - 1]]
                        _shift(stack, height, source, target)
                        to[n] = pack(s, stack, height, left)
                        _shift(stack, height, target, source)
                        n += 1
                        degree[i] += 1
    return mirror, over, stops, degree, cost[:n].copy(), to[:n].copy()


@njit(cache=True)
def stuck(die: int, over: Any, stops: Any, first: Any, cost: Any, to: Any) -> Any:
    """CW-12, CW-19: where the game goes on, but some roll can neither be spent to the last point nor win on the way."""
    spent = np.zeros(len(over), dtype=np.uint16)  # bit k: exactly k points can be spent from here
    for i in range(len(over)):
        spent[i] = 0xFFFF if stops[i] else 1
    for k in range(1, die + 1):
        for i in range(len(over)):
            for e in range(first[i], first[i + 1]):
                if cost[e] <= k and spent[to[e]] >> (k - cost[e]) & 1:
                    spent[i] |= 1 << k
    return ~over & (spent & ((2 << die) - 1) != (2 << die) - 1)


@njit(cache=True)
def exceptions(s: Street, rules: int, numbers: Any) -> Any:
    """CW-19..21: for each of these arrangements, how often relocating or passing changes it, and in a row into what."""
    last, colour = s.last, s.colour
    degree = np.zeros(len(numbers), dtype=np.uint8)
    most = (last + 1) * last + 1
    to = np.empty(4 * len(numbers) + most, dtype=np.int32)
    pyramids = s.letters.sum()
    stack = np.zeros((last + 1, pyramids), dtype=np.int64)
    height, left = np.zeros(last + 1, dtype=np.int64), np.zeros(len(s.letters), dtype=np.int64)
    n = 0
    for i in range(len(numbers)):
        if n + most > len(to):
            to = np.concatenate((to, np.empty(len(to) + most, dtype=np.int32)))
        unpack(s, numbers[i], stack, height, left)
        begin = n
        for source in range(last + 1):
            if height[source] == 0:
                continue
            for target in range(1, last):
                if _may_relocate(last, colour, rules, stack, height, source, target):
                    _shift(stack, height, source, target)
                    to[n] = pack(s, stack, height, left)
                    _shift(stack, height, target, source)
                    n += 1
        if n == begin or rules & MAY_PASS:
            to[n] = numbers[i]
            n += 1
        degree[i] = n - begin
    return degree, to[:n].copy()
