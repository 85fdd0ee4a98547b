"""Nest race as constraints, clause by clause: the pat rule, and the whole.

"Cannot be reached by jumps" is said by any set of squares that holds all first touchdowns, is closed under further
jumps and leaves the square out (`closed_sets`, for z3); for one position the least such set is taken (`touched`).

Glossary: as for moves; b a blocker, v a victim.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple

import z3

from rulecheck.games.nestrace import SIZES, Move, Params, Position
from rulecheck.model import Readings, Verdict
from rulecheck.pyramids import Stack
from solvers.smt import FALSE, TRUE, Answer, Asker, Bool, every, no, some
from specs.nestrace.spec_moves import Moves, Path, Way
from specs.nestrace.spec_scene import Flags, View


class Choice(NamedTuple):
    """All base moves; those NR-30 forbids; those that meet the duty in force (None: there is none); what is left."""

    base: frozenset[Way]
    forbidden: frozenset[Way]
    owed: frozenset[Way] | None
    legal: frozenset[Way]
    may_pass: bool


class Spec(Moves):
    def __init__(self, params: Params, readings: Readings, *, counted: bool = True) -> None:
        super().__init__(params, readings)
        self.asker = Asker()
        self.asker.tell(*self.scene.arrangement())
        self.counts = self.scene.counts()
        if counted:  # what is proved for any number of pyramids is proved for the right one
            self.asker.tell(*self.counts)
        self._named: dict[Hashable, Any] = {}
        self._sets: dict[tuple[str, int], Callable[[int], Bool]] = {}
        self.in_pat = functools.lru_cache(maxsize=100_000)(self._in_pat)
        self.choice = functools.lru_cache(maxsize=1_000)(self._choice)

    # -- NR-29, NR-55, NR-56: who is in pat ------------------------------------------------------------------

    def immobilises(self, b: str, c: str, s: int, z: int) -> Bool:
        """NR-21, reading blocker: b's pyramid above is why c's pyramid of size z on s cannot move."""
        x, above = View(self.scene), range(z + 1, SIZES[-1] + 1)
        if self.readings["blocker"] == "top_owner":
            return every([x.has(s, z, c), some(x.top(s, size, [b]) for size in above)])
        return every([x.has(s, z, c), x.holds(s, [b], above)])

    def unfinished(self, c: str) -> list[tuple[int, int]]:
        return [(s, z) for s in self.squares for z in SIZES if not self.on_finish(c, s)]

    def blocks(self, b: str, c: str) -> Bool:
        return some(self.immobilises(b, c, *slot) for slot in self.unfinished(c))

    def covers_itself(self, c: str) -> Bool:
        """An unfinished pyramid lies covered, and nobody else is the reason."""
        x, found = View(self.scene), []
        for s, z in self.unfinished(c):
            covered = every([x.has(s, z, c), x.taken(s, range(z + 1, SIZES[-1] + 1))])
            found.append(every([covered, *(no(self.immobilises(b, c, s, z)) for b in self.others(c))]))
        return some(found)

    def pat_apart_from_moves(self, c: str) -> Bool:
        """Conditions 1 and 2, and where the uncovered pyramids stand; never when the game is over."""
        if self.readings["pat"] == "off":
            return FALSE
        found = [no(self.over()), some(self.blocks(b, c) for b in self.others(c))]
        if self.readings["pat"] == "no_move":
            return every(found)
        if self.readings["self_cover"] == "not_pat":
            found.append(no(self.covers_itself(c)))
        if self.readings["pat"] == "note5":
            rows = [(s, z) for s, z in self.unfinished(c) if self.row(c, s) != self.params.core + 1]
            found += [no(View(self.scene).top(s, z, [c])) for s, z in rows]
        return every(found)

    def breaks_pat(self, c: str, o: int, t: int) -> bool:
        """Conditions 3 and 4: c is not in pat if a base move leads from o to t."""
        if self.readings["pat"] == "no_move":
            return True
        if self.on_finish(c, o):
            return self.readings["finished"] == "breaks"
        return self.row(c, t) > self.row(c, o)

    def _in_pat(self, c: str, flags: Flags) -> bool:
        if not self.test(("pat", c), lambda: self.pat_apart_from_moves(c))(flags):
            return False
        moves = self.base_moves(c, flags)
        if any(self.breaks_pat(c, o, t) for (o, _), ends in moves.items() for t in ends):
            return False
        return self.readings["horizon"] == "now" or self.readings["pat"] == "no_move" or self.never_advances(c, flags)

    def never_advances(self, c: str, flags: Flags) -> bool:
        """Reading horizon=ever: the arrangements c alone can make of this one hold no advancing base move."""
        found, new = {flags}, [flags]
        while new:
            now = new.pop()
            ways = [(o, z, t) for (o, z), ends in self.base_moves(c, now).items() for t in ends]
            if any(self.advances(c, way) for way in ways):
                return False
            fresh = {self.following(c, way, now) for way in ways} - found
            found |= fresh
            new += fresh
        return True

    # -- NR-29, NR-30, NR-38: duties and what is forbidden -----------------------------------------------------

    def victims(self, b: str, flags: Flags) -> list[str]:
        """Whom the mover owes a freed pyramid: whoever is in pat and immobilised by b."""
        blocked = [v for v in self.others(b) if self.test(("blocks", b, v), lambda v=v: self.blocks(b, v))(flags)]  # type: ignore[misc]
        return [v for v in blocked if self.in_pat(v, flags)]

    def freed(self, way: Way, v: str, how: str) -> Bool:
        """NR-29, reading free: the top of o is taken away from an unfinished pyramid of v."""
        o, z, t = way
        if t == o or self.on_finish(v, o):
            return FALSE
        x = View(self.scene, o, z)
        return x.holds(o, [v]) if how == "lift" else some(x.top(o, size, [v]) for size in SIZES)

    def freeing(self, b: str, ways: Iterable[Way], how: str, flags: Flags) -> frozenset[Way]:
        owed = self.victims(b, flags)
        tests = {(w, v): self.test((how, w, v), lambda w=w, v=v: self.freed(w, v, how)) for w in ways for v in owed}  # type: ignore[misc]
        return frozenset(w for (w, _), test in tests.items() if test(flags))

    def covered(self, way: Way, v: str) -> Bool:
        """NR-30, readings s2_scope and cover_depth: what the move immobilises, if v is in pat after it."""
        o, z, t = way
        x = View(self.scene, o, z)
        if self.readings["s2_scope"] == "any_move":
            return TRUE
        if self.readings["s2_scope"] == "cover_any":
            return x.taken(t)
        if self.readings["cover_depth"] == "top":
            return some(x.top(t, size, [v]) for size in SIZES)
        return x.holds(t, [v])

    def minded(self, b: str) -> Iterable[str]:
        """NR-30, reading s2_whose_pat: by whose pat a move of b's can be forbidden."""
        return self.params.letters if self.readings["s2_whose_pat"] == "anyone" else self.others(b)

    def forbids(self, b: str, way: Way, flags: Flags) -> bool:
        """NR-30, reading s2_cause: one who is minded is in pat after the move (and, if that counts, was not before)."""
        hurt = [v for v in self.minded(b) if self.test(("covered", way, v), lambda v=v: self.covered(way, v))(flags)]  # type: ignore[misc]
        pats = {v for v in hurt if self.in_pat(v, self.following(b, way, flags))}
        if self.readings["s2_cause"] == "new":
            pats -= {v for v in pats if self.in_pat(v, flags)}
        return bool(pats)

    def _choice(self, b: str, flags: Flags) -> Choice:
        base = frozenset((o, z, t) for (o, z), ends in self.base_moves(b, flags).items() for t in ends)
        forbidden = frozenset(way for way in base if self.forbids(b, way, flags))
        if self.test("over", self.over)(flags):
            return Choice(base, frozenset(), None, frozenset(), False)
        owed, legal = self._owed(b, base, forbidden, flags) if self.victims(b, flags) else (None, base - forbidden)
        return Choice(base, forbidden, owed, legal, self._may_pass(b, owed, legal, flags))

    def _owed(
        self, b: str, base: frozenset[Way], forbidden: frozenset[Way], flags: Flags
    ) -> tuple[frozenset[Way] | None, frozenset[Way]]:
        """Readings free, cannot_free, conflict, lift_conflict: the first set of moves that is not empty."""
        for how, overrides in self.duties():
            if how == "pass":
                return frozenset(), frozenset()
            owed = self.freeing(b, base, how, flags)
            legal = owed - forbidden or (owed if overrides else frozenset())
            if legal:
                return owed, legal
        return None, base - forbidden

    def duties(self) -> list[tuple[str, bool]]:
        """What is asked of a blocker, first and then instead; and whether moves that NR-30 forbids will do."""
        freely = self.readings["conflict"] == "s1"
        found = [
            (self.readings["free"], freely),
            (self.readings["cannot_free"], freely and self.readings["lift_conflict"] == "overrides"),
        ]
        return [duty for duty in found if duty[0] != "any"]

    def _may_pass(self, b: str, owed: frozenset[Way] | None, legal: frozenset[Way], flags: Flags) -> bool:
        """NR-57, reading passing; never while a duty can be met, always if only a pass is left to who cannot free."""
        if owed is not None:
            return not owed
        rule = self.readings["passing"]
        if rule == "note5":
            rule = "blocked" if self.test(("waits", b), lambda: self.waits(b))(flags) else "never"
        if rule == "never":
            finished = self.params.partners and self.test(("finished", b), lambda: self.finished(b))(flags)
            return bool(finished) and not legal
        excludes = {  # the legal moves that leave no pass
            "stuck": legal,
            "blocked": {way for way in legal if self.advances(b, way)},
            "always": frozenset(),
        }
        return not excludes[rule]

    def waits(self, b: str) -> Bool:
        """NR-57, reading passing=note5: another player immobilises a pyramid of b's, and one off row 7 is free."""
        behind = [slot for slot in self.unfinished(b) if self.row(b, slot[0]) <= self.params.core]
        free = some(View(self.scene).top(*slot, [b]) for slot in behind)
        return every([free, some(self.blocks(c, b) for c in self.others(b))])

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
            for s in (s for s in self.squares if all(d % 2 == 0 for d in self.distances(o, s))):
                for (t, back), kind in ((end, k) for end in self.jumps_from(c, s) for k in kinds):
                    jump = every([top, self.jump_clauses(c, z, o, s, t)])
                    if jump is not FALSE and (kind or not back):
                        going = every([within[s, kind], self.going_on(c, z, o, s)])
                        self.asker.tell(z3.Implies(z3.And(jump, TRUE if s == o else going), within[t, kind]))

        def cannot(t: int) -> Bool:
            reached = [within[t, k] for k in kinds if not k or self.row(c, t) > self.row(c, o)]
            found = []
            for z, top in tops.items():
                step = every(self.path_clauses(c, z, (o, t)).values()) if self.is_step(o, t) else FALSE
                found.append(no(every([top, some([step, every([some(reached), *self.stop(c, z, o, t).values()])])])))
            return every(found)

        return cannot

    def pat_facts(self, c: str) -> list[Bool]:
        """Facts under which c is in pat (horizon=ever apart, which is asked of each position found)."""
        local = self.pat_apart_from_moves(c)
        pairs = [(o, t) for o in self.squares for t in self.squares if self.breaks_pat(c, o, t)]
        if self.readings["pat"] == "note5":  # nothing else is uncovered and unfinished
            pairs = [(o, t) for o, t in pairs if self.row(c, o) > self.params.core]
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
