"""Looking at a game: `games`, `show`, `moves`, `perft`, `why`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from rulecheck import registry
from rulecheck.api.position import Position
from rulecheck.commands.common import (
    FINDING,
    AsJson,
    Chosen,
    GameName,
    Params,
    PositionText,
    Roll,
    counted,
    emit,
    finish,
    open_game,
    position_at,
    settings,
)
from rulecheck.contract import Chance
from rulecheck.model import InputError

SvgFile = Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="also write the picture as SVG")]
Depth = Annotated[int, typer.Option("--depth", min=0, max=99, help="how many moves deep")]
AskedPosition = Annotated[str, typer.Argument(metavar="POSITION", help="a position, or - for standard input")]
AskedMove = Annotated[str, typer.Argument(metavar="MOVE", help="a move, in quotes if it has several steps")]
ShownMove = Annotated[str | None, typer.Option("--move", metavar="MOVE", help="draw this move as arrows in the SVG")]


def register(app: typer.Typer) -> None:
    for command in (games, show, moves, perft, why):
        app.command()(command)


# -- games ---------------------------------------------------------------------------------------------------


def games(as_json: AsJson = False) -> None:
    """List the games and the size of their rulebooks."""
    described, broken = [], []
    for name in registry.names():
        try:
            described.append(_described(name))
        except InputError as error:  # one broken outside package must not hide the other games
            broken.append(str(error))
    emit(described, as_json, lambda: _print_games(described))
    for sentence in broken:
        typer.echo(f"rulecheck: {sentence}", err=True)
    finish(bool(broken))


def _described(name: str) -> dict[str, Any]:
    book = registry.find(name).rulebook
    return {
        "game": name,
        "title": book.title,
        "clauses": len(book.clauses),
        "readings": len(book.readings),
        "options": len(book.options),
        "claims": len(book.claims),
        "summary": book.summary,
    }


def _print_games(described: list[dict[str, Any]]) -> None:
    name, title = (max(12, *(len(game[key]) for game in described)) for key in ("game", "title"))
    for game in described:
        readings = f"{counted(game['readings'], 'reading')} ({game['options']} open)"
        counts = f"{counted(game['clauses'], 'clause')}, {readings}, {counted(game['claims'], 'claim')}"
        print(f"{game['game']:<{name}} {game['title']:<{title}} {counts}")


# -- show ----------------------------------------------------------------------------------------------------


def show(
    game: GameName,
    position: PositionText = None,
    roll: Roll = None,
    svg: SvgFile = None,
    move: ShownMove = None,
    param: Params = None,
    reading: Chosen = None,
    as_json: AsJson = False,
) -> None:
    """Draw a position, as text and (with --svg) as a picture."""
    from rulecheck.files import write_file

    choice = open_game(game, param, reading)
    shown = position_at(choice, position, roll)
    if move is not None and svg is None:
        raise InputError("--move needs --svg FILE, because the move is drawn in the picture")
    if svg is not None:
        write_file(svg, shown.svg(move))
    text = shown.text
    written = None if svg is None else str(svg)
    document = {"position": str(shown), "text": text, "svg": written, **settings(choice)}
    emit(document, as_json, lambda: print(f"{text}\n{_next(shown)}" if text == str(shown) else f"{text}\n\n{shown}"))


def _next(shown: Position) -> str:
    """For a game without pictures: how it has ended, or who is to act."""
    if shown.end is not None:
        return f"the game has ended: {shown.end}"
    if shown.chances:
        return f"chance is to act: {', '.join(chance.label for chance in shown.chances)}"
    return f"{shown.to_act} is to act: {counted(len(shown.moves()), 'legal move')}"


# -- moves ---------------------------------------------------------------------------------------------------


def moves(
    game: GameName,
    position: PositionText = None,
    roll: Roll = None,
    param: Params = None,
    reading: Chosen = None,
    as_json: AsJson = False,
) -> None:
    """List the legal moves; before a roll, those for every roll; before a draw, what may be drawn."""
    choice = open_game(game, param, reading)
    here = position_at(choice, position, roll)
    listed = _listed(here)
    emit({"position": str(here), "moves": listed, **settings(choice)}, as_json, lambda: _print_moves(listed))


def _listed(here: Position) -> list[dict[str, Any]]:
    chances = here.chances
    if not all(_is_roll(here, chance) for chance in chances):  # what chance may do is all there is to list
        whole = sum(chance.weight for chance in chances)
        return [
            {"chance": f"{c.weight} in {whole}", "label": c.label, "move": None, "result": str(c.result)}
            for c in chances
        ]
    rolls = [({"roll": int(chance.label)}, chance.result) for chance in chances] or [({}, here)]
    return [
        {**roll, "move": str(move), "result": str(move.result)} for roll, rolled in rolls for move in rolled.moves()
    ]


def _is_roll(here: Position, chance: Chance[Position]) -> bool:
    """Does a die show a number, after which the player who rolled must choose?"""
    rolled = chance.result
    return chance.label.isdecimal() and not rolled.chances and rolled.to_act in (here.to_act, None)


def _print_moves(listed: list[dict[str, Any]]) -> None:
    names = [entry["move"] or f"{entry['label']} ({entry['chance']})" for entry in listed]
    width = max(map(len, names), default=0)
    for name, entry in zip(names, listed, strict=True):
        roll = f"{entry['roll']}: " if "roll" in entry else ""
        print(f"{roll}{name:<{width}}  {entry['result']}")
    if not listed:
        print("no legal move")


# -- perft ---------------------------------------------------------------------------------------------------


def perft(
    game: GameName,
    position: PositionText = None,
    depth: Depth = 1,
    roll: Roll = None,
    param: Params = None,
    reading: Chosen = None,
    as_json: AsJson = False,
) -> None:
    """Count sequences of distinct moves, over all rolls, broken down by the first move."""
    choice = open_game(game, param, reading)
    here = position_at(choice, position, roll)
    parts = here.divide(depth)
    nodes = sum(parts.values()) if depth else 1
    document = {"position": str(here), "depth": depth, "nodes": nodes, "divide": parts, **settings(choice)}
    emit(document, as_json, lambda: _print_divide(parts, nodes))


def _print_divide(parts: Mapping[str, int], nodes: int) -> None:
    width = max(map(len, parts), default=0)
    for name, count in parts.items():
        print(f"{name:<{width}}  {count}")
    print(f"nodes {nodes}")


# -- why -----------------------------------------------------------------------------------------------------


def why(
    game: GameName,
    position: AskedPosition,
    move: AskedMove,
    roll: Roll = None,
    param: Params = None,
    reading: Chosen = None,
    as_json: AsJson = False,
) -> None:
    """Ask both encodings whether a move is legal and, if not, which clauses it breaks."""
    choice = open_game(game, param, reading)
    answer = position_at(choice, position, roll).why(move)
    if answer.unknown:
        typer.echo(f"rulecheck: UNKNOWN, {answer.unknown}; the engine says {answer.engine}", err=True)
        raise typer.Exit(FINDING)
    emit({**answer.as_json(), **settings(choice)}, as_json, lambda: print(answer))
    finish(answer.agree is False)
