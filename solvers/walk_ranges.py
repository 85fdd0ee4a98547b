"""Games of walks in ranges of numbers, which may lie in different processes or on different machines.

A `WalkRange` holds consecutive positions and their links. Where these lead out of the range lies its *halo*: the values
there are sent to it, layer by layer, and it answers with its own. Bounds stay with the caller, `SpreadWalks`, so a lost
range is made anew from its numbers alone, and the half sweep in which it was lost is begun again. The sums are those
of `solvers.walk_sweeps` in one piece, to the last digit, however the positions are divided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from solvers import walk_sweeps as sweeps
from solvers.graph import Progress, silent
from solvers.walk_certificate import MAX_REPORTED, Layers
from solvers.walks import Walks, WalkSource, ends, exceptions_of, steps_between, unspent, walk_problems

T = TypeVar("T")
LOOPS = {loop.__name__: loop for loop in (sweeps.rise, sweeps.sink, sweeps.lift)}
NOTHING: NDArray[Any] = np.zeros(0, dtype=np.int64)


class OpenedWalks(NamedTuple):
    """A new range's summary of itself, before its exceptions are known."""

    mirror: NDArray[np.int32]
    over: NDArray[np.bool_]
    halo: NDArray[np.int32]


class SettledWalks(NamedTuple):
    """What is known once the exceptions are."""

    halo: NDArray[np.int32]
    edges: int
    problems: list[str]


class WalkRange:
    """The positions from `low` up to, but excluding, `high`, numbered from 0; those of the halo follow."""

    def __init__(self, source: WalkSource, low: int, high: int) -> None:
        self.source, self.low, self.count = source, low, high - low
        steps = steps_between(source, low, high)
        self._mirror, self._over, self._stops, self._cost = steps.mirror, steps.over, steps.stops, steps.cost
        self._first = ends(steps.degree)
        self._halo = [self._outside(steps.to)]  # of the steps, then what the exceptions add; each rising
        self._to = self._local(steps.to)
        self._spent = unspent(np.zeros(0, dtype=np.bool_))
        self._game: Walks | None = None
        self._rounds: Iterator[NDArray[Any]] = iter(())
        self._layer: NDArray[Any] = NOTHING
        self._sweep: sweeps.Sweep | None = None
        self._checked: Layers | None = None

    @property
    def halo(self) -> NDArray[np.int32]:
        return np.concatenate(self._halo)

    def opened(self) -> OpenedWalks:
        return OpenedWalks(self._mirror, self._over, self.halo)

    def _outside(self, numbers: NDArray[np.int32]) -> NDArray[np.int32]:
        return np.unique(numbers[(numbers < self.low) | (numbers >= self.low + self.count)])

    def _local(self, numbers: NDArray[np.int32]) -> NDArray[np.int32]:
        local = numbers - np.int32(self.low)
        outside = np.flatnonzero((local < 0) | (local >= self.count))
        before = self.count
        for halo in self._halo:
            if not len(halo):
                continue
            at = np.searchsorted(halo, numbers[outside])
            here = halo[np.minimum(at, len(halo) - 1)] == numbers[outside]
            local[outside[here]] = before + at[here]
            before += len(halo)
        return local

    # -- Which rolls can be spent ---------------------------------------------------------------------------------

    def unspent(self) -> NDArray[np.uint16]:
        own = unspent(self._stops)
        self._spent = np.concatenate([own, np.zeros(len(self.halo), dtype=own.dtype)])
        return own

    def spend(self, halo: NDArray[np.uint16], k: int) -> NDArray[np.uint16]:
        self._spent[self.count :] = halo
        self.source.spend(k, self._first, self._cost, self._to, self._spent)
        return self._spent[: self.count].copy()

    def stuck(self) -> NDArray[np.int32]:
        flags = self.source.stuck(self._over, self._spent[: self.count])
        self._spent = self._spent[:0]
        return np.flatnonzero(flags).astype(np.int32)

    def settle(self, stuck: NDArray[np.int32]) -> SettledWalks:
        """Make the exceptions of these positions of the range, and with them the whole game."""
        degree, put = exceptions_of(self.source, stuck + np.int32(self.low))
        more = self._outside(put)
        self._halo = [self._halo[0], more[~np.isin(more, self._halo[0])]]
        mirror = np.arange(self.count, dtype=np.int32)  # values arrive mirrored
        game = Walks(
            self.source.die, self.source.then_spend, mirror, self._over, self._stops,
            self._first, self._cost, self._to, stuck, ends(degree), self._local(put),
        )  # fmt: skip
        self._game = game
        return SettledWalks(self.halo, game.edges, walk_problems(game, len(self.halo)))

    # -- Sweeps -----------------------------------------------------------------------------------------------

    def begin(self, role: int, x: NDArray[Any], one: Any) -> NDArray[Any]:
        """The bottom layer, of the mirrored values x."""
        assert self._game is not None
        self._checked = None
        if self._sweep is None or self._sweep.w.dtype != x.dtype:
            self._sweep = sweeps.Sweep(self._game, x.dtype, beyond=len(self.halo))
        self._rounds = self._sweep.rounds(role, _writable(x), x.dtype.type(one))
        return self._next()

    def go_on(self, halo: NDArray[Any]) -> NDArray[Any]:
        """The next layer."""
        self._layer[self.count :] = halo
        return self._next()

    def change(
        self, halo: NDArray[Any], how: str, values: NDArray[Any], about: tuple[Any, ...]
    ) -> tuple[list[int], NDArray[Any]]:
        """After the last layer: run a loop over these values."""
        assert self._sweep is not None
        self._layer[self.count :] = halo
        for _ in self._rounds:
            raise AssertionError("a layer is missing")
        values = values.copy()
        return self._sweep.change(LOOPS[how], values, *about), values

    def _next(self) -> NDArray[Any]:
        self._layer = next(self._rounds)
        return self._layer[: self.count].copy()

    # -- The check ----------------------------------------------------------------------------------------------

    def begin_check(self, role: int, there: NDArray[Any], one: int) -> NDArray[Any]:
        assert self._game is not None
        self._sweep = None
        self._checked = self._checked or Layers(self._game, there.dtype, len(self.halo))
        self._rounds = self._checked.rounds(role, _writable(there), one)
        return self._next()

    def wrong(self, halo: NDArray[Any], role: int, lower: bool, here: NDArray[Any]) -> list[int]:
        assert self._checked is not None
        self._layer[self.count :] = halo
        return [self.low + int(i) for i in self._checked.wrong(role, lower, _writable(here))]


def _writable(values: NDArray[Any]) -> NDArray[Any]:
    """What arrives may be read-only, for which compiled code would be compiled anew."""
    return np.require(values, requirements="W")


# -- The rounds ----------------------------------------------------------------------------------------------------


class RangesLostError(Exception):
    """Some ranges have to be made anew."""

    def __init__(self, numbers: set[int]) -> None:
        super().__init__(f"{len(numbers)} ranges were lost")
        self.numbers = numbers


class WalkRanges(Protocol):
    """All ranges of a game, wherever they are. Both methods raise `RangesLostError` for those that are gone."""

    @property
    def lows(self) -> Sequence[int]: ...

    def open(self, numbers: set[int]) -> Mapping[int, OpenedWalks]: ...

    def ask(self, method: str, arguments: Mapping[int, tuple[Any, ...]]) -> Mapping[int, Any]:
        """Call a method of each of these ranges."""
        ...


class SpreadWalks:
    """A game in ranges: swept and checked as if it were in one piece."""

    def __init__(self, ranges: WalkRanges, size: int, die: int, progress: Progress = silent) -> None:
        self.size, self.die, self._ranges, self._progress = size, die, ranges, progress
        self._parts = [slice(*part) for part in zip(ranges.lows, [*ranges.lows[1:], size], strict=True)]
        self.over = np.zeros(size, dtype=np.bool_)
        self._mirror = np.zeros(size, dtype=np.int32)
        self._halo: dict[int, NDArray[np.int32]] = {}
        self._stuck: dict[int, NDArray[np.int32]] = {}
        self._settled: dict[int, SettledWalks] = {}
        self._image: tuple[int, NDArray[Any], Any] | None = None
        self._make(set(range(len(self._parts))))
        self._stuck = self._unless_lost(self._find_stuck)
        self._unless_lost(lambda: self._settle(set(self._stuck)))

    @property
    def edges(self) -> int:
        return sum(each.edges for each in self._settled.values())

    def _make(self, numbers: set[int]) -> None:
        """Make these ranges, and any lost meanwhile."""
        while numbers:
            try:
                for i, opened in self._ranges.open(numbers).items():
                    self._mirror[self._parts[i]], self.over[self._parts[i]] = opened.mirror, opened.over
                    self._halo[i] = opened.halo
                if self._stuck:
                    self._settle(numbers)
                return
            except RangesLostError as error:
                numbers = numbers | error.numbers

    def _settle(self, numbers: set[int]) -> None:
        for i, settled in self._ranges.ask("settle", {i: (self._stuck[i],) for i in numbers}).items():
            self._settled[i], self._halo[i] = settled, settled.halo

    def _unless_lost(self, rounds: Callable[[], T]) -> T:
        """The result of some rounds, begun again if a range is lost in them."""
        while True:
            try:
                return rounds()
            except RangesLostError as error:
                self._make(error.numbers)

    def _ask(self, method: str, *arguments: Callable[[int], Any]) -> list[Any]:
        """Ask all ranges, in order; each argument depends on the range."""
        parts = range(len(self._parts))
        answers = self._ranges.ask(method, {i: tuple(of(i) for of in arguments) for i in parts})
        return [answers[i] for i in parts]

    def _exchange(self, layer: NDArray[Any], method: str, *more: Callable[[int], Any]) -> NDArray[Any]:
        """Send each range the values of its halo; return the next layer."""
        return np.concatenate(self._ask(method, self._of_halo(layer), *more))

    def _last_layer(self, method: str, role: int, x: NDArray[Any], one: Any) -> NDArray[Any]:
        """The layer with all points left, of sweeps or of the check."""
        layer = np.concatenate(self._ask(method, _each(role), lambda i: x[self._mirror[self._parts[i]]], _each(one)))
        for _ in range(self.die):
            layer = self._exchange(layer, "go_on")
        return layer

    def _of_halo(self, layer: NDArray[Any]) -> Callable[[int], NDArray[Any]]:
        return lambda i: layer[self._halo[i]]

    def _of_part(self, values: NDArray[Any]) -> Callable[[int], NDArray[Any]]:
        return lambda i: values[self._parts[i]]

    def _find_stuck(self) -> dict[int, NDArray[np.int32]]:
        spent = np.concatenate(self._ask("unspent"))
        for k in range(1, self.die + 1):
            spent = self._exchange(spent, "spend", _each(k))
        return dict(enumerate(self._ask("stuck")))

    # -- Sweeps -----------------------------------------------------------------------------------------------

    def image(self, role: int, x: NDArray[Any], one: Any) -> None:
        """What the next change is to follow from."""
        self._image = role, x, one

    def change(self, how: Any, values: NDArray[Any], *about: Any) -> list[int]:
        changes, found = self._unless_lost(lambda: self._changed(how.__name__, values, about))
        for part, new in zip(self._parts, found, strict=True):
            values[part] = new
        return changes

    def _changed(self, how: str, values: NDArray[Any], about: tuple[Any, ...]) -> tuple[list[int], list[NDArray[Any]]]:
        assert self._image is not None
        role, x, one = self._image
        layer = self._last_layer("begin", role, x, one)
        found = self._ask("change", self._of_halo(layer), _each(how), self._of_part(values), _each(about))
        return [number for numbers, _ in found for number in numbers], [new for _, new in found]

    # -- The check ----------------------------------------------------------------------------------------------

    def problems(self) -> list[str]:
        return [problem for i in sorted(self._settled) for problem in self._settled[i].problems]

    def wrong(self, role: int, lower: bool, here: NDArray[Any], there: NDArray[Any], one: int) -> list[int]:
        return self._unless_lost(lambda: self._wrong(role, lower, here, there, one))

    def _wrong(self, role: int, lower: bool, here: NDArray[Any], there: NDArray[Any], one: int) -> list[int]:
        layer = self._last_layer("begin_check", role, there, one)
        found = self._ask("wrong", self._of_halo(layer), _each(role), _each(lower), self._of_part(here))
        return [number for numbers in found for number in numbers][:MAX_REPORTED]


def _each(value: Any) -> Callable[[int], Any]:
    """The same for each range."""
    return lambda _: value


class WalkRangesHere:
    """All ranges in this process, for tests and comparisons."""

    def __init__(self, source: WalkSource, lows: Sequence[int]) -> None:
        self.source, self.lows = source, lows
        self.parts: dict[int, WalkRange] = {}

    def open(self, numbers: set[int]) -> Mapping[int, OpenedWalks]:
        for i in numbers:
            self.parts[i] = WalkRange(self.source, self.lows[i], [*self.lows, self.source.size][i + 1])
        return {i: self.parts[i].opened() for i in numbers}

    def ask(self, method: str, arguments: Mapping[int, tuple[Any, ...]]) -> Mapping[int, Any]:
        return {i: getattr(self.parts[i], method)(*given) for i, given in arguments.items()}
