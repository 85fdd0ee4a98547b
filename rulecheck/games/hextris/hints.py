"""What Hextris knows better than the analyses for every game; each part is imported on demand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rulecheck.contract import AnySpec
from rulecheck.games.hextris import Move, Params, Position
from rulecheck.hints import COMPARED, Estimate, Hints, Row
from rulecheck.jobs import Report
from rulecheck.model import Readings, Result

if TYPE_CHECKING:
    from rulecheck.analyses.ambiguities import Ambiguity
    from rulecheck.analyses.claims import Check
    from rulecheck.analyses.clauses import Coverage, DeadText
    from rulecheck.analyses.families import Encodings, Tick
    from rulecheck.analyses.stalemates import Stalemate
    from rulecheck.puzzles.kinds import Kind
    from rulecheck.puzzles.rules import Listing
    from rulecheck.solve.packed import Packing


class HextrisHints(Hints[Params, Position, Move]):
    long_families = (
        *("direct", "groups", "exchange-A", "exchange-B", "small", "groups-three", "turns-three", "open-three"),
        "listing",
    )
    quick_families = ("lists", "small-alike", "pass-1")
    paired = 3
    compiled = "rulecheck.games.hextris.space:packing"

    @property
    def compares(self) -> tuple[str, ...]:
        return COMPARED

    def family_names(self, params: Params) -> list[str]:
        from rulecheck.games.hextris.families.table import family_names

        return family_names(params)

    def run_family(self, family: str, params: Params, encodings: Encodings, readings: Readings, tick: Tick) -> Result:
        from rulecheck.games.hextris.families.table import run_family

        return run_family(family, params, encodings, readings, tick)

    def checks(self) -> Mapping[str, Check]:
        from rulecheck.games.hextris.claims import CHECKS

        return {**super().checks(), **CHECKS}

    def separate(self, base: Readings, name: str, values: tuple[str, str]) -> Ambiguity:
        from rulecheck.analyses.ambiguities import Search, separate
        from rulecheck.games.hextris.coverage import never_separated
        from rulecheck.games.hextris.separated import find_difference
        from rulecheck.games.hextris.shapes import below, bound, shapes

        search = Search(shapes, below, bound, never_separated, find=find_difference)
        return separate(self.game, base, name, values, search)

    def coverage(self, params: Params, readings: Readings) -> list[Coverage]:
        from rulecheck.games.hextris.coverage import coverage

        return coverage(params, readings)

    def dead_text(self, params: Params, readings: Readings) -> list[DeadText]:
        from rulecheck.games.hextris.dead import dead_text

        return dead_text(params, readings)

    def stalemates(self, params: Params, readings: Readings) -> list[Stalemate]:
        from rulecheck.games.hextris.stalemates import stalemates

        return stalemates(params, readings)

    def solved(self, jobs: int, report: Report) -> Row:
        from rulecheck.games.hextris.solved import solved

        return solved(jobs, report)

    def impact(self, names: Sequence[str], jobs: int, report: Report) -> list[Row]:
        from rulecheck.games.hextris.solved import impact

        return impact(names, jobs, report)

    def normaliser(self, params: Params) -> Callable[[Position], Position]:
        from rulecheck.games.hextris.space import normalised

        return partial(normalised, params)

    def packing(self, params: Params, readings: Readings) -> Packing | None:
        from rulecheck.games.hextris.space import packing

        return packing(params, readings)

    def estimate(self) -> Estimate[Position]:
        from rulecheck.games.hextris.playing import estimate

        return estimate

    def turned(self, params: Params, position: Position, player: str) -> Position:
        return replace(position, mover=player)

    def puzzles(self) -> Sequence[Kind]:
        from rulecheck.games.hextris.puzzles import KINDS

        return KINDS

    def stated_turns(self, spec: AnySpec) -> Listing:
        from rulecheck.games.hextris.stated import StatedTurns
        from specs.hextris.spec import Spec

        assert isinstance(spec, Spec)
        return StatedTurns(spec)

    def in_words(self, params: Params) -> str:
        from rulecheck.games.hextris.words import in_words

        return in_words(params)
