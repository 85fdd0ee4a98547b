"""Hextris: every small game on 7 points solved for the report, and what the disputed readings do to them.

Both players own the same: at most two pieces of each size. `survey` solves all of these games under all readings.
The last-group endgames on 19 points take minutes each and are left to `rulecheck solve`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from rulecheck.games.hextris import GAME
from rulecheck.jobs import Report, run_all

MOST_OF_A_SIZE = 2
GROUP_SIZES = (3, 4)
DISPUTES = ("place_group", "swap")
INTRO = (
    "All games on 7 points in which both players own the same, at most two pieces of each size, and need groups of "
    "three or four: one group, or as many as the pieces allow. Positions are seen by the player to move and counted "
    "once for the twelve ways to turn and reflect the board. A separate checker accepted every entry."
)
Task = tuple[str, tuple[tuple[str, str], ...]]


def _title(group: int, groups: int, pieces: str) -> str:
    number = "one group" if groups == 1 else f"{groups} groups"
    return f"7 points, {number} of {group}, pieces {pieces}"


def _games() -> dict[str, dict[str, str]]:
    """By title, small before large."""
    stashes = sorted(product(range(MOST_OF_A_SIZE + 1), repeat=3), key=lambda stash: (sum(stash), stash))
    games = {}
    for group, stash in product(GROUP_SIZES, stashes):
        pieces = ",".join(map(str, stash))
        for groups in sorted({1, sum(stash) // group} - {0}) if sum(stash) >= group else ():
            params = {"radius": "1", "group": str(group), "groups": str(groups), "pieces": pieces}
            games[_title(group, groups, pieces)] = params
    return games


GAMES = _games()
# Under every reading: one game of each kind.
WEIGHED = (_title(3, 1, "1,2,0"), _title(4, 1, "0,2,2"), _title(3, 2, "2,2,2"))
# Under the disputed ones: some more.
DISPUTED = (_title(3, 1, "1,1,1"), _title(3, 1, "2,2,0"), _title(3, 1, "2,2,2"), _title(4, 1, "2,1,1"),
            _title(4, 1, "2,2,2"))  # fmt: skip


def solved(jobs: int, report: Report) -> dict[str, Any]:
    """Each game as printed, each reading value where it is weighed, and what that says about endless play."""
    games = run_all(_solve, list(_tasks()), jobs=jobs, report=report)
    return {"games": games, "weighed": list(WEIGHED), "intro": INTRO, "text": _does_it_end(games)}


def impact(names: Sequence[str], jobs: int, report: Report) -> list[dict[str, Any]]:
    """The games in which readings are weighed, as printed and for the values of the readings named."""
    todo = [(title, ch) for title, ch in _tasks() if title in WEIGHED and all(name in names for name, _ in ch)]
    return run_all(_solve, todo, jobs=jobs, report=report)


def survey(jobs: int, report: Report) -> list[dict[str, Any]]:
    """All games, as printed and under every value of every reading."""
    changes = [(), *_changes(GAME.rulebook.options)]
    return run_all(_solve, list(product(GAMES, changes)), jobs=jobs, report=report)


def _tasks() -> Iterator[Task]:
    for title in GAMES:
        yield title, ()
        if title in WEIGHED:
            yield from ((title, change) for change in _changes(GAME.rulebook.options))
        if title in DISPUTED:
            yield from ((title, change) for change in _changes(DISPUTES))


def _changes(names: Sequence[str] | dict[str, Any]) -> Iterator[tuple[tuple[str, str], ...]]:
    for name in names:
        yield from (((name, value),) for value in list(GAME.rulebook.options[name].values)[1:])


def _solve(task: Task) -> dict[str, Any]:
    from rulecheck.solve.solver import solved_row

    title, changes = task
    return solved_row(GAME, title, GAMES[title], dict(changes))


# -- In words ------------------------------------------------------------------------------------------------


def _does_it_end(games: list[dict[str, Any]]) -> str:
    """The question players ask, answered from the figures alone."""
    printed = [game for game in games if not game["readings"]]
    endless = [game for game in printed if game["value"] == "draw"]
    parts = [
        f"{'No' if endless else 'On 7 points it does'}. Of the {len(printed)} games solved, the player to move wins "
        f"{_number(printed, 'win')}, the opponent {_number(printed, 'loss')}, and {len(endless)} have no end if both "
        "play well: nobody can force a win, and nothing in the rules stops the play.",
        *(_by_group(printed, group) for group in GROUP_SIZES),
        *(_what_it_does(games, name) for name in DISPUTES),
    ]
    return "\n\n".join(parts)


def _number(games: Sequence[dict[str, Any]], value: str) -> int:
    return sum(game["value"] == value for game in games)


def _by_group(printed: Sequence[dict[str, Any]], group: int) -> str:
    of_size = [game for game in printed if game["params"]["group"] == str(group)]
    kinds: dict[str, list[str]] = {}
    for game in of_size:
        number = "one group" if game["params"]["groups"] == "1" else f"{game['params']['groups']} groups"
        kinds.setdefault(f"{number}: {_worth(game)}", []).append(game["params"]["pieces"])
    said = [f"{kind} with {'; '.join(pieces)}" for kind, pieces in kinds.items()]
    return f"Groups of {group}. " + ". ".join(text[0].upper() + text[1:] for text in said) + "."


def _what_it_does(games: Sequence[dict[str, Any]], name: str) -> str:
    """Where a disputed reading changes who wins, or when."""
    usual = {game["title"]: game for game in games if not game["readings"]}
    tried = [game for game in games if list(game["readings"]) == [name]]
    changed: dict[str, list[str]] = {}
    for game in tried:
        before, after = _worth(usual[game["title"]]), _worth(game)
        if before != after:
            changed.setdefault(f"{game['readings'][name]}: {after}, not {before}", []).append(game["title"])
    said = [f"{kind}, in {' and in '.join(titles)}" for kind, titles in changed.items()]
    count = sum(map(len, changed.values()))
    parts = [f"The reading {name} changes {count or 'none'} of {len(tried)} results.", *(f"{text}." for text in said)]
    lengths = [text for title in usual if (text := _longest(games, title, name))]
    if lengths:
        parts.append(f"How long the longest forced win takes depends on it in {'; '.join(lengths)}.")
    return " ".join(parts)


def _longest(games: Sequence[dict[str, Any]], title: str, name: str) -> str:
    """Empty if it is as long under every value that was tried."""
    usual = GAME.rulebook.defaults()[name]
    variants = [game for game in games if game["title"] == title and set(game["readings"]) <= {name}]
    lengths = {
        game["readings"].get(name, usual): (game["longest_win"] or {"distance": 0})["distance"] for game in variants
    }
    shown = ", ".join(f"{value} {length}" for value, length in lengths.items())
    return f"{title} ({shown})" if len(set(lengths.values())) > 1 else ""


def _worth(game: dict[str, Any]) -> str:
    return str(game["value"]) + ("" if game["distance"] is None else f" in {game['distance']}")
