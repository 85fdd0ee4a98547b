"""Nest race: the constraints looked up for one position, and what was looked up kept.

Terms become functions of a position's flags, made once; squares that jumps reach are the least set that holds all first
touchdowns and is closed under going on.

Glossary: as in the spec; `flags` a position, a truth value for each slot of the scene.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple

from rulecheck.games.nestrace import Params
from rulecheck.model import Readings
from solvers.smt import Bool
from specs.nestrace.spec_moves import Hops, Way
from specs.nestrace.spec_pat import Pat
from specs.nestrace.spec_scene import Flags, Value, Values, View


class Choice(NamedTuple):
    """All base moves; those NR-30 forbids; those that meet the duty in force (None: there is none); what is left."""

    base: frozenset[Way]
    forbidden: frozenset[Way]
    owed: frozenset[Way] | None
    legal: frozenset[Way]
    may_pass: bool


class Alone(Pat):
    def __init__(self, params: Params, readings: Readings) -> None:
        super().__init__(params, readings)
        self.values = Values(self.scene)
        self._kept: dict[Hashable, Value] = {}
        self._tops: dict[str, list[tuple[tuple[int, int], Value]]] = {}
        self._hops: dict[tuple[str, int, int], Hops] = {}
        self.in_pat = functools.lru_cache(maxsize=100_000)(self._in_pat)
        self.choice = functools.lru_cache(maxsize=1_000)(self._choice)

    def test(self, key: Hashable, term: Callable[[], Bool]) -> Value:
        """A term as a function of one position, made once."""
        if key not in self._kept:
            self._kept[key] = self.values.compiled(term())
        return self._kept[key]

    # -- Base moves --------------------------------------------------------------------------------------------

    def hops(self, c: str, z: int, o: int) -> Hops:
        key = (c, z, o)
        if key not in self._hops:
            self._hops[key] = self.hop_terms(c, z, o).compiled(self.values.compiled)
        return self._hops[key]

    def touched(self, hops: Hops, o: int, flags: Flags, backward: bool) -> set[int]:
        """The least set that holds the touchdowns of all first jumps and is closed under going on."""
        reached: set[int] = set()
        new = {o}
        while new:
            ends = [(t, ok) for s in new for t, ok, back in hops.jumps[s] if backward or not back]
            new = {t for t, ok in ends if t not in reached and ok(flags)}
            reached |= new
            new = {t for t in new if hops.goes_on[t](flags)}
        return reached

    def ends(self, c: str, way_from: tuple[int, int], flags: Flags) -> set[int]:
        """Where the base moves of c's pyramid of size z on o can end."""
        o, z = way_from
        hops = self.hops(c, z, o)
        reached = self.touched(hops, o, flags, backward=False)
        if self.readings["back_jump"] == "net_forward":
            reached |= {t for t in self.touched(hops, o, flags, backward=True) if self.row(c, t) > self.row(c, o)}
        return {t for t in reached if hops.stops[t](flags)} | {t for t, ok in hops.steps if ok(flags)}

    def tops(self, c: str, flags: Flags) -> list[tuple[int, int]]:
        if c not in self._tops:
            slots = [(o, z) for o, z, colour in self.scene.at if colour == c]
            self._tops[c] = [(slot, self.values.compiled(View(self.scene).top(*slot, [c]))) for slot in slots]
        return [slot for slot, test in self._tops[c] if test(flags)]

    def base_moves(self, c: str, flags: Flags) -> dict[tuple[int, int], set[int]]:
        return {top: self.ends(c, top, flags) for top in self.tops(c, flags)}

    def following(self, c: str, way: Way, flags: Flags) -> Flags:
        left, taken = self.effect(c, way)
        after = list(flags)
        after[self.scene.number[left]] = False
        after[self.scene.number[taken]] = True
        return tuple(after)

    def never_advances(self, c: str, flags: Flags) -> bool:
        """Reading horizon=ever: the arrangements c alone can make of this one hold no advancing base move."""
        reached, new = {flags}, [flags]
        while new:
            now = new.pop()
            ways = [(o, z, t) for (o, z), ends in self.base_moves(c, now).items() for t in ends]
            if any(self.advances(c, way) for way in ways):
                return False
            fresh = {self.following(c, way, now) for way in ways} - reached
            reached |= fresh
            new += fresh
        return True

    # -- The pat rule, kept ------------------------------------------------------------------------------------

    def _in_pat(self, c: str, flags: Flags) -> bool:
        return bool(self.where_in_pat(c, One(self, flags), True))

    def victims(self, b: str, flags: Flags) -> list[str]:
        return [v for v, owed in self.owed_to(b, One(self, flags)).items() if owed]

    def freeing(self, b: str, ways: Iterable[Way], how: str, flags: Flags) -> frozenset[Way]:
        x = One(self, flags)
        victims = self.owed_to(b, x)
        return frozenset(way for way in ways if self.frees(way, how, victims, x))

    def _choice(self, b: str, flags: Flags) -> Choice:
        allowed = self.allowed(b, One(self, flags))
        base, forbidden, owed, legal = (
            frozenset(way for way, there in ways.items() if there)
            for ways in (allowed.base, allowed.forbidden, allowed.owed, allowed.legal)
        )
        return Choice(base, forbidden, owed if allowed.due else None, legal, bool(allowed.may_pass))


class One:
    """One position: a value is True or False."""

    full = True

    def __init__(self, spec: Alone, flags: Flags) -> None:
        self.spec, self.flags = spec, flags

    def test(self, key: Hashable, term: Callable[[], Bool]) -> bool:
        return self.spec.test(key, term)(self.flags)

    def tops(self, c: str) -> list[tuple[int, int]]:
        return self.spec.tops(c, self.flags)

    def ends(self, c: str, way_from: tuple[int, int], among: int) -> dict[int, int]:
        return dict.fromkeys(self.spec.ends(c, way_from, self.flags), True) if among else {}

    def after(self, c: str, way: Way) -> One:
        return One(self.spec, self.spec.following(c, way, self.flags))

    def in_pat(self, c: str, among: int) -> bool:
        return bool(among) and self.spec.in_pat(c, self.flags)

    def never_advances(self, c: str, among: int) -> bool:
        return bool(among) and self.spec.never_advances(c, self.flags)
