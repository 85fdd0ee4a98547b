"""Nest race as constraints: the two boards as points with whole coordinates.

A square is a point whose sides lie one off along an axis, and its corners one off along both of its axes; the next
square along the ruling is two off. The square board has two axes. The hexagon has six, from its centre to the middles
of its sides, and each kite lies between two of them: the square (u, v) is at 2u - 1 on the first and at 2v - 1 on the
second. So a seam is where all coordinates but one are 0, and what squares share is what their sides or corners have in
common, on either board and across seams.

Glossary: p, q points; s, m, t squares by their number; c a player.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import ClassVar

from rulecheck.games.nestrace import Params
from rulecheck.games.nestrace.boards import COMPASS, Hexagon
from rulecheck.model import Readings

Point = tuple[int, ...]


def moved(p: Point, q: Point, factor: int = 1) -> Point:
    return tuple(a + factor * b for a, b in zip(p, q, strict=True))


def along(p: Point, q: Point) -> int:
    """How far p lies in the direction of q."""
    return sum(a * b for a, b in zip(p, q, strict=True))


class Plan:
    """A board: its points, the direction of each side, and what NR-03, NR-14 and NR-15 call adjacent and behind."""

    points: list[Point]
    sides: ClassVar[dict[str, Point]]  # the outward direction of each, clockwise from the north

    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings
        self.squares = range(len(params.squares))

    def opposite(self, side: str) -> str:
        names = list(self.sides)
        return names[names.index(side) - len(names) // 2]

    def line(self, side: str) -> list[int]:
        """The squares furthest out on that side, from its low end."""
        out = [along(p, self.sides[side]) for p in self.points]
        furthest = [s for s in self.squares if out[s] == max(out)]
        return sorted(furthest, key=lambda s: along(self.points[s], self.upward(side)))

    def upward(self, side: str) -> Point:
        """The direction in which the squares of that line are counted."""
        raise NotImplementedError

    def heights(self, finish: str) -> list[int | Fraction]:
        """How far forward each square is for a player with that finish line."""
        raise NotImplementedError

    def brink(self, finish: str) -> list[int]:
        """Row 7 of the sheet."""
        raise NotImplementedError

    # -- What squares share --------------------------------------------------------------------------------------

    @functools.cached_property
    def units(self) -> list[Point]:
        axes = range(len(self.points[0]))
        return [tuple(int(axis == n) for n in axes) for axis in axes]

    def _off(self, p: Point) -> list[list[Point]]:
        """One step to and fro along each axis of a square."""
        return [[unit, moved(unit, unit, -2)] for a, unit in zip(p, self.units, strict=True) if a]

    def edges(self, s: int) -> set[Point]:
        p = self.points[s]
        return {moved(p, way) for ways in self._off(p) for way in ways}

    def corners(self, s: int) -> set[Point]:
        p = self.points[s]
        return {moved(moved(p, one), other) for one, other in product(*self._off(p))}

    @functools.cached_property
    def meets(self) -> dict[tuple[int, int], tuple[Point, bool]]:
        """For neighbours: the middle of their edge, or the corner if they share no more; and whether it is an edge."""
        edges, corners = list(map(self.edges, self.squares)), list(map(self.corners, self.squares))
        found = {}
        for s, t in product(self.squares, repeat=2):
            if s != t and (edges[s] & edges[t] or corners[s] & corners[t]):
                straight = bool(edges[s] & edges[t])
                (q, *_) = edges[s] & edges[t] if straight else corners[s] & corners[t]
                if straight or self._is_joint(q, s, t):
                    found[s, t] = (q, straight)
        return found

    def _is_joint(self, q: Point, s: int, t: int) -> bool:
        """NR-47, readings seam and centre: are squares neighbours that share this corner alone?"""
        if not any(q):
            wanted = self.readings["centre"]
            return wanted == "touching" or (wanted == "opposite" and self.is_across(s, t))
        on_seam = sum(map(bool, q)) == 1
        return not on_seam or self.readings["seam"] == "ruled"

    def is_across(self, s: int, t: int) -> bool:
        """Straight across the centre."""
        p, half = self.points[s], len(self.points[s]) // 2
        return self.points[t] == p[half:] + p[:half]

    def is_bent(self, s: int, m: int) -> bool:
        """The line from s to m leaves the kite, other than straight across the centre."""
        if not any(self.meets[s, m][0]):
            return not self.is_across(s, m)
        axes = [[a > 0 for a in self.points[n]] for n in (s, m)]
        return axes[0] != axes[1]

    @functools.cached_property
    def jumps(self) -> dict[tuple[int, int], int]:
        """From where to where a jump leads, and over which square; no two lead over different ones."""
        found = {}
        for (s, m), (q, straight) in self.meets.items():
            beyond = moved(moved(self.points[m], self.points[m]), q, -1)
            for t in self.squares:
                if self.meets.get((m, t)) == (beyond, straight) and self._leads_on(s, m, t):
                    found[s, t] = m
        return found

    def _leads_on(self, s: int, m: int, t: int) -> bool:
        """NR-47, reading behind: does the line from s over m lead to t?"""
        halves = [(s, m), (m, t)]
        if self.readings["behind"] == "straight":
            return not any(self.is_bent(*half) for half in halves)
        askew = [half for half in halves if not any(self.meets[half][0]) and not self.is_across(*half)]
        return self.readings["behind"] == "fan" or not askew


class SquarePlan(Plan):
    """NR-03."""

    sides: ClassVar = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}

    def __init__(self, params: Params, readings: Readings) -> None:
        super().__init__(params, readings)
        self.points = [(2 * column - 1, 2 * row - 1) for column, row in params.places]

    def upward(self, side: str) -> Point:
        return {"north": (1, 0), "south": (1, 0)}.get(side, (0, 1))

    def heights(self, finish: str) -> list[int | Fraction]:
        return [along(p, self.sides[finish]) for p in self.points]

    def brink(self, finish: str) -> list[int]:
        heights = self.heights(finish)
        return [s for s in self.squares if heights[s] == max(heights) - 2]


class HexagonPlan(Plan):
    """NR-45, NR-46."""

    sides: ClassVar = {side: tuple(int(other == side) for other in COMPASS) for side in COMPASS}

    def __init__(self, params: Params, readings: Readings) -> None:
        super().__init__(params, readings)
        assert isinstance(params.grid, Hexagon)
        self.points = list(self._places(params.grid))

    def _places(self, grid: Hexagon) -> Iterator[Point]:
        for kite, u, v in grid.places:
            ends = {kite: 2 * u - 1, (kite + 1) % 6: 2 * v - 1}
            yield tuple(ends.get(axis, 0) for axis in range(6))

    def upward(self, side: str) -> Point:
        axis = list(self.sides).index(side)
        return tuple({(axis + 1) % 6: 1, (axis - 1) % 6: -1}.get(n, 0) for n in range(6))

    def brink(self, finish: str) -> list[int]:
        return [s for s in self.squares if self._steps(finish)[s] == 1]

    def heights(self, finish: str) -> list[int | Fraction]:
        """NR-13, reading forward."""
        if self.readings["forward"] == "steps":
            return [-n for n in self._steps(finish)]
        return [self._rise(p, finish) for p in self.points]

    @functools.cache  # noqa: B019 (a plan lives as long as its game)
    def _steps(self, finish: str) -> list[int]:
        """The least number of steps that lead to that line."""
        within = [set(self.line(finish))]
        while len(within[-1]) < len(self.squares):
            within.append(within[-1] | {s for s, t in self.meets if t in within[-1]})
        return [sum(s not in squares for squares in within) for s in self.squares]

    def _rise(self, p: Point, finish: str) -> Fraction:
        """The height of a square's centre towards the middle of that side, which is at 1.

        In a kite between the middles X and Y of two sides, with its outer corner at 2/3 (X + Y), lines through points
        that divide opposite edges alike meet at a (1 - b/3) X + b (1 - a/3) Y.
        """
        axis, most = list(self.sides).index(finish), self.params.core + 2
        cosine = [Fraction(n, 2) for n in (2, 1, -1, -2, -1, 1)]
        (first, a), (second, b) = [(n, Fraction(at, most)) for n, at in enumerate(p) if at]
        return a * (1 - b / 3) * cosine[first - axis] + b * (1 - a / 3) * cosine[second - axis]


def plan_of(params: Params, readings: Readings) -> Plan:
    return (SquarePlan if params.board == "square" else HexagonPlan)(params, readings)
