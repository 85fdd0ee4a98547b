"""Solves a game and has the answer checked before it is kept.

`rulecheck.solve.tables` says what is kept of a game with dice, `rulecheck.solve.outcomes` of one without.
"""

from __future__ import annotations

import math
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulecheck.cluster import Cluster
from rulecheck.jobs import Report, ignore, stage, workers
from rulecheck.model import InputError
from rulecheck.processes import WorkerLostError
from rulecheck.registry import Choice, Game
from rulecheck.solve.outcomes import about as outcomes_about
from rulecheck.solve.outcomes import first_with, histogram, real_numbers
from rulecheck.solve.solved import Solved
from rulecheck.solve.spaces import Space, space_of
from rulecheck.solve.symmetry import check_alike
from rulecheck.solve.tables import (
    Chart,
    drawn_chart,
    header_of,
    plain_sentences,
    reader,
    table_name,
    values_at,
    write_solution,
)
from solvers.certificate import ONE, Bounds, check_bounds, check_outcomes
from solvers.checkpoint import CheckpointStore
from solvers.graph import Arena, ArenaError, Blocks, Outcome
from solvers.retrograde import Outcomes, solve_outcomes
from solvers.stochastic import Solution, solve
from solvers.tablebase import write_table

WIDTH = 1e-6
KEEP_EVERY = 30.0  # seconds of work that a crash may lose ...
KEEP_SHARE = 10  # ... or this many times the cost of saving
PLANS = ("protagonist", "opponent")  # the names under which they are saved
MOST_EXACT = 4000  # positions; rational equations grow quickly


class NotProvedError(Exception):
    """The checker did not accept the solver's answer, so there is no answer."""


class InterruptedSolve(Exception):
    """The user stopped a solve; the message says what was saved."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ChartSolved(Solved):
    """Solved on the graph that the game builds itself."""

    chart: Chart
    solution: Solution

    def exact_start(self) -> tuple[str, str]:
        return exact_start(self.chart, self.solution.bounds)


def solve_chart(
    choice: Choice,
    folder: Path,
    width: float = WIDTH,
    *,
    resume: bool = False,
    most: float = math.inf,
    chart: Chart | None = None,
    report: Report = ignore,
) -> ChartSolved:
    """Solve, have the answer checked, and write it only if the checker accepts it."""
    store = checkpoint_store(choice, folder, width)
    plan = kept_plan(store) if resume else None
    chart = chart or drawn_chart(choice, stage(report, 0.0, 0.2))
    require_at_most(len(chart.keys), most)
    looking = stage(report, 0.2, 0.3)
    alike = None if chart.compiled else check_alike(choice, len(chart.keys), reader(choice, chart), report=looking)
    solution = bound_arena(chart.arena, width, plan, store, stage(report, 0.3, 0.9))
    report("checking", 0.9)
    if problems := check_bounds(chart.arena, solution.bounds):
        raise NotProvedError(f"the checker does not accept the solver's answer: {problems[0]}")
    path = folder / f"{table_name(choice)}.table"
    with plain_sentences():
        write_solution(path, choice, chart, solution.bounds)
        store.clear()
    return ChartSolved(choice=choice, path=path, chart=chart, solution=solution, alike=alike)


def require_at_most(positions: int, most: float) -> None:
    if positions > most:
        raise InputError(f"this game has {positions:,} positions; up to {most:,} can be solved in this way")


def require_width(width: float) -> None:
    if not width > 0 or width > 1:
        raise InputError(f"the width of the bounds must be more than 0 and at most 1, found {width:g}")


def checkpoint_store(choice: Choice, folder: Path, width: float) -> CheckpointStore:
    require_width(width)
    need_folder(folder)
    return CheckpointStore(folder / f"{table_name(choice)}.checkpoint", header_of(choice))


def need_folder(folder: Path) -> None:
    """Check before the work, not after it, that the folder is writable."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise InputError(f"cannot write tables into {str(folder)!r}: {reason}") from None


def _kept(store: CheckpointStore) -> dict[str, NDArray[Any]]:
    with plain_sentences():
        kept = store.load()
    if kept is None:
        raise InputError(f"there is nothing to resume: no file {store.path}; leave out --resume to begin")
    return kept


def kept_columns(store: CheckpointStore, names: Sequence[str]) -> list[NDArray[Any]]:
    kept = _kept(store)
    if kept.keys() != set(names):
        raise no_checkpoint(store)
    return [kept[name] for name in names]


def require_whole_numbers(store: CheckpointStore, *columns: NDArray[Any]) -> None:
    if any(column.dtype.kind not in "iu" for column in columns):
        raise no_checkpoint(store)


def no_checkpoint(store: CheckpointStore) -> InputError:
    return InputError(f"{store.path} is no checkpoint of a solve; leave out --resume to begin again")


def kept_plan(store: CheckpointStore) -> NDArray[np.int32]:
    mine, theirs = kept_columns(store, PLANS)
    require_whole_numbers(store, mine, theirs)
    if len(mine) != len(theirs):
        raise no_checkpoint(store)
    return np.stack([mine, theirs], axis=1)


def _interrupted(store: CheckpointStore, kept: bool) -> InterruptedSolve:
    return InterruptedSolve(f"interrupted; {_goes_on(store)}" if kept else "")


def _lost(keeper: Keeper, resumed: bool, error: WorkerLostError) -> InputError:
    """What to say after the cluster is lost; what is known is saved."""
    with plain_sentences():
        kept = keeper.save() or resumed
    return InputError(f"{error}; {_goes_on(keeper.store)}") if kept else error


def _goes_on(store: CheckpointStore) -> str:
    return f"what is known is kept in {store.path}; the same command with --resume goes on from there"


class Keeper(ABC):
    """Saves progress at intervals: writing it after every round could cost more than it saves."""

    def __init__(self, store: CheckpointStore) -> None:
        self.store, self.saved, self.took = store, time.monotonic(), 0.0
        self.latest: tuple[Any, ...] | None = None

    def __call__(self, *latest: Any) -> None:
        self.latest = latest
        if time.monotonic() - self.saved > max(KEEP_EVERY, KEEP_SHARE * self.took):
            with plain_sentences():
                self.save()

    def save(self) -> bool:
        """Save the latest columns; return False if there are none."""
        if self.latest is None:
            return False
        begin = time.monotonic()
        self.store.save(self.columns(*self.latest))
        self.saved = time.monotonic()
        self.took = self.saved - begin
        return True

    @abstractmethod
    def columns(self, *latest: Any) -> dict[str, NDArray[Any]]:
        """The arrays to save."""


class ColumnKeeper(Keeper):
    """Saves some arrays."""

    def __init__(self, store: CheckpointStore, names: Sequence[str]) -> None:
        super().__init__(store)
        self.names = names

    def columns(self, *latest: NDArray[Any]) -> dict[str, NDArray[Any]]:
        return dict(zip(self.names, latest, strict=True))


@contextmanager
def kept_when_stopped(keeper: ColumnKeeper, resumed: bool) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        with plain_sentences():
            kept = keeper.save() or resumed
        raise _interrupted(keeper.store, kept) from None
    except WorkerLostError as error:
        raise _lost(keeper, resumed, error) from None
    except ValueError as error:  # the checkpoint is of another game
        raise InputError(f"{keeper.store.path} does not fit this game: {error}; leave out --resume") from None
    keeper.latest = None  # to free memory


def bound_arena(
    arena: Arena, width: float, plan: NDArray[np.int32] | None, store: CheckpointStore, report: Report
) -> Solution:
    """Solve, saving progress at intervals; `plan` is the checkpoint."""
    keeper = ColumnKeeper(store, PLANS)
    with kept_when_stopped(keeper, plan is not None):
        return solve(arena, width, progress=report, checkpoint=lambda p: keeper(p[:, 0], p[:, 1]), start=plan)


def exact_start(chart: Chart, bounds: Bounds) -> tuple[str, str]:
    """The start's win and loss as fractions. All exact values must lie within the bounds."""
    from solvers.exact import solve_exactly

    exact = solve_exactly(chart.arena)
    for row, node in enumerate(chart.nodes):
        for value, bound in zip((exact.f[node], exact.g[node]), values_at(bounds, row), strict=True):
            if not bound.low <= value * ONE <= bound.high:
                raise NotProvedError(f"{chart.keys[row].decode()}: {value} is outside its bounds {bound}")
    start = chart.nodes[chart.keys.index(chart.start)]
    return str(exact.f[start]), str(exact.g[start])


# -- Without dice --------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, kw_only=True)
class SpaceSolved(Solved):
    """Solved by compiled successors."""

    space: Space
    outcomes: Outcomes

    def furthest(self) -> Any | None:
        """The first number with the longest forced win."""
        real, outcome, distance = real_numbers(self.space), self.outcomes.outcome, self.outcomes.distance
        spread = histogram(outcome[real], distance[real])[Outcome.WIN]
        furthest = int(np.flatnonzero(spread).max(initial=0))
        if furthest == 0:
            return None
        return self.space.position(first_with(outcome, distance, Outcome.WIN, furthest))


def solve_space(
    choice: Choice,
    folder: Path,
    report: Report = ignore,
    *,
    resume: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
) -> SpaceSolved:
    """Find every position's outcome, have the answer checked, and write it; what is not accepted is not written.

    `executor`, or else `jobs` processes, list the moves of positions.
    """
    need_folder(folder)
    store = CheckpointStore(folder / f"{table_name(choice)}.checkpoint", header_of(choice))
    with workers(jobs, executor) as pool:
        space = space_of(choice, report, pool)
        outcomes = _outcomes(choice, space, store, resume, pool, stage(report, 0.0, 0.5))
        if problems := check_outcomes(space, outcomes.outcome, outcomes.distance, stage(report, 0.5, 1.0)):
            raise NotProvedError(f"the checker does not accept the solver's answer: {problems[0]}")
    path = folder / f"{table_name(choice)}.table"
    columns = {"outcome": outcomes.outcome, "distance": smallest(outcomes.distance)}
    with plain_sentences():
        write_table(
            path, header_of(choice, **outcomes_about(space, outcomes.outcome, outcomes.distance)), columns, space.keys()
        )
        store.clear()
    return SpaceSolved(choice=choice, path=path, space=space, outcomes=outcomes)


def _outcomes(
    choice: Choice, space: Space, store: CheckpointStore, resume: bool, pool: Executor | None, report: Report
) -> Outcomes:
    """Solve in ranges on the workers of a cluster, if each can number the positions by itself; otherwise here."""
    from rulecheck.solve import spreading

    if isinstance(pool, Cluster) and spreading.can_be_spread(choice):
        return spreading.solve_spread(choice, len(space), store, resume, pool, report)
    keeper = LayerKeeper(store)
    return solve_blocks(space, keeper.load() if resume else None, keeper, report)


def solve_blocks(game: Blocks, start: tuple[int, Outcomes] | None, keeper: LayerKeeper, report: Report) -> Outcomes:
    """Solve, saving progress at intervals; `start` is the checkpoint."""
    with outcomes_kept(keeper, start is not None):
        return solve_outcomes(game, report, keep=keeper, start=start)


@contextmanager
def outcomes_kept(keeper: Keeper, resumed: bool) -> Iterator[None]:
    """Save progress if the solve is stopped or loses its workers."""
    try:
        yield
    except KeyboardInterrupt:
        with plain_sentences():
            kept = keeper.save() or resumed
        raise _interrupted(keeper.store, kept) from None
    except WorkerLostError as error:
        raise _lost(keeper, resumed, error) from None
    except ArenaError as error:
        if not resumed:
            raise
        raise InputError(f"{keeper.store.path} does not fit this game: {error}; leave out --resume") from None


class LayerKeeper(Keeper):
    """Saves the outcomes known after some layers."""

    def columns(self, *latest: Any) -> dict[str, NDArray[Any]]:
        layers, outcomes = latest
        columns = {"outcome": outcomes.outcome, "distance": smallest(outcomes.distance)}
        return {**columns, "layers": np.array([layers], dtype=np.int64)}

    def load(self) -> tuple[int, Outcomes]:
        outcome, distance, number = kept_columns(self.store, ("outcome", "distance", "layers"))
        require_whole_numbers(self.store, outcome, distance, number)
        if len(number) != 1 or number[0] < 0 or outcome.max(initial=0) > Outcome.DRAW:
            raise no_checkpoint(self.store)
        outcomes = Outcomes(outcome.astype(np.uint8), distance.astype(np.int32))
        layers = int(number[0])
        self.latest = layers, outcomes
        return layers, outcomes


def smallest(distance: NDArray[np.int32]) -> NDArray[Any]:
    """The same in the smallest sufficient type."""
    return distance.astype(np.min_scalar_type(-1 - int(distance.max(initial=0))))


def solved_row(game: Game, title: str, params: Mapping[str, str], changes: Mapping[str, str]) -> dict[str, Any]:
    """A game solved for a report: accepted by the checker, or an error; nothing in between is reported."""
    choice = Choice(game, game.params(params), game.rulebook.choose(changes))
    with tempfile.TemporaryDirectory() as folder:
        return described(solve_space(choice, Path(folder)), title, params, changes)


def described(solved: Solved, title: str, params: Mapping[str, str], changes: Mapping[str, str]) -> dict[str, Any]:
    """A solved game for a report; forced outcomes are also given as bounds, as for games with dice."""
    start = solved.start()
    row = solved.as_json(start)
    for name in ("for", "alike", "table"):
        del row[name]
    return {"title": title, "params": dict(params), "readings": dict(changes), **row, **start.worth.shares()}
