"""Icehouse: what lies where, as linear inequalities.

A shape is the set of points that satisfy its rows, each `a*x + b*y + c >= 0` (`> 0` for its interior). Everything that
is asked about shapes and lines is whether a point exists: one strictly inside two shapes, one of a line inside a shape,
one of a shape to the left of a line. Such a question is settled by eliminating the unknowns from the inequalities, one
after the other (Fourier and Motzkin). What remains are inequalities between constants: numbers if the places are given,
terms of z3 if they are unknown and only the directions are given.

Glossary: p a point; d a direction, n its left-hand normal; s how far along a line.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from rulecheck.games.icehouse.pieces import BASE, HEIGHT, Piece, Point, Rectangle
from specs.icehouse.spec_terms import Number, Truth, every, no, some


class Row(NamedTuple):
    """`a*x + b*y + c >= 0`, or `> 0` if it is strict; `a` and `b` are always numbers."""

    a: Number
    b: Number
    c: Number
    strict: bool = False

    def at(self, point: Point) -> Number:
        return self.a * point[0] + self.b * point[1] + self.c


Bound = tuple[Number, Number, bool]  # `a*s + c >= 0`, or `> 0`
Rows = Sequence[Row]


# -- Shapes -------------------------------------------------------------------------------------------------


class Shape(NamedTuple):
    rows: tuple[Row, ...]
    corners: tuple[Point, ...]

    @property
    def interior(self) -> tuple[Row, ...]:
        return tuple(row._replace(strict=True) for row in self.rows)


def half_plane(normal: Point, point: Point, beyond: Number, *, strict: bool = False) -> Row:
    """The points p with normal*(p - point) >= beyond."""
    x, y = normal
    return Row(x, y, -x * point[0] - y * point[1] - beyond, strict)


def turned(direction: Point) -> Point:
    return -direction[1], direction[0]


def opposite(direction: Point) -> Point:
    return -direction[0], -direction[1]


def moved(point: Point, by: Number, direction: Point) -> Point:
    return point[0] + by * direction[0], point[1] + by * direction[1]


def square(centre: Point, direction: Point, side: int) -> Shape:
    """No point is further than half a side from the centre, measured along either direction of the sides."""
    half = Fraction(side, 2)
    d, n = direction, turned(direction)
    rows = tuple(half_plane(way, centre, -half) for way in (d, n, opposite(d), opposite(n)))
    middles = [moved(centre, way, d) for way in (half, -half)]
    return Shape(rows, tuple(moved(middle, way, n) for middle in middles for way in (half, -half)))


def triangle(tip: Point, direction: Point, base: int, height: int) -> Shape:
    """Behind the tip, by no more than the height; w behind the tip the axis is at most w*base/(2*height) away."""
    d, n = direction, turned(direction)
    left = (-base * d[0] - 2 * height * n[0], -base * d[1] - 2 * height * n[1])
    right = (-base * d[0] + 2 * height * n[0], -base * d[1] + 2 * height * n[1])
    rows = (half_plane(left, tip, 0), half_plane(right, tip, 0), half_plane(d, tip, -height))
    foot = moved(tip, -height, d)
    return Shape(rows, (tip, moved(foot, Fraction(base, 2), n), moved(foot, -Fraction(base, 2), n)))


def rectangle(area: Rectangle) -> Shape:
    low, high = (Fraction(area.left), Fraction(area.bottom)), (Fraction(area.right), Fraction(area.top))
    rows = (Row(1, 0, -low[0]), Row(0, 1, -low[1]), Row(-1, 0, high[0]), Row(0, -1, high[1]))
    return Shape(rows, tuple((x, y) for x in (low[0], high[0]) for y in (low[1], high[1])))


@functools.lru_cache(maxsize=10_000)
def shape_of(thing: Piece | Rectangle) -> Shape:
    if isinstance(thing, Rectangle):
        return rectangle(thing)
    if thing.lying:
        return triangle(thing.point, thing.direction, BASE[thing.pips], HEIGHT[thing.pips])
    return square(thing.point, thing.direction, BASE[thing.pips])


# -- Is there a point? --------------------------------------------------------------------------------------


def bounded(bounds: Iterable[Bound]) -> Truth:
    """Is there a number s that satisfies them all? Each lower bound lies below each upper one."""
    given = list(bounds)
    flat = (_positive(c, strict) for a, c, strict in given if a == 0)
    low, high = [b for b in given if b[0] > 0], [b for b in given if b[0] < 0]
    pairs = (_positive(a * e - d * c, f or strict) for a, c, strict in low for d, e, f in high)
    return every([every(flat), every(pairs)])


def _positive(value: Number, strict: bool) -> Truth:
    return value > 0 if strict else value >= 0


def eliminated(rows: Rows) -> Iterator[Bound]:
    """What the rows ask of y if some x satisfies them all."""
    yield from ((r.b, r.c, r.strict) for r in rows if r.a == 0)
    low, high = [r for r in rows if r.a > 0], [r for r in rows if r.a < 0]
    for r in low:
        for q in high:
            yield r.a * q.b - q.a * r.b, r.a * q.c - q.a * r.c, r.strict or q.strict


def point_exists(rows: Rows) -> Truth:
    return bounded(eliminated(rows))


@functools.lru_cache(maxsize=100_000)
def share_area(one: Shape, other: Shape) -> Truth:
    return point_exists(one.interior + other.interior)


@functools.lru_cache(maxsize=100_000)
def share_a_point(one: Shape, other: Shape) -> Truth:
    return point_exists(one.rows + other.rows)


def juts_out(shape: Shape, area: Shape) -> Truth:
    """Some point of the shape lies outside the area: beyond one of its rows."""
    return some(point_exists((*shape.rows, Row(-r.a, -r.b, -r.c, strict=True))) for r in area.rows)


# -- Lines from tips ----------------------------------------------------------------------------------------


class Line(NamedTuple):
    tip: Point
    direction: Point

    def within(self, rows: Rows) -> list[Bound]:
        """What the rows ask of s, for the point tip + s*direction."""
        (dx, dy) = self.direction
        return [(r.a * dx + r.b * dy, r.at(self.tip), r.strict) for r in rows]


class Meeting(NamedTuple):
    """How a line meets a thing; `entry` holds numbers, the greatest of which is where it first meets it."""

    crossed: Truth
    left: Truth
    right: Truth
    entry: tuple[Number, ...]


AHEAD: Bound = (1, 0, True)
NOT_BEHIND: Bound = (1, 0, False)


@functools.lru_cache(maxsize=100_000)
def meeting(line: Line, shape: Shape) -> Meeting:
    """IH-26: crossed means that the line gets inside; touched, that it meets the shape without getting inside."""
    inside, onto = line.within(shape.interior), line.within(shape.rows)
    crossed = bounded([*inside, AHEAD])
    touched = every([no(bounded(inside)), bounded([*onto, NOT_BEHIND]), _reaches_ahead(line, shape)])
    left, right = (every([touched, _reaches(line, shape, way)]) for way in _sides(line))
    return Meeting(crossed, left, right, (Fraction(0), *(-c / a for a, c, _ in onto if a > 0)))


def _sides(line: Line) -> tuple[Point, Point]:
    return turned(line.direction), opposite(turned(line.direction))


def _reaches(line: Line, shape: Shape, way: Point) -> Truth:
    """Some point of the shape lies strictly on this side of the line's tip."""
    return point_exists((*shape.rows, half_plane(way, line.tip, 0, strict=True)))


def _reaches_ahead(line: Line, shape: Shape) -> Truth:
    return _reaches(line, shape, line.direction)


def no_later(one: Meeting, other: Meeting) -> Truth:
    """The first thing is met not later than the other: each bound on its entry lies below one of the other's."""
    return every(some(low <= high for high in other.entry) for low in one.entry)


class Pointing(NamedTuple):
    at: list[Truth]  # for each thing, whether the line points at it
    pinched: Truth


def pointing(graze: str, meetings: Sequence[Meeting]) -> Pointing:
    """IH-26, IH-63, IH-64, reading graze: what a line points at among the things that it meets so."""
    closed = graze == "closed"
    met = [some([m.crossed, m.left, m.right]) if closed else m.crossed for m in meetings]
    every_one = range(len(meetings))

    def first(i: int) -> Truth:
        return every([met[i], *(some([no(met[j]), no_later(meetings[i], meetings[j])]) for j in every_one if j != i)])

    def alone(i: int) -> Truth:
        return every(some([no(met[j]), no(no_later(meetings[j], meetings[i]))]) for j in every_one if j != i)

    def clear(i: int) -> Truth:
        return no(_pinched(meetings, i)) if graze == "seam" else True

    firsts = [first(i) if met[i] is not False else False for i in every_one]
    at = [every([firsts[i], alone(i), clear(i)]) if firsts[i] is not False else False for i in every_one]
    pinched = some(every([firsts[i], no(clear(i))]) for i in every_one if firsts[i] is not False)
    return Pointing(at, pinched)


def _pinched(meetings: Sequence[Meeting], i: int) -> Truth:
    """Something touches the line on the left, and something on the right, before or where it meets the i-th thing."""
    sides: tuple[Callable[[Meeting], Truth], ...] = (lambda m: m.left, lambda m: m.right)
    return every(
        some(every([side(m), no_later(m, meetings[i])]) for m in meetings if side(m) is not False) for side in sides
    )
