"""Long work that a page starts: each job is a command of its own process, with progress, and can be cancelled.

Jobs live as long as the server: a page may be closed and opened again, and when the server ends they end with it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulecheck.model import InputError
from rulecheck.progress import PROGRESS

Document = dict[str, Any]
MOST_RUNNING, MOST_KEPT = 2, 40
LONGEST = 2 * 60 * 60.0  # seconds
LARGEST = 8_000_000  # bytes of what a job prints
SHARE = re.compile(r"(\d+) % after")


@dataclass
class Job:
    """A command and its status: waiting, running, done, finding, failed or cancelled."""

    id: str
    title: str
    arguments: list[str]
    status: str = "running"
    share: float = 0.0
    words: str = ""
    started: float = field(default_factory=time.time)
    took: float | None = None
    document: Any = None
    process: subprocess.Popen[bytes] | None = None
    then: Callable[[Any], None] | None = None  # called with its document when it is done

    @property
    def kind(self) -> str:
        return self.arguments[0]

    @property
    def is_over(self) -> bool:
        return self.status != "running"

    def as_json(self) -> Document:
        seconds = self.took if self.took is not None else time.time() - self.started
        return {
            "id": self.id,
            "title": self.title,
            "arguments": self.arguments,
            "status": self.status,
            "share": self.share,
            "words": self.words,
            "took": self.took,
            "document": self.document,
            "seconds": round(seconds, 1),
        }


class Jobs:
    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._count, self._lock = 0, threading.Lock()

    def start(self, title: str, arguments: Sequence[str], then: Callable[[Any], None] | None = None) -> Job:
        """Start a command, unless too many are running or this one already is."""
        with self._lock:
            running = [job for job in self._jobs.values() if not job.is_over]
            same = next((job for job in running if job.arguments == list(arguments)), None)
            if same is not None:
                return same
            if len(running) >= MOST_RUNNING:
                raise InputError(f"{MOST_RUNNING} jobs are running; wait for one of them, or cancel it")
            self._count += 1
            job = Job(str(self._count), title, list(arguments), then=then)
            job.process = _process(job.arguments)
            self._jobs[job.id] = job
            while len(self._jobs) > MOST_KEPT:
                del self._jobs[next(id for id, kept in self._jobs.items() if kept.is_over)]
        threading.Thread(target=_follow, args=(job,), daemon=True).start()
        return job

    def find(self, id: str) -> Job:
        if id not in self._jobs:
            raise InputError(f"there is no job {id[:20]!r}")
        return self._jobs[id]

    def all(self) -> list[Job]:
        """All jobs, the latest first."""
        return list(self._jobs.values())[::-1]

    def cancel(self, id: str) -> None:
        job = self.find(id)
        if not job.is_over:
            job.status = "cancelled"
            _kill(job)

    def close(self) -> None:
        for job in self.all():
            if not job.is_over:
                self.cancel(job.id)


def _process(arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    """In a session of its own, so that what it starts can be ended with it; with the same games on the path."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), PROGRESS: "1"}
    command = [sys.executable, "-m", "rulecheck", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, env=env, start_new_session=True
    )


def _follow(job: Job) -> None:
    """Read what a job prints until it ends."""
    assert job.process is not None
    assert job.process.stdout is not None
    timer = threading.Timer(LONGEST, _kill, args=(job,))
    timer.daemon = True
    timer.start()
    reader = threading.Thread(target=_listen, args=(job,), daemon=True)
    reader.start()
    printed = job.process.stdout.read(LARGEST)
    status = job.process.wait()
    reader.join(5)
    timer.cancel()
    job.took = time.time() - job.started
    if job.status != "cancelled":
        with contextlib.suppress(ValueError):
            job.document = json.loads(printed)
        if job.then is not None and job.document is not None and status in (0, 1):
            with contextlib.suppress(InputError):  # a folder that cannot be written to
                job.then(job.document)
        job.status = {0: "done", 1: "finding"}.get(status, "failed")
        job.share = 1.0 if job.status != "failed" else job.share


def _listen(job: Job) -> None:
    """Progress and sentences on standard error; the last one is kept."""
    assert job.process is not None
    assert job.process.stderr is not None
    for raw in job.process.stderr:
        line = raw.decode("utf-8", "replace").strip()[:500]
        match = SHARE.search(line)
        if match:
            job.share = int(match[1]) / 100
        if line:
            job.words = line.removeprefix("rulecheck: ")


def _kill(job: Job) -> None:
    assert job.process is not None
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(job.process.pid, signal.SIGKILL)
