"""Nest race: compiled moves against the engine's, and what a solved board takes in memory and on disk."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.rows import Row
from benchmarks.spaces import generation_row, memory_rows
from rulecheck.games.nestrace import GAME
from rulecheck.games.nestrace.space import NestPacking
from solvers.graph import Kind

SMALL = {"core": "2", "width": "2", "nests": "1"}
MIDDLE = {"core": "3", "width": "3", "nests": "1"}
LARGE = {"core": "4", "width": "2", "nests": "1"}


def rows(small: bool) -> Iterator[Row]:
    params = SMALL if small else LARGE
    made = NestPacking(GAME.params(params), GAME.rulebook.defaults())
    keys = made.ranking.unrank(np.random.default_rng(1).integers(0, made.ranking.size, 2000 if small else 400_000))
    keys = keys[made.expand(keys).kind != Kind.VOID]
    positions = [made.unpack(int(key)) for key in keys[:500]]
    title = f"Nest race, core {params['core']}, width {params['width']}"
    yield generation_row(GAME, params, title, lambda: made.expand(keys), len(keys), positions)
    solved = SMALL if small else MIDDLE
    yield from memory_rows(GAME.slug, solved, f"Nest race, core {solved['core']}, width {solved['width']}")
