from __future__ import annotations

import z3

from rulecheck.model import Readings, Verdict
from solvers.smt import Answer, Asker
from stones import Params, Position, Take


class Spec:
    """Which moves are legal, and nothing about where they lead or who wins."""

    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings
        self.asker = Asker()
        self.left, self.taken = z3.Int("left"), z3.Int("taken")
        clauses = {
            "ST-02": z3.And(self.taken > 0, self.taken < int(readings["most"]) + 1),
            "ST-03": self.left - self.taken >= 0,
        }
        self.holds = {clause: self.asker.name(formula) for clause, formula in clauses.items()}

    def judge(self, position: Position, move: Take) -> Verdict:
        facts = [self.left == position.stones, self.taken == move.number]
        broken = [c for c, v in self.holds.items() if self.asker.ask(*facts, v) is Answer.NO]
        return Verdict(tuple((c, "the constraint of this clause is false") for c in broken))
