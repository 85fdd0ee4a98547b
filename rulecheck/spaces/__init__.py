"""A game without dice as a numbered graph: every position has a number, every number a position or none.

Two ways to number: `Explored` runs the readable engine from the start, which serves every game of two players who take
turns; `Packed` runs a game's compiled successor code, which is some hundred times faster, and which `certify` compares
with the engine.
Positions are seen by the player to move, as everywhere in the solvers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rulecheck.contract import brought
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError
from rulecheck.registry import Choice
from solvers.graph import Block
from solvers.tablebase import Table


class Space(Protocol):
    """A `solvers.graph.Blocks` whose numbers stand for positions."""

    start: int
    by_engine: bool  # are its successors the engine's own?
    endings: int  # how many numbers at the end each stand for all positions that have ended in one way

    def __len__(self) -> int: ...

    def block(self, low: int, high: int) -> Block: ...

    def position(self, number: int) -> Any | None:
        """None if the number stands for no position, or for an ending."""
        ...

    def keys(self) -> Sequence[bytes] | NDArray[np.uint8] | None:
        """A key for each number, rising, by which `find_number` finds it in a table; None if it needs none."""
        ...


def space_of(choice: Choice, report: Report = ignore, executor: Executor | None = None) -> Space:
    """By the game's compiled successors if it has some for these parameters, else as the engine explores it."""
    engine = choice.engine()
    if brought(engine, engine.start()):
        raise InputError(f"{choice.game.slug} has dice, so its positions have probabilities, not outcomes")
    if (players := len(engine.players)) != 2:
        raise InputError(f"only games of two players have a win, loss or draw by force, and this one has {players}")
    from rulecheck.spaces.explored import Explored
    from rulecheck.spaces.packed import Packed
    from rulecheck.spaces.sharing import Shared

    shared = Shared(choice, executor) if executor else None
    packing = packing_of(choice)
    if packing is not None:
        return Packed(packing, report, shared.expand if shared else None)
    return Explored(engine, normaliser(choice), report, shared.explore if shared else None)


def packing_of(choice: Choice) -> Any | None:
    """The game's `rulecheck.spaces.packed.Packing`, if it has one for these parameters and readings."""
    return choice.game.hints.packing(choice.params, choice.readings)


def normaliser(choice: Choice) -> Callable[[Any], Any]:
    """What maps positions that are alike to one of them."""
    return choice.game.hints.normaliser(choice.params) or _unchanged


def _unchanged(position: Any) -> Any:
    return position


def find_number(choice: Choice, table: Table, position: Any) -> int | None:
    """The number of a position in a table of this game, without building its space."""
    packing = packing_of(choice)
    if packing is None:
        return table.find(str(normaliser(choice)(position)).encode())
    key = packing.pack(position)
    if key is None:
        return None
    if packing.ranking is None:
        return table.find(int(key).to_bytes(8, "big"))
    return int(packing.ranking.rank(np.array([key], dtype=np.int64))[0])
