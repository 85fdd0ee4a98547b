"""Pig as a program: what a player does with die, pencil and paper."""

from collections.abc import Sequence

from pig import MOVES, PLAYERS, fields
from rulecheck.contract import Chance, End, Rules
from rulecheck.fields import State
from rulecheck.model import LEGAL, Verdict, breaks
from rulecheck.params import Params


class Engine(Rules[State, str]):
    params: Params
    players = PLAYERS

    def start(self) -> State:
        return fields(self.params).state({"mover": "A"})

    def candidates(self) -> Sequence[str]:
        return MOVES

    def actor(self, position: State) -> str:
        return str(position["mover"])

    def judge(self, position: State, move: str) -> Verdict:
        # PG-06: after the end nobody moves.
        if self.end(position):
            return breaks("PG-06", "the game is over")
        # PG-03: the die must come to rest.
        if position["die"] == "thrown":
            return breaks("PG-03", "the die is still rolling")
        # PG-02: a turn begins with a roll.
        if move == "hold" and self.readings["first"] == "roll" and position["turn"] == 0:
            return breaks("PG-02", "nothing was rolled in this turn")
        return LEGAL

    def after(self, position: State, move: str) -> State:
        if move == "roll":
            return position.replace({"die": "thrown"})
        # PG-05: holding adds the turn total to the score.
        mover = self.actor(position)
        return self._pass_on(position.replace({mover: self._count(position.number(mover) + position.number("turn"))}))

    def chances(self, position: State) -> list[Chance[State]]:
        if position["die"] == "still" or self.end(position):
            return []
        # PG-04: a 1 loses the turn total; other rolls add to it.
        rest = position.replace({"die": "still"})
        totals = {pips: self._count(position.number("turn") + pips) for pips in range(2, 7)}
        good = [Chance(str(pips), 1, rest.replace({"turn": total})) for pips, total in totals.items()]
        return [Chance("1", 1, self._pass_on(rest)), *good]

    def end(self, position: State) -> End | None:
        for player in PLAYERS:
            score = position.number(player)
            if self.readings["reach"] == "rolled" and position["mover"] == player:
                score += position.number("turn")
            if score >= self.params.number("target"):
                return End((player,))
        return None

    def _count(self, points: int) -> int:
        return min(points, self.params.number("target"))

    def _pass_on(self, position: State) -> State:
        return position.replace({"turn": 0, "mover": "B" if position["mover"] == "A" else "A"})
