"""Commands and certificate formats that games bring, found through the entry-point group `rulecheck.commands`.

What an entry point names must be light to import: `rulecheck --help` loads it.
"""

from __future__ import annotations

import functools
import importlib.metadata
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer

from rulecheck.model import InputError

GROUP = "rulecheck.commands"
Certify = Callable[[Path, Any, bool], None]  # the file, its JSON document, and whether to answer in JSON


@dataclass(frozen=True)
class OwnCommands:
    """What one game adds: commands, and the formats of certificates that `certify` accepts, by their `format`."""

    commands: tuple[Callable[..., None], ...]
    certificates: Mapping[str, Certify] = field(default_factory=dict)


@functools.cache
def own_commands() -> tuple[OwnCommands, ...]:
    """Of every game that brings some; a package that cannot be loaded costs its own commands and one sentence."""
    entries = sorted(importlib.metadata.entry_points(group=GROUP), key=lambda entry: entry.name)
    loaded = (_load(entry) for entry in entries)
    return tuple(own for own in loaded if own is not None)


def _load(entry: importlib.metadata.EntryPoint) -> OwnCommands | None:
    try:
        own = entry.load()
        if not isinstance(own, OwnCommands):
            raise TypeError(f"{entry.value} is not a rulecheck.commands.own.OwnCommands")
    except Exception as error:  # an outside package may fail in any way
        print(f"rulecheck: the commands of {entry.name} cannot be loaded: {error}", file=sys.stderr)
        return None
    return own


def register(app: typer.Typer) -> None:
    for own in own_commands():
        for command in own.commands:
            app.command()(command)


def is_document(file: Path) -> bool:
    """Does the file begin as a JSON document does? Tables do not."""
    try:
        with file.open("rb") as opened:
            return opened.read(1) == b"{"
    except (OSError, ValueError):
        return False


def certify_document(file: Path, document: Any, as_json: bool) -> None:
    """Have a certificate checked by the game that knows its format."""
    known = {name: certify for own in own_commands() for name, certify in own.certificates.items()}
    said = document.get("format") if isinstance(document, dict) else None
    certify = known.get(said) if isinstance(said, str) else None
    if certify is None:
        formats = ", ".join(map(repr, sorted(known)))
        raise InputError(f"this certificate cannot be checked: its format is none of {formats}")
    certify(file, document, as_json)
