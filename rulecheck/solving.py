"""Solves a game of chance, keeps the answer as a table, answers from the table, and proves the table.

A game's study gives the graph (`chart`) and the form in which a position is kept (`normalised`); the rest is the
same for all games. Every position is seen by the player to move: `win` is what that player can force, `loss` what the
opponent can, and what is left belongs to neither. All three are bounds, integers on the scale ONE.
"""

from __future__ import annotations

import functools
import hashlib
import math
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulecheck import registry
from rulecheck.jobs import Report, ignore
from rulecheck.model import Engine, InputError, Readings
from rulecheck.registry import Game
from solvers.certificate import ONE, Bounds, check_bounds
from solvers.checkpoint import CheckpointStore
from solvers.graph import Arena, Kind
from solvers.stochastic import Solution, solve
from solvers.tablebase import Header, Table, TableError, open_table, write_table

TABLES = Path("tables")
WIDTH = 1e-6
KEEP_EVERY = 30.0  # seconds of work that a crash may cost
LONGEST_NAME = 120
MOST_EXACT = 4000  # positions; rational equations grow quickly
COMPARED_WHOLE = 3000  # positions of games whose turns are compared with the engine's one and all
SAMPLE = 300  # positions compared in larger games
COLUMNS = ("low_f", "high_f", "low_g", "high_g", "rank_f", "rank_g", "choice")


class NotProvedError(Exception):
    """The checker did not accept the solver's answer, so there is no answer."""


class InterruptedSolve(Exception):
    """The user stopped a solve; the message says what was kept of it."""


@dataclass(frozen=True, eq=False)
class Chart:
    """A game as a graph. Its anchors are the positions before a roll, in the order of their keys."""

    arena: Arena
    keys: list[bytes]  # each position's canonical notation, rising
    start: bytes

    @functools.cached_property
    def nodes(self) -> NDArray[np.int64]:
        """The node of each key."""
        return self.arena.anchors


@dataclass(frozen=True)
class Setting:
    """A game with its parameters and readings chosen: what a table is a table of."""

    game: Game
    params: Any
    readings: Readings

    def engine(self) -> Engine:
        return self.game.engine(self.params, self.readings)

    def chart(self, report: Report = ignore) -> Chart:
        study = self.game.study
        if not hasattr(study, "chart"):
            raise InputError(f"{self.game.slug} comes without a graph for the solvers, so it cannot be solved")
        found: Chart = study.chart(self.engine(), report)
        return found

    def key(self, position: Any) -> bytes:
        return str(self.game.study.normalised(position)).encode()

    def header(self, **about: Any) -> Header:
        book = self.game.rulebook
        return Header(self.game.slug, self.params.as_dict(), dict(self.readings), book.digest, about)

    @property
    def name(self) -> str:
        """The name of its table: the game and whatever is not as printed in its rulebook."""
        usual = {**self.game.params({}).as_dict(), **self.game.rulebook.defaults()}
        chosen = {**self.params.as_dict(), **self.readings}
        parts = [f"{key}={value}" for key, value in chosen.items() if value != usual[key]]
        name = re.sub(r"[^\w=,.+-]", "~", "_".join((self.game.slug, *parts)))
        if len(name) <= LONGEST_NAME:
            return name
        return f"{self.game.slug}-{hashlib.sha256(name.encode()).hexdigest()[:16]}"

    @property
    def options(self) -> str:
        """What to type behind the name of a command to choose the same game."""
        usual = {**self.game.params({}).as_dict(), **self.game.rulebook.defaults()}
        texts = [f"-p {k}={v}" for k, v in self.params.as_dict().items() if v != usual[k]]
        texts += [f"-r {k}={v}" for k, v in self.readings.items() if v != usual[k]]
        return " ".join((self.game.slug, *texts))


class Range(NamedTuple):
    """Two-sided bounds of a probability, on the scale ONE."""

    low: int
    high: int

    def as_json(self) -> dict[str, float]:
        return {"low": self.low / ONE, "high": self.high / ONE}  # exact: forty bits fit in a double

    def __str__(self) -> str:
        """Seven digits, rounded outwards, so that what is printed is still true."""
        scale = 10**7
        low, high = self.low * scale // ONE, -(-self.high * scale // ONE)
        return f"{low / scale:.7f}" if low == high else f"{low / scale:.7f} to {high / scale:.7f}"


class Values(NamedTuple):
    win: Range
    loss: Range

    @property
    def neither(self) -> Range:
        return Range(max(0, ONE - self.win.high - self.loss.high), ONE - self.win.low - self.loss.low)

    def as_json(self) -> dict[str, Any]:
        return {**self.win.as_json(), "opponent": self.loss.as_json(), "neither": self.neither.as_json()}


WON = Values(Range(ONE, ONE), Range(0, 0))
LOST = Values(Range(0, 0), Range(ONE, ONE))


@contextmanager
def plain_sentences() -> Iterator[None]:
    """A table that cannot be used is bad input."""
    try:
        yield
    except TableError as error:
        raise InputError(str(error)) from None


# -- Solving -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Solved:
    setting: Setting
    chart: Chart
    solution: Solution
    path: Path

    @property
    def values(self) -> Values:
        """What the start is worth to the player to move."""
        return values_at(self.solution.bounds, self.chart.keys.index(self.chart.start))


def values_at(bounds: Bounds, row: int) -> Values:
    low_f, high_f, low_g, high_g = (int(getattr(bounds, name)[row]) for name in COLUMNS[:4])
    return Values(Range(low_f, high_f), Range(low_g, high_g))


def solve_game(
    setting: Setting,
    folder: Path,
    width: float = WIDTH,
    *,
    resume: bool = False,
    most: float = math.inf,
    report: Report = ignore,
) -> Solved:
    """Solve, have the answer checked, and write it. What the checker does not accept is not written."""
    if not width > 0 or width > 1:
        raise InputError(f"the width of the bounds must be more than 0 and at most 1, found {width:g}")
    _need_folder(folder)
    store = CheckpointStore(folder / f"{setting.name}.checkpoint", setting.header())
    plan = _kept_plan(store) if resume else None
    chart = setting.chart(report)
    if len(chart.keys) > most:
        raise InputError(f"this game has {len(chart.keys):,} positions; up to {most:,} can be solved in this way")
    solution = _solve(chart.arena, width, plan, _Keeper(store), report)
    report("checking", 1.0)
    if problems := check_bounds(chart.arena, solution.bounds):
        raise NotProvedError(f"the checker does not accept the solver's answer: {problems[0]}")
    path = folder / f"{setting.name}.table"
    with plain_sentences():
        write_solution(path, setting, chart, solution.bounds)
        store.clear()
    return Solved(setting, chart, solution, path)


def write_solution(path: Path, setting: Setting, chart: Chart, bounds: Bounds) -> None:
    write_table(path, setting.header(**_about(chart, bounds)), bounds.columns(), chart.keys)


def _about(chart: Chart, bounds: Bounds) -> dict[str, Any]:
    size = {"positions": len(chart.keys), "nodes": len(chart.arena), "edges": len(chart.arena.succ)}
    return {**size, "start": chart.start.decode(), "width": bounds.width, "scale": ONE}


def _need_folder(folder: Path) -> None:
    """Find out before the work, not after it, that nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot write tables into {str(folder)!r}: {reason}") from None


def _kept_plan(store: CheckpointStore) -> NDArray[np.int32]:
    with plain_sentences():
        kept = store.load()
    if kept is None:
        raise InputError(f"there is nothing to resume: no file {store.path}; leave out --resume to begin")
    if kept.keys() != {"protagonist", "opponent"} or len({len(part) for part in kept.values()}) != 1:
        raise InputError(f"{store.path} is no checkpoint of a solve; leave out --resume to begin again")
    return np.stack([kept["protagonist"], kept["opponent"]], axis=1)


class _Keeper:
    """Saves both players' plans now and then: writing a large one after every round would cost more than it saves."""

    def __init__(self, store: CheckpointStore) -> None:
        self.store, self.saved = store, time.monotonic()
        self.latest: NDArray[np.int32] | None = None

    def __call__(self, plan: NDArray[np.int32]) -> None:
        self.latest = plan
        if time.monotonic() - self.saved > KEEP_EVERY:
            self.save()

    def save(self) -> bool:
        """Was there anything to save?"""
        if self.latest is None:
            return False
        self.store.save({"protagonist": self.latest[:, 0], "opponent": self.latest[:, 1]})
        self.saved = time.monotonic()
        return True


def _solve(
    arena: Arena, width: float, plan: NDArray[np.int32] | None, keeper: _Keeper, report: Report
) -> Solution:
    try:
        return solve(arena, width, progress=report, checkpoint=keeper, start=plan)
    except KeyboardInterrupt:
        with plain_sentences():
            kept = keeper.save() or plan is not None
        rest = f"kept in {keeper.store.path}; the same command with --resume goes on from there"
        raise InterruptedSolve(f"interrupted; what was found is {rest}" if kept else "") from None
    except ValueError as error:  # a plan that is not one of this graph
        raise InputError(f"{keeper.store.path} does not fit this game: {error}; leave out --resume") from None


def exact_start(solved: Solved) -> tuple[str, str]:
    """The start's win and loss as fractions. All exact values must lie within the bounds."""
    from solvers.exact import solve_exactly

    chart, bounds = solved.chart, solved.solution.bounds
    exact = solve_exactly(chart.arena)
    for row, node in enumerate(chart.nodes):
        for value, bound in zip((exact.f[node], exact.g[node]), values_at(bounds, row), strict=True):
            if not bound.low <= value * ONE <= bound.high:
                raise NotProvedError(f"{chart.keys[row].decode()}: {value} is outside its bounds {bound}")
    start = chart.nodes[chart.keys.index(chart.start)]
    return str(exact.f[start]), str(exact.g[start])


# -- Answering from a table ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class TurnValue:
    """A turn, what it is worth to the player who makes it, and what it gives away against the best one."""

    move: str
    result: str
    values: Values
    loses: Range

    def as_json(self) -> dict[str, Any]:
        return {"move": self.move, "result": self.result, **self.values.as_json(), "loses": self.loses.as_json()}


@dataclass(frozen=True)
class RollValue:
    """A roll (None where there is no die), its value, and the turns, best first."""

    roll: int | None
    values: Values
    turns: tuple[TurnValue, ...]

    def as_json(self) -> dict[str, Any]:
        turns = [turn.as_json() for turn in self.turns]
        return {"roll": self.roll, **self.values.as_json(), "best": self.turns[0].move, "turns": turns}


@dataclass(frozen=True)
class Probe:
    position: str
    values: Values
    rolls: tuple[RollValue, ...]


def find_table(setting: Setting, path: Path | None, folder: Path) -> Table:
    """The named table, or the one of this setting in the folder; it must be about this very game."""
    named = path if path is not None else folder / f"{setting.name}.table"
    if not _is_there(named):
        where = "" if folder == TABLES else f" --out {folder}"
        raise InputError(f"there is no table {str(named)!r}; make it with: rulecheck solve {setting.options}{where}")
    h = setting.header()
    with plain_sentences():
        return open_table(named, game=h.game, parameters=h.parameters, readings=h.readings, rulebook=h.rulebook)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def probe(table: Table, setting: Setting, position: Any) -> Probe:
    """What a position is worth, and what every turn in it is worth, for every roll or the one it says."""
    engine = setting.engine()
    if engine.winner(position):
        return Probe(str(position), ended(engine, position), ())
    chances = engine.chances(position)
    rolls = tuple(_weigh(table, setting, engine, rolled) for rolled in chances or (position,))
    values = stored_values(table, setting, position) if chances else rolls[0].values
    return Probe(str(position), values, rolls)


def ended(engine: Engine, position: Any) -> Values:
    return WON if engine.winner(position) == position.mover else LOST


def stored_values(table: Table, setting: Setting, position: Any) -> Values:
    with plain_sentences():
        row = table.find(setting.key(position))
        if row is None:
            raise InputError(f"{position} cannot arise from the start of this game, so its table does not hold it")
        low_f, high_f, low_g, high_g = (table.value(name, row) for name in COLUMNS[:4])
    return Values(Range(low_f, high_f), Range(low_g, high_g))


def _weigh(table: Table, setting: Setting, engine: Engine, rolled: Any) -> RollValue:
    found = []
    for move, result in engine.moves(rolled).items():
        over = engine.winner(result) is not None
        there = ended(engine, result) if over else stored_values(table, setting, result)
        found.append((str(move), str(result), Values(there.loss, there.win)))  # the other one is to move there
    found.sort(key=lambda turn: (-turn[2].win.low, turn[2].loss.high, turn[0]))
    values = _best([turn[2] for turn in found])
    turns = (TurnValue(*turn, _loses(values.win, turn[2].win)) for turn in found)
    return RollValue(getattr(rolled, "roll", None), values, tuple(turns))


def _best(options: Sequence[Values]) -> Values:
    """The chooser's: as much of a win, and as little of a loss, as one of the options gives."""
    win = Range(max(o.win.low for o in options), max(o.win.high for o in options))
    return Values(win, Range(min(o.loss.low for o in options), min(o.loss.high for o in options)))


def _loses(best: Range, this: Range) -> Range:
    return Range(max(0, best.low - this.high), max(0, best.high - this.low))


# -- Proving a table -----------------------------------------------------------------------------------------


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
    if not _is_there(path):
        raise InputError(f"there is no table {str(path)!r}; rulecheck solve makes one")
    with plain_sentences(), open_table(path) as table:
        table.verify()
        setting = setting_of(table)
        bounds = Bounds(**{name: table.column(name) for name in COLUMNS})
        keys = [table.key(row) for row in range(len(table))]
        about = table.header.about
    chart = setting.chart(report)
    report("checking", 0.5)
    problems = _frame_problems(keys, about, chart, bounds) or check_bounds(chart.arena, bounds)
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


def _frame_problems(keys: list[bytes], about: Any, chart: Chart, bounds: Bounds) -> list[str]:
    if keys != chart.keys:
        odd = sorted(set(keys) ^ set(chart.keys))
        shown = f", for example {odd[0].decode(errors='replace')!r}" if odd else ""
        return [f"its {len(keys):,} positions are not the {len(chart.keys):,} of the game{shown}"]
    wanted = _about(chart, bounds)
    said = about if isinstance(about, dict) else {}
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
