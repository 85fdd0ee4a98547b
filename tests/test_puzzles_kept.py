"""Protects: mining that is interrupted loses nothing, goes on where it stopped, and ends with the same collection."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rulecheck.puzzles import keeping
from rulecheck.puzzles.book import varied
from rulecheck.puzzles.keeping import Unfinished
from rulecheck.puzzles.model import Puzzle
from rulecheck.puzzles.words import book_lines, chances_of, in_games, main_line

ASKED = ("puzzles", "icepalace", "--kind", "legal-or-not", "--count", "3", "--seed", "5")


def test_an_interrupted_run_goes_on_to_the_same_collection(
    rulecheck: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = rulecheck(*ASKED, "--out", str(tmp_path / "whole"))
    assert whole.status == 0
    noted = Unfinished.note

    def stop(self: Unfinished, kind: str, units: int, puzzle: Puzzle | None) -> None:
        noted(self, kind, units, puzzle)
        if len(self.lines) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(keeping.Unfinished, "note", stop)
    part = tmp_path / "part"
    stopped = rulecheck(*ASKED, "--out", str(part))
    assert stopped.status != 0
    assert len((part / "icepalace.jsonl").read_text().splitlines()) == 2
    assert stopped.out.count("level ") == 1  # printed when found; the second was just being written
    kept = json.loads((part / "icepalace.unfinished.json").read_text())
    assert len(kept["kinds"]["legal-or-not"]["ids"]) == 2
    monkeypatch.undo()
    assert rulecheck(*ASKED, "--out", str(part)).status == 0
    assert (part / "icepalace.jsonl").read_bytes() == (tmp_path / "whole" / "icepalace.jsonl").read_bytes()
    assert [file.name for file in part.iterdir()] == ["icepalace.jsonl"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"asked": {}}', '{"asked": {"seed": 1}, "kinds": []}'])
def test_notes_that_cannot_be_read_or_answer_another_question_are_left_alone(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.unfinished.json").write_text(text)
    assert Unfinished(tmp_path / "x.jsonl", {"seed": 1}).kinds == {}


def test_chances_are_said_in_games() -> None:
    said = "2-1 keeps a forced win with probability 0.6667; the next best loses 0.1667 of it."
    assert in_games(said) == "2-1 wins about 2 games in 3; the best other turn 1 game in 2."
    assert in_games("nothing of the kind") == "nothing of the kind"


def test_the_book_tells_tries_in_games_and_names_open_rules() -> None:
    """No decimals, no names of options: what each turn wins, and the rules on which the answer hangs."""
    file = Path(__file__).parent.parent / "reports" / "puzzles" / "crosswalk.jsonl"
    puzzles = map(json.loads, file.read_text().splitlines())
    puzzle = next(row for row in puzzles if row["kind"] == "best-turn" and row["other_readings"])
    lines = list(book_lines(puzzle))
    tries = [line for line in lines if line.startswith("Try: ")]
    assert len(tries) == len(puzzle["tries"])
    assert all(re.fullmatch(r"Try: .+\? wins (\d+ games? in \d+|no game|every game)\.", line) for line in tries)
    assert not re.search(r"\d\.\d|=", "".join(lines))
    assert re.fullmatch(r"Another reading of (CW-\d+(, | or )?)+ would change the answer\.", lines[-1])


def test_a_try_wins_less_than_the_answer() -> None:
    chances = chances_of(["2-1 keeps a forced win with probability 0.6667; the next best loses 0.1667 of it."])
    assert chances is not None
    assert [chances.games(share) for share in (0.6667, 0.5, 0.34, 0.0, 1.0)] == [
        "2 games in 3", "1 game in 2", "1 game in 3", "no game", "every game",
    ]  # fmt: skip
    assert chances_of({"play": ["a1"]}) is None


def test_a_selection_prefers_variety() -> None:
    """Before a second puzzle of one kind and level comes one of each other kind."""

    def puzzle(kind: str, level: int, key: str) -> dict[str, Any]:
        return {"kind": kind, "difficulty": {"level": level, "vector": {"key": key}}}

    first, second, third = puzzle("win", 2, "threat"), puzzle("win", 2, "threat"), puzzle("win", 3, "quiet")
    other = puzzle("proof", 2, "quiet")
    assert varied([first, second, third, other], 3) == [first, third, other]
    assert varied([first, second], 9) == [first, second]


def test_the_main_line_is_the_longest_defence() -> None:
    short, long = {"if": ["a"], "play": ["x"]}, {"if": ["b"], "play": ["y"], "after": [{"if": ["c"], "play": ["z"]}]}
    assert list(main_line({"play": ["key"], "after": [short, long]})) == ["key", "b", "y", "c", "z"]
