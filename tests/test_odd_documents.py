"""Protects `puzzles --book`, `--verify` and `report` from documents of another shape: a sentence, before any work."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulecheck.model import InputError
from rulecheck.puzzles.model import read_line
from rulecheck.report import require_reports

Runner = Callable[..., Any]
KEPT = Path(__file__).parent.parent / "reports" / "puzzles"
ODD: list[Any] = [None, {}, [], [1], [[]], [{}], [{"play": 1}], "text", 1, 1.5, True, {"play": []}, {"after": 3}]
DEEP: dict[str, Any] = {"play": ["a"]}
for _ in range(300):
    DEEP = {"play": ["a"], "if": ["b"], "after": [DEEP]}


def _puzzles() -> list[dict[str, Any]]:
    return [json.loads(line) for file in sorted(KEPT.glob("*.jsonl")) for line in file.read_text().splitlines()]


def test_every_committed_puzzle_is_read() -> None:
    for puzzle in _puzzles():
        assert read_line(json.dumps(puzzle), "here") == puzzle


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("difficulty", {}),
        ("difficulty", {"level": "1", "method": "m", "vector": {}}),
        ("difficulty", {"level": 1, "method": "m", "vector": {"n": None}}),
        ("answer", [1]),
        ("solution", None),
        ("solution", {"play": [None]}),
        ("solution", {"play": ["a"], "after": [{"play": ["b"]}]}),
        ("solution", DEEP),
        ("tries", [{"play": "a"}]),
        ("set_play", [{"if": "a", "play": "b"}]),
        ("duals", [[]]),
    ],
)
def test_puzzles_of_another_shape_are_refused(key: str, value: Any, tmp_path: Path, rulecheck: Runner) -> None:
    file = tmp_path / "odd.jsonl"
    file.write_text(json.dumps({**_puzzles()[0], key: value}))
    for arguments in (["--book", str(tmp_path), "--out", str(tmp_path / "book")], ["--verify", str(file)]):
        run = rulecheck("puzzles", *arguments)
        assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
        assert f"line 1: '{key}' wants" in run.err


def test_whatever_stands_in_a_puzzle_is_taken_or_refused() -> None:
    """What is taken can be told in words."""
    from rulecheck.puzzles.words import solution_lines

    taken = 0
    for puzzle in (_puzzles()[0], _puzzles()[-1]):
        for key in puzzle:
            for value in ODD:
                try:
                    found = read_line(json.dumps({**puzzle, key: value}), "here")
                except InputError:
                    continue
                taken += 1
                assert all(isinstance(line, str) for line in solution_lines(found))
    assert taken


@pytest.mark.parametrize(
    "change", [{"claims": None}, {"proofs": []}, {"coverage": [1]}, {"second": {}}, {"rulebook": {}}]
)
def test_a_report_of_another_shape_is_refused_before_the_work(
    change: dict[str, Any], tmp_path: Path, rulecheck: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*arguments: object) -> None:
        raise AssertionError("the work was begun")

    monkeypatch.setattr("rulecheck.report.collect", work)
    document = json.loads((KEPT.parent / "crosswalk.json").read_text())
    (tmp_path / "crosswalk.json").write_text(json.dumps({**document, **change}))
    run = rulecheck("report", "hextris", "--out", str(tmp_path))
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
    assert "crosswalk.json' is no report of this program" in run.err


def test_a_report_from_before_a_reading_has_a_page(tmp_path: Path) -> None:
    """Where the rulebook has got a reading, the kept documents of all games stay pages until they are made anew."""
    document = json.loads((KEPT.parent / "hextris.json").read_text())
    newest = list(document["readings"])[-1]
    rows = [row for row in document["ambiguities"] if row["reading"] != newest]
    for readings in (document["readings"], *(row["witness"]["readings"] for row in rows if row["witness"])):
        readings.pop(newest, None)
    (tmp_path / "hextris.json").write_text(json.dumps({**document, "ambiguities": rows}))
    require_reports(tmp_path)
