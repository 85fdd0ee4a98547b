"""Ice Palace: phases and turns as constraints over the frame of a position, before an act and after it.

The frame is what says whose turn it is: who is to move and who has the marker (seats 0, 1, 2 ... in clockwise order),
the passes in a row, whether a worksite stands, whether something is left to build with. z3 is told what each clause
says of the two frames, and asked which clauses an act breaks and which frame comes after it; nothing here computes
that frame. Three facts come from elsewhere: `usable`, after the act some of what is left can be built with
(`spec_builds`); `enough` and `full`, the bag completes all hands and nothing more can be drawn (`spec_bag`).

Glossary: x the frame before the act, y the frame after it.
"""

from __future__ import annotations

import functools
from enum import IntEnum
from typing import Any, NamedTuple

import z3

from rulecheck.model import Readings
from solvers.smt import Answer, Asker, Bool

NO_SEAT = -1


class Act(IntEnum):
    PLACE = 0  # a pyramid on the worksite
    PASS = 1
    STEP = 2  # a pyramid in the palace
    DONE = 3  # building ends early
    DRAW = 4  # chance has given the marker to somebody, or a pyramid to a hand


class Frame(NamedTuple):
    """Values, or z3 terms that stand for them."""

    mover: Any
    marker: Any
    passes: Any
    begun: Any  # a worksite stands
    left: Any  # something is left to build with


class Facts(NamedTuple):
    usable: Any
    enough: Any
    full: Any


def _unknown(name: str) -> Frame:
    mover, marker, passes = z3.Ints(f"{name}.mover {name}.marker {name}.passes")
    return Frame(mover, marker, passes, *z3.Bools(f"{name}.begun {name}.left"))


class Turns:
    def __init__(self, players: int, readings: Readings) -> None:
        self.players, self.readings = players, readings
        self.x, self.y, self.act = _unknown("x"), _unknown("y"), z3.Int("act")
        self.facts = Facts(*z3.Bools("usable enough full"))
        self.asker = Asker()
        self.asker.add(*self.seats(), *(term for _, term in self.effects()))
        self.after = functools.lru_cache(maxsize=100_000)(self._after)
        self.broken = functools.lru_cache(maxsize=100_000)(self._broken)
        self.asks_for_material = functools.lru_cache(maxsize=10_000)(self._asks_for_material)
        self.arises = functools.lru_cache(maxsize=10_000)(self._arises)

    # -- Words --------------------------------------------------------------------------------------------------

    def is_act(self, *acts: Act) -> Bool:
        return z3.Or([self.act == int(act) for act in acts])

    def further(self, one: Any, steps: Any, other: Any) -> Bool:
        """IP-13: the other sits so many places clockwise from the one, at most once round the table."""
        return z3.Or(one + steps == other, one + steps == other + self.players)

    @property
    def idle(self) -> Bool:
        """No worksite stands and nothing is left to build with."""
        return z3.Not(z3.Or(self.x.begun, self.x.left))

    @property
    def drawing(self) -> Bool:
        """IP-37: hands are being completed, and nobody is to move before they are."""
        return z3.And(self.x.marker != NO_SEAT, self.idle, self.facts.enough, self.x.mover == NO_SEAT)

    @property
    def over(self) -> Bool:
        """IP-39: the bag cannot complete the hands."""
        return z3.And(self.x.marker != NO_SEAT, self.idle, z3.Not(self.facts.enough))

    @property
    def playing(self) -> Bool:
        """Somebody is to move."""
        return z3.Not(z3.Or(self.x.marker == NO_SEAT, self.drawing, self.over))

    @property
    def last_pass(self) -> Bool:
        """IP-26, reading round_end: everybody has passed, or everybody but the last to place, if anybody has placed."""
        spared = self.readings["round_end"] == "others_pass"
        needed = z3.If(z3.And(self.x.begun, spared), self.players - 1, self.players)
        return z3.And(self.is_act(Act.PASS), self.x.passes + 1 >= needed)

    @property
    def builds_on(self) -> Bool:
        """IP-29, IP-33, IP-35: a round with a worksite has ended or a step was made, and more can be used."""
        return z3.And(z3.Or(z3.And(self.last_pass, self.x.begun), self.is_act(Act.STEP)), self.facts.usable)

    @property
    def round_over(self) -> Bool:
        """Nothing is built, or nothing more."""
        ended = z3.Or(self.last_pass, self.is_act(Act.STEP, Act.DONE))
        return z3.And(ended, z3.Not(self.builds_on))

    # -- What each clause asks of an act ------------------------------------------------------------------------

    @functools.cached_property
    def asked(self) -> dict[str, Bool]:
        on_site, in_palace = self.is_act(Act.PLACE, Act.PASS), self.is_act(Act.STEP, Act.DONE)
        opens = z3.And(self.idle, self.is_act(Act.PASS))
        may_pass, may_stop = self.readings["opening"] == "may_pass", self.readings["max_number"] == "agreed"
        return {
            "IP-08": self.x.marker != NO_SEAT,
            "IP-12": z3.Not(z3.And(self.playing, opens, not may_pass)),
            "IP-26": z3.Not(z3.And(self.playing, z3.Not(self.x.left), in_palace)),
            "IP-29": z3.Not(z3.And(self.playing, self.x.left, on_site)),
            "IP-34": z3.Not(z3.And(self.playing, self.x.left, self.is_act(Act.DONE), not may_stop)),
            "IP-37": z3.Not(self.drawing),
            "IP-39": z3.Not(self.over),
        }

    # -- What comes after it ------------------------------------------------------------------------------------

    def seats(self) -> list[Bool]:
        """The marker is with a player; the mover is one, or nobody."""
        x, y = self.x, self.y
        somebody = [z3.And(low <= seat, seat < self.players) for low, seat in ((NO_SEAT, y.mover), (0, y.marker))]
        return [*somebody, z3.Implies(y.mover == NO_SEAT, z3.Or(self.round_over, self.is_act(Act.DRAW))), x.passes >= 0]

    def effects(self) -> list[tuple[str, Bool]]:
        x, y = self.x, self.y
        place, step, draw = (self.is_act(act) for act in (Act.PLACE, Act.STEP, Act.DRAW))
        passed = z3.And(self.is_act(Act.PASS), z3.Not(self.last_pass))
        stays = z3.And(z3.Not(x.begun), self.is_act(Act.PASS), self.readings["empty_round"] == "same_opener")
        on = z3.And(self.round_over, z3.Not(stays))
        ready = z3.And(self.facts.enough, self.facts.full)
        return [
            ("IP-13", z3.Implies(z3.Or(place, passed), self.further(x.mover, 1, y.mover))),
            ("IP-26", y.passes == z3.If(passed, x.passes + 1, 0)),
            ("IP-27", z3.Implies(z3.And(self.last_pass, self.builds_on), self.further(y.mover, x.passes + 1, x.mover))),
            ("IP-28", y.begun == z3.Or(place, z3.And(passed, x.begun))),
            ("IP-29", z3.Implies(z3.And(step, self.builds_on), y.mover == x.mover)),
            ("IP-35", y.left == self.builds_on),
            ("IP-37", z3.Implies(z3.Or(self.round_over, draw), y.mover == z3.If(ready, y.marker, NO_SEAT))),
            ("IP-38", z3.If(on, self.further(x.marker, 1, y.marker), y.marker == x.marker)),
        ]

    # -- Asking -------------------------------------------------------------------------------------------------

    def given(self, x: Frame, act: Act, facts: Facts) -> list[Bool]:
        pairs = zip((*self.x, self.act, *self.facts), (*x, int(act), *facts), strict=True)
        return [term == value for term, value in pairs]

    def _after(self, x: Frame, act: Act, facts: Facts) -> Frame:
        with self.asker.supposing(*self.given(x, act, facts)):
            if self.asker.ask() is not Answer.YES:
                raise ValueError(f"nothing can come of {act.name} in {x}")
            values = [self.asker.model.eval(term, model_completion=True) for term in self.y]
        mover, marker, passes = (value.as_long() for value in values[:3])
        return Frame(mover, marker, passes, *map(z3.is_true, values[3:]))

    def _broken(self, x: Frame, act: Act, facts: Facts) -> frozenset[str]:
        """The clauses that the act does not keep."""
        return frozenset(clause for clause, term in self.asked.items() if not self._holds(term, x, act, facts))

    def _asks_for_material(self, x: Frame, act: Act) -> bool:
        """Does it matter whether anything can be built with?"""
        return self._holds(self.builds_on, x, act, Facts(usable=True, enough=False, full=False))

    def _arises(self, x: Frame) -> bool:
        """IP-12, IP-26: there was no last pass before, and whoever opens sits so many places after the marker."""
        before = z3.substitute(self.last_pass, (self.x.passes, self.x.passes - 1))
        opening = z3.Or(self.x.begun, self.further(self.x.marker, self.x.passes, self.x.mover))
        term = z3.And(z3.Or(self.x.passes == 0, z3.Not(before)), opening)
        return self._holds(term, x, Act.PASS, Facts(False, False, False))

    def _holds(self, term: Bool, x: Frame, act: Act, facts: Facts) -> bool:
        """Is a statement about x true?"""
        pairs = zip((*self.x, self.act, *self.facts), (*x, int(act), *facts), strict=True)
        known = [(term, z3.BoolVal(v) if isinstance(v, bool) else z3.IntVal(v)) for term, v in pairs]
        return bool(z3.is_true(z3.simplify(z3.substitute(term, *known))))
