"""Every position that the engine reaches from the start, numbered in the order of its notation.

Every node is a MOVE, after which the other player is to act. So a game is refused, by name of the first position that
shows it, if a player moves again, if chance has a part in it, or if there are more than two players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from rulecheck.contract import AnyEngine, winner_of
from rulecheck.jobs import Report, ignore
from rulecheck.views import require_no_chance, require_turn, require_two
from solvers.graph import Block, Kind

BATCH = 500  # positions whose moves are made together


class Node(NamedTuple):
    """A position as the solvers see it, and the players it names."""

    kind: Kind
    results: list[Any]  # each once
    players: frozenset[str]


Explore = Callable[[Iterable[Sequence[Any]]], Iterator[list[Node]]]  # the nodes of each batch in turn


class Explored:
    endings = 0
    by_engine = True

    def __init__(
        self,
        engine: AnyEngine,
        normalised: Callable[[Any], Any],
        report: Report = ignore,
        explore: Explore | None = None,
    ) -> None:
        found = _reached(normalised(engine.start()), explore or _explorer(engine, normalised), report)
        self._positions = sorted(found, key=str)
        numbers = {position: number for number, position in enumerate(self._positions)}
        lists = [[numbers[result] for result in found[position].results] for position in self._positions]
        self._kind = np.array([found[position].kind for position in self._positions], np.uint8)
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


def _explorer(engine: AnyEngine, normalised: Callable[[Any], Any]) -> Explore:
    return lambda batches: (nodes(engine, normalised, batch) for batch in batches)


def nodes(engine: AnyEngine, normalised: Callable[[Any], Any], positions: Sequence[Any]) -> list[Node]:
    return [_node(engine, normalised, position) for position in positions]


def _node(engine: AnyEngine, normalised: Callable[[Any], Any], position: Any) -> Node:
    """A game that stops without a winner is a tie; a game that goes on for ever is not."""
    winner = winner_of(engine, position)
    if winner is not None:
        return Node(Kind.WIN if winner == position.mover else Kind.LOSS, [], frozenset((winner, position.mover)))
    require_no_chance(engine, position)
    moves = engine.moves(position)
    for move, result in moves.items():
        require_turn(position, move, result)
    players = frozenset((position.mover, *(result.mover for result in moves.values())))
    results = list(dict.fromkeys(map(normalised, moves.values())))
    return Node(Kind.MOVE if results else Kind.TIE, results, players)


def _reached(start: Any, explore: Explore, report: Report) -> dict[Any, Node]:
    found: dict[Any, Node] = {}
    known, queue = {start}, [start]
    players: frozenset[str] = frozenset()
    while queue:
        batches = [queue[at : at + BATCH] for at in range(0, len(queue), BATCH)]
        queue = []
        for done, (batch, made) in enumerate(zip(batches, explore(batches), strict=True)):
            report(f"{len(known):,} positions", done / len(batches))
            players = players.union(*(node.players for node in made))
            require_two(players)
            found.update(zip(batch, made, strict=True))
            new = dict.fromkeys(result for node in made for result in node.results if result not in known)
            known.update(new)
            queue += new
    return found
