"""Protects: a package that `rulecheck new` writes works at once, whatever it is to have, and nothing is overwritten."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

OPTIONS = ("--dice", "--spec", "--fields")
CHOICES = [[option for option, chosen in zip(OPTIONS, row, strict=True) if chosen] for row in product((0, 1), repeat=3)]


def written(rulecheck: Callable[..., Any], folder: Path, name: str, choices: list[str]) -> Path:
    """The folder of a package, with the metadata that installing it would leave."""
    run = rulecheck("new", name, *choices, "--out", str(folder))
    assert (run.status, run.err) == (0, "")
    metadata = folder / name / f"{name}-0.1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n")
    (metadata / "entry_points.txt").write_text(f"[rulecheck.games]\n{name} = {name}:GAME\n")
    return folder / name


@pytest.mark.parametrize("choices", CHOICES, ids=lambda row: " ".join(row) or "plain")
def test_every_package_passes_its_audit(
    choices: list[str], rulecheck: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "stairs_" + "".join(option[2] for option in choices)  # modules of one name would be taken for each other
    monkeypatch.syspath_prepend(str(written(rulecheck, tmp_path, name, choices)))
    monkeypatch.chdir(tmp_path)
    run = rulecheck("audit", name, "--json", "--jobs", "1")
    assert run.status == 0, run.out
    rows = {row["check"]: row for row in json.loads(run.out)["rows"]}
    assert rows["proofs, as printed"]["result"] == ("PROVED" if "--spec" in choices else "lacking")
    assert rows["claims"]["result"] == rows["promises"]["result"] == "fine"
    if "--spec" in choices:
        assert rulecheck("prove", name, "--every-reading").status == 0
    assert rulecheck("play", name).status == 0


@pytest.mark.parametrize(
    "choices",
    [pytest.param(row, marks=[] if len(row) == 3 else pytest.mark.slow) for row in CHOICES],
    ids=lambda row: " ".join(row) or "plain",
)
def test_the_tests_of_a_package_pass(choices: list[str], rulecheck: Callable[..., Any], tmp_path: Path) -> None:
    folder = written(rulecheck, tmp_path, "own_game", choices)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("My Game", "small letters"),
        ("1st", "small letters"),
        ("x" * 31, "up to 30"),
        ("../out", "small letters"),
        ("class", "a word of Python"),
        ("hextris", "a game called"),
        ("json", "a Python package called"),
    ],
)
def test_a_bad_name_is_one_sentence(name: str, problem: str, rulecheck: Callable[..., Any], tmp_path: Path) -> None:
    run = rulecheck("new", name, "--out", str(tmp_path))
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
    assert problem in run.err
    assert not list(tmp_path.iterdir())


def test_what_is_there_is_left_alone(rulecheck: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "stairs").write_text("mine")
    run = rulecheck("new", "stairs", "--out", str(tmp_path))
    assert (run.status, run.err.count("\n")) == (2, 1)
    assert "is there already" in run.err
    assert (tmp_path / "stairs").read_text() == "mine"
    assert rulecheck("new", "stairs", "--out", str(tmp_path / "nowhere")).status == 2


def test_a_mistake_in_the_new_game_is_found(
    rulecheck: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Someone changes one rule in one place."""
    folder = written(rulecheck, tmp_path, "stairs_changed", ["--spec", "--fields"])
    engine = folder / "stairs_changed" / "engine.py"
    text = engine.read_text()
    assert text.count("if target > self._top") == 1
    engine.write_text(text.replace("if target > self._top", "if target >= self._top"))
    monkeypatch.syspath_prepend(str(folder))
    run = rulecheck("prove", "stairs_changed")
    assert run.status == 1
    assert "engine: illegal: ST-05, this goes beyond the top; constraints: legal" in run.out
