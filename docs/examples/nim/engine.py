"""Nim as a program: hands that take counters."""

from nim import PLAYERS, fields, heaps
from rulecheck.contract import End, Rules
from rulecheck.fields import State
from rulecheck.model import LEGAL, Verdict, breaks
from rulecheck.params import Params


class Engine(Rules[State, str]):
    params: Params
    players = PLAYERS

    def start(self) -> State:
        return fields(self.params).state({"mover": "A", **heaps(self.params)})

    def candidates(self) -> list[str]:
        most = max(heaps(self.params).values())
        return [f"{heap}-{taken}" for heap in heaps(self.params) for taken in range(1, most + 1)]

    def actor(self, position: State) -> str:
        return str(position["mover"])

    def judge(self, position: State, move: str) -> Verdict:
        heap, _, taken = move.partition("-")
        # NI-03: take what is there.
        if position.number(heap) < int(taken):
            return breaks("NI-03", "the heap has not as many counters")
        # NI-04: the last counter ends the game.
        return breaks("NI-04", "the game is over") if self.end(position) else LEGAL

    def after(self, position: State, move: str) -> State:
        heap, _, taken = move.partition("-")
        left = position.number(heap) - int(taken)
        return position.replace({heap: left, "mover": self._other(self.actor(position))})

    def end(self, position: State) -> End | None:
        if any(position.number(heap) > 0 for heap in heaps(self.params)):
            return None
        # NI-05: whoever has just moved took the last counter.
        mover = self.actor(position)
        return End((self._other(mover) if self.readings["last"] == "wins" else mover,))

    def _other(self, player: str) -> str:
        return PLAYERS[1 - PLAYERS.index(player)]
