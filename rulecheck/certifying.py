"""Proves a table without the solver: its game is rebuilt from the engine, and every bound is checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rulecheck import registry
from rulecheck.jobs import Report, ignore
from rulecheck.model import Engine, InputError
from rulecheck.tables import COLUMNS, Chart, Setting, about, is_there, plain_sentences
from solvers.certificate import Bounds, check_bounds
from solvers.graph import Kind
from solvers.tablebase import Table, open_table

COMPARED_WHOLE = 3000  # positions of games whose turns are compared with the engine's one and all
SAMPLE = 300  # positions compared in larger games


@dataclass(frozen=True)
class Certificate:
    """What was checked, and everything found wrong."""

    setting: Setting
    positions: int
    width: float
    compared: int  # positions whose turns were held against the engine's list
    problems: tuple[str, ...]


def certify(path: Path, *, whole: int = COMPARED_WHOLE, sample: int = SAMPLE, report: Report = ignore) -> Certificate:
    """Rebuild the game from its engine and hold the table against it; the solver has no part in this."""
    if not is_there(path):
        raise InputError(f"there is no table {str(path)!r}; rulecheck solve makes one")
    with plain_sentences(), open_table(path) as table:
        table.verify()
        setting = setting_of(table)
        bounds = Bounds(**{name: table.column(name) for name in COLUMNS})
        keys = [table.key(row) for row in range(len(table))]
        stated = table.header.about
    chart = setting.chart(report)
    report("checking", 0.5)
    problems = _frame_problems(keys, stated, chart, bounds) or check_bounds(chart.arena, bounds)
    rows = rows_to_compare(len(chart.keys), whole, sample)
    problems += turn_problems(setting, chart, rows, report)
    return Certificate(setting, len(keys), bounds.width, len(rows), tuple(problems))


def setting_of(table: Table) -> Setting:
    """The game a table says it is about, if that is a game as we know it."""
    header = table.header
    game = registry.find(header.game)
    try:
        setting = Setting(game, game.params(header.parameters), game.rulebook.choose(header.readings))
    except (InputError, TypeError, AttributeError) as error:
        raise InputError(f"{table.path} is about a game with other parameters or readings: {error}") from None
    wanted = setting.header()
    if (wanted.parameters, wanted.readings) != (header.parameters, header.readings):
        raise InputError(f"{table.path} does not state all parameters and readings of {game.slug}")
    if wanted.rulebook != header.rulebook:
        raise InputError(f"{table.path} was made under another rulebook of {game.slug}; solve it again")
    return setting


def _frame_problems(keys: list[bytes], stated: Any, chart: Chart, bounds: Bounds) -> list[str]:
    if keys != chart.keys:
        odd = sorted(set(keys) ^ set(chart.keys))
        shown = f", for example {odd[0].decode(errors='replace')!r}" if odd else ""
        return [f"its {len(keys):,} positions are not the {len(chart.keys):,} of the game{shown}"]
    wanted = about(chart, bounds)
    said = stated if isinstance(stated, dict) else {}
    return [
        f"its header says {name} {said.get(name)!r}, it is {value!r}"
        for name, value in wanted.items()
        if said.get(name) != value
    ]


def rows_to_compare(count: int, whole: int, sample: int) -> list[int]:
    if count <= whole:
        return list(range(count))
    return sorted(np.random.default_rng(count).choice(count, size=min(sample, count), replace=False).tolist())


def turn_problems(setting: Setting, chart: Chart, rows: Sequence[int], report: Report = ignore) -> list[str]:
    """Where the graph's turns are not those that the engine lists."""
    engine, found = setting.engine(), []
    for done, row in enumerate(rows):
        report("comparing turns", done / len(rows))
        position = setting.game.read_position(setting.params, chart.keys[row].decode())
        rolls = chart.arena.successors(int(chart.nodes[row]))
        chances = engine.chances(position)
        if len(chances) != len(rolls):
            found.append(f"{position}: the graph has {len(rolls)} rolls, the engine {len(chances)}")
            continue
        for rolled, node in zip(chances, rolls, strict=True):
            if _engine_results(setting, engine, rolled) != _graph_results(chart, node):
                found.append(f"{rolled}: the graph's turns are not the engine's")
    return found


def _engine_results(setting: Setting, engine: Engine, rolled: Any) -> set[bytes]:
    """Where the engine's turns lead; b"" stands for a win of the player who moved."""
    results = engine.moves(rolled).values()
    return {b"" if engine.winner(after) == rolled.mover else setting.key(after) for after in results}


def _graph_results(chart: Chart, node: int) -> set[bytes]:
    """The same, by walking through the graph to the hand-overs."""
    arena = chart.arena
    found, seen, queue = set(), {node}, [node]
    for v in queue:
        if arena.kind[v] == Kind.WIN:
            found.add(b"")
        after = arena.successors(v)
        if arena.kind[v] == Kind.MOVE:
            found |= {_handed_over(chart, s) for s in after}
        else:
            queue += [s for s in after if s not in seen]
            seen.update(after)
    return found


def _handed_over(chart: Chart, node: int) -> bytes:
    if chart.arena.kind[node] == Kind.LOSS:
        return b""
    row = int(np.searchsorted(chart.nodes, node))
    return chart.keys[row]
