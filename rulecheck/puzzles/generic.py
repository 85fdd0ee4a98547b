"""The kinds of puzzles that every game has, as far as its play can be explored."""

from __future__ import annotations

from typing import Any

from rulecheck.puzzles.forced import DEEPEST, WinIn
from rulecheck.puzzles.judged import Judged
from rulecheck.puzzles.kinds import Kind
from rulecheck.puzzles.only_move import OnlyMove
from rulecheck.puzzles.pools import LIMIT, pools
from rulecheck.puzzles.shortest import ShortestGame
from rulecheck.registry import Game


def generic_kinds(game: Game) -> list[Kind]:
    """Whatever the game allows; `left_out` says why the others are not there."""
    missing = left_out(game)
    return [kind for kind in every_kind(game) if kind.name not in missing]


def every_kind(game: Game) -> list[Kind]:
    wins = [WinIn(game, count) for count in range(1, DEEPEST + 1)]
    return [OnlyMove(game), *wins, ShortestGame(game), Judged(game)]


def is_generic(game: Game) -> bool:
    """Does the game leave its kinds to this module?"""
    return any(isinstance(kind, Judged) for kind in game.hints.puzzles())


def left_out(game: Game, params: Any = None) -> dict[str, str]:
    """The kinds that the game (or the version with these parameters) does not have, each with the reason."""
    wins = [f"win-in-{count}" for count in range(1, DEEPEST + 1)]
    known = pools(game, params)
    if not known:
        which = "every version" if params is None else "this version"
        reason = f"play of {which} of {game.slug} reaches more than {LIMIT:,} positions, so none is explored"
        return dict.fromkeys(["only-move", *wins, "proof-game"], reason)
    players = len(known[0].play.players)
    if players == 1:
        return dict.fromkeys(["only-move", *wins], f"{game.slug} has one player, who wins against nobody")
    if players > 2:
        return dict.fromkeys(wins, f"{game.slug} is a game of {players}, and only two can force a win in N moves")
    if any(pool.play.has_chance for pool in known):
        return dict.fromkeys(wins, f"{game.slug} has chance, so nobody forces a win in N moves")
    return {}
