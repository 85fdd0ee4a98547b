"""Dice games whose turns are walks: a roll is spent in single steps that cost points, and then the other player rolls.

Positions are numbers, seen by the player to move. Turns are never listed: with k points left a position is worth the
best of the positions one step away with the points that remain. So one pass over the steps for each k replaces a list
of all turns, and all rolls share it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from solvers.graph import Progress, silent

DEAREST = 3  # points that a step may cost
MOST_ROLLS = 9
BLOCK = 1 << 18  # positions whose links are made at once


class Walks(NamedTuple):
    """Steps and exceptions in lists, sorted by where they come from.

    Where a roll cannot be spent to the last point, one of the position's exceptions takes its place: it ends the turn,
    or with `then_spend` lets the roll be spent from there if it can be.
    """

    die: int
    then_spend: bool
    mirror: NDArray[np.int32]  # the same position seen by the other player
    over: NDArray[np.bool_]  # nobody rolls here any more; who moved here last has won
    stops: NDArray[np.bool_]  # a walk that comes here has won
    first: NDArray[np.int64]  # steps of i: first[i] to first[i + 1]
    cost: NDArray[np.uint8]
    to: NDArray[np.int32]
    stuck: NDArray[np.int32]  # where some roll cannot be spent, rising
    other: NDArray[np.int64]  # exceptions of stuck[j]: other[j] to other[j + 1], at least one
    put: NDArray[np.int32]

    @property
    def size(self) -> int:
        return len(self.mirror)

    @property
    def edges(self) -> int:
        return len(self.to) + len(self.put)


class Steps(NamedTuple):
    """What a game knows of consecutive positions by themselves; `degree` is the number of steps of each."""

    mirror: NDArray[np.int32]
    over: NDArray[np.bool_]
    stops: NDArray[np.bool_]
    degree: NDArray[np.uint8]
    cost: NDArray[np.uint8]
    to: NDArray[np.int32]


class WalkSource(Protocol):
    """A game of walks that can be made piece by piece."""

    @property
    def size(self) -> int: ...

    @property
    def die(self) -> int: ...

    @property
    def then_spend(self) -> bool: ...

    def steps(self, low: int, high: int) -> Steps: ...

    def spend(self, k: int, first: Any, cost: Any, to: Any, spent: Any) -> None:
        """Set bit k of `spent` where exactly k points can be spent, from the bits for fewer points."""
        ...

    def stuck(self, over: Any, spent: Any) -> NDArray[np.bool_]: ...

    def exceptions(self, numbers: NDArray[Any]) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
        """How many exceptions each of these stuck positions has, and where they lead."""
        ...


def whole(source: WalkSource, report: Progress = silent) -> Walks:
    """A game in one piece."""
    mirror, over, stops, degree, cost, to = steps_between(source, 0, source.size, report)
    first, spent = ends(degree), unspent(stops)
    for k in range(1, source.die + 1):
        source.spend(k, first, cost, to, spent)
    stuck = np.flatnonzero(source.stuck(over, spent)).astype(np.int32)
    degree, put = exceptions_of(source, stuck, report)
    return Walks(source.die, source.then_spend, mirror, over, stops, first, cost, to, stuck, ends(degree), put)


def steps_between(source: WalkSource, low: int, high: int, report: Progress = silent) -> Steps:
    def parts() -> Iterable[Steps]:
        for begin in range(low, high, BLOCK):
            report(f"{begin:,} of {high:,} arrangements", 0.0)
            yield source.steps(begin, min(begin + BLOCK, high))

    return Steps(*_in_a_row(parts()))


def exceptions_of(source: WalkSource, stuck: NDArray[Any], report: Progress = silent) -> list[NDArray[Any]]:
    def parts() -> Iterable[tuple[NDArray[Any], ...]]:
        for begin in range(0, len(stuck) + 1, BLOCK):
            report(f"exceptions of {begin:,} of {len(stuck):,} arrangements", 0.0)
            yield source.exceptions(stuck[begin : begin + BLOCK])

    return _in_a_row(parts())


def unspent(stops: NDArray[np.bool_]) -> NDArray[np.uint16]:
    """Bit k: exactly k points can be spent from here; before any step none can, but a walk that has won goes on."""
    return np.where(stops, 0xFFFF, 1).astype(np.uint16)


def _in_a_row(parts: Iterable[tuple[NDArray[Any], ...]]) -> list[NDArray[Any]]:
    """The columns of all parts. They grow in place, as joining kept parts at the end would fragment memory."""
    every = iter(parts)
    columns = [column.copy() for column in next(every)]
    for part in every:
        for column, more in zip(columns, part, strict=True):
            known = len(column)
            column.resize(known + len(more), refcheck=False)
            column[known:] = more
    return columns


def ends(degree: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Where the links of each position end, after a 0."""
    after = np.zeros(len(degree) + 1, dtype=np.int64)
    np.cumsum(degree, out=after[1:])
    return after


def walk_problems(game: Walks, beyond: int = 0) -> list[str]:
    """Why compiled code must not run on these lists; empty if it may. `beyond` positions follow the game's own."""
    n = game.size
    problems = [] if _in_order(game.first, n, game.to) else ["the list of steps is not in order"]
    problems += [] if _in_order(game.other, len(game.stuck), game.put) else ["the list of exceptions is not in order"]
    for name, numbers in (("mirror", game.mirror), ("step", game.to), ("exception", game.put), ("stuck", game.stuck)):
        if len(numbers) and (numbers.min() < 0 or numbers.max() >= n + beyond):
            problems.append(f"a {name} leads to no position")
    if len(game.cost) != len(game.to) or game.cost.min(initial=1) < 1 or game.cost.max(initial=1) > DEAREST:
        problems.append(f"a step costs 1 to {DEAREST} points")
    if not 1 <= game.die <= MOST_ROLLS or len(game.over) != n or len(game.stops) != n:
        problems.append("the die or the lists of endings do not fit")
    return problems


def _in_order(first: NDArray[np.int64], count: int, to: NDArray[np.int32]) -> bool:
    return len(first) == count + 1 and first[0] == 0 and first[-1] == len(to) and bool((np.diff(first) >= 0).all())
