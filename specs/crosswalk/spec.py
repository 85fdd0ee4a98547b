"""Crosswalk as constraints, asked about concrete positions and turns; what they are made of is in `crosswalk_rules`.

Glossary: as for the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Protocol

import z3

from rulecheck.games.crosswalk import Position, Step, Turn
from rulecheck.model import Verdict
from rulecheck.pyramids import Pyramid, Stack
from solvers.smt import TRUE, Answer, Bool
from specs.crosswalk.spec_rules import Rules


class Facts(Protocol):
    """What the verdict on a turn is made of."""

    def is_on(self, position: Position) -> bool: ...

    def has_valid_turn(self, position: Position) -> bool: ...

    def may_pass(self, position: Position) -> bool: ...

    def relocated(self, position: Position, step: Step) -> tuple[set[str], Position]: ...

    def broken_by_walk(self, position: Position, steps: Sequence[Step]) -> set[str]: ...


class Spec(Rules):
    def is_on(self, position: Position) -> bool:
        return self.certain(*self.position_facts(position), self.playing)

    def position_facts(self, position: Position) -> list[Bool]:
        """Literals that fix the first scene to these stacks, and the mover."""
        return [self.to_move[position.mover], *self.stack_facts(position.stacks, 0)]

    def stack_facts(self, stacks: Sequence[Stack], t: int) -> list[Bool]:
        """Literals that fix scene t to these stacks."""
        x = self.scenes[t]
        facts: list[Bool] = []
        for p, stack in enumerate(stacks):
            facts += [x.at[p, d, k] for d, k in enumerate(reversed(stack))]
            if (p, len(stack)) in x.free:
                facts.append(x.free[p, len(stack)])
        return facts

    def read_scene(self, t: int) -> tuple[tuple[Pyramid, ...], ...]:
        """The stacks of scene t in the solution just found."""
        x = self.scenes[t]
        slots = {v.get_id(): slot for slot, v in x.at.items()}
        stacks: dict[int, dict[int, Pyramid]] = {p: {} for p in self.params.places}
        for literal in self.asker.true_in_model(x.at.values()):
            p, d, k = slots[literal.get_id()]
            stacks[p][d] = k
        return tuple(tuple(stacks[p][d] for d in sorted(stacks[p], reverse=True)) for p in self.params.places)

    def read_position(self, t: int = 0) -> Position:
        """The position of scene t in the solution just found, without its roll."""
        return Position("A" if self.asker.true_in_model([self.a_moves]) else "B", self.read_scene(t))

    def least_position(self, *assumptions: Bool) -> Position:
        """The first position, in an order of our own, that goes with the assumptions; there must be one.

        A before B to move; the fewest points; no finish line crossed; then place by place, from the top of the stack
        down: nothing, or the first pyramid that can lie there. What else is read of the solution should depend on this.
        """
        fixed = list(assumptions)

        def first(options: Iterable[Bool]) -> Bool:
            chosen = next(option for option in options if self.certain(*fixed, option))
            fixed.append(chosen)
            return chosen

        for options in (self.to_move.values(), self.left[0], *((z3.Not(v), v) for v in self.crossed_before.values())):
            first(options)
        x = self.scenes[0]
        for p in self.params.places:
            for d in range(x.depth):
                nothing = x.free.get((p, d), TRUE)
                if first([nothing, *(x.at[p, d, k] for k in x.kinds if (p, d, k) in x.at)]) is nothing:
                    break
        self.certain(*fixed)
        return self.read_position()

    def read_turn(self) -> Turn:
        """The acts of the solution just found."""
        steps = []
        for act in self.acts:
            if self.asker.true_in_model([act.go]):
                source = act.src.index(self.asker.true_in_model(act.src)[0])
                steps.append(Step(source, act.dst.index(self.asker.true_in_model(act.dst)[0])))
        return Turn(tuple(steps))

    def good_walk(self, position: Position) -> list[Bool]:
        """Literals under which the walk is a valid turn of this position (its scene and roll given apart)."""
        valid = [self.moved, self.playing, self.all_legal, self.not_null, *self.fresh_turn]
        return [*valid, self._used_up(position, valid)]

    def _used_up(self, position: Position, valid: Sequence[Bool]) -> Bool:
        """CW-12 for a concrete position: the whole roll, or the most that any walk can spend, or until stuck."""
        if self.readings["spend"] == "exact":
            return self.leaves[0]
        return self.stuck if self.readings["spend"] == "until_stuck" else self._most_points(position, valid)

    def _most_points(self, position: Position, valid: Sequence[Bool]) -> Bool:
        """Under max_points: try totals from the roll downwards; the first that some walk reaches is owed."""
        assert position.roll is not None
        facts = self.given(position)
        for rest in range(position.roll):
            if self.certain(*facts, *valid, self.left[-1][rest]):
                return self.leaves[rest]
        return self.won

    def given(self, position: Position) -> list[Bool]:
        assert position.roll is not None
        return [*self.position_facts(position), self.left[0][position.roll]]

    def certain(self, *assumptions: Bool) -> bool:
        answer = self.asker.ask(*assumptions)
        if answer is Answer.UNKNOWN:
            raise TimeoutError("z3 gave no answer within its budget")
        return answer is Answer.YES

    def moves_after(self, mover: str) -> str:
        """CW-07: who is to move when this player's turn is over."""
        return next(c for c, to_move in self.moves_next.items() if self.certain(self.to_move[mover], to_move))

    def has_valid_turn(self, position: Position) -> bool:
        return self.certain(*self.given(position), *self.good_walk(position))

    def walk_literals(self, steps: Sequence[Step]) -> list[Bool]:
        """The acts of a walk fixed to these steps, and to nothing after them."""
        padded: Iterable[Step | None] = [*steps, *[None] * (len(self.acts) - len(steps))]
        return [literal for act, step in zip(self.acts, padded, strict=True) for literal in act.literals(step)]

    def may_pass(self, position: Position) -> bool:
        """CW-20 says "may"; if it is read as "must", passing is left only to who finds nothing to relocate."""
        if self.readings["relocation"] == "may":
            return True
        return not self.certain(*self.position_facts(position), self.acts[0].go, *self.reloc_holds.values())

    # -- A verdict, with every clause that is broken --------------------------------------------------------

    def judge(self, position: Position, turn: Turn) -> Verdict:
        return self.judge_by(self, position, turn)

    def judge_by(self, facts: Facts, position: Position, turn: Turn) -> Verdict:
        """CW-19..22: which kind of turn is open. `facts` are the constraints, or somebody who has asked them before."""
        if not facts.is_on(position):
            return self._verdict({"CW-22"})
        first = turn.steps[0] if turn.steps else None
        if first is not None and not first.relocates:
            return self._verdict(facts.broken_by_walk(position, turn.steps))
        broken = {"CW-19" if first else "CW-12"} if facts.has_valid_turn(position) else set()
        if first is None:
            return self._verdict(broken | (set() if facts.may_pass(position) else {"CW-20"}))
        return self._verdict(broken | self._broken_by_exception(facts, position, turn.steps))

    def _verdict(self, broken: set[str]) -> Verdict:
        return Verdict(tuple((c, "the constraint of this clause is false") for c in sorted(broken)))

    def _broken_by_exception(self, facts: Facts, position: Position, steps: Sequence[Step]) -> set[str]:
        step, *rest = steps
        broken, placed = facts.relocated(position, step)
        if broken:
            return broken
        if self.readings["after_relocation"] == "end_turn":
            return {"CW-19"} if rest else set()
        if rest:
            return facts.broken_by_walk(placed, rest)
        return {"CW-12"} if facts.has_valid_turn(placed) else set()

    def relocated(self, position: Position, step: Step) -> tuple[set[str], Position]:
        """The clauses that a relocation breaks if the exception is open; if there are none, what it leaves."""
        assert self.certain(*self.position_facts(position), *self.acts[0].literals(step))
        if broken := {c for c, v in self.reloc_holds.items() if not self.asker.holds(v)}:
            return broken, position
        return set(), Position(position.mover, self.read_scene(1), position.roll)

    def broken_by_walk(self, position: Position, steps: Sequence[Step]) -> set[str]:
        """The clauses of the first illegal step; if there is none, those of the walk as a whole."""
        used = self.good_walk(position)[-1]
        walk = list(takewhile(lambda step: not step.relocates, steps[: len(self.acts)]))
        assert self.certain(*self.given(position), *self.fresh_turn, *self.walk_literals(walk))
        for clauses in self.holds[: len(walk)]:
            if broken := {c for c, v in clauses.items() if not self.asker.holds(v)}:
                return broken
        if any(step.relocates for step in steps):
            return {"CW-19"}
        return {c for c, v in (("CW-11", self.not_null), ("CW-12", used)) if not self.asker.holds(v)}
