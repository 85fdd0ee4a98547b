"""A row of the table of benchmarks, and how the figures in it are measured.

Seconds are CPU seconds of this process, so that other work on the machine matters little; what is compared is run in
turns, several times over, and the ratio is the median of those of the turns.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

REPEATS = 3


@dataclass(frozen=True)
class Row:
    """What was done, how it went here and by other means, and what was asked for."""

    work: str
    measure: str  # what the two figures are: "CPU seconds", "bytes a position"
    ours: float
    against: str = ""  # the other means
    theirs: float | None = None
    ratio: float | None = None  # how many times as good ours is
    spread: tuple[float, float] | None = None  # the least and the greatest ratio of a turn
    at_least: float | None = None  # asked of the ratio
    at_most: float | None = None  # asked of our figure
    note: str = ""

    @property
    def met(self) -> bool | None:
        """None if nothing was asked for."""
        if self.at_least is not None:
            return self.ratio is not None and self.ratio >= self.at_least
        return None if self.at_most is None else self.ours <= self.at_most

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "met": self.met}

    def __str__(self) -> str:
        other = "" if self.theirs is None else f"; {self.against}: {self.theirs:,.4g}"
        ratio = "" if self.ratio is None else f", {self.ratio:,.1f} times as good"
        return f"{self.work}: {self.ours:,.4g} {self.measure}{other}{ratio}{_verdict(self)}"


def _verdict(row: Row) -> str:
    if row.met is None:
        return ""
    wanted = f"at least {row.at_least:g} times" if row.at_least is not None else f"at most {row.at_most:g}"
    return f" ({wanted} wanted{'' if row.met else ', NOT MET'})"


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """How long a piece of work takes, and what it gives."""
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


def seconds_of_all(work: Callable[..., Any], *arguments: Any) -> float:
    """The same of a fresh process and all that it starts. The work is a function of a module."""
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = multiprocessing.get_context("spawn").Process(target=work, args=arguments)
    process.start()
    process.join()
    if process.exitcode:
        raise RuntimeError(f"{work.__name__} ended with status {process.exitcode}")
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime


def compare(
    work: str,
    ours: Callable[[], Any],
    theirs: Callable[[], Any],
    against: str,
    *,
    at_least: float | None = None,
    shares: tuple[float, float] = (1, 1),
    repeats: int = REPEATS,
    note: str = "",
) -> Row:
    """Run both in turns. `shares` says how much of the work each of them does, if they do not do the same."""
    turns = [(seconds(ours)[0] / shares[0], seconds(theirs)[0] / shares[1]) for _ in range(repeats)]
    ratios = sorted(other / own for own, other in turns)
    own, other = (statistics.median(column) for column in zip(*turns, strict=True))
    spread = (ratios[0], ratios[-1])
    ratio = statistics.median(ratios)
    return Row(work, "CPU seconds", own, against, other, ratio, spread, at_least=at_least, note=note)


def compare_rates(
    work: str, ours: Callable[[], Any], theirs: Callable[[], Any], against: str, counts: tuple[int, int], **more: Any
) -> Row:
    """The same of work that is counted: how many a second on one core."""
    row = compare(work, ours, theirs, against, shares=counts, **more)
    assert row.theirs is not None
    return Row(**{**asdict(row), "measure": "positions a second", "ours": 1 / row.ours, "theirs": 1 / row.theirs})


def peak_bytes(work: Callable[..., Any], *arguments: Any) -> tuple[int, Any]:
    """The most memory that a piece of work adds to a fresh process, and what it gives.

    The work is a function of a module; it is called twice, the first time with `warm=True` to load and compile.
    Arrays of all sizes are given back to the system as soon as they go, as those of large games are in any case.
    """
    fresh = multiprocessing.get_context("spawn")
    os.environ["MALLOC_MMAP_THRESHOLD_"] = str(1 << 17)  # the C library's own, but it must not rise
    with ProcessPoolExecutor(1, mp_context=fresh) as pool:
        return pool.submit(_peak_here, work, arguments).result()


def _peak_here(work: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[int, Any]:
    work(*arguments, warm=True)
    forget_peak()
    before = memory("VmRSS")
    found = work(*arguments, warm=False)
    return memory("VmHWM") - before, found


def forget_peak() -> None:
    """The peak so far, also that of the process it came from."""
    Path("/proc/self/clear_refs").write_text("5")


def memory(name: str) -> int:
    """What the system says of this process, in bytes."""
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(lines[name].split()[0]) * 1024
