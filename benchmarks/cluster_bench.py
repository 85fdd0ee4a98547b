"""What a cluster on this machine costs above local processes: Dask's workers, and what passes between them."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from benchmarks.rows import REPEATS, Row, seconds_of_all
from benchmarks.spaces import setting
from rulecheck import registry
from rulecheck.cluster import connected
from rulecheck.jobs import run_all
from rulecheck.processes import Processes
from rulecheck.solve.by_number import solve_by_number
from rulecheck.solve.solver import solve_space

PIECES = 2000
SWEEPS = 10
BOARD, SMALL_BOARD = {"core": "3", "width": "1"}, {"core": "2", "width": "2", "nests": "1"}
STREET = {"squares": "5", "sizes": "12", "pedestrians": "1,-,-"}
SMALL_STREET = {"squares": "3", "sizes": "12", "pedestrians": "1"}

Opened = Callable[[], AbstractContextManager[Executor]]


def cluster() -> AbstractContextManager[Executor]:
    return connected("local")


def processes() -> AbstractContextManager[Executor]:
    return Processes(2)


def nothing(number: int) -> int:
    return number


def pieces(opened: Opened, count: int) -> None:
    with opened() as executor:
        run_all(nothing, range(count), executor=executor)


def outcomes(opened: Opened, params: Mapping[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder, opened() as executor:
        solve_space(setting(registry.find("nestrace"), params), Path(folder), executor=executor)


def swept_there(params: Mapping[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder, cluster() as executor:
        choice = setting(registry.find("crosswalk"), params)
        solve_by_number(choice, Path(folder), sweeps=SWEEPS, executor=executor)


def swept_here(params: Mapping[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        solve_by_number(setting(registry.find("crosswalk"), params), Path(folder), sweeps=SWEEPS, jobs=2)


def rows(small: bool) -> Iterator[Row]:
    repeats = 1 if small else REPEATS
    count, board, street = (20, SMALL_BOARD, SMALL_STREET) if small else (PIECES, BOARD, STREET)
    local = "2 local processes"
    yield row("start and end, 2 pieces of no work", local, (pieces, cluster, 2), (pieces, processes, 2), repeats)
    title = f"{count:,} pieces of no work"
    yield row(title, local, (pieces, cluster, count), (pieces, processes, count), repeats)
    title = f"Nest race, {_shown(board)}: solve"
    yield row(title, local, (outcomes, cluster, board), (outcomes, processes, board), repeats)
    title = f"Crosswalk, {_shown(street)}: {SWEEPS} sweeps"
    yield row(title, "2 local threads", (swept_there, street), (swept_here, street), repeats)


def _shown(params: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in params.items())


def row(title: str, against: str, there: tuple[Any, ...], here: tuple[Any, ...], repeats: int) -> Row:
    """In turns; all processes count, from the start of each until it has ended."""
    turns = [(seconds_of_all(*there), seconds_of_all(*here)) for _ in range(repeats)]
    ratios = sorted(other / own for own, other in turns)
    ours, theirs = (statistics.median(column) for column in zip(*turns, strict=True))
    note = "CPU seconds of all processes together, with starting and ending them."
    ratio = statistics.median(ratios)
    spread = ratios[0], ratios[-1]
    return Row(f"{title}, on a cluster of this machine", "CPU seconds", ours, against, theirs, ratio, spread, note=note)
