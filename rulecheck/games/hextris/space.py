"""Hextris for two players, packed: each position has a 63-bit key, its successors come from `hextris_turns`.

A key has one bit for each point if there is one kind of piece, two bits for two or three kinds, three for up to six;
then the player to move, unless both own the same; then, unless they follow from the board, the hands and the groups.
On 7 points everything up to some 30 pieces of a kind fits; on 19 points all games of one group do, and games of more
groups with few pieces; on 37 points only games with one kind of piece.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulecheck.games.hextris import COLOURS, Params, Position, row_lengths
from rulecheck.games.hextris.space_boards import (
    CHUNK,
    GROUPS,
    HANDS,
    MAPS,
    SEAT,
    STATE,
    Rules,
    decode,
    encode,
    make_least,
)
from rulecheck.games.hextris.space_ranking import ClassRanking
from rulecheck.games.hextris.space_turns import expand
from rulecheck.model import InputError, Readings
from rulecheck.pyramids import Pyramid
from rulecheck.solve.packed import Keys
from solvers.graph import Block

KEY_BITS = 63
STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # the six directions, as places along a row and rows
VALUES = {
    "swap": ("initiator", "symmetric", "mutual", "any_two"),
    "place_group": ("counts", "illegal", "ignored"),
    "gift": ("counts_for_colour", "counts_for_mover", "void"),
}


# -- The board -----------------------------------------------------------------------------------------------


@functools.cache
def spots(radius: int) -> dict[tuple[int, int], int]:
    """Each point by slanted coordinates: x along its row, z its row, both 0 in the middle."""
    places = [
        (x, z)
        for z, length in enumerate(row_lengths(radius), -radius)
        for x in range(max(-radius, -radius - z), max(-radius, -radius - z) + length)
    ]
    return {spot: number for number, spot in enumerate(places)}


@functools.cache
def maps(radius: int) -> tuple[tuple[int, ...], ...]:
    """The six turns of the board and the six reflections: where each point goes; the first map moves nothing."""
    at = spots(radius)
    all_maps = []
    for mirrored in (False, True):
        places = [(z, x) if mirrored else (x, z) for x, z in at]
        for _ in range(6):
            all_maps.append(tuple(at[place] for place in places))
            places = [(-z, x + z) for x, z in places]
    return tuple(all_maps)


def _near(radius: int) -> NDArray[np.int64]:
    at = spots(radius)
    return np.array([sum(1 << at[x + i, z + j] for i, j in STEPS if (x + i, z + j) in at) for x, z in at], np.int64)


def _rays(radius: int) -> NDArray[np.int64]:
    at = spots(radius)
    reach = range(1, 2 * radius + 1)
    rays = [[[at.get((x + i * k, z + j * k), -1) for k in reach] for i, j in STEPS] for x, z in at]
    return np.array(rays, dtype=np.int64)


def _rim(radius: int) -> int:
    return sum(1 << p for (x, z), p in spots(radius).items() if max(abs(x), abs(z), abs(x + z)) == radius)


def _images(radius: int) -> NDArray[np.int64]:
    points = len(spots(radius))
    images = np.zeros((-(-points // CHUNK), 1 << CHUNK, MAPS), dtype=np.int64)
    contents = np.arange(1 << CHUNK)
    for by, goes in enumerate(maps(radius)):
        for p, q in enumerate(goes):
            images[p // CHUNK, :, by] |= (contents >> p % CHUNK & 1) << q
    return images


def make_rules(params: Params, readings: Readings) -> Rules:
    stash = np.array(params.stash, dtype=np.int64).ravel()
    digit = np.where(stash > 0, np.cumsum(stash > 0), 0)
    seats = [[0, 1, 2, 3, 4, 5], [3, 4, 5, 0, 1, 2]]
    chosen = {name: values.index(readings[name]) for name, values in VALUES.items()}
    return Rules(
        points=len(params.points),
        bits=int(digit.max()).bit_length(),
        near=_near(params.radius),
        rays=_rays(params.radius),
        images=_images(params.radius),
        rim=_rim(params.radius),
        stash=stash[seats],
        digit=digit[seats],
        # One group made ends the game, unless it is an opponent's that counts for nobody.
        implied=params.groups == 1 and readings["gift"] != "void",
        alike=params.stash[0] == params.stash[1],
        group=params.group,
        groups=params.groups,
        win_overflow=readings["win_overflow"] == "allowed",
        displacement=readings["allowed_move"] == "displacement",
        transit=readings["overflow_test"] == "transit",
        **chosen,
    )


def key_bits(rules: Rules) -> int:
    hands = 1 if rules.implied else math.prod(int(number) + 1 for number in rules.stash[0])
    rest = hands * rules.groups**2 * (1 if rules.alike else 2)
    return rules.bits * rules.points + (rest - 1).bit_length()


# -- Packing -------------------------------------------------------------------------------------------------


class HextrisPacking:
    """A `rulecheck.solve.packed.Packing`. Boards of 19 points and more with one group to make are ranked."""

    def __init__(self, params: Params, readings: Readings) -> None:
        self._params = params
        self.rules = make_rules(params, readings)
        needed = key_bits(self.rules)
        if needed > KEY_BITS:
            raise InputError(
                f"this game is too large to be solved: a position takes {needed} bits, and {KEY_BITS} are there"
            )
        self.ranking = ClassRanking(self.rules) if self.rules.implied and params.radius > 1 else None
        empty = Position(COLOURS[0], (None,) * len(params.points), params.stash, (0, 0), params)
        start = self.pack(empty)
        assert start is not None
        self.start = start

    def expand(self, keys: Keys) -> Block:
        return Block(*expand(np.ascontiguousarray(keys, dtype=np.int64), self.rules, None, None))

    def expand_numbers(self, numbers: Keys) -> Block:
        assert self.ranking is not None
        return Block(*expand(numbers, self.rules, self.ranking.numbering, self.ranking.listing))

    def pack(self, position: Position) -> int | None:
        """The key of the least among the positions that are alike."""
        if position.params != self._params or max(position.groups) >= self._params.groups:
            return None
        state = self._state(position)
        if self.rules.implied and (state[HANDS:GROUPS] != self.rules.stash[state[SEAT]] - _counts(state[:HANDS])).any():
            return None
        make_least(state, self.rules.images)
        return int(encode(state, self.rules))

    def _state(self, position: Position) -> NDArray[np.int64]:
        players = COLOURS[:2] if position.mover == COLOURS[0] else COLOURS[1::-1]
        state = np.zeros(STATE, dtype=np.int64)
        for p, piece in enumerate(position.points):
            if piece is not None:
                state[3 * players.index(piece.colour) + piece.pips - 1] |= 1 << p
        for at, colour in enumerate(players):
            state[HANDS + 3 * at : HANDS + 3 * at + 3] = position.hands[COLOURS.index(colour)]
            state[GROUPS + at] = position.formed(colour)
        state[SEAT] = 0 if self.rules.alike else COLOURS.index(position.mover)
        return state

    def unpack(self, key: int) -> Position:
        state = np.empty(STATE, dtype=np.int64)
        decode(key, self.rules, state)
        points: list[Pyramid | None] = [None] * len(self._params.points)
        for kind in range(HANDS):
            for p in self._params.points:
                if int(state[kind]) >> p & 1:
                    points[p] = Pyramid(COLOURS[kind // 3], kind % 3 + 1)
        hands = [int(number) for number in state[HANDS:GROUPS]]
        triples = ((hands[0], hands[1], hands[2]), (hands[3], hands[4], hands[5]))
        groups = (int(state[GROUPS]), int(state[GROUPS + 1]))
        position = Position(COLOURS[0], tuple(points), triples, groups, self._params)
        return position if state[SEAT] == 0 else swapped(position)


def _counts(boards: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.array([int(board).bit_count() for board in boards], dtype=np.int64)


@functools.lru_cache(maxsize=4)
def packing(params: Params, readings: Readings) -> HextrisPacking | None:
    """None if the game is not for two."""
    return HextrisPacking(params, readings) if params.players == 2 else None


# -- Positions that are alike --------------------------------------------------------------------------------


def normalised(params: Params, position: Position) -> Position:
    """The first in writing of all that a map of the board makes of it, by A to move if both players own the same.

    It is written without the tables above, so that it can be compared with them.
    """
    if params.players == 2 and params.stash[0] == params.stash[1] and position.mover == "B":
        position = swapped(position)
    return min((moved(position, goes) for goes in maps(params.radius)), key=lambda p: _order(p.points))


def swapped(position: Position) -> Position:
    """The same with the colours of two players changed for each other."""
    other = {"A": "B", "B": "A"}
    return replace(
        position,
        mover=other[position.mover],
        points=tuple(piece and Pyramid(other[piece.colour], piece.pips) for piece in position.points),
        hands=position.hands[::-1],
        groups=position.groups[::-1],
    )


def moved(position: Position, goes: Sequence[int]) -> Position:
    points: list[Pyramid | None] = [None] * len(goes)
    for p, q in enumerate(goes):
        points[q] = position.points[p]
    return replace(position, points=tuple(points))


def _order(points: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(piece or ("", 0) for piece in points)
