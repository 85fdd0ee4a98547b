"""Ice Palace: a build shown step by step, each step allowed by the clauses of the palace code.

What is found is a build, whatever led to it; where nothing is found, nothing is said. The steps are chosen as a player
would: first what can stand beside its colour, large before small, where most is empty; then, to bring in a colour, one
pyramid on one top of each kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

from rulecheck.games.icepalace import ORIGIN, Cell, Structure
from rulecheck.pyramids import Pyramid, Stack
from specs.icepalace.spec_codes import Palace

Stacks = dict[Cell, Stack]
STEPS = 400  # how many steps are tried before one gives up


class Trial:
    def __init__(self, code: Palace) -> None:
        self.code = code
        self.reach = [d for d in product(range(-2, 3), repeat=2) if d != (0, 0)]
        self.steps = 0

    def shows(self, palace: Structure, left: Stack, k: int) -> bool:
        """Was a build of k found?"""
        self.steps = STEPS
        return self._goes_on(dict(palace.stacks), Counter(left), k)

    def _goes_on(self, stacks: Stacks, left: Counter[Pyramid], k: int) -> bool:
        if k == 0:
            return True
        for pyramid, cell in self._choices(stacks, left):
            self.steps -= 1
            after = {**stacks, cell: (*stacks.get(cell, ()), pyramid)}
            if self._goes_on(after, left - Counter([pyramid]), k - 1):
                return True
            if self.steps <= 0:
                return False
        return False

    def _choices(self, stacks: Stacks, left: Counter[Pyramid]) -> Iterator[tuple[Pyramid, Cell]]:
        largest_first = sorted(left, key=lambda pyramid: (-pyramid.pips, pyramid.colour))
        if not stacks:
            yield from ((pyramid, ORIGIN) for pyramid in largest_first if self._fits(stacks, pyramid, ORIGIN))
            return
        empty = self._empty(stacks)
        for pyramid in largest_first:
            for cell in empty:
                if self._fits(stacks, pyramid, cell):
                    yield pyramid, cell
                    return
        yield from self._coverings(stacks, largest_first)

    def _coverings(self, stacks: Stacks, pyramids: list[Pyramid]) -> Iterator[tuple[Pyramid, Cell]]:
        """Each pyramid on one top of each kind, those with most room around them and the smallest first."""
        tops: dict[tuple[Pyramid, bool], Cell] = {}
        for cell in sorted(stacks, key=lambda cell: (-self._room(stacks, cell), stacks[cell][-1].pips)):
            tops.setdefault((stacks[cell][-1], self._room(stacks, cell) > 0), cell)
        for pyramid, cell in product(pyramids, tops.values()):
            if self._fits(stacks, pyramid, cell):
                yield pyramid, cell

    def _empty(self, stacks: Stacks) -> list[Cell]:
        """The empty cells near a stack, those with most room around them first."""
        near = {(x + dx, y + dy) for x, y in stacks for dx, dy in self.reach} - stacks.keys()
        return sorted(near, key=lambda cell: (-self._room(stacks, cell), cell))

    def _room(self, stacks: Stacks, cell: Cell) -> int:
        return sum((cell[0] + dx, cell[1] + dy) not in stacks for dx, dy in self.code.near)

    def _fits(self, stacks: Stacks, pyramid: Pyramid, cell: Cell) -> bool:
        x, y = cell
        around = self.code.window.true(lambda p: stacks.get((x + p[0], y + p[1]), ()), bool(stacks), cell == ORIGIN)
        return self.code.fits(pyramid, around)
