"""Crosswalk: small games solved for the report, under every reading that can matter.

The question players ask of this game is whether it has to end. With best play the answer is what neither side can
force: the share of play that never ends if both would rather wait than lose.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rulecheck.games.crosswalk import GAME
from rulecheck.jobs import Report, run_all
from rulecheck.registry import Choice

DIGITS = 6  # as the width of the bounds supports; further digits would differ between machines
GAMES = {
    "3 squares, smalls only, one small pedestrian": {"squares": "3", "sizes": "1", "pedestrians": "1"},
    "3 squares, sizes 1 and 2, no pedestrians": {"squares": "3", "sizes": "12", "pedestrians": "none"},
    "4 squares, sizes 1 and 2, no pedestrians": {"squares": "4", "sizes": "12", "pedestrians": "none"},
    "5 squares, sizes 1 and 2, no pedestrians": {"squares": "5", "sizes": "12", "pedestrians": "none"},
}
WEIGHED = ("3 squares, smalls only, one small pedestrian", "4 squares, sizes 1 and 2, no pedestrians")
# In the largest game only the readings whose turns are made of free single steps are quick to solve.
ALSO = (("5 squares, sizes 1 and 2, no pedestrians", "win", "end_of_turn"),
        ("5 squares, sizes 1 and 2, no pedestrians", "reloc_from", "board"),
        ("3 squares, sizes 1 and 2, no pedestrians", "spend", "max_points"),
        ("3 squares, sizes 1 and 2, no pedestrians", "win", "end_of_turn"))  # fmt: skip
INTRO = (
    "Three numbers for each game, at its start: the chance of winning that the player to move can force, the chance "
    "that the opponent can force, and the rest, which neither can force. All are bounds that a separate checker "
    "accepted in exact arithmetic."
)
Task = tuple[str, tuple[tuple[str, str], ...]]


def solved(jobs: int, report: Report) -> dict[str, Any]:
    """Each game as printed, each reading value where it is weighed, and what that says about endless play."""
    games = run_all(_solve, list(_tasks()), jobs=jobs, report=report)
    return {"games": games, "weighed": list(WEIGHED), "intro": INTRO, "text": _does_it_end(games)}


def impact(names: Sequence[str], jobs: int, report: Report) -> list[dict[str, Any]]:
    """The games in which readings are weighed, as printed and for the values of the named readings."""
    todo = [(title, ch) for title, ch in _tasks() if title in WEIGHED and all(name in names for name, _ in ch)]
    return run_all(_solve, todo, jobs=jobs, report=report)


def _tasks() -> Iterator[Task]:
    for title in GAMES:
        yield title, ()
    for title in WEIGHED:
        for name, reading in GAME.rulebook.options.items():
            yield from ((title, ((name, value),)) for value in reading.values[1:])
    for title, name, value in ALSO:
        yield title, ((name, value),)


def _solve(task: Task) -> dict[str, Any]:
    """Solved and accepted by the checker, or an error: nothing in between is reported."""
    from rulecheck.solve.solver import solve_chart

    title, changes = task
    choice = Choice(GAME, GAME.params(GAMES[title]), GAME.rulebook.choose(dict(changes)))
    with tempfile.TemporaryDirectory() as folder:
        solved = solve_chart(choice, Path(folder))
        values = solved.worth.values
    assert values is not None
    return {
        "title": title,
        "params": GAMES[title],
        "readings": dict(changes),
        "positions": len(solved.chart.keys),
        "width": _up(solved.solution.width),
        "mover": _outward(values.win),
        "opponent": _outward(values.loss),
        "neither": _outward(values.neither),
    }


def _does_it_end(games: list[dict[str, Any]]) -> str:
    """The question players ask, answered from the figures alone."""
    printed = [game for game in games if not game["readings"]]
    open_ended = [f"{game['title']}: {_percent(game)}" for game in printed if game["neither"][0] > 0]
    ends = [game["title"] for game in printed if game["neither"][1] < 10**-5]
    parts = [
        "No. Nothing in the rules ends a game in which both players would rather wait than risk losing, and with best "
        f"play that matters. The chance that neither side can turn into a win by force is {'; '.join(open_ended)}."
    ]
    if ends:
        parts.append(f"It does end with {'; '.join(ends)}: there the two forced chances add up to everything.")
    return "\n\n".join([*parts, *(_readings_that_help(title, games) for title in WEIGHED[1:])])


def _readings_that_help(title: str, games: list[dict[str, Any]]) -> str:
    of_title = [game for game in games if game["title"] == title]
    usual = next(game for game in of_title if not game["readings"])
    others = sorted((game for game in of_title if game["readings"]), key=lambda game: float(game["neither"][0]))
    best, worst = others[0], others[-1]
    return (
        f"The readings matter. With {title}, {_percent(usual)} belongs to neither side as printed; {_changes(best)} "
        f"brings it down to {_percent(best)}, and {_changes(worst)} brings it up to {_percent(worst)}."
    )


def _changes(game: dict[str, Any]) -> str:
    return " and ".join(f"{name}={value}" for name, value in game["readings"].items())


def _percent(game: dict[str, Any]) -> str:
    return f"{100 * game['neither'][0]:.2f} %"


def _outward(bounds: Any) -> list[float]:
    """Bounds rounded outwards, so that the printed ones still hold."""
    low, high = (bounds.as_json()[side] for side in ("low", "high"))
    return [math.floor(low * 10**DIGITS) / 10**DIGITS, math.ceil(high * 10**DIGITS) / 10**DIGITS]


def _up(width: float) -> float:
    return float(math.ceil(width * 10**DIGITS) / 10**DIGITS)
