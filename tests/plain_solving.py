"""The plainest solvers, straight from a game's engine: what the bridge and the solvers are compared with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulecheck.contract import Engine, brought
from solvers.graph import Outcome

AnyEngine = Engine[Any, Any]


def reachable(engine: AnyEngine) -> dict[Any, list[tuple[int, Any]]]:
    """Every position in play with its ways on, each with its weight."""
    ways: dict[Any, list[tuple[int, Any]]] = {}
    queue = [engine.start()]
    for position in queue:
        if position in ways:
            continue
        ways[position] = []
        if engine.end(position) is None:
            chances = [(chance.weight, chance.result) for chance in engine.chances(position)]
            ways[position] = chances or [(1, result) for result in engine.moves(position).values()]
        queue += [result for _, result in ways[position]]
    return ways


def _ended(engine: AnyEngine, hero: str, position: Any) -> Outcome:
    end = engine.end(position)
    if end is None or not end.winners or set(end.winners) == set(engine.players):
        return Outcome.TIE  # a player without a move, or nobody or everybody has won
    return Outcome.WIN if hero in end.winners else Outcome.LOSS


def outcomes(engine: AnyEngine, hero: str) -> dict[Any, tuple[Outcome, int]]:
    """What the hero can force in every position of a game without chance, and in how many moves; -1 in a draw.

    Wins and losses spread one move a round. Then ties spread over what is left, since both sides prefer a tie to a game
    without end.
    """
    ways = {position: [result for _, result in on] for position, on in reachable(engine).items()}
    known = {position: (_ended(engine, hero, position), 0) for position, on in ways.items() if not on}
    tied = {position: worth for position, worth in known.items() if worth[0] is Outcome.TIE}
    known = {position: worth for position, worth in known.items() if position not in tied}
    moves = 0
    while True:
        moves += 1
        new = {}
        for position in ways.keys() - known.keys() - tied.keys():
            seen = [known[result][0] if result in known else None for result in ways[position]]
            good, bad = Outcome.WIN, Outcome.LOSS
            if engine.actor(position) != hero:
                good, bad = bad, good
            if good in seen:
                new[position] = (good, moves)
            elif set(seen) == {bad}:
                new[position] = (bad, moves)
        if not new:
            break
        known |= new
    moves = 0
    while new := {p for p in ways if p not in known and p not in tied and any(tied.get(r) for r in ways[p])}:
        moves += 1
        tied |= dict.fromkeys(new, (Outcome.TIE, moves))
    return {position: known.get(position) or tied.get(position) or (Outcome.DRAW, -1) for position in ways}


def values(engine: AnyEngine, hero: str, rounds: int = 50_000) -> dict[Any, float]:
    """How often the hero can force a win in every position, from below."""
    ways = reachable(engine)
    worth = {p: float(not on and _ended(engine, hero, p) is Outcome.WIN) for p, on in ways.items()}
    choose: dict[Any, Callable[..., float]] = {}
    for position, on in ways.items():
        if on and not brought(engine, position):
            choose[position] = max if engine.actor(position) == hero else min
    for _ in range(rounds):
        gain = 0.0
        for position, on in ways.items():
            if not on:
                continue
            if position in choose:
                now = choose[position](worth[result] for _, result in on)
            else:
                now = sum(weight * worth[result] for weight, result in on) / sum(weight for weight, _ in on)
            gain = max(gain, now - worth[position])
            worth[position] = now
        if gain < 1e-15:
            break
    return worth
