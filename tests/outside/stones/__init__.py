"""A heap of stones, as somebody else's package would add it: with a position of its own kind, and a small study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from rulecheck.model import InputError
from rulecheck.notation import NotationError
from rulecheck.registry import Game

PLAYERS = ("A", "B")


@dataclass(frozen=True)
class Params:
    stones: int = 4

    def as_dict(self) -> dict[str, str]:
        return {"stones": str(self.stones)}


def read_params(given: Mapping[str, str]) -> Params:
    if given.keys() - {"stones"} or not given.get("stones", "4").isdigit():
        raise InputError("stones has one parameter, stones=NUMBER")
    return Params(int(given.get("stones", "4")))


@dataclass(frozen=True)
class Position:
    mover: str
    stones: int

    def __str__(self) -> str:
        return f"{self.mover} {self.stones}"


class Take(NamedTuple):
    number: int

    def __str__(self) -> str:
        return f"take-{self.number}"


def read_position(params: Params, text: str) -> Position:
    player, _, stones = text.partition(" ")
    if player not in PLAYERS or not stones.isdigit():
        raise NotationError(1, "expected a player and a number, as in A 4")
    return Position(player, int(stones))


def read_move(params: Params, text: str) -> Take:
    number = text.removeprefix("take-")
    if not number.isdigit():
        raise NotationError(1, "expected take-NUMBER")
    return Take(int(number))


GAME = Game(
    slug="stones",
    title="Stones",
    rulebook_file="stones:rulebook.toml",
    engine_name="stones.engine:Engine",
    spec_name="stones.spec:Spec",
    params=read_params,
    read_position=read_position,
    read_move=read_move,
    hints_name="stones.study:StonesHints",
    mutants_file="stones:mutants.toml",
)
