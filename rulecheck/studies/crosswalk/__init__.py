"""Crosswalk's part of every analysis; each method imports what it needs when it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rulecheck.coverage import Coverage
from rulecheck.model import Readings, Result
from rulecheck.stalemates import Stalemate

# As far as an ambiguity is looked for; whatever is found is smallest among these games.
MOST_PIECES, MOST_SQUARES = 4, 3


class Study:
    # Proofs that only a full audit runs, and those that a plain one runs for every reading value.
    long_families = ("turns-3",)
    quick_families = ("step", "relocation", "win", "turns-1")

    def family_names(self, params: Any) -> list[str]:
        from rulecheck.studies.crosswalk import proofs

        return proofs.family_names(params)

    def run_family(
        self,
        name: str,
        params: Any,
        encodings: tuple[Callable[..., Any], Callable[..., Any]],
        readings: Readings,
        tick: Callable[[float], None],
    ) -> Result:
        from rulecheck.studies.crosswalk import proofs

        return proofs.run_family(name, params, encodings, readings, tick)

    @property
    def checks(self) -> Mapping[str, Callable[..., tuple[bool, str]]]:
        from rulecheck.studies.crosswalk import claims

        return claims.CHECKS

    def shapes(self) -> Iterator[Any]:
        """Smaller games, smallest first, as far as an ambiguity is looked for in them."""
        from rulecheck.studies.crosswalk.shapes import shapes

        return shapes(MOST_PIECES, MOST_SQUARES)

    def below(self, shape: Any) -> str:
        from rulecheck.studies.crosswalk.shapes import below

        return below(MOST_SQUARES)

    def shape_bound(self) -> str:
        from rulecheck.studies.crosswalk.shapes import bound

        return bound(MOST_PIECES, MOST_SQUARES)

    def never_separated(self, first: Readings, second: Readings) -> Result | None:
        from rulecheck.studies.crosswalk.coverage import never_separated

        return never_separated(first, second)

    def coverage(self, params: Any, readings: Readings) -> list[Coverage]:
        from rulecheck.studies.crosswalk.coverage import coverage

        return coverage(params, readings)

    def stalemates(self, params: Any, readings: Readings) -> list[Stalemate]:
        from rulecheck.studies.crosswalk.stalemates import stalemates

        return stalemates(params, readings)

    def estimate(self, engine: Any, position: Any, player: str) -> float:
        from rulecheck.studies.crosswalk.playing import estimate

        return estimate(engine, position, player)

    def normalised(self, params: Any, position: Any) -> Any:
        from rulecheck.studies.crosswalk.solving import normalised

        return normalised(position)

    def chart(self, engine: Any, report: Callable[[str, float], None]) -> Any:
        """The game as a graph for the solvers."""
        from rulecheck.studies.crosswalk.solving import chart

        return chart(engine, report)

    def solved(self, jobs: int, report: Callable[[str, float], None]) -> dict[str, Any]:
        from rulecheck.studies.crosswalk.solved import solved

        return solved(jobs, report)

    def impact(self, names: Sequence[str], jobs: int, report: Callable[[str, float], None]) -> list[dict[str, Any]]:
        from rulecheck.studies.crosswalk.solved import impact

        return impact(names, jobs, report)


STUDY = Study()
