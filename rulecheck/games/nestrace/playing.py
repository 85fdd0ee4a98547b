"""Nest race: what a player would call a good position at a glance."""

from __future__ import annotations

from typing import Any

from rulecheck.games.nestrace import Position


def estimate(engine: Any, position: Position, player: str) -> float:
    """How many rows nearer home the player's pyramids are than those of the best opponent; a covered one counts less.

    Partners count together.
    """
    nearness = {p: _nearness(engine, position, p) for p in engine.players}
    if engine.params.partners:
        sums = {side: sum(nearness[p] for p in side) for side in engine.sides}
        own = sums.pop(next(side for side in engine.sides if player in side))
        return own - max(sums.values())
    return nearness[player] - max(nearness[p] for p in engine.players if p != player)


def _nearness(engine: Any, position: Position, player: str) -> float:
    rows, finish = engine.rows[player], engine.finishes[player]
    total = 0.0
    for square, stack in enumerate(position.stacks):
        for level, pyramid in enumerate(stack):
            if pyramid.colour == player:
                held = square not in finish and any(q.colour != player for q in stack[level + 1 :])
                total += rows[square] - 0.5 * held
    return total
