"""Icehouse: random defenders shut in by walls; no rules. Some of the walls leave a gap.

A keep is built round the origin, then moved to its place. Its walls surround a square chamber like the arms of a
pinwheel: each lies against one side and projects past one end of it, where the next one meets it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from rulecheck.games.icehouse import common_area
from rulecheck.games.icehouse.pieces import BASE, EAST, HEIGHT, Piece, Point
from rulecheck.games.icehouse.sampling import QUARTERS

HALF = Fraction(1, 2)
SLANTED: tuple[Point, ...] = ((Fraction(3, 5), Fraction(4, 5)), (Fraction(4, 5), Fraction(3, 5)))
ROWS = {2: ((3, 3), (3, 2), (2, 2, 1)), 3: ((3, 3), (3, 2, 2), (3, 3, 1), (2, 2, 2), (3, 2))}  # along a chamber
WALL, TARGET = "W", "T"  # stand for colours that are given later


@dataclass(frozen=True)
class Keep:
    """`walls` shut in `target`; the `colour` of each piece names its part."""

    target: Piece
    walls: tuple[Piece, ...]

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return self.target, *self.walls

    def moved(self, turn: Point, shift: Point) -> Keep:
        return Keep(moved(self.target, turn, shift), tuple(moved(wall, turn, shift) for wall in self.walls))


def standing(part: str, pips: int, x: Fraction, y: Fraction) -> Piece:
    return Piece(part, pips, False, (x, y), EAST, part)


def moved(piece: Piece, turn: Point, shift: Point) -> Piece:
    """Turned about the origin, then shifted."""
    (x, y), (dx, dy), (c, s) = piece.point, piece.direction, turn
    dx, dy = dx * c - dy * s, dx * s + dy * c
    while not piece.lying and not (dx > 0 and dy >= 0):
        dx, dy = -dy, dx
    return replace(piece, point=(x * c - y * s + shift[0], x * s + y * c + shift[1]), direction=(dx, dy))


def quarter(k: int) -> Point:
    x, y = QUARTERS[k % 4]
    return Fraction(x), Fraction(y)


def wall(side: int, chamber: int, pips: int, lying: bool, away: Fraction, along: Fraction, hand: int) -> Piece:
    """Against one side of the chamber, pulled away from it and slid along it; a lying piece turns its base to it."""
    face = Fraction(chamber, 2) + away
    shift = hand * (Fraction(BASE[pips] - chamber, 2) + along)
    x = face + (HEIGHT[pips] if lying else BASE[pips] * HALF)
    flat = Piece(WALL, pips, lying, (x, shift), EAST, WALL)
    return moved(flat, quarter(side), (Fraction(0), Fraction(0)))


def pinwheel(rng: random.Random, pips: int) -> Keep:
    """Round a chamber not much larger than the defender; up to two walls are out of their place."""
    chamber = rng.choice([BASE[pips], BASE[pips], *range(BASE[pips], BASE[3])])
    sizes = [size for size in (2, 3) if BASE[size] >= chamber]
    hand, room = rng.choice((-1, 1)), (chamber - BASE[pips]) // 2
    loose = {rng.randrange(4) for _ in range(rng.choice((0, 1, 1, 2)))}
    walls = []
    for side in range(4):
        away, along = (rng.choice((0, 0, 1, 2, 3, 5)), rng.choice((0, 0, 1, 2, 4, 7))) if side in loose else (0, 0)
        walls.append(wall(side, chamber, rng.choice(sizes), False, Fraction(away), Fraction(along), hand))
    target = standing(TARGET, pips, *(Fraction(rng.randint(-room, room)) for _ in "xy"))
    return Keep(target, tuple(walls))


def chamber(rng: random.Random, pips: int, attacker: int) -> Keep:
    """A long room with the defender at its end, about as large as an attacker needs."""
    wide = max(BASE[attacker] + rng.randint(-4, 1), BASE[pips])
    rows = rng.choice(ROWS[attacker])
    target = standing(TARGET, pips, Fraction(BASE[pips], 2), Fraction(0))
    walls = [standing(WALL, 3, Fraction(-16), Fraction(0))]
    for up in (1, -1):
        x = Fraction(0)
        for size in rows:
            half = Fraction(BASE[size], 2)
            walls.append(standing(WALL, size, x + half, up * (Fraction(wide, 2) + half)))
            x += BASE[size]
    walls.append(standing(WALL, 3, x + 16, Fraction(0)))
    return Keep(target, tuple(walls))


# -- Several of them -------------------------------------------------------------------------------------------


def box(pieces: Iterable[Piece]) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    corners = [corner for piece in pieces for corner in piece.corners]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def laid_out(rng: random.Random, keeps: Sequence[Keep]) -> list[Keep]:
    """Random orientations, two keeps in a row, rows above each other, with some room between."""
    placed: list[Keep] = []
    bottom = Fraction(0)
    for row in range(0, len(keeps), 2):
        left, top = Fraction(0), bottom
        for keep in keeps[row : row + 2]:
            turn = rng.choice(SLANTED) if rng.random() < 0.1 else quarter(rng.randrange(4))
            keep = keep.moved(turn, (Fraction(0), Fraction(0)))
            x0, y0, x1, y1 = box(keep.pieces)
            placed.append(keep.moved(EAST, (_whole(left - x0), _whole(bottom - y0))))
            left += x1 - x0 + rng.randint(6, 30)
            top = max(top, bottom + y1 - y0)
        bottom = top + rng.randint(6, 30)
    return placed


def _whole(number: Fraction) -> Fraction:
    """Rounded up, so that coordinates stay short."""
    return Fraction(-(-number.numerator // number.denominator))


def overlap(pieces: Sequence[Piece]) -> bool:
    return any(common_area(one.corners, other.corners) > 0 for one, other in combinations(pieces, 2))
