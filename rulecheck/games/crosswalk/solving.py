"""Crosswalk as a graph for the solvers: the results of each position for the mover, always seen as player A.

A turn is a walk of single steps, so turns are not listed: with a die of six there are seven nodes for each arrangement
of stacks, one for each number of points left, and all six rolls share them. Under readings where a walk is more than
its stacks and points (it must change something, or spend as much as any other), games are charted turn by turn
instead, which suits small games only.

Names: i, j  numbers of stacks;  k  points left;  C(i) the roll at i, N(k, i) the rest of a walk, E(i) the exception.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulecheck.contract import brought
from rulecheck.games.crosswalk import Params, Position
from rulecheck.games.crosswalk.engine import Engine
from rulecheck.games.crosswalk.space import arrangements, walks
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError, Readings
from rulecheck.solve.tables import Chart
from solvers.graph import Arena, ArenaBuilder, Kind

MOST_STACKS = 2_000_000  # of a graph kept whole in memory
LARGE = 20_000  # arrangements; larger games are solved by number
STEPWISE = {"spend": "exact", "null_turn": "allowed", "finish_bounce": "allowed"}
TICK = 1000

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


def normalised(params: Params, position: Position) -> Position:
    """The rules are symmetric, so every position is kept as if A were to move."""
    return position if position.mover == "A" else position.mirrored()


def is_stepwise(readings: Readings) -> bool:
    """Do its stacks and the points left determine a walk?"""
    return all(readings[name] == value for name, value in STEPWISE.items())


def chart(engine: Engine, report: Report = ignore) -> Chart:
    return chart_by_steps(engine, report) if is_stepwise(engine.readings) else chart_by_turns(engine, report)


def number(params: Params, position: Position) -> int:
    """The number of the arrangement, seen by the player to move."""
    return arrangements(params).rank(normalised(params, position).stacks)


def numbered(params: Params, number: int) -> Position:
    return Position("A", arrangements(params).unrank(number))


def by_number(engine: Engine) -> int:
    size = arrangements(engine.params).size if is_stepwise(engine.readings) else 0
    return size if size >= LARGE else 0


# -- Turn by turn --------------------------------------------------------------------------------------------


def chart_by_turns(engine: Engine, report: Report = ignore) -> Chart:
    """One node for each position and roll, over the results of the engine's own list of turns."""
    start = normalised(engine.params, engine.start())
    by_roll: dict[Position, list[set[Position]]] = {}
    queue = [start]
    for position in queue:
        if position in by_roll or engine.winner(position):
            continue
        by_roll[position] = [_results(engine, rolled) for rolled in brought(engine, position)]
        queue += [after for results in by_roll[position] for after in results]
        if len(by_roll) % TICK == 0:
            report(f"{len(by_roll):,} positions", 0.0)
            _refuse_too_many(len(by_roll))
    return _turn_chart(by_roll, start)


def _refuse_too_many(stacks: int) -> None:
    if stacks > MOST_STACKS:
        raise InputError(
            f"the game has more than {MOST_STACKS:,} positions, too many to be solved here; "
            "try fewer squares, sizes or pedestrians"
        )


def _results(engine: Engine, rolled: Position) -> set[Position]:
    return {normalised(engine.params, after) for after in engine.moves(rolled).values()}


def _turn_chart(by_roll: dict[Position, list[set[Position]]], start: Position) -> Chart:
    builder = ArenaBuilder()
    node = {text: builder.reserve(Kind.CHANCE) for text in sorted(map(str, by_roll))}
    lost = builder.add(Kind.LOSS)
    for position, rolls in by_roll.items():
        turns = (sorted(node.get(str(after), lost) for after in results) for results in rolls)
        builder.connect(node[str(position)], [builder.add(Kind.MOVE, turn) for turn in turns])
    return Chart(builder.freeze(), [text.encode() for text in node], str(start).encode())


# -- Step by step --------------------------------------------------------------------------------------------


def chart_by_steps(engine: Engine, report: Report = ignore) -> Chart:
    numbered = arrangements(engine.params)
    _refuse_too_many(numbered.size)
    sheet = survey(engine, report)
    report("drawing the graph", 0.0)
    start = numbered.rank(normalised(engine.params, engine.start()).stacks)
    _, kept = sheet.arena(start)
    text = {i: str(Position("A", numbered.unrank(i))).encode() for i in np.flatnonzero(kept).tolist()}
    keys = sorted(text, key=text.__getitem__)
    order = np.concatenate([keys, np.flatnonzero(~kept)])
    arena, _ = sheet.renumbered(order).arena(keys.index(start))
    return Chart(arena, [text[i] for i in keys], text[start], compiled=True)


def survey(engine: Engine, report: Report = ignore) -> _Sheet:
    """All arrangements and the links between them, by compiled code."""
    game = walks(engine.params, engine.readings, report)
    return _Sheet(
        die=game.die,
        then_spend=game.then_spend,
        step_from=np.repeat(np.arange(game.size), np.diff(game.first)),
        step_cost=game.cost.astype(np.int64),
        step_to=game.to.astype(np.int64),
        reloc_from=np.repeat(game.stuck.astype(np.int64), np.diff(game.other)),
        reloc_to=game.put.astype(np.int64),
        mirror=game.mirror.astype(np.int64),
        over=game.over,
        stops=game.stops,
    )


@dataclass(frozen=True, eq=False)
class _Sheet:
    """Arrangements by number and the links between them, which are sorted by where they come from.

    The steps do not count points, so there are more arrangements than play reaches; the graph leaves out the rest.
    """

    die: int
    then_spend: bool
    step_from: Ints
    step_cost: Ints
    step_to: Ints
    reloc_from: Ints
    reloc_to: Ints
    mirror: Ints
    over: Flags  # somebody has won
    stops: Flags  # the mover's nest ends the walk here

    def renumbered(self, order: Ints) -> _Sheet:
        """The same, with the arrangements in this order."""
        new = np.empty_like(order)
        new[order] = np.arange(len(order))
        steps, relocs = (np.argsort(new[links], kind="stable") for links in (self.step_from, self.reloc_from))
        return replace(
            self,
            step_from=new[self.step_from[steps]],
            step_cost=self.step_cost[steps],
            step_to=new[self.step_to[steps]],
            reloc_from=new[self.reloc_from[relocs]],
            reloc_to=new[self.reloc_to[relocs]],
            mirror=new[self.mirror[order]],
            over=self.over[order],
            stops=self.stops[order],
        )

    def spendable(self) -> Flags:
        """Row i, column k: can exactly k points be spent from here, or the game be won on the way?"""
        can = np.zeros((len(self.mirror), self.die + 1), dtype=np.bool_)
        can[:, 0] = True
        can[self.stops] = True
        for k in range(1, self.die + 1):
            can[self.step_from[self._leads_on(can, k)], k] = True
        return can

    def _leads_on(self, can: Flags, k: int) -> Flags:
        """Which steps may be made with k points left?"""
        left = k - self.step_cost
        leads_on: Flags = (left >= 0) & can[self.step_to, np.maximum(left, 0)]
        return leads_on

    def arena(self, start: int) -> tuple[Arena, Flags]:
        """The graph that play from the start reaches, and the arrangements whose roll is in it."""
        n, can = len(self.mirror), self.spendable()
        kinds = [np.full(n, Kind.CHANCE), np.array([Kind.WIN, Kind.LOSS]), np.full(n, Kind.MOVE)]
        rest = n * (self.die + (self.die if self.then_spend else 1))
        kind = np.concatenate([*kinds, np.full(rest, Kind.STEP)]).astype(np.uint8)
        parts = [self._rolls(can), self._hand_overs(), *self._walks(can), *self._exceptions(can)]
        source = np.concatenate([s for s, _ in parts])
        target = np.concatenate([t for _, t in parts])
        kept = _reached(source, target, len(kind), start)
        new = np.cumsum(kept) - 1
        edges = kept[source]
        first = np.concatenate([[0], np.cumsum(np.bincount(source[edges], minlength=len(kind))[kept])])
        anchor = np.flatnonzero(kept[:n])
        return Arena.of(kind[kept], first, new[target[edges]], new[anchor]), kept[:n]

    # Nodes are numbered C(0..n-1), WIN, LOSS, N(0, *), N(1, *), ..., E(*): all but C lead to C or to smaller numbers.

    def _node(self, k: int | Ints, i: Ints) -> Ints:
        n = len(self.mirror)
        return n + 2 + k * n + i

    def _exception(self, roll: int, i: Ints) -> Ints:
        return self._node(self.die + (roll if self.then_spend else 1), i)

    def _rolls(self, can: Flags) -> tuple[Ints, Ints]:
        """C(i): each roll, to be spent if it can be."""
        i = np.flatnonzero(~self.over)
        ways = [np.where(can[i, r], self._node(r, i), self._exception(r, i)) for r in range(1, self.die + 1)]
        return np.repeat(i, self.die), np.stack(ways, axis=1).ravel()

    def _hand_overs(self) -> tuple[Ints, Ints]:
        """N(0, i): the other player rolls, or finds the game lost."""
        i = np.arange(len(self.mirror))
        lost = len(i) + 1
        return self._node(0, i), np.where(self.over[self.mirror], lost, self.mirror)

    def _walks(self, can: Flags) -> list[tuple[Ints, Ints]]:
        """N(k, i): the single steps from which the rest can still be spent."""
        won, parts = len(self.mirror), []
        for k in range(1, self.die + 1):
            on = self._leads_on(can, k)
            there = self.step_to[on]
            after = np.where(self.stops[there], won, self._node(k - self.step_cost[on], there))
            parts.append((self._node(k, self.step_from[on]), after))
        return parts

    def _exceptions(self, can: Flags) -> list[tuple[Ints, Ints]]:
        """E(i): relocations and passes; after them the turn ends, or the roll is spent if now it can be."""
        parts = []
        for r in range(1, self.die + 1 if self.then_spend else 2):
            left = np.where(can[self.reloc_to, r] & self.then_spend, r, 0)
            parts.append((self._exception(r, self.reloc_from), self._node(left, self.reloc_to)))
        return parts


def _reached(source: Ints, target: Ints, nodes: int, start: int) -> Flags:
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import breadth_first_order

    first = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=nodes))])
    graph: Any = csr_matrix((np.ones(len(target)), target, first), shape=(nodes, nodes))
    kept = np.zeros(nodes, dtype=np.bool_)
    kept[breadth_first_order(graph, start, return_predecessors=False)] = True
    return kept
