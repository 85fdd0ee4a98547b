"""Game graphs as flat arrays: who may go where, seen by the player to move at each node.

Names used throughout `solvers`:
  v, u    a node;  s  a successor of it
  f, g    probability that the player to move (f), or the other one (g), can force a win
  role    0 if the protagonist is to move at a node, 1 if the opponent is; (v, role) is a role-node
  anchor  a node whose values are stored; every other node follows from the anchors in one pass
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import networkx

# Sums of successors' fixed-point values (up to 2**40 each) must fit in 63 bits.
MAX_SUCCESSORS = 1 << 22

Progress = Callable[[str, float], None]  # receives the current work and the share of the whole that is done


def silent(what: str, done: float) -> None:
    """Ignore progress."""


def part(progress: Progress, begin: float, end: float) -> Progress:
    """For a stage that goes from one share of the whole to another."""
    return lambda what, done: progress(what, begin + (end - begin) * done)


class Pace:
    """Reports the positions done, the total, and the rate per second since its creation."""

    def __init__(self, size: int, done: int = 0) -> None:
        self._size, self._before, self._begin = size, done, time.monotonic()

    def __call__(self, done: int) -> str:
        rate = (done - self._before) / max(time.monotonic() - self._begin, 1e-9)
        return f"{done:,} of {self._size:,} positions, {rate:,.0f} a second"


class Kind(IntEnum):
    """What happens at a node."""

    WIN = 0  # the player to move here has won
    LOSS = 1
    TIE = 2
    STEP = 3  # the player to move chooses a successor and goes on moving
    MOVE = 4  # the player to move chooses a successor, where the other player is to move
    CHANCE = 5  # each listed successor is equally likely; the same player is to move there
    VOID = 6  # no position has this number; nothing leads here


class Outcome(IntEnum):
    """The value of a node without chance, for the player to move. A tie is not a draw by endless play."""

    UNSOLVED = 0
    WIN = 1
    LOSS = 2
    TIE = 3
    DRAW = 4


TERMINAL_KINDS = (Kind.WIN, Kind.LOSS, Kind.TIE)


class ArenaError(ValueError):
    """The arrays do not describe a game graph."""


class Block(NamedTuple):
    """Some nodes in a row: their kinds, and for the i-th of them the successors `succ[first[i]:first[i + 1]]`."""

    kind: NDArray[np.uint8]
    first: NDArray[np.int64]
    succ: NDArray[Any]  # int32 or int64


class Blocks(Protocol):
    """A game graph read block by block, so that its edges need not be in memory at once."""

    def __len__(self) -> int: ...

    def block(self, low: int, high: int) -> Block:
        """The nodes from `low` up to, but excluding, `high`."""
        ...


class Layer(NamedTuple):
    """Nodes solved together: for each i, rising, those from `low[i]` up to, but excluding, `high[i]`."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]

    @classmethod
    def of(cls, low: Any, high: Any) -> Layer:
        return cls(np.atleast_1d(np.asarray(low, dtype=np.int64)), np.atleast_1d(np.asarray(high, dtype=np.int64)))

    @property
    def size(self) -> int:
        return int((self.high - self.low).sum())

    def pieces(self, most: int, begin: int = 0) -> Iterator[NDArray[np.int64]]:
        """All its nodes in order from the place `begin` on, at most `most` at a time."""
        ends = np.cumsum(self.high - self.low)
        shift = self.high - ends  # from a place in the layer to the node there
        for at in range(begin, self.size, most):
            places = np.arange(at, min(at + most, self.size))
            yield places + (shift[0] if len(shift) == 1 else shift[np.searchsorted(ends, places, side="right")])

    def node(self, place: int) -> int:
        return int(next(self.pieces(1, place))[0])


@runtime_checkable
class Layered(Blocks, Protocol):
    """A game in which some moves cannot be taken back."""

    def layers(self) -> Sequence[Layer]:
        """A partition of the nodes, ordered so that no edge leads to a later layer."""
        ...

    def blocks(self, pieces: Iterable[NDArray[np.int64]]) -> Iterator[Block]:
        """The nodes of each piece; pieces come in order, and may be processed in parallel."""
        ...


def layers_of(game: Blocks) -> Sequence[Layer]:
    """By default a game is a single layer."""
    return game.layers() if isinstance(game, Layered) else [Layer.of(0, len(game))]


def blocks_of(game: Blocks, pieces: Iterable[NDArray[np.int64]]) -> Iterator[Block]:
    if isinstance(game, Layered):
        return game.blocks(pieces)
    return (game.block(int(piece[0]), int(piece[-1]) + 1) for piece in pieces)


@dataclass(frozen=True, eq=False)
class Arena:
    """A turn-based game graph; the successors of v are `succ[first[v]:first[v + 1]]`.

    A non-anchor's non-anchor successors all have smaller indices, so every cycle passes through an anchor
    and a single pass in index order evaluates every non-anchor from the anchors' values.
    """

    kind: NDArray[np.uint8]
    first: NDArray[np.int64]
    succ: NDArray[np.int32]
    anchor: NDArray[np.bool_]

    @classmethod
    def of(cls, kind: Any, first: Any, succ: Any, anchor: Any = None) -> Arena:
        """Accept arrays or lists, choose anchors if none are given, and reject what is not a game graph."""
        kinds = np.ascontiguousarray(kind, dtype=np.uint8)
        starts = np.ascontiguousarray(first, dtype=np.int64)
        targets = np.ascontiguousarray(succ, dtype=np.int32)
        flags = default_anchors(starts, targets) if anchor is None else _as_flags(anchor, len(kinds))
        arena = cls(kinds, starts, targets, flags)
        require_valid(arena)
        return arena

    def __len__(self) -> int:
        return len(self.kind)

    def block(self, low: int, high: int) -> Block:
        begin, end = self.first[low], self.first[high]
        return Block(self.kind[low:high], self.first[low : high + 1] - begin, self.succ[begin:end])

    @property
    def anchors(self) -> NDArray[np.int64]:
        """Indices of the anchors, rising."""
        return np.flatnonzero(self.anchor).astype(np.int64)

    @property
    def degree(self) -> NDArray[np.int64]:
        return np.diff(self.first)

    @property
    def has_chance(self) -> bool:
        return bool((self.kind == Kind.CHANCE).any())

    def successors(self, node: int) -> list[int]:
        return [int(s) for s in self.succ[self.first[node] : self.first[node + 1]]]

    def to_networkx(self) -> networkx.MultiDiGraph:
        """The same graph for networkx: nodes carry `kind` and `anchor`, edges `place` in the list."""
        import networkx

        graph = networkx.MultiDiGraph()
        for v in range(len(self)):
            graph.add_node(v, kind=Kind(int(self.kind[v])), anchor=bool(self.anchor[v]))
        for v in range(len(self)):
            graph.add_edges_from((v, s, {"place": i}) for i, s in enumerate(self.successors(v)))
        return graph


@dataclass
class ArenaBuilder:
    """Collects nodes one by one; a node may name successors that are added later.

    >>> b = ArenaBuilder()
    >>> won = b.add(Kind.WIN)
    >>> b.add(Kind.STEP, [won])
    1
    """

    _kind: list[int] = field(default_factory=list)
    _succ: list[Sequence[int] | None] = field(default_factory=list)
    _anchor: list[bool] = field(default_factory=list)

    def add(self, kind: Kind, successors: Iterable[int] = (), *, anchor: bool = False) -> int:
        """Append a node and return its index."""
        self._kind.append(int(kind))
        self._succ.append(list(successors))
        self._anchor.append(anchor)
        return len(self._kind) - 1

    def reserve(self, kind: Kind, *, anchor: bool = True) -> int:
        """Append a node whose successors are given later by `connect`."""
        v = self.add(kind, anchor=anchor)
        self._succ[v] = None
        return v

    def connect(self, node: int, successors: Iterable[int]) -> None:
        if self._succ[node] is not None:
            raise ArenaError(f"node {node} already has its successors")
        self._succ[node] = list(successors)

    def freeze(self) -> Arena:
        """The finished arena. Nodes marked as anchors are kept; without any mark they are chosen here."""
        missing = [v for v, s in enumerate(self._succ) if s is None]
        if missing:
            raise ArenaError(f"node {missing[0]} was reserved but never connected")
        lists = [s or () for s in self._succ]
        first = np.concatenate([[0], np.cumsum([len(s) for s in lists], dtype=np.int64)])
        succ = [s for part in lists for s in part]
        return Arena.of(self._kind, first, succ, self._anchor if any(self._anchor) else None)


def default_anchors(first: NDArray[np.int64], succ: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Every node with an edge that does not lead to a smaller index."""
    flags = np.zeros(max(len(first) - 1, 0), dtype=np.bool_)
    if len(first) and (np.diff(first) >= 0).all() and first[-1] == len(succ):
        source = np.repeat(np.arange(len(flags)), np.diff(first))
        flags[source[succ >= source]] = True
    return flags


def _as_flags(anchor: Any, size: int) -> NDArray[np.bool_]:
    given = np.asarray(anchor)
    if given.dtype == np.bool_:
        return np.ascontiguousarray(given)
    flags = np.zeros(size, dtype=np.bool_)
    index = given.astype(np.int64)
    if index.size and (index.min() < 0 or index.max() >= size):
        raise ArenaError("an anchor index is not the index of a node")
    flags[index] = True
    return flags


def require_valid(arena: Arena) -> None:
    """Raise `ArenaError` with the first problem, if there is one."""
    problems = arena_problems(arena)
    if problems:
        raise ArenaError(problems[0])


def arena_problems(arena: Arena) -> list[str]:
    """What keeps these arrays from being a game graph; empty if nothing does.

    Later checks index by what earlier checks have secured, so the list ends at the first broken layer.
    """
    return _shape_problems(arena) or _edge_problems(arena) or _order_problems(arena)


def _shape_problems(arena: Arena) -> list[str]:
    n = len(arena.kind)
    wanted = {"kind": (np.uint8, n), "first": (np.int64, n + 1), "anchor": (np.bool_, n)}
    problems = []
    for name, (dtype, length) in wanted.items():
        column = getattr(arena, name)
        if column.dtype != dtype or column.shape != (length,):
            problems.append(f"{name} is {column.dtype}{column.shape}, not {np.dtype(dtype)}({length},)")
    if arena.succ.ndim != 1 or arena.succ.dtype not in (np.dtype(np.int32), np.dtype(np.int64)):
        problems.append("succ is not a flat array of int32 or int64")
    return problems


def _edge_problems(arena: Arena) -> list[str]:
    n, first, succ = len(arena), arena.first, arena.succ
    if first[0] != 0 or first[-1] != len(succ) or (np.diff(first) < 0).any():
        return ["first does not rise from 0 to the number of edges"]
    if len(succ) and (succ.min() < 0 or succ.max() >= n):
        return ["an edge leads to a node that does not exist"]
    if n and arena.kind.max() > Kind.CHANCE:
        return [f"node {int(arena.kind.argmax())} has an unknown kind"]
    terminal = np.isin(arena.kind, TERMINAL_KINDS)
    degree = arena.degree
    problems = []
    for wrong, text in (
        (terminal & (degree > 0), "is terminal but has successors"),
        (terminal & arena.anchor, "is terminal and cannot be an anchor: its value is known"),
        (~terminal & (degree == 0), "has no successors but is not terminal"),
        (degree > MAX_SUCCESSORS, f"has more than {MAX_SUCCESSORS} successors"),
    ):
        if wrong.any():
            problems.append(f"node {int(wrong.argmax())} {text}")
    return problems


def _order_problems(arena: Arena) -> list[str]:
    source = np.repeat(np.arange(len(arena)), arena.degree)
    wrong = ~arena.anchor[source] & ~arena.anchor[arena.succ] & (arena.succ >= source)
    if not wrong.any():
        return []
    edge = int(wrong.argmax())
    return [f"non-anchor {source[edge]} leads to non-anchor {arena.succ[edge]}, which is not before it"]


def require_outcome_block(block: Block, low: int, size: int) -> None:
    """Raise `ArenaError` unless these are nodes of a graph of this size, without chance."""
    kind, first, succ = block
    degree = np.diff(first)
    if len(first) != len(kind) + 1 or first[0] != 0 or first[-1] != len(succ) or degree.min(initial=0) < 0:
        raise ArenaError(f"the successors of the nodes from {low} on are not listed one after the other")
    if len(succ) and (succ.min() < 0 or succ.max() >= size):
        raise ArenaError(f"an edge of the nodes from {low} on leads to a node that does not exist")
    if (kind == Kind.CHANCE).any():
        raise ArenaError("the graph has chance nodes; outcomes without probabilities cannot describe it")
    wrong = ((kind == Kind.MOVE) | (kind == Kind.STEP)) != (degree > 0)
    if wrong.any() or kind.max(initial=0) > Kind.VOID:
        raise ArenaError(f"node {low + int(wrong.argmax())} has successors and should not, or has none and should")
