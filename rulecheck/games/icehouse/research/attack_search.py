"""Icehouse: divides all placements of an attacker into cells until each has a reason why it cannot attack.

The result is a tree that `certificate` checks. Cells without a reason are probed for an attack; if there is none and
they have become tiny, or too many, nothing is proved.
"""

from __future__ import annotations

import functools
import math
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from rulecheck.games.icehouse.research.certificate_cells import (
    EIGHTHS,
    Cell,
    Cone,
    Scene,
    Thing,
    Vector,
)
from solvers.planar import (
    Number,
    Point,
    Polygon,
    Row,
    clip_all,
    common,
    cross,
    difference_rows,
    dot,
    double_area,
    minus,
)

Tree = dict[str, Any]
Chain = tuple[list[Thing], list[list[Point]]]  # walls, and the points of them that `Scene.shields` wants
TINY_TURN, TINY_WAY = 2e-4, 2e-3  # cells smaller than this in both are given up
NARROW = 0.05  # cones narrower than this are parted from directions along walls
WORTH_CUTTING = 0.02  # of a cell's size


class OutOfBudget(Exception):
    """More cells than allowed."""


class Search:
    """`probe` is called with cells that resist; it raises to end the search when it finds an attack there."""

    def __init__(self, scene: Scene, budget: int, probe: Callable[[Cell], None]) -> None:
        self.scene, self.budget, self.probe = scene, budget, probe
        self.cells, self.stuck = 0, 0
        self.wide = math.atan2(scene.base, 2 * scene.height)
        names = list(scene.blockers)
        shapes = scene.blockers
        self.joints = {
            (m, n): joint for m in names for n in names if m != n and (joint := common(shapes[m], shapes[n]))
        }
        self.next_to = {n: self._neighbours(n) for n in names}
        self.rows = functools.lru_cache(maxsize=4096)(self._rows)
        self.special = frozenset(v for shape in (scene.defender, *shapes.values()) for v in _side_directions(shape))

    def _neighbours(self, wall: Thing) -> list[Thing]:
        """The walls that it joins; those that share only a corner, which may let a line through, come last."""
        return sorted((m for n, m in self.joints if n == wall), key=lambda m: -len(self.joints[wall, m]))

    def prove(self) -> Tree | None:
        """A proof that no placement attacks, or None if some cells were given up."""
        trees = [self._tree(Cell(self.scene.all_tips(), cone)) for cone in EIGHTHS]
        return None if self.stuck else {"cones": trees}

    def _tree(self, root: Cell) -> Tree:
        """Breadth first, filling in the parts of each cell as they are settled."""
        top: Tree = {}
        waiting: deque[tuple[Cell, Tree]] = deque([(root, top)])
        while waiting:
            cell, tree = waiting.popleft()
            self.cells += 1
            if self.cells > self.budget:
                raise OutOfBudget
            node, parts = self._step(cell)
            tree.update(node)
            if parts:
                tree["parts"] = [{} for _ in parts]
                waiting.extend(zip(parts, tree["parts"], strict=True))
        return top

    def _step(self, cell: Cell) -> tuple[Tree, list[Cell]]:
        reason = self._reason(cell)
        if reason is not None:
            return reason, []
        if _angle(cell.cone) > self.wide:  # the piece covers too little in all directions of the cone
            return self._turned(cell, _middle(cell.cone))
        thing = self._worth_cutting(cell)
        if thing is not None:
            parts = [Cell(part, cell.cone) for part in self.scene.outside(cell, thing)]
            return {"apart": thing, "parts": []}, parts
        self.probe(cell)
        return self._divided(cell)

    # -- Reasons ----------------------------------------------------------------------------------------------

    def _reason(self, cell: Cell) -> Tree | None:
        if self.scene.missed(cell):
            return {"why": "missed"}
        if self.scene.far(cell):
            return {"why": "far"}
        return self._shield(cell)

    def _shield(self, cell: Cell) -> Tree | None:
        for zone, joint_zone in self._zones(cell):
            walls = {n: part for n, shape in self.scene.blockers.items() if (part := clip_all(shape, zone))}
            for path, points in self._chains(cell, joint_zone, walls):
                if self.scene.shields(cell, path, points):
                    return {"why": "shield", "walls": path, "points": [[_texts(x) for x in j] for j in points]}
        return None

    def _chains(self, cell: Cell, zone: list[Row], walls: dict[Thing, Polygon]) -> Iterator[Chain]:
        """Chains that the line must pass; if touching counts, also those that it may pass at their very ends."""
        for touching in (False, True) if self.scene.graze == "closed" else (False,):
            starts, ends = (self._ends(cell, walls, side, touching) for side in (-1, 1))
            for path, joints in self._paths(zone, walls, starts, ends):
                yield path, [[starts[path[0]]], *joints, [ends[path[-1]]]]

    def _zones(self, cell: Cell) -> Iterator[tuple[list[Row], list[Row]]]:
        """Half-planes of points ahead of every tip and, in two ways, not behind the defender; the second for joints."""
        front = [(u[0], u[1], -max(dot(u, p) for p in cell.tips)) for u in cell.cone.ends]
        backs = self.scene.backs(cell.cone)
        yield front + backs, front + [(a, b, c - _small(a, b)) for a, b, c in backs]
        near = front + [(-u[0], -u[1], min(dot(u, v) for v in self.scene.defender)) for u in cell.cone.ends]
        yield near, near

    def _ends(self, cell: Cell, walls: dict[Thing, Polygon], side: int, touching: bool) -> dict[Thing, Point]:
        """For each wall at which a chain can end on this side (-1 is left) the point of it that is furthest ahead."""
        so = cell.never_negative if touching else cell.positive
        least = 1 if self.scene.graze == "closed" and not touching else 0
        furthest = {}
        for wall, part in walls.items():
            margins = ((x, cell.left(x) if side < 0 else cell.right(x)) for x in part)
            fit = [x for x, margin in margins if so(margin) or self.scene.beside(cell.cone, x, side, least)]
            if fit:
                furthest[wall] = max(fit, key=lambda x: min(cell.ahead(x)))
        return furthest

    def _paths(
        self, zone: list[Row], walls: dict[Thing, Polygon], starts: dict[Thing, Point], ends: dict[Thing, Point]
    ) -> Iterator[Chain]:
        """From each wall that reaches the left end to those that reach the right end, through joints, nearest first."""
        for start in starts:
            before: dict[Thing, tuple[Thing, list[Point]] | None] = {start: None}
            waiting = deque([start])
            while waiting:
                wall = waiting.popleft()
                if wall in ends:
                    yield _path_to(wall, before)
                    continue
                for other in self.next_to[wall]:
                    if other in walls and other not in before:
                        joint = clip_all(self.joints[wall, other], zone)
                        if joint:
                            before[other] = wall, list(joint)
                            waiting.append(other)

    # -- Cutting and dividing ---------------------------------------------------------------------------------

    def _rows(self, cone: Cone, thing: Thing) -> list[Row]:
        """The half-planes whose common part is cut away."""
        if isinstance(thing, str) and thing in self.scene.table:
            a, b, c = self.scene.on_table(cone, thing)
            return [(-a, -b, -c)]
        return difference_rows(self.scene.obstacles[thing], self.scene.core(cone))

    def _worth_cutting(self, cell: Cell) -> Thing | None:
        """The thing whose cut takes most of the cell away."""
        size = _area if _area(cell.tips) else _length
        whole = size(cell.tips)
        best: tuple[float, Thing] | None = None
        for thing in (*self.scene.table, *self.scene.obstacles):
            inner = clip_all(cell.tips, self.rows(cell.cone, thing))
            if not inner:
                continue
            share = size(inner) / whole if whole else 1.0
            if size is _length and share > WORTH_CUTTING and not self._shortens(cell, thing):
                continue
            if share > WORTH_CUTTING and (best is None or share > best[0]):
                best = share, thing
        return None if best is None else best[1]

    def _shortens(self, cell: Cell, thing: Thing) -> bool:
        """Does the cut shorten a thin cell? It may lie along the edge of the part cut away."""
        return max(map(_length, self.scene.outside(cell, thing)), default=-1.0) < _length(cell.tips)

    def _divided(self, cell: Cell) -> tuple[Tree, list[Cell]]:
        turn = _angle(cell.cone)
        at = _middle(cell.cone)
        along, aside = _extents(cell.tips, at)
        if turn < TINY_TURN and max(along, aside) < TINY_WAY:
            self.stuck += 1
            return {"why": "unknown"}, []
        if turn * (self.scene.height + 20) >= max(aside, along / 4) and turn >= TINY_TURN / 4:
            return self._turned(cell, at)
        way = (at[0], at[1]) if aside * 3 >= along else (-at[1], at[0])
        return _cut_in_two(cell, way)

    def _turned(self, cell: Cell, at: Vector) -> tuple[Tree, list[Cell]]:
        """Split the cone at a direction along a side of some piece near the middle, else about in the middle."""
        inside = sorted(v for v in self.special if cell.cone.holds_inside(v))
        ends = [v for v in cell.cone.ends if v in self.special and cell.cone.has_end(v)]
        if self.scene.graze != "seam" or _angle(cell.cone) < NARROW:  # a line along a wall is a case of its own
            apart = min(inside + ends, key=lambda v: _between(v, at), default=None)
            if apart is not None:
                return {"turn_at": list(apart)}, [Cell(cell.tips, cone) for cone in cell.cone.split_around(apart)]
        nearest = min(inside, key=lambda v: _between(v, at), default=at)
        if _between(nearest, at) < _angle(cell.cone) / 4:
            at = nearest
        return {"turn": list(at)}, [Cell(cell.tips, cone) for cone in cell.cone.split(at)]


def _path_to(wall: Thing, before: dict[Thing, tuple[Thing, list[Point]] | None]) -> Chain:
    path, joints = [wall], []
    while (step := before[path[-1]]) is not None:
        path.append(step[0])
        joints.append(step[1])
    return path[::-1], joints[::-1]


def _texts(point: Point) -> list[str]:
    return [str(point[0]), str(point[1])]


def _small(a: Number, b: Number) -> Number:
    """A sixty-fourth of a unit, times no more than the length of the normal."""
    return max(abs(a), abs(b)) / 64


def _side_directions(shape: Polygon) -> Iterator[Vector]:
    """The directions of its sides, both ways, as whole numbers, if these are not huge."""
    for p, q in zip(shape, (*shape[1:], shape[0]), strict=True):
        x, y = minus(q, p)
        scale = math.lcm(int(x.q), int(y.q))
        a, b = int(x.p) * scale // int(x.q), int(y.p) * scale // int(y.q)
        shared = math.gcd(a, b)
        a, b = a // shared, b // shared
        if max(abs(a), abs(b)) < 10**6:
            yield a, b
            yield -a, -b


def _angle(cone: Cone) -> float:
    return _between(cone.first, cone.last)


def _between(u: Vector, v: Vector) -> float:
    return abs(math.atan2(cross(u, v), dot(u, v)))


def _middle(cone: Cone) -> Vector:
    """A direction of whole numbers, not larger than needed, near the middle of a cone; the only one if it has one."""
    if cone.first == cone.last:
        return cone.first
    ways = [(x / math.hypot(x, y), y / math.hypot(x, y)) for x, y in cone.ends]
    x, y = ways[0][0] + ways[1][0], ways[0][1] + ways[1][1]
    scale = 2.0
    while True:
        at = round(x * scale), round(y * scale)
        if cone.holds_inside(at) and min(_between(at, u) for u in cone.ends) > _angle(cone) / 3:
            return at
        scale *= 1.5


def _area(tips: Polygon) -> float:
    return float(double_area(tips)) / 2


def _length(tips: Polygon) -> float:
    """Of a thin polygon."""
    return max(math.hypot(*map(float, minus(p, q))) for p in tips for q in tips)


def _extents(tips: Polygon, u: Vector) -> tuple[float, float]:
    """The lengths of a polygon along a direction and across it."""
    length = math.hypot(*u)
    along, aside = [dot(u, p) for p in tips], [cross(u, p) for p in tips]
    return float(max(along) - min(along)) / length, float(max(aside) - min(aside)) / length


def _cut_in_two(cell: Cell, way: Vector) -> tuple[Tree, list[Cell]]:
    """Cut by a line in this direction, about through the middle."""
    sides = [cross(way, p) for p in cell.tips]
    middle = (min(sides) + max(sides)) / 2
    rounded = type(middle)(round(float(middle) * 64), 64)
    at = rounded if min(sides) < rounded < max(sides) else middle
    row: Row = (type(at)(-way[1]), type(at)(way[0]), -at)
    parts = [clip_all(cell.tips, [r]) for r in (row, (-row[0], -row[1], -row[2]))]
    return {"line": [str(x) for x in row]}, [Cell(part, cell.cone) for part in parts if part]
