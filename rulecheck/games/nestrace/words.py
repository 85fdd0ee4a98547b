"""A game of Nest race in words: the board, the nests, the players."""

from __future__ import annotations

from rulecheck.games.nestrace import Params
from rulecheck.games.nestrace.boards import Hexagon
from rulecheck.wording import count, number


def in_words(params: Params) -> str:
    squares = count(len(params.squares), "square")
    ruled = f"a core of {params.core} by {params.core}"
    if isinstance(params.grid, Hexagon):
        ruled = f"a hexagon of kites of {params.grid.height} by {params.grid.height}, which is a conjecture"
    parts = [
        *([f"{number(params.players)} players"] if params.players > 2 else []),
        f"{squares} ({ruled}, lines of {params.width})",
        f"{count(params.nests, 'nest')} for each player",
    ]
    parts += ["partners"] if params.partners else []
    return ", ".join(parts)
