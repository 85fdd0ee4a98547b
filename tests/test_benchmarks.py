"""Protects: what the benchmarks keep and how they compare. What they measure depends on the machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import page
from benchmarks.__main__ import measure, names
from benchmarks.rows import Row, compare, compare_rates

REPORTS = Path(__file__).parents[1] / "reports"


def test_rows_say_whether_they_met_what_was_asked() -> None:
    assert Row("w", "m", 3.0).met is None
    assert [Row("w", "m", 3.0, ratio=ratio, at_least=20).met for ratio in (19.9, 20.0)] == [False, True]
    assert [Row("w", "m", ours, at_most=64).met for ours in (64.0, 64.1)] == [True, False]
    assert "NOT MET" in str(Row("w", "m", 3.0, ratio=19.9, at_least=20))


def test_what_is_compared_is_run_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours takes 1 second for each of its ten, theirs 5 for each of its two."""
    clock = [0.0]
    calls: list[str] = []

    def work(name: str, takes: float) -> None:
        calls.append(name)
        clock[0] += takes

    monkeypatch.setattr("time.process_time", lambda: clock[0])
    ours, theirs = (lambda: work("ours", 10.0)), (lambda: work("theirs", 10.0))
    row = compare("w", ours, theirs, "others", shares=(10, 2), repeats=3)
    assert calls == ["ours", "theirs"] * 3
    assert (row.ours, row.theirs, row.ratio) == (1.0, 5.0, 5.0)
    rate = compare_rates("w", ours, theirs, "others", (10, 2), at_least=4)
    assert (rate.ours, rate.theirs, rate.ratio, rate.met) == (1.0, 0.2, 5.0, True)


def test_modules_that_were_not_run_keep_their_rows(tmp_path: Path) -> None:
    row = Row("w", "m", 3.0, "others", 6.0, 2.0, (1.5, 2.5), note="n").as_json()
    page.keep(tmp_path, {"a": [row], "b": [row]})
    page.keep(tmp_path, {"b": [{**row, "ratio": 4.0}]})
    kept = json.loads((tmp_path / "benchmarks.json").read_text())["rows"]
    assert [kept[name][0]["ratio"] for name in "ab"] == [2.0, 4.0]
    assert "| 2x (1.5x to 2.5x) |" in (tmp_path / "benchmarks.md").read_text()
    assert (tmp_path / "benchmarks.svg").read_text().startswith("<svg")


def test_the_kept_table_and_drawing_are_those_of_the_kept_figures(tmp_path: Path) -> None:
    kept = json.loads((REPORTS / "benchmarks.json").read_text())
    rows = [row for name in sorted(kept["rows"]) for row in kept["rows"][name]]
    assert set(kept["rows"]) <= set(names())
    assert (REPORTS / "benchmarks.md").read_text() == page.table(kept["machine"], rows)
    assert (REPORTS / "benchmarks.svg").read_text() == str(page.drawing([row for row in rows if row["ratio"]]))


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_every_module_measures_something(name: str) -> None:
    assert measure(name, small=True)
