"""From nearly right values to proved bounds: integer closures above and below them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solvers import sweeps
from solvers.certificate import ONE, Bounds
from solvers.chain import Chain, solve_chain, spread
from solvers.graph import Arena, Kind
from solvers.sweeps import Roles

FINEST = 1e-13  # the smallest useful norm of the residual
SWEEPS = 400  # a closure that needs more gets a wider margin instead
WIDENINGS = (1, 16, 256, 4096)


@dataclass(frozen=True)
class Settled:
    """Where strategy iteration has come to rest."""

    arena: Arena
    order: NDArray[np.int64]
    inner: int
    plan: Roles
    value: Roles
    chain: Chain


def certified(rest: Settled, width: float) -> Bounds:
    """Bounds with all the evidence that the checker needs; as narrow as `width` if the values are good enough."""
    rest = _polished(rest)
    margin = _margin(rest, width)
    high = _upper(rest, margin)
    low, rank = _lower(rest, margin)
    choice = np.where(np.isin(rest.arena.kind, (Kind.STEP, Kind.MOVE)), rest.plan[:, 0], -1)
    a = rest.arena.anchor
    return Bounds(
        low_f=low[a, 0],
        high_f=high[a, 0],
        low_g=low[a, 1],
        high_g=high[a, 1],
        rank_f=rank[a, 0],
        rank_g=rank[a, 1],
        choice=choice.astype(np.int32),
    )


def _polished(rest: Settled) -> Settled:
    """The same plans with their equations solved as well as doubles allow."""
    iteration = rest.value.ravel()[rest.chain.states]
    solution = solve_chain(rest.chain, rest.chain.gain, iteration, FINEST)
    won = sweeps.terminal_values(rest.arena, 1, np.bool_)
    return replace(rest, value=spread(rest.chain, np.clip(solution, 0.0, 1.0), won))


def _margin(rest: Settled, width: float) -> Roles:
    """A margin that gives every uncertain roll some slack for rounding: width * v * (1 - v).

    It depends on the value v alone, so equally good choices stay equal. And it is concave in v: at a
    chance node the mean of the successors' margins is smaller than the margin of their mean, by the width
    times their variance. (A margin by the expected length of play has slack everywhere, but sets equal
    choices apart, and closing it takes thousands of sweeps.)
    """
    return width * rest.value * (1.0 - rest.value)


def _upper(rest: Settled, margin: Roles) -> Roles:
    arena = rest.arena
    ended = sweeps.terminal_values(arena, ONE, np.int64)
    for wider in WIDENINGS:
        high = _fixed_point(np.ceil, rest.value + wider * margin, ended, arena)
        if _closed(rest, high, upper=True):
            return high
    high = ended.copy()
    high[arena.anchor] = ONE
    return high


def _lower(rest: Settled, margin: Roles) -> tuple[Roles, Roles]:
    arena = rest.arena
    ended = sweeps.terminal_values(arena, ONE, np.int64)
    for wider in WIDENINGS:
        low = _fixed_point(np.floor, rest.value - wider * margin, ended, arena)
        while _closed(rest, low, upper=False):
            rank = _ranks(rest, low)
            stuck = (rank == sweeps.UNRANKED) & arena.anchor[:, None]
            if not stuck.any():
                return low, rank
            low[stuck] = 0
    return ended, np.zeros(ended.shape, dtype=np.int32)


def _fixed_point(rounding: np.ufunc, value: Roles, ended: Roles, arena: Arena) -> Roles:
    scaled = rounding(np.clip(value, 0.0, 1.0) * ONE).astype(np.int64)
    scaled[~arena.anchor] = ended[~arena.anchor]
    return np.ascontiguousarray(scaled)


def _closed(rest: Settled, value: Roles, upper: bool) -> bool:
    arena = rest.arena
    graph = (arena.kind, arena.first, arena.succ, rest.order, rest.inner)
    if upper:
        return bool(sweeps.raise_to_closure(*graph, value, SWEEPS) == 0)
    return bool(sweeps.lower_to_closure(*graph, value, rest.plan, SWEEPS) == 0)


def _ranks(rest: Settled, low: Roles) -> Roles:
    arena = rest.arena
    ended = sweeps.terminal_values(arena, 1, np.bool_)
    graph = (arena.kind, arena.first, arena.succ, rest.order, rest.inner)
    return np.asarray(sweeps.attract(*graph, rest.plan, ended | (low == 0)))
