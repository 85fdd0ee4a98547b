"""Hextris: where win_overflow decides, which is too deep in play for a search from the start.

z3 finds the position, and turns taken back from it lead to the start.
"""

from __future__ import annotations

from dataclasses import replace

from rulecheck.ambiguity import Ambiguity
from rulecheck.engines.hextris import Engine
from rulecheck.games.hextris import Move, Params, Position
from rulecheck.model import Readings, Result, Status, Witness
from rulecheck.studies.hextris.coverage import Search
from rulecheck.studies.hextris.lines import line_to
from solvers.smt import Answer
from specs.hextris import Spec, every, no

GAME_OF_TWO = Params(radius=2, group=2, groups=1, stash=((0, 2, 0), (3, 0, 0)))
TRIES = 40  # positions to which a line is looked for


def separated(base: Readings, name: str, values: tuple[str, str]) -> Ambiguity | None:
    """The smallest position where the values differ, for readings that play in small games does not tell apart."""
    if name != "win_overflow":
        return None
    chosen = [base.replace(**{name: value}) for value in values]
    found = _win_and_overflow(base.replace(win_overflow="illegal"))
    if found is None:
        return None
    position, move, line, scope = found
    verdicts = [Engine(GAME_OF_TWO, readings).judge(position, move) for readings in chosen]
    second = [Spec(GAME_OF_TWO, readings).judge(position, move) for readings in chosen]
    if [v.legal for v in verdicts] != [v.legal for v in second] or verdicts[0].legal == verdicts[1].legal:
        raise AssertionError(f"the witness does not replay: {position}, {move}, {verdicts}, {second}")
    witness = Witness(str(position), str(move), "", GAME_OF_TWO.as_dict(), dict(base), line)
    said = (str(verdicts[0]), str(verdicts[1]))
    return Ambiguity(name, values, Result(Status.REFUTED, scope, witness), base[name], said)


def _win_and_overflow(readings: Readings) -> tuple[Position, Move, tuple[str, ...], str] | None:
    """An exchange that makes the last group of one colour and a group too large of the other, in play."""
    search = Search(GAME_OF_TWO, readings)
    spec, pieces = search.spec, 2 * GAME_OF_TWO.group + 1
    scope = f"smallest: by counting, a last group and a larger one of another colour take {pieces} pieces"
    if none_on_seven_points(readings):
        scope += ", and z3 finds none on 7 points with the same pieces"
    with spec.asker.supposing(*search.real, spec.to_move["A"], *_turn(search), *search.at_most(pieces)):
        for _ in range(TRIES):
            if spec.asker.ask() is not Answer.YES:
                return None
            position, move = spec.read_position(), search.read_turn()
            if line := line_to(search.engine, position):
                return position, move, line, scope
            spec.asker.tell(no(every(spec.position_facts(position))))
    return None


def _turn(search: Search) -> list[object]:
    return [search.spec.turn.kind["exchange"], search.spec.ends, *search.alone("HX-31", "exchange")]


def none_on_seven_points(readings: Readings) -> bool:
    """On the smaller board there is no such turn in any arrangement."""
    search = Search(replace(GAME_OF_TWO, radius=1), readings)
    with search.spec.asker.supposing(*search.real, *_turn(search)):
        return search.spec.asker.ask() is Answer.NO
