"""Icehouse: what puzzles ask about a position, answered by the encoding that the rules use.

Pieces are named by their number in `position.pieces`, counted from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

from rulecheck.games.icehouse.pieces import Capture, Event, Piece, Position
from rulecheck.puzzles.kinds import changed_answers
from rulecheck.puzzles.rules import ByConstraints as Stated
from rulecheck.puzzles.rules import Rules

TAKEN = "taken off the table (two defenders stay with every colour that attacks)"


class Umpire(Protocol):
    def total(self, position: Position, d: int) -> int:
        """The total worth of a standing piece's attackers."""
        ...

    def frozen(self, position: Position, d: int) -> bool: ...

    def hostile(self, position: Position, piece: Piece, d: int) -> bool:
        """May this new piece attack piece d?"""
        ...

    def early(self, position: Position, piece: Piece) -> bool:
        """Would a lying piece come before two defenders?"""
        ...

    def at_fault(self, position: Position, player: str) -> bool:
        """Did attackers of a player come before two defenders?"""
        ...

    def scores(self, position: Position) -> dict[str, int]: ...

    def over(self, position: Position) -> bool: ...

    def result(self, position: Position, event: Event) -> Position:
        """The position after a legal event."""
        ...


class ByEngine:
    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self.total, self.frozen, self.scores, self.over = engine.total, engine.frozen, engine.scores, engine.over
        self.at_fault, self.result = engine.at_fault, engine.play

    def hostile(self, position: Position, piece: Piece, d: int) -> bool:
        return bool(self.engine.hostile(piece, position.pieces[d]))

    def early(self, position: Position, piece: Piece) -> bool:
        return bool(self.engine.early((*position.pieces, piece), len(position.pieces)))


class ByConstraints:
    def __init__(self, spec: Any) -> None:
        self.spec = spec
        self.scores, self.over, self.result = spec.scores, spec.over, spec.after

    def total(self, position: Position, d: int) -> int:
        return int(self.spec.status(position).total(d))

    def frozen(self, position: Position, d: int) -> bool:
        return bool(self.spec.status(position).frozen(d))

    def hostile(self, position: Position, piece: Piece, d: int) -> bool:
        return bool(self._with(position, piece).hostile(len(position.pieces), d))

    def early(self, position: Position, piece: Piece) -> bool:
        status = self._with(position, piece)
        return any(bool(status.early(len(position.pieces), k)) for k in self.spec.params.colours)

    def _with(self, position: Position, piece: Piece) -> Any:
        return self.spec.status(replace(position, pieces=(*position.pieces, piece)))

    def at_fault(self, position: Position, player: str) -> bool:
        return bool(self.spec.status(position).fault(player))


def umpire(rules: Rules) -> Umpire:
    return ByConstraints(rules.spec) if isinstance(rules, Stated) else ByEngine(rules.choice.engine())


def played(rules: Rules, position: Position, event: Event) -> Position | None:
    """The position after an event; None if it is not allowed."""
    return umpire(rules).result(position, event) if rules.judge(position, event).legal else None


def captures(rules: Rules, position: Position) -> dict[Capture, Position]:
    """All legal captures with their results."""
    lying = [n for n, piece in enumerate(position.pieces, start=1) if piece.lying]
    every = (Capture(player, n) for n in lying for player in rules.choice.params.colours)
    return {c: after for c in every if (after := played(rules, position, c)) is not None}


def captor(allowed: Sequence[Capture]) -> str | None:
    """The only player who may capture."""
    players = {capture.player for capture in allowed}
    return players.pop() if len(players) == 1 else None


def in_order(rules: Rules, position: Position) -> bool:
    """Is the game on, and did no attacker come too early, as far as the position shows?"""
    asked = umpire(rules)
    return not asked.over(position) and not any(asked.at_fault(position, k) for k in rules.choice.params.colours)


def ordinary(position: Position, hands: int = 0) -> bool:
    """Are `hands` hands full, and nothing there that matters only under some readings: pads, prisoners, marks?"""
    placed = all(piece.placer == piece.colour and not piece.marked for piece in position.pieces)
    full = sum(held is not None for held in position.hands)
    others = position.params.pads, position.iced, position.lost, any(position.prisoners)
    return placed and full == hands and not any(others)


def fewer(position: Position) -> Iterator[tuple[int, Position]]:
    """Each piece's number, with the position after it has returned to its pad."""
    for n in range(len(position.pieces)):
        yield n, replace(position, pieces=position.pieces[:n] + position.pieces[n + 1 :])


def stripped(position: Position, idle: Callable[[Position], Iterator[tuple[int, Position]]]) -> Position:
    """The position without the pieces that the puzzle does not need."""
    for _, rest in idle(position):
        return stripped(rest, idle)
    return position


def other_answers(
    rules: Rules, position: Position, answer: str, touching: Sequence[str], again: Callable[[Rules, Position], str]
) -> dict[str, str]:
    """The answers under other readings. Those not in `touching` cannot matter, and are skipped."""
    here = [rules.choice.readings[name] for name in touching]

    def answered(other: Rules, there: Any) -> str:
        unchanged = [other.choice.readings[name] for name in touching] == here
        return answer if unchanged else again(other, there)

    return changed_answers(rules, position, answer, answered)


def named(position: Position, d: int) -> str:
    """As diagrams number it."""
    return f"piece {d + 1}, {position.pieces[d]}"
