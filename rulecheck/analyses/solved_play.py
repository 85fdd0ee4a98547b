"""Solves any game that its engine can explore, and has the answer checked before anyone relies on it.

Without chance every position is won, lost, tied or drawn, in a number of moves; with chance there are two-sided bounds
on what either side can force. A game of three or more is solved for one player against all others together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import networkx
import numpy as np

from rulecheck.analyses.versions import Sized, versions
from rulecheck.bridge import FLIPPED, PlayGraph, graph_of
from rulecheck.contract import AnyEngine, Engine, M, P
from rulecheck.explore import LIMIT, Explored, TooLargeError
from rulecheck.jobs import Report, ignore, run_all, stage
from rulecheck.model import InputError
from rulecheck.registry import Game, find
from rulecheck.solve.outcomes import BEST_FIRST
from rulecheck.solve.solver import WIDTH, NotProvedError
from rulecheck.solve.tables import values_at
from rulecheck.solve.worth import PlayValues, Worth, hero_of
from solvers.certificate import ONE, Bounds, check_bounds, check_outcomes
from solvers.graph import Kind, Outcome
from solvers.reference import iterate_outcomes, iterate_values
from solvers.retrograde import Outcomes, solve_outcomes
from solvers.stochastic import solve

COMPARED = 2_000  # nodes up to which networkx solves a game as well
ITERATED = 20_000  # nodes that networkx evaluates to bound values with chance: rounds times nodes
ROUNDING = 1e-9


class SolvedPlay(PlayValues[P, M]):
    """A solved game: what every position in play is worth, and every move in it."""

    def __init__(self, engine: Engine[P, M], graph: PlayGraph[P, M], answer: Outcomes | Bounds) -> None:
        super().__init__(engine, graph.hero, isinstance(answer, Bounds))
        self.graph, self.answer = graph, answer

    def stored(self, position: P, player: str) -> Worth:
        number = self.graph.play.find(position)
        if number is None:
            raise InputError(f"{position} cannot arise from the start of this game")
        return self.at(int(self.graph.node[number]), player)

    def at(self, node: int, player: str) -> Worth:
        """The worth of a node to `player`, the side to act."""
        if isinstance(self.answer, Outcomes):
            distance = int(self.answer.distance[node])
            moves = None if distance < 0 else distance // self.graph.length
            return Worth(player, Outcome(int(self.answer.outcome[node])), moves)
        arena = self.graph.arena
        if arena.kind[node] in FLIPPED:  # a player to act has no move
            return self.ended(Kind(int(arena.kind[node])), player)
        return Worth(player, values=values_at(self.answer, int(np.searchsorted(arena.anchors, node))))

    def furthest(self) -> P | None:
        """Of the positions with the longest forced win the nearest to the start."""
        if not isinstance(self.answer, Outcomes):
            return None
        play, nodes = self.graph.play, self.graph.node
        won = (self.answer.outcome[nodes] == Outcome.WIN) & play.going_on
        return play.position(int(np.where(won, self.answer.distance[nodes], -1).argmax())) if won.any() else None

    def longest_win(self) -> dict[str, Any] | None:
        """With best play from there."""
        position = self.furthest()
        if position is None:
            return None
        line = self.best_line(position)
        return {"position": str(position), "distance": len(line), "line": line}


def solve_play(
    game: Game,
    params: Any,
    engine: Engine[P, M],
    *,
    hero: str | None = None,
    begin: P | None = None,
    alike: Callable[[P], P] | None = None,
    width: float = WIDTH,
    limit: int = LIMIT,
    report: Report = ignore,
) -> SolvedPlay[P, M]:
    """Solve, and have the answer checked. In a game of three or more, `hero` is the one against all others."""
    hero = hero_of(game.slug, engine, hero)
    read = partial(game.read_position, params)
    play = Explored(engine, read, begin=begin, alike=alike, limit=limit, report=stage(report, 0.0, 0.5))
    return solve_explored(play, hero, width=width, report=stage(report, 0.5, 1.0))


def solve_explored(
    play: Explored[P, M], hero: str, *, width: float = WIDTH, report: Report = ignore
) -> SolvedPlay[P, M]:
    """The same for play that was explored already."""
    graph = graph_of(play, hero)
    arena = graph.arena
    answer = solve(arena, width, progress=report).bounds if play.has_chance else solve_outcomes(arena, report)
    require_proved(graph, answer)
    return SolvedPlay(play.engine, graph, answer)


def require_proved(graph: PlayGraph[P, M], answer: Outcomes | Bounds) -> None:
    """Reject an answer that the checker or, for small games, networkx contradicts."""
    if isinstance(answer, Bounds):
        problems = check_bounds(graph.arena, answer)
    else:
        problems = check_outcomes(graph.arena, answer.outcome, answer.distance)
    if problems:
        raise NotProvedError(f"the checker does not accept the solver's answer: {problems[0]}")
    if len(graph.arena) <= COMPARED:
        node = _apart_in_values(graph, answer) if isinstance(answer, Bounds) else _apart_in_outcomes(graph, answer)
        if node is not None:
            raise NotProvedError(f"networkx {networkx.__version__} finds another value at node {node}")


def _apart_in_outcomes(graph: PlayGraph[P, M], outcomes: Outcomes) -> int | None:
    for node, entry in iterate_outcomes(graph.arena.to_networkx()).items():
        if (int(outcomes.outcome[node]), int(outcomes.distance[node])) != entry:
            return node
    return None


def _apart_in_values(graph: PlayGraph[P, M], proved: Bounds) -> int | None:
    """Value iteration from 0 never exceeds what can be forced, and from 1 it never falls below."""
    drawn, rounds = graph.arena.to_networkx(), ITERATED // len(graph.arena)
    below, above = (iterate_values(drawn, begin, rounds) for begin in (0.0, 1.0))
    bounds = (proved.low_f, proved.high_f), (proved.low_g, proved.high_g)
    for row, node in enumerate(map(int, graph.arena.anchors)):
        for role, (low, high) in enumerate(bounds):
            if below[node, role] > high[row] / ONE + ROUNDING or above[node, role] < low[row] / ONE - ROUNDING:
                return node
    return None


MOST_SOLVED = 20_000  # positions of a version that is solved for a report
Change = tuple[tuple[str, str], ...]


def solved_games(game: Game, jobs: int, report: Report) -> dict[str, Any] | None:
    """The sufficiently small versions, as printed and under every value of every reading; None if there are none."""
    rows = solved_rows(game, list(game.rulebook.options), jobs, report)
    if not rows:
        return None
    printed = list(dict.fromkeys(row["title"] for row in rows))
    intro = (
        f"Every version in which play reaches at most {MOST_SOLVED:,} positions, as printed and under each value of "
        "each reading. A separate checker accepted every entry."
    )
    return {"games": rows, "weighed": printed, "intro": intro, "text": ""}


def solved_rows(game: Game, names: Sequence[str], jobs: int, report: Report) -> list[dict[str, Any]]:
    """The same for the named readings only."""
    options = game.rulebook.options
    changes: list[Change] = [(), *(((name, value),) for name in names for value in options[name].values[1:])]
    todo = [(game.slug, at, change) for at in range(len(versions(game))) for change in changes]
    return [row for rows in run_all(_solved_rows, todo, jobs=jobs, report=report) for row in rows]


def _solved_rows(task: tuple[str, int, Change]) -> list[dict[str, Any]]:
    slug, at, change = task
    game = find(slug)
    return solved_row(game, versions(game)[at], dict(change), MOST_SOLVED)


def solved_row(game: Game, version: Sized, changes: Mapping[str, str], limit: int) -> list[dict[str, Any]]:
    """The report's rows on one version, with the worth of the start; none if the version is too large."""
    engine: AnyEngine = game.engine(version.params, game.rulebook.choose(changes))
    rows = []
    for hero in engine.players[:1] if len(engine.players) == 2 else engine.players:
        try:
            solved = solve_play(game, version.params, engine, hero=hero, limit=limit)
        except TooLargeError:
            return []
        worth = solved.worth(engine.start()).seen_by(hero)
        title = version.name if len(engine.players) == 2 else f"{version.name}, {hero} against all others"
        row: dict[str, Any] = {"title": title, "params": version.params.as_dict(), "readings": dict(changes)}
        rows.append(
            {**row, "positions": len(solved.graph.play), **worth.as_json(), **_figures(solved), **worth.shares()}
        )
    return rows


def _figures(solved: SolvedPlay[P, M]) -> dict[str, Any]:
    """Without chance: how many positions are worth what to the side to act, and the longest forced win."""
    if not isinstance(solved.answer, Outcomes):
        return {}
    outcome = solved.answer.outcome[solved.graph.node[solved.graph.play.going_on]]
    counts = {kind.name.lower(): int((outcome == kind).sum()) for kind in BEST_FIRST}
    return {**counts, "longest_win": solved.longest_win()}
