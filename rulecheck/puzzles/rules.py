"""What a puzzle may ask of a game. The engine answers when puzzles are made, the constraints when they are verified.

Both list the moves of a position with their results, under the engine's names for moves. The constraints must first
agree that the list is complete, that each move leads where the engine says, and who wins by it.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from rulecheck import registry
from rulecheck.contract import AnyEngine, winner_of
from rulecheck.model import Verdict
from rulecheck.puzzles.stated import Constrained
from rulecheck.registry import Choice

# By the constraints: every result of a position's moves, with its winner and the moves that lead there.
Stated = Mapping[Any, tuple[str | None, Container[str]]]
Listing = Callable[[Sequence[Any]], Iterable[Stated]]


S = TypeVar("S")  # the constraints of a game


class OneByOne(ABC, Generic[S]):
    """A listing of a game whose constraints are asked about one position at a time."""

    def __init__(self, spec: S) -> None:
        self.spec = spec

    def __call__(self, positions: Sequence[Any]) -> Iterator[Stated]:
        return map(self.stated, positions)

    @abstractmethod
    def stated(self, position: Any) -> Stated: ...


class DisagreementError(Exception):
    """The two encodings of a game disagree: a finding about the rules, not a puzzle."""


class Rules(Protocol):
    choice: Choice
    guide: Rules | None  # suggests the order of a search

    def moves(self, position: Any) -> Mapping[str, Any]:
        """Every legal move with its result; moves with equal results are one move."""
        ...

    def winner(self, position: Any) -> str | None: ...

    def actor(self, position: Any) -> str:
        """Whose turn it is; never asked after the end."""
        ...

    def turned(self, position: Any, player: str) -> Any:
        """The same position with this player to move."""
        ...

    def judge(self, position: Any, move: Any) -> Verdict: ...

    def ahead(self, positions: Iterable[Any]) -> None:
        """The moves of these positions will be asked for."""
        ...

    @property
    def playable(self) -> AnyEngine:
        """The game as this encoding plays it."""
        ...

    def under(self, readings: Mapping[str, str]) -> Rules:
        """The same encoding of the same game, with some readings changed."""
        ...

    def within(self, params: Mapping[str, str]) -> Rules:
        """The same encoding and readings, with some parameters changed."""
        ...

    def read(self, position: str) -> Any: ...


class _Common:
    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self.engine = choice.engine()
        self.actor = self.engine.actor

    def turned(self, position: Any, player: str) -> Any:
        return self.choice.game.hints.turned(self.choice.params, position, player)

    def read(self, position: str) -> Any:
        return self.choice.game.read_position(self.choice.params, position)

    def under(self, readings: Mapping[str, str]) -> Any:
        changed = self.choice.readings.replace(**readings)
        return rules_of(type(self), self.choice.game.slug, self.choice.params.as_dict(), changed)

    def within(self, params: Mapping[str, str]) -> Any:
        changed = {**self.choice.params.as_dict(), **params}
        return rules_of(type(self), self.choice.game.slug, changed, self.choice.readings)


class ByEngine(_Common):
    """The rules as the engine plays them."""

    guide = None

    def __init__(self, choice: Choice) -> None:
        super().__init__(choice)
        self.moves = functools.lru_cache(maxsize=200_000)(self._moves)
        self.winner = functools.partial(winner_of, self.engine)
        self.judge = self.engine.judge

    def _moves(self, position: Any) -> dict[str, Any]:
        return {str(move): result for move, result in self.engine.moves(position).items()}

    @property
    def playable(self) -> AnyEngine:
        return self.engine

    def ahead(self, positions: Iterable[Any]) -> None:
        """The engine needs no warning."""


class ByConstraints(_Common):
    """The rules as the constraints state them; the engine only suggests."""

    def __init__(self, choice: Choice) -> None:
        super().__init__(choice)
        self.spec = choice.spec()
        self.judge = self.spec.judge
        self.guide = ByEngine(choice)
        self._known: dict[Any, dict[str, Any]] = {}
        self._won: dict[Any, str | None] = {}

    @functools.cached_property
    def listing(self) -> Listing:
        """Made when moves are first asked for: a verdict needs none."""
        return self.choice.game.hints.stated_turns(self.spec)

    @functools.cached_property
    def playable(self) -> AnyEngine:
        return Constrained(self.engine, self.spec)

    def ahead(self, positions: Iterable[Any]) -> None:
        new = [p for p in dict.fromkeys(positions) if p not in self._known]
        for position, stated in zip(new, self.listing(new), strict=True):
            self._known[position] = self._agreed(position, stated)
            self._won |= {result: winner for result, (winner, _) in stated.items()}

    def _agreed(self, position: Any, stated: Stated) -> dict[str, Any]:
        moves = dict(self.guide.moves(position))
        if len(moves) != len(stated):
            raise DisagreementError(f"{position}: {len(moves)} moves by the engine, {len(stated)} by the constraints")
        for move, result in moves.items():
            winner, names = stated.get(result, (None, set()))
            if move not in names or winner != winner_of(self.engine, result):
                raise DisagreementError(f"{position}, {move}: by the constraints it does not lead to {result}")
        return moves

    def moves(self, position: Any) -> Mapping[str, Any]:
        if position not in self._known:
            self.ahead([position])
        return self._known[position]

    def winner(self, position: Any) -> str | None:
        """Known for the result of any listed move; elsewhere the engine decides, if the constraints allow no move."""
        if position not in self._won:
            won_by = winner_of(self.engine, position)
            if won_by is not None and self.moves(position):
                raise DisagreementError(f"{position}: won by {won_by} by the engine, and the constraints play on")
            self._won[position] = won_by
        return self._won[position]


@functools.lru_cache(maxsize=64)
def _kept(
    how: Callable[[Choice], Any], slug: str, params: tuple[tuple[str, str], ...], readings: tuple[tuple[str, str], ...]
) -> Any:
    """Made once in each process: building constraints takes longer than asking them."""
    game = registry.find(slug)
    return how(Choice(game, game.params(dict(params)), game.rulebook.choose(dict(readings))))


def rules_of(how: Callable[[Choice], Any], slug: str, params: Mapping[str, str], readings: Mapping[str, str]) -> Rules:
    rules: Rules = _kept(how, slug, tuple(params.items()), tuple(readings.items()))
    return rules
