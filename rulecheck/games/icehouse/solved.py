"""Icehouse: three small positions solved for the report, as read by default and under every other reading value.

Each asks what a player does best with a few placements to choose from, and captures, while nobody else acts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rulecheck.games.icehouse import GAME
from rulecheck.jobs import Report, run_all

CAPTURES = "over-iced three times"
WALL = "a wall that can be captured"
BLOCK = "a line that can be blocked"


class Kept(NamedTuple):
    params: dict[str, str]
    position: str
    player: str
    goal: str
    candidates: tuple[str, ...]


KEPT = {
    CAPTURES: Kept(
        {"players": "3", "pieces": "3,2,1", "limit": "4"},
        "all A1@0,0 B1@300,0 B1@340,0 C1@300,100 C1@340,100 B3@20,0>-1,0 B2@-20,0>1,0 B1@0,20>0,-1",
        "A",
        "lead",
        ("A1@100,200", "A2@300,-13>0,1", "B3@340,87>0,1:A", "B3@100,300:A", "B1@0,-20>0,1:A"),
    ),
    WALL: Kept(
        {"players": "3", "pieces": "2,2,2", "table": "500x400"},
        "all B1@9,9 C1@9,27 A2@100,16 B2@300,200 B3@74,16>1,0 A1@300,100 A3@325,200>-1,0 C2@400,100 C3@100,67/2>0,-1",
        "A",
        "points",
        ("A1@40,13>-1,0", "A2@40,13>-1,0", "A1@300,275/2", "B3@40,13>-1,0:A"),
    ),
    BLOCK: Kept(
        {"players": "2", "pieces": "2,2,2"},
        "all A2@0,0 A1@200,0 B1@300,0 B2@340,0 B3@60,0>-1,0",
        "A",
        "lead",
        ("A1@25,0", "A3@32,0", "A3@362,0>-1,0", "A3@200,60", "A2@300,20>0,-1"),
    ),
}
INTRO = (
    "Placements are a continuum, so no game is solved. In these positions one player chooses from a list of placements "
    "and from all captures, in any order, and may stop at any time; the others do nothing. Every order was looked "
    "through, and a separate checker accepted each answer. `rulecheck best` does this for any position."
)
TEXT = (
    "Nothing obliges anybody to do anything: a piece that is lifted may be put back, and a captured one can go round "
    "for ever (see the dead ends). Only the time limit ends a game that its players do not end, and if they want to, "
    "they may find no room; on a table of 960x720 units (30 inches by 22½) four players always do."
)
Task = tuple[str, tuple[tuple[str, str], ...]]


def solved(jobs: int, report: Report) -> dict[str, Any]:
    games = run_all(_solve, list(_tasks(list(GAME.rulebook.options))), jobs=jobs, report=report)
    return {"games": games, "weighed": list(KEPT), "intro": INTRO, "text": TEXT}


def impact(names: Sequence[str], jobs: int, report: Report) -> list[dict[str, Any]]:
    """The positions as printed and for the values of the readings named."""
    return run_all(_solve, list(_tasks(names)), jobs=jobs, report=report)


def _tasks(names: Sequence[str]) -> Iterator[Task]:
    for title in KEPT:
        yield title, ()
        for name in names:
            yield from ((title, ((name, value),)) for value in GAME.rulebook.options[name].values[1:])


def _solve(task: Task) -> dict[str, Any]:
    from rulecheck.games.icehouse.engine import Engine
    from rulecheck.games.icehouse.research.best import best, task_of
    from specs.icehouse.spec import Spec

    title, changes = task
    kept = KEPT[title]
    params, readings = GAME.params(kept.params), GAME.rulebook.choose(dict(changes))
    engine = Engine(params, readings)
    position = GAME.read_position(params, kept.position)
    candidates = [GAME.read_move(params, text) for text in kept.candidates]
    solution = best(engine, Spec(params, readings), task_of(engine, position, kept.player, candidates, goal=kept.goal))
    assert solution.worth is not None
    asked = {"title": title, "params": kept.params, "readings": dict(changes), "position": kept.position}
    listed = {"player": kept.player, "goal": kept.goal, "candidates": list(kept.candidates)}
    worth = {"value": solution.words, "distance": len(solution.line), "line": [str(event) for event in solution.line]}
    return {**asked, **listed, **worth, "positions": solution.result.cases, "ends": solution.ends}
