"""Crosswalk: certified bounds against plainer ways to the same values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from benchmarks.rows import Row
from benchmarks.solvers_bench import bounds_rows
from rulecheck import registry
from rulecheck.tables import Setting

SMALL = {"squares": "4", "sizes": "12", "pedestrians": "none"}
MIDDLE = {"squares": "5", "sizes": "12", "pedestrians": "none"}


def setting(params: Mapping[str, str]) -> Setting:
    game = registry.find("crosswalk")
    return Setting(game, game.params(params), game.rulebook.defaults())


def rows(small: bool) -> Iterator[Row]:
    chosen = SMALL if small else MIDDLE
    chart = setting(chosen).chart()
    work = f"Crosswalk, {chosen['squares']} squares, sizes 1 and 2, bounds within 1e-6"
    yield from bounds_rows(chart.arena, work, repeats=1 if small else 3)
