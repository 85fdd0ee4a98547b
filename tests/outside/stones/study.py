from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulecheck import registry
from rulecheck.analyses.ambiguities import Ambiguity, Search, separate
from rulecheck.analyses.clauses import Coverage
from rulecheck.analyses.stalemates import Stalemate, smallest_in_play
from rulecheck.hints import Hints
from rulecheck.model import Readings, Result, Status, Witness, agreement
from stones import GAME, Params, Position, Take

MOST = 5


def family_names(params: Params) -> list[str]:
    return ["heaps"]


def run_family(name: str, params: Params, encodings: Any, readings: Readings, tick: Callable[[float], None]) -> Result:
    engine, spec = (encoding(params, readings) for encoding in encodings)
    scope, cases = f"every number taken from heaps of up to {params.stones} stones", 0
    for left in range(params.stones + 1):
        for number in range(params.stones + 2):
            position, move = Position("A", left), Take(number)
            cases += 1
            if not agreement(engine.judge(position, move), spec.judge(position, move)):
                return Result(Status.REFUTED, scope, Witness(str(position), str(move)), cases)
    return Result(Status.PROVED, scope, cases=cases)


def shapes() -> Iterator[Params]:
    return (Params(stones) for stones in range(1, MOST + 1))


def below(shape: Params) -> str:
    return f"games of fewer than {shape.stones} stones"


def bound() -> str:
    return f"games of up to {MOST} stones"


def coverage_rows(params: Params, readings: Readings) -> list[Coverage]:
    return [Coverage(clause, None, "by looking at it") for clause in GAME.rulebook.clauses.values()]


def stalemate_rows(params: Params, readings: Readings) -> list[Stalemate]:
    game = registry.find("stones")

    def search(shows: Callable[[Any, Any], str | None]) -> Result:
        return smallest_in_play((game.engine(shape, readings) for shape in shapes()), shows, below, bound())

    return [
        Stalemate("no-move", "while stones are left, one can be taken", ("ST-02",), search(_stuck)),
        Stalemate("one-move", "there is always a choice", ("ST-03",), search(_forced)),
    ]


def _stuck(engine: Any, position: Position) -> str | None:
    return "nothing can be taken" if position.stones and not engine.moves(position) else None


def _forced(engine: Any, position: Position) -> str | None:
    return "one stone is left" if len(engine.moves(position)) == 1 else None


class StonesHints(Hints[Params, Position, Take]):
    quick_families = ("heaps",)

    def family_names(self, params: Params) -> list[str]:
        return family_names(params)

    def run_family(self, family: str, params: Params, encodings: Any, readings: Readings, tick: Any) -> Result:
        return run_family(family, params, encodings, readings, tick)

    def separate(self, base: Readings, name: str, values: tuple[str, str]) -> Ambiguity:
        return separate(self.game, base, name, values, Search(shapes, below, bound, lambda first, second: None))

    def coverage(self, params: Params, readings: Readings) -> list[Coverage]:
        return coverage_rows(params, readings)

    def stalemates(self, params: Params, readings: Readings) -> list[Stalemate]:
        return stalemate_rows(params, readings)
