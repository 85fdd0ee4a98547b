"""What a solved game without dice is kept as: win, loss, tie or draw of every position, with its distance.

Distances count the moves of both players. A tie is a game that stops without a winner; a draw is one that neither
player can bring to an end without losing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulecheck.contract import AnyEngine, winner_of
from rulecheck.model import InputError
from rulecheck.registry import Choice
from rulecheck.solve.spaces import Space, find_number
from rulecheck.solve.tables import Method, plain_sentences
from solvers.graph import Outcome
from solvers.tablebase import Table

COLUMNS = ("outcome", "distance")
PIECE = 1 << 22  # rows counted together
FLIPPED = {Outcome.WIN: Outcome.LOSS, Outcome.LOSS: Outcome.WIN}
BEST_FIRST = (Outcome.WIN, Outcome.TIE, Outcome.DRAW, Outcome.LOSS)


class Worth(NamedTuple):
    """What a position is worth to the player to move, and in how many moves (-1 where play has no end)."""

    outcome: Outcome
    distance: int

    def as_json(self) -> dict[str, Any]:
        return {"value": self.outcome.name.lower(), "distance": None if self.distance < 0 else self.distance}

    def before(self) -> Worth:
        """The same for the player whose move led here, and who is one move further away."""
        return Worth(FLIPPED.get(self.outcome, self.outcome), self.distance + 1 if self.distance >= 0 else -1)

    @property
    def rank(self) -> tuple[int, int]:
        """Smaller is better: quick wins first, slow losses last but one."""
        return BEST_FIRST.index(self.outcome), self.distance if self.outcome != Outcome.LOSS else -self.distance

    def __str__(self) -> str:
        if self.distance < 0:
            return self.outcome.name.lower()
        return f"{self.outcome.name.lower()} in {self.distance}"


def about(space: Space, outcome: NDArray[np.uint8], distance: NDArray[np.int32]) -> dict[str, Any]:
    """What the header of a table says: how many positions are won, lost, tied and drawn, at which distances."""
    real = real_numbers(space)
    spread = histogram(outcome[real], distance[real])
    counts = {o.name.lower(): int(spread[o].sum()) for o in BEST_FIRST}
    shown = {o.name.lower(): np.trim_zeros(spread[o], "b").tolist() for o in (Outcome.WIN, Outcome.LOSS, Outcome.TIE)}
    return {"method": Method.RETROGRADE.value, "positions": sum(counts.values()), **counts, "distances": shown}


def histogram(outcome: NDArray[np.uint8], distance: NDArray[np.int32]) -> NDArray[np.int64]:
    """How many have each outcome at each distance; what has no distance stands at 0. By pieces, to save memory."""
    spread = np.zeros((len(Outcome), int(distance.max(initial=0)) + 1), dtype=np.int64)
    for at in range(0, len(outcome), PIECE):
        here = slice(at, at + PIECE)
        places = outcome[here] * np.int64(spread.shape[1]) + np.maximum(distance[here], 0)
        spread += np.bincount(places, minlength=spread.size).reshape(spread.shape)
    return spread


def first_with(outcome: NDArray[np.uint8], distance: NDArray[np.int32], worth: Outcome, away: int) -> int:
    """The first number that is worth this."""
    for at in range(0, len(outcome), PIECE):
        here = slice(at, at + PIECE)
        found = np.flatnonzero((outcome[here] == worth) & (distance[here] == away))
        if len(found):
            return at + int(found[0])
    raise KeyError(f"no position is worth {Worth(worth, away)}")


def real_numbers(space: Space) -> slice:
    """Without the numbers at the end that each stand for many positions."""
    return slice(0, len(space) - space.endings)


# -- Answering from a table ----------------------------------------------------------------------------------


class MoveWorth(NamedTuple):
    """A move and what it is worth to the player who makes it."""

    move: str
    result: Any
    worth: Worth

    def as_json(self) -> dict[str, Any]:
        return {"move": self.move, "result": str(self.result), **self.worth.as_json()}


@dataclass(frozen=True)
class Answer:
    position: str
    worth: Worth
    moves: tuple[MoveWorth, ...]  # best first

    @property
    def best(self) -> list[str]:
        return [m.move for m in self.moves if m.worth == self.worth]

    def as_json(self) -> dict[str, Any]:
        moves = [m.as_json() for m in self.moves]
        return {"position": self.position, **self.worth.as_json(), "best": self.best, "moves": moves}


def probe(table: Table, choice: Choice, position: Any) -> Answer:
    """What a position is worth, and what each of its moves is worth."""
    engine = choice.engine()
    over = ended(engine, position)
    if over is not None:
        return Answer(str(position), over, ())
    stored = stored_worth(table, choice, position)
    found = [
        MoveWorth(str(move), result, (ended(engine, result) or stored_worth(table, choice, result)).before())
        for move, result in engine.moves(position).items()
    ]
    found.sort(key=lambda m: (m.worth.rank, m.move))
    if found and found[0].worth != stored:
        raise InputError(f"{table.path} says {stored} of {position}, but its moves say {found[0].worth}")
    return Answer(str(position), stored, tuple(found))


def ended(engine: AnyEngine, position: Any) -> Worth | None:
    winner = winner_of(engine, position)
    if winner is not None:
        return Worth(Outcome.WIN if winner == position.mover else Outcome.LOSS, 0)
    return None if engine.moves(position) else Worth(Outcome.TIE, 0)


def stored_worth(table: Table, choice: Choice, position: Any) -> Worth:
    with plain_sentences():
        row = find_number(choice, table, position)
        worth = None if row is None else Worth(outcome_at(table, row), table.value("distance", row))
    if worth is None or worth.outcome is Outcome.UNSOLVED:
        raise InputError(f"the table of this game does not hold {position}: it cannot arise in it")
    return worth


def outcome_at(table: Table, row: int) -> Outcome:
    try:
        return Outcome(table.value("outcome", row))
    except ValueError:
        raise InputError(f"{table.path} holds something in row {row} that is not win, loss, tie or draw") from None


def best_line(table: Table, choice: Choice, position: Any) -> Iterator[MoveWorth]:
    """Best play from here to the end; nothing from a draw, which has none."""
    answer = probe(table, choice, position)
    while answer.moves and answer.worth.distance > 0:
        best = answer.moves[0]
        yield best
        answer = probe(table, choice, best.result)
