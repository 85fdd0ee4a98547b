"""Puzzles a minute, kind by kind: made with the engine and confirmed by the constraints."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.rows import Row, seconds
from rulecheck import registry
from rulecheck.puzzles.kinds import kinds_of
from rulecheck.puzzles.mining import collect
from rulecheck.registry import Game

WANTED, SEED = 3, 1
PATIENCE = 3.0  # CPU seconds for the first puzzle of a kind; what takes longer is measured by that one alone
QUICK = ("win-in-1", "free-the-blockade", "which-rolls-win")  # what a small run is content with


def rows(small: bool) -> Iterator[Row]:
    for slug in registry.names():
        game = registry.find(slug)
        if game.hints.puzzles():
            for name in kinds_of(game):
                if not small or name in QUICK:
                    yield _row(game, name, 1 if small else WANTED)


def _row(game: Game, name: str, wanted: int) -> Row:
    """The first puzzle of a kind pays for building the constraints; quick kinds are measured without that."""
    took, found = seconds(lambda: collect(game, [name], 1, SEED, None, 1))
    state = "with building"
    if took < PATIENCE:
        took, found = seconds(lambda: collect(game, [name], wanted, SEED + 1, None, 1))
        state = "everything built"
    made = len(found.puzzles)
    note = f"{made} in {found.units[name]} tries, one process, {state}"
    return Row(f"{game.title}, {name}", "puzzles a CPU minute", 60 * made / took, note=note)
