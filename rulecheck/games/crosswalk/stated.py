"""Crosswalk: every turn of a position and roll, by its result, as the constraints state it.

z3 yields one more end of a valid walk at a time, until there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import z3

from rulecheck.games.crosswalk import PASS, Position, Step, Turn, read_turn
from rulecheck.puzzles.rules import OneByOne, Stated
from solvers.smt import every
from specs.crosswalk.spec import Spec


class StatedTurns(OneByOne[Spec]):
    def stated(self, position: Position) -> Stated:
        if not self.spec.is_on(position):
            return {}
        results = sorted(set(self._walks(position)) or set(self._exceptions(position)), key=str)
        return {result: (self._winner(result), Turns(self.spec, position, result)) for result in results}

    def _walks(self, position: Position) -> Iterator[Position]:
        """CW-08..12: where valid walks end."""
        spec, last, mover = self.spec, len(self.spec.acts), self.spec.moves_after(position.mover)
        good = [*spec.given(position), *spec.good_walk(position)]
        ends: list[Position] = []
        with spec.asker.supposing():
            while spec.certain(*good):
                ended = Position(mover, spec.read_scene(last))
                ends.append(ended)
                spec.asker.add(z3.Not(every(spec.stack_facts(ended.stacks, last))))
        yield from ends

    def _exceptions(self, position: Position) -> Iterator[Position]:
        """CW-19..21: if there is no valid walk."""
        spec, mover = self.spec, self.spec.moves_after(position.mover)
        if spec.may_pass(position):
            yield Position(mover, position.stacks)
        for step in (Step(p, q, relocates=True) for p in spec.params.places for q in spec.params.places):
            broken, placed = spec.relocated(position, step)
            if not broken:
                after = list(self._walks(placed)) if spec.readings["after_relocation"] == "then_spend" else []
                yield from after or [Position(mover, placed.stacks)]

    def _winner(self, result: Position) -> str | None:
        """CW-22: whoever has a nest at the finish."""
        spec = self.spec
        won = [c for c in ("A", "B") if spec.certain(*spec.position_facts(result), spec.nests[c])]
        return won[0] if won else None


@dataclass(frozen=True)
class Turns:
    """The names of the turns that the constraints allow and that end in one position."""

    spec: Spec
    position: Position
    result: Position

    def __contains__(self, name: object) -> bool:
        turn = read_turn(self.spec.params, str(name))
        return self.spec.judge(self.position, turn).legal and self._leads(turn)

    def _leads(self, turn: Turn) -> bool:
        spec, position, steps = self.spec, self.position, turn.steps
        if turn == PASS:
            return self.result.stacks == position.stacks
        if steps[0].relocates:
            _, position = spec.relocated(position, steps[0])
            steps = steps[1:]
        facts = [*spec.given(position), *spec.walk_literals(steps)]
        return spec.certain(*facts, *spec.stack_facts(self.result.stacks, len(spec.acts)))
