"""Nest race as constraints: the pat rule, once for one position and for many.

What hangs on places alone is a term. What asks for base moves, or for a position that comes of one, is said of
`Worlds`: some positions side by side, in each of which a thing is true or false. A value is a number whose bit i
belongs to position i (for one position: a truth value); `&`, `|` and `^` join values, and `x.full ^ value` negates one.
Who looks terms up, and base moves, are `spec_alone` and `spec_many`.

Glossary: as for moves; b the mover as a blocker, v a victim; x worlds; `among` where the answer is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import reduce
from operator import or_
from typing import NamedTuple, Protocol

from rulecheck.games.nestrace import SIZES
from solvers.smt import FALSE, TRUE, Bool, every, no, some
from specs.nestrace.spec_moves import Moves, Way
from specs.nestrace.spec_scene import View

Value = int


class Worlds(Protocol):
    @property
    def full(self) -> Value:
        """True everywhere."""

    def test(self, key: Hashable, term: Callable[[], Bool]) -> Value:
        """Where a term is true; equal keys have equal terms."""

    def tops(self, c: str) -> list[tuple[int, int]]:
        """The squares and sizes of all c's pyramids that are tops somewhere, and perhaps of others."""

    def ends(self, c: str, way_from: tuple[int, int], among: Value) -> dict[int, Value]:
        """On which squares base moves of that pyramid can end, if it is a top, and where."""

    def after(self, c: str, way: Way) -> Worlds:
        """What a base move makes of each."""

    def in_pat(self, c: str, among: Value) -> Value:
        """`Pat.where_in_pat`, or what is known of it."""

    def never_advances(self, c: str, among: Value) -> Value:
        """Where the arrangements that c alone can make hold no advancing base move."""


class Allowed(NamedTuple):
    """Which ways are base moves, are forbidden, meet the duty in force, are legal; where there is a duty, and one in
    force; where a pass is open."""

    base: dict[Way, Value]
    forbidden: dict[Way, Value]
    owed: dict[Way, Value]
    legal: dict[Way, Value]
    owing: Value
    due: Value
    may_pass: Value


def union(values: Iterable[Value]) -> Value:
    return reduce(or_, values, 0)


class Pat(Moves):
    # -- NR-21, NR-29, NR-55, NR-56: who is in pat, and through whom -------------------------------------------

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
        x, cases = View(self.scene), []
        for s, z in self.unfinished(c):
            covered = every([x.has(s, z, c), x.taken(s, range(z + 1, SIZES[-1] + 1))])
            cases.append(every([covered, *(no(self.immobilises(b, c, s, z)) for b in self.others(c))]))
        return some(cases)

    def pat_apart_from_moves(self, c: str) -> Bool:
        """Conditions 1 and 2, and where the uncovered pyramids stand; never when the game is over."""
        if self.readings["pat"] == "off":
            return FALSE
        conditions = [no(self.over()), some(self.blocks(b, c) for b in self.others(c))]
        if self.readings["pat"] == "no_move":
            return every(conditions)
        if self.readings["self_cover"] == "not_pat":
            conditions.append(no(self.covers_itself(c)))
        if self.readings["pat"] == "note5":
            rows = [(s, z) for s, z in self.unfinished(c) if not self.on_brink(c, s)]
            conditions += [no(View(self.scene).top(s, z, [c])) for s, z in rows]
        return every(conditions)

    def breaks_pat(self, c: str, o: int, t: int) -> bool:
        """Conditions 3 and 4: c is not in pat if a base move leads from o to t."""
        if self.readings["pat"] == "no_move":
            return True
        if self.on_finish(c, o):
            return self.readings["finished"] == "breaks"
        return self.row(c, t) > self.row(c, o)

    def where_in_pat(self, c: str, x: Worlds, among: Value) -> Value:
        where = among and among & x.test(("pat", c), lambda: self.pat_apart_from_moves(c))
        for o, z in x.tops(c) if where else ():
            for t, there in x.ends(c, (o, z), where).items():
                if self.breaks_pat(c, o, t):
                    where &= x.full ^ there
        if self.readings["horizon"] == "now" or self.readings["pat"] == "no_move":
            return where
        return where and x.never_advances(c, where)

    # -- NR-29, NR-38: the duty to free ------------------------------------------------------------------------

    def blocking(self, b: str, v: str, x: Worlds) -> Value:
        return x.test(("blocks", b, v), lambda: self.blocks(b, v))

    def owed_to(self, b: str, x: Worlds) -> dict[str, Value]:
        """Whom the mover owes a freed pyramid: whoever is in pat and immobilised by b."""
        return {v: x.in_pat(v, self.blocking(b, v, x)) for v in self.others(b)}

    def freed(self, way: Way, v: str, how: str) -> Bool:
        """NR-29, reading free: the top of o is taken away from an unfinished pyramid of v."""
        o, z, t = way
        if t == o or self.on_finish(v, o):
            return FALSE
        x = View(self.scene, o, z)
        return x.holds(o, [v]) if how == "lift" else some(x.top(o, size, [v]) for size in SIZES)

    def frees(self, way: Way, how: str, victims: dict[str, Value], x: Worlds) -> Value:
        owed = [(v, there) for v, there in victims.items() if there]
        return union(there & x.test((how, way, v), lambda v=v: self.freed(way, v, how)) for v, there in owed)  # type: ignore[misc]

    def duties(self) -> list[tuple[str, bool]]:
        """What is asked of a blocker, first and then instead; and whether moves that NR-30 forbids will do."""
        freely = self.readings["conflict"] == "s1"
        duties = [
            (self.readings["free"], freely),
            (self.readings["cannot_free"], freely and self.readings["lift_conflict"] == "overrides"),
        ]
        return [duty for duty in duties if duty[0] != "any"]

    # -- NR-30: what is forbidden -----------------------------------------------------------------------------

    def minded(self, b: str) -> Iterable[str]:
        """NR-30, reading s2_whose_pat: by whose pat a move of b's can be forbidden."""
        return self.params.letters if self.readings["s2_whose_pat"] == "anyone" else self.others(b)

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

    def forbidden(self, b: str, way: Way, x: Worlds, among: Value) -> Value:
        """NR-30, reading s2_cause: one who is minded is in pat after the move (and, if that counts, was not before)."""
        where = 0
        for v in self.minded(b):
            covered = among and among & x.test(("covered", way, v), lambda v=v: self.covered(way, v))  # type: ignore[misc]
            pat = covered and x.after(b, way).in_pat(v, covered)
            where |= pat & (x.full ^ x.in_pat(v, pat)) if self.readings["s2_cause"] == "new" else pat
        return where

    # -- NR-10, NR-57: what is legal, and passes ----------------------------------------------------------------

    def allowed(self, b: str, x: Worlds) -> Allowed:
        base = {(o, z, t): there for o, z in x.tops(b) for t, there in x.ends(b, (o, z), x.full).items()}
        going_on = x.full ^ x.test("over", self.over)
        forbidden = {way: self.forbidden(b, way, x, there & going_on) for way, there in base.items()}
        victims = self.owed_to(b, x)
        owed, legal, passing, unbound = self._met(base, forbidden, victims, x)
        free = going_on & unbound
        for way, there in base.items():
            legal[way] = legal.get(way, 0) | there & (x.full ^ forbidden[way]) & free
        may_pass = passing | free & self.may_pass(b, legal, x)
        return Allowed(base, forbidden, owed, legal, union(victims.values()), x.full ^ unbound, may_pass)

    def _met(
        self, base: dict[Way, Value], forbidden: dict[Way, Value], victims: dict[str, Value], x: Worlds
    ) -> tuple[dict[Way, Value], dict[Way, Value], Value, Value]:
        """Readings free, cannot_free, conflict, lift_conflict: where there is a duty, the first set of moves that is
        not empty. What meets the duty, what of it is legal, where only a pass does, where no duty is in force."""
        owed, legal, waiting = dict[Way, Value](), dict[Way, Value](), union(victims.values())
        unbound = x.full ^ waiting
        for how, overrides in self.duties() if waiting else ():
            if how == "pass":
                return owed, legal, waiting, unbound
            bound = {way: there & waiting for way, there in base.items()}
            meets = {way: there and there & self.frees(way, how, victims, x) for way, there in bound.items()}
            lawful = {way: there & (x.full ^ forbidden[way]) for way, there in meets.items()}
            able = x.full ^ union(lawful.values()) if overrides else 0
            lawful = {way: there | meets[way] & able for way, there in lawful.items()}
            met = union(lawful.values())
            owed = {way: owed.get(way, 0) | there & met for way, there in meets.items()}
            legal = {way: legal.get(way, 0) | there for way, there in lawful.items()}
            waiting &= x.full ^ met
        return owed, legal, 0, unbound | waiting

    def waits(self, b: str) -> Bool:
        """Note 5c: another player immobilises a pyramid of b's, and one off row 7 is free."""
        behind = [slot for slot in self.unfinished(b) if not self.on_brink(b, slot[0])]
        free = some(View(self.scene).top(*slot, [b]) for slot in behind)
        return every([free, some(self.blocks(c, b) for c in self.others(b))])

    def may_pass(self, b: str, legal: dict[Way, Value], x: Worlds) -> Value:
        """NR-57, reading passing, where no duty is in force."""
        stuck = x.full ^ union(legal.values())
        if self.readings["passing"] == "always":
            return x.full
        if self.readings["passing"] == "stuck":
            return stuck
        blocked = x.full ^ union(there for way, there in legal.items() if self.advances(b, way))
        if self.readings["passing"] == "blocked":
            return blocked
        passing = stuck & x.test(("finished", b), lambda: self.finished(b)) if self.params.partners else 0
        if self.readings["passing"] == "note5":
            passing |= blocked & x.test(("waits", b), lambda: self.waits(b))
        return passing
