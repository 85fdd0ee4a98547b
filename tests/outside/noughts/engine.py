from __future__ import annotations

from noughts import PLAYERS, SQUARES, Params, Place, Position
from rulecheck.contract import Chance, End
from rulecheck.model import LEGAL, InputError, Readings, Verdict, breaks
from rulecheck.pyramids import Pyramid

OTHER = {"A": "B", "B": "A"}
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Engine:
    players = PLAYERS

    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings

    def start(self) -> Position:
        return Position("A", ((),) * len(SQUARES))

    def chances(self, position: Position) -> tuple[Chance[Position], ...]:
        return ()

    def actor(self, position: Position) -> str:
        return position.mover

    def end(self, position: Position) -> End | None:
        winner = self.winner(position)
        return None if winner is None else End((winner,))

    def winner(self, position: Position) -> str | None:
        """NC-04: walk from every mark in every direction."""
        marks = {divmod(at, 3): stack[0].colour for at, stack in enumerate(position.stacks) if stack}
        for (row, column), colour in marks.items():
            for down, right in DIRECTIONS:
                if all(marks.get((row + down * n, column + right * n)) == colour for n in (1, 2)):
                    return colour
        return None

    def judge(self, position: Position, move: Place) -> Verdict:
        if self.winner(position):
            return breaks("NC-04", "the game is won")
        if move.mark.colour != position.mover:
            return breaks("NC-02", "a player sets the own mark")
        if position.stacks[move.square]:
            return breaks("NC-03", "the square is taken")
        return LEGAL

    def moves(self, position: Position) -> dict[Place, Position]:
        if self.winner(position):
            return {}
        empty = [square for square, stack in enumerate(position.stacks) if not stack]
        marks = [Place(Pyramid(position.mover, 1), square) for square in empty]
        return {mark: self._after(position, mark) for mark in marks}

    def play(self, position: Position, move: Place) -> Position:
        if not self.judge(position, move).legal:
            raise InputError(f"the move {move} is {self.judge(position, move)}")
        return self._after(position, move)

    def _after(self, position: Position, move: Place) -> Position:
        stacks = list(position.stacks)
        stacks[move.square] = (move.mark,)
        return Position(OTHER[position.mover], tuple(stacks))
