"""Pig as constraints: what holds of two scores and a turn total."""

from collections.abc import Mapping

from pig import PLAYERS
from rulecheck.fields import Value
from rulecheck.params import Params
from rulecheck.terms import Brought, Constraints, Term, Terms, choose
from solvers.smt import TRUE, Bool, every, no, some

OPPONENT = {"A": "B", "B": "A"}


class Spec(Constraints[str]):
    params: Params

    def clauses(self, x: Terms, move: str) -> Mapping[str, Bool]:
        free = move == "roll" or self.readings["first"] == "either"
        return {
            "PG-02": TRUE if free else x["turn"] != 0,
            "PG-03": x["die"] == "still",
            "PG-06": no(some(self.wins(x).values())),
        }

    def after(self, x: Terms, move: str) -> Mapping[str, Value | Term]:
        if move == "roll":
            return {"die": "thrown"}
        banked = {p: choose(x["mover"] == p, self._counted(x[p] + x["turn"]), x[p]) for p in PLAYERS}
        return {**banked, **self._turn_over(x)}

    def chances(self, x: Terms) -> Mapping[str, Brought]:
        rolling = every([x["die"] == "thrown", no(some(self.wins(x).values()))])
        good = {str(n): {"die": "still", "turn": self._counted(x["turn"] + n)} for n in (2, 3, 4, 5, 6)}
        bad = {"1": {"die": "still", **self._turn_over(x)}}
        return {label: Brought(rolling, changes) for label, changes in {**bad, **good}.items()}

    def acts(self, x: Terms) -> Mapping[str, Bool]:
        return {player: x["mover"] == player for player in PLAYERS}

    def wins(self, x: Terms) -> Mapping[str, Bool]:
        enough = {player: x[player] == self._target for player in PLAYERS}
        if self.readings["reach"] == "rolled":
            reached = {p: (x[p] + x["turn"]).where(self._is_enough) for p in PLAYERS}
            enough = {p: some([enough[p], every([x["mover"] == p, reached[p]])]) for p in PLAYERS}
        return enough

    def sense(self, x: Terms) -> Bool:
        """Nobody goes on once the target is reached, so no two players reach it."""
        first, second = self.wins(x).values()
        return no(every([first, second]))

    @property
    def _target(self) -> int:
        return self.params.number("target")

    def _is_enough(self, points: int) -> bool:
        return points >= self._target

    def _counted(self, points: Term) -> Term:
        return points.map(lambda n: self._target if self._is_enough(n) else n)

    def _turn_over(self, x: Terms) -> dict[str, Value | Term]:
        return {"turn": 0, "mover": x["mover"].map(OPPONENT.__getitem__)}
