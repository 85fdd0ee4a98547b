"""Checks bounds on a game of walks. Nothing here solves; all arithmetic is in integers.

f is what the player to move can force from a position before the roll, g what the other player can. Let B(x) be what a
position is worth if the positions after the turn are worth x.

Upper bounds: high >= B(high). Iterating B from 0 starts below such a vector, stays below it, and ends at the value.

Lower bounds: low < B(low) wherever low > 0, strictly. There are finitely many positions, so there is a c < 1 with
low <= c * B(low) everywhere. c * B is a contraction: iterated from low it rises to its one fixpoint, what can be
forced if the game breaks off before each turn with probability 1 - c; no more than what can be forced if it does not.
No rank is needed to exclude that a cycle supports its own claim: along it the claims would have to rise for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from solvers.compiled import njit
from solvers.walks import Walks, walk_problems

MAX_REPORTED = 10
NAMES = ("low_f", "high_f", "low_g", "high_g")


@dataclass(frozen=True, eq=False)
class WalkBounds:
    """Integers on the scale `one`; 0 where the game is over."""

    one: int
    low_f: NDArray[Any]
    high_f: NDArray[Any]
    low_g: NDArray[Any]
    high_g: NDArray[Any]

    @property
    def width(self) -> float:
        """The largest gap between a lower and an upper bound."""
        gaps = (_gap(self.low_f, self.high_f), _gap(self.low_g, self.high_g))
        return max(gaps) / self.one

    def columns(self) -> dict[str, NDArray[Any]]:
        return {name: getattr(self, name) for name in NAMES}


@njit(cache=True)
def _gap(low: Any, high: Any) -> int:
    most = 0
    for i in range(len(low)):
        most = max(most, high[i] - low[i])
    return most


class Parted(Protocol):
    """A game of walks, in one part or in many, wherever they are."""

    @property
    def size(self) -> int: ...

    @property
    def die(self) -> int: ...

    @property
    def over(self) -> NDArray[np.bool_]: ...

    def problems(self) -> list[str]:
        """Why compiled code must not run on it."""
        ...

    def wrong(self, role: int, lower: bool, here: NDArray[Any], there: NDArray[Any], one: int) -> list[int]:
        """The first few positions whose bound does not hold."""
        ...


def check_walk_bounds(game: Walks, bounds: WalkBounds) -> list[str]:
    """Everything (up to MAX_REPORTED findings) that keeps the bounds from being proved; empty: accepted."""
    return check_parted(_Whole(game), bounds)


def check_parted(game: Parted, bounds: WalkBounds) -> list[str]:
    problems = game.problems() or _column_problems(game, bounds)
    if problems:
        return problems
    for name, role, here, there in (
        ("low_f", 0, bounds.low_f, bounds.low_g),
        ("low_g", 1, bounds.low_g, bounds.low_f),
        ("high_f", 0, bounds.high_f, bounds.high_g),
        ("high_g", 1, bounds.high_g, bounds.high_f),
    ):
        wrong = game.wrong(role, name.startswith("low"), here, there, bounds.one)
        problems += [f"position {i}: {name} is not supported by what can be reached in a turn" for i in wrong]
    return problems[:MAX_REPORTED]


class _Whole:
    """A game in one part."""

    def __init__(self, game: Walks) -> None:
        self.game, self.size, self.die, self.over = game, game.size, game.die, game.over
        self.layers: Layers | None = None

    def problems(self) -> list[str]:
        return walk_problems(self.game)

    def wrong(self, role: int, lower: bool, here: NDArray[Any], there: NDArray[Any], one: int) -> list[int]:
        self.layers = self.layers or Layers(self.game, here.dtype)
        for _ in self.layers.rounds(role, there, one):
            pass
        return self.layers.wrong(role, lower, here)


class Layers:
    """What positions are worth with points left. The game may be part of a larger one: `beyond` positions follow its
    own, and their values must be put into each layer before the next."""

    def __init__(self, game: Walks, kind: Any, beyond: int = 0) -> None:
        self._game, self._layers = game, np.empty((game.die + 1, game.size + beyond), dtype=kind)

    def rounds(self, role: int, there: NDArray[Any], one: int) -> Iterator[NDArray[Any]]:
        for k in range(self._game.die + 1):
            _lay_out(self._game, role, k, there, one, self._layers)
            yield self._layers[k]

    def wrong(self, role: int, lower: bool, here: NDArray[Any]) -> list[int]:
        """The first few positions whose bound does not hold."""
        return list(_compare(self._game, role, lower, here, self._layers))


def _column_problems(game: Parted, bounds: WalkBounds) -> list[str]:
    kind = bounds.low_f.dtype
    for name, column in bounds.columns().items():
        if column.dtype != kind or kind not in (np.int32, np.int64) or column.shape != (game.size,):
            return [f"column {name} is not of {game.size} whole numbers like the others"]
        if len(column) and not 0 <= column.min() <= column.max() <= bounds.one:
            return [f"column {name} holds something that is not from 0 to {bounds.one}"]
        if column[game.over].any():
            return [f"column {name} claims something where the game is over"]
    if not 0 < bounds.one * (game.die + 1) <= np.iinfo(kind).max:
        return [f"the scale {bounds.one} is too large for these numbers"]
    return []


@njit(cache=True)
def _lay_out(game: Any, role: int, k: int, there: Any, one: int, layers: Any) -> None:
    """layers[k, i]: the value of i with k points left, or -1 if they cannot be spent."""
    for i in range(len(there)):
        worth = -1
        if game.stops[i] or (k == 0 and game.over[i]):
            worth = one * (1 - role)
        elif k == 0:
            worth = there[game.mirror[i]]
        else:
            for e in range(game.first[i], game.first[i + 1]):
                if game.cost[e] <= k:
                    worth = _better(role, worth, layers[k - game.cost[e], game.to[e]])
        layers[k, i] = worth


@njit(cache=True)
def _better(role: int, one_way: int, another: int) -> int:
    """The mover's choice; a way of worth -1 does not exist."""
    if one_way < 0 or another < 0:
        return max(one_way, another)
    return max(one_way, another) if role == 0 else min(one_way, another)


@njit(cache=True)
def _exception(game: Any, role: int, j: int, roll: int, layers: Any) -> int:
    worth = -1
    for e in range(game.other[j], game.other[j + 1]):
        spent = layers[roll, game.put[e]] if game.then_spend else -1
        worth = _better(role, worth, spent if spent >= 0 else layers[0, game.put[e]])
    return worth


@njit(cache=True)
def _compare(game: Any, role: int, lower: bool, here: Any, layers: Any) -> Any:
    """The first few positions whose bound does not hold."""
    wrong = np.empty(MAX_REPORTED, dtype=np.int64)
    count, j = 0, 0
    for i in range(len(here)):
        while j < len(game.stuck) and game.stuck[j] < i:
            j += 1
        if game.over[i]:
            continue
        total, known = 0, True
        for roll in range(1, game.die + 1):
            worth = layers[roll, i]
            if worth < 0 and j < len(game.stuck) and game.stuck[j] == i:
                worth = _exception(game, role, j, roll, layers)
            known = known and worth >= 0
            total += worth
        mine = game.die * here[i]
        holds = known and ((mine < total or mine == 0) if lower else mine >= total)
        if not holds and count < MAX_REPORTED:
            wrong[count] = i
            count += 1
    return wrong[:count]
