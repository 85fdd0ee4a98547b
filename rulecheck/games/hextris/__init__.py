"""Hextris: points, positions, moves and parameters; no rules.

The board is a hexagon of points. Its rows are lettered from the top and its points numbered from the left, so
with radius 2 they are a1..a3, b1..b4, c1..c5, d1..d4, e1..e3; inside the program points are counted in that
order from 0. Players are A, B and C, in the order of their turns.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulecheck import notation
from rulecheck.model import InputError
from rulecheck.notation import Line, NotationError, Token, quoted
from rulecheck.pyramids import LARGE, SIZE_NAMES, SMALL, Pyramid
from rulecheck.registry import Game
from rulecheck.rulebook import check_known

COLOURS = ("A", "B", "C")
SIZES = range(SMALL, LARGE + 1)
Triple = tuple[int, int, int]  # how many small, medium and large pieces


def row_lengths(radius: int) -> list[int]:
    """How many points each row has, from the top."""
    return [2 * radius + 1 - abs(row - radius) for row in range(2 * radius + 1)]


@functools.cache
def point_names(radius: int) -> tuple[str, ...]:
    return tuple(f"{'abcdefg'[row]}{n}" for row, length in enumerate(row_lengths(radius)) for n in range(1, length + 1))


@functools.cache
def spots(radius: int) -> tuple[tuple[int, int], ...]:
    """Where the points lie on paper: half steps to the right and rows down."""
    rows = enumerate(row_lengths(radius))
    return tuple((2 * radius + 1 - length + 2 * at, row) for row, length in rows for at in range(length))


@dataclass(frozen=True)
class Params:
    """`stash[i]` is what player i owns; `group` pieces make a group, and `groups` of those win."""

    players: int = 2
    radius: int = 2
    group: int = 5
    groups: int = 3
    stash: tuple[Triple, ...] = ((5, 5, 5), (5, 5, 5))

    @property
    def colours(self) -> tuple[str, ...]:
        return COLOURS[: self.players]

    @property
    def names(self) -> tuple[str, ...]:
        return point_names(self.radius)

    @property
    def points(self) -> range:
        return range(len(self.names))

    def pieces(self, colour: str) -> Triple:
        return self.stash[COLOURS.index(colour)]

    def as_dict(self) -> dict[str, str]:
        triples = [",".join(map(str, t)) for t in self.stash]
        return {
            "players": str(self.players),
            "radius": str(self.radius),
            "group": str(self.group),
            "groups": str(self.groups),
            "pieces": triples[0] if len(set(triples)) == 1 else "/".join(triples),
        }


def read_params(given: Mapping[str, str]) -> Params:
    for name in given:
        check_known("parameter", name, Params().as_dict())
    players = _number(given, "players", 2, 2, 3)
    params = Params(
        players,
        _number(given, "radius", 2, 1, 3),
        _number(given, "group", 5, 2, 9),
        _number(given, "groups", 3, 1, 9),
        _stash(given.get("pieces", "5,5,5"), players),
    )
    if params.group > len(params.points):
        raise InputError(f"a group of {params.group} does not fit on a board of {len(params.points)} points")
    needed = params.group * params.groups
    if max(map(sum, params.stash)) < needed:
        raise InputError(f"nobody can win: {params.groups} groups of {params.group} take {needed} pieces of a player")
    return params


def _number(given: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = given.get(name, str(default))
    if not re.fullmatch("[0-9]", text) or not low <= int(text) <= high:
        raise InputError(f"parameter {name} wants a whole number from {low} to {high}, found {quoted(text)}")
    return int(text)


def _stash(text: str, players: int) -> tuple[Triple, ...]:
    """One triple for everybody, or one for each player."""
    triples = text.split("/")
    if len(triples) not in (1, players) or not all(re.fullmatch("[0-9]{1,2}(,[0-9]{1,2}){2}", t) for t in triples):
        raise InputError(
            f"parameter pieces wants the numbers of small, medium and large pieces as in 5,5,5, or {players} such "
            f"triples separated by '/', found {quoted(text)}"
        )
    stashes = tuple(_triple(t) for t in triples)
    return stashes * players if len(stashes) == 1 else stashes


def _triple(text: str) -> Triple:
    small, medium, large = map(int, text.split(","))
    return small, medium, large


@dataclass(frozen=True)
class Position:
    """`points[p]` is the piece on point p or None; `hands` and `groups` have one entry for each player.

    Rules read a position through `empty`, `owns`, `pips`, `in_hand` and `formed`, one small fact at a time, so
    that a proof can substitute a position that decides each fact only on demand.
    """

    mover: str
    points: tuple[Pyramid | None, ...]
    hands: tuple[Triple, ...]
    groups: tuple[int, ...]
    params: Params = field(compare=False, repr=False)

    def empty(self, point: int) -> bool:
        return self.points[point] is None

    def owns(self, colour: str, point: int) -> bool:
        """Does a piece of this colour stand there?"""
        piece = self.points[point]
        return piece is not None and piece.colour == colour

    def pips(self, point: int) -> int:
        """The size of the piece there; asked only of a point that is not empty."""
        piece = self.points[point]
        if piece is None:
            raise ValueError(f"no piece stands on {self.params.names[point]}")
        return piece.pips

    def in_hand(self, colour: str, pips: int) -> int:
        return self.hands[COLOURS.index(colour)][pips - 1]

    def formed(self, colour: str) -> int:
        """How many groups have been counted for this player."""
        return self.groups[COLOURS.index(colour)]

    def __str__(self) -> str:
        stacks = [(name, (piece,) if piece else ()) for name, piece in zip(self.params.names, self.points, strict=True)]
        if not any(self.groups) and self.hands == _not_on_board(self.params, self.points):
            return notation.print_position(self.mover, stacks)
        hands = "/".join(",".join(map(str, hand)) for hand in self.hands)
        groups = "/".join(map(str, self.groups))
        return notation.print_position(self.mover, stacks, [("hands", hands), ("groups", groups)])


def _not_on_board(params: Params, points: Sequence[Pyramid | None]) -> tuple[Triple, ...]:
    """For each player what is left of the stash; below zero where the board has too many."""
    standing = Counter(points)
    return tuple(
        (s - standing[Pyramid(c, 1)], m - standing[Pyramid(c, 2)], n - standing[Pyramid(c, 3)])
        for c, (s, m, n) in zip(params.colours, params.stash, strict=True)
    )


# -- Moves --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Slide:
    source: int
    target: int
    radius: int

    def __str__(self) -> str:
        names = point_names(self.radius)
        return f"{names[self.source]}-{names[self.target]}"


@dataclass(frozen=True)
class Exchange:
    """The piece that is moved stands on the source."""

    source: int
    target: int
    radius: int

    def __str__(self) -> str:
        names = point_names(self.radius)
        return f"{names[self.source]}x{names[self.target]}"


@dataclass(frozen=True)
class Placement:
    piece: Pyramid
    target: int
    radius: int

    def __str__(self) -> str:
        return f"{self.piece}@{point_names(self.radius)[self.target]}"


@dataclass(frozen=True)
class Pass:
    def __str__(self) -> str:
        return "pass"


Move = Slide | Exchange | Placement | Pass
PASS = Pass()


def read_move(params: Params, text: str) -> Move:
    first, *more = notation.tokens(text)
    if more:
        raise NotationError(more[0].column, f"expected the end of the move, found {quoted(more[0].text)}")
    if text == "pass":
        return PASS
    if "@" in text:
        return _read_placement(params, first)
    source, separator, target = notation.read_pair(first, "-x", lambda token: _read_point(params, token))
    return (Slide if separator == "-" else Exchange)(source, target, params.radius)


def _read_placement(params: Params, token: Token) -> Placement:
    piece, _, _ = token.text.partition("@")
    stack = notation.read_stack(Token(piece, token.column), 0, params.colours)
    if len(stack) > 1:
        raise NotationError(token.column + 2, f"expected '@' after one piece, found {quoted(token.text[2:])}")
    target = _read_point(params, Token(token.text[len(piece) + 1 :], token.column + len(piece) + 1))
    return Placement(stack[0], target, params.radius)


def _read_point(params: Params, token: Token) -> int:
    if token.text not in params.names:
        last = params.names[-1]
        raise NotationError(token.column, f"expected a point from a1 to {last}, found {quoted(token.text)}")
    return params.names.index(token.text)


# -- Reading a position -------------------------------------------------------------------------------------


def read_position(params: Params, text: str) -> Position:
    line = notation.read_position(
        text, players=params.colours, colours=params.colours, places=params.names, keys=("hands", "groups")
    )
    points = _read_points(params, line)
    left = _not_on_board(params, points)
    hands, groups = _read_keys(params, line, left, len(text) + 1)
    if max(groups) < params.groups:
        _check_group_sizes(params, line, points)
    return Position(line.mover, points, hands, groups, params)


def _read_points(params: Params, line: Line) -> tuple[Pyramid | None, ...]:
    """One piece on a point, and no more of a kind than its owner has."""
    standing: Counter[Pyramid] = Counter()
    for name, stack in line.stacks.items():
        column = line.columns[name] + len(name) + 1
        if len(stack) > 1:
            raise NotationError(column + 2, f"a point holds one piece, found {len(stack)} on {name}")
        standing[stack[0]] += 1
        owned = params.pieces(stack[0].colour)[stack[0].pips - 1]
        if standing[stack[0]] > owned:
            raise NotationError(column, f"{stack[0]} stands {owned + 1} times, but {stack[0].colour} has {owned}")
    return tuple(line.stacks[name][0] if name in line.stacks else None for name in params.names)


def _read_keys(
    params: Params, line: Line, left: tuple[Triple, ...], end: int
) -> tuple[tuple[Triple, ...], tuple[int, ...]]:
    """The hands and the groups formed; without them nothing has left the board and no group has been formed."""
    if not line.keys:
        return left, (0,) * params.players
    if len(line.keys) == 1:
        missing = "groups" if "hands" in line.keys else "hands"
        raise NotationError(end, f"hands= and groups= stand together, {missing}= is missing")
    hands = _read_hands(params, line.keys["hands"], left)
    groups = _read_groups(params, line.keys["groups"])
    if hands == left and not any(groups):
        column = line.keys["hands"].column - len("hands=")
        raise NotationError(column, "hands= and groups= are left out while nothing has left the board")
    gone = [sum(rest) - sum(hand) for rest, hand in zip(left, hands, strict=True)]
    _check_gone(params, line.keys["hands"], gone, groups)
    return hands, groups


def _read_hands(params: Params, token: Token, left: tuple[Triple, ...]) -> tuple[Triple, ...]:
    texts = token.text.split("/")
    if len(texts) != params.players or not all(re.fullmatch("[0-9]{1,2}(,[0-9]{1,2}){2}", t) for t in texts):
        wanted = "/".join(["S,M,L"] * params.players)
        raise NotationError(token.column, f"expected the hands as {wanted} in numbers, found {quoted(token.text)}")
    hands = tuple(_triple(t) for t in texts)
    for colour, hand, rest in zip(params.colours, hands, left, strict=True):
        for pips, held, most in zip(SIZES, hand, rest, strict=True):
            if held > most:
                size = SIZE_NAMES[pips]
                problem = f"{colour} cannot hold {held} {size} pieces: {most} of them are not on the board"
                raise NotationError(token.column, problem)
    if "/".join(",".join(map(str, hand)) for hand in hands) != token.text:
        raise NotationError(token.column, f"expected numbers without leading zeros, found {quoted(token.text)}")
    return hands


def _read_groups(params: Params, token: Token) -> tuple[int, ...]:
    texts = token.text.split("/")
    if len(texts) != params.players:
        raise NotationError(token.column, f"expected {params.players} numbers of groups, found {quoted(token.text)}")
    groups, column = [], token.column
    for text in texts:
        groups.append(notation.read_number(Token(text, column), 0, params.groups, "a number of groups"))
        column += len(text) + 1
    return tuple(groups)


def _check_gone(params: Params, token: Token, gone: Sequence[int], groups: Sequence[int]) -> None:
    """Pieces leave the board by whole groups, and each group formed has left it, save those that ended the game.

    A group may be counted for another player than its owner, or for nobody, because some readings do so.
    """
    for colour, count in zip(params.colours, gone, strict=True):
        if count % params.group:
            raise NotationError(
                token.column,
                f"the pieces of {colour} do not add up: {count} are neither on the board nor in hand, "
                f"and they leave by groups of {params.group}",
            )
    removed = [count // params.group for count in gone]
    kept = 2 if max(groups) == params.groups else 0  # the last turn makes two groups at most
    if sum(removed) == sum(groups) or all(r >= g for r, g in zip(removed, groups, strict=True)):
        return
    if sum(removed) + kept < sum(groups) or not kept:
        raise NotationError(
            token.column,
            f"the groups do not add up: {sum(groups)} have been formed, and the pieces gone make {sum(removed)}",
        )


def _check_group_sizes(params: Params, line: Line, points: Sequence[Pyramid | None]) -> None:
    """While the game goes on nothing larger than a group can stand; a whole group can, under one reading."""
    standing = {spot: piece.colour for spot, piece in zip(spots(params.radius), points, strict=True) if piece}
    for name, spot in zip(params.names, spots(params.radius), strict=True):
        if spot in standing and (size := _connected(standing, spot)) > params.group:
            raise NotationError(
                line.columns[name],
                f"the piece on {name} belongs to a group of {size}, and no group may be larger than {params.group}",
            )


def _connected(standing: Mapping[tuple[int, int], str], first: tuple[int, int]) -> int:
    """How many pieces of its colour hang together with the piece on this spot."""
    seen = [first]
    for x, y in seen:
        for near in ((x - 2, y), (x + 2, y), (x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)):
            if near not in seen and standing.get(near) == standing[first]:
                seen.append(near)
    return len(seen)


GAME = Game(
    slug="hextris",
    title="Hextris",
    rulebook_file="specs.hextris:rulebook.toml",
    engine_name="rulecheck.games.hextris.engine:Engine",
    spec_name="specs.hextris.spec:Spec",
    hints_name="rulecheck.games.hextris.hints:HextrisHints",
    mutants_file="specs.hextris:mutants.toml",
    counts_file="specs.hextris:counts.perft",
    letter_file="specs.hextris:letter.toml",
    render_name="rulecheck.games.hextris.drawing:DRAWER",
    params=read_params,
    read_position=read_position,
    read_move=read_move,
)
