"""Icehouse: small games played with placements that are composed, not drawn, so that they can be listed.

A standing piece goes to a free spot or next to another one; a lying piece is aimed at a standing one from nearby, from
exactly its range, from just and from far beyond it, at a slant, and along an edge. With all other events this is a
finite game. Results about it cover these placements only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.pieces import BASE, EAST, HEIGHT, Crash, Event, Piece, Place, Position, TimeUp
from rulecheck.pyramids import Pyramid

WEST = (-EAST[0], EAST[1])
SLANTING = (Fraction(4, 5), Fraction(3, 5))
APART = 100  # from one free spot to the next


class Reached(NamedTuple):
    position: Position
    line: tuple[Event, ...]
    allowed: Mapping[Event, Position]  # with their results


def placements(position: Position) -> Iterator[Place]:
    """What each player could place in this way, allowed or not."""
    for player in position.params.colours:
        held = position.hand(player)
        for pyramid in (held,) if held else dict.fromkeys(position.pad(player)):
            yield from (Place(piece) for piece in _poses(position, player, pyramid))


def _poses(position: Position, player: str, pyramid: Pyramid) -> Iterator[Piece]:
    for spot in _spots(position, pyramid):
        yield Piece(*pyramid, False, spot, EAST, player)
    for target in position.pieces:
        if not target.lying:
            for tip, direction in aims(pyramid.pips, target):
                yield Piece(*pyramid, True, tip, direction, player)


def _spots(position: Position, pyramid: Pyramid) -> Iterator[tuple[Fraction, Fraction]]:
    """A free spot in a row; next to the last piece that stands; on the edge of the table; on the first pad."""
    standing = [piece for piece in position.pieces if not piece.lying]
    table, half = position.params.table, Fraction(BASE[pyramid.pips], 2)
    middle = Fraction(table.top, 2) if table else Fraction(0)
    yield half + APART * len(standing), middle
    if standing:
        last = standing[-1]
        yield last.point[0], last.point[1] + half + Fraction(BASE[last.pips], 2)
    if table:
        yield Fraction(0), middle
    for pad in position.params.pads[:1]:
        yield Fraction(pad.left + pad.right, 2), Fraction(pad.bottom + pad.top, 2)


def aims(pips: int, target: Piece) -> Iterator[tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]]:
    """Tips and directions: from the right, nearby, at the range, just beyond it and far beyond; along the upper edge;
    from the lower left, so that the line is longer than the range and the nearest corner is within it."""
    (x, y), half, reach = target.point, Fraction(BASE[target.pips], 2), HEIGHT[pips]
    for way in (8, reach, reach + 1, reach + 20):
        yield (x + half + way, y), WEST
    yield (x + half + 8, y + half), WEST
    along, aside = reach * SLANTING[0], reach * SLANTING[1]
    yield (x - half - along, y + half - aside - 1), SLANTING


def allowed(engine: Engine, position: Position) -> dict[Event, Position]:
    """Composed placements, and all other events but the end of the time; a crash is as good as a penalty."""
    if engine.over(position):
        return {}
    placed: dict[Event, Position] = {
        event: engine.play(position, event) for event in placements(position) if engine.judge(position, event).legal
    }
    others = engine.moves(position).items()
    return placed | {event: after for event, after in others if not isinstance(event, TimeUp | Crash)}


def play(engine: Engine) -> Iterator[Reached]:
    """Every position in composed play with a way to it and the events allowed there; those with fewer pieces first.

    Of those with as many pieces the ones that fewer events lead to come first. Only for games of few pieces.
    """
    most = sum(engine.params.pieces) * engine.params.players
    waiting: list[list[tuple[Position, tuple[Event, ...]]]] = [[] for _ in range(most + 1)]
    waiting[0].append((engine.start(), ()))
    met = {engine.start()}
    for layer in waiting:
        for position, line in layer:  # grows meanwhile
            results = allowed(engine, position)
            yield Reached(position, line, results)
            for event, after in results.items():
                if after not in met:
                    met.add(after)
                    waiting[max(len(after.pieces), len(position.pieces))].append((after, (*line, event)))
