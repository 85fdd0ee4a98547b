"""One grammar for all games; docs/reference/notation.md is its reference.

A position is one line of tokens separated by single spaces: the player to move, `place:stack` tokens in
board order, then `key=value` tokens. Errors name the column (counted from 1) and what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rulecheck.model import InputError
from rulecheck.pyramids import Pyramid, Stack, stack_text

LONGEST_LINE = 4000
PYRAMID = re.compile(r"([A-Z])([123])")
SEPARATORS = {"-": "steps", "x": "exchanges", ">": "relocates", "@": "places"}


class NotationError(InputError):
    def __init__(self, column: int, problem: str) -> None:
        super().__init__(f"column {column}: {problem}")
        self.column = column


def quoted(text: str) -> str:
    """The text in quotes, short enough for one line of a terminal."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


@dataclass(frozen=True)
class Token:
    text: str
    column: int


@dataclass(frozen=True)
class Line:
    """A position line taken apart, before a game gives it meaning."""

    mover: str
    stacks: Mapping[str, Stack]
    keys: Mapping[str, Token]
    columns: Mapping[str, int]


def tokens(line: str) -> list[Token]:
    """Split at single spaces, so that no position has two texts."""
    if len(line) > LONGEST_LINE:
        raise NotationError(LONGEST_LINE + 1, f"the line is longer than {LONGEST_LINE} characters")
    if not line:
        raise NotationError(1, "expected a position or move, found an empty line")
    words, column = [], 1
    for text in line.split(" "):
        if not text:
            raise NotationError(column, "expected a token, found a second or stray space")
        words.append(Token(text, column))
        column += len(text) + 1
    return words


def read_stack(token: Token, offset: int, colours: Sequence[str]) -> Stack:
    """Read `A1B2...` (bottom first) from `offset` to the end of the token."""
    stack: list[Pyramid] = []
    at = offset
    while at < len(token.text):
        match = PYRAMID.match(token.text, at)
        if not match or match[1] not in colours:
            expected = f"a colour ({', '.join(colours)}) and 1, 2 or 3 pips"
            raise NotationError(token.column + at, f"expected a pyramid, {expected}, found {quoted(token.text[at:])}")
        stack.append(Pyramid(match[1], int(match[2])))
        at = match.end()
    if not stack:
        raise NotationError(token.column + at, "expected a stack; an empty place is left out")
    return tuple(stack)


def read_position(
    line: str,
    *,
    players: Sequence[str],
    colours: Sequence[str],
    places: Sequence[str],
    keys: Sequence[str] = (),
) -> Line:
    """Take a position line apart; `places` are in board order, and so must be the tokens."""
    first, *rest = tokens(line)
    if first.text not in players:
        raise NotationError(
            first.column, f"expected the player to move ({' or '.join(players)}), found {quoted(first.text)}"
        )
    stacks: dict[str, Stack] = {}
    values: dict[str, Token] = {}
    columns: dict[str, int] = {}
    for token in rest:
        if ":" in token.text and not values:
            name, _, _ = token.text.partition(":")
            _next_name(name, token, places, stacks, "place")
            stacks[name] = read_stack(token, len(name) + 1, colours)
            columns[name] = token.column
        elif "=" in token.text:
            name, _, value = token.text.partition("=")
            _next_name(name, token, keys, values, "key")
            values[name] = Token(value, token.column + len(name) + 1)
        else:
            raise NotationError(token.column, _expected(token, keys, values))
    return Line(first.text, stacks, values, columns)


def _next_name(name: str, token: Token, known: Sequence[str], seen: Mapping[str, object], what: str) -> None:
    """Refuse a name that is unknown, or that does not come after those seen."""
    if name not in known:
        listed = ", ".join(known) if known else "none here"
        raise NotationError(token.column, f"unknown {what} {quoted(name)}; expected one of: {listed}")
    if name in seen:
        raise NotationError(token.column, f"{what} {name} stands twice")
    if seen and known.index(name) < max(map(known.index, seen)):
        raise NotationError(token.column, f"{what} {name} is out of order; the order is {', '.join(known)}")


def _expected(token: Token, keys: Sequence[str], values: Mapping[str, Token]) -> str:
    if values and ":" in token.text:
        return f"place:stack tokens stand before {'= and '.join(values)}=, found {quoted(token.text)}"
    return f"expected place:stack{' or key=value' if keys else ''}, found {quoted(token.text)}"


def read_number(token: Token, lowest: int, highest: int, what: str) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,8}", token.text) or not lowest <= int(token.text) <= highest:
        raise NotationError(token.column, f"expected {what} from {lowest} to {highest}, found {quoted(token.text)}")
    return int(token.text)


def print_position(mover: str, stacks: Sequence[tuple[str, Stack]], keys: Sequence[tuple[str, object]] = ()) -> str:
    """The canonical text: `read_position` of it gives the same parts back."""
    return " ".join(
        [mover]
        + [f"{place}:{stack_text(stack)}" for place, stack in stacks if stack]
        + [f"{key}={value}" for key, value in keys if value is not None]
    )


def read_pair(token: Token, separators: str, place: Callable[[Token], int]) -> tuple[int, str, int]:
    """Read `from-to`, `from>to` and the like; `place` turns a place's name into its number."""
    for at, character in enumerate(token.text):
        if character in separators:
            source = place(Token(token.text[:at], token.column))
            target = place(Token(token.text[at + 1 :], token.column + at + 1))
            return source, character, target
    shapes = " or ".join(f"FROM{s}TO" for s in separators)
    raise NotationError(token.column, f"expected {shapes}, found {quoted(token.text)}")
