"""Hands independent pieces of work to a `concurrent.futures` executor: processes here, a cluster's elsewhere.

A piece of work is a module-level function and plain arguments, so that any executor can carry it. Results come
back in the order of the arguments whatever order they were finished in, so the number of jobs changes nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

A = TypeVar("A")
R = TypeVar("R")
Report = Callable[[str, float], None]
SHOWN = 4  # pieces of work named at once
AHEAD = 4  # pieces of a stream that are worked at, besides one for each process, before they are asked for


def ignore(what: str, done: float) -> None:
    """Ignore a progress report."""


def stage(report: Report, begin: float, end: float, name: str = "") -> Report:
    """For one stage of the work: its own shares, from 0 to 1, are from `begin` to `end` of the whole."""
    before = f"{name}: " if name else ""
    return lambda what, done: report(before + what, begin + (end - begin) * done)


_spread: Executor | None = None


@contextmanager
def spread(executor: Executor) -> Iterator[None]:
    """Whatever can be split goes to this executor meanwhile, unless another is named."""
    global _spread
    kept, _spread = _spread, executor
    try:
        yield
    finally:
        _spread = kept


def elsewhere() -> Executor | None:
    """Where whatever can be split goes meanwhile."""
    return _spread


def at_once(jobs: int, executor: Executor | None) -> int:
    """How many pieces of work can be done side by side."""
    if executor is None:
        return jobs
    from rulecheck.cluster import Cluster
    from rulecheck.processes import Processes

    return executor.jobs if isinstance(executor, Processes | Cluster) else jobs


def run_all(
    work: Callable[[A], R],
    arguments: Sequence[A],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    report: Report = ignore,
) -> list[R]:
    """`[work(a) for a in arguments]`, side by side; `report` hears what is being done and the share done."""
    executor = executor or _spread
    if executor is None and (jobs == 1 or len(arguments) < 2):
        results = []
        for done, argument in enumerate(arguments):
            report(_progress(done, arguments, [argument]), done / len(arguments))
            results.append(work(argument))
        report(_progress(len(results), arguments), 1.0)
        return results
    with workers(min(jobs, len(arguments)), executor) as pool:
        assert pool is not None
        return _collect(pool, work, arguments, report)


@contextmanager
def workers(jobs: int = 1, executor: Executor | None = None, *, threads: bool = False) -> Iterator[Executor | None]:
    """The given executor, or else `jobs` processes, or threads if the work is compiled loops over arrays in memory;
    None, for one job, means this process."""
    executor = executor or _spread
    if executor is not None or jobs == 1:
        yield executor
        return
    from rulecheck.processes import Processes  # not before: a command that only looks needs none

    with ThreadPoolExecutor(jobs) if threads else Processes(jobs) as pool:
        yield pool


def stream(work: Callable[[A], R], arguments: Iterable[A], executor: Executor | None = None) -> Iterator[R]:
    """`map(work, arguments)`, side by side, but only a few steps ahead of the reader, so that results never pile up."""
    if executor is None:
        yield from map(work, arguments)
        return
    waiting: deque[Future[R]] = deque()
    ahead = AHEAD + at_once(1, executor)
    try:
        for argument in arguments:
            waiting.append(executor.submit(work, argument))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _progress(done: int, arguments: Sequence[Any], doing: Iterable[Any] = ()) -> str:
    """How many are done, and which are being done."""
    words = [" ".join(filter(_is_word, one)) if isinstance(one, tuple) else str(one) for one in doing]
    return ", ".join([f"{done} of {len(arguments)} done", *filter(None, words)])


def _is_word(part: Any) -> bool:
    return isinstance(part, str)


def _collect(executor: Executor, work: Callable[[A], R], arguments: Sequence[A], report: Report) -> list[R]:
    futures = {executor.submit(work, argument): i for i, argument in enumerate(arguments)}
    results: list[Any] = [None] * len(arguments)
    unfinished = dict(futures)

    def tell(done: int) -> None:
        doing = (arguments[at] for future, at in unfinished.items() if future.running())
        report(_progress(done, arguments, islice(doing, SHOWN)), done / max(1, len(arguments)))

    try:
        tell(0)
        for done, future in enumerate(as_completed(futures), start=1):
            results[unfinished.pop(future)] = future.result()
            tell(done)
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return results
