"""Proves a table without the solver: its game is rebuilt, every entry is checked, and the moves of the rebuilt game are
compared with the engine's: everywhere if that takes some minutes, else in places drawn afresh, half by strata and half
by the rules that bind there.

A game that was rebuilt by its engine cannot be compared with it. Then the spec is asked about the engine's moves.
"""

from __future__ import annotations

import functools
import random
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from rulecheck import registry
from rulecheck.bridge import PlayGraph
from rulecheck.explore import TooLargeError, Who
from rulecheck.jobs import Report, ignore, stage, workers
from rulecheck.model import InputError
from rulecheck.registry import Choice
from rulecheck.solve import symmetry
from rulecheck.solve.binding import Drawn, draw_by_rules, unmet
from rulecheck.solve.comparing import Confirmed, Numbers, Strata, confirm, draw, label
from rulecheck.solve.graph_views import chart_strata, degrees, move_problems, turn_problems
from rulecheck.solve.outcomes import COLUMNS as OUTCOME_COLUMNS
from rulecheck.solve.outcomes import about as outcomes_about
from rulecheck.solve.play_tables import bounds_about, chart_of, column_problems, explored_graph, on_nodes, solved_for
from rulecheck.solve.play_tables import outcomes_about as play_outcomes_about
from rulecheck.solve.spaces import Space, space_of
from rulecheck.solve.symmetry import Alike, check_alike
from rulecheck.solve.tables import (
    COLUMNS,
    Chart,
    Method,
    about,
    drawn_chart,
    header_of,
    is_there,
    method_of,
    plain_sentences,
    position_of,
    reader,
    require_whole_numbers,
    size_by_number,
    walks_of,
)
from rulecheck.solve.walk_tables import COLUMNS as WALK_COLUMNS
from rulecheck.solve.walk_tables import about as walks_about
from rulecheck.solve.walk_tables import bounds_of, walk_strata, walk_turn_problems
from solvers.certificate import Bounds, check_bounds, check_outcomes
from solvers.graph import Outcome
from solvers.tablebase import KEY, Table, open_table
from solvers.walk_certificate import check_walk_bounds

COMPARED_WHOLE = 100_000  # a game of up to this many positions is compared in full: some minutes
SAMPLE = 20_000  # positions compared in larger games
NODE = re.compile(r"^node (\d+):")
COMPARING, CONFIRMING = (0.3, 0.9), (0.9, 1.0)  # when moves are compared, and the rest is done, in shares of the whole
CONFIRMED = 1_000  # positions at which the spec is asked about the moves of an engine


@dataclass(frozen=True)
class Limits:
    """How much to compare: all of up to `whole` positions, otherwise `sample`; the spec judges `confirmed`."""

    whole: int = COMPARED_WHOLE
    sample: int = SAMPLE
    confirmed: int = CONFIRMED
    seed: int = 0

    def chosen(self, count: int, strata: Strata) -> list[int]:
        return list(range(count)) if count <= self.whole else draw(count, strata, self.sample, self.seed)

    def drawn(self, choice: Choice, count: int, strata: Strata, kept: Callable[[int], Any]) -> Drawn:
        """The same, but drawn so that every binding rule occurs; `kept` gives the position of a number."""
        if count <= self.whole:
            return Drawn(list(range(count)), None)
        return draw_by_rules(choice, count, strata, kept, self.sample, self.seed)


@dataclass(frozen=True)
class Certificate:
    """What was checked, and every problem."""

    choice: Choice
    positions: int
    width: float | None  # None without dice
    compared: int  # positions at which another encoding was asked about the moves
    problems: tuple[str, ...]
    by_engine: bool  # the moves are the engine's, and the other encoding is the spec
    confirmed: Confirmed | None = None  # by the spec
    alike: Alike | None = None  # None if the game declares no symmetry
    seed: int | None = None  # None if nothing was drawn
    met: Mapping[str, int] | None = None  # the number of positions drawn at which each clause refused a move

    @property
    def unmet(self) -> list[str] | None:
        """The clauses that forbid something but refused no move at the positions drawn."""
        return None if self.met is None else unmet(self.choice, self.met)

    @property
    def given(self) -> str | None:
        """What the proof takes as given, and how much of that was compared; None if all was."""
        parts = []
        if self.by_engine:
            spec = "which there is no spec to compare with"
            if self.confirmed is not None:
                spec = f"whose legal moves agree with the spec at {self._share}"
            parts.append(f"the engine, {spec}")
        elif self.compared < self.positions:
            parts.append(f"the compiled moves, which agree with the engine at {self._share}")
        if self.alike is not None and not self.alike.everywhere:
            parts.append(f"the symmetry of the game, which holds at {self.alike.compared:,} positions compared")
        return ", and ".join(parts) or None

    @property
    def _share(self) -> str:
        return f"{self.compared:,} of {self.positions:,} positions"

    @property
    def headline(self) -> str:
        if self.problems:
            return "REFUTED"
        return "PROVED" if self.given is None else f"PROVED given {self.given}"


def certify(
    path: Path,
    *,
    everywhere: bool = False,
    seed: int | None = None,
    whole: int | None = None,
    sample: int | None = None,
    report: Report = ignore,
    jobs: int = 1,
    executor: Executor | None = None,
) -> Certificate:
    """Rebuild the game, and compare the table with it and the game with its engine; the solver takes no part."""
    if not is_there(path):
        raise InputError(f"there is no table {str(path)!r}; rulecheck solve makes one")
    limits = Limits(
        COMPARED_WHOLE if whole is None else whole,
        SAMPLE if sample is None else sample,
        CONFIRMED if sample is None else sample,
        secrets.randbits(32) if seed is None else seed,
    )
    if everywhere:
        limits = replace(limits, whole=np.iinfo(np.int64).max, confirmed=np.iinfo(np.int64).max)
    with plain_sentences(), open_table(path) as table, workers(jobs, executor) as pool:
        table.verify()
        choice = choice_of(table)
        require_whole_numbers(table)
        try:
            return CHECKS[method_of(table)](table, choice, limits, report, pool)
        except WrongSizeError as error:
            return Certificate(choice, len(table), None, 0, (str(error),), by_engine=False)


class WrongSizeError(Exception):
    """A table does not have the rows of its game."""


# -- Bounds, by graph and by number ----------------------------------------------------------------------------


def _certify_bounds(table: Table, choice: Choice, limits: Limits, report: Report, pool: Executor | None) -> Certificate:
    _require_columns(table, COLUMNS)
    chart = drawn_chart(choice, stage(report, 0.0, 0.3))
    _require_bounds_rows(table, chart)
    bounds = Bounds(**{name: table.column(name) for name in COLUMNS})
    keys = table_keys(table)
    report("checking", 0.3)
    problems = _frame_problems(keys, table.header.about, chart, bounds) or check_bounds(chart.arena, bounds)
    strata, kept = functools.partial(chart_strata, chart), reader(choice, chart)
    rows, met = limits.drawn(choice, len(chart.keys), strata, kept)
    problems += turn_problems(choice, chart, rows, stage(report, *COMPARING), pool)
    certificate = Certificate(choice, len(keys), bounds.width, len(rows), tuple(problems), not chart.compiled, met=met)
    return _completed(certificate, limits, len(chart.keys), rows, kept, stage(report, *CONFIRMING), pool)


def _certify_walks(table: Table, choice: Choice, limits: Limits, report: Report, pool: Executor | None) -> Certificate:
    _require_columns(table, WALK_COLUMNS)
    if not size_by_number(choice):
        raise InputError(f"{table.path} holds bounds by number, and this game is not solved in that way")
    game, stated = walks_of(choice, stage(report, 0.0, 0.3)), table.header.about
    _require_rows(table, table.columns, game.size)
    bounds = bounds_of(table)
    report("checking", 0.3)
    problems = check_walk_bounds(game, bounds) or _stated_problems(stated, walks_about(choice, game, bounds))
    strata, kept = functools.partial(walk_strata, game), functools.partial(position_of, choice)
    numbers, met = limits.drawn(choice, game.size, strata, kept)
    problems += walk_turn_problems(choice, game, numbers, stage(report, *COMPARING), pool)
    compared = int((~game.over[numbers]).sum())
    positions = int((~game.over).sum())
    certificate = Certificate(choice, positions, bounds.width, compared, tuple(problems), by_engine=False, met=met)
    return _completed(certificate, limits, game.size, numbers, kept, stage(report, *CONFIRMING), pool)


# -- Outcomes ------------------------------------------------------------------------------------------------


def _certify_outcomes(
    table: Table, choice: Choice, limits: Limits, report: Report, pool: Executor | None
) -> Certificate:
    _require_columns(table, OUTCOME_COLUMNS)
    space = space_of(choice, report, pool)
    _require_rows(table, OUTCOME_COLUMNS, len(space))
    outcome = table.column("outcome")
    distance = table.column("distance").astype(np.int32)
    problems = check_outcomes(space, outcome, distance, stage(report, 0.0, COMPARING[0]))
    if not problems:
        problems = _stated_problems(table.header.about, outcomes_about(space, outcome, distance))
        problems += [] if same_keys(table, space) else ["its keys are not those of the game's positions"]
    positions = int((outcome != Outcome.UNSOLVED).sum()) - space.endings

    def strata(numbers: Numbers) -> Numbers:
        known = label(outcome[numbers], distance[numbers] + 1, degrees(space, numbers))
        return np.where(outcome[numbers] == Outcome.UNSOLVED, -1, known)

    count = len(space) - space.endings
    drawn = limits if positions > limits.whole else replace(limits, whole=count)
    numbers, met = drawn.drawn(choice, count, strata, space.position)
    problems += move_problems(choice, space, numbers, stage(report, *COMPARING), pool)
    compared = int((outcome[numbers] != Outcome.UNSOLVED).sum())
    certificate = Certificate(choice, positions, None, compared, tuple(problems), by_engine=False, met=met)
    return _completed(certificate, limits, count, numbers, space.position, stage(report, *CONFIRMING), pool)


def numbers_to_compare(space: Space, most: int) -> list[int]:
    """All, or `most` drawn by the number of their successors, always the same."""
    return Limits(most, most).chosen(len(space) - space.endings, functools.partial(degrees, space))


def same_keys(table: Table, space: Space) -> bool:
    """Does the table find each number by the key that the space gives it?"""
    keys = space.keys()
    if keys is None or not table.has_keys:
        return keys is None and not table.has_keys
    return len(keys) == len(table) and all(table.key(row) == bytes(key) for row, key in enumerate(keys))


# -- Play, as the engine explores it -----------------------------------------------------------------------------


def _certify_play(table: Table, choice: Choice, limits: Limits, report: Report, pool: Executor | None) -> Certificate:
    said = table.header.about
    size = said.get("positions")
    if type(size) is not int or size < 1:
        raise InputError(f"{table.path} does not say how many positions it is about")
    try:
        graph = explored_graph(choice, solved_for(table), size, stage(report, 0.0, 0.3))
    except TooLargeError:
        problem = f"play reaches more than the {size:,} positions that it says it is about"
        return Certificate(choice, size, None, 0, (problem,), by_engine=True)
    report("checking", 0.3)
    check = _play_bounds_problems if graph.play.has_chance else _play_outcome_problems
    width, problems = check(table, graph)
    count = len(graph.play)
    chosen = replace(limits, whole=limits.confirmed, sample=limits.confirmed)
    numbers = chosen.chosen(count, functools.partial(_play_strata, graph))
    certificate = Certificate(choice, count, width, 0, tuple(problems), by_engine=True)
    return _completed(certificate, limits, count, numbers, graph.play.position, stage(report, 0.3, 1.0), pool)


def _play_outcome_problems(table: Table, graph: PlayGraph[Any, Any]) -> tuple[float | None, list[str]]:
    if table.columns != list(OUTCOME_COLUMNS):
        return None, ["it holds bounds, and there is no chance in this game"]
    _require_rows(table, (KEY, *OUTCOME_COLUMNS), len(graph.play))
    outcome, moves = (table.column(name) for name in OUTCOME_COLUMNS)
    problems = _key_problems(table_keys(table), graph.keys) or column_problems(graph, outcome, moves)
    if not problems:
        problems = _named(check_outcomes(graph.arena, *on_nodes(graph, outcome, moves)), graph)
    return None, problems or _stated_problems(table.header.about, play_outcomes_about(graph, outcome, moves))


def _play_bounds_problems(table: Table, graph: PlayGraph[Any, Any]) -> tuple[float | None, list[str]]:
    if table.columns != list(COLUMNS):
        return None, ["it holds outcomes, and there is chance in this game"]
    chart = chart_of(graph)
    _require_bounds_rows(table, chart)
    bounds = Bounds(**{name: table.column(name) for name in COLUMNS})
    problems = _key_problems(table_keys(table), chart.keys) or _named(check_bounds(graph.arena, bounds), graph)
    if problems:
        return None, problems
    return bounds.width, _stated_problems(table.header.about, bounds_about(graph, chart, bounds))


def _named(problems: Sequence[str], graph: PlayGraph[Any, Any]) -> list[str]:
    """The problems, with each node that is a position named by its text."""
    keys = graph.keys

    def text(match: re.Match[str]) -> str:
        node = int(match[1])
        return f"{keys[node].decode()}:" if node < len(keys) else match[0]

    return [NODE.sub(text, problem, count=1) for problem in problems]


def _play_strata(graph: PlayGraph[Any, Any], numbers: Numbers) -> Numbers:
    """Strata by who is to act and the number of ways on; ended positions are not compared."""
    play = graph.play
    who = np.array([play.who(int(number)) for number in numbers])
    degree = np.diff(play.first)[numbers]
    return np.where(who == Who.NOBODY, -1, label(who, degree))


# -- The frame -----------------------------------------------------------------------------------------------


def _completed(
    certificate: Certificate,
    limits: Limits,
    count: int,
    numbers: Sequence[int],
    kept: Callable[[int], Any],
    report: Report,
    pool: Executor | None,
) -> Certificate:
    """The certificate with the results of the spec and of the symmetry, unless the table is already refuted."""
    choice = certificate.choice
    if certificate.problems:
        return replace(certificate, seed=limits.seed if len(numbers) < count else None)
    sample = min(limits.sample, symmetry.SAMPLE)
    looking = stage(report, 0.0, 0.3)
    alike = check_alike(choice, count, kept, whole=limits.whole, sample=sample, seed=limits.seed, report=looking)
    drawn = len(numbers) < count or (alike is not None and not alike.everywhere)
    certificate = replace(certificate, alike=alike, seed=limits.seed if drawn else None)
    if not certificate.by_engine or not choice.game.spec_name:
        return certificate
    chosen = random.Random(limits.seed).sample(numbers, min(limits.confirmed, len(numbers)))
    confirmed = confirm(choice, [kept(number) for number in sorted(chosen)], limits.seed, stage(report, 0.3, 1.0), pool)
    problems = certificate.problems + confirmed.problems
    return replace(
        certificate, compared=len(chosen), confirmed=confirmed, seed=limits.seed, problems=problems, met=confirmed.met
    )


def _require_columns(table: Table, wanted: Sequence[str]) -> None:
    if table.columns != list(wanted):
        raise InputError(f"{table.path} has the columns {', '.join(table.columns)}, expected {', '.join(wanted)}")


def choice_of(table: Table) -> Choice:
    """The game that a table names, if its rules are the same here."""
    header = table.header
    game = registry.find(header.game)
    try:
        choice = Choice(game, game.params(header.parameters), game.rulebook.choose(header.readings))
    except (InputError, TypeError, AttributeError) as error:
        raise InputError(f"{table.path} is about a game with other parameters or readings: {error}") from None
    wanted = header_of(choice)
    if (wanted.parameters, wanted.readings) != (header.parameters, header.readings):
        raise InputError(f"{table.path} does not state all parameters and readings of {game.slug}")
    if wanted.rulebook != header.rulebook:
        raise InputError(f"{table.path} was made under another rulebook of {game.slug}; solve it again")
    return choice


def _require_rows(table: Table, columns: Sequence[str], rows: int) -> None:
    """Check the size before reading anything: a small file can claim a lot."""
    for name in columns:
        if table.rows(name) != rows:
            raise WrongSizeError(f"its column {name} has {table.rows(name):,} entries, not the {rows:,} of the game")


def _require_bounds_rows(table: Table, chart: Chart) -> None:
    """A choice is kept for every node, everything else where a player is to move or chance to act."""
    _require_rows(table, (KEY, *COLUMNS[:-1]), len(chart.keys))
    _require_rows(table, COLUMNS[-1:], len(chart.arena))


def _frame_problems(keys: list[bytes], stated: Any, chart: Chart, bounds: Bounds) -> list[str]:
    return _key_problems(keys, chart.keys) or _stated_problems(stated, about(chart, bounds))


def table_keys(table: Table) -> list[bytes]:
    return [table.key(row) for row in range(len(table))] if table.has_keys else []


def _key_problems(keys: list[bytes], wanted: list[bytes]) -> list[str]:
    if keys == wanted:
        return []
    odd = sorted(set(keys) ^ set(wanted))
    shown = f", for example {odd[0].decode(errors='replace')!r}" if odd else ""
    return [f"its {len(keys):,} positions are not the {len(wanted):,} of the game{shown}"]


def _stated_problems(stated: Any, wanted: dict[str, Any]) -> list[str]:
    said = stated if isinstance(stated, dict) else {}
    return [
        f"its header says {name} {said.get(name)!r}, it is {value!r}"
        for name, value in wanted.items()
        if said.get(name) != value
    ]


Check = Callable[[Table, Choice, Limits, Report, Executor | None], Certificate]
CHECKS: dict[Method, Check] = {
    Method.RETROGRADE: _certify_outcomes,
    Method.GRAPH: _certify_bounds,
    Method.NUMBER: _certify_walks,
    Method.PLAY: _certify_play,
}
