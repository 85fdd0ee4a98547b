"""Icehouse: which pieces may be captured, and in what order, so that the captor is furthest ahead?

All that one player can reach by captures alone is listed by the rules given. `best` answers the same question by its
own search, which its checker has to accept, and both must name the same worth.
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
from rulecheck.puzzles.model import Difficulty, Draft, Json, Told
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
    """Everything that a player can capture, one after the other."""

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
        """Numbers of the diagram are those of the pieces that were there at first."""
        gone = sorted(self.reached[here][0])
        found = self.after[here] = {}
        for capture, there in captures(self.rules, here).items():
            if capture.player == self.player:
                number = capture.number
                for earlier in gone:
                    number += earlier <= number
                found[number] = there
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
        """Where one may end who always takes what is worth most now, as long as anything can be taken."""
        found, waiting = [], [self.start]
        while waiting:
            here = waiting.pop()
            options = {n: value(here, n) for n in self.after[here]}
            waiting += [self.after[here][n] for n, worth in options.items() if worth == max(options.values())]
            if not options:
                found.append(here)
        return list(dict.fromkeys(found))


def text(taken: Taken) -> str:
    return ", ".join(map(str, taken)) or "nothing"


def same(taken: Taken) -> str:
    """The set, whatever the order."""
    return text(tuple(sorted(taken)))


@functools.lru_cache(maxsize=200)
def _by_search(params: tuple[tuple[str, str], ...], readings: Readings, position: str, player: str) -> int | None:
    """The most that `best` finds, accepted by its checker."""
    given = GAME.params(dict(params))
    engine = Engine(given, readings)
    task = task_of(engine, GAME.read_position(given, position), player, ())
    return best(engine, GAME.spec(given, readings), task).worth


def chains_of(rules: Rules, position: Position) -> Chains | None:
    """If there is one player who may capture."""
    player = captor(list(captures(rules, position))) if in_order(rules, position) else None
    return None if player is None else Chains(rules, position, player)


def answer_of(rules: Rules, position: Position) -> str:
    found = chains_of(rules, position)
    if found is None:
        return "nobody, or more than one player, may capture"
    return " or ".join(sorted({same(found.reached[end][0]) for end in found.best}))


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
        """Worth a look: the order matters, or the largest pieces are not the ones to take."""
        found = self._solved(rules, position)
        if found is None:
            return False
        orders = found.reached[found.best[0]]
        largest = self._methods(found)[LARGEST]()
        return len(orders) < factorial(len(orders[0])) or largest != found.best

    def _solved(self, rules: Rules, position: Position) -> Chains | None:
        """One set is best, it takes more than one capture, and taking whatever can be taken is not the way."""
        found = chains_of(rules, position) if ordinary(position) else None
        if found is None or len(found.best) > 1:
            return None
        taken = found.reached[found.best[0]][0]
        everything = found.greedy(lambda here, n: 0)
        return found if len(taken) > 1 and everything != found.best else None

    def _idle(self, rules: Rules, position: Position) -> Iterator[tuple[int, Position]]:
        """The pieces that could go, with what is left, so that the same captures would be best."""
        wanted = self._pieces(rules, position)
        for n, rest in fewer(position):
            if in_order(rules, rest) and self._pieces(rules, rest) == wanted:
                yield n, rest

    def _pieces(self, rules: Rules, position: Position) -> frozenset[str] | None:
        found = self._solved(rules, position)
        if found is None:
            return None
        return frozenset(str(position.pieces[n - 1]) for n in found.reached[found.best[0]][0])

    def tell(self, rules: Rules, position: Any, asked: str) -> Told | None:
        found = self._solved(rules, position)
        if found is None:
            return None
        (end,) = found.best
        choice = rules.choice
        if (
            _by_search(tuple(choice.params.as_dict().items()), choice.readings, str(position), found.player)
            != (found.worth[end])
        ):
            raise DisagreementError(f"{position}: the search for the best order names another worth")
        orders = sorted(found.reached[end])
        tries = self._tries(found)
        idle = [str(position.pieces[n]) for n, _ in self._idle(rules, position)]
        answer = same(orders[0])
        return Told(
            question=(
                f"{found.player} captures as much or as little as may be, then the time is up. Which captures, in what "
                f"order, leave {found.player} furthest ahead?"
            ),
            policy=POLICY,
            answer=(text(orders[0]),),
            solution=[*_sentences(found, end, orders)],
            difficulty=self._difficulty(found, answer, orders, tries),
            tries=tuple(tries),
            idle=tuple(idle),
            minimal=minimal_sentence(idle, TAKEN),
            other_readings=other_answers(rules, position, answer, TOUCHING, answer_of),
        )

    def _methods(self, found: Chains) -> Mapping[str, Callable[[], list[Position]]]:
        pieces = found.start.pieces
        return {
            "take whatever can be taken": lambda: found.greedy(lambda here, n: 0),
            LARGEST: lambda: found.greedy(lambda here, n: pieces[n - 1].pips),
            "take what helps most at once each time": lambda: found.greedy(
                lambda here, n: found.worth[found.after[here][n]]
            ),
            "look at all orders": lambda: found.best,
        }

    def _tries(self, found: Chains) -> list[dict[str, Json]]:
        """Where the greedy methods end, if not at the best; what they lose."""
        (best_one,), tries = found.best, {}
        for method in self._methods(found).values():
            for end in method():
                lost = found.worth[best_one] - found.worth[end]
                if lost:
                    taken = min(found.reached[end])
                    points = f"{lost} point{'s' * (lost > 1)} less"
                    tries[end] = {"play": text(taken), "refutation": points, "depth": len(taken)}
        return list(tries.values())

    def _difficulty(self, found: Chains, answer: str, orders: list[Taken], tries: list[dict[str, Json]]) -> Difficulty:
        methods = {
            name: functools.partial(lambda method: [same(found.reached[end][0]) for end in method()], method)
            for name, method in self._methods(found).items()
        }
        level, method = level_of(answer, methods)
        here, choices = found.start, []
        for n in orders[0]:
            choices.append(len(found.after[here]))
            here = found.after[here][n]
        vector = {
            "length": len(orders[0]),
            "choices": choices,
            "orders": f"{len(orders)} of {factorial(len(orders[0]))}",
            "tries": len(tries),
            "refutation": max((found["depth"] for found in tries), default=0),
        }
        return Difficulty(level, method, vector)


def _sentences(found: Chains, end: Position, orders: list[Taken]) -> Iterator[str]:
    every = len(orders) == factorial(len(orders[0]))
    shown = " or ".join(map(text, orders[:SHOWN])) + (f" or {len(orders) - SHOWN} more" if len(orders) > SHOWN else "")
    only = "Only in this order" if len(orders) == 1 else "Only in one of these orders"
    yield f"{same(orders[0])}, in any order." if every else f"{only}: {shown}."
    scores = umpire(found.rules).scores(end)
    counted = ", ".join(f"{player} {points}" for player, points in scores.items())
    before, now = (_ahead(found.worth[here]) for here in (found.start, end))
    yield f"Then {counted}. Without captures {found.player} is {before}, with these {now}."


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
    """After the first of these events that is allowed, if one is found soon."""
    mine = (event for event in islice(events, TRIES) if event.piece.placer == player)
    event = next((event for event in mine if engine.judge(position, event).legal), None)
    return position if event is None else engine.play(position, event)
