"""Hextris, executable: what a careful player does, step by step.

Glossary: a *group* is a largest connected set of points of one colour; a turn *makes* a group if the group
contains a point that the turn has newly given to that colour; a *five* is a group of exactly as many pieces as
the game asks for. Two turns with the same resulting position are the same turn.

Positions are read through `empty`, `owns`, `pips`, `in_hand` and `formed` only, until a result is built.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rulecheck.contract import Chance, End
from rulecheck.games.hextris import (
    PASS,
    SIZES,
    Exchange,
    Move,
    Params,
    Pass,
    Placement,
    Position,
    Slide,
    Triple,
    row_lengths,
)
from rulecheck.model import LEGAL, InputError, Readings, Verdict, breaks
from rulecheck.pyramids import LARGE, MEDIUM, SIZE_NAMES, SMALL, Pyramid

DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # HX-13: six of them, as (column, row)
REACH = {SMALL: 1, MEDIUM: 2}  # HX-19, HX-20; HX-21: a large piece has no limit
REACH_CLAUSE = {SMALL: "HX-19", MEDIUM: "HX-20"}
PARTNER = {LARGE: MEDIUM, MEDIUM: SMALL, SMALL: LARGE}  # HX-22, HX-23, HX-24
PARTNER_CLAUSE = {LARGE: "HX-22", MEDIUM: "HX-23", SMALL: "HX-24"}


class Group(NamedTuple):
    """A group that a turn makes; of one that is too large only as many points as show it."""

    colour: str
    points: frozenset[int]


def lay_out(radius: int) -> dict[tuple[int, int], int]:
    """HX-03: the points of the hexagon by slanted column and row, both counted from the centre."""
    spots: dict[tuple[int, int], int] = {}
    for row, length in zip(range(-radius, radius + 1), row_lengths(radius), strict=True):
        first = max(-radius, -radius - row)
        for column in range(first, first + length):
            spots[column, row] = len(spots)
    return spots


class Engine:
    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings, self.players = params, readings, params.colours
        self.ways = self._walk_lines()
        self.neighbours = {
            p: [q for (s, q), way in self.ways.items() if s == p and len(way) == 1] for p in params.points
        }
        # HX-04: on the perimeter a direction leads off the board.
        self.perimeter = [p for p in params.points if len(self.neighbours[p]) < len(DIRECTIONS)]
        self.slides = {p: [Slide(p, q, params.radius) for s, q in self.ways if s == p] for p in params.points}
        self.exchanges = {p: [Exchange(p, q, params.radius) for q in self.neighbours[p]] for p in params.points}

    def _walk_lines(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """HX-13: for any two points in a straight line the points from the first to the second, without the first."""
        spots = lay_out(self.params.radius)
        ways: dict[tuple[int, int], tuple[int, ...]] = {}
        for (column, row), point in spots.items():
            for right, down in DIRECTIONS:
                walked: tuple[int, ...] = ()
                spot = (column + right, row + down)
                while spot in spots:
                    walked += (spots[spot],)
                    ways[point, spots[spot]] = walked
                    spot = (spot[0] + right, spot[1] + down)
        return ways

    # -- Setting up ---------------------------------------------------------------------------------------

    def start(self) -> Position:
        """HX-06: an empty board, all pieces in hand. HX-07: A is the one who begins."""
        params = self.params
        return Position("A", (None,) * len(params.points), params.stash, (0,) * params.players, params)

    def actor(self, position: Position) -> str:
        return position.mover

    def chances(self, position: Position) -> tuple[Chance[Position], ...]:
        """Nothing is left to chance."""
        return ()

    def after(self, player: str) -> str:
        """HX-08: who is next."""
        colours = self.params.colours
        return colours[(colours.index(player) + 1) % len(colours)]

    # -- Winning ------------------------------------------------------------------------------------------

    def winner(self, position: Position) -> str | None:
        """HX-32, HX-33: who has all groups; of several the one who has just moved, else who comes first after."""
        colours = self.params.colours
        last = colours.index(position.mover) - 1  # HX-08: whose turn has just been
        in_turn = colours[last:] + colours[:last]
        return next((c for c in in_turn if position.formed(c) >= self.params.groups), None)

    def end(self, position: Position) -> End | None:
        winner = self.winner(position)
        return None if winner is None else End((winner,))

    # -- Putting a piece down -----------------------------------------------------------------------------

    def judge_placement(self, position: Position, move: Placement) -> Verdict:
        if move.piece.colour != position.mover:
            return breaks("HX-09", "a player puts down own pieces only")
        if move.target not in self.perimeter:
            return breaks("HX-11", "pieces are put on the perimeter, this is an interior point")
        if position.in_hand(*move.piece) < 1:
            return breaks("HX-09", f"no {SIZE_NAMES[move.piece.pips]} piece is left in hand")
        if not position.empty(move.target):
            return breaks("HX-14", "another piece stands there")
        return LEGAL

    # -- Sliding ------------------------------------------------------------------------------------------

    def judge_slide(self, position: Position, move: Slide) -> Verdict:
        way = self.ways.get((move.source, move.target))
        if way is None:
            return breaks("HX-13", "a piece slides along a straight line")
        if not position.owns(position.mover, move.source):
            return breaks("HX-10", "no piece of the mover stands there")
        pips = position.pips(move.source)
        if len(way) > REACH.get(pips, len(way)):
            return breaks(REACH_CLAUSE[pips], f"that is too far for a {SIZE_NAMES[pips]} piece")
        if not all(position.empty(p) for p in way):
            return breaks("HX-18", "the slide crosses or ends on an occupied point")
        return LEGAL

    # -- Exchanging ---------------------------------------------------------------------------------------

    def judge_exchange(self, position: Position, move: Exchange) -> Verdict:
        if move.target not in self.neighbours[move.source]:
            return breaks("HX-13", "only adjacent pieces change places")
        if self.readings["swap"] == "any_two":
            if position.empty(move.source):
                return breaks("HX-10", "no piece stands there")
        elif not position.owns(position.mover, move.source):
            return breaks("HX-10", "no piece of the mover stands there")
        if position.empty(move.target):
            return breaks("HX-13", "there is no piece to change places with")
        return self._judge_sizes(position, move)

    def _judge_sizes(self, position: Position, move: Exchange) -> Verdict:
        """HX-22..24: each size has one partner; HX-25: own pieces need only differ."""
        swap = self.readings["swap"]
        first, second = position.pips(move.source), position.pips(move.target)
        if first != second and (swap in ("symmetric", "any_two") or position.owns(position.mover, move.target)):
            return LEGAL
        if PARTNER[first] != second:
            return self._wrong_partner(first)
        if swap == "mutual" and PARTNER[second] != first:
            return self._wrong_partner(second)
        return LEGAL

    def _wrong_partner(self, pips: int) -> Verdict:
        partner = SIZE_NAMES[PARTNER[pips]]
        return breaks(PARTNER_CLAUSE[pips], f"a {SIZE_NAMES[pips]} piece changes places with a {partner} one")

    # -- Groups -------------------------------------------------------------------------------------------

    def owner(self, position: Position, point: int) -> str | None:
        in_turn = (position.mover, *(c for c in self.params.colours if c != position.mover))
        return next((c for c in in_turn if position.owns(c, point)), None)

    def changed(self, position: Position, move: Move) -> dict[int, str | None]:
        """Whose the points are that change hands in this turn; None is an empty point."""
        if isinstance(move, Placement):
            return {move.target: position.mover}
        if isinstance(move, Slide):
            return {move.source: None, move.target: position.mover}
        if isinstance(move, Exchange):
            first, second = self.owner(position, move.source), self.owner(position, move.target)
            return {} if first == second else {move.source: second, move.target: first}
        return {}

    def grow(self, position: Position, changed: dict[int, str | None], first: int) -> Group:
        """HX-27, HX-28: all points connected to this one by its colour; it stops once there are too many."""
        colour = changed[first]
        assert colour is not None
        group = [first]
        for point in group:
            for q in self.neighbours[point]:
                if q not in group and (changed[q] == colour if q in changed else position.owns(colour, q)):
                    group.append(q)
                    if len(group) > self.params.group:
                        return Group(colour, frozenset(group))
        return Group(colour, frozenset(group))

    def made(self, position: Position, move: Move) -> list[Group]:
        """The groups that contain a point newly given to their colour."""
        changed = self.changed(position, move)
        return [self.grow(position, changed, p) for p, colour in changed.items() if colour is not None]

    def fives(self, move: Move, made: list[Group]) -> list[Group]:
        """HX-29: the groups that are complete, unless a placement completes none."""
        if isinstance(move, Placement) and self.readings["place_group"] == "ignored":
            return []
        return [group for group in made if len(group.points) == self.params.group]

    def counts(self, position: Position, fives: list[Group]) -> tuple[int, ...]:
        """HX-30, HX-32: how many groups each player has formed after the turn."""
        formed = {c: position.formed(c) for c in self.params.colours}
        for five in fives:
            credited = position.mover if self.readings["gift"] == "counts_for_mover" else five.colour
            if credited == position.mover or self.readings["gift"] == "counts_for_colour":
                formed[credited] = min(self.params.groups, formed[credited] + 1)
        return tuple(formed.values())

    def ends(self, position: Position, fives: list[Group]) -> bool:
        """HX-32: does this turn end the game?"""
        return bool(fives) and max(self.counts(position, fives)) == self.params.groups

    def leaving(self, position: Position, fives: list[Group]) -> frozenset[int]:
        """HX-29: the points that are cleared at the end of the turn."""
        if self.readings["final_group"] == "keep" and self.ends(position, fives):
            return frozenset()
        return frozenset().union(*(five.points for five in fives))

    def judge_groups(self, position: Position, move: Move, made: list[Group]) -> Verdict:
        """HX-31: nothing larger than five, for anyone."""
        if self._overflows(position, move, made) and not (
            self.readings["win_overflow"] == "allowed" and self.ends(position, self.fives(move, made))
        ):
            return breaks("HX-31", f"this makes a group of more than {self.params.group}")
        if isinstance(move, Placement) and self.readings["place_group"] == "illegal" and self.fives(move, made):
            return breaks("HX-29", f"a group of {self.params.group} is made by moving, not by putting a piece down")
        return LEGAL

    def _overflows(self, position: Position, move: Move, made: list[Group]) -> bool:
        if any(len(group.points) > self.params.group for group in made):
            return True
        if not isinstance(move, Slide) or self.readings["overflow_test"] == "result":
            return False
        crossed = self.ways[move.source, move.target][:-1]
        passed = (self.grow(position, {move.source: None, p: position.mover}, p) for p in crossed)
        return any(len(group.points) > self.params.group for group in passed)

    # -- A whole turn -------------------------------------------------------------------------------------

    def judge_reach(self, position: Position, move: Placement | Slide | Exchange) -> Verdict:
        """HX-12, HX-15, HX-26: a turn is exactly one of the three."""
        if isinstance(move, Placement):
            return self.judge_placement(position, move)
        if isinstance(move, Slide):
            return self.judge_slide(position, move)
        return self.judge_exchange(position, move)

    def displacements(self, position: Position) -> Iterator[Slide | Exchange]:
        """HX-10: what a player may try with pieces on the board."""
        for point in self.params.points:
            if position.owns(position.mover, point):
                yield from self.slides[point]
                yield from self.exchanges[point]
            elif self.readings["swap"] == "any_two":
                yield from self.exchanges[point]

    def placements(self, position: Position) -> Iterator[Placement]:
        """HX-09: what a player may try with pieces in hand."""
        for pips in SIZES:
            if position.in_hand(position.mover, pips) > 0:
                piece = Pyramid(position.mover, pips)
                yield from (Placement(piece, p, self.params.radius) for p in self.perimeter)

    def actions(self, position: Position, *, moving_only: bool = False) -> Iterator[tuple[Move, list[Group]]]:
        """All allowed turns but the pass, each with the groups it makes."""
        if not moving_only:
            yield from self._allowed(position, self.placements(position))
        yield from self._allowed(position, self.displacements(position))

    def _allowed(
        self, position: Position, moves: Iterator[Placement] | Iterator[Slide | Exchange]
    ) -> Iterator[tuple[Move, list[Group]]]:
        for move in moves:
            if self.judge_reach(position, move).legal:
                made = self.made(position, move)
                if self.judge_groups(position, move, made).legal:
                    yield move, made

    def may_pass(self, position: Position) -> bool:
        """HX-16, HX-17: only a player without an allowed move loses the turn."""
        moving_only = self.readings["allowed_move"] == "displacement"
        return not any(True for _ in self.actions(position, moving_only=moving_only))

    def moves(self, position: Position) -> dict[Move, Position]:
        if self.winner(position):
            return {}
        turns: dict[Position, Move] = {}
        for move, made in self.actions(position):
            turns.setdefault(self._result(position, move, made), move)
        moving = any(not isinstance(move, Placement) for move in turns.values())
        if not turns or (self.readings["allowed_move"] == "displacement" and not moving):
            turns[self._result(position, PASS, [])] = PASS
        return {move: result for result, move in turns.items()}

    def judge(self, position: Position, move: Move) -> Verdict:
        if self.winner(position):
            return breaks("HX-32", "the game is over, a player has formed the last group")
        if isinstance(move, Pass):
            return LEGAL if self.may_pass(position) else breaks("HX-16", "there is an allowed move")
        verdict = self.judge_reach(position, move)
        if not verdict.legal:
            return verdict
        return self.judge_groups(position, move, self.made(position, move))

    def play(self, position: Position, move: Move) -> Position:
        """The position after a legal turn; an illegal one is refused."""
        verdict = self.judge(position, move)
        if not verdict.legal:
            raise InputError(f"the turn {move} is {verdict}")
        return self._result(position, move, self.made(position, move))

    def _result(self, position: Position, move: Move, made: list[Group]) -> Position:
        points, hands = list(position.points), position.hands
        if isinstance(move, Placement):
            points[move.target] = move.piece
            hands = self._hands_without(position, move.piece)
        elif isinstance(move, Slide | Exchange):
            points[move.source], points[move.target] = points[move.target], points[move.source]
        fives = self.fives(move, made)
        for point in self.leaving(position, fives):
            points[point] = None
        groups = self.counts(position, fives) if fives else position.groups
        return Position(self.after(position.mover), tuple(points), hands, groups, position.params)

    def _hands_without(self, position: Position, piece: Pyramid) -> tuple[Triple, ...]:
        """HX-06: what is on the board is no longer in hand."""
        small, medium, large = (position.in_hand(piece.colour, s) - (s == piece.pips) for s in SIZES)
        at = self.params.colours.index(piece.colour)
        return (*position.hands[:at], (small, medium, large), *position.hands[at + 1 :])
