from __future__ import annotations

import z3

from noughts import PLAYERS, SQUARES, Params, Place, Position
from rulecheck.model import Readings, Verdict
from solvers.smt import Answer, Asker, every, some

LINES = ("a1b1c1", "a2b2c2", "a3b3c3", "a1a2a3", "b1b2b3", "c1c2c3", "a1b2c3", "a3b2c1")


class Spec:
    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings
        self.asker = Asker()
        self.on = {(c, s): z3.Bool(f"{c} on {s}") for c in PLAYERS for s in SQUARES}
        self.a_moves, self.a_mark = z3.Bool("A moves"), z3.Bool("the mark is A's")
        self.at = {s: z3.Bool(f"set on {s}") for s in SQUARES}
        rows = [[line[i : i + 2] for i in (0, 2, 4)] for line in LINES]
        won = some(every(self.on[c, s] for s in row) for c in PLAYERS for row in rows)
        taken = some(z3.And(self.at[s], self.on[c, s]) for c in PLAYERS for s in SQUARES)
        clauses = {"NC-02": self.a_moves == self.a_mark, "NC-03": z3.Not(taken), "NC-04": z3.Not(won)}
        self.holds = {clause: self.asker.name(formula) for clause, formula in clauses.items()}

    def judge(self, position: Position, move: Place) -> Verdict:
        facts = [self.a_moves if position.mover == "A" else z3.Not(self.a_moves)]
        facts.append(self.a_mark if move.mark.colour == "A" else z3.Not(self.a_mark))
        facts += [v if n == move.square else z3.Not(v) for n, v in enumerate(self.at.values())]
        lying = {(stack[0].colour, s) for s, stack in zip(SQUARES, position.stacks, strict=True) if stack}
        facts += [v if where in lying else z3.Not(v) for where, v in self.on.items()]
        broken = [c for c, v in self.holds.items() if self.asker.ask(*facts, v) is Answer.NO]
        return Verdict(tuple((c, "the constraint of this clause is false") for c in broken))
