"""Every position that the engine reaches from the start, numbered in the order of its notation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from rulecheck.jobs import Report, ignore
from rulecheck.model import Engine
from solvers.graph import Block, Kind

BATCH = 500  # positions whose moves are made together
Explore = Callable[[Iterable[Sequence[Any]]], Iterator[list[list[Any]]]]  # `results` of each batch in turn


class Explored:
    endings = 0

    def __init__(
        self, engine: Engine, normalised: Callable[[Any], Any], report: Report = ignore, explore: Explore | None = None
    ) -> None:
        found = _reached(normalised(engine.start()), explore or _explorer(engine, normalised), report)
        self._positions = sorted(found, key=str)
        numbers = {position: number for number, position in enumerate(self._positions)}
        lists = [[numbers[result] for result in found[position]] for position in self._positions]
        self._kind = np.array([_kind(engine, p, s) for p, s in zip(self._positions, lists, strict=True)], np.uint8)
        self._first = np.concatenate([[0], np.cumsum([len(s) for s in lists], dtype=np.int64)])
        self._succ = np.array([number for part in lists for number in part], dtype=np.int64)
        self.start = numbers[normalised(engine.start())]

    def __len__(self) -> int:
        return len(self._positions)

    def block(self, low: int, high: int) -> Block:
        begin, end = self._first[low], self._first[high]
        return Block(self._kind[low:high], self._first[low : high + 1] - begin, self._succ[begin:end])

    def position(self, number: int) -> Any:
        return self._positions[number]

    def keys(self) -> list[bytes]:
        return [str(position).encode() for position in self._positions]


def _explorer(engine: Engine, normalised: Callable[[Any], Any]) -> Explore:
    return lambda batches: (results(engine, normalised, batch) for batch in batches)


def results(engine: Engine, normalised: Callable[[Any], Any], positions: Sequence[Any]) -> list[list[Any]]:
    """What the moves of each position lead to, each once; nothing where the game is over."""
    lists = (() if engine.winner(p) else (normalised(r) for r in engine.moves(p).values()) for p in positions)
    return [list(dict.fromkeys(found)) for found in lists]


def _reached(start: Any, explore: Explore, report: Report) -> dict[Any, list[Any]]:
    """Each position with the positions that its moves lead to."""
    found: dict[Any, list[Any]] = {start: []}
    queue = [start]
    while queue:
        batches = [queue[at : at + BATCH] for at in range(0, len(queue), BATCH)]
        queue = []
        for done, (batch, lists) in enumerate(zip(batches, explore(batches), strict=True)):
            report(f"{len(found):,} positions", done / len(batches))
            found.update(zip(batch, lists, strict=True))
            new = dict.fromkeys(result for part in lists for result in part if result not in found)
            found.update((result, []) for result in new)
            queue += new
    return found


def _kind(engine: Engine, position: Any, successors: list[int]) -> Kind:
    """A game that stops without a winner is a tie; a game that goes on for ever is not."""
    winner = engine.winner(position)
    if winner is None:
        return Kind.MOVE if successors else Kind.TIE
    return Kind.WIN if winner == position.mover else Kind.LOSS
