"""Icehouse rule by rule: who may place, capture, call or crash, and what comes of it.

Each check stands under the clause it enforces; `judge_...` answers whether something is allowed, the functions named
like `placed` or `captured` say what the table is like after it.
"""

from __future__ import annotations

import functools
from dataclasses import replace

from rulecheck.games.icehouse.engine_geometry import Contact, contact
from rulecheck.games.icehouse.engine_status import Status
from rulecheck.games.icehouse.pieces import Call, Capture, Crash, Gift, Piece, Position, Rectangle
from rulecheck.model import LEGAL, Verdict, breaks
from rulecheck.pyramids import Pyramid


@functools.lru_cache(maxsize=20_000)
def lies(piece: Piece, thing: Piece | Rectangle) -> Contact:
    """How a piece lies to a thing; nothing but these two matters, so it is remembered."""
    return contact(piece.corners, thing.corners)


class Rules(Status):
    # -- Taking a piece, putting it on a pad --------------------------------------------------------------

    def judge_taking(self, position: Position, player: str, pyramid: Pyramid) -> Verdict:
        """IH-10, IH-38: a piece to be placed is the one in the hand, or with an empty hand one from the pad."""
        held = position.hand(player)
        if held is not None and held != pyramid:
            return breaks("IH-38", f"{player} has another piece, {held}, in the hand")
        if held is None and pyramid not in position.pad(player):
            return breaks("IH-10", f"{pyramid} is not on the pad of {player}")
        return LEGAL

    def taken(self, position: Position, player: str, pyramid: Pyramid) -> Position:
        """The piece has left the hand or the pad, and is on its way elsewhere."""
        if position.hand(player) == pyramid:
            return position.with_hand(player, None)
        pad = list(position.pad(player))
        pad.remove(pyramid)
        return position.with_pad(player, pad)

    def given(self, position: Position, player: str, *pyramids: Pyramid) -> Position:
        """IH-52, IH-75: on another player's pad a piece is a prisoner, on that of its colour it is at home."""
        return position.with_more(player, pyramids)

    def hands_back(self, position: Position) -> Position:
        """IH-48, IH-49, IH-83: pieces that are being placed go back to the pads."""
        for player in self.params.colours:
            position = self._hand_back(position, player)
        return position

    def _hand_back(self, position: Position, player: str) -> Position:
        held = position.hand(player)
        return position if held is None else self.given(position.with_hand(player, None), player, held)

    # -- Where a piece may lie ----------------------------------------------------------------------------

    def judge_place(self, position: Position, piece: Piece) -> Verdict:
        """IH-16: anywhere on the surface, where nothing else lies."""
        if not self.on_table(piece):
            return breaks("IH-16", "the piece is not on the table")
        if self.readings["on_pad"] == "forbidden" and any(
            lies(piece, pad) is Contact.OVERLAPPING for pad in self.params.pads
        ):
            return breaks("IH-04", "a pad is no part of the playing surface")
        return self._judge_contact(position, piece)

    def _judge_contact(self, position: Position, piece: Piece) -> Verdict:
        """IH-19: what lies there stays there; IH-78: by one reading not even to be touched."""
        near = {Contact.OVERLAPPING: "", Contact.TOUCHING: ""}
        for n, other in enumerate(position.pieces, start=1):
            relation = lies(piece, other)
            if relation in near:
                near[relation] = f"piece {n}, {other}"
        if near[Contact.OVERLAPPING]:
            return breaks("IH-19", f"it would overlap {near[Contact.OVERLAPPING]}, which may not be moved")
        if near[Contact.TOUCHING] and self.readings["touching"] == "forbidden":
            return breaks("IH-78", f"it would touch {near[Contact.TOUCHING]}")
        return LEGAL

    def on_table(self, piece: Piece) -> bool:
        """IH-05, IH-06, IH-62: without limits the surface is everywhere."""
        table = self.params.table
        if table is None:
            return True
        if self.readings["edge"] == "overhang":
            return table.holds(piece.centroid)
        return all(map(table.holds, piece.corners))

    # -- What an attacker may point at --------------------------------------------------------------------

    def judge_aim(self, position: Position, piece: Piece) -> Verdict:
        """IH-34, IH-35, IH-85: a lying piece has to attack when it is placed."""
        seen = self.sight(position.pieces, piece, range(len(position.pieces)))
        if seen.pinched:
            return breaks("IH-64", "the line is pinched between things on either side")
        if seen.piece is None:
            return breaks("IH-35", "it points at nothing")
        target = position.pieces[seen.piece]
        if target.lying:
            return breaks("IH-18", f"it points at an attacker, {target}")
        if not self.hostile(piece, target):
            return breaks("IH-17", f"it points at {target}, which is no opponent's")
        if self.readings["far"] == "illegal" and not self.in_range(piece, target, seen.entry):
            return breaks("IH-27", f"{target} is out of range")
        return LEGAL

    # -- Meltdown -----------------------------------------------------------------------------------------

    def side(self, piece: Piece) -> str:
        """IH-41, IH-89: whose first two pieces are counted."""
        return piece.colour if self.readings["first_two"] == "colour" else piece.placer

    def standing(self, pieces: tuple[Piece, ...], side: str) -> int:
        return sum(not piece.lying and self.side(piece) == side for piece in pieces)

    def early(self, pieces: tuple[Piece, ...], a: int) -> bool:
        """IH-41: was this attacker played before two defenders?"""
        return pieces[a].lying and self.standing(pieces[:a], self.side(pieces[a])) < 2

    def at_fault(self, position: Position, side: str) -> bool:
        """IH-42: is there a meltdown to be noticed?"""
        pieces = position.pieces
        if self.readings["meltdown_cure"] == "yes" and self.standing(pieces, side) >= 2:
            return False
        return any(self.side(piece) == side and self.early(pieces, n) for n, piece in enumerate(pieces))

    def melted(self, position: Position, side: str) -> Position:
        """IH-42: all attackers of that side go back to the pads."""
        back = [piece for piece in position.pieces if piece.lying and self.side(piece) == side]
        position = replace(position, pieces=tuple(piece for piece in position.pieces if piece not in back))
        for piece in back:
            home = piece.colour if self.readings["meltdown_pad"] == "colour" else piece.placer
            position = self.given(position, home, piece.pyramid)
        return position

    # -- Placing ------------------------------------------------------------------------------------------

    def judge_placement(self, position: Position, piece: Piece) -> Verdict:
        verdict = self.judge_taking(position, piece.placer, piece.pyramid)
        if verdict.legal:
            verdict = self.judge_place(position, piece)
        if verdict.legal and piece.lying:
            verdict = self.judge_aim(position, piece)
            if verdict.legal and self.readings["meltdown"] == "reject" and self._comes_early(position, piece):
                return breaks("IH-41", "the first two pieces have to be defenders")
        return verdict

    def _comes_early(self, position: Position, piece: Piece) -> bool:
        return self.early((*position.pieces, piece), len(position.pieces))

    def placed(self, position: Position, piece: Piece) -> Position:
        """IH-10, IH-49; IH-41, IH-42 if the umpire sees to it at once."""
        early = self._comes_early(position, piece)
        position = self.taken(position, piece.placer, piece.pyramid)
        position = replace(position, pieces=(*position.pieces, piece))
        return (
            self.melted(position, self.side(piece)) if early and self.readings["meltdown"] == "automatic" else position
        )

    # -- Capturing ----------------------------------------------------------------------------------------

    def judge_capture(self, position: Position, capture: Capture) -> Verdict:
        """IH-66..69, IH-86."""
        a = capture.number - 1
        if not 0 <= a < len(position.pieces) or not position.pieces[a].lying:
            return breaks("IH-67", "only attackers on the table are captured")
        d = self.victim(position, a)
        if d is None or not self.frozen(position, d):
            return breaks("IH-66", "it is no attacker of a frozen piece")
        if not self.stays_frozen(position, d, a):
            return breaks("IH-68", f"without it {position.pieces[d]} would not be frozen")
        if self.captor(position.pieces[d]) != capture.player:
            return breaks("IH-86", f"{position.pieces[d]} is not a piece of {capture.player}")
        if self.readings["capture_hand"] == "empty" and position.hand(capture.player) is not None:
            return breaks("IH-38", f"{capture.player} has a piece in the hand")
        if self.readings["capture_chain"] == "one" and position.pieces[d].marked:
            return breaks("IH-67", "one attacker has been captured already")
        return LEGAL

    def captured(self, position: Position, capture: Capture) -> Position:
        """IH-67: the attacker goes to the captor's pad."""
        pieces, a = list(position.pieces), capture.number - 1
        d = self.victim(position, a)
        assert d is not None
        if self.readings["capture_chain"] == "one":
            pieces[d] = replace(pieces[d], marked=True)
        prisoner = pieces.pop(a).pyramid
        return self.given(replace(position, pieces=tuple(pieces)), capture.player, prisoner)

    # -- Calling ------------------------------------------------------------------------------------------

    def found(self, position: Position, caller: str) -> list[str]:
        """IH-50, IH-57: the players whom a call finds in the icehouse."""
        inside = [player for player in self.params.colours if self.in_icehouse(position, player)]
        if self.readings["recall"] == "new_only":
            inside = [player for player in inside if player not in position.iced]
        return [caller] if self.readings["self_call"] == "self_only" and caller in inside else inside

    def judge_call(self, position: Position, call: Call) -> Verdict:
        """IH-47, IH-51, IH-53: anybody may call; what may be wrong is the penalty."""
        inside, pad = self.found(position, call.player), self.hands_back(position).pad(call.player)
        if call.gift is None:
            owes = pad and not inside
            return breaks("IH-51", "nobody is in the icehouse, so the caller gives a piece away") if owes else LEGAL
        if inside:
            return breaks("IH-51", f"{' and '.join(inside)} is in the icehouse, so there is no penalty")
        if not pad:
            return breaks("IH-53", "the caller has nothing to give")
        if call.gift.pyramid not in pad:
            return breaks("IH-51", f"{call.gift.pyramid} is not on the caller's pad")
        return breaks("IH-51", "the piece goes to another player") if call.gift.to == call.player else LEGAL

    def called(self, position: Position, call: Call) -> Position:
        inside = self.found(position, call.player)
        position = self.hands_back(position)  # IH-48
        if call.gift is not None:
            return self.passed_on(position, call.player, call.gift)
        for player in inside:
            if player != call.player:  # IH-58: who is iced by the own call keeps everything
                pad = position.pad(player)  # IH-54
                position = self.given(position.with_pad(player, ()), call.player, *pad)
        iced = tuple(p for p in self.params.colours if p in position.iced or p in inside)
        return replace(position, iced=iced, lost=tuple(p for p in position.lost if p not in inside))

    def passed_on(self, position: Position, player: str, gift: Gift) -> Position:
        """IH-51, IH-79: a piece of one player goes to the pad of another."""
        return self.given(self.taken(position, player, gift.pyramid), gift.to, gift.pyramid)

    # -- Crashing -----------------------------------------------------------------------------------------

    def judge_crash(self, position: Position, crash: Crash) -> Verdict:
        """IH-78, IH-79; by IH-80 everything else is as before."""
        if not position.pieces:
            return breaks("IH-78", "nothing lies on the table that could be moved")
        verdict = self.judge_taking(position, crash.player, crash.gift.pyramid)
        if verdict.legal and crash.gift.to == crash.player:
            return breaks("IH-79", "the piece goes to an opponent")
        return verdict
