"""Positions packed into 64-bit keys, and successors by compiled code.

A game gives a `Packing`. With a `Ranking` every number up to its size is a key, without any table, and some numbers
may stand for no position; without one the keys reachable from the start are found, sorted, and numbered in order.
Three more numbers at the end stand for all positions in which nobody has won, or the player to move has lost, or won.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError
from solvers.graph import Block, Kind, Layer

Keys = NDArray[np.int64]
Expand = Callable[[bool, Iterable[Keys]], Iterator[Block]]  # of each piece in turn, by number if true, otherwise by key
TIED, LOST, WON = -3, -2, -1  # successor keys: the game is over, seen by the player then to move
ENDINGS = (Kind.TIE, Kind.LOSS, Kind.WIN)  # of these keys, in order
MOST = 1 << 31  # positions that can be numbered
BATCH = 1 << 16


class Ranking(Protocol):
    """All keys in a row, by arithmetic alone."""

    size: int

    def rank(self, keys: Keys) -> Keys: ...

    def unrank(self, numbers: Keys) -> Keys: ...


@runtime_checkable
class LayeredRanking(Ranking, Protocol):
    """A ranking that also gives an order in which the numbers can be solved."""

    def layers(self) -> Sequence[Layer]: ...


class Packing(Protocol):
    """Keys are not negative. `expand` gives kind, first and successor keys of a row of keys, as a `Block` does;
    the kind is VOID where a key stands for no position of the game."""

    @property
    def start(self) -> int: ...

    @property
    def ranking(self) -> Ranking | None: ...

    def pack(self, position: Any) -> int | None:
        """The key of a position; None if it has ended or is not of this game."""
        ...

    def unpack(self, key: int) -> Any: ...

    def expand(self, keys: Keys) -> Block: ...


@runtime_checkable
class NumberPacking(Packing, Protocol):
    """A packing with a ranking that expands numbers directly, which is faster than going through keys."""

    def expand_numbers(self, numbers: Keys) -> Block:
        """As `expand`; endings are negative here too."""
        ...


class Packed:
    endings = len(ENDINGS)

    def __init__(self, packing: Packing, report: Report = ignore, expand: Expand | None = None) -> None:
        self._packing = packing
        self._expand = expand or expand_here(packing)
        ranking = packing.ranking
        self._keys = reachable(packing, report, expand) if ranking is None else None
        self._count = len(self._keys) if self._keys is not None else ranking.size if ranking else 0
        if self._count + len(ENDINGS) >= MOST:
            raise InputError(f"this game has {self._count:,} positions; up to {MOST:,} can be numbered")
        self.start = int(self._numbers(np.array([packing.start]))[0])

    def __len__(self) -> int:
        return self._count + len(ENDINGS)

    def layers(self) -> Sequence[Layer]:
        """The endings first, then the layers of the ranking."""
        ranking = self._packing.ranking
        layers = ranking.layers() if isinstance(ranking, LayeredRanking) else [Layer.of(0, self._count)]
        return [Layer.of(self._count, len(self)), *layers]

    def block(self, low: int, high: int) -> Block:
        return next(self.blocks([np.arange(low, high)]))

    def blocks(self, pieces: Iterable[Keys]) -> Iterator[Block]:
        endings: deque[Keys] = deque()  # of the pieces in progress

        def going_on() -> Iterator[Keys]:
            for piece in pieces:
                over = np.searchsorted(piece, self._count)
                endings.append(piece[over:] - self._count)
                yield piece[:over]

        for block in self._expanded(going_on()):
            ended = np.array(ENDINGS, dtype=np.uint8)[endings.popleft()]
            first = np.append(block.first, np.full(len(ended), block.first[-1]))
            yield Block(np.append(block.kind, ended), first, block.succ) if len(ended) else block

    def _expanded(self, pieces: Iterable[Keys]) -> Iterator[Block]:
        if self._keys is None and isinstance(self._packing, NumberPacking):
            for kind, first, succ in self._expand(True, pieces):
                yield Block(kind, first, np.where(succ < 0, succ + len(self), succ))
        else:
            for kind, first, succ in self._expand(False, map(self._keys_of, pieces)):
                yield Block(kind, first, self._numbers(succ))

    def position(self, number: int) -> Any | None:
        if number >= self._count:
            return None
        keys = self._keys_of(np.array([number]))
        return None if self._packing.expand(keys).kind[0] == Kind.VOID else self._packing.unpack(int(keys[0]))

    def unpacked(self, number: int) -> Any:
        """As `position`, for a number known to stand for one."""
        return self._packing.unpack(int(self._keys_of(np.array([number]))[0]))

    def keys(self) -> NDArray[np.uint8] | None:
        """Eight bytes each, big-endian; read as unsigned, so the endings come last."""
        if self._keys is None:
            return None
        keys = np.append(self._keys, [TIED, LOST, WON]).astype(">i8")
        return keys.view(np.uint8).reshape(-1, 8)

    def _keys_of(self, numbers: Keys) -> Keys:
        if self._keys is not None:
            return self._keys[numbers]
        assert self._packing.ranking is not None
        return self._packing.ranking.unrank(numbers)

    def _numbers(self, keys: Keys) -> Keys:
        if self._keys is not None:
            numbers = np.searchsorted(self._keys, keys).astype(np.int64)
            missing = (keys >= 0) & (self._keys[np.minimum(numbers, self._count - 1)] != keys)
            if missing.any():
                raise KeyError(f"key {keys[missing][0]} was never reached")
        else:
            assert self._packing.ranking is not None
            numbers = self._packing.ranking.rank(np.maximum(keys, 0))
        over = keys < 0
        numbers[over] = len(self) + keys[over]
        return numbers


def expand_here(packing: Packing) -> Expand:
    return lambda by_number, pieces: map(functools.partial(expanded, packing, by_number), pieces)


def expanded(packing: Packing, by_number: bool, piece: Keys) -> Block:
    if not by_number:
        return packing.expand(piece)
    assert isinstance(packing, NumberPacking)
    return packing.expand_numbers(piece)


def reachable(packing: Packing, report: Report = ignore, expand: Expand | None = None) -> Keys:
    """The keys of all positions reachable from the start, sorted."""
    expand = expand or expand_here(packing)
    known = np.array([packing.start], dtype=np.int64)
    layer, depth = known, 0
    while len(layer):
        report(f"{len(known):,} positions after {depth} moves", 0.0)
        batches = (layer[at : at + BATCH] for at in range(0, len(layer), BATCH))
        successors = np.unique(np.concatenate([np.unique(block.succ) for block in expand(False, batches)]))
        successors = successors[successors >= 0]
        layer = successors[~_among(successors, known)]
        known = np.sort(np.concatenate([known, layer]), kind="stable")
        depth += 1
    return known


def _among(keys: Keys, known: Keys) -> NDArray[np.bool_]:
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    among: NDArray[np.bool_] = known[at] == keys
    return among
