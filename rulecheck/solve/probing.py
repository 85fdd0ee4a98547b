"""Any table as values of play: whichever solver made it, probe a position and every way on from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rulecheck.contract import End
from rulecheck.explore import Who, steps
from rulecheck.model import InputError
from rulecheck.registry import Choice
from rulecheck.solve.outcomes import outcome_at
from rulecheck.solve.play_tables import TabledPlay
from rulecheck.solve.solving import Effort, refuse_play
from rulecheck.solve.spaces import find_number
from rulecheck.solve.tables import (
    TIED,
    Method,
    Range,
    best_values,
    given_away,
    method_of,
    plain_sentences,
    stored_values,
)
from rulecheck.solve.worth import PlayValues, Way, Worth
from solvers.graph import Outcome
from solvers.tablebase import Table


@dataclass(frozen=True)
class Probe:
    """What a position is worth, and every way on from it."""

    position: str
    worth: Worth
    who: str  # the one whose view it is, as named in a sentence
    end: End | None
    best: list[str] | dict[str, str]
    ways: list[Way[Any]]  # best first
    after: list[list[Way[Any]]]  # for each outcome of chance, the moves after it
    brought: str | None = None  # the last outcome of chance, if the position shows it

    @property
    def by_chance(self) -> bool:
        return bool(self.after)

    def as_json(self) -> dict[str, Any]:
        view = self.worth.player
        head = {"position": self.position, **self.worth.as_json(), "best": self.best}
        if self.by_chance:
            return {
                **head,
                "rolls": [_roll(way, turns, view) for way, turns in zip(self.ways, self.after, strict=True)],
            }
        turns = _rows(self.ways, view)
        if self.brought is None or not turns:
            return {**head, "moves": turns}
        best = turns[0]["move"]
        rolled = {"roll": _number(self.brought), **self.worth.as_json(), "best": best, "turns": turns}
        return {**head, "best": {self.brought: best}, "rolls": [rolled]}


def _roll(way: Way[Any], turns: list[Way[Any]], view: str) -> dict[str, Any]:
    chance = {"roll": _number(way.step.label), "weight": way.step.weight, **_row(way, view)}
    return {**chance, "best": turns[0].step.label if turns else None, "turns": _rows(turns, view)}


def _number(label: str) -> int | str:
    """A die shows a number."""
    return int(label) if label.isdecimal() else label


def _row(way: Way[Any], view: str) -> dict[str, Any]:
    return {"result": str(way.step.result), **way.worth.seen_by(view).as_json()}


def _rows(ways: list[Way[Any]], view: str) -> list[dict[str, Any]]:
    """The ways as rows, with what each gives away compared with the best, if that is a number."""
    rows = [{"move": way.step.label, **_row(way, view)} for way in ways]
    return [
        row if loses is None else {**row, "loses": loses.as_json()}
        for row, loses in zip(rows, losses(ways), strict=True)
    ]


def losses(ways: Sequence[Way[Any]]) -> list[Range | None]:
    """What each move gives away compared with the best one; None if outcomes are exact."""
    values = [way.worth.values for way in ways if way.worth.values is not None]
    if not values:
        return [None] * len(ways)
    best = best_values(values)
    return [given_away(best.win, mine.win) for mine in values]


def probe(values: PlayValues[Any, Any], choice: Choice, position: Any, hero: str | None = None) -> Probe:
    """What solved play says about a position, wherever it is stored."""
    worth, ways = view(values, position, hero), values.ways(position)
    who, _ = steps(values.engine, position)
    after = [values.choices(way.step.result) for way in ways] if who is Who.CHANCE else []
    end = values.engine.end(position)
    acting = end is None and worth.player == values.engine.actor(position)
    called = "the player to move" if acting else worth.player
    brought = choice.game.hints.brought(choice.params, position)
    return Probe(str(position), worth, called, end, values.best(position), ways, after, brought)


def probe_table(table: Table, choice: Choice, position: Any, hero: str | None = None) -> Probe:
    """What a table says; InputError if it contradicts itself here."""
    if method_of(table) is not Method.PLAY:
        refuse_play(choice.game.slug, Effort(hero=hero))
    values = values_of(table, choice)
    if hero is not None and len(values.engine.players) > 2 and hero != values.hero:
        raise InputError(f"{table.path} was solved for {values.hero}, not for {hero}")
    _require_agreement(table, values, position)
    return probe(values, choice, position, hero)


def values_of(table: Table, choice: Choice) -> PlayValues[Any, Any]:
    """The values in a table of this game."""
    if (method := method_of(table)) is Method.PLAY:
        return TabledPlay(table, choice)
    return (TabledOutcomes if method is Method.RETROGRADE else TabledBounds)(table, choice)


def view(values: PlayValues[Any, Any], position: Any, hero: str | None) -> Worth:
    """To the player who is named; else to the one whose turn it is or, with more than two, for whom it was solved."""
    if hero is None and len(values.engine.players) > 2:
        hero = values.hero
    worth = values.worth(position)
    return worth if hero is None else worth.seen_by(hero)


def _require_agreement(table: Table, values: PlayValues[Any, Any], here: Any) -> None:
    """Refuse a table whose outcome for a position contradicts the worth of its moves."""
    stored = values.worth(here)  # reports a missing position first
    ways = values.choices(here)
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
        with plain_sentences():
            row = find_number(self.choice, self.table, position)
            outcome = Outcome.UNSOLVED if row is None else outcome_at(self.table, row)
            if row is None or outcome is Outcome.UNSOLVED:
                raise InputError(f"the table of this game does not hold {position}: it cannot arise in it")
            distance = int(self.table.value("distance", row))
        return Worth(player, outcome, None if distance < 0 else distance)


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
