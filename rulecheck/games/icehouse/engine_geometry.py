"""Icehouse on the table: what touches or overlaps, what a line meets, how far things are apart.

Everything is exact: fractions are compared, distances by their squares, so that no root is ever taken. Shapes are
convex polygons with their corners anticlockwise. Directions are unit vectors, so a position along a line is a
true distance.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from rulecheck.games.icehouse.pieces import Point, Polygon

ZERO = Fraction(0)


def minus(p: Point, q: Point) -> Point:
    return p[0] - q[0], p[1] - q[1]


def dot(p: Point, q: Point) -> Fraction:
    return p[0] * q[0] + p[1] * q[1]


def cross(p: Point, q: Point) -> Fraction:
    """Above zero if q points to the left of p."""
    return p[0] * q[1] - p[1] * q[0]


def edges(shape: Polygon) -> Iterator[tuple[Point, Point]]:
    return pairwise((*shape, shape[0]))


# -- Contact ------------------------------------------------------------------------------------------------


class Contact(Enum):
    APART = "apart"
    TOUCHING = "touching"
    OVERLAPPING = "overlapping"


def contact(one: Polygon, other: Polygon) -> Contact:
    """Two convex shapes are apart if and only if a side of one of them has the other wholly beyond it."""
    gap = widest_gap(one, other)
    if gap <= 0:
        gap = max(gap, widest_gap(other, one))
    if gap > 0:
        return Contact.APART
    return Contact.TOUCHING if gap == 0 else Contact.OVERLAPPING


def widest_gap(shape: Polygon, other: Polygon) -> Fraction:
    """For each side how far the nearest corner of the other lies outside it (times the side's length); the largest."""
    return max(min(cross(minus(q, p), minus(p, corner)) for corner in other) for p, q in edges(shape))


def covers(shape: Polygon, point: Point) -> bool:
    """Is the point in the shape or on its outline?"""
    return all(cross(minus(q, p), minus(point, p)) >= 0 for p, q in edges(shape))


# -- Lines --------------------------------------------------------------------------------------------------


class Side(Enum):
    CROSSED = "crossed"
    LEFT = "touched on the left"
    RIGHT = "touched on the right"


class Meeting(NamedTuple):
    side: Side
    entry: Fraction  # how far from the tip the line reaches the shape


def meeting(tip: Point, direction: Point, shape: Polygon) -> Meeting | None:
    """How a line from the tip meets a shape: with corners on both sides it crosses it, else it may touch it."""
    sides = [cross(direction, minus(v, tip)) for v in shape]
    if min(sides) > 0 or max(sides) < 0:
        return None
    ways = [dot(direction, minus(v, tip)) for v in shape]
    distances = list(_on_line(sides, ways))
    entry, leaving = max(ZERO, min(distances)), max(distances)
    if min(sides) < 0 < max(sides):
        return Meeting(Side.CROSSED, entry) if leaving > 0 else None
    if leaving < 0 or max(ways) <= 0:  # behind the tip, or beside it without a corner ahead
        return None
    return Meeting(Side.LEFT if max(sides) > 0 else Side.RIGHT, entry)


def _on_line(sides: list[Fraction], ways: list[Fraction]) -> Iterator[Fraction]:
    """Where the straight line meets the outline: at corners on it, and between corners on either side of it."""
    for (s, a), (t, b) in pairwise([*zip(sides, ways, strict=True), (sides[0], ways[0])]):
        if s == 0:
            yield a
        if s * t < 0:
            yield a + (b - a) * s / (s - t)


# -- Distance -----------------------------------------------------------------------------------------------


def squared_distance(point: Point, shape: Polygon) -> Fraction:
    """From a point to the nearest point of a shape."""
    if covers(shape, point):
        return ZERO
    return min(_to_segment(point, p, q) for p, q in edges(shape))


def _to_segment(point: Point, p: Point, q: Point) -> Fraction:
    along, to = minus(q, p), minus(point, p)
    share = min(max(dot(along, to) / dot(along, along), ZERO), Fraction(1))
    rest = minus(to, (share * along[0], share * along[1]))
    return dot(rest, rest)


def squared_gap(one: Polygon, other: Polygon) -> Fraction:
    """Between two shapes: the nearest points of shapes that are apart include a corner of one of them."""
    if contact(one, other) is not Contact.APART:
        return ZERO
    return min(*(squared_distance(p, other) for p in one), *(squared_distance(q, one) for q in other))
