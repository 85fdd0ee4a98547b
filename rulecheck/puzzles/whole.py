"""Give nothing away: the only move that does not lose, in games small enough to be solved whole.

The given rules list every reachable position, once for each symmetry class; then backward induction finds wins and
losses. Either encoding does this on its own.
"""

from __future__ import annotations

import functools
import random
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from rulecheck.puzzles.kinds import changed_answers, level_of, require_two
from rulecheck.puzzles.model import Description, Difficulty, Draft
from rulecheck.puzzles.rules import ByEngine, Rules, rules_of
from rulecheck.registry import Game
from rulecheck.solve.spaces import normaliser

POLICY = (
    "Exactly one move does not lose against best play; all other moves do, in as many moves as stated. Moves that lead "
    "to the same position are one move. Endless play is no loss."
)


class Solved:
    """The number of moves to a win (odd) or a loss (even); a position without one is a draw or a tie."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.alike: Callable[[Any], Any] = normaliser(rules.choice)
        self.distance: dict[Any, int] = {}  # at first only for positions in which the game is over
        self.follows = self._explore()
        self._settle()

    def _explore(self) -> dict[Any, list[Any]]:
        layer = [self.alike(self.rules.choice.engine().start())]
        follows: dict[Any, list[Any]] = {}
        while layer:
            self.rules.ahead(layer)
            for position in layer:
                follows[position] = [self._met(position, r) for r in self.rules.moves(position).values()]
            layer = list({r: None for position in layer for r in follows[position] if r not in follows})
        return follows

    def _met(self, before: Any, result: Any) -> Any:
        """Record a result that is already decided: a player who wins by moving leaves the opponent a lost position."""
        kept, won = self.alike(result), self.rules.winner(result)
        if won is not None:
            self.distance[kept] = 0 if won == self.rules.actor(before) else 1
        return kept

    def _settle(self) -> None:
        """A position is won if some move leads to a lost one, and lost if all lead to won ones."""
        before: dict[Any, list[Any]] = {position: [] for position in self.follows}
        for position, results in self.follows.items():
            for result in dict.fromkeys(results):
                before[result].append(position)
        left = {position: len(set(results)) for position, results in self.follows.items()}
        waiting = deque(position for position in self.follows if position in self.distance)
        while waiting:
            position = waiting.popleft()
            for earlier in before[position]:
                if earlier not in self.distance:
                    left[earlier] -= 1
                    if self.distance[position] % 2 == 0 or left[earlier] == 0:
                        self.distance[earlier] = self.distance[position] + 1
                        waiting.append(earlier)

    def loses(self, position: Any) -> int | None:
        """The number of moves in which the player to move loses; None if they do not."""
        distance = self.distance.get(self.alike(position))
        return distance if distance is not None and distance % 2 == 0 else None

    def wins(self, position: Any) -> int | None:
        distance = self.distance.get(self.alike(position))
        return distance if distance is not None and distance % 2 == 1 else None


def solved(rules: Rules) -> Solved:
    """Solved once per set of rules in each process."""
    if rules not in _solved:
        _solved[rules] = Solved(rules)
    return _solved[rules]


_solved: dict[Any, Solved] = {}


def safe_moves(rules: Rules, position: Any, within: int | None = None) -> list[str]:
    """The moves after which the opponent does not win (or not within `within` further moves of both players)."""
    whole = solved(rules)

    def is_safe(result: Any) -> bool:
        won = whole.wins(result)
        return won is None or (within is not None and won > within)

    return [move for move, result in rules.moves(position).items() if is_safe(result)]


@dataclass(frozen=True)
class GiveNothingAway:
    game: Game
    params: Mapping[str, str]
    name: str = "give-nothing-away"
    units: int = 200
    samples: int = 60  # positions looked at in a unit
    choices: int = 5  # with fewer moves it is no question

    def propose(self, rng: random.Random) -> Draft | None:
        params = self.game.params(self.params).as_dict()
        rules = rules_of(ByEngine, self.game.slug, params, self.game.rulebook.defaults())
        positions = sorted(solved(rules).follows, key=str)
        for position in rng.sample(positions, min(self.samples, len(positions))):
            if self._key(rules, position):
                return Draft(str(position), params=params)
        return None

    def within(self, params: Any) -> Self:
        require_two(self.name, len(self.game.engine(params, self.game.rulebook.defaults()).players))
        return replace(self, params=params.as_dict())

    def _key(self, rules: Rules, position: Any) -> str | None:
        """The only move that does not lose, if there is a choice and it does not win at once."""
        moves = rules.moves(position)
        safe = safe_moves(rules, position) if len(moves) >= self.choices else []
        return safe[0] if len(safe) == 1 and solved(rules).loses(moves[safe[0]]) != 0 else None

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        whole = solved(rules)
        key = self._key(rules, position) if whole.alike(position) in whole.follows else None
        if key is None:
            return None
        losing = {m: self._refuted(rules, r) for m, r in rules.moves(position).items() if m != key}
        return Description(
            question=f"{rules.actor(position)} to move: every move but one loses. Which one does not?",
            policy=POLICY,
            answer=(key,),
            solution=[f"{key}! {self._worth(rules, position, key)}", *self._at_once(losing)],
            difficulty=self._difficulty(rules, position, key, losing),
            tries=tuple({"play": m, **refuted} for m, refuted in losing.items() if refuted["depth"] > 1),
            minimal="No claim of minimality.",
            other_readings=changed_answers(rules, position, key, _answer),
        )

    def _refuted(self, rules: Rules, result: Any) -> dict[str, Any]:
        """The opponent's quickest win, and its length in half-moves, including their first."""
        whole, moves = solved(rules), rules.moves(result)
        if not moves:
            return {"refutation": "it is lost at once", "depth": 0}
        reply = min(moves, key=lambda move: _infinite(whole.loses(moves[move])))
        return {"refutation": reply, "depth": whole.wins(result)}

    def _worth(self, rules: Rules, position: Any, move: str) -> str:
        result = rules.moves(position)[move]
        lost = solved(rules).loses(result)
        if lost is not None:
            return f"It even wins, in {lost + 1} moves of both."
        return "Then nobody can force a win."

    def _at_once(self, losing: Mapping[str, Any]) -> list[str]:
        quick = [f"{move} {refuted['refutation']}" for move, refuted in losing.items() if refuted["depth"] <= 1]
        return [f"Lost at once: {'; '.join(quick)}."] if quick else []

    def _difficulty(self, rules: Rules, position: Any, safe: str, losing: Mapping[str, Any]) -> Difficulty:
        methods: dict[str, Callable[[], list[str]]] = {
            f"avoid what loses within {depth} {'move' if depth == 1 else 'moves'} of both": functools.partial(
                safe_moves, rules, position, depth
            )
            for depth in (1, 3, 5)
        }
        methods["know the whole game"] = lambda: [safe]
        level, method = level_of(safe, methods)
        depths = [refuted["depth"] for refuted in losing.values()]
        vector = {
            "length": 1,
            "choices": [len(rules.moves(position))],
            "tries": sum(depth > 1 for depth in depths),
            "refutation": max(depths),
            "key": "saving" if solved(rules).loses(rules.moves(position)[safe]) is None else "winning",
        }
        return Difficulty(level, method, vector)


def _infinite(distance: int | None) -> float:
    return float("inf") if distance is None else distance


def _answer(rules: Rules, position: Any) -> str:
    whole = solved(rules)
    if whole.alike(position) not in whole.follows:
        return "not reached in play"
    safe, moves = safe_moves(rules, position), rules.moves(position)
    if not safe:
        return "every move loses" if moves else "the game is over"
    return " or ".join(safe) if len(safe) < len(moves) else "no move loses"
