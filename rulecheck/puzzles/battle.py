"""Win in N: the player to move forces a win with at most N moves of their own, against any defence.

The same search runs on either encoding. On the constraints, the engine's results guide it: winning moves and refuting
replies are searched first. The guide decides only the order, never the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rulecheck.puzzles.kinds import changed_answers, level_of
from rulecheck.puzzles.model import Description, Difficulty, Json
from rulecheck.puzzles.rules import Rules

POLICY = (
    "The first move is unique: no other first move wins in as many moves, and no move wins in fewer. Moves that lead "
    "to the same position are one move. A win that takes longer does not count. The last move may be any that wins at "
    "once; at the moves between, all that win in time are given."
)
ALL_STAND = "All pyramids of this game are on the board by the rules, so none can be removed."
AT_ONCE, OVER = "it is over", "nothing can be played"


class Battle:
    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.guide = Battle(rules.guide) if rules.guide is not None else None
        self._known: dict[tuple[Any, int, bool], bool] = {}

    # -- Does the player to move win? -------------------------------------------------------------------------

    def wins(self, position: Any, count: int, forcing: bool = False) -> bool:
        """In at most `count` moves; with `forcing`, every move but the last must threaten an immediate win."""
        if count < 1:
            return False
        key = (position, count, forcing)
        if key not in self._known:
            self._known[key] = self._search(position, count, forcing)
        return self._known[key]

    def _search(self, position: Any, count: int, forcing: bool) -> bool:
        moves, player = self.rules.moves(position), self.rules.actor(position)
        if any(self.rules.winner(result) == player for result in moves.values()):
            return True
        if count == 1:
            return False
        results = [r for r in moves.values() if not forcing or self.threatens(r, self.rules.actor(position))]
        return any(
            self.forces(r, count, self.rules.actor(position), forcing) for r in self._likely(results, position, count)
        )

    def _likely(self, results: list[Any], position: Any, count: int) -> list[Any]:
        """The guide's choice first; if it has none, list the moves after all refutations together."""
        if self.guide is None:
            return results
        best = [r for r in results if self.guide.forces(r, count, self.rules.actor(position))][:1]
        if not best:
            self._look_ahead(results, count, self.rules.actor(position), 1)
        return best + results

    def _look_ahead(self, results: Iterable[Any], count: int, player: str, most: int) -> None:
        """List the moves after these results, and after their refutations, in one batch, which is faster."""
        assert self.guide is not None
        going = [r for r in results if self.rules.winner(r) is None]
        self.rules.ahead(going)
        replies = [(r, reply) for r in going for reply in self.guide.refutations(r, count, player, most)]
        afters = [self.rules.moves(r)[reply] for r, reply in replies if reply in self.rules.moves(r)]
        self.rules.ahead(after for after in afters if self.rules.winner(after) is None)

    def forces(self, result: Any, count: int, player: str, forcing: bool = False) -> bool:
        """After a move of this player that led here, does every reply lose in count - 1 moves?"""
        return not self.refutations(result, count, player, 1, forcing)

    def refutations(self, result: Any, count: int, player: str, most: int, forcing: bool = False) -> list[str]:
        """Up to `most` replies after which the player does not win in time, or how the game has already ended."""
        won = self.rules.winner(result)
        if won is not None:
            return [] if won == player else [AT_ONCE]
        replies = self.rules.moves(result)
        if not replies:
            return [OVER]
        refuting: list[str] = []
        for reply in self._feared(result, replies, count, player, most):
            after = replies[reply]
            ended = self.rules.winner(after)
            if ended != player and (ended is not None or not self.wins(after, count - 1, forcing)):
                refuting.append(reply)
                if len(refuting) == most:
                    break
        return refuting

    def _feared(self, result: Any, replies: Mapping[str, Any], count: int, player: str, most: int) -> Iterable[str]:
        if self.guide is None:
            return replies
        feared = self.guide.refutations(result, count, player, most)
        if len(feared) < most:
            self.rules.ahead(after for after in replies.values() if self.rules.winner(after) is None)
        return dict.fromkeys([*(reply for reply in feared if reply in replies), *replies])

    def threatens(self, result: Any, player: str) -> bool:
        """If it were this player's turn again, could they win at once?"""
        return self.rules.winner(result) is None and self.wins(self.rules.turned(result, player), 1)

    # -- The solution -----------------------------------------------------------------------------------------

    def keys(self, position: Any, count: int) -> list[str]:
        """Every move that wins in time."""
        moves = self.rules.moves(position)
        if self.guide is not None:
            self._look_ahead(moves.values(), count, self.rules.actor(position), 1)
        return [move for move, result in moves.items() if self.forces(result, count, self.rules.actor(position))]

    def at_once(self, position: Any) -> list[str]:
        won = self.rules.winner
        return [
            move for move, result in self.rules.moves(position).items() if won(result) == self.rules.actor(position)
        ]

    def tree(self, position: Any, count: int) -> Json:
        """The winning moves, and what happens after the first; replies with equal answers are grouped."""
        if plays := self.at_once(position):
            return {"play": plays}
        within = next(n for n in range(2, count + 1) if self.wins(position, n))
        plays = self.keys(position, within)
        result = self.rules.moves(position)[plays[0]]
        replies = self.rules.moves(result)
        answers = {r: {} if self.rules.winner(after) else self.tree(after, within - 1) for r, after in replies.items()}
        return {"play": plays, "after": branches(answers)}

    def set_play(self, position: Any, count: int) -> list[dict[str, Json]]:
        """Were the opponent to move: the replies that already have an answer."""
        other = next(p for p in _players(self.rules) if p != self.rules.actor(position))
        by_play: dict[str, list[str]] = {}
        turned = self.rules.turned(position, other)
        replies = self.rules.moves(turned)
        self.rules.ahead(after for after in replies.values() if self.rules.winner(after) is None)
        for reply, after in replies.items():
            if self.rules.winner(after) is None and self.wins(after, count - 1):
                plays = self.at_once(after) or self.keys(after, count - 1)
                by_play.setdefault(plays[0], []).append(reply)
        return [{"if": replies, "play": play} for play, replies in by_play.items()]

    def tries(self, position: Any, count: int) -> list[dict[str, Json]]:
        """The moves refuted by exactly one reply, with the depth of the refutation in half-moves."""
        failing = []
        if self.guide is not None:
            self._look_ahead(self.rules.moves(position).values(), count, self.rules.actor(position), 2)
        for move, result in self.rules.moves(position).items():
            refuted = self.refutations(result, count, self.rules.actor(position), 2)
            if len(refuted) == 1 and refuted[0] not in (AT_ONCE, OVER):
                ends = self.rules.winner(self.rules.moves(result)[refuted[0]]) is not None
                failing.append({"play": move, "refutation": refuted[0], "depth": 2 if ends else 2 * count - 1})
        return failing


def branches(answers: Mapping[str, Json]) -> list[Json]:
    """What happens after each reply; replies with equal answers are grouped."""
    grouped: list[tuple[list[str], Json]] = []
    for reply, answer in answers.items():
        same = next((names for names, known in grouped if known == answer), None)
        if same is None:
            grouped.append(([reply], answer))
        else:
            same.append(reply)
    return [{"if": names, **answer} for names, answer in grouped]


def _players(rules: Rules) -> tuple[str, ...]:
    """The players of a two-player game."""
    return ("A", "B")


# -- What is said about a position ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Battlefield:
    """What a game provides: what winning is called, and what could be taken off the board, by name."""

    question: Callable[[str, int], str]
    reductions: Callable[[Any], Mapping[str, Any]] | None  # None where all pyramids of the game must stand
    taken: str = ""  # the word for a pyramid taken off


def is_sound(battle: Battle, position: Any, count: int) -> str | None:
    """The key, if it is the only one and nothing wins sooner."""
    if battle.rules.winner(position) is not None or battle.wins(position, count - 1):
        return None
    keys = battle.at_once(position) if count == 1 else battle.keys(position, count)
    return keys[0] if len(keys) == 1 else None


def describe(rules: Rules, position: Any, count: int, field: Battlefield) -> Description | None:
    battle = Battle(rules)
    key = is_sound(battle, position, count)
    if key is None:
        return None
    tree = battle.tree(position, count)
    tries = battle.tries(position, count) if count > 1 else []
    fewer = {} if field.reductions is None else field.reductions(position)
    idle = [name for name, rest in fewer.items() if is_sound(battle, rest, count) == key]
    return Description(
        question=field.question(rules.actor(position), count),
        policy=POLICY,
        answer=(key,),
        solution=tree,
        difficulty=_difficulty(battle, position, count, key, tree, tries),
        tries=tuple(tries),
        set_play=tuple(battle.set_play(position, count)) if count > 1 else (),
        duals=tuple(duals(tree)),
        short=tuple(_short(tree, count)),
        idle=tuple(idle),
        minimal=ALL_STAND if field.reductions is None else minimal_sentence(idle, field.taken),
        other_readings=changed_answers(rules, position, key, lambda other, there: answer(other, there, count)),
    )


def answer(rules: Rules, position: Any, count: int) -> str:
    """In a few words, under any reading."""
    battle = Battle(rules)
    if rules.winner(position) is not None:
        return "the game is over"
    sooner = next((n for n in range(1, count) if battle.wins(position, n)), None)
    if sooner:
        return f"a win in {sooner}"
    keys = battle.at_once(position) if count == 1 else battle.keys(position, count)
    return " or ".join(keys) or f"no win in {count}"


def minimal_sentence(idle: list[str], taken: str, what: str = "pyramid") -> str:
    if not idle:
        return f"Minimal: no {what} can be {taken} without spoiling the puzzle."
    return f"Not minimal: {', '.join(idle)} could be {taken}, and the answer would stay."


def _difficulty(
    battle: Battle, position: Any, count: int, key: str, tree: Json, tries: list[dict[str, Json]]
) -> Difficulty:
    moves, player = battle.rules.moves(position), battle.rules.actor(position)
    results = {r for r in moves.values() if battle.rules.winner(r) is None}
    battle.rules.ahead(battle.rules.turned(r, player) for r in results)
    threats = {m: r for m, r in moves.items() if r in results and battle.threatens(r, player)}
    methods: dict[str, Callable[[], list[str]]] = {
        "take a move that wins at once": lambda: battle.at_once(position),
        "take a move that threatens to win and lets the opponent not win first": lambda: [
            m for m, r in threats.items() if not battle.wins(r, 1)
        ],
        "look at all play two moves deep": lambda: battle.keys(position, 2),
        "follow threats three moves deep": lambda: [
            m for m, r in threats.items() if battle.forces(r, 3, player, forcing=True)
        ],
        "look at all play three moves deep": lambda: battle.keys(position, 3),
    }
    level, method = level_of(key, methods)
    vector = {
        "length": count,
        "choices": _choices(battle, position, tree),
        "answers": len(answers(tree)),
        "tries": len(tries),
        "refutation": max((attempt["depth"] for attempt in tries), default=0),
        "key": "final" if count == 1 else "threat" if key in threats else "quiet",
    }
    return Difficulty(level, method, vector)


def _choices(battle: Battle, position: Any, tree: Json) -> list[int]:
    """The number of moves to choose from at each turn of the (first) longest variation."""
    moves = battle.rules.moves(position)
    counts = [len(moves)]
    if "after" in tree:
        branch = max(tree["after"], key=_length)
        if "play" in branch:
            reply = battle.rules.moves(moves[tree["play"][0]])[branch["if"][0]]
            counts += _choices(battle, reply, branch)
    return counts


def answers(tree: Json) -> set[tuple[str, ...]]:
    """The different continuations after the key."""
    return {tuple(branch.get("play", ())) for branch in tree.get("after", [])}


def duals(tree: Json, path: tuple[str, ...] = ()) -> list[dict[str, Json]]:
    """Between the first move and the last."""
    ambiguous = []
    for branch in tree.get("after", []):
        line = (*path, tree["play"][0], branch["if"][0])
        if len(branch.get("play", [])) > 1 and "after" in branch:
            ambiguous.append({"after": list(line), "play": branch["play"]})
        ambiguous += duals(branch, line)
    return ambiguous


def _short(tree: Json, count: int) -> list[str]:
    """Replies to the key after which fewer moves than asked for are needed."""
    branches = tree.get("after", [])
    return [reply for branch in branches if _length(branch) < count - 1 for reply in branch["if"]]


def _length(tree: Json) -> int:
    if "play" not in tree:
        return 0
    return 1 + max((_length(branch) for branch in tree.get("after", [])), default=0)
