"""`play`: whole games from a seed."""

from __future__ import annotations

import random
import statistics
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulecheck.commands.common import (
    AsJson,
    Chosen,
    GameName,
    Params,
    Seed,
    emit,
    finish,
    open_game,
    settings,
)
from rulecheck.contract import EVERYBODY
from rulecheck.progress import show_progress
from rulecheck.registry import Choice

if TYPE_CHECKING:
    from rulecheck.playouts import Ply, Record

Players = Annotated[int | None, typer.Option("--players", metavar="N", help="the same as -p players=N")]
Policy = Annotated[str, typer.Option("--policy", metavar="NAME", help="how moves are chosen: random or greedy")]
Games = Annotated[
    int, typer.Option("--games", min=1, metavar="N", help="number of games; for more than one only figures are shown")
]
Limit = Annotated[int, typer.Option("--limit", min=1, metavar="N", help="stop each game after N moves")]
Unchecked = Annotated[bool, typer.Option("--engine-only", help="skip the comparison with the constraints")]


def play(
    game: GameName,
    param: Params = None,
    reading: Chosen = None,
    players: Players = None,
    seed: Seed = 1,
    policy: Policy = "random",
    games: Games = 1,
    limit: Limit = 500,
    engine_only: Unchecked = False,
    as_json: AsJson = False,
) -> None:
    """Play whole games by a simple policy and ask both encodings about every move."""
    from rulecheck.playouts import offer_of, play_game, policy_of

    choice = open_game(game, [*(param or ()), *([f"players={players}"] if players is not None else ())], reading)
    chosen, offer = policy_of(choice, policy), offer_of(choice)
    unchecked = engine_only or choice.game.spec_name is None
    engine, spec = choice.engine(), None if unchecked else choice.spec()
    records = []
    with show_progress(f"playing {game}") as report:
        for number in range(games):
            report(f"game {number + 1}", number / games)
            rng = random.Random(f"{seed}/{number}")  # each game is independent of those before it
            records.append(play_game(engine, spec, chosen, rng, limit, offer))
    said = {"game": game, "seed": seed, "policy": policy, "checked": not unchecked, **settings(choice)}
    figures = {**_figures(records), "counts": _counts(choice, records)}
    document = {**said, **figures, "games": [_record_json(r, games == 1) for r in records]}
    emit(document, as_json, lambda: _print_play(records, document))
    finish(any(record.disagreements for record in records))


def _figures(records: list[Record]) -> dict[str, Any]:
    lengths = sorted(record.moves for record in records)
    ends = Counter("broken off" if not r.ended else r.winner or "nobody" for r in records)
    spread = {"shortest": lengths[0], "median": statistics.median(lengths), "longest": lengths[-1]}
    wrong = [sentence for record in records for sentence in record.disagreements]
    return {"lengths": spread, "winners": dict(sorted(ends.items())), "disagreements": wrong}


def _counts(choice: Choice, records: list[Record]) -> dict[str, dict[str, float]]:
    """Whatever the game's study counts besides moves."""
    counts = [choice.game.hints.counts(choice.params, record) for record in records]
    return {name: _spread([each[name] for each in counts]) for name in counts[0]}


def _spread(numbers: list[int]) -> dict[str, float]:
    return {"least": min(numbers), "median": statistics.median(numbers), "most": max(numbers)}


def _record_json(record: Record, whole: bool) -> dict[str, Any]:
    summary = {"moves": record.moves, "winner": record.winner, "ended": record.ended}
    return {**summary, "record": [_ply_json(ply) for ply in record.plies]} if whole else summary


def _ply_json(ply: Ply) -> dict[str, Any]:
    move = None if ply.move is None else str(ply.move)
    return {"position": str(ply.position), "move": move, "result": str(ply.result)}


def _print_play(records: list[Record], document: dict[str, Any]) -> None:
    if len(records) == 1:
        _print_record(records[0])
    else:
        spread = document["lengths"]
        print(f"{len(records)} games of {spread['shortest']} to {spread['longest']} moves, median {spread['median']:g}")
        print("won by: " + ", ".join(f"{who} {count}" for who, count in document["winners"].items()))
    for name, spread in document["counts"].items():
        many = f"{spread['least']} to {spread['most']}, median {spread['median']:g}"
        print(f"{name}: {many if len(records) > 1 else spread['most']}")
    for sentence in document["disagreements"]:
        print(f"DISAGREEMENT: {sentence}")
    if document["checked"] and not document["disagreements"]:
        print("engine and constraints agreed on every move")


def _print_record(record: Record) -> None:
    number = 0
    for ply in record.plies:
        if ply.move is None:
            print(f"      {ply.result}")
            continue
        number += 1
        print(f"{number:4}. {ply.move}" if ply.actor == EVERYBODY else f"{number:4}. {ply.actor} {ply.move}")
        print(f"      {ply.result}")
    if not record.ended:
        print(f"broken off after {record.moves} moves")
    elif record.end is not None and record.end.winners:
        points = f" ({', '.join(f'{who} {n}' for who, n in record.end.points)})" if record.end.points else ""
        print(f"won by {' and '.join(record.end.winners)}{points}")
    else:
        print("over, and nobody has won")


def register(app: typer.Typer) -> None:
    app.command()(play)
