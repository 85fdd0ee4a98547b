"""Proved bounds on a game of walks: lower bounds that rise from nothing, and a good guess closed from both sides.

Rising alone is a proof at any moment: lower bounds only ever grow, and what one side is sure not to lose is all the
other one can win. But long games make it slow. So where plans fit in memory strategy iteration finds values that are
nearly right, and integers a little above and below them are closed under the rules of play.
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
from solvers.walk_certificate import WalkBounds
from solvers.walk_plans import Plan, Plans, Values
from solvers.walks import Walks, walk_problems

FINE, COARSE = 1 << 40, 1 << 27  # scales of eight and of four bytes
LARGE = 8_000_000  # positions of games whose bounds take four bytes each and whose plans are too long to keep
WARM_UP, MOST_SWEEPS = 150, 3000  # sweeps before the first plans, and without any
OFTEN, RAREST = 1e-5, 1e-10  # how likely a game breaks off before a turn, at first and at last
STEEP, RARER = 1e-2, 1e-1  # by so much more rarely, at the most, in the next stage; and where bounds are looked for
RARELY = 1e-2  # of the width: as long as games break off more often, nobody asks what that costs ...
NEAR = 3.0  # ... and if it costs more by the width, they break off too often
SAMPLED = 16  # one position of so many is asked what it costs
TRUST = 0.1  # how well equations are solved, by what is lost in a turn if the game breaks off
EXACTLY = 0.1  # how much better, and how much smaller gains count, where bounds are looked for
MANY, FEW = 1e-2, 3e-5  # of the protagonist's switches, by position, are left to the next stage, or after the last
ROUNDS = 60  # of one player in a stage
MARGIN = 1.0  # of the width, by v * (1 - v)
STEP = 1e-5  # of the width: upper bounds are lifted by multiples of it
CLOSING, SOON = 300, 10  # sweeps; a closure that needs more gets a wider margin instead, or is given up
WIDENINGS = (1.0, 8.0, 64.0, 512.0)
NO_PLANS = (np.zeros(0, dtype=np.int32),) * 2

# Hears of lower bounds of f and g, and of 0 and empty plans; or of what plans are worth, as they are held, how often
# games break off, and the plans.
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
    executor: Executor | None = None,
) -> WalkSolution:
    """Bound f and g everywhere. `checkpoint` receives what is found now and then; `start` takes it up again, and is
    emptied. The work is done by the threads of `executor`, and what comes out is the same without."""
    if problems := walk_problems(game):
        raise ValueError(problems[0])
    search = _Search(game, width, progress, checkpoint, start, executor)
    plans = game.size <= LARGE and most_sweeps is None
    if search.hope is not None and not plans:
        raise ValueError("they are no lower bounds, which sweeps alone need")
    if search.hope is None:
        search.rise(most_sweeps if most_sweeps is not None else WARM_UP if plans else MOST_SWEEPS)
    if plans:
        search.settle()
    progress("done", 1.0)
    return WalkSolution(search.bounds(), search.sweeps, search.rounds, width)


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
        self.breaks = OFTEN
        self.plans: tuple[Plan, ...] = ()  # what was kept
        self.sweeps = self.rounds = 0
        if start is not None:
            self._take_up(*start)
            start.clear()  # to make room

    def _keep(self, f: NDArray[Any], g: NDArray[Any], breaks: float = 0.0, plans: Sequence[Plan] = NO_PLANS) -> None:
        if self.checkpoint is not None:
            self.checkpoint(f, g, np.array([breaks]), *(plan.ravel() for plan in plans))

    def _nothing(self) -> list[NDArray[Any]]:
        return [np.zeros(self.game.size, dtype=self.kind) for _ in range(2)]

    def _take_up(self, f: NDArray[Any], g: NDArray[Any], breaks: NDArray[Any], *plans: Plan) -> None:
        """Bounds from a file are only a guess until they are closed. What plans are worth need not close, and is still
        good to go on with them."""
        if breaks.shape == (1,) and 0.0 < breaks[0] <= OFTEN:
            rolls, waits = (self._legal(values, np.float64, 1.0, extra=2)[:-2] for values in (f, g))
            self.breaks, self.hope, self.plans = max(RAREST, float(breaks[0])), [rolls, waits[self.game.mirror]], plans
            return
        found = [self._legal(values, self.kind, self.one) for values in (f, g)]
        self.low = [np.where(self.game.over, 0, values) for values in found]
        if not self._close(self.low, sweeps.sink, most=SOON):
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
            grown = max(self._change(sweep, sweeps.rise, self.low))
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

    def settle(self) -> None:
        """Strategy iteration, stage by stage, until what it finds closes as narrowly as asked.

        What sweeps have proved is not kept meanwhile: it takes room, and is found again if nothing else is proved.
        """
        below = self.hope or [low / self.one for low in self.low]
        self.low, self.hope = self._nothing(), None
        breaks = self.breaks
        while self.bounds().width > self.width:
            guess = _Guess(self.game, below, self.plans, self.executor)
            self.plans = ()
            breaks = self._approach(guess, breaks)
            below, above = guess.values(), guess.unbroken(breaks)
            del guess  # its plans take more room than everything else
            last = breaks < RAREST
            self._join(below, above, WIDENINGS if last else WIDENINGS[:1])
            if last:
                break
        if not any(low.any() for low in self.low):
            self.rise(WARM_UP)

    def _approach(self, guess: _Guess, breaks: float) -> float:
        """Improve plans in games that break off ever more rarely, until that costs little; returns how rarely."""
        while True:
            self._improve(guess, breaks, MANY)
            costs = guess.costs(breaks) if breaks <= RARELY * self.width else 1.0
            if costs <= NEAR * self.width or breaks <= RAREST:
                breaks *= RARER
                self._improve(guess, breaks, FEW)
                self._improve(guess, breaks, 0.0, EXACTLY)
                return breaks
            breaks = max(RAREST, breaks * max(STEEP, NEAR * self.width / costs / 2))

    def _improve(self, guess: _Guess, breaks: float, few: float, part: float = 1.0) -> None:
        for switched in guess.settle(breaks, few, part):
            self.rounds += 1
            done = math.log(OFTEN / breaks) / math.log(OFTEN / RAREST / RARER)
            self.progress(f"round {self.rounds}, breaking off by {breaks:.1e}, {switched:,} switches", done)
            self._keep(guess.rolls, guess.waits, breaks, guess.plans.plans)

    def _join(self, below: Sequence[Values], above: Sequence[Values], widenings: Sequence[float]) -> None:
        """Join what can be proved beside these values to what is proved."""
        for wider in widenings:
            low = self._beside(below, -MARGIN * wider, np.floor)
            if self._close(low, sweeps.sink):
                self.low = [np.maximum(new, old, out=new) for new, old in zip(low, self.low, strict=True)]
                break
        for wider in widenings:
            high = self._beside(above, MARGIN * wider, np.ceil)
            if self._close(high, sweeps.lift, max(1, int(self.width * STEP * self.one))):
                self.high = high
                break

    def _beside(self, values: Sequence[Values], part: float, rounded: Any) -> list[NDArray[Any]]:
        """Integers beside the values, the further the more is open: `solvers.bounds` says why the margin is such."""
        found = []
        for v in values:
            beside = np.clip(v + part * self.width * v * (1.0 - v), 0.0, 1.0)
            found.append(rounded(np.where(self.game.over, 0.0, beside) * self.one).astype(self.kind))
        return found

    def _close(self, values: list[NDArray[Any]], how: Any, *about: Any, most: int = CLOSING) -> bool:
        sweep = sweeps.Sweep(self.game, self.kind, self.executor)
        for done in range(most):
            self.sweeps += 1
            changed = sum(self._change(sweep, how, values, *about))
            self.progress(f"closing, {changed:,} changed", done / most)
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


class _Guess:
    """Strategy iteration in floats: the protagonist's plan against the opponent's best reply.

    The game is one that breaks off, now and then, before a turn. So values fall a little along every play, also
    where it could go in circles; and as long as the equations are solved better than that, no switch leads
    into a circle that is worth nothing.
    """

    def __init__(
        self, game: Walks, values: list[Values], plans: Sequence[Plan] = (), executor: Executor | None = None
    ) -> None:
        """These plans, or those that are best for these values of f and g, which are taken away to make room."""
        self.game, self.plans = game, Plans(game, executor)
        self.waits, self.rolls = self.plans.worth(1, values.pop()), self.plans.worth(0, values.pop())
        if plans:
            self.plans.take_up(plans)
        else:
            self._improve(0, 0.0)
            self._improve(1, 0.0)

    def _improve(self, role: int, gain: float) -> int:
        return self.plans.improve(role, self.rolls if role else self.waits, gain)

    def settle(self, breaks: float, few: float, part: float = 1.0) -> Iterator[int]:
        """Improve until no more than `few` switches, by position, gain anything; yields how many a round had. What
        gains less than `part` of what breaking off may cost in a turn does not count."""
        for _ in range(ROUNDS):
            error = self.best_reply(breaks, part)
            switched = self._improve(0, max(part * breaks, error / TRUST))
            yield switched
            if switched <= few * self.game.size:
                return

    def best_reply(self, breaks: float, part: float = 1.0) -> float:
        """The opponent's, against the protagonist's plan as it stands; how well the last equations were solved."""
        for _ in range(ROUNDS):
            error = self.plans.evaluate(self.rolls, self.waits, part * breaks * TRUST, breaks)
            if not self._improve(1, max(part * breaks, error / TRUST)):
                break
        return error

    def values(self) -> list[Values]:
        """f and g, as the players to move see them."""
        return [self.rolls[:-2], self.waits[:-2][self.game.mirror]]

    def unbroken(self, breaks: float) -> list[Values]:
        """What the plans are worth if the game never breaks off."""
        whole, waits = self.rolls.copy(), self.waits.copy()
        self.plans.evaluate(whole, waits, breaks * TRUST * EXACTLY, 0.0)
        return [whole[:-2], waits[:-2][self.game.mirror]]

    def costs(self, breaks: float) -> float:
        """What is won at the most, in a sample of positions, if the game breaks off more rarely; as it does from now
        on."""
        self.best_reply(breaks)
        before = self.rolls[::SAMPLED].copy()
        self.best_reply(breaks * RARER)
        return float(np.abs(self.rolls[::SAMPLED] - before).max())
