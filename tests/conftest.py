"""What the tests share: the command line, called in this process, and how Hypothesis behaves."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

# Equal runs, no stopwatch, nothing written here. `--hypothesis-profile=explore` looks further.
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", os.path.join(tempfile.gettempdir(), "hypothesis"))
os.environ["RULECHECK_CACHE"] = "off"  # tests compute what they check
os.environ["RULECHECK_PROGRESS"] = "inf"  # a busy machine would add lines of progress
settings.register_profile("steady", deadline=None, database=None, derandomize=True)
settings.register_profile("explore", deadline=None, database=None, max_examples=2000)
settings.load_profile("steady")


TESTS = Path(__file__).parent
QUICK = (  # what `make check` runs: a minute's worth that touches every layer
    "test_notation.py",
    "test_rulebook.py",
    "test_registry.py",
    "test_perft.py",
    "test_cli_bad_input.py",
    "test_cli_look.py",
    "outside/",
    "solvers/test_graph.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--part", default="1/1", metavar="K/N", help="of the tests selected, every Nth from the Kth on")


def pytest_configure(config: pytest.Config) -> None:
    _part(config)


def _part(config: pytest.Config) -> tuple[int, int]:
    text = str(config.getoption("--part"))
    part, slash, parts = text.partition("/")
    if not (slash and part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise pytest.UsageError(f"--part wants K/N with 1 <= K <= N, found {text!r}")
    return int(part), int(parts)


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    name = item.nodeid.removeprefix("tests/")
    if name.startswith(QUICK) and item.get_closest_marker("slow") is None:
        item.add_marker("quick")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """To read thousands of tests takes each worker ten seconds: of the quick ones only their own files are read."""
    if config.getoption("-m") != "quick" or collection_path.is_dir():
        return None
    return not collection_path.relative_to(TESTS).as_posix().startswith(QUICK) or None


def pytest_collection_finish() -> None:
    """What thousands of tests are made of stays until the end: no collection of garbage needs to look at it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Neighbours cost alike, so taking every Nth gives parts that take about as long as each other."""
    part, parts = _part(config)
    chosen = items[part - 1 :: parts]
    config.hook.pytest_deselected(items=[item for at, item in enumerate(items) if at % parts != part - 1])
    items[:] = chosen


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


@pytest.fixture
def random_choices() -> Iterator[None]:
    """z3 decides at random, and has been asked something else before."""
    import z3

    for name, value in {"smt.phase_selection": 5, "sat.phase": "random"}.items():
        z3.set_param(name, value)
    solver, flags = z3.SimpleSolver(), [z3.Bool(f"unrelated {i}") for i in range(40)]
    solver.add(z3.PbEq([(flag, 1) for flag in flags], 7))
    assert solver.check(flags[3], flags[30]) == z3.sat
    yield
    z3.reset_params()


@pytest.fixture(scope="session")
def rulecheck() -> Callable[..., Run]:
    """Runs the command line; session-wide, so that Hypothesis tests can use it too."""
    import rulecheck.cli  # noqa: F401  # loaded before a test hides the entry points that commands come from

    return run_command
