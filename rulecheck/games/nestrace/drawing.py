"""Nest race from above: the board with its cut corners, the lines and who runs between them, nested stacks.

Stacks grow in size upward, so every pyramid of a stack can be drawn inside the one on it, as if all were transparent:
the outermost outline is the top, and it alone can move. A is dark, B light with stripes, C white with dots, D grey
with crosses, so that they can be told apart in print without colour.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from itertools import pairwise

from rulecheck.games.nestrace import Move, Params, Position
from rulecheck.games.nestrace.boards import OPPOSITE
from rulecheck.pyramids import SIZE_NAMES, SMALL, Pyramid, Stack
from rulecheck.render import Box, Drawer
from rulecheck.render.svg import Element, path, points
from rulecheck.theme import LIGHT, NAMED

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

SQUARE = 66.0
MARGIN = 37.0  # names of files and rows, and of the lines
HEADER = 26.0
WIDTH = {1: 33.0, 2: 47.0, 3: 62.0}  # of a pyramid seen from its side, at the foot
LEVEL = 20.0  # its height
SLOPE = 4.0  # how much narrower it is at the top, on each side
INK, EDGE, ACCENT = "#1c1c1c", "#8a8a8a", "#b3261e"
GROUND = {"core": "paper", "south": "warm", "west": "cool"}  # of the theme
PAINT = {
    "A": NAMED["red"],
    "B": NAMED["cyan"],
    "C": NAMED["white"],
    "D": NAMED["grey"],
}  # the sheet prefers the first two
BEND = 52.0  # how far a jump swings out, twice
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
            Element("rect", class_="paper", width=round(width), height=round(height), fill="#ffffff"),
            _label(_caption(params, position), (MARGIN - 26, 22), 18, weight="bold"),
            *_squares(params, highlight),
            *_names(params),
            *(part for n, stack in enumerate(position.stacks) for part in _stack(params, n, stack)),
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
        ground = "pale" if n in highlight else GROUND["south" if n in south else "west" if n in across else "core"]
        box = {"x": x - SQUARE / 2, "y": y - SQUARE / 2, "width": SQUARE, "height": SQUARE}
        name = {"class_": f"place {ground}", "data_place": params.squares[n]}
        yield Element("rect", **name, **box, fill=LIGHT[ground], stroke=EDGE, stroke_width=1.2)


def _names(params: Params) -> Iterator[Element]:
    """Files and rows by letter and number; each line by whose start and finish it is."""
    last = params.core + 2
    bottom, right = HEADER + MARGIN + SQUARE * last, MARGIN + SQUARE * last
    for n in range(last):
        yield _label("abcdefghi"[n], (MARGIN + SQUARE * (n + 0.5), bottom + 16), 17)
        yield _label(str(n + 1), (MARGIN - 10, bottom - SQUARE * (n + 0.5) + 6), 17)
    middle, centre = MARGIN + SQUARE * last / 2, HEADER + MARGIN + SQUARE * last / 2
    where = {
        "south": (middle, bottom + 35, 0),
        "north": (middle, HEADER + MARGIN - 8, 0),
        "west": (MARGIN - 24, centre, -90),
        "east": (right + 22, centre, -90),
    }
    for home in ("south", params.side):
        owners = _owners(params, home)
        for side, what in ((home, "start"), (OPPOSITE[home], "finish")):
            x, y, turn = where[side]
            label = _label(f"{what} of {owners}", (x, y), 17)
            yield label if not turn else Element("g", transform=f"rotate({turn} {x:g} {y:g})").add(label)


def _stack(params: Params, square: int, stack: Stack) -> Iterator[Element]:
    """Seen from its side, the top above the others, as it stands on the board."""
    middle, name = _middle(params, square), {"class_": "piece", "data_place": params.squares[square]}
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
    yield _label(str(pyramid), (x, y - 3.9), 17, letters, "bold", "")


def _pattern(pyramid: Pyramid, foot: Point) -> Iterator[Element]:
    """Stripes for B, dots for C, crosses for D, on either side of the letters; a small one has room for few."""
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


def _label(words: str, at: Point, size: float, colour: str = INK, weight: str = "normal", kind: str = "ink") -> Element:
    anchor = "start" if size > 17 else "middle"
    named = {"class_": kind} if kind else {}
    bold = {"font_weight": weight} if weight != "normal" else {}
    where = {"x": float(at[0]), "y": float(at[1]), "font_size": size, "fill": colour, "text_anchor": anchor}
    return Element("text", **named, **where, **bold).add(words)


def _reach(stack: Stack) -> float:
    """How far from the middle of its square a stack is drawn."""
    return max(LEVEL * len(stack), LEVEL * 1.6) / 2 + 1 if stack else 4.0


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
            yield Element("circle", class_="paper", cx=x, cy=y, r=11.5, fill="#ffffff", stroke=ACCENT, stroke_width=1.5)
            yield _label(str(n), (x, y + 6), 17)


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
