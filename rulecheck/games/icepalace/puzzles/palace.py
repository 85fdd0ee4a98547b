"""Ice Palace: the only palace with the most points. Either encoding lists all builds of the greatest number."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from rulecheck.games.icepalace import Position
from rulecheck.games.icepalace.puzzles.building import (
    PRINTED,
    TooManyError,
    builds,
    by_code,
    drawn,
    everything,
    greatest,
    idle_ones,
    is_building,
    moves_of,
    other_answers,
    palace_text,
    points,
    pyramids,
    rules_for_making,
    used,
)
from rulecheck.puzzles.battle import minimal_sentence
from rulecheck.puzzles.kinds import level_of
from rulecheck.puzzles.model import Description, Difficulty, Draft, Json
from rulecheck.puzzles.rules import Rules

POLICY = (
    "As many pyramids as possible have to be used. The most points of the builder are unique, and so is the palace "
    "that has them, up to turning, mirroring and shifting it; the order of the steps need not be. All builds count."
)
SAMPLES = 80  # random positions for one proposal
SHAPES = ((3, 4), (0, 4), (0, 5), (0, 6))  # pyramids that stand at most, and pyramids to build with
Best = tuple[int, list[list[Position]]]  # the most points, and a way to each palace that has them


def best_builds(rules: Rules, position: Position) -> Best:
    """Raises TooManyError."""
    ways: dict[int, list[list[Position]]] = {}
    for way in builds(rules, position, everything).values():
        ways.setdefault(points(rules, way[-1].palace, position.mover), []).append(way)
    most = max(ways, default=0)
    return most, ways.get(most, [])


def gains_most(rules: Rules, position: Position) -> Iterable[Position]:
    """The results in which the builder has most points."""
    worth = {m: points(rules, r.palace, position.mover) for m, r in rules.moves(position).items()}
    return [rules.moves(position)[m] for m, value in worth.items() if value == max(worth.values())]


@dataclass(frozen=True)
class OnlyPalace:
    """The builder's best palace, if only one has the most points."""

    name: str = "only-palace"
    units: int = 200

    def propose(self, rng: random.Random) -> Draft | None:
        """Four pyramids make a puzzle far more often than six, so their number is drawn first."""
        rules, (standing, left) = rules_for_making(), rng.choice(SHAPES)
        for _ in range(SAMPLES):
            position = drawn(rng, rules, standing, left)
            if position is not None and self._best(rules, position) is not None and self._tries(rules, position):
                return Draft(str(position), params=PRINTED.as_dict())
        return None

    def _best(self, rules: Rules, position: Position) -> tuple[int, list[Position]] | None:
        """The most points and the way to the only palace that has them."""
        if not is_building(position):
            return None
        try:
            most, ways = best_builds(rules, position)
        except TooManyError:
            return None
        return (most, ways[0]) if len(ways) == 1 and most > points(rules, position.palace, position.mover) else None

    def _tries(self, rules: Rules, position: Position) -> list[dict[str, Json]]:
        """First steps that gain most at once but lose the chance of the most points."""
        most, tries = best_builds(rules, position)[0], []
        steps = {result: move for move, result in rules.moves(position).items()}
        for result in gains_most(rules, position):
            reached = best_builds(rules, result)[0] if result.left else points(rules, result.palace, position.mover)
            if reached < most:
                tries.append({"play": steps[result], "refutation": f"only {reached}", "depth": len(result.left)})
        return tries

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        best = self._best(rules, position)
        tries = self._tries(rules, position) if best else []
        if best is None or not tries:
            return None
        most, way = best
        number = greatest(rules, position)
        if used(position, way[-1]) != number:
            raise AssertionError(f"{position}: a build uses {used(position, way[-1])} pyramids, not {number}")
        idle = idle_ones(rules, position, lambda rest: self._same(rules, rest, most))
        return Description(
            question=(
                f"{position.mover} builds with {pyramids(position)}. Only one palace brings the most points. "
                "Which, and how many?"
            ),
            policy=POLICY,
            answer=(str(most), palace_text(way[-1].palace)),
            solution=[
                f"{most} points with {number} of {len(position.left)} pyramids: {moves_of(rules, way)}",
                f"The palace: {palace_text(way[-1].palace)}",
            ],
            difficulty=self._difficulty(rules, position, str(most), tries),
            tries=tuple(tries),
            idle=tuple(idle),
            minimal=minimal_sentence(idle, "taken away"),
            other_readings=other_answers(rules, position, self._words(rules, position), self._words),
        )

    def _same(self, rules: Rules, rest: Position, most: int) -> bool:
        """Is it still a puzzle with as many points?"""
        best = self._best(rules, rest)
        return best is not None and best[0] == most and bool(self._tries(rules, rest))

    def _words(self, rules: Rules, position: Position) -> str:
        """The points and the number of palaces that have them, under the reading of these rules."""
        if rules.choice.readings["palace_island"] == "yes":
            return "not worked out"
        try:
            most, ways = best_builds(rules, position)
        except TooManyError:
            return "not worked out"
        return f"{most} points by one palace" if len(ways) == 1 else f"{most} points by {len(ways)} palaces"

    def _difficulty(self, rules: Rules, position: Position, answer: str, tries: list[dict[str, Json]]) -> Difficulty:
        methods: dict[str, Callable[[], list[str]]] = {
            "take what gains most at once, as far as the palace code goes": lambda: self._greedy(
                by_code(rules), position
            ),
            "the same, but waste no pyramid": lambda: self._greedy(rules, position),
            "look at all builds": lambda: [answer],
        }
        level, method = level_of(answer, methods)
        vector = {
            "length": greatest(rules, position),
            "choices": [len(rules.moves(position))],
            "pyramids": len(position.left),
            "builds": len(builds(rules, position, everything)),
            "tries": len(tries),
            "refutation": max(attempt["depth"] for attempt in tries),
        }
        return Difficulty(level, method, vector)

    def _greedy(self, rules: Rules, position: Position) -> list[str]:
        """The possible results of the method; too few pyramids count as none."""
        most = greatest(rules, position)
        try:
            ways = list(builds(rules, position, gains_most).values())
        except TooManyError:
            return []
        full = [w[-1] for w in ways if used(position, w[-1]) == most]
        totals = {str(points(rules, end.palace, position.mover)) for end in full}
        return sorted(totals | ({"too few"} if len(full) < len(ways) else set()))
