"""The one explorer of play: every position that play reaches, nearest to the start first.

Positions are kept as texts, moves not at all: a line of play is recomputed from the position before. So a game costs
some hundred bytes per position and four per move, whatever its positions are made of. A search that may stop early
explores no further than it has looked, and keeps the positions themselves.
"""

from __future__ import annotations

import itertools
from array import array
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from rulecheck.contract import EVERYBODY, End, Engine, M, P
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError

LIMIT = 300_000  # positions by default
ENOUGH = 200  # positions between reports of progress


class Who(IntEnum):
    """Who is to act in a position."""

    PLAYER = 0
    CHANCE = 1
    NOBODY = 2


@dataclass(frozen=True)
class Step(Generic[P]):
    """One step from a position: a move or a result of chance, and where it leads."""

    label: str
    result: P
    weight: int = 1
    by_chance: bool = False


def steps(engine: Engine[P, M], position: P) -> tuple[Who, list[Step[P]]]:
    """Who is to act, and every way on. Where a player is to act and has no move, there is none."""
    if engine.end(position) is not None:
        return Who.NOBODY, []
    chances = engine.chances(position)
    if chances:
        return Who.CHANCE, [Step(c.label, c.result, c.weight, by_chance=True) for c in chances]
    return Who.PLAYER, [Step(str(move), result) for move, result in engine.moves(position).items()]


def decisions(engine: Engine[P, M], position: P) -> Iterator[P]:
    """The positions after chance has acted from here, each once: a player is to act in them, or the game is over."""
    met, left = {position}, [position]
    while left:
        here = left.pop()
        brought_here = dict.fromkeys(chance.result for chance in engine.chances(here))
        if not brought_here:
            yield here
        new = [result for result in brought_here if result not in met]
        met.update(new)
        left += reversed(new)


def deciding(engine: Engine[P, M], position: P) -> list[P]:
    """Those of them in which a player is to act."""
    return [at for at in decisions(engine, position) if engine.end(at) is None]


class TooLargeError(InputError):
    """Play reaches more positions than the limit."""


class Explored(Generic[P, M]):
    """Play from a position on, as numbers: position n has the text `texts[n]`, and its ways on lead to the numbers
    `succ[first[n]:first[n + 1]]`, in the engine's order.

    `alike` may give one position for all that are alike; then only those are kept. In a game of two it may swap the
    players: positions are seen by the player whose turn it is. `kind` may give one value for all that are; then the
    first of each kind is kept, so that lines stay real play. Without `read` positions are kept as they are.
    """

    def __init__(
        self,
        engine: Engine[P, M],
        read: Callable[[str], P] | None = None,
        *,
        begin: P | None = None,
        alike: Callable[[P], P] | None = None,
        kind: Callable[[P], Hashable] | None = None,
        limit: float = LIMIT,
        lazily: bool = False,
        report: Report = ignore,
    ) -> None:
        self.engine, self.read, self.alike, self.kind, self.limit = engine, read, alike, kind, limit
        self._kept: list[P] = []
        self._kinds: dict[Hashable, int] = {}
        self.players = engine.players
        self.texts: list[bytes] = []
        self.number: dict[bytes, int] = {}
        self.ends: list[End] = []
        self._parent, self._who, self._turn, self._hash = array("q"), array("b"), array("h"), array("q")
        self._first, self._succ, self._weight, self._to = array("q", [0]), array("q"), array("q"), array("h")
        self._pending: deque[P] = deque()
        self._meet(engine.start() if begin is None else begin, -1)
        if not lazily:
            self._explore(report)

    def turns(self) -> Iterator[P]:
        """The positions in which a turn begins, nearest first, explored only as far as they are asked for."""
        for number in itertools.count():
            if number == len(self.texts):
                return
            parent = self._parent[number]
            if parent < 0 or self._who[parent] != Who.CHANCE:
                yield self.position(number)
            if number == len(self._who):
                self._expand(self._pending.popleft(), number)

    def _explore(self, report: Report) -> None:
        here = 0
        while self._pending:
            if here % ENOUGH == 0:
                met = f"{here:,} of {len(self.texts):,} positions met so far, of {self.limit:,} at most"
                report(met, here / len(self.texts))
            self._expand(self._pending.popleft(), here)
            here += 1

    def _expand(self, position: P, here: int) -> None:
        who, ways = steps(self.engine, position)
        self._who.append(who)
        for way in ways:
            number, turn = self._meet(way.result, here)
            self._succ.append(number)
            self._to.append(turn)
            self._weight.append(way.weight)
        self._first.append(len(self._succ))

    def _meet(self, position: P, parent: int) -> tuple[int, int]:
        """The number of a position, and whose turn it is there, or how it has ended."""
        if self.kind is not None:
            return self._meet_kind(position, self.kind(position), parent)
        known = self.number.get(str(position).encode())
        if known is not None:
            if hash(position) != self._hash[known]:
                raise InputError(f"two positions have one text, {str(position)!r}, so they cannot be told apart")
            return known, self._turn[known]
        turn = self._whose(position)
        kept = position if self.alike is None else self.alike(position)
        text = str(kept).encode()
        number = self.number.get(text)
        if number is None:
            number = self._add(kept, text, parent, turn if self.alike is None else self._whose(kept))
        if (turn < 0) != (self._turn[number] < 0) or (len(self.players) > 2 and turn != self._turn[number]):
            raise InputError(f"{position} and {kept} are called alike, but who is to act differs")
        return number, turn

    def _meet_kind(self, position: P, kind: Hashable, parent: int) -> tuple[int, int]:
        if kind not in self._kinds:
            self._kinds[kind] = self._add(position, str(position).encode(), parent, self._whose(position))
        number = self._kinds[kind]
        return number, self._turn[number]

    def _add(self, position: P, text: bytes, parent: int, turn: int) -> int:
        if len(self.texts) >= self.limit:
            raise TooLargeError(f"play reaches more than {self.limit:,} positions, which is the limit here")
        if self.read is None:
            self._kept.append(position)
        elif (again := self.read(text.decode())) != position:
            raise InputError(f"the position {text.decode()!r} is read as another one, {str(again)!r}")
        number = self.number[text] = len(self.texts)
        self._hash.append(hash(position))
        self.texts.append(text)
        self._parent.append(parent)
        self._turn.append(turn)
        self._pending.append(position)
        return number

    def _whose(self, position: P) -> int:
        """Whose turn it is, as a place among the players; what has ended has a negative number."""
        end = self.engine.end(position)
        if end is not None:
            if end not in self.ends:
                self.ends.append(end)
            return -1 - self.ends.index(end)
        actor = self.engine.actor(position)
        if actor == EVERYBODY:
            raise InputError("everybody may act at any time in this game, so its play cannot be explored turn by turn")
        if actor not in self.players:
            raise InputError(f"{position}: {actor!r} is to act, who is none of {', '.join(self.players)}")
        return self.players.index(actor)

    # -- The results -------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.texts)

    def position(self, number: int) -> P:
        return self._kept[number] if self.read is None else self.read(self.texts[number].decode())

    def find(self, position: P) -> int | None:
        """The number of a position or of its representative."""
        kept = position if self.alike is None else self.alike(position)
        return self.number.get(str(kept).encode())

    def __iter__(self) -> Iterator[P]:
        """All positions, nearest first."""
        return map(self.position, range(len(self)))

    def who(self, number: int) -> Who:
        return Who(self._who[number])

    def actor(self, number: int) -> str | None:
        """Whose turn it is; None after the end."""
        turn = self._turn[number]
        return self.players[turn] if turn >= 0 else None

    def end(self, number: int) -> End | None:
        turn = self._turn[number]
        return self.ends[-1 - turn] if turn < 0 else None

    def successors(self, number: int) -> Sequence[int]:
        return self._succ[self._first[number] : self._first[number + 1]]

    def weights(self, number: int) -> Sequence[int]:
        return self._weight[self._first[number] : self._first[number + 1]]

    def reached(self, number: int) -> Sequence[str | End]:
        """For each way on, the player to act there, or how the game has ended there."""
        turns = self._to[self._first[number] : self._first[number + 1]]
        return [self.players[turn] if turn >= 0 else self.ends[-1 - turn] for turn in turns]

    @property
    def first(self) -> NDArray[np.int64]:
        return np.array(self._first, dtype=np.int64)

    @property
    def succ(self) -> NDArray[np.int64]:
        return np.array(self._succ, dtype=np.int64)

    @property
    def going_on(self) -> NDArray[np.bool_]:
        """Of each position, by its number: has the game not ended there?"""
        return np.array(self._turn, dtype=np.int16) >= 0

    @property
    def has_chance(self) -> bool:
        return Who.CHANCE in self._who

    def is_stuck(self, number: int) -> bool:
        """Is a player to act here without any move?"""
        return self._who[number] == Who.PLAYER and self._first[number] == self._first[number + 1]

    def line(self, number: int) -> tuple[str, ...]:
        """A shortest line of play to a position; results of chance precede the move that follows them."""
        path = [number]
        while self._parent[path[-1]] >= 0:
            path.append(self._parent[path[-1]])
        return as_line([self._way(a, b) for a, b in zip(path[:0:-1], path[-2::-1], strict=True)])

    def line_to(self, position: P) -> tuple[str, ...]:
        """The same for a position that has been met."""
        number = self.find(position)
        if number is None:
            raise InputError(f"no line of play to {position} is known")
        return self.line(number)

    def circle(self, number: int) -> tuple[str, ...]:
        """A shortest line of play from a position back to it; nothing if there is none."""
        before: dict[int, int] = {}
        queue = [number]
        for here in queue:
            for following in self.successors(here):
                if following == number:
                    path = [number, here]
                    while path[-1] != number:
                        path.append(before[path[-1]])
                    return as_line([self._way(a, b) for a, b in zip(path[:0:-1], path[-2::-1], strict=True)])
                if following not in before:
                    before[following] = here
                    queue.append(following)
        return ()

    def _way(self, before: int, after: int) -> Step[P]:
        """The first way on from one position to another, or to one equivalent to it."""
        _, ways = steps(self.engine, self.position(before))
        return ways[list(self.successors(before)).index(after)]


def as_line(ways: Sequence[Step[P]]) -> tuple[str, ...]:
    """Moves, each after the results of chance that precede it: `4: a1-a2`."""
    line, brought = [], ""
    for way in ways:
        if way.by_chance:
            brought += f"{way.label}: "
        else:
            line.append(brought + way.label)
            brought = ""
    return (*line, brought.removesuffix(": ")) if brought else tuple(line)
