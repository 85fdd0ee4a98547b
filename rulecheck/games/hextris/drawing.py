"""Hextris seen from above, each pyramid drawn from its side on its point; hands and groups stand below the board.

Player A is dark with light letters, player B light with stripes, player C white with dots, so that the three can
be distinguished in print without colour.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from itertools import combinations

from rulecheck.games.hextris import SIZES, Exchange, Move, Params, Pass, Placement, Position, Slide, row_lengths, spots
from rulecheck.pyramids import SIZE_NAMES, Pyramid
from rulecheck.render import Box, Drawer
from rulecheck.render.svg import Element, path, points
from rulecheck.theme import PALETTE

Spot = tuple[float, float]

# -- Text ----------------------------------------------------------------------------------------------------


def text(params: Params, position: Position) -> str:
    """Row letters at the left, `.` for an empty point; points are numbered from the left."""
    cells = iter(position.points)
    lines = []
    for row, length in enumerate(row_lengths(params.radius)):
        shown = "  ".join(str(next(cells) or ".").ljust(2) for _ in range(length))
        lines.append(f"{'abcdefg'[row]}  {'  ' * (2 * params.radius + 1 - length)}{shown}".rstrip())
    lines.append("")
    lines += [_owned(params, position, colour) for colour in params.colours]
    return "\n".join([f"{position.mover} to move", "", *lines])


def _owned(params: Params, position: Position, colour: str) -> str:
    held = ", ".join(f"{position.in_hand(colour, s)} {SIZE_NAMES[s]}" for s in SIZES)
    return f"{colour}  in hand {held}; {_formed(params, position, colour)}"


def _formed(params: Params, position: Position, colour: str) -> str:
    return f"{position.formed(colour)} of {params.groups} group{'s' if params.groups > 1 else ''}"


# -- SVG -----------------------------------------------------------------------------------------------------

STEP = 84.0  # from a point to its neighbour
RISE = STEP * math.sqrt(3) / 2  # from a row to the next
MARGIN = 44.0
HEADER = 34.0
PANEL, BLOCK = 208.0, 88.0  # below the board, for each player: width and height
BASE = {1: 30.0, 2: 40.0, 3: 50.0}  # width at the foot
TIP = {1: 7.0, 2: 9.0, 3: 11.0}  # width at the top
HEIGHT = {1: 26.0, 2: 35.0, 3: 44.0}
CLEAR = {1: 22.0, 2: 25.0, 3: 29.0}  # how far from the middle of a piece an arrow keeps
INK, GRID, NAMES, PALE, ACCENT = "#1c1c1c", "#b4b4b4", "#5c5c5c", "#fff3c4", "#b3261e"
PAINT = dict(zip("ABC", PALETTE, strict=False))


def svg(params: Params, position: Position, move: Move | None = None, highlight: Collection[int] = ()) -> str:
    width, height = _width(params), _height(params)
    spoken = f"Hextris: {position}" + ("" if move is None else f", turn {move}")
    picture = Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=round(width), height=round(height), role="img", font_family="Helvetica, Arial, sans-serif",
    )  # fmt: skip
    places = _places(params)
    return str(
        picture.add(
            Element("title").add(spoken),
            Element("rect", class_="paper", width=round(width), height=round(height), fill="#ffffff"),
            _label(_caption(position, move), 22, 27, 18, INK, anchor="start", weight="bold"),
            *(
                Element("circle", cx=places[p][0], cy=places[p][1], r=34, class_="pale", fill=PALE)
                for p in sorted(highlight)
            ),
            *_grid(params, places),
            *(part for name, place in zip(params.names, places, strict=True) for part in _point(name, place)),
            *(
                Element("g", class_="piece", data_place=name).add(*_piece(piece, x, y))
                for name, piece, (x, y) in zip(params.names, position.points, places, strict=True)
                if piece
            ),
            *_panel(params, position),
            *_arrows(position, move, places),
        )
    )


def places(params: Params, position: Position, move: Move | None, highlight: Collection[int]) -> dict[str, Box]:
    """The points of the board, and the pieces in hand below it."""
    side, held = 0.62 * STEP, {}
    for n, colour in enumerate(params.colours):
        left, top = _block(params, n)
        for pips in SIZES:
            if position.in_hand(colour, pips):
                held[str(Pyramid(colour, pips))] = Box(left + 66.0 * (pips - 1) - 2, top + 4, 64.0, 56.0)
    at = zip(params.names, _places(params), strict=True)
    return {name: Box(x - side / 2, y - side / 2, side, side) for name, (x, y) in at} | held


def _width(params: Params) -> float:
    return 2 * MARGIN + STEP * 2 * params.radius


def _board(params: Params) -> float:
    """Where the board ends and the hands begin."""
    return HEADER + 2 * MARGIN + RISE * 2 * params.radius


def _columns(params: Params) -> int:
    return max(1, int(_width(params) // PANEL))


def _block(params: Params, player: int) -> Spot:
    """Where the hand of a player begins: side by side if there is room."""
    row, column = divmod(player, _columns(params))
    return 22.0 + (_width(params) - 22) / _columns(params) * column, _board(params) + 8 + BLOCK * row


def _height(params: Params) -> float:
    return _board(params) + BLOCK * math.ceil(params.players / _columns(params))


def _caption(position: Position, move: Move | None) -> str:
    return f"{position.mover} passes" if isinstance(move, Pass) else f"{position.mover} to move"


def _places(params: Params) -> list[Spot]:
    top = HEADER + MARGIN
    return [(MARGIN + STEP * x / 2, top + RISE * y) for x, y in spots(params.radius)]


def _grid(params: Params, places: list[Spot]) -> Iterator[Element]:
    """A line between any two points that are one step apart, and a thicker one around them all."""
    near = (path("M", *a, "L", *b) for a, b in combinations(places, 2) if math.dist(a, b) < 1.1 * STEP)
    yield Element("path", class_="grid", d=" ".join(near), stroke=GRID, stroke_width=1.3)
    side, middle = params.radius, len(places) // 2
    corners = (0, side, middle + side, -1, -1 - side, middle - side)
    outline = points(places[corner] for corner in corners)
    yield Element(
        "polygon", class_="grid", points=outline, fill="none", stroke=GRID, stroke_width=4, stroke_linejoin="round"
    )


def _point(name: str, place: Spot) -> Iterator[Element]:
    x, y = place
    yield Element("circle", class_="place ink", data_place=name, cx=x, cy=y, r=4.5, fill=INK)
    yield Element(
        "rect", class_="paper", x=x - 10, y=y + 22, width=20, height=15, rx=3, fill="#ffffff", fill_opacity=0.85
    )
    yield _label(name, x, y + 33.5, 13.5, NAMES, kind="names")


def _piece(piece: Pyramid, x: float, y: float) -> Iterator[Element]:
    """A pyramid whose foot is a little below its point."""
    colour, pips = piece
    base, tip, height, foot = BASE[pips], TIP[pips], HEIGHT[pips], y + 0.5 * HEIGHT[pips] - 2
    across = ((-base / 2, 0.0), (base / 2, 0.0), (tip / 2, height), (-tip / 2, height))
    corners = points((x + dx, foot - rise) for dx, rise in across)
    yield Element("title").add(f"{SIZE_NAMES[pips]} pyramid {piece}")
    yield Element(
        "polygon",
        class_="pen",
        points=corners,
        fill=PAINT[colour][0],
        stroke=INK,
        stroke_width=1.6,
        stroke_linejoin="round",
    )
    yield from _pattern(piece, x, foot)
    yield _label(str(piece), x, foot - 5, 14, PAINT[colour][1], weight="bold", kind="")


def _pattern(piece: Pyramid, x: float, foot: float) -> Iterator[Element]:
    """Stripes for B and dots for C, above the letters."""
    base, tip, height = BASE[piece.pips], TIP[piece.pips], HEIGHT[piece.pips]
    for rise in (r for r in (18.5, 23.0, 27.5, 32.0, 36.5, 41.0) if r < height - 1):
        half = (base + (tip - base) * rise / height) / 2 - 2.5
        if piece.colour == "B":
            yield Element("path", d=path("M", x - half, foot - rise, "H", x + half), stroke=INK, stroke_width=1.3)
        elif piece.colour == "C":
            count = max(1, round(half / 2.4))
            across = (4.8 * (n - (count - 1) / 2) for n in range(count))
            yield from (Element("circle", cx=x + dx, cy=foot - rise, r=1.4, fill=INK) for dx in across)


def _label(
    words: str,
    x: float,
    y: float,
    size: float,
    colour: str,
    anchor: str = "middle",
    weight: str = "normal",
    kind: str = "ink",
) -> Element:
    named = {"class_": kind} if kind else {}
    where = {"x": x, "y": y, "font_size": size, "fill": colour, "text_anchor": anchor}
    if weight != "normal":
        where["font_weight"] = weight
    return Element("text", **named, **where).add(words)


def _panel(params: Params, position: Position) -> Iterator[Element]:
    """For each player the groups formed and the pieces in hand."""
    for n, colour in enumerate(params.colours):
        left, top = _block(params, n)
        caption = f"{colour}: {_formed(params, position, colour)}"
        weight = "bold" if colour == position.mover else "normal"
        yield _label(caption, left, top, 15, INK, anchor="start", weight=weight)
        for pips in SIZES:
            x, held = left + 24 + 66 * (pips - 1), position.in_hand(colour, pips)
            drawn = Element("g", class_="piece", data_place=str(Pyramid(colour, pips)), opacity=1 if held else 0.25)
            yield drawn.add(*_stamp(Pyramid(colour, pips), x, top + 56))
            yield _label(str(held), x + 3 + BASE[pips] / 2, top + 56, 14, INK, anchor="start")


def _stamp(piece: Pyramid, x: float, foot: float) -> Iterator[Element]:
    """A piece in hand: like one on the board, but without its name."""
    yield from (part for part in _piece(piece, x, foot + 2 - HEIGHT[piece.pips] / 2) if part.name != "text")


# -- Moves ---------------------------------------------------------------------------------------------------


def _arrows(position: Position, move: Move | None, places: list[Spot]) -> Iterator[Element]:
    if isinstance(move, Slide):
        start, end = places[move.source], places[move.target]
        yield from _arrow(start, end, _clearance(position, move.source), 9)
    elif isinstance(move, Exchange):
        start, end = places[move.source], places[move.target]
        if start != end:
            yield from (*_arc(start, end), *_arc(end, start))
    elif isinstance(move, Placement):
        x, y = places[move.target]
        yield Element(
            "circle",
            class_="accent",
            cx=x,
            cy=y + 4,
            r=40,
            fill="none",
            stroke=ACCENT,
            stroke_width=2.4,
            stroke_dasharray="6 4",
        )
        yield Element("g", class_="piece").add(*_piece(move.piece, x, y))


def _clearance(position: Position, point: int) -> float:
    return 9.0 if position.empty(point) else CLEAR[position.pips(point)]


def _arrow(start: Spot, end: Spot, leave: float, stop: float) -> Iterator[Element]:
    """Straight from one place to another, clear of what stands at either end."""
    length = math.dist(start, end)
    if length <= leave + stop + 10:
        return
    right, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    tail = (start[0] + right * leave, start[1] + down * leave)
    head = (end[0] - right * stop, end[1] - down * stop)
    yield _stroke(path("M", *tail, "L", head[0] - 8 * right, head[1] - 8 * down))
    yield _head(head, right, down)


def _arc(start: Spot, end: Spot) -> Iterator[Element]:
    """From one piece round to the next; the way back bends to the other side."""
    length = math.dist(start, end)
    right, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length

    def at(along: float, aside: float) -> Spot:
        return start[0] + right * along + down * aside, start[1] + down * along - right * aside

    tail, bend, tip = at(18, 26), at(length / 2, 44), at(length - 15, 24)
    lean = math.dist(bend, tip)
    to = ((tip[0] - bend[0]) / lean, (tip[1] - bend[1]) / lean)
    yield _stroke(path("M", *tail, "Q", *bend, tip[0] - 8 * to[0], tip[1] - 8 * to[1]))
    yield _head(tip, *to)


def _stroke(route: str) -> Element:
    return Element("path", class_="accent", d=route, fill="none", stroke=ACCENT, stroke_width=2.6)


def _head(tip: Spot, right: float, down: float) -> Element:
    (x, y), back, half = tip, 11.0, 5.5
    left_corner = (x - right * back + down * half, y - down * back - right * half)
    right_corner = (x - right * back - down * half, y - down * back + right * half)
    return Element("polygon", class_="mark", points=points([tip, left_corner, right_corner]), fill=ACCENT)


LEGEND = (
    "The line names who is to move, then each point with its piece. Pieces still in hand stand beside the board with "
    "their number. The arrow, or the ring where a piece comes in from the hand, is the move spoken of."
)
DRAWER = Drawer(text, svg, LEGEND, places=places)
