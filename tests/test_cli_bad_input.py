"""Protects: whatever is typed, bad input is one sentence on standard error and status 2, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rulecheck.notation import LONGEST_LINE

START = "A 1:B3B2B1 2:P3P2P1 3:P3P2P1 4:P3P2P1 5:A3A2A1"
Runner = Callable[..., Any]


def _refused(run: Any, *fragments: str) -> None:
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith("rulecheck: ")
    assert run.err.endswith("\n")
    assert run.err.count("\n") == 1
    for fragment in fragments:
        assert fragment in run.err


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        # names that nobody knows: the known ones, and the nearest
        (["shw", "crosswalk"], ["no such command 'shw'", "did you mean 'show'"]),
        (["show", "croswalk"], ["unknown game 'croswalk'; known: crosswalk", "did you mean 'crosswalk'?"]),
        (["show", "crosswalk", "-p", "squars=3"], ["unknown parameter 'squars'", "did you mean 'squares'?"]),
        (["show", "crosswalk", "-r", "spnd=exact"], ["unknown reading 'spnd'", "did you mean 'spend'?"]),
        (["show", "crosswalk", "-r", "spend=exactly"], ["'exactly'; known: exact, max_points, until_stuck"]),
        (["show", "crosswalk", "-r", "block=top_only"], ["unknown reading 'block'"]),  # decided by the sheet
        (["show", "crosswalk", "--rol", "3"], ["no such option: --rol", "--roll"]),
        # values of the wrong kind
        (["show", "crosswalk", "-p", "squares=x"], ["squares wants a whole number from 2 to 9, found 'x'"]),
        (["show", "crosswalk", "-p", "squares=٣"], ["squares wants a whole number"]),
        (["show", "crosswalk", "-p", "sizes=21"], ["sizes wants some of the pips 123 in rising order"]),
        (["show", "crosswalk", "-p", "pedestrians=1"], ["pedestrians wants 3 stacks"]),
        (["show", "crosswalk", "-p", "first=P"], ["unknown value of parameter first 'P'; known: A, B"]),
        (["show", "crosswalk", "-p", "squares"], ["option -p wants KEY=VALUE, found 'squares'"]),
        (["show", "crosswalk", "-r", "=exact"], ["option -r wants KEY=VALUE, found '=exact'"]),
        (["show", "crosswalk", "-p", "die=4", "-p", "die=5"], ["option -p sets 'die' twice"]),
        (["perft", "crosswalk", "--depth", "two"], ["'--depth'", "integer"]),
        (["perft", "crosswalk", "--depth", "-1"], ["'--depth'"]),
        (["show", "crosswalk", "--roll", "x"], ["--roll x is nothing that chance may bring; expected one of 1, 2"]),
        # too few, too many
        (["why", "crosswalk", START], ["missing argument 'MOVE'"]),
        (["show"], ["missing argument 'GAME'"]),
        (["show", "crosswalk", START, "again"], ["unexpected extra argument"]),
        (["show", "crosswalk", "--svg"], ["--svg"]),
        (["show", "crosswalk", "--move", "5-4"], ["--move needs --svg FILE, because the move is drawn in the picture"]),
        # positions
        (["show", "crosswalk", ""], ["column 1: expected a position or move, found an empty line"]),
        (["show", "crosswalk", "A 1:B3B3"], ["column 7: B3 stands 2 times, this game has 1"]),
        (["show", "crosswalk", "A 8:B3"], ["column 3: unknown place '8'"]),
        (["show", "crosswalk", "A 1:B3"], ["column 7: the position lacks A1"]),
        (["show", "crosswalk", START + " 6:B1"], ["B1 stands 2 times, this game has 1"]),
        (["show", "crosswalk", START + "\n"], ["column 47: expected a pyramid"]),
        (["show", "crosswalk", "A\0"], ["column 1: expected the player to move"]),
        (["show", "crosswalk", "A " + "x" * LONGEST_LINE], [f"longer than {LONGEST_LINE} characters"]),
        (["show", "crosswalk", "\x1b[31mA"], ["column 1: expected the player to move (A or B)"]),
        # rolls
        # tables that cannot be
        (["show", "icehouse", "all A1@0,0 B1@5,5"], ["column 12: B1@5,5 overlaps A1@0,0"]),
        (["show", "icehouse", "all A1@0,0>1,1"], ["column 12: a direction has length 1, as in 3/5,4/5"]),
        (["show", "icehouse", "all A1@1/0,0"], ["column 8: a fraction cannot have the denominator 0, found '1/0'"]),
        (["show", "icehouse", f"all A1@{'9' * 400},0"], ["column 8: numbers have at most 12 digits"]),
        (["show", "icehouse", "-p", "pieces=1,0,0", "all A1@0,0 A1@99,0"], ["A has 1 small pieces, found 2"]),
        (["why", "icehouse", "all A1@0,0", "B1@0,0>0,0"], ["column 8: a direction has length 1"]),
        (["best", "icehouse", "--for", "Z"], ["there is no player 'Z'; the players are A, B, C, D"]),
        (["best", "icehouse", "-c", "time"], ["a candidate is a placement, and 'time' is none"]),
        (
            ["moves", "crosswalk", "--roll", "7"],
            ["--roll 7 is nothing that chance may bring; expected one of 1, 2, 3, 4, 5, 6"],
        ),
        (["moves", "crosswalk", "--roll", "0"], ["--roll 0 is nothing that chance may bring"]),
        (["moves", "crosswalk", START + " roll=2", "--roll", "3"], ["roll=2, so --roll 3 has no meaning there"]),
        (["moves", "crosswalk", "-p", "die=3", START + " roll=4"], ["expected a roll from 1 to 3, found '4'"]),
        (["why", "crosswalk", START, "5-4"], ["a turn needs a roll"]),
        # moves
        (["why", "crosswalk", START, "5-9", "--roll", "1"], ["column 3: expected a place from 0 to 6"]),
        (["why", "crosswalk", START, "jump", "--roll", "1"], ["column 1: expected FROM-TO or FROM>TO"]),
    ],
)
def test_bad_arguments(rulecheck: Runner, arguments: list[str], fragments: list[str]) -> None:
    _refused(rulecheck(*arguments), *fragments)


@pytest.mark.parametrize(
    ("given_bytes", "fragment"),
    [
        (None, "standard input is closed"),
        (b"", "standard input is empty"),
        (b"\n", "column 1: expected a position or move, found an empty line"),
        (b"A 1:\xff\xfe\n", "standard input is not UTF-8 text: byte 5 of its first line"),
        (b"A\0 1:B3\n", "column 1: expected the player to move (A or B), found 'A\\x00'"),
        (b"A" * (LONGEST_LINE + 1), f"longer than {LONGEST_LINE} characters"),
        (b"A" * 10_000_000, f"longer than {LONGEST_LINE} characters"),
    ],
)
def test_bad_standard_input(rulecheck: Runner, given_bytes: bytes | None, fragment: str) -> None:
    _refused(rulecheck("show", "crosswalk", "-", stdin=given_bytes), fragment)


@pytest.mark.parametrize("name", ["missing/x.svg", "", "folder", "x" * 300 + ".svg"])
def test_pictures_that_cannot_be_written(rulecheck: Runner, tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    _refused(rulecheck("show", "crosswalk", "--svg", f"{tmp_path}/{name}"), "cannot write '")
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]


def test_a_folder_without_the_right_to_write(rulecheck: Runner) -> None:
    """/proc refuses new files even to the superuser."""
    if not Path("/proc/self").is_dir():
        pytest.skip("no /proc here")
    _refused(rulecheck("show", "crosswalk", "--svg", "/proc/x.svg"), "cannot write '/proc/x.svg'")


def test_the_real_program_with_closed_input_and_foreign_bytes() -> None:
    """Once for real: a closed descriptor, and arguments that are not UTF-8."""
    command = [sys.executable, "-c", "from rulecheck.cli import main; main()", "show", "crosswalk"]
    shell = 'exec "$@" - <&-'
    closed = subprocess.run(["sh", "-c", shell, "sh", *command], capture_output=True, check=False)
    assert (closed.returncode, closed.stdout) == (2, b"")
    assert closed.stderr == b"rulecheck: standard input is closed, so there is no position to read from it\n"
    foreign = subprocess.run([*map(os.fsencode, command), b"A 1:\xff"], capture_output=True, check=False)
    assert (foreign.returncode, foreign.stdout) == (2, b"")
    assert foreign.stderr.startswith(b"rulecheck: column 5: expected a pyramid")


# -- Fuzz ------------------------------------------------------------------------------------------------------

words = st.sampled_from(
    [
        *("games", "show", "moves", "perft", "why", "crosswalk", "noughts", "-", "--", "--help", "--json"),
        *("--roll", "--depth", "-p", "-r", "--move", "0", "1", "3", "99", "-1", "1e3", "pass", "5-4", "2>5"),
        *("squares=2", "squares=3", "sizes=1", "sizes=12", "pedestrians=none", "die=1", "first=B", "die="),
        *("spend=max_points", "win=end_of_turn", "spend", "roll=3", START, START + " roll=2", "A 1:B1 2:A1"),
    ]
)
texts = st.text(max_size=12).filter(lambda text: not text.startswith(("--svg", "--install", "--show-c")))


@given(st.lists(words | texts, max_size=9), st.binary(max_size=40) | st.just(START.encode()))
@example(["show", "crosswalk", "-p", "squares=2", "-p", "sizes=1", "--", "A 1:B1 2:A1"], b"")
@example(["shw\n\x1b"], b"")
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
def test_never_a_traceback(rulecheck: Runner, arguments: list[str], stdin: bytes) -> None:
    if "perft" in arguments:
        arguments = [*arguments, "--depth", "0"]  # a deep count would be right, and endless
    run = rulecheck(*arguments, stdin=stdin)
    assert run.status in (0, 2)
    if run.status == 2:
        _refused(run)
    else:
        assert run.err == ""
