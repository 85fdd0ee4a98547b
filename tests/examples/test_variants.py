"""Protects: puzzles and letters about a version of one's own say which it is, and can be made again."""

from __future__ import annotations

import html
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulecheck.puzzles.model import read_id, read_version, version_name

pytestmark = pytest.mark.usefixtures("installed")

Run = Callable[..., Any]


def test_puzzles_of_a_version_are_named_after_it_and_proved_again(rulecheck: Run, tmp_path: Path) -> None:
    made = rulecheck("puzzles", "nim", "-p", "heaps=2,3", "--count", "3", "--out", str(tmp_path))
    assert made.status == 0, made.err
    rows = [json.loads(line) for line in (tmp_path / "nim.jsonl").read_text().splitlines()]
    assert len(rows) == 3
    assert all(row["id"].startswith("nim[heaps=2,3]:") for row in rows)
    assert {row["params"]["heaps"] for row in rows} == {"2,3"}
    proved = rulecheck("puzzles", "--verify", str(tmp_path / "nim.jsonl"))
    assert "PROVED: 3 of 3 puzzles" in proved.out
    assert rows[0]["question"] in rulecheck("puzzles", rows[0]["id"]).out


def test_a_puzzle_moved_to_another_version_is_refused(rulecheck: Run, tmp_path: Path) -> None:
    rulecheck("puzzles", "nim", "-p", "heaps=2,3", "--kind", "win-in-1", "--count", "1", "--out", str(tmp_path))
    file = tmp_path / "nim.jsonl"
    file.write_text(file.read_text().replace("nim[heaps=2,3]:", "nim:"))
    refuted = rulecheck("puzzles", "--verify", str(file))
    assert refuted.status == 1
    assert "REFUTED" in refuted.out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("nim", "-p", "heaps=x"), "heaps"),
        (("hextris", "-p", "players=3", "--kind", "win-in-1"), "for two players, not for 3"),
        (("icepalace", "-p", "sizes=12", "--kind", "only-palace"), "take no -p"),
        (("--verify", "x.jsonl", "-p", "heaps=1"), "-p goes with the making of puzzles"),
    ],
)
def test_a_version_that_cannot_be_had_is_refused(
    rulecheck: Run, tmp_path: Path, arguments: tuple[str, ...], problem: str
) -> None:
    run = rulecheck("puzzles", *arguments, "--out", str(tmp_path))
    assert run.status == 2
    assert problem in run.err
    assert list(tmp_path.iterdir()) == []


def test_names_of_versions_read_back() -> None:
    given = {"pedestrians": "321,-,-", "squares": "3"}
    name = version_name("crosswalk", given)
    assert read_version(name) == ("crosswalk", given)
    assert read_id(f"{name}:best-turn#1.2") == (name, "best-turn", 1, 2)
    assert read_version("nim") == ("nim", {})


def test_a_letter_about_a_version_says_so(rulecheck: Run, tmp_path: Path) -> None:
    run = rulecheck("report", "nim", "-p", "heaps=1,2", "--out", str(tmp_path), "--jobs", "1")
    assert run.status == 0, run.err
    assert sorted(file.name for file in tmp_path.iterdir()) == ["nim_heaps=1,2.html", "nim_heaps=1,2.json"]
    page = (tmp_path / "nim_heaps=1,2.html").read_text()
    assert "another game than the printed one" in page
    assert "index.html" not in page
    asked = [shlex.split(html.unescape(text)) for text in re.findall(r'<code class="command">(.*?)</code>', page)]
    assert asked
    assert all("heaps=1,2" in words for words in asked)
    assert rulecheck(*asked[0][1:]).status == 0
    assert 'lang="fr"' not in page  # nobody has said in which language its sheet is
    assert "French" not in page


def test_a_version_has_no_committed_report(rulecheck: Run, tmp_path: Path) -> None:
    run = rulecheck("report", "nim", "-p", "heaps=1,2", "--render", "--out", str(tmp_path))
    assert run.status == 2
    assert "which are of the printed game" in run.err
