"""Compiled loops over ranges of positions, in one thread or by an executor's threads, with the same result."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

PIECE = 1 << 17  # positions processed together


def require_threads(executor: Executor | None) -> None:
    """Reject processes: loops write into arrays, and another process would write into copies."""
    mark: list[bool] = []
    if executor is not None:
        executor.submit(mark.append, True).result()
        if not mark:
            raise TypeError("loops over arrays in memory need an executor of threads, and this one works elsewhere")


class ChunkedLoops:
    """Runs a loop over all positions piece by piece: `loop(low, high, ...)` for those from `low` to `high`.

    The pieces depend on the number of positions alone, and what loops return comes in the order of the pieces; so
    sums of them are the same for any number of threads. Loops must let go of the interpreter's lock, and write only
    what belongs to their piece.
    """

    def __init__(self, size: int, executor: Executor | None = None) -> None:
        count = max(1, -(-size // PIECE))
        ends = [piece * size // count for piece in range(count + 1)]
        self.pieces = list(itertools.pairwise(ends))
        self.executor = executor

    def __call__(self, loop: Callable[..., Any], *about: Any) -> list[Any]:
        if self.executor is None or len(self.pieces) == 1:
            return [loop(low, high, *about) for low, high in self.pieces]
        return list(self.executor.map(lambda piece: loop(*piece, *about), self.pieces))
