"""Icehouse as constraints: what each clause asks of an event, and what is where after it.

Geometry is stated in `spec_geometry`, attacks, freezing, the icehouse and the count in
`spec_status`. Here a clause is a truth value, under its id; an event is legal if all that it meets are true.
An effect is a list of transfers: which pyramid goes to which place, the table, a hand or a pad.

Glossary: k a player; x the scene before an event; a transfer is (pyramid, from, to), a place ("pad", k) or ("hand", k).
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Sequence
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
from specs.icehouse.spec_status import Scene, Status
from specs.icehouse.spec_terms import Truth, every, no, some

Spot = tuple[str, str]  # "pad" or "hand", and whose; ("table", "") for the table
Transfer = tuple[Pyramid, Spot, Spot]
Clauses = list[tuple[str, bool]]  # a clause, and whether what it asks is so; a clause may ask several things
TABLE: Spot = ("table", "")


class Spec:
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
        found = [*self._taking(position, piece.placer, piece.pyramid), *fits]
        if piece.lying:
            found.append(("IH-41", self.readings["meltdown"] != "reject" or not self._comes_early(position, piece)))
            if all(kept for _, kept in fits):
                found += self._aiming(position, piece)
        return found

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

    # -- What an event changes --------------------------------------------------------------------------------

    def after(self, position: Position, event: Event) -> Position:
        """The position after a legal event, settled."""
        changed = self._with_pieces(position, event)
        changed = self._with_transfers(changed, position, list(self._transfers(position, event)))
        if isinstance(event, Call):
            found = self._found(position, event.player)
            iced = self._in_order([*position.iced, *found])
            changed = replace(changed, iced=iced, lost=tuple(k for k in position.lost if k not in found))
        return self._settled(replace(changed, stopped=position.stopped or isinstance(event, TimeUp)))

    def _with_pieces(self, position: Position, event: Event) -> Position:
        """What lies on the table."""
        there, leaving = position.pieces, set(self._leaving(position, event))
        if isinstance(event, Place):
            there = (*there, event.piece)
        if isinstance(event, Capture) and self.readings["capture_chain"] == "one":
            a, status = event.number - 1, self.status(position)
            there = tuple(replace(p, marked=True) if status.victim(a, d) else p for d, p in enumerate(there))
        return replace(position, pieces=tuple(p for i, p in enumerate(there) if i not in leaving))

    def _leaving(self, position: Position, event: Event) -> list[int]:
        """IH-42, IH-67: the numbers of the pieces that leave the table, a new one included."""
        match event:
            case Capture(_, number):
                return [number - 1]
            case Melt(player):
                return self._melting(position, player)
            case Place(piece) if piece.lying and self.readings["meltdown"] == "automatic":
                new, after = len(position.pieces), replace(position, pieces=(*position.pieces, piece))
                early = [k for k in self.params.colours if self.status(after).early(new, k)]
                return [a for k in early for a in self._melting(after, k)]
        return []

    def _melting(self, position: Position, k: str) -> list[int]:
        return [a for a in range(len(position.pieces)) if self.status(position).goes_back(a, k)]

    def _transfers(self, position: Position, event: Event) -> Iterable[Transfer]:
        """Which pyramids go from where to where."""
        match event:
            case Lift(player, pyramid):
                yield pyramid, ("pad", player), ("hand", player)
            case Return(player):
                yield from self._returns(position, [player])
            case TimeUp():
                yield from self._returns(position, self.params.colours)
            case Place(piece):
                yield piece.pyramid, self._source(position, piece.placer), TABLE
                after = (*position.pieces, piece)
                yield from self._melted(after, self._leaving(position, event))
            case Capture(player, number):
                yield position.pieces[number - 1].pyramid, TABLE, ("pad", player)
            case Melt():
                yield from self._melted(position.pieces, self._leaving(position, event))
            case Crash(player, gift):
                yield gift.pyramid, self._source(position, player), ("pad", gift.to)
            case Call():
                yield from self._settlement(position, event)

    def _melted(self, there: Sequence[Piece], gone: Iterable[int]) -> Iterable[Transfer]:
        """IH-42, reading meltdown_pad."""
        home = self.readings["meltdown_pad"] == "colour"
        return [(p.pyramid, TABLE, ("pad", p.colour if home else p.placer)) for p in (there[i] for i in gone)]

    def _source(self, position: Position, k: str) -> Spot:
        return ("pad" if position.hand(k) is None else "hand"), k

    def _returns(self, position: Position, players: Iterable[str]) -> Iterable[Transfer]:
        held = ((k, position.hand(k)) for k in players)
        return [(pyramid, ("hand", k), ("pad", k)) for k, pyramid in held if pyramid is not None]

    def _settlement(self, position: Position, call: Call) -> Iterable[Transfer]:
        """IH-48, IH-51, IH-54, IH-58: hands go back; then those found pay, or the caller does."""
        yield from self._returns(position, self.params.colours)
        for k in self._found(position, call.player):
            if k != call.player:
                yield from ((p, ("pad", k), ("pad", call.player)) for p in self._after_return(position, k))
        if call.gift is not None:
            yield call.gift.pyramid, ("pad", call.player), ("pad", call.gift.to)

    def _with_transfers(self, changed: Position, before: Position, transfers: list[Transfer]) -> Position:
        """Everything is where it was, and where the transfers have brought it."""
        where = Counter((("pad", k), p) for k in self.params.colours for p in before.pad(k))
        where += Counter((("hand", k), p) for k in self.params.colours if (p := before.hand(k)))
        where.update((to, p) for p, _, to in transfers)
        where.subtract((start, p) for p, start, _ in transfers)
        for k in self.params.colours:
            on = {kind: sorted(p for (spot, p) in where.elements() if spot == (kind, k)) for kind in ("pad", "hand")}
            changed = changed.with_pad(k, on["pad"]).with_hand(k, on["hand"][0] if on["hand"] else None)
        return changed

    # -- Settling ---------------------------------------------------------------------------------------------

    def _settled(self, position: Position) -> Position:
        """Readings revalidate, capture_chain, cryo and trigger, in this order."""
        if self.readings["revalidate"] == "no":
            spoilt = [p.lying and bool(self.status(position).attacks_nothing(i)) for i, p in self._numbered(position)]
            position = self._marked(position, [p.marked or spoilt[i] for i, p in self._numbered(position)])
        if self.readings["capture_chain"] == "one":
            still = [p.lying or bool(self.status(position).over_iced(i)) for i, p in self._numbered(position)]
            position = self._marked(position, [p.marked and still[i] for i, p in self._numbered(position)])
        if self.readings["cryo"] == "revocable":
            beaten = {k for k in self.params.colours if self.status(position).defenceless(k)}
            iced, lost = (tuple(k for k in out if k in beaten) for out in (position.iced, position.lost))
            position = replace(position, iced=iced, lost=lost)
        if self.readings["trigger"] == "automatic":
            position = replace(position, lost=self._losing(position))
        return position

    def _numbered(self, position: Position) -> Iterable[tuple[int, Piece]]:
        return enumerate(position.pieces)

    def _marked(self, position: Position, marks: list[bool]) -> Position:
        pieces = zip(position.pieces, marks, strict=True)
        return replace(position, pieces=tuple(replace(p, marked=mark) for p, mark in pieces))

    def _losing(self, position: Position) -> tuple[str, ...]:
        fallen = set(filter(self.status(position).in_icehouse, self.params.colours)).difference(position.iced)
        return self._in_order([*position.lost, *fallen])

    def _in_order(self, players: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(set(players), key=self.params.colours.index))

    # -- The count --------------------------------------------------------------------------------------------

    def scores(self, position: Position) -> dict[str, int]:
        status = self.status(position)
        return {k: int(status.score(k)) for k in self.params.colours}

    def leaders(self, position: Position) -> tuple[str, ...]:
        """IH-44, IH-95: those with most points who have not lost."""
        return tuple(k for k in self.params.colours if self.status(position).leads(k))

    def winners(self, position: Position) -> tuple[str, ...]:
        """IH-95: nobody before the end."""
        return tuple(k for k in self.params.colours if self.over(position) and self.status(position).wins(k))
