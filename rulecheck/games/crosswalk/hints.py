"""What Crosswalk knows better than the analyses for every game; each part is imported on demand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from rulecheck.contract import AnyEngine, AnySpec
from rulecheck.games.crosswalk import Params, Position, Turn
from rulecheck.hints import COMPARED, Estimate, Hints, Row
from rulecheck.jobs import Report
from rulecheck.model import Readings, Result

if TYPE_CHECKING:
    from rulecheck.analyses.ambiguities import Ambiguity
    from rulecheck.analyses.claims import Check
    from rulecheck.analyses.clauses import Coverage
    from rulecheck.analyses.families import Encodings, Tick
    from rulecheck.analyses.stalemates import Stalemate
    from rulecheck.puzzles.kinds import Kind
    from rulecheck.puzzles.rules import Listing
    from rulecheck.solve.tables import Chart
    from solvers.walks import WalkSource


class CrosswalkHints(Hints[Params, Position, Turn]):
    long_families = ("turns-3",)
    quick_families = ("step", "relocation", "win", "turns-1", "turns-2")
    pair_families = ("turns-2",)
    compiled = "rulecheck.games.crosswalk.space:walks"

    @property
    def compares(self) -> tuple[str, ...]:
        return COMPARED

    def family_names(self, params: Params) -> list[str]:
        from rulecheck.games.crosswalk.families.table import family_names

        return family_names(params)

    def run_family(self, family: str, params: Params, encodings: Encodings, readings: Readings, tick: Tick) -> Result:
        from rulecheck.games.crosswalk.families.table import run_family

        return run_family(family, params, encodings, readings, tick)

    def checks(self) -> Mapping[str, Check]:
        from rulecheck.games.crosswalk.claims import CHECKS

        return {**super().checks(), **CHECKS}

    def separate(self, base: Readings, name: str, values: tuple[str, str]) -> Ambiguity:
        from rulecheck.analyses.ambiguities import Search, separate
        from rulecheck.games.crosswalk.coverage import never_separated
        from rulecheck.games.crosswalk.shapes import below, bound, shapes

        search = Search(shapes, below, bound, never_separated)
        return separate(self.game, base, name, values, search)

    def coverage(self, params: Params, readings: Readings) -> list[Coverage]:
        from rulecheck.games.crosswalk.coverage import coverage

        return coverage(params, readings)

    def stalemates(self, params: Params, readings: Readings) -> list[Stalemate]:
        from rulecheck.games.crosswalk.stalemates import stalemates

        return stalemates(params, readings)

    def solved(self, jobs: int, report: Report) -> Row:
        from rulecheck.games.crosswalk.solved import solved

        return solved(jobs, report)

    def impact(self, names: Sequence[str], jobs: int, report: Report) -> list[Row]:
        from rulecheck.games.crosswalk.solved import impact

        return impact(names, jobs, report)

    def brought(self, params: Params, position: Position) -> str | None:
        return None if position.roll is None else str(position.roll)

    def normaliser(self, params: Params) -> Callable[[Position], Position]:
        from rulecheck.games.crosswalk.solving import normalised

        return partial(normalised, params)

    def chart(self, engine: AnyEngine, report: Report) -> Chart:
        from rulecheck.games.crosswalk.engine import Engine
        from rulecheck.games.crosswalk.solving import chart

        assert isinstance(engine, Engine)
        return chart(engine, report)

    def by_number(self, engine: AnyEngine) -> int:
        from rulecheck.games.crosswalk.engine import Engine
        from rulecheck.games.crosswalk.solving import by_number

        assert isinstance(engine, Engine)
        return by_number(engine)

    def walks(self, params: Params, readings: Readings) -> WalkSource:
        from rulecheck.games.crosswalk.space import Source

        return Source(params, readings)

    def number(self, params: Params, position: Position) -> int:
        from rulecheck.games.crosswalk.solving import number

        return number(params, position)

    def numbered(self, params: Params, number: int) -> Position:
        from rulecheck.games.crosswalk.solving import numbered

        return numbered(params, number)

    def estimate(self) -> Estimate[Position]:
        from rulecheck.games.crosswalk.playing import estimate

        return estimate

    def puzzles(self) -> Sequence[Kind]:
        from rulecheck.games.crosswalk.puzzles.kinds import KINDS

        return KINDS

    def stated_turns(self, spec: AnySpec) -> Listing:
        from rulecheck.games.crosswalk.stated import StatedTurns
        from specs.crosswalk.spec import Spec

        assert isinstance(spec, Spec)
        return StatedTurns(spec)

    def in_words(self, params: Params) -> str:
        from rulecheck.games.crosswalk.words import in_words

        return in_words(params)
