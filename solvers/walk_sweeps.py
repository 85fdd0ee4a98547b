"""The hot loops over a game of walks: the values of positions one turn earlier, compiled.

Names: i  a position;  k  points left;  w  layers of values by points left, the last few of them;  x  values of the
positions before a roll, seen by the player who does not move now. Role 0: the protagonist, who wants to win, moves;
role 1: the opponent does, who wants to prevent it. Values are integers on a scale `one`, or floats. A loop covers
the positions from `low` to `high`; `solvers.chunked_loops` runs it over all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.chunked_loops import ChunkedLoops
from solvers.compiled import njit
from solvers.walks import DEAREST, Walks

RING = 1 << DEAREST.bit_length()  # layers kept, a power of two: layer k is found at k modulo this
LAST = RING - 1


@njit(cache=True, nogil=True)
def _spend(
    low: int, high: int, game: Any, role: int, k: int, ended: Any, none: Any, w: Any, total: Any, chosen: Any
) -> None:
    """Layer k from the layers of fewer points; `none` where exactly k points cannot be spent. `total`, if given, grows
    by the layer, and `chosen`, if given, gets the number of the step that each position takes."""
    first, cost, to, layer = game.first, game.cost, game.to, w[k & LAST]
    for i in range(low, high):
        best = none
        if game.stops[i]:
            best = ended
        else:
            for e in range(first[i], first[i + 1]):
                c = cost[e]
                if c <= k:
                    v = w[(k - c) & LAST, to[e]]
                    if v > best if role == 0 else v < best:
                        best = v
                        if chosen is not None:
                            chosen[i] = e - first[i]
        layer[i] = best
        if total is not None:
            total[i] += best


@njit(cache=True, nogil=True)
def _exceptions(
    low: int, high: int, game: Any, role: int, none: Any, layer: Any, bottom: Any, exceptions: Any, puts: Any
) -> None:
    """The value of each stuck position's best exception: in `layer` if the roll can be spent from there, else in
    `bottom`. `puts`, if given, gets where it leads."""
    for j in range(low, high):
        best = none
        for e in range(game.other[j], game.other[j + 1]):
            v = layer[game.put[e]]
            if v == none:
                v = bottom[game.put[e]]
            if v > best if role == 0 else v < best:
                best = v
                if puts is not None:
                    puts[j] = game.put[e]
        exceptions[j] = best


@njit(cache=True, nogil=True)
def _begin(low: int, high: int, game: Any, x: Any, ended: Any, bottom: Any, total: Any) -> None:
    for i in range(low, high):
        bottom[i] = ended if game.over[i] else x[game.mirror[i]]
        total[i] = 0


@njit(cache=True, nogil=True)
def _add_exceptions(low: int, high: int, stuck: Any, layer: Any, none: Any, exceptions: Any, total: Any) -> None:
    for j in range(low, high):
        if layer[stuck[j]] == none:
            total[stuck[j]] += exceptions[j] - none


@njit(cache=True, nogil=True)
def _forget(low: int, high: int, over: Any, total: Any) -> None:
    for i in range(low, high):
        if over[i]:
            total[i] = 0


class Sweep:
    """Buffers for sweeps over one game, in numbers of one type, and the threads that run them.

    The game may be part of a larger one, with links to `beyond` positions of other parts, numbered after its own.
    """

    def __init__(self, game: Walks, kind: Any, executor: Executor | None = None, beyond: int = 0) -> None:
        self.game, self.loops, self.odd = (
            game,
            ChunkedLoops(game.size, executor),
            ChunkedLoops(len(game.stuck), executor),
        )
        self.w = np.empty((RING, game.size + beyond), dtype=kind)
        self.total = np.empty(game.size, dtype=kind)
        self.exceptions = np.empty(len(game.stuck), dtype=kind)  # values of the best exceptions

    def layers(
        self, role: int, ended: Any, none: Any, *, chosen: Any = None, puts: Any = None
    ) -> Iterator[tuple[int, NDArray[Any]]]:
        """The layers above the bottom one in order, each with its points; `exceptions` is filled for each."""
        for k, layer, complete in self._layers(role, ended, none, None, chosen, puts):
            if complete:
                yield k, layer

    def _layers(
        self, role: int, ended: Any, none: Any, total: Any, chosen: Any = None, puts: Any = None
    ) -> Iterator[tuple[int, NDArray[Any], bool]]:
        """Each layer twice: before `exceptions` is filled, when values from beyond must be put into it, and after."""
        game, w = self.game, self.w
        yield 0, w[0], False
        bottom = w[0].copy() if game.then_spend else w[0]
        if not game.then_spend:
            self.odd(_exceptions, game, role, none, bottom, bottom, self.exceptions, puts)
        for k in range(1, game.die + 1):
            layer = w[k & LAST]
            self.loops(_spend, game, role, k, ended, none, w, total, None if chosen is None else chosen[k - 1])
            yield k, layer, False
            if game.then_spend:
                self.odd(_exceptions, game, role, none, layer, bottom, self.exceptions, puts)
            yield k, layer, True

    def image(self, role: int, x: NDArray[Any], one: Any) -> NDArray[Any]:
        """The sum over all rolls of each position's value to the protagonist; 0 where the game is over."""
        for _ in self.rounds(role, x, one):
            pass
        return self.total

    def rounds(self, role: int, x: NDArray[Any], one: Any) -> Iterator[NDArray[Any]]:
        """The same, layer by layer: before going on, put values from beyond into the layer. The sums are in `total`."""
        game, total = self.game, self.total
        ended, none = (one, -one) if role == 0 else (one - one, one + one)
        self.loops(_begin, game, x, ended, self.w[0], total)
        for _, layer, complete in self._layers(role, ended, none, total):
            if complete:
                self.odd(_add_exceptions, game.stuck, layer, none, self.exceptions, total)
            else:
                yield layer
        self.loops(_forget, game.over, total)

    def change(self, how: Any, values: NDArray[Any], *about: Any) -> list[int]:
        """Run one of the loops below over values, with the sums of the last image."""
        return self.loops(how, self.total, self.game.die, values, *about)


@njit(cache=True, nogil=True)
def rise(low: int, high: int, total: Any, die: int, bounds: Any, room: int) -> int:
    """Raise lower bounds to what their sums prove, less some room; return the largest rise.

    They stay strictly below the mean, which is what makes them a proof: see `solvers.walk_certificate`. So taking
    a turn longer loses at least the room, and plans made of such values never wait for nothing.
    """
    most = 0
    for i in range(low, high):
        proved = (total[i] - room) // die if total[i] > room else 0
        if proved > bounds[i]:
            most = max(most, proved - bounds[i])
            bounds[i] = proved
    return most


@njit(cache=True, nogil=True)
def sink(low: int, high: int, total: Any, die: int, bounds: Any) -> int:
    """Lower bounds that exceed what their sums prove; return how many were lowered."""
    count = 0
    for i in range(low, high):
        proved = (total[i] - 1) // die if total[i] > 0 else 0
        if proved < bounds[i]:
            bounds[i] = proved
            count += 1
    return count


@njit(cache=True, nogil=True)
def lift(low: int, high: int, total: Any, die: int, bounds: Any) -> int:
    """Raise upper bounds that are below the mean; return how many were raised."""
    count = 0
    for i in range(low, high):
        needed = -(-total[i] // die)
        if needed > bounds[i]:
            bounds[i] = needed
            count += 1
    return count
