"""Dice games whose turns are walks, too large to be drawn as a graph: solved, kept and certified by number.

A study gives `walks` (every position by its number, with its steps), `number` and `numbered` (from a position to its
number and back). A table holds bounds for all numbers, also those that no play leads to, so it needs no keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rulecheck.jobs import Report, ignore
from rulecheck.model import Engine
from rulecheck.tables import Setting, plain_sentences
from solvers.tablebase import Table, write_table
from solvers.walk_certificate import NAMES, WalkBounds
from solvers.walks import Walks

COLUMNS = list(NAMES)
WON = -1  # where a turn ends that has won


def is_walk_table(table: Table) -> bool:
    return table.columns == COLUMNS


def about(setting: Setting, game: Walks, bounds: WalkBounds) -> dict[str, Any]:
    size = {"positions": int(game.size - game.over.sum()), "numbers": game.size, "edges": game.edges}
    return {**size, "start": str(setting.engine().start()), "width": bounds.width, "scale": bounds.one}


def write_walk_table(path: Path, setting: Setting, game: Walks, bounds: WalkBounds) -> None:
    with plain_sentences():
        write_table(path, setting.header(**about(setting, game, bounds)), bounds.columns())


def bounds_of(table: Table) -> WalkBounds:
    columns = {name: table.column(name) for name in COLUMNS}
    return WalkBounds(one=int(table.header.about.get("scale", 0)), **columns)


# -- Against the engine ----------------------------------------------------------------------------------------


def walk_turn_problems(setting: Setting, game: Walks, numbers: Sequence[int], report: Report = ignore) -> list[str]:
    """Where the ends of the walks are not where the engine's turns lead, for any roll."""
    engine, found = setting.engine(), []
    for done, number in enumerate(numbers):
        report("comparing turns", done / len(numbers))
        position = setting.numbered(number)
        if bool(game.over[number]) != (engine.winner(position) is not None):
            found.append(f"{position}: the numbers and the engine disagree on whether it is over")
        found += [
            f"{rolled}: the walks do not end where the engine's turns do"
            for rolled in engine.chances(position)
            if _engine_ends(setting, engine, rolled) != walk_ends(game, number, rolled.roll)
        ]
    return found


def _engine_ends(setting: Setting, engine: Engine, rolled: Any) -> set[int]:
    results = engine.moves(rolled).values()
    return {WON if engine.winner(after) == rolled.mover else setting.number(after) for after in results}


def walk_ends(game: Walks, number: int, roll: int) -> set[int]:
    """The numbers that the other player may find after this roll; WON if there is none to find."""
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
    """Where walks end that spend the whole roll, or win before."""
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
