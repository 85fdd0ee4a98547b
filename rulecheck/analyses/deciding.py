"""Does each clause add something? Decided for any game: by z3 over every arrangement, or over play.

A clause is tested where the constraints name it. A clause they never name sets the game up or describes effects; it
has no result of its own here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulecheck.analyses.clauses import Coverage
from rulecheck.analyses.families import alphabet
from rulecheck.analyses.smallest import Smallest
from rulecheck.analyses.versions import engine_of, explore, versions
from rulecheck.contract import AnySpec, Rules
from rulecheck.explore import TooLargeError, Who
from rulecheck.model import Clause, Readings, Result, Status, Witness
from rulecheck.registry import Game
from rulecheck.terms import Constraints
from solvers.smt import Answer

PLAYED = 20_000  # positions of a version whose moves the constraints judge one by one


def coverage(game: Game, params: Any, readings: Readings) -> Iterator[Coverage]:
    engine = engine_of(game, params, readings)
    spec: Any = game.spec(params, readings)
    if game.fields and isinstance(engine, Rules) and isinstance(spec, Constraints):
        smallest: Smallest[Any] = Smallest(game.fields(params), engine.candidates(), spec)
        named = {c for move in engine.candidates() for c in spec.clauses(smallest.x, move)}
        for clause in game.rulebook.clauses.values():
            yield _on_arrangements(clause, smallest, engine) if clause.id in named else _unnamed(clause)
        return
    deciding = _in_play(game, readings)
    for clause in game.rulebook.clauses.values():
        yield deciding.get(clause.id) or _unmet(clause)


def _unnamed(clause: Clause) -> Coverage:
    return Coverage(clause, None, "no move is refused by it: it sets the game up, or says what moves do")


def _unmet(clause: Clause) -> Coverage:
    return Coverage(clause, None, "no move that is legal somewhere in play is refused by it alone elsewhere")


def _on_arrangements(clause: Clause, smallest: Smallest[Any], engine: Rules[Any, Any]) -> Coverage:
    case = smallest.decided_by(clause.id)
    if case.answer is Answer.UNKNOWN:
        return Coverage(clause, Result(Status.UNKNOWN, "z3 gave up"), "")
    if case.answer is Answer.NO:
        scope = "every move of the alphabet on every arrangement"
        if not (implied_by := smallest.implied_by(clause.id)):
            return Coverage(clause, None, "no move on any arrangement is refused by it with these readings")
        return Coverage(clause, Result(Status.PROVED, scope), "adds nothing", implied_by)
    verdict = engine.judge(case.position, case.move)
    if clause.id not in verdict.clauses:
        raise AssertionError(f"the witness does not replay: {case.position}, {case.move} is {verdict}")
    witness = Witness(str(case.position), str(case.move), f"{verdict}; nothing else is against it")
    scope = "smallest: no arrangement with more empty fields has a move that this clause alone forbids"
    return Coverage(clause, Result(Status.REFUTED, scope, witness), "decides alone")


def _in_play(game: Game, readings: Readings) -> dict[str, Coverage]:
    """For each clause the nearest position in play with a move that it alone forbids."""
    rows: dict[str, Coverage] = {}
    for version in versions(game):
        try:
            play = explore(game, version.params, readings, PLAYED)
        except TooLargeError:
            continue
        spec: AnySpec = game.spec(version.params, readings)
        engine = engine_of(game, version.params, readings)
        asked = alphabet(play, engine)
        for number, position in enumerate(play):
            for move in asked if play.who(number) is Who.PLAYER else ():
                clauses = spec.judge(position, move).clauses
                if len(clauses) == 1 and clauses[0] not in rows:
                    witness = Witness(str(position), str(move), params=version.params.as_dict(), line=play.line(number))
                    result = Result(Status.REFUTED, f"the nearest position of {version.name}", witness)
                    rows[clauses[0]] = Coverage(game.rulebook.clauses[clauses[0]], result, "decides alone")
    return rows
