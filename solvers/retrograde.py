"""Games without chance: win, loss, tie or draw for every node, with distances, backwards from the end.

Distances count edges, steps and moves alike: a win or a tie is as short, a loss as long, as can be forced.
Where neither player can force a win, both prefer a tie to playing on for ever; a DRAW is a node from which no
tie can be reached without giving the other player a win. Its distance is -1.

A game with moves that cannot be taken back is solved layer by layer. Edges that leave a layer lead to known
outcomes: they are read once, and what they promise is kept as one number per node, its `hope`. Only edges inside a
layer are reversed and kept.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.compiled import njit
from solvers.graph import (
    ArenaError,
    Block,
    Blocks,
    Kind,
    Layer,
    Outcome,
    Pace,
    Progress,
    blocks_of,
    layers_of,
    require_outcome_block,
    silent,
)

BLOCK = 1 << 16  # nodes processed together
KEPT = 1 << 28  # edges of a layer kept from the first look at it for the second, four bytes each
STEP = int(Kind.STEP)
MOVE = int(Kind.MOVE)
VOID = int(Kind.VOID)
ENDINGS = int(Kind.TIE)  # the kinds up to this one end the game, each with the outcome of the next number
UNSOLVED, WIN, LOSS, TIE, DRAW = (int(o) for o in Outcome)


@dataclass(frozen=True, eq=False)
class Outcomes:
    """For each node an `Outcome` (uint8; UNSOLVED where there is no position) and its distance in edges (int32,
    -1 at draws and where there is no position)."""

    outcome: NDArray[np.uint8]
    distance: NDArray[np.int32]

    @classmethod
    def unknown(cls, size: int) -> Outcomes:
        return cls(np.zeros(size, dtype=np.uint8), np.full(size, -1, dtype=np.int32))


Keep = Callable[[int, Outcomes], None]  # receives the number of layers done


def _forget(layers: int, outcomes: Outcomes) -> None:
    """Keep nothing."""


def solve_outcomes(
    game: Blocks,
    progress: Progress = silent,
    *,
    keep: Keep = _forget,
    start: tuple[int, Outcomes] | None = None,
) -> Outcomes:
    """Solve a graph without chance nodes; loops are allowed.

    Memory holds five bytes per node, about thirty per node of the current layer, and its reversed edges, four bytes
    each. `start` is what `keep` received from an interrupted solve; what it holds of later layers is discarded.
    """
    done, outcomes = start or (0, Outcomes.unknown(len(game)))
    layers = layers_of(game)
    if start and (done > len(layers) or not len(outcomes.outcome) == len(outcomes.distance) == len(game)):
        raise ArenaError("what was kept is of another game")
    for low, high in (part for layer in layers[done:] if start for part in zip(*layer, strict=True)):
        outcomes.outcome[low:high], outcomes.distance[low:high] = UNSOLVED, -1
    solved = sum(layer.size for layer in layers[:done])
    pace = Pace(len(game), solved)
    for number, layer in enumerate(layers[done:], start=done + 1):
        title = f"layer {number} of {len(layers)}, " if len(layers) > 1 else ""
        for at in _Work(game, layer, outcomes).solve():
            progress(title + pace(solved + at), (solved + at) / len(game))
        solved += layer.size
        keep(number, outcomes)
    return outcomes


class _Inside(NamedTuple):
    """Edges within a layer: how many each node of a block has, and where in the layer they lead."""

    degree: NDArray[np.int32]
    succ: NDArray[np.int32]


class _Work:
    """One layer. Its nodes are numbered by their places in it; nodes outside it that edges reach are solved already."""

    def __init__(self, game: Blocks, layer: Layer, known: Outcomes) -> None:
        self.game, self.layer, self.known, self.size = game, layer, known, layer.size
        self.places = Outcomes.unknown(self.size) if len(layer.low) > 1 else self._view(0)
        self.before = np.cumsum(layer.high - layer.low) - (layer.high - layer.low)
        self.kind = np.empty(self.size, dtype=np.uint8)
        self.open = np.zeros(self.size, dtype=np.int32)
        self.hope = np.zeros(self.size, dtype=np.int32)
        self.back_first: NDArray[Any] = np.zeros(self.size + 1, dtype=np.int32)

    def _view(self, part: int) -> Outcomes:
        here = slice(self.layer.low[part], self.layer.high[part])
        return Outcomes(self.known.outcome[here], self.known.distance[here])

    def solve(self) -> Iterator[int]:
        """Fill in the outcomes; yield the number of nodes read so far."""
        kept: deque[_Inside] = deque()
        yield from self._look(kept)
        back = self._turn_edges(kept)
        queue = np.empty(self.size + 1, dtype=np.int32)  # a place more, for what is written and not kept
        outcome, distance = self.places.outcome, self.places.distance
        _decide(self.kind, self.back_first, back, self.open, self.hope, outcome, distance, queue)
        undecided = int(np.count_nonzero((outcome == UNSOLVED) & (self.kind != VOID)))
        if _tie(self.back_first, back, self.hope, outcome, distance, queue, undecided):
            outcome[(outcome == UNSOLVED) & (self.kind != VOID)] = DRAW
        if len(self.layer.low) > 1:
            self._put_back()

    def _put_back(self) -> None:
        for part, begin in enumerate(self.before):
            view = self._view(part)
            view.outcome[:] = self.places.outcome[begin : begin + len(view.outcome)]
            view.distance[:] = self.places.distance[begin : begin + len(view.outcome)]

    def _blocks(self, begin: int = 0) -> Iterator[tuple[int, Block]]:
        """The blocks from `begin` on, each with the place where it begins."""
        blocks = blocks_of(self.game, self.layer.pieces(BLOCK, begin))
        for at, block in zip(range(begin, self.size, BLOCK), blocks, strict=True):
            require_outcome_block(block, self.layer.node(at), len(self.game))
            yield at, block

    def _look(self, kept: deque[_Inside]) -> Iterator[int]:
        """Compute each node's hope, and count the edges into it; keep the edges of the first blocks."""
        room = KEPT
        for at, block in self._blocks():
            yield at
            inside = self._sort_out(at, block, True)
            room -= len(inside.succ)
            if room >= 0:
                kept.append(inside)
        few = self.back_first.sum(dtype=np.int64) <= np.iinfo(np.int32).max
        ends = self.back_first if few else np.empty(self.size + 1, dtype=np.int64)
        self.back_first = np.cumsum(self.back_first, out=ends)  # where each node's list of predecessors ends

    def _sort_out(self, at: int, block: Block, first: bool) -> _Inside:
        """The edges inside the layer, counted on the first pass; those that leave it become hopes."""
        if self.size == len(self.game):
            return self._take_whole(at, block, first)
        degree = np.zeros(len(block.kind), dtype=np.int32)
        inside = np.empty(len(block.succ), dtype=np.int32)
        total = _sort_out(
            at, *block, *self.layer, self.before, self.known.outcome, self.known.distance, first,
            self.kind, self.open, self.hope, self.back_first, self.places.outcome, self.places.distance, degree, inside,
        )  # fmt: skip
        if total < 0:
            raise ArenaError("an edge leads to a later layer, or to a node that is no position")
        return _Inside(degree, inside[:total].copy())

    def _take_whole(self, at: int, block: Block, first: bool) -> _Inside:
        """The same if the layer is the whole game, so that all edges are inside."""
        degree = np.diff(block.first).astype(np.int32)
        if first:
            here = slice(at, at + len(degree))
            self.kind[here], self.open[here] = block.kind, degree
            _take(block.kind, block.succ, self.places.outcome[here], self.places.distance[here], self.back_first)
        return _Inside(degree, block.succ.astype(np.int32, copy=False))

    def _turn_edges(self, kept: deque[_Inside]) -> NDArray[np.int32]:
        """The predecessors of v are back[back_first[v]:back_first[v + 1]]; a doubled edge counts twice."""
        back = np.empty(self.back_first[-1], dtype=np.int32)
        begin = len(kept) * BLOCK
        for at in range(0, begin, BLOCK):
            _turn(at, *kept.popleft(), self.back_first, back)
        for at, block in self._blocks(begin):
            _turn(at, *self._sort_out(at, block, False), self.back_first, back)
        return back


# A hope is a distance and the outcome that edges out of the layer promise for it, as one number; 0 is none. A win
# is as short as can be; a loss, which counts only if all edges lead to one, as long; a tie, which counts only if there
# is no win, as short. Each of them forbids those after it: with a win in sight no loss or tie needs to be known.


@njit(cache=True)
def _better(hope: int, outcome: int, distance: int) -> int:
    if outcome == DRAW:
        return hope
    promised, away = hope % 4, hope // 4
    if promised == 0:
        return distance * 4 + outcome
    if outcome == promised:
        return (max(away, distance) if outcome == LOSS else min(away, distance)) * 4 + outcome
    if promised == WIN or (promised == TIE and outcome == LOSS):
        return hope
    return distance * 4 + outcome


@njit(cache=True)
def _place(s: int, low: Any, high: Any, before: Any) -> int:
    part = np.searchsorted(low, s, side="right") - 1
    return before[part] + s - low[part] if part >= 0 and s < high[part] else -1


@njit(cache=True)
def _sort_out(
    at: int, block_kind: Any, first: Any, succ: Any, low: Any, high: Any, before: Any, known: Any, away: Any,
    is_first: bool, kind: Any, still_open: Any, hope: Any, entering: Any, outcome: Any, distance: Any,
    degree: Any, inside: Any,
) -> int:  # fmt: skip
    """The number of edges inside the layer; -1 if an edge leads to an unsolved node outside it."""
    total = 0
    for i in range(len(block_kind)):
        v = at + i
        if is_first:
            kind[v] = block_kind[i]
            if block_kind[i] <= ENDINGS:
                outcome[v], distance[v] = block_kind[i] + 1, 0
        for e in range(first[i], first[i + 1]):
            seen = known[succ[e]]
            place = _place(succ[e], low, high, before) if seen == UNSOLVED or away[succ[e]] == 0 else -1
            if place >= 0:
                inside[total] = place
                total += 1
                degree[i] += 1
                if is_first:
                    entering[place] += 1
                    still_open[v] += 1
            elif seen == UNSOLVED:
                return -1
            elif is_first:
                if block_kind[i] == MOVE and seen <= LOSS:
                    seen = WIN + LOSS - seen
                still_open[v] += seen != LOSS
                hope[v] = _better(hope[v], seen, away[succ[e]] + 1)
    return total


@njit(cache=True)
def _take(kind: Any, succ: Any, outcome: Any, distance: Any, entering: Any) -> None:
    """Note the endings, and count the edges into each node."""
    for i in range(len(kind)):
        if kind[i] <= ENDINGS:
            outcome[i], distance[i] = kind[i] + 1, 0
    for s in succ:
        entering[s] += 1


@njit(cache=True)
def _turn(at: int, degree: Any, succ: Any, ends: Any, back: Any) -> None:
    """Fill each node's list from its end, so that at last `ends` says where the lists begin."""
    e = 0
    for i in range(len(degree)):
        for _ in range(degree[i]):
            ends[succ[e]] -= 1
            back[ends[succ[e]]] = at + i
            e += 1


@njit(cache=True)
def _link(v: int, hope: Any, heads: Any) -> None:
    """Put v in the list of those due at its hope's distance; its link takes the place of the hope."""
    due = hope[v] // 4
    hope[v] = heads[due]
    heads[due] = v


@njit(cache=True)
def _settle_due(
    level: int, heads: Any, hope: Any, still_open: Any, tied: bool, outcome: Any, distance: Any, queue: Any, tail: int
) -> int:
    """Settle the nodes whose hopes come true at this distance, unless the layer has a shorter way."""
    v = heads[level] if level < len(heads) else -1
    while v >= 0:
        if outcome[v] == UNSOLVED:
            outcome[v], distance[v] = TIE if tied else LOSS if still_open[v] == 0 else WIN, level
            queue[tail] = v
            tail += 1
        v = hope[v]
    return tail


@njit(cache=True)
def _put_in_order(level: int, tied: bool, outcome: Any, distance: Any, queue: Any, head: int, end: int) -> None:
    """If many nodes settle at this distance, list them in the order of nodes: the edges are in this order, too."""
    if (end - head) * 16 < len(distance):
        return
    for v in range(len(distance)):
        queue[head] = v
        head += (distance[v] == level) & ((outcome[v] == TIE) == tied)


@njit(cache=True)
def _decide(
    kind: Any, back_first: Any, back: Any, still_open: Any, hope: Any, outcome: Any, distance: Any, queue: Any
) -> None:
    """Spread wins and losses in the order of their distances. `still_open[v]` counts successors not yet known to be
    bad for the mover at v; the one that makes a win is never known to be bad, so it stays above 0 there."""
    heads = np.full(hope.max() // 4 + 1, -1, dtype=np.int64)
    tail, steps = 0, False
    for v in range(len(kind)):
        steps |= kind[v] == STEP
        if outcome[v] == WIN or outcome[v] == LOSS:
            queue[tail] = v
            tail += 1
        elif hope[v] % 4 == WIN or (hope[v] % 4 == LOSS and still_open[v] == 0):
            _link(v, hope, heads)
    head, level = 0, 0
    while head < tail or level < len(heads):
        tail = end = _settle_due(level, heads, hope, still_open, False, outcome, distance, queue, tail)
        _put_in_order(level, False, outcome, distance, queue, head, end)
        while head < end:
            s = queue[head]
            head += 1
            lost = outcome[s] == LOSS
            for e in range(back_first[s], back_first[s + 1]):
                v = back[e]
                if lost == (not steps or kind[v] == MOVE):  # good for the mover at v
                    if outcome[v] == UNSOLVED:
                        outcome[v], distance[v] = WIN, level + 1
                        queue[tail] = v
                        tail += 1
                    continue
                still_open[v] -= 1
                if still_open[v] == 0 and hope[v] // 4 > level + 1:  # a longer loss outside the layer
                    _link(v, hope, heads)
                elif still_open[v] == 0:
                    outcome[v], distance[v] = LOSS, level + 1
                    queue[tail] = v
                    tail += 1
        level += 1


@njit(cache=True)
def _tie(back_first: Any, back: Any, hope: Any, outcome: Any, distance: Any, queue: Any, undecided: int) -> int:
    """Spread ties over what is neither won nor lost, in the order of distances; return the number undecided."""
    furthest = 0
    for v in range(len(outcome)):
        if hope[v] % 4 == TIE and outcome[v] == UNSOLVED:
            furthest = max(furthest, hope[v] // 4)
    heads = np.full(furthest + 1, -1, dtype=np.int64)
    tail = 0
    for v in range(len(outcome)):
        if outcome[v] == TIE:
            queue[tail] = v
            tail += 1
        elif hope[v] % 4 == TIE and outcome[v] == UNSOLVED:
            _link(v, hope, heads)
    head, level, most = 0, 0, tail + undecided
    while tail < most and (head < tail or level < len(heads)):
        tail = end = _settle_due(level, heads, hope, hope, True, outcome, distance, queue, tail)
        _put_in_order(level, True, outcome, distance, queue, head, end)
        while head < end and tail < most:
            s = queue[head]
            head += 1
            for e in range(back_first[s], back_first[s + 1]):
                v = back[e]  # new or not unpredictably, so an unconditional write is faster than a branch
                queue[tail] = v
                tail += outcome[v] == UNSOLVED
                outcome[v] = TIE if outcome[v] == UNSOLVED else outcome[v]
        level += 1
        for i in range(end, tail):
            distance[queue[i]] = level
    return most - tail
