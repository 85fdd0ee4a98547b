"""Icehouse: find the attack. A piece is in the hand, and of all defenders it can freeze only one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from rulecheck.games.icehouse import GAME
from rulecheck.games.icehouse.pieces import Params, Piece, Position
from rulecheck.games.icehouse.puzzles.umpires import TAKEN, fewer, in_order, named, ordinary, other_answers, stripped
from rulecheck.games.icehouse.research.attack_lines import Lines, Shot, exact, quarters, whole
from rulecheck.games.icehouse.research.certificate_cells import Scene
from rulecheck.games.icehouse.research.keeps import TARGET, WALL, Keep, chamber, laid_out, overlap, pinwheel, standing
from rulecheck.games.icehouse.research.reach import GLANCE, NotKnownError, Reach
from rulecheck.model import InputError
from rulecheck.puzzles.battle import minimal_sentence
from rulecheck.puzzles.kinds import level_of
from rulecheck.puzzles.model import Description, Difficulty, Draft, Json
from rulecheck.puzzles.rules import ByEngine, Rules, rules_of
from rulecheck.pyramids import Pyramid

PLAYERS = {"players": "3"}
SAMPLES, CANDIDATES = 20, 3  # keeps drawn for a proposal, and defenders that the solver has to choose from
# All other readings are about captures, calls, the count, prisoners and pads: none of these is there.
TOUCHING = ("range", "distance", "length", "graze", "touching", "far", "retarget", "revalidate", "meltdown", "edge")
POLICY = (
    "The defender is unique: no other free defender can be frozen by placing the piece in the hand, wherever its tip "
    "and whatever its direction. Where the piece lies is not: every placement that freezes this defender is the same "
    "answer, and one is given. Shots straight at the middle of a side freeze nothing, or it would be no puzzle."
)


def holder(position: Position) -> tuple[str, Pyramid] | None:
    """The only player who holds a piece, and the piece."""
    holders = [(k, held) for k in position.params.colours if (held := position.hand(k)) is not None]
    return holders[0] if len(holders) == 1 else None


# -- Plain methods ---------------------------------------------------------------------------------------------


def straight(reach: Reach, position: Position, player: str, *, middle: bool) -> list[int]:
    """The free defenders that can be frozen square to a side: through its middle only, or anywhere along it."""
    frozen = []
    for d, piece in enumerate(position.pieces):
        if not piece.lying and not reach.umpire.frozen(position, d):
            pyramids = reach.strong_enough(position, player, d)
            if any(square(reach, position, player, pyramid, d, middle) for pyramid in pyramids):
                frozen.append(d)
    return frozen


def square(
    reach: Reach, position: Position, player: str, pyramid: Pyramid, d: int, middle: bool = False
) -> Piece | None:
    """A placement square to a side that freezes the defender."""
    choice = reach.rules.choice
    scene = Scene(choice.params, choice.readings, position, d + 1, pyramid.pips, exact)
    shots = _shots(Lines(scene), position.pieces[d], middle)
    pieces = (Piece(*pyramid, True, *shot, player) for shot in shots)
    return next((piece for piece in pieces if reach.freezes(position, piece, d)), None)


def _shots(lines: Lines, defender: Piece, middle: bool) -> Iterator[Shot]:
    centre = exact(defender.point[0]), exact(defender.point[1])
    for u in quarters(whole(defender.direction)):
        yield from lines.shots(u, centre) if middle else lines.along(u)


# -- The kind --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FindTheAttack:
    name: str = "find-the-attack"
    units: int = 30

    def propose(self, rng: random.Random) -> Draft | None:
        params = GAME.params(PLAYERS)
        rules = rules_of(ByEngine, GAME.slug, params.as_dict(), GAME.rulebook.defaults())
        position = drawn(rng, rules)
        reach = Reach(rules)
        try:
            if position is None or self._key(reach, position) is None:
                return None
            return Draft(str(stripped(position, partial(self._idle, reach))), params=params.as_dict())
        except NotKnownError:
            return None

    def _idle(self, reach: Reach, position: Position) -> Iterator[tuple[int, Position]]:
        key = self._key(reach, position)
        assert key is not None
        for n, rest in fewer(position):
            other = self._key(reach, rest) if n != key[0] else None
            if other is not None and rest.pieces[other[0]] == position.pieces[key[0]]:
                yield n, rest

    def _key(self, reach: Reach, position: Position) -> tuple[int, Piece] | None:
        """The only freezable defender, if there is a choice and it takes more than a straight shot."""
        held = holder(position)
        if held is None or not ordinary(position, hands=1) or not in_order(reach.rules, position):
            return None
        player = held[0]
        if len(weak(reach, position, player)) < CANDIDATES or straight(reach, position, player, middle=True):
            return None
        freezable = reach.freezable(position, player)
        return next(iter(freezable.items())) if len(freezable) == 1 else None

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        reach = Reach(rules)
        try:
            key = self._key(reach, position)
            if key is None:
                return None
            idle = [str(position.pieces[n]) for n, _ in self._idle(reach, position)]
        except NotKnownError:
            return None
        d, shot = key
        player = _player(position)
        answer = named(position, d)
        tries = list(_tries(reach, position, player, d))
        return Description(
            question=f"{player} has {position.hand(player)} in the hand. Only one defender can be frozen by it. Which?",
            policy=POLICY,
            answer=(answer,),
            solution=list(_sentences(reach, position, player, d, shot)),
            difficulty=_difficulty(reach, position, player, d, tries),
            tries=tuple(tries),
            idle=tuple(idle),
            minimal=minimal_sentence(idle, TAKEN),
            other_readings=_other_answers(reach, position, answer),
        )


def _player(position: Position) -> str:
    held_by = holder(position)
    assert held_by is not None
    return held_by[0]


def weak(reach: Reach, position: Position, player: str) -> list[int]:
    """The free defenders that the piece would freeze if it could attack them."""
    free = (d for d, p in enumerate(position.pieces) if not p.lying and not reach.umpire.frozen(position, d))
    return [d for d in free if any(reach.strong_enough(position, player, d))]


def _sentences(reach: Reach, position: Position, player: str, d: int, shot: Piece) -> Iterator[str]:
    yield f"{shot} freezes {named(position, d)}."
    others = [str(n + 1) for n in weak(reach, position, player) if n != d]
    yield (
        f"Out of reach, by proofs for every tip and direction: {', '.join(others)}. All other defenders of the "
        "opponents are frozen already, or worth too much."
    )


def _tries(reach: Reach, position: Position, player: str, d: int) -> Iterator[dict[str, Json]]:
    """Defenders that a piece of another size would freeze, square to a side."""
    held = position.hand(player)
    for n in weak(reach, position, player):
        for pyramid in dict.fromkeys(position.pad(player)) if n != d else ():
            shot = square(reach, position.with_hand(player, pyramid), player, pyramid, n)
            if shot is not None:
                yield {"play": named(position, n), "refutation": f"{shot} would freeze it, {held} cannot", "depth": 1}
                break


def _difficulty(reach: Reach, position: Position, player: str, d: int, tries: list[dict[str, Json]]) -> Difficulty:
    answer = str(d)
    methods: dict[str, Callable[[], Sequence[str]]] = {
        "aim straight at the middle of a side": lambda: _texts(straight(reach, position, player, middle=True)),
        "aim square to a side, anywhere along it": lambda: _texts(straight(reach, position, player, middle=False)),
        "look at every tip and direction": lambda: [answer],
    }
    level, method = level_of(answer, methods)
    vector = {
        "length": 1,
        "choices": [len(weak(reach, position, player))],
        "pieces": len(position.pieces),
        "tries": len(tries),
        "refutation": max((attempt["depth"] for attempt in tries), default=0),
    }
    return Difficulty(level, method, vector)


def _texts(numbers: Sequence[int]) -> list[str]:
    return list(map(str, numbers))


def _other_answers(reach: Reach, position: Position, answer: str) -> dict[str, str]:
    def again(other: Rules, there: Position) -> str:
        try:
            freezable = reach.under(other).freezable(there, _player(there))
        except NotKnownError:
            return "not worked out"
        return " or ".join(named(there, d) for d in freezable) or "none"

    return other_answers(reach.rules, position, answer, TOUCHING, again)


# -- Positions -------------------------------------------------------------------------------------------------


def drawn(rng: random.Random, rules: Rules) -> Position | None:
    """Some keeps, one of which seems open; A holds a piece that would freeze the defender of each."""
    pips, params = rng.choice((2, 3)), rules.choice.params
    closed: list[Keep] = []
    opened: list[Keep] = []
    for _ in range(SAMPLES):
        if len(opened) + len(closed) == CANDIDATES:
            break
        keep = _keep(rng, pips)
        word = seems(rules, keep, pips)
        if word == "open" and not opened:
            opened.append(keep)
        if word == "closed" and len(closed) < CANDIDATES - 1:
            closed.append(keep)
    keeps = [*opened, *closed]
    rng.shuffle(keeps)
    pieces = [piece for keep in laid_out(rng, keeps) for piece in keep.pieces]
    return painted(rng, params, pieces, pips) if opened and not overlap(pieces) else None


def _keep(rng: random.Random, pips: int) -> Keep:
    return chamber(rng, 1, pips) if rng.random() < 0.3 else pinwheel(rng, rng.randint(1, pips - 1))


def seems(rules: Rules, keep: Keep, pips: int) -> str:
    """Open, bare if a straight shot gets in, or closed, judged by the most promising lines."""
    aside = [standing(WALL, 1, Fraction(x), Fraction(1000)) for x in (1000, 1050)]
    position = painted(random.Random(0), rules.choice.params, [*keep.pieces, *aside], pips)
    if position is None:
        return "too large"
    reach = Reach(rules, GLANCE)
    if straight(reach, position, "A", middle=True):
        return "bare"
    try:
        return "open" if reach.freezable(position, "A") else "closed"
    except NotKnownError:
        return "closed"


def painted(rng: random.Random, params: Params, pieces: Sequence[Piece], pips: int) -> Position | None:
    """The position of these pieces, coloured, with a piece of this size in A's hand."""
    coloured = paint(rng, pieces, pips)
    hands = "/".join([f"A{pips}", *"-" * (params.players - 1)])
    return None if coloured is None else read(params, coloured, f"hands={hands}")


def paint(rng: random.Random, pieces: Sequence[Piece], pips: int) -> list[Piece] | None:
    """Colours for all: walls that a piece of this size could freeze are A's own."""
    left = {(colour, size): 5 for colour in "ABC" for size in (1, 2, 3)}
    left["A", pips] -= 1
    coloured = []
    for piece in sorted(pieces, key=lambda p: (p.colour != TARGET, p.pips >= pips)):
        allowed = "BC" if piece.colour == TARGET else "A" if piece.pips < pips else "ABC"
        colours = [colour for colour in allowed if left[colour, piece.pips]]
        if not colours:
            return None
        colour = rng.choice(colours)
        left[colour, piece.pips] -= 1
        coloured.append(Piece(colour, piece.pips, piece.lying, piece.point, piece.direction, colour))
    return coloured


def read(params: Params, pieces: Sequence[Piece], keys: str = "") -> Position | None:
    """The position with these pieces, or None if the rules of notation exclude it."""
    words = ["all", *map(str, pieces), *([keys] if keys else [])]
    try:
        position: Position = GAME.read_position(params, " ".join(words))
    except InputError:
        return None
    return position
