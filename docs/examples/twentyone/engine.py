"""Twenty-one as a program: players who count aloud, one number after the other."""

from rulecheck.contract import End, Rules
from rulecheck.fields import State
from rulecheck.model import LEGAL, Verdict, breaks
from rulecheck.params import Params
from twentyone import PLAYERS, fields

ALOUD = {"one": 1, "two": 2, "three": 3}


class Engine(Rules[State, str]):
    params: Params
    players = PLAYERS

    def start(self) -> State:
        return fields(self.params).state({"mover": "A"})

    def candidates(self) -> list[str]:
        return list(ALOUD)

    def actor(self, position: State) -> str:
        return str(position["mover"])

    def judge(self, position: State, move: str) -> Verdict:
        # TW-03: the last number ends the game, and there are none beyond it.
        if self.end(position):
            return breaks("TW-03", "the last number was said")
        if position.number("said") + ALOUD[move] > self.params.number("target"):
            return breaks("TW-03", "there are not as many numbers left")
        return LEGAL

    def after(self, position: State, move: str) -> State:
        said = position.number("said") + ALOUD[move]
        if said == self.params.number("target"):
            return position.replace({"said": said})  # nobody's turn follows
        mover, way = self.actor(position), str(position["way"])
        # TW-04: two numbers turn the way round, three skip a player, if this is played.
        turning = self.readings["order"] == "turning"
        if turning and move == "two":
            way = "right" if way == "left" else "left"
        if turning and move == "three":
            mover = self._neighbour(mover, way)
        return position.replace({"said": said, "way": way, "mover": self._neighbour(mover, way)})

    def _neighbour(self, player: str, way: str) -> str:
        table = PLAYERS if way == "left" else PLAYERS[::-1]
        return (table * 2)[table.index(player) + 1]

    def end(self, position: State) -> End | None:
        if position.number("said") < self.params.number("target"):
            return None
        # TW-05: whoever said the last number loses, and all others win.
        last = self.actor(position)
        return End((last,) if self.readings["last"] == "wins" else tuple(p for p in PLAYERS if p != last))
