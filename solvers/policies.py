"""Both players' plans in a game of walks, and their values: a Markov chain of positions, and its sparse equations.

Positions are numbered as the protagonist sees them, whoever is to roll. A plan says for each position and roll where
the turn ends: in a position of the other player, or in one of two places behind the last position, where the
protagonist has won or has lost. Two plans make a chain that changes sides in every turn, so the positions of one side
can be put into the equations of the other. A turn changes numbers little, so values read
together lie together.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.chunked_loops import ChunkedLoops
from solvers.compiled import njit
from solvers.krylov import KINDS, refine
from solvers.walk_sweeps import Sweep
from solvers.walks import Walks

Plan = NDArray[np.int32]  # [i, roll - 1]
Values = NDArray[np.float64]  # two more than there are positions
UNPLANNED = -1


@njit(cache=True, nogil=True)
def _begin(low: int, high: int, game: Any, role: int, x: Any, ended: float, bottom: Any) -> None:
    for i in range(low, high):
        bottom[i] = ended if game.over[i] else x[game.mirror[i] if role else i]


@njit(cache=True)
def _end(game: Any, chosen: Any, i: int, k: int) -> int:
    """Where the best walk from here that spends k points, or wins earlier, ends."""
    while k > 0 and not game.stops[i]:
        e = game.first[i] + chosen[k - 1, i]
        i, k = game.to[e], k - game.cost[e]
    return i


@njit(cache=True, nogil=True)
def _switch(
    low: int, high: int, game: Any, role: int, k: int, x: Any, gain: float, none: float, layer: Any, exceptions: Any,
    puts: Any, chosen: Any, plan: Any,
) -> int:  # fmt: skip
    """Switch one player's plan for roll k wherever that gains more than `gain`; return the number of switches."""
    switched, j = 0, np.searchsorted(game.stuck, low)
    for i in range(low, high):
        while j < len(game.stuck) and game.stuck[j] < i:
            j += 1
        if game.over[i]:
            continue
        best, begin, points = layer[i], i, k
        if best == none:
            best, begin = exceptions[j], puts[j]
            points = k if game.then_spend and layer[begin] != none else 0
        row = game.mirror[i] if role else i
        now = plan[row, k - 1]
        if now == UNPLANNED or abs(best - x[now]) > gain:
            end = _end(game, chosen, begin, points)
            place = len(layer) + role if game.over[end] else game.mirror[end] if role else end
            switched += now != place
            plan[row, k - 1] = place
    return switched


@njit(cache=True, nogil=True)
def _reach(low: int, high: int, plan: Any, there: Any, here: Any) -> bool:
    """Mark positions from which the plan leads to a marked one; return whether there was any."""
    grew = False
    for i in range(low, high):
        if not here[i]:
            for roll in range(plan.shape[1]):
                if there[plan[i, roll]]:
                    here[i] = grew = True
                    break
    return grew


@njit(cache=True, nogil=True)
def _turn(low: int, high: int, plan: Any, each: Any, x: Any, out: Any) -> None:
    """out[i]: the sum over all rolls of x where the plan leads, times `each`. Dice usually have six sides, and an
    unrolled sum takes half the time of a loop."""
    for i in range(low, high):
        to = plan[i]
        if len(to) == 6:
            total = (x[to[0]] + x[to[1]]) + (x[to[2]] + x[to[3]]) + (x[to[4]] + x[to[5]])
        else:
            total = x[to[0]]
            for roll in range(1, len(to)):
                total += x[to[roll]]
        out[i] = total * each


@njit(cache=True, nogil=True)
def _rest(low: int, high: int, plan: Any, each: float, y: Any, bonus: float, gets: Any, x: Any, out: Any) -> None:
    """out[i]: the residual of x[i]: what the plan makes of y, plus the bonus where there is one, minus x[i]."""
    for i in range(low, high):
        total = 0.0
        for roll in range(plan.shape[1]):
            total += y[plan[i, roll]]
        out[i] = total * each + bonus * gets[i] - x[i]


class Plans:
    """Both players' current plans, by role: 0 the protagonist's, 1 the opponent's."""

    def __init__(self, game: Walks, executor: Executor | None = None) -> None:
        self.game, self.loops = game, ChunkedLoops(game.size, executor)
        self.won, self.lost = game.size, game.size + 1
        self.plans = [np.full((game.size, game.die), UNPLANNED, dtype=np.int32) for _ in range(2)]
        self.plans[0][game.over] = self.plans[1][game.over[game.mirror]] = self.lost
        self.kinds = KINDS  # of numbers in which equations are solved, as long as they work

    def with_own(self, role: int) -> Plans:
        """A copy in which this player's plan can be changed independently."""
        other = copy.copy(self)
        other.plans = [plan.copy() if number == role else plan for number, plan in enumerate(self.plans)]
        return other

    def take_up(self, kept: Sequence[NDArray[Any]]) -> None:
        """Adopt plans from a file if they are plans of this game, good or not."""
        for plan, given in zip(self.plans, kept, strict=True):
            if given.dtype != plan.dtype or given.size != plan.size or not 0 <= given.min() <= given.max() <= self.lost:
                raise ValueError("they are plans of another game")
            np.copyto(plan, given.reshape(plan.shape), where=(plan == UNPLANNED))

    def worth(self, role: int, values: NDArray[Any]) -> Values:
        """Values numbered as the mover sees them, renumbered as this class keeps them."""
        seen = values[self.game.mirror] if role else values
        return np.concatenate([seen, [1.0, 0.0]])

    def before(self, role: int, x: Values, bonus: float = 0.0) -> Values:
        """The values of positions before this player's roll, given their values x after the turn."""
        values = self.worth(0, np.empty(self.game.size))
        self.loops(_turn, self.plans[role], 1.0 / self.game.die, x, values)
        values[: self.won] += bonus
        return values

    def improve(self, role: int, x: Values, gain: float) -> int:
        """Switch one player's plan wherever that gains more than `gain`, given the values x of positions
        after the turn; return the number of switches."""
        game, sweep = self.game, Sweep(self.game, np.float64, self.loops.executor)
        ended, none = 1.0 - role, -1.0 if role == 0 else 2.0
        chosen = np.zeros((game.die, game.size), dtype=np.uint8)
        puts = np.zeros(len(game.stuck), dtype=np.int32)
        self.loops(_begin, game, role, x, ended, sweep.w[0])
        switched = 0
        for k, layer in sweep.layers(role, ended, none, chosen=chosen, puts=puts):
            about = game, role, k, x, gain, none, layer, sweep.exceptions, puts, chosen, self.plans[role]
            switched += sum(self.loops(_switch, *about))
        return switched

    def can_win(self) -> NDArray[np.bool_]:
        """The positions from which the protagonist, about to roll, can win under these plans."""
        rolls, waits = (np.zeros(self.game.size + 2, dtype=np.bool_) for _ in range(2))
        waits[self.won] = grew = True
        while grew:
            grew = any(self.loops(_reach, self.plans[0], waits, rolls))
            grew |= any(self.loops(_reach, self.plans[1], rolls, waits))
        return rolls

    def evaluate(
        self, f: Values, waits: Values, tolerance: float, *, breaks: float = 0.0, bonus: float = 0.0, ends: bool = False
    ) -> float:
        """Set f to the protagonist's values before the own roll, and `waits` to those before the opponent's.

        Each turn is discounted by `breaks`, and each roll of the protagonist brings a bonus (a price if negative)
        while a win is possible. Unless play surely `ends` under these plans, positions that cannot win are worth
        nothing. Returns the largest residual of the equations: at most `tolerance` if all went well.
        """
        gets = np.ones(len(f), dtype=np.bool_) if ends else self.can_win()
        f[~gets] = 0.0  # drops them from the equations, which then have a unique solution
        mine, theirs = self.plans
        each = (1.0 - breaks) / self.game.die
        room = [waits]  # for the player who waits, in the current type of numbers

        def times(x: NDArray[Any], out: NDArray[Any]) -> None:
            if room[0].dtype != x.dtype:
                room[0] = waits if x.dtype == waits.dtype else np.zeros_like(x)
            y = room[0]
            y[self.won] = 0.0
            self.loops(_turn, theirs, x.dtype.type(each), x, y)
            self.loops(_turn, mine, x.dtype.type(each), y, out)

        def rest(x: Values, out: NDArray[Any]) -> None:
            waits[self.won] = 1.0
            self.loops(_turn, theirs, each, x, waits)
            self.loops(_rest, mine, each, waits, bonus, gets, x, out)

        error, used = refine(rest, times, f, tolerance, self.loops, self.kinds)
        self.kinds = self.kinds[self.kinds.index(used) :]  # a type that failed once would fail again
        np.clip(f, 0.0, 1.0, out=f)
        rest(f, np.empty(len(f), dtype=np.float32))
        return error
