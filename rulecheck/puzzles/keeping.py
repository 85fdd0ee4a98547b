"""Mining that can be interrupted: each puzzle is written as it is found, and the next run goes on from there.

Beside the collection lies a file that says how many units each kind has used and which of them made a puzzle. Equal
questions go on from it; the puzzles are made again from their ids, so nothing in the file is believed.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rulecheck.files import write_file
from rulecheck.puzzles.mining import Progress, Started
from rulecheck.puzzles.model import Puzzle

EVERY = 5.0  # seconds between two notes in which nothing was found


class Unfinished:
    """`asked` is what a run was asked for; only a run with equal settings resumes it."""

    def __init__(self, collection: Path, asked: Mapping[str, Any], clock: Callable[[], float] = time.monotonic) -> None:
        self.collection, self.file = collection, collection.with_suffix(".unfinished.json")
        self.asked, self.clock, self.said = dict(asked), clock, clock()
        self.kinds: Progress = self._kept()
        self.lines: list[str] = []

    def _kept(self) -> Progress:
        try:
            kept = json.loads(self.file.read_text(encoding="utf-8"))
            if kept["asked"] != self.asked:
                return {}
            return {
                str(name): Started(int(row["units"]), tuple(map(str, row["ids"])))
                for name, row in kept["kinds"].items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}  # without a usable note, start from the beginning

    def note(self, kind: str, units: int, puzzle: Puzzle | None) -> None:
        """Note that a unit of work is done, with its puzzle if that is new."""
        before = self.kinds.get(kind, Started())
        ids = before.ids if puzzle is None or puzzle.id in before.ids else (*before.ids, puzzle.id)
        self.kinds = {**self.kinds, kind: Started(max(units, before.units), ids)}
        if puzzle is not None:
            self.lines.append(puzzle.line() + "\n")
            write_file(self.collection, "".join(self.lines))
        if puzzle is not None or self.clock() - self.said > EVERY:
            self.said = self.clock()
            kinds = {name: {"units": row.units, "ids": list(row.ids)} for name, row in self.kinds.items()}
            write_file(self.file, json.dumps({"asked": self.asked, "kinds": kinds}) + "\n")

    def done(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            self.file.unlink()
