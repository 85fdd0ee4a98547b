"""The simplest solution in fractions, whatever the solver would choose.

Each variable in turn gets the first value that leaves the variables after it a solution in fractions: whole numbers
first, then small denominators, near zero before far from it, above zero before below it. So the answer depends on the
question alone, not on the search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from math import gcd
from typing import Any

import z3

from solvers.smt import Answer, Asker

Number = Any  # z3 ships no types; a real variable
ENDS = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256)  # search between these, near zero first
DENOMINATORS = range(1, 41)
TRIES = 200  # values of a variable to try before giving up
FEW = 6  # a variable with fewer values has them listed


def simplest(asker: Asker, variables: Sequence[Number]) -> list[Fraction]:
    """The values of these variables, if the solver's facts have a solution."""
    values = _solution(asker, list(variables))
    if values is None:
        raise TimeoutError("there is a solution, but none in simple fractions was met")
    return values


def _solution(asker: Asker, variables: list[Number]) -> list[Fraction] | None:
    if not variables:
        return []
    first, *others = variables
    for value in islice(_values(asker, first), TRIES):
        with asker.supposing(first == z3.RealVal(str(value))):
            rest = _solution(asker, others)
        if rest is not None:
            return [value, *rest]
    return None


def _values(asker: Asker, variable: Number) -> Iterator[Fraction]:
    """The values that the variable may have, the simplest first."""
    few = _all(asker, variable)
    if few is not None:
        yield from sorted(few, key=lambda v: (v.denominator, abs(v), v < 0))
        return
    live = [(low, high) for low, high in zip((-1, *ENDS), ENDS, strict=False) if _between(asker, variable, low, high)]
    for denominator in DENOMINATORS:
        for low, high in live:
            for count in range(low * denominator + 1, high * denominator + 1):
                if count >= 0 and gcd(count, denominator) == 1:
                    for value in dict.fromkeys((Fraction(count, denominator), Fraction(-count, denominator))):
                        if _is(asker, variable == z3.RealVal(str(value))):
                            yield value


def _all(asker: Asker, variable: Number) -> list[Fraction] | None:
    """The fractions among the values of the variable, or None if it has many values."""
    fractions: list[Fraction] = []
    with asker.supposing():
        for _ in range(FEW):
            answer = asker.ask()
            if answer is not Answer.YES:  # excluding values can make it too hard to tell whether there are more
                return fractions if answer is Answer.NO else None
            value = asker.model.eval(variable, model_completion=True)
            if not z3.is_algebraic_value(value):
                fractions.append(Fraction(value.numerator_as_long(), value.denominator_as_long()))
            asker.add(variable != value)
    return None


def _between(asker: Asker, variable: Number, low: int, high: int) -> bool:
    """Can the variable be more than `low` and at most `high` away from zero?"""
    return _is(asker, z3.Or(z3.And(variable > low, variable <= high), z3.And(variable < -low, variable >= -high)))


def _is(asker: Asker, *facts: Any) -> bool:
    with asker.supposing(*facts):
        answer = asker.ask()
    if answer is Answer.UNKNOWN:
        raise TimeoutError("z3 gave no answer within its budget")
    return answer is Answer.YES
