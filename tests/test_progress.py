"""Protects that progress moves: one share of the whole that never falls back, and signs of life in between."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulecheck import progress
from rulecheck.jobs import run_all, stage, tell
from rulecheck.processes import Piece, Processes

SHARES = st.lists(st.floats(0.0, 1.0))


def clock(*times: float) -> Callable[[], float]:
    left: Iterator[float] = iter(times)
    return lambda: next(left)


@given(SHARES)
def test_the_share_never_falls_back(shares: list[float]) -> None:
    overall, shown = progress.Overall(), [0.0]
    for share in shares:
        overall("x", share)
        shown.append(overall.share)
    assert shown == sorted(shown)
    assert shown[-1] == max(shares, default=0.0)


def test_the_time_left_is_counted_down_and_never_begins_again() -> None:
    overall = progress.Overall(clock(0.0, 0.0, 10.0, 15.0, 20.0, 25.0, 60.0))
    overall("first", 0.0)
    overall("first", 0.2)
    assert overall.left() == 35.0
    overall("second", 0.1)
    assert overall.left() == 25.0
    assert overall.left() is None  # it should be over by now


def test_resumed_work_goes_by_its_own_pace() -> None:
    overall = progress.Overall(clock(0.0, 1.0, 11.0, 11.0))
    overall("again", 0.8)
    overall("again", 0.9)
    assert overall.left() == pytest.approx(10.0)


def test_a_log_has_a_line_now_and_then_with_what_is_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.delenv(progress.PROGRESS)
    log = progress.LogLines("solving chess", lambda: now[0])
    for now[0], what, done in ((0.0, "a", 0.0), (5.0, "b", 0.1), (20.0, "c", 0.25), (25.0, "d", 0.3), (60.0, "e", 0.5)):
        log(what, done)
    now[0] = 90.0
    log.say()
    now[0] = 3690.0
    log("f", 0.0)
    assert capsys.readouterr().err.splitlines() == [
        "solving chess: 25 % after 20 s, about 1 min left; c",
        "solving chess: 50 % after 1 min, about 1 min left; e",
        "solving chess: 50 % after 2 min, about 30 s left; e",
        "solving chess: 50 % after 1 h 2 min; f",
    ]


def test_a_log_goes_on_while_nothing_is_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(progress.PROGRESS, "0.01")
    with progress.show_progress("proving chess") as report:
        report("mates", 0.0)
        lines = ""
        for _ in range(3000):
            time.sleep(0.01)
            lines += capsys.readouterr().err
            if lines.count("; mates\n") >= 3:
                break
    assert lines.count("; mates\n") >= 3


def test_stages_share_the_whole() -> None:
    heard: list[tuple[str, float]] = []

    def report(what: str, done: float) -> None:
        heard.append((what, done))

    run_all(str, ["a", "b"], report=stage(report, 0.0, 0.5, "first"))
    run_all(str, ["c"], report=stage(report, 0.5, 1.0))
    assert heard == [
        ("first: 0 of 2 done, a", 0.0),
        ("first: 1 of 2 done, b", 0.25),
        ("first: 2 of 2 done", 0.5),
        ("0 of 1 done, c", 0.5),
        ("1 of 1 done", 1.0),
    ]


def test_what_is_done_here_is_named() -> None:
    heard: list[str] = []
    run_all(str, ["a", ("b", 2, "c")], report=lambda what, done: heard.append(what))
    assert heard == ["0 of 2 done, a", "1 of 2 done, b c", "2 of 2 done"]


def half(name: str) -> str:
    """Tells a share, and waits until it has been heard."""
    tell(0.5)
    while not Path(f"{name}-heard").exists():
        time.sleep(0.01)
    return name


def test_what_processes_are_at_is_named(tmp_path: Path) -> None:
    names, heard = [str(tmp_path / "a"), str(tmp_path / "b")], []

    def report(what: str, done: float) -> None:
        heard.append(what)
        for name in names:
            if what.endswith(name):
                Path(f"{name}-heard").touch()

    with Processes(1) as pool:
        run_all(half, names, executor=pool, report=report)
    assert list(dict.fromkeys(heard)) == [f"0 of 2 done, {names[0]}", f"1 of 2 done, {names[1]}", "2 of 2 done"]


@pytest.mark.parametrize("fresh", [False, True])
def test_a_process_tells_how_much_of_its_work_is_done(
    fresh: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulecheck.jobs.LISTEN_EVERY", 0.01)
    names, heard = [str(tmp_path / "a"), str(tmp_path / "b")], []

    def report(what: str, done: float) -> None:
        heard.append(done)
        for name, share in zip(names, (0.25, 0.75), strict=True):
            if done == share:
                Path(f"{name}-heard").touch()

    with Processes(1, fresh=fresh) as pool:
        assert run_all(half, names, executor=pool, report=report) == names
    assert list(dict.fromkeys(heard)) == sorted(set(heard))
    assert {0.0, 0.25, 0.5, 0.75, 1.0} >= set(heard) >= {0.25, 0.75, 1.0}


def test_a_piece_that_has_ended_does_not_take_the_share_of_the_next(tmp_path: Path) -> None:
    names = [str(tmp_path / "a"), str(tmp_path / "b")]
    with Processes(1) as pool:
        first, second = (pool.submit(half, name) for name in names)
        assert isinstance(first, Piece)
        assert isinstance(second, Piece)
        Path(f"{names[0]}-heard").touch()
        first.result()
        while second.share() != 0.5:
            time.sleep(0.01)
        assert first.share() == 1.0
        Path(f"{names[1]}-heard").touch()
        second.result()


def test_work_done_here_tells_it_too() -> None:
    heard: list[float] = []
    run_all(lambda share: tell(share), [0.5, 0.5], report=lambda what, done: heard.append(done))
    tell(0.9)  # nobody hears it
    assert heard == [0.0, 0.25, 0.5, 0.75, 1.0]
