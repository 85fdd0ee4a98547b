"""Proof games: how did this position arise in exactly so many moves?"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulecheck.puzzles.kinds import changed_answers, level_of
from rulecheck.puzzles.lines import Line, lines_of, numbered
from rulecheck.puzzles.model import Difficulty, Draft, Told
from rulecheck.puzzles.rules import ByEngine, Rules, rules_of
from rulecheck.registry import Game

POLICY = (
    "Exactly one game of this length leads from the start to the position, move by move; moves that lead to the same "
    "position are one move, and it does not matter whether a shorter game would do."
)


def play(rules: Rules, position: Any) -> Mapping[str, Any]:
    return {} if rules.winner(position) is not None else rules.moves(position)


@dataclass(frozen=True)
class ProofGame:
    game: Game
    params: Mapping[str, str]
    length: int
    units: int = 300
    samples: int = 10

    @property
    def name(self) -> str:
        return f"proof-game-{self.length}"

    def propose(self, rng: random.Random) -> Draft | None:
        params = self.game.params(self.params).as_dict()
        rules = rules_of(ByEngine, self.game.slug, params, self.game.rulebook.defaults())
        for _ in range(self.samples):
            position = rules.choice.engine().start()
            for _ in range(self.length):
                options = play(rules, position)
                position = rng.choice(list(options.values())) if options else position
            if len(self._games(rules, position)) == 1:
                return Draft(str(position), params=params)
        return None

    def _games(self, rules: Rules, target: Any) -> list[Line]:
        start = rules.choice.engine().start()
        return lines_of(rules, start, self.length, play, lambda _, position: bool(position == target))

    def tell(self, rules: Rules, position: Any, asked: str) -> Told | None:
        games = self._games(rules, position)
        if len(games) != 1:
            return None
        (line,) = games
        answer = " ".join(line)
        movers, choices, at = [], [], rules.choice.engine().start()
        for move in line:
            movers.append(at.mover)
            choices.append(len(rules.moves(at)))
            at = rules.moves(at)[move]
        methods = {
            "let every pyramid that has moved go where it stands in one move": lambda: self._direct(rules, position),
            "look at every game": lambda: [answer],
        }
        level, method = level_of(answer, methods)
        return Told(
            question=f"From the start to this position in exactly {self.length} moves of both players. How?",
            policy=POLICY,
            answer=line,
            solution=numbered(line, movers),
            difficulty=Difficulty(level, method, {"length": self.length, "choices": choices, "tries": 0}),
            minimal="A position of play, so nothing can be taken away.",
            other_readings=changed_answers(rules, position, answer, self._words),
        )

    def _words(self, rules: Rules, position: Any) -> str:
        games = self._games(rules, position)
        return " ".join(games[0]) if len(games) == 1 else "several games" if games else "no game"

    def _direct(self, rules: Rules, position: Any) -> list[str]:
        """Games in which no move lands where nothing stands in the end."""

        def step(rules: Rules, at: Any) -> Mapping[str, Any]:
            return {m: r for m, r in play(rules, at).items() if self._stays(at, r, position)}

        start = rules.choice.engine().start()
        lines = lines_of(rules, start, self.length, step, lambda _, at: bool(at == position))
        return [" ".join(line) for line in lines]

    @staticmethod
    def _stays(before: Any, after: Any, target: Any) -> bool:
        """Whatever the move has put somewhere is there in the target."""
        stacks = zip(before.stacks, after.stacks, target.stacks, strict=True)
        return all(set(new) - set(old) <= set(end) for old, new, end in stacks)
