"""Positions that a game calls alike must be alike: the solvers keep one of them for all."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from rulecheck.contract import winner_of
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError
from rulecheck.registry import Choice
from rulecheck.spaces import normaliser
from rulecheck.views import View, ended_view, require_two, turns, turns_view, view

WHOLE = 100_000  # positions in play up to which each is compared with the one that is kept for it ...
SAMPLE = 1_000  # ... and beyond: one result of so many positions drawn by lot


class Alike(NamedTuple):
    """How many positions were compared with what they are called alike to, and was that everywhere in play?"""

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
    if not has_symmetry(choice):
        return None
    checker = _Checker(choice)
    if size <= whole and checker.everywhere(whole, report):
        return Alike(checker.compared, everywhere=True)
    rng = random.Random(seed)
    for number in rng.sample(range(size), min(sample, size)):
        position = kept(number)
        if position is not None:
            checker.one_result(position, rng)
    return Alike(checker.compared, everywhere=False)


def has_symmetry(choice: Choice) -> bool:
    return choice.game.hints.normaliser(choice.params) is not None


class _Checker:
    def __init__(self, choice: Choice) -> None:
        self.engine, self.normalised, self.compared = choice.engine(), normaliser(choice), 0
        self.views: dict[Any, View] = {}  # of the positions that are kept
        self.players: set[str | None] = set()

    def everywhere(self, most: int, report: Report) -> bool:
        """Were these all positions in play?"""
        seen = {self.engine.start()}
        queue = list(seen)
        for position in queue:
            report(f"{self.compared:,} positions compared with what they are called alike to", 0.0)
            new = dict.fromkeys(result for result in self.compare(position) if result not in seen)
            seen.update(new)
            queue += new
            if len(seen) > most:
                return False
        return True

    def one_result(self, position: Any, rng: random.Random) -> None:
        if winner_of(self.engine, position) is None:
            results = [result for results in turns(self.engine, position) for result in results]
            if results:
                self.compare(rng.choice(results))

    def compare(self, position: Any) -> list[Any]:
        """With what is kept for it; returns the results of its moves."""
        winner, image = winner_of(self.engine, position), self.normalised(position)
        options = [] if winner is not None else turns(self.engine, position)
        self.players |= {position.mover, winner, *(result.mover for results in options for result in results)}
        require_two(self.players)
        if image != position:
            self.compared += 1
            if image not in self.views:
                self.views[image] = view(self.engine, self.normalised, image)
            here = (
                turns_view(self.engine, self.normalised, position, options)
                if winner is None
                else ended_view(position, winner)
            )
            if here != self.views[image]:
                raise InputError(f"the game calls {position} and {image} alike, but their moves or ends are not")
        return [result for results in options for result in results]
