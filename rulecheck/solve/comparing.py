"""Where a graph of a game is compared with its engine, and the engine with the spec: everywhere, or by strata.

A draw by strata takes from each kind of position in turn, so what is rare is compared as a whole before more is
taken of what is common. What the engine says is asked in batches, by an executor if there is one.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from rulecheck.contract import AnyEngine, AnySpec
from rulecheck.explore import deciding
from rulecheck.jobs import Report, ignore, stream
from rulecheck.model import InputError
from rulecheck.registry import Choice
from rulecheck.solve.sharing import Recipe, follow
from rulecheck.solve.spaces import normaliser
from rulecheck.solve.views import OVER, View, end_or_tie, turns, turns_view, view

POOL = 1 << 20  # numbers whose strata are computed
BATCH = 100  # positions compared together
MOST_PROBLEMS = 10
OTHERS = 30  # moves of other positions that both encodings are asked about at each
ALPHABET = 1_000  # moves kept for asking
T = TypeVar("T")
Numbers = NDArray[np.int64]
Strata = Callable[[Numbers], Numbers]  # a label for each of some rising numbers; negative: not to be compared


def draw(count: int, strata: Strata, sample: int, seed: int) -> list[int]:
    """`sample` of the numbers below `count`, rising, in equal shares from each stratum as far as it has them."""
    rng = np.random.default_rng(seed)
    pool = np.arange(count) if count <= POOL else np.sort(rng.choice(count, POOL, replace=False))
    labels = strata(pool)
    shuffled = rng.permutation(np.flatnonzero(labels >= 0))
    by_stratum = shuffled[np.argsort(labels[shuffled], kind="stable")]
    begins = np.flatnonzero(np.diff(labels[by_stratum], prepend=-1))
    rank = np.arange(len(by_stratum)) - np.repeat(begins, np.diff(begins, append=len(by_stratum)))
    taken = by_stratum[np.lexsort((rng.random(len(rank)), rank))[:sample]]
    return [int(number) for number in np.sort(pool[taken])]


def label(*features: Any) -> Numbers:
    """One label for several features, none of them negative; up to three, and up to two million each."""
    labels = np.zeros(len(features[0]), dtype=np.int64)
    for feature in features:
        labels = (labels << 21) | np.minimum(feature.astype(np.int64), (1 << 21) - 1)
    return labels


# -- A graph and the engine ------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """A position, and what the graph says about it."""

    position: Any
    said: View


def engine_problems(
    choice: Choice, asked: Iterable[Asked], total: int, report: Report = ignore, pool: Executor | None = None
) -> list[str]:
    """The first few positions at which graph and engine disagree."""
    problems: list[str] = []
    done = 0
    for batch, answers in _answered(choice, asked, pool):
        for (position, said), true in zip(batch, answers, strict=True):
            if isinstance(true, str):
                problems.append(true)
            elif not _agree(choice, position, said, true):
                problems.append(f"{position}: {_difference(said, true)}")
        done += len(batch)
        report("comparing moves with the engine's", min(done / max(total, 1), 1.0))
        if len(problems) >= MOST_PROBLEMS:
            break
    return problems[:MOST_PROBLEMS]


def _answered(
    choice: Choice, asked: Iterable[Asked], pool: Executor | None
) -> Iterator[tuple[list[Asked], list[View | str]]]:
    recipe, waiting = Recipe.of(choice), deque[list[Asked]]()

    def tasks() -> Iterator[tuple[Recipe | Choice, list[Any]]]:
        for batch in batches(asked):
            waiting.append(batch)
            yield choice if pool is None else recipe, [position for position, _ in batch]

    for answers in stream(_views, tasks(), pool):
        yield waiting.popleft(), answers


def _views(task: tuple[Recipe | Choice, list[Any]]) -> list[View | str]:
    """What the engine says about each position, or why it is not a position."""
    choice = follow(task[0]) if isinstance(task[0], Recipe) else task[0]
    engine, normalised = choice.engine(), normaliser(choice)
    views: list[View | str] = []
    for position in task[1]:
        try:
            choice.game.read_position(choice.params, str(position))
        except InputError as error:
            views.append(f"{position} is no position: {error}")
        else:
            views.append(view(engine, normalised, position))
    return views


def _agree(choice: Choice, position: Any, said: View, true: View) -> bool:
    if said == true or OVER in (said, true):
        return said == true
    engine = choice.engine()  # the graph may know of a tie that this view left unchecked
    return said == turns_view(engine, normaliser(choice), position, turns(engine, position), end_or_tie)


def _difference(said: View, true: View) -> str:
    if OVER in (said, true):
        return "the compiled rules and the engine disagree on whether the game is over"
    if len(said) != len(true):
        return f"the graph has {len(said)} results of chance, the engine {len(true)}"
    given, wanted = (set(itertools.chain(*part)) for part in (said, true))
    if wanted - given:
        return f"the engine's moves also lead to {min(wanted - given)}"
    if given - wanted:
        return f"only the graph leads to {min(given - wanted)}"
    return "the successors are not what the engine's moves lead to, roll by roll"


def batches(items: Iterable[T]) -> Iterator[list[T]]:
    left = iter(items)
    while batch := list(itertools.islice(left, BATCH)):
        yield batch


# -- The engine and the spec -----------------------------------------------------------------------------------


class Confirmed(NamedTuple):
    """Moves that both encodings were asked about: the legal ones of these positions, and others that are not."""

    positions: int
    legal: int
    illegal: int
    problems: tuple[str, ...]
    met: Mapping[str, int]  # the number of positions at which each clause refused a move

    def as_json(self) -> dict[str, int]:
        return {"positions": self.positions, "legal": self.legal, "illegal": self.illegal}


def confirm(
    choice: Choice, positions: Sequence[Any], seed: int, report: Report = ignore, pool: Executor | None = None
) -> Confirmed:
    """Let the spec judge every move that the engine lists at these positions, and moves that it lists at others."""
    recipe, engine = Recipe.of(choice), choice.engine()
    decided = (at for position in positions for at in deciding(engine, position))
    others = list(dict.fromkeys(move for at in decided for move in engine.moves(at)))
    others = sorted(random.Random(seed).sample(others, min(ALPHABET, len(others))), key=str)
    tasks = ((choice if pool is None else recipe, batch, others, seed) for batch in batches(positions))
    legal = illegal = done = 0
    problems: list[str] = []
    met: Counter[str] = Counter()
    for part in stream(_confirm, tasks, pool):
        met.update(part.met)
        legal, illegal, done = legal + part.legal, illegal + part.illegal, done + part.positions
        problems += part.problems
        report("comparing moves with the spec's", done / len(positions))
        if len(problems) >= MOST_PROBLEMS:
            break
    return Confirmed(done, legal, illegal, tuple(problems[:MOST_PROBLEMS]), dict(sorted(met.items())))


def _confirm(task: tuple[Recipe | Choice, list[Any], list[Any], int]) -> Confirmed:
    chosen, positions, others, seed = task
    choice = follow(chosen) if isinstance(chosen, Recipe) else chosen
    engine, spec, rng = choice.engine(), choice.spec(), random.Random(seed)
    listed = {at: engine.moves(at) for position in positions for at in deciding(engine, position)}
    legal = illegal = 0
    problems: list[str] = []
    met: Counter[str] = Counter()
    for at, moves in listed.items():
        refused: set[str] = set()
        strange = [move for move in rng.sample(others, min(OTHERS, len(others))) if move not in moves]
        for move in (*moves, *strange):
            verdict = engine.judge(at, move)
            allowed = verdict.legal
            refused.update(verdict.clauses)
            legal, illegal = legal + allowed, illegal + (not allowed)
            problems += _judged(engine, spec, at, move, moves, allowed)
        met.update(refused)
    return Confirmed(len(positions), legal, illegal, tuple(problems), met)


def _judged(
    engine: AnyEngine, spec: AnySpec, at: Any, move: Any, moves: Mapping[Any, Any], allowed: bool
) -> Iterator[str]:
    if spec.judge(at, move).legal != allowed:
        yield f"{at}: the {'engine' if allowed else 'spec'} alone allows {move}"
    if allowed != (move in moves) and not (allowed and engine.play(at, move) in moves.values()):
        yield f"{at}: the engine's list of moves and its judgement of {move} disagree"
