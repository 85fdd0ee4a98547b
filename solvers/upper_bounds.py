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

from solvers import walk_guess
from solvers.compiled import njit
from solvers.graph import Progress, silent
from solvers.walk_circles import Circles
from solvers.walk_guess import GAIN, TRUST
from solvers.walk_plans import UNPLANNED, Plans, Values

APART = 0.1  # by how much, by the bonus, a circle is lifted above its values, which are only nearly equal


class Ceiling:
    """The protagonist's best reply, found from what positions are worth before the opponent's roll, or nearly."""

    def __init__(
        self, plans: Plans, circles: Circles, waits: Values, bonus: float, progress: Progress = silent
    ) -> None:
        self.circles, self.inside = circles, circles.rolls.positions
        self.plans, self.waits, self.bonus, self.progress = plans.with_own(0), waits, bonus, progress
        self.out = np.full(self.circles.number, plans.lost, dtype=np.int32)  # where to leave a circle for
        self._leave()

    def values(self) -> list[Values]:
        """By position as the protagonist sees it: before the own roll, and before the opponent's."""
        for done in range(walk_guess.ROUNDS):
            self._evaluate()
            switched = self._improve()
            self.progress(f"bounds from above, {switched:,} switches", done / walk_guess.ROUNDS)
            if not switched:
                break
        rolls = self._before_roll()
        found = [rolls[:-2], self.plans.before(1, rolls)[:-2]]
        self._level(found)
        return found

    def _before_roll(self) -> Values:
        """Not kept while plans are improved, to make room."""
        return self.plans.before(0, self.waits, self.bonus)

    def _evaluate(self) -> None:
        exactly = TRUST * GAIN * self.bonus
        self.plans.evaluate(self._before_roll(), self.waits, exactly, bonus=self.bonus, ends=True)

    def _improve(self) -> int:
        self.plans.plans[0][self.inside] = UNPLANNED  # all their best ways will be found
        switched = self.plans.improve(0, self.waits, GAIN * self.bonus)
        return switched - len(self.inside) * self.plans.game.die + self._leave()

    def _leave(self) -> int:
        """Leave circles by better ways out than before, among those that are planned; how many have one?"""
        mine, circles = self.plans.plans[0], self.circles
        better: int = _ways_out(mine, circles, self.waits, self.waits[self.out] + GAIN * self.bonus, self.out)
        mine[self.inside] = self.out[circles.rolls.circle, None]
        return better

    def _level(self, values: list[Values]) -> None:
        """Make all of a circle worth the same."""
        worth, parts = np.zeros(self.circles.number), (self.circles.rolls, self.circles.waits)
        for x, members in zip(values, parts, strict=True):
            np.maximum.at(worth, members.circle, x[members.positions])
        for x, members in zip(values, parts, strict=True):
            x[members.positions] = worth[members.circle] + APART * self.bonus


@njit(cache=True)
def _ways_out(plan: Any, circles: Any, y: Any, worth: Any, out: Any) -> int:
    """The best of the planned ways out of each circle that are worth more than what is known; how many have one?"""
    better = np.zeros(len(out), dtype=np.bool_)
    waits = circles.waits
    for j in range(len(circles.rolls.positions)):
        c = circles.rolls.circle[j]
        for end in plan[circles.rolls.positions[j]]:
            at = np.searchsorted(waits.positions, end)
            stays = at < len(waits.positions) and waits.positions[at] == end and waits.circle[at] == c
            if not stays and y[end] > worth[c]:
                worth[c], out[c], better[c] = y[end], end, True
    return int(better.sum())
