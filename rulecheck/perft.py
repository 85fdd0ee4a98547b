"""Count sequences of distinct moves, the first figure to compare two move generators by.

Chance is summed over and costs no depth. Equal positions at equal depth are counted once and remembered, so
the cost is the number of different positions, not of sequences.
"""

from __future__ import annotations

import collections
from collections.abc import Iterator
from typing import Any

from rulecheck.contract import AnyEngine, brought


def first_moves(engine: AnyEngine, position: Any) -> Iterator[tuple[str, Any, int]]:
    """Each move from here, where it leads, and how many ways of chance precede it.

    A move that needs chance first is named `roll: move`, or, where chance is no die, by the position it brings about.
    """
    if not brought(engine, position):
        yield from ((str(move), result, 1) for move, result in engine.moves(position).items())
        return
    for decided, ways in _decided(engine, position).items():
        label = getattr(decided, "roll", None) or decided
        yield from ((f"{label}: {move}", result, ways) for move, result in engine.moves(decided).items())


def _decided(engine: AnyEngine, position: Any) -> collections.Counter[Any]:
    """The number of ways in which chance leads to each position where a player is to act."""
    found: collections.Counter[Any] = collections.Counter()
    for result in brought(engine, position):
        found.update(_decided(engine, result) if brought(engine, result) else [result])
    return found


class Counter:
    def __init__(self, engine: AnyEngine) -> None:
        self.engine = engine
        self.known: dict[tuple[Any, int], int] = {}

    def count(self, position: Any, depth: int) -> int:
        """The number of sequences of `depth` moves from here."""
        if depth == 0:
            return 1
        key = (position, depth)
        if key not in self.known:
            self.known[key] = self._sum(position, depth)
        return self.known[key]

    def _sum(self, position: Any, depth: int) -> int:
        chances = brought(self.engine, position)
        if chances:
            return sum(self._sum(rolled, depth) for rolled in chances)
        return sum(self.count(result, depth - 1) for result in self.engine.moves(position).values())


def divide(engine: AnyEngine, position: Any, depth: int) -> dict[str, int]:
    """The number of sequences for each first move."""
    if depth == 0:
        return {}
    counter = Counter(engine)
    return {name: ways * counter.count(result, depth - 1) for name, result, ways in first_moves(engine, position)}


def perft(engine: AnyEngine, position: Any, depth: int) -> int:
    return Counter(engine).count(position, depth)
