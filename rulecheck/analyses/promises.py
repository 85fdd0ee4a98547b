"""A game's promises, kept or broken: what every analysis assumes of an engine and its notation.

The first broken promise gives one sentence with the game, the promise and the position. The checks cover positions in
play, nearest to the start first.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from rulecheck.analyses.versions import PRINTED, Sized, versions
from rulecheck.contract import EVERYBODY, AnyEngine, Chance, Rules
from rulecheck.explore import Explored, TooLargeError, steps
from rulecheck.hints import Hints
from rulecheck.model import InputError, Readings
from rulecheck.registry import Game

LOOKED_AT = 60  # positions of a version
SMALL = 2_000  # positions; the sizes of larger versions are not compared


class BrokenPromiseError(InputError):
    """A game breaks one of its promises."""


@dataclass(frozen=True)
class Kept:
    """The number of positions checked, and their versions."""

    positions: int
    versions: tuple[str, ...]


def check_promises(game: Game, readings: Readings) -> Kept:
    """Check the first positions of every version; an error names the first broken promise."""
    todo = versions(game)
    seen = sum(_Looker(game, version, readings).look() for version in todo)
    _in_order(game, todo, readings)
    return Kept(seen, tuple(version.name for version in todo))


class _Looker:
    """One version of a game, position by position."""

    def __init__(self, game: Game, version: Sized, readings: Readings) -> None:
        self.game, self.params = game, version.params
        self.name = game.slug if version.name == PRINTED else f"{game.slug}, {version.name}"
        self.engine: AnyEngine = game.engine(version.params, readings)
        self.alike = game.hints.normaliser(version.params)
        self.moved = False  # was any move legal?

    def broken(self, promise: str) -> BrokenPromiseError:
        return BrokenPromiseError(f"{self.name}: {promise}")

    def asked(self, what: str, ask: Callable[[], Any]) -> Any:
        """The game's answer; an exception becomes a broken promise."""
        try:
            return ask()
        except BrokenPromiseError:
            raise
        except Exception as error:  # the game is somebody else's, and may fail in any way
            raise self.broken(f"{what} raises {type(error).__name__}: {error}") from error

    def look(self) -> int:
        start = self.asked("start()", self.engine.start)
        if isinstance(self.engine, Rules):
            self._alphabet(self.engine, start)
        pending, met = deque([start]), {start}
        looked = 0
        while pending and looked < LOOKED_AT:
            position = pending.popleft()
            looked += 1
            new = [result for result in dict.fromkeys(self._position(position)) if result not in met]
            met.update(new)
            pending += new
        if (
            isinstance(self.engine, Rules)
            and not self.moved
            and self.asked("end()", lambda: self.engine.end(start)) is None
        ):
            raise self.broken(f"no move of the alphabet is legal at any of the first {looked} positions")
        return looked

    def _position(self, position: Any) -> list[Any]:
        """Check everything about one position; return its successors."""
        text = self.asked("the text of a position", lambda: str(position))
        self._round_trip("position", position, text, self.game.read_position)
        if self.alike is not None:
            self._symmetry(self.alike, position, text)
        end = self.asked(f"end({text})", lambda: self.engine.end(position))
        chances = self.asked(f"chances({text})", lambda: tuple(self.engine.chances(position)))
        if end is not None:
            if chances:
                raise self.broken(f"{text} has ended ({end}), but chance is to act")
            return []
        self._actor(position, text)
        self._chances(text, chances)
        return [chance.result for chance in chances] if chances else self._moves(position, text)

    def _moves(self, position: Any, text: str) -> list[Any]:
        moves = self.asked(f"moves({text})", lambda: dict(self.engine.moves(position)))
        for move, result in moves.items():
            self._move(position, text, move, result)
        self.moved = self.moved or bool(moves)
        if isinstance(self.engine, Rules):
            self._unlisted(self.engine, position, text, moves)
        return list(moves.values())

    def _round_trip(self, what: str, value: Any, text: str, read: Callable[[Any, str], Any]) -> None:
        again = self.asked(f"reading the {what} {text!r}", lambda: read(self.params, text))
        if again != value or str(again) != text:
            raise self.broken(f"the {what} {text!r} is read as another one, {str(again)!r}")

    def _symmetry(self, alike: Callable[[Any], Any], position: Any, text: str) -> None:
        """Equivalent positions have equivalent moves; otherwise solved values would be false. Steps of chance may come
        in another order, so where chance acts nothing is compared."""
        other = self.asked(f"what is alike to {text}", lambda: alike(position))
        if other == position:
            return
        ours, theirs = (self.asked(f"the moves of {p}", partial(self._ways, alike, p)) for p in (position, other))
        if ours != theirs:
            raise self.broken(f"{text} and {other} are called alike, but {_unlike(ours, theirs)}")

    def _ways(self, alike: Callable[[Any], Any], position: Any) -> tuple[Any, Counter[Any]]:
        """The winners, or their number where players may be swapped; and the representatives of all successors."""
        end = self.engine.end(position)
        usual = type(self.game.hints).normaliser is Hints.normaliser
        won = None if end is None else sorted(end.winners) if usual else len(end.winners)
        who, ways = steps(self.engine, position)
        return won, Counter(who if way.by_chance else alike(way.result) for way in ways)

    def _actor(self, position: Any, text: str) -> None:
        actor = self.asked(f"actor({text})", lambda: self.engine.actor(position))
        if actor not in (*self.engine.players, EVERYBODY):
            raise self.broken(f"at {text} {actor!r} is to act, who is none of {', '.join(self.engine.players)}")

    def _chances(self, text: str, chances: Sequence[Chance[Any]]) -> None:
        labels = [chance.label for chance in chances]
        if len(set(labels)) < len(labels):
            raise self.broken(f"at {text} chance brings two things of one name: {', '.join(labels)}")
        for chance in chances:
            if not isinstance(chance.weight, int) or chance.weight < 1:
                raise self.broken(f"at {text} the weight of {chance.label!r} is {chance.weight!r}, not 1 or more")

    def _move(self, position: Any, text: str, move: Any, result: Any) -> None:
        named = str(move)
        self._round_trip("move", move, named, self.game.read_move)
        verdict = self.asked(f"judge({text}, {named})", lambda: self.engine.judge(position, move))
        if not verdict.legal:
            raise self.broken(f"moves({text}) lists {named}, which judge refuses: {verdict}")
        after = self.asked(f"play({text}, {named})", lambda: self.engine.play(position, move))
        if after != result:
            raise self.broken(f"moves({text}) says that {named} leads to {result}, play leads to {after}")
        if after == position:
            raise self.broken(f"moves({text}) lists {named}, which changes nothing: it leads to the same position")

    def _unlisted(self, engine: Rules[Any, Any], position: Any, text: str, moves: Mapping[Any, Any]) -> None:
        """A move of the alphabet that `judge` allows is listed, or has the result of a listed move."""
        others = [move for move in engine.candidates() if move not in moves]
        verdicts = self.asked(f"judge({text}, ...)", lambda: [engine.judge(position, move) for move in others])
        for move, verdict in zip(others, verdicts, strict=True):
            if verdict.legal and engine.play(position, move) not in moves.values():
                raise self.broken(f"judge allows {move} at {text}, which moves does not list")

    def _alphabet(self, engine: Rules[Any, Any], start: Any) -> None:
        if not self.asked("candidates()", lambda: list(engine.candidates())):
            raise self.broken("candidates() is empty, so there is no move to be made")
        if engine.end(start) is None and not engine.chances(start) and not engine.moves(start):
            raise self.broken(f"no move of the alphabet is legal at the start, {start}")


def _unlike(ours: tuple[Any, Counter[Any]], theirs: tuple[Any, Counter[Any]]) -> str:
    if ours[0] != theirs[0]:
        return "they have not ended alike"
    counts = ours[1].total(), theirs[1].total()
    if counts[0] != counts[1]:  # so if these are equal, each has a way on that the other has not
        return f"they have {counts[0]} and {counts[1]} ways on"
    return f"only one of them leads to {min(map(str, ours[1] - theirs[1]))} or what is alike to it"


def _in_order(game: Game, todo: Sequence[Sized], readings: Readings) -> None:
    """Versions are in order of size: among small ones, play reaches no fewer positions in a later one."""
    sizes = list(_sizes(game, todo, readings)) if len(todo) > 1 else []
    for (first, many), (second, few) in pairwise(sizes):
        if many > few:
            raise BrokenPromiseError(
                f"{game.slug}: versions come in order of size, but {first} has {many:,} positions and {second} {few:,}"
            )


def _sizes(game: Game, todo: Sequence[Sized], readings: Readings) -> Iterator[tuple[str, int]]:
    for version in todo:
        engine = game.engine(version.params, readings)
        try:
            play = Explored(engine, partial(game.read_position, version.params), limit=SMALL)
        except TooLargeError:
            return
        yield version.name, len(play)
