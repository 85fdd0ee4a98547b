"""Games without chance, solved in ranges of numbers that may lie in different processes or on different machines.

A `Range` holds consecutive nodes and their reversed edges. Decisions spread distance by distance: in each round every
range receives the newly decided nodes to which it has edges, and answers which of its own nodes follow. Only the
caller, `solve_ranges`, keeps the answers; they suffice to rebuild a lost range, or to resume after an interruption.
The outcomes are those of `solvers.retrograde`, however the nodes are divided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from solvers.compiled import njit
from solvers.graph import ArenaError, Block, Kind, Outcome, Pace, Progress, require_outcome_block, silent
from solvers.retrograde import Outcomes

PLACES = 24  # bits of an edge for the place of the node that it comes from; the others are for the one it leads to
LARGEST = 1 << PLACES  # nodes of a range
MOST = 1 << (64 - PLACES)  # nodes of a game
SHEET = 1 << 12  # nodes that a range lumps together when it reports where its edges lead
PIECE = 1 << 16  # nodes whose edges are processed together
AT_ONCE = 1 << 20  # decided nodes that are replayed together
UNSOLVED, WIN, LOSS, TIE, DRAW = (int(o) for o in Outcome)
STEP, MOVE, VOID, ENDINGS = int(Kind.STEP), int(Kind.MOVE), int(Kind.VOID), int(Kind.TIE)


class Decided(NamedTuple):
    """Nodes, rising, and their outcomes."""

    nodes: NDArray[np.int64]
    outcome: NDArray[np.uint8]

    @classmethod
    def of(cls, nodes: Any, outcome: Any) -> Decided:
        return cls(np.asarray(nodes, dtype=np.int64), np.asarray(outcome, dtype=np.uint8))

    def among(self, sheets: NDArray[np.bool_]) -> Decided:
        here = sheets[self.nodes // SHEET]
        return self if here.all() else Decided(self.nodes[here], self.outcome[here])


class Opened(NamedTuple):
    """A new range's summary of itself."""

    ended: Decided  # its nodes that end the game
    void: NDArray[np.int64]  # its numbers without a position
    sheets: NDArray[np.bool_]  # where its edges lead
    edges: int


class Range:
    """The nodes from `low` up to, but excluding, `high`, of `size` in all; `blocks` are theirs in order."""

    def __init__(self, low: int, high: int, size: int, blocks: Iterable[Block]) -> None:
        if high - low > LARGEST or size > MOST:
            raise ArenaError(f"a range holds up to {LARGEST:,} of up to {MOST:,} nodes")
        self.low, self.size = low, size
        self.kind = np.empty(high - low, dtype=np.uint8)
        self.open = np.empty(high - low, dtype=np.int32)  # successors not known to be bad for the player who chooses
        self.edges = self._turned(blocks)
        self.edges.sort()
        self.outcome = np.where(self.kind <= ENDINGS, self.kind + 1, UNSOLVED).astype(np.uint8)

    def _turned(self, blocks: Iterable[Block]) -> NDArray[np.uint64]:
        """Each edge as one number: the node that it leads to, then the place in the range that it comes from."""
        edges, at, count = np.empty(0, dtype=np.uint64), 0, 0
        for block in blocks:
            require_outcome_block(block, self.low + at, self.size)
            degree = np.diff(block.first)
            here, there = slice(at, at + len(degree)), slice(count, count + len(block.succ))
            self.kind[here], self.open[here] = block.kind, degree
            if there.stop > len(edges):
                edges.resize(there.stop + there.stop // 8, refcheck=False)  # moved, not copied: never twice in memory
            places = np.repeat(np.arange(at, here.stop, dtype=np.uint64), degree)
            edges[there] = (block.succ.astype(np.uint64) << np.uint64(PLACES)) | places
            at, count = here.stop, there.stop
        if at != len(self.kind):
            raise ArenaError(f"a range of {len(self.kind):,} nodes was given {at:,}")
        edges.resize(count, refcheck=False)
        return edges

    def opened(self) -> Opened:
        ended = np.flatnonzero(self.outcome)
        sheets = np.arange(-(-self.size // SHEET), dtype=np.uint64) * np.uint64(SHEET << PLACES)
        first = np.append(np.searchsorted(self.edges, sheets), len(self.edges))
        void = np.flatnonzero(self.kind == VOID) + self.low
        return Opened(self._decided(ended), void, np.diff(first) > 0, len(self.edges))

    def _decided(self, places: NDArray[Any]) -> Decided:
        return Decided.of(places + self.low, self.outcome[places])

    def restore(self, outcome: NDArray[np.uint8]) -> None:
        """Restore the decisions on this range."""
        self.outcome[:] = outcome

    def replay(self, decided: Decided) -> None:
        """Apply earlier decisions again, without answering."""
        _count(*self._entering(decided), decided.outcome, self.edges, self.kind, self.open)

    def advance(self, decided: Decided) -> Decided:
        """Wins and losses of one distance; what follows from them is decided at the next."""
        fresh = np.empty(min(len(self.kind), len(self.edges)), dtype=np.int32)
        begins, ends = self._entering(decided)
        count = _advance(begins, ends, decided.outcome, self.edges, self.kind, self.open, self.outcome, fresh)
        return self._decided(np.sort(fresh[:count]))

    def tie(self, decided: Decided) -> Decided:
        """Ties of one distance; whoever can neither win nor has lost takes them."""
        fresh = np.empty(min(len(self.kind), len(self.edges)), dtype=np.int32)
        count = _tie(*self._entering(decided), self.edges, self.outcome, fresh)
        return self._decided(np.sort(fresh[:count]))

    def _entering(self, decided: Decided) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the edges into each of these nodes begin and end."""
        keys = decided.nodes.astype(np.uint64) << np.uint64(PLACES)
        return np.searchsorted(self.edges, keys), np.searchsorted(self.edges, keys + np.uint64(LARGEST))


# -- The rounds ----------------------------------------------------------------------------------------------------


class Ranges(Protocol):
    """All ranges of a game, wherever they are. A question must reach a range in exactly this state: if a range
    is lost, rebuild it from `known`, as `remake` does."""

    def open(self, known: Known | None) -> list[Opened]:
        """Make all ranges, and bring each up to date with what is known."""
        ...

    def ask(self, method: str, decided: Sequence[Decided], known: Known) -> list[Decided]:
        """Call `advance` or `tie` on each range with its decisions; a range without any answers nothing."""
        ...


class Known:
    """All that has been decided: up to a distance, first of wins and losses, then of ties."""

    def __init__(self, outcomes: Outcomes, distance: int = 0, tied: bool = False) -> None:
        self.outcomes, self.distance, self.tied = outcomes, distance, tied
        self.is_void: NDArray[np.bool_] = np.zeros(len(outcomes.outcome), dtype=np.bool_)

    def add(self, decided: Iterable[Decided], distance: int) -> int:
        count = 0
        for nodes, outcome in decided:
            self.outcomes.outcome[nodes], self.outcomes.distance[nodes] = outcome, distance
            count += len(nodes)
        return count

    def at(self, distance: int) -> Decided:
        """The decisions at one distance, of the kind now spreading."""
        outcome, away = self.outcomes.outcome, self.outcomes.distance
        nodes = np.flatnonzero((away == distance) & ((outcome == TIE) == self.tied) & (outcome != UNSOLVED))
        return Decided.of(nodes, outcome[nodes])

    def replayed(self) -> Iterator[Decided]:
        """Wins and losses already sent to the ranges: all nearer than the distance reached."""
        outcome, away = self.outcomes.outcome, self.outcomes.distance
        for at in range(0, len(outcome), AT_ONCE):
            part = slice(at, at + AT_ONCE)
            heard = (outcome[part] == WIN) | (outcome[part] == LOSS)
            if not self.tied:
                heard &= away[part] < self.distance
            nodes = np.flatnonzero(heard)
            if len(nodes):
                yield Decided.of(nodes + at, outcome[part][nodes])

    def of_range(self, low: int, high: int) -> NDArray[np.uint8]:
        return self.outcomes.outcome[low:high]


Keep = Callable[[Known], None]


def _forget(known: Known) -> None:
    """Keep nothing."""


def remake(part: Range, sheets: NDArray[np.bool_], known: Known) -> None:
    """Bring a new range up to date with the others."""
    part.restore(known.of_range(part.low, part.low + len(part.kind)))
    for decided in known.replayed():
        part.replay(decided.among(sheets))


def solve_ranges(
    ranges: Ranges, size: int, progress: Progress = silent, *, keep: Keep = _forget, start: Known | None = None
) -> Outcomes:
    """Solve a graph without chance nodes; `start` is what `keep` received from an interrupted solve."""
    known = start or Known(Outcomes.unknown(size))
    if len(known.outcomes.outcome) != size:
        raise ArenaError("what was kept is of another game")
    opened = ranges.open(start)
    for each in opened:
        known.is_void[each.void] = True
    sheets = [each.sheets for each in opened]
    done = int(np.count_nonzero(known.outcomes.outcome))
    if start is None:
        done = known.add((each.ended for each in opened), 0)
    pace = Pace(size, done)
    for method in ("advance", "tie")[known.tied :]:
        if method == "tie" and not known.tied:
            known.tied, known.distance = True, 0
        due = known.at(known.distance)
        while len(due.nodes):
            progress(f"distance {known.distance:,}, " + pace(done), done / size)
            answers = ranges.ask(method, [due.among(here) for here in sheets], known)
            done += known.add(answers, known.distance + 1)
            known.distance += 1
            due = Decided.of(
                np.concatenate([answer.nodes for answer in answers]),
                np.concatenate([answer.outcome for answer in answers]),
            )
            keep(known)
    outcome = known.outcomes.outcome
    outcome[(outcome == UNSOLVED) & ~known.is_void] = DRAW
    return known.outcomes


class RangesHere:
    """All ranges in this process, for tests and comparisons."""

    def __init__(self, lows: Sequence[int], size: int, blocks: Callable[[int, int], Iterable[Block]]) -> None:
        self.lows, self._size, self._blocks = lows, size, blocks
        self._parts: list[tuple[Range, Opened]] = []

    def open(self, known: Known | None) -> list[Opened]:
        self._parts = [self._made(i, known) for i in range(len(self.lows))]
        return [opened for _, opened in self._parts]

    def _made(self, i: int, known: Known | None) -> tuple[Range, Opened]:
        low, high = self.lows[i], [*self.lows, self._size][i + 1]
        part = Range(low, high, self._size, self._blocks(low, high))
        opened = part.opened()
        if known is not None:
            remake(part, opened.sheets, known)
        return part, opened

    def ask(self, method: str, decided: Sequence[Decided], known: Known) -> list[Decided]:
        pairs = zip(self._parts, decided, strict=True)
        return [part.advance(due) if method == "advance" else part.tie(due) for (part, _), due in pairs]


def lows_of(size: int, parts: int) -> list[int]:
    """Where each of `parts` ranges of about equal length begins; more ranges if one would be too long."""
    parts = max(1, min(size, max(parts, -(-size // LARGEST))))
    return [size * i // parts for i in range(parts)]


# -- Compiled ------------------------------------------------------------------------------------------------------


@njit(cache=True)
def _is_good(kind: int, outcome: int) -> bool:
    """Is a successor with this outcome good for the player who chooses here?"""
    return outcome == (LOSS if kind == MOVE else WIN)


@njit(cache=True)
def _advance(
    begins: Any, ends: Any, heard: Any, edges: Any, kind: Any, still_open: Any, outcome: Any, fresh: Any
) -> int:  # fmt: skip
    count = 0
    for i in range(len(begins)):
        for e in range(begins[i], ends[i]):
            v = np.int64(edges[e] & np.uint64(LARGEST - 1))
            good = _is_good(kind[v], heard[i])
            if not good:
                still_open[v] -= 1
            if outcome[v] == UNSOLVED and (good or still_open[v] == 0):
                outcome[v] = WIN if good else LOSS
                fresh[count] = v
                count += 1
    return count


@njit(cache=True)
def _count(begins: Any, ends: Any, heard: Any, edges: Any, kind: Any, still_open: Any) -> None:
    for i in range(len(begins)):
        for e in range(begins[i], ends[i]):
            v = np.int64(edges[e] & np.uint64(LARGEST - 1))
            if not _is_good(kind[v], heard[i]):
                still_open[v] -= 1


@njit(cache=True)
def _tie(begins: Any, ends: Any, edges: Any, outcome: Any, fresh: Any) -> int:
    count = 0
    for i in range(len(begins)):
        for e in range(begins[i], ends[i]):
            v = np.int64(edges[e] & np.uint64(LARGEST - 1))
            if outcome[v] == UNSOLVED:
                outcome[v] = TIE
                fresh[count] = v
                count += 1
    return count
