"""Strategy iteration in a game of walks, in floats: what it finds is a proposal, and nothing is proved here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor

import numpy as np

from solvers.walk_plans import Plan, Plans, Values
from solvers.walks import Walks

ROUNDS = 60  # of one player
SAMPLED = 16  # one position of so many is asked what breaking off costs
TRUST = 0.1  # how well equations are solved, by what is lost in a turn if the game breaks off


class Guess:
    """The protagonist's plan, improved against the opponent's best reply.

    The game is one that breaks off, now and then, before a turn. So values fall a little along every play, also
    where it could go in circles; and as long as the equations are solved better than that, no switch leads
    into a circle that is worth nothing.
    """

    def __init__(
        self, game: Walks, values: list[Values], plans: Sequence[Plan] = (), executor: Executor | None = None
    ) -> None:
        """These plans, or those that are best for these values of f and g, which are taken away to make room."""
        self.game, self.plans = game, Plans(game, executor)
        self.waits, self.rolls = self.plans.worth(1, values.pop()), self.plans.worth(0, values.pop())
        if plans:
            self.plans.take_up(plans)
        else:
            self._improve(0, 0.0)
            self._improve(1, 0.0)

    def _improve(self, role: int, gain: float) -> int:
        return self.plans.improve(role, self.rolls if role else self.waits, gain)

    def settle(self, breaks: float, few: float) -> Iterator[int]:
        """Improve until no more than `few` switches, by position, gain anything; yields how many a round had."""
        for _ in range(ROUNDS):
            error = self.best_reply(breaks)
            switched = self._improve(0, max(breaks, error / TRUST))
            yield switched
            if switched <= few * self.game.size:
                return

    def best_reply(self, breaks: float) -> float:
        """The opponent's, against the protagonist's plan as it stands; how well the last equations were solved."""
        for _ in range(ROUNDS):
            error = self.plans.evaluate(self.rolls, self.waits, breaks * TRUST, breaks=breaks)
            if not self._improve(1, max(breaks, error / TRUST)):
                break
        return error

    def costs(self, rarer: float) -> float:
        """How much more these plans are worth, at most in a sample of positions, if the game breaks off more rarely;
        as it does from now on."""
        before = self.rolls[::SAMPLED].copy()
        self.plans.evaluate(self.rolls, self.waits, rarer * TRUST, breaks=rarer)
        return float(np.abs(self.rolls[::SAMPLED] - before).max())
