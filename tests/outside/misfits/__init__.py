"""Games of somebody else's, each of which breaks one promise of the contract. A position is a number of stones."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulecheck.contract import Chance, End
from rulecheck.model import LEGAL, InputError, Readings, Verdict, breaks
from rulecheck.registry import Game


@dataclass(frozen=True)
class Params:
    def as_dict(self) -> dict[str, str]:
        return {}


@dataclass(frozen=True)
class Position:
    mover: str
    stones: int

    def __str__(self) -> str:
        return f"{self.mover} {self.stones}"


def read_params(given: Mapping[str, str]) -> Params:
    if given:
        raise InputError("there are no parameters")
    return Params()


def read_position(params: Params, text: str) -> Position:
    mover, stones = text.split()
    return Position(mover, int(stones))


class Stones:
    """Take one or two of four; who takes the last wins. This one keeps all promises."""

    players: Any = ("A", "B")

    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings

    def start(self) -> Any:
        return Position("A", 4)

    def actor(self, position: Any) -> Any:
        return position.mover

    def chances(self, position: Any) -> Any:
        return ()

    def end(self, position: Any) -> Any:
        return End(("B" if position.mover == "A" else "A",)) if position.stones == 0 else None

    def moves(self, position: Any) -> Any:
        other = "B" if position.mover == "A" else "A"
        return {str(n): Position(other, position.stones - n) for n in (1, 2) if n <= position.stones}

    def judge(self, position: Any, move: Any) -> Any:
        return LEGAL if move in self.moves(position) else breaks("MF-01", "no such move")

    def play(self, position: Any, move: Any) -> Any:
        return self.moves(position)[move]


class Raises(Stones):
    def moves(self, position: Any) -> Any:
        raise ZeroDivisionError("on purpose")


class RaisesLater(Stones):
    def moves(self, position: Any) -> Any:
        return super().moves(position) if position.stones > 2 else {}[position]


class Listed(Stones):
    def moves(self, position: Any) -> Any:
        return list(super().moves(position))


class Nothing(Stones):
    def moves(self, position: Any) -> Any:
        return None


class Endless(Stones):
    """Play never ends, and no position comes twice."""

    def moves(self, position: Any) -> Any:
        return {"more": Position(position.mover, position.stones + 1)}


class Deep(Stones):
    def moves(self, position: Any) -> Any:
        return self.moves(position)


class NoStart(Stones):
    def start(self) -> Any:
        return None


class NoPlayers(Stones):
    players = ()


class Stranger(Stones):
    def actor(self, position: Any) -> Any:
        return "nobody"


class EndsInWords(Stones):
    def end(self, position: Any) -> Any:
        return "won" if position.stones == 0 else None


class JudgesYes(Stones):
    def judge(self, position: Any, move: Any) -> Any:
        return True


class UnknownClause(Stones):
    def judge(self, position: Any, move: Any) -> Verdict:
        return breaks("XX-99", "by no rule")


class WildChance(Stones):
    def chances(self, position: Any) -> Any:
        return [Chance(position, 0), Chance(None, -1)] if position.stones > 2 else ()


class Unhashable(Stones):
    def start(self) -> Any:
        return [4]


@dataclass(frozen=True)
class Mute(Position):
    """Its text reads as something else."""

    def __str__(self) -> str:
        return "A 1"


@dataclass(frozen=True)
class Loud(Position):
    def __str__(self) -> str:
        return "two\nlines \x1b[31m" + "x" * 20_000


@dataclass(frozen=True)
class Wordless(Position):
    def __str__(self) -> str:
        return 5  # type: ignore[return-value]  # on purpose


class Muted(Stones):
    kind: Any = Mute

    def start(self) -> Any:
        return self.kind("A", 4)

    def moves(self, position: Any) -> Any:
        return {move: self.kind(after.mover, after.stones) for move, after in super().moves(position).items()}


class Louder(Muted):
    kind = Loud


class Speechless(Muted):
    kind = Wordless


def game(engine: str) -> Game:
    return Game(
        slug=engine.lower(),
        title=engine,
        rulebook_file="misfits:rulebook.toml",
        engine_name=f"misfits:{engine}",
        spec_name=None,
        params=read_params,
        read_position=read_position,
        read_move=lambda params, text: text,
    )


def kinds() -> Iterator[type[Stones]]:
    yield from itertools.chain([Stones], Stones.__subclasses__(), Muted.__subclasses__())


GAMES = {kind.__name__.lower(): game(kind.__name__) for kind in kinds()}
globals().update({name.upper(): made for name, made in GAMES.items()})
NOT_A_GAME = object()
