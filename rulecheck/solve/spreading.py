"""Ranges of a game's positions, held by the workers of a cluster.

A worker makes its ranges from the names of a game, its parameters and readings, and keeps them until the solve is over.
If a worker is lost, others rebuild its ranges from the outcomes decided up to then.
"""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rulecheck.cluster import Cluster, WorkerGoneError
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError
from rulecheck.processes import RETRIES, WorkerLostError
from rulecheck.registry import Choice
from rulecheck.solve.packed import Packed
from rulecheck.solve.sharing import Recipe, follow
from rulecheck.solve.solver import (
    Keeper,
    kept_columns,
    no_checkpoint,
    outcomes_kept,
    require_whole_numbers,
    smallest,
)
from rulecheck.solve.spaces import packing_of
from solvers.checkpoint import CheckpointStore
from solvers.graph import Outcome
from solvers.ranges import PIECE, Decided, Known, Opened, Range, lows_of, solve_ranges
from solvers.retrograde import Outcomes
from solvers.walk_ranges import OpenedWalks, RangesLostError, SpreadWalks, WalkRange

PARTS = 4  # ranges per worker: a lost worker costs less, and all stay busy longer

_held: dict[
    tuple[str, int], Range | WalkRange
] = {}  # this worker's ranges, by the name of the solve and the number of the range


class Task(NamedTuple):
    """A request to a range."""

    work: Callable[..., Any]
    arguments: tuple[Any, ...]


class HeldRanges:
    """Ranges of a game's positions on the workers: which worker holds which, and what is asked of them."""

    def __init__(self, choice: Choice, size: int, cluster: Cluster, report: Report) -> None:
        self._recipe, self._size, self._cluster, self._report = Recipe.of(choice), size, cluster, report
        self._solve = uuid.uuid4().hex
        self.lows = lows_of(size, PARTS * len(cluster.addresses()))
        self._home: dict[int, str] = {}
        self._made = dict.fromkeys(range(len(self.lows)), 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Have all workers drop what they hold. After an error nobody waits for it."""
        with suppress(WorkerLostError):
            sent = [(home, self._cluster.send(home, _forget, self._solve)) for home in self._cluster.addresses()]
            if kind is None:
                deque(self._cluster.answers(sent), maxlen=0)
            else:
                self._cluster.leave(task for _, task in sent)

    def _open(self, numbers: set[int], work: Callable[..., Any]) -> tuple[dict[int, Any], set[int]]:
        """The summaries of these ranges, made by this function, and all ranges lost with a worker."""
        self._settle(numbers)
        return self._once({i: Task(work, (self._recipe, *self._ends(i), self._size)) for i in numbers}, self._report)

    def _settle(self, numbers: set[int]) -> None:
        """Assign each of these to the worker with the fewest."""
        for i in numbers:
            self._home.pop(i, None)
            self._made[i] += 1
        if max(self._made.values()) > RETRIES + 1:
            raise WorkerLostError("the workers of the cluster were lost, each time with the same part of the game")
        homes = list(self._home.values())
        load = {address: homes.count(address) for address in self._cluster.addresses()}
        for i in sorted(numbers):
            self._home[i] = min(load, key=load.__getitem__)
            load[self._home[i]] += 1

    def _once(self, tasks: Mapping[int, Task], report: Report = ignore) -> tuple[dict[int, Any], set[int]]:
        """The answers of the ranges, and all ranges lost with a worker."""
        sent = [
            (i, self._cluster.send(self._home[i], work, self._solve, i, *rest)) for i, (work, rest) in tasks.items()
        ]
        heard: dict[int, Any] = {}
        for i, answer in self._cluster.answers(sent):
            heard[i] = answer
            report(f"{len(heard):,} of {len(tasks):,} ranges made", 0.0)
        gone = {self._home[i] for i, answer in heard.items() if isinstance(answer, WorkerGoneError)}
        lost = {i for i, home in self._home.items() if home in gone}
        return {i: answer for i, answer in heard.items() if i not in lost}, lost

    def _ends(self, i: int) -> tuple[int, int]:
        return self.lows[i], [*self.lows, self._size][i + 1]


class RangesOfWorkers(HeldRanges):
    """A `solvers.ranges.Ranges` whose parts are elsewhere."""

    def open(self, known: Known | None) -> list[Opened]:
        opened = self._make(set(self._made), known)
        return [opened[i] for i in sorted(opened)]

    def ask(self, method: str, decided: Sequence[Decided], known: Known) -> list[Decided]:
        tasks = {i: Task(_ask, (method, due)) for i, due in enumerate(decided) if len(due.nodes)}
        answers: dict[int, Decided] = {}
        waiting = tasks
        while waiting:
            heard, lost = self._once(waiting)
            answers.update(heard)
            # A remade range has not seen this distance, even if it answered before it was lost.
            again = self._make(lost, known)
            waiting = {i: task for i, task in tasks.items() if i in again}
        return [answers.get(i, Decided.of([], [])) for i in range(len(decided))]

    def _make(self, numbers: set[int], known: Known | None) -> dict[int, Opened]:
        """Make these ranges, and any lost meanwhile, and bring them up to date with the others."""
        opened: dict[int, Opened] = {}
        while numbers:
            heard, lost = self._open(numbers, _open)
            opened.update(heard)
            if known is not None:
                lost |= self._remake(numbers - lost, opened, known)
            numbers = lost
        return opened

    def _remake(self, numbers: set[int], opened: dict[int, Opened], known: Known) -> set[int]:
        """Remake these ranges; return those that were lost again."""
        _, lost = self._once({i: Task(_restore, (known.of_range(*self._ends(i)),)) for i in numbers})
        for decided in known.replayed():
            numbers = numbers - lost
            _, gone = self._once({i: Task(_replay, (decided.among(opened[i].sheets),)) for i in numbers})
            lost |= gone
        return lost


class WalkRangesOfWorkers(HeldRanges):
    """A `solvers.walk_ranges.WalkRanges` whose parts are elsewhere."""

    def open(self, numbers: set[int]) -> Mapping[int, OpenedWalks]:
        return self._all(self._open(numbers, _open_walks))

    def ask(self, method: str, arguments: Mapping[int, tuple[Any, ...]]) -> Mapping[int, Any]:
        return self._all(self._once({i: Task(_ask_walks, (method, *given)) for i, given in arguments.items()}))

    def _all(self, answered: tuple[dict[int, Any], set[int]]) -> dict[int, Any]:
        heard, lost = answered
        if lost:
            raise RangesLostError(lost)
        return heard


@contextmanager
def walks_spread(choice: Choice, cluster: Cluster, report: Report) -> Iterator[SpreadWalks]:
    """A game of walks in ranges on the workers, for as long as the block lasts."""
    source = choice.game.hints.walks(choice.params, choice.readings)
    with WalkRangesOfWorkers(choice, source.size, cluster, report) as ranges:
        yield SpreadWalks(ranges, source.size, source.die)


def solve_spread(
    choice: Choice, size: int, store: CheckpointStore, resume: bool, cluster: Cluster, report: Report
) -> Outcomes:
    """Solve a game in ranges, saving progress at intervals."""
    keeper = KnownKeeper(store)
    start = keeper.load() if resume else None
    with outcomes_kept(keeper, resume), RangesOfWorkers(choice, size, cluster, report) as ranges:
        return solve_ranges(ranges, size, report, keep=keeper, start=start)


class KnownKeeper(Keeper):
    """Saves the outcomes known up to some distance."""

    def columns(self, *latest: Any) -> dict[str, NDArray[Any]]:
        (known,) = latest
        outcomes = known.outcomes
        columns = {"outcome": outcomes.outcome, "distance": smallest(outcomes.distance)}
        return {**columns, "reached": np.array([known.distance, known.tied], dtype=np.int64)}

    def load(self) -> Known:
        outcome, distance, reached = kept_columns(self.store, ("outcome", "distance", "reached"))
        require_whole_numbers(self.store, outcome, distance, reached)
        odd = len(outcome) != len(distance) or outcome.max(initial=0) > Outcome.DRAW or len(reached) != 2
        if odd or reached[0] < 0:
            raise no_checkpoint(self.store)
        outcomes = Outcomes(outcome.astype(np.uint8), distance.astype(np.int32))
        known = Known(outcomes, int(reached[0]), bool(reached[1]))
        self.latest = (known,)
        return known


def can_be_spread(choice: Choice) -> bool:
    """Are the positions of this game numbered by arithmetic, so that a worker can make a range by itself?"""
    packing = packing_of(choice)
    return packing is not None and packing.ranking is not None


# -- What workers do -----------------------------------------------------------------------------------------------


def _open(solve: str, i: int, recipe: Recipe, low: int, high: int, size: int) -> Opened:
    packing = packing_of(follow(recipe))
    assert packing is not None
    space = Packed(packing)
    _require_size(len(space), size)
    pieces = (np.arange(at, min(at + PIECE, high)) for at in range(low, high, PIECE))
    part = _held[solve, i] = Range(low, high, size, space.blocks(pieces))
    return part.opened()


def _open_walks(solve: str, i: int, recipe: Recipe, low: int, high: int, size: int) -> OpenedWalks:
    choice = follow(recipe)
    source = choice.game.hints.walks(choice.params, choice.readings)
    _require_size(source.size, size)
    part = _held[solve, i] = WalkRange(source, low, high)
    return part.opened()


def _require_size(here: int, there: int) -> None:
    if here != there:
        raise InputError(f"a worker of the cluster numbers {here:,} positions, this machine {there:,}")


def _part(solve: str, i: int) -> Range:
    part = _holding(solve, i)
    assert isinstance(part, Range)
    return part


def _holding(solve: str, i: int) -> Range | WalkRange:
    if (solve, i) not in _held:  # a new process under an old address
        raise WorkerGoneError("a worker has begun anew")
    return _held[solve, i]


def _ask_walks(solve: str, i: int, method: str, *given: Any) -> Any:
    part = _holding(solve, i)
    assert isinstance(part, WalkRange)
    return getattr(part, method)(*given)


def _ask(solve: str, i: int, method: str, decided: Decided) -> Decided:
    part = _part(solve, i)
    return part.advance(decided) if method == "advance" else part.tie(decided)


def _restore(solve: str, i: int, outcome: Any) -> None:
    _part(solve, i).restore(outcome)


def _replay(solve: str, i: int, decided: Decided) -> None:
    _part(solve, i).replay(decided)


def _forget(solve: str) -> None:
    for key in [key for key in _held if key[0] == solve]:
        del _held[key]
