"""The least positions of Hextris that show something, by z3's finite domain solver, against its general one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.rows import Row, compare
from rulecheck.analyses.clauses import Coverage
from rulecheck.games.hextris import GAME
from rulecheck.games.hextris.coverage import Search
from rulecheck.games.hextris.real import real
from specs.hextris.spec import Spec

CLAUSES = ("HX-29", "HX-30")


def rows(small: bool) -> Iterator[Row]:
    for clause in ("HX-32",) if small else CLAUSES:
        yield compare(
            f"Hextris: the position with the fewest pieces in which {clause} alone decides",
            partial(searched, clause, general=False),
            partial(searched, clause, general=True),
            "the general solver of z3",
            at_least=None if small else 2,
            repeats=1 if small else 3,
        )


def searched(clause: str, *, general: bool) -> Coverage:
    params, readings = GAME.params({}), GAME.rulebook.defaults()
    search = Search(params, readings)
    if general:
        search.spec = Spec(params, readings)
        search.real = real(search.spec)
    return search.cover(GAME.rulebook.clauses[clause])
