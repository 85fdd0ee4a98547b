"""python-constraint, for finite problems of few variables of which all solutions are wanted.

Conditions are plain predicates over the values of some variables. A condition over the first variables only is tested
as soon as those have values, so conditions over longer and longer beginnings search as a careful reader would.
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
        """The predicate gets the values of these variables, in this order."""
        if not self._hopeless:
            self._problem.addConstraint(constraint.FunctionConstraint(holds), list(names))

    def chain(self, names: Sequence[Variable], holds: Callable[..., bool]) -> None:
        """The condition for every beginning of the row of variables."""
        for length in range(1, len(names) + 1):
            self.condition(names[:length], holds)

    def solutions(self) -> Iterator[tuple[Any, ...]]:
        """The values of the variables as they were named in turn; without variables there is one solution."""
        if self._hopeless:
            return
        if not self._names:
            yield ()
            return
        for found in self._problem.getSolutionIter():
            yield tuple(found[name] for name in self._names)
