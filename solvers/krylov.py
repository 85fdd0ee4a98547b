"""BiCGSTAB for x = M x + b, in compiled loops and one thread.

The sums are taken in a fixed order, so results do not depend on the number of cores; and threads of a BLAS
that wait for each other cost more than they bring on vectors of this length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Times = Callable[[Vector, Vector], None]  # puts M times the first vector into the second

MAX_ITERATIONS = 2000
RESTARTS = 6


@njit(cache=True)
def _measures(x: Any, y: Any) -> Any:
    """The largest of x, and its dot product with y."""
    most, total = 0.0, 0.0
    for i in range(len(x)):
        most = max(most, abs(x[i]))
        total += x[i] * y[i]
    return most, total


@njit(cache=True)
def _rest(b: Any, x: Any, product: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] = b[i] - x[i] + product[i]


@njit(cache=True)
def _direct(p: Any, r: Any, v: Any, beta: float, omega: float) -> None:
    for i in range(len(p)):
        p[i] = r[i] + beta * (p[i] - omega * v[i])


@njit(cache=True)
def _without(x: Any, product: Any, y: Any) -> Any:
    """product becomes x - product; returns its dot products with y and with itself."""
    total, square = 0.0, 0.0
    for i in range(len(x)):
        product[i] = x[i] - product[i]
        total += product[i] * y[i]
        square += product[i] * product[i]
    return total, square


@njit(cache=True)
def _reduce(r: Any, alpha: float, v: Any) -> None:
    for i in range(len(r)):
        r[i] -= alpha * v[i]


@njit(cache=True)
def _advance(x: Any, alpha: float, p: Any, omega: float, r: Any, t: Any) -> None:
    for i in range(len(x)):
        x[i] += alpha * p[i] + omega * r[i]
        r[i] -= omega * t[i]


def bicgstab(times: Times, b: Vector, x: Vector, tolerance: float) -> float:
    """Improve x in place until no residual is larger than `tolerance`, the method breaks down, or it takes too long.
    Returns the largest residual, computed afresh."""
    r, v, p, t = (np.zeros(len(b)) for _ in range(4))
    times(x, t)
    _rest(b, x, t, r)
    shadow = r.copy()
    rho, alpha, omega = 1.0, 1.0, 1.0
    for _ in range(MAX_ITERATIONS):
        old = rho
        largest, rho = _measures(r, shadow)
        if largest <= tolerance or abs(rho) < 1e-300 or omega == 0.0:
            break
        _direct(p, r, v, rho / old * alpha / omega, omega)
        times(p, v)
        below, _ = _without(p, v, shadow)
        if below == 0.0:
            break
        alpha = rho / below
        _reduce(r, alpha, v)
        times(r, t)
        along, square = _without(r, t, r)
        omega = along / square if square > 0.0 else 0.0
        _advance(x, alpha, p, omega, r, t)
    times(x, t)
    _rest(b, x, t, v)
    return float(_measures(v, v)[0])


def iterate(times: Times, b: Vector, guess: Vector, tolerance: float) -> tuple[Vector, float]:
    """BiCGSTAB, begun again from the best point so far when it breaks down; what it found, and the largest residual."""
    best, error = guess, np.inf
    for _ in range(RESTARTS):
        x = best.copy()
        now = bicgstab(times, b, x, tolerance)
        if not now < error:
            break
        best, error = x, now
        if error <= tolerance:
            break
    return best, error
