"""Hextris: compiled turns against the engine's, and what a solved class takes in memory and on disk."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.rows import Row
from benchmarks.spaces import generation_row, memory_rows
from rulecheck.games.hextris import GAME
from rulecheck.games.hextris.space import packing
from solvers.graph import Kind

LARGE = {"groups": "1", "pieces": "5,0,0"}
SMALL = {"groups": "1", "group": "3", "pieces": "3,0,0"}


def rows(small: bool) -> Iterator[Row]:
    params = SMALL if small else LARGE
    made = packing(GAME.params(params), GAME.rulebook.defaults())
    assert made is not None
    assert made.ranking is not None
    numbers = np.random.default_rng(1).integers(0, made.ranking.size, 2000 if small else 200_000)
    numbers = numbers[made.expand_numbers(numbers).kind == Kind.MOVE]
    positions = [made.unpack(int(key)) for key in made.ranking.unrank(numbers[:300])]
    title = f"Hextris, last group, {params['pieces']} each"
    yield generation_row(GAME, params, title, lambda: made.expand_numbers(numbers), len(numbers), positions)
    yield from memory_rows(GAME.slug, params, title)
