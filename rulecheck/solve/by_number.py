"""Solves a large game of walks by number, and has the answer checked before it is kept."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rulecheck.cluster import Cluster
from rulecheck.jobs import Report, elsewhere, ignore, stage, workers
from rulecheck.model import InputError
from rulecheck.registry import Choice
from rulecheck.solve.solved import Solved
from rulecheck.solve.solver import (
    WIDTH,
    ColumnKeeper,
    NotProvedError,
    checkpoint_store,
    kept_columns,
    kept_when_stopped,
)
from rulecheck.solve.tables import plain_sentences, size_by_number, table_name, walks_of
from rulecheck.solve.walk_tables import write_walk_table
from solvers import stochastic_walks
from solvers.stochastic_walks import WalkSolution, solve_walks, sweep_spread
from solvers.tablebase import TableError
from solvers.walk_certificate import check_parted, check_walk_bounds
from solvers.walk_ranges import SpreadWalks
from solvers.walks import Walks

KEPT = ("f", "g", "loses", "protagonist", "opponent")  # of an unfinished solve


@dataclass(frozen=True, eq=False, kw_only=True)
class WalkSolved(Solved):
    game: Walks | SpreadWalks
    solution: WalkSolution


class Bounded(NamedTuple):
    """Bounds, and what the checker has against them."""

    game: Walks | SpreadWalks
    solution: WalkSolution
    kept: bool
    problems: list[str]


def solve_by_number(
    choice: Choice,
    folder: Path,
    width: float = WIDTH,
    *,
    resume: bool = False,
    sweeps: int | None = None,
    rounds: int | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    report: Report = ignore,
) -> WalkSolved:
    """Solve in `jobs` threads, or in ranges on a cluster, have the answer checked, and write it. A limit on sweeps or
    rounds of better plans stops with what is proved by then; bounds wider than asked can be resumed."""
    executor = executor or elsewhere()
    _refuse(choice, sweeps, rounds, executor)
    store = checkpoint_store(choice, folder, width)
    start = kept_columns(store, KEPT) if resume else None
    keeper = ColumnKeeper(store, KEPT)
    if isinstance(executor, Cluster):
        found = _spread(choice, width, keeper, start, sweeps, executor, report)
    else:
        found = _here(choice, folder, width, keeper, start, sweeps, rounds, jobs, executor, report)
    if found.problems:
        raise NotProvedError(f"the checker does not accept the solver's answer: {found.problems[0]}")
    path = folder / f"{table_name(choice)}.table"
    try:
        write_walk_table(path, choice, found.game, found.solution.bounds)
    except InputError as error:
        if not found.kept:
            raise
        raise InputError(f"{error}; what is known is kept in {store.path}, and --resume goes on from there") from None
    if found.solution.reached:
        with plain_sentences():
            store.clear()
    return WalkSolved(choice=choice, path=path, game=found.game, solution=found.solution, resumable=found.kept)


def _refuse(choice: Choice, sweeps: int | None, rounds: int | None, executor: Executor | None) -> None:
    size, most = size_by_number(choice), stochastic_walks.LARGE
    if rounds is not None and size > most:
        sizes = f"games of up to {most:,} arrangements, and this one has {size:,}"
        raise InputError(f"--rounds is for {sizes}: it is swept only, see --sweeps")
    if isinstance(executor, Cluster) and sweeps is None and size <= most:
        raise InputError(
            f"this game has {size:,} arrangements; up to {most:,} are solved with plans in the memory of one machine: "
            "leave out --cluster, or add --sweeps N to only sweep it"
        )


def _here(
    choice: Choice, folder: Path, width: float, keeper: ColumnKeeper, start: Any, sweeps: int | None,
    rounds: int | None, jobs: int, executor: Executor | None, report: Report,
) -> Bounded:  # fmt: skip
    game = walks_of(choice, report)
    keeping = kept_when_stopped(keeper, start is not None)
    with plain_sentences(), keeping, workers(jobs, executor, threads=True) as pool:
        solution = solve_walks(
            game, width, progress=stage(report, 0.0, 0.9), checkpoint=keeper, start=start, executor=pool,
            most_sweeps=sweeps, most_rounds=rounds, scratch=folder,
        )  # fmt: skip
        kept = not solution.reached and _saved(keeper)
    report("checking", 0.9)
    return Bounded(game, solution, kept, check_walk_bounds(game, solution.bounds))


def _spread(
    choice: Choice, width: float, keeper: ColumnKeeper, start: Any, sweeps: int | None, cluster: Cluster, report: Report
) -> Bounded:
    from rulecheck.solve.spreading import walks_spread

    keeping = kept_when_stopped(keeper, start is not None)
    with plain_sentences(), keeping, walks_spread(choice, cluster, report) as game:
        solving = stage(report, 0.0, 0.9)
        solution = sweep_spread(game, width, progress=solving, checkpoint=keeper, start=start, most_sweeps=sweeps)
        kept = not solution.reached and _saved(keeper)
        report("checking", 0.9)
        return Bounded(game, solution, kept, check_parted(game, solution.bounds))


def _saved(keeper: ColumnKeeper) -> bool:
    """Save what could be resumed; a full disk may still have room for the table, which matters more."""
    try:
        return keeper.save()
    except TableError:
        return False
