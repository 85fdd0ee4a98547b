"""What plans prove in a game of walks: values that stay on the safe side of what a turn makes of them, with some room.

If one player keeps to a plan, the other one plays alone against the dice, and the best that can be done can be found.
Here every turn of the protagonist's has a price (for lower bounds) or a bonus (for upper bounds), so that a value
differs from what the next turn is worth by about that much, and neither rounding nor what equations are not solved
to does any harm. What that costs is the price, times as many turns as are played.

`Floor`: the protagonist's plan is given. The opponent, who would like to make the protagonist pay, may go round for
ever; then nothing is won, and nothing is claimed.

`Ceiling`: the opponent's plan is given. The protagonist, who gets something for every turn, would like to go round for
ever. So circles (`solvers.walk_circles`) are left at once, by their best way out. Then all plays come to an end,
whatever the protagonist does, and every plan has a value.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numba import njit

from solvers.graph import Progress, silent
from solvers.walk_circles import NOWHERE, find_circles
from solvers.walk_plans import UNPLANNED, Plans, Values

PRICES = (1e-8, 1e-13)  # of a turn: first a high one, with which equations need not be solved so well
TRUST = 0.1  # how well equations are solved, by the price
GAIN = 0.5  # what a switch has to gain, by the price
APART = 0.1  # by how much, by the price, a circle is lifted above its values, which are only nearly equal
ROUNDS = 100  # with each price


class _Reply(ABC):
    """The best reply to a plan, found from these values on, which are changed."""

    what: str

    def __init__(self, plans: Plans, f: Values, waits: Values, progress: Progress = silent) -> None:
        self.plans, self.f, self.waits, self.progress = plans, f, waits, progress

    def values(self) -> list[Values]:
        """By position as the protagonist sees it: before the own roll, and before the opponent's."""
        for price in PRICES:
            self._settle(price)
        return [self.f[:-2], self.waits[:-2]]

    def _settle(self, price: float) -> None:
        for done in range(ROUNDS):
            switched = self.improve(price)
            self.progress(f"{self.what} by plans, {switched:,} switches, {price:.0e} a turn", done / ROUNDS)
            if not switched:
                break

    @abstractmethod
    def improve(self, price: float) -> int:
        """See what the reply is worth, and make it better; how often was it done?"""


class Floor(_Reply):
    """Lower bounds from the best reply to the protagonist's plan."""

    what = "lower bounds"

    def __init__(self, plans: Plans, f: Values, waits: Values, progress: Progress = silent) -> None:
        super().__init__(plans.with_own(1), f, waits, progress)

    def improve(self, price: float) -> int:
        self.plans.evaluate(self.f, self.waits, TRUST * price, bonus=-price)
        return self.plans.improve(1, self.f, GAIN * price)


class Ceiling(_Reply):
    """Upper bounds from the best reply to the opponent's plan."""

    what = "upper bounds"

    def __init__(self, plans: Plans, f: Values, waits: Values, progress: Progress = silent) -> None:
        self.circles = find_circles(plans.game, plans.plans[1], plans.crew, progress)
        self.inside = np.flatnonzero(self.circles.rolls != NOWHERE)
        super().__init__(plans.with_own(0), f, waits, progress)
        self.out = np.full(self.circles.number, plans.lost, dtype=np.int32)  # where to leave a circle for
        self._leave(0.0)

    def values(self) -> list[Values]:
        found = super().values()
        self._level(found)
        return found

    def improve(self, price: float) -> int:
        self.plans.evaluate(self.f, self.waits, TRUST * price, bonus=price, ends=True)
        self.plans.plans[0][self.inside] = UNPLANNED  # all their best ways will be found
        switched = self.plans.improve(0, self.waits, GAIN * price)
        return switched - len(self.inside) * self.plans.game.die + self._leave(GAIN * price)

    def _leave(self, gain: float) -> int:
        """Leave circles by better ways out than before, among those that are planned; how many have one?"""
        mine, circles = self.plans.plans[0], self.circles
        better: int = _ways_out(mine, self.inside, circles, self.waits, self.waits[self.out] + gain, self.out)
        mine[self.inside] = self.out[circles.rolls[self.inside], None]
        return better

    def _level(self, values: list[Values]) -> None:
        """Make all of a circle worth the same."""
        worth, parts = np.zeros(self.circles.number), []
        for x, found in zip(values, (self.circles.rolls, self.circles.waits), strict=True):
            inside = found != NOWHERE
            parts.append((x, inside, found[inside]))
            np.maximum.at(worth, found[inside], x[inside])
        for x, inside, circle in parts:
            x[inside] = worth[circle] + APART * PRICES[-1]


@njit(cache=True)
def _ways_out(plan: Any, inside: Any, circles: Any, y: Any, worth: Any, out: Any) -> int:
    """The best of the planned ways out of each circle that are worth more than what is known; how many have one?"""
    better = np.zeros(len(out), dtype=np.bool_)
    for i in inside:
        c = circles.rolls[i]
        for end in plan[i]:
            leaves = end >= len(circles.waits) or circles.waits[end] != c
            if leaves and y[end] > worth[c]:
                worth[c], out[c], better[c] = y[end], end, True
    return int(better.sum())
