"""A game of Hextris in words: how many points, what makes a group, who has which pieces."""

from __future__ import annotations

from rulecheck.games.hextris import Params
from rulecheck.pyramids import SIZE_NAMES
from rulecheck.wording import count, listed, number

POINTS = {1: "7 points", 2: "19 points", 3: "37 points"}


def in_words(params: Params) -> str:
    wins = "one group wins" if params.groups == 1 else f"{number(params.groups)} groups win"
    parts = [POINTS[params.radius], f"{number(params.group)} make a group", wins, _pieces(params)]
    return ", ".join([*(["three players"] if params.players == 3 else []), *parts])


def _pieces(params: Params) -> str:
    owned = [_owned(params, colour) for colour in params.colours]
    if len(set(owned)) == 1:
        return f"each player has {owned[0]}"
    return listed([f"{colour} has {pieces}" for colour, pieces in zip(params.colours, owned, strict=True)])


def _owned(params: Params, colour: str) -> str:
    """`two medium pieces and one large`; `five of each size`."""
    pieces = params.pieces(colour)
    if not any(pieces):
        return "no pieces"
    if len(set(pieces)) == 1:
        return f"{number(pieces[0])} of each size"
    held = [(n, SIZE_NAMES[size]) for size, n in enumerate(pieces, start=1) if n]
    first, *others = held
    return listed([count(first[0], f"{first[1]} piece"), *(f"{number(n)} {size}" for n, size in others)])
