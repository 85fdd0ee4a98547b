"""Protects: Crosswalk by number, its links against the engine, and the bounds of games too large for a graph."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rulecheck import registry
from rulecheck.games.crosswalk.space import arrangements, walks
from rulecheck.model import InputError
from rulecheck.processes import Processes
from rulecheck.registry import Choice
from rulecheck.solve import certifying, tables
from rulecheck.solve import solver as solving
from rulecheck.solve.by_number import solve_by_number
from rulecheck.solve.tables import drawn_chart, number_of, position_of, size_by_number, walks_of
from rulecheck.solve.walk_tables import walk_ends, walk_turn_problems
from solvers import stochastic_walks
from solvers.certificate import ONE
from solvers.exact import solve_exactly
from solvers.stochastic_walks import WalkSolution, solve_walks
from solvers.tablebase import TableError
from solvers.walk_certificate import NAMES, WalkBounds, check_walk_bounds
from solvers.walks import Walks, walk_problems

Pairs = tuple[tuple[str, str], ...]
TINY = (("squares", "3"), ("sizes", "1"), ("pedestrians", "1"))
NARROW = (("squares", "2"), ("sizes", "12"))
TALL = (("squares", "2"), ("sizes", "123"))
TWINS = (("squares", "3"), ("sizes", "1"), ("pedestrians", "11"))
LANE = (("squares", "4"), ("sizes", "1"), ("pedestrians", "1,-"))
WALKER = (("squares", "3"), ("sizes", "12"), ("pedestrians", "1"))

# Every reading that the steps know of, and two readings of what follows a relocation.
STEPWISE = {
    "win": ("immediate", "end_of_turn"),
    "finish_entry": ("free", "nest_order"),
    "reloc_from": ("anywhere", "board"),
    "reloc_null": ("allowed", "forbidden"),
    "reloc_onto": ("any", "no_direct"),
    "relocation": ("may", "must"),
    "after_relocation": ("end_turn", "then_spend"),
}


def setting(params: Pairs, **readings: str) -> Choice:
    game = registry.find("crosswalk")
    return Choice(game, game.params(dict(params)), game.rulebook.choose(readings))


@functools.cache
def game_of(params: Pairs, readings: Pairs = ()) -> Walks:
    return walks_of(setting(params, **dict(readings)))


@functools.cache
def solved(params: Pairs) -> WalkSolution:
    return solve_walks(game_of(params))


# -- Numbers and links ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("params", [TINY, NARROW, TWINS, LANE])
def test_numbers_and_arrangements_are_the_same_thing(params: Pairs) -> None:
    """Every number is an arrangement of all the pyramids, and no arrangement has two."""
    chosen = setting(params)
    numbered = arrangements(chosen.params)
    seen = [numbered.unrank(i) for i in range(numbered.size)]
    assert [numbered.rank(stacks) for stacks in seen] == list(range(numbered.size))
    assert len(set(seen)) == numbered.size
    for stacks in seen:
        chosen.game.read_position(chosen.params, str(position_of(chosen, numbered.rank(stacks))))


@pytest.mark.parametrize("params", [TINY, TWINS])
def test_no_arrangement_is_without_a_number(params: Pairs) -> None:
    """Counted in another way: all ways to deal the pyramids to places and to order them there."""
    chosen = setting(params)
    pyramids = sorted(chosen.params.material.elements())
    found = set()
    for places in itertools.product(chosen.params.places, repeat=len(pyramids)):
        for order in itertools.permutations(zip(pyramids, places, strict=True)):
            stacks = tuple(tuple(q for q, p in order if p == place) for place in chosen.params.places)
            if all(q.colour == c for c in "AB" for q in stacks[chosen.params.finish(c)]):
                found.add(stacks)
    assert len(found) == arrangements(chosen.params).size


@pytest.mark.parametrize("params", [NARROW, TWINS, LANE])
@pytest.mark.parametrize("changed", ["", *STEPWISE])
def test_walks_end_where_the_engine_says(params: Pairs, changed: str) -> None:
    readings = {changed: STEPWISE[changed][1]} if changed else {}
    chosen, game = setting(params, **readings), game_of(params, tuple(readings.items()))
    assert walk_turn_problems(chosen, game, range(game.size)) == []


@pytest.mark.slow
def test_walks_end_where_the_engine_says_under_all_readings_together() -> None:
    for values in itertools.product(*STEPWISE.values()):
        readings = dict(zip(STEPWISE, values, strict=True))
        game = game_of(TINY, tuple(readings.items()))
        assert walk_turn_problems(setting(TINY, **readings), game, range(game.size)) == [], readings


@pytest.mark.slow
@pytest.mark.parametrize("params", [TALL, WALKER])
@pytest.mark.parametrize("changed", ["", *STEPWISE])
def test_walks_of_larger_games_end_where_the_engine_says(params: Pairs, changed: str) -> None:
    test_walks_end_where_the_engine_says(params, changed)


@pytest.mark.parametrize("pedestrians", ["none", "1", "21"])
def test_walks_of_large_games_end_where_the_engine_says_by_lot(pedestrians: str) -> None:
    """A few of millions, without a list of them all."""
    from rulecheck.games.crosswalk import space_steps as steps
    from rulecheck.games.crosswalk.space import rules_of

    chosen = setting((("squares", "3"), ("pedestrians", pedestrians)))
    numbered, engine = arrangements(chosen.params), chosen.engine()
    for i in np.random.default_rng(7).choice(numbered.size, size=60).tolist():
        mirror, over, _, degree, cost, to = steps.survey(numbered.street, rules_of(chosen.readings), i, i + 1)
        position = position_of(chosen, i)
        assert position_of(chosen, int(mirror[0])) == replace(position, mover="B").mirrored()
        assert bool(over[0]) == (engine.winner(position) is not None)
        wanted = {walked(engine, position, step) for step in engine_steps(engine, position)}
        assert {(position_of(chosen, int(t)), int(c)) for t, c in zip(to, cost, strict=True)} == wanted
        assert degree[0] == len(wanted)


def engine_steps(engine: Any, position: Any) -> list[Any]:
    from rulecheck.games.crosswalk.engine import Walk

    return list(engine.steps(Walk(position), engine.params.die))


def walked(engine: Any, position: Any, step: Any) -> tuple[Any, int]:
    from rulecheck.games.crosswalk.engine import Walk

    after, cost = engine.take(Walk(position), step)
    return after.position, cost


@pytest.mark.parametrize("params", [NARROW, TWINS, LANE])
@pytest.mark.parametrize("block", [1, 7])
def test_links_are_the_same_made_block_by_block(params: Pairs, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solvers.walks.BLOCK", block)
    for whole, joined in zip(game_of(params), walks_of(setting(params)), strict=True):
        assert np.array_equal(whole, joined)


def test_walks_of_another_reading_are_noticed() -> None:
    game = game_of(NARROW, (("win", "end_of_turn"),))
    assert walk_turn_problems(setting(NARROW), game, range(game.size))


def test_lists_that_are_none_are_refused() -> None:
    game = game_of(TINY)
    assert walk_problems(game) == []
    beyond = game.to.copy()
    beyond[0] = game.size
    assert walk_problems(game._replace(to=beyond)) == ["a step leads to no position"]
    assert walk_problems(game._replace(cost=game.cost * 0)) == ["a step costs 1 to 3 points"]
    with pytest.raises(ValueError, match="not in order"):
        solve_walks(game._replace(first=game.first[::-1]))


# -- Bounds ----------------------------------------------------------------------------------------------------


@functools.cache
def exact(params: Pairs) -> dict[int, tuple[Any, Any]]:
    """Fractions of what play reaches, by number, from the graph of the same game."""
    chosen = setting(params)
    chart = drawn_chart(chosen)
    values = solve_exactly(chart.arena)
    positions = [chosen.game.read_position(chosen.params, key.decode()) for key in chart.keys]
    return {
        number_of(chosen, p): (values.f[v], values.g[v]) for p, v in zip(positions, chart.nodes.tolist(), strict=True)
    }


@pytest.mark.parametrize("params", [TINY, NARROW, LANE])
def test_bounds_hold_the_exact_values(params: Pairs) -> None:
    found = solved(params)
    assert found.reached
    assert check_walk_bounds(game_of(params), found.bounds) == []
    b = found.bounds
    for i, (f, g) in exact(params).items():
        assert int(b.low_f[i]) <= f * b.one <= int(b.high_f[i])
        assert int(b.low_g[i]) <= g * b.one <= int(b.high_g[i])


@pytest.mark.parametrize("after", ["end_turn", "then_spend"])
def test_both_ways_to_solve_agree(after: str) -> None:
    """The graph and the numbers share neither solver nor checker."""
    chosen = setting(NARROW, after_relocation=after, win="end_of_turn")
    game = walks_of(chosen)
    bounds = solve_walks(game).bounds
    assert check_walk_bounds(game, bounds) == []
    chart = drawn_chart(chosen)
    from solvers.stochastic import solve

    other = solve(chart.arena).bounds
    for row, key in enumerate(chart.keys):
        i = number_of(chosen, chosen.game.read_position(chosen.params, key.decode()))
        here = tables.values_in([column[i] for column in bounds.columns().values()], bounds.one)
        for one, another in zip(here, tables.values_at(other, row), strict=True):
            assert max(one.low, another.low) <= min(one.high, another.high)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("params", [TINY, LANE])
def test_a_single_false_value_is_rejected(params: Pairs, name: str) -> None:
    """Each value in turn is moved just past the truth; nothing else is touched."""
    game, bounds = game_of(params), solved(params).bounds
    tried = 0
    for i, values in exact(params).items():
        truth = values["fg".index(name[-1])] * bounds.one
        lie = int(truth) + 1 if name.startswith("low") else -int(-truth // 1) - 1
        if 0 <= lie <= bounds.one:
            column = getattr(bounds, name).copy()
            column[i] = lie
            assert check_walk_bounds(game, replace(bounds, **{name: column})), (i, name)
            tried += 1
    assert tried > 10


def test_a_circle_does_not_support_itself() -> None:
    """Everybody waiting for ever is a fixpoint, but nobody wins by it."""
    still = np.zeros(1, dtype=np.int32)
    one_way = np.array([0, 1])
    no = np.zeros(1, dtype=np.bool_)
    none = np.zeros(0, dtype=np.int32)
    game = Walks(1, False, still, no, no, one_way, np.ones(1, np.uint8), still, none, np.zeros(1, np.int64), none)
    for claim in (1, 1 << 10, 1 << 20):
        same = np.array([claim], dtype=np.int64)
        assert check_walk_bounds(game, WalkBounds(1 << 20, same, same, same, same))
    bounds = solve_walks(game).bounds
    assert bounds.low_f[0] == 0
    assert bounds.high_f[0] < bounds.one * 1e-10


@pytest.mark.parametrize(
    "change", [lambda b: b.astype(np.float64), lambda b: b[:-1], lambda b: b - 1, lambda b: b + ONE]
)
def test_columns_that_are_none_are_rejected(change: Callable[[Any], Any]) -> None:
    bounds = solved(TINY).bounds
    assert check_walk_bounds(game_of(TINY), replace(bounds, low_f=change(bounds.low_f)))


def test_a_few_sweeps_are_a_proof_already() -> None:
    """Rising bounds are true at any moment, and so is what they leave to the other side."""
    game = game_of(LANE)
    found = solve_walks(game, most_sweeps=4)
    assert not found.reached
    assert check_walk_bounds(game, found.bounds) == []
    assert (found.bounds.high_f >= solved(LANE).bounds.low_f).all()


def _full(*arguments: Any, **options: Any) -> None:
    raise TableError("cannot write it: no space is left")


def test_a_full_disk_costs_what_could_be_resumed_but_not_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solvers.checkpoint.write_table", _full)
    found = solve_by_number(setting(TINY), tmp_path, sweeps=2)
    assert not found.resumable
    assert [path.name for path in tmp_path.iterdir()] == [found.path.name]


def test_a_full_disk_that_costs_the_table_says_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("rulecheck.solve.walk_tables.write_table", _full)
        with pytest.raises(InputError, match=r"no space is left; what is known is kept in .*, and --resume goes on"):
            solve_by_number(setting(TINY), tmp_path, sweeps=2)
    assert solve_by_number(setting(TINY), tmp_path, resume=True).solution.reached


def test_four_bytes_do_for_large_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stochastic_walks, "LARGE", 10)
    found = solve_walks(game_of(TINY), 1e-3)
    assert found.bounds.low_f.dtype == np.int32
    assert found.reached
    assert check_walk_bounds(game_of(TINY), found.bounds) == []


def test_what_is_ended_early_can_be_resumed(tmp_path: Path) -> None:
    chosen = setting(LANE)
    (tmp_path / "at once").mkdir()
    solve_by_number(chosen, tmp_path, sweeps=5)
    going_on = solve_by_number(chosen, tmp_path, sweeps=5, resume=True)
    at_once = solve_by_number(chosen, tmp_path / "at once", sweeps=10)
    assert not at_once.solution.reached
    assert (going_on.solution.bounds.low_f == at_once.solution.bounds.low_f).all()
    assert solve_by_number(chosen, tmp_path, resume=True).solution.reached
    assert not list(tmp_path.glob("*.checkpoint"))


@pytest.mark.usefixtures("by_number")
def test_large_games_have_no_rounds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(stochastic_walks, "LARGE", 10)
    with pytest.raises(InputError, match=r"games of up to 10 arrangements, and this one has \d+: it is swept only"):
        solve_by_number(setting(LANE), tmp_path, rounds=1, report=lambda *_: pytest.fail("work was begun"))
    assert list(tmp_path.iterdir()) == []


def test_what_was_kept_is_taken_up() -> None:
    kept: list[Any] = []
    game = game_of(LANE)
    solve_walks(game, most_sweeps=5, checkpoint=lambda *found: kept.append([part.copy() for part in found]))
    going_on = solve_walks(game, most_sweeps=5, start=list(kept[-1]))
    at_once = solve_walks(game, most_sweeps=10)
    assert (going_on.bounds.low_f == at_once.bounds.low_f).all()
    with pytest.raises(ValueError, match="another game"):
        solve_walks(game_of(TINY), start=kept[-1])


@pytest.mark.parametrize("params", [TINY, LANE])
def test_what_was_kept_is_not_believed(params: Pairs) -> None:
    """Sweeps do not close such claims soon; they are then only where plans begin."""
    game = game_of(params)
    everything = [np.full(game.size, ONE), np.full(game.size, ONE), np.zeros(1)]
    found = solve_walks(game, start=list(everything))
    assert check_walk_bounds(game, found.bounds) == []
    assert found.reached
    with pytest.raises(ValueError, match="no lower bounds"):
        solve_walks(game, start=everything, most_sweeps=5)


def test_rounds_are_kept_and_taken_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept after a round leads to the same bounds, and sooner."""
    monkeypatch.setattr(stochastic_walks, "WARM_UP", 3)
    kept: list[Any] = []
    game = game_of(LANE)
    at_once = solve_walks(game, checkpoint=lambda *found: kept.append([part.copy() for part in found]))
    assert len(kept) == 3 + 1 + at_once.rounds  # sweeps, the first plans, and better ones
    going_on = solve_walks(game, start=kept[-1])
    assert going_on.reached
    assert going_on.rounds < at_once.rounds  # not from the first stage on
    assert check_walk_bounds(game, going_on.bounds) == []
    assert (going_on.bounds.high_f >= at_once.bounds.low_f).all()
    assert (at_once.bounds.high_f >= going_on.bounds.low_f).all()


@pytest.mark.parametrize("change", [lambda p: p[:-1], lambda p: p - (1 << 20), lambda p: p + (1 << 20)])
def test_plans_that_are_none_are_refused(change: Callable[[Any], Any]) -> None:
    """Compiled code must not be let loose on them."""
    kept: list[Any] = []
    game = game_of(TINY)
    solve_walks(game, checkpoint=lambda *found: kept.append([part.copy() for part in found]))
    *rest, plan = kept[-1]
    assert plan.size == game.size * game.die
    with pytest.raises(ValueError, match="plans of another game"):
        solve_walks(game, start=[*rest, change(plan)])


class Threads(Executor):
    """One that is not from the library: three threads, and a count of what they were given."""

    def __init__(self) -> None:
        self.given, self.pool = 0, ThreadPoolExecutor(3)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        self.given += 1
        return self.pool.submit(fn, *args, **kwargs)


def test_processes_are_refused() -> None:
    """They would fill copies of the arrays, and an empty answer is accepted as a true one."""
    with Processes(1) as pool, pytest.raises(TypeError, match="need an executor of threads"):
        solve_walks(game_of(TINY), executor=pool)


@pytest.mark.parametrize("after", ["end_turn", "then_spend"])
def test_threads_change_nothing(after: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any executor will do, and the bounds are the same to the last digit."""
    monkeypatch.setattr("solvers.chunked_loops.PIECE", 40)
    game = game_of(LANE, (("after_relocation", after),))
    alone, threads = solve_walks(game), Threads()
    together = solve_walks(game, executor=threads)
    assert threads.given > 1000
    assert (alone.rounds, alone.sweeps) == (together.rounds, together.sweeps)
    for name, column in alone.bounds.columns().items():
        assert np.array_equal(column, together.bounds.columns()[name]), name


# -- Tables ----------------------------------------------------------------------------------------------------


@pytest.fixture
def by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulecheck.games.crosswalk import solving as charting

    monkeypatch.setattr(charting, "LARGE", 10)


@pytest.mark.usefixtures("by_number")
def test_a_game_by_number_from_solve_to_probe(rulecheck: Any, tmp_path: Path) -> None:
    options = [text for key, value in TINY for text in ("-p", f"{key}={value}")]
    run = rulecheck("solve", "crosswalk", *options, "--out", str(tmp_path))
    assert run.status == 0, run.err
    assert "0.807287" in run.out
    table = next(tmp_path.glob("*.table"))
    assert "PROVED" in rulecheck("certify", str(table)).out
    probe = rulecheck("probe", "crosswalk", *options, "--table", str(table))
    assert "0.807287" in probe.out
    probe = rulecheck("probe", "crosswalk", "B 0:A1 2:P1 3:B1", *options, "--table", str(table), "--json")
    assert probe.status == 0


@pytest.mark.usefixtures("by_number")
@pytest.mark.parametrize("name", NAMES)
def test_certify_rejects_a_false_value(name: str, tmp_path: Path) -> None:
    from rulecheck.solve.walk_tables import write_walk_table

    chosen, game, bounds = setting(TINY), game_of(TINY), solved(TINY).bounds
    i = number_of(chosen, chosen.engine().start())
    column = getattr(bounds, name).copy()
    column[i] += 1 << 30 if name.startswith("low") else -(1 << 30)
    write_walk_table(tmp_path / "false.table", chosen, game, replace(bounds, **{name: column}))
    assert certifying.certify(tmp_path / "false.table").problems


@pytest.mark.usefixtures("by_number")
def test_an_interrupted_solve_goes_on(tmp_path: Path) -> None:
    chosen = setting(LANE)

    def stop(text: str, done: float) -> None:
        if text.startswith("sweep 3"):
            raise KeyboardInterrupt

    with pytest.raises(solving.InterruptedSolve, match="goes on from there"):
        solve_by_number(chosen, tmp_path, report=stop)
    found = solve_by_number(chosen, tmp_path, resume=True, jobs=2)
    assert found.solution.reached
    assert not list(tmp_path.glob("*.checkpoint"))
    with pytest.raises(InputError, match="nothing to resume"):
        solve_by_number(chosen, tmp_path, resume=True)


def test_jobs_are_for_games_by_number(rulecheck: Any, tmp_path: Path) -> None:
    options = [text for key, value in TINY for text in ("-p", f"{key}={value}")]
    run = rulecheck("solve", "crosswalk", *options, "--out", str(tmp_path), "--jobs", "2")
    assert run.status == 2
    assert "--jobs is for large games that are solved by number" in run.err


@pytest.mark.usefixtures("by_number")
def test_a_solve_by_rounds(rulecheck: Any, tmp_path: Path) -> None:
    """It ends with what its plans prove, narrow or not; sweeps are another way to end early."""
    options = [text for key, value in LANE for text in ("-p", f"{key}={value}")]
    options += ["--out", str(tmp_path), "--rounds", "0", "--width", "1e-15"]
    run = rulecheck("solve", "crosswalk", *options)
    assert run.status == 1
    assert "the bounds hold, but are wider than the 1e-15 asked for" in run.out
    assert "--resume continues from here" in run.out
    both = rulecheck("solve", "crosswalk", *options, "--sweeps", "3")
    assert both.status == 2
    assert "leave one out" in both.err


def test_which_games_are_solved_by_number() -> None:
    assert size_by_number(setting((("squares", "5"), ("pedestrians", "none"))))
    assert not size_by_number(setting(WALKER))
    assert not size_by_number(setting((("squares", "5"), ("pedestrians", "none")), spend="max_points"))
    other = registry.find("nestrace")
    assert size_by_number(Choice(other, other.params({}), other.rulebook.defaults())) == 0


def test_a_roll_that_cannot_be_spent_is_replaced() -> None:
    game = game_of(WALKER)
    i = int(game.stuck[0])
    assert any(walk_ends(game, i, roll) for roll in range(1, 7))


def test_a_street_of_too_many_arrangements_is_refused() -> None:
    with pytest.raises(InputError, match="too many to be numbered"):
        walks(setting((("squares", "5"),)).params, setting(TINY).readings)
