"""Crosswalk's smaller games in order of size, and play in them from the start.

"The smallest position" means: of the smallest game that has one. No pyramid ever leaves a game, so a position
with fewer pyramids is a position of a game with fewer pyramids.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

from rulecheck.games.crosswalk import Params

# The limits of the search for ambiguities: a witness is the smallest among these games.
MOST_PIECES, MOST_SQUARES = 4, 3


def shapes(most_pieces: int = MOST_PIECES, most_squares: int = MOST_SQUARES) -> Iterator[Params]:
    """All games by number of pyramids, then of squares: every set of sizes, every set of pedestrians."""
    for pieces in range(2, most_pieces + 1):
        for squares in range(2, most_squares + 1):
            for used in range(1, 4):
                walkers = pieces - 2 * used
                if walkers < 0 or (walkers and squares < 3):
                    continue
                for sizes in combinations((1, 2, 3), used):
                    for street in combinations_with_replacement((3, 2, 1), walkers):
                        yield Params(squares, sizes, _spread(street, squares - 2))


def _spread(street: tuple[int, ...], middle: int) -> tuple[tuple[int, ...], ...]:
    """Trees, large lowest, on as few middle squares as possible; the last one takes the rest."""
    stacks: list[list[int]] = [[] for _ in range(middle)]
    for pips in street:
        free = next((s for s in stacks if not s or s[-1] > pips), stacks[-1] if stacks else None)
        assert free is not None
        free.append(pips)
    return tuple(map(tuple, stacks))


def bound(most_pieces: int = MOST_PIECES, most_squares: int = MOST_SQUARES) -> str:
    return f"all games of up to {most_pieces} pyramids on up to {most_squares} squares"


def below(shape: Params | None = None, most_squares: int = MOST_SQUARES) -> str:
    return f"games of fewer pyramids on up to {most_squares} squares, or of as many on fewer squares,"
