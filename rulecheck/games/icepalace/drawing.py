"""Ice Palace seen from above: worksite and palace on their grids, hands and bag below.

Every pyramid is a square, nested with those above and below it; the top of a stack has the heavy outline. North is
up. Each square carries its letter and its pips, so that nothing depends on colour.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from rulecheck.games.icepalace import (
    NOBODY,
    PALACE,
    WORKSITE,
    Cell,
    Move,
    Params,
    Position,
    Structure,
    cell_text,
)
from rulecheck.pyramids import SIZE_NAMES, Pyramid, Stack, stack_text
from rulecheck.render import Box, Drawer
from rulecheck.render.svg import Element, points
from rulecheck.theme import NAMED, PALETTE

TITLES = {WORKSITE: "Worksite", PALACE: "Palace"}


def _sites(position: Position) -> tuple[tuple[str, Structure], ...]:
    return (WORKSITE, position.worksite), (PALACE, position.palace)


def _caption(params: Params, position: Position) -> str:
    mover = _nobody(params, position) if position.mover == NOBODY else f"{position.mover} to move"
    marker = f", marker at {position.marker}" if position.marker else ""
    passes = f", passes in a row: {position.passes}" if position.passes else ""
    return mover + marker + passes


def _nobody(params: Params, position: Position) -> str:
    """Why nobody is to move. Where the bag has some of what is missing, a reading says whether that is enough."""
    if position.marker is None:
        return "the first player is chosen"
    lacking = {size for hand in position.hands for size in params.sizes if _held(hand, size) < params.hand}
    drawn = any(counts[size - 1] for counts in position.bag for size in lacking)
    return "pyramids are drawn" if drawn else "the game is over"


def _held(hand: Stack, size: int) -> int:
    return sum(pyramid.pips == size for pyramid in hand)


def _lists(params: Params, position: Position) -> Iterator[tuple[str, Stack]]:
    """Hands, and what is left to build, each with its name."""
    yield from ((f"hand of {c}", hand) for c, hand in zip(params.letters, position.hands, strict=True))
    if position.left:
        yield f"left for {position.mover}", position.left


def _bag(params: Params, position: Position) -> str:
    counts = (f"{c} {'-'.join(map(str, counts))}" for c, counts in zip(params.colours, position.bag, strict=True))
    return "bag (small-medium-large): " + ", ".join(counts)


# -- Text ----------------------------------------------------------------------------------------------------

WIDTH = 6  # of a stack of three


def text(params: Params, position: Position) -> str:
    lines = [_caption(params, position)]
    for site, structure in _sites(position):
        lines += ["", TITLES[site], *(_text_grid(structure) if structure else ["  nothing stands here"])]
    lines.append("")
    lines += [f"{name}: {' '.join(map(str, stack)) or 'empty'}" for name, stack in _lists(params, position)]
    return "\n".join(line.rstrip() for line in [*lines, _bag(params, position)])


def _text_grid(structure: Structure) -> list[str]:
    """Stacks bottom first, a dot for an empty cell, rows and columns named at the edges."""
    columns, rows = _extent(structure, ())
    lines = [
        f"{y:>4}  " + "  ".join((stack_text(structure.at((x, y))) or ".").center(WIDTH) for x in columns)
        for y in reversed(rows)
    ]
    return [*lines, "      " + "  ".join(str(x).center(WIDTH) for x in columns)]


def _extent(structure: Structure, more: Collection[Cell]) -> tuple[range, range]:
    """The columns and rows that a structure takes, and the cells besides it that are to be shown."""
    cells = [cell for cell, _ in structure] + list(more) or [(0, 0)]
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    return range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)


# -- SVG -----------------------------------------------------------------------------------------------------

CELL = 76.0
FOOT = {1: 34.0, 2: 50.0, 3: 68.0}  # of a pyramid seen from its side, at the foot
LEVEL = 23.0  # its height
SLOPE = 4.5  # how much narrower it is at the top, on each side
HAND = 94.0  # where the pyramids of a hand begin
MARGIN = 14.0
AXIS = 24.0  # room for the names of rows and columns
HEADER = 36.0
LINE = 34.0  # the height of a hand
LETTER = 11.0  # the width of one in the header, in a wide font
TITLE = 150.0  # room for the name of a site and for what is done there
INK, GRID, PALE, ACCENT = "#1c1c1c", "#c9c9c9", "#fff3c4", "#b3261e"
PAINT = {  # three players as in the sheet's pictures
    **dict(zip("ABC", (NAMED["green"], NAMED["yellow"], NAMED["blue"]), strict=True)),
    **dict(zip("DEF", (PALETTE[3], PALETTE[5], NAMED["red"]), strict=True)),
    "K": NAMED["black"],
    "W": NAMED["white"],
}


class Panel(NamedTuple):
    """Where a structure is drawn: its left edge, its top, and the columns and rows shown."""

    left: float
    top: float
    columns: range
    rows: range

    @property
    def right(self) -> float:
        return self.left + AXIS + CELL * len(self.columns)

    @property
    def bottom(self) -> float:
        return self.top + AXIS + CELL * len(self.rows)

    def middle(self, cell: Cell) -> tuple[float, float]:
        x = self.left + AXIS + CELL * (cell[0] - self.columns.start + 0.5)
        return x, self.top + CELL * (self.rows.stop - 1 - cell[1] + 0.5)


def svg(params: Params, position: Position, move: Move | None = None, highlight: Collection[str] = ()) -> str:
    """Highlighted cells are named as in the notation, `w1,0` or `p-2,3`; a move is drawn as what it adds."""
    tinted = {site: [c for c in map(_cell, highlight) if c[0] == site] for site in TITLES}
    panels, left = _panels(position, move, highlight)
    lists = list(_lists(params, position))
    bottom = max(panel.bottom for panel in panels.values()) + MARGIN
    widest = max(_list_width(stack) for _, stack in lists)
    width = max(left, widest, 400.0, 2 * MARGIN + LETTER * len(_caption(params, position)))
    together = re.sub(r"\b([A-Z]) ", "\\1\u00a0", _bag(params, position))  # a colour and its counts
    bag = textwrap.wrap(together, int((width - 2 * MARGIN) / 7))
    height = bottom + LINE * len(lists) + 20 + 18 * len(bag)
    spoken = f"Ice Palace: {position}" + ("" if move is None else f", move {move}")
    picture = Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=round(width), height=round(height), role="img", font_family="Helvetica, Arial, sans-serif",
    )  # fmt: skip
    return str(
        picture.add(
            Element("title").add(spoken),
            Element("rect", class_="paper", width=round(width), height=round(height), fill="#ffffff"),
            _label(_caption(params, position), MARGIN, 26, 17, anchor="start", weight="bold"),
            *(part for site, panel in panels.items() for part in _tint(panel, [c for _, c in tinted[site]])),
            *(part for site, structure in _sites(position) for part in _panel(site, panels[site], structure)),
            *_added(panels, position, move),
            *(part for at, entry in enumerate(lists) for part in _list(*entry, bottom + LINE * at)),
            *(
                _label(words, MARGIN, height - 18 * (len(bag) - n) + 4, 13, anchor="start")
                for n, words in enumerate(bag)
            ),
        )
    )


def _panels(position: Position, move: Move | None, highlight: Collection[str]) -> tuple[dict[str, Panel], float]:
    """Where the structures are drawn, with the cells to add to and to tint; and how far that reaches to the right."""
    panels, left = {}, MARGIN
    for site, structure in _sites(position):
        added = [move.cell] if move is not None and move.pyramid and move.site == site else []
        extent = _extent(structure, added + [cell for at, cell in map(_cell, highlight) if at == site])
        panels[site] = Panel(left, HEADER + 22, *extent)
        left = max(panels[site].right, left + TITLE) + MARGIN
    return panels, left


def places(params: Params, position: Position, move: Move | None, highlight: Collection[str]) -> dict[str, Box]:
    """The cells of both grids, and the pyramids that the player to move holds."""
    boxes, (panels, _) = {}, _panels(position, move, highlight)
    for site, panel in panels.items():
        for cell in ((x, y) for y in panel.rows for x in panel.columns):
            x, y = panel.middle(cell)
            boxes[f"{site}{cell_text(cell)}"] = Box(x - CELL / 2, y - CELL / 2, CELL, CELL)
    bottom = max(panel.bottom for panel in panels.values()) + MARGIN
    for at, (name, stack) in enumerate(_lists(params, position)):
        if name.endswith(f" {position.mover}"):
            left = MARGIN + HAND
            for pyramid in stack:
                side = FOOT[pyramid.pips]
                boxes.setdefault(str(pyramid), Box(left, bottom + LINE * at + 4, side, LEVEL + 4))
                left += side + 4
    return boxes


def shown(moves: Iterable[Move]) -> list[str]:
    """The cells in which something can be added."""
    return sorted({f"{move.site}{cell_text(move.cell)}" for move in moves if move.pyramid is not None})


def _cell(name: str) -> tuple[str, Cell]:
    x, y = name[1:].split(",")
    return name[0], (int(x), int(y))


def _tint(panel: Panel, cells: Collection[Cell]) -> Iterator[Element]:
    for x, y in (panel.middle(cell) for cell in sorted(cells)):
        yield Element("rect", x=x - CELL / 2, y=y - CELL / 2, width=CELL, height=CELL, class_="pale", fill=PALE)


def _panel(site: str, panel: Panel, structure: Structure) -> Iterator[Element]:
    yield _label(TITLES[site], panel.left, panel.top - 10, 15, anchor="start", weight="bold")
    for cell in ((x, y) for y in panel.rows for x in panel.columns):
        x, y = panel.middle(cell)
        frame = {"x": x - CELL / 2, "y": y - CELL / 2, "width": CELL, "height": CELL}
        named = {"class_": "place grid", "data_place": f"{site}{cell_text(cell)}"}
        yield Element("rect", **named, **frame, fill="none", stroke=GRID, stroke_width=1)
    for y in panel.rows:
        yield _label(str(y), panel.left + AXIS - 6, panel.middle((0, y))[1] + 5, 13, anchor="end")
    for x in panel.columns:
        yield _label(str(x), panel.middle((x, 0))[0], panel.bottom - AXIS + 17, 13)
    for cell, stack in structure:
        name = f"{site}{cell_text(cell)}"
        yield Element("g", class_="piece", data_place=name).add(
            Element("title").add(name), *_stack(stack, *panel.middle(cell))
        )


def _stack(stack: Stack, x: float, y: float, stroke: str = INK) -> Iterator[Element]:
    """Seen from its side, as it stands: its top above, with the heavy outline."""
    foot = y + LEVEL * max(len(stack), 2) / 2
    for level, pyramid in enumerate(stack):
        is_top = level == len(stack) - 1
        yield from _pyramid(pyramid, x, foot - LEVEL * level, 2.8 if is_top else 1.2, stroke if is_top else INK)


def _pyramid(pyramid: Pyramid, x: float, foot: float, outline: float, stroke: str = INK) -> Iterator[Element]:
    """Its name in the middle, its pips beside it."""
    half, (fill, ink) = FOOT[pyramid.pips] / 2, PAINT[pyramid.colour]
    kind = "pen" if stroke == INK else "accent"
    corners = [(x - half, foot), (x + half, foot), (x + half - SLOPE, foot - LEVEL), (x - half + SLOPE, foot - LEVEL)]
    yield Element("polygon", class_=kind, points=points(corners), fill=fill, stroke=stroke, stroke_width=outline)
    yield _label(str(pyramid), x, foot - 6.2, 15, ink, weight="bold", kind="")
    for pip in range(pyramid.pips):
        yield Element("circle", cx=x + half - 5.5, cy=foot - 4.5 - 5.5 * pip, r=1.7, fill=ink)


def _added(panels: dict[str, Panel], position: Position, move: Move | None) -> Iterator[Element]:
    """The stack as the move leaves it, in a dashed frame; a word if nothing is added."""
    if move is None:
        return
    if move.pyramid is None:
        panel = panels[move.site]
        yield _label(str(move), panel.left + 98, panel.top - 10, 15, ACCENT, anchor="start", weight="bold", kind="mark")
        return
    x, y = panels[move.site].middle(move.cell)
    what = Element("title").add(f"{SIZE_NAMES[move.pyramid.pips]} pyramid {move.pyramid} is added")
    frame = {"x": x - CELL / 2 + 1.5, "y": y - CELL / 2 + 1.5, "width": CELL - 3, "height": CELL - 3}
    stack = dict(_sites(position))[move.site].at(move.cell) + (move.pyramid,)
    yield Element("g", class_="piece").add(what, *_stack(stack, x, y, ACCENT))
    yield Element(
        "rect", class_="accent", **frame, fill="none", stroke=ACCENT, stroke_width=2.4, stroke_dasharray="6 4"
    )


def _list_width(stack: Stack) -> float:
    return 2 * MARGIN + HAND + sum(FOOT[pyramid.pips] + 4 for pyramid in stack)


def _list(name: str, stack: Stack, top: float) -> Iterator[Element]:
    """A hand: its pyramids side by side."""
    yield _label(name, MARGIN, top + LINE / 2 + 5, 15, anchor="start", weight="bold")
    x = MARGIN + HAND
    for pyramid in stack:
        side = FOOT[pyramid.pips]
        parts = _pyramid(pyramid, x + side / 2, top + LINE / 2 + LEVEL / 2, 1.5)
        group = Element("g", class_="piece", data_place=str(pyramid))
        yield group.add(Element("title").add(f"{SIZE_NAMES[pyramid.pips]} pyramid {pyramid}"), *parts)
        x += side + 4


def _label(
    words: str,
    x: float,
    y: float,
    size: float,
    colour: str = INK,
    anchor: str = "middle",
    weight: str = "normal",
    kind: str = "ink",
) -> Element:
    named = {"class_": kind} if kind else {}
    where = {"x": x, "y": y, "font_size": size, "fill": colour, "text_anchor": anchor}
    if weight != "normal":
        where["font_weight"] = weight
    return Element("text", **named, **where).add(words)


LEGEND = (
    "The line names who is to move, then each cell of the worksite (w) and of the palace (p) with its stack, bottom "
    "first, then hands, bag and marker. The grids are seen from above, each stack from its side; its top has the heavy "
    "outline. The move spoken of is framed in red. A "
    "line of play tells what chance drew where it could have drawn something else."
)
DRAWER = Drawer(text, svg, LEGEND, places=places, shown=shown)
