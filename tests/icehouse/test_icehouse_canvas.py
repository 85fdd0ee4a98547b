"""Protects: clicks on Icehouse's board mean the placement that was pointed at, exactly and whatever is clicked on."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rulecheck.games.icehouse import GAME
from rulecheck.games.icehouse.canvas import CANVAS
from rulecheck.games.icehouse.drawing import canvas_frame
from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.pieces import Capture, Place
from rulecheck.model import InputError

PARAMS = GAME.params({})
HERE = GAME.read_position(PARAMS, "all A1@9,0 A3@60,20 B2@20,60>1,0")
WHOLE = st.integers(-9_999, 9_999)


@given(st.sampled_from(["A2", "A2>", "B3", "B3>"]), st.tuples(WHOLE, WHOLE), st.tuples(WHOLE, WHOLE))
def test_a_piece_lies_where_and_as_it_was_clicked(held: str, first: tuple[int, int], second: tuple[int, int]) -> None:
    assume(first != second)
    move = CANVAS.move(PARAMS, held, [f"{x},{y}" for x, y in (first, second)])
    assert isinstance(move, Place)
    assert GAME.read_move(PARAMS, str(move)) == move
    assert move.piece.point == tuple(map(Fraction, first))
    dx, dy = move.piece.direction
    assert dx * dx + dy * dy == 1
    wanted = math.atan2(second[1] - first[1], second[0] - first[0])
    off = (math.atan2(dy, dx) - wanted + math.pi) % math.tau - math.pi
    if not move.piece.lying:  # the same from each side
        off = (off + math.pi / 4) % (math.pi / 2) - math.pi / 4
    assert abs(math.degrees(off)) < 0.25


@given(WHOLE, WHOLE)
def test_a_point_of_the_picture_is_the_spot_that_is_drawn_there(x: int, y: int) -> None:
    drawn = canvas_frame(PARAMS, HERE, None).at((float(x), float(y)))
    assert CANVAS.spot(PARAMS, HERE, None, *drawn) == f"{x},{y}"


def test_clicks_become_a_move_one_after_the_other() -> None:
    assert CANVAS.move(PARAMS, "A2", []) is CANVAS.move(PARAMS, "A2>", ["1,2"]) is None
    assert str(CANVAS.move(PARAMS, "A2", ["1,2"])) == "A2@1,2"
    assert CANVAS.clicked("A2>", ["1,2", "3,4"], "5,6") == ("1,2", "5,6")
    turned = next(nudge for nudge in CANVAS.nudges("A2>", ["0,0", "50,0"]) if "↺" in nudge.words)
    move = CANVAS.move(PARAMS, "A2>", turned.spots)
    assert isinstance(move, Place)
    assert math.degrees(math.atan2(move.piece.direction[1], move.piece.direction[0])) == pytest.approx(5, abs=0.3)
    for wrong in (["x"], ["1,2,3"], ["1"], ["9999999,0"]):
        with pytest.raises(InputError):
            CANVAS.move(PARAMS, "A2", wrong)


def test_what_can_be_captured_is_clicked_on() -> None:
    engine = Engine(PARAMS, GAME.rulebook.defaults())
    text = "all A1@9,0 C1@100,100 B2@23,0>-1,0 B3@9,14>0,-1 B3@-5,0>1,0"
    here = GAME.read_position(PARAMS, text)
    captures = engine.captures(here)
    assert captures
    for capture in captures:
        assert isinstance(capture, Capture)
        (place,) = CANVAS.named(capture)
        assert place in CANVAS.places(PARAMS, here, capture)
        assert f"{capture.player} may capture it" in CANVAS.about(PARAMS, here, place)
