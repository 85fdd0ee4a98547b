"""Positions that a game declares symmetric must be so, because the solvers keep one of them for all.

What can come of a position is compared step by step: how likely chance brings what, where moves lead, who is to act
there and how the game ends there. In a game of two all of this is seen by the player whose turn it is, so that a
symmetry may swap the players; with more players it must leave them as they are.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from typing import Any, Generic, NamedTuple

from rulecheck.bridge import seen_by
from rulecheck.contract import End, Engine, M, P
from rulecheck.explore import Step, Who, steps
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError
from rulecheck.registry import Choice
from rulecheck.solve.spaces import alike_of
from solvers.graph import Kind

WHOLE = 100_000  # positions in play up to which each is compared with the one that is kept for it ...
SAMPLE = 1_000  # ... and beyond: one result of this many positions drawn at random
LONGEST = 100  # outcomes of chance before a player is to move

View = tuple[str, tuple[tuple[str, int], ...]]  # who acts here, and each result with its weight


class Alike(NamedTuple):
    """How many positions were compared with their representatives, and whether these were all in play."""

    compared: int
    everywhere: bool

    def as_json(self) -> dict[str, Any]:
        return self._asdict()


def check_alike(
    choice: Choice,
    size: int,
    kept: Callable[[int], Any],
    *,
    whole: int = WHOLE,
    sample: int = SAMPLE,
    seed: int = 0,
    report: Report = ignore,
) -> Alike | None:
    """Refuse a false symmetry; `kept` gives the positions with the numbers below `size` that are kept, or None.

    Everywhere in play means that kept positions and those in play lead to each other, move by move, to the end. None
    if the game calls no positions alike.
    """
    alike = alike_of(choice)
    if alike is None:
        return None
    checker = _Checker(choice.engine(), alike)
    if size <= whole and checker.everywhere(whole, report):
        return Alike(checker.compared, everywhere=True)
    rng = random.Random(seed)
    for number in rng.sample(range(size), min(sample, size)):
        position = kept(number)
        if position is not None:
            checker.one_result(position, rng)
    return Alike(checker.compared, everywhere=False)


class _Checker(Generic[P, M]):
    def __init__(self, engine: Engine[P, M], alike: Callable[[P], P]) -> None:
        self.engine, self.alike, self.compared = engine, alike, 0
        self.views: dict[P, View] = {}  # of the representatives

    def everywhere(self, most: int, report: Report) -> bool:
        """Compare up to `most` positions; were these all positions in play?"""
        queue = [self.engine.start()]
        seen = set(queue)
        for position in queue:
            report(f"{self.compared:,} positions compared with their symmetric counterparts", 0.0)
            new = dict.fromkeys(step.result for step in self.compare(position) if step.result not in seen)
            seen.update(new)
            queue += new
            if len(seen) > most:
                return False
        return True

    def one_result(self, position: P, rng: random.Random) -> None:
        """Compare the result of a random move, after any outcomes of chance before it."""
        for _ in range(LONGEST):
            who, ways = steps(self.engine, position)
            if not ways:
                return
            position = rng.choice(ways).result
            if who is Who.PLAYER:
                self.compare(position)
                return

    def compare(self, position: P) -> list[Step[P]]:
        """Compare a position with its representative; return the ways on."""
        who, ways = steps(self.engine, position)
        image = self.alike(position)
        if image != position:
            self.compared += 1
            if image not in self.views:
                self.views[image] = self._view(image, *steps(self.engine, image))
            if self._view(position, who, ways) != self.views[image]:
                raise InputError(f"the game calls {position} and {image} alike, but their moves or ends are not")
        return ways

    def _view(self, position: P, who: Who, ways: list[Step[P]]) -> View:
        """Results of moves count once; outcomes of chance count with their weights."""
        end = self.engine.end(position)
        if end is not None:
            return self._ended(end), ()
        actor = self.engine.actor(position)
        here = who.name if len(self.engine.players) == 2 else f"{who.name} {actor}"
        if who is not Who.CHANCE:
            return here, tuple(sorted({(self._leads_to(step.result, actor), 1) for step in ways}))
        weights: Counter[str] = Counter()
        for step in ways:
            weights[self._leads_to(step.result, actor)] += step.weight
        common = math.gcd(*weights.values()) or 1
        return here, tuple(sorted((result, weight // common) for result, weight in weights.items()))

    def _ended(self, end: End) -> str:
        """How the game ended; of two players, `_leads_to` gives the winner, since nobody is to act any more."""
        players = self.engine.players
        if len(players) != 2:
            return f"ended, {end.winners}"
        return "a tie" if seen_by(end, players[0], players) is Kind.TIE else "won"

    def _leads_to(self, position: P, before: str) -> str:
        """The result of a way on, seen by the player whose turn it was."""
        players, end = self.engine.players, self.engine.end(position)
        if end is not None:
            return seen_by(end, before, players).name if len(players) == 2 else f"ended, {end.winners}"
        actor = self.engine.actor(position)
        who = actor if len(players) != 2 else "same" if actor == before else "other"
        return f"{who} {self.alike(position)}"
