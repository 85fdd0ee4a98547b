"""Dice games whose turns are walks, too large for a graph: solved, stored and certified by number.

A study gives `walks` (every position by its number, with its steps), `number` and `numbered` (from a position to its
number and back). A table holds bounds for all numbers, also those that no play leads to, so it needs no keys.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rulecheck.jobs import Report, ignore
from rulecheck.registry import Choice
from rulecheck.solve.comparing import Asked, Numbers, engine_problems, label
from rulecheck.solve.tables import Method, header_of, plain_sentences, position_of, scale_of
from rulecheck.solve.views import OVER, STUCK, WIN, acting, view_of
from solvers.tablebase import Table, write_table
from solvers.walk_certificate import NAMES, WalkBounds
from solvers.walks import Walks

COLUMNS = list(NAMES)
WON = -1  # the end of a winning turn
REMEMBERED = 1 << 17  # texts of positions


class Sized(Protocol):
    """What a table says of a game's size."""

    @property
    def size(self) -> int: ...

    @property
    def edges(self) -> int: ...

    @property
    def over(self) -> NDArray[np.bool_]: ...


def about(choice: Choice, game: Sized, bounds: WalkBounds) -> dict[str, Any]:
    size = {"positions": int(game.size - game.over.sum()), "numbers": game.size, "edges": game.edges}
    frame = {"method": Method.NUMBER.value, **size, "start": str(choice.engine().start())}
    return {**frame, "width": bounds.width, "scale": bounds.one}


def write_walk_table(path: Path, choice: Choice, game: Sized, bounds: WalkBounds) -> None:
    with plain_sentences():
        write_table(path, header_of(choice, **about(choice, game, bounds)), bounds.columns())


def bounds_of(table: Table) -> WalkBounds:
    scale = scale_of(table)
    return WalkBounds(one=scale, **{name: table.column(name) for name in COLUMNS})


# -- Against the engine ----------------------------------------------------------------------------------------


def walk_turn_problems(
    choice: Choice, game: Walks, numbers: Sequence[int], report: Report = ignore, pool: Executor | None = None
) -> list[str]:
    """Where the ends of the walks differ from the results of the engine's turns, for any roll."""
    return engine_problems(choice, _asked(choice, game, numbers), len(numbers), report, pool)


def _asked(choice: Choice, game: Walks, numbers: Sequence[int]) -> Iterator[Asked]:
    @functools.lru_cache(maxsize=REMEMBERED)
    def end(number: int) -> str:
        return WIN if number == WON else acting(False, position_of(choice, number))

    for number in numbers:
        rolls = (map(end, walk_ends(game, number, roll)) for roll in range(1, game.die + 1))
        yield Asked(
            position_of(choice, number), OVER if game.over[number] else view_of([*ends] or [STUCK] for ends in rolls)
        )


def walk_strata(game: Walks, numbers: Numbers) -> Numbers:
    """Strata by whether a position is over, whether it ends the walk, and its numbers of steps and exceptions."""
    exceptions = np.zeros(game.size, dtype=np.int32)
    exceptions[game.stuck] = np.diff(game.other)
    steps = np.diff(game.first)[numbers]
    return label(2 * game.over[numbers] + game.stops[numbers], steps, exceptions[numbers])


def walk_ends(game: Walks, number: int, roll: int) -> set[int]:
    """The numbers the opponent may face after this roll; WON for a win."""
    ends = _spent(game, number, roll)
    if ends:
        return ends
    j = int(np.searchsorted(game.stuck, number))
    if j == len(game.stuck) or game.stuck[j] != number:
        return set()
    for put in game.put[game.other[j] : game.other[j + 1]].tolist():
        ends |= (_spent(game, put, roll) if game.then_spend else set()) or {_handed_over(game, put)}
    return ends


def _spent(game: Walks, number: int, roll: int) -> set[int]:
    """The ends of walks that use the whole roll or win before that."""
    layers: list[set[int]] = [{number}, *(set() for _ in range(roll))]
    ends = set()
    for spent, layer in enumerate(layers):
        for i in layer:
            if game.stops[i]:
                ends.add(WON)
            elif spent == roll:
                ends.add(_handed_over(game, i))
            else:
                _step_on(game, i, spent, layers)
    return ends


def _step_on(game: Walks, i: int, spent: int, layers: list[set[int]]) -> None:
    for e in range(game.first[i], game.first[i + 1]):
        if spent + game.cost[e] < len(layers):
            layers[spent + game.cost[e]].add(int(game.to[e]))


def _handed_over(game: Walks, i: int) -> int:
    return WON if game.over[i] else int(game.mirror[i])
