"""Dice games: proved bounds on what either player can force, by strategy iteration and integer closure.

The protagonist's plan is improved against the opponent's exact best reply. A move is switched only for a gain
well above the error of the linear solver; the threshold falls in stages. The floating-point result
is only a proposal: the bounds come from `solvers.bounds` and are re-checked by `solvers.certificate`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solvers import sweeps
from solvers.bounds import Settled, certified
from solvers.certificate import Bounds
from solvers.chain import Chain, build_chain, solve_chain, spread
from solvers.graph import Arena, Progress, require_valid, silent
from solvers.sweeps import Roles

# A switch must gain more than this, stage by stage. Equations are solved to a thousandth of it.
THRESHOLDS = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11)
TRUST = 1e-3
WARM_UP = 500  # sweeps of value iteration before the first linear solve
FOLLOW_UP = 20  # sweeps after each improvement
STALL = 3  # rounds without progress before a stage is left

Checkpoint = Callable[[NDArray[np.int32]], None]


@dataclass(frozen=True, eq=False)
class Solution:
    """Bounds, how they came about, and whether they are as narrow as was asked."""

    bounds: Bounds
    reply: NDArray[np.int32]  # the opponent's plan, place in the list per node
    rounds: int
    requested: float

    @property
    def width(self) -> float:
        return self.bounds.width

    @property
    def reached(self) -> bool:
        return self.width <= self.requested


def solve(
    arena: Arena,
    width: float = 1e-6,
    *,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
    start: NDArray[np.int32] | None = None,
    max_rounds: int = 300,
) -> Solution:
    """Bound f and g at all anchors; `reached` says honestly whether `width` was met within `max_rounds`.

    `checkpoint` receives both players' plans, shape (n, 2), after each round; `start` takes them up again.
    """
    require_valid(arena)
    search = _Search(arena, start, max_rounds, progress, checkpoint)
    best: Solution | None = None
    for stage, threshold in enumerate(THRESHOLDS):
        search.done = stage / len(THRESHOLDS)
        rest = search.settle(threshold)
        out_of_rounds = search.rounds >= max_rounds
        if threshold > max(width / 500, THRESHOLDS[-1]) and not out_of_rounds:
            continue
        search.progress("certify", search.done)
        solution = Solution(certified(rest, width), rest.plan[:, 1].copy(), search.rounds, width)
        if best is None or solution.width < best.width:
            best = solution
        if best.reached or out_of_rounds:
            break
    assert best is not None  # the last stage always certifies
    search.progress("done", 1.0)
    return best


def usable_plan(arena: Arena, start: NDArray[np.int32] | None) -> Roles:
    """A plan to begin with: the given one, or everyone's first successor."""
    if start is None:
        return np.zeros((len(arena), 2), dtype=np.int32)
    plan = np.array(start, dtype=np.int32)
    if plan.shape != (len(arena), 2):
        raise ValueError(f"the starting plan has shape {plan.shape}, not {(len(arena), 2)}")
    choosing = arena.degree > 0
    if (plan[choosing] < 0).any() or (plan[choosing] >= arena.degree[choosing, None]).any():
        raise ValueError("the starting plan names a successor that does not exist")
    return plan


class _Search:
    """The state of strategy iteration: both plans, the values they give, and the budget."""

    def __init__(
        self,
        arena: Arena,
        start: NDArray[np.int32] | None,
        max_rounds: int,
        progress: Progress,
        checkpoint: Checkpoint | None,
    ) -> None:
        self.arena, self.max_rounds, self.progress, self.checkpoint = arena, max_rounds, progress, checkpoint
        self.order, self.inner = sweeps.visiting_order(arena)
        self.graph = (arena.kind, arena.first, arena.succ, self.order)
        self.won = sweeps.terminal_values(arena, 1, np.bool_)
        self.plan = usable_plan(arena, start)
        self.value = sweeps.terminal_values(arena, 1.0, np.float64)
        self.rounds, self.done = 0, 0.0
        if start is None:
            self._warm_up()

    def _warm_up(self) -> None:
        """Value iteration from below spreads sensible plans over the whole graph cheaply."""
        for i in range(WARM_UP):
            if i % 10 == 0:
                self.progress("warm up", 0.0)
            sweeps.improve(*self.graph, len(self.order), self.value, self.plan, 3, 0.0)

    def settle(self, threshold: float) -> Settled:
        """Improve the protagonist's plan until no switch gains more than `threshold`."""
        best, stalled = -1.0, 0
        while True:
            self.rounds += 1
            chain = self._best_reply(threshold)
            self.progress(f"round {self.rounds}, threshold {threshold:g}", self.done)
            total = float(self.value[self.arena.anchor].sum())
            stalled = stalled + 1 if total <= best + threshold else 0
            best = max(best, total)
            rest = Settled(self.arena, self.order, self.inner, self.plan.copy(), self.value.copy(), chain)
            if self.checkpoint is not None:
                self.checkpoint(rest.plan)
            if stalled >= STALL or self.rounds >= self.max_rounds or not self._switch(1, threshold):
                return rest

    def _best_reply(self, threshold: float) -> Chain:
        """Policy iteration for the opponent alone, against the protagonist's plan as it stands.

        Away from the role-nodes where the opponent can avoid the goal for ever, every reply ends the play,
        so the equations are regular and each switch helps.
        """
        ranks = sweeps.attract(*self.graph, self.inner, self.plan, self.won)
        live = ranks != sweeps.UNRANKED
        best, stalled = np.inf, 0
        while True:
            chain = self._evaluate(live, threshold)
            total = float(self.value[self.arena.anchor].sum())
            stalled = stalled + 1 if total >= best - threshold else 0
            best = min(best, total)
            if stalled >= STALL or not self._switch(2, threshold):
                return chain

    def _evaluate(self, live: Roles, threshold: float) -> Chain:
        chain = build_chain(self.arena, self.order, self.inner, self.plan, self.won, live)
        iteration = self.value.ravel()[chain.states]
        solution = solve_chain(chain, chain.gain, iteration, threshold * TRUST)
        self.value = spread(chain, np.clip(solution, 0.0, 1.0), self.won)
        return chain

    def _switch(self, who: int, threshold: float) -> bool:
        """Let one player switch; if anything was switched, sweep on from there.

        Sweeps of value iteration carry an improvement further than one step before the next linear solve.
        The opponent's start above the reply's value and fall. The protagonist's start below the game's value
        and rise, with both players choosing: the protagonist alone would only learn to beat the last reply.
        """
        switched = sweeps.improve(*self.graph, self.inner, self.value, self.plan, who, threshold)
        for _ in range(FOLLOW_UP if switched else 0):
            both_or_opponent = 3 if who == 1 else 2
            sweeps.improve(*self.graph, len(self.order), self.value, self.plan, both_or_opponent, threshold)
        return bool(switched)
