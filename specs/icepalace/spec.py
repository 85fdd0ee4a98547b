"""Ice Palace as constraints, clause by clause.

The codes of worksite and palace are terms over the surroundings of a cell (`icepalace_codes`); the greatest number
is "no larger build exists" (`icepalace_builds`). Here stand the phases, whose turn it is, what a move changes, the
bag, the end and the score: statements about one position at a time.

Locality: a placement looks at cells up to two columns and rows away, so with nothing there it is refused, and all
that can be placed is placed within two of some stack (`cells`).
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from rulecheck.games.icepalace import (
    DONE,
    NOBODY,
    ORIGIN,
    PALACE,
    PASS,
    SIZES,
    WORKSITE,
    Cell,
    Move,
    Params,
    Position,
    Structure,
    Triple,
)
from rulecheck.model import Readings, Verdict
from rulecheck.pyramids import Pyramid, Stack
from specs.icepalace.spec_builds import is_built
from specs.icepalace.spec_codes import Code, Flag, Palace, Worksite
from specs.icepalace.spec_limits import Limit

NEAR = range(-2, 3)


def less(held: Stack, pyramid: Pyramid) -> Stack:
    """The same without one of these."""
    return tuple(sorted((Counter(held) - Counter([pyramid])).elements()))


@functools.lru_cache(maxsize=100_000)
def _any_way_round(palace: Structure) -> Structure:
    """One palace for all that differ by a turn, a mirror or a shift of the grid: beside stays beside."""
    return min(palace.images(), key=lambda image: image.stacks)


class Spec:
    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings
        self.letters, self.players = params.letters, params.players
        self.worksite = Worksite("w", params.colours, readings)
        self.palace = Palace("p", params.letters, readings)
        self._is_built = functools.lru_cache(maxsize=200_000)(is_built)

    # -- IP-04 to IP-10, IP-37, IP-39: the bag and the hands ---------------------------------------------------

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

    def missing(self, position: Position) -> dict[tuple[int, int], int]:
        """How many pyramids of a size a player's hand is short of a full one."""
        held = [Counter(k.pips for k in hand) for hand in position.hands]
        return {(i, z): self.params.hand - counted[z] for i, counted in enumerate(held) for z in self.params.sizes}

    def in_bag(self, position: Position, z: int) -> int:
        """Of all colours together."""
        by_size = dict(zip(SIZES, zip(*position.bag, strict=True), strict=True))
        return sum(by_size[z])

    def is_sufficient(self, position: Position) -> bool:
        """IP-39, reading refill."""
        if self.readings["refill"] == "total":
            stock = {z: self.in_bag(position, z) for z in self.params.sizes}
            return sum(self.missing(position).values()) <= sum(stock.values())
        return self.has_every_size(position)

    def has_every_size(self, position: Position) -> bool:
        """Of each size there are as many as are missing in all hands."""
        wanted = dict.fromkeys(self.params.sizes, 0)
        for (_, z), count in self.missing(position).items():
            wanted[z] += count
        return all(wanted[z] <= self.in_bag(position, z) for z in wanted)

    def due(self, position: Position) -> tuple[int, int] | None:
        """IP-10, IP-37, reading draw_order: who draws next, and which size."""
        wants = [key for key, count in self.missing(position).items() if count > 0 and self.in_bag(position, key[1])]
        waiting: set[int] = set()  # who draws after all others
        if position.marker and not self.has_every_size(position) and self.readings["draw_order"] == "marker":
            waiting = {i for i, letter in enumerate(self.letters) if letter < position.marker}
        return min(wants, key=lambda want: (want[0] in waiting, want), default=None)

    def draws(self, position: Position) -> dict[Position, Fraction]:
        """IP-08 to IP-10, IP-37: what chance may do here, and how likely; empty if chance is not to act."""
        if position.marker is None:
            return {self.opened(replace(position, marker=c)): Fraction(1, self.players) for c in self.letters}
        due = self.due(position) if self.nobody_moves(position) == "IP-37" else None
        if due is None:
            return {}
        player, z = due
        stock = {c: triple[z - 1] for c, triple in zip(self.params.colours, position.bag, strict=True)}
        return {
            self.opened(self.drawn(position, player, Pyramid(c, z))): Fraction(count, sum(stock.values()))
            for c, count in stock.items()
            if count
        }

    def drawn(self, position: Position, player: int, pyramid: Pyramid) -> Position:
        hands = [tuple(sorted(h + (pyramid,))) if i == player else h for i, h in enumerate(position.hands)]
        bag = [self._taken(c, triple, pyramid) for c, triple in zip(self.params.colours, position.bag, strict=True)]
        return replace(position, hands=tuple(hands), bag=tuple(bag))

    def _taken(self, c: str, triple: Triple, pyramid: Pyramid) -> Triple:
        small, medium, large = (n - (pyramid == (c, z)) for z, n in zip(SIZES, triple, strict=True))
        return small, medium, large

    def opened(self, position: Position) -> Position:
        """IP-12, IP-39: who is to move when no worksite stands and nothing is left to build."""
        goes_on = self.is_sufficient(position) and self.due(position) is None and position.marker is not None
        return replace(position, mover=(position.marker or NOBODY) if goes_on else NOBODY)

    # -- Whose turn it is, and how a round ends ----------------------------------------------------------------

    def seat(self, player: str, further: int) -> str:
        """IP-13: clockwise is the order of the letters, and the first comes after the last."""
        clockwise = dict(zip(self.letters, (*self.letters[1:], self.letters[0]), strict=True))
        for _ in range(further):
            player = clockwise[player]
        return player

    def passes_needed(self, position: Position) -> int:
        """IP-26, reading round_end: everybody has to pass, or everybody but the last to place."""
        spared = {self.last_to_place(position)} if self.readings["round_end"] == "others_pass" else set()
        return len(set(self.letters) - (spared if position.worksite else set()))

    def last_to_place(self, position: Position) -> str:
        """IP-27: the one whose turn came just before the passes, after which it is the mover's."""
        return next(k for k in self.letters if self.seat(k, position.passes + 1) == position.mover)

    def nobody_moves(self, position: Position) -> str | None:
        """IP-08, IP-37, IP-39: the first player is chosen, hands are completed, or the game is over."""
        if position.marker is None:
            return "IP-08"
        if position.worksite or position.left:
            return None
        if not self.is_sufficient(position):
            return "IP-39"
        return "IP-37" if position.mover == NOBODY or self.due(position) else None

    def phase_clause(self, position: Position, move: Move) -> str | None:
        """The clause by which such a move is not to be made now."""
        if nobody := self.nobody_moves(position):
            return nobody
        site = PALACE if position.left else WORKSITE
        return None if move.site == site else "IP-29" if position.left else "IP-26"

    # -- A verdict, with every clause that is broken ------------------------------------------------------------

    def judge(self, position: Position, move: Move) -> Verdict:
        broken = self.broken(position, move)
        return Verdict(tuple((clause, "the constraint of this clause is false") for clause in sorted(broken)))

    def broken(self, position: Position, move: Move) -> frozenset[str]:
        if wrong := self.phase_clause(position, move):
            return frozenset([wrong])
        if move == PASS:
            # IP-12, IP-21, reading opening: who opens has to place; at any other time anybody may pass.
            opening = {"must_place": ["IP-12"]}.get(self.readings["opening"], [])
            return frozenset([] if position.worksite else opening)
        if move == DONE:
            return frozenset([] if self.readings["max_number"] == "agreed" else ["IP-34"])
        if move.site == WORKSITE:
            hand = position.hands[self.letters.index(position.mover)]
            return self.by_code(position, move) | ({"IP-13"} if move.pyramid not in hand else set())
        found = self.by_code(position, move) | ({"IP-29"} if move.pyramid not in position.left else set())
        return found or self.by_number(position, move)

    def by_code(self, position: Position, move: Move) -> frozenset[str]:
        """IP-14 to IP-20, IP-30, IP-31: the clauses of the code that the placement breaks."""
        assert move.pyramid is not None
        return self.code(move.site).broken(move.pyramid, self.around(position, move))

    def around(self, position: Position, move: Move) -> frozenset[Flag]:
        structure = position.worksite if move.site == WORKSITE else position.palace
        x, y = move.cell
        window = self.code(move.site).window
        return window.true(lambda p: structure.at((x + p[0], y + p[1])), bool(structure), move.cell == ORIGIN)

    def code(self, site: str) -> Code:
        return self.worksite if site == WORKSITE else self.palace

    def greatest(self, palace: Structure, left: Stack) -> int:
        """IP-34: the greatest number that can be used; with an empty palace it begins on 0,0."""
        numbers = reversed(range(len(left) + 1))
        return next(k for k in numbers if self.can_use(palace, left, k))

    def can_use(self, palace: Structure, left: Stack, k: int) -> bool:
        return k == 0 or (k <= len(left) and self._is_built(self.palace, _any_way_round(palace), left, k))

    def within_limit(self, palace: Structure, left: Stack, k: int) -> bool:
        """No limit on builds speaks against k; that may still be too many."""
        island = self.readings["palace_island"] == "yes"
        return island or Limit(palace, left, k, self.readings).is_kept()

    def by_number(self, position: Position, move: Move) -> frozenset[str]:
        """IP-33, IP-34, reading max_number: a step that keeps the code still may not waste what could be used."""
        assert move.pyramid is not None
        if self.readings["max_number"] != "exact":
            return frozenset()
        most = self.greatest(position.palace, position.left)
        built = self._built(position, move.pyramid, move.cell)
        if self.can_use(built.palace, built.left, most - 1):
            return frozenset()
        return frozenset(["IP-33" if most == len(position.left) else "IP-34"])

    # -- All moves ----------------------------------------------------------------------------------------------

    def cells(self, structure: Structure) -> set[Cell]:
        """Where anything can be placed at all."""
        return {(x + dx, y + dy) for (x, y), _ in structure for dx in NEAR for dy in NEAR} or {ORIGIN}

    def moves(self, position: Position) -> set[Move]:
        """Every legal move, by the same clauses as `judge`."""
        if self.nobody_moves(position):
            return set()
        if position.left:
            steps = self._placements(PALACE, position, position.left)
            found = {move for move in steps if not self.by_number(position, move)} | {DONE}
        else:
            hand = position.hands[self.letters.index(position.mover)]
            found = self._placements(WORKSITE, position, hand) | {PASS}
        return {move for move in found if move.pyramid or not self.broken(position, move)}

    def _placements(self, site: str, position: Position, pyramids: Iterable[Pyramid]) -> set[Move]:
        cells = self.cells(position.worksite if site == WORKSITE else position.palace)
        asked = {Move(pyramid, site, cell) for pyramid in pyramids for cell in cells}
        return {m for m in asked if m.pyramid and self.code(site).fits(m.pyramid, self.around(position, m))}

    # -- What a legal move changes; everything else stays as it is ----------------------------------------------

    def after(self, position: Position, move: Move) -> Position:
        if move == DONE:
            return self.next_round(position)
        if move == PASS:
            return self._after_pass(position)
        assert move.pyramid is not None
        if move.site == PALACE:
            return self.building(self._built(position, move.pyramid, move.cell))
        # IP-13, IP-23: one pyramid from the hand; then it is the next player's turn, whoever has passed before.
        player = self.letters.index(position.mover)
        hands = tuple(less(h, move.pyramid) if i == player else h for i, h in enumerate(position.hands))
        what, where = move.pyramid, move.cell
        following = self.seat(position.mover, 1)
        return replace(position, hands=hands, worksite=position.worksite.put(what, where), mover=following, passes=0)

    def _built(self, position: Position, pyramid: Pyramid, cell: Cell) -> Position:
        """One pyramid of what is left stands in the palace."""
        return replace(position, palace=position.palace.put(pyramid, cell), left=less(position.left, pyramid))

    def _after_pass(self, position: Position) -> Position:
        """IP-26 to IP-28: the pass that ends the round brings on the building, if there was a worksite."""
        passed = position.passes + 1
        if passed < self.passes_needed(position):
            following = self.seat(position.mover, 1)
            return replace(position, passes=passed, mover=following)
        if not position.worksite:
            return self.next_round(position, again=self.readings["empty_round"] == "same_opener")
        material = sorted(k for _, stack in position.worksite for k in stack if k.colour in self.letters)
        builder = self.last_to_place(position)
        return self.building(replace(position, worksite=Structure(), passes=0, mover=builder, left=tuple(material)))

    def building(self, position: Position) -> Position:
        """IP-33 to IP-35: building goes on as long as something more can be used."""
        return position if self.can_use(position.palace, position.left, 1) else self.next_round(position)

    def next_round(self, position: Position, again: bool = False) -> Position:
        """IP-35, IP-38: what is left leaves the game, and the marker goes on, or stays for the same to open again."""
        assert position.marker is not None
        marker = self.seat(position.marker, 0 if again else 1)
        return self.opened(replace(position, worksite=Structure(), passes=0, left=(), marker=marker))

    # -- IP-39 to IP-41: the end and the score ------------------------------------------------------------------

    def is_over(self, position: Position) -> bool:
        return self.nobody_moves(position) == "IP-39"

    def points(self, palace: Structure, player: str) -> int:
        """IP-40."""
        return sum(len(stack) for _, stack in palace if stack[-1].colour == player)

    def winners(self, position: Position) -> set[str] | None:
        """IP-41, reading tie: nobody has more, or even as many; None while the game goes on."""
        if not self.is_over(position):
            return None
        points = {c: self.points(position.palace, c) for c in self.letters}
        undecided = self.readings["tie"] == "undecided"
        rivals = {c: [points[d] + undecided for d in self.letters if d != c] for c in self.letters}
        return {c for c in self.letters if all(points[c] >= rival for rival in rivals[c])}
