"""What the tests share: the command line, called in this process, and how Hypothesis behaves."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from hypothesis import settings

# Equal runs, no stopwatch, nothing written here. `--hypothesis-profile=explore` looks further.
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", os.path.join(tempfile.gettempdir(), "hypothesis"))
settings.register_profile("steady", deadline=None, database=None, derandomize=True)
settings.register_profile("explore", deadline=None, database=None, max_examples=2000)
settings.load_profile("steady")


@dataclass(frozen=True)
class Run:
    status: int
    out: str
    err: str


def run_command(*arguments: str, stdin: bytes | None = b"") -> Run:
    """`rulecheck ARGUMENTS` with this standard input (None: closed). What would be a traceback is raised."""
    from rulecheck.cli import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _standard_input(stdin):
        try:
            main(arguments)
        except SystemExit as left:
            status = left.code
    assert isinstance(status, int)
    return Run(status, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def _standard_input(data: bytes | None) -> Iterator[None]:
    kept = sys.stdin
    sys.stdin = None if data is None else io.TextIOWrapper(io.BytesIO(data))  # type: ignore[assignment]
    try:
        yield
    finally:
        sys.stdin = kept


@pytest.fixture(scope="session")
def rulecheck() -> Callable[..., Run]:
    """Runs the command line; session-wide, so that Hypothesis tests can use it too."""
    return run_command
