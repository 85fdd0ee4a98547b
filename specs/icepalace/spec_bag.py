"""Ice Palace: the bag and the hands (IP-04 to IP-10, IP-37, IP-39), as statements about numbers of pyramids."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from rulecheck.games.icepalace import NOBODY, SIZES, Params, Position, Triple
from rulecheck.model import Readings
from rulecheck.pyramids import Pyramid, Stack

Hands = tuple[Stack, ...]
Counts = tuple[Triple, ...]


class Bag:
    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings, self.letters = params, readings, params.letters

    def is_start(self, position: Position) -> bool:
        """IP-06, IP-07: everybody has one own pyramid of each size, all others are in the bag, nothing is built."""
        own = {c: [Pyramid(c, z) for z in self.params.sizes] for c in self.letters}
        held = Counter(pyramid for c in self.letters for pyramid in own[c])
        bag = {
            Pyramid(c, z): count
            for c, triple in zip(self.params.colours, position.bag, strict=True)
            for z, count in zip(SIZES, triple, strict=True)
        }
        everything = Counter(
            {Pyramid(c, z): self.params.count(c) for c in self.params.colours for z in self.params.sizes}
        )
        return (
            position.hands == tuple(tuple(own[c]) for c in self.letters)
            and all(bag[k] == everything[k] - held[k] for k in bag)
            and (position.mover, position.marker, position.passes) == (NOBODY, None, 0)
            and not (position.worksite or position.palace or position.left)
        )

    def missing(self, hands: Hands) -> dict[tuple[int, int], int]:
        """How many pyramids of a size a player's hand is short of a full one."""
        held = [Counter(k.pips for k in hand) for hand in hands]
        return {(i, z): self.params.hand - counted[z] for i, counted in enumerate(held) for z in self.params.sizes}

    def in_bag(self, bag: Counts, z: int) -> int:
        """Of all colours together."""
        by_size = dict(zip(SIZES, zip(*bag, strict=True), strict=True))
        return sum(by_size[z])

    def is_sufficient(self, hands: Hands, bag: Counts) -> bool:
        """IP-39, reading refill."""
        if self.readings["refill"] == "total":
            stock = {z: self.in_bag(bag, z) for z in self.params.sizes}
            return sum(self.missing(hands).values()) <= sum(stock.values())
        return self.has_every_size(hands, bag)

    def has_every_size(self, hands: Hands, bag: Counts) -> bool:
        """Of each size there are as many as are missing in all hands."""
        wanted = dict.fromkeys(self.params.sizes, 0)
        for (_, z), count in self.missing(hands).items():
            wanted[z] += count
        return all(wanted[z] <= self.in_bag(bag, z) for z in wanted)

    def wants(self, hands: Hands, bag: Counts) -> list[tuple[int, int]]:
        """IP-10, IP-37: the players who can draw, each with the sizes."""
        return [key for key, count in self.missing(hands).items() if count > 0 and self.in_bag(bag, key[1])]

    def due(self, position: Position) -> tuple[int, int]:
        """IP-37, reading draw_order: of those who can draw, who does so next, and which size."""
        hands, bag, waiting = position.hands, position.bag, set[int]()  # who waits for all others
        if position.marker and not self.has_every_size(hands, bag) and self.readings["draw_order"] == "marker":
            waiting = {i for i, letter in enumerate(self.letters) if letter < position.marker}
        return min(self.wants(hands, bag), key=lambda want: (want[0] in waiting, want))

    def drawn(self, position: Position, player: int, pyramid: Pyramid) -> Position:
        """The pyramid is in the hand and no longer in the bag."""
        hands = [tuple(sorted(h + (pyramid,))) if i == player else h for i, h in enumerate(position.hands)]
        bag = [self._taken(c, triple, pyramid) for c, triple in zip(self.params.colours, position.bag, strict=True)]
        return replace(position, hands=tuple(hands), bag=tuple(bag))

    def _taken(self, c: str, triple: Triple, pyramid: Pyramid) -> Triple:
        small, medium, large = (n - (pyramid == (c, z)) for z, n in zip(SIZES, triple, strict=True))
        return small, medium, large
