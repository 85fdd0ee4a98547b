"""Play from the start of a game: every reachable position, nearest first, with a line that leads to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulecheck.contract import AnyEngine, brought


def decisions(engine: AnyEngine, position: Any) -> Iterator[Any]:
    """The positions after chance has acted from here: a player is to act in them, or the game is over."""
    chances = brought(engine, position)
    if not chances:
        yield position
    for result in dict.fromkeys(chances):
        yield from decisions(engine, result)


class Reached:
    """A tree of play: `line(position)` says how a position arose."""

    def __init__(self, engine: AnyEngine) -> None:
        self.engine = engine
        self.parent: dict[Any, tuple[Any, str] | None] = {engine.start(): None}

    def __iter__(self) -> Iterator[Any]:
        """Positions before a roll (or a move, in games without dice), breadth first."""
        layer = [self.engine.start()]
        while layer:
            following = []
            for position in layer:
                yield position
                following += self._explore(position)
            layer = following

    def _explore(self, position: Any) -> list[Any]:
        found = []
        for decision in decisions(self.engine, position):
            for move, result in self.engine.moves(decision).items():
                if result not in self.parent:
                    roll = getattr(decision, "roll", None)
                    self.parent[result] = (position, f"{roll}: {move}" if roll else str(move))
                    found.append(result)
        return found

    def line(self, position: Any) -> tuple[str, ...]:
        """The moves from the start to here; each with its roll, where there is a die."""
        moves: list[str] = []
        step = self.parent[position]
        while step is not None:
            position, move = step
            moves.append(move)
            step = self.parent[position]
        return tuple(reversed(moves))
