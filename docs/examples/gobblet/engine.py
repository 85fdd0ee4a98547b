"""Small Gobblet as a program: hands that lift pieces and put them down, and a finger that runs over the board."""

from functools import cache

from gobblet import PLAYERS, SIZES, fields, squares
from rulecheck.contract import End, Rules
from rulecheck.fields import State
from rulecheck.model import LEGAL, Verdict, breaks
from rulecheck.params import Params

OTHER = {"A": "B", "B": "A"}


@cache
def _walks(side: int) -> list[list[str]]:
    walks = [walk for n in range(side) for walk in ([(m, n) for m in range(side)], [(n, m) for m in range(side)])]
    walks += [[(n, n) for n in range(side)], [(n, side - 1 - n) for n in range(side)]]
    return [[f"{'abc'[column]}{row + 1}" for column, row in walk] for walk in walks]


class Engine(Rules[State, str]):
    params: Params
    players = PLAYERS

    def start(self) -> State:
        small = self.params.number("side") - 1
        return fields(self.params).state({"mover": "A", "A1": small, "A2": 1, "B1": small, "B2": 1})

    def candidates(self) -> list[str]:
        board = squares(self.params)
        return [f"{size}@{s}" for size in SIZES for s in board] + [f"{s}-{t}" for s in board for t in board if s != t]

    def actor(self, position: State) -> str:
        return str(position["mover"])

    def judge(self, position: State, move: str) -> Verdict:
        mover, target = self.actor(position), move[-2:]
        if "@" in move:
            size = move[0]
            # GB-03: a piece of the player's own, from the hand or from the top of a stack.
            if position.number(mover + size) == 0:
                return breaks("GB-03", "no such piece is in the hand")
        else:
            if position.text(move[:2])[-2:-1] != mover:
                return breaks("GB-03", "no piece of the player's own is on top there")
            size = position.text(move[:2])[-1:]
            # GB-05: a piece may hide a line.
            if self.readings["lift"] == "stays" and self._has_line(self._lifted(position, move[:2]), OTHER[mover]):
                return breaks("GB-05", "lifting it shows a line of the other player")
        # GB-04: only a smaller piece is covered.
        if position[target] != "." and position.text(target)[-1:] >= size:
            return breaks("GB-04", "what stands there is not smaller")
        # GB-06: a line ends the game.
        return breaks("GB-06", "the game is over") if self.end(position) else LEGAL

    def after(self, position: State, move: str) -> State:
        mover, target = self.actor(position), move[-2:]
        if "@" in move:
            piece = mover + move[0]
            left = position.replace({piece: position.number(piece) - 1})
        else:
            piece, left = position.text(move[:2])[-2:], self._lifted(position, move[:2])
        below = "" if position[target] == "." else position.text(target)
        return left.replace({target: below + piece, "mover": OTHER[mover]})

    def end(self, position: State) -> End | None:
        lines = [player for player in PLAYERS if self._has_line(position, player)]
        if len(lines) == 2:  # whoever has just moved made one and uncovered the other
            mover = self.actor(position)
            lines = [OTHER[mover] if self.readings["both"] == "maker" else mover]
        return End(tuple(lines)) if lines else None

    def _lifted(self, position: State, square: str) -> State:
        return position.replace({square: position.text(square)[:-2] or "."})

    def _has_line(self, position: State, player: str) -> bool:
        walks = _walks(self.params.number("side"))
        return any(all(position.text(square)[-2:-1] == player for square in walk) for walk in walks)
