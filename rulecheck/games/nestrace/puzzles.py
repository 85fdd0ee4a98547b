"""Nest race: kinds of puzzles, and positions to make them from.

Most nests are home already, and the last pyramids are under way: that is where the order of the nests bites.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from rulecheck.games.nestrace import GAME, PASS, SIZES, Params, Position
from rulecheck.games.nestrace.engine import Engine
from rulecheck.model import InputError
from rulecheck.puzzles import battle
from rulecheck.puzzles.battle import Battle, Battlefield
from rulecheck.puzzles.kinds import changed_answers, level_of, require_two
from rulecheck.puzzles.lines import lines_of, numbered
from rulecheck.puzzles.model import Description, Difficulty, Draft
from rulecheck.puzzles.proofgames import ProofGame
from rulecheck.puzzles.rules import ByEngine, Rules, rules_of
from rulecheck.puzzles.verdicts import LegalOrNot, changed_verdicts, verdict
from rulecheck.pyramids import LARGE, SMALL, Pyramid, Stack

SHORT = GAME.params({"core": "4"})  # two nests each
LOOSE = 3  # pyramids of a player that are not home, at most
TRIES = 100  # positions that are put together before one has to be possible


def rules_for(params: Params) -> Rules:
    return rules_of(ByEngine, GAME.slug, params.as_dict(), GAME.rulebook.defaults())


def board_of(rules: Rules) -> Engine:
    return _engine(rules.choice.params, rules.choice.readings)


_engine = functools.lru_cache(maxsize=64)(Engine)


# -- Positions -------------------------------------------------------------------------------------------------


class Endings:
    """Positions near the end: of each player, some pyramids are still under way."""

    def __init__(self, params: Params, rng: random.Random) -> None:
        self.params, self.rng = params, rng
        edges = {s for p in params.letters for s in (*params.start_line(p), *params.finish_line(p))}
        self.core = [s for s in range(len(params.squares)) if s not in edges]

    def position(self, loose: Mapping[str, int]) -> Position | None:
        """A to move; so many of each player's last pyramids stand in the middle, wherever they fit."""
        stacks: list[Stack] = [()] * len(self.params.squares)
        under_way: list[Pyramid] = []
        for player, count in loose.items():
            home = [Pyramid(player, z) for _ in range(self.params.nests) for z in SIZES]
            under_way += home[len(home) - count :]
            at_home = home[: len(home) - count]
            for n, square in enumerate(self.rng.sample(self.params.finish_line(player), self.params.nests)):
                stacks[square] = tuple(at_home[3 * n : 3 * n + 3])
        self.rng.shuffle(under_way)
        for pyramid in under_way:
            fitting = [s for s in self.core if not stacks[s] or stacks[s][-1].pips < pyramid.pips]
            if not fitting:
                return None
            square = self.rng.choice(fitting)
            stacks[square] = (*stacks[square], pyramid)
        return self._checked(Position("A", tuple(stacks), self.params.squares))

    def blockade(self, last_row: Collection[int]) -> Position | None:
        """B to move: A's last small pyramid lies under one of B's; the two larger ones may not go home before it."""
        others = {p: self.rng.randrange(2, 6) for p in self.params.letters[1:]}
        position = self.position({"A": 3, **others})
        if position is None:
            return None
        stacks = [
            tuple(q for q in stack if q.colour != "A" or s not in self.core) for s, stack in enumerate(position.stacks)
        ]
        tops = [s for s in self.core if len(stacks[s]) == 1 and stacks[s][0] in (Pyramid("B", z) for z in SIZES[1:])]
        last = [s for s in self.core if s in last_row and not stacks[s]]
        if not tops or len(last) < 2:
            return None
        square = self.rng.choice(tops)
        stacks[square] = (Pyramid("A", SMALL), *stacks[square])
        for size, waits in zip((SMALL + 1, LARGE), self.rng.sample(last, 2), strict=True):
            stacks[waits] = (Pyramid("A", size),)
        return self._checked(Position("B", tuple(stacks), self.params.squares))

    def _checked(self, position: Position) -> Position | None:
        try:
            return GAME.read_position(self.params, str(position))  # type: ignore[no-any-return]
        except InputError:
            return None


@dataclass(frozen=True)
class Endgame:
    """What the kinds have in common that begin with the last pyramids under way."""

    params: Params = field(default=SHORT, kw_only=True)

    @property
    def name(self) -> str:
        raise NotImplementedError

    def within(self, params: Params) -> Self:
        if params.shared:
            raise InputError(f"puzzles of the kind {self.name} are for two or three players, not for {params.players}")
        return replace(self, params=params)


# -- Win in N --------------------------------------------------------------------------------------------------


def _question(mover: str, count: int) -> str:
    return f"{mover} to move is home in {count} moves, whatever the opponent does."


FIELD = Battlefield(_question, None)


@dataclass(frozen=True)
class WinIn(Endgame):
    count: int
    units: int = 300
    samples: int = 40

    @property
    def name(self) -> str:
        return f"win-in-{self.count}"

    def within(self, params: Params) -> Self:
        require_two(self.name, params.players)
        return super().within(params)

    def propose(self, rng: random.Random) -> Draft | None:
        rules, endings = rules_for(self.params), Endings(self.params, rng)
        for _ in range(self.samples):
            loose = {"A": rng.randrange(1, LOOSE + 1), "B": rng.choice((1, 1, 2, 3))}
            position = endings.position(loose)
            if position is not None and self._is_fight(Battle(rules), position):
                return Draft(str(position), params=self.params.as_dict())
        return None

    def _is_fight(self, fight: Battle, position: Position) -> bool:
        """Sound, and it matters what the opponent does, or would do with one more move."""
        if not battle.is_sound(fight, position, self.count):
            return False
        if fight.wins(replace(position, mover="B"), 1):
            return True
        return len(battle.answers(fight.tree(position, self.count))) > 1 or bool(fight.tries(position, self.count))

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        return battle.describe(rules, position, self.count, FIELD)


# -- Finish in N -----------------------------------------------------------------------------------------------


def alone(rules: Rules, position: Any, left: int = 1) -> dict[str, Any]:
    """The moves of one player, who stays to move until the end."""
    moves = rules.moves(position).items()
    over = rules.winner
    return {m: r if over(r) else replace(r, mover=position.mover) for m, r in moves if m != str(PASS)}


def is_home(player: str) -> Any:
    return lambda rules, position: rules.winner(position) == player


def can_be_home(params: Params, player: str) -> Any:
    """A pyramid that is not on the finish line needs a move, and so does each that lies under others."""
    finish = set(params.finish_line(player))

    def hope(position: Any, left: int) -> bool:
        away = [s for n, s in enumerate(position.stacks) if n not in finish]
        return bool(sum(q.colour == player for stack in away for q in stack) <= left)

    return hope


@dataclass(frozen=True)
class FinishIn(Endgame):
    """A player moves alone: the only shortest way home."""

    name: str = "finish-in-n"
    units: int = 300
    samples: int = 10
    least: int = 3
    most: int = 5

    def propose(self, rng: random.Random) -> Draft | None:
        rules, endings = rules_for(self.params), Endings(self.params, rng)
        for _ in range(self.samples):
            own, *others = self.params.letters
            position = endings.position({own: rng.choice((2, 3)), **{p: rng.randrange(3, 7) for p in others}})
            if position is not None and self._line(rules, position) is not None:
                return Draft(str(position), params=self.params.as_dict())
        return None

    def _line(self, rules: Rules, position: Any) -> tuple[str, ...] | None:
        """The only line of the least length, if that is worth asking for."""
        hope = can_be_home(rules.choice.params, position.mover)
        for length in range(1, self.most + 1):
            if hope(position, length):
                lines = lines_of(rules, position, length, alone, is_home(position.mover), 2, hope)
                if lines:
                    return lines[0] if len(lines) == 1 and length >= self.least else None
        return None

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        line = self._line(rules, position)
        if line is None:
            return None
        answer = " ".join(line)
        return Description(
            question=f"{position.mover} plays alone and is home in {len(line)} moves, not fewer. How?",
            policy="Exactly one line of this length, none shorter. Moves with equal results are one move.",
            answer=line,
            solution=numbered(line, [position.mover] * len(line)),
            difficulty=self._difficulty(rules, position, line),
            minimal=battle.ALL_STAND,
            other_readings=changed_answers(rules, position, answer, self._words),
        )

    def _words(self, rules: Rules, position: Any) -> str:
        """The answer under whatever reading."""
        hope = can_be_home(rules.choice.params, position.mover)
        for length in range(1, self.most + 1):
            lines = lines_of(rules, position, length, alone, is_home(position.mover), 2, hope)
            if lines:
                return " ".join(lines[0]) if len(lines) == 1 else f"several lines of {length} moves"
        return f"not home in {self.most} moves"

    def _difficulty(self, rules: Rules, position: Any, line: tuple[str, ...]) -> Difficulty:
        answer = " ".join(line)
        methods = {
            "always take a move that gains most rows": lambda: [" ".join(self._greedy(rules, position, len(line)))],
            "look at every line": lambda: [answer],
        }
        level, method = level_of(answer, methods)
        choices, at = [], position
        for move in line:
            options = alone(rules, at)
            choices.append(len(options))
            at = options[move]
        return Difficulty(level, method, {"length": len(line), "choices": choices, "tries": 0})

    def _greedy(self, rules: Rules, position: Any, length: int) -> Iterator[str]:
        at = position
        for _ in range(length):
            options = alone(rules, at)
            if not options or rules.winner(at) is not None:
                return
            move = max(options, key=lambda m: _rows(board_of(rules), position.mover, options[m]))
            at = options[move]
            yield move


def _rows(engine: Engine, player: str, position: Any) -> int:
    """How far all pyramids of a player have come."""
    rows = engine.rows[player]
    return sum(rows[s] for s, stack in enumerate(position.stacks) for q in stack if q.colour == player)


# -- The pat rule ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FreeTheBlockade(Endgame):
    """Somebody is blocked and has to be let go: the only legal move."""

    name: str = "free-the-blockade"
    units: int = 300

    def propose(self, rng: random.Random) -> Draft | None:
        endings, rules = Endings(self.params, rng), rules_for(self.params)
        for _ in range(TRIES):
            position = endings.blockade(board_of(rules).brinks["A"])
            if position is not None and rules.winner(position) is None and len(rules.moves(position)) == 1:
                return Draft(str(position), params=self.params.as_dict())
        return None

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        moves = list(rules.moves(position))
        free = rules.under({"pat": "off"}) if rules.choice.readings["pat"] != "off" else rules
        without = list(free.moves(position))
        if rules.winner(position) is not None or len(moves) != 1 or len(without) < 3 or moves[0] not in without:
            return None
        methods = {
            "take the move that gains most rows": lambda: [
                max(without, key=lambda m: _rows(board_of(rules), position.mover, free.moves(position)[m]))
            ],
            "try every move against the pat rule": lambda: moves,
        }
        level, method = level_of(moves[0], methods)
        vector = {"length": 1, "choices": [len(without)], "tries": len(without) - 1}
        return Description(
            question=f"{position.mover} blocks {_another(rules)} and has only one legal move. Which?",
            policy="One legal move, up to moves with equal results; without the pat rule there would be more.",
            answer=(moves[0],),
            solution=[f"{moves[0]}. The pat rule forbids {', '.join(m for m in without if m != moves[0])}."],
            difficulty=Difficulty(level, method, vector),
            minimal=battle.ALL_STAND,
            other_readings=changed_answers(rules, position, moves[0], _few_moves),
        )


def _another(rules: Rules) -> str:
    return "the opponent" if rules.choice.params.players == 2 else "another player"


def _few_moves(rules: Rules, position: Any) -> str:
    moves = list(rules.moves(position))
    return " or ".join(moves) if len(moves) <= 3 else f"{len(moves)} legal moves"


@dataclass(frozen=True)
class IsItPat(Endgame):
    """A move in or near a blockade: does the pat rule forbid it, and by which of its sentences?"""

    name: str = "is-it-pat"
    units: int = 300

    def propose(self, rng: random.Random) -> Draft | None:
        endings, rules = Endings(self.params, rng), rules_for(self.params)
        for _ in range(TRIES):
            position = endings.blockade(board_of(rules).brinks["A"])
            if position is None or rules.winner(position) is not None:
                continue
            without = rules.under({"pat": "off"}).moves(position)
            forbidden = [m for m in without if m not in rules.moves(position)]
            pool = forbidden if forbidden and rng.random() < 0.7 else list(rules.moves(position))
            if forbidden and pool:
                return Draft(str(position), rng.choice(pool), params=self.params.as_dict())
        return None

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        answer = verdict(rules, position, asked)
        if answer not in ("legal", "illegal by NR-29", "illegal by NR-30"):
            return None
        if not rules.under({"pat": "off"}).judge(position, GAME.read_move(rules.choice.params, asked)).legal:
            return None
        sentence = {"legal": "Legal: the pat rule has nothing against it."}
        sentence |= {f"illegal by {c}": f"{c}: {GAME.rulebook.clauses[c].text}" for c in ("NR-29", "NR-30")}
        methods = {
            "forbid what lands on a pyramid of another player": lambda: [_at_a_glance(rules, position, asked)],
            "apply the second sentence of the pat rule": lambda: ["legal" if answer == "illegal by NR-29" else answer],
            "apply both sentences of the pat rule": lambda: [answer],
        }
        level, method = level_of(answer, methods)
        moves = len(rules.moves(position))
        return Description(
            question=f"{position.mover} wants to play {asked}. Does the pat rule forbid it, and by which sentence?",
            policy="One verdict: legal, or illegal by exactly one of NR-29 and NR-30; apart from these it is legal.",
            answer=(answer,),
            solution=[sentence[answer]],
            difficulty=Difficulty(level, method, {"length": 1, "choices": [moves], "verdict": answer.split()[0]}),
            minimal=battle.ALL_STAND,
            other_readings=changed_verdicts(rules, position, asked),
        )


def _at_a_glance(rules: Rules, position: Any, asked: str) -> str:
    """Without a thought about who is in pat."""
    path = GAME.read_move(rules.choice.params, asked).path
    under = position.stacks[rules.choice.params.number[path[-1]]] if path else ()
    return "illegal by NR-30" if under and under[-1].colour != position.mover else "legal"


KINDS = (
    FinishIn(),
    WinIn(2),
    WinIn(3),
    FreeTheBlockade(),
    IsItPat(),
    LegalOrNot(GAME.slug),
    ProofGame(GAME, {"core": "2"}, 4),
)
