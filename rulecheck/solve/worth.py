"""What positions in play are worth, wherever the values are stored: in memory or in a table.

Every position is seen by the side whose turn it is. In a game of two a side is a player; with more players one of them,
the hero, stands against all the others together.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic

from rulecheck.bridge import FLIPPED, seen_by
from rulecheck.contract import Engine, M, P
from rulecheck.explore import Step, Who, steps
from rulecheck.model import InputError
from rulecheck.solve.outcomes import BEST_FIRST
from rulecheck.solve.tables import LOST, TIED, WON, Values
from solvers.certificate import ONE
from solvers.graph import Kind, Outcome

OTHERS = "the others"
SWAPPED = {Outcome.WIN: Outcome.LOSS, Outcome.LOSS: Outcome.WIN}
ENDED = {Kind.WIN: WON, Kind.LOSS: LOST, Kind.TIE: TIED}


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
        return f"{self.text} for {self.player}"

    @property
    def text(self) -> str:
        """The worth in words, without its player."""
        if self.values is not None:
            return str(self.values.win)
        assert self.outcome is not None
        return self.outcome.name.lower() + ("" if self.distance is None else f" in {self.distance}")

    def seen_by(self, player: str) -> Worth:
        """The same, seen by one of the two sides."""
        if player == self.player:
            return self
        if self.values is not None:
            return Worth(player, values=Values(self.values.loss, self.values.win))
        assert self.outcome is not None
        return Worth(player, SWAPPED.get(self.outcome, self.outcome), self.distance)

    def swapped(self, player: str) -> Worth:
        """The same, seen by the other side."""
        return replace(self, player="").seen_by(player)

    @property
    def rank(self) -> tuple[float, float]:
        """A sort key: smaller is better for the player whose view it is."""
        if self.values is not None:
            return -self.values.win.low, self.values.loss.high
        assert self.outcome is not None
        away = -1 if self.distance is None else self.distance
        return BEST_FIRST.index(self.outcome), -away if self.outcome is Outcome.LOSS else away

    def is_said(self, data: Mapping[str, Any]) -> bool:
        """Does it match a claim's `value` (an outcome, or a probability to the digits given) and `distance`?"""
        said = data["value"]
        if self.values is not None:
            digits = len(str(said).partition(".")[2])
            half = 0.5 * 10.0**-digits
            low, high = self.values.win.low / ONE, self.values.win.high / ONE
            return bool(float(said) - half <= low and high <= float(said) + half)
        assert self.outcome is not None
        return bool(said == self.outcome.name.lower() and data.get("distance", self.distance) == self.distance)

    def shares(self) -> dict[str, list[float]]:
        """What each side can force and the remainder, as bounds."""
        if self.values is not None:
            parts = {"mover": self.values.win, "opponent": self.values.loss, "neither": self.values.neither}
            return {side: [part.low / ONE, part.high / ONE] for side, part in parts.items()}
        owner = {Outcome.WIN: "mover", Outcome.LOSS: "opponent"}.get(self.outcome or Outcome.DRAW, "neither")
        return {side: [int(side == owner)] * 2 for side in ("mover", "opponent", "neither")}

    def as_json(self) -> dict[str, Any]:
        if self.values is not None:
            return {"for": self.player, **self.values.as_json(), "distance": None}
        assert self.outcome is not None
        return {"for": self.player, "value": self.outcome.name.lower(), "distance": self.distance}


@dataclass(frozen=True)
class Way(Generic[P]):
    """A way on, and what it is worth to the side whose turn it was."""

    step: Step[P]
    worth: Worth


def hero_of(slug: str, engine: Engine[P, M], named: str | None) -> str:
    """The player a game is solved for: the first of two unless another is named; with more, one must be named."""
    if named is not None and named not in engine.players:
        raise InputError(f"{named!r} is no player of this game; known: {', '.join(engine.players)}")
    if named is None and len(engine.players) > 2:
        raise InputError(f"{slug} is a game of {len(engine.players)}: say for whom it is to be solved (--for)")
    return named or engine.players[0]


class PlayValues(ABC, Generic[P, M]):
    """Values of a game whose successors are its engine's own."""

    def __init__(self, engine: Engine[P, M], hero: str, has_chance: bool) -> None:
        self.engine, self.hero, self.has_chance = engine, hero, has_chance

    @abstractmethod
    def stored(self, position: P, player: str) -> Worth:
        """The worth of an unfinished position to the side whose turn it is, named `player`."""

    def side(self, player: str) -> str:
        """The name of a player's side."""
        return player if len(self.engine.players) <= 2 or player == self.hero else OTHERS

    def worth(self, position: P) -> Worth:
        """The worth to the side whose turn it is, or to the hero after the end."""
        end = self.engine.end(position)
        if end is not None:
            return self.ended(seen_by(end, self.hero, self.engine.players), self.hero)
        return self.stored(position, self.side(self.engine.actor(position)))

    def ended(self, kind: Kind, player: str) -> Worth:
        return Worth(player, values=ENDED[kind]) if self.has_chance else Worth(player, Outcome(kind + 1), 0)

    def ways(self, position: P) -> list[Way[P]]:
        """Each move, best first for the side whose turn it is, or each outcome of chance, in order."""
        who, following = steps(self.engine, position)
        if not following:
            return []
        player = self.side(self.engine.actor(position))
        ways = [Way(step, self._after(step.result, player)) for step in following]
        return ways if who is Who.CHANCE else sorted(ways, key=lambda way: (way.worth.rank, way.step.label))

    def _after(self, position: P, player: str) -> Worth:
        end = self.engine.end(position)
        if end is None:
            worth = self.worth(position).seen_by(player)
        else:
            kind = seen_by(end, self.hero, self.engine.players)
            worth = self.ended(kind if player == self.hero else FLIPPED[kind], player)
        return worth if worth.distance is None else replace(worth, distance=worth.distance + 1)

    def best(self, position: P) -> list[str] | dict[str, str]:
        """All best moves; if chance is to act, one for each outcome that leaves a choice."""
        who, following = steps(self.engine, position)
        if who is Who.CHANCE:
            after = {step.label: self.choices(step.result) for step in following}
            return {label: ways[0].step.label for label, ways in after.items() if ways}
        ways = self.choices(position)
        return [way.step.label for way in ways if way.worth.rank == ways[0].worth.rank]

    def choices(self, position: P) -> list[Way[P]]:
        """The moves, best first; none if no player is to act."""
        return [way for way in self.ways(position) if not way.step.by_chance]

    def best_line(self, position: P) -> list[str]:
        """Best play from here to the end; empty for a draw, which has no end."""
        line = []
        while (ways := self.choices(position)) and ways[0].worth.distance is not None:
            line.append(ways[0].step.label)
            position = ways[0].step.result
        return line
