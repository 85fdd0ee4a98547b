"""Nest race: properties of all play in a small game, and of the board alone.

The positions in play come from the compiled game, each seen by the player to move (who is called A). Where bit
masks suffice, the check covers all of them; where the engine must judge, it judges a sample spread evenly over them (or
over those that can matter), and the answer says so. A sample proves nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from itertools import combinations, product
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from rulecheck.games.nestrace import SIZES, Params, Position
from rulecheck.games.nestrace.engine import Engine
from rulecheck.games.nestrace.engine_moves import Lifted
from rulecheck.games.nestrace.space import normalised, packing
from rulecheck.model import InputError, Readings
from rulecheck.pyramids import LARGE, Pyramid, Stack
from rulecheck.solve.packed import Packing, reachable

SAMPLE, PATS = 150, 1_200  # positions that the engine judges: for a property of moves, for a pat
Checked = tuple[bool, str]
Bits = NDArray[np.int64]


class Play(NamedTuple):
    """All positions in play that are not over: keys, and for each size the squares of the mover and of the other
    (each in that player's own view); then all moves, as numbers of positions before and after."""

    keys: Bits
    own: Bits  # [position, size]
    other: Bits
    before: Bits
    after: Bits  # negative: the game is over
    unpack: Callable[[int], Position]


@functools.lru_cache(maxsize=40)
def play(params: Params, readings: Readings) -> Play:
    game = packing(params, readings)
    if game is None:
        raise InputError("all play is looked at for two players only")
    keys = reachable(cast(Packing, game))
    block = game.expand(keys)
    rest, other = np.divmod(keys, game.count)
    masks = game.halves.masks[0]
    before = np.repeat(np.arange(len(keys)), np.diff(block.first))
    after = np.where(block.succ < 0, -1, np.searchsorted(keys, block.succ))
    return Play(keys, masks[rest % game.count], masks[other], before, after, game.unpack)


def sampled(engine: Engine, among: NDArray[np.bool_] | None = None, most: int = SAMPLE) -> tuple[list[Position], int]:
    """At most `most` positions in play (or among some of them), evenly spread; and their total number."""
    all_play = play(engine.params, engine.readings)
    keys = all_play.keys if among is None else all_play.keys[among]
    return [all_play.unpack(int(keys[n])) for n in _spread(len(keys), most)], len(keys)


def _spread(count: int, most: int) -> Bits:
    """At most `most` numbers below the count, evenly spread."""
    return np.unique(np.linspace(0, count - 1, min(most, count)).astype(np.int64))


def _bits(squares: Iterable[int]) -> int:
    return sum(1 << n for n in squares)


def _late(engine: Engine) -> int:
    """The squares on A's last two rows."""
    return _bits(engine.brinks["A"] | engine.finishes["A"])


# -- Of the board alone ---------------------------------------------------------------------------------------


def only_steps_from_row_7(engine: Engine) -> Checked:
    """A jump changes the row by two or not at all, so no chain leads from one row to the next."""
    for p in engine.players:
        for a, b in engine.jumps:
            if abs(engine.rows[p][a] - engine.rows[p][b]) not in (0, 2):
                return False, f"a jump of {p}'s leads from row {engine.rows[p][a]} to row {engine.rows[p][b]}"
    return True, f"all {len(engine.jumps)} jumps of the board change the row by two or not at all"


def origin_never_jumped(engine: Engine) -> Checked:
    """Squares touched differ from the origin by even numbers, in file and row; a square jumped over does not."""
    places = engine.params.places
    for (a, b), middle in engine.jumps.items():
        (x, y), (u, v), (s, t) = places[a], places[b], places[middle]
        if (x - u) % 2 or (y - v) % 2 or not ((x - s) % 2 or (y - t) % 2):
            return False, f"the jump {engine.named((a, b))} does not"
    return True, f"all {len(engine.jumps)} jumps of the board touch down at even distances and pass odd ones"


def lines_stay_unmixed(engine: Engine) -> Checked:
    """Nests are of one colour at the start, and no move ends on a line so that a stack there has two.

    Where the move began matters to the order on the finish line alone, which binds least who comes along that line.
    """
    looked, squares = 0, engine.params.squares
    for line in map(engine.params.edge, engine.params.grid.sides):
        sharing = [c for c in engine.players if line[0] in engine.starts[c] | engine.finishes[c]]
        for t, p, stack in product(line, engine.players, [(), *_of_one_colour(sharing)]):
            stacks = tuple(stack if n == t else () for n in range(len(squares)))
            mixes = p not in sharing or any(q.colour != p for q in stack)
            for moved in (q for q in engine.nests[p] if mixes and (not stack or stack[-1].pips < q.pips)):
                looked += 1
                if engine.judge_end(Lifted(moved, next(n for n in line if n != t), stacks), t, False).legal:
                    return False, f"{moved} may end on {squares[t]}, on {''.join(map(str, stack)) or 'nothing'}"
    return (
        True,
        f"each of {looked} ways to put a pyramid on a line where another colour is, or has its line, is refused",
    )


def _of_one_colour(players: list[str]) -> list[Stack]:
    chosen = [sizes for count in (1, 2) for sizes in combinations(SIZES, count)]
    return [tuple(Pyramid(c, z) for z in sizes) for c in players for sizes in chosen]


# -- Of all positions in play, by their bits ------------------------------------------------------------------


def rows_never_fall(engine: Engine) -> Checked:
    """In every move in play; a move that wins takes its pyramid to the last row anyway."""
    now = play(engine.params, engine.readings)
    sums = [_weights(engine, half).sum(axis=1) for half in (now.own, now.other)]
    going_on = now.after >= 0
    falls = np.flatnonzero(sums[0][now.before[going_on]] > sums[1][now.after[going_on]])
    if len(falls):
        return False, f"a move of {now.unpack(int(now.keys[now.before[going_on][falls[0]]]))} takes the sum down"
    return True, f"in none of {len(now.before):,} moves in {len(now.keys):,} positions, all that are in play"


def _weights(engine: Engine, squares: Bits) -> Bits:
    """The sum of the rows of a set of squares, for each set."""
    sums = np.zeros_like(squares)
    for n, row in enumerate(engine.rows["A"]):
        sums += (squares >> n & 1) * row
    return sums


def free_large_off_finish(engine: Engine) -> Checked:
    """A large pyramid is always uncovered, so it is enough that one is off the finish line."""
    now, finish = play(engine.params, engine.readings), _bits(engine.finishes["A"])
    without = np.flatnonzero((now.own[:, 2] & ~finish == 0) | (now.other[:, 2] & ~finish == 0))
    if len(without):
        return False, f"all large ones of a player are home in {now.unpack(int(now.keys[without[0]]))}"
    return True, f"so it is in all {len(now.keys):,} positions in play"


# -- Of a sample, by the engine -------------------------------------------------------------------------------


def _results(engine: Engine, among: NDArray[np.bool_] | None = None) -> tuple[list[tuple[Position, Position]], str]:
    positions, size = sampled(engine, among)
    moves = [(position, result) for position in positions for result in engine.moves(position).values()]
    return moves, f"in {len(moves)} moves of {len(positions)} positions, a sample of {size:,} in play (no proof)"


def stacks_increase(engine: Engine) -> Checked:
    moves, seen = _results(engine)
    for _, result in moves:
        for stack in result.stacks:
            if len({q.pips for q in stack}) < len(stack) or list(stack) != sorted(stack, key=lambda q: q.pips):
                return False, f"a stack does not grow in {result}"
    return True, f"stacks grow {seen}"


def large_uncovered(engine: Engine) -> Checked:
    moves, seen = _results(engine)
    for _, result in moves:
        if any(q.pips == LARGE for stack in result.stacks for q in stack[:-1]):
            return False, f"a large pyramid is covered in {result}"
    return True, f"no large pyramid is covered {seen}"


def finish_stacks(engine: Engine) -> Checked:
    """Covers positions in which the mover has a medium or large pyramid on one of the last two rows."""
    now, near = play(engine.params, engine.readings), _late(engine)
    moves, seen = _results(engine, (now.own[:, 1] | now.own[:, 2]) & near != 0)
    for _, result in moves:
        for p in engine.players:
            if any(result.stacks[n] != engine.nests[p][: len(result.stacks[n])] for n in engine.finishes[p]):
                return False, f"no beginning of a nest on the finish line of {p} in {result}"
    return True, f"finish lines have beginnings of nests only {seen}"


def blocked_from_ahead(engine: Engine) -> Checked:
    """Each uncovered pyramid short of row core + 1 has an advancing move, or its player's next row is taken there."""
    positions, size = sampled(engine)
    looked = 0
    for position in positions:
        for square, stack in enumerate(position.stacks):
            if not stack or engine.rows[stack[-1].colour][square] > engine.params.core:
                continue
            looked += 1
            p = stack[-1].colour
            ends = engine.ends(Lifted(stack[-1], square, position.stacks)).values()
            if not any(engine.advances(p, path) for path in ends) and not position.stacks[_ahead(engine, p, square)]:
                return False, f"{stack[-1]} on {engine.params.squares[square]} in {position}"
    return True, f"so it is with {looked} pyramids of {len(positions)} positions, a sample of {size:,} (no proof)"


def _ahead(engine: Engine, p: str, square: int) -> int:
    """The square straight ahead: of three on the next row the middle one."""
    nexts = [n for a, n in engine.steps if a == square and engine.rows[p][n] == engine.rows[p][square] + 1]
    axis = 0 if p in "AC" else 1
    return next(n for n in nexts if engine.params.places[n][axis] == engine.params.places[square][axis])


# -- How a pat comes about ------------------------------------------------------------------------------------


def _likely(engine: Engine, now: Play) -> NDArray[np.bool_]:
    """The mover has a pyramid under one of the other player's; by the note also none uncovered short of row 7."""
    (small, medium, large), theirs = now.own.T, _mirrored(engine, now.other).T
    above_medium = large | theirs[2]
    above_small = above_medium | medium | theirs[1]
    likely: NDArray[np.bool_] = (small & (theirs[1] | theirs[2]) | medium & theirs[2]) != 0
    if engine.readings["pat"] != "note5":
        return likely
    uncovered = large | medium & ~above_medium | small & ~above_small
    early: NDArray[np.bool_] = uncovered & ~_late(engine) != 0
    likely &= ~early
    return likely


def _mirrored(engine: Engine, squares: Bits) -> Bits:
    """The other player's squares as the mover sees them: file and row change places."""
    places = engine.params.places
    there = [places.index((y, x)) for x, y in places]
    mirrored = np.zeros_like(squares)
    for n, m in enumerate(there):
        mirrored |= (squares >> n & 1) << m
    return mirrored


class Pats(NamedTuple):
    """Moves in play after which the player then to move is in pat: the positions before and after them."""

    moves: list[tuple[Position, Position]]
    seen: str


@functools.lru_cache(maxsize=40)
def _into_pats(params: Params, readings: Readings) -> Pats:
    engine, now = Engine(params, readings), play(params, readings)
    numbers = np.flatnonzero(_likely(engine, now))
    asked = numbers[_spread(len(numbers), PATS)]
    likely = {int(n): now.unpack(int(now.keys[n])) for n in asked}
    pats = {n: position for n, position in likely.items() if engine.in_pat(position, position.mover)}
    moves, ends = [], set(pats.values())
    for n in np.unique(now.before[np.isin(now.after, list(pats))]):
        before = now.unpack(int(now.keys[n]))
        moves += [(before, result) for result in engine.moves(before).values() if normalised(params, result) in ends]
    which = (
        f"all {len(pats)} pats in play" if len(asked) == len(numbers) else f"{len(pats)} pats of a sample (no proof)"
    )
    return Pats(moves, f"so it is with {len(moves)} moves that lead to {which}")


def pats_are_self_made(engine: Engine) -> Checked:
    """A player in pat after another player's move was in pat before it."""
    moves, seen = _into_pats(engine.params, engine.readings)
    for before, after in moves:
        if not engine.in_pat(before, after.mover):
            return False, f"{before.mover} brings about a pat of {after.mover}: from {before} to {after}"
    return True, seen


def pat_on_own_turn(engine: Engine) -> Checked:
    """Before, the other player had no legal move that frees, or the move made did free."""
    moves, seen = _into_pats(engine.params, engine.readings)
    for before, after in moves:
        legal = engine.options(before).paths
        frees = [path for path in engine.freeing(before, after.mover) if path in legal]
        if frees and all(engine.after(before, path) != after for path in frees):
            return False, f"{before.mover} could free, but play went on from {before} to {after}"
    return True, seen


PROPERTIES: dict[str, Callable[[Engine], Checked]] = {
    check.__name__: check
    for check in (
        only_steps_from_row_7, origin_never_jumped, lines_stay_unmixed, rows_never_fall, free_large_off_finish,
        stacks_increase, large_uncovered, finish_stacks, blocked_from_ahead, pats_are_self_made, pat_on_own_turn,
    )
}  # fmt: skip
