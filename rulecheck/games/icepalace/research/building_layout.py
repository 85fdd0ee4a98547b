"""Ice Palace: lays a plan out on the grid, step by step, as a careful builder would.

A new stack begins as soon as its colour is seen, so that it may be covered afterwards, and where it touches as few
stacks as possible and has most empty cells around. That mostly succeeds at once. If stacks are in each other's way,
random choices from a fixed seed follow: failure proves nothing, and both encodings replay a layout anyway.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from rulecheck.games.icepalace import PALACE, Cell, Move, Structure
from rulecheck.games.icepalace.engine_building import PalaceCode
from rulecheck.games.icepalace.research.building_bound import Plan
from rulecheck.pyramids import Pyramid, Stack

TRIES = 60
AROUND = [(dx, dy) for dx in range(-2, 3) for dy in range(-2, 3)]


@dataclass
class Waiting:
    """The rest of the plan: pyramids to add on existing stacks, and stacks to begin."""

    covers: dict[Cell, Stack]
    stacks: list[Stack]


def lay_out(code: PalaceCode, palace: Structure, plan: Plan) -> list[Move] | None:
    """The plan as steps of building; None if every attempt failed."""
    for attempt in range(TRIES):
        steps = _Attempt(code, palace, plan, random.Random(attempt), bold=attempt > 0).steps()
        if steps is not None:
            return steps
    return None


class _Attempt:
    def __init__(self, code: PalaceCode, palace: Structure, plan: Plan, lot: random.Random, bold: bool) -> None:
        self.code, self.palace, self.lot, self.bold = code, palace, lot, bold
        self.waiting = Waiting(dict(self._placed_covers(plan)), list(plan.stacks))
        self.done: list[Move] = []

    def _placed_covers(self, plan: Plan) -> Iterator[tuple[Cell, Stack]]:
        """The chains for the old stacks; a bold attempt shuffles those of equal stacks."""
        covers = list(plan.covers)
        alike: dict[object, list[Cell]] = {}
        for cell, chain in covers:
            alike.setdefault(self._kind(cell), [])
            if not self.bold:
                yield cell, chain
        if self.bold:
            for cell, stack in self.palace:
                if self._kind(cell) in alike and stack:
                    alike[self._kind(cell)].append(cell)
            for cells in alike.values():
                self.lot.shuffle(cells)
            for cell, chain in covers:
                yield alike[self._kind(cell)].pop(), chain

    def _kind(self, cell: Cell) -> object:
        stack = self.palace.at(cell)
        has_room = any(not self.palace.at(near) for near in self.code.grid.beside(cell))
        return stack[-1], len(stack), has_room

    def steps(self) -> list[Move] | None:
        while self.waiting.stacks or self.waiting.covers:
            if not (self._begin() or self._cover()):
                return None
        return self.done

    def _put(self, pyramid: Pyramid, cell: Cell) -> None:
        self.palace = self.palace.put(pyramid, cell)
        self.done.append(Move(pyramid, PALACE, cell))

    def _begin(self) -> bool:
        """Begin a stack that is allowed, where there is most room; those of fewer colours first."""
        first = 1 if not self.palace else None  # the plan begins an empty palace with its first stack
        stacks = sorted(self.waiting.stacks[:first], key=lambda stack: len({q.colour for q in stack}))
        for stack in dict.fromkeys(stacks):
            cells = [cell for cell in self.code.cells(self.palace) if self._may_begin(stack[0], cell)]
            if cells:
                cell = max(cells, key=self._ease)
                self._put(stack[0], cell)
                self.waiting.stacks.remove(stack)
                if stack[1:]:
                    self.waiting.covers[cell] = stack[1:]
                return True
        return False

    def _may_begin(self, pyramid: Pyramid, cell: Cell) -> bool:
        if self.palace.at(cell):
            return False
        return self.code.judge(self.palace.at, not self.palace, pyramid, cell).legal

    def _ease(self, cell: Cell) -> tuple[float, float]:
        """Few stacks beside the cell, much space around it; a bold attempt adds chance."""
        x, y = cell
        touching = sum(1 for _ in self.code.grid.stacks_beside(self.palace.at, cell))
        space = sum(not self.palace.at((x + dx, y + dy)) for dx, dy in AROUND)
        if self.bold:
            return self.lot.random() * 3 - touching, space + self.lot.random() * 6
        return -touching, space

    def _cover(self) -> bool:
        """Add one pyramid on a stack; first one that shows a wanted colour, where it has most room."""
        if not self.waiting.covers:
            return False
        wanted = {stack[0].colour for stack in self.waiting.stacks}
        cell = max(self.waiting.covers, key=lambda c: self._promise(c, wanted))
        chain = self.waiting.covers.pop(cell)
        if not self.code.judge(self.palace.at, False, chain[0], cell).legal:
            return False
        self._put(chain[0], cell)
        if chain[1:]:
            self.waiting.covers[cell] = chain[1:]
        return True

    def _promise(self, cell: Cell, wanted: set[str]) -> tuple[bool, bool, float]:
        chain = self.waiting.covers[cell]
        empty = sum(not self.palace.at(near) for near in self.code.grid.beside(cell))
        chance = self.lot.random() if self.bold else 0
        soon = chain[0].colour in wanted and empty > 0
        return soon, any(q.colour in wanted for q in chain), empty + 4 * chance
