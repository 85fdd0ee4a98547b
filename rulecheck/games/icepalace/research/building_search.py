"""Ice Palace: the best build by trying steps on the grid, where no best plan can be laid out.

A step is given up when even the best plan after it is not good enough. Equal palaces with equal pyramids left are
tried once. The search counts palaces and gives up at a bound; then it has proved nothing.
"""

from __future__ import annotations

from rulecheck.games.icepalace import PALACE, Cell, Move, Structure
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.engine_building import without
from rulecheck.games.icepalace.research.building_bound import Aim, Plan, best_plan
from rulecheck.games.icepalace.research.building_layout import lay_out
from rulecheck.pyramids import Pyramid, Stack

MOST_PALACES = 3000


class TooManyPalacesError(Exception):
    """The search was given up; nothing is known."""


def worth_of(aim: Aim, plan: Plan) -> int:
    return aim.worth(plan.number, plan.gain)


class Search:
    """Is there a build of a given worth?"""

    def __init__(self, engine: Engine, aim: Aim, most: int = MOST_PALACES) -> None:
        self.engine, self.aim, self.most = engine, aim, most
        self.failed: dict[tuple[Structure, Stack], int] = {}  # the least worth that could not be reached from here
        self.palaces = 0

    def find(self, palace: Structure, left: Stack, target: int) -> list[Move] | None:
        """The steps of a build worth at least `target`; None if there is none."""
        if self.failed.get((palace, left), target + 1) <= target:
            return None
        self.palaces += 1
        if self.palaces > self.most:
            raise TooManyPalacesError
        plan = best_plan(palace, left, self.engine.readings, self.aim)
        if worth_of(self.aim, plan) >= target:
            if (steps := lay_out(self.engine.palace, palace, plan)) is not None:
                return steps
            if (steps := self._by_steps(palace, left, target)) is not None:
                return steps
        self.failed[palace, left] = target
        return None

    def _by_steps(self, palace: Structure, left: Stack, target: int) -> list[Move] | None:
        if target <= 0:
            return []
        for pyramid, cell in self.engine.palace.steps(palace, left):
            gain = self._gain(palace, pyramid, cell)
            rest = self.find(palace.put(pyramid, cell), without(left, pyramid), target - self.aim.worth(1, gain))
            if rest is not None:
                return [Move(pyramid, PALACE, cell), *rest]
        return None

    def _gain(self, palace: Structure, pyramid: Pyramid, cell: Cell) -> int:
        """The change of the player's points by one step."""
        stack = palace.at(cell)
        before = len(stack) if stack and stack[-1].colour == self.aim.player else 0
        return (len(stack) + 1 if pyramid.colour == self.aim.player else 0) - before
