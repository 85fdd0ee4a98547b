"""Icehouse: looks for an attack along promising straight lines; others judge what it proposes.

For one direction the tips from which a piece overlaps a thing are an open interval of every line, which is computed
exactly. So on one line all places for the piece are known, and only the lines must be chosen: along the sides of
pieces, or in one of many directions, through corners and halfway between them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from flint import fmpq

from rulecheck.games.icehouse.pieces import Position
from rulecheck.games.icehouse.research.certificate_cells import Cell, Cone, Scene, Vector
from solvers.planar import Number, Point, Polygon, Row, cross, difference_rows, dot, opposite, rows_of

FAR = 10**7
Interval = tuple[Number, Number]
FAN = 24  # directions between two neighbours of the eight main ones, at first
Shot = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]  # a tip and a direction of length 1


def exact(number: Fraction) -> Number:
    return fmpq(number.numerator, number.denominator)


def plain(number: Number) -> Fraction:
    return Fraction(int(number.p), int(number.q))


class Lines:
    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._rows = functools.lru_cache(maxsize=256)(self._forbidden_rows)

    def _forbidden_rows(self, u: Vector) -> list[list[Row]]:
        """For each obstacle, the half-planes of the tips from which the piece overlaps it; u has an integer length,
        so that the core of the piece is the piece."""
        cone = Cone(u, u)
        core = self.scene.core(cone)
        off_table = [[opposite(self.scene.on_table(cone, side))] for side in self.scene.table]
        return off_table + [difference_rows(shape, core) for shape in self.scene.obstacles.values()]

    def shots(self, u: Vector, anchor: Point) -> Iterator[Shot]:
        """Places for the piece on the line through the anchor from which it may attack, the nearest first."""
        length = math.isqrt(dot(u, u))
        way = (fmpq(u[0], length), fmpq(u[1], length))
        entry, leaving = _stretch(rows_of(self.scene.defender), anchor, way)
        if entry >= leaving:
            return
        low = max([entry - self.scene.farthest, *self._walls_before(anchor, way, entry)])
        taken = (_stretch(rows, anchor, way) for rows in self._rows(u))
        for start, end in _free(low, entry, [(a, b) for a, b in taken if a < b]):
            for at in _choices(start, end):
                tip = plain(anchor[0] + at * way[0]), plain(anchor[1] + at * way[1])
                yield tip, (plain(way[0]), plain(way[1]))

    def _walls_before(self, anchor: Point, way: Point, entry: Number) -> Iterator[Number]:
        """Where the line leaves the walls that it crosses before it reaches the defender."""
        for shape in self.scene.blockers.values():
            start, end = _stretch(rows_of(shape), anchor, way)
            if start < end <= entry:
                yield end

    # -- Which lines ------------------------------------------------------------------------------------------

    def all_shots(self, position: Position) -> Iterator[Shot]:
        for u in self.directions(position):
            yield from self.along(u)

    def along(self, u: Vector) -> Iterator[Shot]:
        """Shots in one direction, through every anchor."""
        for anchor in self._anchors(u):
            yield from self.shots(u, anchor)

    def directions(self, position: Position) -> Iterator[Vector]:
        """The directions along the sides of pieces first, then an ever finer fan."""
        seen: set[Vector] = set()
        along = [whole(piece.direction) for piece in position.pieces]
        fan = (v for step in (4, 12, FAN) for v in _fan(step))
        for way in (*along, *fan):
            for turned in quarters(way):
                if turned not in seen:
                    seen.add(turned)
                    yield turned

    def _anchors(self, u: Vector) -> Iterator[Point]:
        """Corners within the defender's width, seen in this direction, and points halfway between neighbours."""
        low, high = _extent(u, self.scene.defender)
        shapes = [*self.scene.blockers.values(), *self.scene.obstacles.values()]
        corners = {cross(u, v): v for shape in shapes for v in shape}
        held = sorted((at, v) for at, v in corners.items() if low <= at <= high)
        for (_, p), (_, q) in pairwise(held):
            yield (p[0] + q[0]) / 2, (p[1] + q[1]) / 2
        yield from (v for _, v in held)

    def within(self, cell: Cell) -> Iterator[Shot]:
        """Shots through the middle of a cell, in about the middle of its cone."""
        count = len(cell.tips)
        middle = sum(p[0] for p in cell.tips) / count, sum(p[1] for p in cell.tips) / count
        for u in near_middle(cell.cone):
            yield from self.shots(u, middle)


def _stretch(rows: list[Row], anchor: Point, way: Point) -> Interval:
    """The interval in which the line is inside all half-planes; (0, 0) if there is none."""
    low, high = fmpq(-FAR), fmpq(FAR)
    for a, b, c in rows:
        slope, here = a * way[0] + b * way[1], a * anchor[0] + b * anchor[1] + c
        if slope == 0:
            if here <= 0:
                return fmpq(0), fmpq(0)
        elif slope > 0:
            low = max(low, -here / slope)
        else:
            high = min(high, -here / slope)
    return low, high


def _free(low: Number, high: Number, taken: list[Interval]) -> list[Interval]:
    """The closed intervals left free by the open ones, the highest first."""
    free, at = [], low
    for start, end in sorted(taken):
        if start > high:
            break
        if start >= at:
            free.append((at, start))
        at = max(at, end)
    if at <= high:
        free.append((at, high))
    return free[::-1]


def _choices(start: Number, end: Number) -> Iterator[Number]:
    if start == end:
        yield start
        return
    yield exact(simplest(plain(start + (end - start) * 7 / 8), plain(end)))
    yield exact(simplest(plain(start + (end - start) / 8), plain(end - (end - start) / 8)))
    yield end
    yield start


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction with the smallest denominator strictly between two."""
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return Fraction(whole + 1)
    if low == whole:
        return whole + Fraction(1, math.floor(1 / (high - whole)) + 1)
    return whole + 1 / simplest(1 / (high - whole), 1 / (low - whole))


def quarters(u: Vector) -> tuple[Vector, ...]:
    """A direction and those at right angles to it."""
    x, y = u
    return (x, y), (-y, x), (-x, -y), (y, -x)


def whole(direction: tuple[Fraction, Fraction]) -> Vector:
    """The same direction in integers, with an integer length."""
    scale = math.lcm(direction[0].denominator, direction[1].denominator)
    return int(direction[0] * scale), int(direction[1] * scale)


def _fan(step: int) -> Iterator[Vector]:
    """Directions of whole length in the first quarter."""
    for k in range(step):
        yield _pythagorean(k, step)


def _pythagorean(k: int, n: int) -> Vector:
    """The direction whose half angle has the tangent k/n."""
    x, y = n * n - k * k, 2 * n * k
    shared = math.gcd(x, y)
    return x // shared, y // shared


def near_middle(cone: Cone) -> Iterator[Vector]:
    """A simple direction of integer length inside a cone; its end, if it has only one, of integer length."""
    if cone.first == cone.last:
        if math.isqrt(dot(cone.first, cone.first)) ** 2 == dot(cone.first, cone.first):
            yield cone.first
        return
    first, last = (math.atan2(u[1], u[0]) for u in cone.ends)
    if last < first:
        last += 2 * math.pi
    quarter = math.floor((first + last) / math.pi)  # the middle lies so many quarters from east
    turn = quarter * math.pi / 2
    low, high = (math.tan((a - turn) / 2) for a in (first, last))
    third = (high - low) / 3
    half = simplest(Fraction(low + third), Fraction(high - third))
    x, y = _pythagorean(half.numerator, half.denominator)
    for _ in range(quarter % 4):
        x, y = -y, x
    yield x, y


def _extent(u: Vector, shape: Polygon) -> tuple[Number, Number]:
    sides = [cross(u, v) for v in shape]
    return min(sides), max(sides)
