"""Protects: engine and spec of a game are two texts. A misreading that stands in both would agree with itself.

Two kinds of copy are looked for in every pair of an engine's and a spec's lines: the same run of tokens, and the same
expression whatever the order of its parts. Local names do not count; attributes, constants and operators do.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import keyword
import re
import tokenize
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from rulecheck import registry

LONG_RUN, LARGE_EXPRESSION = 14, 9  # tokens; nodes
TELLING = 3  # so many attributes and constants make it more than a common turn of Python

# What is no rule, and the reason. `game: text in the engine`.
ALLOWED = {
    "icehouse: return p[0] - q[0], p[1] - q[1]": "the difference of two points",
    "icehouse: return p[0] * q[0] + p[1] * q[1]": "the scalar product of two vectors",
    "icepalace: zip(self.params.colours, position.bag, strict=True)": "the bag counts colours in their order",
    "nestrace: tuple(self.params.number[name] for name in move.path)": "a move names squares, and these are numbered",
}


class Piece(NamedTuple):
    """A part of a source file."""

    file: str
    line: int
    text: str


def encoding(name: str) -> list[Path]:
    """The modules of an encoding: `game.py`, `game_more.py`."""
    spec = importlib.util.find_spec(name.partition(":")[0])
    assert spec is not None
    assert spec.origin is not None
    first = Path(spec.origin)
    return [first, *sorted(first.parent.glob(f"{first.stem}_*.py"))]


# -- The same run of tokens ---------------------------------------------------------------------------------

Token = tuple[str, tokenize.TokenInfo]  # what is compared, and what stands there


@functools.cache
def logical_lines(path: Path) -> list[list[Token]]:
    """Statements without comments, imports and heads of functions and classes."""
    lines: list[list[Token]] = [[]]
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.NEWLINE:
                lines.append([])
            elif token.type in (tokenize.NAME, tokenize.NUMBER, tokenize.STRING, tokenize.OP):
                lines[-1].append((_compared(token, lines[-1]), token))
    heads = ("import", "from", "def", "class", "@")
    return [line for line in lines if len(line) > 1 and line[0][1].string not in heads]


def _compared(token: tokenize.TokenInfo, before: list[Token]) -> str:
    is_attribute = bool(before) and before[-1][0] == "."
    is_local = token.type == tokenize.NAME and not keyword.iskeyword(token.string) and not is_attribute
    return "_" if is_local else token.string


def _telling(tokens: list[str]) -> int:
    return sum(t != "_" and not keyword.iskeyword(t) and (t[0].isalnum() or t[0] in "\"'_") for t in tokens)


def common_runs(one: list[Token], other: list[Token]) -> Iterator[tuple[int, int, int]]:
    """The longest equal runs of two lines: where they begin in each, and their length."""
    before = [0] * (len(other) + 1)
    for i, (token, _) in enumerate(one):
        lengths = [0] + [before[j] + 1 if token == other[j][0] else 0 for j in range(len(other))]
        for j, length in enumerate(lengths[1:]):
            ends = i + 1 == len(one) or j + 1 == len(other) or one[i + 1][0] != other[j + 1][0]
            if ends and length >= LONG_RUN and _telling([t for t, _ in one[i - length + 1 : i + 1]]) >= TELLING:
                yield i - length + 1, j - length + 1, length
        before = lengths


def same_runs(engine: Path, spec: Path) -> Iterator[tuple[Piece, Piece]]:
    theirs = _windows(spec)
    for window, ours in _windows(engine).items():
        for one, other in product(ours, theirs.get(window, ())):
            for i, j, length in common_runs(one, other):
                yield _piece(engine, one[i : i + length]), _piece(spec, other[j : j + length])


@functools.cache
def _windows(path: Path) -> dict[tuple[str, ...], list[list[Token]]]:
    """The lines of a file by every run of the least length in them, so that few pairs of lines are compared."""
    found: dict[tuple[str, ...], list[list[Token]]] = {}
    for line in logical_lines(path):
        compared = [token for token, _ in line]
        for window in {tuple(compared[i : i + LONG_RUN]) for i in range(len(line) - LONG_RUN + 1)}:
            found.setdefault(window, []).append(line)
    return found


def _piece(path: Path, tokens: list[Token]) -> Piece:
    return Piece(path.name, tokens[0][1].start[0], " ".join(token.string for _, token in tokens))


# -- The same expression in any order -----------------------------------------------------------------------


def _parts(node: ast.expr) -> tuple[str, ...]:
    """Everything that is in an expression, local names without their letters, sorted."""
    found = []
    for part in ast.walk(node):
        match part:
            case ast.Attribute(attr=name):
                found.append(f".{name}")
            case ast.Constant(value=value):
                found.append(f"={value!r}")
            case ast.expr() | ast.operator() | ast.unaryop() | ast.boolop() | ast.cmpop() | ast.comprehension():
                found.append(type(part).__name__)
    return tuple(sorted(found))


@functools.cache
def expressions(path: Path) -> dict[tuple[str, ...], list[Piece]]:
    """Large and telling expressions by their parts."""
    found: dict[tuple[str, ...], list[Piece]] = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.expr):
            parts = _parts(node)
            if len(parts) >= LARGE_EXPRESSION and sum(p[0] in ".=" for p in parts) >= TELLING:
                found.setdefault(parts, []).append(Piece(path.name, node.lineno, ast.unparse(node)))
    return found


def same_expressions(engine: Path, spec: Path) -> Iterator[tuple[Piece, Piece]]:
    theirs = expressions(spec)
    for parts, pieces in expressions(engine).items():
        for piece in pieces if parts in theirs else ():
            yield from ((piece, other) for other in theirs[parts])


# -- All games ----------------------------------------------------------------------------------------------


def copies(slug: str) -> Iterator[tuple[Piece, Piece]]:
    game = registry.find(slug)
    for engine in encoding(game.engine_name):
        for spec in encoding(game.spec_name):
            yield from same_runs(engine, spec)
            yield from same_expressions(engine, spec)


def _squeezed(text: str) -> str:
    """Without the spaces, and the brackets that `ast.unparse` adds."""
    return re.sub(r"[\s()]", "", text)


def _allowed_by(slug: str, piece: Piece) -> set[str]:
    """The exceptions that the piece is, or is part of."""
    return {e for e in ALLOWED if e.startswith(slug) and _squeezed(piece.text) in _squeezed(e)}


@pytest.mark.parametrize("slug", registry.names())
def test_no_expression_stands_in_both_encodings(slug: str) -> None:
    left = [(ours, theirs) for ours, theirs in copies(slug) if not _allowed_by(slug, ours)]
    shown = [f"{a.file}:{a.line} and {b.file}:{b.line}\n  {a.text}\n  {b.text}" for a, b in dict.fromkeys(left)]
    assert not shown, f"{slug} says the same twice in the same way:\n" + "\n".join(shown)


def test_every_exception_is_needed() -> None:
    used = {entry for slug in registry.names() for ours, _ in copies(slug) for entry in _allowed_by(slug, ours)}
    assert used == set(ALLOWED)


@pytest.mark.parametrize(
    ("engine", "spec", "is_copy"),
    [
        # direction of play, word for word but for the names
        ('def f():\n    return {"south": row, "west": column, "east": self.last + 1 - column}[self.home(p)]\n',
         'def g():\n    return {"south": r, "west": c, "east": self.last + 1 - c}[self.home(q)]\n', True),
        # the same sum in another order
        ("seat(position.mover, -1 - position.passes)\n", "seat(position.mover, -position.passes - 1)\n", True),
        # other attributes
        ("seat(position.mover, -1 - position.passes)\n", "seat(position.marker, -position.seats - 1)\n", False),
        # too common to tell
        ("self.params, self.readings = params, readings\n", "self.params, self.readings = given, chosen\n", False),
    ],
)  # fmt: skip
def test_copies_are_noticed(tmp_path: Path, engine: str, spec: str, is_copy: bool) -> None:
    ours, theirs = tmp_path / "engine.py", tmp_path / "spec.py"
    ours.write_text(engine, encoding="utf-8")
    theirs.write_text(spec, encoding="utf-8")
    assert bool([*same_runs(ours, theirs), *same_expressions(ours, theirs)]) == is_copy
