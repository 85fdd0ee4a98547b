"""A game without dice as a numbered graph: every position has a number, every number a position or none.

`Packed` runs a game's compiled successor code, which is some hundred times faster than the readable engine, and which
`certify` compares with it. Positions are seen by the player to move, as everywhere in the solvers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError
from rulecheck.registry import Choice
from solvers.graph import Block
from solvers.tablebase import Table

if TYPE_CHECKING:
    from rulecheck.solve.packed import Packed


class Space(Protocol):
    """A `solvers.graph.Blocks` whose numbers stand for positions."""

    start: int
    endings: int  # the numbers at the end, each of which stands for all positions that ended in one way

    def __len__(self) -> int: ...

    def block(self, low: int, high: int) -> Block: ...

    def position(self, number: int) -> Any | None:
        """None if the number stands for no position, or for an ending."""
        ...

    def keys(self) -> Sequence[bytes] | NDArray[np.uint8] | None:
        """An ascending key for each number, for `find_number` to search in a table; None if it needs none."""
        ...


def space_of(choice: Choice, report: Report = ignore, executor: Executor | None = None) -> Packed:
    """The space of the game's compiled successors."""
    from rulecheck.solve.packed import Packed
    from rulecheck.solve.sharing import Shared

    packing = packing_of(choice)
    if packing is None:
        raise InputError(f"{choice.game.slug} has no compiled successors for these parameters")
    return Packed(packing, report, Shared(choice, executor).expand if executor else None)


def packing_of(choice: Choice) -> Any | None:
    """The game's `rulecheck.solve.packed.Packing`, if it has one for these parameters and readings."""
    return choice.game.hints.packing(choice.params, choice.readings)


def alike_of(choice: Choice) -> Callable[[Any], Any] | None:
    """The map from each position to the representative of its symmetry class; None if there is no symmetry."""
    return choice.game.hints.normaliser(choice.params)


def normaliser(choice: Choice) -> Callable[[Any], Any]:
    """The same, or the identity if there is no symmetry."""
    return alike_of(choice) or _unchanged


def key_of(choice: Choice, position: Any) -> bytes:
    """The key under which a position is stored."""
    return str(normaliser(choice)(position)).encode()


def _unchanged(position: Any) -> Any:
    return position


def find_number(choice: Choice, table: Table, position: Any) -> int | None:
    """The number of a position in a table of this game, without building its space."""
    packing = packing_of(choice)
    if packing is None:
        return table.find(key_of(choice, position))
    key = packing.pack(position)
    if key is None:
        return None
    if packing.ranking is None:
        return table.find(int(key).to_bytes(8, "big"))
    return int(packing.ranking.rank(np.array([key], dtype=np.int64))[0])
