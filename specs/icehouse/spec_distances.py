"""Icehouse: how far shapes are from each other, as inequalities between squares of lengths.

Glossary: p, q points; w a way from one to another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain

from rulecheck.games.icehouse.pieces import Point
from specs.icehouse.spec_geometry import Shape, moved
from specs.icehouse.spec_terms import Number, Truth, every, no, some

Below = Callable[[Number], Truth]  # is a number this small?


def _dot(p: Point, q: Point) -> Number:
    return p[0] * q[0] + p[1] * q[1]


def _from(p: Point, q: Point) -> Point:
    return q[0] - p[0], q[1] - p[1]


def _landings(point: Point, shape: Shape) -> Iterator[tuple[Truth, Point]]:
    """The points of the shape that can be nearest to a point outside: its corners, and feet of perpendiculars."""
    yield from ((True, corner) for corner in shape.corners)
    for row in shape.rows:
        foot = moved(point, -row.at(point) / (row.a * row.a + row.b * row.b), (row.a, row.b))
        yield every(other.at(foot) >= 0 for other in shape.rows if other != row), foot


def _ways(one: Shape, other: Shape) -> Iterator[tuple[Truth, Point]]:
    """Ways from one shape to the other, each with the condition that it is one; the shortest is among them."""
    yield from ((there, _from(p, q)) for p in one.corners for there, q in _landings(p, other))
    yield from ((there, _from(q, p)) for p in other.corners for there, q in _landings(p, one))


def within(one: Shape, other: Shape, reach: Below) -> Truth:
    """Is the square of the distance between two shapes that share no area so small?

    Of the ways w between them the shortest is the one that no way between corners falls short of, measured along w.
    """
    ways = [_from(p, q) for p in one.corners for q in other.corners]

    def shortest(w: Point) -> Iterator[Truth]:
        return (_dot(w, way) >= _dot(w, w) for way in ways)

    return some(every(chain([there, reach(_dot(w, w))], shortest(w))) for there, w in _ways(one, other))


def point_within(point: Point, shape: Shape, reach: Below) -> Truth:
    inside = every(row.at(point) >= 0 for row in shape.rows)
    return some([every([inside, reach(Fraction(0))]), every([no(inside), within(Shape((), (point,)), shape, reach)])])
