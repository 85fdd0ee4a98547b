"""Upper bounds in a game of walks: the best reply to the opponent's plan, with a little more than it is worth.

If the opponent keeps to a plan, the protagonist plays alone against the dice. Every turn of the protagonist's brings a
bonus here, so that a value exceeds what the next turn is worth by about that much, whichever way the protagonist goes;
neither rounding nor what equations are not solved to does any harm. What that costs is the bonus, times as many turns
as are played.

Who gets something for every turn would like to go round for ever. So circles (`solvers.walk_circles`) are left at
once, by their best way out. Then all plays come to an end, whatever the protagonist does, and every plan has a value.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from solvers import walk_guess
from solvers.graph import Progress, silent
from solvers.walk_circles import NOWHERE, find_circles
from solvers.walk_guess import GAIN, TRUST
from solvers.walk_plans import UNPLANNED, Plans, Values

APART = 0.1  # by how much, by the bonus, a circle is lifted above its values, which are only nearly equal


class Ceiling:
    """The protagonist's best reply, found from these values on, which are changed."""

    def __init__(self, plans: Plans, f: Values, waits: Values, bonus: float, progress: Progress = silent) -> None:
        self.circles = find_circles(plans.game, plans.plans[1], plans.crew, progress)
        self.inside = np.flatnonzero(self.circles.rolls != NOWHERE)
        self.plans, self.f, self.waits, self.bonus, self.progress = plans.with_own(0), f, waits, bonus, progress
        self.out = np.full(self.circles.number, plans.lost, dtype=np.int32)  # where to leave a circle for
        self._leave()

    def values(self) -> list[Values]:
        """By position as the protagonist sees it: before the own roll, and before the opponent's."""
        for done in range(walk_guess.ROUNDS):
            self.plans.evaluate(self.f, self.waits, TRUST * GAIN * self.bonus, bonus=self.bonus, ends=True)
            switched = self._improve()
            self.progress(f"bounds from above, {switched:,} switches", done / walk_guess.ROUNDS)
            if not switched:
                break
        found = [self.f[:-2], self.waits[:-2]]
        self._level(found)
        return found

    def _improve(self) -> int:
        self.plans.plans[0][self.inside] = UNPLANNED  # all their best ways will be found
        switched = self.plans.improve(0, self.waits, GAIN * self.bonus)
        return switched - len(self.inside) * self.plans.game.die + self._leave()

    def _leave(self) -> int:
        """Leave circles by better ways out than before, among those that are planned; how many have one?"""
        mine, circles = self.plans.plans[0], self.circles
        better: int = _ways_out(
            mine, self.inside, circles, self.waits, self.waits[self.out] + GAIN * self.bonus, self.out
        )
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
            x[inside] = worth[circle] + APART * self.bonus


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
