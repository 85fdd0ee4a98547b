"""Where one player can stay for ever in a game of walks, whatever the dice say, if the other player's plan is known.

If the opponent keeps to a plan, the protagonist plays alone against the dice. An *end component* is a set of positions
between which the protagonist can go to and fro, sure to come to each of them again and sure never to leave (in the
literature: a maximal end component). All of it is worth the same, namely the best way out.

A node is (i, k), by the number i * (die + 2) + k: position i with k points left to spend; or at the end of the turn,
k = 0, where the opponent rolls; or before the protagonist's roll, k = die + 1. Where a roll cannot be spent, its node
stands for the exceptions. Positions are numbered as the protagonist sees them, as in `solvers.policies`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.chunked_loops import ChunkedLoops
from solvers.compiled import njit
from solvers.graph import Progress, silent
from solvers.walks import Walks

NOWHERE = -1
UNSEEN = -2


class Members(NamedTuple):
    """Positions that belong to end components, rising, and to which."""

    positions: NDArray[np.int32]
    component: NDArray[np.int32]


class EndComponents(NamedTuple):
    """Their members before the protagonist's roll, and before the opponent's."""

    rolls: Members
    waits: Members
    number: int  # of components


@njit(cache=True)
def _spendable(game: Any) -> Any:
    """Bit k: exactly k points can be spent from here, or a walk wins before."""
    spent = np.ones(len(game.mirror), dtype=np.uint16)
    for i in range(len(spent)):
        if game.stops[i]:
            spent[i] = 0xFFFF
    for k in range(1, game.die + 1):
        for i in range(len(spent)):
            for e in range(game.first[i], game.first[i + 1]):
                if game.cost[e] <= k and spent[game.to[e]] >> (k - game.cost[e]) & 1:
                    spent[i] |= 1 << k
    return spent


@njit(cache=True, inline="always")
def _next(game: Any, plan: Any, spent: Any, row: Any, v: int, at: int) -> Any:
    """Enumerates the successors of a node: returns the first one from `at` on, or NOWHERE if there is none left, and
    where to continue. The end of the game has no node, but a number beyond the last one."""
    nodes, node = game.die + 2, NOWHERE
    i, k = v // nodes, v % nodes
    if k == 0 or k == game.die + 1:
        if at < game.die:
            node = plan[i, at] * nodes + game.die + 1 if k == 0 else i * nodes + at + 1
    elif spent[i] >> k & 1:
        e, last = game.first[i] + at, game.first[i + 1]
        while e < last and not (game.cost[e] <= k and spent[game.to[e]] >> (k - game.cost[e]) & 1):
            e += 1
        if e < last:
            node = game.to[e] * nodes + k - game.cost[e]
        at = e - game.first[i]
    else:
        e = game.other[row[i]] + at
        if e < game.other[row[i] + 1]:
            put = game.put[e]
            node = put * nodes + (k if game.then_spend and spent[put] >> k & 1 else 0)
    return node, at + 1


@njit(cache=True, nogil=True)
def _leave(low: int, high: int, game: Any, plan: Any, spent: Any, row: Any, nodes: Any) -> int:
    """Bit k of nodes[i]: the protagonist can stay at (i, k) among the nodes whose bits are set. Clear invalid bits,
    all nodes of a position at a time; return the number of positions changed."""
    first, cost, to, other, put = game.first, game.cost, game.to, game.other, game.put
    rolls, count = (2 << game.die) - 2, 0
    for i in range(low, high):
        if nodes[i] == 0:
            continue
        ends = np.int64(0)  # bit k: k points can be spent, and the turn ended, within the nodes
        for e in range(first[i], first[i + 1]):
            ends |= np.int64(nodes[to[e]] & spent[to[e]]) << cost[e]
        ends &= spent[i] & rolls
        if row[i] != NOWHERE:
            for e in range(other[row[i]], other[row[i] + 1]):
                there = np.int64(spent[put[e]] if game.then_spend else 0)
                ends |= ~spent[i] & rolls & ((nodes[put[e]] & there) | (~there & -(nodes[put[e]] & 1)))
        stays = ends | (np.int64(ends == rolls) << (game.die + 1)) | 1
        for end in plan[i]:
            if end >= len(nodes) or not nodes[end] >> (game.die + 1) & 1:
                stays &= ~1
        stays &= nodes[i]
        count += stays != nodes[i]
        nodes[i] = stays
    return count


@njit(cache=True, nogil=True)
def _wither(low: int, high: int, game: Any, plan: Any, spent: Any, row: Any, label: Any) -> int:
    """Remove nodes from which the protagonist must leave the nodes of the same label: chance needs all its successors
    there, a choice needs one. Return the number removed. Their order makes no difference in the end."""
    nodes, gone = game.die + 2, 0
    for v in range(low * nodes, high * nodes):
        if label[v] == NOWHERE:
            continue
        chance = v % nodes == 0 or v % nodes == game.die + 1
        stays, at = chance, 0
        while stays == chance:
            node, at = _next(game, plan, spent, row, v, at)
            if node == NOWHERE:
                break
            stays = node < len(label) and label[node] == label[v]
        if not stays:
            label[v] = NOWHERE
            gone += 1
    return gone


@njit(cache=True)
def _connect(game: Any, plan: Any, spent: Any, row: Any, label: Any) -> int:
    """Relabel the remaining nodes by strongly connected component; return the number of components.

    Tarjan's algorithm with little memory, after Pearce. A label is at first the time its node was seen, then the
    earliest such time the node can get back to, and finally, counted down from the largest number, its component.
    The nodes on the current path fill `stack` from the front, those waiting for their component from the back; a bit
    of `where` says whether a node is the first of its component.
    """
    size, seen, depth, back = len(label), 0, 0, 0
    for v in range(size):
        if label[v] != NOWHERE:
            label[v] = UNSEEN
            back += 1
    stack, where = np.empty(back + 1, dtype=np.int32), np.empty(back + 1, dtype=np.int16)
    largest = top = np.int32(2**31 - 1)
    for root in range(size):
        if label[root] != UNSEEN:
            continue
        stack[0], where[0], label[root] = root, 1, seen
        depth, seen = 1, seen + 1
        while depth:
            v = stack[depth - 1]
            at, first = where[depth - 1] >> 1, where[depth - 1] & 1
            node, at = _next(game, plan, spent, row, v, at)
            where[depth - 1] = at << 1 | first
            if node == NOWHERE:
                depth -= 1
                if first:
                    seen -= 1
                    while back < len(stack) - 1 and label[stack[back + 1]] >= label[v]:
                        back += 1
                        label[stack[back]] = top
                        seen -= 1
                    label[v] = top
                    top -= 1
                else:
                    stack[back] = v
                    back -= 1
                node = v
                if depth == 0:
                    continue
                v = stack[depth - 1]
            elif node >= size or label[node] == NOWHERE:
                continue
            elif label[node] == UNSEEN:
                stack[depth], where[depth], label[node] = node, 1, seen
                depth, seen = depth + 1, seen + 1
                continue
            if label[node] < label[v]:
                label[v] = label[node]
                where[depth - 1] &= ~1
    for v in range(size):
        if label[v] != NOWHERE:
            label[v] = largest - label[v]
    return int(largest - top)


def find_end_components(
    game: Walks, plan: NDArray[np.int32], loops: ChunkedLoops, progress: Progress = silent
) -> EndComponents:
    """All end components of the protagonist against this plan of the opponent."""
    spent, row = _spendable(game), np.full(game.size, NOWHERE, dtype=np.int32)
    row[game.stuck] = np.arange(len(game.stuck))
    about = game, plan, spent, row
    nodes = np.where(game.over, 0, (4 << game.die) - 1).astype(np.int16)
    while gone := sum(loops(_leave, *about, nodes)):
        progress(f"looking for end components, {gone:,} positions ruled out", 0.0)
    label = np.empty((game.size, game.die + 2), dtype=np.int32)
    for k in range(game.die + 2):
        label[:, k] = (nodes >> k & 1) - 1  # 0, or NOWHERE
    del nodes
    count, parted = _connect(*about, label.reshape(-1)), True
    while parted and count:
        parted = False
        while gone := sum(loops(_wither, *about, label.reshape(-1))):
            parted = True
            progress(f"looking for end components, {gone:,} nodes ruled out", 0.0)
        if parted:
            count = _connect(*about, label.reshape(-1))
    return EndComponents(_members(label[:, -1]), _members(label[:, 0]), count)


def _members(label: NDArray[np.int32]) -> Members:
    positions = np.flatnonzero(label != NOWHERE).astype(np.int32)
    return Members(positions, label[positions])
