"""Workers that answer questions: each is one process with a time limit, killed and restarted when it exceeds that.

Questions and answers are JSON documents. A question that was asked is not asked again while its answer is kept.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

from rulecheck.model import InputError

Document = dict[str, Any]
Answerer = Callable[[str, Document], Document]  # the name of a question and its subject
MOST_WAITING, FEW_WAITING = 400, 4
STARTING = 60.0  # seconds, not counted towards a question's limit
READY = b"ready"
MOST_KEPT = 600
LARGEST = 1 << 24  # characters of one answer
SPAWN = multiprocessing.get_context("spawn")  # the server has threads, so it cannot be forked


class OutOfTimeError(Exception):
    """No answer within the limit: neither yes nor no."""


class BusyError(Exception):
    """Too many questions are waiting."""


class BrokenGameError(Exception):
    """The code of a game failed, or took its worker down with it."""


ERRORS: Mapping[str, type[Exception]] = {"input": InputError, "broken": BrokenGameError}


def serve_questions(answer: Answerer, pipe: Connection) -> None:
    """The loop of a worker process, until its pipe is closed."""
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        pipe.send_bytes(READY)
        while True:
            name, about = json.loads(pipe.recv_bytes())
            pipe.send_bytes(json.dumps(_answered(answer, name, about)).encode())


def _answered(answer: Answerer, name: str, about: Document) -> Document:
    try:
        return {"answer": answer(name, about)}
    except InputError as error:
        return {"error": "input", "sentence": str(error)}
    except TimeoutError as error:  # the solver itself gave up
        return {"error": "time", "sentence": str(error)}
    except (RecursionError, MemoryError) as error:
        return {"error": "input", "sentence": f"this is too large to look at ({type(error).__name__})"}
    except Exception as error:  # an outside game may fail in any way
        return {"error": "broken", "sentence": f"the code of the game fails: {type(error).__name__}: {error}"}


@dataclass
class _Waiting:
    key: str
    name: str
    about: Document
    future: Future[Document] = field(default_factory=Future)


class Worker:
    """One process, started when it is first needed, that answers one question at a time within `limit` seconds.

    With `fleeting` questions the latest is answered first and only a few may wait: the reader has gone on, and pages
    that are still looked at ask again.
    """

    def __init__(self, title: str, answer: Answerer, limit: float, *, fleeting: bool = False) -> None:
        self.title, self.limit, self._answer, self._fleeting = title, limit, answer, fleeting
        self._waiting: deque[_Waiting] = deque()
        self._kept: OrderedDict[str, Future[Document]] = OrderedDict()
        self._changed = threading.Condition()
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=f"explorer {title}", daemon=True)
        self._thread.start()

    def ask(self, name: str, about: Document) -> Future[Document]:
        key = json.dumps([name, about], sort_keys=True)
        with self._changed:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            self._make_room()
            asked = _Waiting(key, name, about)
            self._waiting.append(asked)
            self._kept[key] = asked.future
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            self._changed.notify()
        return asked.future

    def _make_room(self) -> None:
        if self._fleeting and len(self._waiting) >= FEW_WAITING:
            dropped = self._waiting.popleft()
            self._kept.pop(dropped.key, None)
            dropped.future.set_exception(BusyError("other questions came first"))
        elif len(self._waiting) >= MOST_WAITING:
            raise BusyError("the explorer is busy with other questions; ask again in a moment")

    def answer(self, name: str, about: Document) -> Document:
        """Wait for the answer."""
        return self.ask(name, about).result()

    def forget(self) -> None:
        """Discard what the worker has cached, because files have changed."""
        with self._changed:
            self._kept.clear()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._kill()

    # -- In the thread of this worker --------------------------------------------------------------------------

    def _run(self) -> None:
        while (asked := self._next()) is not None:
            try:
                asked.future.set_result(self._exchange(asked))
            except Exception as error:
                asked.future.set_exception(error)

    def _next(self) -> _Waiting | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            if self._closed:
                return None
            return self._waiting.pop() if self._fleeting else self._waiting.popleft()

    def _exchange(self, waiting: _Waiting) -> Document:
        try:
            pipe = self._start()
            pipe.send_bytes(json.dumps([waiting.name, waiting.about]).encode())
            if not pipe.poll(self.limit):
                self._kill()
                raise OutOfTimeError(f"no answer within {self.limit:g} s")
            reply: Document = json.loads(pipe.recv_bytes(LARGEST))
        except (EOFError, OSError) as error:
            self._kill()
            raise BrokenGameError("the worker that was asked has died") from error
        if "answer" in reply:
            answer: Document = reply["answer"]
            return answer
        raise ERRORS.get(reply["error"], OutOfTimeError)(reply["sentence"])

    def _start(self) -> Connection:
        if self._pipe is None or self._process is None or not self._process.is_alive():
            self._pipe, theirs = SPAWN.Pipe()
            self._process = SPAWN.Process(target=serve_questions, args=(self._answer, theirs), daemon=True)
            self._process.start()
            theirs.close()
            if not self._pipe.poll(STARTING) or self._pipe.recv_bytes() != READY:
                self._kill()
                raise OutOfTimeError(f"the worker did not start within {STARTING:g} s")
        return self._pipe

    def _kill(self) -> None:
        process, self._process, self._pipe = self._process, None, None
        if process is not None:
            process.kill()
            process.join(5)
