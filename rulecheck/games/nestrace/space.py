"""Nest race for two, packed into numbers, with successors by compiled code.

Each player is seen from behind the own start line: row 1 is that line, and the reflection that exchanges the two
players' axes turns one view into the other. A *half* is where one player's pyramids stand in that player's own view;
halves that the rules allow and that have not won are numbered, and a key is the mover's half, then the other's. So
a key needs no table to be unpacked, and with B in the west a position and its mirror image have the same key.
(With B in the east the key also says who moves: `normalised` knows the mirror of the west only.)
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from string import ascii_lowercase
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulecheck.games.nestrace import Params, Position
from rulecheck.games.nestrace import space_moves as c
from rulecheck.model import InputError, Readings
from rulecheck.pyramids import Pyramid
from rulecheck.solve.packed import MOST, Keys, Ranking
from solvers.graph import Block, Layer

SEARCHED = 1 << 23  # up to so many keys the reachable ones are searched; beyond, all are numbered
BATCH = 1 << 16
SIZES = 3

FLAGS = {
    ("null_move", "legal"): c.NULL_MOVE,
    ("finish_order", "every"): c.ORDER_EVERY,
    ("order_transit", "applies"): c.ORDER_TRANSIT,
    ("land_on_other", "ends_any"): c.ENDS_ANY,
    ("land_on_other", "ends_top"): c.ENDS_TOP,
    ("passing", "always"): c.PASS_ALWAYS,
    ("passing", "stuck"): c.PASS_STUCK,
    ("passing", "blocked"): c.PASS_BLOCKED,
    ("passing", "note5"): c.PASS_WAITING,
    ("pat", "off"): c.PAT_OFF,
    ("pat", "no_move"): c.PAT_NO_MOVE,
    ("pat", "note5"): c.PAT_ROW,
    ("horizon", "ever"): c.EVER,
    ("blocker", "any_above"): c.ANY_ABOVE,
    ("self_cover", "not_pat"): c.SELF_COVER,
    ("finished", "breaks"): c.FINISHED_BREAKS,
    ("free", "lift"): c.FREE_LIFT,
    ("cannot_free", "lift"): c.CANNOT_LIFT,
    ("cannot_free", "pass"): c.CANNOT_PASS,
    ("conflict", "s1"): c.DUTY_FIRST,
    ("s2_scope", "cover_victim"): c.S2_VICTIM,
    ("s2_scope", "cover_any"): c.S2_COVER,
    ("s2_whose_pat", "anyone"): c.S2_ANYONE,
    ("s2_cause", "new"): c.S2_NEW,
    ("cover_depth", "top"): c.COVER_TOP,
    ("lift_conflict", "yields"): c.LIFT_YIELDS,
}  # backward, line_transit, opp_lines and back_jump are in the board; the rest needs four players


class Halves(NamedTuple):
    """A half is a set of squares for each size; sets are numbered, and so are halves."""

    sets: NDArray[np.int64]  # [half, k]
    masks: NDArray[np.int64]  # [0 the own view or 1 the other player's, half, k]
    number: NDArray[np.int64]  # of each triple of sets
    moved: NDArray[np.int64]  # [set, q, e] the set after a pyramid went from q to e


# -- The board, from the sheet ---------------------------------------------------------------------------------


class _View:
    """One player's rows and files, and which hops the lines and directions allow; p 1 runs across."""

    def __init__(self, params: Params, readings: Readings, p: int) -> None:
        self.readings, self.last = readings, params.core + 2
        across = [(row, column if params.side == "west" else self.last + 1 - column) for column, row in params.places]
        self.places = across if p else list(params.places)  # (file, row)
        self.outer = (1, self.last)

    def row(self, q: int) -> int:
        return self.places[q][1]

    def foreign(self, q: int) -> bool:
        return self.places[q][0] in self.outer

    def backward(self, q: int, e: int) -> bool:
        straight = self.places[q][0] == self.places[e][0]
        return self.row(e) < self.row(q) and (straight or self.readings["backward"] == "strict")

    def keeps_lines(self, q: int, e: int) -> bool:
        """Not back to the start line, and not off the finish line."""
        return not (self.row(e) == 1 < self.row(q)) and not (self.row(q) == self.last > self.row(e))

    def may_step(self, q: int, e: int) -> bool:
        return not self.backward(q, e) and self.keeps_lines(q, e) and not self.foreign(e)

    def may_jump(self, q: int, e: int) -> bool:
        """As one jump of a chain."""
        if self.backward(q, e) and self.readings["back_jump"] == "never":
            return False
        if self.foreign(e) and self.readings["opp_lines"] == "closed":
            return False
        return self.keeps_lines(q, e) or self.readings["line_transit"] == "final_only"

    def may_end(self, q: int, e: int) -> bool:
        return self.keeps_lines(q, e) and not self.foreign(e)


def _board(params: Params, readings: Readings) -> NDArray[np.int64]:
    squares = range(len(params.places))
    number = {place: q for q, place in enumerate(params.places)}
    board = np.full((2, len(squares), c.COLUMNS), -1, dtype=np.int64)
    for p in (0, 1):
        view = _View(params, readings, p)
        board[p, :, c.FINISH] = _bits(q for q in squares if view.row(q) == view.last)
        board[p, :, c.BRINK] = _bits(q for q in squares if view.row(q) == view.last - 1)
        for q in squares:
            near = [(number.get(mid), number.get(e)) for mid, e in _ways(params.places[q])]
            board[p, q, c.STEPS] = _bits(e for e, _ in near if e is not None and view.may_step(q, e))
            board[p, q, c.ENDS] = _bits(e for e in squares if view.may_end(q, e))
            board[p, q, c.HIGHER] = _bits(e for e in squares if view.row(e) > view.row(q))
            jumps = [(mid, e) for mid, e in near if mid is not None and e is not None and view.may_jump(q, e)]
            for at, (mid, e) in enumerate(jumps, start=c.JUMPS):
                board[p, q, at] = e | mid << c.OVER | view.backward(q, e) << c.BACK
    return board


def _ways(place: tuple[int, int]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The next square and the one behind it, in the eight directions."""
    column, row = place
    steps = [(x, y) for x, y in itertools.product((-1, 0, 1), repeat=2) if x or y]
    return [((column + x, row + y), (column + 2 * x, row + 2 * y)) for x, y in steps]


def _bits(squares: Any) -> int:
    return sum(1 << q for q in squares)


# -- Halves --------------------------------------------------------------------------------------------------


def mirror(params: Params) -> list[int]:
    """Each square's image in the reflection that exchanges the players' axes."""
    last = params.core + 2
    number = {place: q for q, place in enumerate(params.places)}
    if params.side == "west":
        return [number[row, column] for column, row in params.places]
    return [number[last + 1 - row, last + 1 - column] for column, row in params.places]


def _own_squares(params: Params) -> list[int]:
    return [q for q, (column, _) in enumerate(params.places) if 1 < column < params.core + 2]


def require_small(params: Params) -> None:
    """Halves with nothing on the finish line are all allowed, so they show when a game is far too large."""
    free = math.comb(params.core**2 + params.width, params.nests) ** SIZES
    if free**2 >= MOST:
        raise InputError(f"this game has up to {float(free**2):.0e} positions; up to {MOST:,} can be numbered")


def _halves(params: Params, in_order: bool, searched: int) -> tuple[Halves, NDArray[np.int64]]:
    """All halves, and the progress of each, which is the sum of all rows in the own view: they come in its order if
    there are many."""
    squares = len(params.places)
    sets = list(itertools.combinations(_own_squares(params), params.nests))
    number_of = {frozenset(chosen): at for at, chosen in enumerate(sets)}
    moved = np.full((len(sets), squares, squares), c.INVALID, dtype=np.int64)
    for chosen, at in number_of.items():
        for q, e in itertools.product(chosen, range(squares)):
            moved[at, q, e] = number_of.get(chosen - {q} | {e}, c.INVALID)
    bits = np.array([_bits(chosen) for chosen in sets], dtype=np.int64)
    triples = np.stack(np.unravel_index(np.arange(len(sets) ** SIZES), (len(sets),) * SIZES), axis=1)
    masks = bits[triples]
    finish = _bits(params.finish_line("A"))
    small, medium, large = (masks & finish).T
    finished = (masks == masks[:, :1]).all(axis=1) & ((masks & ~finish) == 0).all(axis=1)
    # Landing there in nest order whenever something lands leaves a large one on a medium one on a small one.
    allowed = ~finished & ((large & ~medium == 0) & (medium & ~small == 0) | (not in_order))
    rows = np.array([sum(params.places[q][1] for q in chosen) for chosen in sets], dtype=np.int64)
    progress = rows[triples].sum(axis=1)
    in_row = np.flatnonzero(allowed)
    if len(in_row) ** 2 > searched:  # then all are numbered, and layers lie together
        in_row = in_row[np.argsort(progress[in_row], kind="stable")]
    number = np.full(len(triples), c.INVALID, dtype=np.int64)
    number[finished], number[in_row] = c.FINISHED, np.arange(len(in_row))
    seen = np.array([_bits(map(mirror(params).__getitem__, chosen)) for chosen in sets], dtype=np.int64)
    chosen_sets = np.ascontiguousarray(triples[in_row])
    return Halves(chosen_sets, np.stack([bits[chosen_sets], seen[chosen_sets]]), number, moved), progress[in_row]


class _Numbers:
    """Every key is a number, also those of positions that cannot arise.

    If no pyramid ever goes back a row, numbers with equal progress of both players together make a layer.
    """

    def __init__(self, movers: int, progress: NDArray[np.int64], advancing: bool) -> None:
        self.size = movers * len(progress) ** 2
        self._movers, self._progress = movers, progress
        if advancing:
            self.layers = self._layers

    def rank(self, keys: Keys) -> Keys:
        return keys.copy()

    def unrank(self, numbers: Keys) -> Keys:
        return numbers.astype(np.int64)

    def _layers(self) -> list[Layer]:
        """Those nearest to the end first."""
        least, most = int(self._progress[0]), int(self._progress[-1])
        begins = np.arange(self._movers * len(self._progress), dtype=np.int64) * len(self._progress)
        own = np.tile(self._progress, self._movers)
        layers = []
        for total in range(2 * most, 2 * least - 1, -1):
            low, high = (np.searchsorted(self._progress, total - own, side=side) for side in ("left", "right"))
            some = low < high
            layers.append(Layer.of((begins + low)[some], (begins + high)[some]))
        return [layer for layer in layers if layer.size]


class _Reached:
    """The keys that can arise from the start, in order; the rank of any other is negative."""

    def __init__(self, start: int, span: int, expand: Callable[[Keys], Block]) -> None:
        met = np.zeros(span, dtype=np.uint8)  # 1 met, 2 its successors too
        met[start] = 1
        while len(layer := np.flatnonzero(met == 1)):
            met[layer] = 2
            for at in range(0, len(layer), BATCH):
                succ = expand(layer[at : at + BATCH]).succ
                met[succ[(succ >= 0) & (met[succ] == 0)]] = 1
        self._keys = np.flatnonzero(met)
        self.size = len(self._keys)
        self._number = np.full(span, -1, dtype=np.int32)
        self._number[self._keys] = np.arange(self.size)

    def rank(self, keys: Keys) -> Keys:
        return self._number[keys].astype(np.int64)

    def unrank(self, numbers: Keys) -> Keys:
        return self._keys[numbers]


class NestPacking:
    def __init__(self, params: Params, readings: Readings, searched: int = SEARCHED) -> None:
        self._params, self._mirror = params, mirror(params)
        self.rules = sum(flag for (name, value), flag in FLAGS.items() if readings[name] == value)
        self.board = _board(params, readings)
        self.halves, progress = _halves(params, readings["finish_order"] == "every", searched)
        self.count = len(self.halves.sets)
        self.movers = 1 if params.side == "west" else 2
        span = self.movers * self.count**2
        start = self.key_of(_start(params))
        assert start is not None
        self.start = start
        numbers = _Numbers(self.movers, progress, readings["backward"] == "strict")
        self.ranking: Ranking = numbers if self.count**2 > searched else _Reached(start, span, self.expand)

    def pack(self, position: Position) -> int | None:
        key = self.key_of(position)
        known = key is not None and self.ranking.rank(np.array([key]))[0] >= 0
        return key if known else None

    def key_of(self, position: Position) -> int | None:
        halves = [self._half(position, letter) for letter in "AB"]
        if min(halves) < 0:
            return None
        turn = "AB".index(position.mover)
        side = turn if self.movers == 2 else 0
        return (side * self.count + halves[turn]) * self.count + halves[1 - turn]

    def unpack(self, key: int) -> Position:
        rest, other = divmod(key, self.count)
        turn, own = divmod(rest, self.count)
        stacks: list[list[Pyramid]] = [[] for _ in self._params.squares]
        for k, (letter, half) in itertools.product(range(SIZES), (("AB"[turn], own), ("BA"[turn], other))):
            mask = int(self.halves.masks[0, half, k])
            for q in (q for q in range(len(stacks)) if mask >> q & 1):
                stacks[q if letter == "A" else self._mirror[q]].append(Pyramid(letter, k + 1))
        return Position("AB"[turn], tuple(map(tuple, stacks)), self._params.squares)

    def _half(self, position: Position, letter: str) -> int:
        """The number of a player's half, negative if it is none or has won."""
        masks = [0] * SIZES
        for q, stack in enumerate(position.stacks):
            for pyramid in stack:
                if pyramid.colour == letter:
                    masks[pyramid.pips - 1] |= 1 << (q if letter == "A" else self._mirror[q])
        if not all(mask in self._set_numbers for mask in masks):
            return c.INVALID
        sets = [self._set_numbers[mask] for mask in masks]
        return int(self.halves.number[np.ravel_multi_index(sets, (len(self.halves.moved),) * SIZES)])

    @functools.cached_property
    def _set_numbers(self) -> dict[int, int]:
        sets = itertools.combinations(_own_squares(self._params), self._params.nests)
        return {_bits(chosen): at for at, chosen in enumerate(sets)}

    def placements(self, keys: Keys) -> Keys:
        """Numbers for where everything stands, which do not depend on the readings, as keys do."""
        (rest, other), sets = np.divmod(keys, self.count), len(self.halves.moved)
        (turn, own), codes = np.divmod(rest, self.count), self.halves.sets @ [sets**2, sets, 1]
        placed: Keys = (turn * sets**SIZES + codes[own]) * sets**SIZES + codes[other]
        return placed

    def expand(self, keys: Keys) -> Block:
        kind = np.empty(len(keys), dtype=np.uint8)
        first = np.zeros(len(keys) + 1, dtype=np.int64)
        most = SIZES * self._params.nests * len(self._params.places) + 1
        succ = np.empty(len(keys) * most, dtype=np.int64)  # pages that are not written to take no memory
        told = self.movers == 2
        c.expand(np.asarray(keys), self.board, self.rules, *self.halves, told, kind, first, succ)
        return Block(kind, first, succ[: first[-1]].copy())


@functools.lru_cache(maxsize=4)
def packing(params: Params, readings: Readings) -> NestPacking | None:
    """For two players under every reading; a game that is far too large is refused."""
    if params.players != 2:
        return None
    require_small(params)
    return NestPacking(params, readings)


def _start(params: Params) -> Position:
    stacks: list[tuple[Pyramid, ...]] = [()] * len(params.squares)
    for letter in "AB":
        for q in params.start_line(letter)[: params.nests]:
            stacks[q] = tuple(Pyramid(letter, k + 1) for k in range(SIZES))
    return Position("A", tuple(stacks), params.squares)


def normalised(params: Params, position: Position) -> Position:
    """With two players and B in the west the mirror image exchanges the players: A is always to move."""
    if position.mover != "B" or params.players != 2 or params.side != "west":
        return position
    there = dict(zip(position.squares, position.stacks, strict=True))
    stacks = (there[f"{ascii_lowercase[int(name[1:]) - 1]}{ascii_lowercase.index(name[0]) + 1}"]
              for name in position.squares)  # fmt: skip
    swapped = tuple(tuple(Pyramid("BA"["AB".index(q.colour)], q.pips) for q in stack) for stack in stacks)
    return Position("A", swapped, position.squares)
