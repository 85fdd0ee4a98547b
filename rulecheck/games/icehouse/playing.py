"""Icehouse: what a player could do at a moment, drawn from a seed because placements cannot be listed, and how good
it looks.
"""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.pieces import TIME, Call, Capture, Event, Place, Position, TimeUp
from rulecheck.games.icehouse.sampling import proposals

TRIES, ENOUGH = 80, 3  # placements drawn for a moment, and how many of those that are allowed are offered
ODD = 0.04  # how often somebody lifts a piece, calls in vain or crashes


def offered(engine: Engine, position: Position, rng: random.Random) -> dict[Event, Position]:
    """What the player who is quickest this time may think of: placements, captures, right calls; seldom something else.

    The time is up only when no room is found any more, so that games are played to their end.
    """
    if engine.over(position):
        return {}
    if rng.random() < ODD:
        others = {e: after for e, after in engine.moves(position).items() if not isinstance(e, TimeUp)}
        event = rng.choice(list(others))
        return {event: others[event]}
    thought = _thought_of(engine, position, rng) or [TIME]
    return {event: engine.play(position, event) for event in thought}


def _thought_of(engine: Engine, position: Position, rng: random.Random) -> list[Event]:
    drawn = list(islice(proposals(rng, position), TRIES))
    allowed = (event for event in drawn if engine.judge(position, event).legal)
    first = next(allowed, None)
    others: list[Capture | Call] = [*engine.captures(position)]
    others += [Call(player) for player in engine.params.colours if engine.found(position, player)]
    if first is None:
        return [*others]
    player = first.piece.placer
    mine = islice((event for event in allowed if event.piece.placer == player), ENOUGH - 1)
    return [first, *mine, *(event for event in others if event.player == player)]


def actor(position: Position, event: Event) -> str:
    """Who does it."""
    if isinstance(event, TimeUp):
        return position.mover
    return event.piece.placer if isinstance(event, Place) else event.player


def estimate(engine: Any, position: Position, player: str) -> float:
    """How far the player is ahead of the best opponent, if the game were counted now."""
    scores = engine.scores(position)
    own = scores.pop(player, 0)
    return float(own - max(scores.values()))
