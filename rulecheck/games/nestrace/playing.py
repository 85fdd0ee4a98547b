"""Nest race: what a player would call a good position at a glance."""

from __future__ import annotations

from typing import Any

from rulecheck.games.nestrace import Position


def estimate(engine: Any, position: Position, player: str) -> float:
    """How many rows nearer home the player's pyramids are than those of the best opponent; a covered one counts less.

    In partnership the two of a side count together.
    """
    nearness = {p: _nearness(engine, position, p) for p in engine.players}
    if engine.params.partners:
        sides = {"A": "AC", "C": "AC", "B": "BD", "D": "BD"}
        nearness = {p: sum(nearness[q] for q in sides[p]) for p in engine.players}
        return nearness[player] - next(nearness[p] for p in engine.players if p not in sides[player])
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
