"""Protects: whoever follows the tutorial from its first line to its last sees what it shows.

Its blocks are run in their order in one folder. A block under "File `path`:" is written there; console blocks are run
as those of other pages are; where the reader installs the package, its metadata is put beside it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_docs import TUTORIAL, Block, arguments, blocks, commands, matches


def file_of(block: Block) -> Path | None:
    """The file that a block is to be written to, as the line above it says."""
    above = block.file.read_text(encoding="utf-8").splitlines()[block.line - 4]
    return Path(above.split("`")[1]) if above.startswith("File `") else None


def forget(package: str) -> None:
    """As a new process would."""
    for name in [n for n in sys.modules if n.partition(".")[0] == package]:
        del sys.modules[name]


def test_the_tutorial_from_first_to_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rulecheck: Callable[..., Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a file written twice in a second would not be read again
    for block in blocks(TUTORIAL):
        if (file := file_of(block)) is not None:
            file.write_text(block.text, encoding="utf-8")
        elif block.kind == "sh":
            install(tmp_path, monkeypatch)
        else:
            run_console(block, rulecheck)


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metadata = folder / "goats" / "goats-0.1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: goats\nVersion: 0.1.0\n")
    (metadata / "entry_points.txt").write_text("[rulecheck.games]\ngoats = goats:GAME\n")
    monkeypatch.syspath_prepend(str(folder / "goats"))


def run_console(block: Block, rulecheck: Callable[..., Any]) -> None:
    assert block.kind == "console", f"{block.name}: a block of kind {block.kind} is neither a file nor run"
    for command, expected in commands(block):
        forget("goats")
        given, typed = arguments(command)
        run = rulecheck(*given, stdin=typed)
        found = run.out + run.err + (f"[exit {run.status}]\n" if run.status else "")
        assert matches(expected, found), f"{block.name}: $ {command}\n{found}"
