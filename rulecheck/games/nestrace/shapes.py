"""Nest race: smaller games, and the nearest position in each where two readings differ.

The smallest games for two are looked through completely with the compiled game, layer by layer from the start. Where
that shows nothing, a line of play in a larger game is kept. Whatever is found is played again on both engines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rulecheck.analyses.ambiguities import Difference, differing_move
from rulecheck.games.nestrace import Params, Position, read_move, read_params
from rulecheck.games.nestrace.engine import Engine
from rulecheck.games.nestrace.space import NestPacking, packing
from rulecheck.model import InputError
from rulecheck.solve.packed import BATCH, Keys
from solvers.graph import Block

SEARCHED = tuple(
    map(read_params, ({"core": "2", "width": "2", "nests": "1"}, {"core": "3", "width": "1", "nests": "1"}))
)


class Kept(NamedTuple):
    """A line of play that leads to a position where the values of this reading differ."""

    reading: str
    params: Params
    line: str


KEPT = (
    Kept(  # a chain goes on along the finish line, over a stack and onto another one
        "order_transit",
        read_params({"core": "3", "width": "3", "nests": "2"}),
        "c1-d2 a3-b3 c1-c2 b3-b2 c2-d3 b2-b3 d3-d4 b3-b4 c1-e3-c5 b4-b3 d4-c5 b3-b4 d2-c3 b4-b3 c3-d4 b3-b2 d4-c5 "
        "b2-b3 b1-c2 b3-b4 c2-d2 b4-b3 b1-c2 b3-b2 b1-b3 b2-b4 b3-b5 b4-b3 c2-d3 b3-c4 d2-d4-b4 c4-d4",
    ),
    Kept(  # a small one stands before a taken square of the finish line, and a free one is a sidestep away
        "horizon",
        read_params({"core": "4", "width": "2", "nests": "2"}),
        "c1-d2 a4-b5 d2-c3 b5-b4 c1-d2 b4-b5 c1-c2 b5-b4 c2-e2 b4-b3 e2-c2-c4 b3-b4 d1-d3-b3-d5 b4-b3 c3-c5-e5 "
        "b3-c2 c4-b5 c2-d2 d1-d3 a3-b3 d1-c2 b3-d1-d3 c2-e4-c6",
    ),
    Kept(  # a large one completes a nest, and what is left of the mover's is covered, or cannot come in
        "s2_whose_pat",
        read_params({"core": "3", "width": "3", "nests": "2"}),
        "c1-d2 a3-b2 c1-c2 b2-b3 c2-d3 b3-b2 b1-c2 b2-b3 c2-e2-c4 b3-b4 c1-b2 b4-b3 b1-b2 b3-b2 b1-b3-d5 a3-b3 "
        "d2-d4 b3-c2 d3-d5 c2-d2",
    ),
    Kept("rule9_4p", read_params({"players": "4", "core": "3", "width": "3"}), ""),
    Kept(  # a chain goes on along the start line and touches the line-mate's pyramid
        "mate_transit",
        read_params({"players": "4", "core": "3", "width": "3"}),
        "b1-d1 a2-b2 c1-c2 a3-b3 d1-b1 b2-d2 c1-d1 b3-b4",
    ),
    Kept(  # a chain touches the line-mate's small one on the finish line and ends on an own one
        "order_colour",
        read_params({"players": "4", "core": "4", "width": "4"}),
        "d1-e2 a4-b5 c1-c2 a3-b3 e2-d2 b5-b4 c2-e2 b3-b2 d2-c2 b4-b3 e2-d3 b2-b4 c2-d2 b3-b5 d3-c4 b4-b3 d2-c2 "
        "b5-b4 c4-d5 b3-b2 c2-d2 b4-b3 c1-c2 b2-b4 d2-d3 b3-b5 c2-e4 b4-b3 d1-c2 b5-b4 c1-d2 b3-b2 c2-c3 b4-b5 "
        "d2-b4-b6 a3-b4 d1-d2 b5-b3 e1-c3-e3-e5 b4-b5 d2-d4-d6 b3-b4 e1-d2 b5-c4 d3-b5 b4-b3 e1-e2 c4-d3 c3-b4 "
        "b3-c3 e2-c4-e6-c6 a3-b3",
    ),
)


def shapes() -> Iterator[Params]:
    """The games that are looked through, then those with a kept line."""
    yield from dict.fromkeys([*SEARCHED, *(kept.params for kept in KEPT)])


def below(shape: Params) -> str:
    return f"games for two with one nest on fewer than {len(shape.squares)} squares"


def bound() -> str:
    return f"games for two with one nest on {_sizes()} squares, nor after the lines kept for other games"


def difference_scope(shape: Params) -> str:
    if shape == SEARCHED[0]:
        return "smallest: no game is smaller, and no position of this one is nearer to the start"
    if shape in SEARCHED:
        return f"smallest: {below(shape)} have no such position in play"
    return (
        f"in play; games for two with one nest on {_sizes()} squares have none, other smaller games were not searched"
    )


def _sizes() -> str:
    return " and ".join(str(len(shape.squares)) for shape in SEARCHED)


def find_difference(first: Engine, second: Engine) -> Difference | None:
    return (_searched if first.params in SEARCHED else _kept)(first, second)


def _kept(first: Engine, second: Engine) -> Difference | None:
    """The first kept line of this game that both engines allow and after which they differ."""
    for kept in (kept for kept in KEPT if kept.params == first.params):
        line = tuple(kept.line.split())
        ends = [_end(engine, line) for engine in (first, second)]
        if ends[0] is not None and ends[0] == ends[1]:
            move = differing_move(first, second, ends[0])
            if move is not None:
                return ends[0], move, line
    return None


def _end(engine: Engine, line: tuple[str, ...]) -> Position | None:
    position = engine.start()
    for text in line:
        try:
            position = engine.play(position, read_move(engine.params, text))
        except InputError:
            return None
    return position


# -- All play, layer by layer -----------------------------------------------------------------------------------


def _searched(first: Engine, second: Engine) -> Difference | None:
    ours, theirs = (packing(engine.params, engine.readings) for engine in (first, second))
    assert ours is not None
    assert theirs is not None
    if ours.rules == theirs.rules and np.array_equal(ours.board, theirs.board):
        return None  # readings about four players: all that the compiled game looks at is the same
    layers = [np.array([ours.start])]
    met = np.zeros(ours.movers * ours.count**2, dtype=np.bool_)
    while len(layers[-1]):
        met[layers[-1]] = True
        told, following = _compared(ours, theirs, layers[-1])
        if told is not None:
            return _played(first, second, ours, layers, told)
        layers.append(following[~met[following]])
    return None


def _compared(ours: NestPacking, theirs: NestPacking, layer: Keys) -> tuple[int | None, Keys]:
    """The first key of a layer with other results under the second reading, if any; and all keys that follow."""
    following = np.zeros(0, dtype=np.int64)
    for at in range(0, len(layer), BATCH):
        keys = layer[at : at + BATCH]
        mine, yours = ours.expand(keys), theirs.expand(_translated(ours, theirs, keys))
        alike = ours.count == theirs.count and np.array_equal(mine.succ, yours.succ)
        if not (alike and np.array_equal(mine.first, yours.first)):
            other = np.setxor1d(_results(ours, mine), _results(theirs, yours), assume_unique=True)
            if len(other):
                return int(keys[other.min() // _span(ours)]), following
        following = np.union1d(following, mine.succ[mine.succ >= 0])
    return None, following


def _span(game: NestPacking) -> int:
    return 3 + 2 * len(game.halves.moved) ** 6


def _results(game: NestPacking, block: Block) -> Keys:
    """Which results each of the keys has, as numbers that do not depend on the readings."""
    _, first, succ = block
    which = np.repeat(np.arange(len(first) - 1), np.diff(first))
    codes = np.where(succ < 0, succ + 3, 3 + game.placements(np.maximum(succ, 0)))
    return np.unique(which * _span(game) + codes)


def _translated(ours: NestPacking, theirs: NestPacking, keys: Keys) -> Keys:
    """Keys of the same positions in the other game; only reading finish_order numbers positions differently."""
    if ours.count == theirs.count:
        return keys
    return np.array([theirs.key_of(ours.unpack(int(key))) for key in keys])


def _played(first: Engine, second: Engine, game: NestPacking, layers: list[Keys], last: int) -> Difference:
    """The line that leads to this key, and the move there, on the engines."""
    way = [last]
    for layer in reversed(layers[:-1]):
        _, begins, succ = game.expand(layer)
        at = np.flatnonzero(succ == way[-1])[0]
        way.append(int(layer[np.searchsorted(begins, at, side="right") - 1]))
    position, line = first.start(), []
    for key in reversed(way[:-1]):
        moves = first.moves(position)
        fitting = [move for move, result in moves.items() if game.pack(result) == key]
        move = min(fitting, key=lambda m: (len(m.path), str(m)))
        position = moves[move]
        line.append(str(move))
    return position, differing_move(first, second, position), tuple(line)
