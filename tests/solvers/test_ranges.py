"""Protects solving in ranges: the same answer as in one piece, wherever the ranges begin, are lost, or go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solver_arenas import arenas

from solvers import ranges
from solvers.graph import Arena, ArenaError, Block
from solvers.ranges import Decided, Known, Range, RangesHere, lows_of, solve_ranges
from solvers.retrograde import Outcomes, solve_outcomes


def in_ranges(arena: Arena, lows: Sequence[int]) -> RangesHere:
    def blocks(low: int, high: int) -> Iterator[Block]:
        middle = (low + high) // 2
        for begin, end in ((low, middle), (middle, high)):
            yield arena.block(begin, end)

    return RangesHere(lows, len(arena), blocks)


def assert_same(one: Outcomes, other: Outcomes) -> None:
    assert one.outcome.tolist() == other.outcome.tolist()
    assert one.distance.tolist() == other.distance.tolist()


@settings(max_examples=300)
@given(arenas(chance=False, max_nodes=20), st.integers(1, 7), st.integers(1, 5))
def test_ranges_change_nothing(arena: Arena, parts: int, sheet: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranges, "SHEET", sheet)
        assert_same(solve_ranges(in_ranges(arena, lows_of(len(arena), parts)), len(arena)), solve_outcomes(arena))


class Forgetful(RangesHere):
    """Loses one of its ranges before each question, and makes it anew from what is known."""

    def ask(self, method: str, decided: Sequence[Decided], known: Known) -> list[Decided]:
        lost = known.distance % len(self.lows)
        self._parts[lost] = self._made(lost, known)
        return super().ask(method, decided, known)


@settings(max_examples=200)
@given(arenas(chance=False, max_nodes=20), st.integers(1, 4))
def test_a_range_that_is_lost_is_made_anew(arena: Arena, parts: int) -> None:
    here = in_ranges(arena, lows_of(len(arena), parts))
    forgetful = Forgetful(here.lows, len(arena), here._blocks)
    assert_same(solve_ranges(forgetful, len(arena)), solve_outcomes(arena))


@settings(max_examples=200)
@given(arenas(chance=False, max_nodes=20), st.integers(1, 4), st.data())
def test_what_was_kept_goes_on(arena: Arena, parts: int, data: st.DataObject) -> None:
    kept: list[Known] = []
    lows = lows_of(len(arena), parts)
    whole = solve_ranges(in_ranges(arena, lows), len(arena), keep=lambda known: kept.append(deepcopy(known)))
    if kept:
        start = data.draw(st.sampled_from(kept))
        again = Known(start.outcomes, start.distance, start.tied)
        assert_same(solve_ranges(in_ranges(arena, lows), len(arena), start=again), whole)


def test_ranges_cover_all_numbers_and_are_never_too_long() -> None:
    assert lows_of(10, 3) == [0, 3, 6]
    assert lows_of(2, 5) == [0, 1]
    longest = np.diff([*lows_of(5 * ranges.LARGEST + 1, 2), 5 * ranges.LARGEST + 1]).max()
    assert longest <= ranges.LARGEST


def test_a_range_refuses_what_does_not_fit() -> None:
    with pytest.raises(ArenaError, match="up to 16,777,216 of up to"):
        Range(0, ranges.LARGEST + 1, ranges.MOST, [])
    with pytest.raises(ArenaError, match="was given 0"):
        Range(0, 1, 1, [])
