"""Protects: a game that breaks its promises gets one sentence with the promise and the position, whatever is asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.analyses.promises import BrokenPromiseError, check_promises

Runner = Callable[..., Any]
# The game of stones, whose engine or notation is changed in one place.
PACKAGE = """
from dataclasses import dataclass, replace
import stones, stones.engine
from rulecheck.contract import Chance, End
from rulecheck.model import LEGAL, breaks
from stones import Position, Take

class Engine(stones.engine.Engine):
{engine}

{more}
GAME = replace(stones.GAME, slug="{name}", engine_name="{name}:Engine", hints_name=None, mutants_file=None{changes})
"""
BREAKS = {
    "text": (
        "    pass",
        "def read(params, text):\n    return Position('A', int(text.split()[1]))",
        ", read_position=read",
        "the position 'B 3' is read as another one, 'A 3'",
    ),
    "listing": (
        "    def judge(self, position, move):\n"
        "        return breaks('ST-02', 'not today') if position.stones == 2 else super().judge(position, move)\n"
        "    def moves(self, position):\n"
        "        return {Take(1): Position('B' if position.mover == 'A' else 'A', position.stones - 1)} "
        "if position.stones else {}",
        "",
        "",
        "moves(A 2) lists take-1, which judge refuses: illegal: ST-02, not today",
    ),
    "leading": (
        "    def moves(self, position):\n        return {take: Position('A', 0) for take in super().moves(position)}",
        "",
        "",
        "moves(A 4) says that take-1 leads to A 0, play leads to B 3",
    ),
    "weights": (
        "    def chances(self, position):\n        return (Chance('heads', 0, Position('A', 1)),)",
        "",
        "",
        "at A 4 the weight of 'heads' is 0, not 1 or more",
    ),
    "labels": (
        "    def chances(self, position):\n"
        "        two = Chance('x', 1, Position('A', 1)), Chance('x', 1, Position('A', 2))\n"
        "        return two if position.stones > 3 else ()",
        "",
        "",
        "at A 4 chance brings two things of one name: x, x",
    ),
    "raising": (
        "    def end(self, position):\n        return 1 / 0 if position.stones == 2 else super().end(position)",
        "",
        "",
        "end(B 2) raises ZeroDivisionError: division by zero",
    ),
    "idle": (
        "    def moves(self, position):\n"
        "        return {Take(1): self.play(position, Take(1))} if position.stones else {}\n"
        "    def play(self, position, move):\n        return position",
        "",
        "",
        "moves(A 4) lists take-1, which changes nothing: it leads to the same position",
    ),
    "actors": (
        "    def actor(self, position):\n        return 'Z'",
        "",
        "",
        "at A 4 'Z' is to act, who is none of A, B",
    ),
    "going_on": (
        "    def end(self, position):\n        return End(('A',))\n"
        "    def chances(self, position):\n        return (Chance('x', 1, Position('A', 1)),)",
        "",
        "",
        "A 4 has ended (A won), but chance is to act",
    ),
}


@pytest.fixture
def add(install: Callable[[str, str], None], tmp_path: Path) -> Callable[[str], None]:
    def make(name: str) -> None:
        engine, more, changes, _ = BREAKS[name]
        text = PACKAGE.format(name=f"breaks_{name}", engine=engine, more=more, changes=changes)
        (tmp_path / f"breaks_{name}.py").write_text(text)
        install(f"breaks_{name}", f"breaks_{name}:GAME")

    return make


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_promise_is_named(name: str, add: Callable[[str], None], rulecheck: Runner, tmp_path: Path) -> None:
    add(name)
    game = registry.find(f"breaks_{name}")
    with pytest.raises(BrokenPromiseError) as raised:
        check_promises(game, game.rulebook.defaults())
    assert str(raised.value) == f"breaks_{name}: {BREAKS[name][3]}"
    run = rulecheck("audit", f"breaks_{name}", "--out", str(tmp_path / "none"), "-j", "1")
    assert (run.status, run.err) == (2, f"rulecheck: breaks_{name}: {BREAKS[name][3]}\n")


@pytest.mark.parametrize("command", ["prove", "ambiguities", "clauses", "stalemates", "play", "moves", "perft"])
@pytest.mark.parametrize("name", BREAKS)
def test_no_command_ends_in_a_traceback(command: str, name: str, add: Callable[[str], None], rulecheck: Runner) -> None:
    """Some do not notice; those that do say so in one sentence."""
    add(name)
    run = rulecheck(command, f"breaks_{name}")
    assert run.status in (0, 1, 2)
    assert run.err.count("\n") == (run.status == 2)


def test_nothing_is_played_once_the_game_is_over(add: Callable[[str], None], rulecheck: Runner) -> None:
    add("going_on")
    (played,) = json.loads(rulecheck("play", "breaks_going_on", "--json").out)["games"]
    assert played["record"] == []


def test_two_positions_of_one_text_are_not_taken_for_one(install: Callable[[str, str], None], tmp_path: Path) -> None:
    """The text leaves out whose turn it is, and reading it back guesses: values would be those of another position."""
    text = PACKAGE.format(
        name="forgetful",
        engine="    def play(self, position, move):\n"
        "        result = super().play(position, move)\n"
        "        return Short(result.mover, result.stones)",
        more="@dataclass(frozen=True)\nclass Short(Position):\n"
        "    def __str__(self):\n        return f'A {self.stones}'\n",
        changes="",
    )
    (tmp_path / "forgetful.py").write_text(text)
    install("forgetful", "forgetful:GAME")
    game = registry.find("forgetful")
    with pytest.raises(BrokenPromiseError, match="is read as another one"):
        check_promises(game, game.rulebook.defaults())


def test_versions_come_in_order_of_size(install: Callable[[str, str], None], tmp_path: Path) -> None:
    rulebook = (Path(__file__).parent / "stones" / "rulebook.toml").read_text(encoding="utf-8")
    versions = "".join(f'[[version]]\nname = "{n} stones"\nparams = {{ stones = "{n}" }}\n\n' for n in (3, 2))
    at = rulebook.index("[[clause]]")
    folder = tmp_path / "unordered"
    folder.mkdir()
    (folder / "rulebook.toml").write_text(rulebook[:at] + versions + rulebook[at:], encoding="utf-8")
    changes = ', rulebook_file="unordered:rulebook.toml"'
    text = PACKAGE.format(name="unordered", engine="    pass", more="", changes=changes)
    (folder / "__init__.py").write_text(text)
    install("unordered", "unordered:GAME")
    game = registry.find("unordered")
    with pytest.raises(BrokenPromiseError, match=r"order of size, but 3 stones has . positions and 2 stones"):
        check_promises(game, game.rulebook.defaults())


FALSE_SYMMETRY = """
from dataclasses import replace
import stones
from rulecheck.hints import Hints
from stones import Position

class Own(Hints):
    def normaliser(self, params):
        return lambda position: Position("A", {alike})

GAME = replace(stones.GAME, slug="{name}", hints_name="{name}:Own", mutants_file=None)
"""


@pytest.mark.parametrize(
    ("name", "alike", "problem"),
    [
        ("true_symmetry", "position.stones", None),
        (
            "false_symmetry",
            "min(position.stones, 2)",
            "A 4 and A 2 are called alike, but only one of them leads to A 2 or what is alike to it",
        ),
        ("false_ends", "position.stones % 4", "A 4 and A 0 are called alike, but they have not ended alike"),
    ],
)
def test_a_symmetry_is_checked(
    name: str, alike: str, problem: str | None, install: Callable[[str, str], None], tmp_path: Path
) -> None:
    """Whoever is to act may be called A here; a heap of four is not like a smaller one."""
    (tmp_path / f"{name}.py").write_text(FALSE_SYMMETRY.format(name=name, alike=alike))
    install(name, f"{name}:GAME")
    game = registry.find(name)
    if problem is None:
        assert check_promises(game, game.rulebook.defaults()).positions == 8
        return
    with pytest.raises(BrokenPromiseError) as raised:
        check_promises(game, game.rulebook.defaults())
    assert str(raised.value) == f"{name}: {problem}"
