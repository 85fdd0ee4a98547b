"""z3, used the way that measured fastest: ground Booleans, a solver built once, assumptions and push/pop.

Budgets are resource limits (deterministic), not seconds. An answer is YES, NO or UNKNOWN; UNKNOWN is never
turned into one of the others.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import Any

import z3

Bool = Any  # z3 ships no types; a Boolean term
DEFAULT_BUDGET = 50_000_000
FALSE, TRUE = z3.BoolVal(False), z3.BoolVal(True)
_numbers = itertools.count()  # one for all askers: the facts of two may be put together


class Answer(Enum):
    YES = "sat"
    NO = "unsat"
    UNKNOWN = "unknown"


def every(terms: Iterable[Bool]) -> Bool:
    """All of the terms. The two constants are always these very objects, so that they can be left out here."""
    kept = [t for t in terms if t is not TRUE]
    if any(t is FALSE for t in kept):
        return FALSE
    return TRUE if not kept else kept[0] if len(kept) == 1 else _joined(z3.Z3_mk_and, kept)


def some(terms: Iterable[Bool]) -> Bool:
    """At least one of the terms."""
    kept = [t for t in terms if t is not FALSE]
    if any(t is TRUE for t in kept):
        return TRUE
    return FALSE if not kept else kept[0] if len(kept) == 1 else _joined(z3.Z3_mk_or, kept)


def no(term: Bool) -> Bool:
    if term is TRUE or term is FALSE:
        return FALSE if term is TRUE else TRUE
    return z3.BoolRef(z3.Z3_mk_not(term.ctx_ref(), term.as_ast()), term.ctx)


def _joined(make: Callable[..., Any], terms: list[Bool]) -> Bool:
    """`z3.And` and `z3.Or` without their checks of every term: twenty times faster for many terms."""
    first = terms[0]
    return z3.BoolRef(make(first.ctx_ref(), len(terms), (z3.Ast * len(terms))(*[t.ast for t in terms])), first.ctx)


def unlike(one: Bool, other: Bool) -> Bool:
    """Exactly one of the two."""
    if one is TRUE or one is FALSE:
        one, other = other, one
    if other is TRUE or other is FALSE:
        return no(one) if other is TRUE else one
    return z3.BoolRef(z3.Z3_mk_xor(one.ctx_ref(), one.ast, other.ast), one.ctx)


def either(condition: Bool, yes: Bool, no: Bool) -> Bool:
    """`z3.If` on Booleans."""
    return z3.If(condition, yes, no)


def at_most(terms: Sequence[Bool], count: int) -> Bool:
    return z3.PbLe([(t, 1) for t in terms], count) if len(terms) > count else z3.BoolVal(True)


def exactly(terms: Sequence[Bool], count: int) -> Bool:
    if len(terms) < count:
        return z3.BoolVal(False)
    return z3.PbEq([(t, 1) for t in terms], count) if terms else z3.BoolVal(True)


class Asker:
    """A solver that takes facts once and answers many questions; `asked` counts the questions."""

    def __init__(self, budget: int = DEFAULT_BUDGET, logic: str | None = None) -> None:
        self.solver = z3.SolverFor(logic) if logic else z3.SimpleSolver()
        self.solver.set("random_seed", 7)
        self.solver.set("rlimit", budget)
        self.asked = 0
        self.named: list[tuple[Bool, Bool]] = []  # what `name` has made, in order
        self.facts: list[Bool] = []  # all that hold now, in order
        self._supposed: list[int] = []  # where the facts of each open supposition begin
        self._model: Any = None
        self._has_model = False  # z3 has a solution not yet read

    @property
    def settled(self) -> int:
        """The number of facts that stay: those before the first open supposition."""
        return self._supposed[0] if self._supposed else len(self.facts)

    def add(self, *facts: Bool) -> None:
        self._read_model()
        for fact in facts:
            term = z3.BoolVal(fact) if isinstance(fact, bool) else fact
            z3.Z3_solver_assert(self.solver.ctx.ref(), self.solver.solver, term.as_ast())
            self.facts.append(term)

    def name(self, formula: Bool, prefix: str = "d") -> Bool:
        """A fresh Boolean that is equivalent to the formula, so that it can be assumed."""
        literal = z3.Bool(f"{prefix}!{next(_numbers)}")
        self.add(z3.BoolRef(z3.Z3_mk_eq(literal.ctx_ref(), literal.as_ast(), formula.as_ast()), literal.ctx))
        self.named.append((literal, formula))
        return literal

    def ask(self, *assumptions: Bool) -> Answer:
        """Is there a solution under these assumptions (literals)?"""
        self.asked += 1
        answer = self._checked(assumptions)
        self._model, self._has_model = None, answer is Answer.YES
        if answer is Answer.NO:
            for listener in _listeners:
                listener(self, assumptions)
        return answer

    def _checked(self, assumptions: Sequence[Bool]) -> Answer:
        """`Solver.check` without its checks of every assumption, which can take longer than the answer."""
        terms = (z3.Ast * len(assumptions))(*[term.as_ast() for term in assumptions])
        result = z3.Z3_solver_check_assumptions(self.solver.ctx.ref(), self.solver.solver, len(assumptions), terms)
        return Answer(str(z3.CheckSatResult(result)))

    @property
    def model(self) -> Any:
        """The solution of the last question if it was answered YES, else None."""
        self._read_model()
        return self._model

    @model.setter
    def model(self, model: Any) -> None:
        self._model, self._has_model = model, False

    def _read_model(self) -> None:
        """Reading a solution can take z3 as long as answering, so it waits until somebody wants it, or until z3 would
        lose it."""
        if self._has_model:
            self.model = self.solver.model()

    def true_in_model(self, literals: Iterable[Bool]) -> list[Bool]:
        """Those of the literals that hold in the solution just found."""
        return [x for x in literals if self.holds(x)]

    def holds(self, term: Bool) -> bool:
        """Is the term true in the solution just found? Atoms that it leaves open count as false."""
        return bool(z3.is_true(self.model.eval(term, model_completion=True)))

    def smallest_core(self, assumptions: Sequence[Bool]) -> list[Bool]:
        """Assumptions that together have no solution, and none of which can be dropped (tried one by one)."""
        kept = list(assumptions)
        for assumption in assumptions:
            without = [x for x in kept if not x.eq(assumption)]
            if self.ask(*without) is Answer.NO:
                kept = without
        return kept

    def least(self, counted: Sequence[Bool], ordered: Sequence[Bool], *assumptions: Bool) -> Answer:
        """Like `ask`, but YES leaves the least solution in `model`, whatever the solver would choose.

        As few of `counted` hold as possible; then each of `ordered`, from the first, holds if it can: the literals
        "A1 on a1, A2 on a1, ..., A1 on a2, ..." give the position whose line of text sorts first. What `ordered` does
        not settle remains the solver's choice, so it must name everything the caller reads. UNKNOWN to any
        question is UNKNOWN.
        """
        with self.supposing(*assumptions):
            answer = self._fewest(counted)
            return self._first(ordered) if answer is Answer.YES else answer

    def _fewest(self, counted: Sequence[Bool]) -> Answer:
        """Ask for fewer until there is no such solution; the limit reached stays asserted."""
        answer, best = self.ask(), None
        while answer is Answer.YES:
            best, count = self.model, len(self.true_in_model(counted))
            if not count:
                break
            with self.supposing(at_most(counted, count - 1)):
                answer = self.ask()
        if best is not None and answer is not Answer.UNKNOWN:
            self.add(at_most(counted, count))
            self.model, answer = best, Answer.YES
        return answer

    def _first(self, ordered: Sequence[Bool]) -> Answer:
        """Settle the literals in order, each true if possible; those true in the last solution need no question."""
        for literal in ordered:
            if not self.holds(literal):
                before = self.model
                answer = self.ask(literal)
                if answer is Answer.UNKNOWN:
                    return answer
                if answer is Answer.NO:
                    self.model = before
                    continue
            self.add(literal)
        return Answer.YES

    @contextmanager
    def supposing(self, *facts: Bool) -> Iterator[None]:
        self._read_model()
        self.solver.push()
        self._supposed.append(len(self.facts))
        try:
            self.add(*facts)
            yield
        finally:
            self._read_model()
            self.solver.pop()
            del self.facts[self._supposed.pop() :]


Listener = Callable[[Asker, Sequence[Bool]], None]
_listeners: list[Listener] = []


@contextmanager
def hearing_no(listener: Listener) -> Iterator[None]:
    """Pass every question that any asker answers with NO to this listener."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
