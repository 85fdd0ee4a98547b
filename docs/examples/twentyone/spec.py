"""Twenty-one as constraints: what holds of one number and three players."""

from collections.abc import Mapping

from rulecheck.fields import Value
from rulecheck.params import Params
from rulecheck.terms import Constraints, Term, Terms, choose
from solvers.smt import Bool, every, no
from twentyone import PLAYERS

NUMBERS = {"one": 1, "two": 2, "three": 3}
LEFT = {"A": "B", "B": "C", "C": "A"}
RIGHT = {"A": "C", "C": "B", "B": "A"}
TURNED = {"left": "right", "right": "left"}


class Spec(Constraints[str]):
    params: Params

    def clauses(self, x: Terms, move: str) -> Mapping[str, Bool]:
        return {"TW-03": x["said"].where(lambda said: said <= self._target - NUMBERS[move])}

    def after(self, x: Terms, move: str) -> Mapping[str, Value | Term]:
        said = x["said"] + NUMBERS[move]
        turning = self.readings["order"] == "turning"
        way = x["way"].map(TURNED.__getitem__) if turning and move == "two" else x["way"]
        # With three players the one after the next is the one before.
        left, right = (RIGHT, LEFT) if turning and move == "three" else (LEFT, RIGHT)
        moved = choose(way == "left", x["mover"].map(left.__getitem__), x["mover"].map(right.__getitem__))
        last = said == self._target
        return {"said": said, "mover": choose(last, x["mover"], moved), "way": choose(last, x["way"], way)}

    def acts(self, x: Terms) -> Mapping[str, Bool]:
        return {player: x["mover"] == player for player in PLAYERS}

    def wins(self, x: Terms) -> Mapping[str, Bool]:
        over = x["said"] == self._target
        spoke = {player: x["mover"] == player for player in PLAYERS}
        return {p: every([over, spoke[p] if self.readings["last"] == "wins" else no(spoke[p])]) for p in PLAYERS}

    @property
    def _target(self) -> int:
        return self.params.number("target")
