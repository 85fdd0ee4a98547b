"""A game of Ice Palace in words: the players, the pyramids of each colour, the hands."""

from __future__ import annotations

from rulecheck.games.icepalace import Params
from rulecheck.pyramids import SIZE_NAMES
from rulecheck.wording import count, listed, number


def in_words(params: Params) -> str:
    others = [(params.black, "black"), (params.white, "white")]
    parts = [count(params.players, "player"), f"{_each(params, params.stash)} in each player's colour"]
    parts += [f"{_each(params, n)} in {colour}" if n else f"no {colour} ones" for n, colour in others]
    return ", ".join([*parts, f"hands of {number(params.hand * len(params.sizes))}"])


def _each(params: Params, held: int) -> str:
    """`five of each size`; `one small and one medium`."""
    if len(params.sizes) == len(SIZE_NAMES):
        return f"{number(held)} of each size"
    return listed([f"{number(held)} {SIZE_NAMES[size]}" for size in params.sizes])
