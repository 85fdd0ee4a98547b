"""How a solved game is stored: a graph of positions, bounds for each of them, and a file that answers questions.

A game's hints give the graph (`chart`) and the form in which a position is kept (`normaliser`); the rest is the
same for all games. Every position is seen by the player to move: `win` is what that player can force, `loss` what the
opponent can, and what is left belongs to neither. All three are bounds, integers on the scale ONE.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError
from rulecheck.registry import Choice
from rulecheck.solve.spaces import key_of
from solvers.certificate import ONE, Bounds
from solvers.graph import Arena
from solvers.tablebase import Header, Table, TableError, open_table, write_table
from solvers.walks import Walks, whole

TABLES = Path("tables")
LONGEST_NAME = 120
LARGEST_SCALE = 1 << 62
UNSAFE = re.compile(r"[^\w=,.+-]")  # in the name of a file


class Method(StrEnum):
    """How a table was made; its header says so, and `probe` and `certify` go by it."""

    RETROGRADE = "retrograde"  # outcomes, by compiled successors
    GRAPH = "values by graph"  # bounds, on the graph that the game builds itself
    NUMBER = "values by number"  # bounds, for games too large for a graph
    PLAY = "play"  # outcomes or bounds, on play as the engine explores it


COLUMNS = ("low_f", "high_f", "low_g", "high_g", "rank_f", "rank_g", "choice")


@dataclass(frozen=True, eq=False)
class Chart:
    """A game as a graph. Its anchors are the positions before a roll, in the order of their keys."""

    arena: Arena
    keys: list[bytes]  # each position's canonical notation, rising
    start: bytes
    compiled: bool = False  # built by code of its own, not from the engine's moves

    @functools.cached_property
    def nodes(self) -> NDArray[np.int64]:
        """The node of each key."""
        return self.arena.anchors


def own_chart(choice: Choice, report: Report = ignore) -> Chart | None:
    """The graph that a game builds itself, if it does."""
    return choice.game.hints.chart(choice.engine(), report)


def drawn_chart(choice: Choice, report: Report = ignore) -> Chart:
    chart = own_chart(choice, report)
    if chart is None:
        raise InputError(f"{choice.game.slug} draws no graph of itself")
    return chart


def reader(choice: Choice, chart: Chart) -> Callable[[int], Any]:
    """A function from the row of a key to its position."""
    return lambda row: choice.game.read_position(choice.params, chart.keys[row].decode())


def size_by_number(choice: Choice) -> int:
    """The number of positions solved by number, because a graph would be too large; otherwise 0."""
    return choice.game.hints.by_number(choice.engine())


def walks_of(choice: Choice, report: Report = ignore) -> Walks:
    return whole(choice.game.hints.walks(choice.params, choice.readings), report)


def number_of(choice: Choice, position: Any) -> int:
    return choice.game.hints.number(choice.params, position)


def position_of(choice: Choice, number: int) -> Any:
    return choice.game.hints.numbered(choice.params, number)


def header_of(choice: Choice, **about: Any) -> Header:
    """The header of a table of this game."""
    book = choice.game.rulebook
    return Header(choice.game.slug, choice.params.as_dict(), dict(choice.readings), book.digest, about)


def table_name(choice: Choice, hero: str | None = None) -> str:
    """The game, every choice that is not as printed, and the hero if it is solved for one of several players."""
    usual = {**choice.game.params({}).as_dict(), **choice.game.rulebook.defaults()}
    chosen = {**choice.params.as_dict(), **choice.readings}
    parts = [f"{key}={value}" for key, value in chosen.items() if value != usual.get(key)]
    name = UNSAFE.sub("~", "_".join((choice.game.slug, *parts)))
    if len(name) > LONGEST_NAME:
        name = f"{choice.game.slug}-{hashlib.sha256(name.encode()).hexdigest()[:16]}"
    return name if hero is None else f"{name}_for={UNSAFE.sub('~', hero)}"


class Range(NamedTuple):
    """Two-sided bounds of a probability, on the scale ONE."""

    low: int
    high: int

    def as_json(self) -> dict[str, float]:
        return {"low": self.low / ONE, "high": self.high / ONE}  # exact: forty bits fit in a double

    def __str__(self) -> str:
        """Seven digits, rounded outwards, so that the printed bounds hold."""
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
TIED = Values(Range(0, 0), Range(0, 0))


@contextmanager
def plain_sentences() -> Iterator[None]:
    """A table that cannot be used is bad input."""
    try:
        yield
    except TableError as error:
        raise InputError(str(error)) from None


def values_at(bounds: Bounds, row: int) -> Values:
    return values_in([column[row] for column in (bounds.low_f, bounds.high_f, bounds.low_g, bounds.high_g)], ONE)


def values_in(columns: Sequence[int], one: int) -> Values:
    """Bounds on the scale `one`, converted to the common scale by rounding outwards."""
    low_f, high_f, low_g, high_g = (int(x) * ONE for x in columns)
    return Values(Range(low_f // one, -(-high_f // one)), Range(low_g // one, -(-high_g // one)))


# -- Writing -------------------------------------------------------------------------------------------------


def write_solution(path: Path, choice: Choice, chart: Chart, bounds: Bounds) -> None:
    write_table(path, header_of(choice, **about(chart, bounds)), bounds.columns(), chart.keys)


def about(chart: Chart, bounds: Bounds) -> dict[str, Any]:
    size = {"positions": len(chart.keys), "nodes": len(chart.arena), "edges": len(chart.arena.succ)}
    frame = {"method": Method.GRAPH.value, **size, "start": chart.start.decode()}
    return {**frame, "width": bounds.width, "scale": ONE}


def method_of(table: Table) -> Method:
    said = table.header.about
    name = said.get("method") if isinstance(said, dict) else None
    known = [method.value for method in Method]
    if name not in known:
        raise InputError(
            f"{table.path} says {name!r} where its method should be, one of {', '.join(known)}; solve the game again"
        )
    return Method(name)


# -- Answering from a table ----------------------------------------------------------------------------------


def find_table(choice: Choice, path: Path | None, folder: Path, hero: str | None = None) -> Table:
    """The named table, or this choice's table in the folder; it must be about exactly this game."""
    named = path if path is not None else folder / f"{table_name(choice, hero)}.table"
    if not is_there(named):
        where = ("" if hero is None else f" --for {hero}") + ("" if folder == TABLES else f" --out {folder}")
        raise InputError(f"there is no table {str(named)!r}; make it with: rulecheck solve {choice.options}{where}")
    h = header_of(choice)
    with plain_sentences():
        table = open_table(named, game=h.game, parameters=h.parameters, readings=h.readings, rulebook=h.rulebook)
    require_whole_numbers(table)
    return table


def scale_of(table: Table) -> int:
    """The scale of the table's bounds: the integer that stands for 1."""
    scale = table.header.about.get("scale")
    if type(scale) is not int or not 1 <= scale <= LARGEST_SCALE:
        raise InputError(f"{table.path} states the scale {scale!r}; expected a whole number from 1 to {LARGEST_SCALE}")
    return scale


def require_whole_numbers(table: Table) -> None:
    """Require integer columns; a table with others was not written by `solve`."""
    for name in table.columns:
        if table.kind(name) not in "iu":
            raise InputError(f"{table.path} is no table of a solved game: its column {name} holds no whole numbers")


def is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # an impossible file name
        return False


def stored_values(table: Table, choice: Choice, position: Any) -> Values:
    with plain_sentences():
        row = table.find(key_of(choice, position)) if table.has_keys else number_of(choice, position)
        if row is None:
            raise InputError(f"{position} cannot arise from the start of this game, so its table does not hold it")
        return values_in([table.value(name, row) for name in COLUMNS[:4]], scale_of(table))


def best_values(options: Sequence[Values]) -> Values:
    """The chooser's values: the largest win and the smallest loss among the options."""
    win = Range(max(o.win.low for o in options), max(o.win.high for o in options))
    return Values(win, Range(min(o.loss.low for o in options), min(o.loss.high for o in options)))


def given_away(best: Range, this: Range) -> Range:
    """What a turn loses compared with the best one."""
    return Range(max(0, best.low - this.high), max(0, best.high - this.low))
