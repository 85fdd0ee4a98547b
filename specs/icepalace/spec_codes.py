"""Ice Palace: the codes of worksite and palace as ground terms over the surroundings of one cell.

A placement is judged by what stands on its cell and on the cells around it, wherever on the endless grid that is: so
a *window* holds the cell as HERE and the others by how far east and north of it they are. Whether the structure has
begun, and whether the cell is 0,0, are two more Booleans; nothing else is looked at. Stacks rise in size on the
worksite and fall in the palace, so a stack is told by its sizes: `at[p, z, c]` says that on p there is a pyramid of
size z, in colour c.

Glossary: p a place of the window; z a size; c the colour of the new pyramid, d another; kept a set of clauses.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import product

import z3

from rulecheck.games.icepalace import BLACK, SIZES, WHITE, Cell
from rulecheck.model import Readings
from rulecheck.pyramids import LARGE, Pyramid, Stack
from solvers.smt import FALSE, TRUE, Answer, Asker, Bool, at_most, every, some

HERE: Cell = (0, 0)
KEPT = (("16",), ("16", "17"), ("16", "17", "18"))  # of the clauses on matching
Clauses = dict[str, Bool]
Flag = tuple[Cell, int, str] | str  # (place, size, colour), or the name of another Boolean


def implies(condition: Bool, what: Bool) -> Bool:
    return z3.Or(z3.Not(condition), what)


def is_beside(readings: Readings, one: Cell, other: Cell) -> bool:
    """IP-20, reading grid: cells that share a side, or a corner too."""
    across, along = abs(one[0] - other[0]), abs(one[1] - other[1])
    return max(across, along) == 1 if readings["grid"] == "king" else across + along == 1


class Window:
    """What stands around a cell, up to `reach` columns and rows away; `rising` stacks have the largest on top."""

    def __init__(self, name: str, colours: Sequence[str], reach: int, rising: bool) -> None:
        self.colours = tuple(colours)
        self.upwards = SIZES if rising else SIZES[::-1]
        span = range(-reach, reach + 1)
        self.places: list[Cell] = sorted(product(span, span), key=lambda p: (abs(p[0]) + abs(p[1]), p))
        self.at = {
            (p, z, c): z3.Bool(f"{name}{p[0]},{p[1]}:{c}{z}") for p in self.places for z in SIZES for c in self.colours
        }
        self.begun, self.origin = z3.Bool(f"{name} begun"), z3.Bool(f"{name} origin")
        flags = [*self.at.values(), self.begun, self.origin]
        self._signs = {flag: (flags[number], z3.Not(flags[number])) for number, flag in enumerate(self._flags())}
        self._made: dict[Hashable, Bool] = {}  # terms that are asked for again and again
        self._names = {v.get_id(): f"({flag!r} in x)" for flag, (v, _) in self._signs.items()}

    def _flags(self) -> list[Flag]:
        return [*self.at, "begun", "origin"]

    def arrangement(self) -> list[Bool]:
        """One pyramid of a size in a stack at most; where something stands, the structure has begun."""
        constraints = [at_most([self.at[p, z, c] for c in self.colours], 1) for p in self.places for z in SIZES]
        return [*constraints, implies(some(map(self.taken, self.places)), self.begun)]

    def has(self, p: Cell, colours: Iterable[str], sizes: Iterable[int] = SIZES) -> Bool:
        key = (p, tuple(colours), tuple(sizes))
        if key not in self._made:
            self._made[key] = some(self.at[p, z, c] for c in key[1] for z in key[2] if (p, z, c) in self.at)
        return self._made[key]

    def taken(self, p: Cell) -> Bool:
        return self.has(p, self.colours)

    def top(self, p: Cell, sizes: Iterable[int], colours: Iterable[str]) -> Bool:
        """The highest pyramid of p has one of these sizes and one of these colours."""
        return self._end(p, self.upwards, tuple(sizes), tuple(colours))

    def base(self, p: Cell, colours: Iterable[str]) -> Bool:
        """The lowest pyramid of p has one of these colours."""
        return self._end(p, self.upwards[::-1], SIZES, tuple(colours))

    def _end(self, p: Cell, towards: Sequence[int], sizes: Sequence[int], colours: Sequence[str]) -> Bool:
        key = (p, towards, sizes, colours)
        if key not in self._made:
            levels = [(z, towards[number + 1 :]) for number, z in enumerate(towards) if z in sizes]
            ends = [z3.And(self.has(p, colours, [z]), z3.Not(self.has(p, self.colours, more))) for z, more in levels]
            self._made[key] = some(ends)
        return self._made[key]

    def true(self, look: Callable[[Cell], Stack], begun: bool, origin: bool) -> frozenset[Flag]:
        """The flags that are true of these surroundings."""
        there: set[Flag] = {(p, k.pips, k.colour) for p in self.places for k in look(p)}
        return frozenset(there | {name for name, so in (("begun", begun), ("origin", origin)) if so})

    def facts(self, true: frozenset[Flag]) -> list[Bool]:
        """Literals that fix the window."""
        return [yes if flag in true else no for flag, (yes, no) in self._signs.items()]

    def compiled(self, term: Bool) -> Callable[[frozenset[Flag]], bool]:
        """A ground term as a plain function of the flags that are true, for one position at a time."""
        value: Callable[[frozenset[Flag]], bool] = eval(f"lambda x: {self._text(term)}")  # text made here, from a term
        return value

    def _text(self, term: Bool) -> str:
        if z3.is_true(term) or z3.is_false(term):
            return str(z3.is_true(term))
        if term.get_id() not in self._names:
            parts = [self._text(part) for part in term.children()]
            word = " and " if z3.is_and(term) else " or "
            self._names[term.get_id()] = f"(not {parts[0]})" if z3.is_not(term) else f"({word.join(parts)})"
            self._made[term.get_id()] = term  # kept, so that no other term gets its number
        return self._names[term.get_id()]


class Code:
    """One of the two codes: for every kind of pyramid a term for each clause. All true means that it may be put."""

    rising: bool
    reach = 1

    def __init__(self, name: str, colours: Sequence[str], readings: Readings) -> None:
        self.readings = readings
        self.window = Window(name, colours, self.reach, self.rising)
        self.near = [p for p in self.window.places if is_beside(readings, HERE, p)]
        self.asker = Asker()
        self.asker.add(*self.window.arrangement())
        self._terms: dict[Pyramid, Clauses] = {}
        self._literals: dict[Pyramid, Clauses] = {}
        self.broken = functools.lru_cache(maxsize=100_000)(self._broken)
        self._compiled: dict[Pyramid, Callable[[frozenset[Flag]], bool]] = {}

    @property
    def stacked(self) -> Bool:
        return self.window.taken(HERE)

    @property
    def opened(self) -> Bool:
        """A new stack, and not the first."""
        return z3.And(self.window.begun, z3.Not(self.stacked))

    def clauses(self, pyramid: Pyramid) -> Clauses:
        raise NotImplementedError

    def terms(self, pyramid: Pyramid) -> Clauses:
        if pyramid not in self._terms:
            self._terms[pyramid] = self.clauses(pyramid)
        return self._terms[pyramid]

    def literals(self, pyramid: Pyramid) -> Clauses:
        """For each clause an assumption that says the same."""
        if pyramid not in self._literals:
            named = {clause: self.asker.name(term, clause) for clause, term in self.terms(pyramid).items()}
            self._literals[pyramid] = named
        return self._literals[pyramid]

    def _broken(self, pyramid: Pyramid, true: frozenset[Flag]) -> frozenset[str]:
        """All clauses that are false of this pyramid here, by z3."""
        literals = self.literals(pyramid)
        if self.asker.ask(*self.window.facts(true)) is not Answer.YES:
            raise ValueError("no such surroundings in this game")
        return frozenset(clause for clause, literal in literals.items() if not self.asker.holds(literal))

    def fits(self, pyramid: Pyramid, true: frozenset[Flag]) -> bool:
        """Are all clauses true here? The same terms, looked up; for long lists."""
        if pyramid not in self._compiled:
            self._compiled[pyramid] = self.window.compiled(every(self.terms(pyramid).values()))
        return self._compiled[pyramid](true)


class Worksite(Code):
    rising = True

    def clauses(self, pyramid: Pyramid) -> Clauses:
        c, z = pyramid
        w, smaller = self.window, [s for s in SIZES if s < z]
        by_16, by_17, by_18 = (self.matches(c, kept) for kept in KEPT)
        black_top = w.top(HERE, SIZES, [BLACK]) if self.readings["onto_black"] == "no" else FALSE
        fits = z3.And(w.top(HERE, smaller, w.colours), TRUE if self.may_be_stacked(c) else FALSE)
        return {
            # The first pyramid gives the grid its coordinates.
            "IP-19": z3.Or(w.begun, w.origin),
            # A larger one goes on a smaller top, if its colour may be stacked; so nothing goes on a large one.
            "IP-14": implies(self.stacked, fits),
            "IP-15": z3.Not(w.top(HERE, [LARGE], w.colours)),
            # A new stack matches; each clause is blamed for what the ones before it would have let pass.
            "IP-16": implies(self.opened, by_16),
            "IP-17": z3.And(z3.Not(black_top), implies(z3.And(self.opened, by_16), by_17)),
            "IP-18": implies(z3.And(self.opened, by_17), by_18),
        }

    def may_be_stacked(self, c: str) -> bool:
        """Reading stacking."""
        barred = {"any_colour": "", "player_and_white": BLACK, "player_colours": BLACK + WHITE}
        return c not in barred[self.readings["stacking"]]

    def pair(self, c: str, d: str, kept: Sequence[str]) -> bool:
        """Two colours match as far as these clauses go."""
        one_white, both_white = WHITE in (c, d), c == d == WHITE
        says = {
            "16": c == d or one_white,
            "17": BLACK not in (c, d),
            "18": not both_white or self.readings["white_white"] == "match",
        }
        return all(says[clause] for clause in kept)

    def matches_stack(self, p: Cell, c: str, kept: Sequence[str]) -> Bool:
        """Reading match: which pyramids of the stack have to match."""
        w = self.window
        good = [d for d in w.colours if self.pair(c, d, kept)]
        if self.readings["match"] == "all":
            return z3.And(w.taken(p), z3.Not(w.has(p, [d for d in w.colours if d not in good])))
        if self.readings["match"] == "any":
            return w.has(p, good)
        return w.base(p, good) if self.readings["match"] == "base" else w.top(p, SIZES, good)

    def matches(self, c: str, kept: Sequence[str]) -> Bool:
        """IP-16, reading adjacent: which stacks have to match."""
        good = {p: self.matches_stack(p, c, kept) for p in self.near}
        one = some(good.values())
        if self.readings["adjacent"] == "some_neighbour":
            return one
        return z3.And(one, every(implies(self.window.taken(p), term) for p, term in good.items()))


class Palace(Code):
    rising = False
    reach = 2  # as far as an island may be from a stack

    def clauses(self, pyramid: Pyramid) -> Clauses:
        c, z = pyramid
        w, larger = self.window, [s for s in SIZES if s > z]
        under = [c] if self.readings["palace_stack"] == "same_colour" else w.colours
        never_begins = self.readings["palace_first"] == "literal" and self.readings["palace_island"] == "no"
        return {
            "IP-19": z3.Or(w.begun, w.origin),
            # A smaller one goes on a larger top; so nothing goes on a small one.
            "IP-30": implies(self.stacked, w.top(HERE, larger, under)),
            # A new stack stands beside one whose top has its colour.
            "IP-31": z3.And(w.begun if never_begins else TRUE, implies(self.opened, self.stands_right(c))),
        }

    def stands_right(self, c: str) -> Bool:
        """Readings palace_adjacent and palace_island."""
        w = self.window
        taken = {p: w.taken(p) for p in self.near}
        good = {p: w.top(p, SIZES, [c]) for p in self.near}
        fits = some(good.values())
        if self.readings["palace_adjacent"] == "every_neighbour":
            fits = z3.And(fits, every(implies(taken[p], good[p]) for p in self.near))
        if self.readings["palace_island"] == "no":
            return fits
        return z3.Or(fits, z3.And(z3.Not(some(taken.values())), some(map(w.taken, w.places))))
