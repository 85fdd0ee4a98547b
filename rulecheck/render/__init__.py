"""Pictures of positions, as text and as SVG.

A game names its drawer in `Game.render_name`; a game without one is shown as its notation line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from rulecheck import registry
from rulecheck.registry import Game
from rulecheck.render.svg import Element


class Box(NamedTuple):
    """A rectangle of a picture, in its own units."""

    x: float
    y: float
    width: float
    height: float


class Held(NamedTuple):
    """A way to place a piece in hand: its name in an address, its name in words, and the piece."""

    name: str
    words: str
    sign: str  # the same in a character
    piece: str
    left: int  # number of them left
    in_hand: bool


class Nudge(NamedTuple):
    """A small change to where a piece will lie: in words, and the spots that make it."""

    words: str
    spots: tuple[str, ...]


class Canvas(Protocol):
    """A board without places: pieces lie anywhere on it, so it is clicked on in spots, which are text in addresses.

    First something is taken that is `held`, then spots are clicked on, one after the other, until they make a move.
    """

    def held(self, params: Any, position: Any) -> Sequence[tuple[str, Sequence[Held]]]:
        """What each player may place."""

    def prompt(self, held: str, spots: Sequence[str]) -> str:
        """What the next click does."""

    def move(self, params: Any, held: str, spots: Sequence[str]) -> Any | None:
        """The move that these clicks mean; None if more are needed."""

    def svg(self, params: Any, position: Any, move: Any | None, spots: Sequence[str]) -> str:
        """The position with room for a piece to come, the move, and the spots that were clicked on."""

    def spot(self, params: Any, position: Any, move: Any | None, x: float, y: float) -> str:
        """The spot at a point of that picture."""

    def clicked(self, held: str, spots: Sequence[str], spot: str) -> tuple[str, ...]:
        """The spots after one more click."""

    def nudges(self, held: str, spots: Sequence[str]) -> Sequence[Nudge]: ...

    def places(self, params: Any, position: Any, move: Any | None) -> Mapping[str, Box]:
        """Where pieces lie in that picture."""

    def named(self, move: Any) -> Sequence[str]:
        """The pieces among these that a move involves."""

    def about(self, params: Any, position: Any, place: str) -> str:
        """One of them in words."""


Picture = Callable[[Any, Any, Any, Collection[Any]], str]


@dataclass(frozen=True)
class Drawer:
    """`text(params, position)` and `svg(params, position, move, highlight)`; it knows no rules.

    `legend` says what a reader of the pictures and of the lines under them must know; `riddle(params, position)` is an
    SVG for puzzles, where a usual picture would give the answer away.

    `places`, asked as `svg` is, says where the places and pieces that moves name lie in that picture, so that they can
    be clicked on; `shown(moves)` is what to highlight so that the places of these moves are in the picture at all.
    Where pieces lie anywhere there is a canvas instead, named as in `Game.render_name`.
    """

    text: Callable[[Any, Any], str]
    svg: Picture
    legend: str = ""
    riddle: Callable[[Any, Any], str] | None = None
    places: Callable[[Any, Any, Any, Collection[Any]], Mapping[str, Box]] | None = None
    shown: Callable[[Iterable[Any]], Collection[Any]] | None = None
    canvas_name: str | None = None

    @property
    def canvas(self) -> Canvas | None:
        loaded: Canvas | None = None if self.canvas_name is None else registry.load(self.canvas_name)
        return loaded


def drawer(game: Game | str) -> Drawer:
    opened = registry.find(game) if isinstance(game, str) else game
    if opened.render_name is None:
        return PLAIN
    loaded: Drawer = registry.load(opened.render_name)
    return loaded


def text(game: Game | str, params: Any, position: Any) -> str:
    """The position for a terminal, without a newline at the end."""
    return drawer(game).text(params, position)


def svg(game: Game | str, params: Any, position: Any, move: Any = None, highlight: Collection[Any] = ()) -> str:
    """The position as an SVG document; a move is drawn as arrows, highlighted places are tinted."""
    return drawer(game).svg(params, position, move, highlight)


def riddle(game: Game | str, params: Any, position: Any) -> str:
    """The position as an SVG document that gives no answer away."""
    drawn = drawer(game)
    return drawn.riddle(params, position) if drawn.riddle else drawn.svg(params, position, None, ())


def _plain_svg(params: Any, position: Any, move: Any, highlight: Collection[Any]) -> str:
    line = str(position) if move is None else f"{position}   {move}"
    width, height = 8.4 * len(line) + 32, 48
    return str(
        Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width:.0f} {height}", role="img").add(
            Element("title").add(line),
            Element("rect", class_="paper", width=width, height=height, fill="#ffffff"),
            Element("text", class_="ink", x=16, y=30, font_family="monospace", font_size=14, fill="#000000").add(line),
        )
    )


PLAIN = Drawer(text=lambda params, position: str(position), svg=_plain_svg)
