"""Two values of a reading: the smallest position that tells them apart, or a proof that none does, for any game.

With fields, z3 finds the smallest arrangement, and a search looks for a line of play that leads to it. Without such a
line, and without fields, the answer is the nearest position in play of the smallest version.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rulecheck.analyses.ambiguities import Ambiguity, Search
from rulecheck.analyses.ambiguities import separate as separate_by_search
from rulecheck.analyses.smallest import Smallest, SmallestCase
from rulecheck.analyses.versions import SEARCHED, Sized, engine_of, explore, versions, versions_of
from rulecheck.contract import AnyEngine, Rules
from rulecheck.explore import Explored, Step, TooLargeError, Who, as_line, steps
from rulecheck.model import Readings, Result, Status, Witness
from rulecheck.registry import Game
from rulecheck.terms import Constraints
from solvers.smt import Answer

NEAR = 4_000  # positions searched for a line of play
NEARBY = 5_000  # positions compared in a game with the user's parameters, the nearest first


def separate(game: Game, base: Readings, name: str, values: tuple[str, str]) -> Ambiguity:
    printed = Sized("the printed game", game.params({}))
    if _has_arrangements(game, printed.params, base):
        return _by_arrangement(game, base, name, values, printed)
    return _by_play(game, base, name, values, versions(game))


def separate_variant(game: Game, params: Any, base: Readings, name: str, values: tuple[str, str]) -> Ambiguity:
    """The same in a game with the user's parameters."""
    variant = Sized("the game with these parameters", params)
    if _has_arrangements(game, params, base):
        return _by_arrangement(game, base, name, values, variant)
    if not game.hints.lists_all_moves:
        scope = "moves are a continuum here, so play with these parameters cannot be searched"
        return Ambiguity(name, values, Result(Status.UNKNOWN, scope), base[name])
    search = Search(
        shapes=lambda: [params],
        below=lambda shape: "",
        bound=lambda: variant.name,
        prove=lambda first, second: None,
        scope=lambda first, second, position: "the nearest position in play with these parameters",
        limit=NEARBY,
    )
    try:
        return separate_by_search(game, base, name, values, search)
    except TooLargeError:
        scope = f"the {NEARBY:,} positions nearest to the start of {variant.name} show no difference"
        return Ambiguity(name, values, Result(Status.UNKNOWN, scope), base[name])


def _has_arrangements(game: Game, params: Any, readings: Readings) -> bool:
    """Does each encoding of the game use fields?"""
    if game.fields is None or game.spec_name is None:
        return False
    engine, spec = engine_of(game, params, readings), game.spec(params, readings)
    return isinstance(engine, Rules) and isinstance(spec, Constraints)


def _by_arrangement(game: Game, base: Readings, name: str, values: tuple[str, str], printed: Sized) -> Ambiguity:
    chosen = [base.replace(**{name: value}) for value in values]
    engines = [engine_of(game, printed.params, readings) for readings in chosen]
    first = engines[0]
    assert game.fields is not None
    assert isinstance(first, Rules)
    specs: list[Any] = [game.spec(printed.params, readings) for readings in chosen]
    smallest: Smallest[Any] = Smallest(game.fields(printed.params), first.candidates(), *specs)
    shown = [smallest.separated(), smallest.ends_separated()]
    if any(case.answer is Answer.UNKNOWN for case in shown):
        unknown = Result(Status.UNKNOWN, f"z3 gave up on the arrangements of {printed.name}")
        return Ambiguity(name, values, unknown, base[name])
    cases = [case for case in shown if case.position is not None]
    if not cases and not _states_all(smallest, specs[0]):
        return _by_play(game, base, name, values, versions_of(game, printed.params))
    if not cases:
        scope = f"every arrangement of {printed.name}: moves, their effects, and how the game ends"
        return Ambiguity(name, values, Result(Status.PROVED, scope), base[name])
    nearest = min(cases, key=lambda case: (_pieces(case), str(case.position), str(case.move or "")))
    said = _said(engines, nearest.position, nearest.move)
    line = _line_to(game, printed.params, chosen, nearest.position)
    move = None if nearest.move is None else str(nearest.move)
    todo = versions_of(game, printed.params)
    if line is None and (in_play := _by_play(game, base, name, values, todo)).result.witness is not None:
        shown_by = ", ".join(str(part) for part in (nearest.position, move) if part is not None)
        note = f"no line of play was found to the smallest arrangement that does: {shown_by}"
        return replace(in_play, result=replace(in_play.result, witness=replace(in_play.result.witness, note=note)))
    note = "" if line is not None else "no line of play to this position was found"
    witness = Witness(str(nearest.position), move, note, printed.params.as_dict(), dict(base), line)
    scope = "smallest: no arrangement with more empty fields tells them apart"
    return Ambiguity(name, values, Result(Status.REFUTED, scope, witness), base[name], said)


def _states_all(smallest: Smallest[Any], spec: Constraints[Any]) -> bool:
    """Do the constraints state the effects of moves and the winner? If not, their agreement proves too little."""
    return spec.after(smallest.x, smallest.moves[0]) is not None and spec.wins(smallest.x) is not None


def _pieces(case: SmallestCase[Any]) -> int:
    position = case.position
    assert position is not None
    return sum(f.empty is not None and v != f.empty for f, v in zip(position.fields, position.values, strict=True))


def _line_to(game: Game, params: Any, chosen: list[Readings], position: Any) -> tuple[str, ...] | None:
    """A line of play to the position under either value, if it is near enough to the start."""
    lines = (_shortest_line(engine_of(game, params, readings), position) for readings in chosen)
    return next((line for line in lines if line is not None), None)


def _shortest_line(engine: AnyEngine, goal: Any) -> tuple[str, ...] | None:
    start = engine.start()
    before: dict[Any, tuple[Any, Step[Any]] | None] = {start: None}
    queue = deque([start])
    while queue and goal not in before and len(before) < NEAR:
        here = queue.popleft()
        for way in steps(engine, here)[1]:
            if way.result not in before:
                before[way.result] = here, way
                queue.append(way.result)
    if goal not in before:
        return None
    ways: list[Step[Any]] = []
    at = before[goal]
    while at is not None:
        ways.append(at[1])
        at = before[at[0]]
    return as_line(ways[::-1])


def _by_play(game: Game, base: Readings, name: str, values: tuple[str, str], todo: Sequence[Sized]) -> Ambiguity:
    chosen = [base.replace(**{name: value}) for value in values]
    alike: list[str] = []
    for version in todo:
        engines = [engine_of(game, version.params, readings) for readings in chosen]
        try:
            play = explore(game, version.params, chosen[0], SEARCHED)
        except TooLargeError:
            continue
        for number in range(len(play)):
            position = play.position(number)
            if (difference := _differ(engines, play, number, position)) is None:
                continue
            move = None if difference is _ENDS else difference
            said = _said(engines, position, move)
            text = None if move is None else str(move)
            witness = Witness(str(position), text, "", version.params.as_dict(), dict(base), play.line(number))
            smaller = f"; not in {', '.join(alike)}" if alike else ""
            result = Result(Status.REFUTED, f"smallest: the nearest position of {version.name}{smaller}", witness)
            return Ambiguity(name, values, result, base[name], said)
        alike.append(version.name)
    if not alike:
        return Ambiguity(name, values, Result(Status.UNKNOWN, "no version is small enough to be searched"), base[name])
    partly = len(alike) < len(todo)  # the others reach more positions than can be searched
    result = Result(Status.PROVED, f"every position in play of {', '.join(alike)}", bounded=partly)
    return Ambiguity(name, values, result, base[name])


_ENDS = object()  # the difference lies in how the game ends, not in a move


def _differ(engines: list[AnyEngine], play: Explored[Any, Any], number: int, position: Any) -> Any | None:
    """The first move that only one allows or that leads elsewhere; _ENDS if the position has ended for one only, or
    with other winners. None if there is no difference here."""
    first, second = engines
    if first.end(position) != second.end(position):
        return _ENDS
    if play.who(number) is Who.NOBODY:
        return None
    if play.who(number) is Who.CHANCE:
        return None if tuple(first.chances(position)) == tuple(second.chances(position)) else _ENDS
    moves = first.moves(position), second.moves(position)
    unlike = [m for m in {**moves[0], **moves[1]} if moves[0].get(m) != moves[1].get(m)]
    if unlike:
        return min(unlike, key=lambda move: (len(str(move)), str(move)))
    return None if first.actor(position) == second.actor(position) else _ENDS


def _said(engines: list[AnyEngine], position: Any, move: Any) -> tuple[str, str]:
    """The answers of both engines about the position or the move, which must differ."""
    texts = [_says(engine, position, move) for engine in engines]
    if texts[0] == texts[1]:
        raise AssertionError(f"the witness does not replay: {position}, {move}, {texts[0]}")
    return texts[0], texts[1]


def _says(engine: AnyEngine, position: Any, move: Any) -> str:
    if move is not None:
        verdict = engine.judge(position, move)
        if not verdict.legal:
            return str(verdict)
        position = engine.play(position, move)
    end = engine.end(position)
    how = str(end) if end else "chance acts" if engine.chances(position) else f"{engine.actor(position)} to act"
    return f"{how}" if move is None else f"legal, then {position}, {how}"
