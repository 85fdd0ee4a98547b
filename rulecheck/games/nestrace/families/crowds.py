"""Nest race: who is in pat and what may be played, compared on thousands of positions at once.

The engine looks at one position after another; the constraints are looked up for all of them together, column by
column. Only where the pat rule has a say, and in every hundredth position besides, the comparison is made again
for the position alone, with the clauses that are named.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from rulecheck.games.nestrace import Position
from rulecheck.games.nestrace.families.hops import Tick
from rulecheck.games.nestrace.families.lists import Lists
from rulecheck.model import Result, Status, Witness
from rulecheck.pyramids import Pyramid, Stack
from specs.nestrace.spec import Spec
from specs.nestrace.spec_many import Bits, Choices, Columns, Many, column, members, transposed
from specs.nestrace.spec_moves import Path
from specs.nestrace.spec_pat import union

BATCH = 1 << 13
ALONE = 100  # every so many positions are compared alone as well
Said = dict[Hashable, Bits]
Paths = dict[tuple[int, Path], Bits]  # by the size that goes
Moves = list[tuple[str, int, int]]  # who is to move then, what lay where before, what is changed


class _Stacks(dict[Stack, int]):
    """The bits of each stack of one square."""

    def __init__(self, s: int, bits: dict[tuple[int, int, str], int]) -> None:
        self.square, self.bits = s, bits

    def __missing__(self, stack: Stack) -> int:
        self[stack] = sum(self.bits[self.square, k.pips, k.colour] for k in stack)
        return self[stack]


class Codes:
    """What lies where as one number: bit n is the spec's slot n."""

    def __init__(self, spec: Spec) -> None:
        self.params, self.slots = spec.params, list(spec.scene.at)
        self.bits = {slot: 1 << n for slot, n in spec.scene.number.items()}
        self._stacks = [_Stacks(s, self.bits) for s in spec.squares]
        self._kept: dict[int, int] = {}

    def code(self, stacks: Iterable[Stack]) -> int:
        return sum([known[stack] for known, stack in zip(self._stacks, stacks, strict=True) if stack])

    def mirrored(self, code: int) -> int:
        """The board's mirror image with the two players exchanged, B in the west."""
        if code not in self._kept:
            self._kept[code] = sum(self.bits[self._image(self.slots[n])] for n in members(code))
        return self._kept[code]

    def _image(self, slot: tuple[int, int, str]) -> tuple[int, int, str]:
        s, z, c = slot
        column, row = self.params.places[s]
        return self.params.places.index((row, column)), z, "BA"["AB".index(c)]

    def position(self, mover: str, code: int) -> Position:
        stacks: list[list[Pyramid]] = [[] for _ in self.params.squares]
        for s, z, c in (self.slots[n] for n in members(code)):  # slots of a square are in the order of sizes
            stacks[s].append(Pyramid(c, z))
        return Position(mover, tuple(map(tuple, stacks)), self.params.squares)


class Answer(NamedTuple):
    """The engine's, of one position: who is in pat, through whom, for whom the mover has to do something; the moves, by
    who is to move then and what they change; their paths, by the size that goes."""

    pats: list[Hashable]
    moves: list[tuple[str, int]]
    paths: list[tuple[int, Path]]

    def said(self) -> list[Hashable]:
        return [*self.pats, *(("moves", *move) for move in self.moves)]


class Tally:
    """Of which positions each thing was said."""

    def __init__(self, size: int) -> None:
        self.size, self.found = size, defaultdict[Any, list[int]](list)

    def add(self, n: int, said: Iterable[Hashable]) -> None:
        for what in said:
            self.found[what].append(n)

    def columns(self) -> dict[Any, Bits]:
        return {what: column(numbers, self.size) for what, numbers in self.found.items()}


class Crowd:
    """Positions with one mover: what the engine says of each, what the constraints say of all."""

    def __init__(self, engine: Any, spec: Spec) -> None:
        self.engine, self.spec = engine, spec
        self.codes, self.many, self.alone = Codes(spec), Many(spec), Lists(engine, spec)

    def disagreement(self, mover: str, codes: list[int]) -> tuple[int, str] | Moves:
        """Which position is seen differently, and how; or, if none is, the engine's moves."""
        positions = [self.codes.position(mover, code) for code in codes]
        said, paths, moves = self._engine(positions, codes)
        x = transposed(codes, len(self.codes.slots))
        choices = self.many.choices(mover, x)
        differ = differences(said, self._spec(mover, x, choices)) | self.bad_paths(mover, paths, x)
        concerned = union([choices.owing, *choices.pats.values(), *choices.forbidden.values()])
        for n in members(differ) if differ else _asked_alone(concerned, len(codes)):
            if words := self.alone.disagreement(positions[n]):
                return n, words
        if differ:
            raise AssertionError(f"only many positions at once give a difference: {positions[next(members(differ))]}")
        return moves

    def _engine(self, positions: list[Position], codes: list[int]) -> tuple[Said, Paths, Moves]:
        moves: Moves = []
        said, paths = Tally(len(codes)), Tally(len(codes))
        for n, (position, code) in enumerate(zip(positions, codes, strict=True)):
            answer = self.answer(position, code)
            said.add(n, answer.said())
            paths.add(n, answer.paths)
            moves += [(mover, code, change) for mover, change in answer.moves]
        return said.columns(), paths.columns(), moves

    def answer(self, position: Position, code: int) -> Answer:
        engine, pats, moves, paths = self.engine, list[Hashable](), list[tuple[str, int]](), []
        for c in (c for c in self.spec.params.letters if engine.in_pat(position, c)):
            pats += [("pat", c), *(("blocks", b, c) for b in engine.blockers(position, c))]
        pats += [("victim", v) for v in engine.victims(position)]
        for move, after in engine.moves(position).items():
            moves.append((after.mover, code ^ self.codes.code(after.stacks)))
            if move.path:
                path = engine.numbered(move)
                paths.append((position.stacks[path[0]][-1].pips, path))
        return Answer(pats, moves, paths)

    def constraints(self, b: str, x: Columns) -> Said:
        return self._spec(b, x, self.many.choices(b, x))

    def _spec(self, b: str, x: Columns, choices: Choices) -> Said:
        spec, many, bits = self.spec, self.many, self.codes.bits
        letters, said = spec.params.letters, defaultdict[Hashable, Bits](int)
        for c in letters:
            pat = said["pat", c] = choices.pats[c]
            said.update({("blocks", d, c): pat and pat & many.blocks(d, c, x) for d in spec.others(c)})
        said.update({("victim", v): said["blocks", b, v] for v in spec.others(b)})
        following = spec.next_player(b)
        for way, legal in choices.legal.items():
            left, taken = spec.effect(b, way)
            said["moves", following, bits[left] ^ bits[taken]] |= legal
        said["moves", following, 0] |= choices.may_pass
        return said

    def bad_paths(self, mover: str, paths: Paths, x: Columns) -> Bits:
        """Where the engine names a path that is not legal to the constraints."""
        return union([there & ~self.many.keeps(mover, *about, x) for about, there in paths.items()])


def differences(first: Said, second: Said) -> Bits:
    return union([first.get(what, 0) ^ second.get(what, 0) for what in first.keys() | second.keys()])


def _asked_alone(concerned: Bits, size: int) -> Iterator[int]:
    yield from members(concerned)
    yield from (n for n in range(0, size, ALONE) if not concerned >> n & 1)


# -- Which positions --------------------------------------------------------------------------------------------


class Reached:
    """What play reaches from the start by the engine's moves, each to be compared; for two players, B in the west.

    The moves are compared wherever they are followed, so the constraints' moves reach the same positions. The search
    leaves out a position whose mirror image, players exchanged, was met before.
    """

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self.known: set[int] = set()
        self.waiting: dict[str, list[int]] = {c: [] for c in crowd.spec.params.letters}
        start = crowd.engine.start()
        self.meet([(start.mover, crowd.codes.code(start.stacks), 0)])

    def meet(self, moves: Moves) -> None:
        mirrored = self.crowd.codes.mirrored
        for mover, before, change in moves:
            seen_by_a = before ^ change if mover == "A" else mirrored(before) ^ mirrored(change)
            if seen_by_a not in self.known:
                self.known.add(seen_by_a)
                self.waiting[mover].append(before ^ change)

    def batches(self) -> Iterator[tuple[str, list[int]]]:
        while any(self.waiting.values()):
            mover = max(self.waiting, key=lambda c: len(self.waiting[c]))
            codes, self.waiting[mover] = self.waiting[mover][:BATCH], self.waiting[mover][BATCH:]
            yield mover, codes


def prove_reached(engine: Any, spec: Spec, scope: str, tick: Tick) -> Result:
    crowd = Crowd(engine, spec)
    reached = Reached(crowd)
    return _prove(crowd, reached.batches(), reached.meet, scope, tick)


def prove_all(engine: Any, spec: Spec, codes: Iterable[int], scope: str, tick: Tick) -> Result:
    """Each of these arrangements, each player to move."""
    crowd, rest = Crowd(engine, spec), iter(codes)
    batches = ((c, batch) for batch in iter(lambda: list(islice(rest, BATCH)), []) for c in spec.params.letters)
    return _prove(crowd, batches, lambda moves: None, scope, tick)


def _prove(
    crowd: Crowd, batches: Iterable[tuple[str, list[int]]], meet: Callable[[Moves], None], scope: str, tick: Tick
) -> Result:
    count, spec = 0, crowd.spec
    for mover, codes in batches:
        answer = crowd.disagreement(mover, codes)
        if isinstance(answer, tuple):
            n, words = answer
            position = crowd.codes.position(mover, codes[n])
            witness = Witness(str(position), None, words, spec.params.as_dict(), dict(spec.readings))
            return Result(Status.REFUTED, scope, witness, count + n + 1)
        count += len(codes)
        meet(answer)
    tick(1.0)
    if not count:
        return Result(Status.UNKNOWN, scope, note="there was no such position to compare")
    return Result(Status.PROVED, scope, cases=count)
