"""A picture of any position made of fields: those named like squares stand on a board, the others beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rulecheck.fields import Field, Fields, State
from rulecheck.render import Box, Drawer
from rulecheck.render.svg import Element

SQUARE, MARGIN, LINE, CHIP = 76.0, 34.0, 34.0, 26.0
INK, EDGE, SHADE, NAMES = "#1c1c1c", "#9a9a9a", "#f3efe4", "#5c5c5c"
FILLS = ("#23395d", "#f2b84b", "#3f8f5b", "#c96f8a", "#7fb7d9", "#8a6bb1")  # for values, in the order of the domain
DARK = {"#23395d", "#3f8f5b", "#8a6bb1"}
FONT = "Helvetica, Arial, sans-serif"
NAMED = re.compile(r"([a-z])(\d{1,2})")


def drawer_of(fields: Fields) -> Drawer:
    layout = _Layout(fields)
    return Drawer(
        text=lambda params, position: str(position),
        svg=lambda params, position, move, highlight: layout.svg(position, move),
        places=lambda params, position, move, highlight: layout.boxes,
    )


class _Layout:
    """Where each field is drawn. Fields form a board if their letters and numbers fill a rectangle."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields
        self.board = self._board()
        self.beside = [f for f in fields if f.name not in self.board]
        columns = sorted({column for column, _ in self.board.values()})
        rows = sorted({row for _, row in self.board.values()})
        self.columns, self.rows = columns, rows
        self.top = MARGIN + SQUARE * len(rows) + (26.0 if rows else 0.0)
        self.boxes = {name: self._square(*at) for name, at in self.board.items()}
        self.boxes |= {f.name: Box(MARGIN, self.top + LINE * n, 300.0, LINE - 4) for n, f in enumerate(self.beside)}
        self.width = max(2 * MARGIN + SQUARE * len(columns), 2 * MARGIN + 300.0)
        self.height = self.top + LINE * len(self.beside) + MARGIN / 2

    def _board(self) -> dict[str, tuple[str, int]]:
        squares = {f.name: (m[1], int(m[2])) for f in self.fields if not f.bare and (m := NAMED.fullmatch(f.name))}
        columns, rows = {c for c, _ in squares.values()}, {r for _, r in squares.values()}
        return squares if len(squares) > 1 and len(squares) == len(columns) * len(rows) else {}

    def _square(self, column: str, row: int) -> Box:
        x, y = self.columns.index(column), len(self.rows) - 1 - self.rows.index(row)
        return Box(MARGIN + SQUARE * x, MARGIN + SQUARE * y, SQUARE, SQUARE)

    def svg(self, position: State, move: Any) -> str:
        spoken = str(position) if move is None else f"{position}, move {move}"
        size = {"width": round(self.width), "height": round(self.height)}
        box = f"0 0 {size['width']} {size['height']}"
        ground = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": box, **size, "role": "img", "font_family": FONT}
        return str(
            Element("svg", **ground).add(
                Element("title").add(spoken),
                Element("rect", **size, fill="#ffffff", **{"class": "paper"}),
                *self._names(),
                *(part for name in self.board for part in _square(self.fields[name], position, self.boxes[name])),
                *(part for f in self.beside for part in _row(f, position, self.boxes[f.name])),
            )
        )

    def _names(self) -> list[Element]:
        """The names of columns and rows, at the edges of the board."""
        bottom = MARGIN + SQUARE * len(self.rows)
        columns = [
            _label(column, MARGIN + SQUARE * (n + 0.5), bottom + 17, 13, NAMES)
            for n, column in enumerate(self.columns)
        ]  # fmt: skip
        rows = [
            _label(str(row), MARGIN - 12, bottom - SQUARE * (n + 0.5) + 5, 13, NAMES)
            for n, row in enumerate(self.rows)
        ]  # fmt: skip
        return columns + rows


def _square(field: Field, position: State, box: Box) -> list[Element]:
    value = position[field.name]
    frame = Element("rect", **box._asdict(), fill=SHADE, stroke=EDGE, stroke_width=1.2)
    if value == field.empty:
        return [frame]
    return [frame, *_piece(field, str(value), box.x + SQUARE / 2, box.y + SQUARE / 2)]


def _piece(field: Field, value: str, x: float, y: float) -> list[Element]:
    """A disc in a colour of its own, with the value in letters."""
    fill = _fill(field, value)
    size = 24 if len(value) < 3 else 16 if len(value) < 6 else 11
    letters = {"font_size": size, "text_anchor": "middle", "font_weight": "bold"}
    return [
        Element("circle", cx=x, cy=y, r=SQUARE * 0.36, fill=fill, stroke=INK, stroke_width=1.6),
        Element("text", x=x, y=y + size * 0.36, fill="#ffffff" if fill in DARK else INK, **letters).add(value),
    ]


def _fill(field: Field, value: str) -> str:
    values = [str(v) for v in field.domain if v != field.empty]
    return FILLS[values.index(value) % len(FILLS)]


def _row(field: Field, position: State, box: Box) -> list[Element]:
    """A field beside the board: its name, its value and, for small numbers, as many counters."""
    value = position[field.name]
    weight = "bold" if field.bare else "normal"
    parts = [_label(f"{field.name}: {value}", box.x, box.y + 20, 16, INK, anchor="start", weight=weight)]
    if isinstance(value, int) and _counts(field.domain) and value <= 12:
        left = box.x + 96
        parts += [
            Element("circle", cx=left + 16 * n, cy=box.y + CHIP / 2 + 2, r=6.5, fill=FILLS[1], stroke=INK)
            for n in range(value)
        ]  # fmt: skip
    return parts


def _counts(domain: Sequence[Any]) -> bool:
    return all(isinstance(value, int) for value in domain)


def _label(
    words: str, x: float, y: float, size: float, colour: str, anchor: str = "middle", weight: str = "normal"
) -> Element:
    """Words beside the pieces; the class lets a dark page repaint them."""
    more = {"class": "names" if colour == NAMES else "ink"}
    more |= {"font_weight": weight} if weight != "normal" else {}
    return Element("text", x=x, y=y, font_size=size, fill=colour, text_anchor=anchor, **more).add(words)
