"""Nest race: every move of a position, with its result, computed from the constraints alone."""

from __future__ import annotations

from dataclasses import dataclass

from rulecheck.games.nestrace import PASS, Position, read_move
from rulecheck.puzzles.rules import OneByOne, Stated
from rulecheck.pyramids import Pyramid, Stack
from solvers.smt import every
from specs.nestrace.spec import Spec
from specs.nestrace.spec_moves import Way
from specs.nestrace.spec_scene import Flags


class StatedTurns(OneByOne[Spec]):
    def stated(self, position: Position) -> Stated:
        flags = self.spec.scene.flags(position.stacks)
        choice = self.spec.choice(position.mover, flags)
        ways: dict[Flags, list[Way]] = {flags: []} if choice.may_pass else {}
        for way in choice.legal:
            ways.setdefault(self.spec.following(position.mover, way, flags), []).append(way)
        return {
            self._position(position, after): (
                self._winner(after),
                Paths(self.spec, position.mover, tuple(leading), flags, choice.may_pass and after == flags),
            )
            for after, leading in ways.items()
        }

    def _position(self, before: Position, flags: Flags) -> Position:
        stacks: list[Stack] = [()] * len(before.stacks)
        for (s, z, c), there in sorted(zip(self.spec.scene.at, flags, strict=True), key=lambda slot: slot[0][1]):
            if there:
                stacks[s] = (*stacks[s], Pyramid(c, z))
        return Position(self.spec.next_player(before.mover), tuple(stacks), before.squares)

    def _winner(self, flags: Flags) -> str | None:
        players = self.spec.params.letters
        won = [c for c in players if self.spec.test(("won", c), lambda c=c: self.spec.won(c))(flags)]  # type: ignore[misc]
        return won[0] if won else None


@dataclass(frozen=True)
class Paths:
    """The names of all moves with one result that the constraints allow: paths of these ways, or a pass."""

    spec: Spec
    mover: str
    ways: tuple[Way, ...]
    flags: Flags
    by_passing: bool

    def __contains__(self, name: object) -> bool:
        move, number = read_move(self.spec.params, str(name)), self.spec.params.number
        if move == PASS:
            return self.by_passing
        path = tuple(number[square] for square in move.path)
        if not any((path[0], path[-1]) == (o, t) for o, _, t in self.ways):
            return False
        asked = self.spec.asked(self.mover, path)
        return bool(self.spec.test(("path", self.mover, path), lambda: every(asked.values()))(self.flags))
