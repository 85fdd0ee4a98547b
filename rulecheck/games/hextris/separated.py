"""Hextris: where win_overflow decides, which is too deep in play for a search from the start.

z3 finds the position, and turns taken back from it lead to the start.
"""

from __future__ import annotations

from dataclasses import replace

from rulecheck.analyses import ambiguities as ambiguity
from rulecheck.games.hextris import Move, Position
from rulecheck.games.hextris.coverage import Search
from rulecheck.games.hextris.engine import Engine
from rulecheck.games.hextris.lines import line_to
from rulecheck.games.hextris.real import first_case
from rulecheck.games.hextris.shapes import WIN_AND_OVERFLOW
from rulecheck.model import Readings
from solvers.smt import Answer, Bool, every, no

TRIES = 40  # positions to which a line is looked for
Difference = tuple[Position, Move, tuple[str, ...]]


def find_difference(first: Engine, second: Engine) -> Difference | None:
    """As for every game, except that z3 searches where win_overflow decides, because that is too many turns away."""
    if first.params != WIN_AND_OVERFLOW:
        return ambiguity.find_difference(first, second)
    if {name for name in first.readings if first.readings[name] != second.readings[name]} != {"win_overflow"}:
        return None
    return _win_and_overflow(first.readings.replace(win_overflow="illegal"))


def _win_and_overflow(readings: Readings) -> Difference | None:
    """An exchange that makes the last group of one colour and a group too large of the other, with a line to it.

    By counting it takes the pieces of both groups; the position has no more than these.
    """
    search = Search(WIN_AND_OVERFLOW, readings)
    spec, pieces = search.spec, 2 * WIN_AND_OVERFLOW.group + 1
    with spec.asker.supposing(*search.real, spec.to_move["A"], *_turn(search), *search.at_most(pieces)):
        for _ in range(TRIES):
            if first_case(spec) is not Answer.YES:
                return None
            position, move = spec.read_position(), spec.read_move()
            if line := line_to(search.engine, position):
                return position, move, line
            spec.asker.add(no(every(spec.position_facts(position))))
    return None


def _turn(search: Search) -> list[Bool]:
    return [search.spec.turn.kind["exchange"], search.spec.ends, *search.alone("HX-31", "exchange")]


def none_on_seven_points(readings: Readings) -> bool:
    """On the smaller board the same pieces have no such turn in any position."""
    search = Search(replace(WIN_AND_OVERFLOW, radius=1), readings)
    with search.spec.asker.supposing(*search.real, *_turn(search)):
        return search.spec.asker.ask() is Answer.NO
