"""`graph`: the graph of play of a small game, with the value of every position."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulecheck.commands.common import (
    AsJson,
    Chosen,
    For,
    GameName,
    Limit,
    Params,
    emit,
    open_game,
    settings,
)
from rulecheck.progress import show_progress
from rulecheck.registry import Choice

if TYPE_CHECKING:
    from rulecheck.analyses.graphs import Circle
    from rulecheck.analyses.solved_play import SolvedPlay

MOST = 5_000  # positions that anybody would draw

GraphFile = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="write the graph to this .graphml or .dot file")
]


def register(app: typer.Typer) -> None:
    app.command()(graph)


def graph(
    game: GameName,
    out: GraphFile = None,
    param: Params = None,
    reading: Chosen = None,
    hero: For = None,
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """Write the graph of play of a small game with the value of every position; explain a draw by its cycle."""
    from rulecheck.analyses.graphs import circle, drawn, require_ending, write_graph

    choice = open_game(game, param, reading)
    if out is not None:
        require_ending(out)
    solved = _solved(choice, hero, limit or MOST)
    start = solved.engine.start()
    worth = solved.worth(start)
    back = circle(solved, start)
    if out is not None:
        write_graph(out, drawn(solved))
    document = {
        "game": game,
        **(worth if hero is None else worth.seen_by(hero)).as_json(),
        "positions": len(solved.graph.play),
        "moves": len(solved.graph.play.succ),
        "circle": None if back is None else back._asdict(),
        "file": None if out is None else str(out),
        **settings(choice),
    }
    emit(document, as_json, lambda: _print_graph(document, back, str(worth)))


def _solved(choice: Choice, hero: str | None, limit: int) -> SolvedPlay[Any, Any]:
    from rulecheck.analyses.solved_play import solve_play
    from rulecheck.explore import TooLargeError
    from rulecheck.solve.solving import too_large
    from rulecheck.solve.spaces import alike_of
    from rulecheck.solve.symmetry import check_alike

    engine = choice.engine()
    try:
        with show_progress(f"exploring {choice.game.slug}") as report:
            solved = solve_play(
                choice.game, choice.params, engine, hero=hero, alike=alike_of(choice), limit=limit, report=report
            )
            check_alike(choice, len(solved.graph.play), solved.graph.play.position, report=report)
    except TooLargeError as error:
        raise too_large(choice, error) from None
    return solved


def _print_graph(document: dict[str, Any], circle: Circle | None, worth: str) -> None:
    print(f"{document['positions']:,} positions, {document['moves']:,} moves between them")
    print(f"at the start: {worth}")
    if circle is not None:
        before = f"after {', '.join(circle.before)} " if circle.before else ""
        print(f"{before}play returns to {circle.position}: {', '.join(circle.moves)}")
    if document["file"] is not None:
        print(f"graph: {document['file']}")
