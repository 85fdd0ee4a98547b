"""Nest race from above: the board with its cut corners, the lines and who runs between them, nested stacks.

Stacks grow in size upward, so every pyramid of a stack can be drawn inside the one on it, as if all were transparent:
the outermost outline is the top, and it alone can move. A is dark, B light with stripes, C white with dots, D grey
with crosses, E yellow with rings, F green with bars, so that they can be told apart in print without colour.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from rulecheck.games.nestrace import Move, Params, Position
from rulecheck.games.nestrace.boards import OPPOSITE
from rulecheck.games.nestrace.sketches import (
    INK,
    MARGIN,
    SQUARE,
    HexagonSketch,
    Point,
    SquareSketch,
    label,
    owners,
    sketch,
)
from rulecheck.pyramids import SIZE_NAMES, SMALL, Pyramid, Stack
from rulecheck.render import Box, Drawer
from rulecheck.render.svg import Element, path, points
from rulecheck.theme import NAMED

# -- Text ----------------------------------------------------------------------------------------------------

CELL = 6  # three pyramids, bottom first


def text(params: Params, position: Position) -> str:
    """The board with the north on top; `.` is an empty square of the square board."""
    cells = {name: "".join(map(str, stack)) for name, stack in zip(params.squares, position.stacks, strict=True)}
    lines = [_caption(params, position), "", *sketch(params).rows(cells, CELL)]
    lines += [""] if lines[-1] else []
    lines += [f"{owners(params, side)}: {side} to {OPPOSITE[side]}" for side in params.sides]
    return "\n".join(line.rstrip() for line in lines)


def _caption(params: Params, position: Position) -> str:
    partner = params.mate(position.mover) if params.partners else None
    return f"{position.mover} to move" + (f", partner of {partner}" if partner else "")


# -- SVG -----------------------------------------------------------------------------------------------------

WIDTH = {1: 33.0, 2: 47.0, 3: 62.0}  # of a pyramid seen from its side, at the foot
LEVEL = 20.0  # its height
SLOPE = 4.0  # how much narrower it is at the top, on each side
ACCENT = "#b3261e"
PAINT = {
    "A": NAMED["red"],
    "B": NAMED["cyan"],
    "C": NAMED["white"],
    "D": NAMED["grey"],
    "E": NAMED["yellow"],
    "F": NAMED["green"],
}  # the sheet prefers the first two
BEND = 52.0  # how far a jump swings out, twice


def svg(params: Params, position: Position, move: Move | None = None, highlight: Collection[int] = ()) -> str:
    """`highlight` are numbers of squares."""
    board = sketch(params)
    width, height = board.width, board.height
    spoken = f"Nest race: {position}" + ("" if move is None else f", move {move}")
    picture = Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=round(width), height=round(height), role="img", font_family="Helvetica, Arial, sans-serif",
    )  # fmt: skip
    hops = [] if move is None else [params.number[name] for name in move.path]
    return str(
        picture.add(
            Element("title").add(spoken),
            Element("rect", class_="paper", width=round(width), height=round(height), fill="#ffffff"),
            label(_caption(params, position), (MARGIN - 26, 22), 18, weight="bold"),
            *board.squares(highlight),
            *board.names(),
            *(p for n, stack in enumerate(position.stacks) for p in _stack(board.middle(n), params.squares[n], stack)),
            *_arrows(board, hops, position.stacks),
        )
    )


def places(params: Params, position: Position, move: Move | None, highlight: Collection[int]) -> dict[str, Box]:
    """The squares."""
    board = sketch(params)
    corners = {name: board.middle(n) for name, n in params.number.items()}
    return {name: Box(x - SQUARE / 2, y - SQUARE / 2, SQUARE, SQUARE) for name, (x, y) in corners.items()}


def _stack(middle: Point, square: str, stack: Stack) -> Iterator[Element]:
    """Seen from its side, the top above the others, as it stands on the board."""
    name = {"class_": "piece", "data_place": square}
    foot = middle[1] + max(LEVEL * len(stack), 1.6 * LEVEL) / 2
    for level, pyramid in enumerate(stack):
        yield Element("g", **name).add(*_pyramid(pyramid, (middle[0], foot - LEVEL * level), level == len(stack) - 1))


def _pyramid(pyramid: Pyramid, foot: Point, is_top: bool) -> Iterator[Element]:
    (x, y), half = foot, WIDTH[pyramid.pips] / 2
    yield Element("title").add(f"{SIZE_NAMES[pyramid.pips]} pyramid {pyramid}")
    corners = [(x - half, y), (x + half, y), (x + half - SLOPE, y - LEVEL), (x - half + SLOPE, y - LEVEL)]
    fill, letters = PAINT[pyramid.colour]
    width = 2.2 if is_top else 1.2
    outline = {"class_": "pen", "stroke": INK, "stroke_width": width, "stroke_linejoin": "round"}
    yield Element("polygon", points=points(corners), fill=fill, **outline)
    yield from _pattern(pyramid, foot)
    yield label(str(pyramid), (x, y - 3.9), 17, letters, "bold", "")


def _pattern(pyramid: Pyramid, foot: Point) -> Iterator[Element]:
    """Stripes for B, dots for C, crosses for D, rings for E, bars for F, on either side of the letters; a small one has
    room for few."""
    (x, y), half = foot, WIDTH[pyramid.pips] / 2
    across = [half - 4.5] if pyramid.pips < 3 else [half - 4.5, half - 12.0]
    rises = [4.0] if pyramid.pips == SMALL else [4.0, 10.5]
    for mark in ((x + side * dx, y - rise) for side in (-1, 1) for dx in across for rise in rises):
        yield from _mark(pyramid.colour, mark)


def _mark(colour: str, at: Point) -> Iterator[Element]:
    x, y = at
    if colour == "B":
        yield Element("path", d=path("M", x - 2.6, y, "H", x + 2.6), stroke=INK, stroke_width=1.5)
    elif colour == "C":
        yield Element("circle", cx=x, cy=y, r=1.6, fill=INK)
    elif colour == "D":
        across = path("M", x - 2, y - 2, "L", x + 2, y + 2, "M", x - 2, y + 2, "L", x + 2, y - 2)
        yield Element("path", d=across, stroke=INK, stroke_width=1.4)
    elif colour == "E":
        yield Element("circle", cx=x, cy=y, r=2.2, fill="none", stroke=INK, stroke_width=1.2)
    elif colour == "F":
        yield Element("path", d=path("M", x, y - 2.8, "V", y + 2.8), stroke=INK, stroke_width=1.5)


def _reach(stack: Stack) -> float:
    """How far from the middle of its square a stack is drawn."""
    return max(LEVEL * len(stack), LEVEL * 1.6) / 2 + 1 if stack else 4.0


def _arrows(board: SquareSketch | HexagonSketch, path: list[int], stacks: Sequence[Stack]) -> Iterator[Element]:
    """A step is a straight arrow, a jump an arc; the jumps of a chain are numbered."""
    hops = list(pairwise((board.middle(n), _reach(stacks[n])) for n in path))
    for ((start, leave), (end, reach)), squares in zip(hops, pairwise(path), strict=True):
        bend = 0.0 if board.touch(*squares) else BEND
        over = _bent(start, end, bend)
        yield from _arrow(_toward(start, over, leave), over, _toward(end, over, reach))
    if len(hops) > 1:
        for n, ((start, _), (end, _)) in enumerate(hops, 1):
            x, y = _bent(start, end, BEND / 2)
            yield Element("circle", class_="paper", cx=x, cy=y, r=11.5, fill="#ffffff", stroke=ACCENT, stroke_width=1.5)
            yield label(str(n), (x, y + 6), 17)


def _apart(start: Point, end: Point) -> float:
    return max(abs(end[0] - start[0]), abs(end[1] - start[1]))


def _bent(start: Point, end: Point, bend: float) -> Point:
    """The point half way, moved to the left of the way by so much."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy) or 1.0
    return (start[0] + end[0]) / 2 + bend * dy / length, (start[1] + end[1]) / 2 - bend * dx / length


def _toward(start: Point, goal: Point, reach: float) -> Point:
    """On the way to the goal, where a square of that half width around the start ends."""
    share = min(1.0, reach / (_apart(start, goal) or 1.0))
    return start[0] + share * (goal[0] - start[0]), start[1] + share * (goal[1] - start[1])


def _arrow(start: Point, over: Point, end: Point) -> Iterator[Element]:
    dx, dy = end[0] - over[0], end[1] - over[1]
    length = math.hypot(dx, dy) or 1.0
    dx, dy = dx / length, dy / length
    neck = (end[0] - 13 * dx, end[1] - 13 * dy)
    route = path("M", *start, "Q", *over, *neck)
    for kind, colour, width in (("halo", "#ffffff", 7.5), ("accent", ACCENT, 3.6)):
        yield Element("path", class_=kind, d=route, fill="none", stroke=colour, stroke_width=width)
    yield Element(
        "circle", cx=start[0], cy=start[1], r=4.5, class_="halo mark", fill=ACCENT, stroke="#ffffff", stroke_width=1.2
    )
    wings = [end, (neck[0] - 7 * dy, neck[1] + 7 * dx), (neck[0] + 7 * dy, neck[1] - 7 * dx)]
    yield Element("polygon", points=points(wings), class_="halo mark", fill=ACCENT, stroke="#ffffff", stroke_width=1.2)


LEGEND = (
    "The line names who is to move, then each square with its stack, bottom first. The board is seen from above, each "
    "stack from its side: its top, with the bold outline, alone can move. The arrow is the move spoken of, jump by "
    "jump."
)
DRAWER = Drawer(text, svg, LEGEND, places=places)
