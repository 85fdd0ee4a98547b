"""Ice Palace's part of every analysis; each method imports what it needs when it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rulecheck.coverage import Coverage
from rulecheck.model import Readings, Result
from rulecheck.stalemates import Stalemate


class Study:
    # Proofs that only a full audit runs, and the one that a plain audit runs for every reading value.
    long_families = ("more-players", "game-flat", "game-blacks", "game-whites", "game-refilled", "layouts-4")
    quick_families = ("touched",)

    def family_names(self, params: Any) -> list[str]:
        from rulecheck.studies.icepalace import proofs

        return proofs.family_names(params)

    def run_family(
        self,
        name: str,
        params: Any,
        encodings: tuple[Callable[..., Any], Callable[..., Any]],
        readings: Readings,
        tick: Callable[[float], None],
    ) -> Result:
        from rulecheck.studies.icepalace import proofs

        return proofs.run_family(name, params, encodings, readings, tick)

    @property
    def checks(self) -> Mapping[str, Callable[..., tuple[bool, str]]]:
        from rulecheck.studies.icepalace import claims

        return claims.CHECKS

    def shapes(self) -> Iterator[Any]:
        """Smaller games, smallest first, as far as an ambiguity is looked for in them."""
        from rulecheck.studies.icepalace.shapes import shapes

        return shapes()

    def below(self, shape: Any) -> str:
        from rulecheck.studies.icepalace.shapes import below

        return below(shape)

    def shape_bound(self) -> str:
        from rulecheck.studies.icepalace.shapes import bound

        return bound()

    def never_separated(self, first: Readings, second: Readings) -> Result | None:
        from rulecheck.studies.icepalace.coverage import never_separated

        return never_separated(first, second)

    def coverage(self, params: Any, readings: Readings) -> list[Coverage]:
        from rulecheck.studies.icepalace.coverage import coverage

        return coverage(params, readings)

    def stalemates(self, params: Any, readings: Readings) -> list[Stalemate]:
        from rulecheck.studies.icepalace.stalemates import stalemates

        return stalemates(params, readings)

    def estimate(self, engine: Any, position: Any, player: str) -> float:
        from rulecheck.studies.icepalace.playing import estimate

        return estimate(engine, position, player)

    def normalised(self, position: Any) -> Any:
        """Positions count as one if they differ only by where and which way round their structures stand."""
        return position.turned()

    def solved(self, jobs: int, report: Callable[[str, float], None]) -> dict[str, Any]:
        from rulecheck.studies.icepalace.solved import solved

        return solved(jobs, report)

    def impact(self, names: Sequence[str], jobs: int, report: Callable[[str, float], None]) -> list[dict[str, Any]]:
        from rulecheck.studies.icepalace.solved import impact

        return impact(names, jobs, report)


STUDY = Study()
