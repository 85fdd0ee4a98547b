"""Icehouse: numbers that are not known, so that the engine's arithmetic can be run on all of them at once.

An unknown is a sum of variables with factors, and a constant. The engine adds, scales and compares unknowns as it does
fractions; a comparison that is not settled by what was decided before is a question with two answers, and the engine
is run again for the other one. z3 gets these decisions as the facts of a case.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import z3

from rulecheck.cases import Observer, Question, cases
from solvers.simplest import simplest
from solvers.smt import Answer, Asker, Bool

Known = int | Fraction
Form = tuple[tuple[tuple[str, Fraction], ...], Fraction]  # variables with their factors, and a constant


@dataclass
class Ground:
    """What z3 knows of the variables, for all runs together; a comparison is a literal, made once."""

    given: Iterable[Bool] = ()
    asker: Asker = field(default_factory=Asker)
    atoms: dict[tuple[Form, str], Bool] = field(default_factory=dict)
    possible: dict[tuple[int, ...], list[bool]] = field(default_factory=dict)  # answers, by the choices before them

    def __post_init__(self) -> None:
        self.asker.add(*self.given)
        self.variables: dict[str, Any] = {}
        self.others: dict[str, Bool] = {}

    def atom(self, form: Form, sign: str) -> Bool:
        if (form, sign) not in self.atoms:
            value = self.term(dict(form[0]), form[1])
            self.atoms[form, sign] = self.asker.name({"<": value < 0, ">": value > 0, "=": value == 0}[sign])
        return self.atoms[form, sign]

    def named(self, term: Bool) -> Bool:
        """A literal for any comparison."""
        key = term.sexpr()
        if key not in self.others:
            self.others[key] = self.asker.name(term)
        return self.others[key]

    def term(self, parts: Mapping[str, Fraction], constant: Known) -> Any:
        return z3.Sum([z3.RealVal(str(f)) * self.variables[v] for v, f in parts.items()]) + z3.RealVal(str(constant))

    def model(self, facts: Iterable[Bool], term: Bool) -> Any:
        """A solution of the term under these literals, or None if there is none."""
        with self.asker.supposing(term):
            answer = self.asker.ask(*facts)
            if answer is Answer.UNKNOWN:
                raise TimeoutError("z3 gave no answer within its budget")
            return self.asker.model

    def simplest(self, facts: Iterable[Bool], term: Bool, variables: Sequence[Any]) -> list[Fraction]:
        """The values of these variables in the simplest of all such solutions."""
        with self.asker.supposing(term, *facts):
            return simplest(self.asker, variables)


class Decisions:
    """What has been decided in one run."""

    def __init__(self, observer: Observer, ground: Ground) -> None:
        self.observer, self.ground = observer, ground
        self.facts: list[Bool] = []
        self.known: dict[Hashable, bool] = {}

    def unknown(self, variable: Any) -> Unknown:
        """A variable of z3 as a number that the engine can use."""
        name = str(variable)
        self.ground.variables[name] = z3.ToReal(variable) if variable.is_int() else variable
        return Unknown(self, {name: Fraction(1)})

    def decide(self, form: Form, sign: str) -> bool:
        return self._decided((form, sign), lambda: self.ground.atom(form, sign))

    def decide_term(self, term: Bool) -> bool:
        return self._decided(term.sexpr(), lambda: self.ground.named(term))

    def _decided(self, key: Hashable, make: Callable[[], Bool]) -> bool:
        if key not in self.known:
            literal = make()
            choices = tuple(taken for taken, _ in self.observer.choices)
            if choices not in self.ground.possible:
                self.ground.possible[choices] = [v for v in (True, False) if self._may_be(literal, v)]
            self.known[key] = self.observer.ask(("decided", key), self.ground.possible[choices])
            self.facts.append(literal if self.known[key] else z3.Not(literal))
        return self.known[key]

    def _may_be(self, literal: Bool, value: bool) -> bool:
        return self.ground.asker.ask(*self.facts, literal if value else z3.Not(literal)) is not Answer.NO


class Unknown:
    """A linear form over variables; whatever comes out constant is a plain fraction again."""

    def __init__(self, decisions: Decisions, parts: Mapping[str, Fraction], constant: Known = 0) -> None:
        self.decisions, self.parts, self.constant = decisions, parts, constant

    @property
    def term(self) -> Any:
        return self.decisions.ground.term(self.parts, self.constant)

    def _plus(self, other: Known | Unknown, factor: int) -> Known | Unknown:
        if isinstance(other, int | Fraction):
            return Unknown(self.decisions, self.parts, self.constant + factor * other)
        parts = dict(self.parts)
        for variable, f in other.parts.items():
            parts[variable] = parts.get(variable, Fraction(0)) + factor * f
        parts = {variable: f for variable, f in parts.items() if f}
        constant = self.constant + factor * other.constant
        return Unknown(self.decisions, parts, constant) if parts else Fraction(constant)

    def __add__(self, other: Known | Unknown) -> Known | Unknown:
        return self._plus(other, 1)

    def __sub__(self, other: Known | Unknown) -> Known | Unknown:
        return self._plus(other, -1)

    __radd__ = __add__

    def __rsub__(self, other: Known) -> Known | Unknown:
        return (-self) + other

    def __neg__(self) -> Unknown:
        return Unknown(self.decisions, {v: -f for v, f in self.parts.items()}, -self.constant)

    def __mul__(self, other: Known | Unknown) -> Any:
        if isinstance(other, Unknown):
            return Product(self, other)
        if other == 0:
            return Fraction(0)
        return Unknown(self.decisions, {v: f * other for v, f in self.parts.items()}, self.constant * other)

    __rmul__ = __mul__

    def __pow__(self, power: int) -> Product:
        if power != 2:
            raise TypeError("unknowns are squared, or not raised at all")
        return Product(self, self)

    def __truediv__(self, other: Known) -> Any:
        return self * (Fraction(1) / other)

    def sign(self, wanted: str) -> bool:
        """Is this number below, above or equal to zero? The form that is asked about leads with a factor of 1."""
        parts = sorted(self.parts.items())
        factor = parts[0][1]
        form = (tuple((v, f / factor) for v, f in parts), Fraction(self.constant) / factor)
        return self.decisions.decide(form, wanted if factor > 0 else {"<": ">", ">": "<", "=": "="}[wanted])

    def _compared(self, other: Known | Unknown, wanted: str) -> bool:
        left = self - other
        if isinstance(left, Unknown):
            return left.sign(wanted)
        return {"<": left < 0, ">": left > 0, "=": left == 0}[wanted]

    def __lt__(self, other: Known | Unknown) -> bool:
        return self._compared(other, "<")

    def __le__(self, other: Known | Unknown) -> bool:
        return not self._compared(other, ">")

    def __gt__(self, other: Known | Unknown) -> bool:
        return self._compared(other, ">")

    def __ge__(self, other: Known | Unknown) -> bool:
        return not self._compared(other, "<")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, int | Fraction | Unknown):
            return NotImplemented
        return self is other or self._compared(other, "=")

    __hash__ = object.__hash__  # only the very same unknown is remembered as the same

    def __repr__(self) -> str:
        return "?"


class Quadratic:
    """A sum of products of unknowns: it is only added to and compared."""

    def __init__(self, decisions: Decisions, term: Any) -> None:
        self.decisions, self.term = decisions, term

    def __add__(self, other: Any) -> Quadratic:
        return Quadratic(self.decisions, self.term + _term(other))

    __radd__ = __add__

    def __lt__(self, other: Any) -> bool:
        return self.decisions.decide_term(self.term < _term(other))

    def __gt__(self, other: Any) -> bool:
        return self.decisions.decide_term(self.term > _term(other))

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __eq__(self, other: object) -> bool:
        return self.decisions.decide_term(self.term == _term(other))

    __hash__ = object.__hash__


def _term(value: Any) -> Any:
    return z3.RealVal(str(value)) if isinstance(value, int | Fraction) else value.term


class Product(Quadratic):
    """Of two unknowns; its sign is a question about the two, and stays linear."""

    def __init__(self, one: Unknown, other: Unknown) -> None:
        super().__init__(one.decisions, one.term * other.term)
        self.one, self.other = one, other

    def __lt__(self, bound: Any) -> bool:
        if not (isinstance(bound, int | Fraction) and bound == 0):
            return super().__lt__(bound)
        if self.one < 0:
            return self.other > 0
        return self.one > 0 and self.other < 0


@dataclass(frozen=True)
class Run:
    """One case: what was asked and answered, what was decided about numbers, and what the engine made of it."""

    seen: tuple[tuple[Question, Any], ...]
    facts: list[Bool]
    outcome: Any


def runs(ground: Ground, run: Callable[[Observer, Decisions], Any]) -> Iterator[Run]:
    """Run once for every way that questions and comparisons can turn out."""
    last: list[Decisions] = []

    def once(observer: Observer) -> Any:
        last[:] = [Decisions(observer, ground)]
        return run(observer, last[0])

    for case in cases(once):
        asked = tuple((question, answer) for question, answer in case.seen if question[0] != "decided")
        yield Run(asked, last[0].facts, case.outcome)
