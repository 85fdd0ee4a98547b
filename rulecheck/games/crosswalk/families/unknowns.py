"""Crosswalk: stacks, and the pyramids crossed in a walk, revealed only as far as the engine looks.

What lies at a depth below the top is a field, and so is whether a pyramid has been crossed. Whether a whole stack is a
certain one is a field of its own: asking depth by depth would make several cases where the engine asks once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rulecheck.cases import Observer
from rulecheck.fields import Facts, Undecided
from rulecheck.pyramids import Pyramid

NO_OR_YES = (False, True)  # the first value is tried first
NOTHING = "nothing"
unknown = Facts()


def points(observer: Observer, die: int) -> Undecided:
    """The points left: those of a roll, less what was spent."""
    return unknown(tuple(range(die + 1)), "points").undecided(observer)


@dataclass(frozen=True, eq=False)
class LazyStack:
    """A stack that behaves like a tuple of pyramids.

    It is the unknown stack of a place, less `dropped` pyramids from its top, plus the known `pushed` ones.
    """

    observer: Observer
    place: int
    kinds: tuple[Pyramid, ...]
    dropped: int = 0
    pushed: tuple[Pyramid, ...] = ()

    def _at(self, depth: int) -> Pyramid | None:
        """The pyramid at this depth below the top (0 is the top)."""
        if depth < len(self.pushed):
            return self.pushed[-1 - depth]
        below = unknown((NOTHING, *map(str, self.kinds)), "at", self.place, depth - len(self.pushed) + self.dropped)
        text = below.decided(self.observer)
        return next((kind for kind in self.kinds if str(kind) == text), None)

    def __bool__(self) -> bool:
        return self._at(0) is not None

    def __getitem__(self, index: int | slice) -> Any:
        if index == -1:
            top = self._at(0)
            if top is None:
                raise IndexError("empty stack")
            return top
        if index == slice(None, -1):
            if self.pushed:
                return LazyStack(self.observer, self.place, self.kinds, self.dropped, self.pushed[:-1])
            return LazyStack(self.observer, self.place, self.kinds, self.dropped + 1)
        raise TypeError(f"a stack under proof is looked at from the top, not by {index!r}")

    def __add__(self, other: tuple[Pyramid, ...]) -> LazyStack:
        return LazyStack(self.observer, self.place, self.kinds, self.dropped, self.pushed + other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple):
            return NotImplemented
        pushed, rest = self.pushed, other
        if len(rest) < len(pushed) or rest[len(rest) - len(pushed) :] != pushed:
            return False
        rest = tuple(map(str, rest[: len(rest) - len(pushed)]))
        return bool(unknown(NO_OR_YES, "is", self.place, self.dropped, rest).decided(self.observer))

    __hash__ = None  # type: ignore[assignment]  # an undecided stack has no identity to hash


@dataclass(frozen=True)
class LazySet:
    """A set known only through membership."""

    observer: Observer
    added: frozenset[Pyramid] = field(default_factory=frozenset)

    def __contains__(self, item: Pyramid) -> bool:
        return item in self.added or bool(unknown(NO_OR_YES, "crossed", item).decided(self.observer))

    def __or__(self, more: frozenset[Pyramid] | set[Pyramid]) -> LazySet:
        return LazySet(self.observer, self.added | more)
