"""BiCGSTAB for x = M x + b, in compiled loops.

Most of the work is done in numbers of four bytes, which halves what has to be read: they find a correction to a few
digits, x itself and its residual have eight bytes, and the correction of the correction adds as many digits again.
Where plays are very long, four bytes get nowhere, and eight have to do it.
Sums are taken in a fixed order, so results do not depend on the number of threads; and threads of a BLAS that wait
for each other cost more than they bring on vectors of this length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.chunked_loops import ChunkedLoops
from solvers.compiled import njit

Vector = NDArray[np.float64]
Numbers = NDArray[Any]  # of four or eight bytes
Times = Callable[[Numbers, Numbers], None]  # puts M times the first vector into the second
Rest = Callable[[Vector, Numbers], None]  # puts b - x + M x into the second
Kind = type[np.float32] | type[np.float64]
KINDS: tuple[Kind, ...] = (np.float32, np.float64)  # one after the other

MOST = 2000  # iterations
PATIENCE = {np.float32: 60, np.float64: MOST}  # iterations without a smaller residual than any before
DIGITS = {np.float32: 1e-3, np.float64: 0.0}  # the factor by which a correction should reduce the residual ...
ENOUGH = 1e-2  # ... if more than this factor is left, numbers of this type are given up


@njit(cache=True, nogil=True)
def _measures(low: int, high: int, x: Any, y: Any) -> Any:
    """The largest of x, and its dot product with y."""
    most, total = 0.0, 0.0
    for i in range(low, high):
        most = max(most, abs(np.float64(x[i])))
        total += np.float64(x[i]) * np.float64(y[i])
    return most, total


@njit(cache=True, nogil=True)
def _direct(low: int, high: int, p: Any, r: Any, v: Any, beta: Any, omega: Any) -> None:
    for i in range(low, high):
        p[i] = r[i] + beta * (p[i] - omega * v[i])


@njit(cache=True, nogil=True)
def _without(low: int, high: int, x: Any, product: Any, y: Any) -> Any:
    """Set product to x - product; return its dot products with y and with itself."""
    total, square = 0.0, 0.0
    for i in range(low, high):
        product[i] = x[i] - product[i]
        total += np.float64(product[i]) * np.float64(y[i])
        square += np.float64(product[i]) * np.float64(product[i])
    return total, square


@njit(cache=True, nogil=True)
def _reduce(low: int, high: int, r: Any, alpha: Any, v: Any) -> None:
    for i in range(low, high):
        r[i] -= alpha * v[i]


@njit(cache=True, nogil=True)
def _advance(low: int, high: int, x: Any, alpha: Any, p: Any, omega: Any, r: Any, t: Any) -> None:
    for i in range(low, high):
        x[i] += alpha * p[i] + omega * r[i]
        r[i] -= omega * t[i]


@njit(cache=True, nogil=True)
def _add(low: int, high: int, x: Any, d: Any, sign: int) -> None:
    for i in range(low, high):
        x[i] += sign * d[i]


def _sums(parts: list[tuple[float, float]]) -> tuple[float, float]:
    return sum(part[0] for part in parts), sum(part[1] for part in parts)


def _measure(loops: ChunkedLoops, x: Numbers, y: Numbers) -> tuple[float, float]:
    parts = loops(_measures, x, y)
    return max(part[0] for part in parts), sum(part[1] for part in parts)


def bicgstab(loops: ChunkedLoops, times: Times, r: Numbers, tolerance: float, patience: int) -> Numbers:
    """Solve d = M d + r from d = 0, until no residual exceeds `tolerance`, or the method breaks down or stalls. r is
    overwritten."""
    number = r.dtype.type
    largest, _ = _measure(loops, r, r)
    shadow = (r * number(127 / (largest or 1.0))).astype(np.int8)  # approximately r, in little memory
    d, v, p, t = (np.zeros_like(r) for _ in range(4))
    rho, alpha, omega = 1.0, 1.0, 1.0
    least, since = np.inf, 0
    for done in range(MOST):
        old = rho
        largest, rho = _measure(loops, r, shadow)
        if largest < least:
            least, since = largest, done
        if not largest > tolerance or abs(rho) < 1e-300 or omega == 0.0 or done > since + patience:
            break
        loops(_direct, p, r, v, number(rho / old * alpha / omega), number(omega))
        times(p, v)
        below, _ = _sums(loops(_without, p, v, shadow))
        if below == 0.0:
            break
        alpha = rho / below
        loops(_reduce, r, number(alpha), v)
        times(r, t)
        along, square = _sums(loops(_without, r, t, r))
        omega = along / square if square > 0.0 else 0.0
        loops(_advance, d, number(alpha), p, number(omega), r, t)
    return d


def refine(
    rest: Rest, times: Times, x: Vector, tolerance: float, loops: ChunkedLoops, kinds: Sequence[Kind] = KINDS
) -> tuple[float, Kind]:
    """Correct x in place, in numbers of these types in turn, until no residual exceeds `tolerance` or no correction
    helps any more; return the largest residual and the last type used."""
    error, kind = np.inf, kinds[0]
    for kind in kinds:
        r = np.zeros(len(x), dtype=kind)
        rest(x, r)
        error, helps = _measure(loops, r, r)[0], True
        while error > tolerance and helps:
            d = bicgstab(loops, times, r, max(error * DIGITS[kind], tolerance / 2), PATIENCE[kind])
            if not np.isfinite(_measure(loops, d, d)[1]):
                break
            loops(_add, x, d, 1)
            rest(x, r)
            now = _measure(loops, r, r)[0]
            helps = now <= error * ENOUGH
            if now > error:
                loops(_add, x, d, -1)
            error = min(error, now)
            del d  # to free memory
        if error <= tolerance:
            break
    return error, kind
