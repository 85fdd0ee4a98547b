"""Icehouse: when two positions make the same puzzle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

from rulecheck.games.icehouse.pieces import COLOURS, EAST, Params, Piece, Point, Position
from rulecheck.games.icehouse.sampling import QUARTERS
from rulecheck.pyramids import Pyramid

Way = Callable[[Point], Point]
ORIGIN: Point = (Fraction(0), Fraction(0))


def alike(params: Params, position: Position) -> Position:
    """One for all positions that are the same but for where they lie, how they are turned or mirrored, the names of the
    players and the order of the pieces. On a table only its own symmetries count, and pads keep everything in place."""
    seen = (_moved(position, turn, way) for turn, way in _ways(params, position))
    names = [COLOURS[: params.players]] if params.pads else list(permutations(params.colours))
    return min(
        (_renamed(moved, dict(zip(params.colours, new, strict=True))) for moved in seen for new in names), key=str
    )


def _ways(params: Params, position: Position) -> Iterator[tuple[Way, Way]]:
    """How directions are turned, and where points go: any piece of the rarest sort may come to lie at the origin."""
    if params.pads or not position.pieces:
        yield _same, _same
        return
    if params.table is not None:
        width, height = Fraction(params.table.right), Fraction(params.table.top)
        for mirrored in (False, True):
            for quarter in QUARTERS if width == height else QUARTERS[::2]:
                turn = _turn((Fraction(quarter[0]), Fraction(quarter[1])), mirrored)
                yield turn, _onto(turn, (width / 2, height / 2), (width / 2, height / 2))
        return
    sorts = Counter((piece.lying, piece.pips) for piece in position.pieces)
    rarest = min(sorts, key=lambda sort: (sorts[sort], sort))
    for piece in position.pieces:
        if (piece.lying, piece.pips) == rarest:
            for quarter in QUARTERS:
                for mirrored in (False, True):
                    (dx, dy), (along, aside) = piece.direction, quarter
                    back = (dx * along + dy * aside, dx * aside - dy * along)
                    turn = _turn(back, mirrored)
                    yield turn, _onto(turn, piece.point, ORIGIN)


def _same(point: Point) -> Point:
    return point


def _turn(by: Point, mirrored: bool) -> Way:
    """As a product of complex numbers, before a mirror that leaves east where it is."""
    c, s = by

    def turned(point: Point) -> Point:
        x, y = point[0] * c - point[1] * s, point[0] * s + point[1] * c
        return (x, -y) if mirrored else (x, y)

    return turned


def _onto(turn: Way, start: Point, end: Point) -> Way:
    """Turned about `start`, which comes to lie on `end`."""

    def moved(point: Point) -> Point:
        x, y = turn((point[0] - start[0], point[1] - start[1]))
        return x + end[0], y + end[1]

    return moved


def _moved(position: Position, turn: Way, way: Way) -> Position:
    return replace(position, pieces=tuple(_piece(piece, turn, way) for piece in position.pieces))


def _piece(piece: Piece, turn: Way, way: Way) -> Piece:
    dx, dy = turn(piece.direction)
    while not piece.lying and not (dx > 0 and dy >= 0):  # a square looks the same from its four sides
        dx, dy = -dy, dx
    return replace(piece, point=way(piece.point), direction=(dx, dy) if dy or piece.lying else EAST)


def _renamed(position: Position, names: dict[str, str]) -> Position:
    def pyramid(old: Pyramid) -> Pyramid:
        return Pyramid(names[old.colour], old.pips)

    pieces = (replace(p, colour=names[p.colour], placer=names[p.placer]) for p in position.pieces)
    seats = sorted(range(len(names)), key=lambda n: names[COLOURS[n]])
    hands = (position.hands[n] for n in seats)
    return replace(
        position,
        pieces=tuple(sorted(pieces, key=str)),
        hands=tuple(held and pyramid(held) for held in hands),
        prisoners=tuple(tuple(sorted(map(pyramid, position.prisoners[n]))) for n in seats),
        iced=tuple(sorted(names[player] for player in position.iced)),
        lost=tuple(sorted(names[player] for player in position.lost)),
    )
