"""Icehouse: open the fortress. A piece that over-ices is a wall, too: which capture lets an attacker in?"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from rulecheck.games.icehouse import GAME
from rulecheck.games.icehouse.pieces import BASE, EAST, HEIGHT, Capture, Params, Piece, Position
from rulecheck.games.icehouse.puzzles.attack import read, weak
from rulecheck.games.icehouse.puzzles.umpires import (
    TAKEN,
    captor,
    captures,
    fewer,
    in_order,
    named,
    ordinary,
    other_answers,
    stripped,
)
from rulecheck.games.icehouse.research.keeps import TARGET, WALL, moved, overlap, standing, wall
from rulecheck.games.icehouse.research.reach import NotKnownError, Reach
from rulecheck.puzzles.battle import minimal_sentence
from rulecheck.puzzles.kinds import level_of
from rulecheck.puzzles.model import Description, Difficulty, Draft, Json
from rulecheck.puzzles.rules import ByEngine, Rules, rules_of
from solvers.planar import squared_gap

PLAYERS = {"players": "2"}
SAMPLES = 200  # positions put together for a proposal
VICTIM = "V"  # stands for the colour of the captor
NOWHERE = (Fraction(0), Fraction(0))
# All other readings are about calls, the count, hands and prisoners on the table.
TOUCHING = ("range", "distance", "length", "graze", "touching", "far", "own", "retarget", "revalidate", "redundant",
            "wasted_capture", "meltdown", "trigger", "edge")  # fmt: skip
POLICY = (
    "The capture is unique: before it, and after any other capture, no free defender can be frozen by one more piece "
    "of the captor, wherever its tip and whatever its direction. One capture and one placement are asked for. Where "
    "the attacker lies is not unique, and one place is given."
)


class Key(NamedTuple):
    capture: Capture
    frozen: Piece
    shot: Piece


# -- The kind --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OpenTheFortress:
    name: str = "open-the-fortress"
    units: int = 30

    def propose(self, rng: random.Random) -> Draft | None:
        params = GAME.params(PLAYERS)
        rules = rules_of(ByEngine, GAME.slug, params.as_dict(), GAME.rulebook.defaults())
        for _ in range(SAMPLES):
            position = drawn(rng, params)
            reach = Reach(rules)
            if position is not None and self._is_likely(reach, position):
                try:
                    if self._key(reach, position) is None:
                        return None
                    return Draft(str(stripped(position, partial(self._idle, reach))), params=params.as_dict())
                except NotKnownError:
                    return None
        return None

    def _is_likely(self, reach: Reach, position: Position) -> bool:
        """Is there a choice of captures, one of which removes a wall?"""
        results = captures(reach.rules, position)
        player = captor(list(results)) if len(results) > 1 and in_order(reach.rules, position) else None
        return player is not None and bool({c.number for c in results} & {*_against(reach, position, player)})

    def _idle(self, reach: Reach, position: Position) -> Iterator[tuple[int, Position]]:
        """The pieces that could go, with the rest, while the same capture still opens the same defender."""
        key = self._key(reach, position)
        assert key is not None
        wanted = position.pieces[key.capture.number - 1], key.frozen
        for n, rest in fewer(position):
            other = self._key(reach, rest)
            if other is not None and (rest.pieces[other.capture.number - 1], other.frozen) == wanted:
                yield n, rest

    def _key(self, reach: Reach, position: Position) -> Key | None:
        """The only capture after which a defender can be frozen, if there is a choice and none can be frozen before."""
        if not ordinary(position) or not in_order(reach.rules, position):
            return None
        results = captures(reach.rules, position)
        player = captor(list(results)) if len(results) > 1 else None
        if player is None or reach.freezable(position, player):
            return None
        keys = [
            Key(capture, after.pieces[d], shot)
            for capture, after in results.items()
            for d, shot in reach.freezable(after, player).items()
        ]
        return keys[0] if len(keys) == 1 else None

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        reach = Reach(rules)
        try:
            key = self._key(reach, position)
            if key is None:
                return None
            idle = [str(position.pieces[n]) for n, _ in self._idle(reach, position)]
        except NotKnownError:
            return None
        player, number = key.capture.player, key.capture.number
        answer, goal = named(position, number - 1), named(position, position.pieces.index(key.frozen))
        tries = list(_tries(reach, position, key))
        others = [str(c.number) for c in captures(rules, position) if c != key.capture]
        return Description(
            question=(
                f"{player} can freeze no further defender by one piece. After one capture it can be done. What does "
                f"{player} capture?"
            ),
            policy=POLICY,
            answer=(answer,),
            solution=[
                f"{key.capture}, then {key.shot} freezes {goal}.",
                f"Before it, and after the other captures ({', '.join(others)}), all weak defenders are out of reach, "
                "by proofs for every tip and direction.",
            ],
            difficulty=_difficulty(reach, position, key, tries),
            tries=tuple(tries),
            idle=tuple(idle),
            minimal=minimal_sentence(idle, TAKEN),
            other_readings=self._other_answers(reach, position, answer),
        )

    def _other_answers(self, reach: Reach, position: Position, answer: str) -> dict[str, str]:
        def again(other: Rules, there: Position) -> str:
            try:
                return self._answer(reach.under(other), there)
            except NotKnownError:
                return "not worked out"

        return other_answers(reach.rules, position, answer, TOUCHING, again)

    def _answer(self, reach: Reach, position: Position) -> str:
        results = captures(reach.rules, position)
        player = captor(list(results))
        if player is None:
            return "nobody, or more than one player, may capture"
        if reach.freezable(position, player):
            return "no capture is needed"
        opening = [c for c, after in results.items() if reach.freezable(after, player)]
        return " or ".join(named(position, c.number - 1) for c in opening) or "no capture helps"


def _against(reach: Reach, position: Position, player: str) -> list[int]:
    """The numbers of lying pieces that touch a defender the player could freeze if it were in reach."""
    shut_in = [position.pieces[d].corners for d in weak(reach, position, player)]
    lying = (n for n, piece in enumerate(position.pieces, start=1) if piece.lying)
    return [n for n in lying if any(squared_gap(position.pieces[n - 1].corners, x) == 0 for x in shut_in)]


def _tries(reach: Reach, position: Position, key: Key) -> Iterator[dict[str, Json]]:
    """Other captures, and walls that may not be captured."""
    allowed = [capture.number for capture in captures(reach.rules, position)]
    for number in allowed:
        if number != key.capture.number:
            yield {"play": named(position, number - 1), "refutation": "no way in is opened", "depth": 1}
    for number in _against(reach, position, key.capture.player):
        if number not in allowed:
            broken = ", ".join(sorted(reach.rules.judge(position, Capture(key.capture.player, number)).clauses))
            yield {"play": named(position, number - 1), "refutation": f"not allowed, {broken}", "depth": 1}


def _difficulty(reach: Reach, position: Position, key: Key, tries: list[dict[str, Json]]) -> Difficulty:
    allowed = [capture.number for capture in captures(reach.rules, position)]
    walls = _against(reach, position, key.capture.player)
    answer = str(key.capture.number)
    methods: dict[str, Callable[[], Sequence[str]]] = {
        "take the attacker that lies against a defender": lambda: list(map(str, walls)),
        "take such an attacker that may be captured": lambda: [str(n) for n in walls if n in allowed],
        "look at every tip and direction after every capture": lambda: [answer],
    }
    level, method = level_of(answer, methods)
    vector = {
        "length": 2,
        "choices": [len(allowed)],
        "pieces": len(position.pieces),
        "tries": len(tries),
        "refutation": max((attempt["depth"] for attempt in tries), default=0),
    }
    return Difficulty(level, method, vector)


# -- Positions -------------------------------------------------------------------------------------------------


def drawn(rng: random.Random, params: Params) -> Position | None:
    """A defender of B between standing walls and lying ones; these attack defenders of A, and others do so, too."""
    pips, hand = rng.choice((1, 2, 2, 2)), rng.choice((-1, 1))
    chamber, gates = BASE[pips], set(rng.sample(range(4), 2))
    pieces = [standing(TARGET, pips, *NOWHERE)]
    for side in range(4):
        size = rng.choice([n for n in (2, 3) if BASE[n] > chamber]) if side in gates else 3
        built = wall(side, chamber, size, side in gates, Fraction(0), Fraction(0), hand)
        pieces.append(built)
        if side in gates:
            pieces += _attacked(rng, built)
    if overlap(pieces):
        return None
    colours = {TARGET: "B", WALL: "B", VICTIM: "A"}
    coloured = [Piece(c := colours[p.colour], p.pips, p.lying, p.point, p.direction, c) for p in pieces]
    return read(params, sorted(coloured, key=lambda p: p.lying))


def _attacked(rng: random.Random, gate: Piece) -> Iterator[Piece]:
    """The victim of a lying wall, and its other attackers: from its other sides, or aslant."""
    (x, y), (dx, dy) = gate.point, gate.direction
    pips = rng.choice((1, 1, 2, 2, 3))
    half = Fraction(BASE[pips], 2)
    away = half + rng.randint(1, 14)
    centre = (x + away * dx, y + away * dy)
    yield standing(VICTIM, pips, *centre)
    for side in rng.sample((1, 2, 3), rng.choice((1, 1, 2))):
        size = rng.randint(1, 3)
        gap = rng.randint(1, HEIGHT[size] // 2)
        shot = Piece(WALL, size, True, (-half - gap, Fraction(rng.randint(-6, 6))), EAST, WALL)
        way = (dx, dy)
        for _ in range(side):
            way = (-way[1], way[0])
        yield moved(shot, way, centre)
