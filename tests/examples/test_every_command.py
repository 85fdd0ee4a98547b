"""Protects: every command works for every example game, whatever it is made of, and says something of use."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.usefixtures("installed")

# A small version of each game, the number of players it is solved for, and a move that is refused at the start.
SMALL = {
    "oxo": ([], [], ("X", "O@a1")),
    "nim": (["-p", "heaps=1,2,3"], [], ("A a:1 b:2 c:3", "a-2")),
    "pig": (["-p", "target=6"], [], ("A", "hold")),
    "gobblet": (["-p", "side=2"], [], ("A A1:1 A2:1 B1:1 B2:1", "a1-b1")),
    "twentyone": (["-p", "target=10"], ["--for", "A"], ("A said:9", "two")),
}
GAMES = list(SMALL)


def cells(game: str) -> dict[str, tuple[list[str], int, str]]:
    """For each command its arguments, its status, and what it must print."""
    small, chosen, (position, move) = SMALL[game]
    return {
        "show": (["show", game, *small], 0, r"is to act: \d+ legal move"),
        "moves": (["moves", game, *small], 0, r"^\S+ +\S"),
        "perft": (["perft", game, *small, "--depth", "2"], 0, r"^nodes \d+$"),
        "play": (["play", game, *small], 0, r"engine and constraints agreed on every move"),
        "why": (["why", game, position, move, *small], 0, r"engine: illegal: \w+-\d+, .*\nspec:   illegal: \w+-\d+"),
        "prove": (["prove", game, *small], 0, r"^PROVED: [\d,]+ cases, 0 disagreements$"),
        "claims": (["claims", game], 0, r"0 disagreements with the rulebook"),
        "ambiguities": (["ambiguities", game], 0, r"^\w+: \w+ or \w+\? \(smallest: "),
        "clauses": (["clauses", game, *small], 0, r"decides alone: "),
        "stalemates": (["stalemates", game, *small], 0, r"^(PROVED|REFUTED) +endless: "),
        "mutants": (["mutants", game, "--made", "6"], 0, r"^6 of 6 mutants noticed.*; \d+ can be made$"),
        "solve": (["solve", game, *small, *chosen], 0, r"accepted by the checker$"),
        "probe": (["probe", game, *small, *chosen], 0, r"\b(win|loss|tie|draw)\b|can force +0\.\d{7}"),
        "graph": (["graph", game, *small, *chosen, "--out", "play.dot"], 0, r"^graph: play.dot$"),
    }


COSTLY = {  # more than a second or two of the processor
    "oxo": {"prove", "claims", "ambiguities", "stalemates", "mutants", "solve", "probe", "graph"},
    "pig": {"claims", "ambiguities", "mutants", "stalemates"},
    "gobblet": {"prove", "ambiguities", "clauses", "mutants", "stalemates"},
    "nim": {"mutants", "claims"},
}


@pytest.mark.parametrize("game", GAMES)
def test_commands(game: str, rulecheck: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In their order: `probe` asks the table that `solve` has written."""
    monkeypatch.chdir(tmp_path)
    for name, (arguments, status, expected) in cells(game).items():
        if name not in COSTLY.get(game, ()):
            run = rulecheck(*arguments)
            assert (run.status, run.err) == (status, ""), name
            assert re.search(expected, run.out, re.MULTILINE), (name, run.out)
    for table in Path("tables").glob("*"):
        run = rulecheck("certify", str(table))
        assert run.status == 0
        assert run.out.startswith("PROVED given the engine")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_whole_commands(
    game: str, rulecheck: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that take longer; an audit finds nothing that speaks against the report."""
    monkeypatch.chdir(tmp_path)
    for name, (arguments, status, expected) in cells(game).items():
        if name in COSTLY.get(game, ()):
            run = rulecheck(*arguments)
            assert (run.status, run.err) == (status, ""), name
            assert re.search(expected, run.out, re.MULTILINE), (name, run.out)
    files = ["index.html", f"{game}.html", f"{game}.json"]
    assert rulecheck("report", game).out.split() == sorted(f"reports/{file}" for file in files)
    audit = rulecheck("audit", game)
    assert audit.status == 0
    assert "0 disagreements" in audit.out


@pytest.mark.parametrize("command", ["solve", "probe", "graph"])
def test_a_game_of_three_asks_for_whom(command: str, rulecheck: Callable[..., Any]) -> None:
    run = rulecheck(command, "twentyone")
    assert (run.status, run.out) == (2, "")
    assert "--for" in run.err
