"""Protects: the move counts of every game, and Crosswalk's turns against a counter that shares no code."""

from __future__ import annotations

import random
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.model import Engine
from rulecheck.perft import divide, perft

FOLDER = Path(__file__).parent / "perft"
sys.path.insert(0, str(FOLDER))
import naive_crosswalk as naive  # noqa: E402  # lives beside the counts that it made

SLOW_FROM = 300_000  # nodes


@dataclass(frozen=True)
class Line:
    slug: str
    number: int
    params: dict[str, str]
    readings: dict[str, str]
    position: str
    counts: dict[int, int]

    def opened(self) -> tuple[Engine, Any]:
        game = registry.find(self.slug)
        params = game.params(self.params)
        engine = game.engine(params, game.rulebook.choose(self.readings))
        return engine, engine.start() if self.position == "start" else game.read_position(params, self.position)


def _pairs(text: str) -> dict[str, str]:
    return {} if text == "-" else dict(part.split("=", 1) for part in text.split())


def lines() -> list[Any]:
    found = []
    for file in (FOLDER / f"{slug}.perft" for slug in registry.names()):
        for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            if text and not text.startswith("#"):
                line = _line(file.stem, number, text)
                slow = [pytest.mark.slow] if max(line.counts.values()) >= SLOW_FROM else []
                found.append(pytest.param(line, id=f"{line.slug}:{number}", marks=slow))
    return found


def _line(slug: str, number: int, text: str) -> Line:
    params, readings, position, *depths = (part.strip() for part in text.split(";"))
    counts = {int(d[1:]): int(n) for d, n in (part.split() for part in depths)}
    return Line(slug, number, _pairs(params), _pairs(readings), position, counts)


@pytest.mark.parametrize("line", lines())
def test_counts(line: Line) -> None:
    engine, position = line.opened()
    for depth, expected in line.counts.items():
        found = perft(engine, position, depth)
        if found != expected:
            parts = "\n".join(f"  {name}  {n}" for name, n in divide(engine, position, depth).items())
            pytest.fail(f"{position}: D{depth} is {found}, expected {expected}; divided:\n{parts}")


def test_divide_adds_up() -> None:
    line = next(p.values[0] for p in lines() if p.values[0].counts.keys() >= {1, 2, 3})
    engine, position = line.opened()
    for depth in (1, 2, 3):
        assert sum(divide(engine, position, depth).values()) == perft(engine, position, depth)
    assert divide(engine, position, 0) == {}
    assert perft(engine, position, 0) == 1


def test_every_reading_of_crosswalk_is_counted() -> None:
    options = registry.find("crosswalk").rulebook.options.values()
    wanted = {(r.name, value) for r in options for value in r.values[1:]}
    counted = {pair for p in lines() for pair in p.values[0].readings.items()}
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
