"""Proved bounds on a game of walks: lower bounds that rise from nothing, or what the best plans prove.

Rising bounds are a proof at any moment: lower bounds only grow, and one side's lower bound limits what the other can
win. But in long games they rise slowly, and what neither side can force stays open. So where plans fit in memory,
strategy iteration finds good ones (`solvers.strategy_iteration`), and the best replies to them give bounds from both
sides: to the protagonist's plan in a game where turns have a price, to the opponent's where they bring a bonus
(`solvers.upper_bounds`). Integers near these values satisfy the rules of play with room to spare.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from solvers import walk_sweeps as sweeps
from solvers.chunked_loops import require_threads
from solvers.end_components import find_end_components
from solvers.graph import Progress, part, silent
from solvers.policies import Plan, Values
from solvers.spill import Spill
from solvers.strategy_iteration import Loss, StrategyIteration
from solvers.upper_bounds import UpperBounds
from solvers.walk_certificate import WalkBounds
from solvers.walk_ranges import SpreadWalks
from solvers.walks import Walks, walk_problems

FINE, COARSE = 1 << 56, 1 << 27  # scales of eight and of four bytes
LARGE = 20_000_000  # positions; larger games are only swept, with four bytes a bound: good plans would take a day
ROOM = 1 << 40  # part of the scale by which rising bounds stay below what is proved
WARM_UP, MOST_SWEEPS = 150, 3000  # sweeps before the first plans, and without any
WARMING = 0.1  # what the former are taken for, of the whole
OFTEN, RARER = 1e-5, 1e-2  # the first discount of a turn, and the factor by which each stage lessens it
MANY = 1e-2  # switches of the protagonist, by position, that are left to the next stage
PRICE, LEAST = 1e-5, 1e-12  # of a turn in the search for bounds: by the width, and the least that doubles allow
SOON = 10  # sweeps to close bounds that are nearly closed
NO_LOWER_BOUNDS = "they are no lower bounds, which sweeps alone need"
NO_VALUES, NO_PLANS = (np.zeros(0, dtype=np.int64),) * 2, (np.zeros(0, dtype=np.int32),) * 2

# Receives lower bounds of f and g, 0, and empty plans; or no bounds, what a turn loses, and the plans.
Checkpoint = Callable[[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]], None]


@dataclass(frozen=True, eq=False)
class WalkSolution:
    """Bounds, the sweeps and rounds they took, and whether they are as narrow as was asked."""

    bounds: WalkBounds
    sweeps: int
    rounds: int
    requested: float

    @property
    def width(self) -> float:
        return self.bounds.width

    @property
    def reached(self) -> bool:
        return self.width <= self.requested


def solve_walks(
    game: Walks,
    width: float = 1e-6,
    *,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
    start: list[NDArray[Any]] | None = None,
    most_sweeps: int | None = None,
    most_rounds: int | None = None,
    executor: Executor | None = None,
    scratch: str | os.PathLike[str] | None = None,
) -> WalkSolution:
    """Bound f and g everywhere. `checkpoint` receives intermediate results; `start` resumes from them, and is emptied.
    `most_sweeps` (without plans) and `most_rounds` (of better plans) end the search early. The threads of `executor`
    do the work (processes are refused); the result is the same without. Bounds are moved to the folder `scratch`, if
    there is one, while plans need the memory."""
    require_threads(executor)
    if problems := walk_problems(game):
        raise ValueError(problems[0])
    search = _Search(game, width, progress, checkpoint, executor, scratch)
    search.begin(start)
    plans = game.size <= LARGE and most_sweeps is None
    if search.guessed and not plans:
        raise ValueError(NO_LOWER_BOUNDS)
    search.progress = part(progress, 0.0, WARMING if plans else 1.0)
    if not search.guessed:
        search.rise(most_sweeps if most_sweeps is not None else WARM_UP if plans else MOST_SWEEPS)
    if plans:
        search.progress, search.done = part(progress, WARMING, 1.0), 0.0
        search.settle(most_rounds)
    progress("done", 1.0)
    return WalkSolution(search.bounds(), search.sweeps, search.rounds, width)


def sweep_spread(
    game: SpreadWalks,
    width: float = 1e-6,
    *,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
    start: list[NDArray[Any]] | None = None,
    most_sweeps: int | None = None,
) -> WalkSolution:
    """What `solve_walks` does with a game that is only swept, in ranges that may lie elsewhere."""
    search = _Rising(game.size, game.over, lambda kind: game, width, progress, checkpoint)
    search.begin(start)
    if search.guessed:
        raise ValueError(NO_LOWER_BOUNDS)
    search.rise(MOST_SWEEPS if most_sweeps is None else most_sweeps)
    progress("done", 1.0)
    return WalkSolution(search.bounds(), search.sweeps, search.rounds, width)


def _price(width: float) -> float:
    return max(LEAST, PRICE * width)


def _stages(width: float) -> Iterator[Loss]:
    """What turns lose, less and less: first a discount, then a price."""
    size, price = OFTEN, _price(width)
    while size > 10 * price:
        yield Loss(size)
        size *= RARER
    while price > LEAST:
        yield Loss(price, priced=True)
        price *= RARER
    yield Loss(LEAST, priced=True)


class Sweeper(Protocol):
    """Runs loops over the sums of values one turn earlier."""

    def image(self, role: int, x: NDArray[Any], one: Any) -> Any: ...

    def change(self, how: Any, values: NDArray[Any], *about: Any) -> list[int]: ...


class _Rising:
    """Bounds by role: lower bounds as they rise, and the best proved bounds of both kinds."""

    def __init__(
        self, size: int, over: NDArray[np.bool_], sweeper: Callable[[Any], Sweeper], width: float, progress: Progress,
        checkpoint: Any,
    ) -> None:  # fmt: skip
        self.size, self.over, self.sweeper = size, over, sweeper
        self.width, self.progress, self.checkpoint = width, progress, checkpoint
        self.one = COARSE if size > LARGE else FINE
        self.kind = np.dtype(np.int32 if self.one == COARSE else np.int64)
        self.low = self._nothing()
        self.guessed = False  # do these bounds, or the plans, come from a file, unproved?
        self.plans: tuple[Plan, ...] = ()  # from a file
        self.loses = OFTEN  # per turn, in the stage of these plans
        self.proved: Spill | None = None
        self.narrowest = 1.0  # the largest gap of the proved bounds
        self.sweeps = self.rounds = 0
        self.done = 0.0  # of all sweeps, or of all rounds

    def _report(self, what: str, done: float | None = None) -> None:
        """What is only a part of a round has a share that is not of the whole."""
        self.progress(what, self.done)

    def begin(self, start: list[NDArray[Any]] | None) -> None:
        if start is not None:
            self._take_up(*start)
            start.clear()  # to make room

    def _keep(self, values: Sequence[NDArray[Any]], loses: float = 0.0, plans: Sequence[Plan] = NO_PLANS) -> None:
        if self.checkpoint is not None:
            self.checkpoint(*values, np.array([loses]), *(plan.ravel() for plan in plans))

    def _nothing(self) -> list[NDArray[Any]]:
        return [np.zeros(self.size, dtype=self.kind) for _ in range(2)]

    def _take_up(self, f: NDArray[Any], g: NDArray[Any], loses: NDArray[Any], *plans: Plan) -> None:
        """Bounds from a file are only a guess until they are closed, but good enough to make plans from."""
        if loses.shape == (1,) and loses[0] > 0.0:
            self.loses, self.plans, self.guessed = float(loses[0]), plans, True
            return
        if any(values.shape != (self.size,) or values.dtype != self.kind for values in (f, g)):
            raise ValueError("they are bounds of another game")
        self.low = [np.where(self.over, 0, np.clip(values, 0, self.one)) for values in (f, g)]
        self.guessed = not self._close(self.low, sweeps.sink)

    def rise(self, most: int) -> None:
        """Sweep upwards until the bounds meet, hardly grow, or `most` sweeps are done."""
        sweep = self.sweeper(self.kind)
        for done in range(most):
            grown = max(self._change(sweep, sweeps.rise, self.low, max(1, self.one // ROOM)))
            self.sweeps += 1
            self._keep(self.low)
            self.done = done / most
            self._report(f"sweep {self.sweeps}, growing by {grown / self.one:.1e}")
            if grown <= self.width * self.one / 1e4 or (done % 10 == 9 and self.bounds().width <= self.width):
                return

    def _change(self, sweep: Sweeper, how: Any, values: list[NDArray[Any]], *about: Any) -> list[int]:
        """Both roles in turn, each from the other's latest values."""
        changes = []
        for role in range(2):
            sweep.image(role, values[1 - role], self.kind.type(self.one))
            changes += sweep.change(how, values[role], *about)
        return changes

    def _close(self, values: list[NDArray[Any]], how: Any) -> bool:
        """Close these bounds within a few sweeps; return whether that succeeded."""
        sweep = self.sweeper(self.kind)
        for _ in range(SOON):
            self.sweeps += 1
            changed = sum(self._change(sweep, how, values))
            self._report(f"closing, {changed:,} changed")
            if not changed:
                return True
        return False

    def bounds(self) -> WalkBounds:
        return self._bounds(self.low, []) if self.proved is None else WalkBounds(self.one, *self.proved.arrays())

    def _bounds(self, low: list[NDArray[Any]], high: list[NDArray[Any]]) -> WalkBounds:
        """One side wins at most what the other does not surely keep; `high`, if given, may be lower."""
        most = []
        for role in range(2):
            part = np.where(self.over, 0, self.one - low[1 - role]).astype(self.kind, copy=False)
            most.append(np.minimum(part, high[role], out=part) if high else part)
        return WalkBounds(self.one, low[0], most[0], low[1], most[1])


class _Search(_Rising):
    """The same for a game in memory, and bounds proved with plans."""

    def __init__(
        self, game: Walks, width: float, progress: Progress, checkpoint: Any, executor: Any = None, scratch: Any = None
    ) -> None:
        def sweeper(kind: Any) -> Sweeper:
            return sweeps.Sweep(game, kind, executor)

        super().__init__(game.size, game.over, sweeper, width, progress, checkpoint)
        self.game, self.executor, self.scratch = game, executor, scratch

    def settle(self, most_rounds: int | None) -> None:
        """Strategy iteration, stage by stage, until the plans prove bounds as narrow as requested."""
        if not self.guessed:
            self._note(self.bounds())
        iteration = StrategyIteration(self.game, self._floats(self.low), self.plans, self.executor, self._report)
        self.low, self.plans = self._nothing(), ()
        self._keep(NO_VALUES, self.loses, iteration.plans.plans)
        for stage, loss in enumerate(_stages(self.width)):
            if loss.size > max(self.loses, LEAST):
                continue
            enough = self._improve(iteration, stage, loss, most_rounds)
            if enough or loss.priced:
                self._prove(iteration, loss.size if loss.priced else _price(self.width))
            if enough or (loss.priced and self.narrowest <= self.width):
                break
        if self.proved is None:
            self.rise(WARM_UP)

    def _improve(self, iteration: StrategyIteration, stage: int, loss: Loss, most_rounds: int | None) -> bool:
        """Run one stage; return whether the rounds are used up."""
        stages = max(stage, sum(not other.priced for other in _stages(self.width))) + 1
        if self.rounds == most_rounds:
            return True
        for switched in iteration.settle(loss, 0.0 if loss.priced else MANY):
            self.rounds += 1
            self.done = (stage + 1 - math.log(switched + 1) / math.log(self.game.size * self.game.die + 1)) / stages
            self._report(f"round {self.rounds}, {loss.size:.0e} lost in a turn, {switched:,} switches")
            self._keep(NO_VALUES, loss.size, iteration.plans.plans)
            if self.rounds == most_rounds:
                return True
        return False

    def _prove(self, iteration: StrategyIteration, price: float) -> None:
        """Prove bounds with each plan against the best reply to it."""
        iteration.best_reply(Loss(price, priced=True))
        low = self._whole(iteration.give(), np.floor)
        holds = self._close(low, sweeps.sink)
        aside = Spill(self.scratch, low)
        del low
        if holds:
            high = self._raised(iteration, aside, price)
            if not self._close(high, sweeps.lift):
                high = []
            self._note(self._bounds(list(aside.arrays()), high))
        iteration.take(self._floats(aside.arrays()))

    def _raised(self, iteration: StrategyIteration, low: Spill, bonus: float) -> list[NDArray[Any]]:
        """Slightly more than the protagonist gets against the opponent's plan."""
        plans = iteration.plans
        components = find_end_components(self.game, plans.plans[1], plans.loops, self._report)
        waits = plans.worth(1, self._floats(low.arrays()).pop())
        return self._whole(UpperBounds(plans, components, waits, bonus, self._report).values(), np.ceil)

    def _note(self, bounds: WalkBounds) -> None:
        """Combine these bounds with those proved before: both hold, so the better one does at each position."""
        columns = list(bounds.columns().values())
        if self.proved is not None:
            for better, new, old in zip((np.maximum, np.minimum) * 2, columns, self.proved.arrays(), strict=True):
                better(new, old, out=new)
        self.proved, self.narrowest = Spill(self.scratch, columns), bounds.width

    def _floats(self, values: Iterable[NDArray[Any]]) -> list[Values]:
        return [part / self.one for part in values]

    def _whole(self, given: list[Values], rounded: Any) -> list[NDArray[Any]]:
        """Integers on the safe side of these values, by the mover's numbers; the list is emptied to free memory."""
        whole = []
        for role in range(2):
            values = given.pop(0)
            np.clip(values, 0.0, 1.0, out=values)
            values *= self.one
            rounded(values, out=values)
            part = values.astype(self.kind)
            del values
            part = part[self.game.mirror] if role else part
            part[self.game.over] = 0
            whole.append(part)
        return whole
