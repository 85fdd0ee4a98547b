"""The contract of a game: the engine that every analysis works with, and a base class that supplies the rest.

The analyses need nothing of a position or a move but equality, hashing and a one-line text (`str`). The engine answers
everything else: who is to act, what chance may bring, which moves are legal, and how the game has ended.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from rulecheck.model import InputError, Readings, Verdict

P = TypeVar("P", bound=Hashable)  # a position
M = TypeVar("M", bound=Hashable)  # a move
Asked = TypeVar("Asked", bound=Hashable, contravariant=True)  # a move that is only asked about
Seen = TypeVar("Seen", bound=Hashable, contravariant=True)  # a position that is only read


class Parameters(Protocol):
    """The parameters of a game: the size of its board, the number of its players."""

    def as_dict(self) -> dict[str, str]: ...


@dataclass(frozen=True)
class Chance(Generic[P]):
    """One possible result of chance, `weight` times as likely as one of weight 1."""

    label: str
    weight: int
    result: P


@dataclass(frozen=True)
class End:
    """How a game has ended. Nobody among the winners, or everybody, is a tie."""

    winners: tuple[str, ...] = ()
    points: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        text = f"{' and '.join(self.winners)} won" if self.winners else "nobody won"
        return text + (f" ({', '.join(f'{who} {n}' for who, n in self.points)})" if self.points else "")


TIE = End()
EVERYBODY = "everybody"  # as the one to act: players do not wait for turns, so who moves is part of the move


class Engine(Protocol[P, M]):
    """Executable rules. Stateless: it holds parameters and readings; positions are passed in as values.

    In a position the game has ended (`end`), or chance is to act (`chances`), or a player is. If a player to act has no
    move, play stops, which is a tie.
    """

    @property
    def players(self) -> tuple[str, ...]: ...

    @property
    def params(self) -> Parameters: ...

    @property
    def readings(self) -> Readings: ...

    def start(self) -> P: ...

    def actor(self, position: P) -> str:
        """Whose turn it is: the player to act, or the one who rolls the dice. Never called after the end."""
        ...

    def chances(self, position: P) -> Sequence[Chance[P]]:
        """What chance may bring; empty if chance is not to act."""
        ...

    def end(self, position: P) -> End | None:
        """How the game has ended; None while it goes on."""
        ...

    def moves(self, position: P) -> Mapping[M, P]:
        """The legal moves, each with the position it leads to."""
        ...

    def judge(self, position: P, move: M) -> Verdict:
        """Is the move legal here? If not, by which clauses?"""
        ...

    def play(self, position: P, move: M) -> P:
        """The position after a legal move; an illegal move raises InputError."""
        ...


class Rules(ABC, Generic[P, M]):
    """An engine made of six methods: a game's own class defines these, and the rest follows."""

    players: tuple[str, ...] = ("A", "B")

    def __init__(self, params: Parameters, readings: Readings) -> None:
        self.params, self.readings = params, readings

    @abstractmethod
    def start(self) -> P: ...

    @abstractmethod
    def actor(self, position: P) -> str: ...

    @abstractmethod
    def end(self, position: P) -> End | None: ...

    @abstractmethod
    def candidates(self) -> Sequence[M]:
        """The alphabet: every move that is legal in some position, and any number of others."""

    @abstractmethod
    def judge(self, position: P, move: M) -> Verdict: ...

    @abstractmethod
    def after(self, position: P, move: M) -> P:
        """The position after a move that is assumed to be legal."""

    def chances(self, position: P) -> Sequence[Chance[P]]:
        return ()

    def moves(self, position: P) -> dict[M, P]:
        if self.end(position) is not None or self.chances(position):
            return {}
        return {m: self.after(position, m) for m in self.candidates() if self.judge(position, m).legal}

    def play(self, position: P, move: M) -> P:
        verdict = self.judge(position, move)
        if not verdict.legal:
            raise InputError(f"the move {move} is {verdict}")
        return self.after(position, move)


class Spec(Protocol[Seen, Asked]):
    """The same rules as constraints: they are asked, never run."""

    @property
    def readings(self) -> Readings: ...

    def judge(self, position: Seen, move: Asked) -> Verdict: ...


@runtime_checkable
class StatedSpec(Spec[P, Asked], Protocol[P, Asked]):
    """Constraints that also state effects and ends. What they do not state is None, and no proof covers it."""

    def result(self, position: P, move: Asked) -> P | None:
        """What a legal move leads to."""
        ...

    def winners(self, position: P) -> tuple[str, ...] | None:
        """Who has won; nobody while the game goes on."""
        ...


@runtime_checkable
class EffectSpec(Spec[P, Asked], Protocol[P, Asked]):
    """Constraints that state effects, and leave ends to others."""

    def after(self, position: P, move: Asked) -> P: ...


# Of a game that is known at run time only.
AnyEngine = Engine[Any, Any]
AnySpec = Spec[Any, Any]


def stated_result(spec: AnySpec, position: Any, move: Any) -> Any | None:
    """What a legal move leads to by the constraints; None if they do not say."""
    if isinstance(spec, StatedSpec):
        return spec.result(position, move)
    return spec.after(position, move) if isinstance(spec, EffectSpec) else None


def brought(engine: Engine[P, M], position: P) -> tuple[P, ...]:
    """The positions that chance may bring, each repeated by its weight, so that all are equally likely."""
    return tuple(chance.result for chance in engine.chances(position) for _ in range(chance.weight))


def winner_of(engine: Engine[P, M], position: P) -> str | None:
    """The winners' names, joined; None while the game goes on, or if it has ended without a winner."""
    end = engine.end(position)
    return "".join(end.winners) if end is not None and end.winners else None
