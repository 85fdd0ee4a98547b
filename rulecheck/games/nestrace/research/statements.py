"""Nest race: what the sheet and its notes take for granted about lines and pats, proved for the full board."""

from __future__ import annotations

from collections.abc import Callable

from rulecheck.analyses.stalemates import Stalemate
from rulecheck.games.nestrace import GAME, read_move, read_params, read_position
from rulecheck.games.nestrace.engine import Engine
from rulecheck.games.nestrace.research.blockades import Blockades, blockades
from rulecheck.model import Readings, Result, Status, Witness
from solvers.smt import Answer, Bool

ALL = 24  # pyramids of two players: no bound on the size
ARRANGED = "every arrangement of the 24 pyramids on the full board with finish lines in order, by z3"
# A large pyramid in front of its start line could step back onto it, if diagonals are never backward.
STEP_BACK = """A c1:A1A2 d1:A1A2A3 e1:A1A2A3 f1:A1A2A3 b2:A3 a3:B1B2 b3:B3 a4:B1B2B3 a5:B1B2B3 a6:B1B2B3"""


def statements(readings: Readings) -> list[Stalemate]:
    return [_lines(readings), _large_on_row_7(readings), _self_made(readings)]


# -- NR-24 and NR-25 against NR-13 and NR-18 ----------------------------------------------------------------


def held_by_lines(readings: Readings) -> tuple[int, int]:
    """How many hops of any player only NR-24, and how many only NR-25, keeps from going the wrong way."""
    engine = Engine(read_params({"players": "4"}), readings)
    backward_jumps = readings["back_jump"] == "net_forward"
    verdicts = [
        engine.judge_lines(p, *hop).clauses
        for p in engine.players
        for hop in (*engine.steps, *engine.jumps)
        if hop not in engine.retreats[p] or (backward_jumps and hop in engine.jumps)
    ]
    return verdicts.count(("NR-24",)), verdicts.count(("NR-25",))


def _lines(readings: Readings) -> Stalemate:
    """Under the default readings a hop that a line forbids is a backward hop anyway."""
    under = {}
    for name, value in (("backward", "diagonal_ok"), ("back_jump", "net_forward")):
        if readings[name] != value:
            back, off = held_by_lines(readings.replace(**{name: value}))
            under[f"{name}={value}"] = f"{back} hops only NR-24 forbids, {off} only NR-25"
    statement = "that nothing returns to its start line or leaves its finish line goes without saying"
    clauses = ("NR-13", "NR-18", "NR-24", "NR-25")
    back, off = held_by_lines(readings)
    scope = "every hop of every player on the full board"
    if not back and not off:
        result = Result(Status.PROVED, scope, note="each such hop goes backward")
    else:
        result = _step_back(readings, f"{scope}: {back} only NR-24 forbids, {off} only NR-25")
    return Stalemate("lines", statement, clauses, result, under)


def _step_back(readings: Readings, scope: str) -> Result:
    params, move = read_params({}), "b2-c1"
    verdict = Engine(params, readings).judge(read_position(params, STEP_BACK), read_move(params, move))
    if verdict.clauses != ("NR-24",):
        return Result(Status.UNKNOWN, f"{scope}; whether a move could make use of them was not asked")
    witness = Witness(STEP_BACK, move, "nothing but NR-24 forbids this step", params.as_dict(), dict(readings))
    return Result(Status.REFUTED, scope, witness)


# -- Pats ----------------------------------------------------------------------------------------------------


def _large_on_row_7(readings: Readings) -> Stalemate:
    statement = "in every pat the victim has a free large pyramid on row 7"
    result = _asked(readings, Blockades.without_large, ARRANGED)
    return Stalemate("large-on-row-7", statement, ("NR-22", "NR-55"), result)


def _self_made(readings: Readings) -> Stalemate:
    """By induction: a move of the other player's never makes a pat of what was none. Sideways moves need no look."""
    statement = "with two players a pat is of the victim's own making"
    scope = f"{ARRANGED}, and every top of the other player's put anywhere that NR-30 allows"
    return Stalemate(
        "self-made", statement, ("NR-29", "NR-30", "NR-55"), _asked(readings, Blockades.made_by_other, scope)
    )


def _asked(readings: Readings, question: Callable[[Blockades], list[Bool]], scope: str) -> Result:
    """PROVED if z3 finds no counterexample; the questions are put for the default readings only."""
    if readings != GAME.rulebook.defaults():
        return Result(Status.UNKNOWN, "asked under the default readings only")
    board = blockades()
    counterexamples = question(board)
    answer = board.of_size(counterexamples, ALL)
    if answer is Answer.YES and (position := board.least(counterexamples)):
        return Result(Status.REFUTED, scope, Witness(str(position), None, "", board.spec.params.as_dict()))
    return Result(Status.PROVED if answer is Answer.NO else Status.UNKNOWN, scope, cases=1)
