"""Protects the dice-game solver: bounds hold against value iteration, only true tables are accepted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from solver_arenas import arenas, race, waiting_game

from solvers import chain
from solvers.certificate import ONE, Bounds, check_bounds
from solvers.graph import Arena, ArenaBuilder, Kind
from solvers.reference import iterate_values
from solvers.stochastic import solve


@settings(max_examples=100, deadline=None)
@given(arenas())
def test_bounds_hold_are_narrow_and_are_accepted(arena: Arena) -> None:
    solution = solve(arena)
    b = solution.bounds
    assert check_bounds(arena, b) == []
    assert solution.reached
    below = iterate_values(arena.to_networkx(), 0.0, 1000)
    for i, v in enumerate(arena.anchors):
        for role, low, high in ((0, b.low_f, b.high_f), (1, b.low_g, b.high_g)):
            # Value iteration from below never passes the value, and by now it is near it.
            assert below[v, role] <= high[i] / ONE + 1e-9
            assert low[i] / ONE <= below[v, role] + 1e-3


def test_endless_play_has_weight() -> None:
    arena = waiting_game()
    graph = arena.to_networkx()
    b = solve(arena).bounds
    at = int(np.flatnonzero(arena.anchors == 4)[0])
    assert b.high_f[at] / ONE == pytest.approx(iterate_values(graph, 0.0, 500)[4, 0], abs=1e-6)
    assert b.low_f[at] / ONE == pytest.approx(1 / 3, abs=1e-6)
    assert b.high_g[at] / ONE == pytest.approx(1 / 3, abs=1e-6)
    assert iterate_values(graph, 1.0, 500)[4, 0] > b.high_f[at] / ONE + 0.1


def test_a_race_is_bounded_tightly_and_reproducibly() -> None:
    arena = race(6)
    one, two = solve(arena, 1e-9), solve(arena, 1e-9)
    assert one.reached
    assert one.width <= 1e-9
    for name, column in one.bounds.columns().items():
        assert (column == two.bounds.columns()[name]).all()


def test_an_unreachable_width_is_not_pretended() -> None:
    solution = solve(race(6), 1e-13)
    assert not solution.reached
    assert solution.width > 1e-13
    assert check_bounds(race(6), solution.bounds) == []


def test_a_spent_budget_still_gives_true_bounds() -> None:
    arena = race(8)
    hasty = solve(arena, 1e-9, max_rounds=1)
    assert check_bounds(arena, hasty.bounds) == []
    good = solve(arena, 1e-9).bounds
    assert (hasty.bounds.low_f <= good.high_f).all()
    assert (good.low_f <= hasty.bounds.high_f).all()


def test_a_solve_is_taken_up_again_from_its_checkpoint() -> None:
    arena = race(8)
    plans: list[np.ndarray] = []
    whole = solve(arena, checkpoint=plans.append)
    again = solve(arena, start=plans[-1], max_rounds=1)
    assert len(plans) == whole.rounds
    assert again.reached
    assert not solve(arena, start=np.zeros_like(plans[-1]), max_rounds=1).reached
    with pytest.raises(ValueError, match="shape"):
        solve(arena, start=plans[-1][:3])
    with pytest.raises(ValueError, match="successor"):
        solve(arena, start=plans[-1] + 9)


def test_progress_is_reported_and_ends_at_one() -> None:
    heard: list[tuple[str, float]] = []
    solve(race(3), progress=lambda stage, done: heard.append((stage, done)))
    shares = [done for _, done in heard]
    assert shares == sorted(shares)
    assert heard[-1] == ("done", 1.0)


@pytest.fixture(scope="module")
def table() -> tuple[Arena, Bounds]:
    arena = race(5)
    return arena, solve(arena, 1e-9).bounds


@pytest.mark.parametrize(
    ("column", "change"),
    [("low_f", 1 << 14), ("low_g", 1 << 14), ("high_f", -(1 << 14)), ("high_g", -(1 << 14))],
)
def test_a_single_bound_moved_inwards_is_rejected(table: tuple[Arena, Bounds], column: str, change: int) -> None:
    arena, bounds = table
    for i in range(len(arena.anchors)):
        wrong = getattr(bounds, column).copy()
        wrong[i] += change
        assert check_bounds(arena, replace(bounds, **{column: wrong})), f"anchor {arena.anchors[i]}"


@pytest.mark.parametrize("name", ["f", "g"])
def test_a_rank_that_cannot_fall_is_rejected(table: tuple[Arena, Bounds], name: str) -> None:
    arena, bounds = table
    claimed = np.flatnonzero(getattr(bounds, f"low_{name}"))
    assert len(claimed) > len(arena.anchors) / 2
    for i in claimed:
        wrong = getattr(bounds, f"rank_{name}").copy()
        wrong[i] = 0
        problems = check_bounds(arena, replace(bounds, **{f"rank_{name}": wrong}))
        assert any("rank" in problem for problem in problems)


def test_a_choice_that_does_not_support_the_claim_is_rejected() -> None:
    arena = waiting_game()
    bounds = solve(arena).bounds
    begin = 4
    assert bounds.choice[begin] == 0
    waiting = bounds.choice.copy()
    waiting[begin] = 1
    assert any("rank" in problem for problem in check_bounds(arena, replace(bounds, choice=waiting)))


def test_a_cycle_cannot_support_its_own_claim() -> None:
    b = ArenaBuilder()
    b.add(Kind.STEP, [1])
    b.add(Kind.STEP, [0])
    arena = b.freeze()
    truth = solve(arena).bounds
    assert truth.high_f.tolist() == [0] * len(arena.anchors)
    full = np.full_like(truth.low_f, ONE)
    for rank in range(5):
        claim = replace(truth, low_f=full, high_f=full, rank_f=np.full_like(truth.rank_f, rank))
        assert check_bounds(arena, claim)


HOSTILE = {
    "choice beyond the list": ("choice", lambda x: x + 1000),
    "negative choice": ("choice", lambda x: x - 1000),
    "choice too short": ("choice", lambda x: x[:-1]),
    "floats": ("low_f", lambda x: x.astype(np.float64)),
    "NaN": ("high_g", lambda x: np.full(len(x), np.nan)),
    "two dimensions": ("high_f", lambda x: np.stack([x, x])),
    "negative bound": ("low_g", lambda x: x - 2 * ONE),
    "more than certain": ("high_f", lambda x: x + ONE),
    "largest integers": ("high_f", lambda x: np.full_like(x, 2**63 - 1)),
    "negative rank": ("rank_f", lambda x: x - 10000),
    "a list": ("rank_g", lambda x: x.tolist()),
    "nothing": ("rank_g", lambda _: None),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_columns_are_named_not_read(table: tuple[Arena, Bounds], name: str) -> None:
    arena, bounds = table
    column, spoil = HOSTILE[name]
    problems = check_bounds(arena, replace(bounds, **{column: spoil(getattr(bounds, column))}))
    assert problems
    assert column.split("_")[0] in problems[0] or "low <= high" in problems[0]


def test_a_broken_arena_is_named_not_read(table: tuple[Arena, Bounds]) -> None:
    arena, bounds = table
    wild = Arena(arena.kind, arena.first, arena.succ + np.int32(10**6), arena.anchor)
    assert check_bounds(wild, bounds) == ["an edge leads to a node that does not exist"]


@settings(max_examples=100, deadline=None)
@given(arenas(), st.data())
def test_no_accepted_table_contradicts_value_iteration(arena: Arena, data: st.DataObject) -> None:
    """Random claims: whatever the checker lets through must be true."""
    truth = solve(arena).bounds
    size = len(arena.anchors)
    spoilt = {}
    for name in ("low_f", "high_f", "low_g", "high_g"):
        parts = data.draw(st.lists(st.sampled_from([None, 0, 1, 2, 4]), min_size=size, max_size=size))
        old = getattr(truth, name)
        new = [o if p is None else p * ONE // 4 for o, p in zip(old, parts, strict=True)]
        spoilt[name] = np.array(new, dtype=np.int64)
    claim = replace(truth, **spoilt)
    if check_bounds(arena, claim) == []:
        assert (claim.low_f <= truth.high_f).all()
        assert (claim.low_g <= truth.high_g).all()
        assert (claim.high_f >= truth.low_f).all()
        assert (claim.high_g >= truth.low_g).all()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(arenas(), st.integers(2, 7).map(race)))
def test_large_arenas_are_solved_by_iteration_just_as_well(monkeypatch: pytest.MonkeyPatch, arena: Arena) -> None:
    """Small systems are factorised; without that, iteration must do, alternating turns or not."""
    monkeypatch.setattr(chain, "DIRECT_LIMIT", 0)
    solution = solve(arena)
    assert solution.reached
    assert check_bounds(arena, solution.bounds) == []
