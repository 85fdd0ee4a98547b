"""What Ice Palace knows better than the analyses for every game; each part is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from rulecheck.contract import AnyEngine, AnySpec
from rulecheck.games.icepalace import Move, Params, Position
from rulecheck.hints import COMPARED, Estimate, Hints, Row
from rulecheck.jobs import Report
from rulecheck.model import Readings, Result

if TYPE_CHECKING:
    from rulecheck.analyses.ambiguities import Ambiguity
    from rulecheck.analyses.claims import Check
    from rulecheck.analyses.clauses import Coverage
    from rulecheck.analyses.families import Encodings, Tick
    from rulecheck.analyses.stalemates import Stalemate
    from rulecheck.playouts import Record
    from rulecheck.puzzles.kinds import Kind
    from rulecheck.puzzles.rules import Listing


class IcePalaceHints(Hints[Params, Position, Move]):
    long_families = (
        *("more-players", "game-flat", "game-blacks", "game-whites", "game-refilled", "layouts-4", "more-buildings"),
    )
    quick_families = ("touched",)
    paired = 2

    @property
    def compares(self) -> tuple[str, ...]:
        return COMPARED

    def family_names(self, params: Params) -> list[str]:
        from rulecheck.games.icepalace.families.table import family_names

        return family_names(params)

    def run_family(self, family: str, params: Params, encodings: Encodings, readings: Readings, tick: Tick) -> Result:
        from rulecheck.games.icepalace.families.table import run_family

        return run_family(family, params, encodings, readings, tick)

    def checks(self) -> Mapping[str, Check]:
        from rulecheck.games.icepalace.claims import CHECKS

        return {**super().checks(), **CHECKS}

    def separate(self, base: Readings, name: str, values: tuple[str, str]) -> Ambiguity:
        from rulecheck.analyses.ambiguities import Search, separate
        from rulecheck.games.icepalace.shapes import (
            below,
            bound,
            find_difference,
            never_separated,
            shapes,
            witness_scope,
        )

        search = Search(shapes, below, bound, never_separated, find=find_difference, scope=witness_scope)
        return separate(self.game, base, name, values, search)

    def coverage(self, params: Params, readings: Readings) -> list[Coverage]:
        from rulecheck.games.icepalace.coverage import coverage

        return coverage(params, readings)

    def stalemates(self, params: Params, readings: Readings) -> list[Stalemate]:
        from rulecheck.games.icepalace.stalemates import stalemates

        return stalemates(params, readings)

    def solved(self, jobs: int, report: Report) -> Row:
        from rulecheck.games.icepalace.solved import solved

        return solved(jobs, report)

    def impact(self, names: Sequence[str], jobs: int, report: Report) -> list[Row]:
        from rulecheck.games.icepalace.solved import impact

        return impact(names, jobs, report)

    def normaliser(self, params: Params) -> Callable[[Position], Position]:
        """Turns, mirrors and shifts; who sits where matters to who is to act."""
        return Position.turned

    def same_puzzle(self, params: Params, position: Position) -> Position:
        from rulecheck.games.icepalace.alike import normalised

        return normalised(params, position)

    def estimate(self) -> Estimate[Position]:
        from rulecheck.games.icepalace.playing import estimate

        return estimate

    def counts(self, params: Params, record: Record) -> dict[str, int]:
        from rulecheck.games.icepalace.playing import counts

        return counts(params, record)

    def replay(self, engine: AnyEngine, line: Sequence[str]) -> Position:
        from rulecheck.games.icepalace.engine import Engine
        from rulecheck.games.icepalace.lines import replay

        assert isinstance(engine, Engine)
        return replay(engine, line)

    def puzzles(self) -> Sequence[Kind]:
        from rulecheck.games.icepalace.puzzles.kinds import KINDS

        return KINDS

    def stated_turns(self, spec: AnySpec) -> Listing:
        from rulecheck.games.icepalace.stated import StatedTurns
        from specs.icepalace.spec import Spec

        assert isinstance(spec, Spec)
        return StatedTurns(spec)

    def in_words(self, params: Params) -> str:
        from rulecheck.games.icepalace.words import in_words

        return in_words(params)
