"""Looking at a game: `games`, `show`, `moves`, `perft`, `why`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from rulecheck import registry
from rulecheck.commands.common import (
    FINDING,
    AsJson,
    Chosen,
    GameName,
    Opened,
    Params,
    PositionText,
    Roll,
    emit,
    finish,
    open_game,
    settings,
)
from rulecheck.contract import brought
from rulecheck.model import InputError, Verdict, agreement

SvgFile = Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="also write the picture as SVG")]
Depth = Annotated[int, typer.Option("--depth", min=0, max=99, help="how many moves")]
AskedPosition = Annotated[str, typer.Argument(metavar="POSITION", help="a position, or - for standard input")]
AskedMove = Annotated[str, typer.Argument(metavar="MOVE", help="a move, in quotes if it has several steps")]
ShownMove = Annotated[str | None, typer.Option("--move", metavar="MOVE", help="draw this move as arrows in the SVG")]


def register(app: typer.Typer) -> None:
    for command in (games, show, moves, perft, why):
        app.command()(command)


# -- games ---------------------------------------------------------------------------------------------------


def games(as_json: AsJson = False) -> None:
    """List the games, with the size of their rulebooks."""
    found, broken = [], []
    for name in registry.names():
        try:
            found.append(_described(name))
        except InputError as error:  # one broken outside package must not hide the other games
            broken.append(str(error))
    emit(found, as_json, lambda: _print_games(found))
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


def _print_games(found: list[dict[str, Any]]) -> None:
    for game in found:
        readings = f"{game['readings']} readings ({game['options']} open)"
        counts = f"{game['clauses']} clauses, {readings}, {game['claims']} claims"
        print(f"{game['game']:<12} {game['title']:<16} {counts}")


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
    from rulecheck import render
    from rulecheck.files import write_file

    opened = open_game(game, param, reading)
    shown = opened.position(position, roll)
    if move is not None and svg is None:
        raise InputError("--move is drawn in the picture, so it needs --svg FILE")
    drawn = None if move is None else opened.game.read_move(opened.params, move)
    if svg is not None:
        write_file(svg, render.svg(opened.game, opened.params, shown, drawn))
    text = render.text(opened.game, opened.params, shown)
    written = None if svg is None else str(svg)
    document = {"position": str(shown), "text": text, "svg": written, **settings(opened)}
    emit(document, as_json, lambda: print(text if text == str(shown) else f"{text}\n\n{shown}"))


# -- moves ---------------------------------------------------------------------------------------------------


def moves(
    game: GameName,
    position: PositionText = None,
    roll: Roll = None,
    param: Params = None,
    reading: Chosen = None,
    as_json: AsJson = False,
) -> None:
    """List the legal moves; before a roll of the die, those of every roll; before a draw, what may be drawn."""
    opened = open_game(game, param, reading)
    here = opened.position(position, roll)
    listed = _listed(opened, here)
    emit({"position": str(here), "moves": listed, **settings(opened)}, as_json, lambda: _print_moves(listed))


def _listed(opened: Opened, here: Any) -> list[dict[str, Any]]:
    engine = opened.engine()
    chances = brought(engine, here)
    if chances and not hasattr(chances[0], "roll"):  # not a die: what chance may do is all there is to list
        ways = Counter(map(str, chances))
        return [{"chance": f"{n} in {len(chances)}", "move": None, "result": result} for result, n in ways.items()]
    return [
        {**({"roll": rolled.roll} if chances else {}), "move": str(move), "result": str(result)}
        for rolled in chances or (here,)
        for move, result in engine.moves(rolled).items()
    ]


def _print_moves(listed: list[dict[str, Any]]) -> None:
    width = max((len(entry["move"] or entry["chance"]) for entry in listed), default=0)
    for entry in listed:
        roll = f"{entry['roll']}: " if "roll" in entry else ""
        print(f"{roll}{entry['move'] or entry['chance']:<{width}}  {entry['result']}")
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
    """Count the sequences of distinct moves, over all rolls of the die, and divide them by the first move."""
    from rulecheck.perft import divide

    opened = open_game(game, param, reading)
    here = opened.position(position, roll)
    parts = divide(opened.engine(), here, depth)
    nodes = sum(parts.values()) if depth else 1
    document = {"position": str(here), "depth": depth, "nodes": nodes, "divide": parts, **settings(opened)}
    emit(document, as_json, lambda: _print_divide(parts, nodes))


def _print_divide(parts: dict[str, int], nodes: int) -> None:
    for name, count in parts.items():
        print(f"{name}  {count}")
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
    """Ask both encodings of the rules whether a move is legal, and by which clauses it is not."""
    opened = open_game(game, param, reading)
    here = opened.position(position, roll)
    asked = opened.game.read_move(opened.params, move)
    engine = opened.engine().judge(here, asked)
    try:
        spec = opened.spec().judge(here, asked)
    except TimeoutError as error:  # never guessed: neither legal nor illegal
        typer.echo(f"rulecheck: UNKNOWN, {error}; the engine says {engine}", err=True)
        raise typer.Exit(FINDING) from None
    agree = agreement(engine, spec)
    document = {
        "position": str(here),
        "move": str(asked),
        "legal": engine.legal,
        "engine": list(engine.clauses),
        "spec": list(spec.clauses),
        "agree": agree,
        **settings(opened),
    }
    emit(document, as_json, lambda: _print_why(opened, engine, spec, agree))
    finish(not agree)


def _print_why(opened: Opened, engine: Verdict, spec: Verdict, agree: bool) -> None:
    if not agree:
        print("DISAGREEMENT between the two encodings of the rules")
    print(f"engine: {engine}")
    print(f"spec:   {'legal' if spec.legal else 'illegal: ' + ', '.join(spec.clauses)}")
    for text in _clause_texts(opened, (*engine.clauses, *spec.clauses)):
        print(text)


def _clause_texts(opened: Opened, ids: Iterable[str]) -> list[str]:
    clauses = opened.game.rulebook.clauses
    return [f"{id}: {clauses[id].text}" for id in dict.fromkeys(ids)]
