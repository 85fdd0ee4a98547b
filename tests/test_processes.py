"""Protects work in several processes: a killed worker costs a retry, no more are started than there is work for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulecheck.jobs import run_all, stream, workers
from rulecheck.model import InputError
from rulecheck.processes import Processes

Runner = Callable[..., Any]


def die_once(task: tuple[str, int]) -> int:
    """As if the system had ended the process, the first time."""
    folder, number = task
    mark = Path(folder, str(number))
    if number % 3 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def die(number: int) -> int:
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def own_id(number: int) -> int:
    time.sleep(0.05)
    return os.getpid()


def fail(number: int) -> int:
    raise InputError(f"no {number}")


def test_what_a_killed_worker_had_in_hand_is_done_again(tmp_path: Path) -> None:
    tasks = [(str(tmp_path), number) for number in range(10)]
    assert run_all(die_once, tasks, jobs=2) == [number * number for number in range(10)]
    for mark in tmp_path.iterdir():
        mark.unlink()
    with workers(2) as pool:
        assert list(stream(die_once, tasks, pool)) == [number * number for number in range(10)]


def test_work_that_kills_every_worker_is_a_sentence() -> None:
    with pytest.raises(InputError, match="a worker process was killed, 3 times, at the same piece of work"):
        run_all(die, range(5), jobs=2)


def test_no_more_processes_than_there_is_work_for() -> None:
    with Processes(48) as pool:
        assert len({pool.submit(own_id, n).result() for n in range(5)}) == 1
        assert len(pool._started) == 1
        found = [pool.submit(own_id, n) for n in range(3)]
        assert len({one.result() for one in found}) == 3
        assert len(pool._started) == 3


def test_fresh_processes_do_one_piece_each() -> None:
    with Processes(1, fresh=True) as pool:
        assert len({pool.submit(own_id, n).result() for n in range(2)}) == 2


def test_an_error_of_the_work_is_the_error() -> None:
    with pytest.raises(InputError, match=r"no [01]"):
        run_all(fail, range(2), jobs=2)


def test_nobody_waits_for_the_others_after_an_error() -> None:
    pool = Processes(2)
    work = [pool.submit(time.sleep, 1000) for _ in range(5)]
    pool.__exit__(KeyboardInterrupt, None, None)
    assert [one.cancelled() or one.exception() is not None for one in work] == [True] * 5


ORPHANED = """
import os, time, sys
from rulecheck import processes
processes.LOOK_EVERY = 0.05
with processes.Processes(1) as pool:
    print(pool.submit(os.getpid).result(), flush=True)
    time.sleep(1000)
"""


def test_workers_leave_with_a_killed_parent() -> None:
    parent = subprocess.Popen([sys.executable, "-c", ORPHANED], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    while Path(f"/proc/{child}").exists() and "Z" not in Path(f"/proc/{child}/stat").read_text():
        time.sleep(0.05)


def test_a_command_whose_workers_are_killed_says_so(rulecheck: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulecheck.analyses.prove.run_task", die_whatever)
    run = rulecheck("prove", "crosswalk", "-j", "2")
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
    assert "a worker process was killed" in run.err


def die_whatever(task: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
