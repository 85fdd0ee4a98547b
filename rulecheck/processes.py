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

from rulecheck.model import InputError

RETRIES = 2
LOOK_EVERY = 2.0  # seconds


class WorkerLostError(InputError):
    """A piece of work ended its worker each time it was tried."""


@dataclass(eq=False)
class _Task:
    future: Future[Any]
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
        self._started: list[ProcessPoolExecutor] = []
        self._idle: list[ProcessPoolExecutor] = []
        self._closed = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        task = _Task(Future(), partial(fn, *args, **kwargs))
        with self._lock:
            if self._closed:
                raise RuntimeError("cannot schedule new futures after shutdown")
            self._waiting.append(task)
        self._hand_out()
        return task.future

    def _hand_out(self) -> None:
        while (chosen := self._next()) is not None:
            process, task = chosen
            process.submit(task.work).add_done_callback(partial(self._done, process, task))

    def _next(self) -> tuple[ProcessPoolExecutor, _Task] | None:
        with self._lock:
            while self._waiting and not self._closed and (self._idle or len(self._started) < self.jobs):
                task = self._waiting.popleft()
                if task.begins():
                    return self._idle.pop() if self._idle else self._start(), task
        return None

    def _start(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn" if self._fresh else None)
        process = ProcessPoolExecutor(1, mp_context=context, initializer=_prepare, initargs=(os.getpid(),))
        self._started.append(process)
        return process

    def _done(self, process: ProcessPoolExecutor, task: _Task, answer: Future[Any]) -> None:
        if answer.cancelled():
            return
        error = answer.exception()
        lost = isinstance(error, BrokenProcessPool)
        self._return(process, lost)
        again = lost and task.lost < RETRIES and not self._closed
        if again:
            task.lost += 1
            with self._lock:
                self._waiting.appendleft(task)
        self._hand_out()  # first, so that whoever hears of this result sees what is done next
        if error is not None and not again:
            task.future.set_exception(_lost(task.lost + 1) if lost else error)
        elif error is None:
            task.future.set_result(answer.result())

    def _return(self, process: ProcessPoolExecutor, lost: bool) -> None:
        with self._lock:
            if not lost and not self._fresh:
                self._idle.append(process)
                return
            self._started.remove(process)
        process.shutdown(wait=False)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """What is not begun is always given up."""
        with self._lock:
            self._closed = True
            waiting, started = list(self._waiting), list(self._started)
        for task in waiting:
            task.future.cancel()
        for process in started:
            process.shutdown(wait=wait, cancel_futures=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """After an error nobody waits for what is still being worked at."""
        if kind is not None:
            self._closed = True
            for child in [child for pool in self._started for child in (pool._processes or {}).values()]:
                child.kill()  # from Python 3.14 on, `kill_workers` does this
        self.shutdown()


def _prepare(parent: int) -> None:
    """Ctrl-C reaches every process of a terminal, but the first one decides what becomes of the others."""
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
