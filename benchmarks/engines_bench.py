"""The readable engines: moves listed a second, positions explored a second, and what a position takes in memory."""

from __future__ import annotations

import importlib
import math
import random
import sys
import tracemalloc
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.rows import Row, seconds
from benchmarks.spaces import setting
from rulecheck import registry
from rulecheck.contract import brought
from rulecheck.explore import Explored
from rulecheck.registry import Game

EXAMPLES: Mapping[str, Mapping[str, str]] = {
    **{"oxo": {}, "nim": {}, "pig": {"target": "20"}},
    **{"gobblet": {"side": "2"}, "twentyone": {}},
}
FOLDER = Path(__file__).parents[1] / "docs" / "examples"
MOVES = 60  # of a game played at random
WAY = 18  # bytes: where it leads, how likely it is, and who is to act there


def rows(small: bool) -> Iterator[Row]:
    for slug in ("crosswalk", "hextris", "icepalace", "nestrace"):
        yield listed_row(registry.find(slug), 5 if small else 200)
    for slug, params in EXAMPLES.items():
        if not small or slug == "nim":
            yield from explored_rows(example(slug), params)


def listed_row(game: Game, count: int) -> Row:
    engine = setting(game, {}).engine()
    positions = drawn(engine, count)
    turns = []
    for _ in range(3):
        taken, moves = seconds(lambda: sum(len(engine.moves(position)) for position in positions))
        turns.append(moves / taken)
    note = f"{moves / count:.0f} moves a position, in games played at random"
    return Row(f"{game.title}, as printed: all moves and their results", "moves a second", sorted(turns)[1], note=note)


def drawn(engine: Any, count: int) -> list[Any]:
    """Positions in which a player is to act, from games played at random."""
    rng = random.Random(3)
    found: list[Any] = []
    while len(found) < count:
        position = engine.start()
        for _ in range(MOVES):
            while results := brought(engine, position):
                position = rng.choice(results)
            moves = {} if engine.end(position) else engine.moves(position)
            if not moves:
                break
            found.append(position)
            position = rng.choice(list(moves.values()))
    return found[:count]


def example(slug: str) -> Game:
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    game: Game = importlib.import_module(slug).GAME
    return game


def explored_rows(game: Game, given: Mapping[str, str]) -> Iterator[Row]:
    """Play as `solve` explores it, without what is known to be alike."""
    chosen = setting(game, given)
    explore = partial(Explored, chosen.engine(), partial(game.read_position, chosen.params))
    taken, play = seconds(explore)
    work = f"{game.title}{''.join(f', {k} {v}' for k, v in given.items())}: {len(play):,} positions explored"
    yield Row(work, "positions a second", len(play) / taken)
    text = sum(map(len, play.texts)) / len(play)
    del play
    tracemalloc.start()
    kept = explore()
    size = tracemalloc.get_traced_memory()[0] / len(kept)
    tracemalloc.stop()
    note = f"{text:.0f} of them are the letters of its text, {WAY * len(kept.succ) / len(kept):.0f} its ways on"
    if game.fields is not None:
        note += f"; as a number, by its fields, it would take {math.log2(game.fields(chosen.params).size) / 8:.1f}"
    yield Row(work, "bytes a position", size, note=note)
