"""What Icehouse knows better than the analyses for every game; each part is imported when it is asked for."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rulecheck.contract import AnyEngine
from rulecheck.games.icehouse.pieces import Event, Params, Position
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


class IcehouseHints(Hints[Params, Position, Event]):
    long_families = (
        *("contact-all", "six-captures", "six-pieces", "many-samples", "lines-all", "ranges-all", "two-captures"),
        *("mixed", "first-four", "more-stashes"),
    )
    quick_families = ("touched",)
    pair_families = (  # the quick parts of "touched"
        *("one-contact", "one-line", "one-range", "one-fits", "first", "attack", "freezing", "capturing"),
        *("redundancy", "early", "icehouse", "found", "counted", "frozen"),
    )
    paired = 2
    lists_all_moves = False

    @property
    def compares(self) -> tuple[str, ...]:
        return COMPARED

    def family_names(self, params: Params) -> list[str]:
        from rulecheck.games.icehouse.families.table import family_names

        return family_names(params)

    def run_family(self, family: str, params: Params, encodings: Encodings, readings: Readings, tick: Tick) -> Result:
        from rulecheck.games.icehouse.families.table import run_family

        return run_family(family, params, encodings, readings, tick)

    def checks(self) -> Mapping[str, Check]:
        from rulecheck.games.icehouse.claims import CHECKS

        return {**super().checks(), **CHECKS}

    def separate(self, base: Readings, name: str, values: tuple[str, str]) -> Ambiguity:
        from rulecheck.analyses.ambiguities import Search, separate
        from rulecheck.games.icehouse.coverage import never_separated
        from rulecheck.games.icehouse.shapes import below, bound, find_difference, shapes, witness_scope

        search = Search(shapes, below, bound, never_separated, find=find_difference, scope=witness_scope)
        return separate(self.game, base, name, values, search)

    def coverage(self, params: Params, readings: Readings) -> list[Coverage]:
        from rulecheck.games.icehouse.coverage import coverage

        return coverage(params, readings)

    def stalemates(self, params: Params, readings: Readings) -> list[Stalemate]:
        from rulecheck.games.icehouse.stalemates import stalemates

        return stalemates(params, readings)

    def solved(self, jobs: int, report: Report) -> Row:
        from rulecheck.games.icehouse.solved import solved

        return solved(jobs, report)

    def impact(self, names: Sequence[str], jobs: int, report: Report) -> list[Row]:
        from rulecheck.games.icehouse.solved import impact

        return impact(names, jobs, report)

    def estimate(self) -> Estimate[Position]:
        from rulecheck.games.icehouse.playing import estimate

        return estimate

    def offered(self, engine: AnyEngine, position: Position, rng: random.Random) -> Mapping[Event, Position]:
        from rulecheck.games.icehouse.engine import Engine
        from rulecheck.games.icehouse.playing import offered

        assert isinstance(engine, Engine)
        return offered(engine, position, rng)

    def actor(self, engine: AnyEngine, position: Position, move: Event) -> str:
        from rulecheck.games.icehouse.playing import actor

        return actor(position, move)

    def same_puzzle(self, params: Params, position: Position) -> Position:
        from rulecheck.games.icehouse.alike import alike

        return alike(params, position)

    def puzzles(self) -> Sequence[Kind]:
        from rulecheck.games.icehouse.puzzles.kinds import KINDS

        return KINDS

    def in_words(self, params: Params) -> str:
        from rulecheck.games.icehouse.words import in_words

        return in_words(params)
