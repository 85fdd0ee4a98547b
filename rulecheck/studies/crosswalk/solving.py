"""Crosswalk as a graph for the solvers: what a mover, always seen as player A, can turn each position into.

A turn is a walk of single steps, so turns are not listed: with n stacks and a die of six there are seven nodes
for each stacks, one for each number of points left, and all six rolls share them. Readings under which a
walk is more than its stacks and its points (it must have changed something, or have spent as much as any
other) are charted turn by turn instead, which is for small games.

Names: i, j  numbers of stacks;  k  points left;  C(i) the roll at i, N(k, i) the rest of a walk, E(i) the exception.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulecheck.engines.crosswalk import Engine, Stacks, Walk
from rulecheck.games.crosswalk import Params, Position
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError, Readings
from rulecheck.tables import Chart
from solvers.graph import Arena, ArenaBuilder, Kind

MOST_STACKS = 2_000_000  # of which the survey keeps everything in memory
STEPWISE = {"spend": "exact", "null_turn": "allowed", "finish_bounce": "allowed"}
TICK = 1000

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


def normalised(params: Params, position: Position) -> Position:
    """The rules treat both sides alike, so every position is kept as if A were to move."""
    return position if position.mover == "A" else position.mirrored()


def is_stepwise(readings: Readings) -> bool:
    """Is a walk known by its stacks and the points it has left?"""
    return all(readings[name] == value for name, value in STEPWISE.items())


def chart(engine: Engine, report: Report = ignore) -> Chart:
    return chart_by_steps(engine, report) if is_stepwise(engine.readings) else chart_by_turns(engine, report)


# -- Turn by turn --------------------------------------------------------------------------------------------


def chart_by_turns(engine: Engine, report: Report = ignore) -> Chart:
    """One node for each position and roll, over the results of the engine's own list of turns."""
    start = normalised(engine.params, engine.start())
    found: dict[Position, list[set[Position]]] = {}
    queue = [start]
    for position in queue:
        if position in found or engine.winner(position):
            continue
        found[position] = [_results(engine, rolled) for rolled in engine.chances(position)]
        queue += [after for results in found[position] for after in results]
        if len(found) % TICK == 0:
            report(f"{len(found):,} positions", 0.0)
            _refuse_too_many(len(found))
    return _turn_chart(found, start)


def _refuse_too_many(stacks: int) -> None:
    if stacks > MOST_STACKS:
        raise InputError(
            f"the game has more than {MOST_STACKS:,} positions, too many to be solved here; "
            "try fewer squares, sizes or pedestrians"
        )


def _results(engine: Engine, rolled: Position) -> set[Position]:
    return {normalised(engine.params, after) for after in engine.moves(rolled).values()}


def _turn_chart(found: dict[Position, list[set[Position]]], start: Position) -> Chart:
    builder = ArenaBuilder()
    node = {text: builder.reserve(Kind.CHANCE) for text in sorted(map(str, found))}
    lost = builder.add(Kind.LOSS)
    for position, rolls in found.items():
        turns = (sorted(node.get(str(after), lost) for after in results) for results in rolls)
        builder.connect(node[str(position)], [builder.add(Kind.MOVE, turn) for turn in turns])
    return Chart(builder.freeze(), [text.encode() for text in node], str(start).encode())


# -- Step by step --------------------------------------------------------------------------------------------


def chart_by_steps(engine: Engine, report: Report = ignore) -> Chart:
    survey = _Survey(engine, report)
    survey.run()
    report("drawing the graph", 0.0)
    order = sorted(range(len(survey.stacks)), key=survey.text)
    sheet = survey.sheet(order)
    arena, kept = sheet.arena(order.index(0))
    keys = [survey.text(order[i]) for i in np.flatnonzero(kept)]
    return Chart(arena, keys, survey.text(0))


class _Survey:
    """All stacks that steps, hand-overs and exceptions may lead to, and the links between them, by number.

    It may hold more than play reaches, because it closes under steps without counting points; what play
    does not reach is left out when the arena is drawn.
    """

    def __init__(self, engine: Engine, report: Report) -> None:
        self.engine, self.report = engine, report
        # Relocations are the same for every roll; what follows them is a walk like any other.
        self.excepting = Engine(engine.params, engine.readings.replace(after_relocation="end_turn"))
        self.number: dict[Stacks, int] = {}
        self.stacks: list[Stacks] = []
        self.texts: dict[int, bytes] = {}
        self.step_from, self.step_cost, self.step_to = array("i"), array("i"), array("i")
        self.reloc_from, self.reloc_to = array("i"), array("i")
        self.mirror = array("i")
        self.over, self.stops = bytearray(), bytearray()
        self.asked: set[int] = set()
        self.find(normalised(engine.params, engine.start()).stacks)

    def find(self, stacks: Stacks) -> int:
        i = self.number.setdefault(stacks, len(self.stacks))
        if i == len(self.stacks):
            self.stacks.append(stacks)
        return i

    def text(self, i: int) -> bytes:
        if i not in self.texts:
            self.texts[i] = str(Position("A", self.stacks[i])).encode()
        return self.texts[i]

    def run(self) -> None:
        while stuck := self._stuck():
            for i in stuck:
                self._add_exceptions(i)

    def _stuck(self) -> list[int]:
        """Positions first seen in this round in which some roll cannot be spent."""
        for i in iter(self._next, None):
            self._add_steps(i)
        whole = self.sheet(range(len(self.stacks))).spendable().all(axis=1)
        playing = ~np.frombuffer(self.over, dtype=np.bool_)
        found = set(np.flatnonzero(playing & ~whole).tolist()) - self.asked
        self.asked |= found
        return sorted(found)

    def _next(self) -> int | None:
        i = len(self.mirror)
        if i % TICK == 0:
            self.report(f"{i:,} positions", 0.0)
            _refuse_too_many(len(self.stacks))
        return i if i < len(self.stacks) else None

    def _add_steps(self, i: int) -> None:
        position = Position("A", self.stacks[i])
        walk = Walk(position)
        for step in self.engine.steps(walk, self.engine.params.die):
            after, cost = self.engine.take(walk, step)
            self.step_from.append(i)
            self.step_cost.append(cost)
            self.step_to.append(self.find(after.position.stacks))
        self.over.append(self.engine.winner(position) is not None)
        self.stops.append(self.engine.stops_walk(position))
        self.mirror.append(self.find(self.engine.hand_over(position).mirrored().stacks))

    def _add_exceptions(self, i: int) -> None:
        for after in self.excepting.exceptions(Position("A", self.stacks[i])):
            self.reloc_from.append(i)
            self.reloc_to.append(self.find(after.stacks))

    def sheet(self, order: Iterable[int]) -> _Sheet:
        """The same as arrays, with the stacks numbered in this order."""
        old = np.fromiter(order, dtype=np.int64)
        new = np.empty_like(old)
        new[old] = np.arange(len(old))
        steps = np.argsort(new[_ints(self.step_from)], kind="stable")
        relocs = np.argsort(new[_ints(self.reloc_from)], kind="stable")
        return _Sheet(
            die=self.engine.params.die,
            then_spend=self.engine.readings["after_relocation"] == "then_spend",
            step_from=new[_ints(self.step_from)[steps]],
            step_cost=_ints(self.step_cost)[steps],
            step_to=new[_ints(self.step_to)[steps]],
            reloc_from=new[_ints(self.reloc_from)[relocs]],
            reloc_to=new[_ints(self.reloc_to)[relocs]],
            mirror=new[_ints(self.mirror)[old]],
            over=np.frombuffer(bytes(self.over), dtype=np.bool_)[old],
            stops=np.frombuffer(bytes(self.stops), dtype=np.bool_)[old],
        )


def _ints(numbers: array[int]) -> Ints:
    return np.array(numbers, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class _Sheet:
    """A survey as arrays; the links are sorted by where they come from."""

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
        found: Flags = (left >= 0) & can[self.step_to, np.maximum(left, 0)]
        return found

    def arena(self, start: int) -> tuple[Arena, Flags]:
        """The graph as far as play from the start reaches, and which of the stacks have their roll in it."""
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
