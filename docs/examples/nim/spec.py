"""Nim as constraints: what holds of a few numbers."""

from collections.abc import Mapping

from nim import heaps
from rulecheck.fields import Value
from rulecheck.params import Params
from rulecheck.terms import Constraints, Term, Terms
from solvers.smt import Bool, every, some

NEXT = {"A": "B", "B": "A"}


class Spec(Constraints[str]):
    params: Params

    def clauses(self, x: Terms, move: str) -> Mapping[str, Bool]:
        heap, taken = move.split("-")
        return {
            "NI-03": x[heap] >= int(taken),
            "NI-04": some(x[heap] != 0 for heap in heaps(self.params)),
        }

    def after(self, x: Terms, move: str) -> Mapping[str, Value | Term]:
        heap, taken = move.split("-")
        return {heap: x[heap].map(lambda before: before - int(taken)), "mover": x["mover"].map(NEXT.get)}

    def acts(self, x: Terms) -> Mapping[str, Bool]:
        return {player: x["mover"] == player for player in NEXT}

    def wins(self, x: Terms) -> Mapping[str, Bool]:
        gone = every(x[heap] == 0 for heap in heaps(self.params))
        last_wins = self.readings["last"] == "wins"
        return {player: every([gone, x["mover"] == (NEXT[player] if last_wins else player)]) for player in NEXT}
