"""Solves a game as its engine explores it, has the answer checked, and keeps it as a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulecheck.analyses.solved_play import SolvedPlay, require_proved
from rulecheck.bridge import PlayGraph
from rulecheck.explore import LIMIT
from rulecheck.jobs import Report, ignore, stage
from rulecheck.registry import Choice
from rulecheck.solve.play_tables import bounds_about, chart_of, explored_graph, in_moves, one_of_many, outcomes_about
from rulecheck.solve.solved import Solved
from rulecheck.solve.solver import (
    MOST_EXACT,
    WIDTH,
    LayerKeeper,
    bound_arena,
    exact_start,
    kept_plan,
    need_folder,
    require_at_most,
    require_width,
    smallest,
    solve_blocks,
)
from rulecheck.solve.solving import refuse_bounds
from rulecheck.solve.symmetry import check_alike
from rulecheck.solve.tables import header_of, plain_sentences, table_name
from solvers.certificate import Bounds
from solvers.checkpoint import CheckpointStore
from solvers.retrograde import Outcomes
from solvers.stochastic import Solution
from solvers.tablebase import write_table


@dataclass(frozen=True, eq=False, kw_only=True)
class PlaySolved(Solved):
    play: SolvedPlay[Any, Any]
    solution: Solution | None

    def exact_start(self) -> tuple[str, str] | None:
        return None if self.solution is None else exact_start(chart_of(self.play.graph), self.solution.bounds)

    def furthest(self) -> Any | None:
        return self.play.furthest()


def solve_by_play(
    choice: Choice,
    folder: Path,
    *,
    hero: str | None = None,
    width: float | None = None,
    exact: bool = False,
    resume: bool = False,
    limit: int = LIMIT,
    report: Report = ignore,
) -> PlaySolved:
    """Solve, have the answer checked, and write it only if the checker accepts it."""
    wanted = WIDTH if width is None else width
    require_width(wanted)
    name = table_name(choice, one_of_many(choice, hero))
    need_folder(folder)
    store = CheckpointStore(folder / f"{name}.checkpoint", header_of(choice))
    graph = explored_graph(choice, hero, limit, stage(report, 0.0, 0.5))
    if not graph.play.has_chance:
        refuse_bounds(choice.game.slug, width, exact)
    require_at_most(len(graph.play), MOST_EXACT if exact else math.inf)
    alike = check_alike(choice, len(graph.play), graph.play.position, report=stage(report, 0.5, 0.6))
    solving = stage(report, 0.6, 0.9)
    solution = _bounds(graph, wanted, store, resume, solving) if graph.play.has_chance else None
    answer = _outcomes(graph, store, resume, solving) if solution is None else solution.bounds
    report("checking", 0.9)
    require_proved(graph, answer)
    _write(folder / f"{name}.table", choice, graph, answer)
    with plain_sentences():
        store.clear()
    play = SolvedPlay(choice.engine(), graph, answer)
    return PlaySolved(choice=choice, path=folder / f"{name}.table", play=play, solution=solution, alike=alike)


def _bounds(graph: PlayGraph[Any, Any], width: float, store: CheckpointStore, resume: bool, report: Report) -> Solution:
    return bound_arena(graph.arena, width, kept_plan(store) if resume else None, store, report)


def _outcomes(graph: PlayGraph[Any, Any], store: CheckpointStore, resume: bool, report: Report) -> Outcomes:
    keeper = LayerKeeper(store)
    return solve_blocks(graph.arena, keeper.load() if resume else None, keeper, report)


def _write(path: Path, choice: Choice, graph: PlayGraph[Any, Any], answer: Outcomes | Bounds) -> None:
    if isinstance(answer, Bounds):
        chart = chart_of(graph)
        keys, columns, stated = chart.keys, answer.columns(), bounds_about(graph, chart, answer)
    else:
        outcome, moves = in_moves(graph, answer.outcome, answer.distance)
        keys, columns = graph.keys, {"outcome": outcome, "distance": smallest(moves)}
        stated = outcomes_about(graph, outcome, moves)
    with plain_sentences():
        write_table(path, header_of(choice, **stated), columns, keys)
