"""Proved bounds on a game of walks: lower bounds that rise from nothing, or what the best plans prove.

Rising alone is a proof at any moment: lower bounds only ever grow, and what one side is sure not to lose is all the
other one can win. But long games make it slow, and what neither side can force stays open. So where plans fit in
memory strategy iteration finds good ones (`solvers.walk_guess`), and the best replies to them give bounds from both
sides: to the protagonist's in a game where turns have a price, to the opponent's where they bring something
(`solvers.walk_ceiling`). Integers beside these values satisfy the rules of play with room to spare.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers import walk_sweeps as sweeps
from solvers.graph import Progress, silent
from solvers.walk_ceiling import Ceiling
from solvers.walk_certificate import WalkBounds
from solvers.walk_guess import Guess, Loss
from solvers.walk_plans import Plan, Values
from solvers.walks import Walks, walk_problems

FINE, COARSE = 1 << 56, 1 << 27  # scales of eight and of four bytes
LARGE = 40_000_000  # positions of games whose bounds take four bytes each and whose plans are too long to keep
ROOM = 1 << 40  # part of the scale by which rising bounds stay below what is proved
WARM_UP, MOST_SWEEPS = 150, 3000  # sweeps before the first plans, and without any
OFTEN, RARER = 1e-5, 1e-2  # how likely a game breaks off before a turn, at first; and how much less in the next stage
MANY = 1e-2  # of the protagonist's switches, by position, are left to the next stage
PRICE, LEAST = 1e-5, 1e-12  # of a turn where bounds are looked for: by the width, and the least that doubles allow
SOON = 10  # sweeps for what needs hardly any
NO_PLANS = (np.zeros(0, dtype=np.int32),) * 2

# Hears of lower bounds of f and g, and of 0 and empty plans; or of what plans are worth, as they are held, what a turn
# loses, and the plans.
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
) -> WalkSolution:
    """Bound f and g everywhere. `checkpoint` receives what is found now and then; `start` takes it up again, and is
    emptied. It ends early after so many sweeps, without plans, or after so many rounds of better plans. The work is
    done by the threads of `executor`, and what comes out is the same without."""
    if problems := walk_problems(game):
        raise ValueError(problems[0])
    search = _Search(game, width, progress, checkpoint, start, executor)
    plans = game.size <= LARGE and most_sweeps is None
    if search.hope is not None and not plans:
        raise ValueError("they are no lower bounds, which sweeps alone need")
    if search.hope is None:
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
    """The proved lower bounds so far, by role."""

    def __init__(
        self, game: Walks, width: float, progress: Progress, checkpoint: Any, start: Any, executor: Any = None
    ) -> None:
        self.game, self.width, self.progress, self.checkpoint = game, width, progress, checkpoint
        self.executor = executor
        self.one = COARSE if game.size > LARGE else FINE
        self.kind = np.dtype(np.int32 if self.one == COARSE else np.int64)
        self.low = self._nothing()
        self.hope: list[Values] | None = None  # what was kept between two rounds, and is not proved
        self.high: list[NDArray[Any]] | None = None
        self.loses = OFTEN  # in a turn, in the stage that was kept
        self.plans: tuple[Plan, ...] = ()  # what was kept
        self.sweeps = self.rounds = 0
        if start is not None:
            self._take_up(*start)
            start.clear()  # to make room

    def _keep(self, f: NDArray[Any], g: NDArray[Any], loses: float = 0.0, plans: Sequence[Plan] = NO_PLANS) -> None:
        if self.checkpoint is not None:
            self.checkpoint(f, g, np.array([loses]), *(plan.ravel() for plan in plans))

    def _nothing(self) -> list[NDArray[Any]]:
        return [np.zeros(self.game.size, dtype=self.kind) for _ in range(2)]

    def _take_up(self, f: NDArray[Any], g: NDArray[Any], loses: NDArray[Any], *plans: Plan) -> None:
        """Bounds from a file are only a guess until they are closed. What plans are worth need not close, and is still
        good to go on with them."""
        if loses.shape == (1,) and loses[0] > 0.0:
            rolls, waits = (self._legal(values, np.float64, 1.0, extra=2)[:-2] for values in (f, g))
            self.loses, self.hope, self.plans = float(loses[0]), [rolls, waits[self.game.mirror]], plans
            return
        found = [self._legal(values, self.kind, self.one) for values in (f, g)]
        self.low = [np.where(self.game.over, 0, values) for values in found]
        if not self._close(self.low, sweeps.sink):
            self.low, self.hope = self._nothing(), [values / self.one for values in found]

    def _legal(self, values: NDArray[Any], kind: Any, one: Any, extra: int = 0) -> NDArray[Any]:
        if values.shape != (self.game.size + extra,) or values.dtype != kind or not np.isfinite(values).all():
            raise ValueError("they are bounds of another game")
        legal: NDArray[Any] = np.clip(values, 0, one)
        return legal

    # -- Rising ------------------------------------------------------------------------------------------------

    def rise(self, most: int) -> None:
        """Sweep upwards until the bounds meet, hardly grow, or `most` sweeps are done."""
        sweep = sweeps.Sweep(self.game, self.kind, self.executor)
        for done in range(most):
            grown = max(self._change(sweep, sweeps.rise, self.low, max(1, self.one // ROOM)))
            self.sweeps += 1
            self._keep(self.low[0], self.low[1])
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
        """Strategy iteration, stage by stage, until what plans prove is as narrow as asked.

        What sweeps have proved is not kept meanwhile: it takes room, and is found again if nothing else is proved.
        """
        guess = Guess(self.game, self.hope or [low / self.one for low in self.low], self.plans, self.executor)
        self.low, self.hope, self.plans = self._nothing(), None, ()
        for loss in _stages(self.width):
            if loss.size > max(self.loses, LEAST):
                continue
            enough = self._improve(guess, loss, most_rounds)
            if enough or loss.priced:
                self._prove(guess, loss.size if loss.priced else _price(self.width))
            if enough or (loss.priced and self.bounds().width <= self.width):
                break
        if not any(low.any() for low in self.low):
            self.rise(WARM_UP)

    def _improve(self, guess: Guess, loss: Loss, most_rounds: int | None) -> bool:
        """One stage; are these all the rounds there should be?"""
        if self.rounds == most_rounds:
            return True
        for switched in guess.settle(loss, 0.0 if loss.priced else MANY):
            self.rounds += 1
            done = math.log(OFTEN / loss.size) / math.log(OFTEN / _price(self.width))
            self.progress(f"round {self.rounds}, {loss.size:.0e} lost in a turn, {switched:,} switches", min(1.0, done))
            self._keep(guess.rolls, guess.waits, loss.size, guess.plans.plans)
            if self.rounds == most_rounds:
                return True
        return False

    def _prove(self, guess: Guess, price: float) -> None:
        """See what the plans prove, each against the best reply to it."""
        guess.best_reply(Loss(price, priced=True))
        found = [guess.rolls[:-2], guess.waits[:-2]]
        self.low = self._closed(found, np.floor, sweeps.sink) or self.low
        found = Ceiling(guess.plans, guess.rolls, guess.waits, price, self.progress).values()
        self.high = self._closed(found, np.ceil, sweeps.lift) or self.high

    def _closed(self, found: list[Values], rounded: Any, how: Any) -> list[NDArray[Any]] | None:
        """Integers on the safe side of these values, if they are as good as they should be."""
        rolls, waits = (rounded(np.clip(values, 0.0, 1.0) * self.one).astype(self.kind) for values in found)
        values = [np.where(self.game.over, 0, v) for v in (rolls, waits[self.game.mirror])]
        return values if self._close(values, how) else None

    def _close(self, values: list[NDArray[Any]], how: Any) -> bool:
        sweep = sweeps.Sweep(self.game, self.kind, self.executor)
        for done in range(SOON):
            self.sweeps += 1
            changed = sum(self._change(sweep, how, values))
            self.progress(f"closing, {changed:,} changed", done / SOON)
            if not changed:
                return True
        return False

    def bounds(self) -> WalkBounds:
        """What neither side loses is what the other side may win, at the most."""
        playing = ~self.game.over
        high = [np.where(playing, self.one - self.low[1 - role], 0).astype(self.kind) for role in range(2)]
        if self.high is not None:
            high = [np.minimum(*pair) for pair in zip(high, self.high, strict=True)]
        return WalkBounds(self.one, self.low[0], high[0], self.low[1], high[1])
