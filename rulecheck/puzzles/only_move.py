"""The only move: one move keeps what the position is worth, and every other move gives it away."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulecheck.analyses.solved_play import SolvedPlay, solve_play
from rulecheck.explore import TooLargeError
from rulecheck.puzzles.kinds import changed_answers, level_of
from rulecheck.puzzles.model import Description, Difficulty, Draft
from rulecheck.puzzles.pools import WITHIN, FromPools, choose_pool, distinct, hero_of, voice
from rulecheck.puzzles.rules import Rules
from rulecheck.solve.tables import Range
from rulecheck.solve.worth import Worth
from solvers.certificate import ONE
from solvers.graph import Outcome

POLICY = (
    "Exactly one move keeps the value against best play: it wins and no other move does, or it does not lose and all "
    "other moves do. Moves that lead to the same position are one move. Endless play is no loss."
)
BY_CHANCE = (
    "Exactly one move wins more games than every other against best play, by proved bounds and by at least one game in "
    "a hundred. Moves that lead to the same position are one move."
)
GAP = ONE // 100  # a smaller difference makes no question for people
LARGEST = 12  # denominator of a share stated as a fraction
WORDS = {Outcome.WIN: "wins", Outcome.TIE: "leads to a tie", Outcome.DRAW: "leads to endless play"}
GRADE = {Outcome.WIN: 2, Outcome.TIE: 1, Outcome.DRAW: 1, Outcome.LOSS: 0}
Rows = dict[str, Worth]  # each move, with what it is worth to the player who makes it


@dataclass(frozen=True)
class OnlyMove(FromPools):
    name: str = "only-move"
    units: int = 200
    samples: int = 40  # positions looked at in a unit

    def propose(self, rng: random.Random) -> Draft | None:
        pool = choose_pool(rng, self.game, self.params)
        engine = pool.play.engine
        for position in pool.sample(rng, self.samples):
            solved = pool.solved(hero_of(engine, engine.actor(position)))
            if only_move(rows_of(solved, position)):
                return Draft(str(position), params=pool.params.as_dict())
        return None

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        solved = solved_from(rules, position)
        rows = {} if solved is None else rows_of(solved, position)
        key = only_move(rows)
        if solved is None or key is None:
            return None
        by_chance = rows[key].values is not None
        return Description(
            question=_question(solved, position, rows[key]),
            policy=BY_CHANCE if by_chance else POLICY,
            answer=(key,),
            solution=_shares(key, rows) if by_chance else [f"{key}! It {_worth(rows[key])}."],
            difficulty=_difficulty(key, rows),
            tries=() if by_chance else tuple(_refuted(solved, position, move, rows) for move in rows if move != key),
            minimal=f"No claim of minimality. {voice(rules)}",
            other_readings=changed_answers(rules, position, key, answer),
        )


def solved_from(rules: Rules, position: Any) -> SolvedPlay[Any, Any] | None:
    """All play from a position, solved by the given encoding; None if there is too much of it or the game is over."""
    choice, engine = rules.choice, rules.playable
    if engine.end(position) is not None or engine.chances(position):
        return None
    hero = hero_of(engine, engine.actor(position))
    try:
        return solve_play(choice.game, choice.params, engine, hero=hero, begin=position, limit=WITHIN)
    except TooLargeError:
        return None


def rows_of(solved: SolvedPlay[Any, Any], position: Any) -> Rows:
    """The moves with different results, in the order of the engine."""
    worth = {way.step.label: way.worth for way in solved.choices(position)}
    return {move: worth[move] for move in distinct(solved.engine.moves(position))}


def only_move(rows: Rows) -> str | None:
    """The only move that keeps the value, if there is just one and there is a choice."""
    best = min(rows, key=lambda move: rows[move].rank, default=None)
    others = [worth for move, worth in rows.items() if move != best]
    return best if best is not None and others and all(_is_better(rows[best], other) for other in others) else None


def _is_better(key: Worth, other: Worth) -> bool:
    if key.values is not None and other.values is not None:
        return key.values.win.low > other.values.win.high + GAP
    assert key.outcome is not None
    assert other.outcome is not None
    return GRADE[key.outcome] > GRADE[other.outcome]


# -- Words ----------------------------------------------------------------------------------------------------


def _question(solved: SolvedPlay[Any, Any], position: Any, key: Worth) -> str:
    player = solved.engine.actor(position)
    against = "" if len(solved.engine.players) == 2 else ", against all others together"
    if key.values is not None:
        return f"{player} to act{against}: which move wins the most games?"
    what = "wins" if key.outcome is Outcome.WIN else "does not lose"
    return f"{player} to act{against}: only one move {what}. Which?"


def _worth(worth: Worth) -> str:
    assert worth.outcome is not None
    away = "" if worth.distance is None else f", {worth.distance} {'move' if worth.distance == 1 else 'moves'} away"
    return f"{WORDS[worth.outcome]}{away}"


def _shares(key: str, rows: Rows) -> list[str]:
    """`roll wins 2 games in 3; the best other move, hold, 1 in 2.`"""
    second = min((move for move in rows if move != key), key=lambda move: rows[move].rank)
    first, other = rows[key].values, rows[second].values
    assert first is not None
    assert other is not None
    return [f"{key}! It wins {share(first.win)}; the best other move, {second}, {share(other.win)}."]


def share(bounds: Range) -> str:
    """A probability between the bounds: a small fraction if there is one, otherwise four digits."""
    middle = Fraction(bounds.low + bounds.high, 2 * ONE)
    simple = middle.limit_denominator(LARGEST)
    if Fraction(bounds.low, ONE) <= simple <= Fraction(bounds.high, ONE):
        return {0: "no game", 1: "every game"}.get(int(simple) if simple.denominator == 1 else -1) or (
            f"{simple.numerator} {'game' if simple.numerator == 1 else 'games'} in {simple.denominator}"
        )
    return f"{float(middle):.4f} of all games"


def _refuted(solved: SolvedPlay[Any, Any], position: Any, move: str, rows: Rows) -> dict[str, Any]:
    """The best play after a move that gives the value away."""
    result = distinct(solved.engine.moves(position))[move]
    ways = solved.ways(result)
    reply = min(ways, key=lambda way: (way.worth.rank, way.step.label)).step.label if ways else "it is over"
    depth = rows[move].distance
    return {"play": move, "refutation": reply, "depth": -1 if depth is None else depth}


def _difficulty(key: str, rows: Rows) -> Difficulty:
    methods: dict[str, Callable[[], Sequence[str]]] = {}
    if rows[key].values is None:
        methods["take a move that wins at once"] = lambda: [m for m, w in rows.items() if _ends(w, Outcome.WIN, 1)]
        for depth in (2, 4):
            methods[f"avoid what loses within {depth} moves of both"] = _avoiding(rows, depth)
    methods["know the whole game"] = lambda: [key]
    level, method = level_of(key, methods)
    worth = rows[key].outcome
    return Difficulty(level, method, {
        "length": 1, "choices": [len(rows)], "key": "likeliest" if worth is None else worth.name.lower(),
    })  # fmt: skip


def _avoiding(rows: Rows, depth: int) -> Callable[[], Sequence[str]]:
    return lambda: [move for move, worth in rows.items() if not _ends(worth, Outcome.LOSS, depth)]


def _ends(worth: Worth, outcome: Outcome, within: int) -> bool:
    return worth.outcome is outcome and worth.distance is not None and worth.distance <= within


def answer(rules: Rules, position: Any) -> str:
    """In a few words, under any reading."""
    engine = rules.playable
    if engine.end(position) is not None:
        return "the game is over"
    solved = solved_from(rules, position)
    if solved is None:
        return f"not known, because play goes on through more than {WITHIN} positions"
    rows = rows_of(solved, position)
    return only_move(rows) or ("several moves are as good" if rows else "there is no move")
