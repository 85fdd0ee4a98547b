"""Icehouse as a careful umpire would run it: who may do what at any moment, and what comes of it.

The rules of single events are in `icehouse_rules`, how things stand (attacks, frozen pieces, scores) in
`icehouse_status`, the geometry in `icehouse_geometry`. Placements are a continuum: `judge` and `play` take any of
them, `moves` lists all other events.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulecheck.contract import EVERYBODY, Chance, End
from rulecheck.games.icehouse.engine_rules import Rules
from rulecheck.games.icehouse.pieces import (
    TIME,
    Call,
    Capture,
    Crash,
    Event,
    Gift,
    Lift,
    Melt,
    Place,
    Position,
    Return,
)
from rulecheck.model import LEGAL, InputError, Verdict, breaks
from rulecheck.pyramids import Stack


class Engine(Rules):
    # -- Setting up ---------------------------------------------------------------------------------------

    def start(self) -> Position:
        """IH-02, IH-07, IH-10: nothing on the table, all pieces on the pads. IH-12 is over: everybody is ready."""
        none: tuple[Stack, ...] = ((),) * self.params.players
        return Position((), (None,) * self.params.players, none, (), (), False, self.params)

    @property
    def players(self) -> tuple[str, ...]:
        return self.params.colours

    def actor(self, position: Position) -> str:
        """Nobody waits for a turn: the move says who makes it."""
        return EVERYBODY

    def chances(self, position: Position) -> tuple[Chance[Position], ...]:
        """Nothing is left to chance."""
        return ()

    def end(self, position: Position) -> End | None:
        if not self.over(position):
            return None
        return End(self.winners(position), tuple(self.scores(position).items()))

    def winners(self, position: Position) -> tuple[str, ...]:
        """IH-95: who has most points when the game is over."""
        leaders = self.leaders(position) if self.over(position) else ()
        if len(leaders) > 1 and self.readings["tie_for_first"] == "undecided":
            return ()
        return leaders

    # -- All events ---------------------------------------------------------------------------------------

    def judge(self, position: Position, event: Event) -> Verdict:
        if self.over(position):
            if position.stopped:
                return breaks("IH-83", "the time is up")
            return breaks("IH-70", "the game is over, everything has been placed")
        if isinstance(event, Place):
            return self.judge_placement(position, event.piece)
        if isinstance(event, Capture):
            return self.judge_capture(position, event)
        if isinstance(event, Call):
            return self.judge_call(position, event)
        if isinstance(event, Crash):
            return self.judge_crash(position, event)
        return self._judge_small(position, event)

    def _judge_small(self, position: Position, event: Event) -> Verdict:
        if isinstance(event, Lift):
            if position.hand(event.player) is not None:
                return breaks("IH-38", f"{event.player} has a piece in the hand")
            return self.judge_taking(position, event.player, event.pyramid)
        if isinstance(event, Return):
            return self._judge_return(position, event.player)
        if isinstance(event, Melt):
            if self.readings["meltdown"] != "on_call":
                return breaks("IH-42", "a meltdown is dealt with when the piece is placed")
            return LEGAL if self.at_fault(position, event.player) else breaks("IH-41", "no attacker came too early")
        return LEGAL

    def _judge_return(self, position: Position, player: str) -> Verdict:
        if position.hand(player) is None:
            return breaks("IH-38", f"{player} has no piece in the hand")
        if self.readings["put_back"] == "forbidden":
            return breaks("IH-39", f"{position.hand(player)} has to be placed once it has been taken up")
        return LEGAL

    def play(self, position: Position, event: Event) -> Position:
        """The position after an allowed event; any other is refused."""
        verdict = self.judge(position, event)
        if not verdict.legal:
            raise InputError(f"the event {event} is {verdict}")
        return self.settled(self._result(position, event))

    def _result(self, position: Position, event: Event) -> Position:
        if isinstance(event, Place):
            return self.placed(position, event.piece)
        if isinstance(event, Capture):
            return self.captured(position, event)
        if isinstance(event, Call):
            return self.called(position, event)
        if isinstance(event, Crash):
            return self.passed_on(position, event.player, event.gift)
        if isinstance(event, Lift):
            return self.taken(position, event.player, event.pyramid).with_hand(event.player, event.pyramid)
        if isinstance(event, Return):
            return self._hand_back(position, event.player)
        if isinstance(event, Melt):
            return self.melted(position, event.player)
        return replace(self.hands_back(position), stopped=True)  # IH-83

    # -- What follows by itself ---------------------------------------------------------------------------

    def settled(self, position: Position) -> Position:
        """After each event: attacks spoilt for good, captures used up, players thawed or lost."""
        if self.readings["revalidate"] == "no":
            position = self._spoilt(position)
        if self.readings["capture_chain"] == "one":
            position = self._unmarked(position)
        if self.readings["cryo"] == "revocable":
            free = {p for p in self.params.colours if not self.defenceless(position, p)}
            iced, lost = (tuple(p for p in marked if p not in free) for marked in (position.iced, position.lost))
            position = replace(position, iced=iced, lost=lost)
        if self.readings["trigger"] == "automatic":
            new = [p for p in self.params.colours if p not in position.iced and self.in_icehouse(position, p)]
            lost = tuple(p for p in self.params.colours if p in position.lost or p in new)
            position = replace(position, lost=lost)
        return position

    def _spoilt(self, position: Position) -> Position:
        """IH-37: an attacker that attacks nothing is marked."""
        pairs = zip(position.pieces, self.attacks(position), strict=True)
        marked = (replace(p, marked=True) if p.lying and target is None else p for p, target in pairs)
        return replace(position, pieces=tuple(marked))

    def _unmarked(self, position: Position) -> Position:
        """IH-67: a defender that is no longer over-iced may be captured from the next time."""
        still = {d for d, p in enumerate(position.pieces) if p.marked and not p.lying and self.redundant(position, d)}
        pieces = (
            p if p.lying or d in still or not p.marked else replace(p, marked=False)
            for d, p in enumerate(position.pieces)
        )
        return replace(position, pieces=tuple(pieces))

    # -- Listing ------------------------------------------------------------------------------------------

    def moves(self, position: Position) -> dict[Event, Position]:
        """All allowed events but placements, one for each result."""
        events: dict[Position, Event] = {}
        for event in self._candidates(position):
            if self.judge(position, event).legal:
                events.setdefault(self.settled(self._result(position, event)), event)
        return {event: result for result, event in events.items()}

    def _candidates(self, position: Position) -> Iterator[Event]:
        players, called = self.params.colours, self.hands_back(position)
        for player in players:
            yield from (Lift(player, pyramid) for pyramid in dict.fromkeys(position.pad(player)))
        yield from map(Return, players)
        yield from self.captures(position)
        for player in players:
            yield Call(player)
            yield from (Call(player, gift) for gift in self._gifts(player, called.pad(player)))
        for player in players:
            held = position.hand(player)
            yield from (Crash(player, gift) for gift in self._gifts(player, (held,) if held else position.pad(player)))
        yield from map(Melt, players)
        yield TIME

    def _gifts(self, player: str, pyramids: Stack) -> Iterator[Gift]:
        others = [other for other in self.params.colours if other != player]
        return (Gift(pyramid, other) for pyramid in dict.fromkeys(pyramids) for other in others)

    def captures(self, position: Position) -> list[Capture]:
        """IH-67..69: every capture that is allowed now."""
        numbers = [n for n, piece in enumerate(position.pieces, start=1) if piece.lying]
        every = (Capture(player, n) for n in numbers for player in self.params.colours)
        return [capture for capture in every if self.judge(position, capture).legal]

    def capture_chains(self, position: Position, player: str) -> list[tuple[str, ...]]:
        """Every way in which a player can go on capturing until nothing is left to take: the pieces, in order."""
        mine = [capture for capture in self.captures(position) if capture.player == player]
        return [
            (str(position.pieces[capture.number - 1]), *rest)
            for capture in mine
            for rest in self.capture_chains(self.play(position, capture), player)
        ] or [()]
