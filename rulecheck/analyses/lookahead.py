"""Lookahead in games too large to be solved: what can be forced within a number of moves.

Every value is a lower bound that holds whatever comes later: a line undecided within the moves counts for nobody. So a
forced win is a fact, and "not within N moves" says nothing about later moves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic

from rulecheck.bridge import seen_by
from rulecheck.contract import EVERYBODY, Engine, M, P
from rulecheck.explore import Who, steps
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError
from solvers.graph import Kind

LOOKED = 100_000  # positions by default; each counts again for another number of moves
SURE, NOTHING = Fraction(1), Fraction(0)


class _OutOfBudget(Exception):
    """The search visited more positions than allowed."""


@dataclass(frozen=True)
class Foreseen:
    """What one player, and all others together, can at least force within `depth` moves."""

    player: str
    asked: int  # moves
    depth: int  # moves searched completely
    low: Fraction
    opponent_low: Fraction
    best: tuple[str, ...]  # the moves that force `low`, if that is anything
    line: tuple[str, ...]  # to the win, against the longest defence; without chance only
    visited: int

    @property
    def result(self) -> str:
        """`win` or `loss` if it is forced; else `open`."""
        return "win" if self.low == SURE else "loss" if self.opponent_low == SURE else "open"

    @property
    def is_complete(self) -> bool:
        """Was the game decided, or the search as deep as asked?"""
        return self.result != "open" or self.depth == self.asked

    def as_json(self) -> dict[str, Any]:
        return {
            "for": self.player,
            "result": self.result,
            "asked": self.asked,
            "depth": self.depth,
            "low": _below(self.low),
            "opponent": {"low": _below(self.opponent_low)},
            "best": list(self.best),
            "line": list(self.line),
            "visited": self.visited,
        }

    def __str__(self) -> str:
        moves = f"{self.depth} move{'s' * (self.depth != 1)}"
        if self.result != "open":
            verb = "forces a win" if self.result == "win" else "cannot keep the others from winning"
            return f"{self.player} {verb} within {moves}"
        short = "" if self.is_complete else f"; {self.visited:,} positions were not enough for {self.asked}"
        if not self.low and not self.opponent_low:
            return f"no forced win within {moves}, for either side{short}"
        lows = f"at least {_share(self.low)}", f"at least {_share(self.opponent_low)}"
        return f"within {moves} {self.player} can force {lows[0]} of a win, the others {lows[1]}{short}"


def _share(low: Fraction) -> str:
    """Four digits, rounded down so that the printed bound still holds."""
    return f"{int(low * 10_000) / 10_000:.4f}"


def _below(low: Fraction) -> float:
    """The nearest float that is not larger."""
    near = float(low)
    return near if Fraction(near) <= low else math.nextafter(near, 0)


class Lookahead(Generic[P, M]):
    """What can be forced from positions of one game, seen by one player."""

    def __init__(self, engine: Engine[P, M], player: str, limit: int) -> None:
        self.engine, self.player, self.limit = engine, player, limit
        self.visited = 0
        self._known: dict[tuple[P, int, Kind], Fraction] = {}

    def value(self, position: P, depth: int, goal: Kind, path: tuple[P, ...] = ()) -> Fraction:
        """How much of `goal` (a win of the player, or a loss) can at least be forced within `depth` moves."""
        key = position, depth, goal
        if key not in self._known:
            self.visited += 1
            if self.visited > self.limit:
                raise _OutOfBudget
            self._known[key] = self._value(position, depth, goal, path)
        return self._known[key]

    def _value(self, position: P, depth: int, goal: Kind, path: tuple[P, ...]) -> Fraction:
        end = self.engine.end(position)
        if end is not None:
            return SURE if seen_by(end, self.player, self.engine.players) is goal else NOTHING
        who, ways = steps(self.engine, position)
        if who is Who.CHANCE:
            if position in path:  # chance may go in circles; then nothing is decided
                return NOTHING
            whole = sum(way.weight for way in ways)
            parts = (way.weight * self.value(way.result, depth, goal, (*path, position)) for way in ways)
            return sum(parts, NOTHING) / whole
        if depth == 0 or not ways:
            return NOTHING
        return self._chosen([way.result for way in ways], depth - 1, goal, self.is_own(position) == (goal is Kind.WIN))

    def _chosen(self, results: Sequence[P], depth: int, goal: Kind, wanted: bool) -> Fraction:
        """The best value of the goal for the side to act; the search stops when nothing can be better."""
        enough, best = (SURE, NOTHING) if wanted else (NOTHING, SURE)
        for result in results:
            value = self.value(result, depth, goal)
            best = max(best, value) if wanted else min(best, value)
            if best == enough:
                break
        return best

    def is_own(self, position: P) -> bool:
        actor = self.engine.actor(position)
        if actor == EVERYBODY:
            raise InputError("everybody may act at any time in this game, so nobody can look moves ahead")
        return actor == self.player

    def needed(self, position: P, depth: int) -> int:
        """The fewest moves, up to `depth`, that make the win sure; `depth` + 1 if none do."""
        return next((n for n in range(depth + 1) if self.value(position, n, Kind.WIN) == SURE), depth + 1)

    def line(self, position: P, depth: int) -> tuple[str, ...]:
        """A forced win: the quickest moves against the longest defence; up to where chance acts."""
        moves: list[str] = []
        while depth > 0:
            who, ways = steps(self.engine, position)
            if who is not Who.PLAYER or not ways:
                break
            choose = min if self.is_own(position) else max
            way = choose(ways, key=lambda way: self.needed(way.result, depth - 1))
            moves.append(way.label)
            position, depth = way.result, depth - 1
        return tuple(moves)


def look_ahead(
    engine: Engine[P, M],
    position: P,
    depth: int,
    *,
    player: str | None = None,
    limit: int = LOOKED,
    report: Report = ignore,
) -> Foreseen:
    """Search deeper and deeper until something is forced, the moves asked for are done, or the budget is."""
    if engine.end(position) is not None:
        raise InputError(f"the game is over at {position}, so there is nothing to look for")
    search = Lookahead(engine, engine.actor(position) if player is None else player, limit)
    search.is_own(position)
    done, low, other = 0, NOTHING, NOTHING
    try:
        for moves in range(1, depth + 1):
            report(f"{moves} moves ahead, {search.visited:,} positions", moves / (depth + 1))
            values = search.value(position, moves, Kind.WIN), search.value(position, moves, Kind.LOSS)
            done, low, other = moves, *values
            if SURE in values:
                break
    except _OutOfBudget:
        pass  # what is known so far still holds
    visited, search.limit = search.visited, search.visited + limit
    best, line = _best(search, position, done, low), _line(search, position, done, low)
    return Foreseen(search.player, depth, done, low, other, best, line, visited)


def _best(search: Lookahead[P, M], position: P, done: int, low: Fraction) -> tuple[str, ...]:
    """The moves that force `low`, as far as a second budget allows the search."""
    who, ways = steps(search.engine, position)
    if who is not Who.PLAYER or not low or not search.is_own(position):
        return ()
    labels: list[str] = []
    try:
        for way in ways:
            labels += [way.label] if search.value(way.result, done - 1, Kind.WIN) == low else []
    except _OutOfBudget:
        pass
    return tuple(labels)


def _line(search: Lookahead[P, M], position: P, done: int, low: Fraction) -> tuple[str, ...]:
    try:
        return search.line(position, done) if low == SURE else ()
    except _OutOfBudget:
        return ()
