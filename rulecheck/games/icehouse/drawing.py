"""Icehouse seen from above: squares that stand, triangles that lie, and the lines along which these attack.

Who is frozen and who may be captured is shown as the default readings have it. Frozen pieces are hatched. A line is
solid if its attack succeeds, dashed if it is too weak, dotted if the piece attacks nothing. Colours differ in
brightness, and every piece bears its letter, so that a print without colour can be read.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from rulecheck.games.icehouse import GAME
from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.pieces import HEIGHT, Capture, Event, Params, Piece, Place, Polygon, Position, Rectangle
from rulecheck.pyramids import SIZE_NAMES, Stack
from rulecheck.render import Box, Drawer
from rulecheck.render.svg import Element, path, points
from rulecheck.theme import NAMED

Spot = tuple[float, float]
INK, FAINT, ACCENT, PALE, WOOD = "#1c1c1c", "#8a8a8a", "#b3261e", "#fff3c4", "#f4efe6"
COLOURS = ("red", "blue", "green", "yellow", "white")  # the first three as in the sheet
FILL = {player: NAMED[colour][0] for player, colour in zip("ABCDE", COLOURS, strict=True)}
OUTLINE = dict.fromkeys("ABCDE", INK)
LETTERS = {player: NAMED[colour][1] for player, colour in zip("ABCDE", COLOURS, strict=True)}


@dataclass(frozen=True)
class Look:
    """How the pieces of a position stand, by the default readings; numbers count from 0."""

    attacks: tuple[int | None, ...]
    frozen: frozenset[int]
    captors: dict[int, str]
    scores: dict[str, int]
    leaders: tuple[str, ...] | None  # None while the game goes on

    def caption(self, position: Position) -> str:
        if self.leaders is None:
            return "everybody plays at once"
        how = "the time is up" if position.stopped else "all is placed"
        if not self.leaders:
            return f"{how}, and all players have lost"
        return f"{how}, {' and '.join(self.leaders)} {'wins' if len(self.leaders) == 1 else 'share the first place'}"

    def state(self, position: Position, n: int) -> str:
        if not position.pieces[n].lying:
            return "frozen" if n in self.frozen else "free"
        target = self.attacks[n]
        if target is None:
            return "attacks nothing"
        spare = f", {self.captors[n]} may capture it" if n in self.captors else ""
        return f"attacks {target + 1}" + ("" if target in self.frozen else " in vain") + spare


def look(params: Params, position: Position) -> Look:
    umpire = Engine(params, GAME.rulebook.defaults())
    standing = (n for n, piece in enumerate(position.pieces) if not piece.lying)
    return Look(
        umpire.attacks(position),
        frozenset(d for d in standing if umpire.frozen(position, d)),
        {capture.number - 1: capture.player for capture in umpire.captures(position)},
        umpire.scores(position),
        umpire.leaders(position) if umpire.over(position) else None,
    )


# -- Text ----------------------------------------------------------------------------------------------------

COLUMNS, ROWS = 72, 28  # at most


def text(params: Params, position: Position) -> str:
    seen = look(params, position)
    lines = [seen.caption(position), ""]
    if position.pieces:
        lines += [*_map(params, position), ""]
    width = max((len(str(piece)) for piece in position.pieces), default=0)
    for n, piece in enumerate(position.pieces):
        lines.append(f"{n + 1:>2}  {piece!s:<{width}}  {seen.state(position, n)}")
    lines += [""] if position.pieces else []
    return "\n".join([*lines, *(_player_line(position, seen, player) for player in params.colours)])


def _player_line(position: Position, seen: Look, player: str) -> str:
    """Points, pad, hand and fate of a player."""
    held, pad = position.hand(player), position.pad(player)
    fate = ", iced" * (player in position.iced) + ", lost" * (player in position.lost)
    hand = "" if held is None else f", {held} in the hand"
    points_ = seen.scores.get(player)
    count = "" if points_ is None else f"{points_} point{'s' * (points_ != 1)}, "
    return f"{player}  {count}{_pad_words(pad)}{hand}{fate}"


def _pad_words(pad: Stack) -> str:
    listed = " ".join(f"{pyramid}x{n}" if n > 1 else str(pyramid) for pyramid, n in sorted(Counter(pad).items()))
    return f"{len(pad)} on the pad" + (f": {listed}" if listed else "")


def _map(params: Params, position: Position) -> Iterator[str]:
    """A rough plan: capital letters stand, small ones lie, `*` is a tip; a character is twice as high as wide."""
    left, bottom, right, top = _bounds(params, position)
    step = max((right - left) / COLUMNS, (top - bottom) / (2 * ROWS), 4.0)
    columns, rows = math.ceil((right - left) / step), math.ceil((top - bottom) / (2 * step))
    shapes = [(piece, corners, _box(corners)) for piece in position.pieces for corners in [_floats(piece.corners)]]
    grid = []
    for row in range(rows):
        y = top - (row + 0.5) * 2 * step
        spots = ((left + (column + 0.5) * step, y) for column in range(columns))
        grid.append([_letter(shapes, spot) for spot in spots])
    for piece in position.pieces:
        if piece.lying:
            x, y = map(float, piece.point)
            grid[min(int((top - y) / (2 * step)), rows - 1)][min(int((x - left) / step), columns - 1)] = "*"
    return ("".join(line).rstrip() for line in grid)


def _letter(shapes: Sequence[tuple[Piece, list[Spot], tuple[Spot, Spot]]], spot: Spot) -> str:
    for piece, corners, ((x0, y0), (x1, y1)) in shapes:
        if x0 <= spot[0] <= x1 and y0 <= spot[1] <= y1 and _inside(corners, spot):
            return piece.colour.lower() if piece.lying else piece.colour
    return "."


def _inside(corners: list[Spot], spot: Spot) -> bool:
    x, y = spot
    around = zip(corners, corners[1:] + corners[:1], strict=True)
    return all((qx - px) * (y - py) >= (qy - py) * (x - px) for (px, py), (qx, qy) in around)


def _floats(corners: Polygon) -> list[Spot]:
    return [(float(x), float(y)) for x, y in corners]


def _bounds(params: Params, position: Position, extra: Sequence[Piece] = ()) -> tuple[float, float, float, float]:
    spots = [s for piece in (*position.pieces, *extra) for s in _floats(piece.corners)]
    surfaces: list[Rectangle] = [*params.pads, *([params.table] if params.table else [])]
    spots += [s for surface in surfaces for s in _floats(surface.corners)]
    xs, ys = [x for x, _ in spots] or [0.0, 100.0], [y for _, y in spots] or [0.0, 60.0]
    return min(xs), min(ys), max(xs), max(ys)


# -- SVG -----------------------------------------------------------------------------------------------------

WIDEST, TALLEST, SCALE = 440.0, 480.0, 3.0
IN_PRINT, NUMBERS = 2.0, 0.7  # the scale of pictures that are printed small, and the size of numbers in all others
MARGIN, HEADER, LINE = 22.0, 40.0, 24.0


@dataclass(frozen=True)
class Frame:
    """From the table to the picture, where y grows downwards."""

    left: float
    top: float
    scale: float
    numbers: float  # how large they are beside the letters

    def at(self, spot: Spot) -> Spot:
        return MARGIN + (spot[0] - self.left) * self.scale, HEADER + MARGIN + (self.top - spot[1]) * self.scale

    def back(self, spot: Spot) -> Spot:
        """From the picture to the table."""
        return self.left + (spot[0] - MARGIN) / self.scale, self.top - (spot[1] - HEADER - MARGIN) / self.scale

    def all(self, corners: Polygon) -> list[Spot]:
        return [self.at(spot) for spot in _floats(corners)]


Bounds = tuple[float, float, float, float]


def _framed(bounds: Bounds, scale: float = SCALE, numbers: float = NUMBERS) -> Frame:
    left, bottom, right, top = bounds
    return Frame(left, top, min(scale, WIDEST / max(right - left, 1.0), TALLEST / max(top - bottom, 1.0)), numbers)


def svg(params: Params, position: Position, move: Event | None = None, highlight: Collection[int] = ()) -> str:
    """`highlight` holds numbers of pieces, counted from 1 as in the notation."""
    caption = None if move is None else f"next: {move}"
    spoken = "" if move is None else f", event {move}"
    return _picture(params, position, [] if move is None else [(move, None)], highlight, caption, spoken)


def attacks_svg(params: Params, position: Position, attacks: Sequence[tuple[Piece, int]], safe: Collection[int]) -> str:
    """Attacks that are possible, each with the number of the defender that it hits, and the defenders that are safe."""
    parts = [_listed("open", sorted({target for _, target in attacks})), _listed("safe", sorted(safe))]
    caption = "; ".join(filter(None, parts)) or "nothing is known"
    events = [(Place(piece), target) for piece, target in attacks]
    return _picture(params, position, events, safe, caption, f", {caption}")


def riddle(params: Params, position: Position) -> str:
    """Only what lies where: neither what is attacked nor what it counts, which a reader is to find out."""
    nothing = Look((None,) * len(position.pieces), frozenset(), {}, {}, None)
    return _picture(params, position, [], (), None, "", nothing, scale=IN_PRINT, numbers=0.85)


# -- To be clicked on ----------------------------------------------------------------------------------------

ROOM = 70.0  # around the pieces, for one that is to come


def canvas_frame(params: Params, position: Position, move: Event | None) -> Frame:
    return _framed(_roomy(params, position, move))


def _roomy(params: Params, position: Position, move: Event | None) -> Bounds:
    """A table has an edge, beyond which nothing is put."""
    left, bottom, right, top = _bounds(params, position)
    if params.table is None:
        left, bottom, right, top = left - ROOM, bottom - ROOM, right + ROOM, top + ROOM
    corners = _floats(move.piece.corners) if isinstance(move, Place) else []
    xs, ys = [left, right, *(x for x, _ in corners)], [bottom, top, *(y for _, y in corners)]
    return min(xs), min(ys), max(xs), max(ys)


def canvas_svg(params: Params, position: Position, move: Event | None, spots: Sequence[tuple[int, int]]) -> str:
    """The table with room around it, the spots that were clicked on, and what a piece to come would attack."""
    target = _target(params, position, move) if isinstance(move, Place) else None
    events = [] if move is None else [(move, target)]
    caption, spoken = (None, "") if move is None else (f"next: {move}", f", event {move}")
    return _picture(params, position, events, (), caption, spoken, bounds=_roomy(params, position, move), spots=spots)


def _target(params: Params, position: Position, move: Place) -> int | None:
    """The number of what it would attack if it lay there."""
    there = replace(position, pieces=(*position.pieces, move.piece))
    target = Engine(params, GAME.rulebook.defaults()).attacks(there)[-1]
    return None if target is None else target + 1


def canvas_boxes(params: Params, position: Position, move: Event | None) -> dict[int, Box]:
    """Where the pieces are in that picture, by their numbers."""
    frame = canvas_frame(params, position, move)
    boxes = {}
    for n, piece in enumerate(position.pieces):
        (x0, y0), (x1, y1) = _box(frame.all(piece.corners))
        boxes[n + 1] = Box(x0, y0, x1 - x0, y1 - y0)
    return boxes


def _listed(word: str, numbers: Sequence[int]) -> str:
    return f"{word}: {', '.join(map(str, numbers))}" if numbers else ""


def _picture(
    params: Params,
    position: Position,
    events: Sequence[tuple[Event, int | None]],
    highlight: Collection[int],
    caption: str | None,
    spoken: str,
    seen: Look | None = None,
    *,
    scale: float = SCALE,
    numbers: float = NUMBERS,
    bounds: Bounds | None = None,
    spots: Sequence[tuple[int, int]] = (),
) -> str:
    """The table with events that may come, each with the number of the defender that it is known to attack."""
    ghosts = [event.piece for event, _ in events if isinstance(event, Place)]
    bounds = bounds or _bounds(params, position, ghosts)
    left, bottom, right, top = bounds
    frame = _framed(bounds, scale, numbers)
    scale = frame.scale
    width = max(2 * MARGIN + (right - left) * scale, 460.0)
    table_end = HEADER + 2 * MARGIN + (top - bottom) * scale
    height = table_end + LINE * params.players + 10
    seen = seen or look(params, position)
    picture = Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=round(width), height=round(height), role="img", font_family="Helvetica, Arial, sans-serif",
    )  # fmt: skip
    return str(
        picture.add(
            Element("title").add(f"Icehouse: {position}{spoken}"),
            Element("rect", class_="paper", width=round(width), height=round(height), fill="#ffffff"),
            _label(caption or seen.caption(position), (MARGIN, 28.0), 17, INK, anchor="start", weight="bold"),
            *_surfaces(params, frame),
            *(_halo(position.pieces[n - 1], frame) for n in sorted(highlight)),
            *(part for n in range(len(position.pieces)) for part in _line_of(position, seen, n, frame)),
            *(_piece(position.pieces[n], n, seen, frame) for n in range(len(position.pieces))),
            *(part for event, target in events for part in _event(position, event, target, frame)),
            *(part for spot in spots for part in _cross(frame.at(spot))),
            *(part for n, p in enumerate(params.colours) for part in _legend(position, seen, p, table_end + LINE * n)),
        )
    )


def _surfaces(params: Params, frame: Frame) -> Iterator[Element]:
    """The table with its edge, and the pads."""
    if params.table is not None:
        corners = points(frame.all(params.table.corners))
        yield Element("polygon", points=corners, fill=WOOD, stroke=INK, stroke_width=3)
    for player, pad in zip(params.colours, params.pads, strict=False):
        corners = points(frame.all(pad.corners))
        yield Element("polygon", points=corners, fill="#e4e4e4", stroke=FAINT, stroke_dasharray="6 4")
        x, y = frame.at(((pad.left + pad.right) / 2, (pad.bottom + pad.top) / 2))
        yield _label(f"pad {player}", (x, y + 4), 13.6, INK, kind="")


def _halo(piece: Piece, frame: Frame) -> Element:
    corners = points(frame.all(piece.corners))
    return Element(
        "polygon", points=corners, class_="pale", fill=PALE, stroke="#e0b400", stroke_width=9, stroke_linejoin="round"
    )


def _line_of(position: Position, seen: Look, n: int, frame: Frame) -> Iterator[Element]:
    """From the tip to the middle of the target, which lies over its end; or as far as the piece is long."""
    piece, target = position.pieces[n], seen.attacks[n]
    if not piece.lying:
        return
    dashes = "1 5" if target is None else "none" if target in seen.frozen else "7 4"
    aim = None if target is None else position.pieces[target]
    yield Element("path", d=_shot(piece, aim, frame), stroke=FAINT if target is None else ACCENT,
                  class_="grid" if target is None else "accent",
                  stroke_width=2, stroke_dasharray=dashes, stroke_linecap="round", fill="none")  # fmt: skip


def _shot(piece: Piece, aim: Piece | None, frame: Frame) -> str:
    (x, y), (dx, dy) = map(float, piece.point), map(float, piece.direction)
    reach = float(HEIGHT[piece.pips])
    if aim is not None:
        cx, cy = map(float, aim.point)
        reach = (cx - x) * dx + (cy - y) * dy
    return path("M", *frame.at((x, y)), "L", *frame.at((x + reach * dx, y + reach * dy)))


def _piece(piece: Piece, n: int, seen: Look, frame: Frame) -> Element:
    corners = frame.all(piece.corners)
    x, y = frame.at((float(piece.centroid[0]), float(piece.centroid[1])))
    size = _letter_size(frame)
    spare = n in seen.captors
    outline: dict[str, str | float] = {
        "class_": "accent" if spare else "pen",
        "stroke": ACCENT if spare else OUTLINE[piece.colour],
        "stroke_width": 3.4 if spare else 1.4,
    }
    if spare:
        outline["stroke_dasharray"] = "9 3"
    group = Element("g", class_="piece", data_place=str(n + 1)).add(
        Element("title").add(f"{n + 1}: {SIZE_NAMES[piece.pips]} piece {piece}"),
        Element("polygon", points=points(corners), fill=FILL[piece.colour], stroke_linejoin="round", **outline),
    )
    if n in seen.frozen:
        group = group.add(*_hatching(corners, LETTERS[piece.colour], frame.scale), _plate(piece, (x, y), size))
    ink = LETTERS[piece.colour]
    return group.add(
        _label(str(piece.pyramid), (x, y + (0.8 - frame.numbers) * size), size, ink, weight="bold", kind=""),
        _label(str(n + 1), (x, y + 0.95 * size), max(frame.numbers * size, min(size, 13.6)), ink, kind=""),
    )


def _letter_size(frame: Frame) -> float:
    """At least as large as can be read, unless the pieces are too small for it."""
    return max(3.0, min(15.0, max(12.5 if frame.scale > 0.8 else 0.0, 7.0 * frame.scale)))


def _plate(piece: Piece, middle: Spot, size: float) -> Element:
    """Keeps the letters of a hatched piece clear."""
    x, y = middle
    return Element("rect", x=x - 0.7 * size, y=y - 0.85 * size, width=1.4 * size, height=1.95 * size,
                   fill=FILL[piece.colour])  # fmt: skip


def _hatching(corners: list[Spot], ink: str, scale: float) -> Iterator[Element]:
    """Slanting lines inside a convex outline: x + y is constant on each of them."""
    gap = max(1.5, 3.2 * scale)
    first, last = min(x + y for x, y in corners), max(x + y for x, y in corners)
    for step in range(1, int((last - first) / gap) + 1):
        cuts = sorted(set(_cuts(corners, first + step * gap)))
        if len(cuts) >= 2:
            yield Element("path", d=path("M", *cuts[0], "L", *cuts[-1]), stroke=ink, stroke_width=1.1)


def _cuts(corners: list[Spot], level: float) -> Iterator[Spot]:
    for (px, py), (qx, qy) in zip(corners, corners[1:] + corners[:1], strict=True):
        a, b = px + py - level, qx + qy - level
        if (a < 0) != (b < 0):
            share = a / (a - b)
            yield px + (qx - px) * share, py + (qy - py) * share


def _cross(spot: Spot) -> Iterator[Element]:
    x, y = spot
    for d in (path("M", x - 6, y, "L", x + 6, y), path("M", x, y - 6, "L", x, y + 6)):
        yield Element("path", d=d, stroke=ACCENT, stroke_width=1.5)


def _event(position: Position, move: Event, target: int | None, frame: Frame) -> Iterator[Element]:
    """A placement is an outline, with a line to what it is known to attack; a capture is a cross; other events stand in
    the caption only."""
    if isinstance(move, Place) and target is not None:
        shot = _shot(move.piece, position.pieces[target - 1], frame)
        yield Element(
            "path", class_="accent", d=shot, stroke=ACCENT, stroke_width=2, stroke_dasharray="5 3", fill="none"
        )
    if isinstance(move, Place):
        corners = points(frame.all(move.piece.corners))
        outline = {"class_": "accent", "stroke": ACCENT, "stroke_width": 2.5, "stroke_dasharray": "5 3"}
        yield Element("polygon", points=corners, fill="none", **outline)
        x, y = frame.at((float(move.piece.centroid[0]), float(move.piece.centroid[1])))
        yield _label(str(move.piece.pyramid), (x, y + 4), _letter_size(frame), ACCENT, weight="bold", kind="mark")
    if isinstance(move, Capture) and move.number <= len(position.pieces):
        (x0, y0), (x1, y1) = _box(frame.all(position.pieces[move.number - 1].corners))
        for y2, y3 in ((y0, y1), (y1, y0)):
            yield Element("path", class_="accent", d=path("M", x0, y2, "L", x1, y3), stroke=ACCENT, stroke_width=3)


def _box(corners: list[Spot]) -> tuple[Spot, Spot]:
    xs, ys = zip(*corners, strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


def _legend(position: Position, seen: Look, player: str, y: float) -> Iterator[Element]:
    yield Element(
        "rect", x=MARGIN, y=y, width=16, height=16, class_="pen", fill=FILL[player], stroke=INK, stroke_width=1.2
    )
    yield _label(_player_line(position, seen, player), (MARGIN + 26, y + 13), 13.6, INK, anchor="start")


def _label(
    words: str, spot: Spot, size: float, colour: str, anchor: str = "middle", weight: str = "normal", kind: str = "ink"
) -> Element:
    named = {"class_": kind} if kind else {}
    where = {"x": spot[0], "y": spot[1], "font_size": float(size), "fill": colour, "text_anchor": anchor}
    if weight != "normal":
        where["font_weight"] = weight
    return Element("text", **named, **where).add(words)


DRAWER = Drawer(text=text, svg=svg, riddle=riddle, canvas_name="rulecheck.games.icehouse.canvas:CANVAS")
