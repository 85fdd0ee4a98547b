"""Hextris: every turn of many positions at once, computed from the constraints alone.

No turn is left out: each kind, from each point, to each point, with each piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from rulecheck.games.hextris import PASS, SIZES, Exchange, Move, Params, Placement, Position, Slide
from rulecheck.pyramids import Pyramid
from solvers.bulk import Bits, Bulk, ones
from specs.hextris.spec import Spec

Allowed = dict[Position, tuple[str | None, set[str]]]  # by result: who has won by it, and the turns that lead there
AT_ONCE = 100  # positions; more would not be faster


def every_turn(params: Params) -> Iterator[Move]:
    """All turns that can be written down, the pass last."""
    radius, points = params.radius, params.points
    for colour, pips, target in product(params.colours, SIZES, points):
        yield Placement(Pyramid(colour, pips), target, radius)
    yield from (Slide(source, target, radius) for source, target in product(points, points))
    yield from (Exchange(source, target, radius) for source, target in product(points, points))
    yield PASS


class StatedTurns:
    def __init__(self, spec: Spec) -> None:
        self.spec, self.turns = spec, list(every_turn(spec.params))
        self.names = [str(turn) for turn in self.turns]
        turn = spec.turn
        given = [*spec.to_move.values(), *spec.x.at.values(), *spec.x.taken.values(), *spec.has_hand.values()]
        given += [*spec.has_formed.values(), *turn.kind.values(), *turn.src, *turn.dst, *turn.put.values()]
        wanted = [*spec.ok.values(), spec.must, *spec.z.at.values(), *spec.hand_after.values()]
        wanted += [*spec.formed_after.values(), *spec.won_after.values()]
        self.bulk = Bulk(spec.asker, given, wanted)
        self.by_turn: dict[int, Bits] = {}  # for each literal the turns of which it is true
        for row, move in enumerate(self.turns):
            for fact in spec.move_facts(move):
                self.by_turn[id(fact)] = self.by_turn.get(id(fact), 0) | 1 << row

    def __call__(self, positions: Sequence[Position]) -> Iterator[Allowed]:
        for low in range(0, len(positions), AT_ONCE):
            yield from self._together(positions[low : low + AT_ONCE])

    def _together(self, positions: Sequence[Position]) -> Iterator[Allowed]:
        """One case for each turn of each position."""
        rows = len(self.turns)
        block = (1 << rows) - 1
        first_rows = sum(1 << rows * at for at in range(len(positions)))
        given = {number: bits * first_rows for number, bits in self.by_turn.items()}
        for at, position in enumerate(positions):
            for number in self._true_of(position):
                given[number] = given.get(number, 0) | block << rows * at
        value = self.bulk.run(given, rows * len(positions))
        for at in range(len(positions)):
            yield self._stated({n: bits >> rows * at & block for n, bits in value.items()})

    def _true_of(self, position: Position) -> Iterator[int]:
        """The literals that are true before the turn."""
        spec = self.spec
        yield id(spec.to_move[position.mover])
        for p, piece in enumerate(position.points):
            if piece is not None:
                yield from (id(spec.x.taken[p]), id(spec.x.at[piece.colour, p]), id(spec.x.at[piece.pips, p]))
        yield from (id(held) for (c, s, v), held in spec.has_hand.items() if position.in_hand(c, s) >= v)
        yield from (id(formed) for (c, v), formed in spec.has_formed.items() if position.formed(c) >= v)

    def _stated(self, value: Mapping[int, Bits]) -> Allowed:
        legal = 0
        for ok in self.spec.ok.values():
            legal |= value[id(ok)]
        if value[id(self.spec.must)]:  # HX-16: no pass while something that counts is legal
            legal &= ~(1 << len(self.turns) - 1)
        rows = {row: Reading(self.spec.params) for row in ones(legal)}
        for (what, at), there in self.spec.z.at.items():
            for row in ones(value[id(there)] & legal):
                rows[row].stands(what, at)
        for (c, s, _), held in self.spec.hand_after.items():
            for row in ones(value[id(held)] & legal):
                rows[row].hands[c][s - 1] += 1
        for (c, _), formed in self.spec.formed_after.items():
            for row in ones(value[id(formed)] & legal):
                rows[row].formed[c] += 1
        allowed: Allowed = {}
        for row, reading in rows.items():
            to_move = next(c for c, term in self.spec.next_to_move.items() if value[id(term)] >> row & 1)
            won = [c for c, term in self.spec.won_after.items() if value[id(term)] >> row & 1]
            result = reading.position(to_move)
            allowed.setdefault(result, (won[0] if won else None, set()))[1].add(self.names[row])
        return allowed


class Reading:
    """A result, put together from the literals that are true of it."""

    def __init__(self, params: Params) -> None:
        self.params = params
        self.colour: dict[int, str] = {}
        self.pips: dict[int, int] = {}
        self.hands = {c: [0, 0, 0] for c in params.colours}
        self.formed = dict.fromkeys(params.colours, 0)

    def stands(self, what: str | int, point: int) -> None:
        if isinstance(what, str):
            self.colour[point] = what
        else:
            self.pips[point] = what

    def position(self, mover: str) -> Position:
        points = tuple(Pyramid(self.colour[p], self.pips[p]) if p in self.colour else None for p in self.params.points)
        hands = tuple((small, medium, large) for small, medium, large in self.hands.values())
        return Position(mover, points, hands, tuple(self.formed.values()), self.params)
