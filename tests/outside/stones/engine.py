from __future__ import annotations

from rulecheck.contract import Chance, End
from rulecheck.model import LEGAL, InputError, Readings, Verdict, breaks
from stones import PLAYERS, Params, Position, Take

OTHER = {"A": "B", "B": "A"}


class Engine:
    players = PLAYERS

    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings
        self.most = int(readings["most"])

    def start(self) -> Position:
        return Position("A", self.params.stones)

    def chances(self, position: Position) -> tuple[Chance[Position], ...]:
        return ()

    def actor(self, position: Position) -> str:
        return position.mover

    def end(self, position: Position) -> End | None:
        winner = self.winner(position)
        return None if winner is None else End((winner,))

    def winner(self, position: Position) -> str | None:
        """ST-04: the heap is empty, and the other player has emptied it."""
        if position.stones:
            return None
        return OTHER[position.mover] if self.readings["last"] == "wins" else position.mover

    def judge(self, position: Position, move: Take) -> Verdict:
        if not 1 <= move.number <= self.most:
            return breaks("ST-02", "too few or too many")
        if move.number > position.stones:
            return breaks("ST-03", "there are not that many")
        return LEGAL

    def moves(self, position: Position) -> dict[Take, Position]:
        takes = [Take(number) for number in range(1, min(self.most, position.stones) + 1)]
        return {take: self.play(position, take) for take in takes}

    def play(self, position: Position, move: Take) -> Position:
        if not self.judge(position, move).legal:
            raise InputError(f"the move {move} is {self.judge(position, move)}")
        return Position(OTHER[position.mover], position.stones - move.number)
