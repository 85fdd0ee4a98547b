"""Proved bounds on a game of walks: lower bounds that rise from nothing, and a good guess closed from both sides.

Rising alone is a proof at any moment: lower bounds only ever grow, and what one side is sure not to lose is all the
other one can win. But long games make it slow. So where plans fit in memory strategy iteration finds values that are
nearly right, and integers a little above and below them are closed under the rules of play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers import walk_sweeps as sweeps
from solvers.graph import Progress, silent
from solvers.walk_certificate import WalkBounds
from solvers.walk_plans import Values, aim, evaluate, no_plan
from solvers.walks import Walks, walk_problems

FINE, COARSE = 1 << 40, 1 << 27  # scales of eight and of four bytes
LARGE = 8_000_000  # positions of games whose bounds take four bytes each and whose plans are too long to keep
WARM_UP, MOST_SWEEPS = 150, 3000  # sweeps before the first plans, and without any
BREAKS = (1e-5, 1e-7, 1e-9, 1e-11)  # how likely a game breaks off before a turn, stage by stage
NEAR = 1e-3  # of the width: plans of a game that breaks off more rarely may do for the real one
RARELY = 1e-4  # of the width: how likely a game breaks off whose values are closed from below
TRUST = 0.1  # how well equations are solved, by what is lost in a turn if the game breaks off
MANY, FEW = 1e-3, 1e-5  # of the protagonist's switches, by position, are left to the next stage, or after the last
ROUNDS = 60  # of one player in a stage
MARGIN = 1.0  # of the width, by v * (1 - v)
STEP = 1e-5  # of the width: upper bounds are lifted by multiples of it
FINEST = 1e-7  # of the width: how well equations are solved where upper bounds are looked for
CLOSING, SOON = 300, 10  # sweeps; a closure that needs more gets a wider margin instead, or is given up
WIDENINGS = (1.0, 8.0, 64.0, 512.0)

Checkpoint = Callable[[NDArray[Any], NDArray[Any]], None]


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
    start: Sequence[NDArray[Any]] | None = None,
    most_sweeps: int | None = None,
) -> WalkSolution:
    """Bound f and g everywhere. `checkpoint` receives lower bounds now and then; `start` takes them up again."""
    if problems := walk_problems(game):
        raise ValueError(problems[0])
    search = _Search(game, width, progress, checkpoint, start)
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
    """The proved lower bounds so far, by role, and the room for one sweep."""

    def __init__(self, game: Walks, width: float, progress: Progress, checkpoint: Any, start: Any) -> None:
        self.game, self.width, self.progress, self.checkpoint = game, width, progress, checkpoint
        self.one = COARSE if game.size > LARGE else FINE
        self.kind = np.dtype(np.int32 if self.one == COARSE else np.int64)
        self.low = [np.zeros(game.size, dtype=self.kind) for _ in range(2)]
        self.hope: list[NDArray[Any]] | None = None  # what was kept between two rounds, and is not proved
        self.high: list[NDArray[Any]] | None = None
        self.sweeps = self.rounds = 0
        if start is not None:
            self._take_up(start)

    def _take_up(self, start: Sequence[NDArray[Any]]) -> None:
        """Bounds from a file are only a guess until they are closed. What was kept between two rounds may not close,
        and is still good to make plans."""
        found = []
        for values in start:
            if values.shape != (self.game.size,) or values.dtype != self.kind:
                raise ValueError("they are bounds of another game")
            found.append(np.where(self.game.over, 0, np.clip(values, 0, self.one)).astype(self.kind))
        low = [values.copy() for values in found]
        if self._close(low, sweeps.sink, SOON):
            self.low = low
        else:
            self.hope = found

    # -- Rising ------------------------------------------------------------------------------------------------

    def rise(self, most: int) -> None:
        """Sweep upwards until the bounds meet, hardly grow, or `most` sweeps are done."""
        room = self._room()
        for done in range(most):
            grown = max(self._sweep(sweeps.rise, self.low, room))
            self.sweeps += 1
            if self.checkpoint is not None:
                self.checkpoint(*self.low)
            self.progress(f"sweep {self.sweeps}, growing by {grown / self.one:.1e}", done / most)
            if grown <= self.width * self.one / 1e4 or (done % 10 == 9 and self.bounds().width <= self.width):
                return

    def _room(self) -> tuple[NDArray[Any], NDArray[Any]]:
        return sweeps.layers(self.game, self.kind), np.zeros(self.game.size, dtype=self.kind)

    def _sweep(self, change: Callable[..., int], values: list[NDArray[Any]], room: Any) -> list[int]:
        """Both roles in turn, each from the other's latest values."""
        w, total = room
        found = []
        for role in range(2):
            sweeps.image(self.game, role, values[1 - role], self.kind.type(self.one), w, total)
            found.append(change(total, self.game.die, values[role]))
        return found

    # -- Guessing and closing --------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Strategy iteration, stage by stage, until what it finds closes as narrowly as asked."""
        f, g = (best / self.one for best in self.hope or self.low)
        guess = _Guess(self.game, f, g)
        for stage, breaks in enumerate(BREAKS):
            near = breaks <= self.width * NEAR or breaks == BREAKS[-1]
            for switched in guess.settle(breaks, FEW if near else MANY):
                self.rounds += 1
                self.progress(f"round {self.rounds}, {switched:,} switches", stage / len(BREAKS))
                if self.checkpoint is not None:
                    self.checkpoint(*self._above_low(self._below(guess)))
            if near:
                self._use(guess)
                if self.bounds().width <= self.width:
                    return

    def _use(self, guess: _Guess) -> None:
        """Join what can be proved around the guess to what is proved."""
        guess.best_reply(self.width * RARELY)
        for wider in WIDENINGS:
            below = self._below(guess, wider)
            if self._close(below, sweeps.sink):
                self.low = self._above_low(below)
                break
        unbroken = guess.unbroken(self.width * FINEST)
        for wider in WIDENINGS:
            above = self._beside(unbroken, MARGIN * wider, np.ceil)
            if self._close(above, self._lift):
                self.high = above
                break

    def _below(self, guess: _Guess, wider: float = 1.0) -> list[NDArray[Any]]:
        return self._beside((guess.f, guess.g), -MARGIN * wider, np.floor)

    def _above_low(self, values: list[NDArray[Any]]) -> list[NDArray[Any]]:
        return [np.maximum(*pair) for pair in zip(self.low, values, strict=True)]

    def _beside(self, values: Sequence[Values], part: float, rounded: Any) -> list[NDArray[Any]]:
        """Integers beside the values, the further the more is open: `solvers.bounds` says why the margin is such."""
        found = []
        for v in values:
            beside = np.clip(v + part * self.width * v * (1.0 - v), 0.0, 1.0)[:-1]
            found.append(rounded(np.where(self.game.over, 0.0, beside) * self.one).astype(self.kind))
        return found

    def _close(self, values: list[NDArray[Any]], change: Callable[..., int], most: int = CLOSING) -> bool:
        room = self._room()
        for done in range(most):
            self.sweeps += 1
            changed = sum(self._sweep(change, values, room))
            self.progress(f"closing, {changed:,} changed", done / most)
            if not changed:
                return True
        return False

    def _lift(self, total: NDArray[Any], die: int, high: NDArray[Any]) -> int:
        return int(sweeps.lift(total, die, high, max(1, int(self.width * STEP * self.one))))

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

    def __init__(self, game: Walks, f: Values, g: Values) -> None:
        self.game = game
        self.f, self.g = np.append(f, 0.0), np.append(g, 1.0)
        self.plans = (no_plan(game), no_plan(game))
        self._improve(0, 0.0)
        self._improve(1, 0.0)

    def _improve(self, role: int, gain: float) -> int:
        x = self.g if role == 0 else self.f
        return int(aim(self.game, role, x, gain, sweeps.layers(self.game, np.float64, self.game.die), self.plans[role]))

    def settle(self, breaks: float, few: float) -> Iterator[int]:
        """Improve until no more than `few` switches, by position, gain anything; yields how many a round had."""
        for _ in range(ROUNDS):
            error = self.best_reply(breaks)
            switched = self._improve(0, max(breaks, error / TRUST))
            yield switched
            if switched <= few * self.game.size:
                return

    def best_reply(self, breaks: float) -> float:
        """The opponent's, against the protagonist's plan as it stands; how well the last equations were solved."""
        for _ in range(ROUNDS):
            self.f, self.g, error = evaluate(self.game, self.plans, self.f, breaks * TRUST, breaks)
            if not self._improve(1, max(breaks, error / TRUST)):
                break
        return error

    def unbroken(self, tolerance: float) -> tuple[Values, Values]:
        """What the plans are worth if the game never breaks off."""
        return evaluate(self.game, self.plans, self.f, tolerance)[:2]
