"""Nest race: how its two boards lie in a picture, with their lines and names, and in text."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from rulecheck.games.nestrace import Params
from rulecheck.games.nestrace.boards import COMPASS, OPPOSITE, Hexagon
from rulecheck.render.svg import Element, path
from rulecheck.theme import LIGHT

SQUARE = 66.0
MARGIN = 37.0  # names of files and rows, and of the lines
HEADER = 26.0
INK, EDGE = "#1c1c1c", "#8a8a8a"
UNIT = 124.0  # of the hexagon: from the centre towards the middle of a side, for each square
Point = tuple[float, float]


def label(words: str, at: Point, size: float, colour: str = INK, weight: str = "normal", kind: str = "ink") -> Element:
    anchor = "start" if size > 17 else "middle"
    named = {"class_": kind} if kind else {}
    bold = {"font_weight": weight} if weight != "normal" else {}
    where = {"x": float(at[0]), "y": float(at[1]), "font_size": size, "fill": colour, "text_anchor": anchor}
    return Element("text", **named, **where, **bold).add(words)


def turned(words: Element, angle: float, at: Point) -> Element:
    return words if not angle else Element("g", transform=f"rotate({angle:g} {at[0]:g} {at[1]:g})").add(words)


def owners(params: Params, side: str) -> str:
    return " and ".join(p for p in params.letters if params.home(p) == side)


class SquareSketch:
    ground: Mapping[str, str]  # of the theme

    def __init__(self, params: Params) -> None:
        self.params = params
        self.ground = {"core": "paper", "south": "warm", "west": "cool"}
        self.width = 2 * MARGIN + SQUARE * (params.core + 2)
        self.height = self.width + HEADER

    def middle(self, square: int) -> Point:
        column, row = self.params.places[square]
        last = self.params.core + 2
        return MARGIN + SQUARE * (column - 0.5), HEADER + MARGIN + SQUARE * (last - row + 0.5)

    def touch(self, here: int, there: int) -> bool:
        return all(abs(a - b) < 1.5 * SQUARE for a, b in zip(self.middle(here), self.middle(there), strict=True))

    def squares(self, highlight: Collection[int]) -> Iterator[Element]:
        params = self.params
        south, across = params.edge("south") + params.edge("north"), params.edge("west") + params.edge("east")
        for n in range(len(params.squares)):
            x, y = self.middle(n)
            line = "south" if n in south else "west" if n in across else "core"
            ground = "pale" if n in highlight else self.ground[line]
            box = {"x": x - SQUARE / 2, "y": y - SQUARE / 2, "width": SQUARE, "height": SQUARE}
            name = {"class_": f"place {ground}", "data_place": params.squares[n]}
            yield Element("rect", **name, **box, fill=LIGHT[ground], stroke=EDGE, stroke_width=1.2)

    def names(self) -> Iterator[Element]:
        """Files and rows by letter and number; each line by whose start and finish it is."""
        last = self.params.core + 2
        bottom, right = HEADER + MARGIN + SQUARE * last, MARGIN + SQUARE * last
        for n in range(last):
            yield label("abcdefghi"[n], (MARGIN + SQUARE * (n + 0.5), bottom + 16), 17)
            yield label(str(n + 1), (MARGIN - 10, bottom - SQUARE * (n + 0.5) + 6), 17)
        middle, centre = MARGIN + SQUARE * last / 2, HEADER + MARGIN + SQUARE * last / 2
        where = {
            "south": (middle, bottom + 35, 0),
            "north": (middle, HEADER + MARGIN - 8, 0),
            "west": (MARGIN - 24, centre, -90),
            "east": (right + 22, centre, -90),
        }
        for home in self.params.sides:
            for side, what in ((home, "start"), (OPPOSITE[home], "finish")):
                x, y, turn = where[side]
                yield turned(label(f"{what} of {owners(self.params, home)}", (x, y), 17), turn, (x, y))

    def rows(self, cells: Mapping[str, str], width: int) -> Iterator[str]:
        """One line for each row, the north on top; corners are blank."""
        last = self.params.core + 2
        for row in reversed(range(1, last + 1)):
            names = [f"{'abcdefghi'[column]}{row}" for column in range(last)]
            yield f"{row}  " + "  ".join((cells[n] or "." if n in cells else "").center(width) for n in names)
        yield "   " + "  ".join("abcdefghi"[n].center(width) for n in range(last))


class HexagonSketch:
    """The kites are ruled by straight lines between the points that divide opposite edges into equal parts."""

    def __init__(self, params: Params) -> None:
        assert isinstance(params.grid, Hexagon)
        self.params, self.grid = params, params.grid
        self.radius = UNIT * self.grid.height
        self.width = 2 * (MARGIN + self.radius / math.cos(math.pi / 6))
        self.height = 2 * (MARGIN + self.radius) + HEADER

    def point(self, kite: int, u: float, v: float) -> Point:
        """So many squares from the centre towards the middles of the two sides of a kite."""
        s, t = u / self.grid.height, v / self.grid.height
        first, second = (self.radius * (one - s * t / 3) for one in (s, t))
        angles = (math.pi / 3 * kite, math.pi / 3 * (kite + 1))
        x, y = (sum(far * f(a) for far, a in zip((first, second), angles, strict=True)) for f in (math.sin, math.cos))
        return self.width / 2 + x, HEADER + MARGIN + self.radius - y

    def middle(self, square: int) -> Point:
        kite, u, v = self.grid.places[square]
        return self.point(kite, u - 0.5, v - 0.5)

    def corners(self, square: int) -> list[Point]:
        kite, u, v = self.grid.places[square]
        return [self.point(kite, a, b) for a, b in ((u - 1, v - 1), (u, v - 1), (u, v), (u - 1, v))]

    def touch(self, here: int, there: int) -> bool:
        return any(math.dist(a, b) < 1 for a in self.corners(here) for b in self.corners(there))

    @cached_property
    def ground(self) -> dict[int, str]:
        """The lines in the tint of their axis; that of the third has none, but is hatched."""
        tints = zip(self.params.sides, ("warm", "cool"), strict=False)
        return {n: tint for side, tint in tints for end in (side, OPPOSITE[side]) for n in self.params.edge(end)}

    def squares(self, highlight: Collection[int]) -> Iterator[Element]:
        for n, name in enumerate(self.params.squares):
            ground = "pale" if n in highlight else self.ground.get(n, "paper")
            (x, y), *others = self.corners(n)
            outline = path("M", x, y, *(part for corner in others for part in ("L", *corner)), "Z")
            yield Element(
                "path", class_=f"place {ground}", data_place=name, d=outline, fill=LIGHT[ground], stroke=EDGE,
                stroke_width=1.2,
            )  # fmt: skip
        yield from self._hatches()
        for kite in range(len(COMPASS)):
            (x, y), (u, v) = self.point(kite, 0, 0), self.point(kite, self.grid.height, 0)
            yield Element("path", class_="pen", d=path("M", x, y, "L", u, v), stroke=INK, stroke_width=2)

    def _hatches(self) -> Iterator[Element]:
        side = self.params.sides[2]
        for n in (*self.params.edge(side), *self.params.edge(OPPOSITE[side])):
            kite, u, v = self.grid.places[n]
            for a in (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75):  # how far both ends lie from the corner at the centre
                near, far = max(a - 1, 0), min(a, 1)
                (x, y), (p, q) = (
                    self.point(kite, u - 1 + near, v - 1 + far),
                    self.point(kite, u - 1 + far, v - 1 + near),
                )
                yield Element("path", class_="grid", d=path("M", x, y, "L", p, q), stroke=LIGHT["grid"], stroke_width=1)

    def names(self) -> Iterator[Element]:
        """Each square by its name at its outer corner; each line by whose start or finish it is."""
        for n, name in enumerate(self.params.squares):
            kite, u, v = self.grid.places[n]
            x, y = self.point(kite, u - 0.2, v - 0.2)
            yield label(name, (x, y + 5), 14, LIGHT["names"], kind="names")
        for home in self.params.sides:
            for side, what in ((home, "start"), (OPPOSITE[home], "finish")):
                at, angle = self._beside(side)
                yield turned(label(f"{what} of {owners(self.params, home)}", at, 17), angle, at)

    def _beside(self, side: str) -> tuple[Point, float]:
        """Outside the middle of a side, and how words lie along it."""
        turn = COMPASS.index(side)
        upright = turn in (0, 1, 5)  # words stand on the board, elsewhere they hang below it
        return self.point(turn, self.grid.height + (8 if upright else 20) / UNIT, 0), (60 * turn + 90) % 180 - 90

    def rows(self, cells: Mapping[str, str], width: int) -> Iterator[str]:
        """Kite by kite as they lie, the north on top; a square is written by its name and its stack."""
        up, down = range(self.grid.height, 0, -1), range(1, self.grid.height + 1)
        for left, right in (("f{x}{y}", "a{y}{x}"), ("e{y}{x}", "b{x}{y}"), ("d{y}{x}", "c{x}{y}")):
            for y in up if left[0] == "f" else down:
                names = [left.format(x=x, y=y) for x in up] + [right.format(x=x, y=y) for x in down]
                yield "  ".join(self._cell(cells, name).ljust(width + 4) for name in names)
            yield ""

    def _cell(self, cells: Mapping[str, str], name: str) -> str:
        if name not in cells:
            return ""
        return f"{name}:{cells[name]}" if cells[name] else name


def sketch(params: Params) -> SquareSketch | HexagonSketch:
    return (SquareSketch if params.board == "square" else HexagonSketch)(params)
