"""Protects: `compare` sets a changed game beside the printed one, says what is sampled, and names claims that break."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulecheck as library

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
Runner = Callable[..., Any]


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nim, installed for this test."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.syspath_prepend(str(tmp_path))
    metadata = tmp_path / "nim-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: nim\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[rulecheck.games]\nnim = nim:GAME\n")


def _another_reading(slug: str) -> tuple[str, str]:
    reading = next(iter(library.open(slug).rulebook.options.values()))
    return reading.name, reading.values[1]


@pytest.mark.usefixtures("nim")
def test_a_reading_of_an_outside_game(rulecheck: Runner) -> None:
    name, value = _another_reading("nim")
    run = rulecheck("compare", "nim", "-r", f"{name}={value}", "--games", "20", "--json")
    found = json.loads(run.out)
    assert run.status == 0
    assert found["readings"][name] == value
    for side in ("printed", "changed"):
        sampled = found[side]["play"][0]
        assert (sampled["policy"], sampled["games"]) == ("random", 20)
        assert sum(sampled["winners"].values()) == 20
    assert found["printed"]["moves"] == len(library.open("nim").start().moves())
    assert found["printed"]["solved"].keys() == found["changed"]["solved"].keys() != set()
    assert rulecheck("compare", "nim", "-r", f"{name}={value}", "--games", "20", "--json").out == run.out
    text = rulecheck("compare", "nim", "-r", f"{name}={value}", "--games", "20").out
    assert "random play, 20 games sampled" in text


@pytest.mark.usefixtures("nim")
def test_solved_versions_are_those_of_the_solver(tmp_path: Path) -> None:
    name, value = _another_reading("nim")
    game = library.open("nim", readings={name: value})
    found = game.compare(5)
    version = game.rulebook.versions[0]
    small = library.open("nim", params=dict(version.params), readings={name: value})
    answer = small.solve(tmp_path / "tables").probe()
    assert found.changed.solved[version.name] == f"{answer.value} in {answer.distance} for {answer.worth.player}"


def test_claims_that_break_are_those_that_fail(rulecheck: Runner) -> None:
    """Hextris with groups of four: what is said of fives fails, each with what was seen."""
    found = json.loads(rulecheck("compare", "hextris", "-p", "group=4", "--games", "1", "--json").out)
    breaks = found["claims"]["breaks"]
    failing = library.open("hextris", group=4).claims("HC-06", "HC-09").rows
    assert [row.claim.id for row in failing if not row.default.holds] == ["HC-06", "HC-09"]
    assert {"HC-06", "HC-09"} <= breaks.keys()
    assert all(breaks.values())
    assert not found["claims"]["mends"]


def test_nothing_changed(rulecheck: Runner) -> None:
    run = rulecheck("compare", "hextris", "-p", "group=5")
    assert (run.status, run.out) == (2, "")
    assert "nothing is changed; say what with -p" in run.err
