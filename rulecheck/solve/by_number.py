"""Solves a large game of walks by number, and has the answer checked before it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rulecheck.jobs import Report, ignore, workers
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
from solvers.stochastic_walks import WalkSolution, solve_walks
from solvers.tablebase import TableError
from solvers.walk_certificate import check_walk_bounds
from solvers.walks import Walks

KEPT = ("f", "g", "loses", "protagonist", "opponent")  # of an unfinished solve


@dataclass(frozen=True, eq=False, kw_only=True)
class WalkSolved(Solved):
    game: Walks
    solution: WalkSolution


def solve_by_number(
    choice: Choice,
    folder: Path,
    width: float = WIDTH,
    *,
    resume: bool = False,
    sweeps: int | None = None,
    rounds: int | None = None,
    jobs: int = 1,
    report: Report = ignore,
) -> WalkSolved:
    """Solve in `jobs` threads, have the answer checked, and write it. A limit on sweeps or rounds of better plans stops
    with what is proved by then; bounds wider than asked can be resumed."""
    if rounds is not None and size_by_number(choice) > stochastic_walks.LARGE:
        sizes = f"games of up to {stochastic_walks.LARGE:,} arrangements, and this one has {size_by_number(choice):,}"
        raise InputError(f"--rounds is for {sizes}: it is swept only, see --sweeps")
    store = checkpoint_store(choice, folder, width)
    start = kept_columns(store, KEPT) if resume else None
    game = walks_of(choice, report)
    keeper = ColumnKeeper(store, KEPT)
    with plain_sentences(), kept_when_stopped(keeper, resume), workers(jobs, threads=True) as pool:
        solution = solve_walks(
            game, width, progress=report, checkpoint=keeper, start=start, executor=pool,
            most_sweeps=sweeps, most_rounds=rounds, scratch=folder,
        )  # fmt: skip
        kept = not solution.reached and _saved(keeper)
    report("checking", 1.0)
    if problems := check_walk_bounds(game, solution.bounds):
        raise NotProvedError(f"the checker does not accept the solver's answer: {problems[0]}")
    path = folder / f"{table_name(choice)}.table"
    try:
        write_walk_table(path, choice, game, solution.bounds)
    except InputError as error:
        if not kept:
            raise
        raise InputError(f"{error}; what is known is kept in {store.path}, and --resume goes on from there") from None
    if solution.reached:
        with plain_sentences():
            store.clear()
    return WalkSolved(choice=choice, path=path, game=game, solution=solution, resumable=kept)


def _saved(keeper: ColumnKeeper) -> bool:
    """Save what could be resumed; a full disk may still have room for the table, which matters more."""
    try:
        return keeper.save()
    except TableError:
        return False
