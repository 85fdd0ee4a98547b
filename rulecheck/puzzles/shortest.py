"""Proof games in any game: the shortest line of play to a position, where it is the only one."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rulecheck.contract import AnyEngine
from rulecheck.explore import Step, steps
from rulecheck.puzzles.kinds import changed_answers, level_of
from rulecheck.puzzles.model import Description, Difficulty, Draft
from rulecheck.puzzles.pools import WITHIN, FromPools, Pool, pools, voice
from rulecheck.puzzles.rules import Rules

POLICY = (
    "Exactly one line of play leads from the start to the position in so few steps, and none in fewer. A step is a "
    "move, or what chance brings, which stands in brackets; steps that lead to the same position are one step."
)
SHORTEST = 2  # with one step there is nothing to find out
Way = tuple[tuple[Any, Step[Any]], ...]  # each position of a line, with the step that was taken there


def ways_to(engine: AnyEngine, target: Any) -> list[Way]:
    """Up to two shortest lines from the start to a position; none if the search visits too many positions."""
    layer: dict[Any, list[Way]] = {engine.start(): [()]}
    met = set(layer)
    while layer and target not in layer and len(met) <= WITHIN:
        following: dict[Any, list[Way]] = {}
        for position, lines in layer.items():
            for step in distinct_steps(engine, position):
                if step.result not in met:
                    longer = [(*line, (position, step)) for line in lines]
                    following[step.result] = (following.get(step.result, []) + longer)[:2]
        met |= following.keys()
        layer = following
    return layer.get(target, []) if len(met) <= WITHIN else []


def distinct_steps(engine: AnyEngine, position: Any) -> list[Step[Any]]:
    """Steps that lead to the same position are one step."""
    first: dict[Any, Step[Any]] = {}
    for step in steps(engine, position)[1]:
        first.setdefault(step.result, step)
    return list(first.values())


@functools.cache
def unique_ends(pool: Pool) -> dict[int, list[int]]:
    """By length: the positions with exactly one shortest line, the first of each symmetry class."""
    ways, layer, met = {0: 1}, [0], 1
    different = set(pool.different)
    ends: dict[int, list[int]] = {}
    length = 0
    while layer and met <= WITHIN:
        following: dict[int, int] = {}
        for number in layer:
            for after in dict.fromkeys(pool.play.successors(number)):
                if after not in ways:
                    following[after] = following.get(after, 0) + ways[number]
        ways |= following
        length, met, layer = length + 1, met + len(following), list(following)
        single = [number for number in layer if ways[number] == 1 and number in different]
        if length >= SHORTEST and single and met <= WITHIN:
            ends[length] = single
    return ends


@dataclass(frozen=True)
class ShortestGame(FromPools):
    name: str = "proof-game"
    units: int = 100

    def propose(self, rng: random.Random) -> Draft | None:
        """Every length of every version is equally likely."""
        chosen = [(pool, ends) for pool in pools(self.game, self.params) for ends in unique_ends(pool).values()]
        if not chosen:
            return None
        pool, ends = rng.choice(chosen)
        return Draft(str(pool.play.position(rng.choice(ends))), params=pool.params.as_dict())

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        engine = rules.playable
        ways = ways_to(engine, position)
        if len(ways) != 1 or len(ways[0]) < SHORTEST:
            return None
        line = named(ways[0])
        said = " ".join(line)
        level, method = level_of(said, _methods(said, len(line)))
        choices = [len(distinct_steps(engine, at)) for at, _ in ways[0]]
        return Description(
            question=f"From the start to this position in {len(line)} steps, and no fewer. How?",
            policy=POLICY,
            answer=line,
            solution=[_sentence(engine, ways[0])],
            difficulty=Difficulty(level, method, {"length": len(line), "choices": choices, "tries": 0}),
            minimal=f"A position of play, so nothing can be taken away. {voice(rules)}",
            other_readings=changed_answers(rules, position, said, answer),
        )


def named(way: Way) -> tuple[str, ...]:
    return tuple(f"({step.label})" if step.by_chance else step.label for _, step in way)


def _sentence(engine: AnyEngine, way: Way) -> str:
    """`1. A roll 2. (4) 3. A hold`"""
    who = ["" if step.by_chance else f"{engine.actor(at)} " for at, step in way]
    return " ".join(f"{n}. {actor}{label}" for n, (actor, label) in enumerate(zip(who, named(way), strict=True), 1))


def _methods(said: str, length: int) -> dict[str, Callable[[], Sequence[str]]]:
    """The depth to which all play must be searched."""
    depths = range(SHORTEST, length + 1)
    return {f"look at all play {depth} steps deep": _seen(said, depth >= length) for depth in depths}


def _seen(said: str, deep_enough: bool) -> Callable[[], Sequence[str]]:
    return lambda: [said] if deep_enough else []


def answer(rules: Rules, position: Any) -> str:
    """In a few words, under any reading."""
    ways = ways_to(rules.playable, position)
    return (
        " ".join(named(ways[0]))
        if len(ways) == 1
        else "several lines"
        if ways
        else f"no line within {WITHIN} positions"
    )
