"""Positions packed into 64-bit keys, and successors by compiled code.

A game gives a `Packing`. With a `Ranking` every number up to its size is a key, without any table, and some numbers
may stand for no position; without one the keys reachable from the start are found, sorted, and numbered in order.
Three more numbers at the end stand for all positions in which nobody has won, or the player to move has lost, or won.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError
from solvers.graph import Block, Kind

Keys = NDArray[np.int64]
TIED, LOST, WON = -3, -2, -1  # successor keys: the game is over, seen by the player then to move
ENDINGS = (Kind.TIE, Kind.LOSS, Kind.WIN)  # of these keys, in order
MOST = 1 << 31  # positions that can be numbered
BATCH = 1 << 16


class Ranking(Protocol):
    """All keys in a row, by arithmetic alone."""

    size: int

    def rank(self, keys: Keys) -> Keys: ...

    def unrank(self, numbers: Keys) -> Keys: ...


class Packing(Protocol):
    """Keys are not negative. `expand` gives kind, first and successor keys of a row of keys, as a `Block` does;
    the kind is VOID where a key stands for no position of the game.

    With a ranking there may also be `expand_numbers`, which does the same from numbers to numbers, endings being
    negative all the same: quicker than by way of keys.
    """

    start: int
    ranking: Ranking | None

    def pack(self, position: Any) -> int | None:
        """None if the position has ended or is none of this game."""
        ...

    def unpack(self, key: int) -> Any: ...

    def expand(self, keys: Keys) -> Block: ...


class Packed:
    endings = len(ENDINGS)

    def __init__(self, packing: Packing, report: Report = ignore) -> None:
        self._packing = packing
        ranking = packing.ranking
        self._keys = reachable(packing, report) if ranking is None else None
        self._count = len(self._keys) if self._keys is not None else ranking.size if ranking else 0
        if self._count + len(ENDINGS) >= MOST:
            raise InputError(f"this game has {self._count:,} positions; up to {MOST:,} can be numbered")
        self.start = int(self._numbers(np.array([packing.start]))[0])

    def __len__(self) -> int:
        return self._count + len(ENDINGS)

    def block(self, low: int, high: int) -> Block:
        inner = self._expand(np.arange(low, min(high, self._count)))
        if high <= self._count:
            return inner
        ended = np.array(ENDINGS[max(low - self._count, 0) : high - self._count], dtype=np.uint8)
        first = np.append(inner.first, np.full(len(ended), inner.first[-1]))
        return Block(np.append(inner.kind, ended), first, inner.succ)

    def _expand(self, numbers: Keys) -> Block:
        quick = getattr(self._packing, "expand_numbers", None) if self._keys is None else None
        if quick is None:
            kind, first, succ = self._packing.expand(self._keys_of(numbers))
            return Block(kind, first, self._numbers(succ))
        kind, first, succ = quick(numbers)
        return Block(kind, first, np.where(succ < 0, succ + len(self), succ))

    def position(self, number: int) -> Any | None:
        if number >= self._count:
            return None
        keys = self._keys_of(np.array([number]))
        return None if self._packing.expand(keys).kind[0] == Kind.VOID else self._packing.unpack(int(keys[0]))

    def keys(self) -> NDArray[np.uint8] | None:
        """Eight bytes each, the highest first; as they are taken without a sign, the endings come last."""
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
            found = np.searchsorted(self._keys, keys).astype(np.int64)
            missing = (keys >= 0) & (self._keys[np.minimum(found, self._count - 1)] != keys)
            if missing.any():
                raise KeyError(f"key {keys[missing][0]} was never reached")
        else:
            assert self._packing.ranking is not None
            found = self._packing.ranking.rank(np.maximum(keys, 0))
        over = keys < 0
        found[over] = len(self) + keys[over]
        return found


def reachable(packing: Packing, report: Report = ignore) -> Keys:
    """The keys of all positions that can arise from the start, sorted."""
    known = np.array([packing.start], dtype=np.int64)
    layer, depth = known, 0
    while len(layer):
        report(f"{len(known):,} positions after {depth} moves", 0.0)
        parts = [packing.expand(layer[at : at + BATCH]).succ for at in range(0, len(layer), BATCH)]
        found = np.unique(np.concatenate([np.unique(part) for part in parts]))
        found = found[found >= 0]
        layer = found[~_among(found, known)]
        known = np.sort(np.concatenate([known, layer]), kind="stable")
        depth += 1
    return known


def _among(keys: Keys, known: Keys) -> NDArray[np.bool_]:
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    among: NDArray[np.bool_] = known[at] == keys
    return among
