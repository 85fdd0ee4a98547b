"""Ice Palace: every move of a position, with its result, as the constraints state it."""

from __future__ import annotations

from rulecheck.games.icepalace import Position
from rulecheck.puzzles.rules import OneByOne, Stated
from specs.icepalace.spec import Spec


class StatedTurns(OneByOne[Spec]):
    def stated(self, position: Position) -> Stated:
        names: dict[Position, set[str]] = {}
        for move in self.spec.moves(position):
            names.setdefault(self.spec.after(position, move), set()).add(str(move))
        return {result: (self._winner(result), moves) for result, moves in names.items()}

    def _winner(self, result: Position) -> str | None:
        """IP-41: everybody with the highest score, once the game is over."""
        won = self.spec.winners(result)
        return None if won is None else "".join(sorted(won))
