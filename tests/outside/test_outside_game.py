"""Protects: a game of another package, found by its entry point, works without any change to rulecheck."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rulecheck import registry
from rulecheck.registry import Choice

HERE = Path(__file__).parent
# How many games are won with the fifth, sixth, seventh and eighth mark: with the 127,872 games that fill the board
# these are the well-known 255,168 games of noughts and crosses.
WON = {5: 1440, 6: 5328, 7: 47952, 8: 72576}


@pytest.fixture(autouse=True)
def installed(install: Callable[[str, str], None]) -> None:
    install("noughts", "noughts:GAME")


def _json(rulecheck: Callable[..., Any], *arguments: str) -> Any:
    run = rulecheck(*arguments, "--json")
    assert (run.status, run.err) == (0, "")
    return json.loads(run.out)


def test_games_lists_it_beside_ours(rulecheck: Callable[..., Any]) -> None:
    games = _json(rulecheck, "games")
    names = [game["game"] for game in games]
    assert names == registry.names()
    assert {"crosswalk", "noughts"} <= set(names)
    assert games[names.index("noughts")]["clauses"] == 4


def test_show_draws_it(rulecheck: Callable[..., Any]) -> None:
    run = rulecheck("show", "noughts", "B a1:A1")
    assert run.out == "B to move\n. . .\n. . .\nA . .\n\nB a1:A1\n"


def test_moves(rulecheck: Callable[..., Any]) -> None:
    found = _json(rulecheck, "moves", "noughts", "B a1:A1")
    assert len(found["moves"]) == 8
    assert found["moves"][0] == {"move": "B1@b1", "result": "A a1:A1 b1:B1"}


def test_perft_of_every_depth(rulecheck: Callable[..., Any]) -> None:
    expected, sequences = [], 1
    for depth in range(9):
        sequences = (sequences - WON.get(depth, 0)) * (9 - depth)
        expected.append(sequences)
    assert expected == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    found = [_json(rulecheck, "perft", "noughts", "--depth", str(d))["nodes"] for d in range(1, 10)]
    assert found == expected


@pytest.mark.parametrize(
    ("position", "move", "clauses"),
    [
        ("A", "A1@b2", []),
        ("A", "B1@b2", ["NC-02"]),
        ("B b2:A1", "B1@b2", ["NC-03"]),
        ("B a1:A1 b1:A1 c1:A1 a2:B1 b2:B1", "B1@c2", ["NC-04"]),
    ],
)
def test_why(rulecheck: Callable[..., Any], position: str, move: str, clauses: list[str]) -> None:
    found = _json(rulecheck, "why", "noughts", position, move)
    assert (found["legal"], found["engine"], found["spec"]) == (not clauses, clauses, clauses)


def test_it_has_no_die_and_no_parameters(rulecheck: Callable[..., Any]) -> None:
    assert "chance is not to act in" in rulecheck("moves", "noughts", "--roll", "2").err
    assert "noughts has no parameters" in rulecheck("moves", "noughts", "-p", "size=4").err


def test_it_passes_the_conformance_kit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HERE.parent / "conformance"))
    from conformance_kit import Kit

    kit, rng = Kit(registry.find("noughts"), {}, {}), random.Random(9)
    fallen = 0
    for position in kit.playout(rng, 40):
        kit.check_value(position)
        fallen += kit.check_moves(position, rng, legal=4, odd=6)
    assert fallen > 20


def test_nothing_of_it_is_part_of_rulecheck() -> None:
    ours = [name for name in sys.modules if name.startswith(("rulecheck", "specs", "solvers"))]
    assert ours
    assert not [name for name in ours if "noughts" in name]


def test_it_is_solved_probed_and_certified(
    rulecheck: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = _json(rulecheck, "solve", "noughts", "--out", str(tmp_path))
    assert (solved["positions"], solved["value"], solved["distance"]) == (5478, "tie", 9)
    # 958 final positions: 626 and 316 won by either player, 16 with a full board and no line
    assert solved["ended"] == 626 + 316  # on a full board the game goes on, without a move
    assert sum(solved[name] for name in ("win", "loss", "tie", "draw")) == 5478 - 942
    assert solved["longest_win"]["distance"] == len(solved["longest_win"]["line"])
    monkeypatch.setattr("rulecheck.solve.certifying.CONFIRMED", 50)
    certified = _json(rulecheck, "certify", solved["table"])
    assert (certified["result"], certified["compared"], certified["compared_with"]) == ("PROVED", 50, "spec")
    wanted = "PROVED given the engine, whose legal moves agree with the spec at 50 of 5,478 positions"
    assert certified["headline"] == wanted
    assert min(certified["confirmed"].values()) >= 50
    run = rulecheck("certify", solved["table"], "--seed", str(certified["seed"]))
    assert run.out.startswith(f"{wanted}: outcomes of 5,478 positions of noughts\nsolved by the engine itself")
    again = _json(rulecheck, "certify", solved["table"], "--seed", str(certified["seed"]))
    assert again == certified
    asked = ("probe", "noughts", "B a1:A1 b1:A1 c3:B1", "--out", str(tmp_path))
    answer = _json(rulecheck, *asked)
    assert answer["best"] == ["B1@c1"]
    assert rulecheck(*asked).out.splitlines()[2].startswith("    B1@c1")
    lost = _json(rulecheck, "probe", "noughts", "B a1:A1 b1:B1 a2:A1 b2:B1 a3:A1", "--out", str(tmp_path))
    assert (lost["for"], lost["value"], lost["distance"], lost["moves"]) == ("A", "win", 0, [])


def test_a_table_that_says_something_else_is_refused(rulecheck: Callable[..., Any], tmp_path: Path) -> None:
    from rulecheck.solve.by_play import solve_by_play
    from rulecheck.solve.certifying import certify
    from solvers.tablebase import open_table, write_table

    game = registry.find("noughts")
    setting = Choice(game, game.params({}), game.rulebook.defaults())
    solved = solve_by_play(setting, tmp_path)
    assert certify(solved.path, sample=20).problems == ()
    with open_table(solved.path) as table:
        header, keys = table.header, [table.key(row) for row in range(len(table))]
        columns = {name: table.column(name) for name in table.columns}
    columns["outcome"][keys.index(b"A")] = 1
    write_table(solved.path, header, columns, keys)
    assert any("A: says WIN in 9" in problem for problem in certify(solved.path, sample=20).problems)
    claimed = {**columns, "distance": np.zeros(1 << 24, dtype=np.int8)}
    write_table(solved.path, header, claimed, keys)
    (problem,) = certify(solved.path, sample=20).problems
    assert problem == "its column distance has 16,777,216 entries, not the 5,478 of the game"


@pytest.mark.parametrize("option", [("--exact",), ("--width", "0.1")])
def test_options_for_dice_are_refused(rulecheck: Callable[..., Any], option: tuple[str, ...]) -> None:
    run = rulecheck("solve", "noughts", *option)
    assert run.status == 2
    assert run.err == f"rulecheck: {option[0]} is for games with dice, and noughts has none: its outcomes are exact\n"
