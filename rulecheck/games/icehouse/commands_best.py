"""`best`: the best order in which a player can place pieces of a list, and capture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulecheck.commands.common import (
    AsJson,
    Chosen,
    GameName,
    Params,
    PositionText,
    emit,
    finish,
    open_game,
    position_at,
    settings,
)
from rulecheck.model import InputError
from rulecheck.rulebook import check_known

if TYPE_CHECKING:
    from rulecheck.games.icehouse.research.best import Best

GAME = "icehouse"

For = Annotated[str, typer.Option("--for", metavar="PLAYER", help="who plays; the others do nothing")]
Candidates = Annotated[
    list[str] | None,
    typer.Option(
        "--candidate",
        "-c",
        metavar="PLACEMENT",
        help="a placement to choose from (may be repeated) [default: a few generated ones]",
    ),
]
Goal = Annotated[
    str, typer.Option("--goal", metavar="NAME", help="what counts: lead (over the best opponent) or points")
]
Calls = Annotated[bool, typer.Option("--calls", help="the player may call when somebody is in the icehouse")]
Events = Annotated[int | None, typer.Option("--events", min=0, metavar="N", help="at most N placements and captures")]
Most = Annotated[int, typer.Option("--most", min=1, metavar="N", help="give up beyond N positions")]


def best(
    game: GameName,
    position: PositionText = None,
    player: For = "A",
    candidate: Candidates = None,
    goal: Goal = "lead",
    calls: Calls = False,
    events: Events = None,
    most: Most = 50_000,
    param: Params = None,
    reading: Chosen = None,
    as_json: AsJson = False,
) -> None:
    """Find one player's best sequence of captures and listed placements, by trying every order."""
    from rulecheck.games.icehouse.research.best import best as answer
    from rulecheck.games.icehouse.research.best import task_of
    from rulecheck.games.icehouse.research.best_check import GOALS

    choice = open_game(game, param, reading)
    if choice.game.slug != GAME:
        raise InputError(f"best is a question about {GAME}; for {game} there is `rulecheck solve`")
    check_known("goal", goal, GOALS)
    engine: Any = choice.engine()
    here = position_at(choice, position).value
    listed = [choice.game.read_move(choice.params, text) for text in candidate] if candidate else None
    task = task_of(engine, here, player, listed, goal=goal, calls=calls, events=events)
    result = answer(engine, choice.spec(), task, most)
    emit({"game": game, **result.as_json(), **settings(choice)}, as_json, lambda: _print_best(result))
    finish(result.worth is None)


def _print_best(best: Best) -> None:
    if best.worth is None or best.scores is None:
        print(f"UNKNOWN: {best.result.scope}")
        return
    scores = ", ".join(f"{player} {points}" for player, points in best.scores.items())
    events = "1 event" if len(best.line) == 1 else f"{len(best.line)} events"
    print(f"best for {best.task.player}: {best.words} ({scores}), by {events}")
    for number, event in enumerate(best.line, start=1):
        print(f"{number:4}. {event}")
    others = "no other position is worth as much" if best.ends == 1 else f"{best.ends} positions are worth as much"
    print(f"{best.result.status}: {best.result.scope} ({best.result.cases:,} positions; {others})")
