"""Hextris: the board as arithmetic on coordinates (HX-03, 04, 13, 27).

Glossary: p, q points; a radius of 2 is the printed board.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from rulecheck.model import InputError

MOST_SETS = 40_000  # connected sets of points that are written out for each colour


@functools.cache
def coordinates(radius: int) -> tuple[tuple[int, int, int], ...]:
    """HX-03: three numbers that add up to zero, none beyond the radius; from the top left in rows."""
    span = range(-radius, radius + 1)
    return tuple((x, y, -x - y) for y in span for x in span if abs(x + y) <= radius)


def distance(radius: int, p: int, q: int) -> int:
    at = coordinates(radius)
    return max(abs(a - b) for a, b in zip(at[p], at[q], strict=True))


def adjacent(radius: int, p: int, q: int) -> bool:
    return distance(radius, p, q) == 1


def in_line(radius: int, p: int, q: int) -> bool:
    """HX-13: two points share one of their numbers, and they are two."""
    at = coordinates(radius)
    return p != q and any(a == b for a, b in zip(at[p], at[q], strict=True))


def between(radius: int, p: int, q: int) -> list[int]:
    """The points on the straight line from p to q, without its ends."""
    far = distance(radius, p, q)
    points = range(len(coordinates(radius)))
    return [r for r in points if r not in (p, q) and distance(radius, p, r) + distance(radius, r, q) == far]


def on_perimeter(radius: int, p: int) -> bool:
    """HX-04: one of the numbers is as large as it can be."""
    return max(map(abs, coordinates(radius)[p])) == radius


@functools.cache
def around(radius: int) -> tuple[frozenset[int], ...]:
    points = range(len(coordinates(radius)))
    return tuple(frozenset(q for q in points if adjacent(radius, p, q)) for p in points)


def rim(radius: int, points: Iterable[int]) -> frozenset[int]:
    """The points next to a set of points, outside it."""
    inside = frozenset(points)
    return frozenset().union(*(around(radius)[p] for p in inside)) - inside


@functools.cache
def connected_sets(radius: int, count: int) -> tuple[tuple[int, ...], ...]:
    """HX-27, 28: every set of so many points that hangs together."""
    if count == 1:
        return tuple((p,) for p in range(len(coordinates(radius))))
    smaller = connected_sets(radius, count - 1)
    sets = {tuple(sorted((*points, q))) for points in smaller for q in rim(radius, points)}
    if len(sets) > MOST_SETS:
        raise InputError(
            f"the constraints of hextris write out every connected set of points, and groups of {count - 1} or more "
            f"have over {MOST_SETS:,} of them on {len(coordinates(radius))} points"
        )
    return tuple(sorted(sets))
