"""Reads a game's known move counts: `parameters ; readings ; position ; D1 n ; d2 n ...`, one line a position.

`-` stands for the defaults, `start` for the starting position. `D` marks a count confirmed by something other than the
engine, `d` one by the engine alone: it shows that nothing has changed, not that it was right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulecheck.contract import AnyEngine
from rulecheck.model import InputError
from rulecheck.registry import Game, read_resource


@dataclass(frozen=True)
class Counted:
    line: int
    params: Mapping[str, str]
    readings: Mapping[str, str]
    position: str
    counts: Mapping[int, int]  # the number of sequences by their length
    independent: frozenset[int]  # which lengths were counted by more than the engine

    def opened(self, game: Game) -> tuple[AnyEngine, Any]:
        params = game.params(self.params)
        engine = game.engine(params, game.rulebook.choose(self.readings))
        return engine, engine.start() if self.position == "start" else game.read_position(params, self.position)


def read_counts(game: Game) -> list[Counted]:
    if game.counts_file is None:
        raise InputError(f"{game.slug} comes without move counts")
    lines = enumerate(read_resource(game.counts_file).splitlines(), start=1)
    return [_counted(number, text) for number, text in lines if text and not text.startswith("#")]


def _counted(line: int, text: str) -> Counted:
    params, readings, position, *depths = (part.strip() for part in text.split(";"))
    counts = {(name[0], int(name[1:])): int(count) for name, count in map(str.split, depths)}
    return Counted(
        line,
        _pairs(params),
        _pairs(readings),
        position,
        {depth: count for (_, depth), count in counts.items()},
        frozenset(depth for mark, depth in counts if mark == "D"),
    )


def _pairs(text: str) -> dict[str, str]:
    return {} if text == "-" else dict(part.split("=", 1) for part in text.split())
