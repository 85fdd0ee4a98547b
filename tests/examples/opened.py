"""An example game with its parameters chosen, and what the tests ask of it."""

from __future__ import annotations

from typing import Any

from rulecheck.analyses.everywhere import Everywhere
from rulecheck.analyses.smallest import Smallest
from rulecheck.explore import Explored
from rulecheck.model import Result
from rulecheck.registry import Game


class Opened:
    def __init__(self, game: Game, **params: str) -> None:
        assert game.fields is not None
        self.game, self.params = game, game.params(params)
        self.fields = game.fields(self.params)

    def engine(self, **readings: str) -> Any:
        return self.game.engine(self.params, self.game.rulebook.choose(readings))

    def spec(self, **readings: str) -> Any:
        return self.game.spec(self.params, self.game.rulebook.choose(readings))

    def play(self, alike: Any = None, limit: int = 50_000, **readings: str) -> Explored[Any, Any]:
        return Explored(self.engine(**readings), self.fields.read, alike=alike, limit=limit)

    def prove(self, engine: Any, spec: Any) -> list[Result]:
        """Moves, ends and sense, on every arrangement."""
        everywhere: Everywhere[Any] = Everywhere(self.fields, engine, spec)
        parts = [everywhere.prove_moves(engine.candidates()), everywhere.prove_ends(), everywhere.prove_sense()]
        return [part for part in parts if part is not None]

    def apart(self, first: dict[str, str], second: dict[str, str]) -> tuple[str, str] | None:
        """The smallest arrangement and move that two readings judge differently."""
        engine = self.engine()
        specs = self.spec(**first), self.spec(**second)
        found = Smallest(self.fields, engine.candidates(), *specs).separated()
        return None if found.position is None else (str(found.position), str(found.move))
