"""Protects: a small Gobblet, where pieces cover each other and may be moved for ever: proofs about stacks, draws by
endless play, and readings about what is uncovered."""

from __future__ import annotations

from itertools import product

import pytest
from gobblet import GAME
from opened import Opened
from plain_solving import outcomes

from rulecheck.analyses.checks import checks
from rulecheck.analyses.dead_ends import endless
from rulecheck.analyses.solved_play import solve_play
from rulecheck.model import Status
from solvers.graph import Outcome

READINGS = [{"lift": lift, "both": both} for lift, both in product(("free", "stays"), ("maker", "other"))]
SMALL = Opened(GAME, side="2")
PRINTED = Opened(GAME)


@pytest.mark.parametrize("readings", READINGS, ids=str)
def test_encodings_agree_on_every_arrangement(readings: dict[str, str]) -> None:
    moves, ends, sense = SMALL.prove(SMALL.engine(**readings), SMALL.spec(**readings))
    assert {moves.status, ends.status, sense.status} == {Status.PROVED}
    assert min(moves.cases, ends.cases, sense.cases) > 0
    assert moves.scope.startswith("20 moves on all 209,952 arrangements that the constraints call sensible")


@pytest.mark.parametrize(
    ("readings", "position"),
    [({"lift": "stays"}, "A a1:B1A2 b1:A1B2"), ({"both": "other"}, "A a1:A1 b1:B1 a2:A2 b2:B2")],
    ids=str,
)
def test_other_readings_are_refuted(readings: dict[str, str], position: str) -> None:
    shown = [r.witness.position for r in SMALL.prove(SMALL.engine(**readings), SMALL.spec()) if r.witness]
    assert shown == [position]


@pytest.mark.parametrize("readings", READINGS, ids=str)
def test_every_small_game_is_solved_as_a_plain_solver_does(readings: dict[str, str]) -> None:
    engine = SMALL.engine(**readings)
    for alike in (None, SMALL.fields.alike):
        solved = solve_play(GAME, SMALL.params, engine, alike=alike)
        assert solved.worth(engine.start()).distance == 3  # two pieces in a line, before anything can be done
        for position, (outcome, moves) in outcomes(engine, "A").items():
            if engine.end(position) is None:
                worth = solved.worth(position)
                seen = worth if worth.player == "A" else worth.swapped("A")
                assert (seen.outcome, -1 if seen.distance is None else seen.distance) == (outcome, moves), position


@pytest.mark.parametrize(("opened", "counts"), [(SMALL, [8, 52]), (PRINTED, [18, 297])])
def test_counts(opened: Opened, counts: list[int]) -> None:
    """By hand: two sizes on each square; then the reply may cover a small piece with a large one, and nothing else."""
    right, said = checks(GAME)["perft"](lambda params: opened.engine(), {"counts": counts})
    assert right, said


def test_play_need_not_end() -> None:
    number, note = endless(SMALL.play()) or (None, "")
    assert number is not None
    assert note.startswith("play can come back here: ")


def test_a_piece_that_hides_a_line_and_a_move_that_shows_two() -> None:
    """B's large piece on b1 hides a line of A, and completes one on c2."""
    position = PRINTED.fields.read("B a1:A1 b1:A1B2 c1:A2 a2:B1 b2:B1")
    assert PRINTED.engine().judge(position, "b1-c2").legal
    assert PRINTED.engine(lift="stays").judge(position, "b1-c2").clauses == ("GB-05",)
    for both, winner in (("maker", "B"), ("other", "A")):
        engine = PRINTED.engine(both=both)
        assert engine.end(engine.play(position, "b1-c2")).winners == (winner,)


@pytest.mark.slow
def test_the_printed_game_is_a_draw() -> None:
    """Neither side can force a line, and no tie can be reached: play goes on for ever."""
    solved = solve_play(GAME, PRINTED.params, PRINTED.engine(), alike=PRINTED.fields.alike)
    assert len(solved.graph.play) == 32_745
    assert solved.worth(PRINTED.engine().start()).outcome is Outcome.DRAW


def test_positions_round_trip() -> None:
    for position in SMALL.play():
        assert SMALL.fields.read(str(position)) == position == SMALL.fields.unpack(SMALL.fields.pack(position))
