"""Nest race: the constraints looked up for many positions at once.

The terms are those of the spec; only what it does with them for one position is said here again for all positions
together. A column is a number in which bit i belongs to position i; sets of positions are such numbers too.

Glossary: as in the spec; `among` the positions that are asked about, others come out as 0.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from solvers.smt import Bool, every
from specs.nestrace.spec import Spec
from specs.nestrace.spec_moves import Hops, Way
from specs.nestrace.spec_scene import Flags, ManyValues, View

Bits = int


class Columns(NamedTuple):
    """What lies where: a column for each slot; and the column that is true everywhere."""

    slots: tuple[Bits, ...]
    full: Bits


class Choices(NamedTuple):
    """Where each player is in pat; where each way is a base move, is forbidden, is legal; who owes; who may pass."""

    pats: dict[str, Bits]
    base: dict[Way, Bits]
    forbidden: dict[Way, Bits]
    legal: dict[Way, Bits]
    owing: Bits
    may_pass: Bits


def union(found: Iterator[Bits] | Sequence[Bits]) -> Bits:
    return reduce(or_, found, 0)


def members(found: Bits) -> Iterator[int]:
    while found:
        low = found & -found
        yield low.bit_length() - 1
        found ^= low


def column(numbers: Sequence[int], count: int) -> Bits:
    """The positions with these numbers."""
    found = bytearray(count // 8 + 1)
    for n in numbers:
        found[n >> 3] |= 1 << (n & 7)
    return int.from_bytes(found, "little")


def transposed(codes: Sequence[int], slots: int) -> Columns:
    """Of at least one position, each given as the number whose bit n is slot n."""
    rows = [format(code, f"0{slots}b") for code in reversed(codes)]
    found = tuple(int("".join(bits), 2) for bits in zip(*rows, strict=True))
    return Columns(found[::-1], (1 << len(codes)) - 1)


class Many:
    def __init__(self, spec: Spec) -> None:
        self.spec, self.values = spec, ManyValues(spec.scene)
        self._kept: dict[Hashable, Any] = {}
        self._hops: dict[tuple[str, int, int], Hops] = {}
        self.slots = {c: [(o, z) for o, z, colour in spec.scene.at if colour == c] for c in spec.params.letters}

    def test(self, key: Hashable, term: Callable[[], Bool], x: Columns) -> Bits:
        if key not in self._kept:
            self._kept[key] = self.values.compiled(term())
        found: Bits = self._kept[key](*x)
        return found

    # -- Base moves ------------------------------------------------------------------------------------------

    def hops(self, c: str, z: int, o: int) -> Hops:
        key = (c, z, o)
        if key not in self._hops:
            self._hops[key] = self.spec.hop_terms(c, z, o).compiled(self.values.compiled)
        return self._hops[key]

    def touched(self, hops: Hops, o: int, x: Columns, among: Bits, backward: bool) -> dict[int, Bits]:
        """In each position the least set that holds all first touchdowns and is closed under going on."""
        found: dict[int, Bits] = {}
        new = {o: among}
        while new:
            fresh: dict[int, Bits] = {}
            for s, here in new.items():
                for t, ok, back in hops.jumps[s]:
                    if (backward or not back) and (bits := here & ok(*x) & ~found.get(t, 0)):
                        fresh[t] = fresh.get(t, 0) | bits
            for t, bits in fresh.items():
                found[t] = found.get(t, 0) | bits
            going = {t: bits & hops.goes_on[t](*x) for t, bits in fresh.items()}
            new = {t: bits for t, bits in going.items() if bits}
        return found

    def ends(self, c: str, way_from: tuple[int, int], x: Columns, among: Bits) -> dict[int, Bits]:
        """Where base moves of c's pyramid of size z on o can end, if it is a top."""
        o, z = way_from
        top = among and among & self.test(("top", c, o, z), lambda: View(self.spec.scene).top(o, z, [c]), x)
        if not top:
            return {}
        hops = self.hops(c, z, o)
        found = self.touched(hops, o, x, top, backward=False)
        if self.spec.readings["back_jump"] == "net_forward":
            for t, bits in self.touched(hops, o, x, top, backward=True).items():
                if self.spec.row(c, t) > self.spec.row(c, o):
                    found[t] = found.get(t, 0) | bits
        found = {t: bits & hops.stops[t](*x) for t, bits in found.items()}
        for t, ok in hops.steps:
            found[t] = found.get(t, 0) | top & ok(*x)
        return {t: bits for t, bits in found.items() if bits}

    def base_moves(self, c: str, x: Columns, among: Bits) -> dict[Way, Bits]:
        found = (((o, z), self.ends(c, (o, z), x, among)) for o, z in self.slots[c])
        return {(o, z, t): bits for (o, z), ends in found for t, bits in ends.items()}

    def following(self, c: str, way: Way, x: Columns) -> Columns:
        left, taken = self.spec.effect(c, way)
        slots = list(x.slots)
        slots[self.spec.scene.number[left]] = 0
        slots[self.spec.scene.number[taken]] = x.full
        return Columns(tuple(slots), x.full)

    # -- The pat rule ----------------------------------------------------------------------------------------

    def in_pat(self, c: str, x: Columns, among: Bits) -> Bits:
        spec = self.spec
        found = among and among & self.test(("pat", c), lambda: spec.pat_apart_from_moves(c), x)
        for o, z in self.slots[c]:
            ends = self.ends(c, (o, z), x, found)
            found &= ~union([bits for t, bits in ends.items() if spec.breaks_pat(c, o, t)])
        if spec.readings["horizon"] == "now" or spec.readings["pat"] == "no_move":
            return found
        return union([1 << n for n in members(found) if spec.never_advances(c, flags(x, n))])

    def blocks(self, b: str, v: str, x: Columns) -> Bits:
        return self.test(("blocks", b, v), lambda: self.spec.blocks(b, v), x)

    def forbidden(self, b: str, way: Way, x: Columns, among: Bits, pats: dict[str, Bits]) -> Bits:
        """NR-30."""
        spec, following, found = self.spec, self.following(b, way, x), 0
        for v in spec.minded(b):
            covered = among & self.test(("covered", way, v), lambda v=v: spec.covered(way, v), x)  # type: ignore[misc]
            pat = self.in_pat(v, following, covered)
            found |= pat if spec.readings["s2_cause"] == "after" else pat & ~pats[v]
        return found

    def choices(self, b: str, x: Columns) -> Choices:
        spec = self.spec
        pats = {v: self.in_pat(v, x, x.full) for v in spec.params.letters}
        base = self.base_moves(b, x, x.full)
        over = self.test("over", spec.over, x)
        forbidden = {way: bits & self.forbidden(b, way, x, bits & ~over, pats) for way, bits in base.items()}
        victims = {v: self.blocks(b, v, x) & pats[v] for v in spec.others(b)}
        legal, waiting, passing = self._meeting_duty(base, forbidden, victims, x)
        owing = union(list(victims.values()))
        free = x.full & ~over & ~(owing & ~waiting)  # no duty, or nothing can be done about it
        for way, bits in base.items():
            legal[way] = legal.get(way, 0) | bits & ~forbidden[way] & free
        return Choices(pats, base, forbidden, legal, owing, passing | free & self._may_pass(b, legal, x))

    def _meeting_duty(
        self, base: dict[Way, Bits], forbidden: dict[Way, Bits], victims: dict[str, Bits], x: Columns
    ) -> tuple[dict[Way, Bits], Bits, Bits]:
        """Moves that meet the duty, where none does, where only a pass does."""
        spec, legal, waiting = self.spec, dict[Way, Bits](), union(list(victims.values()))
        for how, overrides in spec.duties():
            if how == "pass" or not waiting:
                return legal, 0, waiting
            owed = {way: bits & waiting & self._freed(way, how, victims, x) for way, bits in base.items()}
            lawful = {way: bits & ~forbidden[way] for way, bits in owed.items()}
            if overrides:
                some_lawful = union(list(lawful.values()))
                lawful = {way: bits | owed[way] & ~some_lawful for way, bits in lawful.items()}
            legal = {way: legal.get(way, 0) | bits for way, bits in lawful.items()}
            waiting &= ~union(list(lawful.values()))
        return legal, waiting, 0

    def _freed(self, way: Way, how: str, victims: dict[str, Bits], x: Columns) -> Bits:
        found = 0
        for v in (v for v, owed in victims.items() if owed):
            found |= victims[v] & self.test((how, way, v), lambda v=v: self.spec.freed(way, v, how), x)  # type: ignore[misc]
        return found

    def _may_pass(self, b: str, legal: dict[Way, Bits], x: Columns) -> Bits:
        """NR-57, reading passing, where there is no duty."""
        spec, passing = self.spec, self.spec.readings["passing"]
        moving = union(list(legal.values()))
        waiting = self.test(("waits", b), lambda: spec.waits(b), x) if passing == "note5" else 0
        if passing in ("blocked", "note5"):
            blocked = ~union([bits for way, bits in legal.items() if spec.advances(b, way)])
            if passing == "blocked":
                return x.full & blocked
            waiting &= blocked
        if passing in ("never", "note5"):
            finished = self.test(("finished", b), lambda: spec.finished(b), x) if spec.params.partners else 0
            return waiting | finished & ~moving
        return x.full if passing == "always" else x.full & ~moving

    def keeps(self, c: str, z: int, path: tuple[int, ...], x: Columns) -> Bits:
        """Where this path is legal, if c's pyramid of size z is on top of its first square."""
        return self.test(("keeps", c, z, path), lambda: self._path_term(c, z, path), x)

    def _path_term(self, c: str, z: int, path: tuple[int, ...]) -> Bool:
        return every(self.spec.path_clauses(c, z, path).values())


def flags(x: Columns, n: int) -> Flags:
    """One of the positions."""
    return tuple(bool(bits >> n & 1) for bits in x.slots)
