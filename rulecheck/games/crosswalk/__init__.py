"""Crosswalk: places, positions, turns and parameters; no rules.

Places are numbered 0 to n+1 along the row: 0 is the finish of player A, 1..n are the squares, n+1 is the
finish of player B. A starts on square n, B on square 1. Pedestrians are `P`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from rulecheck import notation
from rulecheck.model import InputError
from rulecheck.notation import NotationError, Token
from rulecheck.pyramids import Pyramid, Stack
from rulecheck.registry import Game
from rulecheck.rulebook import check_known

PLAYERS = ("A", "B")
PEDESTRIAN = "P"
COLOURS = (*PLAYERS, PEDESTRIAN)
OTHER = {"A": "B", "B": "A", "P": "P"}


@dataclass(frozen=True)
class Params:
    squares: int = 5
    sizes: tuple[int, ...] = (1, 2, 3)
    pedestrians: tuple[tuple[int, ...], ...] = ((3, 2, 1), (3, 2, 1), (3, 2, 1))
    die: int = 6
    first: str = "A"

    @property
    def places(self) -> range:
        return range(self.squares + 2)

    @property
    def board(self) -> range:
        return range(1, self.squares + 1)

    def finish(self, player: str) -> int:
        return 0 if player == "A" else self.squares + 1

    def home(self, player: str) -> int:
        return self.squares if player == "A" else 1

    @property
    def material(self) -> Counter[Pyramid]:
        own = Counter(Pyramid(c, s) for c in PLAYERS for s in self.sizes)
        return own + Counter(Pyramid(PEDESTRIAN, s) for stack in self.pedestrians for s in stack)

    def as_dict(self) -> dict[str, str]:
        return {
            "squares": str(self.squares),
            "sizes": "".join(map(str, self.sizes)),
            "pedestrians": ",".join("".join(map(str, s)) or "-" for s in self.pedestrians) or "none",
            "die": str(self.die),
            "first": self.first,
        }


def read_params(given: Mapping[str, str]) -> Params:
    for name in given:
        check_known("parameter", name, Params().as_dict())
    squares = _number(given, "squares", 5, 2, 9)
    sizes_text = given.get("sizes", "123")
    if not re.fullmatch("1?2?3?", sizes_text) or not sizes_text:
        raise InputError(f"parameter sizes wants some of the pips 123 in rising order, found {sizes_text!r}")
    sizes = tuple(map(int, sizes_text))
    first = given.get("first", "A")
    check_known("value of parameter first", first, PLAYERS)
    return Params(squares, sizes, _street(given, squares, sizes), _number(given, "die", 6, 1, 9), first)


def _number(given: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = given.get(name, str(default))
    if not re.fullmatch("[0-9]", text) or not low <= int(text) <= high:
        raise InputError(f"parameter {name} wants a whole number from {low} to {high}, found {text!r}")
    return int(text)


def _street(given: Mapping[str, str], squares: int, sizes: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """One stack of pedestrians for each middle square; a full tree each by default."""
    middle = squares - 2
    text = given.get("pedestrians")
    if text is None:
        return (sizes[::-1],) * middle
    if text == "none":
        return ((),) * middle
    stacks = text.split(",")
    if len(stacks) != middle or not all(re.fullmatch("-|[123]{1,9}", s) for s in stacks):
        raise InputError(
            f"parameter pedestrians wants {middle} stacks, one for each middle square, pips bottom first and '-' "
            f"for an empty one, separated by commas (or 'none'), found {text!r}"
        )
    return tuple(() if s == "-" else tuple(map(int, s)) for s in stacks)


@dataclass(frozen=True)
class Position:
    """`stacks[p]` is the stack at place p, bottom first; `roll` is None before the die is thrown."""

    mover: str
    stacks: tuple[Stack, ...]
    roll: int | None = None

    def __str__(self) -> str:
        places = [(str(p), s) for p, s in enumerate(self.stacks)]
        return notation.print_position(self.mover, places, [("roll", self.roll)])

    def rolled(self, roll: int | None) -> Position:
        return replace(self, roll=roll)

    def mirrored(self) -> Position:
        """The same position seen from the other side: row and colours reversed, the other player to move."""
        turned = tuple(tuple(Pyramid(OTHER[q.colour], q.pips) for q in s) for s in reversed(self.stacks))
        return Position(OTHER[self.mover], turned, self.roll)


class Step(NamedTuple):
    """Of the top pyramid: one place along (`-`), or by relocation anywhere (`>`)."""

    source: int
    target: int
    relocates: bool = False

    def __str__(self) -> str:
        return f"{self.source}{'>' if self.relocates else '-'}{self.target}"


class Turn(NamedTuple):
    """The steps of a turn in order; none at all is a pass."""

    steps: tuple[Step, ...] = ()

    def __str__(self) -> str:
        return " ".join(map(str, self.steps)) or "pass"


PASS = Turn()


def read_position(params: Params, text: str) -> Position:
    names = [str(p) for p in params.places]
    line = notation.read_position(text, players=PLAYERS, colours=COLOURS, places=names, keys=("roll",))
    left = params.material
    for name, stack in line.stacks.items():
        for level, pyramid in enumerate(stack):
            column = line.columns[name] + len(name) + 1 + 2 * level
            left[pyramid] -= 1
            if left[pyramid] < 0:
                raise NotationError(column, _too_many(pyramid, params))
            player = next((c for c in PLAYERS if params.finish(c) == int(name)), None)
            if player not in (None, pyramid.colour):
                raise NotationError(column, f"{pyramid} cannot stand at place {name}, the finish of {player}")
    missing = [str(q) for q, count in sorted(left.items()) for _ in range(count)]
    if missing:
        raise NotationError(len(text) + 1, f"the position lacks {', '.join(missing)}")
    roll = notation.read_number(line.keys["roll"], 1, params.die, "a roll") if "roll" in line.keys else None
    return Position(line.mover, tuple(line.stacks.get(name, ()) for name in names), roll)


def _too_many(pyramid: Pyramid, params: Params) -> str:
    count = params.material[pyramid]
    return f"{pyramid} stands {count + 1} times, this game has {count}" if count else f"this game has no {pyramid}"


def read_turn(params: Params, text: str) -> Turn:
    if text == "pass":
        return PASS

    def place(token: Token) -> int:
        return notation.read_number(token, 0, params.squares + 1, "a place")

    steps = []
    for token in notation.tokens(text):
        source, separator, target = notation.read_pair(token, "->", place)
        steps.append(Step(source, target, separator == ">"))
    return Turn(tuple(steps))


GAME = Game(
    slug="crosswalk",
    title="Crosswalk",
    rulebook_file="specs.crosswalk:rulebook.toml",
    engine_name="rulecheck.games.crosswalk.engine:Engine",
    spec_name="specs.crosswalk.spec:Spec",
    hints_name="rulecheck.games.crosswalk.hints:CrosswalkHints",
    mutants_file="specs.crosswalk:mutants.toml",
    counts_file="specs.crosswalk:counts.perft",
    letter_file="specs.crosswalk:letter.toml",
    render_name="rulecheck.games.crosswalk.drawing:DRAWER",
    params=read_params,
    read_position=read_position,
    read_move=read_turn,
)
