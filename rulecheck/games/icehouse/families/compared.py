"""Icehouse: both encodings asked everything about one position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from rulecheck.games.icehouse.pieces import (
    SIZES,
    TIME,
    Call,
    Capture,
    Crash,
    Event,
    Gift,
    Lift,
    Melt,
    Params,
    Position,
    Return,
)
from rulecheck.model import Result, Status, Witness, agreement
from rulecheck.pyramids import Pyramid


def small_events(position: Position, sizes: Iterable[int] = ()) -> Iterator[Event]:
    """Everything but placements, allowed or not: each player, each piece of these or else of all sizes, each number."""
    players = position.params.colours
    sizes = sizes or [size for size, count in zip(SIZES, position.params.pieces, strict=True) if count]
    pyramids = [Pyramid(colour, size) for colour in players for size in sizes]
    gifts = [Gift(pyramid, to) for pyramid, to in product(pyramids, players)]
    yield TIME
    for k in players:
        yield from (Return(k), Melt(k), Call(k))
        yield from (Lift(k, pyramid) for pyramid in pyramids)
        yield from (Capture(k, number) for number in range(1, len(position.pieces) + 2))
        for gift in gifts:
            yield from (Call(k, gift), Crash(k, gift))


class Comparison:
    """Two encodings with the same parameters and readings; `cases` counts what they were asked."""

    def __init__(self, engine: Any, spec: Any) -> None:
        self.engine, self.spec, self.cases = engine, spec, 0

    @property
    def params(self) -> Params:
        params: Params = self.engine.params
        return params

    def event(self, position: Position, event: Event) -> Witness | None:
        """Where they differ on an event: whether it is allowed, why not, what comes of it."""
        self.cases += 1
        one, other = self.engine.judge(position, event), self.spec.judge(position, event)
        if not agreement(one, other):
            return self._witness(position, event, f"engine: {one}; constraints: {other}")
        if one.legal:
            result, said = self.engine.play(position, event), self.spec.after(position, event)
            if result != said:
                return self._witness(position, event, f"engine: {result}; constraints: {said}")
        return None

    def count(self, position: Position) -> Witness | None:
        """Where they differ on the points, the leaders, the end and the winners."""
        self.cases += 1
        one, other = (
            (side.scores(position), side.leaders(position), side.over(position), side.winners(position))
            for side in (self.engine, self.spec)
        )
        return None if one == other else self._witness(position, None, f"engine: {one}; constraints: {other}")

    def attacks(self, position: Position) -> Witness | None:
        """Where they differ on who attacks whom."""
        self.cases += 1
        status, pieces = self.spec.status(position), range(len(position.pieces))
        said = tuple(next((d for d in pieces if d != a and status.attacks(a, d)), None) for a in pieces)
        one = self.engine.attacks(position)
        return None if one == said else self._witness(position, None, f"engine: {one}; constraints: {said}")

    def listed(self, position: Position) -> Witness | None:
        """Where what the engine lists is not one event for each result that the constraints allow without a placement.

        The listed events are asked of both, so what is listed is also what the engine's verdict allows.
        """
        self.cases += 1
        listed = self.engine.moves(position)
        stated: dict[Any, Any] = {}
        for event in small_events(position):
            if self.spec.judge(position, event).legal:
                stated.setdefault(self.spec.after(position, event), event)
        for event, result in listed.items():
            wrong = self.event(position, event)
            if wrong or stated.pop(result, None) is None:
                return wrong or self._witness(position, event, "listed twice by the engine, or not to be listed")
        missing = next(iter(stated.values()), None)
        return missing and self._witness(position, missing, "no event with this result is listed by the engine")

    def all_of(self, position: Position, events: Iterable[Event]) -> Witness | None:
        for witness in (self.count(position), self.attacks(position)):
            if witness:
                return witness
        return next(filter(None, (self.event(position, event) for event in events)), None)

    def _witness(self, position: Position, event: Event | None, note: str) -> Witness:
        move = None if event is None else str(event)
        return Witness(str(position), move, note, self.params.as_dict(), self.engine.readings)


def result(comparisons: Iterable[tuple[Comparison, Witness | None]], scope: str, *, sample: bool) -> Result:
    """Refuted by the first difference; without one a sample stays a sample."""
    seen: dict[int, int] = {}
    for comparison, witness in comparisons:
        seen[id(comparison)] = comparison.cases
        if witness:
            return Result(Status.REFUTED, scope, witness, sum(seen.values()))
    return Result(Status.UNKNOWN if sample else Status.PROVED, scope, cases=sum(seen.values()), sample=sample)
