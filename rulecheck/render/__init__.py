"""Pictures of positions, as text and as SVG.

A game names its drawer in `Game.render_name`; a game without one is shown as its notation line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rulecheck import registry
from rulecheck.registry import Game
from rulecheck.render.svg import Element


class Box(NamedTuple):
    """A rectangle of a picture, in its own units."""

    x: float
    y: float
    width: float
    height: float


Picture = Callable[[Any, Any, Any, Collection[Any]], str]


@dataclass(frozen=True)
class Drawer:
    """`text(params, position)` and `svg(params, position, move, highlight)`; it knows no rules.

    `legend` says what a reader of the pictures and of the lines under them must know; `riddle(params, position)` is an
    SVG for puzzles, where a usual picture would give the answer away.

    `places`, asked as `svg` is, says where the places and pieces that moves name lie in that picture, so that they can
    be clicked on; `shown(moves)` is what to highlight so that the places of these moves are in the picture at all.
    """

    text: Callable[[Any, Any], str]
    svg: Picture
    legend: str = ""
    riddle: Callable[[Any, Any], str] | None = None
    places: Callable[[Any, Any, Any, Collection[Any]], Mapping[str, Box]] | None = None
    shown: Callable[[Iterable[Any]], Collection[Any]] | None = None


def drawer(game: Game | str) -> Drawer:
    found = registry.find(game) if isinstance(game, str) else game
    if found.render_name is None:
        return PLAIN
    loaded: Drawer = registry.load(found.render_name)
    return loaded


def text(game: Game | str, params: Any, position: Any) -> str:
    """The position for a terminal, without a newline at the end."""
    return drawer(game).text(params, position)


def svg(game: Game | str, params: Any, position: Any, move: Any = None, highlight: Collection[Any] = ()) -> str:
    """The position as an SVG document; a move is drawn as arrows, highlighted places are tinted."""
    return drawer(game).svg(params, position, move, highlight)


def _plain_svg(params: Any, position: Any, move: Any, highlight: Collection[Any]) -> str:
    line = str(position) if move is None else f"{position}   {move}"
    width, height = 8.4 * len(line) + 32, 48
    return str(
        Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width:.0f} {height}", role="img").add(
            Element("title").add(line),
            Element("rect", width=width, height=height, fill="#ffffff"),
            Element("text", x=16, y=30, font_family="monospace", font_size=14, fill="#000000").add(line),
        )
    )


PLAIN = Drawer(text=lambda params, position: str(position), svg=_plain_svg)
