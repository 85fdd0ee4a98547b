"""Noughts and crosses, as somebody else's package would add it: squares, positions, moves; no rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from rulecheck import notation
from rulecheck.model import InputError
from rulecheck.notation import NotationError, Token
from rulecheck.pyramids import Pyramid, Stack
from rulecheck.registry import Game
from rulecheck.render import PLAIN, Drawer

PLAYERS = ("A", "B")
SQUARES = tuple(f"{column}{row}" for row in "123" for column in "abc")


@dataclass(frozen=True)
class Params:
    def as_dict(self) -> dict[str, str]:
        return {}


def read_params(given: Mapping[str, str]) -> Params:
    if given:
        raise InputError("noughts has no parameters")
    return Params()


@dataclass(frozen=True)
class Position:
    mover: str
    stacks: tuple[Stack, ...]

    def __str__(self) -> str:
        return notation.print_position(self.mover, list(zip(SQUARES, self.stacks, strict=True)))


class Place(NamedTuple):
    mark: Pyramid
    square: int

    def __str__(self) -> str:
        return f"{self.mark}@{SQUARES[self.square]}"


def read_position(params: Params, text: str) -> Position:
    line = notation.read_position(text, players=PLAYERS, colours=PLAYERS, places=SQUARES)
    for name, stack in line.stacks.items():
        if len(stack) != 1 or stack[0].pips != 1:
            raise NotationError(line.columns[name], "a square holds one mark, A1 or B1")
    return Position(line.mover, tuple(line.stacks.get(name, ()) for name in SQUARES))


def read_move(params: Params, text: str) -> Place:
    (token, *rest) = notation.tokens(text)
    mark, at, square = token.text.partition("@")
    if rest or not at or square not in SQUARES:
        raise NotationError(token.column, f"expected MARK@SQUARE, found {notation.quoted(text)}")
    (pyramid, *more) = notation.read_stack(Token(mark, token.column), 0, PLAYERS)
    if more or pyramid.pips != 1:
        raise NotationError(token.column, f"expected one mark, A1 or B1, found {mark!r}")
    return Place(pyramid, SQUARES.index(square))


def draw(params: Params, position: Position) -> str:
    marks = [stack[0].colour if stack else "." for stack in position.stacks]
    rows = [" ".join(marks[at : at + 3]) for at in (6, 3, 0)]
    return "\n".join([f"{position.mover} to move", *rows])


DRAWER = Drawer(draw, PLAIN.svg)

GAME = Game(
    slug="noughts",
    title="Noughts and crosses",
    rulebook_file="noughts:rulebook.toml",
    engine_name="noughts.engine:Engine",
    spec_name="noughts.spec:Spec",
    params=read_params,
    read_position=read_position,
    read_move=read_move,
    render_name="noughts:DRAWER",
)
