"""Protects: the move counts of every game, and Crosswalk's turns against a counter that shares no code."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.counts import Counted, read_counts
from rulecheck.perft import divide, perft

FOLDER = Path(__file__).parent / "perft"
sys.path.insert(0, str(FOLDER))
import naive_crosswalk as naive  # noqa: E402  # lives here, what it counted in specs

SLOW_FROM = 300_000  # nodes


def lines() -> list[Any]:
    found = []
    for slug in registry.names():
        for line in read_counts(registry.find(slug)):
            slow = [pytest.mark.slow] if max(line.counts.values()) >= SLOW_FROM else []
            found.append(pytest.param(slug, line, id=f"{slug}:{line.line}", marks=slow))
    return found


@pytest.mark.parametrize(("slug", "line"), lines())
def test_counts(slug: str, line: Counted) -> None:
    engine, position = line.opened(registry.find(slug))
    for depth, expected in line.counts.items():
        found = perft(engine, position, depth)
        if found != expected:
            parts = "\n".join(f"  {name}  {n}" for name, n in divide(engine, position, depth).items())
            pytest.fail(f"{position}: D{depth} is {found}, expected {expected}; divided:\n{parts}")


def test_divide_adds_up() -> None:
    game = registry.find("crosswalk")
    line = next(line for line in read_counts(game) if line.counts.keys() >= {1, 2, 3})
    engine, position = line.opened(game)
    for depth in (1, 2, 3):
        assert sum(divide(engine, position, depth).values()) == perft(engine, position, depth)
    assert divide(engine, position, 0) == {}
    assert perft(engine, position, 0) == 1


def test_every_reading_of_crosswalk_is_counted() -> None:
    game = registry.find("crosswalk")
    wanted = {(r.name, value) for r in game.rulebook.options.values() for value in r.values[1:]}
    counted = {pair for line in read_counts(game) for pair in line.readings.items()}
    assert wanted <= counted


# -- Crosswalk against the naive counter --------------------------------------------------------------------

GAMES = [  # parameters, highest roll that brute force can take, how many positions
    ({"squares": "3", "sizes": "12", "pedestrians": "1"}, 5, 20),
    ({"squares": "2", "sizes": "123"}, 6, 20),
    ({"squares": "4", "sizes": "13", "pedestrians": "1,3"}, 4, 12),
    ({}, 3, 12),
]


def _scattered(params: dict[str, str], count: int) -> tuple[Any, list[str]]:
    chosen = registry.find("crosswalk").params(params)
    pieces = [str(piece) for piece in chosen.material.elements()]
    rng = random.Random(f"scatter {params}")
    return chosen, [naive.scatter(rng, chosen.squares, pieces) for _ in range(count)]


@pytest.mark.parametrize(("given", "highest", "count"), GAMES)
@pytest.mark.parametrize("spend", ["exact", "until_stuck"])
def test_turns_of_scattered_positions(given: dict[str, str], highest: int, count: int, spend: str) -> None:
    game = registry.find("crosswalk")
    params, positions = _scattered(given, count)
    engine = game.engine(params, game.rulebook.choose({"spend": spend}))
    for text in positions:
        for roll in range(1, highest + 1):
            position = game.read_position(params, f"{text} roll={roll}")
            found = {str(result) for result in engine.moves(position).values()}
            assert found == naive.results(text, roll, params.squares, spend == "until_stuck"), f"{text} roll={roll}"


def test_scattered_positions_reach_the_exception() -> None:
    """Without positions that have no valid turn the comparison would say nothing of relocations."""
    game = registry.find("crosswalk")
    params, positions = _scattered(GAMES[0][0], GAMES[0][2])
    engine = game.engine(params, game.rulebook.defaults())
    relocated = 0
    for text in positions:
        moves = engine.moves(game.read_position(params, f"{text} roll=1"))
        relocated += any(re.search(">", str(move)) for move in moves)
    assert relocated >= 2
