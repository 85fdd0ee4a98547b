"""Icehouse as constraints: what each clause asks of an event, what is where after it, who wins.

Geometry is stated in `spec_geometry` and `spec_distances`, attacks, freezing, the icehouse, settling and the count in
`spec_status`: terms over a scene, which are plain truth values for a given position and z3's for an unknown one.
`spec_verdicts` says which of them an event must meet.

The movement of pieces is left as values: terms for every piece in every place, in any order, would be too many. An
effect is a list of transfers, and whatever they do not name stays where it was.

Glossary: k a player; a transfer is (pyramid, from, to), a place ("pad", k) or ("hand", k).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from rulecheck.games.icehouse.pieces import (
    Call,
    Capture,
    Crash,
    Event,
    Lift,
    Melt,
    Piece,
    Place,
    Position,
    Return,
    TimeUp,
)
from rulecheck.pyramids import Pyramid
from specs.icehouse.spec_terms import Truth
from specs.icehouse.spec_verdicts import Verdicts

Spot = tuple[str, str]  # "pad" or "hand", and whose; ("table", "") for the table
Transfer = tuple[Pyramid, Spot, Spot]
TABLE: Spot = ("table", "")


class Spec(Verdicts):
    # -- What an event changes --------------------------------------------------------------------------------

    def after(self, position: Position, event: Event) -> Position:
        """The position after a legal event, settled."""
        changed = self._with_pieces(position, event)
        changed = self._with_transfers(changed, position, list(self._transfers(position, event)))
        if isinstance(event, Call):
            status, caller = self.status(position), event.player
            changed = self._out(changed, lambda k: status.iced_by(k, caller), lambda k: status.lost_by(k, caller))
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
        position = self._marked(position, self.status(position).spoilt)
        position = self._marked(position, self.status(position).used_up)
        x = self.status(position)
        position = self._out(
            position, lambda k: x.stays_out(k, x.scene.iced(k)), lambda k: x.stays_out(k, x.scene.lost(k))
        )
        x = self.status(position)
        return self._out(position, x.scene.iced, x.falls)

    def _marked(self, position: Position, has_mark: Callable[[int], Truth]) -> Position:
        marks = [bool(has_mark(i)) for i in range(len(position.pieces))]
        pieces = zip(position.pieces, marks, strict=True)
        return replace(position, pieces=tuple(p if p.marked == mark else replace(p, marked=mark) for p, mark in pieces))

    def _out(self, position: Position, iced: Callable[[str], Truth], lost: Callable[[str], Truth]) -> Position:
        first, second = (tuple(k for k in self.params.colours if is_out(k)) for is_out in (iced, lost))
        return replace(position, iced=first, lost=second)

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
