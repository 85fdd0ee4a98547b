"""Ice Palace: what a player would call a good position at a glance."""

from __future__ import annotations

from typing import Any

from rulecheck.games.icepalace import BLACK, WHITE, Params, Position
from rulecheck.playouts import Record
from rulecheck.pyramids import SMALL


def estimate(engine: Any, position: Position, player: str) -> float:
    """Points ahead of the best of the others, and small change: to have placed last, what could be built with, and
    pyramids held that can be placed."""
    points = engine.score(position.palace)
    lead: float = points[player] - max(p for c, p in points.items() if c != player)
    held = position.hands[engine.params.letters.index(player)]
    return lead + 0.3 * _prospect(engine, position, player) + 0.02 * sum(q.colour in (player, WHITE) for q in held)


def _prospect(engine: Any, position: Position, player: str) -> float:
    """What the player may hope for from this round: own smalls, and the building itself if the last to place."""
    if position.left:
        smalls = sum(q.pips == SMALL for q in position.left if q.colour == player)
        return smalls + (len(position.left) if position.mover == player else 0)
    if not position.worksite:
        return 0
    last = engine.seat(position.mover, -position.passes - 1)
    worth = sum(q.colour not in (BLACK, WHITE) for q in position.worksite.pyramids)
    return worth if last == player else 0


def counts(params: Params, record: Record) -> dict[str, int]:
    """How many rounds a game had, how many pyramids were placed, and how many stand in the palace."""
    first, last = record.plies[0].position, record.plies[-1].result
    openings = sum(
        ply.move is not None and not ply.position.worksite and bool(ply.result.worksite) for ply in record.plies
    )
    held = [sum(map(len, position.hands)) + sum(map(sum, position.bag)) for position in (first, last)]
    return {"rounds": openings, "pyramids placed": held[0] - held[1], "in the palace": len(last.palace.pyramids)}
