"""The workers of a running explorer, and the questions they answer."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYetError
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulecheck.explorer.address import Address
from rulecheck.explorer.answers import answer
from rulecheck.explorer.desk import BrokenGameError, BusyError, OutOfTimeError, Worker
from rulecheck.explorer.jobs import Job, Jobs
from rulecheck.explorer.lab import command, keep_certificate, table_path
from rulecheck.model import InputError

Document = dict[str, Any]
LOOK, ASK, WEIGH = 10.0, 20.0, 40.0  # seconds a worker has for each question
PATIENCE = 0.04  # seconds a page waits for an answer that it can do without


@dataclass(frozen=True)
class Folders:
    """The folders of tables, reports and puzzles."""

    tables: Path = Path("tables")
    reports: Path = Path("reports")
    puzzles: Path = Path("puzzles")


@dataclass(frozen=True)
class Maybe:
    """An answer, or why there is none yet: it is pending, or its time ran out."""

    found: Document | None = None
    pending: bool = False
    unknown: str = ""


class Explorer:
    """Three workers: one runs engines, one asks z3, one solves. A slow question never blocks the others."""

    def __init__(self, folders: Folders) -> None:
        self.folders = folders
        self.looking = Worker("look", answer, LOOK)
        self.asking = Worker("ask", answer, ASK)
        self.weighing = Worker("weigh", answer, WEIGH, fleeting=True)
        self.jobs = Jobs()

    def warm(self) -> None:
        """Start the workers before anybody waits for them."""
        for worker, module in ((self.looking, "look"), (self.asking, "why"), (self.weighing, "weigh")):
            heavy = {"why": ["z3"], "weigh": ["rulecheck.analyses.solved_play"]}.get(module, [])
            worker.ask("warm", {"modules": [f"rulecheck.explorer.{module}", *heavy]})

    def look(self, name: str, address: Address, **about: Any) -> Document:
        return self.looking.answer(name, self._about(address, **about))

    def why(self, address: Address, patience: float = PATIENCE) -> Maybe:
        return _waited(self.asking.ask("why", self._about(address)), patience)

    def weigh(self, address: Address, patience: float = PATIENCE) -> Maybe:
        return _waited(self._weighed(address), patience)

    def weigh_meanwhile(self, address: Address) -> Callable[[], Maybe]:
        """Ask now; what is returned waits for the rest of the patience, when the answer is wanted."""
        asked, until = self._weighed(address), time.monotonic() + PATIENCE
        return lambda: _waited(asked, max(0.0, until - time.monotonic()))

    def _weighed(self, address: Address) -> Future[Document]:
        plain = address.but(line=(), begin=None, against=(), puzzle=None)
        folders = {"tables": str(self.folders.tables), "reports": str(self.folders.reports), "stamps": self._stamp()}
        return self.weighing.ask("weigh", self._about(plain, **folders))

    def reported(self, name: str, address: Address) -> Document:
        """What the rulebook and the report of a game say."""
        return self.look(name, address, reports=str(self.folders.reports))

    def sample(self, slug: str) -> Document:
        """The address of a position to picture a game by."""
        plain = Address(slug)
        try:
            return self.reported("sample", plain)
        except (InputError, BrokenGameError, OutOfTimeError, BusyError):
            return plain.as_json()

    def puzzles(self, name: str, address: Address) -> Document:
        """All puzzles, or the progress on the one in the address. File times stand for file contents."""
        folders = (self.folders.reports / "puzzles", self.folders.puzzles)
        stamps = [f.stat().st_mtime_ns for folder in folders for f in sorted(folder.glob("*.jsonl"))]
        return self.look(name, address, folders=[str(folder) for folder in folders], stamps=stamps)

    def tables(self) -> Document:
        """The tables of the folder, as they are now."""
        stamps = [[f.name, f.stat().st_mtime_ns] for f in sorted(self.folders.tables.glob("*.*"))]
        return self.looking.answer("tables", {"folder": str(self.folders.tables), "stamps": stamps})

    def shown(self, job: Job) -> Document | None:
        """The result of a job, as a page shows it; None if there is only the document itself."""
        if not job.is_over or not job.document:
            return None
        try:
            return self.looking.answer("shown", {"kind": job.kind, "document": job.document}) or None
        except (InputError, BrokenGameError, OutOfTimeError, BusyError):
            return None

    def start(self, kind: str, address: Address, about: dict[str, str]) -> Job:
        """Start a job; keep the result of a certificate check beside its table."""
        title, arguments = command(kind, address, vars(self.folders), about)
        if kind != "certify":
            return self.jobs.start(title, arguments)
        file = table_path(self.folders.tables, about.get("table", ""))
        return self.jobs.start(title, arguments, functools.partial(keep_certificate, file, file.stat().st_mtime_ns))

    def _stamp(self) -> list[list[Any]]:
        return [[f.name, f.stat().st_mtime_ns] for f in sorted(self.folders.tables.glob("*.table"))]

    def deciding(self, address: Address, clause: str, patience: float = PATIENCE) -> Maybe:
        plain = Address(address.game)
        about = self._about(plain, clause=clause, reports=str(self.folders.reports))
        return _waited(self.asking.ask("deciding", about), patience)

    def _about(self, address: Address, **about: Any) -> Document:
        return {"address": address.as_json(), **about}

    def close(self) -> None:
        self.jobs.close()
        for worker in (self.looking, self.asking, self.weighing):
            with contextlib.suppress(Exception):
                worker.close()


def _waited(future: Future[Document], patience: float) -> Maybe:
    try:
        return Maybe(future.result(patience))
    except (NotYetError, BusyError):
        return Maybe(pending=True)
    except OutOfTimeError as error:
        return Maybe(unknown=str(error))
