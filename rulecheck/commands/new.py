"""`new`: a package for your own game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulecheck.commands.common import AsJson, emit

Name = Annotated[str, typer.Argument(metavar="NAME", help="the short name of the game and of its package")]
Folder = Annotated[Path, typer.Option("--out", metavar="DIR", help="where the folder of the package goes")]


def new(
    name: Name,
    dice: Annotated[bool, typer.Option("--dice", help="with a die")] = False,
    spec: Annotated[bool, typer.Option("--spec", help="with constraints, so that there is something to prove")] = False,
    fields: Annotated[
        bool, typer.Option("--fields", help="with positions made of fields, for complete proofs")
    ] = False,
    out: Folder = Path(),
    as_json: AsJson = False,
) -> None:
    """Write a package with a small working game, for you to turn into your own."""
    from rulecheck.starter import Choices, write_package

    written = [str(path) for path in write_package(name, Choices(dice=dice, spec=spec, fields=fields), out)]
    emit({"game": name, "files": written}, as_json, lambda: _print_new(name, out / name, written))


def _print_new(name: str, folder: Path, written: list[str]) -> None:
    for path in written:
        print(path)
    print(f"Now: cd {folder} && pip install -e . && rulecheck audit {name}")


def register(app: typer.Typer) -> None:
    app.command()(new)
