"""Hextris's part of every analysis; each method imports what it needs when it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rulecheck.coverage import Coverage, DeadText
from rulecheck.model import Readings, Result
from rulecheck.stalemates import Stalemate


class Study:
    # Proofs that only a full audit runs, and those that a plain one runs for every reading value.
    long_families = (
        "direct",
        "groups",
        "exchange-A",
        "exchange-B",
        "small",
        "groups-three",
        "turns-three",
        "open-three",
        "listing",
    )
    quick_families = ("small-alike", "pass-1", "win")

    def family_names(self, params: Any) -> list[str]:
        from rulecheck.studies.hextris import proofs

        return proofs.family_names(params)

    def run_family(
        self,
        name: str,
        params: Any,
        encodings: tuple[Callable[..., Any], Callable[..., Any]],
        readings: Readings,
        tick: Callable[[float], None],
    ) -> Result:
        from rulecheck.studies.hextris import proofs

        return proofs.run_family(name, params, encodings, readings, tick)

    @property
    def checks(self) -> Mapping[str, Callable[..., tuple[bool, str]]]:
        from rulecheck.studies.hextris import claims

        return claims.CHECKS

    def shapes(self) -> Iterator[Any]:
        """Smaller games, smallest first, as far as an ambiguity is looked for in them."""
        from rulecheck.studies.hextris.shapes import shapes

        return shapes()

    def below(self, shape: Any) -> str:
        from rulecheck.studies.hextris.shapes import below

        return below(shape)

    def shape_bound(self) -> str:
        from rulecheck.studies.hextris.shapes import bound

        return bound()

    def never_separated(self, first: Readings, second: Readings) -> Result | None:
        from rulecheck.studies.hextris.coverage import never_separated

        return never_separated(first, second)

    def coverage(self, params: Any, readings: Readings) -> list[Coverage]:
        from rulecheck.studies.hextris.coverage import coverage

        return coverage(params, readings)

    def stalemates(self, params: Any, readings: Readings) -> list[Stalemate]:
        from rulecheck.studies.hextris.stalemates import stalemates

        return stalemates(params, readings)

    def find_difference(self, first: Any, second: Any) -> Any:
        from rulecheck.studies.hextris.separated import find_difference

        return find_difference(first, second)

    def dead_text(self, params: Any, readings: Readings) -> list[DeadText]:
        from rulecheck.studies.hextris.dead import dead_text

        return dead_text(params, readings)

    def estimate(self, engine: Any, position: Any, player: str) -> float:
        from rulecheck.studies.hextris.playing import estimate

        return estimate(engine, position, player)

    def normalised(self, params: Any, position: Any) -> Any:
        from rulecheck.spaces.hextris import normalised

        return normalised(position)

    def packing(self, params: Any, readings: Readings) -> Any:
        """How positions are numbered for the solvers."""
        from rulecheck.spaces.hextris import packing

        return packing(params, readings)

    def solved(self, jobs: int, report: Callable[[str, float], None]) -> dict[str, Any]:
        from rulecheck.studies.hextris.solved import solved

        return solved(jobs, report)

    def impact(self, names: Sequence[str], jobs: int, report: Callable[[str, float], None]) -> list[dict[str, Any]]:
        from rulecheck.studies.hextris.solved import impact

        return impact(names, jobs, report)


STUDY = Study()
