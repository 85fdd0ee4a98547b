"""Crosswalk: kinds of puzzles. The worth of a turn comes from a solved table that the checker has accepted."""

from __future__ import annotations

import functools
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulecheck.games.crosswalk import GAME, OTHER, PEDESTRIAN, Position
from rulecheck.games.crosswalk.playing import estimate
from rulecheck.games.crosswalk.puzzles.rolled import RolledGame
from rulecheck.model import Readings
from rulecheck.puzzles.battle import minimal_sentence
from rulecheck.puzzles.kinds import changed_answers, level_of
from rulecheck.puzzles.model import Description, Difficulty, Draft, Json
from rulecheck.puzzles.rules import ByEngine, Rules, rules_of
from rulecheck.puzzles.verdicts import LegalOrNot
from rulecheck.registry import Choice
from rulecheck.solve.spaces import key_of
from rulecheck.solve.tables import Range, values_at
from solvers.certificate import ONE

RACE = {"sizes": "12", "pedestrians": "none"}  # small enough to be solved in seconds, as is
CROSSING = {"squares": "3", "sizes": "12", "pedestrians": "1"}
MARGIN = 0.02  # of the probability of a forced win: what the second best turn loses at least
WHOLE = "Each player's nest is whole by the rules, so none of it can be removed."


class Worths:
    """What the player to move can force, in every position of a solved game."""

    def __init__(self, choice: Choice) -> None:
        from rulecheck.solve.solver import solve_chart

        with tempfile.TemporaryDirectory() as folder:
            done = solve_chart(choice, Path(folder))  # refuses what the checker does not accept
        self.choice, self.bounds = choice, done.solution.bounds
        self.row = {key: row for row, key in enumerate(done.chart.keys)}

    def knows(self, position: Position) -> bool:
        return key_of(self.choice, position.rolled(None)) in self.row

    def of_turn(self, rules: Rules, result: Position) -> Range:
        """The worth of a turn to this result, to its player: the chance to force a win."""
        won = rules.winner(result)
        if won is not None:
            return Range(ONE, ONE) if won == OTHER[result.mover] else Range(0, 0)
        return values_at(self.bounds, self.row[key_of(self.choice, result)]).loss


@functools.lru_cache(maxsize=32)
def _worths(params: tuple[tuple[str, str], ...], readings: Readings) -> Worths:
    return Worths(Choice(GAME, GAME.params(dict(params)), readings))


def worths(rules: Rules) -> Worths:
    """Solved once in each process."""
    return _worths(tuple(rules.choice.params.as_dict().items()), rules.choice.readings)


def chance(value: float) -> str:
    return f"{value:.4f}"


def turn_values(rules: Rules, position: Position) -> dict[str, Range]:
    """The turns and their worths, best first."""
    known = worths(rules)
    values = {turn: known.of_turn(rules, result) for turn, result in rules.moves(position).items()}
    return dict(sorted(values.items(), key=lambda item: (-item[1].low, item[0])))


def best_turn(values: Mapping[str, Range]) -> tuple[str, float] | None:
    """The best turn and the least that any other loses, if that is enough."""
    (best, worth), *others = values.items()
    loss = min(((worth.low - other.high) / ONE for _, other in others), default=0.0)
    return (best, loss) if loss >= MARGIN else None


# -- What could be removed -------------------------------------------------------------------------------------


def fewer(rules: Rules, position: Position) -> Iterator[tuple[str, Rules, Position]]:
    """The position without one pedestrian, in the game that has one less."""
    for place, stack in enumerate(position.stacks):
        for level, pyramid in enumerate(stack):
            if pyramid.colour == PEDESTRIAN:
                rest = (*stack[:level], *stack[level + 1 :])
                stacks = (*position.stacks[:place], rest, *position.stacks[place + 1 :])
                street = rules.choice.params.as_dict()["pedestrians"].split(",")
                at = next(n for n, there in enumerate(street) if str(pyramid.pips) in there)
                street[at] = street[at].replace(str(pyramid.pips), "", 1) or "-"
                yield (
                    f"{pyramid} on {place}",
                    rules.within({"pedestrians": ",".join(street)}),
                    Position(position.mover, stacks, position.roll),
                )


def minimal(position: Position, idle: list[str]) -> str:
    if any(pyramid.colour == PEDESTRIAN for stack in position.stacks for pyramid in stack):
        return f"{minimal_sentence(idle, 'removed', 'pedestrian')} {WHOLE}"
    return WHOLE


# -- The best turn ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BestTurn:
    """The turn that keeps the most for this roll; with `stuck`, of a player who has no valid turn and relocates."""

    name: str
    stuck: bool
    games: Sequence[Mapping[str, str]]
    units: int = 200
    samples: int = 60

    def within(self, params: Any) -> BestTurn:
        return replace(self, games=(params.as_dict(),))

    def propose(self, rng: random.Random) -> Draft | None:
        params = GAME.params(rng.choice(self.games)).as_dict()
        rules = rules_of(ByEngine, GAME.slug, params, GAME.rulebook.defaults())
        known = sorted(worths(rules).row)
        for _ in range(self.samples):
            position = rules.read(rng.choice(known).decode()).rolled(rng.randrange(1, rules.choice.params.die + 1))
            if self._values(rules, position) is not None:
                return Draft(str(position), params=params)
        return None

    def _values(self, rules: Rules, position: Position) -> dict[str, Range] | None:
        """The worths of the turns, if the position makes a puzzle."""
        if rules.winner(position) is not None or not worths(rules).knows(position):
            return None
        moves = rules.moves(position)
        if len(moves) < 3 or self.stuck != all(">" in turn or turn == "pass" for turn in moves):
            return None
        values = turn_values(rules, position)
        if best_turn(values) is None or next(iter(values.values())).low == ONE:
            return None
        return values

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        values = self._values(rules, position) if position.roll is not None else None
        best_and_loss = best_turn(values) if values else None
        if values is None or best_and_loss is None:
            return None
        best, loss = best_and_loss
        others = [(turn, value) for turn, value in values.items() if turn != best]
        idle = [name for name, other, rest in fewer(rules, position) if self._best(other, rest) == best]
        return Description(
            question=self._question(position),
            policy=(
                f"One turn is best: every other loses at least {MARGIN} of the probability with which the player can "
                "force a win, by a solved table that the checker has accepted. Turns with equal results are one turn."
            ),
            answer=(best,),
            solution=[
                f"{best} keeps a forced win with probability {chance(values[best].low / ONE)}; the next best loses "
                f"{chance(loss)} of it."
            ],
            difficulty=self._difficulty(rules, position, values, best, loss),
            tries=tuple(self._try(values[best], turn, value) for turn, value in others[:5]),
            idle=tuple(idle),
            minimal=minimal(position, idle),
            other_readings=changed_answers(rules, position, best, self._words),
        )

    def _best(self, rules: Rules, position: Position) -> str | None:
        values = self._values(rules, position)
        best = best_turn(values) if values else None
        return best[0] if best else None

    def _try(self, best: Range, turn: str, value: Range) -> dict[str, Json]:
        loses = (best.low - value.high) / ONE
        return {"play": turn, "refutation": f"loses {chance(loses)}", "depth": 1}

    def _question(self, position: Position) -> str:
        if self.stuck:
            return f"{position.mover} has rolled {position.roll} and has no valid turn. What is relocated, where to?"
        return f"{position.mover} has rolled {position.roll}. Which turn is best?"

    def _words(self, rules: Rules, position: Position) -> str:
        """The answer under the reading of these rules."""
        moves = rules.moves(position)
        if not worths(rules).knows(position):
            return "not reached in play"
        values = turn_values(rules, position)
        best = max(value.low for value in values.values())
        good = sorted(turn for turn in moves if values[turn].high >= best)
        return " or ".join(good[:3]) + (f" and {len(good) - 3} more" if len(good) > 3 else "")

    def _difficulty(
        self, rules: Rules, position: Position, values: Mapping[str, Range], best: str, loss: float
    ) -> Difficulty:
        moves = rules.moves(position)
        methods: dict[str, Callable[[], list[str]]] = {
            "win at once, if a turn does": lambda: [m for m, r in moves.items() if rules.winner(r) == position.mover],
            "bring the own pyramids nearest home and the others furthest back": lambda: _glance(rules, position),
            "know what every turn is worth": lambda: [best],
        }
        level, method = level_of(best, methods)
        losses = [(values[best].high - value.low) / ONE for turn, value in values.items() if turn != best]
        tempting = sum(lost < 2 * loss for lost in losses)
        vector = {"length": 1, "choices": [len(moves)], "tries": tempting, "margin": chance(loss)}
        return Difficulty(level, method, vector)


def _glance(rules: Rules, position: Position) -> list[str]:
    engine = rules.choice.engine()
    worth = {m: estimate(engine, r, position.mover) for m, r in rules.moves(position).items()}
    best = max(worth.values())
    return [m for m, value in worth.items() if value == best]


# -- Which rolls win? ------------------------------------------------------------------------------------------


def winning_rolls(rules: Rules, position: Position) -> dict[int, list[str]]:
    """For each roll the turns that win at once."""
    turns = {}
    for roll in range(1, rules.choice.params.die + 1):
        moves = rules.moves(position.rolled(roll))
        turns[roll] = [turn for turn, result in moves.items() if rules.winner(result) == position.mover]
    return turns


@dataclass(frozen=True)
class WhichRolls:
    """Before the roll: which numbers let the player win in this turn?"""

    games: Sequence[Mapping[str, str]]
    name: str = "which-rolls-win"
    units: int = 200
    samples: int = 100

    def within(self, params: Any) -> WhichRolls:
        return replace(self, games=(params.as_dict(),))

    def propose(self, rng: random.Random) -> Draft | None:
        params = GAME.params(rng.choice(self.games))
        rules = rules_of(ByEngine, GAME.slug, params.as_dict(), GAME.rulebook.defaults())
        for _ in range(self.samples):
            position = self._position(rules, rng)
            if self._is_question(rules, position):
                return Draft(str(position), params=params.as_dict())
        return None

    def _position(self, rules: Rules, rng: random.Random) -> Position:
        """A's pyramids near the finish, in the order of a nest as far as they are home; the others anywhere."""
        params = rules.choice.params
        stacks: list[list[Any]] = [[] for _ in params.places]
        home = rng.randrange(len(params.sizes))
        pieces = sorted(params.material.elements(), key=lambda q: (q.colour != "A", q.pips))
        for at, piece in enumerate(pieces):
            if piece.colour == "A":
                stacks[0 if at < home else rng.choice((1, 1, 2, 3))].append(piece)
            else:
                square = rng.choice([*params.board, params.finish("B") if piece.colour == "B" else 2])
                stacks[square].insert(rng.randrange(len(stacks[square]) + 1), piece)
        return Position("A", tuple(tuple(stack) for stack in stacks))

    def _is_question(self, rules: Rules, position: Position) -> bool:
        if rules.winner(position) is not None or position.roll is not None:
            return False
        winning = sum(map(bool, winning_rolls(rules, position).values()))
        return 2 <= winning < int(rules.choice.params.die)

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        if not self._is_question(rules, position):
            return None
        turns = winning_rolls(rules, position)
        answer = _rolls(rules, position)
        exact = " and ".join(str(roll) for roll, wins in turns.items() if wins and roll == self._pips(position))
        methods = {
            "count the pips of the pyramids that are not home, each as often as it has squares to go": lambda: [exact],
            "try every roll": lambda: [answer],
        }
        level, method = level_of(answer, methods)
        vector = {"length": 1, "choices": [rules.choice.params.die], "rolls": sum(map(bool, turns.values()))}
        idle = [name for name, other, rest in fewer(rules, position) if _rolls(other, rest) == answer]
        return Description(
            question=f"{position.mover} is about to roll. Which rolls win in this turn?",
            policy="The set of rolls is the answer; any turn that wins shows it.",
            answer=(answer,),
            solution=[f"{roll}: {' or '.join(wins[:3])}" for roll, wins in turns.items() if wins],
            difficulty=Difficulty(level, method, vector),
            idle=tuple(idle),
            minimal=minimal(position, idle),
            other_readings=changed_answers(rules, position, answer, _rolls),
        )

    def _pips(self, position: Position) -> int:
        """The points it takes to walk every pyramid of the mover straight home."""
        return sum(at * q.pips for at, stack in enumerate(position.stacks) for q in stack if q.colour == position.mover)


def _rolls(rules: Rules, position: Position) -> str:
    return " and ".join(str(roll) for roll, wins in winning_rolls(rules, position).items() if wins) or "none"


KINDS = (
    BestTurn("best-turn", False, (RACE, CROSSING)),
    BestTurn("relocate", True, (RACE, CROSSING)),
    WhichRolls((RACE, CROSSING)),
    RolledGame(GAME, RACE, 3),
    LegalOrNot(GAME.slug),
)
