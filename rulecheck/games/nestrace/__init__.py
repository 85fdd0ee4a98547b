"""Nest race: squares, positions, moves and parameters; no rules.

On the square board squares are named as on a chessboard, A starts in the south, B in the west (or the east), and with
four players C shares A's lines and D shares B's. On the hexagon the square (u, v) of a kite is its letter, u and v:
`a11`; three players sit clockwise on the start sides, six clockwise on all sides, and those who face each other share
their lines. The low end of a line is its west or south end, on the hexagon where it begins going clockwise.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rulecheck import notation
from rulecheck.games.nestrace.boards import COMPASS, OPPOSITE, Hexagon, Squared
from rulecheck.model import InputError
from rulecheck.notation import NotationError, Token
from rulecheck.pyramids import LARGE, MEDIUM, SMALL, Pyramid, Stack
from rulecheck.registry import Game
from rulecheck.rulebook import check_known

SIZES = (SMALL, MEDIUM, LARGE)
PLAYERS = {"square": (2, 4), "hexagon": (3, 6)}
SIDES = {"square": ("west", "east"), "hexagon": ("south", "north")}
SETUPS = ("acac", "caca")


@dataclass(frozen=True)
class Params:
    board: str = "square"
    players: int = 2
    core: int = 6
    width: int = 4
    nests: int = 4
    side: str = "west"
    setup: str = "acac"
    partners: bool = False

    @property
    def letters(self) -> tuple[str, ...]:
        """The players in the order of their turns."""
        return tuple("ABCDEF"[: self.players])

    @functools.cached_property
    def grid(self) -> Squared | Hexagon:
        return (Squared if self.board == "square" else Hexagon)(self.core, self.width)

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """(column, row) of every square of the square board."""
        assert isinstance(self.grid, Squared)
        return self.grid.places

    @functools.cached_property
    def squares(self) -> tuple[str, ...]:
        """The names of the squares in board order; a square's number is its place in this row."""
        return self.grid.names

    @functools.cached_property
    def number(self) -> Mapping[str, int]:
        return {name: at for at, name in enumerate(self.squares)}

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides of the board where nests start, in the order in which the players sit there."""
        return tuple(dict.fromkeys(map(self.home, self.letters)))

    def edge(self, side: str) -> tuple[int, ...]:
        """The line of squares on that side of the board, from its low end."""
        return self.grid.edge(side)

    def home(self, player: str) -> str:
        """The side of the board from which a player starts."""
        if self.board == "square":
            return "south" if player in "AC" else self.side
        seat = (COMPASS.index(self.side) + self.letters.index(player) * (6 // self.players)) % 6
        starts = (COMPASS.index(self.side) - seat) % 2 == 0
        return COMPASS[seat] if starts else OPPOSITE[COMPASS[seat]]

    def start_line(self, player: str) -> tuple[int, ...]:
        return self.edge(self.home(player))

    def finish_line(self, player: str) -> tuple[int, ...]:
        return self.edge(OPPOSITE[self.home(player)])

    @property
    def shared(self) -> bool:
        """Do two players start on each line?"""
        return self.players == PLAYERS[self.board][-1]

    def mate(self, player: str) -> str | None:
        """Who shares the player's lines."""
        across = self.letters.index(player) - self.players // 2
        return self.letters[across] if self.shared else None

    def seats(self, side: str) -> tuple[str, ...]:
        """Whose nests stand on the start line of that side, from its low end."""
        owners = [p for p in self.letters if self.home(p) == side]
        return tuple((owners if self.setup == "acac" else owners[::-1]) * self.nests)

    @property
    def material(self) -> Counter[Pyramid]:
        return Counter({Pyramid(c, s): self.nests for c in self.letters for s in SIZES})

    def as_dict(self) -> dict[str, str]:
        """The board is left out if it is the square one: games, tables and puzzles were named before there were two."""
        return {
            **({} if self.board == "square" else {"board": self.board}),
            "players": str(self.players),
            "core": str(self.core),
            "width": str(self.width),
            "nests": str(self.nests),
            "side": self.side,
            "setup": self.setup,
            "partners": "yes" if self.partners else "no",
        }


def read_params(given: Mapping[str, str]) -> Params:
    for name in given:
        check_known("parameter", name, [*Params().as_dict(), "board"])
    board = _chosen(given, "board", tuple(PLAYERS))
    players = int(_chosen(given, "players", PLAYERS[board], _elsewhere(board, PLAYERS)))
    side = _chosen(given, "side", SIDES[board], _elsewhere(board, SIDES))
    setup, partners = _chosen(given, "setup", SETUPS), _chosen(given, "partners", ("no", "yes"))
    core = _number(given, "core", 6, 2, 7)
    if board == "hexagon" and core % 2:
        raise InputError(f"parameter core must be even on the hexagon, found {str(core)!r}")
    width = _number(given, "width", core - 2 or 2, 1, core)
    if (core - width) % 2:
        raise InputError(f"parameter width must be {_parity(core)} like the core of {core}, found {str(width)!r}")
    shared = players == PLAYERS[board][-1]
    room = width // 2 if shared else width
    if not room:
        raise InputError("a line of one square has no room for the nests of two players")
    nests = _number(given, "nests", room, 1, room)
    for name, value, usual in (("setup", setup, "acac"), ("partners", partners, "no")):
        if not shared and value != usual:
            raise InputError(f"parameter {name} is about {_sharing(board)}")
    return Params(board, players, core, width, nests, side, setup, partners == "yes")


def _chosen(given: Mapping[str, str], name: str, known: Sequence[object], note: str = "") -> str:
    values = list(map(str, known))
    try:
        check_known(f"value of parameter {name}", value := given.get(name, values[0]), values)
    except InputError as error:
        raise InputError(f"{error}{note}") from None
    return value


def _elsewhere(board: str, values: Mapping[str, Sequence[object]]) -> str:
    """Which values the other board has."""
    (other,) = values.keys() - {board}
    return f"; {' and '.join(map(str, values[other]))} need board={other}"


def _sharing(board: str) -> str:
    most = PLAYERS[board][-1]
    return f"{'four' if most == 4 else 'six'} players, so it needs players={most}"


def _number(given: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = given.get(name, str(default))
    if text not in map(str, range(low, high + 1)):
        raise InputError(f"parameter {name} wants a whole number from {low} to {high}, found {text!r}")
    return int(text)


def _parity(number: int) -> str:
    return "odd" if number % 2 else "even"


@dataclass(frozen=True)
class Position:
    """`stacks[n]` is the stack on square number n, bottom first; `squares` are the names, for printing only."""

    mover: str
    stacks: tuple[Stack, ...]
    squares: tuple[str, ...] = field(compare=False, repr=False)

    def __str__(self) -> str:
        return notation.print_position(self.mover, list(zip(self.squares, self.stacks, strict=True)))


class Move(NamedTuple):
    """The squares a pyramid stands on in turn, by name: a step, a jump or a chain of jumps; none is a pass."""

    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "-".join(self.path) or "pass"


PASS = Move()


def read_position(params: Params, text: str) -> Position:
    for token in notation.tokens(text)[1:]:
        if ":" in token.text:
            _square(params, Token(token.text.partition(":")[0], token.column))
    line = notation.read_position(text, players=params.letters, colours=params.letters, places=params.squares)
    left = params.material
    for name, stack in line.stacks.items():
        for level, pyramid in enumerate(stack):
            column = line.columns[name] + len(name) + 1 + 2 * level
            left[pyramid] -= 1
            if left[pyramid] < 0:
                raise NotationError(column, f"{pyramid} stands {params.nests + 1} times, this game has {params.nests}")
            if level and stack[level - 1].pips >= pyramid.pips:
                raise NotationError(column, f"{pyramid} cannot stand on {stack[level - 1]}, which is not smaller")
            if owner := _foreign(params, pyramid.colour, params.number[name]):
                raise NotationError(column, f"{pyramid} cannot stand on {name}, a line of {owner}")
    missing = [str(q) for q, count in sorted(left.items()) for _ in range(count)]
    if missing:
        raise NotationError(len(text) + 1, f"the position lacks {', '.join(missing)}")
    return Position(line.mover, tuple(line.stacks.get(name, ()) for name in params.squares), params.squares)


def _foreign(params: Params, player: str, square: int) -> str | None:
    """Who runs across the player's way and has a line there."""
    across = [p for p in params.letters if params.home(p) != params.home(player)]
    return next((p for p in across if square in params.start_line(p) + params.finish_line(p)), None)


def read_move(params: Params, text: str) -> Move:
    if text == "pass":
        return PASS
    (token, *rest) = notation.tokens(text)
    if rest:
        raise NotationError(rest[0].column, f"expected one move, found {notation.quoted(rest[0].text)} after it")
    path, column = [], 1
    for name in token.text.split("-"):
        path.append(_square(params, Token(name, column)))
        column += len(name) + 1
    if len(path) == 1:
        raise NotationError(len(text) + 1, f"expected FROM-TO or pass, found {notation.quoted(text)}")
    return Move(tuple(path))


def _square(params: Params, token: Token) -> str:
    if token.text in params.number:
        return token.text
    cut = token.text in params.grid.with_corners
    where = f"from {params.squares[0]} to {params.squares[-1]}"
    problem = (
        f"{token.text} is a cut corner" if cut else f"expected a square {where}, found {notation.quoted(token.text)}"
    )
    raise NotationError(token.column, problem)


GAME = Game(
    slug="nestrace",
    title="Nest race",
    rulebook_file="specs.nestrace:rulebook.toml",
    engine_name="rulecheck.games.nestrace.engine:Engine",
    spec_name="specs.nestrace.spec:Spec",
    hints_name="rulecheck.games.nestrace.hints:NestRaceHints",
    mutants_file="specs.nestrace:mutants.toml",
    counts_file="specs.nestrace:counts.perft",
    letter_file="specs.nestrace:letter.toml",
    render_name="rulecheck.games.nestrace.drawing:DRAWER",
    params=read_params,
    read_position=read_position,
    read_move=read_move,
)
