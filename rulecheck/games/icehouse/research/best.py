"""Icehouse: the best that one player can do alone with a list of placements to choose from, in the best order.

Placements are a continuum, so a list of them is given, or generated: straight at each side of each defender, and one
free spot. The other players do nothing meanwhile. Each event is a placement of the list or a capture (and, if wanted, a
call that finds somebody), the order matters, and the player may stop at any time. The search covers all positions that
arise so; `best_check`, which knows nothing of this search, must accept the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.families.compared import Comparison
from rulecheck.games.icehouse.pieces import BASE, EAST, Call, Event, Piece, Place, Point, Position
from rulecheck.games.icehouse.research.best_check import GOALS, Task, problem
from rulecheck.games.icehouse.sampling import QUARTERS
from rulecheck.model import InputError, Result, Status
from rulecheck.pyramids import Pyramid

MOST = 50_000  # positions
GAP = Fraction(4)  # from a generated tip to its target
Levels = list[list[Position]]


@dataclass(frozen=True)
class Best:
    """The best worth, a shortest line to it, and the number of positions worth as much."""

    task: Task
    result: Result
    worth: int | None = None
    scores: dict[str, int] | None = None
    line: tuple[Event, ...] = ()
    end: Position | None = None
    ends: int = 0

    @property
    def words(self) -> str:
        """The worth in words: `3 ahead`, `level`, `7 points`."""
        worth = self.worth or 0
        if self.task.goal == "points":
            return f"{worth} points"
        return f"{abs(worth)} {'ahead' if worth > 0 else 'behind'}" if worth else "level"

    def as_json(self) -> dict[str, Any]:
        asked = {"position": str(self.task.start), "player": self.task.player, "goal": self.task.goal}
        listed = {"candidates": [str(c) for c in self.task.candidates], "calls": self.task.calls}
        reached = {"worth": self.worth, "scores": self.scores, "line": [str(event) for event in self.line]}
        return {**asked, **listed, **reached, "end": None if self.end is None else str(self.end), "ends": self.ends,
                **self.result.as_json()}  # fmt: skip


def best(engine: Engine, spec: Any, task: Task, most: int = MOST) -> Best:
    """The answer, accepted by the checker and, event by event, by the constraints; UNKNOWN beyond `most` positions."""
    search = Search(engine, task, most)
    try:
        levels = search.levels()
    except TooMany:
        return Best(task, Result(Status.UNKNOWN, f"more than {most:,} positions", cases=most))
    end = search.first_of_the_best(levels)
    line, worth = search.line(end), GOALS[task.goal](engine.scores(end), task.player)
    if wrong := problem(engine, task, levels, line, worth):
        raise AssertionError(f"the checker does not accept the answer: {wrong}")
    _confirm(Comparison(engine, spec), task.start, line)
    every = [position for level in levels for position in level]
    ends = sum(GOALS[task.goal](engine.scores(position), task.player) == worth for position in every)
    return Best(task, Result(Status.PROVED, _scope(task), cases=len(every)), worth, engine.scores(end), line, end, ends)


def _scope(task: Task) -> str:
    calls = ", captures and right calls" if task.calls else " and captures"
    bound = "" if task.events is None else f", up to {task.events} events"
    every = f"every order of {len(task.candidates)} placements{calls} by {task.player} alone{bound}"
    return f"{every}; accepted by the checker"


def _confirm(both: Comparison, position: Position, line: Sequence[Event]) -> None:
    for event in line:
        if witness := both.event(position, event):
            raise AssertionError(f"the encodings differ: {witness}")
        position = both.engine.play(position, event)
    if witness := both.count(position):
        raise AssertionError(f"the encodings count differently: {witness}")


class TooMany(Exception):
    pass


class Search:
    """Breadth first, so that the first way to a position is a shortest one."""

    def __init__(self, engine: Engine, task: Task, most: int) -> None:
        self.engine, self.task, self.most = engine, task, most
        self.came: dict[Any, tuple[Position, Event] | None] = {self.key(task.start): None}

    def key(self, position: Position) -> Any:
        """Positions that differ only in the order of their pieces share a key, unless a reading depends on it."""
        readings = self.engine.readings
        if readings["retarget"] == "no" or readings["wasted_capture"] == "yes" or readings["meltdown"] == "on_call":
            return position
        return frozenset(position.pieces), position.hands, position.prisoners, position.iced, position.lost

    def levels(self) -> Levels:
        rows: Levels = [[self.task.start]]
        while rows[-1] and (self.task.events is None or len(rows) <= self.task.events):
            rows.append([after for position in rows[-1] for after in self._new(position)])
        return rows

    def _new(self, position: Position) -> Iterator[Position]:
        for event in self._events(position):
            after = self.engine.play(position, event)
            if (key := self.key(after)) not in self.came:
                self.came[key] = position, event
                if len(self.came) > self.most:
                    raise TooMany
                yield after

    def _events(self, position: Position) -> Iterator[Event]:
        if self.engine.over(position):
            return
        yield from (c for c in self.task.candidates if self.engine.judge(position, c).legal)
        yield from (c for c in self.engine.captures(position) if c.player == self.task.player)
        if self.task.calls and self.engine.found(position, self.task.player):
            yield Call(self.task.player)

    def first_of_the_best(self, levels: Levels) -> Position:
        return max((p for level in levels for p in level), key=self._worth)

    def _worth(self, position: Position) -> int:
        return GOALS[self.task.goal](self.engine.scores(position), self.task.player)

    def line(self, position: Position) -> tuple[Event, ...]:
        events: list[Event] = []
        step = self.came[self.key(position)]
        while step is not None:
            position, event = step
            events.append(event)
            step = self.came[self.key(position)]
        return tuple(reversed(events))


# -- Candidates -----------------------------------------------------------------------------------------------


def generated(engine: Engine, position: Position, player: str) -> tuple[Place, ...]:
    """The player's pieces and possible captures, straight at each side of each foe, and upright on a free spot."""
    held = position.hand(player)
    foes = (piece.pyramid for a, piece in enumerate(position.pieces) if _could_capture(engine, position, a, player))
    pyramids = dict.fromkeys([*([held] if held else []), *position.pad(player), *foes])
    return tuple(Place(piece) for pyramid in pyramids for piece in _poses(engine, position, player, pyramid))


def _could_capture(engine: Engine, position: Position, a: int, player: str) -> bool:
    d = engine.victim(position, a) if position.pieces[a].lying else None
    return d is not None and engine.captor(position.pieces[d]) == player


def _poses(engine: Engine, position: Position, player: str, pyramid: Pyramid) -> Iterator[Piece]:
    for target in position.pieces:
        for tip, direction in _sides(target):
            piece = Piece(*pyramid, True, tip, direction, player)
            if engine.hostile(piece, target) and engine.on_table(piece):
                yield piece
    upright = (Piece(*pyramid, False, spot, EAST, player) for spot in _spots(position, pyramid.pips))
    yield from islice((free for free in upright if engine.judge_place(position, free).legal), 1)


def _sides(target: Piece) -> Iterator[tuple[Point, Point]]:
    """A tip before the middle of each side, and the way to it."""
    (x, y), (dx, dy), away = target.point, target.direction, Fraction(BASE[target.pips], 2) + GAP
    for along, aside in () if target.lying else QUARTERS:
        ux, uy = dx * along - dy * aside, dx * aside + dy * along
        yield (x + away * ux, y + away * uy), (-ux, -uy)


def _spots(position: Position, pips: int) -> Iterator[Point]:
    """To the right of everything; on a table anywhere, row by row."""
    half, table = Fraction(BASE[pips], 2), position.params.table
    if table is None:
        right = max((x for piece in position.pieces for x, _ in piece.corners), default=Fraction(0))
        yield right + 100 + half, Fraction(0)
        return
    for y in range(0, table.top - BASE[pips] + 1, BASE[1]):
        yield from ((x + half, y + half) for x in range(0, table.right - BASE[pips] + 1, BASE[1]))


def task_of(
    engine: Engine,
    position: Position,
    player: str,
    candidates: Sequence[Event] | None = None,
    *,
    goal: str = "lead",
    calls: bool = False,
    events: int | None = None,
) -> Task:
    """The task; bad input raises an error of one sentence."""
    if player not in engine.params.colours:
        raise InputError(f"there is no player {player!r}; the players are {', '.join(engine.params.colours)}")
    if candidates is None:
        return Task(position, player, generated(engine, position, player), goal, calls, events)
    listed = []
    for event in dict.fromkeys(candidates):
        if not isinstance(event, Place):
            raise InputError(f"a candidate is a placement, and {str(event)!r} is none; captures are tried anyway")
        if event.piece.placer != player:
            raise InputError(f"the candidate {event} is placed by {event.piece.placer}, not by {player}")
        listed.append(event)
    return Task(position, player, tuple(listed), goal, calls, events)
