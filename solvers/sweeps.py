"""The hot loops: single passes over an arena, compiled.

Arrays over role-nodes have shape (n, 2); the second index is the role. `order` lists the non-anchors in
index order and then the anchors, `inner` is the number of non-anchors in it, and `plan[v, role]` is the
place of the chosen successor in v's list: the protagonist's at role 0, the opponent's at role 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.compiled import njit
from solvers.graph import Arena, Kind

# Compiled code treats module globals as constants, but not members of an IntEnum.
MOVE = int(Kind.MOVE)
CHANCE = int(Kind.CHANCE)
UNRANKED = np.int32(2**31 - 1)

Roles = NDArray[Any]


def visiting_order(arena: Arena) -> tuple[NDArray[np.int64], int]:
    inner = np.flatnonzero(~arena.anchor).astype(np.int64)
    return np.concatenate([inner, arena.anchors]), len(inner)


def terminal_values(arena: Arena, one: float | int, dtype: Any) -> Roles:
    """Initial values of the role-nodes: `one` where the protagonist has won, 0 elsewhere."""
    value = np.zeros((len(arena), 2), dtype=dtype)
    value[arena.kind == Kind.WIN, 0] = one
    value[arena.kind == Kind.LOSS, 1] = one
    return value


@njit(cache=True)
def improve(
    kind: Any, first: Any, succ: Any, order: Any, inner: int, value: Any, plan: Any, who: int, gain: float
) -> int:
    """Evaluate the first `inner` nodes of `order` in place under `plan`, letting the players in `who`
    (1 the protagonist, 2 the opponent, 3 both) switch to a better successor at any node where that gains
    more than `gain`. Returns the number of switches. With inner = len(order) this is value iteration."""
    switched = 0
    for i in range(len(order)):
        v = order[i]
        k = kind[v]
        begin, end = first[v], first[v + 1]
        if begin == end:
            continue
        for role in range(2):
            if k == CHANCE:
                total = 0.0
                for e in range(begin, end):
                    total += value[succ[e], role]
                result = total / (end - begin)
            else:
                there = 1 - role if k == MOVE else role
                result = value[succ[begin + plan[v, role]], there]
                if who & (1 + role):
                    best, place = result, -1
                    for e in range(begin, end):
                        x = value[succ[e], there]
                        if (x > best) if role == 0 else (x < best):
                            best, place = x, e - begin
                    if abs(best - result) > gain:
                        plan[v, role] = place
                        result = best
                        switched += 1
            if i < inner:
                value[v, role] = result
    return switched


@njit(cache=True)
def attract(kind: Any, first: Any, succ: Any, order: Any, inner: int, plan: Any, settled: Any) -> Any:
    """Ranks that prove that the protagonist, following `plan`, makes progress towards `settled` role-nodes.

    A settled role-node has rank 0. A non-anchor has the rank of its chosen successor, the largest rank among
    the opponent's choices, the smallest among chance's; an anchor has one more than that. Role-nodes from
    which the opponent can keep away from `settled` for ever stay UNRANKED.
    """
    rank = np.full(settled.shape, UNRANKED, dtype=np.int32)
    grew = True
    while grew:
        grew = False
        for i in range(len(order)):
            v = order[i]
            k = kind[v]
            begin, end = first[v], first[v + 1]
            for role in range(2):
                # A rank is given once: later, smaller ones could break the order that earlier ones rely on.
                if rank[v, role] != UNRANKED:
                    continue
                if settled[v, role]:
                    rank[v, role] = 0
                    grew = True
                    continue
                if begin == end:
                    continue
                there = 1 - role if k == MOVE else role
                if k == CHANCE:
                    r = UNRANKED
                    for e in range(begin, end):
                        r = min(r, rank[succ[e], role])
                elif role == 0:
                    r = rank[succ[begin + plan[v, 0]], there]
                else:
                    r = np.int32(0)
                    for e in range(begin, end):
                        r = max(r, rank[succ[e], there])
                if r != UNRANKED:
                    rank[v, role] = r if i < inner else r + np.int32(1)
                    grew = True
    return rank


@njit(cache=True)
def raise_to_closure(kind: Any, first: Any, succ: Any, order: Any, inner: int, high: Any, sweeps: int) -> int:
    """Raise integer `high` in place until it is at least its own Bellman image, rounded up.
    Returns the number of anchors still rising in the last sweep (0: closed)."""
    rising = 0
    for _ in range(sweeps):
        rising = 0
        for i in range(len(order)):
            v = order[i]
            k = kind[v]
            begin, end = first[v], first[v + 1]
            if begin == end:
                continue
            for role in range(2):
                there = 1 - role if k == MOVE else role
                x = high[succ[begin], there]
                if k == CHANCE:
                    for e in range(begin + 1, end):
                        x += high[succ[e], role]
                    x = -((-x) // (end - begin))
                else:
                    for e in range(begin + 1, end):
                        y = high[succ[e], there]
                        x = max(x, y) if role == 0 else min(x, y)
                if i < inner:
                    high[v, role] = x
                elif x > high[v, role]:
                    high[v, role] = x
                    rising += 1
        if rising == 0:
            break
    return rising


@njit(cache=True)
def lower_to_closure(kind: Any, first: Any, succ: Any, order: Any, inner: int, low: Any, plan: Any, sweeps: int) -> int:
    """Lower integer `low` in place until it is at most its own Bellman image, rounded down, when the
    protagonist follows `plan`. Returns the number of anchors still falling in the last sweep."""
    falling = 0
    for _ in range(sweeps):
        falling = 0
        for i in range(len(order)):
            v = order[i]
            k = kind[v]
            begin, end = first[v], first[v + 1]
            if begin == end:
                continue
            for role in range(2):
                there = 1 - role if k == MOVE else role
                x = low[succ[begin], there]
                if k == CHANCE:
                    for e in range(begin + 1, end):
                        x += low[succ[e], role]
                    x = x // (end - begin)
                elif role == 0:
                    x = low[succ[begin + plan[v, 0]], there]
                else:
                    for e in range(begin + 1, end):
                        x = min(x, low[succ[e], there])
                if i < inner:
                    low[v, role] = x
                elif x < low[v, role]:
                    low[v, role] = x
                    falling += 1
        if falling == 0:
            break
    return falling


@njit(cache=True)
def follow(kind: Any, first: Any, succ: Any, order: Any, inner: int, plan: Any) -> Any:
    """For each role-node the role-node (2 * v + role) where `plan` leads: chance, an anchor or the end."""
    target = np.arange(2 * len(kind))
    for i in range(inner):
        v = order[i]
        k = kind[v]
        if k != CHANCE and first[v] != first[v + 1]:
            for role in range(2):
                there = 1 - role if k == MOVE else role
                s = succ[first[v] + plan[v, role]]
                target[2 * v + role] = target[2 * s + there]
    return target
