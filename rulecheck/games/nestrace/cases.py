"""Nest race: positions in which one clause decides, found in play of the smallest game.

Play is searched from the start, nearest first, so whatever is found is as near as can be; a case counts only if
both encodings say that this clause and no other is against the move (or that the move is legal).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from rulecheck.explore import Explored
from rulecheck.games.nestrace import Move, Params, Position
from rulecheck.games.nestrace.engine import Engine
from rulecheck.games.nestrace.engine_moves import Path
from rulecheck.model import Readings
from specs.nestrace.spec import Spec

NEAR, FAR = 2_500, 12_000  # positions that are searched for movement, and for the pat rule
Permits = Callable[[Engine, Position, Path], bool]


@dataclass(frozen=True)
class Case:
    position: Position
    move: str
    line: tuple[str, ...]
    note: str


class Search:
    def __init__(self, params: Params, readings: Readings) -> None:
        self.engine, self.spec = Engine(params, readings), Spec(params, readings)

    def forbidding(self, movement: set[str], pat: set[str]) -> dict[str, Case]:
        """For each of the clauses the nearest move that it alone forbids, as far as the search goes."""
        cases: dict[str, Case] = {}
        for missing, most, paths in ((set(movement), NEAR, tries), (set(pat), FAR, base_moves)):
            play = Explored(self.engine, lazily=True)
            for position in islice(play.turns(), most if missing else 0):
                for path in paths(self.engine, position):
                    if clause := self._alone(position, path, missing):
                        verdict = self.engine.judge(position, self.engine.named(path))
                        cases[clause] = self._case(play, position, path, f"{verdict}; nothing else is against it")
                        missing.remove(clause)
                if not missing:
                    break
        return cases

    def permitting(self, wanted: Mapping[str, Permits]) -> dict[str, Case]:
        """For each of the clauses the nearest legal move that makes use of it."""
        cases: dict[str, Case] = {}
        play = Explored(self.engine, lazily=True)
        for position in islice(play.turns(), NEAR):
            for move in self.engine.moves(position):
                path = self.engine.numbered(move)
                for clause in wanted.keys() - cases.keys():
                    fits = path and wanted[clause](self.engine, position, path)
                    if fits and self.spec.judge(position, move).legal:
                        cases[clause] = self._case(play, position, path, "legal, by this clause")
            if len(cases) == len(wanted):
                break
        return cases

    def _alone(self, position: Position, path: Path, missing: set[str]) -> str | None:
        move = self.engine.named(path)
        clauses = self.engine.judge(position, move).clauses
        if len(clauses) != 1 or clauses[0] not in missing:
            return None
        return clauses[0] if self.spec.judge(position, move).clauses == clauses else None

    def _case(self, play: Explored[Position, Move], position: Position, path: Path, note: str) -> Case:
        return Case(position, str(self.engine.named(path)), play.line_to(position), note)


def tries(engine: Engine, position: Position) -> Iterator[Path]:
    """Moves that might be tried: a hop from anywhere, one to somewhere too far, and two hops with an own top."""
    squares = range(len(position.stacks))
    for o, stack in enumerate(position.stacks):
        far = [t for t in squares if t != o and t not in engine.near[o] and t not in engine.beyond[o]]
        for t in [*engine.near[o], *engine.beyond[o], *far[-1:]]:
            yield o, t
            if stack and stack[-1].colour == position.mover and t not in far:
                yield from ((o, t, u) for u in (*engine.near[t], *engine.beyond[t]))


def base_moves(engine: Engine, position: Position) -> Iterator[Path]:
    return engine.base_moves(position, position.mover) if engine.blockers(position, other(position)) else iter(())


def other(position: Position) -> str:
    return "B" if position.mover == "A" else "A"


# -- What a permission is used for ------------------------------------------------------------------------------


def _is_step(engine: Engine, path: Path) -> bool:
    return path in engine.steps


def large_on_small(engine: Engine, position: Position, path: Path) -> bool:
    under = position.stacks[path[-1]]
    return bool(under) and position.stacks[path[0]][-1].pips - under[-1].pips == 2


def plain_step(engine: Engine, position: Position, path: Path) -> bool:
    return _is_step(engine, path) and not position.stacks[path[-1]]


def plain_jump(engine: Engine, position: Position, path: Path) -> bool:
    return path in engine.jumps and not position.stacks[path[-1]]


def onto_smaller(engine: Engine, position: Position, path: Path) -> bool:
    return bool(position.stacks[path[-1]])


def on_from_smaller(engine: Engine, position: Position, path: Path) -> bool:
    return any(position.stacks[t] for t in path[1:-1])


def along_a_line(engine: Engine, position: Position, path: Path) -> bool:
    p = position.mover
    return any({path[0], path[-1]} <= line[p] for line in (engine.starts, engine.finishes))


PERMITTING: dict[str, Permits] = {
    "NR-12": large_on_small,
    "NR-14": plain_step,
    "NR-15": plain_jump,
    "NR-19": onto_smaller,
    "NR-20": on_from_smaller,
    "NR-26": along_a_line,
}
