"""Crosswalk: proof games. The rolls are given, so that the puzzle is about play and not luck."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulecheck.games.crosswalk import PLAYERS, Position
from rulecheck.model import InputError
from rulecheck.puzzles.lines import Hope
from rulecheck.puzzles.proofgames import ProofGame
from rulecheck.puzzles.rules import Rules
from rulecheck.pyramids import Pyramid


@dataclass(frozen=True)
class RolledGame(ProofGame):
    """From the start by these rolls; `asked` has them, one after another."""

    def begin(self, rules: Rules, rng: random.Random) -> tuple[Any, str]:
        rolls = [rng.randrange(1, rules.choice.params.die + 1) for _ in range(self.length)]
        return rules.choice.engine().start().rolled(rolls[0]), " ".join(map(str, rolls))

    def starts(self, rules: Rules, target: Any, asked: str) -> Iterator[Any]:
        yield rules.choice.engine().start().rolled(self._rolls(asked)[0])

    def step(self, rules: Rules, at: Any, left: int, asked: str) -> Mapping[str, Any]:
        """Each result with the next roll; the last results with none."""
        if rules.winner(at) is not None:
            return {}
        coming = (*self._rolls(asked), None)[self.length - left + 1]
        return {turn: result.rolled(coming) for turn, result in rules.moves(at).items()}

    def _rolls(self, asked: str) -> tuple[int, ...]:
        rolls = asked.split()
        if len(rolls) != self.length or not all(roll in "123456789" for roll in rolls):
            raise InputError(f"expected the {self.length} rolls of the game, found {asked!r}")
        return tuple(map(int, rolls))

    def hope(self, target: Any, asked: str) -> Hope:
        """A turn relocates at most one pyramid; every other one has cost its player its pips for each square."""
        rolls, ends = self._rolls(asked), _places(target)
        if ends is None:
            return super().hope(target, asked)

        def hope(position: Any, left: int) -> bool:
            places = _places(position) or {}
            movers = [position.mover if n % 2 == 0 else _other(position.mover) for n in range(left)]
            points = dict.fromkeys(PLAYERS, 0)
            for mover, roll in zip(movers, rolls[self.length - left :], strict=True):
                points[mover] += roll
            for player in PLAYERS:
                costs = sorted(abs(p - ends[q]) * q.pips for q, p in places.items() if q.colour == player)
                if sum(costs[: max(0, len(costs) - left)]) > points[player]:
                    return False
            return True

        return hope

    def question(self, target: Any, asked: str) -> str:
        who = [_other(target.mover) if (self.length - n) % 2 else target.mover for n in range(self.length)]
        rolls = ", ".join(f"{player} {roll}" for player, roll in zip(who, asked.split(), strict=True))
        return f"From the start to this position in exactly {self.length} turns, by the rolls {rolls}. How?"


def _other(player: str) -> str:
    return PLAYERS[1 - PLAYERS.index(player)]


def _places(position: Position) -> dict[Pyramid, int] | None:
    """Where each pyramid stands; None if two are identical."""
    places = [(pyramid, place) for place, stack in enumerate(position.stacks) for pyramid in stack]
    return dict(places) if len(dict(places)) == len(places) else None
