"""What a shell offers for --only, --kind and --family once the game is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import typer

from rulecheck import registry
from rulecheck.commands.common import book_of_line
from rulecheck.hints import Hints
from rulecheck.model import InputError
from rulecheck.registry import Game

Complete = Callable[[typer.Context, str], list[str]]


def _completing(offered: Callable[[Game], Iterable[str]]) -> Complete:
    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        try:
            book = book_of_line(ctx)
            names = offered(registry.find(book.slug)) if book else ()
        except InputError:  # nobody wants a sentence in the middle of a line
            return []
        return [name for name in names if name.startswith(incomplete)]

    return complete


def _families(game: Game) -> list[str]:
    return list(game.hints.family_names(game.params({})))


def _mutants(game: Game) -> list[str]:
    from rulecheck.analyses.mutants import read_mutants

    return [mutant.id for mutant in read_mutants(game)]


def _kinds(game: Game) -> list[str]:
    """Which of the generic kinds a game has takes long to find out, so all of them are offered."""
    from rulecheck.puzzles.generic import every_kind

    own = type(game.hints).puzzles is not Hints.puzzles
    return [kind.name for kind in (game.hints.puzzles() if own else every_kind(game))]


complete_family = _completing(_families)
complete_mutant = _completing(_mutants)
complete_kind = _completing(_kinds)
complete_reading_name = _completing(lambda game: game.rulebook.options)
