"""Ice Palace: for each clause the case with the fewest pyramids placed that it decides, in play of small games.

A clause that forbids is shown by a move that both encodings refuse for it and for nothing else. One that permits or
says what comes next is shown by a legal move and what makes it so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from rulecheck.analyses.clauses import Coverage
from rulecheck.games.icepalace import (
    BLACK,
    DONE,
    GAME,
    ORIGIN,
    PALACE,
    PASS,
    WHITE,
    WORKSITE,
    Move,
    Params,
    Position,
)
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.families import surroundings
from rulecheck.games.icepalace.lines import Play
from rulecheck.games.icepalace.shapes import KEPT, SEARCHED
from rulecheck.model import Clause, Readings, Result, Status, Verdict, Witness
from rulecheck.pyramids import Pyramid
from rulecheck.wording import count
from specs.icepalace.spec import Spec

MOST = 150  # positions of each small game that are looked at
FORBIDDING = tuple(f"IP-{n:02}" for n in (8, 12, 13, 14, 16, 17, 19, 26, 29, 30, 31, 33, 34, 37, 39))
CHECKED_BY = {
    "IP-23": "lets a player place again; the family rounds compares it",
    "IP-24": "is outside of the formal game, which has no exchange",
    "IP-25": "is outside of the formal game",
    "IP-32": "leaves a choice; the family builds compares every order and every cell",
    "IP-36": "says what does not change; the families building and builds compare it",
}
Shows = Callable[[Engine, Position, Move, Position], str | None]  # a legal move and where it leads: a note


class Case(NamedTuple):
    placed: int
    position: Position
    move: Move
    note: str
    engine: Engine


def coverage(params: Params, readings: Readings) -> list[Coverage]:
    """In small games, whatever the parameters: the rules are the same in all of them."""
    cases = _cases(readings)
    return [_row(clause, cases.get(clause.id), readings) for clause in GAME.rulebook.clauses.values()]


def _row(clause: Clause, case: Case | None, readings: Readings) -> Coverage:
    how = "forbids" if clause.id in FORBIDDING else "permits" if clause.kind == "permits" else "tells what comes next"
    if case is not None:
        witness = Witness(str(case.position), str(case.move), case.note, case.engine.params.as_dict(), dict(readings))
        scope = f"in play, with {count(case.placed, 'pyramid')} placed; this small game has no case with fewer"
        return Coverage(clause, Result(Status.REFUTED, scope, witness), how)
    if clause.id == "IP-15":
        return _nothing_on_a_large(clause, readings)
    if clause.id in FORBIDDING or clause.id in SHOWING:
        return Coverage(clause, Result(Status.UNKNOWN, f"no case in {len(SEARCHED) + 1} small games"), how)
    start = "describes the material and the start; the family start compares it"
    goal = "tells who wins; the family scores compares it"
    return Coverage(clause, None, CHECKED_BY.get(clause.id, goal if clause.kind == "goal" else start))


def _nothing_on_a_large(clause: Clause, readings: Readings) -> Coverage:
    """IP-15 follows from IP-14, as nothing is larger than a large one."""
    scope = "worksite code: every pyramid on every cell, every arrangement around it"
    alone = surroundings.decides_alone(Engine(GAME.params({}), readings), clause.id)
    return Coverage(clause, Result(Status.UNKNOWN if alone else Status.PROVED, scope), "forbids", ("IP-14",))


# -- Cases in play ------------------------------------------------------------------------------------------------


def _cases(readings: Readings) -> dict[str, Case]:
    best: dict[str, Case] = {}
    for params in (*SEARCHED, KEPT):
        for clause, case in _cases_of(params, readings).items():
            if clause not in best or case.placed < best[clause].placed:
                best[clause] = case
    return best


def _cases_of(params: Params, readings: Readings) -> dict[str, Case]:
    engine, spec = Engine(params, readings), Spec(params, readings)
    play, cases = Play(engine), dict[str, Case]()
    for position in islice(play, MOST):
        for clause, move, note in _shown(engine, spec, position, set(cases)):
            cases.setdefault(clause, Case(play.placed(position), position, move, note, engine))
    return cases


def _shown(engine: Engine, spec: Spec, position: Position, known: set[str]) -> Iterator[tuple[str, Move, str]]:
    for move in _tried(engine, position):
        verdict = engine.judge(position, move)
        if verdict.legal:
            after = engine.play(position, move)
            for clause, shows in SHOWING.items():
                note = None if clause in known else shows(engine, position, move, after)
                if note and spec.judge(position, move).legal:
                    yield clause, move, f"legal, {note}"
            continue
        (clause,) = verdict.clauses
        if clause not in known and clause in FORBIDDING and spec.judge(position, move).clauses == (clause,):
            yield clause, move, f"{verdict}; nothing else is against it"
        if "IP-20" not in known and _is_legal_on_corners(engine, position, move):
            yield "IP-20", move, f"{verdict}; without this clause (grid=king) it is legal"


def _tried(engine: Engine, position: Position) -> Iterator[Move]:
    """Passing, and each pyramid of the mover, or one more, on each cell near the structures."""
    yield from (PASS, DONE)
    letters = engine.params.letters
    held = position.hands[letters.index(position.mover)] if position.mover in letters else ()
    kinds = dict.fromkeys([*held, *position.left, Pyramid(letters[-1], engine.params.sizes[-1])])
    for site, structure in ((WORKSITE, position.worksite), (PALACE, position.palace)):
        cells = dict.fromkeys([*engine.worksite.grid.frontier(structure), ORIGIN, (1, 1)])
        yield from (Move(pyramid, site, cell) for pyramid in kinds for cell in cells)


def _is_legal_on_corners(engine: Engine, position: Position, move: Move) -> bool:
    if engine.readings["grid"] == "king":
        return False
    verdict: Verdict = Engine(engine.params, engine.readings.replace(grid="king")).judge(position, move)
    return verdict.legal


# -- What a legal move shows ----------------------------------------------------------------------------------------


def _by_joker(engine: Engine, position: Position, move: Move, after: Position) -> str | None:
    worksite = position.worksite
    if move.pyramid is None or move.site == PALACE or not worksite or worksite.at(move.cell):
        return None
    tops = {stack[-1].colour for stack in engine.worksite.grid.stacks_beside(worksite.at, move.cell)}
    joined = tops | {move.pyramid.colour}
    return "by this clause: the colours differ, and one is white" if WHITE in joined and len(joined) > 1 else None


def _free_pass(engine: Engine, position: Position, move: Move, after: Position) -> str | None:
    able = move == PASS and any(True for _ in engine.worksite_moves(position))
    return "though the player could place" if able else None


def _forced_pass(engine: Engine, position: Position, move: Move, after: Position) -> str | None:
    held = position.mover in engine.params.letters and position.hands[engine.params.letters.index(position.mover)]
    return "and the only move: nothing held can be placed" if held and list(engine.moves(position)) == [PASS] else None


def _ends_round(position: Position, move: Move, after: Position) -> bool:
    return move == PASS and bool(position.worksite) and not after.worksite


def _builder(engine: Engine, position: Position, move: Move, after: Position) -> str | None:
    builds = _ends_round(position, move, after) and after.left
    return f"and {after.mover}, who placed last, builds" if builds else None


def _without_colour(engine: Engine, position: Position, move: Move, after: Position) -> str | None:
    if not _ends_round(position, move, after):
        return None
    gone = sorted(str(q) for q in position.worksite.pyramids if q.colour in (BLACK, WHITE))
    return f"and {', '.join(gone)} leaves the game" if gone else None


def _left_over(engine: Engine, position: Position, move: Move, after: Position) -> str | None:
    if move.site != PALACE or move.pyramid is None or after.left:
        return None
    rest = list(position.left)
    rest.remove(move.pyramid)
    return f"and {', '.join(map(str, rest))} leaves the game unused" if rest else None


def _next_marker(engine: Engine, position: Position, move: Move, after: Position) -> str | None:
    return f"and the marker goes from {position.marker} to {after.marker}" if position.marker != after.marker else None


def _winner(engine: Engine, position: Position, move: Move, after: Position) -> str | None:
    winner = engine.winner(after)
    points = engine.score(after.palace)
    score = ", ".join(f"{c} {points[c]}" for c in points)
    return f"and the game is over, won by {winner} (points: {score})" if winner and len(winner) == 1 else None


SHOWING: dict[str, Shows] = {
    "IP-18": _by_joker,
    "IP-21": _free_pass,
    "IP-22": _forced_pass,
    "IP-27": _builder,
    "IP-28": _without_colour,
    "IP-35": _left_over,
    "IP-38": _next_marker,
    "IP-40": _winner,
    "IP-41": _winner,
}
