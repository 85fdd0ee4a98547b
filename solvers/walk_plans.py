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

from solvers.chain import iterate
from solvers.walk_sweeps import KEPT
from solvers.walks import Walks

Plan = NDArray[np.int32]  # [i, roll - 1]
Values = NDArray[np.float64]  # one more than there are positions: the last is worth what an ended turn is


def no_plan(game: Walks) -> Plan:
    return np.full((game.size, game.die), -1, dtype=np.int32)


@njit(cache=True)
def _choose(game: Any, role: int, k: int, ended: float, none: float, w: Any, t: Any) -> None:
    layer, leads = w[k % KEPT], t[k % KEPT]
    for i in range(len(layer)):
        best, place = none, -1
        if game.stops[i]:
            best, place = ended, len(layer)
        else:
            for e in range(game.first[i], game.first[i + 1]):
                c = game.cost[e]
                if c <= k:
                    v = w[(k - c) % KEPT, game.to[e]]
                    if v > best if role == 0 else v < best:
                        best, place = v, t[(k - c) % KEPT, game.to[e]]
        layer[i], leads[i] = best, place


@njit(cache=True)
def _exception(game: Any, role: int, j: int, none: float, layers: Any, leads: Any) -> Any:
    """Worth and end of a stuck position's best exception. Row 0 is of walks that are over, row 1 of those to go on."""
    best, place = none, -1
    for e in range(game.other[j], game.other[j + 1]):
        row = 0 if layers[1][game.put[e]] == none else 1
        v = layers[row][game.put[e]]
        if v > best if role == 0 else v < best:
            best, place = v, leads[row][game.put[e]]
    return best, place


@njit(cache=True)
def aim(game: Any, role: int, x: Any, gain: float, w: Any, t: Any, plan: Any) -> int:
    """Let one player switch, at any position and roll where that gains more than `gain`; returns how often it did."""
    n = len(game.mirror)
    ended, none = 1.0 - role, -1.0 if role == 0 else 2.0
    for i in range(n):
        t[0, i] = n if game.over[i] else game.mirror[i]
        w[0, i] = ended if game.over[i] else x[game.mirror[i]]
    w0, t0 = w[0].copy(), t[0].copy()
    switched = 0
    for k in range(1, game.die + 1):
        _choose(game, role, k, ended, none, w, t)
        layer, leads = w[k % KEPT], t[k % KEPT]
        on, on_leads = (layer, leads) if game.then_spend else (w0, t0)
        j = 0
        for i in range(n):
            while j < len(game.stuck) and game.stuck[j] < i:
                j += 1
            if game.over[i]:
                continue
            best, place = layer[i], leads[i]
            if place < 0 and j < len(game.stuck) and game.stuck[j] == i:
                best, place = _exception(game, role, j, none, (w0, on), (t0, on_leads))
            now = plan[i, k - 1]
            if now < 0 or abs(best - x[now]) > gain:
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


def evaluate(
    game: Walks, plans: tuple[Plan, Plan], guess: Values, tolerance: float, breaks: float = 0.0
) -> tuple[Values, Values]:
    """What the protagonist gets under both plans, who rolls (f) or does not (g), if the game breaks off before each
    turn with the probability `breaks`."""
    n, die, on = game.size, game.die, 1.0 - breaks
    live = _reaches(game, *plans)
    start = np.append(np.arange(0, n * die + 1, die), n * die)
    weights = [np.repeat(np.where(rolls, on / die, 0.0), die) for rolls in (live[:n], ~game.over)]
    there, back = ((start, np.maximum(p, 0).ravel(), weight) for p, weight in zip(plans, weights, strict=True))
    gain = np.append(np.where(live[:n], on * (plans[0] == n).sum(axis=1) / die, 0.0), 0.0)
    f = np.clip(iterate(there, back, True, gain, np.where(live, guess, 0.0), tolerance), 0.0, 1.0)
    f[n] = 0.0
    g = np.append(np.where(game.over, 0.0, on * f[plans[1]].sum(axis=1) / die), 1.0)
    return f, g
