"""A game of Nest race in words: the board, the nests, the players."""

from __future__ import annotations

from rulecheck.games.nestrace import Params
from rulecheck.wording import count


def in_words(params: Params) -> str:
    squares = count(len(params.places), "square")
    board = f"{squares} (a core of {params.core} by {params.core}, lines of {params.width})"
    parts = [
        *(["four players"] if params.players == 4 else []),
        board,
        f"{count(params.nests, 'nest')} for each player",
    ]
    parts += ["partners"] if params.partners else []
    return ", ".join(parts)
