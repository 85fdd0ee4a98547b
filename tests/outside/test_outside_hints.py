"""Protects: a game without hints gets every analysis, and one whose hints are broken keeps no other from its turn."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulecheck import registry

Runner = Callable[..., Any]
# The game of stones under another name, with hints of its own or none.
PACKAGE = """
from dataclasses import replace
import stones
{hints}
GAME = replace(stones.GAME, slug="{name}", hints_name={hints_name!r}, mutants_file=None)
"""
RAISING = """
from rulecheck.hints import Hints
class Mine(Hints):
    def stalemates(self, params, readings):
        raise RuntimeError("no luck")
"""


@pytest.fixture
def add(install: Callable[[str, str], None], tmp_path: Path) -> Callable[..., None]:
    """Installs the game of stones under a name, with these hints."""

    def make(name: str, hints: str = "", hints_name: str | None = None) -> None:
        (tmp_path / f"{name}.py").write_text(PACKAGE.format(name=name, hints=hints, hints_name=hints_name))
        install(name, f"{name}:GAME")

    return make


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("prove", "PROVED, legality alone"),
        ("claims", "0 claims, 0 disagreements"),
        ("ambiguities", "last: wins or loses?"),
        ("clauses", "ST-03   decides alone: A 1, take-2"),
        ("stalemates", "PROVED   no-move: a player to act has a legal move"),
        ("show", "A 4"),
        ("moves", "take-1"),
        ("perft", "nodes 2"),
        ("play", "take-"),
    ],
)
def test_a_game_without_hints_gets_the_analyses_for_every_game(
    command: str, says: str, add: Callable[..., None], rulecheck: Runner
) -> None:
    add(f"bare_{command}")
    run = rulecheck(command, f"bare_{command}")
    assert (run.status, run.err) == (0, "")
    assert says in run.out


def test_a_game_without_hints_is_audited_and_reported(
    add: Callable[..., None], rulecheck: Runner, tmp_path: Path
) -> None:
    add("bare")
    run = rulecheck("audit", "bare", "--out", str(tmp_path / "none"), "-j", "1", "--json")
    rows = {row["check"]: row for row in json.loads(run.out)["rows"]}
    assert (run.status, rows["report"]["result"]) == (0, "missing")
    assert rows["proofs, as printed"]["result"] == "PROVED, legality alone"
    assert rows["stalemates"]["found"].endswith("cannot happen")
    assert rulecheck("report", "bare", "--out", str(tmp_path / "pages"), "-j", "1").status == 0
    again = rulecheck("audit", "bare", "--out", str(tmp_path / "pages"), "-j", "1", "--json")
    assert json.loads(again.out)["rows"][-1]["result"] == "fine"


@pytest.mark.parametrize(
    ("name", "hints_name"), [("lost", "nowhere.at_all:Mine"), ("odd", "stones:GAME"), ("other", "stones:Params")]
)
def test_hints_that_are_none_are_one_sentence(
    name: str, hints_name: str, add: Callable[..., None], rulecheck: Runner
) -> None:
    add(name, hints_name=hints_name)
    for command in ("prove", "claims", "audit", "report"):
        run = rulecheck(command, name)
        assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
        assert hints_name in run.err


def test_one_game_that_fails_does_not_keep_the_others_from_being_audited(
    add: Callable[..., None],
    install: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    rulecheck: Runner,
    tmp_path: Path,
) -> None:
    install("absent", "no_such_package_anywhere:GAME")
    add("fine")
    add("sorry", hints=RAISING, hints_name="sorry:Mine")
    monkeypatch.setattr(registry, "names", lambda: ["absent", "fine", "sorry"])
    run = rulecheck("audit", "--out", str(tmp_path / "none"), "-j", "1", "--json")
    found = json.loads(run.out)
    broken = {row["game"]: row["found"] for row in found["rows"] if row["result"] == "BROKEN"}
    assert (run.status, found["disagreements"], broken.keys()) == (1, 2, {"absent", "sorry"})
    assert broken["sorry"].endswith("RuntimeError: no luck")
    assert any(row["game"] == "fine" for row in found["rows"])


@pytest.mark.parametrize("command", ["build", "force", "fortress", "best"])
def test_what_is_special_to_other_games_is_refused(command: str, add: Callable[..., None], rulecheck: Runner) -> None:
    add(f"without_{command}")
    run = rulecheck(command, f"without_{command}")
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
    assert "is a question about" in run.err
