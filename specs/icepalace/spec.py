"""Ice Palace as constraints, clause by clause.

The codes of worksite and palace are terms over the surroundings of a cell (`spec_codes`); the greatest number is "no
larger build exists" (`spec_builds`); phases, turns and what follows an act are constraints over the frame of a
position before and after it (`spec_turns`), which z3 solves. Numbers in the bag and the hands stand in `spec_bag`.

Two things are left as values, because structures have no bound and so are no terms: where the pyramid of a move goes
(`_moved`), and the score.

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
    WORKSITE,
    Cell,
    Move,
    Params,
    Position,
    Structure,
)
from rulecheck.model import Readings, Verdict
from rulecheck.pyramids import Pyramid, Stack
from specs.icepalace.spec_bag import Bag
from specs.icepalace.spec_builds import is_built
from specs.icepalace.spec_codes import Code, Flag, Palace, Worksite
from specs.icepalace.spec_limits import Limit
from specs.icepalace.spec_turns import NO_SEAT, Act, Facts, Frame, Turns

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
        self._seats = {letter: seat for seat, letter in enumerate(params.letters)}
        self.worksite = Worksite("w", params.colours, readings)
        self.palace = Palace("p", params.letters, readings)
        self.bag, self.turns = Bag(params, readings), Turns(params.players, readings)
        self._supply = functools.lru_cache(maxsize=10_000)(
            lambda hands, bag: (self.bag.is_sufficient(hands, bag), not self.bag.wants(hands, bag))
        )
        self._is_built = functools.lru_cache(maxsize=200_000)(is_built)

    # -- The frame of a position, and what else the turns depend on ----------------------------------------------

    def frame(self, position: Position) -> Frame:
        mover, marker = (self._seats.get(k or NOBODY, NO_SEAT) for k in (position.mover, position.marker))
        return Frame(mover, marker, position.passes, bool(position.worksite), bool(position.left))

    def facts(self, position: Position, usable: bool = False) -> Facts:
        return Facts(usable, *self._supply(position.hands, position.bag))

    def act(self, move: Move) -> Act:
        if move.site == WORKSITE:
            return Act.PLACE if move.pyramid else Act.PASS
        return Act.STEP if move.pyramid else Act.DONE

    def barred(self, position: Position, act: Act) -> frozenset[str]:
        """IP-08, IP-12, IP-26, IP-29, IP-34, IP-37, IP-39: the clauses by which it is not the time for such an act."""
        return self.turns.broken(self.frame(position), act, self.facts(position))

    def is_turn(self, position: Position) -> bool:
        """IP-12, IP-13, IP-26: may it be this mover's turn, after so many passes?"""
        return self.turns.arises(self.frame(position))

    # -- IP-08 to IP-10, IP-37: chance --------------------------------------------------------------------------

    def draws(self, position: Position) -> dict[Position, Fraction]:
        """What chance may do here, and how likely; empty if chance is not to act."""
        barred = self.barred(position, Act.PASS)
        if "IP-08" in barred:
            return {self.opened(replace(position, marker=c)): Fraction(1, self.players) for c in self.letters}
        if "IP-37" not in barred or self.facts(position).full:
            return {}
        player, z = self.bag.due(position)
        stock = {c: triple[z - 1] for c, triple in zip(self.params.colours, position.bag, strict=True)}
        return {
            self.opened(self.bag.drawn(position, player, Pyramid(c, z))): Fraction(count, sum(stock.values()))
            for c, count in stock.items()
            if count
        }

    def opened(self, position: Position) -> Position:
        """IP-37: after a draw, whoever opens is to move, or nobody yet."""
        return self._framed(position, self.turns.after(self.frame(position), Act.DRAW, self.facts(position)))

    # -- A verdict, with every clause that is broken ------------------------------------------------------------

    def judge(self, position: Position, move: Move) -> Verdict:
        broken = self.broken(position, move)
        return Verdict(tuple((clause, "the constraint of this clause is false") for clause in sorted(broken)))

    def broken(self, position: Position, move: Move) -> frozenset[str]:
        barred = self.barred(position, self.act(move))
        if barred or move.pyramid is None:
            return barred
        if move.site == WORKSITE:
            hand = position.hands[self.letters.index(position.mover)]
            return self.by_code(position, move) | ({"IP-13"} if move.pyramid not in hand else set())
        broken = self.by_code(position, move) | ({"IP-29"} if move.pyramid not in position.left else set())
        return broken or self.by_number(position, move)

    def by_code(self, position: Position, move: Move) -> frozenset[str]:
        """IP-14 to IP-20, IP-30, IP-31: the clauses of the code that the placement breaks."""
        assert move.pyramid is not None
        return self.code(move.site).broken(move.pyramid, self.around(position, move))

    def around(self, position: Position, move: Move) -> frozenset[Flag]:
        structure, window = self.structure(position, move.site), self.code(move.site).window
        x, y = move.cell
        return window.true(lambda p: structure.at((x + p[0], y + p[1])), bool(structure), move.cell == ORIGIN)

    def structure(self, position: Position, site: str) -> Structure:
        return position.worksite if site == WORKSITE else position.palace

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
        if self.readings["max_number"] != "exact":
            return frozenset()
        most = self.greatest(position.palace, position.left)
        built = self._moved(position, move)
        if self.can_use(built.palace, built.left, most - 1):
            return frozenset()
        return frozenset(["IP-33" if most == len(position.left) else "IP-34"])

    # -- All moves ----------------------------------------------------------------------------------------------

    def cells(self, structure: Structure) -> set[Cell]:
        """Where anything can be placed at all."""
        return {(x + dx, y + dy) for (x, y), _ in structure for dx in NEAR for dy in NEAR} or {ORIGIN}

    def moves(self, position: Position) -> set[Move]:
        """Every legal move, by the same clauses as `judge`."""
        moves = {move for move in (PASS, DONE) if not self.barred(position, self.act(move))}
        if not self.barred(position, Act.PLACE):
            hand = position.hands[self.letters.index(position.mover)]
            moves |= self._placements(WORKSITE, position, hand)
        if not self.barred(position, Act.STEP):
            steps = self._placements(PALACE, position, position.left)
            moves |= {move for move in steps if not self.by_number(position, move)}
        return moves

    def _placements(self, site: str, position: Position, pyramids: Iterable[Pyramid]) -> set[Move]:
        cells = self.cells(self.structure(position, site))
        asked = {Move(pyramid, site, cell) for pyramid in pyramids for cell in cells}
        return {m for m in asked if m.pyramid and self.code(site).fits(m.pyramid, self.around(position, m))}

    # -- What a legal move changes; everything else stays as it is ----------------------------------------------

    def after(self, position: Position, move: Move) -> Position:
        x, act = self.frame(position), self.act(move)
        moved = self._moved(position, move)
        more = self.turns.asks_for_material(x, act) and self.can_use(moved.palace, moved.left, 1)
        return self._framed(moved, self.turns.after(x, act, self.facts(position, more)))

    def _moved(self, position: Position, move: Move) -> Position:
        """IP-13, IP-28, IP-29: the pyramid is no longer where it was, and what there would be to build with."""
        if move.pyramid is None:
            material = (k for _, stack in position.worksite for k in stack if k.colour in self.letters)
            return replace(position, left=tuple(sorted(material))) if move == PASS else position
        what, site, where = move.pyramid, move.site, move.cell
        grown = self.structure(position, site).put(what, where)
        if site == PALACE:
            return replace(position, palace=grown, left=less(position.left, what))
        holders = zip(self.letters, position.hands, strict=True)
        hands = tuple(less(held, what) if k == position.mover else held for k, held in holders)
        return replace(position, worksite=grown, hands=hands)

    def _framed(self, position: Position, y: Frame) -> Position:
        """The position with this frame: what the frame does not have is not there any more."""
        mover = NOBODY if y.mover == NO_SEAT else self.letters[y.mover]
        worksite, left = position.worksite if y.begun else Structure(), position.left if y.left else ()
        marker = self.letters[y.marker]
        return replace(position, mover=mover, marker=marker, passes=y.passes, worksite=worksite, left=left)

    # -- IP-39 to IP-41: the end and the score ------------------------------------------------------------------

    def is_over(self, position: Position) -> bool:
        return "IP-39" in self.barred(position, Act.PASS)

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
