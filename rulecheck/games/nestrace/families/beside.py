"""Nest race: what play reaches under one choice of readings and under others that change one value each, compared side
by side.

An engine learns of a reading only by holding its value against others. So the first engine gets values that note what
they are held against; where the notes fit another choice as well, the engine of that choice would have said the same,
and only elsewhere it is asked. The constraints are looked up for every choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulecheck.games.nestrace import Params, Position
from rulecheck.games.nestrace.families.crowds import ALONE, BATCH, Answer, Crowd, Said, Tally, differences
from rulecheck.games.nestrace.families.hops import Tick
from rulecheck.model import Readings, Result, Status, Witness
from specs.nestrace.spec_many import Bits, Columns, members, transposed

Note = tuple[str, object, bool]  # a reading, what its value was held against, whether it was that
Encodings = tuple[Callable[..., Any], Callable[..., Any]]


class Watched:
    """A reading's value of which nothing can be learnt without a note."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, name: str, value: str, notes: set[Note]) -> None:
        self.name, self.value, self.notes = name, value, notes

    def __eq__(self, other: object) -> bool:
        equal = self.value == other
        self.notes.add((self.name, other, equal))
        return equal

    def __bool__(self) -> bool:
        raise TypeError(f"the reading {self.name} is to be held against a value")

    def __str__(self) -> str:
        raise TypeError(f"the reading {self.name} is to be held against a value")


class WatchedReadings(Readings):
    def __init__(self, readings: Readings, notes: set[Note]) -> None:
        super().__init__(readings)
        self._watched = {name: Watched(name, value, notes) for name, value in readings.items()}

    def __getitem__(self, name: str) -> Any:
        return self._watched[name]

    def replace(self, **changes: str) -> Readings:
        raise TypeError("readings that are watched stay as they are")


def telling(readings: Readings, name: str, value: str) -> frozenset[Note]:
    """The notes of an engine with these readings that do not fit the other value of one of them."""
    return frozenset({(name, value, False), (name, readings[name], True)})


class Beside:
    """`first` are the readings given; each change of one of them has a crowd of its own."""

    def __init__(self, params: Params, encodings: Encodings, first: Readings, changes: list[tuple[str, str]]) -> None:
        engine, spec = encodings
        self.notes: set[Note] = set()
        chosen = [first, *(first.replace(**{name: value}) for name, value in changes)]
        self.crowds = [Crowd(engine(params, readings), spec(params, readings)) for readings in chosen]
        self.watching = Crowd(engine(params, WatchedReadings(first, self.notes)), self.crowds[0].spec)
        if {name for name, *_ in self.notes} & {name for name, _ in changes}:
            raise ValueError("the engine looks at one of these readings before it sees a position")
        self.telling = [frozenset[Note](), *(telling(first, name, value) for name, value in changes)]
        self.codes = self.crowds[0].codes

    def watched(self, position: Position, code: int) -> tuple[Answer, frozenset[Note]]:
        self.notes.clear()
        return self.watching.answer(position, code), frozenset(self.notes)


class Batch:
    """Some positions with one mover: by whose play each is reached (a bit for each crowd), and what the engines say."""

    def __init__(self, beside: Beside, mover: str, reached: dict[int, int]) -> None:
        self.beside, self.mover = beside, mover
        self.codes, self.masks = list(reached), list(reached.values())
        size, crowds = len(reached), beside.crowds
        self.positions = [beside.codes.position(mover, code) for code in self.codes]
        self.usual, self.other = (Tally(size), Tally(size)), [(Tally(size), Tally(size)) for _ in crowds]
        self.asked: list[list[int]] = [[] for _ in crowds]  # the positions of which its own engine was asked
        self.moves: list[tuple[str, int, int, int]] = []  # as in `Moves`, and by whom they are found
        for n in range(size):
            self._ask(n)

    def _ask(self, n: int) -> None:
        beside, position, code, mask = self.beside, self.positions[n], self.codes[n], self.masks[n]
        usual, notes = beside.watched(position, code)
        _add(self.usual, n, usual)
        differing = [i for i, telling in enumerate(beside.telling) if mask >> i & 1 and telling & notes]
        for i in differing:
            answer = beside.crowds[i].answer(position, code)
            _add(self.other[i], n, answer)
            self.asked[i].append(n)
            self.moves += [(mover, code, change, 1 << i) for mover, change in answer.moves]
        rest = mask & ~sum(1 << i for i in differing)
        self.moves += [(mover, code, change, rest) for mover, change in usual.moves if rest]

    def disagreement(self) -> tuple[int, int, str] | None:
        """The crowd and the position that is seen differently, and how."""
        x = transposed(self.codes, len(self.beside.codes.slots))
        usual = [tally.columns() for tally in self.usual]
        for i, crowd in enumerate(self.beside.crowds):
            reached = _column(mask >> i & 1 for mask in self.masks)
            own = _column(n in asked for asked in [set(self.asked[i])] for n in range(len(self.codes)))
            said, paths = (_merged(a, b.columns(), own) for a, b in zip(usual, self.other[i], strict=True))
            if difference := self._of_crowd(crowd, x, said, paths, reached):
                return i, *difference
        return None

    def _of_crowd(self, crowd: Crowd, x: Columns, said: Said, paths: Any, reached: Bits) -> tuple[int, str] | None:
        differ = reached & (differences(said, crowd.constraints(self.mover, x)) | crowd.bad_paths(self.mover, paths, x))
        alone = members(differ) if differ else (n for n in range(0, len(self.codes), ALONE) if reached >> n & 1)
        for n in alone:
            if words := crowd.alone.disagreement(self.positions[n]):
                return n, words
        if differ:
            raise AssertionError(f"only side by side there is a difference: {self.positions[next(members(differ))]}")
        return None


def _add(tallies: tuple[Tally, Tally], n: int, answer: Answer) -> None:
    tallies[0].add(n, answer.said())
    tallies[1].add(n, answer.paths)


def _column(bits: Iterator[int | bool]) -> Bits:
    return int("".join("01"[bool(bit)] for bit in bits)[::-1], 2)


def _merged(usual: dict[Any, Bits], own: dict[Any, Bits], asked: Bits) -> dict[Any, Bits]:
    """What was said of positions: the usual, but its own where it was asked."""
    return {what: usual.get(what, 0) & ~asked | own.get(what, 0) for what in usual.keys() | own.keys()}


class Walk:
    """What play reaches from the start, and by whose moves; of two mirror images, players exchanged, one."""

    def __init__(self, beside: Beside) -> None:
        self.beside, self.known = beside, dict[int, int]()
        self.waiting: dict[str, dict[int, int]] = {c: {} for c in beside.watching.spec.params.letters}
        start = beside.crowds[0].engine.start()
        self.meet([(start.mover, beside.codes.code(start.stacks), 0, (1 << len(beside.crowds)) - 1)])

    def meet(self, moves: list[tuple[str, int, int, int]]) -> None:
        known, mirrored = self.known, self.beside.codes.mirrored
        for mover, before, change, mask in moves:
            seen_by_a = before ^ change if mover == "A" else mirrored(before) ^ mirrored(change)
            new = mask & ~known.get(seen_by_a, 0)
            if new:
                known[seen_by_a] = known.get(seen_by_a, 0) | new
                waiting = self.waiting[mover]
                waiting[before ^ change] = waiting.get(before ^ change, 0) | new

    def batches(self) -> Iterator[Batch]:
        while any(self.waiting.values()):
            mover, waiting = max(self.waiting.items(), key=lambda item: len(item[1]))
            yield Batch(self.beside, mover, {code: waiting.pop(code) for code in list(waiting)[:BATCH]})


def prove_beside(beside: Beside, scope: str, tick: Tick) -> Result:
    """Cases are positions, each counted for every choice of readings whose play reaches it."""
    walk, cases = Walk(beside), 0
    for batch in walk.batches():
        if difference := batch.disagreement():
            i, n, words = difference
            spec, position = beside.crowds[i].spec, str(batch.positions[n])
            witness = Witness(position, None, words, spec.params.as_dict(), dict(spec.readings))
            return Result(Status.REFUTED, scope, witness, cases + 1)
        cases += sum(mask.bit_count() for mask in batch.masks)
        walk.meet(batch.moves)
    tick(1.0)
    return Result(Status.PROVED, scope, cases=cases)
