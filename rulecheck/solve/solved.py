"""A solved game, whichever method solved it: its table, what the start is worth, and the document about it."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulecheck.registry import Choice
from rulecheck.solve.outcomes import BEST_FIRST
from rulecheck.solve.probing import Probe, probe, values_of
from rulecheck.solve.symmetry import Alike
from rulecheck.solve.tables import plain_sentences
from rulecheck.solve.worth import PlayValues, Worth
from solvers.tablebase import open_table

if TYPE_CHECKING:
    from solvers.stochastic import Solution
    from solvers.stochastic_walks import WalkSolution

BOUNDED = ("positions", "ended", "nodes", "edges")  # header fields of a game with chance ...
DECIDED = ("positions", "ended", *(outcome.name.lower() for outcome in BEST_FIRST))  # ... and of one without


@dataclass(frozen=True, eq=False, kw_only=True)
class Solved:
    """A solved game. Every answer comes from the table as written, so what is printed is what is stored."""

    choice: Choice
    path: Path
    solution: Solution | WalkSolution | None = None  # bounds, if there is chance
    alike: Alike | None = None  # what was compared of positions called alike; compiled ones are compared by `certify`
    resumable: bool = False  # it ended early, and its checkpoint is kept

    def exact_start(self) -> tuple[str, str] | None:
        """What the side to act and the other can force from the start, as fractions, if the method can tell."""
        return None

    def furthest(self) -> Any | None:
        """A position with the longest forced win, if outcomes are known and one needs a move."""
        return None

    @contextmanager
    def values(self) -> Iterator[PlayValues[Any, Any]]:
        """The values of all positions, from the table."""
        with plain_sentences(), open_table(self.path) as table:
            yield values_of(table, self.choice)

    @functools.cached_property
    def about(self) -> Mapping[str, Any]:
        """The header of the table."""
        with plain_sentences(), open_table(self.path) as table:
            return dict(table.header.about)

    @functools.cached_property
    def worth(self) -> Worth:
        """What the start is worth to the side whose turn it is."""
        with self.values() as values:
            return values.worth(self.choice.engine().start())

    def start(self, hero: str | None = None) -> Probe:
        with self.values() as values:
            return probe(values, self.choice, self.choice.engine().start(), hero)

    def longest_win(self) -> dict[str, Any] | None:
        position = self.furthest()
        if position is None:
            return None
        with self.values() as values:
            line = values.best_line(position)
        return {"position": str(position), "distance": len(line), "line": line}

    def as_json(self, start: Probe, *, exact: bool = False) -> dict[str, Any]:
        """The document; `start` is the probe of the start, in the view asked for."""
        value = {**start.worth.as_json(), "best": start.best}
        frame = {"alike": None if self.alike is None else self.alike.as_json(), "table": str(self.path)}
        if self.solution is None:
            return {**value, **self._figures(DECIDED), "longest_win": self.longest_win(), **frame}
        how = {"width": self.solution.width, "reached": self.solution.reached, "resumable": self.resumable}
        return {**(self._fractions(start) if exact else {}), **value, **self._figures(BOUNDED), **how, **frame}

    def _figures(self, names: tuple[str, ...]) -> dict[str, Any]:
        return {name: self.about[name] for name in names if name in self.about}

    def _fractions(self, start: Probe) -> dict[str, str]:
        fractions = self.exact_start()
        if fractions is None:
            return {}
        own, other = fractions if start.worth.player == self.worth.player else fractions[::-1]
        return {"value": own, "opponent_value": other}
