"""Games without chance: win, loss, tie or draw for every node, with distances, backwards from the end.

Distances count edges, steps and moves alike: a win or a tie is as short, a loss as long, as can be forced.
Where neither player can force a win, both prefer a tie to playing on for ever; a DRAW is a node from which no
tie can be reached without giving the other player a win. Its distance is -1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers.graph import Block, Blocks, Kind, Outcome, Progress, require_outcome_block, silent

BLOCK = 1 << 18  # nodes looked at together
KEPT = 1 << 28  # edges kept from the first look at the graph for the second, four bytes each
MOVE = int(Kind.MOVE)
VOID = int(Kind.VOID)
UNSOLVED, WIN, LOSS, TIE, DRAW = (int(o) for o in Outcome)
ENDED = ((Kind.WIN, Outcome.WIN), (Kind.LOSS, Outcome.LOSS), (Kind.TIE, Outcome.TIE))


@dataclass(frozen=True, eq=False)
class Outcomes:
    """For each node an `Outcome` (uint8; UNSOLVED where there is no position) and its distance in edges (int32,
    -1 at draws and where there is no position)."""

    outcome: NDArray[np.uint8]
    distance: NDArray[np.int32]


def solve_outcomes(game: Blocks, progress: Progress = silent) -> Outcomes:
    """Solve a graph without chance nodes; loops are allowed.

    The graph is looked at twice, to count the edges into each node and to turn them round. The edges turned round
    are kept, four bytes each, besides some twenty for each node; as far as there are not too many, those of the first
    look are kept until the second.
    """
    game = _Remembered(game)
    kind, open_edges, back_first = _count_edges(game, progress)
    back = _turn_edges(game, back_first, progress)
    outcome = np.zeros(len(kind), dtype=np.uint8)
    for ending, ended in ENDED:
        outcome[kind == ending] = ended
    distance = np.where(outcome > 0, 0, -1).astype(np.int32)
    progress("deciding", 2 / 3)
    _decide(kind, back_first, back, open_edges, outcome, distance)
    _tie(back_first, back, outcome, distance)
    outcome[(outcome == UNSOLVED) & (kind != VOID)] = DRAW
    return Outcomes(outcome, distance)


class _Remembered:
    """A graph whose blocks are asked for twice, in the same pieces; making them may be the longest part of the work."""

    def __init__(self, game: Blocks) -> None:
        self._game = game
        self._kept: dict[int, Block] = {}
        self._room = KEPT

    def __len__(self) -> int:
        return len(self._game)

    def block(self, low: int, high: int) -> Block:
        if low in self._kept:
            return self._kept.pop(low)
        block = self._game.block(low, high)
        if len(block.succ) <= self._room:
            self._room -= len(block.succ)
            self._kept[low] = Block(block.kind, block.first, block.succ.astype(np.int32))
        return block


def _blocks(game: Blocks, progress: Progress, what: str, share: float) -> Iterator[tuple[int, Block]]:
    """A third of the work each, beginning at `share`."""
    size = len(game)
    for low in range(0, size, BLOCK):
        progress(what, share + low / size / 3)
        high = min(low + BLOCK, size)
        block = game.block(low, high)
        require_outcome_block(block, low, size)
        yield low, block


def _count_edges(game: Blocks, progress: Progress) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int64]]:
    """Each node's kind, the number of its successors, and where the list of its predecessors begins."""
    size = len(game)
    kind = np.empty(size, dtype=np.uint8)
    degree = np.empty(size, dtype=np.int32)
    back_first = np.zeros(size + 1, dtype=np.int64)
    for low, block in _blocks(game, progress, "counting moves", 0):
        kind[low : low + len(block.kind)] = block.kind
        degree[low : low + len(block.kind)] = np.diff(block.first)
        _count(block.succ, back_first)
    np.cumsum(back_first, out=back_first)
    return kind, degree, back_first


def _turn_edges(game: Blocks, back_first: NDArray[np.int64], progress: Progress) -> NDArray[np.int32]:
    """The predecessors of v are back[back_first[v]:back_first[v + 1]]; a doubled edge counts twice."""
    back = np.empty(back_first[-1], dtype=np.int32)
    fill = back_first[:-1].copy()
    for low, block in _blocks(game, progress, "turning moves round", 1 / 3):
        _turn(low, block.first, block.succ, fill, back)
    return back


@njit(cache=True)
def _count(succ: Any, back_first: Any) -> None:
    for s in succ:
        back_first[s + 1] += 1


@njit(cache=True)
def _turn(low: int, first: Any, succ: Any, fill: Any, back: Any) -> None:
    for v in range(len(first) - 1):
        for e in range(first[v], first[v + 1]):
            s = succ[e]
            back[fill[s]] = low + v
            fill[s] += 1


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
