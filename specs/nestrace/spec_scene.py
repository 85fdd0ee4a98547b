"""Nest race: what lies where, as Booleans; and how a ground term is looked up for one concrete position.

A stack grows upward in size, so it is told by its sizes: `at[s, z, c]` says that the pyramid of size z on square s
is there and has colour c. The same terms go to z3, which treats every position at once, and to `Values`, which
treats one position at a time and much faster.

Glossary: s, t, q squares; z a size; c a colour, that is, a player; o the square a pyramid was lifted from.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import z3

from rulecheck.games.nestrace import SIZES, Params
from rulecheck.pyramids import Pyramid, Stack
from solvers.smt import FALSE, Bool, at_most, every, exactly, no, some

Flags = tuple[bool, ...]
Value = Callable[[Flags], bool]


class Scene:
    """All pyramids in their places. `standing` says where a player's pyramids can ever stand (NR-27)."""

    def __init__(self, params: Params, standing: Callable[[str, int], bool]) -> None:
        self.params = params
        self.squares = range(len(params.squares))
        self.at: dict[tuple[int, int, str], Bool] = {
            (s, z, c): z3.Bool(f"{params.squares[s]}:{c}{z}")
            for s in self.squares
            for z in SIZES
            for c in params.letters
            if standing(c, s)
        }
        self.slots = list(self.at.values())  # in board order, small to large, and in the order of the players
        self.number = {slot: n for n, slot in enumerate(self.at)}
        self.absent = {slot: no(v) for slot, v in self.at.items()}
        self.made: dict[Hashable, Bool] = {}  # terms that are asked for again and again

    def arrangement(self) -> list[Bool]:
        """NR-12, NR-19: one pyramid of a size on a square at most."""
        slots = [[self.at[s, z, c] for c in self.params.letters if (s, z, c) in self.at] for s, z in self._levels()]
        return [at_most(slot, 1) for slot in slots if len(slot) > 1]

    def counts(self) -> list[Bool]:
        """NR-05, NR-34: every player has all own nests."""
        kinds = [(z, c) for z in SIZES for c in self.params.letters]
        return [exactly([v for (_, *kind), v in self.at.items() if (*kind,) == k], self.params.nests) for k in kinds]

    def _levels(self) -> list[tuple[int, int]]:
        return [(s, z) for s in self.squares for z in SIZES]

    def facts(self, stacks: Sequence[Stack]) -> list[Bool]:
        """Literals that fix every square."""
        there = {(s, k.pips, k.colour) for s, stack in enumerate(stacks) for k in stack}
        return [v if slot in there else self.absent[slot] for slot, v in self.at.items()]

    def flags(self, stacks: Sequence[Stack]) -> Flags:
        flags = [False] * len(self.at)
        for s, stack in enumerate(stacks):
            for k in stack:
                flags[self.number[s, k.pips, k.colour]] = True
        return tuple(flags)

    def stacks(self, true: Callable[[Bool], bool]) -> tuple[Stack, ...]:
        """The stacks in which exactly these variables are true."""
        stacks: list[list[Pyramid]] = [[] for _ in self.squares]
        for (s, z, c), v in self.at.items():
            if true(v):
                stacks[s].append(Pyramid(c, z))
        return tuple(tuple(sorted(stack, key=lambda k: k.pips)) for stack in stacks)


class View:
    """A scene as it is, or with one pyramid in the air: then its square holds only what lay under it."""

    def __init__(self, scene: Scene, origin: int = -1, size: int = 0) -> None:
        self.scene, self.origin, self.size = scene, origin, size

    def has(self, s: int, z: int, c: str) -> Bool:
        if s == self.origin and z >= self.size:
            return FALSE
        return self.scene.at.get((s, z, c), FALSE)

    def holds(self, s: int, colours: Iterable[str], sizes: Iterable[int] = SIZES) -> Bool:
        key = (s, self.size if s == self.origin else 0, tuple(colours), tuple(sizes))
        if key not in self.scene.made:
            self.scene.made[key] = some(self.has(s, z, c) for c in key[2] for z in key[3])
        return self.scene.made[key]

    def taken(self, s: int, sizes: Iterable[int] = SIZES) -> Bool:
        return self.holds(s, self.scene.params.letters, sizes)

    def top(self, s: int, z: int, colours: Iterable[str]) -> Bool:
        """The top of s has this size, and one of these colours."""
        return every([self.holds(s, colours, [z]), no(self.taken(s, range(z + 1, SIZES[-1] + 1)))])


class Values:
    """Ground terms over a scene as plain functions of its flags."""

    words = "lambda v: ", "(not {})", " and ", " or ", "False", "True"

    def __init__(self, scene: Scene) -> None:
        self._texts = {v.get_id(): (v, f"v[{scene.number[slot]}]") for slot, v in scene.at.items()}

    def compiled(self, term: Bool) -> Any:
        return eval(self.words[0] + self._text(term))  # the text is made here, from a term

    def _text(self, term: Bool) -> str:
        """Parts occur in many terms; they are kept with their text, so that their numbers stay theirs."""
        if term.get_id() not in self._texts:
            self._texts[term.get_id()] = (term, self._made(term))
        return self._texts[term.get_id()][1]

    def _made(self, term: Bool) -> str:
        _, negated, both, either, false, true = self.words
        kind, parts = term.decl().kind(), [self._text(part) for part in term.children()]
        if kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE):
            return true if kind == z3.Z3_OP_TRUE else false
        if kind == z3.Z3_OP_NOT:
            return negated.format(parts[0])
        joined = {z3.Z3_OP_AND: both, z3.Z3_OP_OR: either}[kind].join(parts)
        return f"({joined})"


class ManyValues(Values):
    """The same for many positions at once: v holds a number for each slot, in which bit i is position i's; f is all."""

    words = "lambda v, f: ", "(f ^ {})", " & ", " | ", "0", "f"
