"""Small dice games to the last digit: values as fractions, with a proof of the same shape as the bounds'.

Both players' plans come from `solvers.stochastic`. Their equations are solved over the rationals, then the
result is compared with every alternative: if no choice improves it, it is a fixpoint of the full Bellman
operator, hence an upper bound; the ranks show that the protagonist's plan attains it, hence a lower bound.
If a choice does improve it, the plans are improved, the protagonist's only when the reply is the best one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers import sweeps
from solvers.chain import Chain, build_chain
from solvers.graph import Arena, Kind
from solvers.stochastic import solve
from solvers.sweeps import Roles


class NotSettledError(Exception):
    """The improvement of plans did not end within its budget."""


@dataclass(frozen=True, eq=False)
class ExactValues:
    """f and g of every node, and the protagonist's choice (-1 where there is none)."""

    f: list[Fraction]
    g: list[Fraction]
    choice: NDArray[np.int32]


def solve_exactly(arena: Arena, max_rounds: int = 50) -> ExactValues:
    """Exact f and g of all nodes, or `NotSettledError`. Meant for up to a few thousand anchors."""
    solution = solve(arena)
    plan = np.stack([np.maximum(solution.bounds.choice, 0), solution.reply], axis=1).astype(np.int32)
    for _ in range(max_rounds):
        values = _values(arena, plan)
        if not _improve(arena, values, plan, 1) and not _improve(arena, values, plan, 0):
            choosing = np.isin(arena.kind, (Kind.STEP, Kind.MOVE))
            choice = np.where(choosing, plan[:, 0], -1).astype(np.int32)
            return ExactValues(_fractions(values, 0), _fractions(values, 1), choice)
    raise NotSettledError(f"the plans still improved after {max_rounds} exact rounds")


def _fractions(values: Sequence[Sequence[Any]], role: int) -> list[Fraction]:
    return [Fraction(int(x[role].p), int(x[role].q)) for x in values]


def _values(arena: Arena, plan: Roles) -> list[list[Any]]:
    """The exact value of both plans at every role-node; 0 where the opponent can hold off for ever.

    A reply that the attractor rules out is never needed there, so those role-nodes carry no equation.
    """
    from flint import fmpq

    order, inner = sweeps.visiting_order(arena)
    won = sweeps.terminal_values(arena, 1, np.bool_)
    graph = (arena.kind, arena.first, arena.succ, order, inner)
    live = sweeps.attract(*graph, plan, won) != sweeps.UNRANKED
    chain = build_chain(arena, order, inner, plan, won, live)
    flat = [fmpq(int(w)) for w in won.ravel()]
    for state, x in zip(chain.states, _solve_chain(arena, chain, won), strict=True):
        flat[state] = x
    held = [flat[t] if alive else fmpq(0) for t, alive in zip(chain.target, live.ravel(), strict=True)]
    return [held[2 * v : 2 * v + 2] for v in range(len(arena))]


def _solve_chain(arena: Arena, chain: Chain, won: Roles) -> list[Any]:
    """Solve x = moves @ x + gain exactly, one strongly connected part after the other, the last one first."""
    from flint import fmpq
    from scipy.sparse.csgraph import connected_components

    rows = _exact_rows(arena, chain, won)
    solution: list[Any] = [fmpq(0)] * len(rows)
    if not rows:
        return solution
    count, part = connected_components(chain.moves, directed=True, connection="strong")
    members: list[list[int]] = [[] for _ in range(count)]
    for i, p in enumerate(part):
        members[p].append(i)
    for p in _last_first(chain, part, count):
        _solve_part(members[p], rows, solution)
    return solution


def _last_first(chain: Chain, part: NDArray[np.int32], count: int) -> list[int]:
    """The parts, ordered so that every part comes after those it leads to."""
    import networkx

    source, target = chain.moves.tocoo().coords
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from((int(a), int(b)) for a, b in zip(part[source], part[target], strict=True) if a != b)
    return list(reversed(list(networkx.topological_sort(graph))))


def _exact_rows(arena: Arena, chain: Chain, won: Roles) -> list[tuple[dict[int, Any], Any]]:
    """Each state's successor states with exact weights, and its immediate gain."""
    from flint import fmpq

    # Every weight is a multiple of 1/degree, and doubles are near enough to tell which multiple.
    whole = [int(d) if k == Kind.CHANCE else 1 for d, k in zip(arena.degree, arena.kind, strict=True)]
    rows = []
    for i, state in enumerate(chain.states):
        parts = whole[state // 2]
        span = slice(chain.moves.indptr[i], chain.moves.indptr[i + 1])
        moves: dict[int, Any] = {}
        for j, weight in zip(chain.moves.indices[span], chain.moves.data[span], strict=True):
            moves[int(j)] = moves.get(int(j), fmpq(0)) + fmpq(round(float(weight) * parts), parts)
        rows.append((moves, fmpq(round(float(chain.gain[i]) * parts), parts)))
    return rows


def _solve_part(members: list[int], rows: list[tuple[dict[int, Any], Any]], solution: list[Any]) -> None:
    """Fill in one strongly connected part, given the solution of what it leads to."""
    from flint import fmpq, fmpq_mat

    place = {state: i for i, state in enumerate(members)}
    matrix = fmpq_mat(len(members), len(members))
    right = fmpq_mat(len(members), 1)
    for i, state in enumerate(members):
        moves, total = rows[state]
        matrix[i, i] = fmpq(1)
        for j, weight in moves.items():
            if j in place:
                matrix[i, place[j]] -= weight
            else:
                total += weight * solution[j]
        right[i, 0] = total
    solved = matrix.solve(right)
    for i, state in enumerate(members):
        solution[state] = solved[i, 0]


def _improve(arena: Arena, values: list[list[Any]], plan: Roles, role: int) -> bool:
    """Switch one player's plan wherever an exact comparison shows something better; return whether any did."""
    switched = False
    for v in map(int, np.flatnonzero(np.isin(arena.kind, (Kind.STEP, Kind.MOVE)))):
        there = 1 - role if arena.kind[v] == Kind.MOVE else role
        options = [values[s][there] for s in arena.successors(v)]
        best = min(options) if role else max(options)
        if best != values[v][role]:
            plan[v, role] = options.index(best)
            switched = True
    return switched
