"""Protects: linear equations are solved as well as is said, in numbers of four bytes or, where these fail, of eight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solvers.chunked_loops import ChunkedLoops
from solvers.krylov import refine


def circle(size: int, leaves: float) -> Any:
    """A chain that goes round and round, and is left with this probability in each turn."""
    return (np.roll(np.eye(size), 1, axis=1) + np.roll(np.eye(size), -2, axis=1)) * (1 - leaves) / 2


@pytest.mark.parametrize(("leaves", "needed"), [(0.1, {np.float32}), (1e-6, {np.float32, np.float64})])
def test_equations_are_solved_as_well_as_is_said(leaves: float, needed: set[type]) -> None:
    rng = np.random.default_rng(3)
    matrix, b = circle(300, leaves), rng.random(300)
    kinds = set()

    def times(x: Any, out: Any) -> None:
        kinds.add(x.dtype.type)
        out[:] = matrix.astype(x.dtype) @ x

    def rest(x: Any, out: Any) -> None:
        out[:] = b - x + matrix @ x

    x = np.zeros(300)
    error, used = refine(rest, times, x, 1e-9, ChunkedLoops(300))
    assert np.abs(b - x + matrix @ x).max() == pytest.approx(error, rel=1e-3)
    assert error <= 1e-9
    assert np.abs(x - np.linalg.solve(np.eye(300) - matrix, b)).max() <= 1e-9 / leaves
    assert kinds == needed
    assert used in needed


def test_what_cannot_be_solved_is_said_to_be_unsolved() -> None:
    """Nobody ever leaves this circle; the values that come nearest are kept."""
    matrix, b = circle(20, 0.0), np.ones(20)
    x = np.zeros(20)

    def times(x: Any, out: Any) -> None:
        out[:] = matrix.astype(x.dtype) @ x

    def rest(x: Any, out: Any) -> None:
        out[:] = b - x + matrix @ x

    error, _ = refine(rest, times, x, 1e-9, ChunkedLoops(20))
    assert error > 0.1
    assert np.isfinite(x).all()
