"""Shows on standard error how far a long piece of work is: a bar on a terminal, a line now and then elsewhere.

Both move on while nothing is reported, so that one long task is not taken for a stop.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rulecheck.jobs import Report
from rulecheck.wording import duration

LOG_EVERY = 10.0  # seconds
PROGRESS = "RULECHECK_PROGRESS"  # in the environment: log progress this often instead, in seconds


class Overall:
    """One share of the whole, which never falls back whatever the stages report, and the time left.

    The time left is told from the pace since the first report, as work that is resumed begins with a share done. It is
    counted down between reports; when it has run out, nothing is known.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._begin = clock, clock()
        self._first: tuple[float, float] | None = None  # when the first report came, and its share
        self._gained = self._begin  # when the share last grew
        self.what, self.share = "", 0.0

    def __call__(self, what: str, done: float) -> None:
        now, self.what = self._clock(), what
        if self._first is None:
            self._first = now, done
        if done > self.share:
            self.share, self._gained = min(done, 1.0), now

    def elapsed(self) -> float:
        return self._clock() - self._begin

    def left(self) -> float | None:
        """In seconds; None if that is not known."""
        begin, share = self._first or (self._begin, 0.0)
        if self.share <= share:
            return None
        left = (self._gained - begin) * (1 - self.share) / (self.share - share) + self._gained - self._clock()
        return left if left > 0 else None

    def __str__(self) -> str:
        left = self.left()
        return "" if left is None else f"about {duration(left)} left"


class LogLines:
    """Says how far the work is, at most every few seconds; `say` does so without a report."""

    def __init__(self, title: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._title, self._overall, self._said, self._lock = title, Overall(clock), 0.0, threading.Lock()
        self.every = float(os.environ.get(PROGRESS) or LOG_EVERY)

    def __call__(self, what: str, done: float) -> None:
        self._overall(what, done)
        self.say()

    def say(self) -> None:
        with self._lock:
            elapsed = self._overall.elapsed()
            if elapsed - self._said < self.every:
                return
            self._said = elapsed
            figures = (f"{100 * self._overall.share:.0f} % after {duration(elapsed)}", str(self._overall))
            words = "; ".join(filter(None, (", ".join(filter(None, figures)), self._overall.what)))
            print(f"{self._title}: {words}", file=sys.stderr, flush=True)


@contextmanager
def show_progress(title: str) -> Iterator[Report]:
    """A bar on a terminal, lines elsewhere; call the value with (what, share done)."""
    with _bar(title) if sys.stderr is not None and sys.stderr.isatty() else _log(title) as report:
        yield report


@contextmanager
def _bar(title: str) -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.table import Column

    overall = Overall()
    left = TextColumn("{task.percentage:.0f} % {task.fields[overall]}", markup=False)
    rest = Column(ratio=1, no_wrap=True, overflow="ellipsis")  # what is at work may be long
    words = TextColumn(title + ": {task.fields[overall].what}", markup=False, table_column=rest)
    columns = (SpinnerColumn(), BarColumn(20), TimeElapsedColumn(), left, words)
    with Progress(*columns, console=Console(stderr=True), transient=True, expand=True) as bars:
        task = bars.add_task(title, total=1.0, overall=overall)

        def report(what: str, done: float) -> None:
            overall(what, done)
            bars.update(task, completed=overall.share)

        yield report


@contextmanager
def _log(title: str) -> Iterator[Report]:
    lines, over = LogLines(title), threading.Event()

    def tick() -> None:
        while not over.wait(min(lines.every, threading.TIMEOUT_MAX)):
            lines.say()

    ticker = threading.Thread(target=tick, daemon=True)
    ticker.start()
    try:
        yield lines
    finally:
        over.set()
        ticker.join()
