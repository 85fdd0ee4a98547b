"""Icehouse: which pieces may be captured, and in what order, so that the captor is furthest ahead?

The given rules list all that one player can reach by captures alone. `best` answers the same question by its own
search, which its checker must accept, and both must give the same worth.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from math import factorial
from typing import Any

from rulecheck.games.icehouse import GAME
from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.pieces import Place, Position
from rulecheck.games.icehouse.puzzles.umpires import (
    TAKEN,
    captor,
    captures,
    fewer,
    in_order,
    ordinary,
    other_answers,
    stripped,
    umpire,
)
from rulecheck.games.icehouse.research.best import best, task_of
from rulecheck.games.icehouse.research.best_check import lead
from rulecheck.games.icehouse.sampling import aimed, proposals
from rulecheck.model import Readings
from rulecheck.puzzles.battle import minimal_sentence
from rulecheck.puzzles.kinds import level_of
from rulecheck.puzzles.model import Description, Difficulty, Draft, Json
from rulecheck.puzzles.rules import ByEngine, DisagreementError, Rules, rules_of

TABLE = {"players": "2", "table": "220x180"}
SAMPLES, TRIES = 40, 60  # positions put together for a proposal, placements drawn for each piece of one
SHOWN = 4  # orders of the solution that are written out
# All other readings are about placements, pads, calls, hands and prisoners on the table: none of these is there.
TOUCHING = ("range", "distance", "length", "graze", "retarget", "revalidate", "redundant", "wasted_capture",
            "capture_chain", "trigger", "cryo", "icehouse")  # fmt: skip
POLICY = (
    "The set of captured pieces is unique: by captures alone no other set leaves the player as far ahead of the best "
    "opponent, counted at once. Captures of that set in another order, where the rules allow it, are the same answer. "
    "Numbers are those of the diagram."
)
LARGEST = "take the largest piece each time"

Taken = tuple[int, ...]  # numbers of captured pieces as the diagram has them, in the order of the captures


class Chains:
    """All sequences of captures by one player."""

    def __init__(self, rules: Rules, position: Position, player: str) -> None:
        self.rules, self.start, self.player = rules, position, player
        self.reached: dict[Position, list[Taken]] = {position: [()]}
        self.after: dict[Position, dict[int, Position]] = {}
        layer = [position]
        while layer:
            for here in layer:
                self._look(here)
            layer = [there for there in self.reached if there not in self.after]

    def _look(self, here: Position) -> None:
        """Captures are numbered as in the diagram, by the pieces of the start."""
        gone = sorted(self.reached[here][0])
        results = self.after[here] = {}
        for capture, there in captures(self.rules, here).items():
            if capture.player == self.player:
                number = capture.number
                for earlier in gone:
                    number += earlier <= number
                results[number] = there
                self.reached.setdefault(there, []).extend((*taken, number) for taken in self.reached[here])

    @functools.cached_property
    def worth(self) -> dict[Position, int]:
        asked = umpire(self.rules)
        return {here: lead(asked.scores(here), self.player) for here in self.reached}

    @functools.cached_property
    def best(self) -> list[Position]:
        most = max(self.worth.values())
        return [here for here, worth in self.worth.items() if worth == most]

    def greedy(self, value: Callable[[Position, int], int]) -> list[Position]:
        """Where a player may end who always takes what is worth most at once, until nothing is left."""
        ends, waiting = [], [self.start]
        while waiting:
            here = waiting.pop()
            options = {n: value(here, n) for n in self.after[here]}
            waiting += [self.after[here][n] for n, worth in options.items() if worth == max(options.values())]
            if not options:
                ends.append(here)
        return list(dict.fromkeys(ends))


def text(taken: Taken) -> str:
    return ", ".join(map(str, taken)) or "nothing"


def same(taken: Taken) -> str:
    """The set, whatever the order."""
    return text(tuple(sorted(taken)))


@functools.lru_cache(maxsize=200)
def _by_search(params: tuple[tuple[str, str], ...], readings: Readings, position: str, player: str) -> int | None:
    """The worth that `best` reports, accepted by its checker."""
    given = GAME.params(dict(params))
    engine = Engine(given, readings)
    task = task_of(engine, GAME.read_position(given, position), player, ())
    return best(engine, GAME.spec(given, readings), task).worth


def chains_of(rules: Rules, position: Position) -> Chains | None:
    """The sequences, if exactly one player may capture."""
    player = captor(list(captures(rules, position))) if in_order(rules, position) else None
    return None if player is None else Chains(rules, position, player)


def answer_of(rules: Rules, position: Position) -> str:
    chains = chains_of(rules, position)
    if chains is None:
        return "nobody, or more than one player, may capture"
    return " or ".join(sorted({same(chains.reached[end][0]) for end in chains.best}))


@dataclass(frozen=True)
class WhichCaptures:
    name: str = "which-captures"
    units: int = 60

    def propose(self, rng: random.Random) -> Draft | None:
        params = GAME.params(TABLE)
        rules = rules_of(ByEngine, GAME.slug, params.as_dict(), GAME.rulebook.defaults())
        for _ in range(SAMPLES):
            position = drawn(rng, rules)
            if self._is_hard(rules, position):
                return Draft(str(stripped(position, functools.partial(self._idle, rules))), params=params.as_dict())
        return None

    def _is_hard(self, rules: Rules, position: Position) -> bool:
        """Does the order matter, or is taking the largest pieces wrong?"""
        chains = self._solved(rules, position)
        if chains is None:
            return False
        orders = chains.reached[chains.best[0]]
        largest = self._methods(chains)[LARGEST]()
        return len(orders) < factorial(len(orders[0])) or largest != chains.best

    def _solved(self, rules: Rules, position: Position) -> Chains | None:
        """The sequences, if one set is best, it has more than one capture, and it is not simply everything."""
        chains = chains_of(rules, position) if ordinary(position) else None
        if chains is None or len(chains.best) > 1:
            return None
        taken = chains.reached[chains.best[0]][0]
        everything = chains.greedy(lambda here, n: 0)
        return chains if len(taken) > 1 and everything != chains.best else None

    def _idle(self, rules: Rules, position: Position) -> Iterator[tuple[int, Position]]:
        """The pieces that could go, with the rest, while the same captures remain best."""
        wanted = self._pieces(rules, position)
        for n, rest in fewer(position):
            if in_order(rules, rest) and self._pieces(rules, rest) == wanted:
                yield n, rest

    def _pieces(self, rules: Rules, position: Position) -> frozenset[str] | None:
        chains = self._solved(rules, position)
        if chains is None:
            return None
        return frozenset(str(position.pieces[n - 1]) for n in chains.reached[chains.best[0]][0])

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        chains = self._solved(rules, position)
        if chains is None:
            return None
        (end,) = chains.best
        choice = rules.choice
        if (
            _by_search(tuple(choice.params.as_dict().items()), choice.readings, str(position), chains.player)
            != (chains.worth[end])
        ):
            raise DisagreementError(f"{position}: the search for the best order names another worth")
        orders = sorted(chains.reached[end])
        tries = self._tries(chains)
        idle = [str(position.pieces[n]) for n, _ in self._idle(rules, position)]
        answer = same(orders[0])
        return Description(
            question=(
                f"{chains.player} captures as much or as little as may be, then the time is up. Which captures, in "
                f"what order, leave {chains.player} furthest ahead?"
            ),
            policy=POLICY,
            answer=(text(orders[0]),),
            solution=[*_sentences(chains, end, orders)],
            difficulty=self._difficulty(chains, answer, orders, tries),
            tries=tuple(tries),
            idle=tuple(idle),
            minimal=minimal_sentence(idle, TAKEN),
            other_readings=other_answers(rules, position, answer, TOUCHING, answer_of),
        )

    def _methods(self, chains: Chains) -> Mapping[str, Callable[[], list[Position]]]:
        pieces = chains.start.pieces
        return {
            "take whatever can be taken": lambda: chains.greedy(lambda here, n: 0),
            LARGEST: lambda: chains.greedy(lambda here, n: pieces[n - 1].pips),
            "take what helps most at once each time": lambda: chains.greedy(
                lambda here, n: chains.worth[chains.after[here][n]]
            ),
            "look at all orders": lambda: chains.best,
        }

    def _tries(self, chains: Chains) -> list[dict[str, Json]]:
        """The ends of greedy methods that miss the best, with their losses."""
        (best_one,), tries = chains.best, {}
        for method in self._methods(chains).values():
            for end in method():
                lost = chains.worth[best_one] - chains.worth[end]
                if lost:
                    taken = min(chains.reached[end])
                    points = f"{lost} point{'s' * (lost > 1)} less"
                    tries[end] = {"play": text(taken), "refutation": points, "depth": len(taken)}
        return list(tries.values())

    def _difficulty(self, chains: Chains, answer: str, orders: list[Taken], tries: list[dict[str, Json]]) -> Difficulty:
        methods = {
            name: functools.partial(lambda method: [same(chains.reached[end][0]) for end in method()], method)
            for name, method in self._methods(chains).items()
        }
        level, method = level_of(answer, methods)
        here, choices = chains.start, []
        for n in orders[0]:
            choices.append(len(chains.after[here]))
            here = chains.after[here][n]
        vector = {
            "length": len(orders[0]),
            "choices": choices,
            "orders": f"{len(orders)} of {factorial(len(orders[0]))}",
            "tries": len(tries),
            "refutation": max((attempt["depth"] for attempt in tries), default=0),
        }
        return Difficulty(level, method, vector)


def _sentences(chains: Chains, end: Position, orders: list[Taken]) -> Iterator[str]:
    every = len(orders) == factorial(len(orders[0]))
    shown = " or ".join(map(text, orders[:SHOWN])) + (f" or {len(orders) - SHOWN} more" if len(orders) > SHOWN else "")
    only = "Only in this order" if len(orders) == 1 else "Only in one of these orders"
    yield f"{same(orders[0])}, in any order." if every else f"{only}: {shown}."
    scores = umpire(chains.rules).scores(end)
    counted = ", ".join(f"{player} {points}" for player, points in scores.items())
    before, now = (_ahead(chains.worth[here]) for here in (chains.start, end))
    yield f"Then {counted}. Without captures {chains.player} is {before}, with these {now}."


def _ahead(worth: int) -> str:
    return f"{abs(worth)} {'ahead' if worth > 0 else 'behind'}" if worth else "level"


# -- Positions -------------------------------------------------------------------------------------------------


def drawn(rng: random.Random, rules: Rules) -> Position:
    """A table after some play: two or three defenders each, and many attackers, most of them of A's defenders."""
    engine: Any = rules.choice.engine()
    position: Position = engine.start()
    for player in "AABB" + rng.choice(("", "A", "A", "B")):
        position = _placed(engine, position, (e for e in proposals(rng, position) if not e.piece.lying), player)
    for player in rng.choice(("BBBB", "BBABB", "BABBBA", "ABBBBB")):
        shots = _shots(rng, position, player)
        position = _placed(engine, position, shots, player)
    return position


def _shots(rng: random.Random, position: Position, player: str) -> Iterator[Place]:
    foes = [piece for piece in position.pieces if not piece.lying and piece.colour != player]
    while True:
        yield Place(aimed(rng, player, rng.choice(position.pad(player)), rng.choice(foes)))


def _placed(engine: Any, position: Position, events: Iterator[Place], player: str) -> Position:
    """The position after the first legal event, if one comes soon."""
    mine = (event for event in islice(events, TRIES) if event.piece.placer == player)
    event = next((event for event in mine if engine.judge(position, event).legal), None)
    return position if event is None else engine.play(position, event)
