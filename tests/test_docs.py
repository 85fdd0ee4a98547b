"""Protects: what the README and the docs show is what happens, and their links lead somewhere.

```python blocks of a file run top to bottom in one namespace. ```console blocks hold `$ rulecheck ...` or
`$ echo ... | rulecheck ...` lines (a backslash at the end continues one), each followed by its exact output,
standard output before standard error. A line `...` stands for any lines or none, `[exit 2]` at the end for a
status other than 0. Other blocks are not run.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
TUTORIAL = ROOT / "docs" / "tutorial.md"  # one long run, with a test of its own
FILES = sorted(set(PAGES) - {TUTORIAL}, key=lambda file: file.relative_to(ROOT).parts)


def _name(file: Path) -> str:
    return str(file.relative_to(ROOT)) if file.is_relative_to(ROOT) else file.name


@dataclass(frozen=True)
class Block:
    file: Path
    line: int
    kind: str
    text: str

    @property
    def name(self) -> str:
        return f"{_name(self.file)}:{self.line}"


def blocks(file: Path) -> Iterator[Block]:
    source = file.read_text(encoding="utf-8")
    for found in re.finditer(r"^```(\w+)\n(.*?)^```$", source, re.MULTILINE | re.DOTALL):
        yield Block(file, source.count("\n", 0, found.start()) + 2, found[1], found[2])


def commands(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Each command of a console block with the lines that follow it."""
    joined = re.sub(r"^\$ (?:.*\\\n)+", lambda m: m[0].replace("\\\n", ""), block.text, flags=re.MULTILINE)
    head, *parts = re.split(r"^\$ ", joined, flags=re.MULTILINE)
    assert not head, f"{block.name}: output before the first command"
    for part in parts:
        command, *expected = part.splitlines()
        yield command, expected


def arguments(command: str) -> tuple[list[str], bytes]:
    """The arguments for rulecheck, and its standard input."""
    words = shlex.split(command)
    typed = b""
    if words[0] == "echo":
        bar = words.index("|")
        typed, words = (" ".join(words[1:bar]) + "\n").encode(), words[bar + 1 :]
    assert words[0] == "rulecheck", f"only rulecheck can be run here; put {command!r} into a block of kind sh"
    return words[1:], typed


def matches(expected: list[str], found: str) -> bool:
    """Lines equal, where `...` stands for any number of lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in expected)
    return re.fullmatch(pattern, found) is not None


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_python_blocks(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": file.stem}
    for block in blocks(file):
        if block.kind == "python":
            # The blank lines make a traceback point into the document.
            exec(compile("\n" * (block.line - 1) + block.text, str(file), "exec"), namespace)


CONSOLE = [block for file in FILES for block in blocks(file) if block.kind == "console"]


@pytest.mark.parametrize("block", CONSOLE, ids=lambda block: block.name)
def test_console_blocks(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rulecheck: Callable[..., Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    for command, expected in commands(block):
        given, typed = arguments(command)
        run = rulecheck(*given, stdin=typed)
        found = run.out + run.err + (f"[exit {run.status}]\n" if run.status else "")
        assert matches(expected, found), f"{block.name}: $ {command}\n{found}"


# -- Links ---------------------------------------------------------------------------------------------------

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^()\s]+)\)")


def anchors(file: Path) -> set[str]:
    """What a link into a page may name: its headings, as GitHub makes them, and the ids that it sets itself."""
    text = FENCED.sub("", file.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}
    return made | set(re.findall(r'<a id="([^"]+)">', text))


def broken_links(file: Path) -> Iterator[str]:
    for target in LINK.findall(FENCED.sub("", file.read_text(encoding="utf-8"))):
        if re.match(r"\w+:", target):
            continue  # another site
        path, _, anchor = target.partition("#")
        page = (file.parent / path).resolve() if path else file
        if not page.exists() or (anchor and page.suffix == ".md" and anchor not in anchors(page)):
            yield target


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_links_lead_somewhere(file: Path) -> None:
    assert list(broken_links(file)) == []


# -- The reader of the documents itself ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expected", "found", "good"),
    [
        (["a"], "a\n", True),
        (["a"], "a\nb\n", False),
        (["a", "..."], "a\n", True),
        (["a", "...", "d"], "a\nb\nc\nd\n", True),
        (["a", "...", "d"], "a\nb\nc\n", False),
        (["a.c"], "abc\n", False),
        ([], "a\n", False),
        ([], "", True),
    ],
)
def test_how_output_is_compared(expected: list[str], found: str, good: bool) -> None:
    assert matches(expected, found) == good


def test_how_blocks_are_found(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_text("# Page\n\n```console\n$ rulecheck a \\\n  b\nout\n$ rulecheck c\n```\n\n```\nno\n```\n")
    (block,) = blocks(file)
    assert (block.line, block.kind) == (4, "console")
    assert list(commands(block)) == [("rulecheck a   b", ["out"]), ("rulecheck c", [])]


def test_how_links_are_read(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# A `b`, c\n")
    file = tmp_path / "page.md"
    links = "[a](other.md#a-b-c) [b](other.md#d) [c](gone.md) ![d](https://e.org/f.png)"
    file.write_text(f"# Page\n\n{links} [e](#page)\n```\n[f](gone2.md)\n```\n")
    assert list(broken_links(file)) == ["other.md#d", "gone.md"]


def test_how_commands_are_read() -> None:
    assert arguments("echo 'A 1:B1' | rulecheck show -") == (["show", "-"], b"A 1:B1\n")
    with pytest.raises(AssertionError, match="only rulecheck can be run here"):
        arguments("make test")
