"""Icehouse: pieces, tables, positions and events; no rules. `rulecheck.games.icehouse` reads them from text.

Lengths are in 1/32 inch and exact: coordinates are fractions, directions are unit vectors of fractions. A standing
piece is a square given by its centre, a lying one a triangle given by its tip and the way it points. There are no
turns, so a line begins with `all` instead of a player to move.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from rulecheck.pyramids import LARGE, SMALL, Pyramid, Stack, stack_text

COLOURS = ("A", "B", "C", "D", "E")
EVERYBODY = "all"  # stands where other games name the player to move
SIZES = range(SMALL, LARGE + 1)
BASE = {1: 18, 2: 25, 3: 32}  # 9/16, 25/32 and 1 inch
HEIGHT = {1: 32, 2: 44, 3: 56}  # 1, 1 3/8 and 1 3/4 inch

Point = tuple[Fraction, Fraction]
Polygon = tuple[Point, ...]  # convex, corners anticlockwise
Triple = tuple[int, int, int]  # how many small, medium and large pieces
EAST: Point = (Fraction(1), Fraction(0))


# -- Parameters ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rectangle:
    left: int
    bottom: int
    right: int
    top: int

    @functools.cached_property
    def corners(self) -> Polygon:
        x0, y0, x1, y1 = map(Fraction, (self.left, self.bottom, self.right, self.top))
        return (x0, y0), (x1, y0), (x1, y1), (x0, y1)

    def holds(self, point: Point) -> bool:
        """Does the point lie on it, its edge included?"""
        return self.left <= point[0] <= self.right and self.bottom <= point[1] <= self.top

    def __str__(self) -> str:
        return f"{self.left},{self.bottom},{self.right},{self.top}"


@dataclass(frozen=True)
class Params:
    """`table` is None on a surface without limits; `pads` has one for each player, or none at all."""

    players: int = 4
    pieces: Triple = (5, 5, 5)
    limit: int = 8
    table: Rectangle | None = None
    pads: tuple[Rectangle, ...] = ()

    @property
    def colours(self) -> tuple[str, ...]:
        return COLOURS[: self.players]

    def as_dict(self) -> dict[str, str]:
        return {
            "players": str(self.players),
            "pieces": ",".join(map(str, self.pieces)),
            "limit": str(self.limit),
            "table": "none" if self.table is None else f"{self.table.right}x{self.table.top}",
            "pads": "/".join(map(str, self.pads)) or "none",
        }


# -- Pieces on the table ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Piece:
    """`point` is the centre of a standing piece and the tip of a lying one; `placer` is who played it.

    `marked` is history that some readings need: a lying piece whose attack has been spoilt for good, a standing one
    from whose attackers one has been captured.
    """

    colour: str
    pips: int
    lying: bool
    point: Point
    direction: Point
    placer: str
    marked: bool = False

    @property
    def pyramid(self) -> Pyramid:
        return Pyramid(self.colour, self.pips)

    def __hash__(self) -> int:
        return self._hash

    @functools.cached_property
    def _hash(self) -> int:
        """Fractions are slow to hash, and the same piece is looked up again and again."""
        return hash((self.colour, self.pips, self.lying, self.point, self.direction, self.placer, self.marked))

    @functools.cached_property
    def corners(self) -> Polygon:
        return _footprint(self.pips, self.lying, self.point, self.direction)

    @property
    def centroid(self) -> Point:
        """The middle of a square; a third of its height above the base of a triangle."""
        if not self.lying:
            return self.point
        back = Fraction(2 * HEIGHT[self.pips], 3)
        return self.point[0] - back * self.direction[0], self.point[1] - back * self.direction[1]

    def __str__(self) -> str:
        return self._text

    @functools.cached_property
    def _text(self) -> str:
        text = f"{self.pyramid}@{self.point[0]},{self.point[1]}"
        if self.lying or self.direction != EAST:
            text += f"{'>' if self.lying else '^'}{self.direction[0]},{self.direction[1]}"
        return text + ("" if self.placer == self.colour else f":{self.placer}") + ("!" if self.marked else "")


def _footprint(pips: int, lying: bool, point: Point, direction: Point) -> Polygon:
    (x, y), (dx, dy) = point, direction
    half = Fraction(BASE[pips], 2)
    ahead, left = (half * dx, half * dy), (-half * dy, half * dx)
    if lying:
        x, y = x - HEIGHT[pips] * dx, y - HEIGHT[pips] * dy
        return point, (x + left[0], y + left[1]), (x - left[0], y - left[1])
    return (
        (x - ahead[0] - left[0], y - ahead[1] - left[1]),
        (x + ahead[0] - left[0], y + ahead[1] - left[1]),
        (x + ahead[0] + left[0], y + ahead[1] + left[1]),
        (x - ahead[0] + left[0], y - ahead[1] + left[1]),
    )


# -- Positions ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Position:
    """`pieces` lie in the order in which they were placed; `hands` and `prisoners` have an entry for each player.

    A pad holds what is left of its owner's pieces, and the owner's prisoners. `iced` are the players whom a call has
    found in the icehouse, `lost` those who are in it without a call (one reading has that); `stopped` is set by the
    time limit.
    """

    pieces: tuple[Piece, ...]
    hands: tuple[Pyramid | None, ...]
    prisoners: tuple[Stack, ...]
    iced: tuple[str, ...]
    lost: tuple[str, ...]
    stopped: bool
    params: Params = field(compare=False, repr=False)

    @property
    def mover(self) -> str:
        """Nobody in particular: there are no turns."""
        return EVERYBODY

    def hand(self, player: str) -> Pyramid | None:
        return self.hands[COLOURS.index(player)]

    def pad(self, player: str) -> Stack:
        """What lies on the player's pad, own pieces first, small ones first."""
        return self._pads[COLOURS.index(player)]

    @functools.cached_property
    def _pads(self) -> tuple[Stack, ...]:
        """All of them at once: they are asked for again and again while one position is judged."""
        elsewhere = Counter(piece.pyramid for piece in self.pieces)
        elsewhere.update(held for held in self.hands if held is not None)
        elsewhere.update(pyramid for held in self.prisoners for pyramid in held)
        return tuple(
            (*self._left_of(colour, elsewhere), *held)
            for colour, held in zip(self.params.colours, self.prisoners, strict=True)
        )

    def _left_of(self, colour: str, elsewhere: Mapping[Pyramid, int]) -> Iterator[Pyramid]:
        for size, count in zip(SIZES, self.params.pieces, strict=True):
            own = Pyramid(colour, size)
            yield from [own] * (count - elsewhere[own])

    def own_left(self, colour: str) -> Counter[Pyramid]:
        """The pieces of a colour that are neither on the table, in a hand nor prisoners; below zero if too many are."""
        left = Counter({Pyramid(colour, s): n for s, n in zip(SIZES, self.params.pieces, strict=True)})
        left.subtract(p.pyramid for p in self.pieces if p.colour == colour)
        left.subtract(h for h in self.hands if h is not None and h.colour == colour)
        left.subtract(p for held in self.prisoners for p in held if p.colour == colour)
        return left

    def with_pad(self, player: str, pad: Sequence[Pyramid]) -> Position:
        """The same with another pad; what is no prisoner there is on it by being nowhere else."""
        at = COLOURS.index(player)
        held = tuple(sorted(p for p in pad if p.colour != player))
        return replace(self, prisoners=(*self.prisoners[:at], held, *self.prisoners[at + 1 :]))

    def with_more(self, player: str, pyramids: Sequence[Pyramid]) -> Position:
        """The same with these on a pad as well."""
        return self.with_pad(player, (*self.prisoners[COLOURS.index(player)], *pyramids))

    def with_hand(self, player: str, held: Pyramid | None) -> Position:
        at = COLOURS.index(player)
        return replace(self, hands=(*self.hands[:at], held, *self.hands[at + 1 :]))

    def __str__(self) -> str:
        keys = [
            ("hands", "/".join(str(h or "-") for h in self.hands) if any(self.hands) else None),
            ("prisoners", "/".join(stack_text(p) or "-" for p in self.prisoners) if any(self.prisoners) else None),
            ("iced", "".join(self.iced) or None),
            ("lost", "".join(self.lost) or None),
            ("over", "yes" if self.stopped else None),
        ]
        return " ".join([EVERYBODY, *map(str, self.pieces), *(f"{k}={v}" for k, v in keys if v)])


# -- Events -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """Its placer puts the piece down, from the hand or straight from the pad, and lets go of it."""

    piece: Piece

    def __str__(self) -> str:
        return str(self.piece)


@dataclass(frozen=True)
class Lift:
    """A player takes a piece from the pad into the hand."""

    player: str
    pyramid: Pyramid

    def __str__(self) -> str:
        return f"{self.player} lifts {self.pyramid}"


@dataclass(frozen=True)
class Return:
    """A player puts the piece in the hand back on the pad."""

    player: str

    def __str__(self) -> str:
        return f"{self.player} returns"


@dataclass(frozen=True)
class Capture:
    """A player takes an attacker; `number` counts the pieces on the table from 1, in the order of the line."""

    player: str
    number: int

    def __str__(self) -> str:
        return f"{self.player} captures {self.number}"


@dataclass(frozen=True)
class Gift:
    pyramid: Pyramid
    to: str

    def __str__(self) -> str:
        return f"{self.pyramid}>{self.to}"


@dataclass(frozen=True)
class Call:
    """A player says "Icehouse"; a caller who is wrong gives a piece away."""

    player: str
    gift: Gift | None = None

    def __str__(self) -> str:
        return f"{self.player} calls" + ("" if self.gift is None else f" {self.gift}")


@dataclass(frozen=True)
class Crash:
    """A player moves a piece on the table while placing this one, and gives it to an opponent."""

    player: str
    gift: Gift

    def __str__(self) -> str:
        return f"{self.player} crashes {self.gift}"


@dataclass(frozen=True)
class Melt:
    """Somebody notices that attackers of this player were played too early."""

    player: str

    def __str__(self) -> str:
        return f"{self.player} melts"


@dataclass(frozen=True)
class TimeUp:
    def __str__(self) -> str:
        return "time"


Event = Place | Lift | Return | Capture | Call | Crash | Melt | TimeUp
TIME = TimeUp()
