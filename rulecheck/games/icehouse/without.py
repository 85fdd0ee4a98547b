"""Icehouse: the engine without a clause, one at a time, to see where that clause decides.

What a clause adds is what goes wrong without it. Each of these engines leaves out one clause and keeps all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.pieces import Call, Capture, Event, Place, Position
from rulecheck.model import Verdict, breaks

Method = Callable[..., Any]


def without(engine: Engine, clause: str) -> Engine:
    """The same engine with the methods of this clause replaced."""
    made: Engine = type("Without", (Engine,), METHODS[clause])(engine.params, engine.readings)
    return made


def _one_owner(self: Engine, position: Position, d: int) -> int:
    """IH-22: the best that one colour does alone."""
    worth: Counter[str] = Counter()
    for a in self.attackers(position, d):
        worth[position.pieces[a].colour] += position.pieces[a].pips
    return max(worth.values(), default=0)


def _only_the_attacked(self: Engine, position: Position, n: int) -> bool:
    """IH-29: a defender nobody attacks has not succeeded in anything."""
    tried = position.pieces[n].lying or bool(self.attackers(position, n))
    return tried and Engine.succeeds(self, position, n)


def _frozen_pay(self: Engine, position: Position, n: int) -> bool:
    """IH-33: a frozen defender is as good as a free one."""
    return not position.pieces[n].lying or Engine.succeeds(self, position, n)


def _once_aimed(self: Engine, pieces: Any, a: int) -> int | None:
    """IH-31, IH-37: what was attacked first is attacked for good."""
    return self.first_aim(pieces, a)


def _without_limit(self: Engine, position: Position, player: str) -> bool:
    return self.defenceless(position, player)


def _own_pieces_only(self: Engine, position: Position, player: str) -> bool:
    """IH-77: prisoners do not count for the limit."""
    held = position.hand(player) if self.readings["limit_when"] == "after_return" else None
    own = sum(pyramid is not None and pyramid.colour == player for pyramid in (*position.pad(player), held))
    return own < self.params.limit and self.defenceless(position, player)


def _kept_stash(self: Engine, position: Position, call: Call) -> Position:
    """IH-54: who is found keeps the pad."""
    after = Engine.called(self, position, call)
    return after if call.gift is not None else replace(self.hands_back(position), iced=after.iced, lost=after.lost)


def _payer(self: Engine, position: Position, call: Call) -> Position:
    """IH-58: who is iced by the own call hands the pad to the next player."""
    after = Engine.called(self, position, call)
    if call.gift is not None or call.player not in self.found(position, call.player):
        return after
    players = self.params.colours
    nearest = players[(players.index(call.player) + 1) % len(players)]
    return self.given(after.with_pad(call.player, ()), nearest, *after.pad(call.player))


def _unpaid_attacks(self: Engine, position: Position, n: int) -> bool:
    """IH-60: attacks on pieces of an iced player earn nothing."""
    target = self.attacks(position)[n] if position.pieces[n].lying else None
    gone = target is not None and self.silenced(position, position.pieces[target].colour)
    return not gone and Engine.succeeds(self, position, n)


def _pads_count(self: Engine, position: Position) -> dict[str, int]:
    """IH-84: what is left on the pads counts too."""
    scores = Engine.scores(self, position)
    return {k: points + sum(p.pips for p in position.pad(k) if p.colour == k) for k, points in scores.items()}


def _defence_only(self: Engine, position: Position, n: int) -> bool:
    """IH-91: attackers earn nothing."""
    return not position.pieces[n].lying and Engine.succeeds(self, position, n)


def _not_for_the_iced(self: Engine, position: Position, event: Event) -> Verdict:
    """IH-55: who has been iced is out of the game."""
    if isinstance(event, Place | Call | Capture):
        player = event.piece.placer if isinstance(event, Place) else event.player
        if player in position.iced:
            return breaks("IH-45", f"{player} is iced")
    return Engine.judge(self, position, event)


def _no_calls(self: Engine, position: Position, event: Event) -> Verdict:
    """IH-47."""
    if isinstance(event, Call):
        return breaks("IH-19", "nobody may call")
    return Engine.judge(self, position, event)


def _never_free(self: Engine, position: Position, call: Call) -> Verdict:
    """IH-53: who has nothing to give may not be wrong."""
    poor = not self.hands_back(position).pad(call.player) and not self.found(position, call.player)
    return breaks("IH-51", "there is nothing to give away") if poor else Engine.judge_call(self, position, call)


def _held_back(self: Engine, position: Position, caller: str) -> list[str]:
    """IH-57: the caller is not examined."""
    return [player for player in Engine.found(self, position, caller) if player != caller]


METHODS: dict[str, dict[str, Method]] = {
    "IH-21": {"frozen": lambda *_: False},
    "IH-22": {"total": _one_owner},
    "IH-29": {"succeeds": _only_the_attacked},
    "IH-31": {"_target": _once_aimed},
    "IH-33": {"succeeds": _frozen_pay},
    "IH-37": {"_target": _once_aimed},
    "IH-41": {"early": lambda *_: False},
    "IH-42": {"melted": lambda self, position, side: position},
    "IH-44": {"defenceless": lambda *_: False},
    "IH-45": {"silenced": lambda *_: False},
    "IH-46": {"in_icehouse": _without_limit},
    "IH-47": {"judge": _no_calls},
    "IH-48": {"hands_back": lambda self, position: position},
    "IH-53": {"judge_call": _never_free},
    "IH-54": {"called": _kept_stash},
    "IH-55": {"judge": _not_for_the_iced},
    "IH-57": {"found": _held_back},
    "IH-58": {"called": _payer},
    "IH-60": {"succeeds": _unpaid_attacks},
    "IH-67": {"judge_capture": lambda *_: breaks("IH-19", "nothing is taken away")},
    "IH-77": {"in_icehouse": _own_pieces_only},
    "IH-84": {"scores": _pads_count},
    "IH-91": {"succeeds": _defence_only},
    "IH-95": {"leaders": lambda *_: ()},
}
