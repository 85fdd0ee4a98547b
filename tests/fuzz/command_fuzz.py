"""Makes command lines by a seed: every command, game, parameter extreme, reading and kind of file, right and wrong.

`python tests/fuzz/command_fuzz.py SEED COUNT` runs them in this process and prints what went wrong.
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib.metadata
import io
import json
import os
import random
import resource
import shlex
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
STATUSES = (0, 1, 2, 130)
LONG = 20.0  # seconds that no command may take ...
PATIENCE = 1.0  # ... after Ctrl-C is pressed, which happens this long after the start
MEMORY = 1 << 20  # kilobytes
SLOW = ("prove", "mutants", "claims", "ambiguities", "clauses", "stalemates", "report", "audit", "puzzles", "force")
RARELY = 0.02  # a slow command is run with a right game
NUMBERS = ("0", "1", "2", "3", "5", "7", "-1", "99", "1000000000", "1e3", "0.5", "nan", "inf", "x", "", "٣", "9" * 400)
WORDS = (
    "",
    "-",
    "--",
    "pass",
    "start",
    "A",
    "x" * 3000,
    "a\nb",
    "\x1b[31m",
    "é☃",
    "\udcff",
    "A 1",
    "../..",
    "=",
    "1-2",
)


@dataclass(frozen=True)
class Wrong:
    """A command that was answered in a way it should not be."""

    arguments: list[str]
    what: str

    def __str__(self) -> str:
        return f"rulecheck {shlex.join(self.arguments)}\n{self.what}"


class Lines:
    """Command lines, one after another."""

    def __init__(self, rng: random.Random, folder: Path) -> None:
        from typer.main import get_command

        from rulecheck import registry
        from rulecheck.cli import app

        self.rng, self.folder = rng, folder
        self.commands: dict[str, Any] = dict(get_command(app).commands)  # type: ignore[attr-defined]  # it is a group
        self.commands.pop("serve", None)  # which waits for a browser
        self.games = registry.names()
        self.files = [*map(str, make_files(folder, rng)), "/dev/null", "/dev/full", "/proc/nothing", "missing/file", ""]

    def line(self) -> list[str]:
        name = self.rng.choice(sorted(self.commands))
        if name in SLOW and self.rng.random() > RARELY:
            game = self.rng.choice(("nothing", "é", "stones", "raises", "muted", "nostart", *self.games[-3:]))
        else:
            game = self.rng.choice(self.games)
        words = [name]
        for parameter in self.commands[name].params:
            words += self.argument(parameter, game)
        if self.rng.random() < 0.1:
            self.rng.shuffle(words)
        if self.rng.random() < 0.1:
            words.insert(self.rng.randrange(len(words) + 1), self.rng.choice(WORDS))
        return [word.replace("\0", "") for word in words]

    def argument(self, parameter: Any, game: str) -> list[str]:
        if parameter.param_type_name == "argument":
            return self.positional(parameter.name, game)
        often = {"param": 0.6, "reading": 0.4, "out": 1.0, "jobs": 0.1, "as_json": 0.4}.get(parameter.name, 0.15)
        if parameter.name == "help" or self.rng.random() > often:
            return []
        option = self.rng.choice(parameter.opts)
        if parameter.is_flag:
            return [option]
        return [option, self.value(parameter, game)]

    def positional(self, name: str, game: str) -> list[str]:
        rng = self.rng
        if rng.random() < 0.03:
            return []
        if name in ("game", "games", "what"):
            return [game]
        if name == "file":
            return [rng.choice(self.files)]
        if name == "position":
            return [] if rng.random() < 0.4 else [self.position(game)]
        return [rng.choice((*WORDS, *NUMBERS, "1", "more", "5-4", "a1-a2"))]

    def value(self, parameter: Any, game: str) -> str:
        rng, name = self.rng, parameter.name
        if name == "param":
            return self.chosen(game, "parameters")
        if name == "reading":
            return self.chosen(game, "options")
        if name == "out":
            return str(self.folder / "out") if rng.random() < 0.9 else rng.choice(self.files)
        if name in ("svg", "table", "verify", "book", "certificate", "tree"):
            return rng.choice(self.files)
        if name in ("jobs", "games", "count", "depth", "limit", "players"):
            return rng.choice(("1", "2", "2", "0", "-1", "x", ""))
        return rng.choice((*NUMBERS, *WORDS, "random", "greedy", "A", "B"))

    def chosen(self, game: str, part: str) -> str:
        """A setting of the game's own, or one that is wrong."""
        book = self.book(game)
        if book is None or self.rng.random() < 0.1:
            return self.rng.choice(("squares=2", "x=1", "=", "squares", "é=☃", "spend=exact"))
        if part == "parameters" and book.parameters:
            parameter = self.rng.choice(book.parameters)
            return f"{parameter.name}={self.rng.choice((parameter.default, *NUMBERS, '1,0,0', '12', 'none', 'A'))}"
        if part == "options" and book.options:
            reading = self.rng.choice(list(book.options.values()))
            return f"{reading.name}={self.rng.choice((*reading.values, 'x', ''))}"
        return "x=1"

    def book(self, game: str) -> Any:
        from rulecheck import registry
        from rulecheck.model import InputError

        try:
            return registry.find(game).rulebook
        except InputError:
            return None

    def position(self, game: str) -> str:
        """A position of play, with a letter changed now and then."""
        from rulecheck import registry

        try:
            opened = registry.find(game)
            engine = opened.engine(opened.params({}), opened.rulebook.defaults())
            here = engine.start()
            for _ in range(self.rng.randrange(4)):
                here = self.rng.choice([chance.result for chance in engine.chances(here)] or [here])
                here = self.rng.choice(list(engine.moves(here).values()) or [here])
            text = str(here)
        except Exception:  # whatever the game does is seen by the command too
            text = "A 1"
        if text and self.rng.random() < 0.5:
            at = self.rng.randrange(len(text))
            text = text[:at] + self.rng.choice("AB019 :=,-é\x1b\n") + text[at + self.rng.randrange(3) :]
        return text


def make_files(folder: Path, rng: random.Random) -> Iterator[Path]:
    """One of each kind."""
    puzzles = sorted((ROOT / "reports" / "puzzles").glob("*.jsonl"))
    texts: dict[str, bytes] = {
        "empty": b"",
        "text.txt": b"hello\n",
        "broken.json": b'{"format": ',
        "other.json": b'{"format": "x", "game": []}',
        "list.json": b"[1, 2]",
        "deep.json": b"[" * 100_000,
        "nan.json": b'{"format": NaN}',
        "half.table": b"RCTABLE\n" + rng.randbytes(100),
        "noise.table": rng.randbytes(500),
        "odd.jsonl": b'{"id": 5}\n',
        "good.jsonl": puzzles[0].read_bytes().splitlines()[0] if puzzles else b"",
    }
    if puzzles:
        puzzle = json.loads(texts["good.jsonl"])
        puzzle[rng.choice(sorted(puzzle))] = rng.choice([None, {}, [1], "x", 5])
        texts["changed.jsonl"] = json.dumps(puzzle).encode()
    for name, data in texts.items():
        (folder / name).write_bytes(data)
        yield folder / name
    (folder / "folder").mkdir()
    yield folder / "folder"
    yield folder
    (folder / "loop").symlink_to(folder / "loop")
    yield folder / "loop"
    yield folder / "new.file"


def run(arguments: list[str], stdin: bytes = b"A 1\n") -> Wrong | None:
    """Run one command in this process; Ctrl-C is pressed if it takes long."""
    from rulecheck.cli import main

    out, err, begin, status = io.StringIO(), io.StringIO(), time.monotonic(), None
    signal.signal(signal.SIGALRM, _press)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE, PATIENCE)
    kept, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main(arguments)
    except SystemExit as left:
        status = left.code
    except KeyboardInterrupt:
        status = 130  # outside of the command, as in `rulecheck.__main__`
    except BaseException:
        return Wrong(arguments, traceback.format_exc())
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.stdin = kept
    return _judged(arguments, status, err.getvalue(), time.monotonic() - begin)


def _press(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _judged(arguments: list[str], status: object, err: str, took: float) -> Wrong | None:
    if status not in STATUSES:
        return Wrong(arguments, f"status {status!r}")
    if "Traceback" in err:
        return Wrong(arguments, err)
    if status == 2 and not (err.splitlines() or [""])[-1].startswith("rulecheck: "):
        return Wrong(arguments, f"status 2 without a sentence: {err!r}")
    if took > LONG:
        return Wrong(arguments, f"took {took:.0f} s")
    return None


@contextlib.contextmanager
def misfits(folder: Path) -> Iterator[None]:
    """Games of other packages that break their promises are installed meanwhile."""
    kept = list(sys.path)
    sys.path[:0] = [str(HERE.parent / "outside"), str(folder)]
    import misfits as package

    entries = {**{name: f"misfits:{name.upper()}" for name in package.GAMES}, "nogame": "misfits:NOT_A_GAME"}
    metadata = folder / "misfits-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: misfits\nVersion: 1.0\n")
    lines = "\n".join(f"{name} = {entry}" for name, entry in {**entries, "absent": "no_such_package:GAME"}.items())
    (metadata / "entry_points.txt").write_text(f"[rulecheck.games]\n{lines}\n")
    importlib.invalidate_caches()  # type: ignore[attr-defined]  # importlib.metadata imports it
    try:
        yield
    finally:
        sys.path[:] = kept


def fuzz(seed: int, count: int) -> tuple[list[Wrong], Counter[str]]:
    """Run so many commands; what was wrong, and how often each command was run."""
    rng, wrong, ran = random.Random(seed), [], Counter[str]()
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as name, misfits(Path(name)):
        os.chdir(name)
        try:
            lines = Lines(rng, Path(name))
            for _ in range(count):
                arguments = lines.line()
                ran[arguments[0] if arguments[0] in lines.commands else "others"] += 1
                with contextlib.suppress(KeyboardInterrupt):  # pressed when the command was just done
                    if (found := run(arguments)) is not None:
                        wrong.append(found)
        finally:
            os.chdir(here)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if most > MEMORY:
        wrong.append(Wrong([], f"{most} kB of memory were taken"))
    return wrong, ran


if __name__ == "__main__":
    faulthandler.enable()
    seed, count = (int(word) for word in sys.argv[1:3])
    wrong, ran = fuzz(seed, count)
    for each in wrong:
        print(each, end="\n\n")
    print(f"{sum(ran.values())} commands, {len(wrong)} answered wrongly; {dict(ran)}")
