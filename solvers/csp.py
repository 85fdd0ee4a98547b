"""python-constraint, for finite problems of few variables whose solutions are all wanted.

Conditions are plain predicates over the values of some variables. A condition over the first variables is tested as
soon as those have values, so conditions over longer and longer prefixes prune the search early.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import constraint

Variable = Hashable


class Puzzle:
    """Variables with their values, and conditions on them."""

    def __init__(self) -> None:
        self._problem = constraint.Problem(constraint.BacktrackingSolver())
        self._names: list[Variable] = []
        self._hopeless = False

    def variable(self, name: Variable, values: Sequence[Any]) -> None:
        """A variable without values makes the puzzle hopeless, which is no error."""
        self._names.append(name)
        if values:
            self._problem.addVariable(name, list(values))
        else:
            self._hopeless = True

    def condition(self, names: Sequence[Variable], holds: Callable[..., bool]) -> None:
        """Require the predicate of the values of these variables, in this order."""
        if not self._hopeless:
            self._problem.addConstraint(constraint.FunctionConstraint(holds), list(names))

    def chain(self, names: Sequence[Variable], holds: Callable[..., bool]) -> None:
        """Require the predicate of every prefix of the variables."""
        for length in range(1, len(names) + 1):
            self.condition(names[:length], holds)

    def solutions(self) -> Iterator[tuple[Any, ...]]:
        """The values of the variables, in the order they were added; without variables there is one solution."""
        if self._hopeless:
            return
        if not self._names:
            yield ()
            return
        for solution in self._problem.getSolutionIter():
            yield tuple(solution[name] for name in self._names)
