"""Tables of games that their engines explored: what they store, and how they answer.

The keys are the texts of positions. Without chance each position has its outcome and its distance in moves; with
chance those in which the game goes on have bounds. The header says `"method": "play"`, and for whom a game of more than
two was solved.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulecheck.bridge import PlayGraph, graph_of
from rulecheck.contract import M, P
from rulecheck.explore import LIMIT, Explored, steps
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError
from rulecheck.registry import Choice
from rulecheck.solve.outcomes import BEST_FIRST, histogram, outcome_at
from rulecheck.solve.spaces import alike_of, normaliser
from rulecheck.solve.tables import COLUMNS, Chart, Method, about, plain_sentences, scale_of, values_in
from rulecheck.solve.worth import PlayValues, Worth, hero_of
from solvers.certificate import Bounds
from solvers.graph import TERMINAL_KINDS, Kind, Outcome
from solvers.tablebase import Table

FARTHEST = np.iinfo(np.int32).max // 2  # moves

Column = NDArray[Any]


def solved_for(table: Table) -> str | None:
    """The player for whom the table of a game of more than two was solved."""
    hero = table.header.about.get("for")
    if not isinstance(hero, str | None):
        raise InputError(f"{table.path} says that it was solved for {hero!r}; expected a player")
    return hero


def explored_graph(
    choice: Choice, hero: str | None = None, limit: int = LIMIT, report: Report = ignore
) -> PlayGraph[Any, Any]:
    """The engine's graph of play, seen by the hero, with one position for each symmetry class."""
    engine, chosen = choice.engine(), one_of_many(choice, hero)
    begin = engine.start()
    if engine.end(begin) is not None:
        raise InputError(f"the game is over at its start, {begin}, so there is nothing to solve")
    read = partial(choice.game.read_position, choice.params)
    play = Explored(engine, read, begin=begin, alike=alike_of(choice), limit=limit, report=report)
    return graph_of(play, chosen)


def one_of_many(choice: Choice, hero: str | None) -> str | None:
    """The player for whom a game of more than two is solved; None for two, where a table covers both."""
    engine = choice.engine()
    chosen = hero_of(choice.game.slug, engine, hero)
    return chosen if len(engine.players) > 2 else None


# -- What is kept ----------------------------------------------------------------------------------------------


def heading(graph: PlayGraph[P, M]) -> dict[str, Any]:
    """The header fields common to both kinds of table."""
    play, arena = graph.play, graph.arena
    ended = int((~play.going_on).sum())
    size = {"positions": len(play), "ended": ended, "nodes": len(arena), "edges": len(arena.succ)}
    hero = graph.hero if len(play.players) > 2 else None
    return {"method": Method.PLAY.value, "for": hero, **size, "start": play.texts[0].decode()}


def _going_on(graph: PlayGraph[P, M]) -> NDArray[np.bool_]:
    """At which nodes of positions does the game go on?"""
    flags = np.empty(len(graph.play), dtype=np.bool_)
    flags[graph.node] = graph.play.going_on
    return flags


def outcomes_about(graph: PlayGraph[P, M], outcome: Column, moves: Column) -> dict[str, Any]:
    """The header, with the numbers of unfinished positions won, lost, tied and drawn, by distance."""
    going_on = _going_on(graph)
    spread = histogram(outcome[going_on], moves[going_on])
    counts = {o.name.lower(): int(spread[o].sum()) for o in BEST_FIRST}
    shown = {o.name.lower(): np.trim_zeros(spread[o], "b").tolist() for o in (Outcome.WIN, Outcome.LOSS, Outcome.TIE)}
    return {**heading(graph), **counts, "distances": shown}


def bounds_about(graph: PlayGraph[P, M], chart: Chart, bounds: Bounds) -> dict[str, Any]:
    return {**about(chart, bounds), **heading(graph)}


def chart_of(graph: PlayGraph[P, M]) -> Chart:
    """A graph with chance: bounds are kept where the game goes on."""
    keys = graph.keys
    return Chart(graph.arena, [keys[node] for node in graph.arena.anchors], graph.play.texts[0])


def in_moves(graph: PlayGraph[P, M], outcome: Column, distance: Column) -> tuple[Column, Column]:
    """The values at positions, out of those at all nodes; distances count moves."""
    size = len(graph.play)
    return outcome[:size], np.where(distance[:size] < 0, -1, distance[:size] // graph.length).astype(np.int32)


def on_nodes(graph: PlayGraph[P, M], outcome: Column, moves: Column) -> tuple[Column, Column]:
    """The inverse: the values at all nodes from those at positions; the other nodes have at most one successor."""
    arena, size = graph.arena, len(graph.play)
    outcomes = np.zeros(len(arena), dtype=np.uint8)
    distances = np.zeros(len(arena), dtype=np.int32)
    outcomes[:size], distances[:size] = outcome, np.where(moves < 0, moves, moves * graph.length)
    flipped = np.array([Outcome.UNSOLVED, Outcome.LOSS, Outcome.WIN, Outcome.TIE, Outcome.DRAW], dtype=np.uint8)
    for v in range(size, len(arena)):
        if arena.kind[v] in TERMINAL_KINDS:
            outcomes[v] = arena.kind[v] + 1
            continue
        s = arena.succ[arena.first[v]]
        outcomes[v] = flipped[outcomes[s]] if arena.kind[v] == Kind.MOVE else outcomes[s]
        distances[v] = distances[s] + 1 if distances[s] >= 0 else -1
    return outcomes, distances


def column_problems(graph: PlayGraph[P, M], outcome: Column, moves: Column) -> list[str]:
    """The reasons why columns do not fit the graph."""
    if len(outcome) != len(graph.play) or len(moves) != len(graph.play):
        return [f"its columns do not have the {len(graph.play):,} positions of the game"]
    if outcome.dtype != np.uint8 or outcome.max(initial=0) > Outcome.DRAW:
        return ["column outcome holds something that is not win, loss, tie or draw"]
    if moves.dtype.kind != "i" or moves.max(initial=0) > FARTHEST or moves.min(initial=0) < -1:
        return ["column distance holds something that is no number of moves"]
    return []


# -- Answering from a table ------------------------------------------------------------------------------------


class TabledPlay(PlayValues[Any, Any]):
    """Values from a table, with the engine's successors."""

    def __init__(self, table: Table, choice: Choice) -> None:
        engine = choice.engine()
        hero = hero_of(choice.game.slug, engine, solved_for(table))
        super().__init__(engine, hero, "outcome" not in table.columns)
        self.table, self._kept = table, normaliser(choice)

    def stored(self, position: Any, player: str) -> Worth:
        with plain_sentences():
            row = self.table.find(str(self._kept(position)).encode())
            if row is not None:
                return self._at(row, player)
        if self.has_chance and not steps(self.engine, position)[1]:
            return self.ended(Kind.TIE, player)
        raise InputError(f"{position} cannot arise from the start of this game, so its table does not hold it")

    def _at(self, row: int, player: str) -> Worth:
        if self.has_chance:
            columns = [self.table.value(name, row) for name in COLUMNS[:4]]
            return Worth(player, values=values_in(columns, scale_of(self.table)))
        distance = int(self.table.value("distance", row))
        return Worth(player, outcome_at(self.table, row), None if distance < 0 else distance)
