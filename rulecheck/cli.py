"""The command line: assembles the commands and turns bad input into one sentence and status 2."""

from __future__ import annotations

import io
import os
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, NoReturn, TextIO

import typer
from typer.main import get_command

from rulecheck import registry
from rulecheck.commands.common import BAD_INPUT, INTERRUPTED, is_interruption
from rulecheck.commands.help import STATUS, GroupedHelp, root
from rulecheck.model import InputError

STANDARD_OUTPUT = "standard output"
TRACEBACK = "RULECHECK_TRACEBACK"  # if set, errors that a game may be to blame for are shown as they are
LONGEST = 600  # characters of a sentence; what is left out is in the middle


class ReaderGone(Exception):
    """The reader of our output went away (`rulecheck ... | head`): not an error of ours."""


class Commands(GroupedHelp):
    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Whatever takes --jobs takes --cluster as well."""
        command = super().get_command(ctx, cmd_name)
        names = [] if command is None else [parameter.name for parameter in command.params]
        if command is not None and "jobs" in names and "cluster" not in names:
            command.params.append(_cluster_option())
        return command

    def invoke(self, ctx: Any) -> Any:
        # Typer would turn a broken pipe into status 1, which here means a finding.
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise ReaderGone from None


app = typer.Typer(
    name="rulecheck",
    cls=Commands,
    epilog=STATUS,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _work_there(ctx: typer.Context, address: str | None) -> None:
    """Until the command is done."""
    if address is not None and not ctx.resilient_parsing:
        from rulecheck.cluster import connected
        from rulecheck.jobs import spread

        ctx.with_resource(spread(ctx.with_resource(connected(address))))


ClusterAddress = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="hand the work to a Dask scheduler, as tcp://host:8786, or to one started here: local",
        expose_value=False,
        callback=_work_there,
    ),
]


def _takes_cluster(cluster: ClusterAddress = None) -> None:
    """A command that has the option, for others to take it from."""


def _cluster_option() -> Any:
    one = typer.Typer(add_completion=False)
    one.command()(_takes_cluster)
    return next(parameter for parameter in get_command(one).params if parameter.name == "cluster")


def _register() -> None:
    """Each command module adds its commands to the app."""
    from rulecheck.commands import (
        check,
        compare,
        export,
        graph,
        look,
        new,
        own,
        play,
        publish,
        puzzles,
        rules,
        serve,
        solve,
    )

    for module in (new, look, rules, play, check, compare, solve, graph, puzzles, own, publish, serve, export):
        module.register(app)


app.callback()(root)
_register()


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    given = sys.argv[1:] if arguments is None else list(arguments)
    _prepare_output()
    usual = sys.stdout
    if isinstance(usual, io.TextIOWrapper):
        sys.stdout = Output(usual)
    try:
        _run(given)
    finally:
        _give_back(usual)


def _run(given: Sequence[str]) -> NoReturn:
    try:
        status = app(given or ["--help"], prog_name="rulecheck", standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        fail(str(error))
    except (ReaderGone, BrokenPipeError):
        _drop_output()
        sys.exit(0)
    except Exception as error:
        if not is_interruption(error):
            fail(_sentence(error, given))
        status = INTERRUPTED
    if status == INTERRUPTED:  # this is how Typer tells that the user pressed Ctrl-C
        fail("interrupted; nothing half-written is left behind", INTERRUPTED)
    sys.exit(status if isinstance(status, int) else 0)


def _prepare_output() -> None:
    """What cannot be encoded is escaped. Without a standard output nothing is begun that could only be lost."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - until the end
    if sys.stdout is None:
        fail("standard output is closed; lead it to a file, or to /dev/null")
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")


def _give_back(usual: TextIO) -> None:
    """Let go of the buffer of standard output, which is not ours to close."""
    own, sys.stdout = sys.stdout, usual
    if isinstance(own, Output):
        with suppress(OSError, ValueError):
            own.detach()


class Output(io.TextIOWrapper):
    """Standard output whose failures say that they are its own."""

    def __init__(self, usual: io.TextIOWrapper) -> None:
        super().__init__(
            usual.buffer,
            encoding=usual.encoding,
            errors="backslashreplace",
            line_buffering=usual.line_buffering,
            write_through=usual.write_through,
        )

    def write(self, text: str, /) -> int:
        with _named(STANDARD_OUTPUT):
            return super().write(text)

    def flush(self) -> None:
        with _named(STANDARD_OUTPUT):
            super().flush()


@contextmanager
def _named(file: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        error.filename = error.filename or file
        raise


def _sentence(error: Exception, given: Sequence[str]) -> str:
    """What to say of an error that is not ours; one of ours is raised again."""
    # Usage errors have had different base classes in different releases of Typer, but always this method.
    if hasattr(error, "format_message"):
        return _in_our_style(error.format_message())
    if (place := _place_in_a_game(error)) is not None:
        return f"the code of a game fails in {place}: {type(error).__name__}: {error}"
    if isinstance(error, OSError):
        return _refused_by_the_system(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    blamed = next((word for word in given if word in registry.outside_names()), None)
    if blamed is None or TRACEBACK in os.environ:
        raise error
    where = f"{TRACEBACK}=1 shows where"
    return f"{blamed} does not seem to keep the contract of a game: {type(error).__name__}: {error} ({where})"


def _refused_by_the_system(error: OSError) -> str:
    if error.filename == STANDARD_OUTPUT:
        _drop_output()
        return f"cannot write to {STANDARD_OUTPUT}: {error.strerror}"
    reason = error.strerror or str(error)
    return f"cannot use {error.filename!r}: {reason}" if error.filename else f"the system refuses: {reason}"


def _place_in_a_game(error: BaseException) -> str | None:
    """The file and line of another package's game in which an error was raised; None if it is an error of ours.

    An error from a worker process gives its places as text.
    """
    places = [(frame.filename, str(frame.lineno)) for frame in traceback.extract_tb(error.__traceback__)]
    places += re.findall(r'File "(.*?)", line (\d+)', str(error.__cause__ or ""))
    folders = registry.outside_folders()
    theirs = [f"{Path(f).parent.name}/{Path(f).name}, line {n}" for f, n in places if set(Path(f).parents) & folders]
    return theirs[-1] if theirs else None


def _drop_output() -> None:
    """What is still buffered must not raise again when the interpreter closes standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _in_our_style(message: str) -> str:
    """`No such command 'shw'. Did you mean 'show'?` as one sentence without a capital."""
    sentence = message.strip().removesuffix(".").replace(". Did you", "; did you")
    return sentence[:1].lower() + sentence[1:]


def fail(sentence: str, status: int = BAD_INPUT) -> NoReturn:
    print(f"rulecheck: {shortened(one_line(sentence))}", file=sys.stderr)
    sys.exit(status)


def one_line(sentence: str) -> str:
    """Whatever the user typed, the answer is one line, and no control character reaches the terminal."""
    words = " ".join(sentence.split())
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)


def shortened(sentence: str) -> str:
    """Cut in the middle: what was wrong stands at one end, what was expected often at the other."""
    if len(sentence) <= LONGEST:
        return sentence
    return f"{sentence[: LONGEST * 2 // 3]} [...] {sentence[-LONGEST // 3 :]}"
