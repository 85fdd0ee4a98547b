"""Kalah, a sowing game in which a player may move again: an engine for the tests of the bridge, without fields.

A position is the player to move, then the holes of A and A's store, then those of B and B's store, all in the order of
sowing. A game of `holes` holes a side with `seeds` seeds each is called Kalah(holes, seeds) by Irving, Donkers and
Uiterwijk, Solving Kalah (2000).
"""

from __future__ import annotations

from rulecheck.contract import TIE, End
from rulecheck.model import LEGAL, InputError, Readings, Verdict, breaks


class Text(tuple[str | int, ...]):
    """A position, with its text."""

    def __str__(self) -> str:
        return " ".join(map(str, self))


def read(text: str) -> Text:
    who, *counts = text.split()
    return Text((who, *map(int, counts)))


class Kalah:
    players = ("A", "B")
    readings = Readings({})

    def __init__(self, holes: int, seeds: int) -> None:
        self.holes, self.seeds = holes, seeds

    def start(self) -> Text:
        return Text(("A", *([self.seeds] * self.holes + [0]) * 2))

    def actor(self, position: Text) -> str:
        return str(position[0])

    def chances(self, position: Text) -> tuple[()]:
        return ()

    def end(self, position: Text) -> End | None:
        """A player whose holes are empty ends the game; the seeds in the other's holes are the other's."""
        a, b = self._rows(position)
        if any(a[:-1]) and any(b[:-1]):
            return None
        points = (("A", sum(a)), ("B", sum(b)))
        return TIE if sum(a) == sum(b) else End(("A" if sum(a) > sum(b) else "B",), points)

    def _rows(self, position: Text) -> tuple[list[int], list[int]]:
        counts = [int(n) for n in position[1:]]
        return counts[: self.holes + 1], counts[self.holes + 1 :]

    def moves(self, position: Text) -> dict[int, Text]:
        if self.end(position) is not None:
            return {}
        return {hole: self._sown(position, hole) for hole in range(self.holes) if self.judge(position, hole).legal}

    def judge(self, position: Text, move: int) -> Verdict:
        own = self._rows(position)[self.players.index(self.actor(position))]
        return LEGAL if own[move] else breaks("KA-1", "the hole is empty")

    def play(self, position: Text, move: int) -> Text:
        if not self.judge(position, move).legal:
            raise InputError("the hole is empty")
        return self._sown(position, move)

    def _sown(self, position: Text, hole: int) -> Text:
        me = self.actor(position)
        rows = self._rows(position)
        own, other = rows if me == "A" else rows[::-1]
        ring = own + other[:-1]  # the other's store is passed over
        hand, at = ring[hole], hole
        ring[hole] = 0
        while hand:
            at = (at + 1) % len(ring)
            ring[at] += 1
            hand -= 1
        store, opposite = self.holes, 2 * self.holes - at
        if at < store and ring[at] == 1 and ring[opposite]:
            ring[store] += 1 + ring[opposite]
            ring[at] = ring[opposite] = 0
        own, other = ring[: store + 1], [*ring[store + 1 :], other[-1]]
        following = me if at == store else "B" if me == "A" else "A"
        return Text((following, *own, *other) if me == "A" else (following, *other, *own))
