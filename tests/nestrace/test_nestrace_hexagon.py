"""Protects: Nest race on the hexagon, its squares, lines and seats, and the sentence for each kind of bad input."""

from __future__ import annotations

import re

import pytest

from rulecheck.games.nestrace import GAME, Params
from rulecheck.model import InputError
from rulecheck.notation import NotationError

HEX = {"board": "hexagon"}
SMALL = {**HEX, "core": "2"}
SIX = {**HEX, "players": "6"}


def test_the_board_of_the_note() -> None:
    params = GAME.params(HEX)
    assert len(params.squares) == 78
    kite = [name for name in params.squares if name[0] == "a"]
    assert " ".join(kite) == "a11 a12 a13 a14 a21 a22 a23 a24 a31 a32 a33 a41 a42"
    lines = {side: [params.squares[n] for n in params.edge(side)] for side in ("south", "north-west", "north-east")}
    assert lines["south"] == ["c24", "c14", "d41", "d42"]
    assert lines["north-west"] == ["e24", "e14", "f41", "f42"]
    assert lines["north-east"] == ["a24", "a14", "b41", "b42"]
    edges = [n for side in params.grid.sides for n in params.edge(side)]
    assert len(edges) == len(set(edges)) == 24


@pytest.mark.parametrize(("core", "width", "squares"), [("2", "2", 18), ("4", "2", 36), ("4", "4", 48), ("6", "6", 90)])
def test_smaller_and_fuller_boards(core: str, width: str, squares: int) -> None:
    params = GAME.params({**HEX, "core": core, "width": width})
    assert len(params.squares) == len(set(params.squares)) == squares
    assert all(len(params.start_line(p)) == int(width) for p in params.letters)


def test_three_sit_on_every_other_side() -> None:
    south, north = GAME.params(HEX), GAME.params({**HEX, "side": "north"})
    assert [south.home(p) for p in "ABC"] == ["south", "north-west", "north-east"]
    assert [north.home(p) for p in "ABC"] == ["north", "south-east", "south-west"]
    assert south.mate("A") is None
    assert [south.finish_line(p) for p in "ABC"] == [north.start_line(p) for p in "ABC"]
    assert (south.players, south.nests, south.seats("south")) == (3, 4, ("A",) * 4)


def test_six_share_every_other_side() -> None:
    params = GAME.params(SIX)
    assert [params.home(p) for p in "ABCDEF"] == ["south", "north-east", "north-west"] * 2
    assert [params.mate(p) for p in "ABCDEF"] == list("DEFABC")
    assert [params.seats(side) for side in params.sides] == [tuple("ADAD"), tuple("BEBE"), tuple("CFCF")]
    assert GAME.params({**SIX, "setup": "caca"}).seats("south") == tuple("DADA")
    assert [GAME.params({**SIX, "side": "north"}).home(p) for p in "ABC"] == ["north", "south-west", "south-east"]


@pytest.mark.parametrize("given", [HEX, SMALL, SIX, {**SIX, "partners": "yes", "setup": "caca", "side": "north"}])
def test_parameters_round_trip(given: dict[str, str]) -> None:
    params = GAME.params(given)
    assert GAME.params(params.as_dict()) == params
    assert params.as_dict()["board"] == "hexagon"


def test_the_square_board_is_named_as_ever() -> None:
    assert "board" not in Params().as_dict()
    assert GAME.params({"board": "square"}) == Params()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"board": "round"}, "unknown value of parameter board 'round'; known: square, hexagon"),
        ({"players": "3"}, "unknown value of parameter players '3'; known: 2, 4; 3 and 6 need board=hexagon"),
        ({**HEX, "players": "4"}, "unknown value of parameter players '4'; known: 3, 6; 2 and 4 need board=square"),
        ({**HEX, "side": "west"}, "unknown value of parameter side 'west'; known: south, north"),
        ({"side": "south"}, "unknown value of parameter side 'south'; known: west, east"),
        ({**HEX, "core": "5"}, "parameter core must be even on the hexagon, found '5'"),
        ({**HEX, "core": "8"}, "parameter core wants a whole number from 2 to 7, found '8'"),
        ({**HEX, "width": "3"}, "parameter width must be even like the core of 6, found '3'"),
        ({**HEX, "nests": "5"}, "parameter nests wants a whole number from 1 to 4, found '5'"),
        ({**SIX, "nests": "3"}, "parameter nests wants a whole number from 1 to 2, found '3'"),
        ({**HEX, "setup": "caca"}, "parameter setup is about six players, so it needs players=6"),
        ({**HEX, "partners": "yes"}, "parameter partners is about six players, so it needs players=6"),
    ],
)
def test_bad_parameters(given: dict[str, str], problem: str) -> None:
    with pytest.raises(InputError, match=re.escape(problem)):
        GAME.params(given)


@pytest.mark.parametrize(
    ("params", "text", "column", "problem"),
    [
        (HEX, "D a11:A1", 1, "expected the player to move (A or B or C), found 'D'"),
        (HEX, "A a44:A1", 3, "a44 is a cut corner"),
        (HEX, "A g11:A1", 3, "expected a square from a11 to f42, found 'g11'"),
        (HEX, "A c1:A1", 3, "expected a square from a11 to f42, found 'c1'"),
        (HEX, "A a14:A1", 7, "A1 cannot stand on a14, a line of C"),
        (HEX, "A e14:C1", 7, "C1 cannot stand on e14, a line of B"),
        (SMALL, "A a11:A1A2A3 b11:B1", 20, "the position lacks A1, A2, A3"),
        (SMALL, "A a11:A1 b11:D1", 14, "expected a pyramid, a colour (A, B, C)"),
    ],
)
def test_bad_positions(params: dict[str, str], text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError, match=re.escape(problem)) as caught:
        GAME.read_position(GAME.params(params), text)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("a11", 4, "expected FROM-TO or pass, found 'a11'"),
        ("a11-a34", 5, "a34 is a cut corner"),
        ("a11-a1", 5, "expected a square from a11 to f42, found 'a1'"),
        ("a11-a00", 5, "expected a square from a11 to f42, found 'a00'"),
    ],
)
def test_bad_moves(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError, match=re.escape(problem)) as caught:
        GAME.read_move(GAME.params(HEX), text)
    assert caught.value.column == column
