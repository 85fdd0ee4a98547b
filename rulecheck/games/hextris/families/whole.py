"""Hextris: proofs about the whole board, or about no point of it: the board itself, the start and the end.

The maps of the board let one turn stand for all its images; `prove_board` shows that both encodings use a board that
these maps leave unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from rulecheck.games.hextris import PASS, Params, Position, Triple
from rulecheck.games.hextris.engine import Engine
from rulecheck.games.hextris.families.acts import Tick, board_maps
from rulecheck.model import Result, Status, Witness
from solvers.smt import every, no
from specs.hextris.spec import Spec


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
    stated_facts = _tables(
        {(p, q): stated.between(radius, p, q) for p, q in pairs if stated.in_line(radius, p, q)},
        {(p, q) for p, q in pairs if stated.adjacent(radius, p, q)},
        {p for p in points if stated.on_perimeter(radius, p)},
    )
    start = str(engine.start())
    if walked != stated_facts:
        odd = sorted(map(str, walked ^ stated_facts))[0]
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
        spec.asker.add(no(every(spec.position_facts(start))))
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
    positions = list(_ends(params))
    for done, position in enumerate(positions):
        solved = spec.certain(*spec.position_facts(position))
        assert solved, "a position contradicts nothing"
        winner = next((c for c in params.colours if spec.asker.holds(wins[c])), None)
        goes_on = spec.asker.holds(spec.holds["pass"]["HX-32"])
        says = engine.winner(position), bool(engine.moves(position)), engine.judge(position, PASS).clauses != ("HX-32",)
        if says != (winner, goes_on, goes_on):
            note = f"winner, turns to make, pass not after the end: the engine has {says}, the spec {winner, goes_on}"
            return Result(Status.REFUTED, scope, Witness(str(position), "pass", note, params.as_dict()), done + 1)
    tick(1.0)
    return Result(Status.PROVED, scope, cases=len(positions))


def _ends(params: Params) -> Iterator[Position]:
    """An empty board with every number of groups that has left it."""
    most = [min(params.groups, sum(stash) // params.group) for stash in params.stash]
    for mover in params.colours:
        for groups in product(*(range(m + 1) for m in most)):
            hands = tuple(_less(stash, params.group * n) for stash, n in zip(params.stash, groups, strict=True))
            yield Position(mover, (None,) * len(params.points), hands, groups, params)


def _less(stash: Triple, count: int) -> Triple:
    """What is left of a stash after taking `count` pieces, small ones first."""
    small, medium, large = stash
    rest = max(0, count - small)
    return max(0, small - count), max(0, medium - rest), large - max(0, rest - medium)
