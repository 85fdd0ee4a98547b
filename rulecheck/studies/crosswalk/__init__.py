"""Crosswalk's part of every analysis; each method imports what it needs when it is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulecheck.model import Readings, Result


class Study:
    # Proofs short enough to be run for every reading value by a plain audit.
    quick_families = ("setup", "step", "relocation", "win", "turns-1")

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


STUDY = Study()
