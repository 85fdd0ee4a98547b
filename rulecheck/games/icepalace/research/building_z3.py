"""Ice Palace: could a build be better? z3 answers by the spec's constraints on builds.

This second opinion on the best build shares nothing with the first: pyramids have turns, each new stack must match the
tops beside it at its turn, and points are counted over the final stacks. Without a grid, sites count as adjacent as
long as there is an empty cell beside the old one; if no build is better there, none is better on the grid. Otherwise
the question covers all cells within reach of the palace, unless they are too many. Turns are slow for many pyramids:
then z3 only counts stacks (`building_counts`).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise

import z3

from rulecheck.games.icepalace import Cell, Structure
from rulecheck.games.icepalace.research.building_counts import Counts
from rulecheck.model import Readings
from rulecheck.pyramids import SMALL, Pyramid, Stack
from solvers.smt import Answer, Bool, every, no, some
from specs.icepalace.spec_builds import Build, Site, Sites, Top, cells
from specs.icepalace.spec_codes import is_beside

WITH_TURNS = 6  # pyramids; turns are left out for more
MOST_CELLS = 120  # of the grid in one question
SPAN = range(-1, 2)


class Question(Build):
    """Builds of k pyramids on these sites, and the points of a player in them."""

    def __init__(
        self,
        sites: Sites,
        palace: Structure,
        left: Stack,
        k: int,
        readings: Readings,
        open_to: Mapping[Site, set[str]] | None,  # None on the grid, which determines it
    ) -> None:
        self.palace, self.on_grid, self.open_to = palace, open_to is None, open_to or {}
        super().__init__(sites, left, k, readings)

    def seen(self, t: Site, s: Site, z: int) -> list[Top]:
        """A stack of the palace counts only in colours that may stand beside it."""
        tops = super().seen(t, s, z)
        if t not in self.open_to:
            return tops
        return [(on_top, {c: v for c, v in colours.items() if c in self.open_to[t]}) for on_top, colours in tops]

    def new_stack(self, s: Site) -> list[Bool]:
        """Without a grid a stack apart from all others always finds its place."""
        islands = self.readings["palace_island"] == "yes"
        return [] if islands and not self.on_grid else super().new_stack(s)

    def stands_right(self, s: Site, z: int, c: str, tops: list[Top]) -> Bool:
        """Without a grid one matching top is enough: other stacks need not be beside the new one."""
        if self.on_grid:
            return super().stands_right(s, z, c, tops)
        return some(every([on_top, colours[c]]) for on_top, colours in tops if c in colours)

    def order(self) -> list[Bool]:
        """Empty sites without a grid are all the same, so they are used in turn."""
        if self.on_grid:
            return super().order()
        used = [some(self.added[s, z] for z in self.sizes) for s, top in self.sites.tops.items() if not top]
        return [some([no(later), earlier]) for earlier, later in pairwise(used)]

    def points(self, player: str) -> list[tuple[Bool, int]]:
        """The points of each stack for the player, with their conditions."""
        return [weighed for s in self.sites.tops for weighed in self._points_of(s, player)]

    def _points_of(self, s: Site, player: str) -> Iterator[tuple[Bool, int]]:
        height = 0
        if top := self.sites.tops[s]:
            height = len(self.palace.at(_cell_of(s)))
            if top.colour == player:
                yield every(no(self.added[s, z]) for z in self.sizes), height
        for number in range(1, len(self.sizes) + 1):
            for chosen in combinations(self.sizes, number):
                if (s, min(chosen), player) in self.at:
                    added = [self.added[s, z] if z in chosen else no(self.added[s, z]) for z in self.sizes]
                    yield every([self.at[s, min(chosen), player], *added]), height + number

    def is_possible(self, player: str, low: int | None, high: int | None) -> Answer:
        """Is there a build that gives the player at least `low` or at most `high`?"""
        weighed = self.points(player)
        with self.asker.supposing(*_bounds(weighed, low, high)):
            return self.asker.ask()


def _bounds(weighed: list[tuple[Bool, int]], low: int | None, high: int | None) -> list[Bool]:
    bounds = [] if low is None else [z3.PbGe(weighed, low) if weighed else z3.BoolVal(low <= 0)]
    return bounds if high is None else [*bounds, z3.PbLe(weighed, high) if weighed else z3.BoolVal(high >= 0)]


def _cell_of(site: Site) -> Cell:
    assert isinstance(site, tuple)
    return site[1] if site[0] == "old" else site


class Opinion:
    """z3's answers about one palace and its material."""

    def __init__(self, palace: Structure, left: Stack, readings: Readings) -> None:
        self.palace, self.left, self.readings = palace, left, readings
        self.asked = 0

    def is_there(self, k: int, player: str, low: int | None = None, high: int | None = None) -> Answer:
        """Is there a build of k pyramids, with these points of the player?"""
        if k > len(self.left):
            return Answer.NO
        if k == 0:
            points = sum(len(stack) for _, stack in self.palace if stack[-1].colour == player)
            fits = (low is None or points >= low) and (high is None or points <= high)
            return Answer.YES if fits else Answer.NO
        loosely = self._loose_answer(k, player, low, high)
        if loosely is not Answer.YES:
            return loosely
        sites = self._on_grid(k)
        return Answer.UNKNOWN if sites is None else self._ask(sites, player, low, high)

    def _loose_answer(self, k: int, player: str, low: int | None, high: int | None) -> Answer:
        if len(self.left) <= WITH_TURNS:
            return self._ask(self._loosely(k), player, low, high)
        self.asked += 1
        points = sum(len(stack) for _, stack in self.palace if stack[-1].colour == player)
        return self.counts.is_possible(k, player, points, low, high)

    @functools.cached_property
    def counts(self) -> Counts:
        open_to = {_cell_of(site): colours for site, colours in self._open_to().items()}
        return Counts(self.palace, self.left, self.readings, open_to)

    def _ask(self, question: Question, player: str, low: int | None, high: int | None) -> Answer:
        self.asked += 1
        return question.is_possible(player, low, high)

    def _loosely(self, k: int) -> Question:
        """The stacks of the palace and k new sites, all adjacent except where they never can be."""
        open_to = self._open_to()
        old: dict[Site, Pyramid | None] = {("old", cell): stack[-1] for cell, stack in self.palace}
        tops = old | {("new", number): None for number in range(k)}
        sites = Sites(tops, lambda s, t: s not in old or t not in old)
        return Question(sites, self.palace, self.left, k, self.readings, open_to)

    def _open_to(self) -> dict[Site, set[str]]:
        """The colours in which a stack could stand beside each one of the palace."""
        colours = {pyramid.colour for pyramid in self.left}
        open_to: dict[Site, set[str]] = {}
        tops = {cell: stack[-1] for cell, stack in self.palace}
        for cell in tops:
            ways = [self._allowed(tops, empty, colours) for empty in self._around(cell) if empty not in tops]
            open_to["old", cell] = set().union(*ways)
        return open_to

    def _allowed(self, tops: Mapping[Cell, Pyramid], empty: Cell, colours: set[str]) -> set[str]:
        if self.readings["palace_adjacent"] == "some_neighbour":
            return colours
        fixed = {tops[t].colour for t in self._around(empty) if t in tops and tops[t].pips == SMALL}
        return colours if not fixed else colours & fixed if len(fixed) == 1 else set()

    def _around(self, cell: Cell) -> list[Cell]:
        square = [(cell[0] + dx, cell[1] + dy) for dx in SPAN for dy in SPAN]
        return [other for other in square if is_beside(self.readings, cell, other)]

    def _on_grid(self, k: int) -> Question | None:
        """All cells that a build of k could touch, if they are not too many."""
        far = 2 * k if self.readings["palace_island"] == "yes" else k if self.palace else k - 1
        sites = cells(self.palace, self.readings, far)
        if len(sites.tops) > MOST_CELLS:
            return None
        return Question(sites, self.palace, self.left, k, self.readings, None)
