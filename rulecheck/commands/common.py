"""What all commands share: arguments, opening a game, printing.

Nothing heavy is imported here: `rulecheck --help` imports every command module.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from rulecheck import registry
from rulecheck.api.game import OpenGame
from rulecheck.api.position import Position
from rulecheck.model import InputError
from rulecheck.notation import LONGEST_LINE
from rulecheck.registry import Choice
from rulecheck.rulebook import Rulebook

FINE, FINDING, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
SCHEMA = 1  # of JSON documents: keys may be added, and none changes its meaning, until this number does


def complete_game(incomplete: str) -> list[str]:
    return [name for name in registry.names() if name.startswith(incomplete)]


def _complete_param(ctx: typer.Context, incomplete: str) -> list[str]:
    book = book_of_line(ctx)
    return [text for text in _values(book) if text.startswith(incomplete)] if book else []


def _values(book: Rulebook) -> Iterator[str]:
    """For each parameter the printed value, others from which it is chosen, and those of smaller versions."""
    for p in book.parameters:
        used = (version.params[p.name] for version in book.versions if p.name in version.params)
        yield from (f"{p.name}={value}" for value in dict.fromkeys((p.default, *p.one_of, *used)))


def _complete_reading(ctx: typer.Context, incomplete: str) -> list[str]:
    book = book_of_line(ctx)
    options = book.options.values() if book else ()
    offered = [f"{reading.name}={value}" for reading in options for value in reading.values]
    return [text for text in offered if text.startswith(incomplete)]


def book_of_line(ctx: typer.Context) -> Rulebook | None:
    """The rulebook of the game named so far; behind an option without its value it is still unread in `args`."""
    games = ctx.params.get("games")  # elsewhere a number of games
    name = ctx.params.get("game") or ctx.params.get("what")
    name = name or next(iter((isinstance(games, list) and games) or ctx.args), None)
    try:
        return registry.find(name).rulebook if name else None
    except InputError:
        return None


GameName = Annotated[str, typer.Argument(metavar="GAME", help="a game's short name", autocompletion=complete_game)]
PositionText = Annotated[
    str | None,
    typer.Argument(metavar="[POSITION]", help="a position, or - for standard input [default: the start]"),
]
Params = Annotated[
    list[str] | None,
    typer.Option("-p", "--param", metavar="KEY=VALUE", help="set a parameter", autocompletion=_complete_param),
]
Chosen = Annotated[
    list[str] | None,
    typer.Option("-r", "--reading", metavar="NAME=VALUE", help="choose a reading", autocompletion=_complete_reading),
]
AsJson = Annotated[bool, typer.Option("--json", help="print one JSON document on standard output")]
Roll = Annotated[
    str | None, typer.Option("--roll", metavar="LABEL", help="the result of chance, such as the number on a die")
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="number of processes or threads")]
Fresh = Annotated[bool, typer.Option("--fresh", help="compute everything, ignoring results kept from earlier runs")]
For = Annotated[
    str | None,
    typer.Option("--for", metavar="PLAYER", help="what this player can force even if all others cooperate"),
]
Limit = Annotated[
    int | None,
    typer.Option("--limit", min=1, metavar="N", help="give up beyond N positions [default: 300000]"),
]
Seed = Annotated[int, typer.Option("--seed", help="equal seeds give equal output")]


def position_at(choice: Choice, text: str | None, brought: str | None = None) -> Position:
    """The position of a line (- is standard input), or the start; after chance has brought what --roll says."""
    game = OpenGame(choice)
    here = game.start() if text is None else game.position(_standard_input() if text == "-" else text)
    if brought is None:
        return here
    known = {chance.label: chance.result for chance in here.chances}
    if not known:
        raise InputError(f"chance is not to act in {here}, so --roll {brought} has no meaning there")
    if brought not in known:
        raise InputError(f"--roll {brought} is nothing that chance may bring; expected one of {', '.join(known)}")
    return known[brought]


def _standard_input() -> str:
    """The first line, read as bytes so that what is not UTF-8 can be named."""
    if sys.stdin is None:
        raise InputError("standard input is closed, so there is no position to read from it")
    try:
        line = sys.stdin.buffer.readline(LONGEST_LINE + 2)
    except OSError as error:
        raise InputError(f"standard input cannot be read: {error.strerror}") from None
    if not line:
        raise InputError("standard input is empty; expected a position in its first line")
    try:
        return line.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise InputError(f"standard input is not UTF-8 text: byte {error.start + 1} of its first line") from None


def pairs(texts: Sequence[str] | None, option: str) -> dict[str, str]:
    """`key=value` options as a dictionary; a key given twice is a mistake."""
    chosen: dict[str, str] = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise InputError(f"option {option} wants KEY=VALUE, found {text!r}")
        if key in chosen:
            raise InputError(f"option {option} sets {key!r} twice")
        chosen[key] = value
    return chosen


def is_interruption(error: Exception) -> bool:
    """Was Ctrl-C pressed while ctypes converted an argument, as it does for every call of z3? It names the cause only
    in its text."""
    return type(error).__name__ == "ArgumentError" and "KeyboardInterrupt" in str(error)


def open_game(slug: str, params: Sequence[str] | None = None, readings: Sequence[str] | None = None) -> Choice:
    game = registry.find(slug)
    return Choice(game, game.params(pairs(params, "-p")), game.rulebook.choose(pairs(readings, "-r")))


def emit(document: Any, as_json: bool, human: Callable[[], None]) -> None:
    """Print one JSON document, or what a person would rather read. Documents and rows say the version of their form."""
    if as_json:
        print(json_text(_versioned(document), indent=2))
    else:
        human()


def json_text(document: Any, indent: int | None = None) -> str:
    """JSON in letters that standard output can encode: it has escapes of its own for the others."""
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(document, indent=indent)
    return text


def _versioned(document: Any) -> Any:
    if isinstance(document, list):
        return [_versioned(row) for row in document]
    return {**document, "schema": SCHEMA} if isinstance(document, dict) else document


def settings(choice: Choice) -> dict[str, Any]:
    """The game, parameters and readings a result holds for, to go with every JSON document."""
    return {"game": choice.game.slug, "params": choice.params.as_dict(), "readings": dict(choice.readings)}


def of_game(choice: Choice, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The same for documents that are lists: every row says what it holds for."""
    return [{**row, **settings(choice)} for row in rows]


def counted(many: int, thing: str) -> str:
    """`1 claim`, `2 claims`."""
    return f"{many:,} {thing}{'' if many == 1 else 's'}"


def finish(finding: bool) -> None:
    """Leave with status 1 if there is something to look at."""
    if finding:
        raise typer.Exit(FINDING)


@contextmanager
def kept_results(fresh: bool) -> Iterator[None]:
    """What has been computed before and still holds is not computed again; a note says how much that was."""
    from rulecheck.kept import keeping

    with keeping(fresh) as keeper:
        yield
    if keeper is not None and keeper.asked:
        print(keeper, file=sys.stderr)
