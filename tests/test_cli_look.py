"""Protects: `games`, `show`, `moves`, `perft` and `why` answer, in words and in the JSON others build on."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.model import breaks

START = "A 1:B3B2B1 2:P3P2P1 3:P3P2P1 4:P3P2P1 5:A3A2A1"
TALL = "B 1:B3 2:P3P2P1B1B2P1A1 3:P3P2 4:P3P2P1A2 5:A3"
SMALL = ("-p", "squares=3", "-p", "sizes=12", "-p", "pedestrians=1")
Runner = Callable[..., Any]


@pytest.fixture
def answer(rulecheck: Runner) -> Runner:
    def ask(*arguments: str, **options: Any) -> Any:
        run = rulecheck(*arguments, "--json", **options)
        assert (run.status, run.err) == (0, "")
        return json.loads(run.out)

    return ask


# -- games and show ------------------------------------------------------------------------------------------


def test_games(rulecheck: Runner, answer: Runner) -> None:
    (entry,) = [game for game in answer("games") if game["game"] == "crosswalk"]
    book = registry.find("crosswalk").rulebook
    counts = {"clauses": len(book.clauses), "readings": len(book.readings), "claims": len(book.claims)}
    assert entry.items() >= {"title": "Crosswalk", **counts}.items()
    assert f"{len(book.clauses)} clauses" in rulecheck("games").out


def test_show_draws_the_start_and_gives_its_line(rulecheck: Runner) -> None:
    run = rulecheck("show", "crosswalk")
    assert run.status == 0
    assert run.out.startswith("A to move\n")
    assert run.out.endswith(f"\n\n{START}\n")


def test_show_reads_standard_input_and_the_roll(answer: Runner) -> None:
    found = answer("show", "crosswalk", "-", "--roll", "3", stdin=f"{TALL}\nmore\n".encode())
    assert found["position"] == f"{TALL} roll=3"
    assert found["text"].startswith("B to move, roll 3")
    assert answer("show", "crosswalk", "-", stdin=f"{TALL}\r\n".encode())["position"] == TALL


def test_show_writes_the_picture(answer: Runner, tmp_path: Path) -> None:
    file = tmp_path / "tall.svg"
    found = answer("show", "crosswalk", TALL, "--roll", "1", "--svg", str(file), "--move", "2>5")
    assert found["svg"] == str(file)
    assert f"<title>Crosswalk: {TALL} roll=1, turn 2&gt;5</title>" in file.read_text(encoding="utf-8")


def test_documents_say_what_they_hold_for(answer: Runner) -> None:
    found = answer("show", "crosswalk", *SMALL, "-r", "spend=max_points")
    assert found["params"]["squares"] == "3"
    assert found["readings"]["spend"] == "max_points"
    assert found["position"] == "A 1:B2B1 2:P1 3:A2A1"


# -- moves -----------------------------------------------------------------------------------------------------


def test_moves_of_one_roll(rulecheck: Runner, answer: Runner) -> None:
    found = answer("moves", "crosswalk", "--roll", "1")
    assert found["position"] == f"{START} roll=1"
    assert len(found["moves"]) == 7  # three pedestrians either way, and the own small one inwards
    moves = {entry["move"]: entry["result"] for entry in found["moves"]}
    assert moves["5-4"] == "B 1:B3B2B1 2:P3P2P1 3:P3P2P1 4:P3P2P1A1 5:A3A2"
    assert rulecheck("moves", "crosswalk", "--roll", "1").out.count("\n") == 7


def test_moves_of_every_roll_say_which(answer: Runner) -> None:
    found = answer("moves", "crosswalk", *SMALL)
    assert found["position"] == "A 1:B2B1 2:P1 3:A2A1"
    rolls = [entry["roll"] for entry in found["moves"]]
    assert rolls == sorted(rolls)
    assert set(rolls) == {1, 2, 3, 4, 5, 6}
    of_two = answer("moves", "crosswalk", *SMALL, "--roll", "2")["moves"]
    assert [{k: v for k, v in e.items() if k != "roll"} for e in found["moves"] if e["roll"] == 2] == of_two


def test_a_finished_game_has_no_moves(rulecheck: Runner, answer: Runner) -> None:
    won = "B 0:A1A2 1:B2B1 2:P1"
    assert answer("moves", "crosswalk", won, *SMALL)["moves"] == []
    assert rulecheck("moves", "crosswalk", won, *SMALL).out == "no legal move\n"


# -- perft -----------------------------------------------------------------------------------------------------


def test_perft(rulecheck: Runner, answer: Runner) -> None:
    found = answer("perft", "crosswalk", *SMALL, "--depth", "2")
    assert (found["depth"], found["nodes"]) == (2, 1044)
    assert sum(found["divide"].values()) == 1044
    assert len(found["divide"]) == 37
    assert all(name.split(": ")[0] in "123456" for name in found["divide"])
    assert rulecheck("perft", "crosswalk", *SMALL, "--depth", "2").out.splitlines()[-1] == "nodes 1044"


def test_perft_of_one_roll_and_of_no_depth(answer: Runner) -> None:
    found = answer("perft", "crosswalk", f"{START} roll=1")
    assert found["nodes"] == 7
    assert "5-4" in found["divide"]
    assert answer("perft", "crosswalk", "--depth", "0").items() >= {"nodes": 1, "divide": {}}.items()


# -- why -------------------------------------------------------------------------------------------------------

HERE = "A 1:B2B1 2:P1 3:A2A1"


@pytest.mark.parametrize(
    ("position", "roll", "move", "clauses"),
    [
        (HERE, 2, "3-2 2-3", []),
        (HERE, 1, "1-2", ["CW-13"]),
        (HERE, 1, "3-2 3-2", ["CW-10"]),
        (HERE, 1, "2-0", ["CW-11"]),
        (HERE, 3, "3-2", ["CW-12"]),
        (HERE, 1, "pass", ["CW-12"]),
        (HERE, 1, "1>2", ["CW-19"]),
    ],
)
def test_why(answer: Runner, position: str, roll: int, move: str, clauses: list[str]) -> None:
    found = answer("why", "crosswalk", position, move, "--roll", str(roll), *SMALL)
    assert found["legal"] == (not clauses)
    assert found["engine"] == clauses
    assert set(clauses) <= set(found["spec"])
    assert found["agree"] is True


def test_why_prints_the_clause(rulecheck: Runner) -> None:
    run = rulecheck("why", "crosswalk", HERE, "1-2", "--roll", "1", *SMALL)
    assert run.status == 0
    clause = registry.find("crosswalk").rulebook.clauses["CW-13"]
    engine, spec, text = run.out.splitlines()
    assert engine == "engine: illegal: CW-13, the opponent's pyramids may not be moved"
    assert spec == "spec:   illegal: CW-13"
    assert text == f"CW-13: {clause.text}"


@pytest.mark.parametrize("blamed", [None, "CW-14"])
def test_why_reports_a_disagreement(rulecheck: Runner, monkeypatch: pytest.MonkeyPatch, blamed: str | None) -> None:
    """The engine is made to allow the move, or to blame a clause that the constraints do not."""
    from rulecheck.games.crosswalk.engine import Engine

    verdict = registry.load("rulecheck.model:LEGAL") if blamed is None else breaks(blamed, "a wrong reason")
    monkeypatch.setattr(Engine, "judge", lambda self, position, turn: verdict)
    run = rulecheck("why", "crosswalk", HERE, "1-2", "--roll", "1", *SMALL)
    assert run.status == 1
    assert run.out.startswith("DISAGREEMENT")


def test_why_does_not_guess(rulecheck: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    from specs.crosswalk.spec import Spec

    def slow(self: Any, position: Any, turn: Any) -> Any:
        raise TimeoutError("z3 gave no answer within its budget")

    monkeypatch.setattr(Spec, "judge", slow)
    run = rulecheck("why", "crosswalk", HERE, "3-2", "--roll", "1", *SMALL)
    assert (run.status, run.out) == (1, "")
    assert run.err == "rulecheck: UNKNOWN, z3 gave no answer within its budget; the engine says legal\n"


# -- The program as a whole ------------------------------------------------------------------------------------


def _program(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from rulecheck.cli import main; main()", *arguments]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


def test_help_imports_nothing_heavy() -> None:
    """What keeps `--help` fast; a stopwatch would fail on a busy machine."""
    script = (
        "import sys\nfrom rulecheck.cli import app\n"
        "try: app(['--help'])\nexcept SystemExit: pass\n"
        "print(sorted({'z3', 'numba', 'numpy', 'networkx', 'scipy', 'flint', 'constraint'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ast.literal_eval(done.stdout.splitlines()[-1]) == []
    assert "Check its rules:" in done.stdout


def test_no_arguments_mean_help(rulecheck: Runner) -> None:
    assert rulecheck() == rulecheck("--help")


def test_the_reader_may_go_away() -> None:
    """`rulecheck moves ... | head` is neither an error nor a finding."""
    script = "import sys; from rulecheck.cli import main; main(['moves', 'crosswalk', '--json'])"
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([sys.executable, "-c", script], stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("rulecheck sho", "show"),
        ("rulecheck show cross", "crosswalk"),
        ("rulecheck show crosswalk -r spend=m", "spend=max_points"),
        ("rulecheck moves crosswalk -p di", "die=6"),
    ],
)
def test_shell_completion(words: str, offered: str) -> None:
    done = _program(_RULECHECK_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(len(words.split()) - 1))
    assert done.stdout.split() == [offered]
