"""Hextris: a line of play from the start to a given position, by a backward search.

Only positions that no piece has left are covered: every piece was placed on the perimeter and, if it stands in the
interior, has slid there. Turns are taken back one by one, those nearest to the empty board first, and the engine
replays each before it counts.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from rulecheck.games.hextris import Move, Placement, Position, Slide
from rulecheck.games.hextris.engine import Engine
from rulecheck.pyramids import Pyramid

BUDGET = 20_000  # positions whose last turn is taken back


def line_to(engine: Engine, target: Position) -> tuple[str, ...] | None:
    """A legal line to the target, or None if the budget does not suffice."""
    if not is_whole(engine, target):
        return None
    start, order = engine.start(), count()
    after: dict[Position, tuple[Move, Position] | None] = {target: None}
    queue = [(least_turns(engine, target), 0, next(order), 0, target)]
    for _ in range(BUDGET):
        if not queue:
            return None
        *_, turns, position = heapq.heappop(queue)
        if position == start:
            return _replayed(engine, after)
        for move, before in last_turns(engine, position):
            if before not in after:
                after[before] = (move, position)
                total = turns + 1 + least_turns(engine, before)
                heapq.heappush(queue, (total, -turns - 1, next(order), turns + 1, before))
    return None


def is_whole(engine: Engine, position: Position) -> bool:
    """Two players, nothing counted, and everything on the board or in hand."""
    pieces = sum(map(sum, position.hands)) + sum(piece is not None for piece in position.points)
    return position.params.players == 2 and not any(position.groups) and pieces == sum(map(sum, engine.params.stash))


def least_turns(engine: Engine, position: Position) -> int:
    """A lower bound on the turns to a position: one for each piece, one more for each in the interior."""
    needs = dict.fromkeys(engine.params.colours, 0)
    for p, piece in enumerate(position.points):
        if piece is not None:
            needs[piece.colour] += 1 if p in engine.perimeter else 2
    if position.mover == "A":
        return 2 * max(needs.values())
    return max(2 * needs["A"] - 1, 2 * needs["B"] + 1)


def last_turns(engine: Engine, position: Position) -> Iterator[tuple[Move, Position]]:
    """Placements and slides that lead here and remove nothing, each with the position before it."""
    player = next(c for c in engine.params.colours if engine.after(c) == position.mover)
    for q in engine.params.points:
        piece = position.points[q]
        if piece is None or piece.colour != player:
            continue
        for move, before in _taken_back(engine, replace(position, mover=player), q, piece):
            if engine.judge(before, move).legal and engine.play(before, move) == position:
                yield move, before


def _taken_back(engine: Engine, position: Position, q: int, piece: Pyramid) -> Iterator[tuple[Move, Position]]:
    """The turns by which this piece may have come to q; `position` has its player to move already."""
    radius = engine.params.radius
    points = list(position.points)
    points[q] = None
    if q in engine.perimeter:
        yield Placement(piece, q, radius), replace(position, points=tuple(points), hands=_with(position, piece))
    for p in engine.params.points:
        if (p, q) in engine.ways and position.points[p] is None:
            moved = list(points)
            moved[p] = piece
            yield Slide(p, q, radius), replace(position, points=tuple(moved))


def _with(position: Position, piece: Pyramid) -> tuple[tuple[int, int, int], ...]:
    """The hands with this piece taken back into its owner's."""
    hands = []
    for colour, (small, medium, large) in zip(position.params.colours, position.hands, strict=True):
        more = [piece == Pyramid(colour, s) for s in (1, 2, 3)]
        hands.append((small + more[0], medium + more[1], large + more[2]))
    return tuple(hands)


def _replayed(engine: Engine, after: dict[Position, tuple[Move, Position] | None]) -> tuple[str, ...]:
    position, line = engine.start(), []
    while (step := after[position]) is not None:
        move, expected = step
        line.append(str(move))
        position = engine.play(position, move)
        if position != expected:
            raise AssertionError(f"the line does not replay: {' '.join(line)}")
    return tuple(line)
