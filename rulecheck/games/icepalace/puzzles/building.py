"""Ice Palace: puzzles about building. How many pyramids can be used, and which build scores most?

Hands and bag are empty, so only the building matters. The greatest number comes from the given encoding, and builds are
lines of its moves; palaces are equal up to turns, mirrors and shifts of the grid.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from rulecheck.games.icepalace import GAME, PALACE, Position, Structure, cell_text, read_move
from rulecheck.games.icepalace.research.building import building_position, readings_of_building
from rulecheck.model import InputError
from rulecheck.puzzles.battle import minimal_sentence
from rulecheck.puzzles.kinds import changed_answers, level_of
from rulecheck.puzzles.model import Description, Difficulty, Draft, Json
from rulecheck.puzzles.rules import ByConstraints, ByEngine, Rules, rules_of
from rulecheck.pyramids import Pyramid, stack_text

PRINTED = GAME.params({})
MOST = 120  # positions searched for one answer
SAMPLES = 400  # random positions for one proposal
Chosen = Callable[[Rules, Position], Iterable[Position]]


class TooManyError(Exception):
    """There are too many builds to search."""


# -- What the rules say of building ----------------------------------------------------------------------------


def greatest(rules: Rules, position: Position) -> int:
    """IP-34: each encoding finds it in its own way."""
    if not position.left:
        return 0
    if isinstance(rules, ByConstraints):
        return int(rules.spec.greatest(position.palace, position.left))
    assert isinstance(rules, ByEngine)
    return int(rules.engine.greatest_number(position))


def points(rules: Rules, palace: Structure, player: str) -> int:
    """IP-40."""
    if isinstance(rules, ByConstraints):
        return int(rules.spec.points(palace, player))
    assert isinstance(rules, ByEngine)
    return int(rules.engine.score(palace)[player])


def by_code(rules: Rules) -> Rules:
    """The same, but every step is legal that the palace code allows, even if it wastes pyramids."""
    return rules.under({"max_number": "maximal"})


def used(start: Position, end: Position) -> int:
    return len(end.palace.pyramids) - len(start.palace.pyramids)


def builds(rules: Rules, position: Position, chosen: Chosen, most: int = MOST) -> dict[Position, list[Position]]:
    """The palaces reached by steps with chosen results, each with all positions on the way to it."""
    layer, seen = {position.turned(): [position]}, 0
    built: dict[Position, list[Position]] = {}
    while layer:
        seen += len(layer)
        if seen > most:
            raise TooManyError
        following: dict[Position, list[Position]] = {}
        for way in layer.values():
            for after in chosen(rules, way[-1]):
                (following if after.left else built).setdefault(after.turned(), [*way, after])
        layer = following
    return built


def everything(rules: Rules, position: Position) -> Iterable[Position]:
    return rules.moves(position).values()


def moves_of(rules: Rules, way: list[Position]) -> str:
    """The steps along a way."""
    names = [next(m for m, r in rules.moves(a).items() if r == b) for a, b in pairwise(way)]
    return " ".join(names)


def palace_text(palace: Structure) -> str:
    return " ".join(f"{PALACE}{cell_text(cell)}:{stack_text(stack)}" for cell, stack in palace)


def pyramids(position: Position) -> str:
    """The pyramids to build with, one by one."""
    return " ".join(map(str, position.left))


def is_building(position: Position) -> bool:
    """Is nothing left of the game but building, with two pyramids or more?"""
    empty = not any(position.hands) and not any(map(any, position.bag))
    return len(position.left) > 1 and empty and position.marker == position.mover


# -- Positions -------------------------------------------------------------------------------------------------


def rules_for_making() -> Rules:
    return rules_of(ByEngine, GAME.slug, PRINTED.as_dict(), GAME.rulebook.defaults())


def drawn(rng: random.Random, rules: Rules, standing: int, left: int) -> Position | None:
    """A random palace of up to `standing` pyramids, and `left` others to build with."""
    assert isinstance(rules, ByEngine)
    pool = rng.sample(sorted(q for q in PRINTED.material.elements() if q.colour in PRINTED.letters), standing + left)
    palace, code = Structure(), rules.engine.palace
    for pyramid in pool[:standing]:
        cells = [cell for _, cell in code.steps(palace, (pyramid,))]
        palace = palace.put(pyramid, rng.choice(cells)) if cells else palace
    return building_position(rules.engine, palace, tuple(sorted(pool[standing:])))


def fewer(rules: Rules, position: Position) -> Iterator[tuple[str, Position]]:
    """The position without one of its pyramids; what stood on it comes down, and the palace begins on 0,0 again."""
    for at, pyramid in enumerate(position.left):
        if pyramid not in position.left[:at]:
            yield f"{pyramid} of those left", replace(position, left=position.left[:at] + position.left[at + 1 :])
    for cell, stack in position.palace:
        for at, pyramid in enumerate(stack):
            stacks = {**position.palace.by_cell, cell: stack[:at] + stack[at + 1 :]}
            palace = Structure.of({c: s for c, s in stacks.items() if s}).shifted()
            yield f"{pyramid} on {PALACE}{cell_text(cell)}", replace(position, palace=palace)


def idle_ones(rules: Rules, position: Position, is_same: Callable[[Position], bool]) -> list[str]:
    """What could be removed from the position without changing the answer."""
    idle = []
    for name, rest in fewer(rules, position):
        try:
            there = rules.read(str(rest))
        except InputError:  # the palace falls apart
            continue
        if is_building(there) and is_same(there):
            idle.append(name)
    return idle


def other_answers(rules: Rules, position: Position, answer: str, again: Callable[[Rules, Any], str]) -> dict[str, str]:
    """The answers under readings that affect building; neither palace code depends on any other."""
    here = readings_of_building(rules.choice.readings)

    def answered(other: Rules, there: Any) -> str:
        return answer if readings_of_building(other.choice.readings) == here else again(other, there)

    return changed_answers(rules, position, answer, answered)


# -- The greatest number ---------------------------------------------------------------------------------------


def largest_first(rules: Rules, position: Position) -> Iterable[Position]:
    steps = {move: _pyramid(rules, move).pips for move in rules.moves(position)}
    return [rules.moves(position)[move] for move, pips in steps.items() if pips == max(steps.values())]


def beside_first(rules: Rules, position: Position) -> Iterable[Position]:
    """Steps that begin a stack, as long as there are any."""
    results = list(rules.moves(position).values())
    begun = [r for r in results if len(r.palace.stacks) > len(position.palace.stacks)]
    return begun or results


def _pyramid(rules: Rules, move: str) -> Pyramid:
    pyramid = read_move(rules.choice.params, move).pyramid
    assert pyramid is not None
    return pyramid


@dataclass(frozen=True)
class GreatestNumber:
    """Not all can be used: how many can?"""

    name: str = "greatest-number"
    units: int = 200

    def propose(self, rng: random.Random) -> Draft | None:
        rules = rules_for_making()
        for _ in range(SAMPLES):
            position = drawn(rng, rules, rng.choice((0, 0, 3, 5)), rng.randrange(5, 9))
            if position is not None and self._is_question(rules, position) and self._wasted(rules, position):
                return Draft(str(position), params=PRINTED.as_dict())
        return None

    def _is_question(self, rules: Rules, position: Position) -> bool:
        return is_building(position) and 1 < greatest(rules, position) < len(position.left)

    def _wasted(self, rules: Rules, position: Position) -> dict[str, int]:
        """The first steps that the code allows but that waste pyramids, with the number that can then be used."""
        most = greatest(rules, position)
        after = {m: 1 + greatest(rules, r) for m, r in by_code(rules).moves(position).items()}
        return {m: number for m, number in after.items() if number < most}

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        if not self._is_question(rules, position):
            return None
        wasted = self._wasted(rules, position)
        if not wasted:
            return None
        most = greatest(rules, position)
        idle = idle_ones(rules, position, lambda rest: self._same(rules, rest, most))
        return Description(
            question=f"How many of the pyramids {pyramids(position)} can be used for the palace?",
            policy="The number is the answer; any build of so many shows it. Not all of them can be used.",
            answer=(str(most),),
            solution=[f"{most} of {len(position.left)}: {self._build(rules, position)}"],
            difficulty=self._difficulty(rules, position, str(most), wasted),
            tries=tuple(self._try(move, number) for move, number in wasted.items()),
            idle=tuple(idle),
            minimal=minimal_sentence(idle, "taken away"),
            other_readings=other_answers(rules, position, str(most), self._words),
        )

    def _same(self, rules: Rules, rest: Position, most: int) -> bool:
        return self._is_question(rules, rest) and greatest(rules, rest) == most and bool(self._wasted(rules, rest))

    def _build(self, rules: Rules, position: Position) -> str:
        """Steps to the end that waste nothing: those legal when exactly the greatest number must be used."""
        way = [position]
        exact = rules.under({"max_number": "exact"})
        while way[-1].left:
            way.append(next(iter(exact.moves(way[-1]).values())))
        if used(position, way[-1]) != greatest(rules, position):
            raise AssertionError(f"{position}: a build of the greatest number uses {used(position, way[-1])}")
        return moves_of(exact, way)

    def _try(self, move: str, number: int) -> dict[str, Json]:
        return {"play": move, "refutation": f"only {number}", "depth": number}

    def _words(self, rules: Rules, position: Position) -> str:
        """The answer under the reading of these rules."""
        if rules.choice.readings["palace_island"] == "yes":
            return str(len(position.left)) if self._all_apart(rules, position) else "not worked out"
        return str(greatest(rules, position))

    def _all_apart(self, rules: Rules, position: Position) -> bool:
        """Each pyramid beyond the others: where stacks may stand apart, all can be used."""
        here, free = position, by_code(rules)
        for pyramid in position.left:
            east = max((x for (x, _), _ in here.palace), default=-2)
            north = next((y for (x, y), _ in here.palace if x == east), 0)
            step = read_move(rules.choice.params, f"{pyramid}@{PALACE}{cell_text((east + 2, north))}")
            if not free.judge(here, step).legal:
                return False
            rest = list(here.left)
            rest.remove(pyramid)
            here = replace(here, palace=here.palace.put(pyramid, step.cell), left=tuple(rest))
        return True

    def _difficulty(self, rules: Rules, position: Position, answer: str, wasted: Mapping[str, int]) -> Difficulty:
        free = by_code(rules)
        methods = {
            "add a largest pyramid that fits, as long as one does": lambda: self._numbers(
                free, position, largest_first
            ),
            "begin stacks as long as one can, and cover one only then": lambda: self._numbers(
                free, position, beside_first
            ),
            "look at all builds": lambda: [answer],
        }
        level, method = level_of(answer, methods)
        vector = {
            "length": int(answer),
            "choices": [len(free.moves(position))],
            "pyramids": len(position.left),
            "tries": len(wasted),
            "refutation": max(wasted.values()),
        }
        return Difficulty(level, method, vector)

    def _numbers(self, rules: Rules, position: Position, chosen: Chosen) -> list[str]:
        """The numbers of pyramids that the method can use; none, if it leaves too much open."""
        try:
            return sorted({str(used(position, end)) for end in builds(rules, position, chosen)})
        except TooManyError:
            return []
