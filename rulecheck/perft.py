"""Count sequences of distinct moves, the first figure to compare two move generators by.

Results of chance are summed and cost no depth. Equal positions at equal depth are counted once and cached, so the cost
is the number of different positions, not of sequences.
"""

from __future__ import annotations

import collections
from collections.abc import Iterator
from typing import Any

from rulecheck.contract import AnyEngine, brought


def first_moves(engine: AnyEngine, position: Any) -> Iterator[tuple[str, Any, int]]:
    """Each move from here, its result, and the number of ways of chance that precede it.

    A move that needs chance first is named by what chance brings before it: `4: a1-a2`.
    """
    named, ways = _decided(engine, position)
    for decided, label in named.items():
        yield from ((f"{label}{move}", result, ways[decided]) for move, result in engine.moves(decided).items())


def _decided(engine: AnyEngine, position: Any) -> tuple[dict[Any, str], collections.Counter[Any]]:
    """Each position where a player is to act, with what chance brings before it, and in how many ways."""
    chances = engine.chances(position)
    if not chances:
        return {position: ""}, collections.Counter([position])
    named: dict[Any, str] = {}
    ways: collections.Counter[Any] = collections.Counter()
    for chance in chances:
        following, counts = _decided(engine, chance.result)
        for decided, label in following.items():
            named.setdefault(decided, f"{chance.label}: {label}")
            ways[decided] += chance.weight * counts[decided]
    return named, ways


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
