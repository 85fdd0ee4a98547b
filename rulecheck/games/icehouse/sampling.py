"""Icehouse: placements worth trying, from a seed; no rules.

Placements are a continuum and cannot be listed, so whoever wants to play a game, or to ask both encodings many
questions, draws from here. What is proposed may be allowed or not, and is often on the verge: pieces that touch,
lines that graze, targets exactly at the end of a range.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

from rulecheck.games.icehouse.pieces import BASE, EAST, HEIGHT, Piece, Place, Point, Position
from rulecheck.pyramids import Pyramid

TRIPLES = ((3, 4, 5), (4, 3, 5), (5, 12, 13), (12, 5, 13), (8, 15, 17), (15, 8, 17), (20, 21, 29), (21, 20, 29))
TURNS: tuple[Point, ...] = tuple((Fraction(x, z), Fraction(y, z)) for x, y, z in TRIPLES)  # between east and north
QUARTERS = ((1, 0), (0, 1), (-1, 0), (0, -1))
WINDOW = 256  # how wide a surface without limits is taken to be


def proposals(rng: random.Random, position: Position) -> Iterator[Place]:
    """An endless stream of placements of pieces from hands and pads; empty if there are none."""
    players = [p for p in position.params.colours if position.hand(p) or position.pad(p)]
    while players:
        player = rng.choice(players)
        pyramid = position.hand(player) or rng.choice(position.pad(player))
        targets = [piece for piece in position.pieces if not piece.lying]
        if targets and rng.random() < 0.6:
            yield Place(aimed(rng, player, pyramid, rng.choice(targets)))
        elif targets and rng.random() < 0.4:
            yield Place(_flush(rng, player, pyramid, rng.choice(targets)))
        else:
            yield Place(_anywhere(rng, player, pyramid, position))


def direction(rng: random.Random) -> Point:
    """One of 36 ways; every fourth is along an axis."""
    x, y = rng.choice(TURNS) if rng.random() < 0.75 else EAST
    along, aside = rng.choice(QUARTERS)
    return x * along - y * aside, x * aside + y * along


def _anywhere(rng: random.Random, player: str, pyramid: Pyramid, position: Position) -> Piece:
    table, margin = position.params.table, BASE[pyramid.pips] // 2
    width, height = (table.right, table.top) if table else (WINDOW, WINDOW)
    x, y = (Fraction(rng.randint(margin, max(margin, side - margin))) for side in (width, height))
    turned = rng.choice(TURNS) if rng.random() < 0.5 else EAST
    return Piece(pyramid.colour, pyramid.pips, False, (x, y), turned, player)


def _flush(rng: random.Random, player: str, pyramid: Pyramid, other: Piece) -> Piece:
    """Side by side with a standing piece, slid along its side by a part of its length."""
    away = Fraction(BASE[pyramid.pips] + BASE[other.pips], 2)
    slide = rng.choice((0, away, Fraction(rng.randint(-20, 20), 2)))
    (x, y), (dx, dy) = other.point, other.direction
    along, aside = rng.choice(QUARTERS)
    ux, uy = dx * along - dy * aside, dx * aside + dy * along
    where = (x + away * ux - slide * uy, y + away * uy + slide * ux)
    return Piece(pyramid.colour, pyramid.pips, False, where, other.direction, player)


def aimed(rng: random.Random, player: str, pyramid: Pyramid, target: Piece) -> Piece:
    """Pointing past or at a standing piece; now and then square to its side, along its edge, or just out of reach."""
    half, reach = Fraction(BASE[target.pips], 2), HEIGHT[pyramid.pips]
    dx, dy = direction(rng)
    if rng.random() < 0.3:
        along, sideways = rng.choice(QUARTERS)
        (tx, ty) = target.direction
        dx, dy = tx * along - ty * sideways, tx * sideways + ty * along
    back = half + rng.choice((0, reach, Fraction(rng.randint(1, reach + 12))))
    aside = rng.choice((Fraction(0), half, -half, Fraction(rng.randint(-18, 18), 2)))
    tip = (target.point[0] - back * dx - aside * dy, target.point[1] - back * dy + aside * dx)
    return Piece(pyramid.colour, pyramid.pips, True, tip, (dx, dy), player)
