"""Nest race from above: the board with its cut corners, the lines and who runs between them, nested stacks.

Stacks grow in size upward, so every pyramid of a stack can be drawn inside the one on it, as if all were transparent:
the outermost outline is the top, and it alone can move. A is dark, B light with stripes, C white with dots, D grey
with crosses, so that they can be told apart in print without colour.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from itertools import pairwise

from rulecheck.games.nestrace import OPPOSITE, Move, Params, Position
from rulecheck.pyramids import SIZE_NAMES, SMALL, Pyramid, Stack
from rulecheck.render import Box, Drawer
from rulecheck.render.svg import Element, path, points

# -- Text ----------------------------------------------------------------------------------------------------

CELL = 6  # three pyramids, bottom first


def text(params: Params, position: Position) -> str:
    """One line for each row, the north on top; `.` is an empty square, corners are blank."""
    last = params.core + 2
    stacks = dict(zip(params.places, position.stacks, strict=True))
    lines = [_caption(params, position), ""]
    for row in reversed(range(1, last + 1)):
        cells = [_text_cell(stacks.get((column, row))) for column in range(1, last + 1)]
        lines.append(f"{row}  " + "  ".join(cells))
    lines.append("   " + "  ".join("abcdefghi"[n].center(CELL) for n in range(last)))
    lines += ["", *(f"{_owners(params, side)}: {side} to {OPPOSITE[side]}" for side in ("south", params.side))]
    return "\n".join(line.rstrip() for line in lines)


def _text_cell(stack: Stack | None) -> str:
    if stack is None:
        return " " * CELL
    return ("".join(map(str, stack)) or ".").center(CELL)


def _owners(params: Params, side: str) -> str:
    return " and ".join(p for p in params.letters if params.home(p) == side)


def _caption(params: Params, position: Position) -> str:
    partner = params.mate(position.mover) if params.partners else None
    return f"{position.mover} to move" + (f", partner of {partner}" if partner else "")


# -- SVG -----------------------------------------------------------------------------------------------------

SQUARE = 84.0
MARGIN = 46.0  # names of files and rows, and of the lines
HEADER = 40.0
WIDTH = {1: 28.0, 2: 52.0, 3: 76.0}
BAND = 12.0  # what is seen of a pyramid around the one inside it
INK, EDGE, PALE, ACCENT = "#1c1c1c", "#8a8a8a", "#fff3c4", "#b3261e"
GROUND = {"core": "#ffffff", "south": "#dfe5ee", "west": "#f6ead0"}
FILL = {"A": "#23395d", "B": "#f2b84b", "C": "#ffffff", "D": "#9aa7a0"}
LETTERS = {"A": "#ffffff", "B": INK, "C": INK, "D": INK}
BEND = 66.0  # how far a jump swings out, twice
Point = tuple[float, float]


def svg(params: Params, position: Position, move: Move | None = None, highlight: Collection[int] = ()) -> str:
    """`highlight` are numbers of squares."""
    side = 2 * MARGIN + SQUARE * (params.core + 2)
    width, height = side, side + HEADER
    spoken = f"Nest race: {position}" + ("" if move is None else f", move {move}")
    picture = Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=round(width), height=round(height), role="img", font_family="Helvetica, Arial, sans-serif",
    )  # fmt: skip
    hops = [] if move is None else [params.number[name] for name in move.path]
    return str(
        picture.add(
            Element("title").add(spoken),
            Element("rect", width=round(width), height=round(height), fill="#ffffff"),
            _label(_caption(params, position), (MARGIN, 30), 20, weight="bold"),
            *_squares(params, highlight),
            *_names(params),
            *(part for n, stack in enumerate(position.stacks) for part in _stack(stack, _middle(params, n))),
            *_arrows([_middle(params, n) for n in hops], [_reach(position.stacks[n]) for n in hops]),
        )
    )


def places(params: Params, position: Position, move: Move | None, highlight: Collection[int]) -> dict[str, Box]:
    """The squares."""
    corners = {name: _middle(params, n) for name, n in params.number.items()}
    return {name: Box(x - SQUARE / 2, y - SQUARE / 2, SQUARE, SQUARE) for name, (x, y) in corners.items()}


def _middle(params: Params, square: int) -> Point:
    column, row = params.places[square]
    return MARGIN + SQUARE * (column - 0.5), HEADER + MARGIN + SQUARE * (params.core + 2 - row + 0.5)


def _squares(params: Params, highlight: Collection[int]) -> Iterator[Element]:
    south, across = params.edge("south") + params.edge("north"), params.edge("west") + params.edge("east")
    for n in range(len(params.squares)):
        x, y = _middle(params, n)
        ground = GROUND["south" if n in south else "west" if n in across else "core"]
        box = {"x": x - SQUARE / 2, "y": y - SQUARE / 2, "width": SQUARE, "height": SQUARE}
        yield Element("rect", **box, fill=PALE if n in highlight else ground, stroke=EDGE, stroke_width=1.2)


def _names(params: Params) -> Iterator[Element]:
    """Files and rows by letter and number; each line by whose start and finish it is."""
    last = params.core + 2
    bottom, right = HEADER + MARGIN + SQUARE * last, MARGIN + SQUARE * last
    for n in range(last):
        yield _label("abcdefghi"[n], (MARGIN + SQUARE * (n + 0.5), bottom + 17), 14)
        yield _label(str(n + 1), (MARGIN - 12, bottom - SQUARE * (n + 0.5) + 5), 14)
    middle, centre = MARGIN + SQUARE * last / 2, HEADER + MARGIN + SQUARE * last / 2
    where = {
        "south": (middle, bottom + 36, 0),
        "north": (middle, HEADER + MARGIN - 12, 0),
        "west": (MARGIN - 28, centre, -90),
        "east": (right + 24, centre, -90),
    }
    for home in ("south", params.side):
        owners = _owners(params, home)
        for side, what in ((home, "start"), (OPPOSITE[home], "finish")):
            x, y, turn = where[side]
            label = _label(f"{what} of {owners}", (x, y), 15)
            yield label if not turn else Element("g", transform=f"rotate({turn} {x:g} {y:g})").add(label)


def _stack(stack: Stack, middle: Point) -> Iterator[Element]:
    """The top first, because the others are drawn inside it."""
    for level, pyramid in enumerate(reversed(stack)):
        yield Element("g").add(*_pyramid(pyramid, middle, is_top=level == 0))


def _pyramid(pyramid: Pyramid, middle: Point, is_top: bool) -> Iterator[Element]:
    (x, y), half = middle, WIDTH[pyramid.pips] / 2
    yield Element("title").add(f"{SIZE_NAMES[pyramid.pips]} pyramid {pyramid}")
    box = {"x": x - half, "y": y - half, "width": 2 * half, "height": 2 * half}
    letters = LETTERS[pyramid.colour]
    line = {"stroke": INK, "stroke_width": 2.4} if is_top else {"stroke": letters, "stroke_width": 1.4}
    yield Element("rect", **box, fill=FILL[pyramid.colour], **line)
    yield from _pattern(pyramid, middle)
    down = -1.0 if pyramid.pips == SMALL else BAND / 2 - half + 4.5
    yield _label(str(pyramid), (x, y + down), 12 if pyramid.pips == SMALL else 10.5, letters, weight="bold")


def _pattern(pyramid: Pyramid, middle: Point) -> Iterator[Element]:
    """Stripes for B, dots for C, crosses for D, in the bands at the sides (under the letters of a small one)."""
    x, y = middle
    if pyramid.pips == SMALL:
        marks = [(x + dx, y + 7.0) for dx in (-8.0, 0.0, 8.0)]
    else:
        far, reach = WIDTH[pyramid.pips] / 2 - BAND / 2, WIDTH[pyramid.pips] / 2 - BAND - 5
        count = 3 if pyramid.pips == 2 else 5
        rises = [reach * (2 * k / (count - 1) - 1) for k in range(count)]
        marks = [(x + dx, y + dy) for dx in (-far, far) for dy in rises]
    for mark in marks:
        yield from _mark(pyramid.colour, mark)


def _mark(colour: str, at: Point) -> Iterator[Element]:
    x, y = at
    if colour == "B":
        yield Element("path", d=path("M", x - 4, y, "H", x + 4), stroke=INK, stroke_width=1.6)
    elif colour == "C":
        yield Element("circle", cx=x, cy=y, r=1.9, fill=INK)
    elif colour == "D":
        across = path("M", x - 3, y - 3, "L", x + 3, y + 3, "M", x - 3, y + 3, "L", x + 3, y - 3)
        yield Element("path", d=across, stroke=INK, stroke_width=1.4)


def _label(words: str, at: Point, size: float, colour: str = INK, weight: str = "normal") -> Element:
    anchor = "start" if size > 16 else "middle"
    bold = {"font_weight": weight} if weight != "normal" else {}
    where = {"x": float(at[0]), "y": float(at[1]), "font_size": size, "fill": colour, "text_anchor": anchor}
    return Element("text", **where, **bold).add(words)


def _reach(stack: Stack) -> float:
    """How far from the middle of its square a stack is drawn."""
    return WIDTH[stack[-1].pips] / 2 + 1 if stack else 4.0


def _arrows(stops: list[Point], reaches: list[float]) -> Iterator[Element]:
    """A step is a straight arrow, a jump an arc; the jumps of a chain are numbered."""
    hops = list(pairwise(zip(stops, reaches, strict=True)))
    for (start, leave), (end, reach) in hops:
        bend = 0.0 if _apart(start, end) < 1.5 * SQUARE else BEND
        over = _bent(start, end, bend)
        yield from _arrow(_toward(start, over, leave), over, _toward(end, over, reach))
    if len(hops) > 1:
        for n, ((start, _), (end, _)) in enumerate(hops, 1):
            x, y = _bent(start, end, BEND / 2)
            yield Element("circle", cx=x, cy=y, r=9.0, fill="#ffffff", stroke=ACCENT, stroke_width=1.5)
            yield _label(str(n), (x, y + 4), 12)


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
    for colour, width in (("#ffffff", 7.5), (ACCENT, 3.6)):
        yield Element("path", d=route, fill="none", stroke=colour, stroke_width=width)
    yield Element("circle", cx=start[0], cy=start[1], r=4.5, fill=ACCENT, stroke="#ffffff", stroke_width=1.2)
    wings = [end, (neck[0] - 7 * dy, neck[1] + 7 * dx), (neck[0] + 7 * dy, neck[1] - 7 * dx)]
    yield Element("polygon", points=points(wings), fill=ACCENT, stroke="#ffffff", stroke_width=1.2)


LEGEND = (
    "The line names who is to move, then each square with its stack, bottom first. Stacks are seen from above as if "
    "transparent: the outermost outline is the top, and it alone can move. The arrow is the move spoken of, jump by "
    "jump."
)
DRAWER = Drawer(text, svg, LEGEND, places=places)
