"""Where puzzles for any game come from: all play of its versions, the smallest first, as far as play can be explored.

A pool is one version. Each encoding recomputes the answer from the position itself, so only positions with little play
after them are used.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from rulecheck import registry
from rulecheck.analyses.solved_play import SolvedPlay, solve_play
from rulecheck.analyses.versions import played
from rulecheck.contract import AnyEngine
from rulecheck.explore import Explored, Who
from rulecheck.model import InputError
from rulecheck.puzzles.rules import Rules
from rulecheck.puzzles.stated import voices
from rulecheck.registry import Game

LIMIT = 20_000  # positions of a version
WITHIN = 600  # positions that a puzzle may need to search


@dataclass(frozen=True, eq=False)
class Pool:
    """All play of one version."""

    game: Game
    params: Any
    play: Explored[Any, Any]

    @functools.cached_property
    def different(self) -> list[int]:
        """The first position of each symmetry class."""
        normalised = self.game.hints.normaliser(self.params)
        if normalised is None:
            return list(range(len(self.play)))
        first: dict[Any, int] = {}
        for number, position in enumerate(self.play):
            first.setdefault(normalised(position), number)
        return list(first.values())

    @functools.cached_property
    def choices(self) -> list[int]:
        """Those where a player must choose between different results."""
        play = self.play
        return [n for n in self.different if play.who(n) is Who.PLAYER and len(set(play.successors(n))) > 1]

    def is_small(self, number: int) -> bool:
        """Are few positions reachable from here?"""
        met, pending = {number}, [number]
        while pending and len(met) <= WITHIN:
            new = set(self.play.successors(pending.pop())) - met
            met |= new
            pending += new
        return len(met) <= WITHIN

    def sample(self, rng: random.Random, most: int) -> Iterator[Any]:
        """Some positions in which a player has a choice."""
        for number in rng.sample(self.choices, min(most, len(self.choices))):
            if self.is_small(number):
                yield self.play.position(number)

    @functools.cached_property
    def _solved(self) -> dict[str | None, SolvedPlay[Any, Any]]:
        return {}

    def solved(self, hero: str | None) -> SolvedPlay[Any, Any]:
        """Solved by the engine, once for each player against all others."""
        if hero not in self._solved:
            self._solved[hero] = solve_play(self.game, self.params, self.play.engine, hero=hero, limit=LIMIT)
        return self._solved[hero]


def pools(game: Game, params: Any = None) -> tuple[Pool, ...]:
    """The versions in which play can be explored, in rulebook order; or the one with these parameters."""
    return _pools(game.slug, tuple((game.params({}) if params is None else params).as_dict().items()))


@functools.cache
def _pools(slug: str, given: tuple[tuple[str, str], ...]) -> tuple[Pool, ...]:
    game = registry.find(slug)
    plays = played(game, game.params(dict(given)), game.rulebook.defaults(), LIMIT)
    return tuple(Pool(game, version.params, play) for version, play in plays if play is not None)


def choose_pool(rng: random.Random, game: Game, params: Any = None) -> Pool:
    """Choose a version uniformly; by size, small ones would hardly ever come up."""
    return rng.choice([pool for pool in pools(game, params) if pool.choices])


@dataclass(frozen=True)
class FromPools:
    """What kinds share that take their positions from pools, of all versions or of one."""

    game: Game
    params: Any = field(default=None, kw_only=True)

    @property
    def name(self) -> str:
        raise NotImplementedError

    def within(self, params: Any) -> Self:
        from rulecheck.puzzles.generic import left_out

        if reason := left_out(self.game, params).get(self.name):
            raise InputError(f"no puzzles of the kind {self.name}: {reason}")
        return replace(self, params=params)


def hero_of(engine: AnyEngine, player: str) -> str | None:
    """The player to solve for against all others; None in a two-player game."""
    return None if len(engine.players) == 2 else player


def distinct(moves: Mapping[Any, Any]) -> dict[str, Any]:
    """Moves that lead to the same position are one move."""
    first: dict[Any, str] = {}
    for move, result in moves.items():
        first.setdefault(result, str(move))
    return {move: result for result, move in first.items()}


def voice(rules: Rules) -> str:
    """Which encodings vouch for a puzzle; taken from the printed game, so both encodings say the same."""
    return _voice(rules.choice.game.slug)


@functools.cache
def _voice(slug: str) -> str:
    game = registry.find(slug)
    settings = game.params({}), game.rulebook.defaults()
    return voices(game.engine(*settings), None if game.spec_name is None else game.spec(*settings))
