"""A game of Icehouse in words: the players, their pieces, the table."""

from __future__ import annotations

from rulecheck.games.icehouse.pieces import Params
from rulecheck.pyramids import SIZE_NAMES
from rulecheck.wording import count, listed, number


def in_words(params: Params) -> str:
    given = params.as_dict()
    pieces = [int(n) for n in given["pieces"].split(",")]
    if len(set(pieces)) == 1:
        owned = f"{number(pieces[0])} of each size"
    else:
        owned = listed([f"{number(n)} {SIZE_NAMES[size]}" for size, n in enumerate(pieces, start=1) if n])
    table = given.get("table", "none")
    where = [f"a table of {table.replace('x', ' by ')} units"] if table[0].isdigit() else []
    return ", ".join([count(int(given["players"]), "player"), f"each has {owned}", *where])
