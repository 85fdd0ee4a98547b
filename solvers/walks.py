"""Dice games whose turns are walks: a roll is spent in single steps that cost points, and then the other player rolls.

Positions are numbers, seen by the player to move. Turns are never listed: with k points left a position is worth the
best of the positions one step away with the points that remain. So one pass over the steps for each k replaces a list
of all turns, and all rolls share it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

DEAREST = 3  # points that a step may cost
MOST_ROLLS = 9


class Walks(NamedTuple):
    """Steps and exceptions in lists, sorted by where they come from.

    Where a roll cannot be spent to the last point, one of the position's exceptions takes its place: it ends the turn,
    or with `then_spend` lets the roll be spent from there if it can be.
    """

    die: int
    then_spend: bool
    mirror: NDArray[np.int32]  # the same position seen by the other player
    over: NDArray[np.bool_]  # nobody rolls here any more; who moved here last has won
    stops: NDArray[np.bool_]  # a walk that comes here has won
    first: NDArray[np.int64]  # steps of i: first[i] to first[i + 1]
    cost: NDArray[np.uint8]
    to: NDArray[np.int32]
    stuck: NDArray[np.int32]  # where some roll cannot be spent, rising
    other: NDArray[np.int64]  # exceptions of stuck[j]: other[j] to other[j + 1], at least one
    put: NDArray[np.int32]

    @property
    def size(self) -> int:
        return len(self.mirror)

    @property
    def edges(self) -> int:
        return len(self.to) + len(self.put)


def walk_problems(game: Walks) -> list[str]:
    """Why compiled code must not run on these lists; empty if it may."""
    n = game.size
    problems = [] if _in_order(game.first, n, game.to) else ["the list of steps is not in order"]
    problems += [] if _in_order(game.other, len(game.stuck), game.put) else ["the list of exceptions is not in order"]
    for name, numbers in (("mirror", game.mirror), ("step", game.to), ("exception", game.put), ("stuck", game.stuck)):
        if len(numbers) and (numbers.min() < 0 or numbers.max() >= n):
            problems.append(f"a {name} leads to no position")
    if len(game.cost) != len(game.to) or game.cost.min(initial=1) < 1 or game.cost.max(initial=1) > DEAREST:
        problems.append(f"a step costs 1 to {DEAREST} points")
    if not 1 <= game.die <= MOST_ROLLS or len(game.over) != n or len(game.stops) != n:
        problems.append("the die or the lists of endings do not fit")
    return problems


def _in_order(first: NDArray[np.int64], count: int, to: NDArray[np.int32]) -> bool:
    return len(first) == count + 1 and first[0] == 0 and first[-1] == len(to) and bool((np.diff(first) >= 0).all())
