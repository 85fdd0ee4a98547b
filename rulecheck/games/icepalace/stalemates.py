"""Ice Palace: what one would take for granted of a round, of building and of the game, and where that fails.

Small games are looked through, positions with fewer pyramids placed first; the start of the printed game and counting
answer the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from rulecheck.analyses.stalemates import Stalemate
from rulecheck.contract import brought
from rulecheck.games.icepalace import GAME, PASS, Params, Position, read_params
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.lines import Play
from rulecheck.games.icepalace.research.lengths import bounds
from rulecheck.games.icepalace.shapes import SEARCHED
from rulecheck.model import Readings, Result, Status, Witness
from rulecheck.wording import count

GAMES = (*SEARCHED, read_params({"stash": "1", "hand": "2", "black": "0", "white": "3", "sizes": "1"}))
MOST = 400  # positions of each small game that are looked at
Shows = Callable[[Engine, Position], str | None]


class Case(NamedTuple):
    name: str
    statement: str
    clauses: tuple[str, ...]
    shows: Shows


def _hand(engine: Engine, position: Position, player: str) -> int:
    return len(position.hands[engine.params.letters.index(player)])


def _in_round(engine: Engine, position: Position) -> bool:
    return bool(position.worksite) and not position.left


def _cannot_place(engine: Engine, position: Position) -> str | None:
    if not _in_round(engine, position) or not (held := _hand(engine, position, position.mover)):
        return None
    if list(engine.moves(position)) != [PASS]:
        return None
    return f"{position.mover} holds {held} pyramids, and none of them can be placed"


def _nobody_places(engine: Engine, position: Position) -> str | None:
    if not _in_round(engine, position):
        return None
    everything = tuple(engine.params.material)
    if any(True for _ in engine.worksite.placements(position.worksite, everything)):
        return None
    return "no pyramid of the whole game can be placed, so all have to pass"


def _nothing_to_build(engine: Engine, position: Position) -> str | None:
    if not _in_round(engine, position) or position.passes < engine.params.players - 1 or not _ends(engine, position):
        return None
    after = engine.play(position, PASS)
    return None if after.left else f"{_last(engine, position)} wins the round, and there is nothing to build with"


def _ends(engine: Engine, position: Position) -> bool:
    return not engine.play(position, PASS).worksite


def _last(engine: Engine, position: Position) -> str:
    return engine.seat(position.mover, -position.passes - 1)


def _not_all_used(engine: Engine, position: Position) -> str | None:
    if not position.left or position.palace:
        return None
    most = engine.palace.greatest_number(position.palace, position.left)
    return f"{most} of {len(position.left)} pyramids can be used" if most < len(position.left) else None


def _wrong_start(engine: Engine, position: Position) -> str | None:
    if not position.left or position.palace:
        return None
    barred = {q for q in position.left if not any(move.pyramid == q for move in engine.moves(position))}
    return f"the palace may not begin with {', '.join(sorted(map(str, barred)))}" if barred else None


def _builds_for_others(engine: Engine, position: Position) -> str | None:
    """The builder gets nothing, whatever is built; in the first round."""
    if not position.left or position.palace or any(q.colour == position.mover for q in position.left):
        return None
    return f"{position.mover} builds, and no pyramid left is of that colour"


def _tied(engine: Engine, position: Position) -> str | None:
    winner = engine.winner(position)
    if not winner or len(winner) == 1:
        return None
    points = engine.score(position.palace)[winner[0]]
    return f"{' and '.join(winner)} have {points} points each, and no rule says more"


CASES = (
    Case("cannot-place", "who has pyramids can place one", ("IP-14", "IP-16", "IP-22"), _cannot_place),
    Case("shut", "as long as pyramids are held, some could be placed", ("IP-15", "IP-17", "IP-26"), _nobody_places),
    Case("empty-win", "who wins a round has something to build with", ("IP-27", "IP-28"), _nothing_to_build),
    Case("for-others", "who wins a round can score by it", ("IP-27", "IP-40"), _builds_for_others),
    Case("wrong-start", "a palace may begin with any pyramid left", ("IP-31", "IP-32", "IP-33"), _wrong_start),
    Case("unusable", "in the first round all pyramids left can be used", ("IP-33", "IP-34"), _not_all_used),
    Case("tie", "one player wins", ("IP-41",), _tied),
)


def stalemates(params: Params, readings: Readings) -> list[Stalemate]:
    return [*(_row(case, readings) for case in CASES), endless(readings)]


def _row(case: Case, readings: Readings) -> Stalemate:
    for small in GAMES:
        engine = Engine(small, readings)
        play = Play(engine)
        for position in islice(play, MOST):
            if note := case.shows(engine, position):
                witness = Witness(str(position), None, note, small.as_dict(), dict(readings), play.line(position))
                placed = count(play.placed(position), "pyramid")
                scope = f"in play, with {placed} placed; this small game has none with fewer"
                under, repairs = _under(case, engine, position)
                return Stalemate(
                    case.name, case.statement, case.clauses, Result(Status.REFUTED, scope, witness), under, repairs
                )
    scope = f"no such position among the first {MOST} of each of {len(GAMES)} small games"
    return Stalemate(case.name, case.statement, case.clauses, Result(Status.UNKNOWN, scope))


def _under(case: Case, engine: Engine, position: Position) -> tuple[dict[str, str], tuple[str, ...]]:
    """What other values of a reading make of the position, where they make it another case."""
    happens, repairs = {}, []
    usual = case.shows(engine, position)
    for name, reading in GAME.rulebook.options.items():
        for value in reading.values:
            if value != engine.readings[name]:
                note = case.shows(Engine(engine.params, engine.readings.replace(**{name: value})), position)
                if note != usual:
                    happens[f"{name}={value}"] = note or "it does not happen here"
                    repairs += [] if note else [f"{name}={value}"]
    return happens, tuple(repairs)


def endless(readings: Readings) -> Stalemate:
    """Every round takes a pyramid at least; if nobody has to open, nobody need ever place."""
    name, statement, clauses = "endless", "every game comes to an end", ("IP-12", "IP-21", "IP-39")
    most = {n: bounds(Engine(read_params({"players": str(n)}), readings)).most for n in range(3, 7)}
    if None not in most.values():
        limits = ", ".join(f"{rounds} rounds with {n}" for n, rounds in most.items())
        scope = f"each round takes a pyramid at least, so there are at most {limits} players"
        return Stalemate(name, statement, clauses, Result(Status.PROVED, scope, cases=len(most)))
    engine = Engine(SEARCHED[0], readings)
    play = Play(engine)
    start = next(position for position in play if not brought(engine, position))
    here, line = start, list(play.line(start))
    for _ in range(engine.params.players**2):
        here = engine.play(here, PASS)
        line.append(str(PASS))
    if here != start:
        raise AssertionError(f"passing leads to {here}, not back to {start}")
    note = f"{engine.params.players**2} passes lead back to this position"
    witness = Witness(str(start), str(PASS), note, engine.params.as_dict(), dict(readings), tuple(line))
    return Stalemate(name, statement, clauses, Result(Status.REFUTED, "this small game, and every other", witness))
