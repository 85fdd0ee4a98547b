"""Crosswalk: for each clause the smallest position and turn where it alone decides.

Games with fewer pyramids, then fewer squares, come first and answer NO, so the witness is the smallest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial

import z3

from rulecheck.analyses.clauses import Coverage
from rulecheck.games.crosswalk import GAME, Params, Position, Step, Turn
from rulecheck.games.crosswalk.engine import Engine
from rulecheck.games.crosswalk.shapes import below, bound, shapes
from rulecheck.model import Clause, Readings, Result, Status, Verdict, Witness
from solvers.smt import Answer, Bool
from specs.crosswalk.spec import Spec

MOST_PIECES, MOST_SQUARES = 5, 5
Case = tuple[Position, Turn]
Search = Callable[[Spec], Iterator[Case]]


def coverage(params: Params, readings: Readings) -> list[Coverage]:
    rulebook = GAME.rulebook
    return [cover(clause, params, readings) for clause in rulebook.clauses.values()]


def cover(clause: Clause, params: Params, readings: Readings) -> Coverage:
    if clause.id == "CW-15b":
        return _passing_over(clause, params, readings)
    searches = _searches(readings).get(clause.id)
    if searches is None:
        return Coverage(clause, None, _checked_by(clause))
    kind, search = searches
    for shape in shapes(MOST_PIECES, MOST_SQUARES):
        for position, turn in sorted(search(_spec(shape, readings)), key=_simplicity):
            if note := _replay(clause.id, kind, shape, readings, position, turn):
                witness = Witness(str(position), str(turn), note, shape.as_dict(), dict(readings))
                scope = f"smallest: {below(shape, MOST_SQUARES)} have none"
                return Coverage(clause, Result(Status.REFUTED, scope, witness), kind)
    return Coverage(clause, Result(Status.UNKNOWN, f"no case in {bound(MOST_PIECES, MOST_SQUARES)}"), kind)


def _simplicity(case: Case) -> tuple[int, str, str]:
    """Small rolls first, then A to move: an order that does not depend on which solution z3 finds first."""
    position, turn = case
    return position.roll or 0, str(position), str(turn)


@cache
def _spec(shape: Params, readings: Readings) -> Spec:
    return Spec(shape, readings)


def _checked_by(clause: Clause) -> str:
    if clause.kind in ("material", "setup"):
        return "describes the start; the proof family setup compares it"
    return "tells how play goes on; the families of whole turns compare it"


def _replay(clause: str, kind: str, shape: Params, readings: Readings, position: Position, turn: Turn) -> str | None:
    """Accept a case only if both encodings, asked anew, say that this clause alone decides (or permits)."""
    engine, spec = Engine(shape, readings), Spec(shape, readings)
    ours, theirs = engine.judge(position, turn), spec.judge(position, turn)
    if kind == "forbids":
        return f"{ours}; nothing else is against it" if _only(clause, ours, theirs) else None
    if not (ours.legal and theirs.legal):
        return None
    if kind == "wins":
        winner = engine.winner(engine.play(position, turn))
        return f"legal, and {winner} has won" if winner == position.mover else None
    return "legal, by this clause"


def _only(clause: str, ours: Verdict, theirs: Verdict) -> bool:
    return ours.clauses == (clause,) and theirs.clauses == (clause,)


def _searches(readings: Readings) -> dict[str, tuple[str, Search]]:
    """The search for a case of each clause about turns."""
    searches: dict[str, tuple[str, Search]] = {}
    for clause in ("CW-10", "CW-11", "CW-13", "CW-14", "CW-15", "CW-18", "CW-22"):
        searches[clause] = ("forbids", partial(_step_case, clause=clause))
    for clause in ("CW-16", "CW-17"):
        searches[clause] = ("permits", partial(_permitted, clause=clause))
    for clause in ("CW-19", "CW-20", "CW-21"):
        searches[clause] = ("forbids", partial(_relocation_case, clause=clause))
    for clause in ("CW-02", "CW-23"):
        searches[clause] = ("wins", _winning)
    if readings["finish_entry"] == "nest_order":
        searches["CW-02"] = ("forbids", partial(_step_case, clause="CW-02"))
    searches["CW-12"] = ("forbids", _unspent)
    return searches


def _solutions(spec: Spec, facts: list[Bool], length: int) -> Iterator[Case]:
    """All positions (with roll) and walks of `length` steps that satisfy the facts."""
    asker = spec.asker
    length = min(length, len(spec.acts))
    fixed = [spec.is_roll, *spec.fresh_turn, *(a.go for a in spec.acts[:length])]
    fixed += [a.rest for a in spec.acts[length:]]
    with asker.supposing():
        while asker.ask(*facts, *fixed) is Answer.YES:
            roll = next(v for v, left in enumerate(spec.left[0]) if asker.holds(left))
            position, turn = spec.read_position().rolled(roll), spec.read_turn()
            yield position, turn
            # Only now, because the caller may have asked about the position in between.
            asker.add(z3.Not(z3.And([*spec.given(position), *spec.walk_literals(turn.steps)])))


def _step_case(spec: Spec, clause: str) -> Iterator[Case]:
    """A step that breaks this clause alone, with just the points for it."""
    holds = spec.holds[0]
    facts = [z3.Not(v) if c == clause else v for c, v in holds.items()]
    if clause != "CW-10":
        facts.append(spec.left[1][0])
    return _solutions(spec, facts, 1)


def _permitted(spec: Spec, clause: str) -> Iterator[Case]:
    return _solutions(spec, [spec.playing, spec.ok[0], spec.permits[clause], spec.left[1][0]], 1)


def _unspent(spec: Spec) -> Iterator[Case]:
    """CW-12: one legal step, points left, no win."""
    return _solutions(spec, [spec.playing, spec.ok[0], z3.Not(spec.spent_all), z3.Not(spec.won)], 1)


def _winning(spec: Spec) -> Iterator[Case]:
    won = spec.asker.name(spec.mover_nest(spec.scenes[-1]))
    return _solutions(spec, [spec.playing, spec.ok[0], spec.spent_all, won], 1)


def _relocation_case(spec: Spec, clause: str) -> Iterator[Case]:
    """A relocation that breaks this clause alone; CW-19 is broken by having a valid turn."""
    facts = [spec.playing, *(z3.Not(v) if c == clause else v for c, v in spec.reloc_holds.items())]
    for position, turn in _solutions(spec, facts, 1):
        if spec.has_valid_turn(position) == (clause == "CW-19"):
            step = turn.steps[0]
            yield position, Turn((Step(step.source, step.target, relocates=True),))


def _passing_over(clause: Clause, params: Params, readings: Readings) -> Coverage:
    """CW-15b: passing over an opponent requires a stop there, which CW-15 already forbids."""
    spec = Spec(params, readings, walk_length=2, counted=False)
    literals = {v: c for t in (0, 1) for c, v in spec.holds[t].items()}
    pieces = params.material.total()
    scope = f"any two steps on every arrangement of {pieces} pyramids on {params.squares} squares"
    with spec.asker.supposing(spec.passes_over()):
        if spec.asker.ask(*literals) is not Answer.NO:
            return Coverage(clause, Result(Status.UNKNOWN, scope), "forbids")
        implied_by = sorted({literals[v] for v in spec.asker.smallest_core(list(literals))})
    return Coverage(clause, Result(Status.PROVED, scope), "forbids", tuple(implied_by))


def never_separated(first: Readings, second: Readings) -> Result | None:
    """A proof, for the printed game, that two choices of readings allow the same results; None if it has none.

    It covers the readings of a relocation alone: if both judge steps, and relocations that change anything, in the same
    way, only putting a pyramid back differs, and that leads where a pass leads.
    """
    params = Params()
    relocation_only = {"reloc_from", "reloc_onto", "reloc_null"}
    changed = {name for name in first if first[name] != second[name]}
    if not changed <= relocation_only or first["relocation"] != "may":
        return None
    ours, theirs = (Spec(params, readings, walk_length=1, counted=False) for readings in (first, second))
    act = ours.acts[0]
    put_back = z3.Or([z3.And(act.src[p], act.dst[p]) for p in params.places])
    same_steps = z3.And([v == theirs.holds[0][c] for c, v in ours.holds[0].items()])
    legal = [z3.And(list(spec.reloc_holds.values())) for spec in (ours, theirs)]
    ours.asker.add(*theirs.asker.solver.assertions())
    with ours.asker.supposing(z3.Or(z3.Not(same_steps), z3.And(z3.Not(put_back), legal[0] != legal[1]))):
        if ours.asker.ask() is not Answer.NO:
            return None
    scope = (
        "every arrangement of the printed game: steps are judged alike, and so is every relocation that changes "
        "anything; putting a pyramid back leads where passing leads"
    )
    return Result(Status.PROVED, scope, cases=1)
