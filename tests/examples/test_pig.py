"""Protects: Pig, where chance acts several times in a turn: certified values, and proofs about what a die brings."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from opened import Opened
from pig import GAME, alike
from pig.engine import Engine
from pig.spec import Spec
from plain_solving import values

from rulecheck.analyses.checks import checks
from rulecheck.bridge import graph_of
from rulecheck.contract import Chance
from rulecheck.explore import Explored
from rulecheck.fields import State
from rulecheck.model import Status, Verdict
from rulecheck.terms import Terms
from solvers.certificate import ONE, check_bounds
from solvers.smt import every
from solvers.stochastic import solve

READINGS = [{"reach": reach, "first": first} for reach, first in product(("rolled", "held"), ("roll", "either"))]


def certified(play: Explored[Any, Any], width: float = 1e-6) -> tuple[float, float]:
    """Bounds on how often the player to begin can force a win, accepted by the checker."""
    graph = graph_of(play)
    bounds = solve(graph.arena, width).bounds
    assert check_bounds(graph.arena, bounds) == []
    start = int(np.searchsorted(graph.arena.anchors, graph.node[0]))
    low, high = int(bounds.low_f[start]) / ONE, int(bounds.high_f[start]) / ONE
    assert high - low <= width
    return low, high


def best_play(target: int) -> float:
    """Value iteration on the equations of Neller and Presser, which know neither moves nor positions: `win[i][j][k]` is
    the chance of a player with i points and a turn total of k against j points."""
    win = np.full((target, target, target), 0.5)

    def at(i: int, j: int, k: int) -> float:
        return 1.0 if i + k >= target else float(win[i, j, k])

    change = 1.0
    while change > 1e-12:
        change = 0.0
        for i, j, k in product(range(target), repeat=3):
            if i + k < target:
                roll = (1 - at(j, i, 0) + sum(at(i, j, k + pips) for pips in range(2, 7))) / 6
                best = max(roll, 1 - at(j, i + k, 0)) if k else roll
                change = max(change, abs(best - win[i, j, k]))
                win[i, j, k] = best
    return float(win[0, 0, 0])


def count(target: int) -> int:
    """How many positions there are, seen by the player whose turn it is: no score or turn total is ever 1, and each
    position with a choice has one with the die thrown beside it."""
    points = [0, *range(2, target)]
    turns = [(score, turn) for score, turn in product(points, repeat=2) if score + turn < target]
    ends = {(score, min(turn + n, target)) for score, turn in turns for n in range(2, 7) if score + turn + n >= target}
    return len(points) * (2 * len(turns) + len(ends))


@pytest.mark.parametrize("readings", READINGS, ids=str)
def test_readings_are_worth_the_same_as_the_equations_say(readings: dict[str, str]) -> None:
    low, high = certified(Opened(GAME, target="6").play(**readings))
    assert low <= best_play(6) <= high


def test_players_may_be_swapped() -> None:
    """Calling the player whose turn it is A halves the positions and changes no value."""
    pig = Opened(GAME, target="10")
    whole, half = pig.play(), pig.play(alike=alike)
    assert (len(whole), len(half)) == (2 * count(10), count(10))
    expected = best_play(10)
    for low, high in (certified(whole), certified(half)):
        assert low <= expected <= high


def test_a_plain_solver_agrees() -> None:
    pig = Opened(GAME, target="4")
    engine = pig.engine()
    low, high = certified(pig.play())
    assert low - 1e-9 <= values(engine, "A")[engine.start()] <= high


@pytest.mark.slow
def test_the_published_value() -> None:
    """Neller and Presser, Optimal play of the dice game Pig (2004): the first player wins 53.06 per cent."""
    play = Opened(GAME).play(alike=alike, limit=1_100_000)
    assert len(play) == count(100) == 1_018_413
    low, high = certified(play)
    assert 0.53055 <= low <= high < 0.53065


def test_counts() -> None:
    """By hand: a turn begins with a roll; after a 1 the other rolls, after each other number there is a choice."""
    pig = Opened(GAME)
    right, said = checks(GAME)["perft"](lambda params: pig.engine(), {"counts": [1, 11, 71]})
    assert right, said
    assert len(pig.engine().chances(pig.fields.read("A die:thrown"))) == 6


@pytest.mark.parametrize("readings", READINGS, ids=str)
def test_encodings_agree_on_every_arrangement(readings: dict[str, str]) -> None:
    pig = Opened(GAME, target="10")
    moves, ends, sense = pig.prove(pig.engine(**readings), pig.spec(**readings))
    assert {moves.status, ends.status, sense.status} == {Status.PROVED}
    assert min(moves.cases, ends.cases, sense.cases) > 0
    assert "all 5,324 arrangements that the constraints call sensible; winner, turn, chance" in ends.scope


@pytest.mark.parametrize(
    ("readings", "position", "move"),
    [({"reach": "held"}, "A turn:10", "roll"), ({"first": "either"}, "A", "hold")],
    ids=str,
)
def test_readings_part(readings: dict[str, str], position: str, move: str) -> None:
    pig = Opened(GAME, target="10")
    assert pig.apart({}, readings) == (position, move)
    statuses = [result.status for result in pig.prove(pig.engine(**readings), pig.spec())]
    assert Status.REFUTED in statuses


class Loaded(Engine):
    """A 6 is twice as likely as it should be."""

    def chances(self, position: State) -> list[Chance[State]]:
        return [Chance(c.label, 1 + (c.label == "6"), c.result) for c in super().chances(position)]


class Kind(Engine):
    """A 1 ends the turn, but the turn total is not lost."""

    def chances(self, position: State) -> list[Chance[State]]:
        first, *others = super().chances(position) or [None]
        return [Chance("1", 1, first.result.replace({"turn": position["turn"]})), *others] if first else []


class Five(Engine):
    """A die without a 6."""

    def chances(self, position: State) -> list[Chance[State]]:
        return super().chances(position)[:-1]


@pytest.mark.parametrize(
    ("engine", "position", "note"),
    [
        (Loaded, "A die:thrown", "engine: chance brings 6 (weight 2: A turn:6); constraints: 6 (weight 1: A turn:6)"),
        (Kind, "A turn:1 die:thrown", "engine: chance brings 1 (weight 1: B turn:1); constraints: 1 (weight 1: B)"),
        (Five, "A die:thrown", "engine: chance brings nothing more; constraints: 6 (weight 1: A turn:6)"),
    ],
)
def test_changed_dice_are_refuted(engine: type[Engine], position: str, note: str) -> None:
    pig = Opened(GAME, target="10")
    moves, ends, _ = pig.prove(engine(pig.params, GAME.rulebook.defaults()), pig.spec())
    assert (moves.status, ends.status) == (Status.PROVED, Status.REFUTED)
    assert ends.witness is not None
    assert (ends.witness.position, ends.witness.note) == (position, note)


class Hasty(Engine):
    """The die may be picked up while it rolls."""

    def judge(self, position: State, move: str) -> Verdict:
        return super().judge(position.replace({"die": "still"}), move)


class Permissive(Spec):
    def clauses(self, x: Terms, move: str) -> dict[str, Any]:
        return {clause: kept for clause, kept in super().clauses(x, move).items() if clause != "PG-03"}


def test_a_move_while_the_die_rolls_is_refuted_even_if_both_allow_it() -> None:
    pig = Opened(GAME, target="10")
    defaults = GAME.rulebook.defaults()
    moves, *_ = pig.prove(Hasty(pig.params, defaults), Permissive(pig.params, defaults))
    assert moves.witness is not None
    assert moves.witness.note == "engine: roll is legal, but no player is to act"


class Crowded(Spec):
    """Takes for granted that no turn brings much."""

    def sense(self, x: Terms) -> Any:
        return every([super().sense(x), x["turn"] <= 7])


def test_what_dice_bring_must_make_sense() -> None:
    pig = Opened(GAME, target="10")
    _, _, sense = pig.prove(pig.engine(), Crowded(pig.params, GAME.rulebook.defaults()))
    assert sense.witness is not None
    assert (sense.status, sense.witness.position, sense.witness.move) == (Status.REFUTED, "A turn:6 die:thrown", "2")


def test_positions_round_trip() -> None:
    pig = Opened(GAME, target="6")
    for position in pig.play():
        assert pig.fields.read(str(position)) == position == pig.fields.unpack(pig.fields.pack(position))
