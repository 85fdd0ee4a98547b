"""Any table as values of play: whichever solver made it, a position and every way on from it can be asked about."""

from __future__ import annotations

from typing import Any

from rulecheck.model import InputError
from rulecheck.registry import Choice
from rulecheck.solve import outcomes
from rulecheck.solve.play_tables import TabledPlay
from rulecheck.solve.tables import TIED, Method, best_values, method_of, stored_values
from rulecheck.solve.worth import PlayValues, Worth
from solvers.graph import Outcome
from solvers.tablebase import Table


def values_of(table: Table, choice: Choice) -> PlayValues[Any, Any]:
    """What a table of this game says."""
    if (method := method_of(table)) is Method.PLAY:
        return TabledPlay(table, choice)
    return (TabledOutcomes if method is Method.RETROGRADE else TabledBounds)(table, choice)


def view(values: PlayValues[Any, Any], position: Any, hero: str | None) -> Worth:
    """To the player who is named; else to the one whose turn it is or, with more than two, for whom it was solved."""
    if hero is None and len(values.engine.players) > 2:
        hero = values.hero
    worth = values.worth(position)
    return worth if hero is None else worth.seen_by(hero)


def require_agreement(table: Table, values: PlayValues[Any, Any], here: Any) -> None:
    """Refuse a table whose outcome of a position is not what its moves are worth."""
    stored, ways = (
        values.worth(here),
        values.choices(here),
    )  # a position not held is named first
    if ways and not values.has_chance and ways[0].worth != stored:
        raise InputError(f"{table.path} says {stored.text} of {here}, but its moves say {ways[0].worth.text}")


class TabledOutcomes(PlayValues[Any, Any]):
    """A game without dice that was solved by its compiled successors."""

    def __init__(self, table: Table, choice: Choice) -> None:
        engine = choice.engine()
        super().__init__(engine, engine.players[0], has_chance=False)
        self.table, self.choice = table, choice

    def stored(self, position: Any, player: str) -> Worth:
        if not self.engine.moves(position):
            return Worth(player, Outcome.TIE, 0)
        found = outcomes.stored_worth(self.table, self.choice, position)
        return Worth(player, found.outcome, None if found.distance < 0 else found.distance)


class TabledBounds(PlayValues[Any, Any]):
    """A game with dice that was solved by its own graph or by number: its table holds positions before a roll."""

    def __init__(self, table: Table, choice: Choice) -> None:
        engine = choice.engine()
        super().__init__(engine, engine.players[0], has_chance=True)
        self.table, self.choice = table, choice

    def stored(self, position: Any, player: str) -> Worth:
        if self.engine.chances(position):
            return Worth(player, values=stored_values(self.table, self.choice, position))
        results = self.engine.moves(position).values()
        for result in results:
            if self.engine.end(result) is None and not self.engine.chances(result) and self.engine.moves(result):
                raise InputError(f"play goes on without a roll at {result}; a table holds positions before a roll")
        values = [way.worth.values for way in self.ways(position) if way.worth.values is not None]
        return Worth(player, values=best_values(values) if values else TIED)
