"""Hextris: what looks at the whole board (the board itself, the pass, the list of turns) or at no point of it.

The maps of the board are what lets one turn stand for all that look like it; `prove_board` shows that both
encodings know no other board than one on which these maps change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from rulecheck.engines.hextris import Engine
from rulecheck.games.hextris import PASS, Move, Params, Position, Triple
from rulecheck.model import Result, Status, Witness
from rulecheck.pyramids import Pyramid
from rulecheck.studies.hextris.acts import Tick, board_maps, exchanges, placements, slides
from solvers.smt import every, no
from specs.hextris import Spec


def prove_board(engine: Engine, stated: Any, tick: Tick) -> Result:
    """HX-03, 04, 13, 27: the engine's lines, neighbours and perimeter are those stated, and all maps keep them."""
    radius, points = engine.params.radius, engine.params.points
    scope = f"lines, neighbours and perimeter of {len(points)} points, and that 12 maps of the board keep them"
    walked = _tables(
        {(p, q): way[:-1] for (p, q), way in engine.ways.items()},
        {(p, q) for p, near in engine.neighbours.items() for q in near},
        set(engine.perimeter),
    )
    pairs = [(p, q) for p in points for q in points]
    told = _tables(
        {(p, q): stated.between(radius, p, q) for p, q in pairs if stated.in_line(radius, p, q)},
        {(p, q) for p, q in pairs if stated.adjacent(radius, p, q)},
        {p for p in points if stated.on_perimeter(radius, p)},
    )
    start = str(engine.start())
    if walked != told:
        odd = sorted(map(str, walked ^ told))[0]
        return Result(Status.REFUTED, scope, Witness(start, None, f"engine and spec differ about {odd}"), 1)
    maps = board_maps(radius)
    for done, there in enumerate(maps):
        if {_mapped(fact, there) for fact in walked} != walked:
            return Result(Status.REFUTED, scope, Witness(start, None, f"the map {there} changes the board"), done + 2)
    tick(1.0)
    return Result(Status.PROVED, scope, cases=1 + len(maps))


def _tables(ways: Any, near: set[tuple[int, int]], rim: set[int]) -> set[tuple[str, Any]]:
    """All facts about the board, each as a word and points."""
    facts: set[tuple[str, Any]] = {("line", (p, q, frozenset(way))) for (p, q), way in ways.items()}
    return facts | {("near", pair) for pair in near} | {("perimeter", (p,)) for p in rim}


def _mapped(fact: tuple[str, Any], there: tuple[int, ...]) -> tuple[str, Any]:
    word, points = fact
    return word, tuple(frozenset(there[p] for p in x) if isinstance(x, frozenset) else there[x] for x in points)


def prove_setup(engine: Engine, spec: Spec, tick: Tick) -> Result:
    """HX-02, 06, 07: the engine's start is the one position that the set-up clauses describe."""
    scope = f"the starting position on {len(engine.params.points)} points for {engine.params.players} players"
    start = engine.start()
    with spec.asker.supposing(spec.setup()):
        allowed = spec.certain(*spec.position_facts(start))
        spec.asker.tell(no(every(spec.position_facts(start))))
        other = spec.certain()
    if not allowed or other:
        return Result(Status.REFUTED, scope, Witness(str(start), None, "the spec's set-up is another"), 2)
    tick(1.0)
    return Result(Status.PROVED, scope, cases=2)


def prove_win(engine: Engine, spec: Spec, tick: Tick) -> Result:
    """HX-32, 33: who has won, for every mover and all numbers of groups formed, and that nobody goes on then."""
    params = engine.params
    numbers = f"all numbers of groups up to {params.groups} of {params.players} players"
    scope = f"the winner and the end for every mover and {numbers}, on an empty board"
    wins = {c: spec.name(spec.wins(c, spec.has_formed, spec.to_move)) for c in params.colours}
    found = list(_ends(params))
    for done, position in enumerate(found):
        solved = spec.certain(*spec.position_facts(position))
        assert solved, "a position contradicts nothing"
        told = next((c for c in params.colours if spec.asker.holds(wins[c])), None)
        goes_on = spec.asker.holds(spec.holds["pass"]["HX-32"])
        says = engine.winner(position), bool(engine.moves(position)), engine.judge(position, PASS).clauses != ("HX-32",)
        if says != (told, goes_on, goes_on):
            note = f"winner, turns to make, pass not after the end: the engine has {says}, the spec {told, goes_on}"
            return Result(Status.REFUTED, scope, Witness(str(position), "pass", note, params.as_dict()), done + 1)
    tick(1.0)
    return Result(Status.PROVED, scope, cases=len(found))


def _ends(params: Params) -> Iterator[Position]:
    """An empty board with every number of groups that has left it."""
    most = [min(params.groups, sum(stash) // params.group) for stash in params.stash]
    for mover in params.colours:
        for groups in product(*(range(m + 1) for m in most)):
            hands = tuple(_less(stash, params.group * n) for stash, n in zip(params.stash, groups, strict=True))
            yield Position(mover, (None,) * len(params.points), hands, groups, params)


def _less(stash: Triple, count: int) -> Triple:
    """What is left when so many pieces are taken, small ones first."""
    small, medium, large = stash
    rest = max(0, count - small)
    return max(0, small - count), max(0, medium - rest), large - max(0, rest - medium)


# -- The pass and the list of turns -------------------------------------------------------------------------


def prove_pass(engine: Engine, spec: Spec, tick: Tick) -> Result:
    """HX-16, 17: who may pass, and that the engine lists what it allows, in every position of a small game."""
    params = engine.params
    found = list(arrangements(params))
    passes = 0
    pieces = params.as_dict()["pieces"]
    size = f"{len(params.points)} points, groups of {params.group}, pieces {pieces}, {params.players} players"
    for done, position in enumerate(found):
        told = spec.may_pass(position)
        passes += told
        problem = _misjudged(engine, position, told) or _mislisted(engine, position)
        if problem:
            scope = f"who may pass, and the list of turns, on {size}"
            return Result(Status.REFUTED, scope, Witness(str(position), "pass", problem, params.as_dict()), done + 1)
        tick((done + 1) / len(found))
    scope = f"who may pass, and the list of turns, in all {len(found):,} positions on {size}, {passes:,} with a pass"
    return Result(Status.PROVED, scope, cases=len(found))


def _misjudged(engine: Engine, position: Position, told: bool) -> str:
    verdict = engine.judge(position, PASS)
    if verdict.legal != told or (not told and verdict.clauses != ("HX-16",)):
        return f"the engine says {verdict}; the spec says {'legal' if told else 'illegal: HX-16'}"
    if told and engine.play(position, PASS) != _passed(position):
        return f"after a pass the engine has {engine.play(position, PASS)}, and only the turn should go on"
    return ""


def _passed(position: Position) -> Position:
    colours = position.params.colours
    after = colours[(colours.index(position.mover) + 1) % len(colours)]
    return Position(after, position.points, position.hands, position.groups, position.params)


def _mislisted(engine: Engine, position: Position) -> str:
    """The engine's list holds one turn for each result of a turn that its judge allows."""
    listed = engine.moves(position)
    legal = [m for m in every_turn(engine.params) if engine.judge(position, m).legal]
    results = {engine.play(position, m) for m in legal}
    if set(listed.values()) != results or len(listed) != len(results) or not set(listed) <= set(legal):
        return f"the engine lists {len(listed)} turns and allows {len(results)}"
    return ""


def every_turn(params: Params) -> Iterator[Move]:
    yield from placements(params)
    yield from slides(params)
    yield from exchanges(params)
    yield PASS


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
