"""Icehouse: why no attacker of a cell of placements attacks a defender; every reason is checked exactly.

A placement is a tip and a direction. A cell is a convex polygon of tips together with a cone of directions, so a reason
that is linear in the tip and in the direction holds in the whole cell if it holds at the polygon's corners for the two
ends of the cone. The reasons, each sound on its own (docs/explanations/fortresses.md has the arguments):

| reason | why no placement of the cell attacks |
|---|---|
| missed | the defender lies beside or behind every line of the cell |
| far    | every tip (every body, if that is measured) is out of range |
| shield | every line that could cross the defender meets a chain of touching walls first |
| apart  | tips from which the piece would overlap a thing or leave the table are cut away, others see to the rest |

Glossary: p a tip, u a direction (whole numbers, not of length 1), core the points that the piece covers for every
direction of a cone if its tip lies at the origin.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import isqrt

from rulecheck.games.icehouse.pieces import BASE, HEIGHT, Params, Piece, Position
from rulecheck.model import Readings
from solvers.planar import (
    Number,
    Point,
    Polygon,
    Row,
    clip,
    clip_all,
    covers,
    cross,
    difference_rows,
    dot,
    hull,
    minus,
    opposite,
    plus,
    rows_of,
    share_area,
    squared_gap,
    value,
)

Vector = tuple[int, int]
Thing = int | str  # the number of a piece, counted from 1, or "pad A", or a side of the table
SIDES: dict[str, Vector] = {"left": (1, 0), "bottom": (0, 1), "right": (-1, 0), "top": (0, -1)}
FINE = 1 << 12  # lengths of directions are bounded to one part in this
ROUND: tuple[Vector, ...] = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
Exact = Callable[[Fraction], Number]
Joints = Sequence[Sequence[Point]]  # of a chain of walls: its left end, where each wall joins the next, its right end


# -- Directions ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cone:
    """The directions from one to another anticlockwise, less than half a turn; either end may be left out."""

    first: Vector
    last: Vector
    without_first: bool = False
    without_last: bool = False

    @property
    def ends(self) -> tuple[Vector, Vector]:
        return self.first, self.last

    def split(self, at: Vector) -> tuple[Cone, Cone]:
        return (
            Cone(self.first, at, without_first=self.without_first),
            Cone(at, self.last, without_last=self.without_last),
        )

    def split_around(self, at: Vector) -> tuple[Cone, ...]:
        """As `split`, but the direction itself is a part of its own; it may be an end of the cone."""
        before = Cone(self.first, at, without_first=self.without_first, without_last=True)
        after = Cone(at, self.last, without_first=True, without_last=self.without_last)
        if at == self.first:
            return Cone(at, at), after
        return (before, Cone(at, at)) if at == self.last else (before, Cone(at, at), after)

    def has_end(self, at: Vector) -> bool:
        """Is this one of its ends, and not all of it?"""
        ends = (self.first, self.without_first), (self.last, self.without_last)
        return self.first != self.last and (at, False) in ends

    def holds_inside(self, at: Vector) -> bool:
        return bool(cross(self.first, at) > 0 and cross(at, self.last) > 0)

    def bend(self) -> tuple[int, int]:
        """A fraction not above the cosine of half the angle: (1 + cos)/2 is the square of that cosine."""
        high = length_above(self.first) * length_above(self.last)
        return high + FINE * FINE * dot(self.first, self.last), 2 * high


EIGHTHS = tuple(Cone(u, v) for u, v in zip(ROUND, ROUND[1:] + ROUND[:1], strict=True))


def length_below(u: Vector) -> int:
    """FINE times the length of a direction, rounded down; exact if the length is whole."""
    return isqrt(dot(u, u) * FINE * FINE)


def length_above(u: Vector) -> int:
    low = length_below(u)
    return low if low * low == dot(u, u) * FINE * FINE else low + 1


# -- Cells --------------------------------------------------------------------------------------------------

Margins = tuple[Number, Number]  # the least value of something at either end of a cone, over all tips


@dataclass(frozen=True)
class Cell:
    """All placements with a tip in the polygon and a direction in the cone."""

    tips: Polygon
    cone: Cone

    def positive(self, margins: Margins) -> bool:
        """Above zero everywhere; an end that is left out need not be so if the other one is."""
        first, last = margins
        return bool(
            (first > 0 or (first == 0 and self.cone.without_first))
            and (last > 0 or (last == 0 and self.cone.without_last))
            and first + last > 0
        )

    def never_negative(self, margins: Margins) -> bool:
        return bool(margins[0] >= 0 and margins[1] >= 0)

    @functools.cached_property
    def _sides(self) -> list[tuple[Number, Number]]:
        """For either end: how far to the left of the origin tips lie, the least and the most."""
        sides = [[cross(u, p) for p in self.tips] for u in self.cone.ends]
        return [(min(s), max(s)) for s in sides]

    @functools.cached_property
    def _ways(self) -> list[tuple[Number, Number]]:
        ways = [[dot(u, p) for p in self.tips] for u in self.cone.ends]
        return [(min(w), max(w)) for w in ways]

    def left(self, x: Point) -> Margins:
        """How far a point lies to the left of the lines."""
        (u, v), (s, t) = self.cone.ends, self._sides
        return cross(u, x) - s[1], cross(v, x) - t[1]

    def right(self, x: Point) -> Margins:
        (u, v), (s, t) = self.cone.ends, self._sides
        return s[0] - cross(u, x), t[0] - cross(v, x)

    def ahead(self, x: Point) -> Margins:
        """How far a point lies ahead of the tips."""
        (u, v), (s, t) = self.cone.ends, self._ways
        return dot(u, x) - s[1], dot(v, x) - t[1]

    def behind(self, x: Point) -> Margins:
        (u, v), (s, t) = self.cone.ends, self._ways
        return s[0] - dot(u, x), t[0] - dot(v, x)


# -- What is on the table -----------------------------------------------------------------------------------


class Scene:
    """One defender, the size of an attacker, and all that may stop it, in numbers of one exact type."""

    def __init__(
        self, params: Params, readings: Readings, position: Position, target: int, pips: int, exact: Exact = Fraction
    ) -> None:
        self.readings, self.exact, self.target, self.pips = readings, exact, target, pips
        self.base, self.height = BASE[pips], HEIGHT[pips]
        self.graze = readings["graze"]
        pieces: dict[Thing, Polygon] = {n: self._shape(p) for n, p in enumerate(position.pieces, start=1)}
        pads: dict[Thing, Polygon] = {
            f"pad {k}": self._polygon(pad.corners) for k, pad in zip(params.colours, params.pads, strict=False)
        }
        self.defender = pieces[target]
        self.obstacles = pieces | (pads if readings["on_pad"] == "forbidden" else {})
        blockers = {n: shape for n, shape in pieces.items() if n != target}
        self.blockers = blockers | (pads if readings["pad_ray"] == "blocks" else {})
        self.apart_from_target = {n for n, shape in self.blockers.items() if not share_area(shape, self.defender)}
        self.table: dict[str, int] = {}  # how far each side lies from the origin, inwards
        if params.table is not None:
            area = params.table
            self.table = {"left": -area.left, "bottom": -area.bottom, "right": area.right, "top": area.top}

    def _shape(self, piece: Piece) -> Polygon:
        return self._polygon(piece.corners)

    def _polygon(self, corners: Iterable[tuple[Fraction, Fraction]]) -> Polygon:
        return tuple((self.exact(x), self.exact(y)) for x, y in corners)

    @property
    def squared_reach(self) -> Number:
        """IH-27, reading length."""
        four_times = 4 * self.height**2 + (self.base**2 if self.readings["length"] == "slant" else 0)
        return self.exact(Fraction(four_times, 4))

    @property
    def farthest(self) -> int:
        """No tip that is further than this from the defender attacks it, in any reading of distance and length."""
        reach = self.height + 4  # a slant is less than 4 longer
        return reach + self.height + self.base if self.readings["distance"] == "body" else reach

    def all_tips(self) -> Polygon:
        """A square beyond which every tip is out of range."""
        xs, ys = [x for x, _ in self.defender], [y for _, y in self.defender]
        low_x, high_x, low_y, high_y = (
            min(xs) - self.farthest,
            max(xs) + self.farthest,
            min(ys) - self.farthest,
            max(ys) + self.farthest,
        )
        return (low_x, low_y), (high_x, low_y), (high_x, high_y), (low_x, high_y)

    # -- What a piece covers ------------------------------------------------------------------------------

    def core(self, cone: Cone) -> Polygon:
        """Points that the piece covers for every direction of the cone, its tip at the origin."""
        bend, whole = cone.bend()
        wide = self.exact(Fraction(2 * self.height))
        rows: list[Row] = []
        for u in cone.ends:
            x, y = u
            # behind the tip by w it is not wider than w*base/height, and w is at most the height
            rows += [
                (-self.base * x + 2 * self.height * y, -self.base * y - 2 * self.height * x, 0),
                (-self.base * x - 2 * self.height * y, -self.base * y + 2 * self.height * x, 0),
                (FINE * whole * x, FINE * whole * y, self.height * length_below(u) * bend),
            ]
        return clip_all(((-wide, -wide), (wide, -wide), (wide, wide), (-wide, wide)), rows)

    def bounds(self, cone: Cone) -> Polygon:
        """Points among which the piece lies for every direction of the cone, its tip at the origin."""
        bend, whole = cone.bend()
        corners = [(self.exact(Fraction(0)), self.exact(Fraction(0)))]
        for u in cone.ends:
            x, y = u
            scale = self.exact(Fraction(FINE * whole, 2 * length_below(u) * bend))
            for side in (self.base, -self.base):
                back = -2 * self.height * x - side * y, -2 * self.height * y + side * x
                corners.append((back[0] * scale, back[1] * scale))
        return hull(corners)

    # -- Reasons ------------------------------------------------------------------------------------------

    def missed(self, cell: Cell) -> bool:
        """The defender is crossed by no line of the cell; touched neither, if that counts."""
        so = cell.positive if self.graze == "closed" else cell.never_negative
        return any(all(so(way(v)) for v in self.defender) for way in (cell.left, cell.right, cell.behind))

    def far(self, cell: Cell) -> bool:
        """IH-27: the nearest that a tip or a body of the cell comes to the defender is not near enough."""
        nearest = cell.tips
        if self.readings["distance"] == "body":
            nearest = hull(plus(p, x) for p in cell.tips for x in self.bounds(cell.cone))
        gap, reach = squared_gap(nearest, self.defender), self.squared_reach
        return bool(gap > reach or (gap == reach and self.readings["range"] == "strict"))

    def outside(self, cell: Cell, thing: Thing) -> list[Polygon]:
        """Convex parts that hold every tip of the cell from which the piece does not overlap a thing."""
        if isinstance(thing, str) and thing in SIDES:
            kept = clip(cell.tips, self.on_table(cell.cone, thing))
            return [kept] if kept else []
        parts, rest = [], cell.tips
        strict = self.readings["touching"] == "forbidden" and isinstance(thing, int)
        for row in difference_rows(self.obstacles[thing], self.core(cell.cone)):
            beyond = clip(rest, opposite(row))
            if beyond and not (strict and all(value(row, p) == 0 for p in beyond)):
                parts.append(beyond)
            rest = clip(rest, row)
            if not rest:
                break
        return parts

    def on_table(self, cone: Cone, side: str) -> Row:
        """IH-62: a half-plane of all tips from which the piece need not leave the table, whatever its direction."""
        x, y = SIDES[side]
        if self.readings["edge"] == "inside":
            return x, y, self.table[side] + min(dot((x, y), t) for t in self.core(cone))
        most, per = self._centroid_inwards(cone, (x, y))
        return 3 * per * x, 3 * per * y, 3 * per * self.table[side] + 2 * self.height * most

    def _centroid_inwards(self, cone: Cone, inwards: Vector) -> tuple[int, int]:
        """A fraction not below how far, in heights, the tip lies further out than the point `height` behind it."""
        ways = [(u, -dot(inwards, u)) for u in cone.ends]
        shares = [Fraction(way * FINE, length_below(u) if way > 0 else length_above(u)) for u, way in ways]
        bend, whole = cone.bend()
        most = max(shares) * Fraction(whole, bend) if max(shares) > 0 else max(shares)
        return most.numerator, most.denominator

    # -- Shields ------------------------------------------------------------------------------------------

    def shields(self, cell: Cell, walls: Sequence[Thing], points: Joints) -> bool:
        """Is the chain a shield? `points` holds its left end, the joint of each wall with the next, its right end."""
        if not walls or len(points) != len(walls) + 1 or not all(points) or not set(walls) <= self.blockers.keys():
            return False
        parts = [(*points[i], *points[i + 1]) for i in range(len(walls))]
        if not all(covers(self.blockers[wall], x) for wall, part in zip(walls, parts, strict=True) for x in part):
            return False
        if self.graze == "closed" and self._touched_ahead(cell, walls, points):
            return True
        return (
            self._before(cell.cone, walls, points)
            and self._ends(cell, points, cell.positive, 1 if self.graze == "closed" else 0)
            and all(self._ahead(cell, wall, part) for wall, part in zip(walls, parts, strict=True))
            and (self.graze != "open" or all(self._joined(cell, joint) for joint in points[1:-1]))
        )

    def _ends(self, cell: Cell, points: Joints, so: Callable[[Margins], bool], least: int) -> bool:
        """The line passes between the ends of the chain, or it misses the defender."""
        return any(so(cell.left(x)) or self.beside(cell.cone, x, -1, least) for x in points[0]) and any(
            so(cell.right(x)) or self.beside(cell.cone, x, 1, least) for x in points[-1]
        )

    def beside(self, cone: Cone, x: Point, side: int, least: int) -> bool:
        """Seen in every direction of the cone, no point of the defender is further left (-1) or right (1) than x; not
        even as far, if `least` is 1."""
        ways = [side * cross(u, minus(v, x)) for u in cone.ends for v in self.defender]
        return all(way > 0 or (way == 0 and least == 0) for way in ways)

    def _touched_ahead(self, cell: Cell, walls: Sequence[Thing], points: Joints) -> bool:
        """Reading closed: a wall that the line only touches is met too, if it lies ahead."""
        every = [x for joint in points for x in joint]
        backs = self.backs(cell.cone)
        before = self._all_before(cell.cone, points) or (
            set(walls) <= self.apart_from_target and all(value(row, x) > 0 for row in backs for x in every)
        )
        return (
            before
            and self._ends(cell, points, cell.never_negative, 0)
            and all(cell.positive(cell.ahead(x)) for x in every)
        )

    def _ahead(self, cell: Cell, wall: Thing, part: Sequence[Point]) -> bool:
        """Of two points of a wall between which the line passes, one is ahead of the tip and the other not behind it.

        A joint may lie at the tip itself, as no piece lies in its wall; but it may lie on a pad, if that is allowed.
        """
        ways = [cell.ahead(x) for x in part]
        if wall not in self.obstacles and not all(map(cell.positive, ways)):
            return False
        return all(map(cell.never_negative, ways)) and all(
            cell.positive((one[0] + other[0], one[1] + other[1]))
            for (x, one), (y, other) in combinations(zip(part, ways, strict=True), 2)
            if x != y
        )

    def _all_before(self, cone: Cone, points: Joints) -> bool:
        """All of the chain comes before all of the defender."""
        return all(
            max(dot(u, x) for joint in points for x in joint) <= min(dot(u, v) for v in self.defender)
            for u in cone.ends
        )

    def _before(self, cone: Cone, walls: Sequence[Thing], points: Joints) -> bool:
        """Where a line meets the chain, between two points of a wall or at a joint, it has not left the defender yet;
        so the wall, which does not overlap it, comes first."""
        if self._all_before(cone, points):
            return True
        if not set(walls) <= self.apart_from_target:
            return False
        for row in self.backs(cone):
            inside = [[value(row, x) for x in joint] for joint in points]
            if not all(s > 0 for joint in inside[1:-1] for s in joint) or min(inside[0] + inside[-1]) < 0:
                return False
            parts = [inside[i] + inside[i + 1] for i in range(len(walls))]
            if any(s == t == 0 for part in parts for s, t in combinations(part, 2)):
                return False
        return True

    def backs(self, cone: Cone) -> list[Row]:
        """The sides by which a line may leave the defender; those along which it may run too, if that counts."""
        left_out = (cone.without_first, cone.without_last)

        def may_leave(row: Row) -> bool:
            ways = [dot(row[:2], u) for u in cone.ends]
            along = (way == 0 and not out for way, out in zip(ways, left_out, strict=True))
            return min(ways) < 0 or (self.graze == "closed" and any(along))

        return [row for row in rows_of(self.defender) if may_leave(row)]

    def _joined(self, cell: Cell, joint: Sequence[Point]) -> bool:
        """Reading open: no line of the cell runs along the joint, so that it crosses one of the two walls."""
        if any(cell.positive(side(x)) for x in joint for side in (cell.left, cell.right)):
            return True
        ways = [minus(y, x) for x in joint for y in joint if x != y]
        return any(cell.positive((cross(cell.cone.first, way), cross(cell.cone.last, way))) for way in ways)
