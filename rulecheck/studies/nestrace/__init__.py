"""Nest race's part of every analysis; each method imports what it needs when it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rulecheck.coverage import Coverage
from rulecheck.model import Readings, Result
from rulecheck.stalemates import Stalemate


class Study:
    # Proofs that only a full audit runs, and the one that a plain audit runs for every reading value.
    long_families = (
        "reached-narrow",
        "hops-4-full",
        "arrangements-1",
        "arrangements-2",
        "arrangements-3",
        "arrangements-4",
        "chains-full",
        "pat-chosen",
        "drawn",
        "reached-small",
        "pat-pairs",
        "hops-4",
        "pat-4",
        "reached-4",
    )
    quick_families = ("touched",)

    def family_names(self, params: Any) -> list[str]:
        from rulecheck.studies.nestrace import proofs

        return proofs.family_names(params)

    def run_family(
        self,
        name: str,
        params: Any,
        encodings: tuple[Callable[..., Any], Callable[..., Any]],
        readings: Readings,
        tick: Callable[[float], None],
    ) -> Result:
        from rulecheck.studies.nestrace import proofs

        return proofs.run_family(name, params, encodings, readings, tick)

    @property
    def checks(self) -> Mapping[str, Callable[..., tuple[bool, str]]]:
        from rulecheck.studies.nestrace import claims

        return claims.CHECKS

    def shapes(self) -> Iterator[Any]:
        """Smaller games, smallest first, as far as an ambiguity is looked for in them."""
        from rulecheck.studies.nestrace.shapes import shapes

        return shapes()

    def below(self, shape: Any) -> str:
        from rulecheck.studies.nestrace.shapes import below

        return below(shape)

    def shape_bound(self) -> str:
        from rulecheck.studies.nestrace.shapes import bound

        return bound()

    def never_separated(self, first: Readings, second: Readings) -> Result | None:
        from rulecheck.studies.nestrace.coverage import never_separated

        return never_separated(first, second)

    def coverage(self, params: Any, readings: Readings) -> list[Coverage]:
        from rulecheck.studies.nestrace.coverage import coverage

        return coverage(params, readings)

    def stalemates(self, params: Any, readings: Readings) -> list[Stalemate]:
        from rulecheck.studies.nestrace.stalemates import stalemates

        return stalemates(params, readings)

    def normalised(self, params: Any, position: Any) -> Any:
        """With B in the west the board's mirror image exchanges the players."""
        from rulecheck.spaces.nestrace import normalised

        return normalised(position) if params.players == 2 and params.side == "west" else position

    def packing(self, params: Any, readings: Readings) -> Any:
        """The game as numbers, for the solvers."""
        from rulecheck.spaces.nestrace import packing

        return packing(params, readings)

    def solved(self, jobs: int, report: Callable[[str, float], None]) -> dict[str, Any]:
        from rulecheck.studies.nestrace.solved import solved

        return solved(jobs, report)

    def impact(self, names: Sequence[str], jobs: int, report: Callable[[str, float], None]) -> list[dict[str, Any]]:
        from rulecheck.studies.nestrace.solved import impact

        return impact(names, jobs, report)


STUDY = Study()
