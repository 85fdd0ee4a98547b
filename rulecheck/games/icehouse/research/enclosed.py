"""Icehouse: defenders whose whole outline lies against walls, so that no line can reach them; proved without search.

A line that gets inside a defender enters it at a point of its outline. Where a wall lies flush against that point and
extends to both sides of it, the line would cross the wall first, or the tip would lie in it. That leaves points where
two walls end. A line of no width may pass there: under graze=open it does; under graze=seam the walls pinch it; under
graze=closed it meets them no later than the defender. Beyond an edge of the table there is no room for an attacker if
nothing may stick out. `rulecheck fortress` covers defenders with room around them.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.engine_geometry import cross, dot, edges, minus
from rulecheck.games.icehouse.pieces import Point, Position

Side = tuple[Point, Point]


class Stretch(NamedTuple):
    """The part of a side that a wall covers, from 0 to 1 along the side; values beyond extend past its ends."""

    start: Fraction
    end: Fraction


BEYOND = Stretch(Fraction(-1), Fraction(2))  # nothing comes from beyond the edge of the table, round its corners either


def enclosed(engine: Engine, position: Position, d: int) -> str | None:
    """Why nothing can attack piece d, counted from 0; None if this kind of proof does not apply."""
    sides = list(edges(position.pieces[d].corners))
    walls = [sorted(_walls(engine, position, d, side)) for side in sides]
    if not all(_whole(stretches) for stretches in walls):
        return None
    ends = sum(_weak_ends(walls[n - 1], walls[n]) for n in range(len(walls))) + sum(map(_weak_joints, walls))
    if ends and engine.readings["graze"] == "open":
        return None
    held = f"walls meet at {ends} points of it, which graze={engine.readings['graze']} does not let a line through"
    return f"its whole outline lies against walls; {held if ends else 'and none of them ends there'}"


def _walls(engine: Engine, position: Position, d: int, side: Side) -> Iterator[Stretch]:
    """Sides of other pieces that lie along this one, turned to it, and edges of the table."""
    for n, piece in enumerate(position.pieces):
        if n != d:
            yield from filter(None, (_along(side, other) for other in edges(piece.corners)))
    table = engine.params.table
    limits = edges(table.corners) if table is not None and engine.readings["edge"] == "inside" else ()
    if any(_along(side, (q, p)) for p, q in limits):
        yield BEYOND


def _along(side: Side, other: Side) -> Stretch | None:
    """Corners go anticlockwise, so sides that lie against each other run in opposite directions."""
    (p, q), (r, s) = side, other
    way = minus(q, p)
    if cross(way, minus(r, p)) or cross(way, minus(s, p)) or dot(way, minus(s, r)) >= 0:
        return None
    length = dot(way, way)
    stretch = Stretch(dot(way, minus(s, p)) / length, dot(way, minus(r, p)) / length)
    return stretch if stretch.start < 1 and stretch.end > 0 else None


def _whole(walls: list[Stretch]) -> bool:
    reached = Fraction(0)
    for wall in walls:
        if wall.start > reached:
            return False
        reached = max(reached, wall.end)
    return reached >= 1


def _weak_ends(before: list[Stretch], after: list[Stretch]) -> int:
    """1 if at the corner between two sides no wall goes on past it."""
    return int(not any(wall.end > 1 for wall in before) and not any(wall.start < 0 for wall in after))


def _weak_joints(walls: list[Stretch]) -> int:
    """The points within a side where one wall ends and no other goes on."""
    inside = {wall.end for wall in walls if 0 < wall.end < 1}
    return sum(not any(wall.start < end < wall.end for wall in walls) for end in inside)
