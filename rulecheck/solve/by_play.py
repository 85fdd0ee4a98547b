"""Solves a game as its engine explores it, has the answer checked, and keeps it as a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulecheck.analyses.solved_play import SolvedPlay, require_proved
from rulecheck.bridge import PlayGraph
from rulecheck.explore import LIMIT
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError
from rulecheck.registry import Choice
from rulecheck.solve.play_tables import bounds_about, chart_of, explored_graph, in_moves, one_of_many, outcomes_about
from rulecheck.solve.solver import (
    MOST_EXACT,
    WIDTH,
    LayerKeeper,
    Solved,
    bound_arena,
    kept_plan,
    need_folder,
    require_at_most,
    require_width,
    settle_blocks,
    smallest,
)
from rulecheck.solve.symmetry import Alike, check_alike
from rulecheck.solve.tables import header_of, plain_sentences, table_name
from solvers.certificate import Bounds
from solvers.checkpoint import CheckpointStore
from solvers.retrograde import Outcomes
from solvers.stochastic import Solution
from solvers.tablebase import write_table


@dataclass(frozen=True, eq=False)
class PlaySolved:
    """A game that was solved, with what its table says of itself."""

    choice: Choice
    play: SolvedPlay[Any, Any]
    about: dict[str, Any]
    path: Path
    alike: Alike | None
    solution: Solution | None  # with chance

    @property
    def bounded(self) -> Solved:
        """In the form that games which draw their own graphs have."""
        assert self.solution is not None
        return Solved(self.choice, chart_of(self.play.graph), self.solution, self.path, self.alike)


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
    """Solve, have the answer checked, and write it. What the checker does not accept is not written."""
    wanted = WIDTH if width is None else width
    require_width(wanted)
    name = table_name(choice, one_of_many(choice, hero))
    need_folder(folder)
    store = CheckpointStore(folder / f"{name}.checkpoint", header_of(choice))
    graph = explored_graph(choice, hero, limit, report)
    if not graph.play.has_chance:
        refuse_bounds(choice.game.slug, width, exact)
    require_at_most(len(graph.play), MOST_EXACT if exact else math.inf)
    alike = check_alike(choice, len(graph.play), graph.play.position, report=report)
    solution = _bounds(graph, wanted, store, resume, report) if graph.play.has_chance else None
    found = _outcomes(graph, store, resume, report) if solution is None else solution.bounds
    require_proved(graph, found)
    stated = _write(folder / f"{name}.table", choice, graph, found)
    with plain_sentences():
        store.clear()
    solved = SolvedPlay(choice.engine(), graph, found)
    return PlaySolved(choice, solved, stated, folder / f"{name}.table", alike, solution)


def refuse_bounds(slug: str, width: float | None, exact: bool) -> None:
    given = [option for option, on in (("--width", width), ("--exact", exact)) if on]
    if given:
        raise InputError(f"{given[0]} is for games with dice, and {slug} has none: its outcomes are exact")


def _bounds(graph: PlayGraph[Any, Any], width: float, store: CheckpointStore, resume: bool, report: Report) -> Solution:
    return bound_arena(graph.arena, width, kept_plan(store) if resume else None, store, report)


def _outcomes(graph: PlayGraph[Any, Any], store: CheckpointStore, resume: bool, report: Report) -> Outcomes:
    keeper = LayerKeeper(store)
    return settle_blocks(graph.arena, keeper.load() if resume else None, keeper, report)


def _write(path: Path, choice: Choice, graph: PlayGraph[Any, Any], found: Outcomes | Bounds) -> dict[str, Any]:
    """Returns what the header says."""
    if isinstance(found, Bounds):
        chart = chart_of(graph)
        keys, columns, stated = chart.keys, found.columns(), bounds_about(graph, chart, found)
    else:
        outcome, moves = in_moves(graph, found.outcome, found.distance)
        keys, columns = graph.keys, {"outcome": outcome, "distance": smallest(moves)}
        stated = outcomes_about(graph, outcome, moves)
    with plain_sentences():
        write_table(path, header_of(choice, **stated), columns, keys)
    return stated
