"""A game's smaller versions, in order of size, and play in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from rulecheck.contract import AnyEngine
from rulecheck.explore import LIMIT, Explored, TooLargeError
from rulecheck.jobs import Report, ignore
from rulecheck.model import Readings
from rulecheck.registry import Game

PRINTED = "the printed game"
SEARCHED = 20_000  # positions of a version to search by default


@dataclass(frozen=True)
class Sized:
    """One version of a game: its name in words and its parameters."""

    name: str
    params: Any


def versions(game: Game) -> list[Sized]:
    """The smaller versions that the rulebook names, the smallest first, then the game as printed."""
    printed = game.params({})
    smaller = [Sized(version.name, game.params(version.params)) for version in game.rulebook.versions]
    return [*(version for version in smaller if version.params != printed), Sized(PRINTED, printed)]


def versions_of(game: Game, params: Any) -> list[Sized]:
    """All versions of the printed game, or the one game with the user's parameters."""
    printed = params == game.params({})
    return versions(game) if printed else [Sized("the game with these parameters", params)]


def engine_of(game: Game, params: Any, readings: Readings) -> AnyEngine:
    engine: AnyEngine = game.engine(params, readings)
    return engine


def explore(
    game: Game, params: Any, readings: Readings, limit: int = LIMIT, report: Report = ignore
) -> Explored[Any, Any]:
    return Explored(engine_of(game, params, readings), partial(game.read_position, params), limit=limit, report=report)


def played(
    game: Game, params: Any, readings: Readings, limit: int | None = None
) -> Iterator[tuple[Sized, Explored[Any, Any] | None]]:
    """All play of each version, the smallest first; None if play reaches more positions than the limit."""
    todo = versions_of(game, params)
    most = limit or (LIMIT if len(todo) == 1 else SEARCHED)
    for version in todo:
        try:
            yield version, explore(game, version.params, readings, most)
        except TooLargeError:
            yield version, None
