"""Protects `--cluster`: equal results, killed workers, workers of another version, no scheduler at all."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rulecheck import cluster as clusters
from rulecheck.cluster import Cluster, OtherVersionError, connected, digest
from rulecheck.jobs import run_all, spread, stream, workers
from rulecheck.model import InputError

pytest.importorskip("distributed")
Runner = Callable[..., Any]
SMALL = ["hextris", "-p", "radius=1", "-p", "group=2", "-p", "groups=1", "-p", "pieces=1,1,1/0,1,1"]


def square(number: int) -> int:
    return number * number


def die_once(task: tuple[str, int]) -> int:
    mark = Path(task[0], str(task[1]))
    if task[1] == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return task[1]


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def refuse(number: int) -> int:
    raise InputError(f"no {number}")


@pytest.fixture(scope="module")
def local() -> Iterator[Cluster]:
    with connected("local") as cluster:
        yield cluster


@pytest.mark.slow
def test_results_are_the_same_and_in_order(local: Cluster) -> None:
    with spread(local):
        assert run_all(square, range(20)) == [square(n) for n in range(20)]
        with workers(1) as pool:
            assert list(stream(square, range(20), pool)) == [square(n) for n in range(20)]


@pytest.mark.slow
def test_errors_of_the_work_arrive(local: Cluster) -> None:
    with pytest.raises(InputError, match="no 1"):
        run_all(refuse, [1], executor=local)


@pytest.mark.slow
def test_a_table_is_the_same_byte_for_byte(local: Cluster, tmp_path: Path, rulecheck: Runner) -> None:
    assert rulecheck("solve", *SMALL, "--out", str(tmp_path / "here")).status == 0
    with spread(local):
        assert rulecheck("solve", *SMALL, "--out", str(tmp_path / "there")).status == 0
    (here,), (there,) = ((tmp_path / name).glob("*.table") for name in ("here", "there"))
    assert here.read_bytes() == there.read_bytes()


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_costs_nothing_else(local: Cluster, tmp_path: Path) -> None:
    assert run_all(die_once, [(str(tmp_path), n) for n in range(8)], executor=local) == list(range(8))
    assert (tmp_path / "3").exists()


@pytest.mark.slow
def test_work_that_kills_every_worker_is_a_sentence(local: Cluster) -> None:
    with pytest.raises(InputError, match="the workers of the cluster were lost"):
        run_all(die, [1], executor=local)


@pytest.mark.slow
def test_a_worker_with_other_sources_is_refused(local: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """The difference is made on this side: a worker cannot tell."""
    true = clusters.sources()
    monkeypatch.setattr(clusters, "sources", lambda: {**true, "specs": "other"})
    with pytest.raises(OtherVersionError, match="another version of specs than this machine"):
        run_all(square, [1, 2], executor=local)


def test_every_source_counts(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1")
    found = {digest(tmp_path)}
    (tmp_path / "a.py").write_text("2")
    found.add(digest(tmp_path))
    (tmp_path / "a.py").rename(tmp_path / "b.py")
    found.add(digest(tmp_path))
    (tmp_path / "rulebook.toml").write_text("")
    assert len(found | {digest(tmp_path)}) == 4


def test_no_scheduler_there_is_a_sentence(rulecheck: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "WAIT", 1)
    for address in ("tcp://127.0.0.1:1", "nonsense", "tcp://"):
        run = rulecheck("prove", "crosswalk", "--cluster", address)
        assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
        assert "no Dask scheduler answers" in run.err
