"""Icehouse: what each clause asks of an event, which is legal if it meets all of them.

The truth values of a clause are those of `spec_geometry` and `spec_status`, for a position that is given. That is all
that is left to the position: which event it is, what lies on a pad and in a hand.

Glossary: k a player.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace

from rulecheck.games.icehouse.pieces import (
    Call,
    Capture,
    Crash,
    Event,
    Lift,
    Melt,
    Params,
    Piece,
    Place,
    Position,
    Return,
    TimeUp,
)
from rulecheck.model import Readings, Verdict
from rulecheck.pyramids import Pyramid, Stack
from specs.icehouse.spec_facts import Scene
from specs.icehouse.spec_geometry import (
    Line,
    Meeting,
    Pointing,
    juts_out,
    meeting,
    pointing,
    rectangle,
    shape_of,
    share_a_point,
    share_area,
)
from specs.icehouse.spec_scene import PositionScene, in_range, sight
from specs.icehouse.spec_status import Status
from specs.icehouse.spec_terms import Truth, every, no, some

Clauses = list[tuple[str, bool]]  # a clause, and whether what it asks is true; a clause may ask several things


class Verdicts:
    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings
        self.status = functools.lru_cache(maxsize=500)(self._status)

    def _status(self, position: Position) -> Status:
        return self.status_of(PositionScene(self.readings, position))

    def status_of(self, scene: Scene) -> Status:
        """The status of any scene, of an unknown one too."""
        return Status(self.params, self.readings, scene)

    def pointing(self, meetings: Sequence[Meeting]) -> Pointing:
        """What a line points at that meets things so; their places may be unknown."""
        return pointing(self.readings["graze"], meetings)

    def meeting(self, piece: Piece, thing: Piece) -> Meeting:
        """How the line of a lying piece meets another; their places may be unknown."""
        return meeting(Line(piece.point, piece.direction), shape_of(thing))

    def sight(self, piece: Piece, others: Sequence[Piece]) -> Pointing:
        """What the line of a lying piece points at among others, across the pads; their places may be unknown."""
        return sight(self.readings, piece, others, self.params.pads)

    def in_range(self, attacker: Piece, target: Piece) -> Truth:
        """IH-27, of pieces that share no area; their places may be unknown."""
        return in_range(self.readings, attacker, target)

    def contact(self, one: Piece, other: Piece) -> tuple[Truth, Truth]:
        """Whether two pieces have a point in common, and whether they share area; their places may be unknown."""
        return share_a_point(shape_of(one), shape_of(other)), share_area(shape_of(one), shape_of(other))

    # -- A verdict, with every clause that is broken ----------------------------------------------------------

    def judge(self, position: Position, event: Event) -> Verdict:
        asked = self._end_clauses(position)
        if all(kept for _, kept in asked):
            asked = self._asked(position, event)
        broken = sorted({clause for clause, kept in asked if not kept})
        return Verdict(tuple((clause, "the constraint of this clause is false") for clause in broken))

    def _asked(self, position: Position, event: Event) -> Clauses:
        match event:
            case Place(piece):
                return self._placing(position, piece)
            case Capture(player, number):
                return self._capturing(position, player, number)
            case Call():
                return self._calling(position, event)
            case Crash():
                return self._crashing(position, event)
            case Melt(player):
                on_call = self.readings["meltdown"] == "on_call"
                return [("IH-42", on_call), ("IH-41", bool(self.status(position).fault(player)))]
            case Lift(player, pyramid):
                return [("IH-38", position.hand(player) is None), ("IH-10", pyramid in position.pad(player))]
            case Return(player):
                free = self.readings["put_back"] == "free"
                return [("IH-38", position.hand(player) is not None), ("IH-39", free)]
            case TimeUp():
                return []

    def over(self, position: Position) -> bool:
        """IH-11, IH-70, IH-83, IH-90: all pieces are on the table, or the time is up."""
        return position.stopped or len(position.pieces) == self.params.players * sum(self.params.pieces)

    def _end_clauses(self, position: Position) -> Clauses:
        return [("IH-83" if position.stopped else "IH-70", not self.over(position))]

    def _taking(self, position: Position, player: str, pyramid: Pyramid) -> Clauses:
        """IH-10, IH-38: the piece in the hand, or with an empty hand one of the pad."""
        held = position.hand(player)
        on_pad = held is not None or pyramid in position.pad(player)
        return [("IH-38", held in (None, pyramid)), ("IH-10", on_pad)]

    # -- Placements -------------------------------------------------------------------------------------------

    def _placing(self, position: Position, piece: Piece) -> Clauses:
        fits = [(clause, bool(kept)) for clause, kept in self.fitting(position, piece)]
        clauses = [*self._taking(position, piece.placer, piece.pyramid), *fits]
        if piece.lying:
            clauses.append(("IH-41", self.readings["meltdown"] != "reject" or not self._comes_early(position, piece)))
            if all(kept for _, kept in fits):
                clauses += self._aiming(position, piece)
        return clauses

    def fitting(self, position: Position, piece: Piece) -> list[tuple[str, Truth]]:
        """IH-16, IH-04, IH-19, IH-78, readings edge, on_pad and touching; places may be unknown."""
        shape, others = shape_of(piece), [shape_of(other) for other in position.pieces]
        overlaps = [(other, share_area(shape, other)) for other in others]
        on_pads = some(share_area(shape, rectangle(pad)) for pad in self.params.pads)
        touches = some(every([no(over), share_a_point(shape, other)]) for other, over in overlaps if over is not True)
        return [
            ("IH-16", self._on_table(piece)),
            ("IH-04", True if self.readings["on_pad"] == "free" else no(on_pads)),
            ("IH-19", no(some(over for _, over in overlaps))),
            ("IH-78", True if self.readings["touching"] == "allowed" else no(touches)),
        ]

    def _on_table(self, piece: Piece) -> Truth:
        if self.params.table is None:
            return True
        table, shape = rectangle(self.params.table), shape_of(piece)
        if self.readings["edge"] == "inside":
            return no(juts_out(shape, table))
        count = len(shape.corners)  # the centroid of a triangle or square is the mean of its corners
        x, y = (sum(values) / count for values in zip(*shape.corners, strict=True))
        return every(row.at((x, y)) >= 0 for row in table.rows)

    def _aiming(self, position: Position, piece: Piece) -> Clauses:
        asked = self._with(position, piece).aim_clauses(len(position.pieces))
        return [(clause, bool(term)) for clause, term in asked.items()]

    def _comes_early(self, position: Position, piece: Piece) -> bool:
        after = self._with(position, piece)
        return any(after.early(len(position.pieces), k) for k in self.params.colours)

    def _with(self, position: Position, piece: Piece) -> Status:
        """How things stand once the piece is there, the last of all."""
        return self.status(replace(position, pieces=(*position.pieces, piece)))

    # -- Captures, calls, crashes -----------------------------------------------------------------------------

    def _capturing(self, position: Position, player: str, number: int) -> Clauses:
        """IH-66 to IH-68, IH-86, IH-38."""
        if number > len(position.pieces) or not position.pieces[number - 1].lying:
            return [("IH-67", False)]
        asked = self.status(position).capture_clauses(player, number - 1)
        return [(clause, bool(term)) for clause, term in asked.items()]

    def _calling(self, position: Position, call: Call) -> Clauses:
        """IH-51, IH-53: a gift if and only if nobody is found and the caller has something to give."""
        if self._found(position, call.player):
            return [("IH-51", call.gift is None)]
        pad = self._after_return(position, call.player)
        if call.gift is None:
            return [("IH-51", not pad)]
        return [("IH-53", bool(pad)), ("IH-51", call.gift.pyramid in pad and call.gift.to != call.player)]

    def _found(self, position: Position, caller: str) -> list[str]:
        status = self.status(position)
        return [k for k in self.params.colours if status.found(k, caller)]

    def _after_return(self, position: Position, k: str) -> Stack:
        """IH-48: the pad, with what was in the hand."""
        held = position.hand(k)
        return position.pad(k) if held is None else (*position.pad(k), held)

    def _crashing(self, position: Position, crash: Crash) -> Clauses:
        """IH-78, IH-79."""
        taking = self._taking(position, crash.player, crash.gift.pyramid)
        return [("IH-78", bool(position.pieces)), *taking, ("IH-79", crash.gift.to != crash.player)]
