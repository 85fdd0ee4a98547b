"""Plans of both players in a game of walks, and what they give: a chain of positions and sparse linear equations.

Positions are numbered as the protagonist sees them, whoever is to roll. A plan says for each position and roll where
the turn ends: in a position of the other player, or in one of two places behind the last position, where the
protagonist has won or has lost. Two plans make a chain that changes sides in every turn, so the positions of one side
can be put into the equations of the other. A turn changes numbers little, so what is read together lies together.
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
    """Where a best walk from here ends that spends k points, or wins before."""
    while k > 0 and not game.stops[i]:
        e = game.first[i] + chosen[k - 1, i]
        i, k = game.to[e], k - game.cost[e]
    return i


@njit(cache=True, nogil=True)
def _switch(
    low: int, high: int, game: Any, role: int, k: int, x: Any, gain: float, none: float, layer: Any, found: Any,
    puts: Any, chosen: Any, plan: Any,
) -> int:  # fmt: skip
    """Let one player switch with roll k, at any position where that gains more than `gain`; how often was it done?"""
    switched, j = 0, np.searchsorted(game.stuck, low)
    for i in range(low, high):
        while j < len(game.stuck) and game.stuck[j] < i:
            j += 1
        if game.over[i]:
            continue
        best, begin, points = layer[i], i, k
        if best == none:
            best, begin = found[j], puts[j]
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
    """Mark positions from which the plan leads to a marked one; was there any?"""
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
    """out[i]: the sum over all rolls of x where the plan leads to, times `each`. A die has six sides as a rule, and
    sums written out take half the time of a loop."""
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
    """out[i]: what x[i] lacks of what the plan makes of y, and of the bonus of those who get one."""
    for i in range(low, high):
        total = 0.0
        for roll in range(plan.shape[1]):
            total += y[plan[i, roll]]
        out[i] = total * each + bonus * gets[i] - x[i]


class Plans:
    """Both players' plans as they stand, by role: 0 the protagonist's, 1 the opponent's."""

    def __init__(self, game: Walks, executor: Executor | None = None) -> None:
        self.game, self.loops = game, ChunkedLoops(game.size, executor)
        self.won, self.lost = game.size, game.size + 1
        self.plans = [np.full((game.size, game.die), UNPLANNED, dtype=np.int32) for _ in range(2)]
        self.plans[0][game.over] = self.plans[1][game.over[game.mirror]] = self.lost
        self.kinds = KINDS  # of numbers in which equations are solved, as long as they work

    def with_own(self, role: int) -> Plans:
        """The same plans, to change the one of this player without changing it here."""
        other = copy.copy(self)
        other.plans = [plan.copy() if number == role else plan for number, plan in enumerate(self.plans)]
        return other

    def take_up(self, kept: Sequence[NDArray[Any]]) -> None:
        """Plans from a file, if they are plans of this game; whether they are good is another question."""
        for plan, found in zip(self.plans, kept, strict=True):
            if found.dtype != plan.dtype or found.size != plan.size or not 0 <= found.min() <= found.max() <= self.lost:
                raise ValueError("they are plans of another game")
            np.copyto(plan, found.reshape(plan.shape), where=(plan == UNPLANNED))

    def worth(self, role: int, values: NDArray[Any]) -> Values:
        """Values by number as the mover sees it, as they are held here."""
        seen = values[self.game.mirror] if role else values
        return np.concatenate([seen, [1.0, 0.0]])

    def before(self, role: int, x: Values, bonus: float = 0.0) -> Values:
        """What positions are worth before this player's roll, if x is what they are worth after the turn."""
        values = self.worth(0, np.empty(self.game.size))
        self.loops(_turn, self.plans[role], 1.0 / self.game.die, x, values)
        values[: self.won] += bonus
        return values

    def improve(self, role: int, x: Values, gain: float) -> int:
        """Let one player switch wherever that gains more than `gain`, if x is what positions after the turn are worth;
        returns how often it was done."""
        game, sweep = self.game, Sweep(self.game, np.float64, self.loops.executor)
        ended, none = 1.0 - role, -1.0 if role == 0 else 2.0
        chosen = np.zeros((game.die, game.size), dtype=np.uint8)
        puts = np.zeros(len(game.stuck), dtype=np.int32)
        self.loops(_begin, game, role, x, ended, sweep.w[0])
        switched = 0
        for k, layer in sweep.layers(role, ended, none, chosen=chosen, puts=puts):
            about = game, role, k, x, gain, none, layer, sweep.found, puts, chosen, self.plans[role]
            switched += sum(self.loops(_switch, *about))
        return switched

    def can_win(self) -> NDArray[np.bool_]:
        """Where the protagonist rolls and the plans can bring a win."""
        rolls, waits = (np.zeros(self.game.size + 2, dtype=np.bool_) for _ in range(2))
        waits[self.won] = grew = True
        while grew:
            grew = any(self.loops(_reach, self.plans[0], waits, rolls))
            grew |= any(self.loops(_reach, self.plans[1], rolls, waits))
        return rolls

    def evaluate(
        self, f: Values, waits: Values, tolerance: float, *, breaks: float = 0.0, bonus: float = 0.0, ends: bool = False
    ) -> float:
        """Make f what the protagonist gets who rolls, and `waits` what one gets who does not, if the game breaks off
        before each turn with the probability `breaks`, and each roll of the protagonist's brings a bonus (or, less
        than 0, costs something) as long as there is something to win. Unless play `ends` for sure under these plans,
        what cannot win is worth nothing. Returns the largest residual of the equations, `tolerance` if all went well.
        """
        gets = np.ones(len(f), dtype=np.bool_) if ends else self.can_win()
        f[~gets] = 0.0  # so nothing of them is left in the equations, which have one solution then
        mine, theirs = self.plans
        each = (1.0 - breaks) / self.game.die
        room = [waits]  # for who does not roll, in the numbers that are used at the moment

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
        self.kinds = self.kinds[self.kinds.index(used) :]  # what got nowhere would not get anywhere the next time
        np.clip(f, 0.0, 1.0, out=f)
        rest(f, np.empty(len(f), dtype=np.float32))
        return error
