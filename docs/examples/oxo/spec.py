"""Noughts and crosses as constraints: what holds of nine squares."""

from collections.abc import Mapping

from oxo import PLAYERS, SQUARES
from rulecheck.fields import Value
from rulecheck.terms import Constraints, Term, Terms
from solvers.smt import TRUE, Bool, every, no, some

LINES = ("a1b1c1", "a2b2c2", "a3b3c3", "a1a2a3", "b1b2b3", "c1c2c3", "a1b2c3", "a3b2c1")
OPPONENT = dict(zip(PLAYERS, reversed(PLAYERS), strict=True))


class Spec(Constraints[str]):
    def clauses(self, x: Terms, move: str) -> Mapping[str, Bool]:
        mark, square = move.split("@")
        wild = self.readings["marks"] == "either"
        return {
            "NC-02": TRUE if wild else x["mover"] == mark,
            "NC-03": x[square] == ".",
            "NC-04": no(some(self._rows(x).values())),
        }

    def after(self, x: Terms, move: str) -> Mapping[str, Value | Term]:
        mark, square = move.split("@")
        return {square: mark, "mover": x["mover"].map(OPPONENT.__getitem__)}

    def acts(self, x: Terms) -> Mapping[str, Bool]:
        return {player: x["mover"] == player for player in PLAYERS}

    def ended(self, x: Terms) -> Bool:
        return some([*self._rows(x).values(), every(x[square] != "." for square in SQUARES)])

    def wins(self, x: Terms) -> Mapping[str, Bool]:
        rows = self._rows(x)
        made = {"X": rows["X"], "O": every([rows["O"], no(rows["X"])])}  # no play leads to a row of each
        if self.readings["marks"] == "either":
            made = {player: every([some(rows.values()), x["mover"] == OPPONENT[player]]) for player in PLAYERS}
        return made if self.readings["line"] == "wins" else {player: made[OPPONENT[player]] for player in PLAYERS}

    def _rows(self, x: Terms) -> dict[str, Bool]:
        rows = [[line[at : at + 2] for at in (0, 2, 4)] for line in LINES]
        return {mark: some(every(x[square] == mark for square in row) for row in rows) for mark in PLAYERS}
