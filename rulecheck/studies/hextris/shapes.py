"""Hextris: smaller games, and play in them without repeating what differs by a map of the board only."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from rulecheck.games.hextris import Move, Position
from rulecheck.play import Reached
from rulecheck.studies.hextris.acts import board_maps

maps = functools.cache(board_maps)


def least_image(position: Position) -> tuple[Any, ...]:
    """The same for positions that a turn or a mirror of the board carries into each other."""
    where = [0 if piece is None else 4 * ord(piece.colour) + piece.pips for piece in position.points]
    images = (tuple(where[q] for q in goes) for goes in maps(position.params.radius))
    return min(images), position.mover, position.hands, position.groups


class Distinct(Reached):
    """Of the positions in play one of each kind, nearest first; the lines are real play."""

    def __init__(self, engine: Any) -> None:
        super().__init__(engine)
        self.kinds = {least_image(engine.start())}
        self.turns: Mapping[Move, Position] = {}

    def __iter__(self) -> Iterator[Position]:
        layer = [self.engine.start()]
        while layer:
            following: list[Position] = []
            for position in layer:
                self.turns = self.engine.moves(position)
                yield position
                following += self._explore(position)
            layer = following

    def _explore(self, position: Position) -> list[Position]:
        found = []
        for move, result in self.turns.items():
            kind = least_image(result)
            if kind not in self.kinds:
                self.kinds.add(kind)
                self.parent[result] = (position, str(move))
                found.append(result)
        return found


def positions_with_turns(engine: Any) -> Iterator[tuple[Position, Mapping[Move, Position]]]:
    reached = Distinct(engine)
    for position in reached:
        yield position, reached.turns
