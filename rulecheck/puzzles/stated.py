"""A game played by its constraints: what `Engine` asks, answered by the spec as far as it states it.

The engine lends its alphabet of moves, the start, and whatever the constraints do not state.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from rulecheck.contract import TIE, AnyEngine, AnySpec, Chance, End, Parameters, Rules, StatedSpec
from rulecheck.model import InputError, Readings, Verdict
from rulecheck.terms import Constraints

KEPT = 100_000  # positions whose moves are cached


class UnstatedError(InputError):
    """The constraints allow a move whose result nobody states."""


class Constrained:
    """An engine whose answers are those of the constraints."""

    def __init__(self, engine: AnyEngine, spec: AnySpec) -> None:
        self.engine, self.spec = engine, spec
        self.moves = functools.lru_cache(maxsize=KEPT)(self._moves)
        self.end = functools.lru_cache(maxsize=KEPT)(self._end)

    @property
    def players(self) -> tuple[str, ...]:
        return self.engine.players

    @property
    def params(self) -> Parameters:
        return self.engine.params

    @property
    def readings(self) -> Readings:
        return self.spec.readings

    def start(self) -> Any:
        return self.engine.start()

    def actor(self, position: Any) -> str:
        stated = self.spec.actor(position) if isinstance(self.spec, Constraints) else None
        return self.engine.actor(position) if stated is None else stated

    def chances(self, position: Any) -> Sequence[Chance[Any]]:
        stated = self.spec.brought(position) if isinstance(self.spec, Constraints) else None
        if stated is None:
            return self.engine.chances(position)
        return [Chance(label, weight, result) for label, (weight, result) in stated.items()]

    def judge(self, position: Any, move: Any) -> Verdict:
        return self.spec.judge(position, move)

    def play(self, position: Any, move: Any) -> Any:
        verdict = self.judge(position, move)
        if not verdict.legal:
            raise InputError(f"the move {move} is {verdict}")
        return self._result(position, move)

    def _end(self, position: Any) -> End | None:
        winners = self.spec.winners(position) if isinstance(self.spec, StatedSpec) else None
        if winners is None:
            return self.engine.end(position)
        if winners:
            return End(winners)
        over = self.spec.has_ended(position) if isinstance(self.spec, Constraints) else None
        return TIE if (self.engine.end(position) == TIE if over is None else over) else None

    def _moves(self, position: Any) -> dict[Any, Any]:
        if self.end(position) is not None or self.chances(position):
            return {}
        legal = (move for move in self._candidates(position) if self.spec.judge(position, move).legal)
        return {move: self._result(position, move) for move in legal}

    def _candidates(self, position: Any) -> Sequence[Any]:
        """The alphabet; an engine without one lists only what it allows itself."""
        return self.engine.candidates() if isinstance(self.engine, Rules) else list(self.engine.moves(position))

    def _result(self, position: Any, move: Any) -> Any:
        stated = self.spec.result(position, move) if isinstance(self.spec, StatedSpec) else None
        if stated is not None:
            return stated
        known = self.engine.moves(position)
        if move not in known:
            raise UnstatedError(f"{position}: the constraints allow {move}, and the engine does not")
        return known[move]


def voices(engine: AnyEngine, spec: AnySpec | None) -> str:
    """The sentence that says which encodings vouch for a puzzle."""
    if spec is None:
        return "Told by the engine alone: the game comes without constraints."
    if isinstance(spec, StatedSpec) and spec.winners(engine.start()) is not None:
        return "Told by the engine and by the constraints."
    return "The constraints tell which moves are legal; the rest is told by the engine alone."
