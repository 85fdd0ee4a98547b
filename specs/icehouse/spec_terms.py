"""Icehouse: truth values that are known, or asked of z3.

The constraints of this game are written once and used in two ways. Over a position that is given they are plain truth
values and numbers; over unknown places and pieces they are terms of z3, which then speaks of every position at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import z3

Truth = Any  # a bool, or a Boolean term of z3
Number = Any  # a Fraction or an int, or an arithmetic term of z3


def every(terms: Iterable[Truth]) -> Truth:
    """All of them; stops at the first that is known to be false."""
    open_terms = []
    for term in terms:
        if term is False:
            return False
        if term is not True:
            open_terms.append(term)
    return True if not open_terms else open_terms[0] if len(open_terms) == 1 else z3.And(open_terms)


def some(terms: Iterable[Truth]) -> Truth:
    open_terms = []
    for term in terms:
        if term is True:
            return True
        if term is not False:
            open_terms.append(term)
    return False if not open_terms else open_terms[0] if len(open_terms) == 1 else z3.Or(open_terms)


def no(term: Truth) -> Truth:
    return not term if isinstance(term, bool) else z3.Not(term)


def same(one: Truth, other: Truth) -> Truth:
    return every([some([no(one), other]), some([one, no(other)])])


def weight(parts: Iterable[tuple[Truth, Number]]) -> Number:
    """The sum of the numbers whose condition is true."""
    known: Number = 0
    for condition, number in parts:
        if condition is True:
            known = known + number
        elif condition is not False:
            known = known + z3.If(condition, number, 0)
    return known


def how_many(terms: Iterable[Truth]) -> Number:
    return weight((term, 1) for term in terms)


def either(condition: Truth, yes: Number, otherwise: Number) -> Number:
    if isinstance(condition, bool):
        return yes if condition else otherwise
    return z3.If(condition, yes, otherwise)
