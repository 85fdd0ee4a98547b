"""Solves any game that its engine can explore, and has the answer checked before it is believed.

Without chance every position is won, lost, tied or drawn, in a number of moves; with chance there are two-sided bounds
on what either side can force. A game of three or more is solved for one player against all others together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic

import networkx
import numpy as np

from rulecheck.analyses.versions import Sized, versions
from rulecheck.bridge import FLIPPED, PlayGraph, graph_of, seen_by
from rulecheck.contract import AnyEngine, Engine, M, P
from rulecheck.explore import LIMIT, Explored, TooLargeError, steps
from rulecheck.jobs import Report, ignore, run_all
from rulecheck.model import InputError
from rulecheck.outcomes import BEST_FIRST
from rulecheck.registry import Game, find
from rulecheck.tables import Range, Values, values_at
from solvers.certificate import ONE, Bounds, check_bounds, check_outcomes
from solvers.graph import Kind, Outcome
from solvers.reference import iterate_outcomes
from solvers.retrograde import Outcomes, solve_outcomes
from solvers.stochastic import solve

WIDTH = 1e-6
COMPARED = 2_000  # nodes up to which networkx solves a game as well
SWAPPED = {Outcome.WIN: Outcome.LOSS, Outcome.LOSS: Outcome.WIN}


class NotProvedError(Exception):
    """The checker did not accept the solver's answer, so there is no answer."""


@dataclass(frozen=True)
class Worth:
    """What a position is worth to one side: an outcome and its distance in moves, or bounds on what can be forced."""

    player: str  # whose view this is; in a game of three or more "the others" stand for all but one
    outcome: Outcome | None = None
    distance: int | None = None
    values: Values | None = None

    def __str__(self) -> str:
        if self.values is not None:
            return f"{self.values.win} for {self.player}, {self.values.loss} for the other side"
        assert self.outcome is not None
        away = "" if self.distance is None else f" in {self.distance}"
        return f"{self.outcome.name.lower()}{away} for {self.player}"

    def swapped(self, player: str) -> Worth:
        """The same, seen by the other side."""
        if self.values is not None:
            return Worth(player, values=Values(self.values.loss, self.values.win))
        assert self.outcome is not None
        return Worth(player, SWAPPED.get(self.outcome, self.outcome), self.distance)

    @property
    def rank(self) -> tuple[float, float]:
        """Smaller is better for the one whose view it is."""
        if self.values is not None:
            return -self.values.win.low, self.values.loss.high
        assert self.outcome is not None
        away = -1 if self.distance is None else self.distance
        return BEST_FIRST.index(self.outcome), -away if self.outcome is Outcome.LOSS else away

    def is_said(self, data: Mapping[str, Any]) -> bool:
        """Is it what a claim says: `value` (an outcome, or a probability to as many digits as it has), `distance`?"""
        said = data["value"]
        if self.values is not None:
            digits = len(str(said).partition(".")[2])
            half = 0.5 * 10.0**-digits
            low, high = self.values.win.low / ONE, self.values.win.high / ONE
            return bool(float(said) - half <= low and high <= float(said) + half)
        assert self.outcome is not None
        return bool(said == self.outcome.name.lower() and data.get("distance", self.distance) == self.distance)

    def as_json(self) -> dict[str, Any]:
        if self.values is not None:
            return {"for": self.player, **self.values.as_json()}
        assert self.outcome is not None
        return {"for": self.player, "value": self.outcome.name.lower(), "distance": self.distance}


@dataclass(frozen=True, eq=False)
class SolvedPlay(Generic[P, M]):
    """A solved game: what every position in play is worth, and every move in it."""

    engine: Engine[P, M]
    graph: PlayGraph[P, M]
    found: Outcomes | Bounds

    def side(self, player: str) -> str:
        """How the side of a player is called."""
        return player if len(self.engine.players) == 2 or player == self.graph.hero else "the others"

    def worth(self, position: P) -> Worth:
        """To the side whose turn it is; to the first player, or the one it was solved for, where it has ended."""
        end = self.engine.end(position)
        if end is not None:
            return self._ended(seen_by(end, self.graph.hero, self.engine.players), self.graph.hero)
        player = self.side(self.engine.actor(position))
        number = self.graph.play.find(position)
        if number is None:
            raise InputError(f"{position} cannot arise from the start of this game")
        return self._at(int(self.graph.node[number]), player)

    def _ended(self, kind: Kind, player: str) -> Worth:
        if isinstance(self.found, Outcomes):
            return Worth(player, Outcome(kind + 1), 0)
        sure, never = Range(ONE, ONE), Range(0, 0)
        win, loss = sure if kind is Kind.WIN else never, sure if kind is Kind.LOSS else never
        return Worth(player, values=Values(win, loss))

    def _at(self, node: int, player: str) -> Worth:
        if isinstance(self.found, Outcomes):
            distance = int(self.found.distance[node])
            moves = None if distance < 0 else distance // self.graph.length
            return Worth(player, Outcome(int(self.found.outcome[node])), moves)
        arena = self.graph.arena
        if arena.kind[node] in FLIPPED:  # a player to act has no move
            return self._ended(Kind(int(arena.kind[node])), player)
        return Worth(player, values=values_at(self.found, int(np.searchsorted(arena.anchors, node))))

    def ways(self, position: P) -> list[tuple[str, Worth]]:
        """Each move, or each thing that chance may bring, with what it is worth to the side whose turn it is; the best
        first."""
        _, ways = steps(self.engine, position)
        if not ways:
            return []
        player = self.side(self.engine.actor(position))
        rows = [(way.label, self._after(way.result, player)) for way in ways]
        return sorted(rows, key=lambda row: (row[1].rank, row[0]))

    def best_line(self, position: P) -> list[str]:
        """Best play from a position that is won or lost to the end of the game."""
        line = []
        while self.worth(position).distance:
            ways = {way.label: way.result for way in steps(self.engine, position)[1]}
            label, _ = self.ways(position)[0]
            line.append(label)
            position = ways[label]
        return line

    def _after(self, position: P, player: str) -> Worth:
        end = self.engine.end(position)
        if end is not None:
            kind = seen_by(end, self.graph.hero, self.engine.players)
            worth = self._ended(kind if player == self.graph.hero else FLIPPED[kind], player)
        else:
            worth = self.worth(position)
            worth = worth if worth.player == player else worth.swapped(player)
        if worth.distance is None:
            return worth
        return Worth(worth.player, worth.outcome, worth.distance + 1, worth.values)


def solve_play(
    game: Game,
    params: Any,
    engine: Engine[P, M],
    *,
    hero: str | None = None,
    alike: Callable[[P], P] | None = None,
    width: float = WIDTH,
    limit: int = LIMIT,
    report: Report = ignore,
) -> SolvedPlay[P, M]:
    """Solve, and have the answer checked. In a game of three or more, `hero` is the one against all others."""
    if hero is not None and hero not in engine.players:
        raise InputError(f"{hero!r} is no player of this game; known: {', '.join(engine.players)}")
    if hero is None and len(engine.players) != 2:
        raise InputError(f"{game.slug} is a game of {len(engine.players)}: say for whom it is to be solved (--for)")
    play = Explored(engine, partial(game.read_position, params), alike=alike, limit=limit, report=report)
    graph = graph_of(play, hero)
    found = _bounds(graph, width, report) if play.has_chance else _outcomes(graph, report)
    return SolvedPlay(engine, graph, found)


def _outcomes(graph: PlayGraph[P, M], report: Report) -> Outcomes:
    found = solve_outcomes(graph.arena, report)
    if problems := check_outcomes(graph.arena, found.outcome, found.distance):
        raise NotProvedError(f"the checker does not accept the solver's answer: {problems[0]}")
    if len(graph.arena) <= COMPARED:
        for node, (outcome, distance) in iterate_outcomes(graph.arena.to_networkx()).items():
            if (int(found.outcome[node]), int(found.distance[node])) != (outcome, distance):
                raise NotProvedError(f"networkx {networkx.__version__} finds another outcome at node {node}")
    return found


def _bounds(graph: PlayGraph[P, M], width: float, report: Report) -> Bounds:
    solution = solve(graph.arena, width, progress=report)
    if problems := check_bounds(graph.arena, solution.bounds):
        raise NotProvedError(f"the checker does not accept the solver's answer: {problems[0]}")
    return solution.bounds


MOST_SOLVED = 20_000  # positions of a version that is solved for a report
Change = tuple[tuple[str, str], ...]


def solved_games(game: Game, jobs: int, report: Report) -> dict[str, Any] | None:
    """The versions that are small enough, as printed and under every value of every reading; None if none is."""
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
    """The same for the values of the readings named."""
    options = game.rulebook.options
    changes: list[Change] = [(), *(((name, value),) for name in names for value in options[name].values[1:])]
    todo = [(game.slug, at, change) for at in range(len(versions(game))) for change in changes]
    return [row for rows in run_all(_solved_rows, todo, jobs=jobs, report=report) for row in rows]


def _solved_rows(task: tuple[str, int, Change]) -> list[dict[str, Any]]:
    slug, at, change = task
    game = find(slug)
    return solved_row(game, versions(game)[at], dict(change), MOST_SOLVED)


def solved_row(game: Game, version: Sized, changes: Mapping[str, str], limit: int) -> list[dict[str, Any]]:
    """What a report says of one version: the start's worth; nothing of a version that is too large."""
    engine: AnyEngine = game.engine(version.params, game.rulebook.choose(changes))
    rows = []
    for hero in engine.players[:1] if len(engine.players) == 2 else engine.players:
        try:
            solved = solve_play(game, version.params, engine, hero=hero, limit=limit)
        except TooLargeError:
            return []
        worth = solved.worth(engine.start())
        worth = worth if worth.player == hero else worth.swapped(hero)
        title = version.name if len(engine.players) == 2 else f"{version.name}, {hero} against all others"
        row: dict[str, Any] = {"title": title, "params": version.params.as_dict(), "readings": dict(changes)}
        rows.append(
            {**row, "positions": len(solved.graph.play), **worth.as_json(), **_figures(solved), **_shares(worth)}
        )
    return rows


def _figures(solved: SolvedPlay[P, M]) -> dict[str, Any]:
    """Without chance: how many positions are worth what to the side to act, and the longest forced win."""
    if not isinstance(solved.found, Outcomes):
        return {}
    play, nodes = solved.graph.play, solved.graph.node
    outcome, distance = solved.found.outcome[nodes], solved.found.distance[nodes]
    counts = {kind.name.lower(): int((outcome == kind).sum()) for kind in BEST_FIRST}
    acting = np.array([play.actor(n) is not None for n in range(len(play))])
    won = np.where((outcome == Outcome.WIN) & acting, distance, -1)
    if not len(won) or won.max() < 1:
        return {**counts, "longest_win": None}
    position = play.position(int(won.argmax()))
    line = solved.best_line(position)
    return {**counts, "longest_win": {"position": str(position), "distance": len(line), "line": line}}


def _shares(worth: Worth) -> dict[str, list[float]]:
    """What either side can force and what is left, as bounds."""
    if worth.values is not None:
        parts = {"mover": worth.values.win, "opponent": worth.values.loss, "neither": worth.values.neither}
        return {side: [part.low / ONE, part.high / ONE] for side, part in parts.items()}
    owner = {Outcome.WIN: "mover", Outcome.LOSS: "opponent"}.get(worth.outcome or Outcome.DRAW, "neither")
    return {side: [int(side == owner)] * 2 for side in ("mover", "opponent", "neither")}
