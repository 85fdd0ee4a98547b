"""What a kind of puzzle must be able to do, and the kinds of a game.

The hints of a game list its kinds (`puzzles`), and how its constraints list the moves of many (`stated_turns`)
positions. A kind proposes positions, and may miss as often as it likes; its description of a position must be true.
`describe` relies only on the rules that it is given: first those of the engine, then those of the constraints.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from rulecheck.model import InputError
from rulecheck.puzzles.model import Description, Draft
from rulecheck.puzzles.rules import Rules
from rulecheck.registry import Game
from rulecheck.rulebook import check_known


class NoPositionsError(InputError):
    """A kind has no position of the version asked for, which shows only when it looks for one."""


class Kind(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def units(self) -> int:
        """The default number of proposals for a collection."""
        ...

    def propose(self, rng: random.Random) -> Draft | None:
        """A position that may make a puzzle of this kind, or None; the same for the same random state.

        NoPositionsError if no random state makes one.
        """
        ...

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        """The full description, or None if the position is not a sound puzzle of this kind."""
        ...


@runtime_checkable
class Versatile(Kind, Protocol):
    """A kind that can take its positions from any version of the game."""

    def within(self, params: Any) -> Kind:
        """The same kind of puzzle, from this version; InputError says why there is none."""
        ...


def kinds_of(game: Game) -> dict[str, Kind]:
    kinds = game.hints.puzzles()
    if not kinds:
        raise InputError(f"{game.slug} comes without puzzles")
    return {kind.name: kind for kind in kinds}


def kind_of(game: Game, name: str) -> Kind:
    from rulecheck.puzzles.generic import is_generic, left_out

    known = kinds_of(game)
    if name not in known and is_generic(game) and (reason := left_out(game).get(name)):
        raise InputError(f"no puzzles of the kind {name}: {reason}")
    check_known("kind of puzzle", name, known)
    return known[name]


def kind_within(game: Game, name: str, given: Mapping[str, str]) -> Kind:
    """A kind as declared, or with positions from the given version."""
    kind = kind_of(game, name)
    if not given:
        return kind
    params = game.params(given)
    if not isinstance(kind, Versatile):
        raise InputError(f"puzzles of the kind {name} come from positions of their own, so they take no -p")
    return kind.within(params)


def kinds_within(game: Game, given: Mapping[str, str]) -> tuple[dict[str, Kind], dict[str, str]]:
    """The kinds that a version has, and why it lacks the others."""
    kinds, missing = {}, {}
    for name in kinds_of(game):
        try:
            kinds[name] = kind_within(game, name, given)
        except InputError as error:
            missing[name] = str(error)
    if not kinds:
        raise InputError(f"no puzzles of this version: {next(iter(missing.values()))}")
    return kinds, missing


def require_two(name: str, players: int) -> None:
    if players != 2:
        raise InputError(f"puzzles of the kind {name} are for two players, not for {players}")


def changed_answers(rules: Rules, position: Any, answer: str, again: Callable[[Rules, Any], str]) -> dict[str, str]:
    """The reading values, one at a time, that change the answer, each with its new answer."""
    changed = {}
    choice = rules.choice
    for reading in choice.game.rulebook.asked(choice.params.as_dict()).values():
        for value in reading.values:
            if value != choice.readings[reading.name]:
                other = _under(rules, {reading.name: value}, position, again)
                if other != answer:
                    changed[f"{reading.name}={value}"] = other
    return changed


def _under(rules: Rules, change: Mapping[str, str], position: Any, again: Callable[[Rules, Any], str]) -> str:
    other = rules.under(change)
    try:
        return again(other, other.read(str(position)))
    except InputError:
        return "no position of this game"


def level_of(answer: str, methods: Mapping[str, Callable[[], Sequence[str]]]) -> tuple[int, str]:
    """The number (from 1) and name of the first method that singles out the answer; the last must."""
    for level, (name, method) in enumerate(methods.items(), start=1):
        if list(method()) == [answer]:
            return level, name
    raise AssertionError("the last method of a kind finds the answer")
