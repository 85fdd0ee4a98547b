"""Nest race: the squares of its two boards, their names and their lines; no rules.

The square board is a chessboard whose side is the core and a line on either side of it, with cut corners. The hexagon
is cut from its centre to the middles of its sides into six kites, each ruled into squares, and loses its corners
likewise; the figure that showed it is lost, so this one is a conjecture. What lies next to what is a rule.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from string import ascii_lowercase

COMPASS = ("north", "north-east", "south-east", "south", "south-west", "north-west")  # clockwise
KITES = "abcdef"  # clockwise: a lies between the middles of the sides north and north-east
OPPOSITE = {"west": "east", "east": "west", **{side: COMPASS[n - 3] for n, side in enumerate(COMPASS)}}


@dataclass(frozen=True)
class Squared:
    """Board order is row by row from the south, each row from west to east."""

    core: int
    width: int
    sides = ("south", "north", "west", "east")

    @functools.cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """(column, row) of every square in board order, both counted from 1."""
        last, cut = self.core + 2, (self.core - self.width) // 2 + 1
        ends, inner, line = (1, last), range(2, last), range(1 + cut, last - cut + 1)
        return tuple(
            (column, row)
            for row in range(1, last + 1)
            for column in range(1, last + 1)
            if (column in inner and row in inner)
            or (column in line and row in ends)
            or (row in line and column in ends)
        )

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{ascii_lowercase[column - 1]}{row}" for column, row in self.places)

    @property
    def with_corners(self) -> frozenset[str]:
        sides = range(1, self.core + 3)
        return frozenset(f"{ascii_lowercase[column - 1]}{row}" for column, row in product(sides, sides))

    def edge(self, side: str) -> tuple[int, ...]:
        """The line of squares on that side, from its low end (west or south)."""
        axis, last = int(side in ("south", "north")), self.core + 2
        outermost = 1 if side in ("south", "west") else last
        return tuple(at for at, place in enumerate(self.places) if place[axis] == outermost)


@dataclass(frozen=True)
class Hexagon:
    """Board order is by kite; in each kite u, then v, which count from the centre towards its two sides."""

    core: int
    width: int
    sides = COMPASS

    @property
    def height(self) -> int:
        """How many squares a kite is high and wide: half of what a file of the square board has."""
        return self.core // 2 + 1

    @functools.cached_property
    def places(self) -> tuple[tuple[int, int, int], ...]:
        """(kite, u, v) of every square in board order; kites are counted from 0.

        In the kite between the middles of two sides u counts towards the middle of the first of them clockwise, v
        towards the middle of the second; (1, 1) touches the centre.
        """
        h, half = self.height, self.width // 2
        inner, line = range(1, h), range(1, half + 1)
        ruled = [
            (u, v)
            for u, v in product(range(1, h + 1), repeat=2)
            if (u in inner and v in inner) or (u == h and v in line) or (v == h and u in line)
        ]
        return tuple((kite, u, v) for kite in range(len(KITES)) for u, v in ruled)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{KITES[kite]}{u}{v}" for kite, u, v in self.places)

    @property
    def with_corners(self) -> frozenset[str]:
        sides = range(1, self.height + 1)
        return frozenset(f"{kite}{u}{v}" for kite, u, v in product(KITES, sides, sides))

    def edge(self, side: str) -> tuple[int, ...]:
        """The line of squares on that side, clockwise: its low end is where it begins going clockwise."""
        after = COMPASS.index(side)
        before, h, line = (after - 1) % len(KITES), self.height, range(1, self.width // 2 + 1)
        number: Mapping[tuple[int, int, int], int] = {place: at for at, place in enumerate(self.places)}
        return tuple(
            [number[before, u, h] for u in reversed(line)] + [number[after, h, v] for v in line],
        )
