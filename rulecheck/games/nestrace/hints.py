"""What Nest race knows better than the analyses for every game; each part is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rulecheck.contract import AnySpec
from rulecheck.games.nestrace import Move, Params, Position
from rulecheck.hints import COMPARED, Estimate, Hints, Row
from rulecheck.jobs import Report
from rulecheck.model import Readings, Result

if TYPE_CHECKING:
    from rulecheck.analyses.ambiguities import Ambiguity
    from rulecheck.analyses.claims import Check
    from rulecheck.analyses.clauses import Coverage, DeadText
    from rulecheck.analyses.families import Encodings, Tick
    from rulecheck.analyses.stalemates import Proposal, Stalemate
    from rulecheck.puzzles.kinds import Kind
    from rulecheck.puzzles.rules import Listing
    from rulecheck.solve.packed import Packing

# The readings of the pat rule.
PAT = (
    *("pat", "horizon", "blocker", "self_cover", "finished", "free", "cannot_free", "conflict", "lift_conflict"),
    *("s2_scope", "s2_whose_pat", "cover_depth", "s2_cause"),
)


class NestRaceHints(Hints[Params, Position, Move]):
    long_families = (
        *("readings-narrow", "reached-narrow", "hops-4-full", "arrangements-1", "arrangements-2", "arrangements-3"),
        *("arrangements-4", "chains-full", "readings-small", "pat-chosen", "drawn", "reached-small", "pat-pairs"),
        *("hops-4", "pat-4", "reached-4"),
    )
    quick_families = ("touched", "listed")
    pair_families = ("touched",)
    paired = 6
    compiled = "rulecheck.games.nestrace.space:packing"

    @property
    def compares(self) -> tuple[str, ...]:
        return COMPARED

    def family_names(self, params: Params) -> list[str]:
        from rulecheck.games.nestrace.families.table import family_names

        return family_names(params)

    def run_family(self, family: str, params: Params, encodings: Encodings, readings: Readings, tick: Tick) -> Result:
        from rulecheck.games.nestrace.families.table import run_family

        return run_family(family, params, encodings, readings, tick)

    def checks(self) -> Mapping[str, Check]:
        from rulecheck.games.nestrace.claims import CHECKS

        return {**super().checks(), **CHECKS}

    def separate(self, base: Readings, name: str, values: tuple[str, str]) -> Ambiguity:
        from rulecheck.analyses.ambiguities import Search, separate
        from rulecheck.games.nestrace import hexagons
        from rulecheck.games.nestrace.coverage import never_separated
        from rulecheck.games.nestrace.shapes import below, bound, difference_scope, find_difference, shapes

        if hexagons.is_about_hexagons(name):
            return separate(self.game, base, name, values, hexagons.search())
        search = Search(
            shapes,
            below,
            bound,
            never_separated,
            find=find_difference,
            scope=lambda first, second, position: difference_scope(first.params),
        )
        return separate(self.game, base, name, values, search)

    def coverage(self, params: Params, readings: Readings) -> list[Coverage]:
        from rulecheck.games.nestrace.coverage import coverage

        return coverage(params, readings)

    def dead_text(self, params: Params, readings: Readings) -> list[DeadText]:
        from rulecheck.games.nestrace.coverage import dead_text

        return dead_text(params, readings)

    def stalemates(self, params: Params, readings: Readings) -> list[Stalemate]:
        from rulecheck.games.nestrace.stalemates import stalemates

        return stalemates(params, readings)

    def proposals(self, params: Params, readings: Readings) -> list[Proposal]:
        from rulecheck.games.nestrace.stalemates import proposals

        return proposals(params, readings)

    def solved(self, jobs: int, report: Report) -> Row:
        from rulecheck.games.nestrace.solved import solved

        return solved(jobs, report)

    def impact(self, names: Sequence[str], jobs: int, report: Report) -> list[Row]:
        from rulecheck.games.nestrace.solved import impact

        return impact(names, jobs, report)

    def normaliser(self, params: Params) -> Callable[[Position], Position]:
        from rulecheck.games.nestrace.space import normalised

        return partial(normalised, params)

    def packing(self, params: Params, readings: Readings) -> Packing | None:
        from rulecheck.games.nestrace.space import packing

        return packing(params, readings)

    def estimate(self) -> Estimate[Position]:
        from rulecheck.games.nestrace.playing import estimate

        return estimate

    def turned(self, params: Params, position: Position, player: str) -> Position:
        return replace(position, mover=player)

    def puzzles(self) -> Sequence[Kind]:
        from rulecheck.games.nestrace.puzzles import KINDS

        return KINDS

    def stated_turns(self, spec: AnySpec) -> Listing:
        from rulecheck.games.nestrace.stated import StatedTurns
        from specs.nestrace.spec import Spec

        assert isinstance(spec, Spec)
        return StatedTurns(spec)

    def in_words(self, params: Params) -> str:
        from rulecheck.games.nestrace.words import in_words

        return in_words(params)
