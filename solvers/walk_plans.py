"""Plans of both players in a game of walks, and what they give: a chain of positions and sparse linear equations.

A plan says for each position and roll where the turn ends: in a position of the other player, or, as the number behind
the last one, in a win. Two plans make a chain that changes sides in every turn, so the positions of one side can be put
into the equations of the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers.krylov import iterate
from solvers.walk_sweeps import spend
from solvers.walks import Walks

Plan = NDArray[np.int32]  # [i, roll - 1]
Values = NDArray[np.float64]  # one more than there are positions: the last is worth what an ended turn is


def no_plan(game: Walks) -> Plan:
    return np.full((game.size, game.die), -1, dtype=np.int32)  # which is what it stays where the game is over


@njit(cache=True)
def _end(game: Any, w: Any, i: int, k: int) -> int:
    """Where a best walk from here ends that spends k points, or wins before."""
    while k > 0 and not game.stops[i]:
        e = game.first[i]
        while game.cost[e] > k or w[k - game.cost[e], game.to[e]] != w[k, i]:
            e += 1
        i, k = game.to[e], k - game.cost[e]
    return len(game.mirror) if game.over[i] else game.mirror[i]


@njit(cache=True)
def _exception(game: Any, role: int, j: int, k: int, none: float, w: Any) -> Any:
    """A stuck position's best exception: what it is worth, what it leads to, and the points to be spent from there."""
    best, put, left = none, -1, 0
    for e in range(game.other[j], game.other[j + 1]):
        i = game.put[e]
        points = k if game.then_spend and w[k, i] != none else 0
        if w[points, i] > best if role == 0 else w[points, i] < best:
            best, put, left = w[points, i], i, points
    return best, put, left


@njit(cache=True)
def aim(game: Any, role: int, x: Any, gain: float, w: Any, plan: Any) -> int:
    """Let one player switch, at any position and roll where that gains more than `gain`; returns how often it did.
    `w` is room for the layers of all points."""
    n, switched = len(game.mirror), 0
    ended, none = 1.0 - role, -1.0 if role == 0 else 2.0
    for i in range(n):
        w[0, i] = ended if game.over[i] else x[game.mirror[i]]
    for k in range(1, game.die + 1):
        spend(game, role, k, ended, none, w)
    j = 0
    for i in range(n):
        if game.over[i]:
            continue
        while j < len(game.stuck) and game.stuck[j] < i:
            j += 1
        for k in range(1, game.die + 1):
            best, begin, points = w[k, i], i, k
            if best == none and j < len(game.stuck):
                best, begin, points = _exception(game, role, j, k, none, w)
            now = plan[i, k - 1]
            if now < 0 or abs(best - x[now]) > gain:
                place = _end(game, w, begin, points)
                switched += now != place
                plan[i, k - 1] = place
    return switched


@njit(cache=True)
def _reaches(game: Any, mine: Any, theirs: Any) -> Any:
    """Where the protagonist rolls and the plans can bring a win."""
    n = len(game.mirror)
    rolls, waits = np.zeros(n + 1, dtype=np.bool_), np.zeros(n + 1, dtype=np.bool_)
    waits[n] = True  # a turn of the protagonist that has won
    grew = True
    while grew:
        grew = False
        for here, there, plan in ((rolls, waits, mine), (waits, rolls, theirs)):
            for i in range(n):
                if not here[i] and not game.over[i]:
                    for roll in range(game.die):
                        if there[plan[i, roll]]:
                            here[i] = grew = True
                            break
    return rolls


@njit(cache=True)
def _times(plan: Any, alive: Any, each: float, x: Any, out: Any) -> None:
    """out[i]: the sum over all rolls of x where the plan leads to, times `each`; 0 where not alive. A die has six sides
    as a rule, and sums written out take half the time of a loop."""
    for i in range(len(plan)):
        if not alive[i]:
            out[i] = 0.0
            continue
        to = plan[i]
        if len(to) == 6:
            total = (x[to[0]] + x[to[1]]) + (x[to[2]] + x[to[3]]) + (x[to[4]] + x[to[5]])
        else:
            total = 0.0
            for roll in range(len(to)):
                total += x[to[roll]]
        out[i] = total * each


def evaluate(
    game: Walks, plans: tuple[Plan, Plan], guess: Values, tolerance: float, breaks: float = 0.0
) -> tuple[Values, Values, float]:
    """What the protagonist gets under both plans, who rolls (f) or does not (g), if the game breaks off before each
    turn with the probability `breaks`; and the largest residual of the equations, `tolerance` if all went well."""
    n, each = game.size, (1.0 - breaks) / game.die
    live = _reaches(game, *plans)
    mirror = np.append(game.mirror, np.int32(n))
    # Where the protagonist waits, positions stand in the order of their mirror images. A turn changes those little, so
    # what is read together lies together.
    mine, theirs, playing = mirror[plans[0]], plans[1][game.mirror], ~game.over[game.mirror]
    waiting = np.zeros(n + 1)

    def times(x: Values, out: Values) -> None:
        _times(theirs, playing, each, x, waiting)
        _times(mine, live, each, waiting, out)

    gain = np.zeros(n + 1)
    gain[:n] = live[:n] * each * (plans[0] == n).sum(axis=1)
    f, error = iterate(times, gain, np.where(live, guess, 0.0), tolerance)
    np.clip(f, 0.0, 1.0, out=f)
    f[n], waiting[n] = 0.0, 1.0
    _times(theirs, playing, each, f, waiting)
    return f, waiting[mirror], error
