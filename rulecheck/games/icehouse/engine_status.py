"""Icehouse: how things stand in a position: who attacks whom, what is frozen, what may be captured, who scores.

Pieces are named by their number in `position.pieces`, counted from 0; in the notation they are counted from 1.
`a` is the number of a lying piece, `d` of a standing one.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from rulecheck.games.icehouse.engine_geometry import Meeting, Side, meeting, squared_distance, squared_gap
from rulecheck.games.icehouse.pieces import BASE, HEIGHT, Params, Piece, Position, Rectangle
from rulecheck.model import Readings

Pieces = tuple[Piece, ...]
PAD = -1  # stands for any pad where pieces have numbers


class Sight(NamedTuple):
    """What a line points at: a piece, a pad or nothing, and how far away it is; or a line that is pinched."""

    piece: int | None
    entry: Fraction = Fraction(0)
    pinched: bool = False


@functools.lru_cache(maxsize=20_000)
def meets(piece: Piece, thing: Piece | Rectangle) -> Meeting | None:
    """How the line of a lying piece meets a thing; nothing but these two matters, so it is remembered."""
    return meeting(piece.point, piece.direction, thing.corners)


@functools.lru_cache(maxsize=20_000)
def tip_distance(piece: Piece, thing: Piece) -> Fraction:
    """From the tip of a lying piece to the nearest point of a thing, squared; remembered likewise."""
    return squared_distance(piece.point, thing.corners)


@functools.lru_cache(maxsize=20_000)
def body_distance(piece: Piece, thing: Piece) -> Fraction:
    return squared_gap(piece.corners, thing.corners)


class Status:
    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings
        self._attacks = functools.lru_cache(maxsize=64)(self._look_at_all)

    # -- Pointing -----------------------------------------------------------------------------------------

    def sight(self, pieces: Pieces, piece: Piece, among: Iterable[int]) -> Sight:
        """IH-26: what the line of a lying piece points at if only these others are there."""
        met = [(n, meets(piece, pieces[n])) for n in among]
        if self.readings["pad_ray"] == "blocks":
            met += [(PAD, meets(piece, pad)) for pad in self.params.pads]
        return self.first([(n, m) for n, m in met if m is not None])

    def first(self, met: list[tuple[int, Meeting]]) -> Sight:
        """IH-26, IH-63, IH-64: the first thing on the line, if there is one and nothing pinches the line before."""
        closed = self.readings["graze"] == "closed"
        stopping = [(m.entry, n) for n, m in met if closed or m.side is Side.CROSSED]
        if not stopping:
            return Sight(None)
        entry, nearest = min(stopping)
        if self.readings["graze"] == "seam":
            touched = {m.side for _, m in met if m.entry <= entry}
            if {Side.LEFT, Side.RIGHT} <= touched:
                return Sight(None, pinched=True)
        alone = sum(e == entry for e, _ in stopping) == 1
        return Sight(nearest if alone and nearest != PAD else None, entry)

    def points_at(self, pieces: Pieces, a: int) -> Sight:
        """What a lying piece points at now."""
        return self.sight(pieces, pieces[a], (n for n in range(len(pieces)) if n != a))

    def first_aim(self, pieces: Pieces, a: int) -> int | None:
        """What it pointed at when it was placed: only what came before it was there."""
        return self.sight(pieces, pieces[a], range(a)).piece

    # -- Attacking ----------------------------------------------------------------------------------------

    def hostile(self, attacker: Piece, target: Piece) -> bool:
        """IH-17, IH-34: may the one attack the other?"""
        side = attacker.colour if self.readings["own"] == "colour" else attacker.placer
        return not target.lying and target.colour != side  # IH-18

    def in_range(self, attacker: Piece, target: Piece, entry: Fraction) -> bool:
        """IH-27, IH-28: by squares; `entry` is the way along the line."""
        reach = Fraction(HEIGHT[attacker.pips] ** 2)
        if self.readings["length"] == "slant":
            reach += Fraction(BASE[attacker.pips], 2) ** 2
        if self.readings["distance"] == "axis":
            distance = entry**2
        elif self.readings["distance"] == "tip":
            distance = tip_distance(attacker, target)
        else:
            distance = body_distance(attacker, target)
        return distance < reach or (self.readings["range"] == "inclusive" and distance == reach)

    def attacks(self, position: Position) -> tuple[int | None, ...]:
        """IH-25: for each piece the one it attacks, or None."""
        return self._attacks(position.pieces)

    def _look_at_all(self, pieces: Pieces) -> tuple[int | None, ...]:
        return tuple(self._target(pieces, n) if piece.lying else None for n, piece in enumerate(pieces))

    def _target(self, pieces: Pieces, a: int) -> int | None:
        if self.readings["revalidate"] == "no" and pieces[a].marked:  # IH-37: spoilt for good
            return None
        seen = self.points_at(pieces, a)
        if seen.piece is None or not self.hostile(pieces[a], pieces[seen.piece]):
            return None
        if not self.in_range(pieces[a], pieces[seen.piece], seen.entry):
            return None
        if self.readings["retarget"] == "no" and self.first_aim(pieces, a) != seen.piece:  # IH-31
            return None
        return seen.piece

    def attackers(self, position: Position, d: int) -> list[int]:
        """IH-22: all that attack a standing piece, whoever owns them."""
        return [a for a, target in enumerate(self.attacks(position)) if target == d]

    def total(self, position: Position, d: int) -> int:
        """IH-20, IH-21: what the attackers of a standing piece are worth together."""
        return sum(position.pieces[a].pips for a in self.attackers(position, d))

    def frozen(self, position: Position, d: int) -> bool:
        """IH-21, IH-23, IH-65."""
        return self.total(position, d) > position.pieces[d].pips

    def succeeds(self, position: Position, n: int) -> bool:
        """IH-29, IH-33: a defender that is not frozen; IH-21, IH-32, IH-37: an attacker of one that is."""
        if not position.pieces[n].lying:
            return not self.frozen(position, n)
        target = self.attacks(position)[n]
        return target is not None and self.frozen(position, target)

    # -- Over-icing ---------------------------------------------------------------------------------------

    def victim(self, position: Position, a: int) -> int | None:
        """IH-66, IH-67: the standing piece whose owner might capture this one."""
        target = self.attacks(position)[a]
        if target is None and self.readings["wasted_capture"] == "yes" and position.pieces[a].lying:
            target = self.first_aim(position.pieces, a)
            if target is not None and not self.hostile(position.pieces[a], position.pieces[target]):
                return None
        return target

    def stays_frozen(self, position: Position, d: int, without: int) -> bool:
        """IH-66, IH-68: would a frozen piece stay frozen if this attacker went?"""
        if self.readings["redundant"] == "recompute":
            pieces = position.pieces
            trial = replace(position, pieces=pieces[:without] + pieces[without + 1 :])
            return self.frozen(trial, d - (without < d))
        worth = position.pieces[without].pips if self.attacks(position)[without] == d else 0
        return self.total(position, d) - worth > position.pieces[d].pips

    def redundant(self, position: Position, d: int) -> list[int]:
        """IH-66: the attackers that a frozen piece could spare; it is over-iced if there are any."""
        if position.pieces[d].lying or not self.frozen(position, d):
            return []
        lying = (n for n, piece in enumerate(position.pieces) if piece.lying)
        mine = [a for a in lying if self.victim(position, a) == d]
        return [a for a in mine if self.stays_frozen(position, d, a)]

    def captor(self, defender: Piece) -> str:
        """IH-67, IH-86: whose piece is over-iced."""
        return defender.colour if self.readings["overice_owner"] == "colour" else defender.placer

    # -- The icehouse -------------------------------------------------------------------------------------

    def defenders(self, position: Position, player: str) -> list[int]:
        """IH-44, IH-75: the standing pieces that keep a player out of the icehouse while one of them is free."""
        by_colour = self.readings["defender_of"] == "colour"
        return [
            d
            for d, piece in enumerate(position.pieces)
            if not piece.lying and (piece.colour if by_colour else piece.placer) == player
        ]

    def defenceless(self, position: Position, player: str) -> bool:
        """IH-44, IH-46, IH-88: the first half of the condition."""
        mine = self.defenders(position, player)
        if self.readings["icehouse"] == "none_in_play":
            return not mine
        none_free = all(self.frozen(position, d) for d in mine)
        return none_free and (bool(mine) or self.readings["icehouse"] == "all_frozen")

    def in_icehouse(self, position: Position, player: str) -> bool:
        """IH-46, IH-77: no free defender, and fewer pieces on the pad than the limit, prisoners counted."""
        unplayed = len(position.pad(player))
        if self.readings["limit_when"] == "after_return" and position.hand(player) is not None:
            unplayed += 1  # IH-48: it is back on the pad when the players are examined
        return unplayed < self.params.limit and self.defenceless(position, player)

    def silenced(self, position: Position, player: str) -> bool:
        """IH-45, IH-60: does the player score nothing?"""
        if player not in position.iced + position.lost:
            return False
        return self.readings["cryo"] == "permanent" or self.defenceless(position, player)

    # -- The count ----------------------------------------------------------------------------------------

    def scores(self, position: Position) -> dict[str, int]:
        """IH-84, IH-91: what each player's pieces on the table earn, if the game were counted now."""
        points = dict.fromkeys(self.params.colours, 0)
        by_colour = self.readings["score_owner"] == "colour"
        for n, piece in enumerate(position.pieces):
            player = piece.colour if by_colour else piece.placer
            if self.succeeds(position, n) and not self.silenced(position, player):
                points[player] += piece.pips
        return points

    def leaders(self, position: Position) -> tuple[str, ...]:
        """IH-44, IH-95: who has most points of those who have not lost; several share the first place."""
        scores = {k: n for k, n in self.scores(position).items() if not self.silenced(position, k)}
        return tuple(player for player, points in scores.items() if points == max(scores.values()))

    def over(self, position: Position) -> bool:
        """IH-70, IH-83, IH-90: nothing is left to place, or the time is up."""
        return position.stopped or not (any(position.hands) or any(map(position.pad, self.params.colours)))
