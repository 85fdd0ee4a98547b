"""Protects solves spread over a cluster: the same table, byte for byte, with any number of workers, though some die."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.cluster import Cluster, connected
from rulecheck.model import InputError
from rulecheck.processes import WorkerLostError
from rulecheck.registry import Choice
from rulecheck.solve import solver, spreading
from rulecheck.solve.by_number import solve_by_number
from rulecheck.solve.solver import solve_space
from rulecheck.solve.spreading import can_be_spread

distributed = pytest.importorskip("distributed")
RANKED = {"groups": "1", "group": "2", "pieces": "2,0,0"}  # of Hextris: 4,267 numbers
SEARCHED = {"radius": "1", "group": "2", "groups": "1", "pieces": "1,1,1/0,1,1"}


STREET = {"squares": "3", "sizes": "12", "pedestrians": "1"}  # of Crosswalk: 4,548 arrangements
SWEEPS = 12


def setting(params: dict[str, str], slug: str = "hextris") -> Choice:
    game = registry.find(slug)
    return Choice(game, game.params(params), game.rulebook.defaults())


@contextmanager
def local_workers(count: int) -> Iterator[Cluster]:
    with (
        distributed.LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None) as cluster,
        connected(cluster.scheduler_address) as mine,
    ):
        mine.addresses()
        yield mine


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return solve_space(setting(RANKED), tmp_path_factory.mktemp("alone")).path.read_bytes()


def kill_one(cluster: Cluster) -> None:
    pids = cluster._client.run(os.getpid)
    os.kill(pids[min(pids)], signal.SIGKILL)


class Killer:
    """Kills a worker whenever this is said of the work, so many times."""

    def __init__(self, cluster: Cluster, times: int, when: str) -> None:
        self.cluster, self.times, self.when = cluster, times, when

    def __call__(self, what: str, done: float) -> None:
        if self.times and self.when in what:
            self.times -= 1
            kill_one(self.cluster)


def test_what_can_be_spread() -> None:
    assert can_be_spread(setting(RANKED))
    assert not can_be_spread(setting(SEARCHED))


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 4])
def test_the_number_of_workers_changes_no_byte(count: int, alone: bytes, tmp_path: Path) -> None:
    with local_workers(count) as cluster:
        assert solve_space(setting(RANKED), tmp_path, executor=cluster).path.read_bytes() == alone


@pytest.mark.slow
@pytest.mark.parametrize("when", ["ranges made", "distance 1,", "distance 4,"])
def test_a_lost_worker_costs_only_its_ranges(when: str, alone: bytes, tmp_path: Path) -> None:
    with local_workers(3) as cluster:
        killer = Killer(cluster, 1, when)
        assert solve_space(setting(RANKED), tmp_path, killer, executor=cluster).path.read_bytes() == alone
        assert killer.times == 0


@pytest.mark.slow
def test_workers_that_are_always_lost_end_the_solve_which_goes_on_later(
    alone: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once: Callable[..., Any] = spreading.RangesOfWorkers._once

    def lose_all(self: Any, tasks: Any, *report: Any) -> Any:
        heard, lost = once(self, tasks, *report)
        return (heard, lost) if any(t.work is not spreading._ask for t in tasks.values()) else ({}, set(self._home))

    with local_workers(2) as cluster:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(spreading.RangesOfWorkers, "_once", lose_all)
            with pytest.raises(WorkerLostError, match="each time with the same part of the game"):
                solve_space(setting(RANKED), tmp_path, executor=cluster)
        stopped = Stopper("distance 3,")
        with pytest.raises(Exception, match="goes on from there"):
            solve_space(setting(RANKED), tmp_path, stopped, executor=cluster)
        assert soon_empty(cluster)
        assert solve_space(setting(RANKED), tmp_path, resume=True, executor=cluster).path.read_bytes() == alone


def soon_empty(cluster: Cluster) -> bool:
    """Do the workers drop their ranges, though nobody waits for it?"""
    for _ in range(50):
        if not any(cluster._client.run(held_here).values()):
            return True
        time.sleep(0.2)
    return False


def held_here() -> int:
    from rulecheck.solve import spreading

    return len(spreading._held)


class Stopper:
    def __init__(self, when: str) -> None:
        self.when = when

    def __call__(self, what: str, done: float) -> None:
        if self.when in what:
            raise KeyboardInterrupt


@pytest.mark.slow
def test_what_was_kept_without_a_cluster_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="goes on from there"):
        solve_space(setting(RANKED), tmp_path, Stopper("layer 3"))
    with local_workers(1) as cluster, pytest.raises(InputError, match="is no checkpoint of a solve"):
        solve_space(setting(RANKED), tmp_path, resume=True, executor=cluster)


# -- Sweeps ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("swept")
    return solve_by_number(setting(STREET, "crosswalk"), folder, sweeps=SWEEPS).path.read_bytes()


def sweep(cluster: Cluster, folder: Path, **more: Any) -> bytes:
    solved = solve_by_number(setting(STREET, "crosswalk"), folder, executor=cluster, **{"sweeps": SWEEPS, **more})
    return solved.path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 4])
def test_the_number_of_workers_changes_no_digit_of_a_bound(count: int, swept: bytes, tmp_path: Path) -> None:
    with local_workers(count) as cluster:
        assert sweep(cluster, tmp_path) == swept


@pytest.mark.slow
@pytest.mark.parametrize("when", ["ranges made", "sweep 1,", "sweep 7,", "checking"])
def test_a_worker_lost_in_a_sweep_changes_no_bound(when: str, swept: bytes, tmp_path: Path) -> None:
    with local_workers(3) as cluster:
        killer = Killer(cluster, 1, when)
        assert sweep(cluster, tmp_path, report=killer) == swept
        assert killer.times == 0


@pytest.mark.slow
def test_sweeps_that_lose_their_workers_go_on_later(
    swept: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a cluster or without one: what is kept is the same."""
    monkeypatch.setattr(solver, "KEEP_EVERY", -1)
    monkeypatch.setattr(solver, "KEEP_SHARE", 0)
    with local_workers(2) as cluster:
        with pytest.raises(InputError, match="each time with the same part of the game; what is known is kept in"):
            sweep(cluster, tmp_path, report=Killer(cluster, 99, "sweep"))
        (kept,) = tmp_path.glob("*.checkpoint")
        before, tables = kept.read_bytes(), []
        for executor in (cluster, None):
            kept.write_bytes(before)
            chosen = setting(STREET, "crosswalk")
            solved = solve_by_number(chosen, tmp_path, resume=True, sweeps=SWEEPS, executor=executor)
            tables.append(solved.path.read_bytes())
        assert tables[0] == tables[1] != swept


def test_what_is_solved_with_plans_is_not_spread(tmp_path: Path) -> None:
    cluster = object.__new__(Cluster)  # which is not asked for anything
    with pytest.raises(InputError, match="leave out --cluster, or add --sweeps N"):
        sweep(cluster, tmp_path, sweeps=None)
