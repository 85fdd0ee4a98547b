"""Ice Palace, executable: what careful players do, turn by turn. Where pyramids may go is in icepalace_building.

Glossary: a *phase* is the part of the game and who acts in it; a *seat* is a place at the table, counted clockwise.

`winner` names everybody who wins, so a shared win is several letters (`AC`); it is None until the game is over.
`chances` weighs each colour by the number of its pyramids that may be drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum

from rulecheck.contract import Chance, End
from rulecheck.games.icepalace import (
    BLACK,
    DONE,
    NOBODY,
    PALACE,
    PASS,
    WHITE,
    WORKSITE,
    Cell,
    Move,
    Params,
    Position,
    Structure,
    Triple,
)
from rulecheck.games.icepalace.engine_building import PalaceCode, WorksiteCode, without
from rulecheck.model import LEGAL, InputError, Readings, Verdict, breaks
from rulecheck.pyramids import LARGE, SMALL, Pyramid, Stack


class Phase(Enum):
    FIRST = "the first player is to be drawn"
    DRAWING = "hands are being completed"
    ROUND = "a round is played"
    BUILDING = "the palace is built"
    OVER = "the game is over"


REFUSED = {Phase.OVER: "IP-39", Phase.FIRST: "IP-08", Phase.DRAWING: "IP-37"}  # phases in which nobody moves


class Engine:
    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings
        self.worksite, self.palace = WorksiteCode(readings), PalaceCode(readings)

    # -- Setting up, and drawing from the bag --------------------------------------------------------------

    def start(self) -> Position:
        """IP-06, IP-07: one own pyramid of each size in every hand, all others in the bag."""
        hands = tuple(tuple(Pyramid(c, s) for s in self.params.sizes) for c in self.params.letters)
        bag = tuple(self._of_each_size(self.params.count(c) - (c in self.params.letters)) for c in self.params.colours)
        return Position(NOBODY, Structure(), Structure(), hands, bag, marker=None)

    def _of_each_size(self, count: int) -> Triple:
        small, medium, large = (count if size in self.params.sizes else 0 for size in range(SMALL, LARGE + 1))
        return small, medium, large

    @property
    def players(self) -> tuple[str, ...]:
        return self.params.letters

    def actor(self, position: Position) -> str:
        """Who is to move; while pyramids are drawn, the player who draws, and before that nobody in particular."""
        if self.phase(position) is not Phase.DRAWING:
            return position.mover if position.mover in self.params.letters else self.params.letters[0]
        player, _ = next(self.drawable(position))
        return self.params.letters[player]

    def chances(self, position: Position) -> tuple[Chance[Position], ...]:
        phase = self.phase(position)
        if phase is Phase.FIRST:  # IP-08, IP-09: each player is equally likely
            first = {player: replace(position, marker=player) for player in self.params.letters}
            return tuple(Chance(player, 1, self.next_draw(marked)) for player, marked in first.items())
        return tuple(self._drawn(position)) if phase is Phase.DRAWING else ()

    def _drawn(self, position: Position) -> Iterator[Chance[Position]]:
        """IP-10, IP-37: any pyramid of the size wanted may come, each as likely as the others."""
        player, size = next(self.drawable(position))
        for at, (colour, counts) in enumerate(zip(self.params.colours, position.bag, strict=True)):
            hand = tuple(sorted(position.hands[player] + (Pyramid(colour, size),)))
            fewer = tuple(count - (pips == size) for pips, count in enumerate(counts, start=SMALL))
            bag = position.bag[:at] + ((fewer[0], fewer[1], fewer[2]),) + position.bag[at + 1 :]
            after = self.next_draw(replace(position, hands=self._with_hand(position, player, hand), bag=bag))
            if counts[size - 1]:
                yield Chance(f"{self.params.letters[player]} draws {colour}{size}", counts[size - 1], after)

    def _with_hand(self, position: Position, player: int, hand: Stack) -> tuple[Stack, ...]:
        return position.hands[:player] + (hand,) + position.hands[player + 1 :]

    def missing(self, hand: Stack, size: int) -> int:
        """IP-37: how many pyramids of that size a hand lacks."""
        return self.params.hand - sum(pyramid.pips == size for pyramid in hand)

    def in_bag(self, position: Position, size: int) -> int:
        return sum(counts[size - 1] for counts in position.bag)

    def drawable(self, position: Position) -> Iterator[tuple[int, int]]:
        """Whose hand lacks a size that the bag has, in the order in which it is drawn."""
        for player in self.drawing_order(position):
            for size in self.params.sizes:
                if self.missing(position.hands[player], size) and self.in_bag(position, size):
                    yield player, size

    def drawing_order(self, position: Position) -> list[int]:
        """IP-37: it matters only where the bag lacks a size, and is enough all the same."""
        seats = list(range(self.params.players))
        if not self.lacks_a_size(position) or self.readings["draw_order"] == "seats" or position.marker is None:
            return seats
        first = self.params.letters.index(position.marker)
        return seats[first:] + seats[:first]

    def wanted(self, position: Position) -> list[tuple[int, int]]:
        """For each size how many are missing in all hands, and how many the bag has."""
        hands, sizes = position.hands, self.params.sizes
        return [(sum(self.missing(hand, size) for hand in hands), self.in_bag(position, size)) for size in sizes]

    def lacks_a_size(self, position: Position) -> bool:
        return any(missing > there for missing, there in self.wanted(position))

    def insufficient(self, position: Position) -> bool:
        """IP-39: the bag cannot complete all hands."""
        if self.readings["refill"] == "per_size":
            return self.lacks_a_size(position)
        wanted = self.wanted(position)
        return sum(missing for missing, _ in wanted) > sum(there for _, there in wanted)

    def next_draw(self, position: Position) -> Position:
        """The marker holder opens the round as soon as nothing more can be drawn."""
        done = not self.insufficient(position) and not any(True for _ in self.drawable(position))
        return replace(position, mover=position.marker if done and position.marker else NOBODY)

    # -- Who acts ------------------------------------------------------------------------------------------

    def phase(self, position: Position) -> Phase:
        if position.marker is None:
            return Phase.FIRST
        if position.left:
            return Phase.BUILDING
        if position.worksite:
            return Phase.ROUND
        if self.insufficient(position):
            return Phase.OVER
        if any(True for _ in self.drawable(position)):
            return Phase.DRAWING
        if position.mover == NOBODY:
            raise InputError("nobody is to move in this position, but the bag suffices and nothing can be drawn")
        return Phase.ROUND

    def seat(self, player: str, after: int) -> str:
        """IP-13: the player this many places clockwise."""
        letters = self.params.letters
        return letters[(letters.index(player) + after) % len(letters)]

    # -- A turn of the round -------------------------------------------------------------------------------

    def judge_turn(self, position: Position, move: Move) -> Verdict:
        if move.site == PALACE:
            return breaks("IP-26", "the round has not ended")
        if move.pyramid is None:
            return self.judge_pass(position)
        if move.pyramid not in position.hands[self.params.letters.index(position.mover)]:
            return breaks("IP-13", "the pyramid is not in the hand of the player to move")
        return self.worksite.judge(position.worksite.at, not position.worksite, move.pyramid, move.cell)

    def judge_pass(self, position: Position) -> Verdict:
        """IP-21 to IP-23: always allowed, but IP-12: the worksite has to be opened."""
        if self.readings["opening"] == "must_place" and not position.worksite:
            return breaks("IP-12", "the worksite has to be opened")
        return LEGAL

    def worksite_moves(self, position: Position) -> Iterator[Move]:
        """What the player to move may place, and where."""
        hand = position.hands[self.params.letters.index(position.mover)]
        return (Move(q, WORKSITE, cell) for q, cell in self.worksite.placements(position.worksite, hand))

    def take_turn(self, position: Position, move: Move) -> Position:
        if move.pyramid is None:
            return self.pass_turn(position)
        player = self.params.letters.index(position.mover)
        hand = without(position.hands[player], move.pyramid)
        return replace(
            position,
            mover=self.seat(position.mover, 1),
            worksite=position.worksite.put(move.pyramid, move.cell),
            hands=self._with_hand(position, player, hand),
            passes=0,
        )

    def pass_turn(self, position: Position) -> Position:
        """IP-26, IP-27: passes of all end the round, and who placed last builds."""
        if not self.ends_round(position):
            return replace(position, mover=self.seat(position.mover, 1), passes=position.passes + 1)
        if not position.worksite:
            again = self.readings["empty_round"] == "same_opener"
            return self.begin_round(position) if again else self.next_round(position)
        return self.begin_building(position, builder=self.placed_last(position))

    def ends_round(self, position: Position) -> bool:
        """IP-26: would a pass be the last that it takes?"""
        return position.passes + 1 >= self.passes_to_end(bool(position.worksite))

    def placed_last(self, position: Position) -> str:
        """IP-27: whose pyramid was the last one, once the worksite is begun."""
        return self.seat(position.mover, -1 - position.passes)

    def passes_to_end(self, is_begun: bool) -> int:
        spared = is_begun and self.readings["round_end"] == "others_pass"
        return self.params.players - spared

    # -- Building ------------------------------------------------------------------------------------------

    def begin_building(self, position: Position, builder: str) -> Position:
        """IP-28: the worksite is taken down; its black and white pyramids leave the game."""
        left = tuple(sorted(q for q in position.worksite.pyramids if q.colour not in (BLACK, WHITE)))
        return self.go_on_building(replace(position, mover=builder, worksite=Structure(), passes=0, left=left))

    def go_on_building(self, position: Position) -> Position:
        """IP-35: what is left when nothing more can be added leaves the game."""
        more = any(True for _ in self.palace.steps(position.palace, position.left))
        return position if more else self.next_round(position)

    def judge_building(self, position: Position, move: Move) -> Verdict:
        if move.site == WORKSITE:
            return breaks("IP-29", "the palace is being built")
        if move.pyramid is None:
            free = self.readings["max_number"] == "agreed"
            return LEGAL if free else breaks("IP-34", "as many pyramids as possible have to be used")
        if move.pyramid not in position.left:
            return breaks("IP-29", "the pyramid is not left to build with")
        verdict = self.palace.judge(position.palace.at, not position.palace, move.pyramid, move.cell)
        return verdict if not verdict.legal else self.judge_number(position, move.pyramid, move.cell)

    def judge_number(self, position: Position, pyramid: Pyramid, cell: Cell) -> Verdict:
        """IP-33, IP-34: can as many still be used after this step as before it?"""
        if self.readings["max_number"] != "exact":
            return LEGAL
        most = self.greatest_number(position)
        if self.palace.can_use(position.palace.put(pyramid, cell), without(position.left, pyramid), most - 1):
            return LEGAL
        if most == len(position.left):
            return breaks("IP-33", "after this step not all pyramids can be used")
        return breaks("IP-34", f"after this step fewer than {most} pyramids can be used")

    def greatest_number(self, position: Position) -> int:
        """IP-34: how many of the pyramids left can be used."""
        return self.palace.greatest_number(position.palace, position.left)

    def palace_moves(self, position: Position) -> Iterator[Move]:
        """What the builder may add next, and where."""
        for pyramid, cell in self.palace.steps(position.palace, position.left):
            if self.judge_number(position, pyramid, cell).legal:
                yield Move(pyramid, PALACE, cell)

    def build(self, position: Position, move: Move) -> Position:
        """IP-29, IP-36: one pyramid more, and nothing else changes."""
        if move.pyramid is None:
            return self.next_round(position)
        palace, left = position.palace.put(move.pyramid, move.cell), without(position.left, move.pyramid)
        return self.go_on_building(replace(position, palace=palace, left=left))

    def next_round(self, position: Position) -> Position:
        """IP-38: the marker goes on."""
        assert position.marker is not None
        return self.begin_round(replace(position, marker=self.seat(position.marker, 1)))

    def begin_round(self, position: Position) -> Position:
        """IP-37, IP-39: hands are completed, or the game is over."""
        return self.next_draw(replace(position, passes=0, left=()))

    # -- Scoring -------------------------------------------------------------------------------------------

    def score(self, palace: Structure) -> dict[str, int]:
        """IP-40: each stack counts for the owner of its top."""
        points = dict.fromkeys(self.params.letters, 0)
        for _, stack in palace:
            points[stack[-1].colour] += len(stack)
        return points

    def winner(self, position: Position) -> str | None:
        """IP-41: all who have the highest score, once the game is over; by one reading nobody, if they are several."""
        if self.phase(position) is not Phase.OVER:
            return None
        points = self.score(position.palace)
        first = [player for player in points if points[player] == max(points.values())]
        return "" if self.readings["tie"] == "undecided" and len(first) > 1 else "".join(first)

    def end(self, position: Position) -> End | None:
        if self.phase(position) is not Phase.OVER:
            return None
        return End(tuple(self.winner(position) or ()), tuple(self.score(position.palace).items()))

    # -- The whole -----------------------------------------------------------------------------------------

    def moves(self, position: Position) -> dict[Move, Position]:
        phase = self.phase(position)
        if phase is Phase.ROUND:
            legal = [*self.worksite_moves(position)]
            legal += [PASS] if self.judge_pass(position).legal else []
            return {move: self.take_turn(position, move) for move in legal}
        if phase is Phase.BUILDING:
            legal = [*self.palace_moves(position)]
            legal += [DONE] if self.readings["max_number"] == "agreed" else []
            return {move: self.build(position, move) for move in legal}
        return {}

    def judge(self, position: Position, move: Move) -> Verdict:
        phase = self.phase(position)
        if phase in REFUSED:
            return breaks(REFUSED[phase], phase.value)
        return self.judge_building(position, move) if phase is Phase.BUILDING else self.judge_turn(position, move)

    def play(self, position: Position, move: Move) -> Position:
        """The position after a legal move; an illegal one is refused."""
        verdict = self.judge(position, move)
        if not verdict.legal:
            raise InputError(f"the move {move} is {verdict}")
        if self.phase(position) is Phase.BUILDING:
            return self.build(position, move)
        return self.take_turn(position, move)
