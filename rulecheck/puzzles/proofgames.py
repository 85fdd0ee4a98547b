"""Proof games: how did this position arise in exactly N moves?

Each game provides where its games begin, what may be played with N moves to go, and when the position is out of
reach. The last only saves work: it must be certain under any reading of the rules.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from rulecheck.puzzles.kinds import changed_answers, level_of
from rulecheck.puzzles.lines import Hope, Line, hopeful, lines_of, numbered
from rulecheck.puzzles.model import Description, Difficulty, Draft
from rulecheck.puzzles.rules import ByEngine, Rules, rules_of
from rulecheck.registry import Game

POLICY = (
    "Exactly one game of this length leads from the start to the position, move by move; moves that lead to the same "
    "position are one move, and it does not matter whether a shorter game would do."
)


@dataclass(frozen=True)
class ProofGame:
    """From the start of a game without chance; games with chance override what differs."""

    game: Game
    params: Mapping[str, str]
    length: int
    units: int = 300
    samples: int = 10  # random games in a unit

    @property
    def name(self) -> str:
        return f"proof-game-{self.length}"

    def within(self, params: Any) -> Self:
        return replace(self, params=params.as_dict())

    # -- A game's part ----------------------------------------------------------------------------------------

    def starts(self, rules: Rules, target: Any, asked: str) -> Iterator[Any]:
        """Possible starts of a game that leads to the target."""
        yield rules.choice.engine().start()

    def begin(self, rules: Rules, rng: random.Random) -> tuple[Any, str]:
        """A random start, and what the question must say about it."""
        return rules.choice.engine().start(), ""

    def step(self, rules: Rules, at: Any, left: int, asked: str) -> Mapping[str, Any]:
        """What may be played with `left` moves to go, including this one."""
        return {} if rules.winner(at) is not None else rules.moves(at)

    def hope(self, target: Any, asked: str) -> Hope:
        return hopeful

    def standing(self, position: Any) -> set[tuple[Any, Any]]:
        """What stands where; empty if that says nothing about the game."""
        return {(place, pyramid) for place, stack in enumerate(position.stacks) for pyramid in stack}

    def is_dull(self, target: Any) -> bool:
        """Is this position too dull to ask about?"""
        return False

    def question(self, target: Any, asked: str) -> str:
        return f"From the start to this position in exactly {self.length} moves of both players. How?"

    def remarks(self, start: Any) -> list[str]:
        """What the solution must say about the start."""
        return []

    # -- All games --------------------------------------------------------------------------------------------

    def propose(self, rng: random.Random) -> Draft | None:
        params = self.game.params(self.params).as_dict()
        rules = rules_of(ByEngine, self.game.slug, params, self.game.rulebook.defaults())
        for _ in range(self.samples):
            position, asked = self.begin(rules, rng)
            for left in range(self.length, 0, -1):
                options = self.step(rules, position, left, asked)
                position = rng.choice(list(options.values())) if options else position
            if not self.is_dull(position) and len(self.games(rules, position, asked)) == 1:
                return Draft(str(position), asked, params=params)
        return None

    def games(self, rules: Rules, target: Any, asked: str) -> list[tuple[Any, Line]]:
        """Up to two lines that lead to the target, each with its start."""
        games: list[tuple[Any, Line]] = []
        step, hope = functools.partial(self.step, asked=asked), self.hope(target, asked)
        for start in self.starts(rules, target, asked):
            if len(games) < 2 and hope(start, self.length):
                lines = lines_of(rules, start, self.length, step, _is(target), 2 - len(games), hope)
                games += [(start, line) for line in lines]
        return games

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        games = self.games(rules, position, asked)
        if len(games) != 1:
            return None
        ((start, line),) = games
        answer = " ".join(line)
        movers, choices, at = [], [], start
        for left, move in zip(range(self.length, 0, -1), line, strict=True):
            options = self.step(rules, at, left, asked)
            movers.append(rules.actor(at))
            choices.append(len(options))
            at = options[move]
        level, method = level_of(answer, self._methods(rules, position, asked, answer))
        return Description(
            question=self.question(position, asked),
            policy=POLICY,
            answer=line,
            solution=[*numbered(line, movers), *self.remarks(start)],
            difficulty=Difficulty(level, method, {"length": self.length, "choices": choices, "tries": 0}),
            minimal="A position of play, so nothing can be taken away.",
            other_readings=changed_answers(rules, position, answer, lambda other, at: self._words(other, at, asked)),
        )

    def _words(self, rules: Rules, position: Any, asked: str) -> str:
        games = self.games(rules, position, asked)
        return " ".join(games[0][1]) if len(games) == 1 else "several games" if games else "no game"

    # -- How hard it is ---------------------------------------------------------------------------------------

    def _methods(self, rules: Rules, target: Any, asked: str, answer: str) -> dict[str, Callable[[], Sequence[str]]]:
        methods: dict[str, Callable[[], Sequence[str]]] = {}
        if self.standing(target):
            methods["let every pyramid that has moved go where it stands in one move"] = lambda: self._direct(
                rules, target, asked
            )
        for ahead in range(1, self.length):
            name = f"play what alone keeps hope, seen {ahead} {'move' if ahead == 1 else 'moves'} deep"
            methods[name] = functools.partial(self._foreseen, rules, target, asked, ahead)
        return {**methods, "look at every game": lambda: [answer]}

    def _direct(self, rules: Rules, target: Any, asked: str) -> list[str]:
        """Games in which every move puts each pyramid where it finally stands."""
        end = self.standing(target)

        def step(rules: Rules, at: Any, left: int) -> Mapping[str, Any]:
            options = self.step(rules, at, left, asked)
            return {
                m: r for m, r in options.items() if (self.standing(r) or set()) - (self.standing(at) or set()) <= end
            }

        starts = self.starts(rules, target, asked)
        lines = [line for s in starts for line in lines_of(rules, s, self.length, step, _is(target))]
        return [" ".join(line) for line in lines]

    def _foreseen(self, rules: Rules, target: Any, asked: str, ahead: int) -> list[str]:
        """Follow the only choice that `ahead - 1` further moves can keep hopeful, for as long as there is just one."""
        hope = self.hope(target, asked)

        def lasts(at: Any, left: int, ahead: int) -> bool:
            if not hope(at, left) or (left == 0 and at != target):
                return False
            if left == 0 or ahead == 0:
                return True
            return any(lasts(after, left - 1, ahead - 1) for after in self.step(rules, at, left, asked).values())

        line: list[str] = []
        options: dict[str, Any] = {str(n): at for n, at in enumerate(self.starts(rules, target, asked))}
        for left in range(self.length, -1, -1):
            going = {move: at for move, at in options.items() if lasts(at, left, ahead - 1)}
            if len(going) != 1:
                return []
            ((move, at),) = going.items()
            line.append(move)
            options = dict(self.step(rules, at, left, asked)) if left else {}
        return [" ".join(line[1:])]


def _is(target: Any) -> Callable[[Rules, Any], bool]:
    return lambda _, position: bool(position == target)
