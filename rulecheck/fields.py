"""Positions made of fields with finite domains, declared once.

One declaration yields the concrete value (`State`) with its text and its number, the position that decides a field only
when the engine reads it (for proofs by complete case analysis) and, in `rulecheck.terms`, the terms of constraints.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any

from rulecheck.cases import Observer
from rulecheck.model import InputError

Value = str | int


@dataclass(frozen=True)
class Field:
    """A place, a count or a player: one of some values.

    `empty` is the value for nothing: texts omit it, and the smallest position has most of it.
    A `bare` field is written as its value alone, at the head of the text.
    """

    name: str
    domain: tuple[Value, ...]
    empty: Value | None = None
    bare: bool = False

    def __post_init__(self) -> None:
        texts = [str(value) for value in self.domain]
        if not texts or len(set(texts)) != len(texts) or any(not t or set(t) & set(" :") for t in (self.name, *texts)):
            raise InputError(f"field {self.name!r}: a domain is different values without blanks or colons")
        if self.empty is not None and self.empty not in self.domain:
            raise InputError(f"field {self.name!r}: its empty value {self.empty!r} is not in its domain")
        if self.bare and self.empty is not None:
            raise InputError(f"field {self.name!r}: a bare field is always written, so it has no empty value")

    @property
    def fullest_first(self) -> tuple[Value, ...]:
        """Its values in the order of texts: what stands there comes before what is left out."""
        return tuple(v for v in self.domain if v != self.empty) + tuple(v for v in self.domain if v == self.empty)

    def undecided(self, observer: Observer) -> Undecided:
        """Its value, decided as far as it is looked at."""
        return Undecided(Cell(observer, self.name, list(self.domain)))

    def decided(self, observer: Observer) -> Any:
        """Its value, decided completely."""
        return self.undecided(observer).decided()


class Facts:
    """Fields that come up one by one, named for what they are about: `facts((1, 2, 3), "pips", "a1")` is `pips.a1`."""

    def __init__(self) -> None:
        self.about: dict[str, tuple[Any, ...]] = {}
        self._made: dict[tuple[Any, ...], Field] = {}

    def __call__(self, domain: tuple[Value, ...], *about: Hashable) -> Field:
        key = (domain, about)
        if key not in self._made:
            field = Field(".".join(str(part).replace(" ", "") for part in about), domain)
            self._made[key], self.about[field.name] = field, about
        return self._made[key]


class Fields:
    """The fields of a game's positions, in the order of its notation.

    Each symmetry says for some fields whose value they take; the others keep theirs.
    """

    def __init__(self, fields: Sequence[Field], symmetries: Sequence[Mapping[str, str]] = ()) -> None:
        self.fields = tuple(fields)
        self.place = {field.name: at for at, field in enumerate(self.fields)}
        self.bare = sum(field.bare for field in self.fields)
        if len(self.place) != len(self.fields) or not all(field.bare for field in self.fields[: self.bare]):
            raise InputError("fields have different names, and bare ones come first")
        self.symmetries = tuple(self._as_places(symmetry) for symmetry in symmetries)

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __getitem__(self, name: str) -> Field:
        return self.fields[self.place[name]]

    @property
    def size(self) -> int:
        """The number of arrangements."""
        return math.prod(len(field.domain) for field in self.fields)

    def state(self, values: Mapping[str, Value] | None = None) -> State:
        """An arrangement with these values; every other field is empty."""
        given = dict(values or {})
        unknown = given.keys() - self.place.keys()
        if unknown:
            raise InputError(f"no field is called {sorted(unknown)[0]!r}")
        row = [given.get(field.name, field.empty) for field in self.fields]
        for field, value in zip(self.fields, row, strict=True):
            if value not in field.domain:
                raise InputError(f"field {field.name!r} takes {_listed(field.domain)}, found {value!r}")
        return State(self, tuple(row))  # type: ignore[arg-type]  # each value is in its field's domain

    def read(self, text: str) -> State:
        """Read an arrangement from its text, as `str` prints it; an error names the column."""
        words, column = [], 1
        for word in text.split(" "):
            if word:
                words.append((column, word))
            column += len(word) + 1
        values: dict[str, Value] = {}
        for at, field in enumerate(self.fields[: self.bare]):
            column, word = words[at] if at < len(words) else (len(text) + 1, "")
            values[field.name] = _read(field, word, column)
        for column, word in words[self.bare :]:
            name, colon, value = word.partition(":")
            if not colon or name not in self.place or self[name].bare:
                raise InputError(f"column {column}: expected FIELD:VALUE, found {word!r}")
            if name in values:
                raise InputError(f"column {column}: field {name!r} stands twice")
            values[name] = _read(self[name], value, column + len(name) + 1)
        for field in self.fields:
            if field.name not in values and field.empty is None:
                raise InputError(f"column {len(text) + 1}: expected field {field.name!r}")
        return self.state(values)

    # -- As numbers -------------------------------------------------------------------------------------------

    def pack(self, state: State) -> int:
        """The number of an arrangement, from 0 to `size` - 1."""
        number = 0
        for rank, value in zip(self._ranks, state.values, strict=True):
            number = number * len(rank) + rank[value]
        return number

    def unpack(self, number: int) -> State:
        if not 0 <= number < self.size:
            raise InputError(f"there are {self.size:,} arrangements, and none has the number {number}")
        values = []
        for field in reversed(self.fields):
            number, place = divmod(number, len(field.domain))
            values.append(field.domain[place])
        return State(self, tuple(reversed(values)))

    # -- Symmetry ---------------------------------------------------------------------------------------------

    def _as_places(self, symmetry: Mapping[str, str]) -> tuple[int, ...]:
        places = list(range(len(self.fields)))
        for name, source in symmetry.items():
            if name not in self.place or source not in self.place or self[name].domain != self[source].domain:
                raise InputError(f"a symmetry takes {name!r} to {source!r}, which are not two fields of one domain")
            places[self.place[name]] = self.place[source]
        if len(set(places)) != len(places):
            raise InputError("a symmetry takes two fields to one place")
        return tuple(places)

    @cached_property
    def group(self) -> list[tuple[int, ...]]:
        """The group that the symmetries generate; each element lists the places that values are taken from."""
        group = [tuple(range(len(self.fields)))]
        known = set(group)
        for places in group:
            for symmetry in self.symmetries:
                image = tuple(places[at] for at in symmetry)
                if image not in known:
                    known.add(image)
                    group.append(image)
        return group

    def images(self, state: State) -> set[State]:
        """All symmetric images of a state."""
        return {State(self, tuple(state.values[at] for at in places)) for places in self.group}

    def alike(self, state: State) -> State:
        """The first of all symmetric states, by number."""
        if not self.symmetries:
            return state
        ranks = [rank[value] for rank, value in zip(self._ranks, state.values, strict=True)]
        first = min([ranks[at] for at in places] for places in self.group)
        return State(self, tuple(field.domain[at] for field, at in zip(self.fields, first, strict=True)))

    @cached_property
    def _ranks(self) -> list[dict[Value, int]]:
        return [{value: at for at, value in enumerate(field.domain)} for field in self.fields]

    # -- Undecided --------------------------------------------------------------------------------------------

    def undecided(self, observer: Observer) -> State:
        """An arrangement whose fields are decided when they are read."""
        cells = (field.undecided(observer) for field in self.fields)
        return State(self, tuple(cells))  # type: ignore[arg-type]  # they answer as values do


def _listed(domain: Sequence[Value]) -> str:
    texts = [str(value) for value in domain]
    return ", ".join(texts) if len(texts) < 12 else f"{texts[0]}, {texts[1]}, ... {texts[-1]}"


def _read(field: Field, text: str, column: int) -> Value:
    for value in field.domain:
        if str(value) == text:
            return value
    seen = f"found {text[:40]!r}" if text else "found nothing"
    raise InputError(f"column {column}: {field.name} is one of {_listed(field.domain)}; {seen}")


@dataclass(frozen=True)
class State:
    """One arrangement: `state["a1"]` is what a field holds."""

    fields: Fields
    values: tuple[Value, ...]

    def __getitem__(self, name: str) -> Value:
        return self.values[self.fields.place[name]]

    def number(self, name: str) -> int:
        """What a field of numbers holds."""
        return self[name]  # type: ignore[return-value]  # the caller knows the domain

    def text(self, name: str) -> str:
        """What a field of texts holds."""
        return self[name]  # type: ignore[return-value]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.values == other.values

    def __hash__(self) -> int:
        return hash(self.values)

    def replace(self, changes: Mapping[str, Value]) -> State:
        values = list(self.values)
        for name, value in changes.items():
            values[self.fields.place[name]] = value
        return State(self.fields, tuple(values))

    def __str__(self) -> str:
        shown = zip(self.fields, self.values, strict=True)
        return " ".join(str(v) if f.bare else f"{f.name}:{v}" for f, v in shown if f.bare or v != f.empty)

    def __repr__(self) -> str:
        return f"State({str(self)!r})"


# -- Values that are decided when they are read ---------------------------------------------------------------


@dataclass(eq=False)
class Cell:
    """The values a field may still hold, given the answers so far."""

    observer: Observer
    name: str
    possible: list[Value]

    def split(self, inside: Sequence[bool]) -> bool:
        """Is the value among those marked? Decided only if the answers so far leave it open."""
        if all(inside):
            return True
        marked = tuple(compress(self.possible, inside))
        if not marked:
            return False
        answer = bool(self.observer.ask((self.name, marked), (True, False)))
        self.possible = list(marked) if answer else list(compress(self.possible, map(operator.not_, inside)))
        return answer


def _operation(apply: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    """An operation with the undecided value before and after the other one. It stays undecided."""

    def before(self: Undecided, other: Any) -> Undecided:
        known = plain(other)
        return self._then(lambda v: apply(v, known))

    def after(self: Undecided, other: Any) -> Undecided:
        return self._then(lambda v: apply(other, v))

    return before, after


class Undecided:
    """A value that behaves like the real one and decides no more than it must.

    Comparisons split the possible values; results of arithmetic, and parts of a text, stay undecided; anything else
    (hashing, printing, a method of text) decides the value completely.
    """

    __slots__ = ("cell", "view")

    def __init__(self, cell: Cell, view: Callable[[Any], Any] | None = None) -> None:
        self.cell, self.view = cell, view

    def seen(self, value: Value) -> Any:
        """What this is if its field holds the value."""
        return value if self.view is None else self.view(value)

    def decided(self) -> Any:
        while True:
            seen = [self.seen(value) for value in self.cell.possible]
            is_first = [value == seen[0] for value in seen]
            if all(is_first):
                return seen[0]
            self.cell.split(is_first)

    def _asks(self, yes: Callable[[Any], Any]) -> bool:
        if len(self.cell.possible) == 1:  # decided before, as most values are that are read
            return bool(yes(self.seen(self.cell.possible[0])))
        return self.cell.split([bool(yes(self.seen(v))) for v in self.cell.possible])

    def _then(self, view: Callable[[Any], Any]) -> Undecided:
        return type(self)(self.cell, lambda value: view(self.seen(value)))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Undecided):
            if other.cell is self.cell:
                return self.cell.split([self.seen(v) == other.seen(v) for v in self.cell.possible])
            other = other.decided()
        if self.view is not None:
            return self._asks(lambda v: v == other)
        possible = self.cell.possible  # what most looks at a field come to, so by the shortest way
        if len(possible) == 1:
            return bool(possible[0] == other)
        return self.cell.split([v == other for v in possible])

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Any) -> bool:
        known = plain(other)
        return self._asks(lambda v: v < known)

    def __le__(self, other: Any) -> bool:
        known = plain(other)
        return self._asks(lambda v: v <= known)

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __bool__(self) -> bool:
        return self._asks(bool)

    def __contains__(self, item: Any) -> bool:
        known = plain(item)
        return self._asks(lambda v: known in v)

    __add__, __radd__ = _operation(operator.add)
    __sub__, __rsub__ = _operation(operator.sub)
    __mul__, __rmul__ = _operation(operator.mul)
    __mod__, __rmod__ = _operation(operator.mod)
    __floordiv__, __rfloordiv__ = _operation(operator.floordiv)
    __and__, __rand__ = _operation(operator.and_)
    __or__, __ror__ = _operation(operator.or_)
    __xor__, __rxor__ = _operation(operator.xor)
    __getitem__, _ = _operation(operator.getitem)

    def __neg__(self) -> Undecided:
        return self._then(operator.neg)

    def __abs__(self) -> Undecided:
        return self._then(abs)

    def __hash__(self) -> int:
        return hash(self.decided())

    def __str__(self) -> str:
        return str(self.decided())

    def __format__(self, how: str) -> str:
        return format(self.decided(), how)

    def __index__(self) -> int:
        return int(self.decided())

    def __int__(self) -> int:
        return int(self.decided())

    def __len__(self) -> int:
        return int(self._then(len).decided())

    def __iter__(self) -> Iterator[Any]:
        return iter(self.decided())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.decided(), name)  # a method of text or of a number


def plain(value: Any) -> Any:
    """The value itself, decided if necessary."""
    return value.decided() if isinstance(value, Undecided) else value
