"""Nest race: stacks that are decided only as far as the engine looks, and what it saw in the spec's words.

Sizes grow upward in a stack, so under a pyramid only smaller ones are tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

from rulecheck.cases import Observer, Question
from rulecheck.games.nestrace import SIZES, Position
from rulecheck.pyramids import Pyramid, Stack
from solvers.smt import FALSE, TRUE, Bool, every, no, some
from specs.nestrace.spec import Spec
from specs.nestrace.spec_scene import Scene, View


@dataclass(frozen=True, eq=False)
class Tower:
    """The unknown stack of a square, less `dropped` pyramids from its top, plus the known `pushed` ones."""

    observer: Observer
    place: int
    colours: tuple[str, ...]
    dropped: int = 0
    pushed: tuple[Pyramid, ...] = ()

    @property
    def is_untouched(self) -> bool:
        return not self.dropped and not self.pushed

    def __bool__(self) -> bool:
        return bool(self.pushed) or self._taken(self.dropped)

    def _room(self, depth: int) -> range:
        """The sizes that can lie so deep, as far as is known."""
        above = self.observer.known.get(("at", self.place, depth - 1))
        return range(1, above.pips if above else len(SIZES) + 1 - depth)

    def _taken(self, depth: int) -> bool:
        if not self._room(depth):
            return False
        return bool(self.observer.ask(("taken", self.place, depth), (False, True)))

    def _at(self, depth: int) -> Pyramid:
        kinds = [Pyramid(c, z) for c in self.colours for z in self._room(depth)]
        pyramid: Pyramid = self.observer.ask(("at", self.place, depth), kinds)
        return pyramid

    def __getitem__(self, index: int | slice) -> Any:
        if index == -1:
            if self.pushed:
                return self.pushed[-1]
            if not self._taken(self.dropped):
                raise IndexError("empty stack")
            return self._at(self.dropped)
        if index == slice(None, -1):
            if self.pushed:
                return Tower(self.observer, self.place, self.colours, self.dropped, self.pushed[:-1])
            return Tower(self.observer, self.place, self.colours, self.dropped + 1) if self else self
        raise TypeError(f"a stack under proof is looked at from the top, not by {index!r}")

    def __add__(self, other: tuple[Pyramid, ...]) -> Tower:
        return Tower(self.observer, self.place, self.colours, self.dropped, self.pushed + other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple):
            return NotImplemented
        known = len(self.pushed)
        if len(other) < known or other[len(other) - known :] != self.pushed:
            return False
        rest = other[: len(other) - known]
        return bool(self.observer.ask(("is", self.place, self.dropped, rest), (False, True)))

    __hash__ = None  # type: ignore[assignment]  # an undecided stack has no identity to hash


def towers(spec: Spec, observer: Observer) -> Any:
    """A stack of every square, nothing about them decided."""
    return tuple(Tower(observer, s, colours) for s, colours in enumerate(_colours(spec)))


def _colours(spec: Spec) -> list[tuple[str, ...]]:
    """Whose pyramids may lie on each square."""
    if "colours" not in spec.scene.made:
        letters, at = spec.params.letters, spec.scene.at
        spec.scene.made["colours"] = [tuple(c for c in letters if (s, 1, c) in at) for s in spec.squares]
    colours: list[tuple[str, ...]] = spec.scene.made["colours"]
    return colours


def undecided(spec: Spec, observer: Observer, mover: str) -> Position:
    return Position(mover, towers(spec, observer), spec.params.squares)


# -- The same in the spec's variables ------------------------------------------------------------------------


def under(scene: Scene, s: int, z: int, count: int, *, exactly: bool = True) -> Bool:
    """So many pyramids lie above size z on square s (or at least so many)."""
    key = ("under", s, z, count, exactly)
    if key not in scene.made:
        scene.made[key] = _under(scene, s, SIZES[z:], count, exactly)
    return scene.made[key]


def _under(scene: Scene, s: int, above: Sequence[int], count: int, exactly: bool) -> Bool:
    x = View(scene)
    return some(
        every([x.taken(s, [size]) if size in chosen else no(x.taken(s, [size])) for size in above])
        for number in ((count,) if exactly else range(count, len(above) + 1))
        for chosen in combinations(above, number)
    )


def seen_term(scene: Scene, question: Question, answer: Any) -> Bool:
    """An observation as a term."""
    kind, *about = question
    terms: dict[Any, Any] = {"taken": _taken, "at": _lies, "is": _stack_is}
    return terms[kind](scene, answer, *about)


def _taken(scene: Scene, answer: bool, s: int, depth: int) -> Bool:
    deep = under(scene, s, 0, depth + 1, exactly=False)
    return deep if answer else no(deep)


def _lies(scene: Scene, answer: Pyramid, s: int, depth: int) -> Bool:
    return every([View(scene).has(s, answer.pips, answer.colour), under(scene, s, answer.pips, depth)])


def _stack_is(scene: Scene, answer: bool, s: int, dropped: int, stack: Stack) -> Bool:
    if any(below.pips >= above.pips for below, above in pairwise(stack)):
        return FALSE if answer else TRUE
    x, sizes = View(scene), {k.pips for k in stack}
    highest = max(sizes, default=0)
    lies = [x.has(s, k.pips, k.colour) for k in stack]
    lies += [no(x.taken(s, [z])) for z in range(1, highest) if z not in sizes]
    same = every([*lies, under(scene, s, highest, dropped)])
    return same if answer else no(same)


def wrong_stack(scene: Scene, s: int, tower: Tower, wanted: dict[tuple[int, int, str], Bool]) -> Bool:
    """The engine's stack on s is not what the spec wants there."""
    x, differences = View(scene), []
    for z in SIZES:
        deep_enough = under(scene, tower.place, z, tower.dropped, exactly=False)
        for c in scene.params.letters:
            kept = every([x.has(tower.place, z, c), deep_enough])
            engine_says = TRUE if Pyramid(c, z) in tower.pushed else kept
            differences.append(_differ(wanted.get((s, z, c), FALSE), engine_says))
    return some(differences)


def _differ(first: Bool, second: Bool) -> Bool:
    return some([every([first, no(second)]), every([no(first), second])])


def slots(scene: Scene, left: tuple[int, int, str], taken: tuple[int, int, str]) -> dict[tuple[int, int, str], Bool]:
    """What lies where after one pyramid has gone from a slot to another."""
    return {slot: TRUE if slot == taken else FALSE if slot == left else v for slot, v in scene.at.items()}
