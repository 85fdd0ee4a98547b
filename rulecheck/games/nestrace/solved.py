"""Nest race: small games solved for the report, under every reading that can matter to two players.

Two questions: who wins with best play, and what the readings of the pat rule do to that. Nothing in the sheet ends a
game in which both players move sideways, so a third answer is possible: nobody can force anything.
"""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulecheck.games.nestrace import GAME
from rulecheck.games.nestrace.hints import PAT
from rulecheck.jobs import Report, run_all
from rulecheck.registry import Choice

SQUARE = "core 2, lines of 2, one nest each"
CROSS = "core 3, lines of 1, one nest each"
GAMES = {
    SQUARE: {"core": "2", "width": "2", "nests": "1"},
    CROSS: {"core": "3", "width": "1", "nests": "1"},
}
FOR_FOUR = ("order_colour", "rule9_4p", "mate_transit")  # two players cannot tell their values apart
READ = {SQUARE: tuple(name for name in GAME.rulebook.asked(GAMES[SQUARE]) if name not in FOR_FOUR), CROSS: PAT}
INTRO = (
    "Every position that can arise from the start, seen by the player to move, with the moves of both players counted. "
    "A draw is a position in which neither player can force a win, so that play need not end; a tie is a game that "
    "stops because the player to move has no move and may not pass. A separate checker accepted every table."
)
Task = tuple[str, tuple[tuple[str, str], ...]]


class Values(NamedTuple):
    """A solved game: its positions, with outcomes and distances, and what the report says of it."""

    placements: NDArray[np.int64]
    outcome: NDArray[np.uint8]
    distance: NDArray[np.int32]
    about: dict[str, Any]


def solved(jobs: int, report: Report) -> dict[str, Any]:
    """Each game as printed and under each reading value, and what that says about the pat rule."""
    games = run_all(_solve, list(_tasks()), jobs=jobs, report=report)
    games.sort(key=lambda game: list(GAMES).index(game["title"]))
    return {"games": games, "weighed": list(GAMES), "intro": INTRO, "text": _who_wins(games)}


def impact(names: Sequence[str], jobs: int, report: Report) -> list[dict[str, Any]]:
    """The games as printed and for the values of the readings named."""
    todo = [(title, changes) for title, changes in _tasks() if all(name in names for name, _ in changes)]
    return run_all(_solve, todo, jobs=jobs, report=report)


def _tasks() -> Iterator[Task]:
    """The larger game first, so that two processes end together."""
    for title in reversed(GAMES):
        yield title, ()
        for name in READ[title]:
            yield from ((title, ((name, value),)) for value in GAME.rulebook.options[name].values[1:])


def _solve(task: Task) -> dict[str, Any]:
    title, changes = task
    usual = _usual(title)
    if not changes:
        return usual.about
    changed = _values(title, changes)
    return {**changed.about, "changed": _changed(usual, changed)}


@functools.lru_cache(maxsize=len(GAMES))
def _usual(title: str) -> Values:
    return _values(title, ())


def _values(title: str, changes: tuple[tuple[str, str], ...]) -> Values:
    """Solved and accepted by the checker, or an error: nothing in between is reported."""
    from rulecheck.solve.outcomes import real_numbers
    from rulecheck.solve.solver import described, solve_space
    from rulecheck.solve.spaces import packing_of

    choice = Choice(GAME, GAME.params(GAMES[title]), GAME.rulebook.choose(dict(changes)))
    with tempfile.TemporaryDirectory() as folder:
        solution = solve_space(choice, Path(folder))
        about = described(solution, title, GAMES[title], dict(changes))
    packing, real = packing_of(choice), real_numbers(solution.space)
    assert packing is not None
    placements = packing.placements(packing.ranking.unrank(np.arange(real.stop)))
    return Values(placements, solution.outcomes.outcome[real], solution.outcomes.distance[real], about)


def _changed(usual: Values, changed: Values) -> dict[str, int]:
    """Of the positions that arise in both games, how many have another value, and how many another distance."""
    both, ours, theirs = np.intersect1d(usual.placements, changed.placements, assume_unique=True, return_indices=True)
    value = usual.outcome[ours] != changed.outcome[theirs]
    distance = usual.distance[ours] != changed.distance[theirs]
    return {"compared": len(both), "value": int(value.sum()), "distance": int((distance & ~value).sum())}


# -- In words ------------------------------------------------------------------------------------------------


def _who_wins(games: list[dict[str, Any]]) -> str:
    printed = [game for game in games if not game["readings"]]
    drawn = [game["title"] for game in printed if game["value"] == "draw"]
    won = [f"{_worth(game)} for the first player with {game['title']}" for game in printed if game["value"] != "draw"]
    shares = (f"{game['draw']:,} of {game['positions']:,} with {game['title']}" for game in printed)
    parts = [
        "Nothing in the rules ends a game in which both players move sideways or pass, and best play can come to that: "
        f"positions in which neither player can force a win are {_list(shares)}"
    ]
    if drawn:
        parts.append(f"The start itself is one of them with {_list(drawn)}")
    if won:
        parts.append(f"The start is a {_list(won)}")
    return "\n\n".join([" ".join(parts), *(_what_readings_do(title, games) for title in GAMES)])


def _what_readings_do(title: str, games: list[dict[str, Any]]) -> str:
    usual, *others = (game for game in games if game["title"] == title)
    start = [game for game in others if _worth(game) != _worth(usual)]
    inside = [
        game for game in others if game not in start and (game["changed"]["value"] or game["changed"]["distance"])
    ]
    none = [game for game in others if game not in start and game not in inside]
    parts = [f"Readings in the game with {title} ({usual['positions']:,} positions, the start a {_worth(usual)})."]
    if start:
        parts.append("The start is worth something else under " + _list(f"{_changes(g)}: {_worth(g)}" for g in start))
    if inside:
        told = (f"{_changes(g)}: {g['changed']['value']:,} and {g['changed']['distance']:,}" for g in inside)
        parts.append(
            "Not the start, but other positions change their value, or only their distance, under " + _list(told)
        )
    if none:
        parts.append("No position changes under " + _list(map(_changes, none)))
    return " ".join(parts)


def _list(texts: Any) -> str:
    return "; ".join(texts) + "."


def _worth(game: dict[str, Any]) -> str:
    return str(game["value"]) + ("" if game["distance"] is None else f" in {game['distance']}")


def _changes(game: dict[str, Any]) -> str:
    return " and ".join(f"{name}={value}" for name, value in game["readings"].items())
