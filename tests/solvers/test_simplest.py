"""Protects solutions in fractions: they are the simplest in an order of our own, and never z3's choice."""

from __future__ import annotations

from fractions import Fraction

import pytest
import z3

from solvers.simplest import simplest
from solvers.smt import Asker, Bool

X, Y = z3.Reals("x y")


@pytest.mark.parametrize(
    ("facts", "values"),
    [
        ([], (0, 0)),
        ([X > 3, Y > X / 2, Y < X], (4, 3)),
        ([X < -3], (-4, 0)),
        ([X != 0], (1, 0)),
        ([z3.Or(X == 5, X == -3)], (-3, 0)),
        ([3 * X == 1, Y == X], (Fraction(1, 3), Fraction(1, 3))),
        ([7 * X > 1, 6 * X < 1], (Fraction(2, 13), 0)),
        ([X * X + Y * Y == 25, X > 4], (5, 0)),
        ([X * X + Y * Y == 2, X > Y], (1, -1)),  # with x = 0 there are roots alone
    ],
)
@pytest.mark.parametrize("seed", [1, 99])
def test_the_simplest_solution(facts: list[Bool], values: tuple[object, object], seed: int) -> None:
    asker = Asker()
    asker.solver.set("random_seed", seed)
    asker.add(*facts)
    assert simplest(asker, [X, Y]) == list(values)


def test_no_solution_in_fractions_is_no_answer() -> None:
    asker = Asker()
    asker.add(X * X == 2)
    with pytest.raises(TimeoutError, match="fractions"):
        simplest(asker, [X])
