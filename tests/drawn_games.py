"""Games drawn as graphs, for the tests of the explorer and the bridge: positions are numbers, moves the numbers of what
they lead to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from rulecheck.contract import Chance, End
from rulecheck.model import LEGAL, Readings, Verdict, breaks


@dataclass(frozen=True)
class Spot:
    """Whose turn it is, and what follows: positions to choose from, weights of chance, or the end."""

    actor: str
    moves: tuple[int, ...] = ()
    chances: tuple[tuple[int, int], ...] = ()  # each a position and its weight
    end: End | None = None


class Drawn:
    """The engine of such a game; the start is position 0."""

    readings = Readings({})

    def __init__(self, players: Sequence[str], spots: Sequence[Spot]) -> None:
        self.players, self.spots = tuple(players), list(spots)

    def start(self) -> int:
        return 0

    def actor(self, position: int) -> str:
        return self.spots[position].actor

    def chances(self, position: int) -> list[Chance[int]]:
        return [Chance(f"roll {to}", weight, to) for to, weight in self.spots[position].chances]

    def end(self, position: int) -> End | None:
        return self.spots[position].end

    def moves(self, position: int) -> dict[str, int]:
        return {f"to {to}": to for to in self.spots[position].moves}

    def judge(self, position: int, move: str) -> Verdict:
        return LEGAL if move in self.moves(position) else breaks("D-1", "there is no such line")

    def play(self, position: int, move: str) -> int:
        return self.moves(position)[move]


@st.composite
def games(draw: Any, players: str, with_chance: bool) -> Drawn:
    """Any small game: loops, players who move again, dead ends, ties, and ends with one winner or several."""
    size = draw(st.integers(2, 9))
    anywhere = st.integers(0, size - 1)
    ends = st.lists(st.sampled_from(players), unique=True).map(lambda who: End(tuple(who)))
    spots = []
    for _ in range(size):
        actor = draw(st.sampled_from(players))
        kind = draw(st.sampled_from(("end", "choice", "choice", "chance" if with_chance else "choice")))
        if kind == "end":
            spots.append(Spot(actor, end=draw(ends)))
        elif kind == "choice":
            spots.append(Spot(actor, moves=tuple(draw(st.lists(anywhere, max_size=3, unique=True)))))
        else:
            results = draw(st.lists(anywhere, min_size=1, max_size=3, unique=True))
            spots.append(Spot(actor, chances=tuple((to, draw(st.integers(1, 4))) for to in results)))
    return Drawn(players, spots)
