"""Crosswalk: a player's first estimate of a position."""

from __future__ import annotations

from typing import Any

from rulecheck.games.crosswalk import OTHER, Position


def estimate(engine: Any, position: Position, player: str) -> float:
    """The points by which the player's pyramids are nearer home than the opponent's."""
    return _to_go(engine, position, OTHER[player]) - _to_go(engine, position, player)


def _to_go(engine: Any, position: Position, player: str) -> int:
    finish = engine.params.finish(player)
    own = [(place, p.pips) for place, stack in enumerate(position.stacks) for p in stack if p.colour == player]
    return sum(pips * abs(place - finish) for place, pips in own)
