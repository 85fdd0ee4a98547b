"""Ice Palace: how many pyramids can be used at most (IP-33, IP-34), told by colours and rooms instead of cells.

The empty cells hang together in *rooms*: the one without end, and holes that stacks enclose. Nothing in the palace is
moved (IP-36), so rooms only shrink. A new stack goes into a room, beside a top of its colour that borders the room
(IP-31); so its colour was brought to that room before: it borders it now, or a pyramid of the colour was put on a
top that borders it, or it is the first of all. No more stacks go into a hole than it has cells, and no top is covered
twice (IP-30). Every build keeps these statements, so where they cannot be kept together there is no such build. The
converse is not claimed.

Glossary: a kind is a colour and a size; a border is the set of rooms that a stack borders; an *item* is a kind with
a border; c, d colours; z, y sizes; r a room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import z3

from rulecheck.games.icepalace import Cell, Structure
from rulecheck.model import Readings
from rulecheck.pyramids import Pyramid, Stack
from solvers.smt import Answer, Asker, Bool, every, some
from specs.icepalace.spec_codes import is_beside

ENDLESS = 0
Border = frozenset[int]
Number = Any  # z3 ships no types; a whole number
BUDGET = 20_000_000


class Item(NamedTuple):
    colour: str
    size: int
    border: Border


class Rooms:
    """Which rooms there are around a palace, how many cells each hole has, and which rooms each stack borders."""

    def __init__(self, palace: Structure, readings: Readings) -> None:
        around = ((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
        self.beside = [d for d in around if is_beside(readings, (0, 0), d)]
        taken = {cell for cell, _ in palace}
        xs, ys = [x for x, _ in taken] or [0], [y for _, y in taken] or [0]
        frame = product(range(min(xs) - 1, max(xs) + 2), range(min(ys) - 1, max(ys) + 2))
        free = sorted(set(frame) - taken)  # the first is a corner of the frame, outside of the palace
        self.room: dict[Cell, int] = {}
        for cell in free:
            if cell not in self.room:
                self._fill(cell, len(set(self.room.values())), set(free))
        self.holes = Counter(r for r in self.room.values() if r != ENDLESS)
        self.borders = {cell: frozenset(self.room[n] for n in self._near(cell) if n in self.room) for cell in taken}

    def _near(self, cell: Cell) -> list[Cell]:
        return [(cell[0] + dx, cell[1] + dy) for dx, dy in self.beside]

    def _fill(self, cell: Cell, number: int, free: set[Cell]) -> None:
        self.room[cell], todo = number, [cell]
        for here in todo:
            for near in self._near(here):
                if near in free and near not in self.room:
                    self.room[near] = number
                    todo.append(near)


class Limit:
    """That k of the pyramids left are used, as statements about numbers of each kind."""

    def __init__(self, palace: Structure, left: Stack, k: int, readings: Readings) -> None:
        rooms = Rooms(palace, readings)
        self.readings, self.left, self.begun = readings, Counter(left), bool(palace)
        self.colours = sorted({pyramid.colour for pyramid in left})
        self.rooms = [ENDLESS, *rooms.holes]
        self.old = Counter(Item(*stack[-1], rooms.borders[cell]) for cell, stack in palace)
        borders = {frozenset([r]) for r in self.rooms} | {item.border for item in self.old}
        self.new = [Item(*kind, b) for kind in sorted(self.left) for b in sorted(borders, key=sorted)]
        self.stacks = {(kind, r): z3.Int(f"{kind} in {r}") for kind in self.left for r in self.rooms}
        self.covers = {
            (kind, item, age): z3.Int(f"{kind} on {item} {age}")
            for kind in self.left
            for items, age in ((list(self.old), "old"), (self.new, "new"))
            for item in items
            if self.may_cover(kind, item)
        }
        self.brought = {(c, r): z3.Bool(f"{c} to {r}") for c in self.colours for r in self.rooms}
        self.time = {(c, r): z3.Int(f"time {c} {r}") for c in self.colours for r in self.rooms}
        self.first = {c: z3.Bool(f"first {c}") for c in self.colours}
        self.asker = Asker(BUDGET)
        self.asker.add(*self.numbers(k, rooms.holes), *self.beginnings(), *self.bringing())

    def is_kept(self) -> bool:
        """False only if no build of k exists."""
        return self.asker.ask() is not Answer.NO

    def may_cover(self, kind: Pyramid, item: Item) -> bool:
        """IP-30."""
        same = self.readings["palace_stack"] == "same_colour"
        return kind.pips < item.size and (not same or kind.colour == item.colour)

    def used(self, kind: Pyramid) -> Number:
        stacks = [v for (q, _), v in self.stacks.items() if q == kind]
        return z3.Sum([*stacks, *(v for (q, _, _), v in self.covers.items() if q == kind)])

    def numbers(self, k: int, holes: Counter[int]) -> Iterator[Bool]:
        """Nothing is used or covered more often than it is there."""
        yield from (count >= 0 for count in (*self.stacks.values(), *self.covers.values()))
        yield z3.Sum([self.used(kind) for kind in self.left]) == k
        yield from (self.used(kind) <= count for kind, count in self.left.items())
        for hole, size in holes.items():
            yield z3.Sum([v for (_, r), v in self.stacks.items() if r == hole]) <= size
        for item, count in self.old.items():
            yield self.on(item, "old") <= count
        for item in self.new:
            yield self.on(item, "new") <= self.standing(item)

    def on(self, item: Item, age: str) -> Number:
        """How many pyramids are put on such tops."""
        return z3.Sum([v for (_, i, a), v in self.covers.items() if (i, a) == (item, age)])

    def standing(self, item: Item) -> Number:
        """How many such pyramids are added: as a new stack in the room, or on a stack of the same border."""
        kind = Pyramid(item.colour, item.size)
        covering = [v for (q, i, _), v in self.covers.items() if (q, i.border) == (kind, item.border)]
        return z3.Sum([*(v for (q, r), v in self.stacks.items() if q == kind and item.border == {r}), *covering])

    def beginnings(self) -> Iterator[Bool]:
        """The first pyramid of all stands in the endless room; then its colour is there."""
        barred = self.begun or self.readings["palace_first"] == "literal"
        if barred:
            yield from (z3.Not(flag) for flag in self.first.values())
        yield z3.PbLe([(flag, 1) for flag in self.first.values()], 1)

    def bringing(self) -> Iterator[Bool]:
        """IP-31: a colour begins stacks in the rooms it was brought to, and it was brought there by something."""
        for (kind, r), count in self.stacks.items():
            yield z3.Or(count == 0, self.brought[kind.colour, r])
        for (c, r), brought in self.brought.items():
            if any(item.colour == c and r in item.border for item in self.old):
                continue
            means = [self.first[c]] if r == ENDLESS else []
            means += [every([count > 0, self.earlier(item, age, c, r)]) for (kind, item, age), count
                      in self.covers.items() if kind.colour == c and r in item.border]  # fmt: skip
            yield z3.Or(z3.Not(brought), some(means))

    def earlier(self, item: Item, age: str, c: str, r: int) -> Bool:
        """The top stood there before c came to r; a new one by a colour that had come to a room of its border."""
        if age == "old":
            return z3.BoolVal(True)
        return some(
            z3.And(self.brought[item.colour, room], self.time[item.colour, room] < self.time[c, r])
            for room in item.border
        )
