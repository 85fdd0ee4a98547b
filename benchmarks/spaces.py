"""What games without dice are measured by: how fast positions are made, and how much room a solved game takes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.rows import Row, compare_rates, peak_bytes
from rulecheck import registry
from rulecheck.registry import Game
from rulecheck.solving import settle_game
from rulecheck.tables import Setting


def setting(game: Game, params: Mapping[str, str]) -> Setting:
    return Setting(game, game.params(params), game.rulebook.defaults())


def generation_row(
    game: Game, params: Mapping[str, str], title: str, fast: Callable[[], Any], count: int, positions: Sequence[Any]
) -> Row:
    """All successors of positions drawn by lot: by compiled code, and of the first of them by the engine."""
    engine = setting(game, params).engine()
    return compare_rates(
        f"{title}: successors", fast, lambda: [engine.moves(position) for position in positions], "the engine",
        (count, len(positions)), at_least=50,
    )  # fmt: skip


def memory_rows(slug: str, params: Mapping[str, str], title: str) -> Iterator[Row]:
    """Solved, checked and written in a process of its own."""
    yield Row(f"{title}: solved", "bytes a position at the peak", peak_bytes(settle, slug, dict(params)))
    with tempfile.TemporaryDirectory() as folder:
        solved = settle_game(setting(registry.find(slug), params), Path(folder))
        each = solved.path.stat().st_size / len(solved.space)
    yield Row(f"{title}: table", "bytes a position on disk", each)


def settle(slug: str, params: Mapping[str, str], *, warm: bool) -> int:
    """Solve a game, or, to warm up, the smallest one of the same kind; how many numbers it has."""
    game = registry.find(slug)
    with tempfile.TemporaryDirectory() as folder:
        return len(settle_game(setting(game, WARM[slug] if warm else params), Path(folder)).space)


WARM = {
    "hextris": {"groups": "1", "group": "2", "pieces": "2,0,0"},
    "nestrace": {"core": "2", "width": "2", "nests": "1"},
}
