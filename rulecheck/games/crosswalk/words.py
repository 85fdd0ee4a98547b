"""A game of Crosswalk in words: the street, the pyramids, the pedestrians."""

from __future__ import annotations

from rulecheck.games.crosswalk import Params
from rulecheck.pyramids import SIZE_NAMES
from rulecheck.wording import count, listed


def in_words(params: Params) -> str:
    sizes = listed([f"a {SIZE_NAMES[size]}" for size in params.sizes])
    crowd = sum(map(len, params.pedestrians))
    parts = [count(params.squares, "square"), f"each player has {sizes}", count(crowd, "pedestrian")]
    parts += [f"a die of {params.die}"] if params.die != 6 else []
    return ", ".join(parts) + (" (B begins)" if params.first == "B" else "")
