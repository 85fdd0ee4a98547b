"""BiCGSTAB for x = M x + b, compiled and in one thread.

The sums are taken in a fixed order, so results do not depend on the number of cores; and threads of a BLAS
that wait for each other cost more than they bring on vectors of this length.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True)
def _times(start: Any, column: Any, weight: Any, x: Any, out: Any) -> None:
    for i in range(len(start) - 1):
        total = 0.0
        for e in range(start[i], start[i + 1]):
            total += weight[e] * x[column[e]]
        out[i] = total


@njit(cache=True)
def _apply(one: Any, two: Any, chained: bool, x: Any, between: Any, out: Any) -> None:
    """out = x - M x, where M is `one`, or `one` after `two` if they are chained."""
    if chained:
        _times(two[0], two[1], two[2], x, between)
        _times(one[0], one[1], one[2], between, out)
    else:
        _times(one[0], one[1], one[2], x, out)
    for i in range(len(x)):
        out[i] = x[i] - out[i]


@njit(cache=True)
def _dot(x: Any, y: Any) -> float:
    total = 0.0
    for i in range(len(x)):
        total += x[i] * y[i]
    return total


@njit(cache=True)
def bicgstab(one: Any, two: Any, chained: bool, b: Any, x: Any, tolerance: float, limit: int) -> float:
    """Improve x in place until the residual's norm is at most `tolerance`, the method breaks down, or `limit`
    iterations are done. Returns that norm, computed afresh. Matrices are (start, column, weight) triples."""
    n = len(b)
    between = np.zeros(len(two[0]) - 1)
    r, v, p, t = np.empty(n), np.zeros(n), np.zeros(n), np.empty(n)
    _apply(one, two, chained, x, between, r)
    for i in range(n):
        r[i] = b[i] - r[i]
    shadow = r.copy()
    rho, alpha, omega = 1.0, 1.0, 1.0
    for _ in range(limit):
        if np.sqrt(_dot(r, r)) <= tolerance:
            break
        rho, old = _dot(shadow, r), rho
        if abs(rho) < 1e-300 or omega == 0.0:
            break
        beta = rho / old * alpha / omega
        for i in range(n):
            p[i] = r[i] + beta * (p[i] - omega * v[i])
        _apply(one, two, chained, p, between, v)
        below = _dot(shadow, v)
        if below == 0.0:
            break
        alpha = rho / below
        for i in range(n):
            r[i] -= alpha * v[i]
        _apply(one, two, chained, r, between, t)
        size = _dot(t, t)
        omega = _dot(t, r) / size if size > 0.0 else 0.0
        for i in range(n):
            x[i] += alpha * p[i] + omega * r[i]
            r[i] -= omega * t[i]
    _apply(one, two, chained, x, between, t)
    for i in range(n):
        t[i] = b[i] - t[i]
    return float(np.sqrt(_dot(t, t)))
