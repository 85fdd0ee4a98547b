"""Ice Palace: win the round by force. The player to move places last even if all others cooperate, hands open.

The proof is an exhaustive search with the moves of the given encoding: every reply of the others to a move of the
player, and every move of the player against a reply that refutes. `forcing` only suggests which move to try first.
Worksites are equal up to turns, mirrors and shifts of the grid, and so are moves that lead to equal ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulecheck.games.icepalace import (
    BLACK,
    GAME,
    ORIGIN,
    PASS,
    WORKSITE,
    Cell,
    Position,
    Structure,
    cell_text,
    read_move,
)
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.research.forcing import Forcing, TooManyStatesError
from rulecheck.games.icepalace.research.forcing_check import round_of
from rulecheck.model import InputError
from rulecheck.puzzles.battle import branches, duals, minimal_sentence
from rulecheck.puzzles.kinds import changed_answers, level_of
from rulecheck.puzzles.model import Description, Difficulty, Draft, Json
from rulecheck.puzzles.rules import ByEngine, Rules, rules_of
from rulecheck.pyramids import Stack

GUIDED = 5000  # states of the search that guides
MOST = 400  # positions of play searched for one answer
BRANCHES = 40  # of a solution that people can read
MOVES = (2, 9)  # placements of the player and of all others, at least and at most
SAMPLES = 1000  # random positions for one proposal
TOUCHING = ("stacking", "onto_black", "match", "adjacent", "white_white", "grid", "round_end")
PRINTED = GAME.params({})
POLICY = (
    "Exactly one first move forces the round: after it the player places last, whatever all others do together, and "
    "after every other first move, a pass included, the others can prevent it. Moves and replies that lead to the same "
    "worksite, turned, mirrored or not, are one, and one name stands for them. The pass that ends a round already won "
    "is given alone; at the moves between, all that force the round are given."
)


class TooManyError(Exception):
    """There is too much play to search all of it."""


class Round:
    """Who places last, by the given rules."""

    def __init__(self, rules: Rules, player: str) -> None:
        self.rules, self.player = rules, player
        self.guide = Forcing(Engine(rules.choice.params, rules.choice.readings), player, GUIDED)
        self._known: dict[Position, bool] = {}

    def options(self, position: Position) -> dict[str, Position]:
        """The moves, one for each distinct resulting worksite."""
        names: dict[Position, str] = {}
        moves = self.rules.moves(position)
        for move, result in moves.items():
            names.setdefault(round_of(result), move)
        return {move: moves[move] for move in names.values()}

    def forces(self, position: Position) -> bool:
        key = round_of(position)
        if key not in self._known:
            if len(self._known) >= MOST:
                raise TooManyError
            self._known[key] = self._search(position)
        return self._known[key]

    def _search(self, position: Position) -> bool:
        """Search, with the move that the guide suggests first."""
        mine = position.mover == self.player
        results = list(self.options(position).values())
        results.sort(key=lambda r: (self._guess(position, r) is not mine, r.passes))
        worth = (self.after(position, result) for result in results)
        return any(worth) if mine else all(worth)

    def _guess(self, position: Position, result: Position) -> bool:
        try:
            return self.guide.can_force(result) if result.worksite else self.after(position, result)
        except TooManyStatesError:
            raise TooManyError from None

    def after(self, position: Position, result: Position) -> bool:
        """Does the player place last after the move that led here?"""
        return self.forces(result) if result.worksite else self.placed_last(position) == self.player

    def placed_last(self, position: Position) -> str:
        letters = self.rules.choice.params.letters
        return str(letters[letters.index(position.mover) - position.passes - 1])

    def keys(self, position: Position) -> list[str]:
        """The moves that force the round."""
        return [m for m, r in self.options(position).items() if self.after(position, r)]

    # -- The solution -----------------------------------------------------------------------------------------

    def tree(self, position: Position) -> Json:
        """The moves that force the round, and what happens after the first of them."""
        moves = self.options(position)
        ended = [m for m, r in moves.items() if not r.worksite and self.placed_last(position) == self.player]
        if ended:
            return {"play": ended}
        plays = self.keys(position)
        replies = self.replies(moves[plays[0]])
        answers = {reply: self.tree(after) if after.worksite else {} for reply, after in replies.items()}
        return {"play": plays, "after": branches(answers)}

    def replies(self, position: Position) -> dict[str, Position]:
        """What all others can do until it is the player's turn, or the round is over."""
        ways = {"": position}
        while any(r.worksite and r.mover != self.player for r in ways.values()):
            ways = dict(self._further(ways))
        names: dict[Position, str] = {}
        for name, result in ways.items():
            names.setdefault(round_of(result), name)
        return {name: ways[name] for name in names.values()}

    def _further(self, ways: Mapping[str, Position]) -> Iterator[tuple[str, Position]]:
        for names, here in ways.items():
            if not here.worksite or here.mover == self.player:
                yield names, here
            else:
                yield from ((f"{names} {move}".strip(), result) for move, result in self.options(here).items())

    def tries(self, position: Position, key: str) -> list[dict[str, Json]]:
        """The first moves that exactly one reply of the next player refutes."""
        failing = []
        for move, result in self.options(position).items():
            if move != key and result.worksite:
                refuted = [m for m, r in self.options(result).items() if not self.after(result, r)]
                if len(refuted) == 1:
                    failing.append({"play": move, "refutation": refuted[0], "depth": 2})
        return failing


# -- Positions -------------------------------------------------------------------------------------------------


def drawn(rng: random.Random, rules: Rules) -> Position | None:
    """A round under way, if little can be placed: most of what stands is large or black, and hands are small."""
    assert isinstance(rules, ByEngine)
    pool = rng.sample(sorted(PRINTED.material.elements()), 14)
    worksite, code = Structure().put(pool.pop(), ORIGIN), rules.engine.worksite
    for pyramid in sorted((pool.pop() for _ in range(rng.randrange(1, 6))), key=lambda q: (q.colour == BLACK, q.pips)):
        cells = [cell for _, cell in code.placements(worksite, [pyramid])]
        worksite = worksite.put(pyramid, rng.choice(cells)) if cells else worksite
    held = (rng.choice((2, 3)), 1, rng.choice((1, 1, 2)))
    hands = [tuple(sorted(pool.pop() for _ in range(count))) for count in held]
    own, *others = (sum(1 for _ in code.placements(worksite, hand)) for hand in hands)
    if not (MOVES[0] <= own <= MOVES[1] and MOVES[0] <= sum(others) <= MOVES[1]):
        return None
    position = Position("A", worksite, Structure(), tuple(hands), ((0, 0, 0),) * len(PRINTED.colours), "A")
    return _read(rules, position)  # None, if a hand has three pyramids of one size


def _read(rules: Rules, position: Position) -> Position | None:
    """The position, or None if it is not one of the game."""
    try:
        there: Position = rules.read(str(position))
    except InputError:
        return None
    return there


def fewer(position: Position, key: str) -> Iterator[tuple[str, Position, str]]:
    """The position without one of its pyramids, and the name of the same first move there."""
    for seat, (letter, hand) in enumerate(zip(PRINTED.letters, position.hands, strict=False)):
        for at, pyramid in enumerate(hand):
            if pyramid not in hand[:at]:
                rest = (*position.hands[:seat], hand[:at] + hand[at + 1 :], *position.hands[seat + 1 :])
                yield f"{pyramid} in the hand of {letter}", replace(position, hands=rest), key
    for cell, stack in position.worksite:
        for at, pyramid in enumerate(stack):
            worksite, shift = _without(position.worksite, cell, stack[:at] + stack[at + 1 :])
            name = f"{pyramid} on {WORKSITE}{cell_text(cell)}"
            yield name, replace(position, worksite=worksite), _shifted(key, shift)


def _without(worksite: Structure, cell: Cell, stack: Stack) -> tuple[Structure, Cell]:
    """The worksite with this stack on a cell, if any, moved back to 0,0; and the shift."""
    left = Structure.of({c: s for c, s in {**worksite.by_cell, cell: stack}.items() if s})
    if not left or left.at(ORIGIN):
        return left, ORIGIN
    return left.shifted(), left.stacks[0][0]


def _shifted(key: str, shift: Cell) -> str:
    move = read_move(PRINTED, key)
    return str(move if move == PASS else move._replace(cell=(move.cell[0] - shift[0], move.cell[1] - shift[1])))


# -- The kind --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ForceTheRound:
    name: str = "force-the-round"
    units: int = 200

    def propose(self, rng: random.Random) -> Draft | None:
        rules = rules_of(ByEngine, GAME.slug, PRINTED.as_dict(), GAME.rulebook.defaults())
        for _ in range(SAMPLES):
            position = drawn(rng, rules)
            if position is not None and self._is_likely(rules, position) and self._solved(rules, position) is not None:
                return Draft(str(self._stripped(rules, position)), params=PRINTED.as_dict())
        return None

    def _stripped(self, rules: Rules, position: Position) -> Position:
        """The position without the pyramids in hands that the puzzle does not need."""
        for _, rest, same in fewer(position, self._key(rules, position) or str(PASS)):
            if rest.worksite == position.worksite and self._key(rules, rest) == same and self._solved(rules, rest):
                return self._stripped(rules, rest)
        return position

    def _is_likely(self, rules: Rules, position: Position) -> bool:
        """By the guide alone: does one move force the round, without shutting everybody out at once?"""
        played = Round(rules, position.mover)
        try:
            winning = [r for r in played.options(position).values() if played.guide.can_force(r)]
        except TooManyStatesError:
            return False
        return len(winning) == 1 and any(_placements(played, winning[0]))

    def _key(self, rules: Rules, position: Position) -> str | None:
        """The only move that forces the round, if there is a choice."""
        if not position.worksite or position.passes:
            return None
        played = Round(rules, position.mover)
        try:
            keys = played.keys(position) if len(played.options(position)) > 2 else []
        except TooManyError:
            return None
        return keys[0] if len(keys) == 1 else None

    def _solved(self, rules: Rules, position: Position) -> tuple[str, Json] | None:
        """The key and a solution of more than one move, but not too many."""
        key = self._key(rules, position)
        if key is None:
            return None
        try:
            tree = Round(rules, position.mover).tree(position)
        except TooManyError:
            return None
        return (key, tree) if any("after" in branch for branch in tree["after"]) and _size(tree) <= BRANCHES else None

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        solved, played = self._solved(rules, position), Round(rules, position.mover)
        if solved is None:
            return None
        key, tree = solved
        try:
            tries = played.tries(position, key)
        except TooManyError:
            return None
        idle = list(self._idle(rules, position, key))
        return Description(
            question=f"{position.mover} to move wins the round, whatever the others do. All hands are open.",
            policy=POLICY,
            answer=(key,),
            solution=tree,
            difficulty=self._difficulty(played, position, key, tree, tries),
            tries=tuple(tries),
            duals=tuple(duals(tree)),
            idle=tuple(idle),
            minimal=minimal_sentence(idle, "taken away"),
            other_readings=_other_answers(rules, position, key),
        )

    def _idle(self, rules: Rules, position: Position, key: str) -> Iterator[str]:
        """What could be removed while the first move remains the only one."""
        for name, rest, same in fewer(position, key):
            there = _read(rules, rest)  # None, if the worksite falls apart
            if there is not None and self._key(rules, there) == same:
                yield name

    def _difficulty(
        self, played: Round, position: Position, key: str, tree: Json, tries: list[dict[str, Json]]
    ) -> Difficulty:
        results = {m: r for m, r in played.options(position).items() if m != str(PASS)}
        open_ones = {m: sum(_placements(played, r)) for m, r in results.items()}
        methods: dict[str, Callable[[], list[str]]] = {
            "place so that nobody else can place": lambda: [m for m, count in open_ones.items() if not count],
            "leave the others the fewest placements": lambda: [
                m for m, count in open_ones.items() if count == min(open_ones.values())
            ],
            "look at all play": lambda: [key],
        }
        level, method = level_of(key, methods)
        vector = {
            "length": _length(tree),
            "choices": [len(played.options(position))],
            "answers": len(tree["after"]),
            "tries": len(tries),
            "refutation": max((attempt["depth"] for attempt in tries), default=0),
        }
        return Difficulty(level, method, vector)


def _placements(played: Round, result: Position) -> Iterable[int]:
    """The number of placements that each of the others would have."""
    for letter in played.rules.choice.params.letters:
        if letter != played.player:
            yield sum(move != str(PASS) for move in played.options(replace(result, mover=letter)))


def _size(tree: Json) -> int:
    return 1 + sum(_size(branch) for branch in tree.get("after", []))


def _length(tree: Json) -> int:
    """The number of the player's moves, the last pass included."""
    return ("play" in tree) + max((_length(branch) for branch in tree.get("after", [])), default=0)


def _other_answers(rules: Rules, position: Position, key: str) -> dict[str, str]:
    """The answers under readings that affect a round; no other matters while a worksite stands."""
    here = [rules.choice.readings[name] for name in TOUCHING]

    def answered(other: Rules, there: Any) -> str:
        if [other.choice.readings[name] for name in TOUCHING] == here:
            return key
        try:
            keys = Round(other, there.mover).keys(there)
        except TooManyError:
            return "not worked out"
        return " or ".join(keys) or "the round cannot be forced"

    return changed_answers(rules, position, key, answered)
