"""Nest race: the constraints looked up for many positions at once.

The terms and the pat rule are those of the spec; only how base moves are found is said here again for all positions
together. A column is a number in which bit i belongs to position i; sets of positions are such numbers too.

Glossary: as in the spec; `among` the positions that are asked about, others come out as 0.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from solvers.smt import Bool, every
from specs.nestrace.spec import Spec
from specs.nestrace.spec_moves import Hops, Way
from specs.nestrace.spec_pat import union
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


def members(bits: Bits) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def column(numbers: Sequence[int], count: int) -> Bits:
    """The positions with these numbers."""
    bits = bytearray(count // 8 + 1)
    for n in numbers:
        bits[n >> 3] |= 1 << (n & 7)
    return int.from_bytes(bits, "little")


def transposed(codes: Sequence[int], slots: int) -> Columns:
    """Of at least one position, each given as the number whose bit n is slot n."""
    rows = [format(code, f"0{slots}b") for code in reversed(codes)]
    columns = tuple(int("".join(bits), 2) for bits in zip(*rows, strict=True))
    return Columns(columns[::-1], (1 << len(codes)) - 1)


def flags(x: Columns, n: int) -> Flags:
    """One of the positions."""
    return tuple(bool(bits >> n & 1) for bits in x.slots)


class Many:
    def __init__(self, spec: Spec) -> None:
        self.spec, self.values = spec, ManyValues(spec.scene)
        self.slots = {c: [(o, z) for o, z, colour in spec.scene.at if colour == c] for c in spec.params.letters}
        self._kept: dict[Hashable, Any] = {}
        self._hops: dict[tuple[str, int, int], Hops] = {}

    def test(self, key: Hashable, term: Callable[[], Bool], x: Columns) -> Bits:
        if key not in self._kept:
            self._kept[key] = self.values.compiled(term())
        bits: Bits = self._kept[key](*x)
        return bits

    # -- Base moves ------------------------------------------------------------------------------------------

    def hops(self, c: str, z: int, o: int) -> Hops:
        key = (c, z, o)
        if key not in self._hops:
            self._hops[key] = self.spec.hop_terms(c, z, o).compiled(self.values.compiled)
        return self._hops[key]

    def touched(self, hops: Hops, o: int, x: Columns, among: Bits, backward: bool) -> dict[int, Bits]:
        """In each position the least set that holds all first touchdowns and is closed under going on."""
        reached: dict[int, Bits] = {}
        new = {o: among}
        while new:
            fresh: dict[int, Bits] = {}
            for s, here in new.items():
                for t, ok, back in hops.jumps[s]:
                    if (backward or not back) and (bits := here & ok(*x) & ~reached.get(t, 0)):
                        fresh[t] = fresh.get(t, 0) | bits
            for t, bits in fresh.items():
                reached[t] = reached.get(t, 0) | bits
            going = {t: bits & hops.goes_on[t](*x) for t, bits in fresh.items()}
            new = {t: bits for t, bits in going.items() if bits}
        return reached

    def ends(self, c: str, way_from: tuple[int, int], x: Columns, among: Bits) -> dict[int, Bits]:
        """Where base moves of c's pyramid of size z on o can end, if it is a top."""
        o, z = way_from
        top = among and among & self.test(("top", c, o, z), lambda: View(self.spec.scene).top(o, z, [c]), x)
        if not top:
            return {}
        hops = self.hops(c, z, o)
        reached = self.touched(hops, o, x, top, backward=False)
        if self.spec.readings["back_jump"] == "net_forward":
            for t, bits in self.touched(hops, o, x, top, backward=True).items():
                if self.spec.row(c, t) > self.spec.row(c, o):
                    reached[t] = reached.get(t, 0) | bits
        reached = {t: bits & hops.stops[t](*x) for t, bits in reached.items()}
        for t, ok in hops.steps:
            reached[t] = reached.get(t, 0) | top & ok(*x)
        return {t: bits for t, bits in reached.items() if bits}

    def following(self, c: str, way: Way, x: Columns) -> Columns:
        left, taken = self.spec.effect(c, way)
        slots = list(x.slots)
        slots[self.spec.scene.number[left]] = 0
        slots[self.spec.scene.number[taken]] = x.full
        return Columns(tuple(slots), x.full)

    def keeps(self, c: str, z: int, path: tuple[int, ...], x: Columns) -> Bits:
        """Where this path is legal, if c's pyramid of size z is on top of its first square."""
        return self.test(("keeps", c, z, path), lambda: every(self.spec.path_clauses(c, z, path).values()), x)

    # -- The pat rule ----------------------------------------------------------------------------------------

    def base_moves(self, c: str, x: Columns) -> dict[Way, Bits]:
        return {(o, z, t): bits for o, z in self.slots[c] for t, bits in self.ends(c, (o, z), x, x.full).items()}

    def in_pat(self, c: str, x: Columns, among: Bits) -> Bits:
        return self.spec.where_in_pat(c, All(self, x), among)

    def blocks(self, b: str, v: str, x: Columns) -> Bits:
        return self.spec.blocking(b, v, All(self, x))

    def choices(self, b: str, x: Columns) -> Choices:
        there = All(self, x)
        pats = {c: there.in_pat(c, x.full) for c in self.spec.params.letters}
        base, forbidden, _, legal, owing, _, may_pass = self.spec.allowed(b, there)
        return Choices(pats, base, forbidden, legal, owing, may_pass)


class All:
    """Columns, and who has been seen to be in pat where."""

    def __init__(self, many: Many, x: Columns) -> None:
        self.many, self.x, self.full = many, x, x.full
        self._pats: dict[str, Bits] = {}

    def test(self, key: Hashable, term: Callable[[], Bool]) -> Bits:
        return self.many.test(key, term, self.x)

    def tops(self, c: str) -> list[tuple[int, int]]:
        return self.many.slots[c]

    def ends(self, c: str, way_from: tuple[int, int], among: Bits) -> dict[int, Bits]:
        return self.many.ends(c, way_from, self.x, among)

    def after(self, c: str, way: Way) -> All:
        return All(self.many, self.many.following(c, way, self.x))

    def in_pat(self, c: str, among: Bits) -> Bits:
        if c not in self._pats and among == self.full:
            self._pats[c] = self.many.spec.where_in_pat(c, self, among)
        return among & self._pats[c] if c in self._pats else self.many.spec.where_in_pat(c, self, among)

    def never_advances(self, c: str, among: Bits) -> Bits:
        return union(1 << n for n in members(among) if self.many.spec.never_advances(c, flags(self.x, n)))
