"""Proved bounds on a game of walks: lower bounds that rise from nothing, or what the best plans prove.

Rising alone is a proof at any moment: lower bounds only ever grow, and what one side is sure not to lose is all the
other one can win. But long games make it slow, and what neither side can force stays open. So where plans fit in
memory, strategy iteration finds good ones (`solvers.strategy_iteration`), and the best replies to them give bounds from
both sides: to the protagonist's in a game where turns have a price, to the opponent's where they bring something
(`solvers.upper_bounds`). Integers beside these values satisfy the rules of play with room to spare.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers import walk_sweeps as sweeps
from solvers.chunked_loops import require_threads
from solvers.end_components import find_end_components
from solvers.graph import Progress, silent
from solvers.policies import Plan, Values
from solvers.spill import Spill
from solvers.strategy_iteration import Loss, StrategyIteration
from solvers.upper_bounds import UpperBounds
from solvers.walk_certificate import WalkBounds
from solvers.walks import Walks, walk_problems

FINE, COARSE = 1 << 56, 1 << 27  # scales of eight and of four bytes
LARGE = 20_000_000  # positions of games that are swept only, with four bytes a bound: good plans would take a day
ROOM = 1 << 40  # part of the scale by which rising bounds stay below what is proved
WARM_UP, MOST_SWEEPS = 150, 3000  # sweeps before the first plans, and without any
OFTEN, RARER = 1e-5, 1e-2  # how likely a game breaks off before a turn, at first; and how much less in the next stage
MANY = 1e-2  # of the protagonist's switches, by position, are left to the next stage
PRICE, LEAST = 1e-5, 1e-12  # of a turn where bounds are looked for: by the width, and the least that doubles allow
SOON = 10  # sweeps for what needs hardly any
NO_VALUES, NO_PLANS = (np.zeros(0, dtype=np.int64),) * 2, (np.zeros(0, dtype=np.int32),) * 2

# Hears of lower bounds of f and g, 0, and empty plans; or of nothing of f and g, what a turn loses, and the plans.
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
    """Bound f and g everywhere. `checkpoint` receives what is found now and then; `start` takes it up again, and is
    emptied. It ends early after so many sweeps, without plans, or after so many rounds of better plans. The work is
    done by the threads of `executor` (processes are refused), and what comes out is the same without. In the folder
    `scratch`, if there is one, bounds wait while plans need the room."""
    require_threads(executor)
    if problems := walk_problems(game):
        raise ValueError(problems[0])
    search = _Search(game, width, progress, checkpoint, start, executor, scratch)
    plans = game.size <= LARGE and most_sweeps is None
    if search.guessed and not plans:
        raise ValueError("they are no lower bounds, which sweeps alone need")
    if not search.guessed:
        search.rise(most_sweeps if most_sweeps is not None else WARM_UP if plans else MOST_SWEEPS)
    if plans:
        search.settle(most_rounds)
    progress("done", 1.0)
    return WalkSolution(search.bounds(), search.sweeps, search.rounds, width)


def _price(width: float) -> float:
    return max(LEAST, PRICE * width)


def _stages(width: float) -> Iterator[Loss]:
    """What turns lose, less and less: first games break off, then turns have a price."""
    size, price = OFTEN, _price(width)
    while size > 10 * price:
        yield Loss(size)
        size *= RARER
    while price > LEAST:
        yield Loss(price, priced=True)
        price *= RARER
    yield Loss(LEAST, priced=True)


class _Search:
    """Bounds by role: lower ones as they rise, and the best of both kinds that are proved."""

    def __init__(
        self, game: Walks, width: float, progress: Progress, checkpoint: Any, start: Any, executor: Any = None,
        scratch: Any = None,
    ) -> None:  # fmt: skip
        self.game, self.width, self.progress, self.checkpoint = game, width, progress, checkpoint
        self.executor, self.scratch = executor, scratch
        self.one = COARSE if game.size > LARGE else FINE
        self.kind = np.dtype(np.int32 if self.one == COARSE else np.int64)
        self.low = self._nothing()
        self.guessed = False  # are these, or the plans, something that was kept and is not proved?
        self.plans: tuple[Plan, ...] = ()  # that were kept
        self.loses = OFTEN  # in a turn, in the stage that was kept
        self.proved: Spill | None = None
        self.narrowest = 1.0  # how narrow that is, at its widest
        self.sweeps = self.rounds = 0
        self.done = 0.0  # of all rounds
        if start is not None:
            self._take_up(*start)
            start.clear()  # to make room

    def _keep(self, values: Sequence[NDArray[Any]], loses: float = 0.0, plans: Sequence[Plan] = NO_PLANS) -> None:
        if self.checkpoint is not None:
            self.checkpoint(*values, np.array([loses]), *(plan.ravel() for plan in plans))

    def _nothing(self) -> list[NDArray[Any]]:
        return [np.zeros(self.game.size, dtype=self.kind) for _ in range(2)]

    def _take_up(self, f: NDArray[Any], g: NDArray[Any], loses: NDArray[Any], *plans: Plan) -> None:
        """Bounds from a file are only a guess until they are closed, and still good to make plans of."""
        if loses.shape == (1,) and loses[0] > 0.0:
            self.loses, self.plans, self.guessed = float(loses[0]), plans, True
            return
        if any(values.shape != (self.game.size,) or values.dtype != self.kind for values in (f, g)):
            raise ValueError("they are bounds of another game")
        self.low = [np.where(self.game.over, 0, np.clip(values, 0, self.one)) for values in (f, g)]
        self.guessed = not self._close(self.low, sweeps.sink)

    # -- Rising ------------------------------------------------------------------------------------------------

    def rise(self, most: int) -> None:
        """Sweep upwards until the bounds meet, hardly grow, or `most` sweeps are done."""
        sweep = sweeps.Sweep(self.game, self.kind, self.executor)
        for done in range(most):
            grown = max(self._change(sweep, sweeps.rise, self.low, max(1, self.one // ROOM)))
            self.sweeps += 1
            self._keep(self.low)
            self.progress(f"sweep {self.sweeps}, growing by {grown / self.one:.1e}", done / most)
            if grown <= self.width * self.one / 1e4 or (done % 10 == 9 and self.bounds().width <= self.width):
                return

    def _change(self, sweep: sweeps.Sweep, how: Any, values: list[NDArray[Any]], *about: Any) -> list[int]:
        """Both roles in turn, each from the other's latest values."""
        found = []
        for role in range(2):
            sweep.image(role, values[1 - role], self.kind.type(self.one))
            found += sweep.change(how, values[role], *about)
        return found

    # -- Guessing and closing --------------------------------------------------------------------------------------

    def settle(self, most_rounds: int | None) -> None:
        """Strategy iteration, stage by stage, until what plans prove is as narrow as asked."""
        if not self.guessed:
            self._note(self.bounds())
        iteration = StrategyIteration(self.game, self._floats(self.low), self.plans, self.executor, self._tell)
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
        """One stage; are these all the rounds there should be?"""
        stages = max(stage, sum(not other.priced for other in _stages(self.width))) + 1
        if self.rounds == most_rounds:
            return True
        for switched in iteration.settle(loss, 0.0 if loss.priced else MANY):
            self.rounds += 1
            self.done = (stage + 1 - math.log(switched + 1) / math.log(self.game.size * self.game.die + 1)) / stages
            self._tell(f"round {self.rounds}, {loss.size:.0e} lost in a turn, {switched:,} switches")
            self._keep(NO_VALUES, loss.size, iteration.plans.plans)
            if self.rounds == most_rounds:
                return True
        return False

    def _tell(self, what: str) -> None:
        self.progress(what, self.done)

    def _prove(self, iteration: StrategyIteration, price: float) -> None:
        """See what the plans prove, each against the best reply to it."""
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
        """What the protagonist gets against the opponent's plan, and a little more."""
        plans = iteration.plans
        components = find_end_components(self.game, plans.plans[1], plans.loops, self.progress)
        waits = plans.worth(1, self._floats(low.arrays()).pop())
        return self._whole(UpperBounds(plans, components, waits, bonus, self.progress).values(), np.ceil)

    def _note(self, bounds: WalkBounds) -> None:
        """What was proved before and what is now hold at once, so the better of the two does everywhere."""
        columns = list(bounds.columns().values())
        if self.proved is not None:
            for better, new, old in zip((np.maximum, np.minimum) * 2, columns, self.proved.arrays(), strict=True):
                better(new, old, out=new)
        self.proved, self.narrowest = Spill(self.scratch, columns), bounds.width

    def _floats(self, values: Iterable[NDArray[Any]]) -> list[Values]:
        return [part / self.one for part in values]

    def _whole(self, found: list[Values], rounded: Any) -> list[NDArray[Any]]:
        """Integers on the safe side of these values, which are given away to make room, by the mover's numbers."""
        whole = []
        for role in range(2):
            values = found.pop(0)
            np.clip(values, 0.0, 1.0, out=values)
            values *= self.one
            rounded(values, out=values)
            part = values.astype(self.kind)
            del values
            part = part[self.game.mirror] if role else part
            part[self.game.over] = 0
            whole.append(part)
        return whole

    def _close(self, values: list[NDArray[Any]], how: Any) -> bool:
        """Are they as good as they should be, or made so by a few sweeps?"""
        sweep = sweeps.Sweep(self.game, self.kind, self.executor)
        for done in range(SOON):
            self.sweeps += 1
            changed = sum(self._change(sweep, how, values))
            self.progress(f"closing, {changed:,} changed", done / SOON)
            if not changed:
                return True
        return False

    def bounds(self) -> WalkBounds:
        return self._bounds(self.low, []) if self.proved is None else WalkBounds(self.one, *self.proved.arrays())

    def _bounds(self, low: list[NDArray[Any]], high: list[NDArray[Any]]) -> WalkBounds:
        """What neither side loses is what the other side may win, at the most; or less, if more is known."""
        most = []
        for role in range(2):
            part = np.where(self.game.over, 0, self.one - low[1 - role]).astype(self.kind, copy=False)
            most.append(np.minimum(part, high[role], out=part) if high else part)
        return WalkBounds(self.one, low[0], most[0], low[1], most[1])
