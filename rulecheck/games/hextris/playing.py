"""Hextris: what a player would call a good position at a glance."""

from __future__ import annotations

from typing import Any

from rulecheck.games.hextris import Position


def estimate(engine: Any, position: Position, player: str) -> float:
    """Groups formed first, then neighbours of one colour, compared with the best of the others."""
    others = [c for c in engine.params.colours if c != player]
    return _worth(engine, position, player) - max(_worth(engine, position, c) for c in others)


def _worth(engine: Any, position: Position, player: str) -> float:
    own = [p for p in engine.params.points if position.owns(player, p)]
    links = sum(q in own for p in own for q in engine.neighbours[p]) / 2
    return float(100 * position.formed(player) + links + 0.5 * len(own))
