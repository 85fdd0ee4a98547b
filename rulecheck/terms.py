"""The fields of a position as terms that constraints are made of, and a base class for a game's constraints.

A term holds, for each value of its domain, a Boolean that says "it is this one". Comparing terms gives Booleans; with
`every`, `some` and `no` of `solvers.smt` they become the formulas of clauses. Over a concrete position the same
formulas evaluate to TRUE or FALSE without a solver.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from rulecheck.contract import M, Parameters
from rulecheck.fields import Field, Fields, State, Value
from rulecheck.model import Readings, Verdict
from solvers.smt import FALSE, TRUE, Answer, Asker, Bool, either, every, exactly, no, some

NOT_KEPT = "the constraint of this clause is false"


class Term:
    """A value that is not known, or is: for each value of the domain, a Boolean that it is this one."""

    __slots__ = ("cases",)
    __hash__ = None  # type: ignore[assignment]  # `==` makes a formula, so a term is no key

    def __init__(self, cases: Mapping[Value, Bool]) -> None:
        self.cases = dict(cases)

    @classmethod
    def of(cls, value: Value | Term) -> Term:
        return value if isinstance(value, Term) else cls({value: TRUE})

    def is_in(self, values: Iterable[Value]) -> Bool:
        return some(self.cases[v] for v in values if v in self.cases)

    def where(self, test: Callable[[Any], bool]) -> Bool:
        """Does the value pass the test?"""
        return some(b for v, b in self.cases.items() if test(v))

    def map(self, change: Callable[[Any], Value]) -> Term:
        """The changed value, as a term."""
        gathered: dict[Value, list[Bool]] = {}
        for value, is_it in self.cases.items():
            gathered.setdefault(change(value), []).append(is_it)
        return Term({value: some(parts) for value, parts in gathered.items()})

    def _pairs(self, other: Value | Term, test: Callable[[Any, Any], bool]) -> Bool:
        theirs = Term.of(other).cases.items()
        return some(every((a, b)) for v, a in self.cases.items() for w, b in theirs if test(v, w))

    def __eq__(self, other: object) -> Bool:  # a formula, as z3's own terms give
        if isinstance(other, Term):
            return self._pairs(other, lambda v, w: bool(v == w))
        return self.cases.get(other, FALSE) if isinstance(other, str | int) else FALSE

    def __ne__(self, other: object) -> Bool:
        return no(self == other)

    def __lt__(self, other: Value | Term) -> Bool:
        return self._pairs(other, lambda v, w: v < w)

    def __le__(self, other: Value | Term) -> Bool:
        return self._pairs(other, lambda v, w: v <= w)

    def __gt__(self, other: Value | Term) -> Bool:
        return no(self <= other)

    def __ge__(self, other: Value | Term) -> Bool:
        return no(self < other)

    def __add__(self, other: int | Term) -> Term:
        if isinstance(other, Term):
            return combined(self, other, lambda v, w: v + w)
        return self.map(lambda v: v + other)

    def __sub__(self, other: int | Term) -> Term:
        if isinstance(other, Term):
            return combined(self, other, lambda v, w: v - w)
        return self.map(lambda v: v - other)


def combined(first: Term, second: Term, make: Callable[[Any, Any], Value]) -> Term:
    """The value that `make` gives for two terms, as a term."""
    gathered: dict[Value, list[Bool]] = {}
    for v, a in first.cases.items():
        for w, b in second.cases.items():
            gathered.setdefault(make(v, w), []).append(every((a, b)))
    return Term({value: some(parts) for value, parts in gathered.items()})


def choose(condition: Bool, yes: Value | Term, otherwise: Value | Term) -> Term:
    """The one value if the condition holds, else the other."""
    if condition is TRUE or condition is FALSE:
        return Term.of(yes if condition is TRUE else otherwise)
    a, b = Term.of(yes).cases, Term.of(otherwise).cases
    return Term({v: either(condition, a.get(v, FALSE), b.get(v, FALSE)) for v in dict.fromkeys((*a, *b))})


class Terms:
    """A position as terms: `x["a1"]` is what a field holds."""

    def __init__(self, fields: Fields, terms: Mapping[str, Term]) -> None:
        self.fields, self.terms = fields, dict(terms)

    def __getitem__(self, name: str) -> Term:
        return self.terms[name]

    def replace(self, changes: Mapping[str, Value | Term]) -> Terms:
        changed = {name: Term.of(value) for name, value in changes.items()}
        unknown = changed.keys() - self.terms.keys()
        if unknown:
            raise KeyError(f"no field is called {sorted(unknown)[0]!r}")
        return Terms(self.fields, self.terms | changed)


def unknown_value(asker: Asker, field: Field, name: str = "x") -> Term:
    """Any value of a field's domain."""
    import z3

    cases = {value: z3.Bool(f"{name}.{field.name}={value}") for value in field.domain}
    asker.add(exactly(list(cases.values()), 1))
    return Term(cases)


def unknown_position(asker: Asker, fields: Fields, name: str = "x") -> Terms:
    """Any arrangement: each field holds one value of its domain."""
    return Terms(fields, {field.name: unknown_value(asker, field, name) for field in fields})


def known_position(state: State) -> Terms:
    """One arrangement, whose formulas are TRUE or FALSE."""
    terms = {}
    for field, value in zip(state.fields, state.values, strict=True):
        terms[field.name] = Term({v: TRUE if v == value else FALSE for v in field.domain})
    return Terms(state.fields, terms)


def least_position(asker: Asker, x: Terms, *questions: Bool, then: Sequence[Bool] = ()) -> Answer:
    """The arrangement with the fewest pieces, and of those the first in the order of the notation; `then` are literals
    of which the first that can be true is."""
    counted = [no(x[field.name] == field.empty) for field in x.fields if field.empty is not None]
    ordered = [x[field.name] == value for field in x.fields for value in field.fullest_first]
    return asker.least(counted, [*ordered, *then], *questions)


def position_of(asker: Asker, x: Terms) -> State:
    """The arrangement of the current solution."""
    held = {field.name: next(v for v, is_it in x[field.name].cases.items() if asker.holds(is_it)) for field in x.fields}
    return x.fields.state(held)


@dataclass(frozen=True)
class Brought:
    """One possible result of chance: its condition, the fields it changes, and its relative weight."""

    when: Bool
    changes: Mapping[str, Value | Term]
    weight: int = 1


class Constraints(ABC, Generic[M]):
    """The rules as formulas over the fields of a position, each clause under its id.

    Whatever a game does not state (effects, ends, whose turn it is, chance) is None, and no proof covers it.
    """

    def __init__(self, params: Parameters, readings: Readings) -> None:
        self.params, self.readings = params, readings

    @abstractmethod
    def clauses(self, x: Terms, move: M) -> Mapping[str, Bool]:
        """For each clause about moves: does the move satisfy it?"""

    def after(self, x: Terms, move: M) -> Mapping[str, Value | Term] | None:
        """The fields that the move changes, with their new values."""
        return None

    def wins(self, x: Terms) -> Mapping[str, Bool] | None:
        """For each player: has the game ended with this player among the winners? With none, it is a tie or goes on."""
        return None

    def ended(self, x: Terms) -> Bool | None:
        """Has the game ended? By default, it has if somebody has won."""
        return None

    def acts(self, x: Terms) -> Mapping[str, Bool] | None:
        """For each player: is it this player's turn, if the game has not ended?"""
        return None

    def chances(self, x: Terms) -> Mapping[str, Brought] | None:
        """The possible results of chance, by label; chance acts where the condition of one holds."""
        return None

    def sense(self, x: Terms) -> Bool:
        """An invariant of all arrangements; proofs assume it, and prove that moves preserve it."""
        return TRUE

    # -- About one position -----------------------------------------------------------------------------------

    def judge(self, position: State, move: M) -> Verdict:
        x = known_position(position)
        broken = [clause for clause, kept in self.clauses(x, move).items() if not is_true(kept)]
        return Verdict(tuple((clause, NOT_KEPT) for clause in broken))

    def result(self, position: State, move: M) -> State | None:
        """The result of a move, if the constraints state it."""
        changes = self.after(known_position(position), move)
        return None if changes is None else _changed(position, changes)

    def winners(self, position: State) -> tuple[str, ...] | None:
        """The winners, if the constraints state them."""
        wins = self.wins(known_position(position))
        return None if wins is None else tuple(player for player, won in wins.items() if is_true(won))

    def has_ended(self, position: State) -> bool | None:
        """Has the game ended, if the constraints state it?"""
        ended = self.ended(known_position(position))
        return None if ended is None else is_true(ended)

    def actor(self, position: State) -> str | None:
        """Whose turn it is before the end, if the constraints state it."""
        acts = self.acts(known_position(position))
        return None if acts is None else next((player for player, turn in acts.items() if is_true(turn)), None)

    def brought(self, position: State) -> dict[str, tuple[int, State]] | None:
        """The results of chance here with their weights, if the constraints state them."""
        chances = self.chances(known_position(position))
        if chances is None:
            return None
        possible = {label: chance for label, chance in chances.items() if is_true(chance.when)}
        return {label: (chance.weight, _changed(position, chance.changes)) for label, chance in possible.items()}


def _changed(position: State, changes: Mapping[str, Value | Term]) -> State:
    return position.replace({name: _only(name, Term.of(value)) for name, value in changes.items()})


def is_true(formula: Bool) -> bool:
    """The value of a formula without unknowns."""
    import z3

    if formula is TRUE or formula is FALSE:
        return formula is TRUE
    simple = z3.simplify(formula)
    if not (z3.is_true(simple) or z3.is_false(simple)):
        raise ValueError(f"a formula about a known position holds unknowns: {str(simple)[:200]}")
    return bool(z3.is_true(simple))


def _only(name: str, term: Term) -> Value:
    values = [value for value, is_it in term.cases.items() if is_true(is_it)]
    if len(values) != 1:
        raise ValueError(f"the constraints give field {name!r} {len(values)} values")
    return values[0]
