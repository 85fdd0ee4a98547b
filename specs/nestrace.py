"""Nest race as constraints, clause by clause.

Geometry is said in coordinates: a player's `row` counts from the own start line, `file` runs across it. The clauses
of a path are ground terms over what lies where, one for each clause; the path is legal if all of them are true.
"Cannot be reached by jumps" is said by any set of squares that holds all first touchdowns, is closed under further
jumps and leaves the square out (`closed_sets`, for z3); for one position the least such set is taken (`touched`).

Glossary: c a player to move, b a blocker, v a victim; z a size; o the origin of a move, t its end or a touchdown,
s the square before it; x a scene, seen with the moving pyramid in the air; a way is (o, z, t).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import z3

from rulecheck.games.nestrace import SIZES, Move, Params, Position
from rulecheck.model import Readings, Verdict
from rulecheck.pyramids import SMALL, Stack
from solvers.smt import Answer, Asker, Bool
from specs.nestrace_scene import FALSE, TRUE, Flags, Scene, Value, Values, View, every, no, some

Way = tuple[int, int, int]
Path = tuple[int, ...]
Clauses = dict[str, Bool]


class Hops(NamedTuple):
    """What a pyramid lifted from one square may do: single steps, jumps from square to square, stops.

    Conditions are terms, or functions that look them up.
    """

    steps: list[tuple[int, Any]]
    jumps: dict[int, list[tuple[int, Any, bool]]]  # end, condition, whether it goes backward
    goes_on: dict[int, Any]
    stops: dict[int, Any]

    def compiled(self, make: Callable[[Bool], Any]) -> Hops:
        return Hops(
            [(t, make(term)) for t, term in self.steps],
            {s: [(t, make(term), back) for t, term, back in ends] for s, ends in self.jumps.items()},
            {t: make(term) for t, term in self.goes_on.items()},
            {t: make(term) for t, term in self.stops.items()},
        )


class Choice(NamedTuple):
    """All base moves; those NR-30 forbids; those that meet the duty in force (None: there is none); what is left."""

    base: frozenset[Way]
    forbidden: frozenset[Way]
    owed: frozenset[Way] | None
    legal: frozenset[Way]
    may_pass: bool


class Spec:
    def __init__(self, params: Params, readings: Readings, *, counted: bool = True) -> None:
        self.params, self.readings = params, readings
        self.last = params.core + 2
        self.scene = Scene(params, lambda c, s: not self._crosses(c, s))
        self.squares = self.scene.squares
        self.asker = Asker()
        self.asker.tell(*self.scene.arrangement())
        self.counts = self.scene.counts()
        if counted:  # what is proved for any number of pyramids is proved for the right one
            self.asker.tell(*self.counts)
        self.values = Values(self.scene)
        self._kept: dict[Hashable, Value] = {}
        self._tops: dict[str, list[tuple[tuple[int, int], Value]]] = {}
        self._hops: dict[tuple[str, int, int], Hops] = {}
        self._named: dict[Hashable, Any] = {}
        self._sets: dict[tuple[str, int], Callable[[int], Bool]] = {}
        self.in_pat = functools.lru_cache(maxsize=100_000)(self._in_pat)
        self.choice = functools.lru_cache(maxsize=1_000)(self._choice)

    # -- NR-03, NR-09: the board in coordinates -------------------------------------------------------------

    def row(self, c: str, s: int) -> int:
        column, row = self.params.places[s]
        return {"south": row, "west": column, "east": self.last + 1 - column}[self.params.home(c)]

    def file(self, c: str, s: int) -> int:
        column, row = self.params.places[s]
        return column if self.params.home(c) == "south" else row

    def on_start(self, c: str, s: int) -> bool:
        return self.row(c, s) == 1

    def on_finish(self, c: str, s: int) -> bool:
        return self.row(c, s) == self.last

    def on_line(self, c: str, s: int) -> bool:
        return self.row(c, s) in (1, self.last)

    def _crosses(self, c: str, s: int) -> bool:
        """A line of a player on the other axis: its squares end c's files."""
        return self.file(c, s) in (1, self.last)

    def foreign(self, c: str, s: int) -> bool:
        """NR-27, NR-31, reading rule9_4p."""
        if self.readings["rule9_4p"] == "perpendicular":
            return self._crosses(c, s)
        return any(self.on_line(other, s) for other in self.others(c))

    def others(self, c: str) -> list[str]:
        return [p for p in self.params.letters if p != c]

    def distances(self, s: int, t: int) -> tuple[int, int]:
        (a, b), (d, e) = self.params.places[s], self.params.places[t]
        return abs(a - d), abs(b - e)

    def is_step(self, s: int, t: int) -> bool:
        return max(self.distances(s, t)) == 1

    def is_jump(self, s: int, t: int) -> bool:
        return set(self.distances(s, t)) in ({2}, {0, 2})

    def middle(self, s: int, t: int) -> int:
        (a, b), (d, e) = self.params.places[s], self.params.places[t]
        return self.params.places.index(((a + d) // 2, (b + e) // 2))

    def backward(self, c: str, s: int, t: int) -> bool:
        """NR-13, reading backward."""
        straight = self.readings["backward"] == "strict" or self.file(c, s) == self.file(c, t)
        return self.row(c, t) < self.row(c, s) and straight

    # -- NR-04, NR-32, NR-40: the goal; NR-07, NR-08, NR-34: the set-up --------------------------------------

    def nest(self, s: int, c: str) -> Bool:
        """NR-05: large on medium on small."""
        return every(View(self.scene).has(s, z, c) for z in SIZES)

    def finished(self, c: str) -> Bool:
        line = [s for s in self.squares if self.on_finish(c, s)]
        return some(every(self.nest(s, c) for s in chosen) for chosen in combinations(line, self.params.nests))

    def won(self, c: str) -> Bool:
        team = [p for p in self.params.letters if p == c or (self.params.partners and p == self.params.mate(c))]
        return every(self.finished(p) for p in team)

    def over(self) -> Bool:
        return some(self.won(c) for c in self.params.letters)

    def goal_clause(self) -> str:
        return "NR-40" if self.params.partners else "NR-04" if self.params.players == 2 else "NR-32"

    def next_player(self, c: str) -> str:
        """NR-10, NR-36."""
        return self.params.letters[(self.params.letters.index(c) + 1) % self.params.players]

    def setup(self) -> Bool:
        """Nests on the start lines, from their low ends, those who share a line in turn; nothing anywhere else."""
        wanted = []
        for c in self.params.letters:
            line = sorted((s for s in self.squares if self.on_start(c, s)), key=lambda s: self.file(c, s))
            sharing = [p for p in self.params.letters if p in (c, self.params.mate(c))]
            seat = sharing.index(c) if self.params.setup == "acac" else len(sharing) - 1 - sharing.index(c)
            wanted += [self.nest(s, c) for s in line[seat : self.params.nests * len(sharing) : len(sharing)]]
        return every(wanted)

    # -- The clauses of a hop, of the end of a move, and of a whole path --------------------------------------

    def in_order(self, x: View, c: str, z: int, t: int) -> Bool:
        """NR-22, NR-23, reading order_colour: what lies on the finish square is what the size wants under it."""
        if z == SMALL:
            return no(x.taken(t))
        return x.top(t, z - 1, [c] if self.readings["order_colour"] == "own" else self.params.letters)

    def _order(self, x: View, c: str, z: int, s: int, t: int) -> Bool:
        """NR-26, reading finish_order: from s to t."""
        bound = self.on_finish(c, t) and (self.readings["finish_order"] == "every" or not self.on_finish(c, s))
        return self.in_order(x, c, z, t) if bound else TRUE

    def _lines(self, c: str, s: int, t: int) -> Clauses:
        """NR-24, NR-25: from s to t."""
        returns = self.on_start(c, t) and not self.on_start(c, s)
        leaves = self.on_finish(c, s) and not self.on_finish(c, t)
        return {"NR-24": FALSE if returns else TRUE, "NR-25": FALSE if leaves else TRUE}

    def _spares_mate(self, x: View, c: str, t: int) -> Bool:
        """NR-37: on the shared lines no pyramid of the line-mate is covered."""
        mate = self.params.mate(c)
        return no(x.holds(t, [mate])) if mate and self.on_line(c, t) else TRUE

    def touchdown(self, c: str, z: int, o: int, s: int, t: int) -> Clauses:
        """Every touchdown of a pyramid lifted from o: here the one on t, coming from s."""
        x, read = View(self.scene, o, z), self.readings
        return {
            "NR-19": no(x.taken(t, range(z, SIZES[-1] + 1))),
            "NR-22": self._order(x, c, z, s, t) if read["order_transit"] == "applies" else TRUE,
            **(self._lines(c, s, t) if read["line_transit"] == "applies" else {}),
            "NR-37": self._spares_mate(x, c, t) if read["mate_transit"] == "forbidden" else TRUE,
            "NR-42": FALSE if read["opp_lines"] == "closed" and self.foreign(c, t) else TRUE,
        }

    def stop(self, c: str, z: int, o: int, t: int) -> Clauses:
        """The end of a move."""
        x, read = View(self.scene, o, z), self.readings
        return {
            "NR-10": FALSE if o == t and read["null_move"] == "illegal" else TRUE,
            "NR-22": self._order(x, c, z, o, t) if read["order_transit"] == "final_only" else TRUE,
            **(self._lines(c, o, t) if read["line_transit"] == "final_only" else {}),
            "NR-27": FALSE if self.foreign(c, t) else TRUE,
            "NR-37": self._spares_mate(x, c, t),
        }

    def going_on(self, c: str, z: int, o: int, t: int) -> Bool:
        """NR-20, NR-43, reading land_on_other: from a touchdown the chain may go on."""
        x = View(self.scene, o, z)
        if self.readings["land_on_other"] == "continue":
            return TRUE
        if self.readings["land_on_other"] == "ends_any":
            return no(x.holds(t, self.others(c)))
        return no(some(x.top(t, size, self.others(c)) for size in SIZES))

    def jumped(self, z: int, o: int, s: int, t: int) -> Bool:
        """NR-15: there is something to jump over."""
        return View(self.scene, o, z).taken(self.middle(s, t))

    def path_clauses(self, c: str, z: int, path: Path) -> Clauses:
        """What each clause asks of this path, if c's pyramid of size z is on top where it begins."""
        o, end, hops = path[0], path[-1], list(pairwise(path))
        jumps = [hop for hop in hops if self.is_jump(*hop)]
        parts = [self.touchdown(c, z, o, s, t) for s, t in hops]
        parts += [self.stop(c, z, o, end), self._directions(c, path)]
        parts += [{"NR-15": self.jumped(z, o, s, t)} for s, t in jumps]
        parts += [{"NR-43": self.going_on(c, z, o, t)} for t in path[1:-1]]
        parts += [{"NR-14": FALSE} for hop in hops if not self.is_step(*hop) and hop not in jumps]
        parts += [{"NR-17": FALSE} for hop in hops if self.is_step(*hop) and len(hops) > 1]
        clauses = sorted({clause for part in parts for clause in part})
        return {clause: every(part[clause] for part in parts if clause in part) for clause in clauses}

    def _directions(self, c: str, path: Path) -> Clauses:
        """NR-13, NR-18, NR-44, reading back_jump."""
        wrong = [hop for hop in pairwise(path) if self.backward(c, *hop)]
        steps, jumps = any(self.is_step(*hop) for hop in wrong), any(self.is_jump(*hop) for hop in wrong)
        found = {"NR-13": FALSE if steps else TRUE}
        if self.readings["back_jump"] == "net_forward":
            nearer = self.row(c, path[-1]) > self.row(c, path[0])
            return {**found, "NR-44": FALSE if jumps and not nearer else TRUE}
        return {**found, **({"NR-18" if len(path) > 2 else "NR-13": FALSE} if jumps else {})}

    def asked(self, c: str, path: Path) -> Clauses:
        """What each clause asks of this path of c's, whatever lies on its origin."""
        x, o = View(self.scene), path[0]
        mine = {z: x.top(o, z, [c]) for z in SIZES}
        by_size = {z: self.path_clauses(c, z, path) for z in SIZES}
        terms = {n: every(some([no(mine[z]), by_size[z][n]]) for z in SIZES) for n in by_size[SMALL]}
        # NR-11: there is a top; NR-10: it is the mover's.
        terms["NR-11"] = x.taken(o)
        terms["NR-10"] = every([terms["NR-10"], some([no(x.taken(o)), *mine.values()])])
        return terms

    def effect(self, c: str, way: Way) -> tuple[tuple[int, int, str], tuple[int, int, str]]:
        """NR-16: the slot that is left and the slot that is taken; nothing else changes."""
        o, z, t = way
        return (o, z, c), (t, z, c)

    # -- Base moves: by a step, or by any chain of jumps ------------------------------------------------------

    def jump_clauses(self, c: str, z: int, o: int, s: int, t: int) -> Bool:
        """One jump of a chain, its direction apart."""
        return every([self.jumped(z, o, s, t), *self.touchdown(c, z, o, s, t).values()])

    def jumps_from(self, c: str, s: int) -> list[tuple[int, bool]]:
        """Ends of jumps, and whether they go backward; backward ones only where a reading allows them."""
        found = [(t, self.backward(c, s, t)) for t in self.squares if self.is_jump(s, t)]
        return [(t, back) for t, back in found if not back or self.readings["back_jump"] == "net_forward"]

    def hop_terms(self, c: str, z: int, o: int) -> Hops:
        jumps: dict[int, list[tuple[int, Bool, bool]]] = {}
        todo = [o]
        while todo:
            s = todo.pop()
            if s not in jumps:
                ends = [(t, self.jump_clauses(c, z, o, s, t), back) for t, back in self.jumps_from(c, s)]
                jumps[s] = [(t, term, back) for t, term, back in ends if term is not FALSE]
                todo += [t for t, _, _ in jumps[s]]
        near = [t for t in self.squares if self.is_step(o, t)]
        steps = [(t, every(self.path_clauses(c, z, (o, t)).values())) for t in near]
        return Hops(
            [(t, term) for t, term in steps if term is not FALSE],
            jumps,
            {t: self.going_on(c, z, o, t) for t in jumps},
            {t: every(self.stop(c, z, o, t).values()) for t in jumps},
        )

    def hops(self, c: str, z: int, o: int) -> Hops:
        key = (c, z, o)
        if key not in self._hops:
            self._hops[key] = self.hop_terms(c, z, o).compiled(self.values.compiled)
        return self._hops[key]

    def touched(self, hops: Hops, o: int, flags: Flags, backward: bool) -> set[int]:
        """The least set that holds the touchdowns of all first jumps and is closed under going on."""
        found: set[int] = set()
        new = {o}
        while new:
            ends = [(t, ok) for s in new for t, ok, back in hops.jumps[s] if backward or not back]
            new = {t for t, ok in ends if t not in found and ok(flags)}
            found |= new
            new = {t for t in new if hops.goes_on[t](flags)}
        return found

    def ends(self, c: str, way_from: tuple[int, int], flags: Flags) -> set[int]:
        """Where the base moves of c's pyramid of size z on o can end."""
        o, z = way_from
        hops = self.hops(c, z, o)
        found = self.touched(hops, o, flags, backward=False)
        if self.readings["back_jump"] == "net_forward":
            found |= {t for t in self.touched(hops, o, flags, backward=True) if self.row(c, t) > self.row(c, o)}
        return {t for t in found if hops.stops[t](flags)} | {t for t, ok in hops.steps if ok(flags)}

    def tops(self, c: str, flags: Flags) -> list[tuple[int, int]]:
        if c not in self._tops:
            slots = [(o, z) for o, z, colour in self.scene.at if colour == c]
            self._tops[c] = [(slot, self.values.compiled(View(self.scene).top(*slot, [c]))) for slot in slots]
        return [slot for slot, test in self._tops[c] if test(flags)]

    def base_moves(self, c: str, flags: Flags) -> dict[tuple[int, int], set[int]]:
        return {top: self.ends(c, top, flags) for top in self.tops(c, flags)}

    def advances(self, c: str, way: Way) -> bool:
        return self.row(c, way[2]) > self.row(c, way[0])

    def after(self, c: str, way: Way, flags: Flags) -> Flags:
        left, taken = self.effect(c, way)
        found = list(flags)
        found[self.scene.number[left]] = False
        found[self.scene.number[taken]] = True
        return tuple(found)

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
            fresh = {self.after(c, way, now) for way in ways} - found
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
        """NR-30, reading s2_scope: what the move immobilises, if v is in pat after it."""
        o, z, t = way
        x = View(self.scene, o, z)
        if self.readings["s2_scope"] == "any_move":
            return TRUE
        return x.taken(t) if self.readings["s2_scope"] == "cover_any" else x.holds(t, [v])

    def forbids(self, b: str, way: Way, flags: Flags) -> bool:
        """NR-30, reading s2_cause: somebody else is in pat after the move (and, if that counts, was not before)."""
        return any(
            self.test(("covered", way, v), lambda v=v: self.covered(way, v))(flags)  # type: ignore[misc]
            and self.in_pat(v, self.after(b, way, flags))
            and (self.readings["s2_cause"] == "after" or not self.in_pat(v, flags))
            for v in self.others(b)
        )

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
        """Readings free, cannot_free, conflict: the first set of moves that is not empty."""
        overrides = self.readings["conflict"] == "s1"
        for how in (self.readings["free"], self.readings["cannot_free"]):
            if how == "pass":
                return frozenset(), frozenset()
            if how != "any":
                owed = self.freeing(b, base, how, flags)
                legal = owed - forbidden or (owed if overrides else frozenset())
                if legal:
                    return owed, legal
        return None, base - forbidden

    def _may_pass(self, b: str, owed: frozenset[Way] | None, legal: frozenset[Way], flags: Flags) -> bool:
        """NR-57, reading passing; never while a duty can be met, always if only a pass is left to who cannot free."""
        if owed is not None:
            return not owed
        if self.readings["passing"] == "blocked":
            return not any(self.advances(b, way) for way in legal)
        if self.readings["passing"] == "never":
            finished = self.params.partners and self.test(("finished", b), lambda: self.finished(b))(flags)
            return bool(finished) and not legal
        return self.readings["passing"] == "always" or not legal

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

    def test(self, key: Hashable, term: Callable[[], Bool]) -> Value:
        """A term as a function of one position, made once."""
        if key not in self._kept:
            self._kept[key] = self.values.compiled(term())
        return self._kept[key]

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
