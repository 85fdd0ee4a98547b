"""Games without chance: win, loss, tie or draw for every node, with distances, backwards from the end.

Distances count edges, steps and moves alike: a win or a tie is as short, a loss as long, as can be forced.
Where neither player can force a win, both prefer a tie to playing on for ever; a DRAW is a node from which no
tie can be reached without giving the other player a win. Its distance is -1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers.graph import Arena, ArenaError, Kind, Outcome, require_valid

MOVE = int(Kind.MOVE)
UNSOLVED, WIN, LOSS, TIE, DRAW = (int(o) for o in Outcome)
ENDED = ((Kind.WIN, Outcome.WIN), (Kind.LOSS, Outcome.LOSS), (Kind.TIE, Outcome.TIE))


@dataclass(frozen=True, eq=False)
class Outcomes:
    """For each node an `Outcome` (uint8) and its distance in edges (int32, -1 at draws)."""

    outcome: NDArray[np.uint8]
    distance: NDArray[np.int32]


def solve_outcomes(arena: Arena) -> Outcomes:
    """Solve an arena without chance nodes; loops are allowed."""
    require_valid(arena)
    if arena.has_chance:
        raise ArenaError("the arena has chance nodes; use solvers.stochastic")
    outcome = np.zeros(len(arena), dtype=np.uint8)
    for kind, ended in ENDED:
        outcome[arena.kind == kind] = ended
    distance = np.where(outcome > 0, 0, -1).astype(np.int32)
    back_first, back = _reversed_edges(arena.first, arena.succ, len(arena))
    open_edges = arena.degree.astype(np.int32)
    _decide(arena.kind, back_first, back, open_edges, outcome, distance)
    _tie(back_first, back, outcome, distance)
    outcome[outcome == UNSOLVED] = DRAW
    return Outcomes(outcome, distance)


@njit(cache=True)
def _reversed_edges(first: Any, succ: Any, n: int) -> Any:
    """The predecessors of v are back[back_first[v]:back_first[v + 1]]; a doubled edge counts twice."""
    back_first = np.zeros(n + 1, dtype=np.int64)
    for s in succ:
        back_first[s + 1] += 1
    for v in range(n):
        back_first[v + 1] += back_first[v]
    fill = back_first[:-1].copy()
    back = np.empty(len(succ), dtype=np.int32)
    for v in range(n):
        for e in range(first[v], first[v + 1]):
            s = succ[e]
            back[fill[s]] = v
            fill[s] += 1
    return back_first, back


@njit(cache=True)
def _decide(kind: Any, back_first: Any, back: Any, open_edges: Any, outcome: Any, distance: Any) -> None:
    """Spread wins and losses. `open_edges[v]` counts successors not yet known to be bad for the mover at v.
    The queue is first in, first out, so nodes are decided in the order of their distances."""
    queue = np.empty(len(kind), dtype=np.int32)
    tail = 0
    for v in range(len(kind)):
        if outcome[v] == WIN or outcome[v] == LOSS:
            queue[tail] = v
            tail += 1
    head = 0
    while head < tail:
        s = queue[head]
        head += 1
        for e in range(back_first[s], back_first[s + 1]):
            v = back[e]
            if outcome[v] != UNSOLVED:
                continue
            good = (outcome[s] == LOSS) if kind[v] == MOVE else (outcome[s] == WIN)
            if not good:
                open_edges[v] -= 1
            if good or open_edges[v] == 0:
                outcome[v] = WIN if good else LOSS
                distance[v] = distance[s] + 1
                queue[tail] = v
                tail += 1


@njit(cache=True)
def _tie(back_first: Any, back: Any, outcome: Any, distance: Any) -> None:
    """Spread ties over the nodes that are neither won nor lost."""
    queue = np.empty(len(outcome), dtype=np.int32)
    tail = 0
    for v in range(len(outcome)):
        if outcome[v] == TIE:
            queue[tail] = v
            tail += 1
    head = 0
    while head < tail:
        s = queue[head]
        head += 1
        for e in range(back_first[s], back_first[s + 1]):
            v = back[e]
            if outcome[v] == UNSOLVED:
                outcome[v] = TIE
                distance[v] = distance[s] + 1
                queue[tail] = v
                tail += 1
