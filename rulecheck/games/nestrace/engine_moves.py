"""Nest race, executable: setting up, winning, and moves apart from the pat rule, hop by hop.

Glossary: a *hop* is a step to an adjacent square or a jump over one; a *path* is the squares a pyramid stands on in
turn; a *base move* is a path that keeps all rules but the pat rule; p is a player. A higher row is nearer to the
player's finish line. What a reading means exactly is written in the rulebook.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from rulecheck.contract import Chance, End
from rulecheck.games.nestrace import SIZES, Params, Position
from rulecheck.games.nestrace.engine_board import ground
from rulecheck.model import LEGAL, Readings, Verdict
from rulecheck.model import breaks as breaks_anew
from rulecheck.pyramids import SMALL, Pyramid, Stack

GOALS = {(False, False): "NR-04", (True, False): "NR-32", (True, True): "NR-40"}  # are lines shared, and by partners?
Path = tuple[int, ...]
Stacks = tuple[Stack, ...]
breaks = functools.cache(breaks_anew)  # most hops that are looked at are illegal


class Lifted(NamedTuple):
    """A pyramid on its way: the stack it came from is without it."""

    pyramid: Pyramid
    origin: int
    stacks: Stacks

    def under(self, square: int) -> Stack:
        stack = self.stacks[square]
        return stack[:-1] if square == self.origin else stack


def top_down(stack: Stack) -> Iterator[Pyramid]:
    """NR-12, NR-19: each pyramid is smaller than the one on it, so there are at most three."""
    for _ in SIZES:
        if not stack:
            return
        yield stack[-1]
        stack = stack[:-1]


class Moves:
    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings
        self.players = params.letters
        # NR-39: who are on the same side; without partners everybody plays alone.
        self.sides = self._teams() if params.partners else self.players
        board = ground(params, readings)
        self.steps, self.jumps, self.straight = board.steps, board.jumps, board.straight
        self.near, self.beyond = board.near, board.beyond
        # NR-09: a player runs from the start line to the line opposite.
        self.rows = {p: board.rows(p) for p in self.players}
        self.brinks = {p: board.brink(p) for p in self.players}
        self.starts = {p: frozenset(params.start_line(p)) for p in self.players}
        self.finishes = {p: frozenset(params.finish_line(p)) for p in self.players}
        self.foreign = {p: self._foreign(p) for p in self.players}
        self.retreats = {p: self._retreats(p) for p in self.players}
        # NR-05: a nest has the small lowest and the large on top.
        self.nests = {p: tuple(Pyramid(p, s) for s in SIZES) for p in self.players}

    def _teams(self) -> tuple[str, ...]:
        """NR-39, NR-52: who share their lines."""
        return tuple(p + (self.params.mate(p) or "") for p in self.players[: len(self.players) // 2])

    def _foreign(self, p: str) -> frozenset[int]:
        """NR-27, NR-31: the lines of opponents who run across (rule9_4p=literal: of all; NR-39: a partner is none)."""
        opponents = [q for side in self.sides if p not in side for q in side]
        if self.readings["rule9_4p"] != "literal":
            opponents = [q for q in opponents if self.params.home(q) != self.params.home(p)]
        return frozenset().union(*(self.starts[q] | self.finishes[q] for q in opponents))

    def _retreats(self, p: str) -> frozenset[tuple[int, int]]:
        """NR-13: the hops that go backward for this player (backward=diagonal_ok: straight backward)."""
        strict, rows = self.readings["backward"] == "strict", self.rows[p]
        hops = (hop for hop in (*self.steps, *self.jumps) if rows[hop[1]] < rows[hop[0]])
        return frozenset(hop for hop in hops if strict or hop in self.straight)

    # -- Setting up and winning ----------------------------------------------------------------------------

    def start(self) -> Position:
        """NR-07, NR-08, NR-34, NR-48: nests on two lines at right angles, or on every other side; A begins."""
        stacks: list[Stack] = [()] * len(self.params.squares)
        for home in self.params.sides:
            for square, p in zip(self.params.edge(home), self.params.seats(home), strict=False):
                stacks[square] = self.nests[p]
        return Position("A", tuple(stacks), self.params.squares)

    def actor(self, position: Position) -> str:
        return position.mover

    def chances(self, position: Position) -> tuple[Chance[Position], ...]:
        """Nothing is left to chance."""
        return ()

    def has_finished(self, position: Position, p: str) -> bool:
        """NR-04, NR-32: all own nests are rebuilt on the finish line, on whatever squares of it."""
        built = sum(position.stacks[square] == self.nests[p] for square in self.finishes[p])
        return built == self.params.nests

    def winner(self, position: Position) -> str | None:
        """NR-04, NR-32; NR-40: in partnership both must have finished."""
        return next((side for side in self.sides if all(self.has_finished(position, p) for p in side)), None)

    def end(self, position: Position) -> End | None:
        """NR-40: partners win together."""
        winner = self.winner(position)
        return None if winner is None else End(tuple(winner))

    def next_player(self, p: str) -> str:
        """NR-10, NR-36"""
        return self.players[(self.players.index(p) + 1) % len(self.players)]

    # -- One hop -------------------------------------------------------------------------------------------

    def judge_step(self, lifted: Lifted, here: int, there: int) -> Verdict:
        if (here, there) in self.retreats[lifted.pyramid.colour]:
            return breaks("NR-13", "the step goes backward")
        return self.judge_touchdown(lifted, here, there)

    def judge_jump(self, lifted: Lifted, here: int, there: int, alone: bool = True) -> Verdict:
        if not lifted.stacks[self.jumps[here, there]]:
            return breaks("NR-15", "there is nothing to jump over")
        if self.readings["back_jump"] == "never" and (here, there) in self.retreats[lifted.pyramid.colour]:
            return breaks("NR-13" if alone else "NR-18", "the jump goes backward")
        return self.judge_touchdown(lifted, here, there)

    def judge_touchdown(self, lifted: Lifted, here: int, there: int) -> Verdict:
        """What is asked of every square that a pyramid touches, on its way or at its end."""
        under, p = lifted.under(there), lifted.pyramid.colour
        if under and under[-1].pips >= lifted.pyramid.pips:
            return breaks("NR-19", "the pyramid there is not smaller")
        if self.readings["order_transit"] == "applies" and not self.in_order(lifted, here, there):
            return breaks("NR-22", "the finish line takes pyramids in the order of a nest only")
        if self.readings["opp_lines"] == "closed" and there in self.foreign[p]:
            return breaks("NR-42", "an opponent's line may not be entered")
        if self.readings["mate_transit"] == "forbidden" and self.covers_mate(lifted, there):
            return breaks("NR-37", "a pyramid of the line-mate may not be touched on the shared lines")
        return LEGAL

    def in_order(self, lifted: Lifted, here: int, there: int) -> bool:
        """NR-22, NR-23: on the finish line a medium one lands on a small one, a large one on a medium one."""
        (p, pips), finish = lifted.pyramid, self.finishes[lifted.pyramid.colour]
        if there not in finish or (here in finish and self.readings["finish_order"] == "entry"):
            return True
        under = lifted.under(there)
        if pips == SMALL or not under:
            return pips == SMALL
        return under[-1].pips == pips - 1 and (self.readings["order_colour"] == "any" or under[-1].colour == p)

    def covers_mate(self, lifted: Lifted, there: int) -> bool:
        """NR-37: does a pyramid of the player with the same lines lie there, on one of these lines?"""
        p, mate = lifted.pyramid.colour, self.params.mate(lifted.pyramid.colour)
        if mate is None or there not in self.starts[p] | self.finishes[p]:
            return False
        return any(q.colour == mate for q in top_down(lifted.under(there)))

    def judge_going_on(self, lifted: Lifted, here: int) -> Verdict:
        """NR-20: a chain may go on from any touchdown; NR-43: not from another player's pyramid."""
        rule, p = self.readings["land_on_other"], lifted.pyramid.colour
        under = lifted.under(here)
        if rule == "ends_any" and any(q.colour != p for q in top_down(under)):
            return breaks("NR-43", "landing where another player's pyramid stands ends the turn")
        if rule == "ends_top" and under and under[-1].colour != p:
            return breaks("NR-43", "landing on another player's pyramid ends the turn")
        return LEGAL

    def judge_lines(self, p: str, here: int, there: int) -> Verdict:
        """NR-24, NR-25: from one square to another, whether of a hop or of a whole move."""
        if there in self.starts[p] and here not in self.starts[p]:
            return breaks("NR-24", "a pyramid does not return to its start line")
        if here in self.finishes[p] and there not in self.finishes[p]:
            return breaks("NR-25", "a pyramid does not leave its finish line")
        return LEGAL

    def judge_end(self, lifted: Lifted, end: int, retreated: bool) -> Verdict:
        """What is asked of the square where a move ends."""
        origin, p = lifted.origin, lifted.pyramid.colour
        if end == origin and self.readings["null_move"] == "illegal":
            return breaks("NR-10", "the pyramid ends where it began")
        if retreated and self.rows[p][end] <= self.rows[p][origin]:
            return breaks("NR-44", "after a backward jump the move must end nearer the finish line")
        if end in self.foreign[p]:
            return breaks("NR-27", "a move may not end on an opponent's line")
        if self.readings["order_transit"] == "final_only" and not self.in_order(lifted, origin, end):
            return breaks("NR-22", "the finish line takes pyramids in the order of a nest only")
        if self.covers_mate(lifted, end):
            return breaks("NR-37", "a pyramid of the line-mate may not be covered on the shared lines")
        return LEGAL

    # -- A whole move, without the pat rule ----------------------------------------------------------------

    def judge_path(self, position: Position, path: Path) -> Verdict:
        """NR-10 to NR-28, NR-37 and the trial rules: may the mover take this way?"""
        stack = position.stacks[path[0]]
        if not stack:
            return breaks("NR-11", "no pyramid stands there")
        if stack[-1].colour != position.mover:
            return breaks("NR-10", "the top pyramid is not the player's own")
        hops = list(pairwise(path))
        if not all(hop in self.steps or hop in self.jumps for hop in hops):
            return breaks("NR-14", "a hop goes to an adjacent square or straight over one")
        if len(hops) > 1 and any(hop in self.steps for hop in hops):
            return breaks("NR-17", "only jumps can be joined")
        lifted = Lifted(stack[-1], path[0], position.stacks)
        return next((v for v in self._verdicts(lifted, path, hops) if not v.legal), LEGAL)

    def _verdicts(self, lifted: Lifted, path: Path, hops: list[tuple[int, int]]) -> Iterator[Verdict]:
        p = lifted.pyramid.colour
        for count, (here, there) in enumerate(hops):
            if count:
                yield self.judge_going_on(lifted, here)
            if (here, there) in self.steps:
                yield self.judge_step(lifted, here, there)
            else:
                yield self.judge_jump(lifted, here, there, alone=len(hops) == 1)
        retreated = any(hop in self.retreats[p] for hop in hops)
        yield self.judge_end(lifted, path[-1], retreated)
        watched = hops if self.readings["line_transit"] == "applies" else [(path[0], path[-1])]
        yield from (self.judge_lines(p, here, there) for here, there in watched)

    def ends(self, lifted: Lifted) -> dict[int, Path]:
        """Where the pyramid can go: for each end the shortest path, and of these the first in board order."""
        origin = lifted.origin
        shortest: dict[int, Path] = {
            there: (origin, there)
            for there in self.near[origin]
            if self.judge_step(lifted, origin, there).legal and self.may_end(lifted, (origin, there))
        }
        seen: set[tuple[int, bool]] = set()
        layer: list[tuple[Path, bool]] = [((origin,), False)]
        while layer:
            following = []
            for path, retreated in layer:
                for there in self.landings(lifted, path):
                    state = (there, retreated or (path[-1], there) in self.retreats[lifted.pyramid.colour])
                    if state in seen:
                        continue
                    seen.add(state)
                    following.append(((*path, there), state[1]))
                    if there not in shortest and self.may_end(lifted, (*path, there), state[1]):
                        shortest[there] = (*path, there)
            layer = following
        return shortest

    def landings(self, lifted: Lifted, path: Path) -> Iterator[int]:
        """NR-15, NR-18: where one more jump may touch down."""
        here, p = path[-1], lifted.pyramid.colour
        if len(path) > 1 and not self.judge_going_on(lifted, here).legal:
            return
        anywhere = self.readings["line_transit"] == "final_only"
        for there in self.beyond[here]:
            if self.judge_jump(lifted, here, there).legal and (anywhere or self.judge_lines(p, here, there).legal):
                yield there

    def may_end(self, lifted: Lifted, path: Path, retreated: bool = False) -> bool:
        lines = path[-2:] if self.readings["line_transit"] == "applies" else (path[0], path[-1])
        kept = self.judge_lines(lifted.pyramid.colour, *lines).legal
        return kept and self.judge_end(lifted, path[-1], retreated).legal

    def base_moves(self, position: Position, p: str) -> Iterator[Path]:
        """NR-10, NR-11: all that p could do with the tops of p's colour, if the pat rule did not exist."""
        for square, stack in enumerate(position.stacks):
            if stack and stack[-1].colour == p:
                yield from self.ends(Lifted(stack[-1], square, position.stacks)).values()

    def advances(self, p: str, path: Path) -> bool:
        return self.rows[p][path[-1]] > self.rows[p][path[0]]

    def after(self, position: Position, path: Path = ()) -> Position:
        """NR-16: only the pyramid moved changes its place; no path is a pass."""
        stacks = list(position.stacks)
        if path:
            pyramid = stacks[path[0]][-1]
            stacks[path[0]] = stacks[path[0]][:-1]
            stacks[path[-1]] = stacks[path[-1]] + (pyramid,)
        return Position(self.next_player(position.mover), tuple(stacks), position.squares)
