"""The text of `rulecheck --help` and `rulecheck --version`."""

from __future__ import annotations

import importlib.metadata
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

GROUPS = {
    "Look at a game": ("games", "rules", "show", "moves", "why", "perft", "play"),
    "Check its rules": ("prove", "claims", "ambiguities", "clauses", "stalemates", "mutants", "compare"),
    "Solve it": ("solve", "probe", "certify", "graph"),
    "Publish": ("puzzles", "report", "audit", "serve", "export"),
    "Bring your own": ("new",),
}
OTHERS = "For one game only"
WHOLE = 500  # characters of a command's first sentence: nothing is cut
STATUS = "Exit status: 0 fine, 1 a finding, 2 bad input (one sentence on standard error), 130 after Ctrl-C."


class GroupedHelp(TyperGroup):
    """Lists the commands by purpose, and those that a game brings in a group of their own."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        texts = {name: command.get_short_help_str(WHOLE) for name, command in commands.items() if command is not None}
        named = {name for names in GROUPS.values() for name in names}
        groups = {**GROUPS, OTHERS: tuple(name for name in texts if name not in named)}
        width = max(map(len, texts))
        for title, names in groups.items():
            rows = [(f"{name:<{width}}", texts[name]) for name in names if name in texts]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rulecheck {importlib.metadata.version('rulecheck')}")
        raise typer.Exit()


def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="print the version and exit")
    ] = False,
) -> None:
    """A formal rules verifier and puzzle solver for board games."""
