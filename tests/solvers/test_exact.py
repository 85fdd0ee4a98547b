"""Protects exact values: they satisfy the equations, lie within the bounds, and count endless play."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from solver_arenas import arenas, race, waiting_game

from solvers.certificate import ONE
from solvers.exact import solve_exactly
from solvers.graph import Arena, Kind
from solvers.stochastic import solve


def image(arena: Arena, x: dict[int, list[Fraction]], v: int, role: int) -> Fraction:
    """One application of the Bellman operator, written out for fractions."""
    kind = Kind(int(arena.kind[v]))
    if kind in (Kind.WIN, Kind.LOSS, Kind.TIE):
        return Fraction(int(kind == (Kind.LOSS if role else Kind.WIN)))
    options = [x[1 - role if kind == Kind.MOVE else role][s] for s in arena.successors(v)]
    if kind == Kind.CHANCE:
        return sum(options, Fraction(0)) / len(options)
    return min(options) if role else max(options)


def assert_exact(arena: Arena) -> None:
    exact = solve_exactly(arena)
    x = {0: exact.f, 1: exact.g}
    for v in range(len(arena)):
        assert [image(arena, x, v, role) for role in (0, 1)] == [exact.f[v], exact.g[v]]
    b = solve(arena).bounds
    for i, v in enumerate(arena.anchors):
        assert b.low_f[i] <= exact.f[v] * ONE <= b.high_f[i]
        assert b.low_g[i] <= exact.g[v] * ONE <= b.high_g[i]


@settings(max_examples=100, deadline=None)
@given(arenas())
def test_fractions_satisfy_the_equations_within_the_bounds(arena: Arena) -> None:
    assert_exact(arena)


def test_a_race_has_exact_values() -> None:
    assert_exact(race(6))


def test_waiting_is_worth_exactly_a_third() -> None:
    exact = solve_exactly(waiting_game())
    assert exact.f[4] == exact.g[4] == Fraction(1, 3)
