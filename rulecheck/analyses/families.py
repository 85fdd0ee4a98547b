"""The proofs that every game gets: engine = constraints, on every arrangement or on every position in play.

| family  | what is compared |
|---------|---|
| moves   | each move of the alphabet on every arrangement: legality, clause, effect, winner, turn (with fields) |
| ends    | every arrangement: who has won, whether it has ended, whose turn it is (with fields) |
| sense   | the start and every legal move keep what the constraints take for granted (with fields) |
| play    | the same on every position in play of the versions; and `moves` lists what `judge` allows |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rulecheck.analyses.everywhere import Everywhere
from rulecheck.analyses.versions import Sized, versions_of
from rulecheck.contract import AnyEngine, AnySpec, Rules, StatedSpec, brought
from rulecheck.explore import Explored, TooLargeError, Who
from rulecheck.hints import COMPARED
from rulecheck.model import InputError, Readings, Result, Status, Witness, agreement, together
from rulecheck.registry import Game
from rulecheck.terms import Constraints

Encodings = tuple[Callable[..., Any], Callable[..., Any]]  # the classes of engine and constraints
Tick = Callable[[float], None]
PLAY = "play"
PLAYED = 20_000  # positions of a version to compare position by position


def family_names(game: Game) -> list[str]:
    if game.spec_name is None:
        return []
    return ["moves", "ends", "sense", PLAY] if game.fields else [PLAY]


def compares(game: Game) -> tuple[str, ...]:
    """What the constraints state, judged by their answers at the start of the printed game."""
    if game.spec_name is None:
        return ()
    params, readings = game.params({}), game.rulebook.defaults()
    engine, spec = game.engine(params, readings), game.spec(params, readings)
    if not isinstance(spec, StatedSpec):
        return COMPARED[:1]
    start = engine.start()
    legal = next((move for at in (*brought(engine, start), start) for move in engine.moves(at)), None)
    stated = (True, legal is not None and spec.result(start, legal) is not None, spec.winners(start) is not None)
    return tuple(what for what, is_stated in zip(COMPARED, stated, strict=True) if is_stated)


def run_family(game: Game, family: str, params: Any, encodings: Encodings, readings: Readings, tick: Tick) -> Result:
    if family == PLAY:
        return in_play(game, params, encodings, readings, tick)
    return on_arrangements(game, family, params, encodings, readings)


# -- Arrangement by arrangement ------------------------------------------------------------------------------------


def on_arrangements(game: Game, family: str, params: Any, encodings: Encodings, readings: Readings) -> Result:
    """Prove the versions within the game's limit of arrangements, smallest first; if all exceed it, the smallest."""
    if game.fields is None:
        raise InputError(f"{game.slug} has no fields, so it cannot be proved on every arrangement")
    todo = versions_of(game, params)
    small = [version for version in todo if game.fields(version.params).size <= game.hints.arrangements] or todo[:1]
    parts = []
    for version in small:
        result = _everywhere(game, family, version, encodings, readings)
        named = result.scope if len(todo) == 1 else f"{version.name}: {result.scope}"
        parts.append(replace(result, scope=named))
        if not result.is_fine:
            break
    return together(parts)


def _everywhere(game: Game, family: str, version: Sized, encodings: Encodings, readings: Readings) -> Result:
    assert game.fields is not None
    engine, spec = (make(version.params, readings) for make in encodings)
    if not isinstance(engine, Rules) or not isinstance(spec, Constraints):
        raise InputError(f"{game.slug} has fields, so its engine is a Rules and its constraints are a Constraints")
    both: Everywhere[Any] = Everywhere(game.fields(version.params), engine, spec)
    if family == "moves":
        return both.prove_moves(engine.candidates())
    if family == "ends":
        return both.prove_ends()
    return both.prove_sense() or Result(Status.PROVED, "the constraints take nothing for granted of an arrangement")


# -- Position by position ------------------------------------------------------------------------------------------


def in_play(game: Game, params: Any, encodings: Encodings, readings: Readings, tick: Tick) -> Result:
    """Compare every version that is small enough, the smallest first, so that a difference is small."""
    compared: list[str] = []
    cases = 0
    todo = versions_of(game, params)
    for done, version in enumerate(todo):
        tick(done / len(todo))
        engine, spec = (make(version.params, readings) for make in encodings)
        try:
            play: Explored[Any, Any] = Explored(engine, partial(game.read_position, version.params), limit=PLAYED)
        except TooLargeError:
            continue
        result = _compare(version, play, engine, spec, readings)
        cases += result.cases
        if result.status is not Status.PROVED:
            return result
        compared.append(f"{version.name} ({len(play):,})")
    if not compared:
        return Result(Status.UNKNOWN, f"play of every version reaches more than {PLAYED:,} positions")
    scope = f"every position in play of {', '.join(compared)}; listing, legality, clause, effect and winner as stated"
    return Result(Status.PROVED, scope, cases=cases)


def _compare(version: Sized, play: Explored[Any, Any], engine: AnyEngine, spec: AnySpec, readings: Readings) -> Result:
    moves = alphabet(play, engine)
    cases = 0
    for number, position in enumerate(play):
        asked = moves if play.who(number) is Who.PLAYER else []
        cases += 1 + len(asked)
        for move, problem in _problems(engine, spec, position, asked):
            witness = Witness(str(position), move, problem, version.params.as_dict(), dict(readings), play.line(number))
            return Result(Status.REFUTED, f"every position in play of {version.name}", witness, cases)
    return Result(Status.PROVED, version.name, cases=cases)


def alphabet(play: Explored[Any, Any], engine: AnyEngine) -> list[Any]:
    """The game's own alphabet, or every move that is legal somewhere in play."""
    if isinstance(engine, Rules):
        return list(engine.candidates())
    deciding = (n for n in range(len(play)) if play.who(n) is Who.PLAYER)
    return list(dict.fromkeys(move for n in deciding for move in engine.moves(play.position(n))))


def _problems(
    engine: AnyEngine, spec: AnySpec, position: Any, asked: Sequence[Any]
) -> Iterator[tuple[str | None, str]]:
    """The disagreements here between the encodings, or between an engine's list and its judgement."""
    winners, end = spec.winners(position) if isinstance(spec, StatedSpec) else None, engine.end(position)
    if winners is not None and set(winners) != set(end.winners if end else ()):
        yield None, f"engine: {end or 'goes on'}; constraints: won by {', '.join(winners) or 'nobody'}"
    listed = engine.moves(position) if asked else {}
    for move in asked:
        verdict, stated = engine.judge(position, move), spec.judge(position, move)
        if not agreement(verdict, stated):
            yield str(move), f"engine: {verdict}; constraints: {stated}"
        if verdict.legal != (move in listed):
            yield str(move), f"{'missing from' if verdict.legal else 'among'} the moves that are listed, but {verdict}"
        if verdict.legal and move in listed:
            yield from _effects(engine, spec, position, move, listed[move])


def _effects(engine: AnyEngine, spec: AnySpec, position: Any, move: Any, listed: Any) -> Iterator[tuple[str, str]]:
    result = engine.play(position, move)
    stated = spec.result(position, move) if isinstance(spec, StatedSpec) else None
    if result != listed:
        yield str(move), f"listed as leading to {listed}, but it leads to {result}"
    if stated is not None and stated != result:
        yield str(move), f"engine: leads to {result}; constraints: to {stated}"
