"""Nest race: the families of proofs on the hexagon for three and six, by the names that the square board's have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from rulecheck.games.nestrace.families import lists
from rulecheck.games.nestrace.families.hops import chains, odd_paths, single_hops
from rulecheck.games.nestrace.families.judged import Slice
from rulecheck.games.nestrace.families.table import (
    FIRST,
    HOPS,
    OF_HOPS,
    Make,
    chains_of,
    changed_readings,
    chosen_pats,
    drawn_pats,
    ended,
)
from rulecheck.model import Result, together

SMALL = {"board": "hexagon", "core": "2", "width": "2", "nests": "1"}  # the smallest: 18 squares
MIDDLE = {**SMALL, "core": "4"}  # 36 squares, with kites of more than one square besides the lines
SIX = {"players": "6"}
TEAMS = {**SIX, "partners": "yes"}
# The readings that are about which hops there are, here also those that this board alone asks.
OF_BOARD = OF_HOPS | {"forward", "seam", "centre", "behind"}
SLICES = (
    # A's are covered in the middle by any of the others; A comes home and has won.
    Slice(SMALL, "a11:A1 b11:A2 d11:A3 d12:C1 e11:C2 f21:B1B2", "B3 C3", "ABC"),
    Slice(SMALL, "f12:A1A2 a12:C1C2 f11:B3 b11:B1 c11:B2", "A3 C3", "AC"),
    Slice(
        {**SMALL, **SIX},
        "c12:A1A2A3 d21:D1D2 a12:B1 b21:E1E2E3 e12:C1C2C3 f21:F1F2 a11:B2 d11:B3 c11:F3",
        "D3",
        "ABCDEF",
    ),
    Slice(
        {**SMALL, **TEAMS},
        "f12:A1A2A3 a21:D1D2 a12:B1B2B3 b21:E1E2E3 e12:C1C2C3 f21:F1F2 f11:F3",
        "D3",
        "ADF",
    ),
)


def hops(make: Make) -> Result:
    return make().paths(HOPS, single_hops)


def hops_small(make: Make) -> Result:
    return together(make(board).paths(HOPS, single_hops) for board in (SMALL, {**SMALL, **SIX}))


def hops_middle(make: Make) -> Result:
    return make(MIDDLE).paths(HOPS, single_hops)


def chains_small(make: Make) -> Result:
    def parts() -> Iterator[Result]:
        yield chains_of(make(SMALL), 2)
        yield chains_of(make({**SMALL, **SIX}), 2)
        yield make(SMALL).paths("every path of two hops with a step in it, and some that are not straight", odd_paths)

    return together(parts())


def chains_middle(make: Make) -> Result:
    return make(MIDDLE).paths("every chain of 2 jumps", chains(2))


def pats(make: Make) -> Result:
    boards = ((SMALL, 3_000, 120), ({**SMALL, **SIX}, 300, 60), ({**SMALL, **TEAMS}, 300, 60))
    return together(drawn_pats(make(board), draws, most) for board, draws, most in boards)


def pats_chosen(make: Make) -> Result:
    boards = ((SMALL, 60), ({**SMALL, **SIX}, 24), ({**MIDDLE, "nests": "2"}, 24))
    return together(chosen_pats(make(board), count) for board, count in boards)


def over(make: Make) -> Result:
    return together(ended(make(board)) for board in (SMALL, {**SMALL, **SIX}, {**SMALL, **TEAMS}))


def reached(make: Make) -> Result:
    """As far as that goes."""
    which = f"the {FIRST:,} positions that play reaches first, and nothing about the others,"
    families = [make(board) for board in (SMALL, {**SMALL, **TEAMS})]
    return together(f.lists(which, islice(lists.reachable(f.engine), FIRST)) for f in families)


def listed(make: Make) -> Result:
    return together(make(chosen.params).judged(chosen) for chosen in SLICES)


def goals(make: Make) -> Result:
    boards = (SMALL, {**SMALL, **SIX}, {**SMALL, **TEAMS}, {**MIDDLE, "nests": "2"})
    return together(make(board).win() for board in boards)


def setups(make: Make) -> Result:
    boards: list[dict[str, str]] = [SMALL, {**SMALL, "side": "north"}, {**SMALL, **TEAMS, "setup": "caca"}, MIDDLE]
    boards += [{"board": "hexagon"}, {"board": "hexagon", **SIX}, {"board": "hexagon", **SIX, "side": "north"}]
    return together(make(board).setup() for board in boards)


def touched(make: Make) -> Result:
    """What the readings that are not the default touch, on the smallest board."""
    if not changed_readings(make(SMALL)) & OF_BOARD:
        return few_pats(make)
    return together((make(SMALL).paths(HOPS, single_hops), chains_of(make(SMALL), 2)))


def few_pats(make: Make) -> Result:
    boards = ((SMALL, 1_000, 40), ({**SMALL, **SIX}, 60, 20))
    return together(drawn_pats(make(board), draws, most) for board, draws, most in boards)


HEXAGON: dict[str, Callable[[Make], Result]] = {
    "hops": hops,
    "chains-middle": chains_middle,
    "small-hops": hops_small,
    "middle-hops": hops_middle,
    "small-chains": chains_small,
    "small-pat": pats,
    "pat-chosen": pats_chosen,
    "over": over,
    "reached": reached,
    "listed": listed,
    "win": goals,
    "setup": setups,
    "touched": touched,
}
