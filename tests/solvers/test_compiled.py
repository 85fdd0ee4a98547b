"""Protects: compiled code kept on disk follows every source that has a part in it, and need not be kept at all."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from solvers import compiled, sources

CALLER = """
from {package}.callee import step
from solvers.compiled import njit

@njit(cache=True)
def twice(x):
    return 2 * step(x)
"""
CALLEE = """
from {package}.numbers import ADDED
from solvers.compiled import njit

@njit(cache=True)
def step(x):
    return x + ADDED
"""
PROGRAM = "from {package}.caller import twice; print(twice(5), sum(twice.stats.cache_hits.values()))"


def write(folder: Path, package: str, added: int, step: str = CALLEE) -> None:
    (folder / package).mkdir(exist_ok=True)
    texts = {"__init__": "", "caller": CALLER, "callee": step, "numbers": f"ADDED = {added}\n"}
    for name, text in texts.items():
        (folder / package / f"{name}.py").write_text(text.replace("{package}", package))


def run(folder: Path, package: str, **environment: str) -> list[int]:
    """What the caller answers, and how often it was taken from the disk."""
    command = [sys.executable, "-B", "-c", PROGRAM.replace("{package}", package)]
    path = os.pathsep.join([str(folder), *filter(None, sys.path)])
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path, **environment}, check=False
    )
    assert done.stderr == ""
    return [int(word) for word in done.stdout.split()]


def test_an_edit_of_what_is_called_reaches_the_caller(tmp_path: Path) -> None:
    """Only the caller's file is asked for a change by numba itself, which then answers 14 for ever."""
    write(tmp_path, "edited", added=2)
    assert run(tmp_path, "edited") == [14, 0]
    assert run(tmp_path, "edited") == [14, 1]
    write(tmp_path, "edited", added=2, step=CALLEE.replace("x + ADDED", "x - ADDED"))
    assert run(tmp_path, "edited") == [6, 0]
    write(tmp_path, "edited", added=3, step=CALLEE.replace("x + ADDED", "x - ADDED"))  # a constant, twice removed
    assert run(tmp_path, "edited") == [4, 0]
    assert run(tmp_path, "edited") == [4, 1]


@pytest.fixture
def nowhere(tmp_path: Path) -> dict[str, str]:
    """A package in a folder that cannot be written to, for a user without a home."""
    write(tmp_path, "readonly", added=2)
    (tmp_path / "readonly" / "__pycache__").write_text("no folder, as little as one without leave to write")
    (tmp_path / "file").write_text("")
    no_folder = str(tmp_path / "file")
    return {"XDG_CACHE_HOME": no_folder, "HOME": no_folder, "NUMBA_CACHE_DIR": "", "TMPDIR": str(tmp_path)}


def test_a_temporary_folder_does_where_there_is_no_home(tmp_path: Path, nowhere: dict[str, str]) -> None:
    assert [run(tmp_path, "readonly", **nowhere) for _ in range(2)] == [[14, 0], [14, 1]]
    (kept,) = tmp_path.glob("rulecheck-*")
    assert kept.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_others_can_write_to_is_not_trusted(tmp_path: Path, nowhere: dict[str, str]) -> None:
    (tmp_path / f"rulecheck-{os.getuid()}").mkdir()
    (tmp_path / f"rulecheck-{os.getuid()}").chmod(0o777)
    assert [run(tmp_path, "readonly", **nowhere) for _ in range(2)] == [[14, 0], [14, 0]]


def test_a_damaged_cache_is_made_again(tmp_path: Path) -> None:
    write(tmp_path, "damaged", added=2)
    caches = {"NUMBA_CACHE_DIR": str(tmp_path / "caches")}
    assert run(tmp_path, "damaged", **caches) == [14, 0]
    for file in (tmp_path / "caches").rglob("*.nb[ci]"):
        file.write_bytes(b"")
    assert [run(tmp_path, "damaged", **caches) for _ in range(2)] == [[14, 0], [14, 1]]


def test_a_full_disk_costs_the_cache_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(compiled.FunctionCache, "save_overload", full)
    monkeypatch.setattr(compiled, "_folder", lambda *names: tmp_path)
    assert compiled.njit()(lambda x: x + 1)(1) == 2


@pytest.mark.parametrize(
    ("module", "part"),
    [
        ("rulecheck.games.hextris.space_turns", "rulecheck.games.hextris.space_boards"),
        ("rulecheck.games.hextris.space_turns", "rulecheck.solve.packed"),
        ("rulecheck.games.nestrace.space_moves", "solvers.graph"),
        ("solvers.chain", "solvers.sweeps"),
    ],
)
def test_each_source_that_has_a_part_in_it_counts(module: str, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file, source = importlib.import_module(module).__file__, sources.source_text
    assert file is not None
    usual = compiled.digest(module, file)
    monkeypatch.setattr(sources, "source_text", lambda name: (source(name) or b"") + b"#" * (name == part))
    assert compiled.digest(module, file) != usual
