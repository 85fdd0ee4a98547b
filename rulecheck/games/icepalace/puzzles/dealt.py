"""Ice Palace: proof games of the first round. Nobody knows the deal, but the hands that are left tell a part of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from rulecheck.contract import brought
from rulecheck.games.icepalace import Params, Position, Structure
from rulecheck.puzzles.lines import Hope
from rulecheck.puzzles.proofgames import ProofGame
from rulecheck.puzzles.rules import Rules
from rulecheck.pyramids import Stack, stack_text

MOST_PASSES = 1  # in a game that is proposed


@dataclass(frozen=True)
class DealtGame(ProofGame):
    """From any deal: each player had the own pyramids, one of each size, and full hands (IP-06, IP-10)."""

    def begin(self, rules: Rules, rng: random.Random) -> tuple[Any, str]:
        engine = rules.choice.engine()
        position = engine.start()
        while chances := brought(engine, position):
            position = rng.choice(chances)
        return position, ""

    def starts(self, rules: Rules, target: Any, asked: str) -> Iterator[Any]:
        if target.marker is not None and not target.palace and not target.left:
            for hands in _deals(rules.choice.params, target, 0, target.worksite.pyramids):
                yield replace(target, mover=target.marker, worksite=Structure(), hands=hands, passes=0)

    def hope(self, target: Any, asked: str) -> Hope:
        """What is placed stays, so all of it stands as in the end, and a move places one pyramid at most."""
        number, goal = len(target.worksite.pyramids), target.worksite

        def hope(position: Any, left: int) -> bool:
            if number - len(position.worksite.pyramids) > left:
                return False
            return all(goal.at(cell)[: len(stack)] == stack for cell, stack in position.worksite)

        return hope

    def is_dull(self, target: Any) -> bool:
        return len(target.worksite.pyramids) < self.length - MOST_PASSES

    def standing(self, position: Any) -> set[tuple[Any, Any]]:
        """What has been placed does not move."""
        return set()

    def question(self, target: Any, asked: str) -> str:
        begun = f"The first round, after exactly {self.length} moves; {target.marker} began."
        return f"{begun} Who placed what, in which order?"

    def remarks(self, start: Any) -> list[str]:
        return [f"The hands were {', '.join(map(stack_text, start.hands))}."]


def _deals(params: Params, target: Position, seat: int, placed: Stack) -> Iterator[tuple[Stack, ...]]:
    """Every way to give what was placed back to the players from this seat on so that their hands were full."""
    if seat == params.players:
        if not placed:
            yield ()
        return
    held, colour = target.hands[seat], params.letters[seat]
    lacks = params.hand * len(params.sizes) - len(held)
    for chosen in sorted({tuple(sorted(some)) for some in combinations(placed, lacks)}) if lacks >= 0 else ():
        hand = tuple(sorted(held + chosen))
        if _is_deal(params, colour, hand):
            rest = list(placed)
            for pyramid in chosen:
                rest.remove(pyramid)
            yield from ((hand, *others) for others in _deals(params, target, seat + 1, tuple(rest)))


def _is_deal(params: Params, colour: str, hand: Stack) -> bool:
    """IP-06, IP-10: full, with one own pyramid of each size at least."""
    sizes = [pyramid.pips for pyramid in hand]
    own = {pyramid.pips for pyramid in hand if pyramid.colour == colour}
    return own == set(params.sizes) and all(sizes.count(size) == params.hand for size in params.sizes)
