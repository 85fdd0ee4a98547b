"""What the tests share: the command line, called in this process."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest


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
