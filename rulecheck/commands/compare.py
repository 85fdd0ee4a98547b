"""`compare`: what a change of parameters or readings does, side by side with the printed game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from rulecheck.api.game import OpenGame
from rulecheck.commands.common import (
    AsJson,
    Chosen,
    GameName,
    Params,
    Seed,
    emit,
    open_game,
    settings,
)
from rulecheck.model import Claim
from rulecheck.progress import show_progress

if TYPE_CHECKING:
    from rulecheck.analyses.comparison import Comparison, Sampled, Side

Games = Annotated[int, typer.Option("--games", min=1, metavar="N", help="number of games to play with each policy")]


def register(app: typer.Typer) -> None:
    app.command()(compare)


def compare(
    game: GameName,
    param: Params = None,
    reading: Chosen = None,
    games: Games = 50,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Show what a change (-p, -r) does to a game: moves, sampled play, solved small versions, claims that break."""
    choice = open_game(game, param, reading)
    with show_progress(f"comparing {game}") as report:
        comparison = OpenGame(choice).compare(games, seed=seed, report=report)
    document = {"seed": seed, **comparison.as_json(), **settings(choice)}
    claims = choice.game.rulebook.claims
    emit(document, as_json, lambda: print("\n".join(_lines(comparison, choice.options.partition(" ")[2], claims))))


def _lines(comparison: Comparison, changed: str, claims: Mapping[str, Claim]) -> Iterator[str]:
    rows = list(_rows(comparison.printed, comparison.changed))
    first, second = (max(len(row[at]) for row in (("", "as printed"), *rows)) + 2 for at in (0, 1))
    yield f"{'':<{first}}{'as printed':<{second}}{changed}"
    for label, before, after in rows:
        yield f"{label:<{first}}{before:<{second}}{after}".rstrip()
    # A claim is checked by its example, which may fail where its sentence could still be true.
    for title, changes in (("no longer holds", comparison.breaks), ("holds now", comparison.mends)):
        for name, seen in changes.items():
            yield f"the check of {name} {title}: {' '.join(claims[name].text.split())}"
            yield f"    seen: {seen}"
    if not comparison.breaks and not comparison.mends:
        yield "every claim that can be asked of both games has the same answer"
    if comparison.unasked:
        yield f"{len(comparison.unasked)} claims do not fit the changed game: {', '.join(comparison.unasked)}"


def _rows(before: Side, after: Side) -> Iterator[tuple[str, str, str]]:
    yield "legal moves at the start", _count(before.moves), _count(after.moves)
    for ours, theirs in zip(before.play, after.play, strict=True):
        if ours.problem or theirs.problem:
            yield f"{ours.policy} play", "not known", ours.problem or theirs.problem
            continue
        yield f"{ours.policy} play, {ours.games} games sampled", "", ""
        yield "    mean length, in moves", f"{ours.mean:.1f}", f"{theirs.mean:.1f}"
        yield "    won by", _winners(ours), _winners(theirs)
    for version in dict.fromkeys([*before.solved, *after.solved]):
        yield f"solved: {version}", before.solved.get(version, "too large"), after.solved.get(version, "too large")
    if not before.solved and not after.solved:
        yield "solved small versions", "none", "none"


def _count(moves: int | None) -> str:
    return "a continuum" if moves is None else f"{moves:,}"


def _winners(play: Sampled) -> str:
    return ", ".join(f"{who} {count}" for who, count in play.winners.items())
