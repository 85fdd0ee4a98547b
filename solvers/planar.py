"""Exact plane geometry: convex polygons, their cuts by lines, Minkowski differences and distances.

Nothing is rounded: the functions only add, multiply, divide and compare, so they are exact for every exact type of
numbers, `fractions.Fraction` or the faster `flint.fmpq`. A polygon has its corners anticlockwise; it may be a single
point or a segment of two. A row (a, b, c) is the closed half-plane a*x + b*y + c >= 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

Number = Any  # of an exact type; a plain int only where nothing is divided by it
Point = tuple[Number, Number]
Polygon = tuple[Point, ...]
Row = tuple[Number, Number, Number]


def minus(p: Point, q: Point) -> Point:
    return p[0] - q[0], p[1] - q[1]


def plus(p: Point, q: Point) -> Point:
    return p[0] + q[0], p[1] + q[1]


def dot(p: Point, q: Point) -> Number:
    return p[0] * q[0] + p[1] * q[1]


def cross(p: Point, q: Point) -> Number:
    """Above zero if q points to the left of p."""
    return p[0] * q[1] - p[1] * q[0]


def value(row: Row, point: Point) -> Number:
    return row[0] * point[0] + row[1] * point[1] + row[2]


def opposite(row: Row) -> Row:
    return -row[0], -row[1], -row[2]


def edges(polygon: Polygon) -> Iterator[tuple[Point, Point]]:
    return pairwise((*polygon, polygon[0]))


def rows_of(polygon: Polygon) -> list[Row]:
    """The half-planes whose common part is the polygon, which has at least three corners."""
    return [_row_left_of(p, q) for p, q in edges(polygon)]


def _row_left_of(p: Point, q: Point) -> Row:
    a, b = p[1] - q[1], q[0] - p[0]
    return a, b, -a * p[0] - b * p[1]


def clip(polygon: Polygon, row: Row) -> Polygon:
    """The part of a polygon in a half-plane; () if there is none, a point or a segment if it is that thin."""
    if not polygon:
        return ()
    sides = [(value(row, p), p) for p in polygon]
    if all(s >= 0 for s, _ in sides):
        return polygon
    corners: list[Point] = []
    for (s, p), (t, q) in pairwise((*sides, sides[0])):
        if s >= 0:
            corners.append(p)
        if (s > 0 and t < 0) or (s < 0 and t > 0):
            share = s / (s - t)
            corners.append((p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share))
    return _without_repeats(corners)


def _without_repeats(points: Sequence[Point]) -> Polygon:
    if not points:
        return ()
    distinct = [q for p, q in pairwise((points[-1], *points)) if p != q]
    return tuple(distinct or points[:1])


def clip_all(polygon: Polygon, rows: Iterable[Row]) -> Polygon:
    for row in rows:
        polygon = clip(polygon, row)
    return polygon


def common(one: Polygon, other: Polygon) -> Polygon:
    """The common part of two polygons, of which the second has at least three corners."""
    return clip_all(one, rows_of(other))


def double_area(polygon: Polygon) -> Number:
    return sum(cross(minus(p, polygon[0]), minus(q, polygon[0])) for p, q in edges(polygon)) if polygon else 0


def difference_rows(wall: Polygon, part: Polygon) -> list[Row]:
    """The half-planes whose common part is {w - t: w in the wall, t in the part}.

    A point is inside it if and only if the part, moved there, reaches the inside of the wall. The wall has at least
    three corners, the part may be thin.
    """
    normals = [(a, b) for a, b, _ in rows_of(wall)]
    if len(part) > 1:
        normals += [(-a, -b) for a, b, _ in rows_of(part)]
    return [(a, b, -_least((a, b), wall) + _greatest((a, b), part)) for a, b in normals]


def _least(way: Point, polygon: Polygon) -> Number:
    return min(dot(way, p) for p in polygon)


def _greatest(way: Point, polygon: Polygon) -> Number:
    return max(dot(way, p) for p in polygon)


def covers(polygon: Polygon, point: Point) -> bool:
    """Is the point in a polygon of at least three corners, its outline included?"""
    return all(value(row, point) >= 0 for row in rows_of(polygon))


def share_area(one: Polygon, other: Polygon) -> bool:
    return bool(double_area(common(one, other)) > 0)


def squared_gap(one: Polygon, other: Polygon) -> Number:
    """The square of the distance between two polygons, of which the second has at least three corners."""
    if common(one, other):
        return 0
    return min(
        *(_to_segment(p, q, r) for p in one for q, r in edges(other)),
        *(_to_segment(p, q, r) for p in other for q, r in edges(one)),
    )


def _to_segment(point: Point, p: Point, q: Point) -> Number:
    along, to = minus(q, p), minus(point, p)
    length, way = dot(along, along), dot(along, to)
    if way <= 0:
        return dot(to, to)
    if way >= length:
        rest = minus(point, q)
        return dot(rest, rest)
    aside = cross(along, to)
    return aside * aside / length


def hull(points: Iterable[Point]) -> Polygon:
    """The smallest convex polygon round some points."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(ordered)
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return tuple(lower[:-1] + upper[:-1])


def _chain(points: Sequence[Point]) -> list[Point]:
    corners: list[Point] = []
    for p in points:
        while len(corners) > 1 and cross(minus(corners[-1], corners[-2]), minus(p, corners[-2])) <= 0:
            corners.pop()
        corners.append(p)
    return corners
