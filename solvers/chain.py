"""The Markov chain that remains when both players follow fixed plans, and its linear equations.

The states are the role-nodes at anchors and at chance nodes; choices in between are followed to their end.
Role-nodes that can never reach the goal must be left out, or the equations have no unique solution.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.chunked_loops import ChunkedLoops
from solvers.compiled import njit
from solvers.graph import Arena, Kind
from solvers.krylov import refine
from solvers.sweeps import CHANCE, MOVE, Roles, follow

# Below this many states a direct factorisation is both faster and more accurate.
DIRECT_LIMIT = 3000


@dataclass(frozen=True)
class Chain:
    """x = moves @ x + gain over `states`, given as role-nodes 2 * v + role."""

    states: NDArray[np.int64]
    moves: Any  # scipy.sparse.csr_array, without a type of its own
    gain: NDArray[np.float64]
    target: NDArray[np.int64]


@njit(cache=True)
def _edges(kind: Any, first: Any, succ: Any, plan: Any, states: Any, target: Any, start: Any, columns: Any) -> None:
    for i in range(len(states)):
        v, role = states[i] // 2, states[i] % 2
        if kind[v] == CHANCE:
            for j in range(first[v + 1] - first[v]):
                columns[start[i] + j] = target[2 * succ[first[v] + j] + role]
        else:
            there = 1 - role if kind[v] == MOVE else role
            columns[start[i]] = target[2 * succ[first[v] + plan[v, role]] + there]


def build_chain(arena: Arena, order: NDArray[np.int64], inner: int, plan: Roles, won: Roles, live: Roles) -> Chain:
    """The chain under `plan` on the `live` role-nodes, where `won` marks the goal."""
    from scipy.sparse import csr_array

    target = follow(arena.kind, arena.first, arena.succ, order, inner, plan)
    holds = (arena.anchor | (arena.kind == Kind.CHANCE)) & (arena.degree > 0)
    states = np.flatnonzero((holds[:, None] & live & ~won).ravel())
    v = states // 2
    width = np.where(arena.kind[v] == Kind.CHANCE, arena.degree[v], 1)
    start = np.concatenate([[0], np.cumsum(width)])
    columns = np.empty(start[-1], dtype=np.int64)
    _edges(arena.kind, arena.first, arena.succ, plan, states, target, start, columns)
    weight = np.repeat(1.0 / width, width)
    row = np.repeat(np.arange(len(states)), width)
    gain = np.zeros(len(states))
    np.add.at(gain, row, weight * won.ravel()[columns])
    number = np.full(2 * len(arena), -1, dtype=np.int32)
    number[states] = np.arange(len(states))
    inside = number[columns] >= 0
    moves = csr_array((weight[inside], (row[inside], number[columns[inside]])), shape=(len(states), len(states)))
    return Chain(states, moves, gain, target)


def spread(chain: Chain, solution: NDArray[np.float64], won: Roles) -> Roles:
    """Values of all role-nodes from those of the chain's states."""
    value = won.astype(np.float64).ravel()
    value[chain.states] = solution
    return np.ascontiguousarray(value[chain.target].reshape(won.shape))


def solve_chain(
    chain: Chain, gain: NDArray[np.float64], iteration: NDArray[np.float64], tolerance: float
) -> NDArray[np.float64]:
    """Solve x = moves @ x + gain to `tolerance` in every residual, as far as doubles allow."""
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import splu

    size = len(chain.states)
    if size == 0:
        return np.zeros(0)
    if size <= DIRECT_LIMIT:
        system = eye_array(size, format="csc") - chain.moves.tocsc()
        return np.asarray(splu(system).solve(gain))
    role = chain.states % 2
    if (role[chain.moves.indices] != np.repeat(role, np.diff(chain.moves.indptr))).all():
        return _solve_alternating(chain.moves, role, gain, iteration, tolerance)
    return _iterate(lambda x: chain.moves @ x, gain, iteration, tolerance)


def _solve_alternating(
    moves: Any,
    role: NDArray[np.int64],
    gain: NDArray[np.float64],
    iteration: NDArray[np.float64],
    tolerance: float,
) -> NDArray[np.float64]:
    """Where the turn passes at every transition, one role's states can be put into the other's equations:
    half as many unknowns, and half as many iterations for them."""
    mine, theirs = np.flatnonzero(role == 0), np.flatnonzero(role == 1)
    there, back = moves[mine][:, theirs], moves[theirs][:, mine]
    x = np.empty(len(gain))
    reduced = gain[mine] + there @ gain[theirs]
    x[mine] = _iterate(lambda x: there @ (back @ x), reduced, iteration[mine], tolerance)
    x[theirs] = gain[theirs] + back @ x[mine]
    return x


def _iterate(
    product: Callable[[Any], Any], gain: NDArray[np.float64], iteration: NDArray[np.float64], tolerance: float
) -> NDArray[np.float64]:
    x = iteration.copy()

    def times(d: NDArray[Any], out: NDArray[Any]) -> None:
        out[:] = product(d)

    def rest(x: NDArray[np.float64], out: NDArray[Any]) -> None:
        out[:] = gain - x + product(x)

    refine(rest, times, x, tolerance, ChunkedLoops(len(x)))
    return x
