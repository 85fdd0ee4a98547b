"""Protects: what is foreseen within N moves is true of the solved game, and nothing more is claimed."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import rulecheck as library
from rulecheck import InputError

TINY = {"radius": 1, "group": 2, "groups": 1, "pieces": "1,1,1"}
Runner = Callable[..., Any]


def test_a_win_is_found_when_it_is_there_and_not_before(tmp_path: Path) -> None:
    game = library.open("hextris", **TINY)
    start = game.start()
    answer = game.solve(tmp_path).probe()
    assert (answer.value, answer.distance) == ("win", 3)
    assert [start.look_ahead(n).result for n in (1, 2, 3, 4)] == ["open", "open", "win", "win"]
    found = start.look_ahead(4)
    assert found.depth == 3
    assert set(found.best) == set(answer.best)
    assert start.play(*found.line).winners == ("A",)
    assert start.look_ahead(3, player="B").result == "loss"


def test_positions_of_a_solved_game_are_never_contradicted(tmp_path: Path) -> None:
    game = library.open("hextris", **TINY)
    table = game.solve(tmp_path)
    for first in game.start().moves()[::5]:
        for second in first.result.moves()[::4]:
            answer, found = table.probe(second.result), second.result.look_ahead(2)
            forced = answer.value if answer.distance is not None and answer.distance <= 2 else "open"
            assert found.result == (forced if forced in ("win", "loss") else "open")


def test_with_dice_it_is_a_lower_bound(tmp_path: Path) -> None:
    game = library.open("crosswalk", squares=3, sizes=12, pedestrians=1)
    answer = game.solve(tmp_path, width=1e-3).probe()
    assert answer.bounds is not None
    lows = [game.start().look_ahead(n).low for n in (1, 2, 3)]
    assert lows == sorted(lows)
    assert Fraction(0) < lows[-1] <= answer.bounds[1]
    assert answer.worth.values is not None
    others = game.start().look_ahead(3).opponent_low
    assert float(others) <= answer.worth.values.loss.as_json()["high"]


def test_a_budget_is_said(rulecheck: Runner) -> None:
    run = rulecheck("probe", "hextris", "--depth", "9", "--limit", "50", "--json")
    found = json.loads(run.out)
    assert run.status == 1
    assert (found["result"], found["asked"]) == ("open", 9)
    assert found["depth"] < 9
    text = rulecheck("probe", "hextris", "--depth", "9", "--limit", "50").out
    assert "positions were not enough for 9" in text
    assert text.endswith("this says nothing about what comes later\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("icehouse", "--depth", "1"), "moves are a continuum in icehouse"),
        (("hextris", "--depth", "1", "--for", "Z"), "'Z' is no player of this game; known: A, B"),
        (("hextris", "--depth", "1", "--table", "x"), "leave out --table"),
        (("hextris", "--limit", "1"), "--limit is for a look ahead"),
    ],
)
def test_what_cannot_be_looked_at(rulecheck: Runner, arguments: tuple[str, ...], sentence: str) -> None:
    run = rulecheck("probe", *arguments)
    assert (run.status, run.out) == (2, "")
    assert sentence in run.err


def test_a_game_that_is_over() -> None:
    game = library.open("hextris", **TINY)
    over = game.start().play("A1@a1", "B1@b1", "A2@a2")
    with pytest.raises(InputError, match="the game is over"):
        over.look_ahead(1)
