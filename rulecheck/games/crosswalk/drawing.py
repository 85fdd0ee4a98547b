"""Crosswalk seen from the side: the row of squares, the stacks on them, a finish past either end.

Player A is dark with light letters, player B light with stripes, pedestrians are white with dots, so that the
three can be distinguished in print without colour.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rulecheck.games.crosswalk import PEDESTRIAN, PLAYERS, Params, Position, Step, Turn
from rulecheck.pyramids import SIZE_NAMES, Pyramid, Stack
from rulecheck.render import Box, Drawer
from rulecheck.render.svg import Element, path, points
from rulecheck.theme import NAMED

# -- Text ----------------------------------------------------------------------------------------------------

CELL = 8  # the width of a large pyramid


def text(params: Params, position: Position) -> str:
    rows = max(1, *(len(stack) for stack in position.stacks))
    lines = [
        "  ".join(_text_pyramid(stack[level] if level < len(stack) else None) for stack in position.stacks)
        for level in reversed(range(rows))
    ]
    lines.append("  ".join(("=" if p not in params.board else "-") * CELL for p in params.places))
    lines.append("  ".join(str(p).center(CELL) for p in params.places))
    lines.append("  ".join(_finish_name(params, p).center(CELL) for p in params.places))
    return "\n".join(line.rstrip() for line in [_caption(position), "", *lines])


def _text_pyramid(pyramid: Pyramid | None) -> str:
    """`/A1\\`, `/ A2 \\` or `/  A3  \\` in the middle of a cell."""
    if pyramid is None:
        return " " * CELL
    space = " " * (pyramid.pips - 1)
    return f"/{space}{pyramid}{space}\\".center(CELL)


def _finish_name(params: Params, place: int) -> str:
    owner = _owner(params, place)
    return "" if owner is None else f"finish {owner}"


def _owner(params: Params, place: int) -> str | None:
    return next((c for c in PLAYERS if params.finish(c) == place), None)


def _caption(position: Position) -> str:
    return f"{position.mover} to move" + (f", roll {position.roll}" if position.roll else "")


# -- SVG -----------------------------------------------------------------------------------------------------

COLUMN = 68.0  # from the middle of one place to the middle of the next
MARGIN = 10.0
HEADER = 44.0  # caption and die
FOOTER = 44.0  # ground and names
LANE = 20.0  # height of one arrow above the stacks
SPREAD = 9.0  # between the arrows of one turn, sideways
BASE = {1: 36.0, 2: 50.0, 3: 64.0}  # width at the foot
TIP = {1: 8.0, 2: 12.0, 3: 16.0}  # width at the top
HEIGHT = {1: 27.0, 2: 32.0, 3: 37.0}
INK, GROUND, PALE, ACCENT = "#1c1c1c", "#8a8a8a", "#fff3c4", "#b3261e"
PAINT = {"A": NAMED["red"], "B": NAMED["blue"], "P": NAMED["grey"]}  # as the sheet names them
DOTS = {  # rows of dots on a pedestrian: height above the foot, places from the middle
    1: ((21.5, (-2.4, 2.4)),),
    2: ((21.5, (-5.0, 0.0, 5.0)), (27.0, (-3.0, 3.0))),
    3: ((5.0, (-21.0, 21.0)), (11.0, (-17.0, 17.0)), (22.0, (-8.0, -4.0, 0.0, 4.0, 8.0)), (29.0, (-4.0, 0.0, 4.0))),
}
SPOTS = ("", "4", "08", "048", "0268", "02468", "023568", "0234568", "01235678", "012345678")


def svg(params: Params, position: Position, move: Turn | None = None, highlight: Collection[int] = ()) -> str:
    steps = move.steps if move is not None else ()
    lanes, ground = _lanes(steps), _ground(position, steps)
    width, height = 2 * MARGIN + COLUMN * len(params.places), ground + FOOTER
    spoken = f"Crosswalk: {position}" + ("" if move is None else f", turn {move}")
    picture = Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=round(width), height=round(height), role="img", font_family="Helvetica, Arial, sans-serif",
    )  # fmt: skip
    return str(
        picture.add(
            Element("title").add(spoken),
            Element("rect", class_="paper", width=round(width), height=round(height), fill="#ffffff"),
            *_tinted(highlight, HEADER, ground),
            *_header(position),
            *(part for p in params.places for part in _place(params, p, ground)),
            *(part for p, stack in enumerate(position.stacks) for part in _stack(p, stack, ground)),
            *_arrows(position.stacks, steps, ground, HEADER + lanes),
        )
    )


def places(params: Params, position: Position, move: Turn | None, highlight: Collection[int]) -> dict[str, Box]:
    """Each place with its stack and its name."""
    ground = _ground(position, move.steps if move is not None else ())
    size = (COLUMN - 6, ground + 34 - HEADER)
    return {str(p): Box(_middle(p) - COLUMN / 2 + 3, HEADER, *size) for p in params.places}


def _lanes(steps: tuple[Step, ...]) -> float:
    """The height of the arrows above the stacks."""
    return LANE * len(steps) + (12 if steps else 0)


def _ground(position: Position, steps: tuple[Step, ...]) -> float:
    tallest = max(_height(stack) for stack in _growing(position.stacks, steps))
    return HEADER + _lanes(steps) + max(tallest, 60.0) + 8


def _middle(place: int) -> float:
    return MARGIN + COLUMN * (place + 0.5)


def _height(stack: Stack) -> float:
    return sum(HEIGHT[q.pips] for q in stack)


def _growing(stacks: tuple[Stack, ...], steps: tuple[Step, ...]) -> Iterator[Stack]:
    """Every stack that stands at some moment of the turn."""
    now = list(stacks)
    yield from now
    for step in steps:
        moved, now[step.source] = now[step.source][-1:], now[step.source][:-1]
        now[step.target] = now[step.target] + moved
        yield now[step.target]


def _header(position: Position) -> Iterator[Element]:
    yield _label(_caption(position), MARGIN + 6, 31, 18, INK, anchor="start", weight="bold")
    if position.roll is not None:
        yield from _die(position.roll, MARGIN + 204, 12)


def _die(roll: int, x: float, y: float, side: float = 28) -> Iterator[Element]:
    """The face of a die; up to nine pips on a grid of three by three."""
    yield Element("rect", x=x, y=y, width=side, height=side, rx=5, fill="#ffffff", stroke=INK, stroke_width=1.5)
    for spot in map(int, SPOTS[roll]):
        row, column = divmod(spot, 3)
        yield Element("circle", cx=x + side * (1 + column) / 4, cy=y + side * (1 + row) / 4, r=2.4, fill=INK)


def _tinted(highlight: Collection[int], top: float, ground: float) -> Iterator[Element]:
    for p in sorted(highlight):
        yield Element(
            "rect",
            x=_middle(p) - COLUMN / 2 + 3,
            y=top,
            width=COLUMN - 6,
            height=ground - top,
            class_="pale",
            fill=PALE,
        )


def _place(params: Params, p: int, ground: float) -> Iterator[Element]:
    """A square is a slab; a finish is a dashed outline off the board."""
    x, owner = _middle(p), _owner(params, p)
    slab = {"data_place": str(p), "x": x - COLUMN / 2 + 3, "y": ground, "width": COLUMN - 6, "height": 9.0}
    if owner is None:
        yield Element("rect", class_="place", **slab, fill=GROUND)
        yield _label(str(p), x, ground + 28, 15, INK)
    else:
        yield Element(
            "rect",
            class_="place paper pen",
            **slab,
            fill="#ffffff",
            stroke=INK,
            stroke_width=1.2,
            stroke_dasharray="4 3",
        )
        yield _label(f"finish {owner}", x, ground + 28, 14.5, INK)


def _stack(p: int, stack: Stack, ground: float) -> Iterator[Element]:
    foot = ground
    for pyramid in stack:
        yield Element("g", class_="piece", data_place=str(p)).add(*_pyramid(pyramid, _middle(p), foot))
        foot -= HEIGHT[pyramid.pips]


def _pyramid(pyramid: Pyramid, x: float, foot: float) -> Iterator[Element]:
    colour, pips = pyramid
    base, tip, height = BASE[pips], TIP[pips], HEIGHT[pips] - 2
    across = ((-base / 2, 0.0), (base / 2, 0.0), (tip / 2, height), (-tip / 2, height))
    corners = [(x + dx, foot - rise) for dx, rise in across]
    yield Element("title").add(f"{SIZE_NAMES[pips]} pyramid {pyramid}")
    yield Element(
        "polygon",
        class_="pen",
        points=points(corners),
        fill=PAINT[colour][0],
        stroke=INK,
        stroke_width=1.5,
        stroke_linejoin="round",
    )
    yield from _pattern(pyramid, x, foot)
    yield _label(str(pyramid), x, foot - 6.5, 14.5, PAINT[colour][1], weight="bold", kind="")


def _pattern(pyramid: Pyramid, x: float, foot: float) -> Iterator[Element]:
    """Stripes for B, dots for pedestrians, both clear of the letters."""
    pips, height = pyramid.pips, HEIGHT[pyramid.pips] - 2
    if pyramid.colour == "B":
        for rise in (3.0, *(r for r in (20.5, 24.5, 28.5, 32.5, 36.5) if r < height - 1)):
            half = (BASE[pips] + (TIP[pips] - BASE[pips]) * rise / height) / 2 - 2.5
            yield Element(
                "path", d=path("M", x - half, foot - rise, "H", x + half), stroke=PAINT["B"][1], stroke_width=1.3
            )
    elif pyramid.colour == PEDESTRIAN:
        for rise, across in DOTS[pips]:
            yield from (Element("circle", cx=x + dx, cy=foot - rise, r=1.5, fill=INK) for dx in across)


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


def _arrows(stacks: tuple[Stack, ...], steps: tuple[Step, ...], ground: float, low: float) -> Iterator[Element]:
    """Each step has a lane of its own above the stacks, the first one lowest, numbered in order."""
    now = list(stacks)
    for n, step in enumerate(steps):
        shift = SPREAD * (n - (len(steps) - 1) / 2)
        x0, x1, lane = _middle(step.source) + shift, _middle(step.target) + shift, low - 6 - LANE * n
        start = _clear(stacks, now, step.source)
        moved, now[step.source] = now[step.source][-1:], now[step.source][:-1]
        end = _clear(stacks, now, step.target)
        now[step.target] = now[step.target] + moved
        yield from _arrow(x0, ground - start, x1, ground - end, lane, step.relocates)
        yield from _lane_number(n + 1, (x0 + x1) / 2, lane)


def _clear(drawn: tuple[Stack, ...], now: list[Stack], p: int) -> float:
    """Above the top as it stands at that moment, but never across the stack that the picture shows."""
    return max(_height(drawn[p]), _height(now[p]))


def _arrow(x0: float, y0: float, x1: float, y1: float, lane: float, dashed: bool) -> Iterator[Element]:
    if x0 == x1:  # put back where it was
        x0, x1 = x0 - 8, x1 + 8
    bend = 7.0 if x1 > x0 else -7.0
    y0, y1 = y0 - 3, y1 - 3
    route = path(
        "M", x0, y0, "V", lane + 7, "Q", x0, lane, x0 + bend, lane,
        "H", x1 - bend, "Q", x1, lane, x1, lane + 7, "V", y1 - 8,
    )  # fmt: skip
    dashes = {"stroke_dasharray": "6 4"} if dashed else {}
    yield Element(
        "path", class_="halo", d=route, fill="none", stroke="#ffffff", stroke_width=5
    )  # keeps crossing arrows apart
    yield Element("path", class_="accent", d=route, fill="none", stroke=ACCENT, stroke_width=2.2, **dashes)
    yield Element(
        "polygon", points=points([(x1, y1), (x1 - 5, y1 - 10), (x1 + 5, y1 - 10)]), class_="mark", fill=ACCENT
    )


def _lane_number(n: int, x: float, lane: float) -> Iterator[Element]:
    yield Element("circle", cx=x, cy=lane, r=8, class_="paper", fill="#ffffff", stroke=ACCENT, stroke_width=1.5)
    yield _label(str(n), x, lane + 5, 14.5, INK)


LEGEND = (
    "The line names who is to move, then each place with its stack, bottom first. Arrows are the move spoken of, "
    "numbered in order; a dashed arrow lifts a pyramid and sets it down elsewhere. In a line of play, what was rolled "
    "stands before the colon."
)
DRAWER = Drawer(text, svg, LEGEND, places=places)
