"""Win in N, in any game of two without chance: the player to act wins by force.

A win in N takes at most 2N - 1 moves of both players together. Where turns alternate, N of them are the winner's; in a
game where a player may move again, the count is the same.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from rulecheck.contract import AnyEngine
from rulecheck.puzzles.battle import answers, branches, duals
from rulecheck.puzzles.kinds import changed_answers, level_of
from rulecheck.puzzles.model import Description, Difficulty, Draft, Json
from rulecheck.puzzles.pools import FromPools, choose_pool, distinct, voice
from rulecheck.puzzles.rules import Rules
from solvers.graph import Outcome

POLICY = (
    "The first move is unique: no other first move wins in as many moves, and no move wins in fewer. A win in N takes "
    "at most 2N - 1 moves of both players together. Moves that lead to the same position are one move. At later moves "
    "all that win soonest are given, and what follows the first of them."
)
AGAIN = "moves again"
DEEPEST = 3


class Forced:
    """What one player can force within a number of moves of both players."""

    def __init__(self, engine: AnyEngine, player: str) -> None:
        self.engine, self.player = engine, player
        self._known: dict[tuple[Any, int], bool] = {}

    def moves(self, position: Any) -> dict[str, Any]:
        return distinct(self.engine.moves(position))

    def is_over(self, position: Any) -> bool:
        return self.engine.end(position) is not None

    def has_won(self, position: Any) -> bool:
        end = self.engine.end(position)
        return end is not None and end.winners == (self.player,)

    def wins(self, position: Any, left: int) -> bool:
        if left <= 0 or self.is_over(position):
            return self.has_won(position)
        if (position, left) not in self._known:
            self._known[position, left] = self._search(position, left)
        return self._known[position, left]

    def _search(self, position: Any, left: int) -> bool:
        results = self.moves(position).values()
        if self.engine.actor(position) == self.player:
            return any(self.has_won(r) for r in results) or any(self.wins(r, left - 1) for r in results)
        return bool(results) and all(self.wins(r, left - 1) for r in results)

    def soonest(self, position: Any, most: int) -> int | None:
        return next((left for left in range(1, most + 1) if self.wins(position, left)), None)

    def winning(self, position: Any, left: int) -> list[str]:
        """The player's moves that win in time."""
        return [move for move, result in self.moves(position).items() if self.wins(result, left - 1)]

    def key(self, position: Any, count: int) -> str | None:
        """The only first move that wins in `count` moves, if none wins in fewer and there is a choice."""
        if self.is_over(position) or len(self.moves(position)) < 2 or self.wins(position, 2 * count - 3):
            return None
        keys = self.winning(position, 2 * count - 1)
        return keys[0] if len(keys) == 1 else None

    # -- The solution -----------------------------------------------------------------------------------------

    def tree(self, position: Any, left: int) -> Json:
        """The moves that win soonest, and what happens after the first; replies with equal answers are grouped."""
        within = self.soonest(position, left)
        assert within is not None
        plays = self.winning(position, within)
        result = self.moves(position)[plays[0]]
        if self.is_over(result):
            return {"play": plays}
        replies = self.replies(result)
        continuations = {r: {} if self.is_over(after) else self.tree(after, within - 1) for r, after in replies.items()}
        return {"play": plays, "after": branches(continuations)}

    def replies(self, result: Any) -> dict[str, Any]:
        """What the opponent can do until it is the player's turn again, or over."""
        if self.engine.actor(result) == self.player:
            return {AGAIN: result}
        replies: dict[str, Any] = {}
        for reply, after in self.moves(result).items():
            if self.is_over(after) or self.engine.actor(after) == self.player:
                replies[reply] = after
            else:
                replies |= {f"{reply} {more}": later for more, later in self.replies(after).items()}
        return replies

    def tries(self, position: Any, count: int) -> list[dict[str, Json]]:
        """The moves refuted by exactly one reply."""
        failing = []
        for move, result in self.moves(position).items():
            if not self.is_over(result) and self.engine.actor(result) != self.player:
                refuted = [r for r, after in self.moves(result).items() if not self.wins(after, 2 * count - 3)]
                if len(refuted) == 1 and len(self.moves(result)) > 1:
                    failing.append({"play": move, "refutation": refuted[0], "depth": 2 * count - 1})
        return failing


@dataclass(frozen=True)
class WinIn(FromPools):
    count: int
    units: int = 200
    samples: int = 100  # positions looked at in a unit

    @property
    def name(self) -> str:
        return f"win-in-{self.count}"

    def propose(self, rng: random.Random) -> Draft | None:
        pool = choose_pool(rng, self.game, self.params)
        for position in pool.sample(rng, self.samples):
            worth = pool.solved(None).worth(position)
            in_time = worth.distance is not None and worth.distance < 2 * self.count
            if (
                worth.outcome is Outcome.WIN
                and in_time
                and _forced(pool.play.engine, position).key(position, self.count)
            ):
                return Draft(str(position), params=pool.params.as_dict())
        return None

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        engine = rules.playable
        if engine.end(position) is not None:
            return None
        forced = _forced(engine, position)
        key = forced.key(position, self.count)
        if key is None:
            return None
        tree = forced.tree(position, 2 * self.count - 1)
        tries = forced.tries(position, self.count) if self.count > 1 else []
        return Description(
            question=_question(engine, position, self.count),
            policy=POLICY,
            answer=(key,),
            solution=tree,
            difficulty=self._difficulty(forced, position, key, tree, len(tries)),
            tries=tuple(tries),
            duals=tuple(duals(tree)),
            minimal=f"No claim of minimality. {voice(rules)}",
            other_readings=changed_answers(rules, position, key, lambda other, at: answer(other, at, self.count)),
        )

    def _difficulty(self, forced: Forced, position: Any, key: str, tree: Json, tries: int) -> Difficulty:
        deep = {1: "take a move that wins at once", 2: "look two moves deep", 3: "look three moves deep"}
        methods = {deep[n]: lambda n=n: forced.winning(position, 2 * n - 1) for n in range(1, self.count + 1)}
        level, method = level_of(key, methods)
        choices = [len(forced.moves(position))]
        vector = {"length": self.count, "choices": choices, "answers": len(answers(tree)), "tries": tries}
        return Difficulty(level, method, vector)


def _forced(engine: AnyEngine, position: Any) -> Forced:
    return Forced(engine, engine.actor(position))


def _question(engine: AnyEngine, position: Any, count: int) -> str:
    player = engine.actor(position)
    (other,) = (name for name in engine.players if name != player)
    if count == 1:
        return f"{player} to act wins in one move."
    return f"{player} to act wins in {count} moves, whatever {other} does."


def answer(rules: Rules, position: Any, count: int) -> str:
    """In a few words, under any reading."""
    engine = rules.playable
    if engine.end(position) is not None:
        return "the game is over"
    forced = _forced(engine, position)
    soonest = forced.soonest(position, 2 * count - 1)
    if soonest is None:
        return f"no win in {count}"
    if (soonest + 1) // 2 < count:
        return f"a win in {(soonest + 1) // 2}"
    return " or ".join(forced.winning(position, 2 * count - 1))
