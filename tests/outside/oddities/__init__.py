"""Small games of somebody else's that the solvers must get right or refuse. A position is a player and some numbers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rulecheck.contract import AnyEngine, Chance, End, brought
from rulecheck.hints import Hints
from rulecheck.jobs import Report
from rulecheck.model import LEGAL, InputError, Readings, Verdict, breaks
from rulecheck.registry import Game
from rulecheck.solve.tables import Chart
from solvers.graph import ArenaBuilder, Kind

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
from sowing import Kalah, read

NEXT = {"A": "B", "B": "A"}
GOAL = 7  # of Pig


@dataclass(frozen=True)
class Params:
    def as_dict(self) -> dict[str, str]:
        return {}


@dataclass(frozen=True)
class Position:
    mover: str
    numbers: tuple[int, ...]
    roll: int | None = None

    def __str__(self) -> str:
        text = f"{self.mover} {','.join(map(str, self.numbers))}"
        return text if self.roll is None else f"{text} roll={self.roll}"


def read_position(params: Params, text: str) -> Position:
    mover, numbers, *roll = text.split()
    return Position(mover, tuple(map(int, numbers.split(","))), int(roll[0].removeprefix("roll=")) if roll else None)


def read_params(given: Mapping[str, str]) -> Params:
    if given:
        raise InputError("there are no parameters")
    return Params()


class Heaps:
    """Whoever takes the last stones wins."""

    heaps: tuple[int, ...] = (6,)
    following: Mapping[str, str] = NEXT
    players: tuple[str, ...] = ("A", "B")

    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings

    def start(self) -> Position:
        return Position("A", self.heaps)

    def chances(self, position: Position) -> tuple[Chance[Position], ...]:
        return ()

    def actor(self, position: Position) -> str:
        return position.mover

    def end(self, position: Position) -> End | None:
        winner = self.winner(position)
        return None if winner is None else End((winner,))

    def winner(self, position: Position) -> str | None:
        before = {after: player for player, after in self.following.items()}
        return None if any(position.numbers) else before[position.mover]

    def taken(self, heap: int) -> tuple[int, ...]:
        return (1, 2)

    def moves(self, position: Position) -> dict[str, Position]:
        return {
            f"{heap}-{take}": self.after(position, heap, take)
            for heap, left in enumerate(position.numbers)
            for take in self.taken(heap)
            if take <= left
        }

    def after(self, position: Position, heap: int, take: int) -> Position:
        left = [number - take * (at == heap) for at, number in enumerate(position.numbers)]
        return Position(self.following[position.mover], tuple(left))

    def judge(self, position: Position, move: str) -> Verdict:
        return LEGAL if move in self.moves(position) else breaks("OD-01", "no such move")

    def play(self, position: Position, move: str) -> Position:
        return self.moves(position)[move]


class Again(Heaps):
    """Who takes two stones moves again, if there are any left."""

    def after(self, position: Position, heap: int, take: int) -> Position:
        result = super().after(position, heap, take)
        return replace(result, mover=position.mover) if take == 2 and any(result.numbers) else result


class Keeps(Heaps):
    """Nobody is to act when the game is over, so the last player is left as the one to move."""

    def after(self, position: Position, heap: int, take: int) -> Position:
        result = super().after(position, heap, take)
        return result if any(result.numbers) else replace(result, mover=position.mover)

    def winner(self, position: Position) -> str | None:
        return None if any(position.numbers) else position.mover


class Later(Heaps):
    """Two stones may be taken on the throw of a coin only."""

    heaps = (3,)

    def after(self, position: Position, heap: int, take: int) -> Position:
        return Position(NEXT[position.mover], (-2,)) if take == 2 else super().after(position, heap, take)

    def chances(self, position: Position) -> tuple[Chance[Position], ...]:
        results = (Position("B", (0,)), Position("A", (0,))) if position.numbers == (-2,) else ()
        return tuple(Chance(side, 1, result) for side, result in zip(("heads", "tails"), results, strict=False))


class Unlike(Heaps):
    """One stone at a time may be taken from the second heap."""

    heaps = (2, 2)

    def taken(self, heap: int) -> tuple[int, ...]:
        return (1, 2) if heap == 0 else (1,)


class Alike(Heaps):
    heaps = (2, 2)


class Dance(Heaps):
    """A heap of one or two stones grows or shrinks; whoever takes the last stone loses, so nobody needs to."""

    heaps = (1,)

    def winner(self, position: Position) -> str | None:
        return None if any(position.numbers) else position.mover

    def moves(self, position: Position) -> dict[str, Position]:
        (left,) = position.numbers
        following = {"grow": left + 1, "shrink": left - 1}
        return {move: Position(NEXT[position.mover], (n,)) for move, n in following.items() if n <= 2}


class Three(Heaps):
    """A, B and C take turns."""

    following: Mapping[str, str] = {"A": "B", "B": "C", "C": "A"}
    players = ("A", "B", "C")


class Turning(Three):
    """The next player wins when there is nothing left to take. Seen by the player to move, nobody meets a third."""

    def winner(self, position: Position) -> str | None:
        return None if any(position.numbers) else position.mover


class Pig(Heaps):
    """The numbers are the points of A and of B and those of this turn. A 1 ends the turn and loses its points; else
    the player holds, which adds them, or rolls again. With seven points one has won, and holds."""

    heaps = (0, 0, 0)

    def winner(self, position: Position) -> str | None:
        return next((player for player, own in zip("AB", position.numbers, strict=False) if own >= GOAL), None)

    def chances(self, position: Position) -> tuple[Chance[Position], ...]:
        if position.roll is not None or self.winner(position):
            return ()
        a, b, turn = position.numbers
        rolled = [replace(position, numbers=(a, b, turn + roll), roll=roll) for roll in (2, 3)]
        results = (Position(NEXT[position.mover], (a, b, 0)), *rolled)
        return tuple(Chance(str(pips), 1, result) for pips, result in enumerate(results, start=1))

    def moves(self, position: Position) -> dict[str, Position]:
        if position.roll is None:
            return {}
        a, b, turn = position.numbers
        held = (a + turn, b, 0) if position.mover == "A" else (a, b + turn, 0)
        result = Position(NEXT[position.mover], held)
        return {"hold": result} | ({} if self.winner(result) else {"roll": replace(position, roll=None)})


class Lopsided(Pig):
    """B's turns end twice as often."""

    def chances(self, position: Position) -> tuple[Chance[Position], ...]:
        first, *others = super().chances(position) or (None,)
        return () if first is None else (replace(first, weight=1 + (position.mover == "B")), *others)


def seen_by_a(params: Params, position: Position) -> Position:
    a, b, turn = position.numbers
    return position if position.mover == "A" else replace(position, mover="A", numbers=(b, a, turn))


def pig_chart(engine: Pig) -> Chart:
    """A graph that is right: who rolls again goes on moving."""
    found = [engine.start()]
    for position in found:
        results = [r for c in brought(engine, position) for r in (engine.moves(c).values() or (c,))]
        found += [p for r in results if engine.winner(r) is None and (p := seen_by_a(engine.params, r)) not in found]
    builder = ArenaBuilder()
    node = {str(position): builder.reserve(Kind.CHANCE) for position in sorted(found, key=str)}
    won = builder.add(Kind.WIN)

    def enter(result: Position) -> int:
        if engine.winner(result):
            return won
        there = node[str(seen_by_a(engine.params, result))]
        return there if result.mover == "A" else builder.add(Kind.MOVE, [there])

    for position in found:
        rolls = [[enter(result) for result in (engine.moves(c).values() or (c,))] for c in brought(engine, position)]
        builder.connect(node[str(position)], [builder.add(Kind.STEP, after) for after in rolls])
    return Chart(builder.freeze(), [text.encode() for text in node], str(engine.start()).encode())


def sorted_heaps(params: Params, position: Position) -> Position:
    return replace(position, numbers=tuple(sorted(position.numbers)))


def by_turn(params: Params, position: Position) -> Position:
    return replace(position, mover="A")


class Sorted(Hints[Params, Position, str]):
    def normaliser(self, params: Params) -> Callable[[Position], Position]:
        return partial(sorted_heaps, params)


class Turned(Hints[Params, Position, str]):
    def normaliser(self, params: Params) -> Callable[[Position], Position]:
        return partial(by_turn, params)


class Swapped(Hints[Params, Position, str]):
    def normaliser(self, params: Params) -> Callable[[Position], Position]:
        return partial(seen_by_a, params)


class Mirrored(Swapped):
    def chart(self, engine: AnyEngine, report: Report) -> Chart:
        assert isinstance(engine, Pig)
        return pig_chart(engine)


def game(engine: str, hints: str | None = None) -> Game:
    return Game(
        slug=engine.lower(),
        title=engine,
        rulebook_file="oddities:rulebook.toml",
        engine_name=f"oddities:{engine}",
        spec_name=None,
        params=read_params,
        read_position=read_position,
        read_move=lambda params, text: text,
        hints_name=hints and f"oddities:{hints}",
    )


AGAIN, KEEPS, LATER, THREE, ALIKE = game("Again"), game("Keeps"), game("Later"), game("Three"), game("Alike", "Sorted")
UNLIKE, TURNING, PIGLET = game("Unlike", "Sorted"), game("Turning", "Turned"), game("Pig", "Mirrored")
DANCE, LOPSIDED, PIG = game("Dance"), game("Lopsided", "Swapped"), game("Pig", "Swapped")


def sowing(holes: int, seeds: int) -> Game:
    """A game without parameters or hints that is written for the tests of the bridge."""
    made = replace(game("Kalah"), slug=f"kalah{holes}{seeds}", engine_name=f"oddities:KALAH_{holes}_{seeds}_ENGINE")
    return replace(made, read_position=lambda params, text: read(text), read_move=lambda params, text: int(text))


def _kalah(holes: int, seeds: int) -> Callable[[Params, Readings], Kalah]:
    return lambda params, readings: Kalah(holes, seeds)


KALAH_2_1_ENGINE, KALAH_2_2_ENGINE, KALAH_3_1_ENGINE = _kalah(2, 1), _kalah(2, 2), _kalah(3, 1)
KALAH_2_1, KALAH_2_2, KALAH_3_1 = sowing(2, 1), sowing(2, 2), sowing(3, 1)
