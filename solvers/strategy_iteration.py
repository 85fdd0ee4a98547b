"""Strategy iteration in a game of walks, in floats: what it finds is a proposal, and nothing is proved here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np

from solvers.policies import Plan, Plans, Values
from solvers.walks import Walks

ROUNDS = 60  # of one player
GAIN = 0.5  # what a reply has to gain by a switch, by the price of a turn: it must not leave all of it
TRUST = 0.1  # how well equations are solved, by what switches have to gain


class Loss(NamedTuple):
    """What a turn loses, so that nothing goes round in circles: as the game may break off, or as there is a price."""

    size: float
    priced: bool = False

    @property
    def left(self) -> float:
        """By a reply that does not gain more with a switch."""
        return GAIN * self.size if self.priced else self.size

    @property
    def breaks(self) -> float:
        return 0.0 if self.priced else self.size

    @property
    def bonus(self) -> float:
        return -self.size if self.priced else 0.0


class StrategyIteration:
    """The protagonist's plan, improved against the opponent's best reply.

    A turn always loses a little. So values fall along every play, also where it could go in circles; and as long as
    the equations are solved better than that, no switch leads into a circle that is worth nothing.
    """

    def __init__(
        self,
        game: Walks,
        values: list[Values],
        plans: Sequence[Plan] = (),
        executor: Executor | None = None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """These plans, or those that are best for these values of f and g, which are taken away to make room. `tell`
        hears of every reply."""
        self.game, self.plans, self.tell = game, Plans(game, executor), tell
        self.take(values)
        if plans:
            self.plans.take_up(plans)
        else:
            self._improve(0, 0.0)
            self._improve(1, 0.0)

    def take(self, values: list[Values]) -> None:
        """f and g, by the mover's numbers, to go on from; they are taken away to make room."""
        self.waits, self.rolls = self.plans.worth(1, values.pop()), self.plans.worth(0, values.pop())

    def give(self) -> list[Values]:
        """What the plans are worth, by position as the protagonist sees it: before the own roll, and before the
        opponent's. It is given away, and has to be replaced."""
        found = [self.rolls[:-2], self.waits[:-2]]
        self.rolls = self.waits = np.zeros(0)
        return found

    def _improve(self, role: int, gain: float) -> int:
        return self.plans.improve(role, self.rolls if role else self.waits, gain)

    def settle(self, loss: Loss, few: float) -> Iterator[int]:
        """Improve until no more than `few` switches, by position, gain anything; yields how many a round had."""
        for _ in range(ROUNDS):
            error = self.best_reply(loss)
            switched = self._improve(0, max(loss.size, error / TRUST))
            yield switched
            if switched <= few * self.game.size:
                return

    def best_reply(self, loss: Loss) -> float:
        """The opponent's, against the protagonist's plan as it stands; how well the last equations were solved."""
        for _ in range(ROUNDS):
            exactly = TRUST * loss.left
            error = self.plans.evaluate(self.rolls, self.waits, exactly, breaks=loss.breaks, bonus=loss.bonus)
            switched = self._improve(1, max(loss.left, error / TRUST))
            self.tell(f"best reply, {switched:,} switches")
            if not switched:
                break
        return error
