"""Writes docs/reference/commands.md from the command line itself; `make docs` runs it, a test checks the page."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args, get_type_hints

from typer.models import ArgumentInfo, OptionInfo

PAGE = Path(__file__).parent / "reference" / "commands.md"
HEAD = """# Commands

<!-- Written by docs/commands.py from the command line itself; `make docs` writes it anew. -->

`GAME` is a game's short name, as `rulecheck games` lists them. A position is quoted text in [notation](notation.md), or
`-` for the first line of standard input. `-p KEY=VALUE` sets a parameter and `-r NAME=VALUE` chooses a reading, each as
often as needed. `--json` prints one [JSON document](json.md) on standard output; progress and notes go to standard
error. Whatever takes `--jobs N` also takes `--cluster ADDRESS`, and works [on more than one
machine](../how-to/cluster.md).

| exit status | meaning |
|---|---|
| 0 | fine |
| 1 | a finding: encodings disagree, something is REFUTED or UNKNOWN, puzzles are missing, a width is not reached |
| 2 | bad input: one sentence on standard error says what was wrong and what was expected |
| 130 | interrupted by Ctrl-C; nothing half-written is left behind |

`rulecheck --install-completion` completes games, parameters, readings, clauses, families, mutants and kinds of
puzzles in your shell. Everything here can also be done [from Python](../api.md).
"""


Command = Callable[..., None]


def commands() -> dict[str, Command]:
    """The commands of the tool and of its own games, in the order of `rulecheck --help`."""
    from rulecheck.cli import app

    shown = [info for info in app.registered_commands if info.callback is not None and not info.hidden]
    found = {info.name or info.callback.__name__.replace("_", "-"): info.callback for info in shown if info.callback}
    return {name: command for name, command in found.items() if command.__module__.startswith("rulecheck.")}


def page() -> str:
    known = commands()
    rows = "\n".join(f"| [`{name}`](#{name}) | {_summary(command)} |" for name, command in known.items())
    parts = "\n".join("\n".join(_section(name, command)) for name, command in known.items())
    return f"{HEAD}\n| command | |\n|---|---|\n{rows}\n\n{parts}"


def _section(name: str, command: Command) -> Iterator[str]:
    hints = get_type_hints(command, include_extras=True)
    given = inspect.signature(command).parameters.values()
    described = [(get_args(hints[param.name]), param) for param in given]
    arguments = [(known[-1], param) for known, param in described if isinstance(known[-1], ArgumentInfo)]
    options = [(known, param) for known, param in described if isinstance(known[-1], OptionInfo)]
    game = re.match(r"rulecheck\.games\.(\w+)\.", command.__module__)
    yield f"## {name}\n"
    yield f"`{' '.join(['rulecheck', name, *(str(info.metavar) for info, _ in arguments)])}`\n"
    yield _summary(command) + (f" Brought by `{game[1]}`." if game else "") + "\n"
    yield "| argument or option | |\n|---|---|"
    for info, _ in arguments:
        yield f"| `{info.metavar}` | {_cell(info.help or '')} |"
    for (kind, *_, info), param in options:
        yield f"| {_named(kind, info)} | {_cell(info.help or '')}{_default(param)} |"
    yield ""


def _named(kind: object, info: OptionInfo) -> str:
    word = info.metavar or ("N" if int in (kind, *get_args(kind)) else "VALUE")
    value = "" if kind is bool else f" {word}"
    return ", ".join(f"`{option}{value}`" for option in (info.default, *(info.param_decls or ())) if option)


def _default(param: inspect.Parameter) -> str:
    plain = isinstance(param.default, str | int | float | Path) and not isinstance(param.default, bool)
    return f" [default: {param.default}]" if plain and param.name != "jobs" else ""


def _summary(command: Command) -> str:
    return _cell(" ".join((command.__doc__ or "").split()))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
