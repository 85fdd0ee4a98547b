"""Strategy iteration in a game of walks, in floats: the result is a proposal, and nothing is proved here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np

from solvers.policies import Plan, Plans, Values
from solvers.walks import Walks

ROUNDS = 60  # of one player
GAIN = 0.5  # what a switch of a reply must gain, by the price of a turn: less than the whole price
TRUST = 0.1  # how exactly equations are solved, by what switches must gain


class Loss(NamedTuple):
    """What a turn loses, so that play never circles for free: by a discount, or by a price."""

    size: float
    priced: bool = False

    @property
    def left(self) -> float:
        """The gain below which a reply is not switched."""
        return GAIN * self.size if self.priced else self.size

    @property
    def breaks(self) -> float:
        return 0.0 if self.priced else self.size

    @property
    def bonus(self) -> float:
        return -self.size if self.priced else 0.0


class StrategyIteration:
    """The protagonist's plan, improved against the opponent's best reply.

    A turn always loses a little, so values fall along every play, even round a circle; and as long as the equations
    are solved more exactly than that, no switch leads into a worthless circle.
    """

    def __init__(
        self,
        game: Walks,
        values: list[Values],
        plans: Sequence[Plan] = (),
        executor: Executor | None = None,
        report: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Begin with these plans, or with those best for these values of f and g; the list of values is emptied to free
        memory. `report` receives a line for every reply."""
        self.game, self.plans, self.report = game, Plans(game, executor), report
        self.take(values)
        if plans:
            self.plans.take_up(plans)
        else:
            self._improve(0, 0.0)
            self._improve(1, 0.0)

    def take(self, values: list[Values]) -> None:
        """Go on from these f and g, by the mover's numbers; the list is emptied to free memory."""
        self.waits, self.rolls = self.plans.worth(1, values.pop()), self.plans.worth(0, values.pop())

    def give(self) -> list[Values]:
        """The values of the plans, by position as the protagonist sees it: before the own roll, and before the
        opponent's. The caller owns them; `take` must replace them."""
        values = [self.rolls[:-2], self.waits[:-2]]
        self.rolls = self.waits = np.zeros(0)
        return values

    def _improve(self, role: int, gain: float) -> int:
        return self.plans.improve(role, self.rolls if role else self.waits, gain)

    def settle(self, loss: Loss, few: float) -> Iterator[int]:
        """Improve until no more than `few` switches, by position, gain anything; yields the switches of each round."""
        for _ in range(ROUNDS):
            error = self.best_reply(loss)
            switched = self._improve(0, max(loss.size, error / TRUST))
            yield switched
            if switched <= few * self.game.size:
                return

    def best_reply(self, loss: Loss) -> float:
        """Find the opponent's best reply to the protagonist's current plan; return the last equations' residual."""
        for _ in range(ROUNDS):
            exactly = TRUST * loss.left
            error = self.plans.evaluate(self.rolls, self.waits, exactly, breaks=loss.breaks, bonus=loss.bonus)
            switched = self._improve(1, max(loss.left, error / TRUST))
            self.report(f"best reply, {switched:,} switches")
            if not switched:
                break
        return error
