"""All legal moves of a position by the constraints: computed or enumerated at once, against a question for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.engines_bench import drawn
from benchmarks.rows import Row, compare
from benchmarks.spaces import setting
from rulecheck import registry

POSITIONS = {"crosswalk": 3, "hextris": 20, "nestrace": 10}


def rows(small: bool) -> Iterator[Row]:
    for slug, count in POSITIONS.items():
        if not small or slug == "hextris":
            yield stated_row(slug, 1 if small else count)


def stated_row(slug: str, count: int) -> Row:
    """Listing leaves no move out; the questions are asked only about moves that the engine lists."""
    game = registry.find(slug)
    chosen = setting(game, {})
    engine, spec = chosen.engine(), chosen.spec()
    positions = drawn(engine, 5 * count)[::5]
    listing = game.hints.stated_turns(spec)
    moves = [list(engine.moves(position)) for position in positions]

    def by_question() -> list[bool]:
        asked = zip(positions, moves, strict=True)
        return [spec.judge(position, move).legal for position, listed in asked for move in listed]

    def at_once() -> Sequence[Any]:
        return list(listing(positions))

    note = f"{count} positions of games played at random, {sum(map(len, moves)) / count:.0f} moves each"
    work = f"{game.title}, as printed: the legal moves of a position, by the constraints"
    return compare(
        work, at_once, by_question, "a question for each move", shares=(count, count),
        at_least=10, repeats=1 if count == 1 else 3, note=note,
    )  # fmt: skip
