"""Proves a table without the solver: its game is rebuilt, every entry is checked, and the moves of the rebuilt game are
held against the engine's: in small games everywhere, in large ones in places drawn by lot."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rulecheck import registry
from rulecheck.jobs import Report, ignore, workers
from rulecheck.model import Engine, InputError
from rulecheck.outcomes import COLUMNS as OUTCOME_COLUMNS
from rulecheck.outcomes import about as outcomes_about
from rulecheck.outcomes import ended
from rulecheck.spaces import Space, normaliser, space_of
from rulecheck.tables import COLUMNS, Chart, Setting, about, is_there, plain_sentences
from rulecheck.walking import about as walks_about
from rulecheck.walking import bounds_of, is_walk_table, walk_turn_problems
from solvers.certificate import Bounds, check_bounds, check_outcomes
from solvers.graph import Kind
from solvers.tablebase import Table, open_table
from solvers.walk_certificate import check_walk_bounds

COMPARED_WHOLE = 3000  # positions of games whose turns are compared with the engine's one and all
SAMPLE = 300  # positions compared in larger games


@dataclass(frozen=True)
class Certificate:
    """What was checked, and everything found wrong."""

    setting: Setting
    positions: int
    width: float | None  # None without dice
    compared: int  # positions whose turns were held against the engine's list
    problems: tuple[str, ...]


def certify(
    path: Path,
    *,
    whole: int = COMPARED_WHOLE,
    sample: int = SAMPLE,
    report: Report = ignore,
    jobs: int = 1,
    executor: Executor | None = None,
) -> Certificate:
    """Rebuild the game from its engine and hold the table against it; the solver has no part in this."""
    if not is_there(path):
        raise InputError(f"there is no table {str(path)!r}; rulecheck solve makes one")
    with plain_sentences(), open_table(path) as table:
        table.verify()
        setting = setting_of(table)
        if table.columns == list(OUTCOME_COLUMNS):
            with workers(jobs, executor) as pool:
                return _certify_outcomes(table, setting, whole, sample, report, pool)
        if is_walk_table(table):
            return _certify_walks(table, setting, whole, sample, report)
        bounds = Bounds(**{name: table.column(name) for name in COLUMNS})
        keys = [table.key(row) for row in range(len(table))]
        stated = table.header.about
    chart = setting.chart(report)
    report("checking", 0.5)
    problems = _frame_problems(keys, stated, chart, bounds) or check_bounds(chart.arena, bounds)
    rows = rows_to_compare(len(chart.keys), whole, sample)
    problems += turn_problems(setting, chart, rows, report)
    return Certificate(setting, len(keys), bounds.width, len(rows), tuple(problems))


def _certify_walks(table: Table, setting: Setting, whole: int, sample: int, report: Report) -> Certificate:
    if not setting.by_number:
        raise InputError(f"{table.path} holds bounds by number, and this game is not solved in that way")
    game, bounds, stated = setting.walks(report), bounds_of(table), table.header.about
    report("checking", 0.5)
    problems = check_walk_bounds(game, bounds) or _stated_problems(stated, walks_about(setting, game, bounds))
    numbers = rows_to_compare(game.size, whole, sample)
    problems += walk_turn_problems(setting, game, numbers, report)
    return Certificate(setting, int((~game.over).sum()), bounds.width, len(numbers), tuple(problems))


def _certify_outcomes(
    table: Table, setting: Setting, whole: int, sample: int, report: Report, pool: Executor | None
) -> Certificate:
    space = space_of(setting, report, pool)
    outcome = table.column("outcome")
    distance = table.column("distance").astype(np.int32)
    problems = check_outcomes(space, outcome, distance, report)
    if not problems:
        problems = _stated_problems(table.header.about, outcomes_about(space, outcome, distance))
        problems += [] if same_keys(table, space) else ["its keys are not those of the game's positions"]
    numbers = numbers_to_compare(space, whole, sample)
    problems += move_problems(setting, space, numbers, report)
    return Certificate(setting, int((outcome != 0).sum()) - space.endings, None, len(numbers), tuple(problems))


def same_keys(table: Table, space: Space) -> bool:
    """Does the table find each number by the key that the space gives it?"""
    keys = space.keys()
    if keys is None or not table.has_keys:
        return keys is None and not table.has_keys
    return len(keys) == len(table) and all(table.key(row) == bytes(key) for row, key in enumerate(keys))


def numbers_to_compare(space: Space, whole: int = COMPARED_WHOLE, sample: int = SAMPLE) -> list[int]:
    """Those that stand for positions, of all or of some drawn by lot."""
    drawn = rows_to_compare(len(space) - space.endings, whole, sample)
    return [number for number in drawn if space.position(number) is not None]


def move_problems(setting: Setting, space: Space, numbers: Sequence[int], report: Report = ignore) -> list[str]:
    """Where the space's successors are not what the engine's moves lead to."""
    engine, found = setting.engine(), []
    for done, number in enumerate(numbers):
        report("comparing moves", done / len(numbers))
        position = space.position(number)
        if position is None:
            continue
        try:
            setting.game.read_position(setting.params, str(position))
        except InputError as error:
            found.append(f"number {number} stands for {position}, which is no position: {error}")
            continue
        results = engine.moves(position).values() if engine.winner(position) is None else ()
        wanted = {_as_seen(setting, engine, result) for result in results}
        given = {_as_numbered(setting, engine, space, int(s)) for s in space.block(number, number + 1).succ}
        if wanted != given:
            found.append(f"{position}: the successors are not what the engine's moves lead to")
    return found


def _as_seen(setting: Setting, engine: Engine, position: Any) -> str:
    worth = ended(engine, position)
    return str(normaliser(setting)(position)) if worth is None else worth.outcome.name


def _as_numbered(setting: Setting, engine: Engine, space: Space, number: int) -> str:
    position = space.position(number)
    if position is None:
        return Kind(int(space.block(number, number + 1).kind[0])).name
    return _as_seen(setting, engine, position)


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
    return _stated_problems(stated, about(chart, bounds))


def _stated_problems(stated: Any, wanted: dict[str, Any]) -> list[str]:
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
