"""Noughts and crosses as a program: a finger that runs over the board."""

from collections.abc import Iterator
from itertools import product

from oxo import PLAYERS, SQUARES, fields
from rulecheck.contract import TIE, End, Rules
from rulecheck.fields import State
from rulecheck.model import LEGAL, Verdict, breaks


def _runs() -> Iterator[list[str]]:
    """Every way to walk over three squares in one direction."""
    for column, row, (right, up) in product(range(3), range(3), ((1, 0), (0, 1), (1, 1), (1, -1))):
        spots = [(column + right * n, row + up * n) for n in range(3)]
        if all(c in range(3) and r in range(3) for c, r in spots):
            yield [f"{'abc'[c]}{r + 1}" for c, r in spots]


RUNS = list(_runs())


class Engine(Rules[State, str]):
    players = PLAYERS

    def start(self) -> State:
        return fields(self.params).state({"mover": "X"})

    def candidates(self) -> list[str]:
        return [f"{mark}@{square}" for mark in PLAYERS for square in SQUARES]

    def actor(self, position: State) -> str:
        return str(position["mover"])

    def judge(self, position: State, move: str) -> Verdict:
        mark, _, square = move.partition("@")
        # NC-02: the players take turns, each with the own mark (or, if wild, with either).
        if self.readings["marks"] == "own" and position["mover"] != mark:
            return breaks("NC-02", "it is the other player's mark")
        # NC-03: a square holds one mark.
        if position[square] != ".":
            return breaks("NC-03", "the square is taken")
        # NC-04: a line ends the game.
        return breaks("NC-04", "the game is over") if self._line(position) else LEGAL

    def after(self, position: State, move: str) -> State:
        mark, _, square = move.partition("@")
        return position.replace({square: mark, "mover": "O" if position["mover"] == "X" else "X"})

    def end(self, position: State) -> End | None:
        mark = self._line(position)
        if mark is None:
            return TIE if all(position[square] != "." for square in SQUARES) else None
        if self.readings["marks"] == "either":
            mark = "O" if position["mover"] == "X" else "X"  # whoever has just moved
        return End((mark if self.readings["line"] == "wins" else "O" if mark == "X" else "X",))

    def _line(self, position: State) -> str | None:
        """The first mark of which three stand in a row."""
        return next((mark for mark in PLAYERS if any(all(position[s] == mark for s in run) for run in RUNS)), None)
