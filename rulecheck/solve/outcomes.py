"""How a solved game without dice is stored: win, loss, tie or draw of every position, with its distance.

Distances count the moves of both players. A tie is a game that stops without a winner; a draw is one that neither
player can bring to an end without losing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulecheck.model import InputError
from rulecheck.solve.spaces import Space
from rulecheck.solve.tables import Method
from solvers.graph import Outcome
from solvers.tablebase import Table

COLUMNS = ("outcome", "distance")
PIECE = 1 << 22  # rows counted together
BEST_FIRST = (Outcome.WIN, Outcome.TIE, Outcome.DRAW, Outcome.LOSS)


def about(space: Space, outcome: NDArray[np.uint8], distance: NDArray[np.int32]) -> dict[str, Any]:
    """The header of a table: the numbers of positions won, lost, tied and drawn, by distance."""
    real = real_numbers(space)
    spread = histogram(outcome[real], distance[real])
    counts = {o.name.lower(): int(spread[o].sum()) for o in BEST_FIRST}
    shown = {o.name.lower(): np.trim_zeros(spread[o], "b").tolist() for o in (Outcome.WIN, Outcome.LOSS, Outcome.TIE)}
    return {"method": Method.RETROGRADE.value, "positions": sum(counts.values()), **counts, "distances": shown}


def histogram(outcome: NDArray[np.uint8], distance: NDArray[np.int32]) -> NDArray[np.int64]:
    """The number of positions by outcome and distance (0 if it has none); counted in pieces, to save memory."""
    spread = np.zeros((len(Outcome), int(distance.max(initial=0)) + 1), dtype=np.int64)
    for at in range(0, len(outcome), PIECE):
        here = slice(at, at + PIECE)
        places = outcome[here] * np.int64(spread.shape[1]) + np.maximum(distance[here], 0)
        spread += np.bincount(places, minlength=spread.size).reshape(spread.shape)
    return spread


def first_with(outcome: NDArray[np.uint8], distance: NDArray[np.int32], worth: Outcome, away: int) -> int:
    """The first number with this outcome and distance."""
    for at in range(0, len(outcome), PIECE):
        here = slice(at, at + PIECE)
        rows = np.flatnonzero((outcome[here] == worth) & (distance[here] == away))
        if len(rows):
            return at + int(rows[0])
    raise KeyError(f"no position is a {worth.name.lower()} in {away}")


def real_numbers(space: Space) -> slice:
    """All numbers but those at the end, each of which stands for many positions."""
    return slice(0, len(space) - space.endings)


def outcome_at(table: Table, row: int) -> Outcome:
    try:
        return Outcome(table.value("outcome", row))
    except ValueError:
        raise InputError(f"{table.path} holds something in row {row} that is not win, loss, tie or draw") from None
