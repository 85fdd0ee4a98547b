"""Ice Palace: random deals, to ask who can force the round."""

from __future__ import annotations

import random
from dataclasses import replace

from rulecheck.contract import brought
from rulecheck.games.icepalace import NOBODY, Position
from rulecheck.games.icepalace.engine import Engine
from rulecheck.model import InputError
from rulecheck.pyramids import Stack


def deal(engine: Engine, seed: int, keep: int | None = None) -> Position:
    """The first round of a random game; with `keep`, each player keeps that many pyramids at random."""
    rng = random.Random(seed)
    position = engine.start()
    while chances := brought(engine, position):
        position = rng.choice(chances)
    if position.mover == NOBODY:
        raise InputError("the bag does not suffice for the first round of this game")
    if keep is None:
        return position
    hands = tuple(_kept(hand, keep, rng) for hand in position.hands)
    return replace(position, hands=hands, bag=((0, 0, 0),) * len(position.bag))


def _kept(hand: Stack, keep: int, rng: random.Random) -> Stack:
    return tuple(sorted(rng.sample(hand, min(keep, len(hand)))))
