"""The command line: puts the commands together and turns bad input into one sentence and status 2."""

from __future__ import annotations

import os
import sys

import typer

from rulecheck.commands.common import BAD_INPUT
from rulecheck.model import InputError

app = typer.Typer(
    name="rulecheck",
    help="A formal rules verifier and puzzle solver for board games.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _register() -> None:
    """Each command module adds its commands to the app."""
    from rulecheck.commands import check, look, publish, solve

    for module in (look, check, solve, publish):
        module.register(app)


_register()


def main() -> None:
    try:
        app()
    except InputError as error:
        fail(str(error))
    except KeyboardInterrupt:
        fail("interrupted; nothing half-written is left behind")
    except BrokenPipeError:
        # The reader of our output went away (`rulecheck ... | head`): not an error of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def fail(sentence: str) -> None:
    print(f"rulecheck: {sentence}", file=sys.stderr)
    sys.exit(BAD_INPUT)
