"""Protects: one text for one position; a bad line is refused with the column where it went wrong."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulecheck import notation, registry
from rulecheck.games.crosswalk import Params, Position, Step, Turn
from rulecheck.notation import LONGEST_LINE, NotationError
from rulecheck.pyramids import Pyramid, Stack

GAME = registry.find("crosswalk")
START = "A 1:B3B2B1 2:P3P2P1 3:P3P2P1 4:P3P2P1 5:A3A2A1"


@st.composite
def params(draw: st.DrawFn) -> Params:
    squares = draw(st.integers(2, 9))
    sizes = draw(st.sets(st.sampled_from("123"), min_size=1).map(sorted))
    chosen = {"squares": str(squares), "sizes": "".join(sizes), "die": str(draw(st.integers(1, 9)))}
    if draw(st.booleans()) and squares > 2:
        stack = st.text("123", min_size=0, max_size=3).map(lambda s: s or "-")
        chosen["pedestrians"] = ",".join(draw(st.lists(stack, min_size=squares - 2, max_size=squares - 2)))
    made: Params = GAME.params(chosen)
    return made


@st.composite
def positions(draw: st.DrawFn) -> tuple[Params, Position]:
    """Any arrangement of the material that keeps the finishes to their owners."""
    chosen = draw(params())
    rng = random.Random(draw(st.integers(0, 2**32)))
    stacks: list[Stack] = [()] * (chosen.squares + 2)
    pieces = list(chosen.material.elements())
    for pyramid in rng.sample(pieces, len(pieces)):
        own = [chosen.finish(pyramid.colour)] if pyramid.colour in "AB" else []
        place = rng.choice([*chosen.board, *own])
        stacks[place] = (*stacks[place], pyramid)
    roll = draw(st.none() | st.integers(1, chosen.die))
    return chosen, Position(draw(st.sampled_from("AB")), tuple(stacks), roll)


@given(positions())
def test_text_gives_the_position_back(case: tuple[Params, Position]) -> None:
    chosen, position = case
    assert GAME.read_position(chosen, str(position)) == position


@given(positions())
def test_two_positions_never_share_a_text(case: tuple[Params, Position]) -> None:
    _, position = case
    turned = position.mirrored()
    assert (str(turned) == str(position)) == (turned == position)
    assert turned.mirrored() == position


@given(params())
def test_parameters_round_trip(chosen: Params) -> None:
    assert GAME.params(chosen.as_dict()) == chosen


steps = st.builds(Step, st.integers(0, 6), st.integers(0, 6), st.booleans())


@given(st.lists(steps, max_size=8).map(lambda found: Turn(tuple(found))))
def test_text_gives_the_turn_back(turn: Turn) -> None:
    assert GAME.read_move(Params(), str(turn)) == turn


def _refused_inside(read: Any, text: str) -> None:
    """It is read, and then prints as it was written; or the error names a column of the line."""
    try:
        found = read(Params(), text)
    except NotationError as error:
        column, sentence = error.column, str(error)
    else:
        assert str(found) == text
        return
    assert 1 <= column <= len(text) + 1
    assert sentence.startswith(f"column {column}: ")
    assert "\n" not in sentence


@given(st.text(max_size=60) | st.text("AB P0123456:=-> roll", max_size=60))
def test_random_lines(text: str) -> None:
    _refused_inside(GAME.read_position, text)
    _refused_inside(GAME.read_move, text)


@given(st.integers(0, len(START)), st.integers(0, 6), st.text("ABP0123456:= \troll=é\0", max_size=3))
@settings(max_examples=400)
def test_mutated_lines(at: int, cut: int, put: str) -> None:
    _refused_inside(GAME.read_position, START[:at] + put + START[at + cut :])


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "found an empty line"),
        ("C 1:B3", 1, "expected the player to move (A or B), found 'C'"),
        ("A  1:B3", 3, "found a second or stray space"),
        ("A 1:B3 ", 8, "found a second or stray space"),
        ("A 9:B3", 3, "unknown place '9'; expected one of: 0, 1, 2, 3, 4, 5, 6"),
        ("A 1:B3 1:B2", 8, "place 1 stands twice"),
        ("A 2:B3 1:B2", 8, "place 1 is out of order; the order is 0, 1, 2, 3, 4, 5, 6"),
        ("A 1:", 5, "expected a stack; an empty place is left out"),
        ("A 1:B4", 5, "expected a pyramid, a colour (A, B, P) and 1, 2 or 3 pips, found 'B4'"),
        ("A 1:B3b2", 7, "found 'b2'"),
        ("A 1:B3B3", 7, "B3 stands 2 times, this game has 1"),
        ("A 0:B3", 5, "B3 cannot stand at place 0, the finish of A"),
        ("A 1:B3", 7, "the position lacks A1, A2, A3, B1, B2, P1, P1, P1, P2, P2, P2, P3, P3, P3"),
        (f"{START} role=2", 48, "unknown key 'role'; expected one of: roll"),
        (f"{START} roll=7", 53, "expected a roll from 1 to 6, found '7'"),
        (f"{START} roll=02", 53, "expected a roll from 1 to 6, found '02'"),
        (f"{START} roll=1 roll=1", 55, "key roll stands twice"),
        (f"{START} roll=1 6:A1", 55, "place:stack tokens stand before roll"),
        (f"{START} x", 48, "expected place:stack or key=value, found 'x'"),
        ("A " + "1" * LONGEST_LINE, LONGEST_LINE + 1, f"the line is longer than {LONGEST_LINE} characters"),
    ],
)
def test_bad_positions(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.read_position(Params(), text)
    assert caught.value.column == column
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "found an empty line"),
        ("5", 1, "expected FROM-TO or FROM>TO, found '5'"),
        ("5-4 4x3", 5, "expected FROM-TO or FROM>TO, found '4x3'"),
        ("5-9", 3, "expected a place from 0 to 6, found '9'"),
        ("-5", 1, "expected a place from 0 to 6, found ''"),
        ("5-4 pass", 5, "expected FROM-TO or FROM>TO, found 'pass'"),
    ],
)
def test_bad_turns(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.read_move(Params(), text)
    assert caught.value.column == column
    assert problem in str(caught.value)


def test_a_piece_that_the_game_lacks() -> None:
    with pytest.raises(NotationError, match=r"column 7: this game has no B3"):
        GAME.read_position(GAME.params({"squares": "2", "sizes": "12"}), "A 1:B2B3")


def test_what_was_found_is_quoted_briefly() -> None:
    assert notation.quoted("x" * 40) == repr("x" * 40)
    assert notation.quoted("x" * 41) == repr("x" * 37 + "...")


def test_an_error_of_a_long_line_stays_short() -> None:
    with pytest.raises(NotationError) as caught:
        GAME.read_position(Params(), "A " + "x" * 3000)
    assert len(str(caught.value)) < 200


def test_empty_places_are_left_out() -> None:
    stacks: list[tuple[str, Stack]] = [("1", ()), ("2", (Pyramid("A", 1),))]
    assert notation.print_position("A", stacks, [("roll", None), ("hand", 2)]) == "A 2:A1 hand=2"
