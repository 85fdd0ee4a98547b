"""Tables of solved games: what a position is worth, and proof of it without the solver."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulecheck.api.position import Position
from rulecheck.jobs import Report, ignore
from rulecheck.model import InputError

if TYPE_CHECKING:
    from rulecheck.api.game import OpenGame
    from rulecheck.solve.certifying import Certificate
    from rulecheck.solve.worth import Worth


@dataclass(frozen=True)
class Rated:
    """A move, or what chance may bring, with its worth to the side whose turn it was."""

    text: str
    result: Position = field(repr=False)
    worth: Worth
    weight: int = 1

    def __str__(self) -> str:
        return f"{self.text}: {self.worth.text}"


@dataclass(frozen=True)
class Answer:
    """What a position is worth: an outcome and its distance in moves or, with chance, bounds on what can be forced.

    `worth` is seen by the player whose turn it is, and with more than two by the one the game was solved for.
    """

    position: Position
    worth: Worth
    moves: tuple[Rated, ...]  # best first; empty where chance acts
    chances: tuple[Rated, ...]
    best: tuple[str, ...]  # all best moves

    @property
    def value(self) -> str | None:
        """`win`, `loss`, `tie` or `draw`; None with chance."""
        return None if self.worth.outcome is None else self.worth.outcome.name.lower()

    @property
    def distance(self) -> int | None:
        """The number of moves; None if play need not end, and with chance."""
        return self.worth.distance

    @property
    def bounds(self) -> tuple[float, float] | None:
        """With chance, the bounds on the probability that can be forced; None without."""
        if self.worth.values is None:
            return None
        win = self.worth.values.win.as_json()
        return win["low"], win["high"]

    def __str__(self) -> str:
        return str(self.worth)


@dataclass(frozen=True)
class Table:
    """A solved game in a file. Each question opens the file, so nothing needs closing."""

    path: Path
    game: OpenGame
    about: Mapping[str, Any] = field(repr=False, compare=False)  # what its header says: sizes, counts, bounds

    @property
    def positions(self) -> int:
        return int(self.about["positions"])

    def probe(self, position: Position | str | None = None) -> Answer:
        """What a position (the start, if none is named) is worth, and every way on from it."""
        from rulecheck.solve.probing import probe_table
        from rulecheck.solve.tables import TABLES, find_table

        here = self._position(position)
        choice = self.game.choice
        with find_table(choice, self.path, TABLES) as table:
            probed = probe_table(table, choice, here.value)
        rated = tuple(
            Rated(way.step.label, Position(self.game, way.step.result), way.worth, way.step.weight)
            for way in probed.ways
        )
        if isinstance(probed.best, dict):
            return Answer(here, probed.worth, (), rated, ())
        return Answer(here, probed.worth, rated, (), tuple(probed.best))

    def certify(
        self, *, everywhere: bool = False, seed: int | None = None, jobs: int = 1, report: Report = ignore
    ) -> Certificate:
        """Prove the table without the solver: rebuild the game, check every entry, compare its moves."""
        from rulecheck.solve.certifying import certify

        return certify(self.path, everywhere=everywhere, seed=seed, jobs=jobs, report=report)

    def _position(self, position: Position | str | None) -> Position:
        if position is None:
            return self.game.start()
        if isinstance(position, str):
            return self.game.position(position)
        if position.game != self.game:
            raise InputError(f"the table is of {self.game}, and the position of {position.game}")
        return position


def open_table(path: str | Path) -> Table:
    """Open a table that `solve` made, with the game it is about."""
    from rulecheck.api.game import OpenGame
    from rulecheck.solve.certifying import choice_of
    from rulecheck.solve.tables import is_there, plain_sentences
    from solvers import tablebase

    if not is_there(Path(path)):
        raise InputError(f"there is no table {str(path)!r}; rulecheck solve makes one")
    with plain_sentences(), tablebase.open_table(path) as table:
        return Table(Path(path), OpenGame(choice_of(table)), table.header.about)
