"""Crosswalk: what a player would call a good position at a glance."""

from __future__ import annotations

from typing import Any

from rulecheck.games.crosswalk import OTHER, Position


def estimate(engine: Any, position: Position, player: str) -> float:
    """How many points fewer than the opponent the player's pyramids need to get home."""
    return _to_go(engine, position, OTHER[player]) - _to_go(engine, position, player)


def _to_go(engine: Any, position: Position, player: str) -> int:
    finish = engine.params.finish(player)
    own = [(place, p.pips) for place, stack in enumerate(position.stacks) for p in stack if p.colour == player]
    return sum(pips * abs(place - finish) for place, pips in own)
