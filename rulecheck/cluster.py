"""Work handed to a Dask scheduler: `--cluster tcp://host:8786`, or `--cluster local` for one on this machine.

A piece of work is the name of a function, plain arguments and arrays. It carries a digest of all sources that can
contribute to it; a worker with other sources refuses it, so that no answer comes from another version.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import importlib.metadata
import importlib.util
import logging
import os
import platform
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from queue import Empty, Queue
from typing import Any, NamedTuple, TypeVar

from rulecheck.model import InputError
from rulecheck.processes import RETRIES, WorkerLostError

OURS = ("rulecheck", "specs", "solvers")
SOURCES = (".py", ".toml", ".perft")
LIBRARIES = ("numpy", "numba", "z3-solver")
LOCAL = "local"
WAIT = 10  # seconds for the scheduler, or its first worker, to answer
LOOK_EVERY = 0.5  # seconds, for workers that have left
Sources = dict[str, str]
K = TypeVar("K")


class WorkerGoneError(Exception):
    """The worker that was to answer has left the cluster, or restarted."""


class OtherVersionError(InputError):
    """A worker has other rules, or another version of this program."""


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The cluster at this address, or one of processes on this machine, for as long as the block lasts."""
    dask = _dask()
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # failures are reported in our own sentences
    warnings.filterwarnings("ignore", message="Sending large graph")  # ranges are sent what they ask for
    with _scheduler(address) as where:
        try:
            client = dask.Client(where, timeout=WAIT, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise InputError(f"no Dask scheduler answers at {address!r}: {error}") from None
        with client:
            yield Cluster(client, address)


def _dask() -> Any:
    """The Dask library, which is only partly typed."""
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise InputError("--cluster needs Dask: pip install 'rulecheck[cluster]'") from None


@contextmanager
def _scheduler(address: str) -> Iterator[Any]:
    if address != LOCAL:
        yield address
        return
    from dask import config

    settings = {"distributed.worker.daemon": False, "distributed.scheduler.allowed-failures": RETRIES}
    with (
        config.set(settings),
        _dask().LocalCluster(
            n_workers=os.cpu_count() or 1,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
    ):
        yield cluster


class Sent(NamedTuple):
    """A question on its way to one worker."""

    address: str
    future: Any


class Cluster(Executor):
    """An executor whose work is done by the workers of a Dask scheduler."""

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address = client, address
        try:
            client.wait_for_workers(1, timeout=WAIT)
        except TimeoutError:
            raise InputError(f"the Dask scheduler at {address!r} has no workers") from None
        self.jobs = max(1, sum(client.nthreads().values()))
        self._executor = client.get_executor(pure=False)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        outer: Future[Any] = Future()
        inner = self._executor.submit(work, sources(), fn.__module__, fn.__qualname__, args, kwargs)
        outer.set_running_or_notify_cancel()
        inner.add_done_callback(partial(self._pass_on, outer))
        return outer

    def addresses(self) -> list[str]:
        """The addresses of all present workers; a lost one may be on its way back."""
        for _ in range(WAIT):
            try:
                if addresses := sorted(self._client.scheduler_info()["workers"]):
                    return addresses
            except OSError as error:
                raise self._in_words(CancelledError()) from error
            time.sleep(1.0)
        raise WorkerLostError(f"the Dask scheduler at {self._address!r} has lost all its workers")

    def send(self, address: str, fn: Callable[..., Any], /, *args: Any) -> Sent:
        """Give work to one particular worker; `answers` yields its result."""
        asked = (sources(), fn.__module__, fn.__qualname__, args)
        return Sent(address, self._client.submit(work, *asked, {}, workers=[address], pure=False))

    def leave(self, sent: Iterable[Sent]) -> None:
        """Have this done although nobody waits for the results."""
        for task in sent:
            _dask().fire_and_forget(task.future)

    def answers(self, sent: Iterable[tuple[K, Sent]]) -> Iterator[tuple[K, Any]]:
        """The results in order of arrival; a `WorkerGoneError` where the worker left before it had answered."""
        waiting = {task.future: (key, task.address) for key, task in sent}
        done: Queue[Any] = Queue()
        for future in waiting:
            future.add_done_callback(done.put)
        while waiting:
            with contextlib.suppress(Empty):
                future = done.get(timeout=LOOK_EVERY)
                if future in waiting:
                    key, address = waiting.pop(future)
                    yield key, self._answer(future, address)
                continue
            here = set(self.addresses())
            for future in [future for future, (_, address) in waiting.items() if address not in here]:
                key, address = waiting.pop(future)
                yield key, self._answer(future, address)

    def _answer(self, future: Any, address: str) -> Any:
        gone = WorkerGoneError(f"the worker at {address} is gone")
        if not future.done():
            future.cancel()
            return gone
        try:
            return future.result(timeout=WAIT)
        except WorkerGoneError as error:
            return error
        except Exception as error:
            if type(error).__name__ in ("KilledWorker", "TimeoutError") or address not in self.addresses():
                return gone
            raise self._in_words(error) from None

    def _pass_on(self, outer: Future[Any], inner: Future[Any]) -> None:
        error = CancelledError() if inner.cancelled() else inner.exception()
        if error is None:
            outer.set_result(inner.result())
        else:
            outer.set_exception(self._in_words(error))

    def _in_words(self, error: BaseException) -> BaseException:
        """An error of the cluster as a sentence; errors of the work itself are unchanged."""
        kind = type(error)
        if kind.__name__ == "KilledWorker":
            return WorkerLostError("the workers of the cluster were lost, each time at the same piece of work")
        if isinstance(error, CancelledError) or kind.__module__.startswith("distributed."):
            lost = f"the Dask scheduler at {self._address!r} went away"
            return WorkerLostError(f"{lost}; begin again, or with --resume where something was kept")
        if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in OURS:
            return OtherVersionError(f"a worker of the cluster has no {error.name}; install this version there")
        return error


def work(expected: Sources, module: str, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Do a piece of work, on a worker, if it has the caller's sources."""
    here = sources()
    other = sorted(part for part in expected.keys() | here.keys() if expected.get(part) != here.get(part))
    if other:
        raise OtherVersionError(
            f"a worker of the cluster ({platform.node()}) has another version of {', '.join(other)} than this machine; "
            "install the same on both"
        )
    function: Any = importlib.import_module(module)
    for part in name.split("."):
        function = getattr(function, part)
    return function(*args, **kwargs)


@functools.cache
def sources() -> Sources:
    """A digest of each package that contributes to answers: this program, every installed game, libraries."""
    from rulecheck.registry import GROUP

    games = {entry.value.partition(":")[0].partition(".")[0] for entry in importlib.metadata.entry_points(group=GROUP)}
    packages = {package: digest(folder) for package in {*OURS, *games} if (folder := _folder(package)) is not None}
    versions = {library: importlib.metadata.version(library) for library in LIBRARIES}
    return {**packages, **versions, "Python": ".".join(platform.python_version_tuple()[:2])}


def _folder(package: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


def digest(folder: Path) -> str:
    """A digest of all sources below a folder, with their names."""
    checksum = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.suffix in SOURCES and path.is_file()):
        data = file.read_bytes()
        checksum.update(f"{file.relative_to(folder).as_posix()} {len(data)}\n".encode() + data)
    return checksum.hexdigest()[:16]
