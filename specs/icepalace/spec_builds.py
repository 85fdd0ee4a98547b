"""Ice Palace: the greatest number of pyramids that can be used (IP-33, IP-34), as "no larger build exists".

A build is not told step by step, but by what it adds to which site and in which order: `at[s, z, c]` says that a
pyramid of size z and colour c is added on site s, and `turn[s, z]` when. Each new stack is judged by the tops that
are seen beside it at its turn. Sites are cells, or anything else of which some are beside each other.

Which cells are enough. Each new stack is beside a stack that is there already, so a build of k pyramids stays within
k steps of the palace, or of 0,0 if there is none; islands are at most two columns and rows from a stack, so with them
it stays within 2k of both. A build that is found on fewer cells is a build; that there is none is believed only on
all of them, or if it breaks a limit that holds on every grid (`icepalace_limits`). With many pyramids, or with
islands, which have very many places, a build is first tried step by step (`icepalace_trials`).

Glossary: s, t sites; z, y sizes; c a colour; k a number of pyramids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import combinations, product

import z3

from rulecheck.games.icepalace import ORIGIN, Cell, Structure
from rulecheck.model import Readings
from rulecheck.pyramids import Pyramid, Stack
from solvers.smt import FALSE, TRUE, Answer, Asker, Bool, at_most, every, exactly, no, some
from specs.icepalace.spec_codes import Palace, is_beside
from specs.icepalace.spec_limits import Limit
from specs.icepalace.spec_trials import Trial

Site = Hashable
Top = tuple[Bool, Mapping[str, Bool]]  # when something is on top, and when it has which colour
BUDGET = 40_000_000
MANY = 4  # pyramids: so many are tried step by step before z3 is asked


def implies(condition: Bool, what: Bool) -> Bool:
    return some([no(condition), what])


def earlier(one: z3.BitVecRef, other: z3.BitVecRef) -> Bool:
    """`z3.ULT` without its checks, which take most of the time here."""
    return z3.BoolRef(z3.Z3_mk_bvult(one.ctx_ref(), one.as_ast(), other.as_ast()), one.ctx)


class Sites:
    """Where a build may stand: what is on top of each site now, and which sites are beside or near each other."""

    def __init__(self, tops: Mapping[Site, Pyramid | None], beside: Callable[[Site, Site], bool]) -> None:
        self.tops = dict(tops)
        self.begun = any(self.tops.values())
        self.first = next(iter(self.tops))  # where the palace begins, if it has not begun
        self.beside = {s: [t for t in self.tops if t != s and beside(s, t)] for s in self.tops}

    def pairs(self) -> Iterator[tuple[Site, Site]]:
        number = {s: n for n, s in enumerate(self.tops)}
        return ((s, t) for s in self.tops for t in self.beside[s] if number[s] < number[t])


def cells(palace: Structure, readings: Readings, far: int) -> Sites:
    """The cells of the palace (or 0,0) and those up to `far` away from them, as the grid counts (islands: as kings)."""
    tops: dict[Site, Pyramid | None] = {cell: stack[-1] for cell, stack in palace} or {ORIGIN: None}
    island = readings["palace_island"] == "yes"
    for x, y in map(_cell, list(tops)):
        for dx in range(-far, far + 1):
            for dy in range(-far, far + 1):
                if island or readings["grid"] == "king" or abs(dx) + abs(dy) <= far:
                    tops.setdefault((x + dx, y + dy), None)
    return Sites(tops, lambda s, t: is_beside(readings, _cell(s), _cell(t)))


def _cell(site: Site) -> Cell:
    assert isinstance(site, tuple)
    return site


class Build:
    """Builds of k pyramids on these sites, told to z3."""

    def __init__(self, sites: Sites, left: Stack, k: int, readings: Readings) -> None:
        self.sites, self.readings = sites, readings
        self.left = Counter(left)
        self.sizes = sorted({pyramid.pips for pyramid in left}, reverse=True)
        self.colours = sorted({pyramid.colour for pyramid in left})
        self.at = {(s, z, c): z3.Bool(f"{s} {c}{z}") for s in sites.tops for (c, z) in sorted(self.left)}
        bits = k.bit_length() + 1
        self.turn = {(s, z): z3.BitVec(f"turn {s} {z}", bits) for s in sites.tops for z in self.sizes}
        self.added = {
            (s, z): some(self.at[s, z, c] for c in self.colours if (s, z, c) in self.at) for s, z in self.turn
        }
        self._before: dict[tuple[Site, int, Site, int], Bool] = {}
        self.asker = Asker(BUDGET, "QF_FD")
        self.asker.add(*self.material(k))
        for s in sites.tops:
            self.asker.add(*self.stacking(s), *self.new_stack(s))
        self.asker.add(*self.order())

    def exists(self) -> bool:
        answer = self.asker.ask()
        if answer is Answer.UNKNOWN:
            raise TimeoutError("z3 did not find the greatest number within its budget")
        return answer is Answer.YES

    def material(self, k: int) -> list[Bool]:
        """k pyramids of those that are left, at most one of a size in a stack."""
        constraints = [exactly(list(self.at.values()), k)]
        for pyramid, count in self.left.items():
            constraints.append(at_most([self.at[s, pyramid.pips, pyramid.colour] for s in self.sites.tops], count))
        for s, z in self.turn:
            constraints.append(at_most([v for (t, y, _), v in self.at.items() if (t, y) == (s, z)], 1))
        return constraints

    def before(self, s: Site, z: int, t: Site, y: int) -> Bool:
        """The pyramid on s comes before the one on t."""
        key = (s, z, t, y)
        if key not in self._before:
            self._before[key] = every([self.added[s, z], earlier(self.turn[s, z], self.turn[t, y])])
        return self._before[key]

    def order(self) -> list[Bool]:
        """IP-29: one after another, as far as one can be seen from the other."""
        constraints = []
        for s, t in self.sites.pairs():
            for z, y in product(self.sizes, self.sizes):
                both = every([self.added[s, z], self.added[t, y]])
                constraints.append(implies(both, self.turn[s, z] != self.turn[t, y]))
        return constraints

    def stacking(self, s: Site) -> list[Bool]:
        """IP-30: what is added goes down in size from the top there is, the larger first."""
        constraints, top = [], self.sites.tops[s]
        own = {c: some(v for (t, _, d), v in self.at.items() if (t, d) == (s, c)) for c in self.colours}
        same = self.readings["palace_stack"] == "same_colour"
        for larger, smaller in combinations(self.sizes, 2):
            both = every([self.added[s, larger], self.added[s, smaller]])
            constraints.append(implies(both, earlier(self.turn[s, larger], self.turn[s, smaller])))
        if same:
            constraints.append(at_most(list(own.values()), 1))
        for (t, z, c), there in self.at.items():
            if t == s and top and (z >= top.pips or (same and c != top.colour)):
                constraints.append(no(there))
        return constraints

    def new_stack(self, s: Site) -> list[Bool]:
        """IP-31: the base of a new stack is right when its turn comes. The first pyramid of all stands anywhere."""
        if self.sites.tops[s]:
            return []
        constraints = []
        for number, z in enumerate(self.sizes):
            tops = [top for t in self.sites.beside[s] for top in self.seen(t, s, z)]
            base = [no(self.added[s, larger]) for larger in self.sizes[:number]]
            is_first = [self._is_first(s, z)] if s == self.sites.first and not self.sites.begun else []
            for c in (c for c in self.colours if (s, z, c) in self.at):
                right = some([*is_first, self.stands_right(s, z, c, tops)])
                constraints.append(implies(every([self.at[s, z, c], *base]), right))
        return constraints

    def _is_first(self, s: Site, z: int) -> Bool:
        if self.readings["palace_first"] == "literal" and self.readings["palace_island"] == "no":
            return FALSE
        others = [key for key in self.turn if key != (s, z)]
        return every(implies(self.added[key], earlier(self.turn[s, z], self.turn[key])) for key in others)

    def seen(self, t: Site, s: Site, z: int) -> list[Top]:
        """What may be the top of t when (s, z) is put: when it is, and when it has which colour."""
        tops: list[Top] = []
        top = self.sites.tops[t]
        for number, y in enumerate(self.sizes):
            covered = [no(self.before(t, smaller, s, z)) for smaller in self.sizes[number + 1 :]]
            on_top = every([self.before(t, y, s, z), *covered])
            tops.append((on_top, {c: self.at[t, y, c] for c in self.colours if (t, y, c) in self.at}))
        if top:
            bare = every(no(self.before(t, y, s, z)) for y in self.sizes)
            tops.append((bare, {top.colour: TRUE}))
        return tops

    def stands_right(self, s: Site, z: int, c: str, tops: list[Top]) -> Bool:
        """The tops beside s at its turn, by readings palace_adjacent and palace_island."""
        fits = some(every([on_top, colours[c]]) for on_top, colours in tops if c in colours)
        if self.readings["palace_adjacent"] == "every_neighbour":
            fits = every([fits, *(implies(on_top, colours.get(c, FALSE)) for on_top, colours in tops)])
        if self.readings["palace_island"] == "no":
            return fits
        apart = every([no(some(on_top for on_top, _ in tops)), self.is_near(s, z)])
        return some([fits, apart])

    def is_near(self, s: Site, z: int) -> Bool:
        """An island is at most two columns and two rows away from a stack."""
        x, y = _cell(s)
        near = [t for t in self.sites.tops if t != s and max(abs(_cell(t)[0] - x), abs(_cell(t)[1] - y)) <= 2]
        if any(self.sites.tops[t] for t in near):
            return TRUE
        return some(self.before(t, size, s, z) for t in near for size in self.sizes)


def is_built(code: Palace, palace: Structure, left: Stack, k: int) -> bool:
    """Is there a build of k? Few pyramids are asked of z3 on few cells, many, or islands, are tried by hand; then the
    limit is asked, which islands do not have because they can always stand apart; and in the end all cells that matter.
    """
    readings = code.readings
    island = readings["palace_island"] == "yes"
    few = k < MANY and not island
    enough = 2 * k if island else k if palace else k - 1
    first = min(2 if island else 1, enough)
    spans = [first, *range(first + 1, enough, 2), *([enough] if enough > first else [])]
    if Build(cells(palace, readings, first), left, k, readings).exists() if few else Trial(code).shows(palace, left, k):
        return True
    if not island and not Limit(palace, left, k, readings).is_kept():
        return False
    return any(Build(cells(palace, readings, far), left, k, readings).exists() for far in spans[few:])
