"""The hot loops over a game of walks: what positions are worth one turn earlier, compiled.

Names: i  a position;  k  points left;  w  layers of values by points left, the last few of them;  x  values of the
positions before a roll, seen by the player who does not move now. Role 0: the protagonist, who wants to win, moves;
role 1: the opponent does, who wants to prevent it. Values are integers on a scale `one`, or floats.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers.walks import DEAREST, Walks


def layers(game: Walks, dtype: Any, most: int = DEAREST) -> NDArray[Any]:
    """Room for the layers of up to `most` points; a power of two, since layer k is found at k modulo their number."""
    return np.empty((1 << most.bit_length(), game.size), dtype=dtype)


@njit(cache=True)
def spend(game: Any, role: int, k: int, ended: Any, none: Any, w: Any) -> None:
    """Layer k from the layers of fewer points; `none` where exactly k points cannot be spent."""
    last = len(w) - 1
    layer = w[k & last]
    for i in range(len(layer)):
        if game.stops[i]:
            layer[i] = ended
            continue
        best = none
        for e in range(game.first[i], game.first[i + 1]):
            c = game.cost[e]
            if c <= k:
                v = w[(k - c) & last, game.to[e]]
                best = max(best, v) if role == 0 else min(best, v)
        layer[i] = best


@njit(cache=True)
def _except(game: Any, role: int, none: Any, layer: Any, bottom: Any, found: Any) -> None:
    """The best exception of each stuck position: spent on in `layer` if it can be, or else ended in `bottom`."""
    for j in range(len(game.stuck)):
        best = none
        for e in range(game.other[j], game.other[j + 1]):
            v = layer[game.put[e]]
            if v == none:
                v = bottom[game.put[e]]
            best = max(best, v) if role == 0 else min(best, v)
        found[j] = best


@njit(cache=True)
def image(game: Any, role: int, x: Any, one: Any, w: Any, total: Any) -> None:
    """total[i]: the sum over all rolls of what i is worth to the protagonist; 0 where the game is over."""
    ended = one if role == 0 else one - one
    none = -one if role == 0 else one + one
    for i in range(len(total)):
        w[0, i] = ended if game.over[i] else x[game.mirror[i]]
        total[i] = 0
    bottom = w[0].copy() if game.then_spend else w[0]
    found = np.empty(len(game.stuck), dtype=w.dtype)
    if not game.then_spend:
        _except(game, role, none, bottom, bottom, found)
    for k in range(1, game.die + 1):
        spend(game, role, k, ended, none, w)
        layer = w[k & (len(w) - 1)]
        if game.then_spend:
            _except(game, role, none, layer, bottom, found)
        for i in range(len(layer)):
            total[i] += layer[i]
        for j in range(len(game.stuck)):
            if layer[game.stuck[j]] == none:
                total[game.stuck[j]] += found[j] - none
    for i in range(len(total)):
        if game.over[i]:
            total[i] = 0


@njit(cache=True)
def rise(total: Any, die: int, low: Any) -> int:
    """Raise lower bounds to what their sums prove, and say by how much at the most.

    They stay strictly below the mean, which is what makes them a proof: see `solvers.walk_certificate`.
    """
    most = 0
    for i in range(len(low)):
        proved = (total[i] - 1) // die if total[i] > 0 else 0
        if proved > low[i]:
            most = max(most, proved - low[i])
            low[i] = proved
    return most


@njit(cache=True)
def sink(total: Any, die: int, low: Any) -> int:
    """Lower what is more than its sum proves; how many were?"""
    count = 0
    for i in range(len(low)):
        proved = (total[i] - 1) // die if total[i] > 0 else 0
        if proved < low[i]:
            low[i] = proved
            count += 1
    return count


@njit(cache=True)
def lift(total: Any, die: int, high: Any, step: int) -> int:
    """Raise upper bounds that are below the mean to a multiple of `step`; how many were?

    In a circle where nothing is at stake they would else creep up by ones, and all round it again and again.
    """
    count = 0
    for i in range(len(high)):
        needed = -(-total[i] // die)
        if needed > high[i]:
            high[i] = -(-needed // step) * step
            count += 1
    return count
