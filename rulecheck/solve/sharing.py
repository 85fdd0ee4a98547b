"""Work on a game's positions, handed to an executor: what travels is plain, and the game is opened where it arrives."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np

from rulecheck import registry
from rulecheck.jobs import stream
from rulecheck.registry import Choice
from rulecheck.solve.packed import Keys, expanded
from rulecheck.solve.spaces import packing_of
from solvers.graph import Block

LARGEST = np.iinfo(np.int32).max


class Recipe(NamedTuple):
    """A choice of game, parameters and readings that any process can follow."""

    slug: str
    params: tuple[tuple[str, str], ...]
    readings: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, choice: Choice) -> Recipe:
        return cls(choice.game.slug, tuple(choice.params.as_dict().items()), tuple(choice.readings.items()))


@functools.lru_cache(maxsize=2)
def follow(recipe: Recipe) -> Choice:
    game = registry.find(recipe.slug)
    return Choice(game, game.params(dict(recipe.params)), game.rulebook.choose(dict(recipe.readings)))


class Shared:
    """What `Packed` does by itself, done by an executor."""

    def __init__(self, choice: Choice, executor: Executor) -> None:
        self._recipe, self._executor = Recipe.of(choice), executor

    def expand(self, by_number: bool, pieces: Iterable[Keys]) -> Iterator[Block]:
        return stream(_expand, ((self._recipe, by_number, piece) for piece in pieces), self._executor)


def _expand(task: tuple[Recipe, bool, Keys]) -> Block:
    recipe, by_number, keys = task
    packing = packing_of(follow(recipe))
    assert packing is not None
    kind, first, succ = expanded(packing, by_number, keys)
    narrow = succ.max(initial=0) <= LARGEST  # halves the data to send
    return Block(kind, first, succ.astype(np.int32) if narrow else succ)
