"""Protects: `--version`, grouped help, `rules`, completion, and what every JSON document carries."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from rulecheck import registry

Runner = Callable[..., Any]
TINY = ("-p", "radius=1", "-p", "group=2", "-p", "groups=1", "-p", "pieces=1,1,1")
SMALL = ("-p", "squares=3", "-p", "sizes=12", "-p", "pedestrians=1")


def test_version(rulecheck: Runner) -> None:
    run = rulecheck("--version")
    assert run.status == 0
    assert run.out.startswith("rulecheck ")


def test_help_lists_every_command_once_and_the_exit_statuses(rulecheck: Runner) -> None:
    from rulecheck.cli import app

    text = rulecheck("--help").out
    names = [command.name or command.callback.__name__ for command in app.registered_commands]  # type: ignore[union-attr]
    assert [name for name in names if sum(line.startswith(f"  {name} ") for line in text.splitlines()) != 1] == []
    assert "..." not in text.partition("Look at a game")[2]
    assert "130 after Ctrl-C" in text


@pytest.mark.parametrize("slug", registry.names())
def test_rules_tell_all_there_is(rulecheck: Runner, slug: str) -> None:
    book = registry.find(slug).rulebook
    found, text = json.loads(rulecheck("rules", slug, "--json").out), rulecheck("rules", slug).out
    assert [row["id"] for row in found["clauses"]] == list(book.clauses)
    assert [row["id"] for row in found["claims"]] == list(book.claims)
    assert {row["name"]: row["values"] for row in found["choices"]} == {
        r.name: dict(r.meaning) for r in book.readings.values()
    }
    for name in [*book.clauses, *book.claims, *book.options, *(p.name for p in book.parameters)]:
        assert name in text


def test_rules_about_one_clause(rulecheck: Runner) -> None:
    found = json.loads(rulecheck("rules", "hextris", "HX-09", "--json").out)
    book = registry.find("hextris").rulebook
    assert "HX-09" in [row["id"] for row in found["clauses"]]
    assert all("HX-09" in row["clauses"] for row in (*found["choices"], *found["claims"]))
    assert [row["name"] for row in found["choices"]] == [r.name for r in book.readings.values() if "HX-09" in r.clauses]
    run = rulecheck("rules", "hextris", "HX-99")
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith("rulecheck: unknown clause 'HX-99'; known: HX-01, ")


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "crosswalk", *SMALL),
        ("moves", "crosswalk", *SMALL),
        ("perft", "crosswalk", *SMALL),
        ("why", "crosswalk", "A 1:B2B1 2:P1 3:A2A1", "1-2", "--roll", "1", *SMALL),
        ("play", "crosswalk", *SMALL, "--engine-only"),
        ("rules", "crosswalk"),
        ("ambiguities", "hextris", "--only", "final_group", *TINY),
        ("probe", "crosswalk", *SMALL, "--depth", "1"),
    ],
)
def test_json_says_what_it_is_about(rulecheck: Runner, arguments: tuple[str, ...]) -> None:
    found = json.loads(rulecheck(*arguments, "--json").out)
    rows = found if isinstance(found, list) else [found]
    assert rows
    for row in rows:
        assert row["game"] == arguments[1]
        assert row["schema"] == 1
        assert row["params"].keys() == registry.find(arguments[1]).params({}).as_dict().keys()
        assert row["readings"].keys() == registry.find(arguments[1]).rulebook.options.keys()


def test_why_carries_the_texts_of_the_clauses(rulecheck: Runner) -> None:
    run = rulecheck("why", "crosswalk", "A 1:B2B1 2:P1 3:A2A1", "1-2", "--roll", "1", *SMALL, "--json")
    book = registry.find("crosswalk").rulebook
    assert json.loads(run.out)["clauses"]["CW-13"] == book.clauses["CW-13"].text


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("rulecheck rules hextris HX-0", "HX-01"),
        ("rulecheck prove crosswalk --family set", "setup"),
        ("rulecheck ambiguities hextris --only sw", "swap"),
        ("rulecheck mutants crosswalk --only C", "C01"),
        ("rulecheck puzzles hextris --kind win", "win-in-2"),
        ("rulecheck puzzles hex", "hextris"),
        ("rulecheck report hextris cross", "crosswalk"),
        ("rulecheck compare nestrace -p board=h", "board=hexagon"),
        ("rulecheck report nestrace -p board=h", "board=hexagon"),
    ],
)
def test_completion_of_what_a_game_has(words: str, offered: str) -> None:
    command = [sys.executable, "-c", "from rulecheck.cli import main; main()"]
    complete = {"_RULECHECK_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    done = subprocess.run(command, env={**os.environ, **complete}, capture_output=True, text=True, check=False)
    assert offered in done.stdout.split()


# -- Colour ------------------------------------------------------------------------------------------------------


def test_verdicts_are_coloured_on_a_terminal_only(rulecheck: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulecheck.commands import colour

    plain = rulecheck("prove", "hextris", "--family", "board").out
    monkeypatch.setattr(colour, "in_colour", lambda: True)
    tinted = rulecheck("prove", "hextris", "--family", "board").out
    assert "\x1b" not in plain
    assert "\x1b[32mPROVED" in tinted
    assert re.sub(r"\x1b\[\d+m", "", tinted) == plain


@pytest.mark.parametrize(
    ("text", "tones", "code"),
    [
        ("REFUTED", None, 31),
        ("REFUTED ", "good", 32),
        ("illegal: HX-09", None, 31),
        ("UNKNOWN (1 sampled)", None, 33),
    ],
)
def test_what_colour(monkeypatch: pytest.MonkeyPatch, text: str, tones: str | None, code: int) -> None:
    from rulecheck.commands import colour

    monkeypatch.setattr(colour, "in_colour", lambda: True)
    assert colour.tinted(text, colour.GOOD_REFUTATION if tones else None) == f"\x1b[{code}m{text}\x1b[0m"
    assert colour.tinted("nothing to colour") == "nothing to colour"
    assert colour.tinted("") == ""


def test_no_colour_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulecheck.commands import colour

    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not colour.in_colour()
    monkeypatch.delenv("NO_COLOR")
    assert colour.in_colour()
