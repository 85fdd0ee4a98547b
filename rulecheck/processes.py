"""Local processes that are started as work arrives, and that outlive the loss of one of them.

The system ends a process that takes too much memory. What it had in hand is done again elsewhere, at most RETRIES
times; the work of the other processes is not touched.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any

from rulecheck.jobs import tell_to
from rulecheck.model import InputError

RETRIES = 2
LOOK_EVERY = 2.0  # seconds


class WorkerLostError(InputError):
    """A piece of work ended its worker each time it was tried."""


class Piece(Future[Any]):
    """A piece of work; while it is being done, the share of it that is."""

    def __init__(self) -> None:
        super().__init__()
        self.meter: Any = None  # a number in memory that the worker writes to
        self.ended = False  # the meter is another piece's from now on

    def share(self) -> float:
        if self.ended or self.meter is None:
            return float(self.ended)
        told: float = self.meter.value
        return min(max(told, 0.0), 1.0)


@dataclass(eq=False)
class _Worker:
    pool: ProcessPoolExecutor
    meter: Any

    def take(self, task: _Task) -> Future[Any]:
        self.meter.value, task.future.meter = 0.0, self.meter
        return self.pool.submit(task.work)


@dataclass(eq=False)
class _Task:
    future: Piece
    work: Callable[[], Any]
    lost: int = 0  # how many processes it went down with

    def begins(self) -> bool:
        """Is it still wanted?"""
        return self.lost > 0 or self.future.set_running_or_notify_cancel()


class Processes(Executor):
    """At most `jobs` processes; with `fresh`, each piece of work has a new interpreter of its own."""

    def __init__(self, jobs: int, *, fresh: bool = False) -> None:
        self.jobs, self._fresh = jobs, fresh
        self._lock = threading.Lock()
        self._waiting: deque[_Task] = deque()
        self._started: list[_Worker] = []
        self._idle: list[_Worker] = []
        self._closed = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        task = _Task(Piece(), partial(fn, *args, **kwargs))
        with self._lock:
            if self._closed:
                raise RuntimeError("cannot schedule new futures after shutdown")
            self._waiting.append(task)
        self._hand_out()
        return task.future

    def _hand_out(self) -> None:
        while (chosen := self._next()) is not None:
            worker, task = chosen
            worker.take(task).add_done_callback(partial(self._done, worker, task))

    def _next(self) -> tuple[_Worker, _Task] | None:
        with self._lock:
            while self._waiting and not self._closed and (self._idle or len(self._started) < self.jobs):
                task = self._waiting.popleft()
                if task.begins():
                    return self._idle.pop() if self._idle else self._start(), task
        return None

    def _start(self) -> _Worker:
        context = multiprocessing.get_context("spawn" if self._fresh else None)
        meter = context.RawValue("d")
        pool = ProcessPoolExecutor(1, mp_context=context, initializer=_prepare, initargs=(os.getpid(), meter))
        self._started.append(_Worker(pool, meter))
        return self._started[-1]

    def _done(self, worker: _Worker, task: _Task, answer: Future[Any]) -> None:
        if answer.cancelled():
            return
        error = answer.exception()
        lost = isinstance(error, BrokenProcessPool)
        self._return(worker, lost)
        again = lost and task.lost < RETRIES and not self._closed
        task.future.ended = not again
        if again:
            task.lost += 1
            with self._lock:
                self._waiting.appendleft(task)
        self._hand_out()  # first, so that whoever hears of this result sees what is done next
        if error is not None and not again:
            task.future.set_exception(_lost(task.lost + 1) if lost else error)
        elif error is None:
            task.future.set_result(answer.result())

    def _return(self, worker: _Worker, lost: bool) -> None:
        with self._lock:
            if not lost and not self._fresh:
                self._idle.append(worker)
                return
            self._started.remove(worker)
        worker.pool.shutdown(wait=False)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """What is not begun is always given up."""
        with self._lock:
            self._closed = True
            waiting, started = list(self._waiting), list(self._started)
        for task in waiting:
            task.future.cancel()
        for worker in started:
            worker.pool.shutdown(wait=wait, cancel_futures=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """After an error nobody waits for what is still being worked at."""
        if kind is not None:
            self._closed = True
            for child in [child for worker in self._started for child in (worker.pool._processes or {}).values()]:
                child.kill()  # from Python 3.14 on, `kill_workers` does this
        self.shutdown()


def _prepare(parent: int, meter: Any) -> None:
    """Tell through the meter what is done here. Ctrl-C reaches every process of a terminal, but the first one decides
    what becomes of the others."""
    tell_to(partial(setattr, meter, "value"))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()


def _leave_with(parent: int) -> None:
    """A worker whose parent was killed would wait for work for ever."""
    while os.getppid() == parent:
        time.sleep(LOOK_EVERY)
    os._exit(1)


def _lost(times: int) -> WorkerLostError:
    how_often = "once" if times == 1 else f"{times} times"
    return WorkerLostError(
        f"a worker process was killed, {how_often}, at the same piece of work; it may need more memory than there is: "
        "choose fewer jobs (-j), or something smaller"
    )
