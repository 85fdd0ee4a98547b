"""Checks of finished tables. Nothing here solves: the answers come with their evidence.

Bounds on a dice game are exact integers on the scale ONE. For role-node (v, 0) they bound f, for (v, 1) they
bound g; f and g are one reachability game, in which the protagonist moves at role 0.

Upper bounds hold because a vector that is at least its own Bellman image is at least the least fixpoint.
Lower bounds hold because the protagonist's stated choices make `low` a bounded submartingale, and the rank,
which can fall at every turn, ends the play almost surely where the protagonist has won or nothing is claimed;
then the chance of having won is at least `low`. Without the rank a cycle could support its own claim.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.compiled import njit
from solvers.graph import (
    Arena,
    ArenaError,
    Blocks,
    Kind,
    Layer,
    Outcome,
    Pace,
    Progress,
    arena_problems,
    blocks_of,
    require_outcome_block,
    silent,
)

ONE = 1 << 40
MAX_REPORTED = 10

STEP = int(Kind.STEP)
MOVE = int(Kind.MOVE)
CHANCE = int(Kind.CHANCE)
VOID = int(Kind.VOID)
ENDINGS = int(Kind.TIE)  # the kinds up to this one end the game, each with the outcome of the next number
UNSOLVED, WIN, LOSS, TIE, DRAW = (int(o) for o in Outcome)
PREFERENCE = (-1, 3, 0, 2, 1)  # of the player who chooses, by outcome
BLOCK = 1 << 16  # nodes processed together


@dataclass(frozen=True, eq=False)
class Bounds:
    """Two-sided bounds per anchor (in rising index order) and the protagonist's choice per node.

    `choice` is the place of the chosen successor in the node's list, and -1 where there is no choice to make.
    """

    low_f: NDArray[np.int64]
    high_f: NDArray[np.int64]
    low_g: NDArray[np.int64]
    high_g: NDArray[np.int64]
    rank_f: NDArray[np.int32]
    rank_g: NDArray[np.int32]
    choice: NDArray[np.int32]

    @property
    def width(self) -> float:
        """The largest gap between a lower and an upper bound."""
        gaps = (self.high_f - self.low_f, self.high_g - self.low_g)
        return max(int(gap.max(initial=0)) for gap in gaps) / ONE

    def columns(self) -> dict[str, NDArray[Any]]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


# What can be wrong at an anchor's role-node, in the order of the columns that `_audit` fills.
COMPLAINTS = (
    "the upper bound of {name} is below what the successors allow",
    "the lower bound of {name} is more than the stated choices support",
    "the rank of {name} cannot fall",
)


def check_bounds(arena: Arena, table: Bounds) -> list[str]:
    """Everything (up to MAX_REPORTED findings) that keeps the table from being proved; empty: accepted."""
    problems = arena_problems(arena) or _column_problems(arena, table) or _range_problems(arena, table)
    if problems:
        return problems[:MAX_REPORTED]
    anchors = arena.anchors
    inner = np.flatnonzero(~arena.anchor)
    low = _extend(arena, ONE, table.low_f, table.low_g)
    high = _extend(arena, ONE, table.high_f, table.high_g)
    rank = _extend(arena, 0, table.rank_f, table.rank_g)
    rank[low == 0] = 0  # where nothing is claimed, no goal must be reached
    wrong = _audit(arena.kind, arena.first, arena.succ, inner, anchors, table.choice, low, high, rank)
    return [
        f"node {anchors[i]}: " + COMPLAINTS[complaint].format(name="fg"[role])
        for i, role, complaint in np.argwhere(wrong)[:MAX_REPORTED]
    ]


def _column_problems(arena: Arena, table: Bounds) -> list[str]:
    count = int(arena.anchor.sum())
    problems = []
    for name, column in table.columns().items():
        length = len(arena) if name == "choice" else count
        dtype = np.dtype(np.int32 if name in ("choice", "rank_f", "rank_g") else np.int64)
        if not isinstance(column, np.ndarray) or column.dtype != dtype or column.shape != (length,):
            seen = f"{getattr(column, 'dtype', type(column).__name__)}{getattr(column, 'shape', '')}"
            problems.append(f"column {name} is {seen}, not {dtype}({length},)")
    return problems


def _range_problems(arena: Arena, table: Bounds) -> list[str]:
    problems = []
    for low, high, name in ((table.low_f, table.high_f, "f"), (table.low_g, table.high_g, "g")):
        wrong = (low < 0) | (low > high) | (high > ONE)
        if wrong.any():
            problems.append(f"node {arena.anchors[int(wrong.argmax())]}: not 0 <= low <= high <= 2**40 for {name}")
    for rank, name in ((table.rank_f, "f"), (table.rank_g, "g")):
        if (rank < 0).any():
            problems.append(f"node {arena.anchors[int((rank < 0).argmax())]}: the rank of {name} is negative")
    chooses = np.isin(arena.kind, (Kind.STEP, Kind.MOVE))
    wrong = chooses & ((table.choice < 0) | (table.choice >= arena.degree))
    if wrong.any():
        v = int(wrong.argmax())
        problems.append(f"node {v}: choice {table.choice[v]} is not a place in its list of successors")
    return problems


def _extend(arena: Arena, won: int, of_f: NDArray[Any], of_g: NDArray[Any]) -> NDArray[np.int64]:
    """One number per role-node: `won` where the protagonist has won, the table's at anchors, 0 elsewhere."""
    value = np.zeros((len(arena), 2), dtype=np.int64)
    value[arena.kind == Kind.WIN, 0] = won
    value[arena.kind == Kind.LOSS, 1] = won
    value[arena.anchor, 0] = of_f
    value[arena.anchor, 1] = of_g
    return value


@njit(cache=True)
def _image(
    kind: Any, first: Any, succ: Any, choice: Any, low: Any, high: Any, rank: Any, v: int, role: int
) -> tuple[int, int, int]:
    """What the successors of a role-node imply for it: lower bound, upper bound, and the rank to fall to."""
    begin, end = first[v], first[v + 1]
    there = 1 - role if kind[v] == MOVE else role
    s = succ[begin]
    lo, hi, rk = low[s, there], high[s, there], rank[s, there]
    for e in range(begin + 1, end):
        s = succ[e]
        if kind[v] == CHANCE:
            lo += low[s, there]
            hi += high[s, there]
            rk = min(rk, rank[s, there])
        elif role == 0:
            hi = max(hi, high[s, there])
        else:
            lo = min(lo, low[s, there])
            hi = min(hi, high[s, there])
            rk = max(rk, rank[s, there])
    if kind[v] == CHANCE:
        lo = lo // (end - begin)
        hi = -((-hi) // (end - begin))
    elif role == 0:
        s = succ[begin + choice[v]]
        lo, rk = low[s, there], rank[s, there]
    return lo, hi, rk if lo > 0 else 0


@njit(cache=True)
def _audit(
    kind: Any, first: Any, succ: Any, inner: Any, anchors: Any, choice: Any, low: Any, high: Any, rank: Any
) -> Any:
    """Fill in the non-anchors, then check every anchor against its successors."""
    for v in inner:
        if kind[v] >= STEP:
            for role in range(2):
                lo, hi, rk = _image(kind, first, succ, choice, low, high, rank, v, role)
                low[v, role], high[v, role], rank[v, role] = lo, hi, rk
    wrong = np.zeros((len(anchors), 2, 3), dtype=np.bool_)
    for i in range(len(anchors)):
        v = anchors[i]
        for role in range(2):
            lo, hi, rk = _image(kind, first, succ, choice, low, high, rank, v, role)
            wrong[i, role, 0] = hi > high[v, role]
            wrong[i, role, 1] = lo < low[v, role]
            wrong[i, role, 2] = low[v, role] > 0 and rk >= rank[v, role]
    return wrong


def check_outcomes(
    game: Blocks, outcome: NDArray[Any], distance: NDArray[Any], progress: Progress = silent
) -> list[str]:
    """Everything (up to MAX_REPORTED findings) that keeps a table of a game without chance from being true.

    Distances count edges: a win or a tie as short, a loss as long as can be forced; draws have -1. They fall
    along the supporting edges, so no cycle supports itself, and their equations have one solution. What is no
    position is UNSOLVED with distance -1, and no edge may lead there.
    """
    size = len(game)
    texts = _outcome_column_problems(size, outcome, distance)
    pace, pieces = Pace(size), Layer.of(0, 0 if texts else size).pieces(BLOCK)
    for low, block in zip(itertools.count(0, BLOCK), blocks_of(game, pieces), strict=False):
        progress(f"checking, {pace(low)}", low / size)
        high = min(low + BLOCK, size)
        try:
            require_outcome_block(block, low, size)
        except ArenaError as error:
            return [str(error)]
        wanted, reach = _best_by_successors(*block, outcome, distance)
        for i in np.flatnonzero((wanted != outcome[low:high]) | (reach != distance[low:high])):
            said, true = Outcome(int(outcome[low + i])).name, Outcome(int(wanted[i])).name
            texts.append(f"node {low + i}: says {said} in {distance[low + i]}, its successors say {true} in {reach[i]}")
            if len(texts) == MAX_REPORTED:
                return texts
    return texts


def _outcome_column_problems(size: int, outcome: Any, distance: Any) -> list[str]:
    problems = []
    for name, column, dtype in (("outcome", outcome, np.uint8), ("distance", distance, np.int32)):
        if not isinstance(column, np.ndarray) or column.dtype != dtype or column.shape != (size,):
            problems.append(f"column {name} is not {np.dtype(dtype)}({size},)")
    if problems:
        return problems
    if size and outcome.max() > Outcome.DRAW:
        return ["column outcome holds something that is not win, loss, tie or draw"]
    if ((distance < 0) != ((outcome == Outcome.DRAW) | (outcome == Outcome.UNSOLVED))).any() or (distance < -1).any():
        return ["column distance must be -1 at draws and not negative elsewhere"]
    return []


@njit(cache=True)
def _best_by_successors(kind: Any, first: Any, succ: Any, outcome: Any, distance: Any) -> Any:
    """The outcome and distance that the successors' entries imply for each node of a block."""
    wanted = np.empty(len(kind), dtype=np.uint8)
    reach = np.empty(len(kind), dtype=np.int64)
    for v in range(len(kind)):
        if kind[v] <= ENDINGS:
            wanted[v], reach[v] = kind[v] + 1, 0
            continue
        if kind[v] == VOID:
            wanted[v], reach[v] = UNSOLVED, -1
            continue
        best, away = LOSS, -1
        for e in range(first[v], first[v + 1]):
            seen, d = outcome[succ[e]], distance[succ[e]] + 1
            if seen == UNSOLVED:  # an edge into the void: no entry can be right
                best, away = UNSOLVED, -2
                break
            if kind[v] == MOVE and seen in (WIN, LOSS):
                seen = WIN + LOSS - seen
            if PREFERENCE[seen] > PREFERENCE[best]:
                best, away = seen, d
            elif seen == best:
                away = max(away, d) if best == LOSS else min(away, d)
        wanted[v], reach[v] = best, -1 if best == DRAW else away
    return wanted, reach
