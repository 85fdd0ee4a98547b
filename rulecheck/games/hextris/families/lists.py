"""Hextris: the engine lists what it allows, and the constraints allow the same turns with the same results.

Both encodings judge every turn that can be written down. The turns, their results and winners, the pass, and the
positions in play all come from the constraints.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

from rulecheck.games.hextris import Params, Pass, Position, Triple, read_params
from rulecheck.games.hextris.engine import Engine
from rulecheck.games.hextris.families.acts import Tick, board_maps, described
from rulecheck.games.hextris.real import real
from rulecheck.games.hextris.shapes import LONG_SLIDE, WIN_AND_OVERFLOW, least_image
from rulecheck.games.hextris.stated import Allowed, StatedTurns
from rulecheck.model import Result, Status, Witness
from rulecheck.pyramids import Pyramid
from solvers.smt import Answer, every, no, some
from specs.hextris.spec import Spec

# Games that are gone through from the start: with exchanges of own pieces, with groups that leave and others to come,
# with a board that fills, with exchanges of two opponents, with slides past other pieces.
IN_PLAY = (
    read_params({"radius": "1", "group": "3", "groups": "1", "pieces": "1,1,1/1,0,1"}),
    read_params({"radius": "1", "group": "2", "groups": "2", "pieces": "1,2,1/1,0,1"}),
    read_params({"radius": "1", "group": "3", "groups": "1", "pieces": "0,0,4/0,0,3"}),
    read_params({"players": "3", "radius": "1", "group": "2", "groups": "1", "pieces": "0,1,1/1,0,0/0,1,0"}),
    LONG_SLIDE,
)
Encodings = tuple[Any, Any]
Results = dict[str, tuple[Position, str | None]]  # by turn: what it leads to, and who has won by it
Layer = list[tuple[Position, Allowed]]


class Problem(NamedTuple):
    position: Position
    move: str | None
    note: str


def prove_lists(encodings: Encodings, readings: Any, tick: Tick) -> Result:
    """HX-09, 10, 16, 17: in every position in play of some small games, and wherever win_overflow decides."""
    make_engine, make_spec = encodings
    done: list[int] = []
    for params in (*IN_PLAY, WIN_AND_OVERFLOW):
        engine, turns = make_engine(params, readings), StatedTurns(make_spec(params, readings))
        layers = in_play(turns) if params in IN_PLAY else won_and_overflown(turns)
        done.append(0)
        for layer in layers:
            if layer is None:
                return Result(Status.UNKNOWN, f"the turns listed on {_board(params)}", cases=sum(done))
            if problem := next(filter(None, (problem_with(engine, turns, *row) for row in layer)), None):
                return _refuted(engine, problem, sum(done) + len(layer))
            done[-1] += len(layer)
        tick(len(done) / (len(IN_PLAY) + 1))
    games = "; ".join(f"{n:,} of {_board(params)}" for n, params in zip(done, IN_PLAY, strict=False))
    scope = (
        "the turns listed are those allowed, by both encodings and with the same results, in all positions in play up "
        f"to the maps of the board: {games}; and in all {done[-1]:,} of {_board(WIN_AND_OVERFLOW)} in which a turn "
        "makes a last group and one too large"
    )
    return Result(Status.PROVED, scope, cases=sum(done))


def prove_pass(engine: Engine, spec: Spec, tick: Tick) -> Result:
    """HX-16, 17: the same, and who may pass, in every position of a small game that nothing has left."""
    positions = list(arrangements(engine.params))
    turns, passes = StatedTurns(spec), 0
    where = f"on {_board(engine.params)}"
    for position, stated in zip(positions, turns(positions), strict=True):
        passes += any("pass" in names for _, names in stated.values())
        if problem := problem_with(engine, turns, position, stated):
            return _refuted(engine, problem, len(positions))
    tick(1.0)
    scope = (
        f"who may pass, and the list of turns, in all {len(positions):,} positions up to the maps of the board {where}"
    )
    scope += f", {passes:,} with a pass"
    return Result(Status.PROVED, scope, cases=len(positions))


def _board(params: Params) -> str:
    pieces = params.as_dict()["pieces"]
    return f"{len(params.points)} points, groups of {params.group}, pieces {pieces}, {params.players} players"


def _refuted(engine: Engine, problem: Problem, cases: int) -> Result:
    params = engine.params
    witness = Witness(str(problem.position), problem.move, problem.note, params.as_dict(), dict(engine.readings))
    return Result(Status.REFUTED, f"the turns listed on {_board(params)}", witness, cases)


# -- One position -------------------------------------------------------------------------------------------


def problem_with(engine: Engine, turns: StatedTurns, position: Position, stated: Allowed) -> Problem | None:
    """The first turn about which the two differ, judged or listed."""
    allowed = {name: (result, winner) for result, (winner, names) in stated.items() for name in names}
    return _misjudged(engine, turns, position, allowed) or _mislisted(engine, position, allowed)


def _misjudged(engine: Engine, turns: StatedTurns, position: Position, allowed: Results) -> Problem | None:
    """Only the clause against a pass is compared: of other turns `small` and its like compare them."""
    clause = "HX-16" if allowed else "HX-32"
    for move, name in zip(turns.turns, turns.names, strict=True):
        verdict = engine.judge(position, move)
        if verdict.legal != (name in allowed):
            return Problem(position, name, f"the engine says {verdict}; the spec says {'il' * verdict.legal}legal")
        if verdict.legal:
            result = engine.play(position, move)
            if (outcome := (result, engine.winner(result))) != allowed[name]:
                note = f"the engine has {described(*outcome)}, the spec {described(*allowed[name])}"
                return Problem(position, name, note)
        elif isinstance(move, Pass) and verdict.clauses != (clause,):
            return Problem(position, name, f"the engine says {verdict}; the spec says illegal: {clause}")
    return None


def _mislisted(engine: Engine, position: Position, allowed: Results) -> Problem | None:
    listed = {str(move): result for move, result in engine.moves(position).items()}
    for name, result in listed.items():
        if name not in allowed:
            return Problem(position, name, "the engine lists this turn; the spec does not allow it")
        if result != allowed[name][0]:
            return Problem(position, name, f"the engine lists {result} after it, the spec has {allowed[name][0]}")
    results = set(listed.values())
    if len(results) < len(listed):
        return Problem(position, None, f"of {len(listed)} turns that the engine lists some lead to the same position")
    missing = min((name for name, (result, _) in allowed.items() if result not in results), default=None)
    if missing:
        return Problem(position, missing, "the spec allows this turn, and the engine lists none with its result")
    return None


# -- Which positions ----------------------------------------------------------------------------------------


def in_play(turns: StatedTurns) -> Iterator[Layer]:
    """By the constraints: the start, then what its turns lead to, and so on; one of each that are alike."""
    spec = turns.spec
    solved = spec.certain(spec.setup())
    assert solved, "the set-up contradicts nothing"
    following = [spec.read_position()]
    seen = {least_image(following[0])}
    while following:
        layer = list(zip(following, turns(following), strict=True))
        yield layer
        reached: dict[Any, Position] = {}
        for result in (result for _, stated in layer for result in stated):
            reached.setdefault(least_image(result), result)
        following = [result for image, result in reached.items() if image not in seen]
        seen |= reached.keys()


def won_and_overflown(turns: StatedTurns) -> Iterator[Layer | None]:
    """All positions, one of each that are alike, with a turn that only HX-31 can forbid and that ends the game."""
    spec, alike = turns.spec, dict[str, Position]()
    tried = [
        every([spec.turn.kind[k], *(f for c, f in kept.items() if c != "HX-31")]) for k, kept in spec.holds.items()
    ]
    with spec.asker.supposing(*real(spec), some(tried), some(spec.too_large.values()), spec.ends):
        while (answer := spec.asker.ask()) is Answer.YES:
            by_text = {str(image): image for image in images(spec.read_position())}
            alike[min(by_text)] = by_text[min(by_text)]
            spec.asker.add(*(no(every(spec.position_facts(image))) for image in by_text.values()))
    positions = [alike[text] for text in sorted(alike)]
    yield None if answer is Answer.UNKNOWN else list(zip(positions, turns(positions), strict=True))


def images(position: Position) -> Iterator[Position]:
    for there in board_maps(position.params.radius):
        yield replace(position, points=tuple(position.points[q] for q in there))


def arrangements(params: Params) -> Iterator[Position]:
    """Every position in which nothing has left the board yet, one of each class that the maps of the board make."""
    kinds = [None, *(Pyramid(c, s + 1) for c in params.colours for s in range(3) if params.pieces(c)[s])]
    maps = board_maps(params.radius)
    for numbers in product(range(len(kinds)), repeat=len(params.points)):
        if any(tuple(numbers[p] for p in there) < numbers for there in maps):
            continue
        points = tuple(kinds[n] for n in numbers)
        hands = tuple(_in_hand(params, c, points) for c in params.colours)
        if min(map(min, hands)) >= 0:
            for mover in params.colours:
                yield Position(mover, points, hands, (0,) * params.players, params)


def _in_hand(params: Params, colour: str, points: tuple[Pyramid | None, ...]) -> Triple:
    small, medium, large = (n - points.count(Pyramid(colour, s + 1)) for s, n in enumerate(params.pieces(colour)))
    return small, medium, large
