"""Protects the program's edges: a standard output that is full, closed or cannot encode, Ctrl-C at once, long input."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Runner = Callable[..., Any]
PROGRAM = [sys.executable, "-m", "rulecheck"]


def _shell(redirected: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", "-c", f'exec "$@" {redirected}', "sh", *PROGRAM, *arguments]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", [("--help",), ("moves", "crosswalk", "--json")])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_standard_output_is_a_sentence(arguments: tuple[str, ...], unbuffered: str) -> None:
    run = _shell(">/dev/full", *arguments, PYTHONUNBUFFERED=unbuffered)
    assert (run.returncode, run.stderr) == (
        2,
        "rulecheck: cannot write to standard output: No space left on device\n",
    )


def test_a_closed_standard_output_is_a_sentence() -> None:
    run = _shell(">&-", "games")
    assert (run.returncode, run.stderr) == (
        2,
        "rulecheck: standard output is closed; lead it to a file, or to /dev/null\n",
    )


def test_a_closed_standard_error_changes_nothing_else() -> None:
    assert _shell("2>&-", "games").returncode == 0
    assert _shell("2>&-", "show", "nothing").returncode == 2


def test_what_cannot_be_encoded_is_escaped() -> None:
    run = _shell("", "show", "crosswalk", "é\udc80", PYTHONIOENCODING="ascii")
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)
    assert "\\xe9" in run.stderr
    listed = _shell("", "games", "--json", PYTHONIOENCODING="ascii")
    assert json.loads(listed.stdout) == json.loads(_shell("", "games", "--json").stdout)


def test_json_is_escaped_by_its_own_rules(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from rulecheck.commands.common import json_text

    monkeypatch.setattr(type(sys.stdout), "encoding", "ascii", raising=False)
    assert json_text({"é": "\U0001f3b2"}) == '{"\\u00e9": "\\ud83c\\udfb2"}'


INTERRUPTED_IMPORT = """
import sys
class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == {!r}: raise KeyboardInterrupt
sys.meta_path.insert(0, Stop())
sys.argv[1:] = ["games"]
from rulecheck.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ["typer", "rulecheck.cli", "rulecheck.commands.look"])
def test_ctrl_c_during_the_first_imports_is_a_sentence(module: str) -> None:
    run = subprocess.run([sys.executable, "-c", INTERRUPTED_IMPORT.format(module)], capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (130, b"rulecheck: interrupted\n")


def test_ctrl_c_within_a_command(rulecheck: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulecheck.perft.divide", stop)
    run = rulecheck("perft", "crosswalk")
    assert (run.status, run.out) == (130, "")
    assert run.err.startswith("rulecheck: interrupted")


@pytest.mark.parametrize("command", [("perft", "crosswalk"), ("report", "crosswalk", "hextris")])
def test_ctrl_c_while_arguments_of_z3_are_converted(
    command: tuple[str, ...], rulecheck: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """ctypes wraps whatever happens in there into an error of its own."""

    class Argument:
        @property
        def _as_parameter_(self) -> object:
            raise KeyboardInterrupt

    def stop(*arguments: object, **more: object) -> None:
        ctypes.pythonapi.Py_IsInitialized(Argument())

    monkeypatch.setattr("rulecheck.perft.divide", stop)
    monkeypatch.setattr("rulecheck.report.collect", stop)
    run = rulecheck(*command, *(["--out", str(tmp_path)] if command[0] == "report" else []))
    assert (run.status, run.out) == (130, "")
    assert run.err.startswith("rulecheck: interrupted")


def test_long_input_is_cut_in_the_middle_of_the_sentence(rulecheck: Runner) -> None:
    run = rulecheck("show", "x" * 5000 + "end")
    assert (run.status, run.err.count("\n")) == (2, 1)
    assert run.err.startswith("rulecheck: unknown game 'xxx")
    assert "known: " in run.err
    assert " [...] " in run.err
    assert len(run.err) < 700
