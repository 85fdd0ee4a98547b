"""Nest race: a legal line of play from the start to a given position, by a backward search.

Backwards, play runs like play in the other direction: pyramids leave their places in the target one by one and rebuild
the nests on the start lines. So the goal is always the same, whatever the target, and a greedy random search with a few
restarts suffices. The engine judges every move taken back in the position before it, and `replay` plays the whole line
forward again.

Glossary: t the square a pyramid is taken back from, o the one it is taken back to; p whose move is taken back.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rulecheck.games.nestrace import Position, read_move
from rulecheck.games.nestrace.engine import Engine
from rulecheck.games.nestrace.engine_moves import Lifted, Path
from rulecheck.pyramids import LARGE, Stack

TRIES, LONGEST = 40, 400


class Back(NamedTuple):
    """A move taken back: its score, its path, and the position before it."""

    score: float
    path: Path
    before: Position


class Retreat:
    def __init__(self, engine: Engine, seed: int) -> None:
        self.engine, self.rng = engine, random.Random(seed)
        start = engine.start()
        self.homes = {p: {n for n, s in enumerate(start.stacks) if s and s[0].colour == p} for p in engine.players}

    def line(self, target: Position) -> tuple[str, ...] | None:
        """The moves from the start to the target; None if this try got stuck or took too long."""
        moves: list[str] = []
        now, start = target, self.engine.start()
        while now != start:
            back = self._choose(now)
            if back is None or len(moves) == LONGEST:
                return None
            moves.append(str(self.engine.named(back.path)))
            now = back.before
        return tuple(reversed(moves))

    def _choose(self, now: Position) -> Back | None:
        players = self.engine.players
        p = players[players.index(now.mover) - 1]
        last = p == players[-1]
        if not self._loose(now, p):
            # Home: only the closing round, in which each puts the last one home, leads to the start.
            return None
        ready = self._ready(now, p)
        closing = ready and (all(self._ready(now, q) for q in players) if last else not self._loose(now, players[-1]))
        backs = sorted(self._backs(now, p), key=lambda back: -back.score)
        if ready:  # wait beside the nest, or close it
            backs = [back for back in backs if (not self._loose(back.before, p)) == closing]
            backs = [back for back in backs if closing or self._ready(back.before, p)]
        return next((b for b in backs if self.engine.judge(b.before, self.engine.named(b.path)).legal), None)

    def _loose(self, position: Position, p: str) -> list[int]:
        """The squares of p's pyramids that are not home."""
        stacks = enumerate(position.stacks)
        return [n for n, stack in stacks for q in stack if q.colour == p and n not in self.homes[p]]

    def _ready(self, position: Position, p: str) -> bool:
        """One large pyramid of p's is left, a step before its nest."""
        loose = self._loose(position, p)
        if not loose:
            return False
        open_nests = [n for n in self.homes[p] if len(position.stacks[n]) < len(self.engine.nests[p])]
        top = position.stacks[loose[0]][-1]
        near = [n for n in open_nests if (n, loose[0]) in self.engine.steps]
        return len(loose) == 1 and (top.colour, top.pips) == (p, LARGE) and bool(near)

    def _backs(self, now: Position, p: str) -> Iterator[Back]:
        for t, stack in enumerate(now.stacks):
            if stack and stack[-1].colour == p and t not in self.homes[p]:
                lifted = Lifted(stack[-1], t, now.stacks)
                for path in self._ways_back(lifted):
                    if self._fits(lifted, path[0]):
                        yield Back(self._score(lifted, path), path, self._before(now, p, path))

    def _ways_back(self, lifted: Lifted) -> Iterator[Path]:
        """Paths that could have led here: single steps, and chains of jumps from the last one back."""
        here, p = lifted.origin, lifted.pyramid.colour
        yield from ((o, here) for o in self.engine.near[here] if (o, here) not in self.engine.retreats[p])
        seen = {here}
        layer: list[Path] = [(here,)]
        while layer:
            longer: list[Path] = []
            for path in layer:
                for o in self.engine.beyond[path[0]]:
                    jump = (o, path[0])
                    if o not in seen and lifted.stacks[self.engine.jumps[jump]] and jump not in self.engine.retreats[p]:
                        seen.add(o)
                        yield (o, *path)
                        if self._is_smaller(lifted, o):
                            longer.append((o, *path))
            layer = longer

    def _is_smaller(self, lifted: Lifted, o: int) -> bool:
        under = lifted.under(o)
        return not under or under[-1].pips < lifted.pyramid.pips

    def _fits(self, lifted: Lifted, o: int) -> bool:
        """May the pyramid have come from o: an empty square of the core, or its place in a nest at home?"""
        p, under = lifted.pyramid.colour, lifted.under(o)
        if o in self.homes[p]:
            return under == self.engine.nests[p][: lifted.pyramid.pips - 1]
        return not under and o not in self.engine.finishes[p] | self.engine.starts[p] | self.engine.foreign[p]

    def _before(self, now: Position, p: str, path: Path) -> Position:
        stacks: list[Stack] = list(now.stacks)
        pyramid = stacks[path[-1]][-1]
        stacks[path[-1]] = stacks[path[-1]][:-1]
        stacks[path[0]] = stacks[path[0]] + (pyramid,)
        return Position(p, tuple(stacks), now.squares)

    def _score(self, lifted: Lifted, path: Path) -> float:
        """Far back is good, home is better; pyramids already on their way go first, and small ones before large."""
        p, rows = lifted.pyramid.colour, self.engine.rows[lifted.pyramid.colour]
        gain = rows[path[-1]] - rows[path[0]] + 3.0 * (path[0] in self.homes[p])
        under_way = 0.0 if path[-1] in self.engine.finishes[p] else 1.5
        return gain + under_way - 0.3 * lifted.pyramid.pips + self.rng.random()


def find_line(engine: Engine, target: Position, tries: int = TRIES) -> tuple[str, ...] | None:
    """The shortest line of `tries` attempts; None if all failed, which proves nothing."""
    lines = (Retreat(engine, seed).line(target) for seed in range(tries))
    return min((line for line in lines if line is not None), key=len, default=None)


def replay(engine: Engine, line: Iterable[str], start: Position | None = None) -> list[Position]:
    """The positions of a line, the first one included; the engine refuses an illegal move."""
    positions = [engine.start() if start is None else start]
    for move in line:
        positions.append(engine.play(positions[-1], read_move(engine.params, move)))
    return positions
