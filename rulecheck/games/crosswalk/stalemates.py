"""Crosswalk: who cannot move, who cannot even relocate, and what happens then."""

from __future__ import annotations

from collections.abc import Callable

from rulecheck.analyses.stalemates import Stalemate, smallest_in_play
from rulecheck.contract import brought
from rulecheck.explore import Explored
from rulecheck.games.crosswalk import Params, Position
from rulecheck.games.crosswalk.engine import Engine, Walk
from rulecheck.games.crosswalk.shapes import below, bound, shapes
from rulecheck.model import Readings, Result, Status, Witness
from solvers.smt import Answer
from specs.crosswalk.spec import Spec

MOST_PIECES, MOST_SQUARES = 4, 4
COUNTED = (Params(3, (1,), ((1,),)), Params(3, (1, 2), ((),)))
Shows = Callable[[Engine, Position], str | None]


def stalemates(params: Params, readings: Readings) -> list[Stalemate]:
    rows = [
        ("no-turn", "every roll can be played in steps", ("CW-12", "CW-19"), _no_turn),
        ("no-turn-any-roll", "some roll can be played in steps", ("CW-12", "CW-19"), _no_roll_helps),
        ("nothing-to-relocate", "who cannot play can relocate", ("CW-19", "CW-20"), _nothing_at_all),
    ]
    all_rows = [Stalemate(name, text, clauses, _smallest(readings, shows)) for name, text, clauses, shows in rows]
    all_rows.append(_frozen_board(params, readings))
    return all_rows + [_count(shape, readings) for shape in COUNTED]


def _smallest(readings: Readings, shows: Shows) -> Result:
    engines = (Engine(shape, readings) for shape in shapes(MOST_PIECES, MOST_SQUARES))
    return smallest_in_play(engines, shows, lambda shape: below(shape, MOST_SQUARES), bound(MOST_PIECES, MOST_SQUARES))


def _no_turn(engine: Engine, position: Position) -> str | None:
    if engine.valid_turns(position):
        return None
    return f"no valid turn with a {position.roll}; {len(engine.exceptions(position))} results by the exception"


def _no_roll_helps(engine: Engine, position: Position) -> str | None:
    if any(engine.valid_turns(position.rolled(r)) for r in range(1, engine.params.die + 1)):
        return None
    return f"no valid turn with any roll of {engine.params.die}"


def _nothing_at_all(engine: Engine, position: Position) -> str | None:
    if engine.valid_turns(position) or any(True for _ in engine.relocations(position)):
        return None
    return f"no valid turn with a {position.roll}, and no foreign pyramid is uncovered: the turn is lost"


def _frozen_board(params: Params, readings: Readings) -> Stalemate:
    """z3 on the game asked for: an arrangement in which not one step is possible, with any number of points."""
    spec = Spec(params, readings.replace(spend="until_stuck"), walk_length=0)
    pieces = params.material.total()
    scope = f"every arrangement of {pieces} pyramids on {params.squares} squares"
    name, text = "frozen-board", "someone can always make a step, if the points suffice"
    facts = [spec.playing, spec.stuck, spec.left[0][params.die], *spec.fresh_turn]
    answer = spec.asker.ask(*facts)
    if answer is not Answer.YES:
        status = Status.PROVED if answer is Answer.NO else Status.UNKNOWN
        return Stalemate(name, text, ("CW-12", "CW-19"), Result(status, scope, cases=1))
    position = spec.least_position(*facts).rolled(params.die)
    engine = Engine(params, readings)
    if any(True for _ in engine.steps(Walk(position), params.die)):
        raise AssertionError(f"the engine finds a step in {position}")
    note = "the first of them, from z3 and confirmed by the engine; whether play can reach it is not shown"
    witness = Witness(str(position), None, note, params.as_dict(), dict(readings))
    return Stalemate(name, text, ("CW-12", "CW-19"), Result(Status.REFUTED, scope, witness, 1))


def _count(shape: Params, readings: Readings) -> Stalemate:
    """The number of cases among all positions in play of a small game, with every roll."""
    engine = Engine(shape, readings)
    positions = stuck = lost = 0
    example = None
    for position in Explored(engine, lazily=True).turns():
        for decision in brought(engine, position):
            positions += 1
            if not engine.valid_turns(decision):
                stuck += 1
                example = example or decision
                lost += _nothing_at_all(engine, decision) is not None
    sizes = ",".join(map(str, shape.sizes))
    walkers = shape.material.total() - 2 * len(shape.sizes)
    game = f"{shape.squares} squares, sizes {sizes}, pedestrians: {walkers}"
    scope = f"all {positions:,} positions in play with their rolls: {game}"
    note = f"{stuck:,} of {positions:,} have no valid turn, {lost:,} of them not even a relocation"
    name, text = f"count-{shape.squares}-{sizes}-{walkers}", "a valid turn always exists"
    if example is None:
        return Stalemate(name, text, ("CW-19",), Result(Status.PROVED, scope, cases=positions, note=note))
    witness = Witness(str(example), None, note, shape.as_dict(), dict(readings))
    return Stalemate(name, text, ("CW-19",), Result(Status.REFUTED, scope, witness, positions))
