"""Icehouse clicked on: a piece is taken from a pad, put down where one clicks, and pointed at where one clicks next.

A click has two whole numbers as its coordinates, and a direction is a fraction's: a neighbour of the one that was
clicked on, of length exactly one. Whoever needs another placement types it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from rulecheck.games.icehouse import GAME, read_move
from rulecheck.games.icehouse.drawing import canvas_boxes, canvas_frame, canvas_svg, look
from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.pieces import EAST, Capture, Event, Params, Point, Position
from rulecheck.model import InputError
from rulecheck.pyramids import SIZE_NAMES
from rulecheck.render import Box, Held, Nudge

LYING = ">"  # behind the name of a piece that is to lie
FINEST = (
    250  # the largest denominator of half an angle's tangent: no direction is off by more than a quarter of a degree
)
TURN = math.radians(5)
FAR = 200  # from where a piece lies to the spot that says where it points, once it is turned
STEPS = (("left", -1, 0), ("right", 1, 0), ("up", 0, 1), ("down", 0, -1))


class IcehouseCanvas:
    """See `rulecheck.render.Canvas`."""

    def held(self, params: Params, position: Position) -> list[tuple[str, list[Held]]]:
        """What each player has: the piece in the hand first."""
        if Engine(params, GAME.rulebook.defaults()).over(position):
            return []
        return [(player, list(_held(position, player))) for player in params.colours]

    def prompt(self, held: str, spots: Sequence[str]) -> str:
        lying, name = held.endswith(LYING), held.removesuffix(LYING)
        if not spots:
            return f"{name}: click where {'its tip' if lying else 'its middle'} is to be."
        if lying and len(spots) == 1:
            return f"{name}: click on what it is to point at."
        return f"{name}: click again to {'point it elsewhere' if lying else 'turn it'}."

    def move(self, params: Params, held: str, spots: Sequence[str]) -> Event | None:
        lying = held.endswith(LYING)
        name, colon, placer = held.removesuffix(LYING).partition(":")
        if not spots or (lying and len(spots) == 1):
            return None
        (x, y), aim = _spot(spots[0]), EAST if len(spots) == 1 else _direction(_spot(spots[0]), _spot(spots[1]))
        aim = aim if lying else _within_a_quarter(aim)
        turned = "" if not lying and aim == EAST else f"{LYING if lying else '^'}{aim[0]},{aim[1]}"
        return read_move(params, f"{name}@{x},{y}{turned}{colon}{placer}")

    def svg(self, params: Params, position: Position, move: Event | None, spots: Sequence[str]) -> str:
        return canvas_svg(params, position, move, [_spot(text) for text in spots])

    def spot(self, params: Params, position: Position, move: Event | None, x: float, y: float) -> str:
        across, up = canvas_frame(params, position, move).back((x, y))
        return f"{round(across)},{round(up)}"

    def clicked(self, held: str, spots: Sequence[str], spot: str) -> tuple[str, ...]:
        """The first click is where it stands or where its tip is; each later one is what it points at."""
        if not spots or _spot(spot) == _spot(spots[0]):
            return (spot,)
        return (spots[0], spot)

    def nudges(self, held: str, spots: Sequence[str]) -> list[Nudge]:
        if not spots:
            return []
        moved = [Nudge(words, tuple(_shifted(text, dx, dy) for text in spots)) for words, dx, dy in STEPS]
        base = tuple(spots) if len(spots) > 1 else (spots[0], _shifted(spots[0], FAR, 0))
        if len(spots) == 1 and held.endswith(LYING):
            return moved
        turned = [Nudge(words, (base[0], _turned(base, by))) for words, by in (("turn ↺", TURN), ("turn ↻", -TURN))]
        return [*moved, *turned]

    # -- What lies on the table --------------------------------------------------------------------------------

    def places(self, params: Params, position: Position, move: Event | None) -> dict[str, Box]:
        return {f"#{n}": box for n, box in canvas_boxes(params, position, move).items()}

    def named(self, move: Event) -> list[str]:
        return [f"#{move.number}"] if isinstance(move, Capture) else []

    def about(self, params: Params, position: Position, place: str) -> str:
        number = int(place.removeprefix("#")) if place.removeprefix("#").isdecimal() else 0
        if not 1 <= number <= len(position.pieces):
            return ""
        piece, said = position.pieces[number - 1], look(params, position).state(position, number - 1)
        return f"{number}: the {SIZE_NAMES[piece.pips]} piece {piece}, {said}"


def _held(position: Position, player: str) -> list[Held]:
    hand = position.hand(player)
    held = []
    for pyramid in dict.fromkeys(([hand] if hand else []) + list(position.pad(player))):
        name = str(pyramid) if pyramid.colour == player else f"{pyramid}:{player}"
        left = position.pad(player).count(pyramid)
        held.append(Held(name, f"{pyramid} standing", "□", str(pyramid), left, pyramid == hand))
        held.append(Held(name + LYING, f"{pyramid} lying", "▷", str(pyramid), left, pyramid == hand))
    return held


def _spot(text: str) -> tuple[int, int]:
    x, comma, y = text.partition(",")
    if not comma or not all(n.removeprefix("-").isdecimal() and len(n) < 7 for n in (x, y)):
        raise InputError(f"a spot on the table is written X,Y in whole numbers, found {text[:40]!r}")
    return int(x), int(y)


def _shifted(text: str, dx: int, dy: int) -> str:
    x, y = _spot(text)
    return f"{x + dx},{y + dy}"


def _turned(spots: Sequence[str], by: float) -> str:
    (x, y), (to_x, to_y) = map(_spot, spots[:2])
    angle = math.atan2(to_y - y, to_x - x) + by
    return f"{round(x + FAR * math.cos(angle))},{round(y + FAR * math.sin(angle))}"


def _direction(begin: tuple[int, int], to: tuple[int, int]) -> Point:
    """The unit vector of fractions that is nearest: half the angle has a tangent t, and ((1-t²)/(1+t²), 2t/(1+t²)) is
    of length one whatever t is."""
    dx, dy = to[0] - begin[0], to[1] - begin[1]
    if (dx, dy) == (0, 0):
        return EAST
    t = Fraction(dy / (abs(dx) + math.hypot(dx, dy))).limit_denominator(FINEST)
    along, aside = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    return (along if dx >= 0 else -along), aside


def _within_a_quarter(aim: Point) -> Point:
    """A square looks the same from each of its sides; it is written from the first one."""
    x, y = aim
    while not (x > 0 and y >= 0):
        x, y = -y, x
    return x, y


CANVAS = IcehouseCanvas()
