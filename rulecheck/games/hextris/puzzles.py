"""Hextris: kinds of puzzles, and positions to make them from.

The last group is the place for puzzles: five pieces of each player are left, and who connects them wins.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from rulecheck.games.hextris import GAME, SIZES, Params, Position
from rulecheck.games.hextris.engine import Engine
from rulecheck.puzzles import battle
from rulecheck.puzzles.battle import Battle, Battlefield
from rulecheck.puzzles.kinds import changed_answers, level_of, require_two
from rulecheck.puzzles.lines import Hope, lines_of, numbered
from rulecheck.puzzles.model import Description, Difficulty, Draft
from rulecheck.puzzles.proofgames import ProofGame
from rulecheck.puzzles.rules import ByEngine, Rules, rules_of
from rulecheck.puzzles.verdicts import LegalOrNot
from rulecheck.puzzles.whole import GiveNothingAway
from rulecheck.pyramids import Pyramid

PRINTED = GAME.params({})
SEVEN = GAME.params({"radius": "1", "group": "3", "groups": "2", "pieces": "2,2,2"})  # where three moves can be proved
NUMBER = {1: "one move", 2: "two moves", 3: "three moves"}


def _question(mover: str, count: int) -> str:
    other = "B" if mover == "A" else "A"
    against = "" if count == 1 else f", whatever {other} does"
    return f"{mover} to move completes the last group in {NUMBER[count]}{against}."


def back_in_hand(position: Position) -> dict[str, Position]:
    """The position with one piece less on the board, by the name of its point; its owner has it in hand again."""
    without = {}
    for point, piece in enumerate(position.points):
        if piece is not None:
            points = (*position.points[:point], None, *position.points[point + 1 :])
            hands = list(position.hands)
            at = position.params.colours.index(piece.colour)
            small, medium, large = (held + (s == piece.pips) for s, held in zip(SIZES, hands[at], strict=True))
            hands[at] = (small, medium, large)
            name = f"{piece} on {position.params.names[point]}"
            without[name] = replace(position, points=points, hands=tuple(hands))
    return without


FIELD = Battlefield(_question, back_in_hand, "taken back into hand")


# -- Positions with one group left to make ---------------------------------------------------------------------


class Endgames:
    """Positions in which both players need one more group, in loose clusters of the pieces that they have left."""

    def __init__(self, engine: Engine, rng: random.Random) -> None:
        self.engine, self.rng, self.params = engine, rng, engine.params

    def position(self, held: int) -> Position:
        """A to move, with `held` pieces still in hand."""
        points: list[Pyramid | None] = [None] * len(self.params.points)
        hands = []
        for colour, in_hand in (("A", held), ("B", self.rng.choice((0, 0, 1, self.params.group // 2)))):
            owned = self.params.pieces(colour)
            gone = self.params.group * (self.params.groups - 1)
            left = self.rng.sample(SIZES, sum(owned) - gone, counts=owned)
            for pips in left[in_hand:]:
                points[self._spot(points, colour)] = Pyramid(colour, pips)
            small, medium, large = (left[:in_hand].count(s) for s in SIZES)
            hands.append((small, medium, large))
        formed = (self.params.groups - 1,) * 2
        return Position("A", tuple(points), tuple(hands), formed, self.params)

    def _spot(self, points: list[Pyramid | None], colour: str) -> int:
        """Beside a piece of the same colour, mostly."""
        free = [p for p in self.params.points if points[p] is None]
        beside = [p for p in free if any(_owned(points, q, colour) for q in self.engine.neighbours[p])]
        return self.rng.choice(beside if beside and self.rng.random() < 0.7 else free)

    def is_open(self, position: Position) -> bool:
        """No group stands complete already."""
        standing = {p: piece.colour for p, piece in enumerate(position.points) if piece}
        return all(
            len(self.engine.grow(position, dict(standing.items()), p).points) < self.params.group for p in standing
        )


def _owned(points: list[Pyramid | None], point: int, colour: str) -> bool:
    piece = points[point]
    return piece is not None and piece.colour == colour


@dataclass(frozen=True)
class WinIn:
    """The player to move completes the last group in `count` moves, whatever the opponent does."""

    count: int
    params: Params
    units: int
    samples: int  # positions tried in a unit

    @property
    def name(self) -> str:
        return f"win-in-{self.count}"

    def within(self, params: Params) -> WinIn:
        require_two(self.name, len(params.colours))
        return replace(self, params=params)

    def propose(self, rng: random.Random) -> Draft | None:
        rules = rules_of(ByEngine, GAME.slug, self.params.as_dict(), GAME.rulebook.defaults())
        for position in self._samples(rng):
            fight = Battle(rules)
            if battle.is_sound(fight, position, self.count):
                return Draft(str(self._stripped(fight, position)), params=self.params.as_dict())
        return None

    def _samples(self, rng: random.Random) -> Iterator[Position]:
        endgames = Endgames(Engine(self.params, GAME.rulebook.defaults()), rng)
        for _ in range(self.samples):
            position = endgames.position(rng.randrange(min(self.count, 2) + 1))
            if endgames.is_open(position):
                yield position

    def _stripped(self, fight: Battle, position: Position) -> Position:
        """Without the pieces that it does not need."""
        for fewer in back_in_hand(position).values():
            if battle.is_sound(fight, fewer, self.count):
                return self._stripped(fight, fewer)
        return position

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        return battle.describe(rules, position, self.count, FIELD)


# -- Together --------------------------------------------------------------------------------------------------


def alone_or_both(rules: Rules, position: Any, left: int) -> dict[str, Any]:
    """The turns that make no group, or one of either colour."""
    if rules.winner(position) is not None:
        return {}
    return {m: r for m, r in rules.moves(position).items() if sum(r.groups) != sum(position.groups) + 1}


@dataclass(frozen=True)
class TogetherIn:
    """Both players help: the last of `length` turns makes a group of either colour."""

    length: int = 2
    units: int = 300
    samples: int = 1500

    @property
    def name(self) -> str:
        return f"together-in-{self.length}"

    def propose(self, rng: random.Random) -> Draft | None:
        rules = rules_of(ByEngine, GAME.slug, PRINTED.as_dict(), GAME.rulebook.defaults())
        engine = Engine(PRINTED, GAME.rulebook.defaults())
        for _ in range(self.samples):
            position = self._position(engine, rng)
            if position is not None and Endgames(engine, rng).is_open(position) and self._line(rules, position):
                return Draft(str(position))
        return None

    def _position(self, engine: Engine, rng: random.Random) -> Position | None:
        """Two fives side by side, two neighbours of which have changed places, and one piece of A astray."""
        first = rng.choice(PRINTED.points)
        second = rng.choice(engine.neighbours[first])
        own, other = self._grown(engine, rng, [first], {second}), self._grown(engine, rng, [second], set())
        if set(own) & set(other):
            return None
        owner = dict.fromkeys(own, "A") | dict.fromkeys(other, "B") | {first: "B", second: "A"}
        astray = rng.choice([p for p in own if p != first])
        free = [p for p in PRINTED.points if p not in owner]
        owner[rng.choice(free)] = owner.pop(astray)
        points = tuple(Pyramid(owner[p], rng.choice(SIZES)) if p in owner else None for p in PRINTED.points)
        hands = []
        for colour in PRINTED.colours:
            stand = [piece.pips for piece in points if piece is not None and piece.colour == colour]
            small, medium, large = (n - stand.count(s) for s, n in zip(SIZES, PRINTED.pieces(colour), strict=True))
            hands.append((small, medium, large))
        return Position("A", points, tuple(hands), (0, 0), PRINTED)

    def _grown(self, engine: Engine, rng: random.Random, points: list[int], without: set[int]) -> list[int]:
        while len(points) < PRINTED.group:
            beside = {q for p in points for q in engine.neighbours[p]} - {*points, *without}
            points = [*points, rng.choice(sorted(beside))]
        return points

    def _lines(self, rules: Rules, position: Any) -> list[tuple[str, ...]]:
        formed = [rules.choice.params.colours, position.groups]

        def both(_: Rules, after: Any) -> bool:
            return all(after.formed(c) == before + 1 for c, before in zip(*formed, strict=True))

        return lines_of(rules, position, self.length, alone_or_both, both)

    def _line(self, rules: Rules, position: Any) -> tuple[str, ...] | None:
        """The only one, and neither player needs less."""
        lines = self._lines(rules, position)
        return lines[0] if len(lines) == 1 and not replace(self, length=1)._lines(rules, position) else None

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        line = self._line(rules, position)
        if line is None:
            return None
        answer = " ".join(line)
        other = "B" if position.mover == "A" else "A"
        turned = replace(position, mover=other)
        methods = {
            "play the last turn at once": lambda: [" ".join(m) for m in replace(self, length=1)._lines(rules, turned)],
            "look at all play": lambda: [answer],
        }
        level, method = level_of(answer, methods)
        choices = [len(rules.moves(position)), len(rules.moves(rules.moves(position)[line[0]]))]
        idle = [name for name, fewer in back_in_hand(position).items() if self._line(rules, fewer) == line]
        return Description(
            question=f"{position.mover} and {other} help each other: {other}'s turn makes a group of both colours.",
            policy="Exactly one line, turn by turn, and no single turn does it. Turns with equal results are one turn.",
            answer=line,
            solution=numbered(line, (position.mover, other)),
            difficulty=Difficulty(level, method, {"length": self.length, "choices": choices, "tries": 0}),
            set_play=tuple({"if": [], "play": " ".join(m)} for m in replace(self, length=1)._lines(rules, turned)),
            idle=tuple(idle),
            minimal=battle.minimal_sentence(idle, FIELD.taken),
            other_readings=changed_answers(rules, position, answer, self._words),
        )

    def _words(self, rules: Rules, position: Any) -> str:
        lines = self._lines(rules, position)
        return " ".join(lines[0]) if len(lines) == 1 else "several lines" if lines else "no line"


# -- Proof games -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FromNothing(ProofGame):
    """From the empty board."""

    def hope(self, target: Any, asked: str) -> Hope:
        """Nothing comes back; as long as nothing leaves the board, a turn changes two points at most."""
        ended = _pieces(target)

        def hope(position: Any, left: int) -> bool:
            hands = zip(position.hands, target.hands, strict=True)
            if any(had < has for pair in hands for had, has in zip(*pair, strict=True)):
                return False
            differ = sum(a != b for a, b in zip(position.points, target.points, strict=True))
            return _pieces(position) > ended or (_pieces(position) == ended and differ <= 2 * left)

        return hope

    def standing(self, position: Any) -> set[tuple[Any, Any]]:
        return {(point, piece) for point, piece in enumerate(position.points) if piece is not None}


def _pieces(position: Any) -> int:
    return sum(map(sum, position.hands)) + sum(piece is not None for piece in position.points)


KINDS = (
    WinIn(1, PRINTED, 200, 40),
    WinIn(2, PRINTED, 200, 40),
    WinIn(3, SEVEN, 200, 200),
    GiveNothingAway(GAME, {"radius": "1", "group": "3", "groups": "1", "pieces": "1,2,0"}),
    TogetherIn(),
    FromNothing(GAME, {}, 3, samples=400),
    LegalOrNot(GAME.slug),
)
