"""Icehouse: the scene of a position, its lines and distances by `spec_geometry` and `spec_distances`."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from fractions import Fraction

from rulecheck.games.icehouse.pieces import BASE, HEIGHT, Piece, Position, Rectangle
from rulecheck.model import Readings
from specs.icehouse.spec_distances import point_within, within
from specs.icehouse.spec_geometry import Line, Pointing, meeting, pointing, shape_of
from specs.icehouse.spec_terms import Number, Truth, every, some

Thing = Piece | Rectangle


def sight(readings: Readings, piece: Piece, pieces: Sequence[Piece], pads: Sequence[Rectangle]) -> Pointing:
    """What the line of a lying piece points at among these pieces, and among the pads if they are things."""
    things: list[Thing] = [*pieces, *(pads if readings["pad_ray"] == "blocks" else ())]
    line = Line(piece.point, piece.direction)
    return pointing(readings["graze"], [meeting(line, shape_of(thing)) for thing in things])


@functools.lru_cache(maxsize=100_000)
def in_range(readings: Readings, attacker: Piece, target: Piece) -> Truth:
    """IH-27, IH-28, readings range, distance and length: squares are compared, and places may be unknown."""
    base, height = BASE[attacker.pips], HEIGHT[attacker.pips]
    length = Fraction(height) ** 2 + (Fraction(base, 2) ** 2 if readings["length"] == "slant" else 0)

    def reach(distance: Number) -> Truth:
        return distance <= length if readings["range"] == "inclusive" else distance < length

    if readings["distance"] == "axis":
        entry = meeting(Line(attacker.point, attacker.direction), shape_of(target)).entry
        return every(some([bound < 0, reach(bound * bound)]) for bound in entry)
    if readings["distance"] == "tip":
        return point_within(attacker.point, shape_of(target), reach)
    return within(shape_of(attacker), shape_of(target), reach)


class PositionScene:
    """Pieces by their place in the line of notation, from 0."""

    def __init__(self, readings: Readings, position: Position) -> None:
        self.readings, self.position = readings, position
        self.numbers = range(len(position.pieces))
        self._sights: dict[tuple[int, bool, int | None], tuple[dict[int, bool], bool]] = {}

    def stands(self, i: int) -> bool:
        return not self.position.pieces[i].lying

    def size(self, i: int) -> int:
        """IH-20: the value is the number of pips."""
        return self.position.pieces[i].pips

    def coloured(self, i: int, k: str) -> bool:
        return self.position.pieces[i].colour == k

    def placed_by(self, i: int, k: str) -> bool:
        return self.position.pieces[i].placer == k

    def marked(self, i: int) -> bool:
        return self.position.pieces[i].marked

    def points(self, a: int, i: int, gone: int | None) -> bool:
        return self._sight(a, False, gone)[0].get(i, False)

    def first_aim(self, a: int, i: int, gone: int | None) -> bool:
        return self._sight(a, True, gone)[0].get(i, False)

    def pinched(self, a: int) -> bool:
        return self._sight(a, False, None)[1]

    def _sight(self, a: int, earlier: bool, gone: int | None) -> tuple[dict[int, bool], bool]:
        """What the line points at, and whether it is pinched."""
        key = (a, earlier, gone)
        if key not in self._sights:
            there = [i for i in self.numbers if i not in (a, gone) and (i < a or not earlier)]
            pieces = self.position.pieces
            seen = sight(self.readings, pieces[a], [pieces[i] for i in there], self.position.params.pads)
            at = {i: bool(is_at) for i, is_at in zip(there, seen.at, strict=False)}
            self._sights[key] = at, bool(seen.pinched)
        return self._sights[key]

    def near(self, a: int, d: int) -> bool:
        return bool(in_range(self.readings, self.position.pieces[a], self.position.pieces[d]))

    def on_pad(self, k: str) -> int:
        return len(self.position.pad(k))

    def holds_one(self, k: str) -> bool:
        return self.position.hand(k) is not None

    def iced(self, k: str) -> bool:
        return k in self.position.iced

    def lost(self, k: str) -> bool:
        return k in self.position.lost
