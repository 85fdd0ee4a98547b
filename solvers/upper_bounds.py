"""Upper bounds in a game of walks: slightly more than the value of the best reply to the opponent's plan.

If the opponent keeps to a plan, the protagonist plays alone against the dice. Every turn of the protagonist brings a
bonus here, so a value exceeds that of the next turn by about the bonus, whatever the protagonist chooses; this absorbs
rounding and the residuals of the equations. It widens the bounds by the bonus times the number of turns played.

A player rewarded per turn would never stop. So the protagonist leaves each end component
(`solvers.end_components`) at once, by its best way out. Then every play ends, and every plan has a value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers import strategy_iteration
from solvers.compiled import njit
from solvers.end_components import EndComponents
from solvers.graph import Progress, silent
from solvers.policies import UNPLANNED, Plans, Values
from solvers.strategy_iteration import GAIN, TRUST

APART = 0.1  # of the bonus, by which a component is lifted above its values, which are only nearly equal


class UpperBounds:
    """The protagonist's best reply, from approximate values of positions before the opponent's roll."""

    def __init__(
        self, plans: Plans, components: EndComponents, waits: Values, bonus: float, progress: Progress = silent
    ) -> None:
        self.components, self.inside = components, components.rolls.positions
        self.plans, self.waits, self.bonus, self.progress = plans.with_own(0), waits, bonus, progress
        self.out = np.full(self.components.number, plans.lost, dtype=np.int32)  # the way out of each component
        self._leave()

    def values(self) -> list[Values]:
        """By position as the protagonist sees it: before the own roll, and before the opponent's."""
        for done in range(strategy_iteration.ROUNDS):
            self._evaluate()
            switched = self._improve()
            self.progress(f"bounds from above, {switched:,} switches", done / strategy_iteration.ROUNDS)
            if not switched:
                break
        rolls = self._before_roll()
        bounds = [rolls[:-2], self.plans.before(1, rolls)[:-2]]
        self._level(bounds)
        return bounds

    def _before_roll(self) -> Values:
        """Computed anew each time, to save memory while plans are improved."""
        return self.plans.before(0, self.waits, self.bonus)

    def _evaluate(self) -> None:
        exactly = TRUST * GAIN * self.bonus
        self.plans.evaluate(self._before_roll(), self.waits, exactly, bonus=self.bonus, ends=True)

    def _improve(self) -> int:
        self.plans.plans[0][self.inside] = UNPLANNED  # so that `improve` plans all their best ways
        switched = self.plans.improve(0, self.waits, GAIN * self.bonus)
        return switched - len(self.inside) * self.plans.game.die + self._leave()

    def _leave(self) -> int:
        """Switch components to better ways out among the planned ones; return how many have one."""
        mine, components = self.plans.plans[0], self.components
        better: int = _ways_out(mine, components, self.waits, self.waits[self.out] + GAIN * self.bonus, self.out)
        mine[self.inside] = self.out[components.rolls.component, None]
        return better

    def _level(self, values: list[Values]) -> None:
        """Give all positions of a component the same value."""
        worth, parts = np.zeros(self.components.number), (self.components.rolls, self.components.waits)
        for x, members in zip(values, parts, strict=True):
            np.maximum.at(worth, members.component, x[members.positions])
        for x, members in zip(values, parts, strict=True):
            x[members.positions] = worth[members.component] + APART * self.bonus


@njit(cache=True)
def _ways_out(plan: Any, components: Any, y: Any, worth: Any, out: Any) -> int:
    """The best planned way out of each component if it is worth more than `worth`; return how many have one."""
    better = np.zeros(len(out), dtype=np.bool_)
    waits = components.waits
    for j in range(len(components.rolls.positions)):
        c = components.rolls.component[j]
        for end in plan[components.rolls.positions[j]]:
            at = np.searchsorted(waits.positions, end)
            stays = at < len(waits.positions) and waits.positions[at] == end and waits.component[at] == c
            if not stays and y[end] > worth[c]:
                worth[c], out[c], better[c] = y[end], end, True
    return int(better.sum())
