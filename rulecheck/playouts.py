"""Whole games played by a policy from a seed, with both encodings asked about every move."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulecheck.contract import AnyEngine, AnySpec, End, brought, stated_result, winner_of
from rulecheck.model import InputError, agreement
from rulecheck.registry import Choice
from rulecheck.rulebook import check_known

Policy = Callable[[Any, Mapping[Any, Any], random.Random], Any]  # position, moves with their results: a move
Offer = Callable[[Any, Any, random.Random], Mapping[Any, Any]]  # engine, position: moves to choose from
POLICIES = ("random", "greedy")


@dataclass(frozen=True)
class Ply:
    """What happened in a position, and by whom; chance has no move."""

    position: Any
    actor: str | None
    move: Any | None
    result: Any


@dataclass(frozen=True)
class Record:
    """`winner` is None if the game stopped without one; `ended` is False if it was broken off at the limit. `end` is
    what the engine says of the last position: None if the player to act has no move."""

    plies: tuple[Ply, ...]
    winner: str | None
    ended: bool
    end: End | None
    disagreements: tuple[str, ...] = field(default=())

    @property
    def moves(self) -> int:
        return sum(ply.move is not None for ply in self.plies)


def policy_of(choice: Choice, name: str) -> Policy:
    check_known("policy", name, POLICIES)
    if name == "random":
        return lambda position, moves, rng: rng.choice(list(moves))
    hints = choice.game.hints
    estimate = hints.estimate()
    if estimate is None:
        raise InputError(f"{choice.game.slug} does not say what is good for a player, so there is no greedy policy")
    engine = choice.engine()

    def greedy(position: Any, moves: Mapping[Any, Any], rng: random.Random) -> Any:
        """One of the moves with the best estimate for the player."""
        worth = {move: estimate(engine, result, hints.actor(engine, position, move)) for move, result in moves.items()}
        best = max(worth.values())
        return rng.choice([move for move, value in worth.items() if value == best])

    return greedy


def offer_of(choice: Choice) -> Offer:
    """Offer all moves or, where moves are a continuum, some that the game draws."""
    return choice.game.hints.offered


def play_game(
    engine: AnyEngine, spec: AnySpec | None, policy: Policy, rng: random.Random, limit: int, offer: Offer
) -> Record:
    """One game, of at most `limit` moves, with at most as many chances before each; without a spec, the engine alone
    decides."""
    position, moved, rolled = engine.start(), 0, 0
    plies: list[Ply] = []
    wrong: list[str] = []
    while True:
        is_over = engine.end(position) is not None
        chances = () if is_over else brought(engine, position)
        if chances and rolled < limit:
            result = rng.choice(chances)
            plies.append(Ply(position, None, None, result))
            position, rolled = result, rolled + 1
            continue
        moves = {} if is_over else offer(engine, position, rng)
        if not moves or moved == limit:
            ended = not moves and not chances
            return Record(tuple(plies), winner_of(engine, position), ended, engine.end(position), tuple(wrong))
        move = policy(position, moves, rng)
        if spec is not None and not agreement(engine.judge(position, move), spec.judge(position, move)):
            wrong.append(f"{position}, {move}: the engine allows it, the constraints do not")
        elif (difference := _other_result(spec, position, move, moves[move])) is not None:
            wrong.append(difference)
        plies.append(Ply(position, engine.actor(position), move, moves[move]))
        position, moved, rolled = moves[move], moved + 1, 0


def _other_result(spec: AnySpec | None, position: Any, move: Any, result: Any) -> str | None:
    """A sentence if the constraints state another result of a move."""
    said = None if spec is None else stated_result(spec, position, move)
    if said is None or said == result:
        return None
    return f"{position}, {move}: the engine leads to {result}, the constraints to {said}"
