"""Nest race as constraints, the whole: for z3, and verdicts. The rules are in `spec_board`, `spec_moves`, `spec_pat`.

"Cannot be reached by jumps" is said by any set of squares that holds all first touchdowns, is closed under further
jumps and leaves the square out (`closed_sets`, for z3); for one position the least such set is taken (`touched`).

Glossary: as for the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import z3

from rulecheck.games.nestrace import SIZES, Move, Params, Position
from rulecheck.model import Readings, Verdict
from rulecheck.pyramids import Stack
from solvers.smt import FALSE, TRUE, Answer, Asker, Bool, every, no, some
from specs.nestrace.spec_alone import Alone
from specs.nestrace.spec_moves import Path
from specs.nestrace.spec_scene import Flags, View


class Spec(Alone):
    """`search` is for whoever asks whether any position has something, and not about one."""

    def __init__(self, params: Params, readings: Readings, *, counted: bool = True, search: bool = False) -> None:
        super().__init__(params, readings)
        self.asker = Asker(logic="QF_FD" if search else None)  # measured: two to three times faster there
        self.asker.add(*self.scene.arrangement())
        self.counts = self.scene.counts()
        if counted:  # what is proved for any number of pyramids is proved for the right one
            self.asker.add(*self.counts)
        self._named: dict[Hashable, Any] = {}
        self._sets: dict[tuple[str, int], Callable[[int], Bool]] = {}

    # -- For z3: closed sets, and positions in which a player is in pat ---------------------------------------

    def closed_sets(self, c: str, o: int) -> Callable[[int], Bool]:
        """cannot(t): no base move of c leads from o to t. Sets are told once for each origin."""
        if (c, o) not in self._sets:
            self._sets[c, o] = self._tell_closed(c, o)
        return self._sets[c, o]

    def _tell_closed(self, c: str, o: int) -> Callable[[int], Bool]:
        tops = {z: View(self.scene).top(o, z, [c]) for z in SIZES}
        kinds = (False, True) if self.readings["back_jump"] == "net_forward" else (False,)
        within = {(s, k): z3.Bool(f"{c} {o} {k} touches {s}") for s in self.squares for k in kinds}
        for z, top in tops.items():
            for s in sorted(self.touchable(o)):
                for (t, back), kind in ((end, k) for end in self.jumps_from(c, s) for k in kinds):
                    jump = every([top, self.jump_clauses(c, z, o, s, t)])
                    if jump is not FALSE and (kind or not back):
                        going = every([within[s, kind], self.going_on(c, z, o, s)])
                        self.asker.add(z3.Implies(z3.And(jump, TRUE if s == o else going), within[t, kind]))

        def cannot(t: int) -> Bool:
            reached = [within[t, k] for k in kinds if not k or self.row(c, t) > self.row(c, o)]
            facts = []
            for z, top in tops.items():
                step = every(self.path_clauses(c, z, (o, t)).values()) if self.is_step(o, t) else FALSE
                facts.append(no(every([top, some([step, every([some(reached), *self.stop(c, z, o, t).values()])])])))
            return every(facts)

        return cannot

    def pat_facts(self, c: str) -> list[Bool]:
        """Facts under which c is in pat (horizon=ever apart, which is asked of each position found)."""
        local = self.pat_apart_from_moves(c)
        pairs = [(o, t) for o in self.squares for t in self.squares if self.breaks_pat(c, o, t)]
        if self.readings["pat"] == "note5":  # nothing else is uncovered and unfinished
            pairs = [(o, t) for o, t in pairs if self.on_brink(c, o) or self.on_finish(c, o)]
        return [local] if local is FALSE else [local, *(self.closed_sets(c, o)(t) for o, t in pairs)]

    # -- Asking -----------------------------------------------------------------------------------------------

    def named(self, key: Hashable, term: Callable[[], Bool]) -> Bool:
        """A term as a literal of z3, made once."""
        if key not in self._named:
            self._named[key] = self.asker.name(term())
        return self._named[key]

    def certain(self, *assumptions: Bool) -> bool:
        answer = self.asker.ask(*assumptions)
        if answer is Answer.UNKNOWN:
            raise TimeoutError("z3 gave no answer within its budget")
        return answer is Answer.YES

    def read_stacks(self) -> tuple[Stack, ...]:
        """The stacks of the solution just found."""
        return self.scene.stacks(self.asker.holds)

    # -- A verdict, with every clause that is broken ------------------------------------------------------------

    def judge(self, position: Position, move: Move) -> Verdict:
        path = tuple(self.params.number[name] for name in move.path)
        over = self.named("over", self.over)
        asked = self.asked(position.mover, path) if path else {}
        literals = {n: self.named((position.mover, path, n), lambda n=n: asked[n]) for n in asked}  # type: ignore[misc]
        if not self.certain(*self.scene.facts(position.stacks)):
            raise ValueError(f"no arrangement of this game: {position}")
        broken = {self.goal_clause()} if self.asker.holds(over) else set()
        broken |= {clause for clause, literal in literals.items() if not self.asker.holds(literal)}
        broken = broken or self.broken_by_pat_rule(position.mover, path, self.scene.flags(position.stacks))
        return Verdict(tuple((c, "the constraint of this clause is false") for c in sorted(broken)))

    def broken_by_pat_rule(self, b: str, path: Path, flags: Flags) -> set[str]:
        """NR-29, NR-30 and passing, asked of a base move or of a pass."""
        choice = self.choice(b, flags)
        if not path:
            return set() if choice.may_pass else {"NR-29"} if choice.owed else {"NR-10"}
        way = next((o, z, path[-1]) for o, z in self.tops(b, flags) if o == path[0])
        if way in choice.legal:
            return set()
        unmet = choice.owed is not None and way not in choice.owed
        return ({"NR-29"} if unmet else set()) | ({"NR-30"} if way in choice.forbidden else set())
