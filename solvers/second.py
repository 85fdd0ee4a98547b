"""A second opinion on every NO of z3.

Every question that z3 answers with NO goes to a second solver that shares no code with it: CaDiCaL if the question is
purely Boolean, cvc5 if it involves numbers. The paths share as little as possible: the terms are z3's input before any
simplification; their clauses are made here, and cvc5 reads them as SMT-LIB text. The facts of an asker are translated
once, however many questions follow, and z3 is not affected.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import cvc5
import z3
from pysat.solvers import Cadical195

from solvers.smt import Answer, Asker, Bool

OPTIONS = {  # of cvc5; products of unknowns need cylindrical coverings, and its other limits do not bound those
    "incremental": "true",
    "global-declarations": "true",
    "nl-cov": "true",
    "tlimit-per": "20000",
}
PSEUDO_BOOLEAN = {z3.Z3_OP_PB_LE, z3.Z3_OP_PB_GE, z3.Z3_OP_PB_EQ, z3.Z3_OP_PB_AT_MOST, z3.Z3_OP_PB_AT_LEAST}


class NotBoolean(Exception):
    """The term contains numbers."""


@dataclass
class Opinions:
    """The second solvers' answers to the questions that z3 answered with NO."""

    agreed: dict[str, int] = field(default_factory=dict)  # by solver
    contradicted: int = 0
    unanswered: int = 0

    def as_json(self) -> dict[str, Any]:
        return {
            "asked": sum(self.agreed.values()) + self.contradicted + self.unanswered,
            "agreed": sum(self.agreed.values()),
            "by": dict(sorted(self.agreed.items())),
            "contradicted": self.contradicted,
            "unanswered": self.unanswered,
        }


def _parts(term: Any) -> list[Any]:
    return [term.arg(at) for at in range(term.num_args())]


def _from_the_leaves(whole: Any, known: Collection[int] = ()) -> Iterator[Any]:
    """The subterms not yet known, parts first; without recursion, as terms nest deeply."""
    done: set[int] = set()
    waiting = [(whole, False)]
    while waiting:
        term, is_due = waiting.pop()
        if term.get_id() in done or term.get_id() in known:
            continue
        if is_due:
            done.add(term.get_id())
            yield term
        else:
            waiting += [(term, True), *((part, False) for part in _parts(term))]


class Second:
    """Listens to the questions of all askers; `opinions` counts the second answers."""

    def __init__(self) -> None:
        self.opinions = Opinions()
        self._context = (
            z3.Context()
        )  # separate: z3's choices depend on the numbers of terms, which change if any are kept
        self._mirrors: WeakKeyDictionary[Asker, _Clauses | _Text] = WeakKeyDictionary()

    def ask_again(self, asker: Asker, assumptions: Sequence[Bool]) -> None:
        if asker not in self._mirrors:
            self._mirrors[asker] = _Clauses()
        mirror = self._mirrors[asker]
        try:
            answer = self._asked(mirror, asker, assumptions)
        except NotBoolean:
            mirror = self._mirrors[asker] = _Text()
            answer = self._asked(mirror, asker, assumptions)
        if answer is Answer.NO:
            self.opinions.agreed[mirror.name] = self.opinions.agreed.get(mirror.name, 0) + 1
        elif answer is Answer.YES:
            self.opinions.contradicted += 1
        else:
            self.opinions.unanswered += 1

    def _asked(self, mirror: _Clauses | _Text, asker: Asker, assumptions: Sequence[Bool]) -> Answer:
        new, passing = asker.facts[mirror.asserted : asker.settled], [*asker.facts[asker.settled :], *assumptions]
        answer = mirror.ask(*([term.translate(self._context) for term in terms] for terms in (new, passing)))
        mirror.asserted = asker.settled
        return answer


# -- Booleans: clauses for CaDiCaL --------------------------------------------------------------------------

TRUE = 1  # the literal that always holds


class _Clauses:
    """Each term has an equivalent literal; lasting facts are clauses, all others are assumed."""

    name = "CaDiCaL"

    def __init__(self) -> None:
        self._solver = Cadical195(bootstrap_with=[[TRUE]])
        self._last = TRUE
        self._literals: dict[int, int] = {}  # by the number of a term
        self._kept: list[Bool] = []  # z3 reuses the number of a forgotten term
        self.asserted = 0  # facts that are clauses

    def ask(self, new: Iterable[Bool], passing: Iterable[Bool]) -> Answer:
        for fact in new:
            self._add(self.literal(fact))
        return Answer.YES if self._solver.solve(assumptions=[self.literal(term) for term in passing]) else Answer.NO

    def _add(self, *clause: int) -> None:
        self._solver.add_clause(clause)

    def literal(self, term: Bool) -> int:
        for part in _from_the_leaves(term, self._literals):
            self._literals[part.get_id()] = self._made(part, [self._literals[p.get_id()] for p in _parts(part)])
        self._kept.append(term)
        return self._literals[term.get_id()]

    def _made(self, term: Bool, parts: list[int]) -> int:
        kind = term.decl().kind()
        if not z3.is_bool(term):
            raise NotBoolean
        if kind in PSEUDO_BOOLEAN:
            return self._weighed(kind, term.decl().params(), parts)
        match kind:
            case z3.Z3_OP_UNINTERPRETED if not parts:
                return self._fresh()
            case z3.Z3_OP_TRUE | z3.Z3_OP_FALSE:
                return TRUE if kind == z3.Z3_OP_TRUE else -TRUE
            case z3.Z3_OP_NOT:
                return -parts[0]
            case z3.Z3_OP_AND:
                return self._and(parts)
            case z3.Z3_OP_OR:
                return -self._and([-part for part in parts])
            case z3.Z3_OP_IMPLIES:
                return -self._and([parts[0], -parts[1]])
            case z3.Z3_OP_ITE:
                return self._either(*parts)
            case z3.Z3_OP_EQ if len(parts) == 2:
                return self._either(parts[0], parts[1], -parts[1])
            case z3.Z3_OP_XOR | z3.Z3_OP_DISTINCT if len(parts) == 2:
                return self._either(parts[0], -parts[1], parts[1])
        raise NotBoolean

    def _fresh(self) -> int:
        self._last += 1
        return self._last

    def _and(self, parts: list[int]) -> int:
        whole = self._fresh()
        self._add(whole, *(-part for part in parts))
        for part in parts:
            self._add(-whole, part)
        return whole

    def _either(self, condition: int, yes: int, no: int) -> int:
        whole = self._fresh()
        for part, sign in ((yes, -condition), (no, condition)):
            self._add(sign, -part, whole)
            self._add(sign, part, -whole)
        return whole

    def _weighed(self, kind: int, params: list[Any], parts: list[int]) -> int:
        bound, weights = _bound_and_weights(kind, params, len(parts))
        reached: dict[tuple[int, int], int] = {}

        def at_least(first: int, wanted: int) -> int:
            """Do the parts from this one on weigh at least `wanted`?"""
            if wanted <= 0:
                return TRUE
            if wanted > sum(weights[first:]):
                return -TRUE
            if (first, wanted) not in reached:
                more, same = at_least(first + 1, wanted - weights[first]), at_least(first + 1, wanted)
                reached[first, wanted] = self._either(parts[first], more, same)
            return reached[first, wanted]

        if kind in (z3.Z3_OP_PB_LE, z3.Z3_OP_PB_AT_MOST):
            return -at_least(0, bound + 1)
        if kind in (z3.Z3_OP_PB_GE, z3.Z3_OP_PB_AT_LEAST):
            return at_least(0, bound)
        return self._and([at_least(0, bound), -at_least(0, bound + 1)])


def _bound_and_weights(kind: int, params: list[Any], count: int) -> tuple[int, list[int]]:
    bound, *weights = map(int, params)
    if kind in (z3.Z3_OP_PB_AT_MOST, z3.Z3_OP_PB_AT_LEAST):
        weights = [1] * count
    if min(weights, default=1) < 0:
        raise ValueError("weights below zero are not translated")
    return bound, weights


# -- Numbers: text for cvc5 ---------------------------------------------------------------------------------


class _Text:
    """Each term defines a symbol; lasting facts are asserted once, all others inside a push."""

    name = "cvc5"

    def __init__(self) -> None:
        self._solver = cvc5.Solver()
        for option, value in OPTIONS.items():
            self._solver.setOption(option, value)
        self._solver.setLogic("ALL")
        self._parser = cvc5.InputParser(self._solver)
        self._symbols: dict[int, str] = {}  # by the number of a term
        self._kept: list[Bool] = []
        self.asserted = 0

    def ask(self, new: Iterable[Bool], passing: Iterable[Bool]) -> Answer:
        self._assert(new)
        self._solver.push()
        self._assert(passing)
        answer = self._solver.checkSat()
        self._solver.pop()
        return Answer.NO if answer.isUnsat() else Answer.YES if answer.isSat() else Answer.UNKNOWN

    def _assert(self, facts: Iterable[Bool]) -> None:
        self._run("\n".join(command for fact in facts for command in self._commands(fact)))

    def _commands(self, fact: Bool) -> Iterator[str]:
        for term in _from_the_leaves(fact, self._symbols):
            symbol = self._symbols[term.get_id()] = f"t{len(self._symbols)}"
            sort = term.sort().sexpr()
            if term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                yield f"(declare-const {symbol} {sort})"
            else:
                yield f"(define-fun {symbol} () {sort} {self._body(term)})"
        self._kept.append(fact)
        yield f"(assert {self._symbols[fact.get_id()]})"

    def _body(self, term: Any) -> str:
        kind, parts = term.decl().kind(), [self._symbols[part.get_id()] for part in _parts(term)]
        if not parts:
            return str(term.sexpr())
        if kind in PSEUDO_BOOLEAN:
            return _summed(kind, term.decl().params(), parts)
        if len(parts) == 1 and kind in (z3.Z3_OP_ADD, z3.Z3_OP_MUL, z3.Z3_OP_AND, z3.Z3_OP_OR):
            return parts[0]
        name = "ite" if kind == z3.Z3_OP_ITE else term.decl().name()  # all others go by their SMT-LIB names
        return f"({name} {' '.join(parts)})"

    def _run(self, text: str) -> None:
        self._parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, self.name)
        while not (command := self._parser.nextCommand()).isNull():
            command.invoke(self._solver, self._parser.getSymbolManager())


def _summed(kind: int, params: list[Any], parts: list[str]) -> str:
    """SMT-LIB has no weighted sums of Booleans."""
    bound, weights = _bound_and_weights(kind, params, len(parts))
    total = " ".join(f"(ite {part} {weight} 0)" for part, weight in zip(parts, weights, strict=True))
    if kind in (z3.Z3_OP_PB_LE, z3.Z3_OP_PB_AT_MOST):
        return f"(<= (+ 0 {total}) {bound})"
    return f"({'>=' if kind in (z3.Z3_OP_PB_GE, z3.Z3_OP_PB_AT_LEAST) else '='} (+ 0 {total}) {bound})"
