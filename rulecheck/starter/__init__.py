"""A package with a small working game, for its author to change: `rulecheck new NAME`.

The files are templates: `$name` is replaced, and what stands between `%% dice no-fields` and the next `%%` line is kept
if all these choices were made. A backslash at the end of a line joins it to the next one that is kept.
"""

from __future__ import annotations

import importlib.resources
import importlib.util
import keyword
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from string import Template

from rulecheck import registry
from rulecheck.model import InputError

LONGEST = 30
MARK = "%% "


@dataclass(frozen=True)
class Choices:
    """What the package is to have: dice, constraints, positions made of fields."""

    dice: bool = False
    spec: bool = False
    fields: bool = False


def write_package(name: str, choices: Choices, folder: Path) -> list[Path]:
    """Write the package into a new folder of its name; it is there whole or not at all."""
    check_name(name)
    target = folder / name
    if target.exists():
        raise InputError(f"{str(target)!r} is there already; choose another name or another folder (--out)")
    files = package(name, choices)
    try:
        made = Path(tempfile.mkdtemp(dir=folder, prefix=f".{name}."))
    except OSError as error:
        raise InputError(f"cannot write into {str(folder)!r}: {error.strerror or error}") from None
    try:
        for path, text in files.items():
            (made / path).parent.mkdir(parents=True, exist_ok=True)
            (made / path).write_text(text, encoding="utf-8")
        made.chmod(0o755)
        os.rename(made, target)
    except OSError as error:
        shutil.rmtree(made, ignore_errors=True)
        raise InputError(f"cannot write {str(target)!r}: {error.strerror or error}") from None
    return [target / path for path in files]


def check_name(name: str) -> None:
    """A name is that of a Python package, and nobody else's."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or len(name) > LONGEST:
        wanted = f"up to {LONGEST} small letters, digits and underscores, a letter first"
        raise InputError(f"a game's name is {wanted}; found {name!r}")
    if keyword.iskeyword(name):
        raise InputError(f"{name!r} is a word of Python, so no package can have it as a name")
    if name in registry.names():
        raise InputError(f"there is a game called {name!r} already")
    if importlib.util.find_spec(name) is not None:
        raise InputError(f"there is a Python package called {name!r} already, which this one would hide")


def package(name: str, choices: Choices) -> dict[str, str]:
    """The files of the package, by their paths in its folder."""
    files = {
        "pyproject.toml": "pyproject.toml",
        "README.md": "README.md",
        f"{name}/__init__.py": "__init__.py",
        f"{name}/rulebook.toml": "rulebook.toml",
        f"{name}/engine.py": "engine.py",
        **({f"{name}/spec.py": "spec.py"} if choices.spec else {}),
        f"tests/test_{name}.py": "test_game.py",
    }
    return {path: _filled(template, name, choices) for path, template in files.items()}


def _filled(template: str, name: str, choices: Choices) -> str:
    text = importlib.resources.files(__package__).joinpath("files", f"{template}.txt").read_text(encoding="utf-8")
    words = {
        "name": name,
        "title": name.replace("_", " ").capitalize(),
        "id": "".join(letter for letter in name.upper() if letter.isalpha())[:2],
        "position": "State" if choices.fields else "Position",
        "vocabulary": "fields" if choices.fields else "Position",
        "rest": ', "roll": 0' if choices.dice else "",
    }
    return Template(_kept(text, asdict(choices))).substitute(words)


def _kept(text: str, choices: Mapping[str, bool]) -> str:
    kept, lines = True, []
    for line in text.splitlines(keepends=True):
        if line.startswith(MARK):
            words = line.removeprefix(MARK).split()
            kept = words == ["end"] or all(
                choices[word.removeprefix("no-")] != word.startswith("no-") for word in words
            )
        elif kept:
            lines.append(line)
    return "".join(lines).replace("\\\n", "")
