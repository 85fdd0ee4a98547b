"""Hands independent pieces of work to a `concurrent.futures` executor: processes here, a cluster's elsewhere.

A piece of work is a module-level function and plain arguments, so that any executor can carry it. Results come
back in the order of the arguments whatever order they were finished in, so the number of jobs changes nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

A = TypeVar("A")
R = TypeVar("R")
Report = Callable[[str, float], None]
SHOWN = 4  # pieces of work named at once
LOOKED_AT = 64  # unfinished pieces that are asked how far they are
LISTEN_EVERY = 1.0  # seconds between looks at what is being done elsewhere
AHEAD = 4  # pieces of a stream that are worked at, besides one for each process, before they are asked for


def ignore(what: str, done: float) -> None:
    """Ignore a progress report."""


def stage(report: Report, begin: float, end: float, name: str = "") -> Report:
    """For one stage of the work: its own shares, from 0 to 1, are from `begin` to `end` of the whole."""
    before = f"{name}: " if name else ""
    return lambda what, done: report(before + what, begin + (end - begin) * done)


def _unheard(share: float) -> None:
    """Nobody asks for the share of this piece of work."""


_hearer: ContextVar[Callable[[float], None]] = ContextVar("hearer", default=_unheard)


def tell(share: float) -> None:
    """Called within a piece of work: so much of it is done."""
    _hearer.get()(share)


def tell_to(hearer: Callable[[float], None]) -> None:
    """Have this process tell the shares of its work to someone who hears them."""
    _hearer.set(hearer)


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
        return _in_turn(work, arguments, report)
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


def _in_turn(work: Callable[[A], R], arguments: Sequence[A], report: Report) -> list[R]:
    results, part = [], 1 / max(1, len(arguments))
    for done, argument in enumerate(arguments):
        words, here = _progress(done, arguments, [argument]), stage(report, done * part, (done + 1) * part)
        here(words, 0.0)
        token = _hearer.set(partial(here, words))
        try:
            results.append(work(argument))
        finally:
            _hearer.reset(token)
    report(_progress(len(results), arguments), 1.0)
    return results


def _collect(executor: Executor, work: Callable[[A], R], arguments: Sequence[A], report: Report) -> list[R]:
    futures = {executor.submit(work, argument): i for i, argument in enumerate(arguments)}
    results: list[Any] = [None] * len(arguments)
    unfinished, finished = dict(futures), SimpleQueue[Future[R]]()
    try:
        for future in futures:
            future.add_done_callback(finished.put)
        while unfinished:
            _look(unfinished, arguments, report)
            for future in _soon(finished):
                results[unfinished.pop(future)] = future.result()
        report(_progress(len(results), arguments), 1.0)
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return results


def _soon(finished: SimpleQueue[Future[R]]) -> list[Future[R]]:
    """The next one to finish, or none if that takes too long."""
    with suppress(Empty):
        return [finished.get(timeout=LISTEN_EVERY)]
    return []


def _look(unfinished: Mapping[Future[R], int], arguments: Sequence[A], report: Report) -> None:
    """Work is begun in order, so what is being done is among the first that are unfinished."""
    looked_at = list(islice(unfinished, LOOKED_AT))
    doing = [future for future in looked_at if future.running()]
    done = len(arguments) - len(unfinished)
    words = _progress(done, arguments, (arguments[unfinished[future]] for future in doing[:SHOWN]))
    report(words, (done + sum(map(_share, looked_at))) / len(arguments))


def _share(future: Future[Any]) -> float:
    """Of a piece of work that another process has, may not have begun, or has just ended."""
    from rulecheck.processes import Piece

    return future.share() if isinstance(future, Piece) else float(future.done())
