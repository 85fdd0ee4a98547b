"""Hextris: smaller games, and play in them up to the maps of the board."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from rulecheck.explore import Explored
from rulecheck.games.hextris import Move, Params, Position, Triple
from rulecheck.games.hextris.engine import Engine
from rulecheck.games.hextris.families.acts import board_maps

maps = functools.cache(board_maps)


def least_image(position: Position) -> tuple[Any, ...]:
    """The same for positions that a turn or a mirror of the board carries into each other."""
    where = [0 if piece is None else 4 * ord(piece.colour) + piece.pips for piece in position.points]
    images = (tuple(where[q] for q in goes) for goes in maps(position.params.radius))
    return min(images), position.mover, position.hands, position.groups


class Remembering(Engine):
    """The turns of the position asked about last are not worked out again."""

    @functools.lru_cache(maxsize=1)  # noqa: B019 - one position, of an engine that lives as long as its search
    def moves(self, position: Position) -> dict[Move, Position]:
        return super().moves(position)


def distinct(engine: Engine) -> Explored[Position, Move]:
    """Of the positions in play one of each kind, nearest first; the lines are real play."""
    return Explored(Remembering(engine.params, engine.readings), kind=least_image, lazily=True, limit=math.inf)


def positions_with_turns(engine: Engine) -> Iterator[tuple[Position, Mapping[Move, Position]]]:
    play = distinct(engine)
    for position in play.turns():
        yield position, play.engine.moves(position)


# -- The games searched for ambiguities -------------------------------------------------------------------------

MOST_PIECES = 3
FIRST_TRIED = (  # of the games with three pieces these are tried first
    Params(radius=1, group=2, groups=1, stash=((0, 2, 0), (0, 0, 1))),  # sizes that may or may not exchange
    Params(radius=1, group=3, groups=1, stash=((1, 2, 0), (0, 0, 0))),  # two pieces of an opponent side by side
)
LONG_SLIDE = Params(radius=2, group=2, groups=1, stash=((0, 0, 3), (0, 0, 0)))  # past two own pieces and beyond

# A win and a group too large in one turn: five pieces by counting, and far from the start.
WIN_AND_OVERFLOW = Params(radius=2, group=2, groups=1, stash=((0, 2, 0), (3, 0, 0)))


def games(pieces: int) -> Iterator[Params]:
    """All two-player games of this many pieces on 7 points in which one group of two or more wins."""
    for first in range(pieces, -1, -1):
        for stash in product(stashes(first), stashes(pieces - first)):
            for group in range(2, max(first, pieces - first) + 1):
                yield Params(radius=1, group=group, groups=1, stash=stash)


def stashes(pieces: int) -> Iterator[Triple]:
    for small, medium in product(range(pieces + 1), repeat=2):
        if small + medium <= pieces:
            yield small, medium, pieces - small - medium


def shapes() -> Iterator[Params]:
    for pieces in range(2, MOST_PIECES + 1):
        yield from sorted(games(pieces), key=lambda shape: shape not in FIRST_TRIED)
    yield LONG_SLIDE
    yield WIN_AND_OVERFLOW


def below(shape: Params) -> str:
    if shape == WIN_AND_OVERFLOW:
        return f"{below(LONG_SLIDE)}, and all positions with fewer than five pieces by counting,"
    if shape == LONG_SLIDE:
        return f"games for two of up to {MOST_PIECES} pieces on 7 points with one group to win"
    return "games for two of fewer pieces on 7 points with one group to win"


def bound() -> str:
    pieces = LONG_SLIDE.as_dict()["pieces"]
    return f"{below(LONG_SLIDE)}, and in that of {pieces} on {len(LONG_SLIDE.points)} points with groups of 2"
