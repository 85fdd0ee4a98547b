"""Protects games of walks in ranges: bounds as in one piece, to the last digit, and a check that finds false ones."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from rulecheck import registry
from rulecheck.registry import Choice
from rulecheck.solve.tables import walks_of
from solvers.ranges import lows_of
from solvers.stochastic_walks import WalkSolution, solve_walks, sweep_spread
from solvers.walk_certificate import MAX_REPORTED, NAMES, check_parted, check_walk_bounds
from solvers.walk_ranges import RangesLostError, SpreadWalks, WalkRangesHere
from solvers.walks import Walks

STREET = {"squares": "3", "sizes": "12", "pedestrians": "1"}
AFTER = ("end_turn", "then_spend")
SWEEPS = 12


def setting(after: str) -> Choice:
    game = registry.find("crosswalk")
    return Choice(game, game.params(STREET), game.rulebook.choose({"after_relocation": after}))


@functools.cache
def game_of(after: str) -> Walks:
    return walks_of(setting(after))


@functools.cache
def alone(after: str) -> WalkSolution:
    return solve_walks(game_of(after), most_sweeps=SWEEPS)


def ranges(after: str, parts: int, kind: type[WalkRangesHere] = WalkRangesHere) -> Any:
    source = setting(after).game.hints.walks(setting(after).params, setting(after).readings)
    return kind(source, lows_of(source.size, parts))


def spread(held: WalkRangesHere) -> SpreadWalks:
    return SpreadWalks(held, held.source.size, held.source.die)


def same(one: WalkSolution, other: WalkSolution) -> bool:
    there = other.bounds.columns()
    return all(np.array_equal(column, there[name]) for name, column in one.bounds.columns().items())


@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("parts", [1, 2, 5])
def test_the_number_of_ranges_changes_nothing(after: str, parts: int) -> None:
    game = spread(ranges(after, parts))
    found = sweep_spread(game, most_sweeps=SWEEPS)
    assert same(found, alone(after))
    assert found.sweeps == alone(after).sweeps
    assert (game.edges, list(game.over)) == (game_of(after).edges, list(game_of(after).over))
    assert check_parted(game, found.bounds) == []


class Losing(WalkRangesHere):
    """Loses a range at every so many requests, as a killed worker does: it has forgotten everything."""

    every, count, losses = 41, 0, 0

    def ask(self, method: str, arguments: Mapping[int, tuple[Any, ...]]) -> Mapping[int, Any]:
        self.count += 1
        if self.count % self.every == 0:
            self.losses += 1
            del self.parts[self.count // self.every % len(self.lows)]
        if gone := set(range(len(self.lows))) - set(self.parts):
            raise RangesLostError(gone)
        return super().ask(method, arguments)


@pytest.mark.parametrize("every", [3, 41])
def test_lost_ranges_change_nothing(every: int) -> None:
    """Both while the game is being made and while it is swept."""
    held = ranges("then_spend", 4, Losing)
    held.every = every + 8  # rounds until it is known where rolls cannot be spent
    game = spread(held)
    held.every = 41
    found = sweep_spread(game, most_sweeps=SWEEPS)
    assert held.losses > 3
    assert same(found, alone("then_spend"))


@pytest.mark.parametrize("name", NAMES)
def test_a_false_bound_is_found_wherever_it_is(name: str) -> None:
    game, found = spread(ranges("end_turn", 4)), alone("end_turn").bounds
    column, before = found.columns()[name], found.columns()[name].copy()
    refused = 0
    for i in np.flatnonzero(~game.over)[::300]:
        column[i] = found.one if name.startswith("low") else 0
        problems = check_parted(game, found)
        assert problems == check_walk_bounds(game_of("end_turn"), found)
        assert len(problems) <= MAX_REPORTED
        refused += problems != []
        column[:] = before
    assert refused > 5


def test_going_on_from_what_was_kept_changes_nothing() -> None:
    kept: list[list[Any]] = []
    game = spread(ranges("end_turn", 3))
    sweep_spread(game, most_sweeps=5, checkpoint=lambda *found: kept.append([part.copy() for part in found]))
    found = sweep_spread(game, most_sweeps=SWEEPS, start=[*kept[-1]])
    assert same(found, solve_walks(game_of("end_turn"), most_sweeps=SWEEPS, start=[*kept[-1]]))
    one = found.bounds.one
    with pytest.raises(ValueError, match="they are no lower bounds"):
        sweep_spread(
            game, start=[np.full(game.size, one // 2), np.full(game.size, one // 2), np.zeros(1), *kept[-1][3:]]
        )
