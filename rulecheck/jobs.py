"""Hands independent pieces of work to a `concurrent.futures` executor: processes here, a cluster's elsewhere.

A piece of work is a module-level function and plain arguments, so that any executor can carry it. Results come
back in the order of the arguments whatever order they were finished in, so the number of jobs changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from typing import Any, TypeVar

A = TypeVar("A")
R = TypeVar("R")
Report = Callable[[str, float], None]


def ignore(what: str, done: float) -> None:
    """The report for nobody."""


def run_all(
    work: Callable[[A], R],
    arguments: Sequence[A],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    report: Report = ignore,
) -> list[R]:
    """`[work(a) for a in arguments]`, side by side; `report` hears what was finished and the share done."""
    if executor is None and (jobs == 1 or len(arguments) < 2):
        results = []
        for done, argument in enumerate(arguments, start=1):
            results.append(work(argument))
            report(str(argument), done / len(arguments))
        return results
    if executor is not None:
        return _collect(executor, work, arguments, report)
    with ProcessPoolExecutor(max_workers=min(jobs, len(arguments))) as pool:
        return _collect(pool, work, arguments, report)


def _collect(executor: Executor, work: Callable[[A], R], arguments: Sequence[A], report: Report) -> list[R]:
    futures = {executor.submit(work, argument): i for i, argument in enumerate(arguments)}
    results: list[Any] = [None] * len(arguments)
    try:
        for done, future in enumerate(as_completed(futures), start=1):
            results[futures[future]] = future.result()
            report(str(arguments[futures[future]]), done / len(arguments))
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return results
