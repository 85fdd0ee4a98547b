"""Protects: the rules of Nest race, clause by clause and reading by reading, in positions made for each of them."""

from __future__ import annotations

import inspect
import random
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from rulecheck import render
from rulecheck.explore import Explored
from rulecheck.games.nestrace import GAME, Params, engine_board
from rulecheck.games.nestrace.engine import Engine
from rulecheck.model import InputError
from rulecheck.notation import NotationError

sys.path.insert(0, str(Path(__file__).parents[1] / "perft"))
import naive_nestrace as naive  # lives here, what it counted in specs

BOOK = GAME.rulebook
TINY, FOUR, CROWD = {"core": "2", "nests": "1"}, {"core": "4", "nests": "1"}, {"core": "4", "players": "4"}
PRINTED: dict[str, str] = {}
FULL = "c1:A1A2A3 d1:A1A2A3 e1:A1A2A3 f1:A1A2A3 a3:B1B2B3 a4:B1B2B3 a5:B1B2B3 a6:B1B2B3"


def engine(params: dict[str, str], readings: dict[str, str] | None = None) -> Engine:
    return Engine(GAME.params(params), BOOK.choose(readings or {}))


def opened(params: dict[str, str], readings: dict[str, str], text: str) -> tuple[Engine, Any]:
    return engine(params, readings), GAME.read_position(GAME.params(params), text)


def verdict(params: dict[str, str], readings: dict[str, str], text: str, move: str) -> str:
    """`legal`, or the clause that the engine names."""
    rules, position = opened(params, readings, text)
    asked = GAME.read_move(rules.params, move)
    found = rules.judge(position, asked)
    listed = {(m.path[:1], m.path[-1:]) for m in rules.moves(position)}
    if readings.get("null_move") != "legal":  # of the null moves and the pass only one is listed
        assert found.legal == ((asked.path[:1], asked.path[-1:]) in listed) or len(asked.path) > 2
    return found.clauses[0] if found.clauses else "legal"


def listed(params: dict[str, str], readings: dict[str, str], text: str) -> list[str]:
    rules, position = opened(params, readings, text)
    return [str(move) for move in rules.moves(position)]


# -- Parameters, positions, moves -------------------------------------------------------------------------------


def test_the_printed_board() -> None:
    params = GAME.params({})
    assert len(params.squares) == 52
    cut = {f"{x}{y}" for x in "abcdefgh" for y in range(1, 9)} - set(params.squares)
    assert cut == {"a1", "a2", "b1", "a7", "a8", "b8", "g1", "h1", "h2", "g8", "h7", "h8"}
    lines = {side: [params.squares[n] for n in params.edge(side)] for side in ("south", "north", "west", "east")}
    assert (lines["south"][0], lines["south"][-1], lines["north"][0]) == ("c1", "f1", "c8")
    assert (lines["west"], lines["east"]) == (["a3", "a4", "a5", "a6"], ["h3", "h4", "h5", "h6"])


@pytest.mark.parametrize(
    ("given", "start"),
    [
        ({}, f"A {FULL}"),
        ({"side": "east", "core": "4"}, "A c1:A1A2A3 d1:A1A2A3 f3:B1B2B3 f4:B1B2B3"),
        (CROWD, "A c1:A1A2A3 d1:C1C2C3 a3:B1B2B3 a4:D1D2D3"),
        ({**CROWD, "setup": "caca"}, "A c1:C1C2C3 d1:A1A2A3 a3:D1D2D3 a4:B1B2B3"),
        (
            {"players": "4"},
            "A c1:A1A2A3 d1:C1C2C3 e1:A1A2A3 f1:C1C2C3 a3:B1B2B3 a4:D1D2D3 a5:B1B2B3 a6:D1D2D3",
        ),
        ({"nests": "1"}, "A c1:A1A2A3 a3:B1B2B3"),
        ({"core": "3"}, "A c1:A1A2A3 a3:B1B2B3"),
        ({"core": "5", "width": "5", "nests": "2"}, "A b1:A1A2A3 c1:A1A2A3 a2:B1B2B3 a3:B1B2B3"),
    ],
)
def test_starting_positions(given: dict[str, str], start: str) -> None:
    rules = engine(given)
    assert str(rules.start()) == start
    assert GAME.read_position(rules.params, start) == rules.start()
    assert GAME.params(rules.params.as_dict()) == rules.params


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"player": "2"}, "unknown parameter 'player'; known: players"),
        ({"players": "3"}, "unknown value of parameter players '3'; known: 2, 4"),
        ({"core": "8"}, "parameter core wants a whole number from 2 to 7, found '8'"),
        ({"core": "six"}, "parameter core wants a whole number from 2 to 7, found 'six'"),
        ({"core": "5", "width": "4"}, "parameter width must be odd like the core of 5, found '4'"),
        ({"width": "8"}, "parameter width wants a whole number from 1 to 6"),
        ({"nests": "5"}, "parameter nests wants a whole number from 1 to 4, found '5'"),
        ({"players": "4", "nests": "3"}, "parameter nests wants a whole number from 1 to 2"),
        ({"players": "4", "core": "3"}, "a line of one square has no room for the nests of two players"),
        ({"side": "north"}, "unknown value of parameter side 'north'; known: west, east"),
        ({"setup": "caca"}, "parameter setup is about four players, so it needs players=4"),
        ({"partners": "yes"}, "parameter partners is about four players, so it needs players=4"),
    ],
)
def test_bad_parameters(given: dict[str, str], problem: str) -> None:
    with pytest.raises(InputError, match=re.escape(problem)):
        GAME.params(given)


@pytest.mark.parametrize(
    ("params", "text", "column", "problem"),
    [
        (PRINTED, "C c1:A1", 1, "expected the player to move (A or B), found 'C'"),
        (FOUR, "A a1:A1", 3, "a1 is a cut corner"),
        (FOUR, "A g1:A1", 3, "expected a square from c1 to d6, found 'g1'"),
        (FOUR, "A c1:A1C2", 8, "expected a pyramid, a colour (A, B)"),
        (FOUR, "A c1:A2A1", 8, "A1 cannot stand on A2, which is not smaller"),
        (FOUR, "A c1:A2B2", 8, "B2 cannot stand on A2, which is not smaller"),
        (FOUR, "A a3:A1", 6, "A1 cannot stand on a3, a line of B"),
        (FOUR, "A d1:B1", 6, "B1 cannot stand on d1, a line of A"),
        (FOUR, "A c1:A1 d1:A1", 12, "A1 stands 2 times, this game has 1"),
        (FOUR, "A c1:A1A2A3 a3:B1B3", 20, "the position lacks B2"),
        (FOUR, "A a3:B1B2B3 c1:A1A2A3", 13, "place c1 is out of order"),
        (FOUR, "A c1:A1A2A3 c1:B1", 13, "place c1 stands twice"),
        (FOUR, "A c1:", 6, "expected a stack"),
        (FOUR, "A c1:A1  d1:A2", 9, "a second or stray space"),
        (FOUR, "A c1:A1A2A3 a3:B1B2B3 roll=1", 23, "unknown key 'roll'"),
    ],
)
def test_bad_positions(params: dict[str, str], text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError, match=re.escape(problem)) as caught:
        GAME.read_position(GAME.params(params), text)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "found an empty line"),
        ("c1", 3, "expected FROM-TO or pass, found 'c1'"),
        ("c1-b1", 4, "b1 is a cut corner"),
        ("c1-", 4, "expected a square from c1 to d6, found ''"),
        ("c1-c2-z9", 7, "expected a square from c1 to d6, found 'z9'"),
        ("c1-c2 c2-c3", 7, "expected one move, found 'c2-c3' after it"),
        ("c1>c2", 1, "expected a square from c1 to d6, found 'c1>c2'"),
    ],
)
def test_bad_moves(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError, match=re.escape(problem)) as caught:
        GAME.read_move(GAME.params(FOUR), text)
    assert caught.value.column == column


# -- Moving ----------------------------------------------------------------------------------------------------

OPEN = "A c1:A1A2A3 a3:B1B2B3"
SPREAD = "A c1:A1 c2:A2 a3:B1B2 b3:B3 d3:A3"
TRANSIT = "A c1:A1 d1:A2 a3:B1 b3:B3 c3:A3 b4:B2"  # A3 can touch a3 on its way to c5
MIXED = "A c1:A3 d1:A1 c2:B3 c3:B1A2 c4:B2"  # A3 can touch its own A2 on B1 on its way to c5
LADDER = "A c1:A3 d1:A1A2 c2:B3 c4:B1B2"
AHEAD = "A d1:A1A2 c2:B3 c3:A3 a4:B1B2"
ROUND = "A c1:A1A2 a3:B1B2 b3:A3 c3:B3"
HOME = "A a3:B1B2B3 c5:A2 d5:A3 d6:A1"
LINE = "A a3:B1B2B3 d5:A3 c6:A1A2"
DEEP = "A c1:A1A2A3 e1:A1A2A3 f1:A1A2A3 c2:B3 e2:A2 a3:B1B2 b3:A3 f3:A1 a4:B1B2B3 a5:B1B2B3 a6:B1B2B3"
ENTRY = (
    "A c1:A3 d1:A3 e1:A3 f1:A3 a3:B1B2B3 a4:B1B2B3 a5:B1B2B3 a6:B1B2B3 b6:A2 c7:A2 d7:A1 e7:A2 g7:A2 c8:A1 e8:A1 f8:A1"
)
SHARED = "A c1:A3 d1:C2C3 e1:A3 f1:C1C2C3 a3:B1B2B3 a4:D1D2D3 a5:B1B2B3 a6:D1D2D3 b6:A2 c7:A2 d8:C1 e8:A1 f8:A1"
MATES = "A c1:A1A2A3 d1:C1C2 a3:B1B2B3 c3:C3 a4:D1D2D3"
BACK, JUMPS = {"backward": "diagonal_ok"}, {"back_jump": "net_forward"}

MOVES = [
    (FOUR, {}, OPEN, "c1-c2", "legal"),
    (FOUR, {}, OPEN, "c1-b2", "legal"),
    (FOUR, {}, OPEN, "c1-d1", "legal"),  # NR-26
    (FOUR, {}, OPEN, "c2-c3", "NR-11"),
    (FOUR, {}, OPEN, "a3-b3", "NR-10"),
    (FOUR, {}, OPEN, "c1-c4", "NR-14"),
    (FOUR, {}, OPEN, "c1-d3", "NR-14"),
    (FOUR, {}, OPEN, "c1-c1", "NR-14"),
    (FOUR, {}, OPEN, "c1-c3", "NR-15"),
    (FOUR, {}, OPEN, "c1-c2-c3", "NR-17"),
    (FOUR, {}, OPEN, "pass", "NR-10"),
    (FOUR, {"passing": "always"}, OPEN, "pass", "legal"),
    (FOUR, {}, SPREAD, "c1-c3", "legal"),
    (FOUR, {}, SPREAD, "c2-d3", "NR-19"),
    (FOUR, {}, SPREAD, "d3-c2", "NR-13"),
    (FOUR, BACK, SPREAD, "d3-c2", "legal"),  # a large on a medium
    (FOUR, BACK, SPREAD, "d3-d2", "NR-13"),
    (FOUR, {}, TRANSIT, "c3-a3", "NR-27"),
    (FOUR, {}, TRANSIT, "c3-a3-c5", "legal"),
    (FOUR, {"opp_lines": "closed"}, TRANSIT, "c3-a3-c5", "NR-42"),
    (FOUR, {"land_on_other": "ends_any"}, TRANSIT, "c3-a3-c5", "NR-43"),
    (FOUR, {"land_on_other": "ends_top"}, TRANSIT, "c3-a3-c5", "NR-43"),
    (FOUR, {}, MIXED, "c1-c3-c5", "legal"),
    (FOUR, {"land_on_other": "ends_any"}, MIXED, "c1-c3-c5", "NR-43"),
    (FOUR, {"land_on_other": "ends_any"}, MIXED, "c1-c3", "legal"),
    (FOUR, {"land_on_other": "ends_top"}, MIXED, "c1-c3-c5", "legal"),
    (FOUR, {}, LADDER, "c1-c3-c5-c3", "NR-18"),
    (FOUR, JUMPS, LADDER, "c1-c3-c5-c3", "legal"),
    (FOUR, JUMPS, LADDER, "c1-c3-c1", "NR-10"),
    (FOUR, {**JUMPS, "null_move": "legal"}, LADDER, "c1-c3-c1", "NR-44"),
    (FOUR, {}, AHEAD, "c3-c1", "NR-13"),
    (FOUR, JUMPS, AHEAD, "c3-c1", "NR-44"),
    (FOUR, {}, ROUND, "b3-d3", "legal"),
    (FOUR, {}, ROUND, "b3-d3-b3", "NR-10"),
    (FOUR, {}, ROUND, "b3-d3-b3-d3", "legal"),  # the same move by a longer way
    (FOUR, {"null_move": "legal"}, ROUND, "b3-d3-b3", "legal"),
    (FOUR, {}, HOME, "c5-c6", "NR-22"),
    (FOUR, {}, HOME, "c5-d6", "legal"),
    (FOUR, {}, HOME, "d5-d6", "NR-22"),
    (FOUR, {}, HOME, "d6-c6", "legal"),
    (FOUR, {}, LINE, "c6-d6", "NR-22"),
    (FOUR, {"finish_order": "entry"}, LINE, "c6-d6", "legal"),
    (FOUR, {"finish_order": "entry"}, LINE, "d5-d6", "NR-22"),
    (FOUR, {}, LINE, "d5-c6", "legal"),
    (FOUR, {}, HOME, "d6-e5", "NR-13"),
    (FOUR, BACK, HOME, "d6-e5", "NR-25"),
    (PRINTED, {}, DEEP, "b3-d1-f3", "NR-18"),
    (PRINTED, BACK, DEEP, "b3-d1", "NR-24"),
    (PRINTED, BACK, DEEP, "b3-d1-f3", "NR-24"),
    (PRINTED, {**BACK, "line_transit": "final_only"}, DEEP, "b3-d1-f3", "legal"),
    (PRINTED, {**BACK, "line_transit": "final_only"}, DEEP, "b3-d1", "NR-24"),
    (PRINTED, {}, ENTRY, "b6-d8-f8", "NR-22"),
    (PRINTED, {"order_transit": "final_only"}, ENTRY, "b6-d8-f8", "legal"),
    (PRINTED, {"order_transit": "final_only"}, ENTRY, "b6-d8", "NR-22"),
    (PRINTED, {"finish_order": "entry"}, ENTRY, "b6-d8-f8", "NR-22"),
    ({"players": "4"}, {}, SHARED, "b6-d8-f8", "legal"),
    ({"players": "4"}, {}, SHARED, "b6-d8", "NR-37"),
    ({"players": "4"}, {"order_colour": "own"}, SHARED, "b6-d8-f8", "NR-22"),
    ({"players": "4"}, {"mate_transit": "forbidden"}, SHARED, "b6-d8-f8", "NR-37"),
    (CROWD, {}, MATES, "c1-d1", "NR-37"),
    (CROWD, {}, MATES, "c1-c2", "legal"),
    (CROWD, {}, "A d1:A1A2A3 a3:B1B2B3 a4:D1D2D3 c4:C1C2C3", "d1-c1", "legal"),
    (CROWD, {"rule9_4p": "literal"}, "A d1:A1A2A3 a3:B1B2B3 a4:D1D2D3 c4:C1C2C3", "d1-c1", "NR-27"),
]


@pytest.mark.parametrize(("params", "readings", "text", "move", "expected"), MOVES)
def test_moves(params: dict[str, str], readings: dict[str, str], text: str, move: str, expected: str) -> None:
    assert verdict(params, readings, text, move) == expected


def test_the_shortest_path_is_listed_and_any_is_accepted() -> None:
    rules, position = opened(FOUR, {}, ROUND)
    assert [str(m) for m in rules.moves(position) if m.path[0] == "b3"].count("b3-d3") == 1
    short, long = (GAME.read_move(rules.params, way) for way in ("b3-d3", "b3-d3-b3-d3"))
    assert rules.play(position, short) == rules.play(position, long)


def test_null_moves_and_the_pass_are_one_move() -> None:
    readings = {"null_move": "legal", "passing": "always"}
    assert "pass" in listed(FOUR, readings, ROUND)
    assert "b3-d3-b3" not in listed(FOUR, readings, ROUND)
    assert "b3-d3-b3" in listed(FOUR, {"null_move": "legal"}, ROUND)


def test_an_illegal_move_is_refused() -> None:
    rules, position = opened(FOUR, {}, OPEN)
    with pytest.raises(InputError, match="the move c1-c3 is illegal: NR-15"):
        rules.play(position, GAME.read_move(rules.params, "c1-c3"))


# -- Winning and passing ----------------------------------------------------------------------------------------

TEAM = "a3:B1B2B3 a4:D1D2D3 c6:A1A2A3"


def test_two_players_win() -> None:
    rules, position = opened(FOUR, {}, "A a3:B1B2B3 d5:A3 c6:A1A2")
    won = rules.play(position, GAME.read_move(rules.params, "d5-c6"))
    assert rules.winner(won) == "A"
    assert rules.moves(won) == {}
    assert rules.judge(won, GAME.read_move(rules.params, "a3-b3")).clauses == ("NR-04",)
    assert not rules.in_pat(won, "B")


def test_four_players_win_alone_and_partners_together() -> None:
    alone, position = opened(CROWD, {}, f"B d1:C1C2C3 {TEAM}")
    assert alone.winner(position) == "A"
    assert alone.judge(position, GAME.read_move(alone.params, "a3-b3")).clauses == ("NR-32",)
    team = engine({**CROWD, "partners": "yes"})
    assert team.winner(position) is None
    both = GAME.read_position(team.params, "B a3:B1B2B3 a4:D1D2D3 c6:A1A2A3 d6:C1C2C3")
    assert team.winner(both) == "AC"
    assert team.judge(both, GAME.read_move(team.params, "a3-b3")).clauses == ("NR-40",)


@pytest.mark.parametrize("passing", ["stuck", "blocked", "never", "always", "note5"])
def test_a_finished_partner_passes(passing: str) -> None:
    assert listed({**CROWD, "partners": "yes"}, {"passing": passing}, f"A d1:C1C2C3 {TEAM}") == ["pass"]


@pytest.mark.parametrize(
    ("passing", "moves"), [("stuck", True), ("blocked", True), ("never", False), ("always", True), ("note5", False)]
)
def test_a_player_without_a_move(passing: str, moves: bool) -> None:
    """B is hemmed in: the large ones in front of it stand still, its own pieces cannot enter out of order."""
    stuck = "B c2:B1B2 d2:B3 c3:A2A3 c4:A1"
    assert listed(TINY, {"passing": passing}, stuck) == (["pass"] if moves else [])


def test_passing_blocked_is_the_literal_or() -> None:
    sideways = "A b2:B1 d2:B2 b3:A2 c3:A1A3 d3:B3"
    assert "pass" not in listed(TINY, {}, sideways)
    assert "pass" in listed(TINY, {"passing": "blocked"}, sideways)
    assert "pass" not in listed(FOUR, {"passing": "blocked"}, OPEN)


def test_passing_note5_is_the_case_of_the_note_alone() -> None:
    """A2 lies under B3, and A1 is held up on its start line. It is not, if nothing is covered or all stand on row 7."""
    waiting, uncovered = "A b1:A1 a2:B1 b2:A2B3 c2:B2 b3:A3", "B b1:A1 a2:B1B2 b2:A3 c2:B3 b3:A2"
    for text, readings in ((waiting, ("note5", "blocked")), (uncovered, ("blocked",)), (STAYS_IN, ("blocked",))):
        allowing = [v for v in ("stuck", "blocked", "never", "note5") if "pass" in listed(TINY, {"passing": v}, text)]
        assert sorted(allowing) == sorted(readings)


# -- Pat --------------------------------------------------------------------------------------------------------

HELD = "B a2:B1 b2:A1B2 c2:A2B3 c3:A3"
SIDESTEP = "B a3:B1B2 c3:A2B3 d3:A2B3 a4:B1B2 b5:A1 d5:A3 e5:A3 c6:A1"
SANDWICH = "B a2:B1 c2:B3 b3:A1B2A3 c3:A2"
OWN = "B a2:B1B3 b2:A1B2 c3:A2A3"
SHUFFLE = "B a2:B1 b2:B2 c2:A2B3 c3:A3 b4:A1"
NO_MOVE = "B a2:B1 b2:A1B2 c2:A2 b3:B3 c3:A3"
BLOCKED = "A b1:A1 a2:B1 b2:B2 c2:A2B3 b3:A3"

PATS = [
    (TINY, {}, HELD, True),
    (TINY, {"pat": "no_progress"}, HELD, True),
    (TINY, {"pat": "no_move"}, HELD, False),
    (TINY, {"pat": "off"}, HELD, False),
    (TINY, {"horizon": "ever"}, HELD, True),
    (TINY, {}, BLOCKED, False),
    (TINY, {"pat": "no_progress"}, BLOCKED, True),
    (TINY, {}, NO_MOVE, False),
    (TINY, {"pat": "no_move"}, NO_MOVE, True),
    ({"core": "4"}, {}, SIDESTEP, True),
    ({"core": "4"}, {"horizon": "ever"}, SIDESTEP, False),
    (TINY, {}, SANDWICH, False),
    (TINY, {"blocker": "any_above"}, SANDWICH, True),
    (TINY, {}, OWN, False),
    (TINY, {"self_cover": "ignored"}, OWN, True),
    (TINY, {}, SHUFFLE, True),
    (TINY, {"finished": "breaks"}, SHUFFLE, False),
    (TINY, {"finished": "breaks"}, HELD, True),
]


@pytest.mark.parametrize(("params", "readings", "text", "expected"), PATS)
def test_who_is_in_pat(params: dict[str, str], readings: dict[str, str], text: str, expected: bool) -> None:
    rules, position = opened(params, readings, text)
    assert rules.in_pat(position, "A") is expected
    assert not rules.in_pat(position, "B")


def test_blockers() -> None:
    for text, readings, expected in (
        (HELD, {}, {"B"}),
        (SANDWICH, {}, set()),
        (SANDWICH, {"blocker": "any_above"}, {"B"}),
    ):
        rules, position = opened(TINY, readings, text)
        assert rules.blockers(position, "A") == expected
        assert rules.blockers(position, "B") == ({"A"} if text == SANDWICH else set())


DOUBLE = "B a3:B1 c3:A1B2B3 b4:A3 c4:A2"
CLASH = "B b2:B1 e2:B2 b3:B1 e3:B3 e4:A1B2 b5:A3 e5:A2B3 c6:A1A2A3"
COVERS = "A b1:A1 c1:A2 b2:B1 c2:B3 b3:B2A3"  # c1-b2 would put B in pat
AGAIN = "A b1:A1 c1:A3 c2:B2 b3:B1A2 c3:B3"  # B is in pat and A cannot free; c1-c2 covers one more
OWN_COVER = "A d2:B3 b3:A1 c3:B1A2A3 d3:B2"  # B is in pat; c3-b3 covers A's own
EMPTIED = "A b2:B1 c2:A2 b3:A1B2A3 c3:B3"
HOVER = "B a2:B1 b2:A1B3 a3:B2 b3:A2 c3:A3"
LAST = "A c1:C1 d1:C2 a3:D1D2D3 c3:B1C3 e3:B2 e4:B3 d5:A3 c6:A1A2"  # C holds B in pat, A can win
HOMED = "C a3:B1B2B3 d3:A2C3 a4:D1D2D3 b5:A3 c6:A1C2 d6:C1"

DEEP = "B a2:B1 c2:A1B2 b3:A3 c3:A2B3"  # sentence 1 asks for c3-c2, which lands on A1 under B2
BARRED_LIFT = "B a2:B1 c2:A1B2B3 b3:A3 c3:A2"  # B cannot free, and the only lift covers A2
NEST = {"core": "3", "width": "3", "nests": "2"}
COMES_HOME = "A a2:B1B2B3 b2:A1A2B3 d2:B2 a3:B1 c4:A3 d4:A3 d5:A1A2"  # c4-d5 leaves A in pat
SANDWICHED = "A a2:B1 b2:A2B3 c2:A3 b3:A1B2"  # c2-b3 covers A1 once more
COMES_DOWN = "B b1:A1 b2:B1A3 c2:B2 a3:B3 c3:A2"  # a3-c1-c3 covers A2 and leaves B in pat
COMES_UP = "A c1:A3 a2:B1 b2:A1B2 c2:A2B3"  # c1-c3 covers nothing and leaves A in pat
STAYS_IN = "A a2:B1 b2:A1B2 c2:A2B3 c3:A3"  # A is in pat before and after c3-b3
LIFTS = {"conflict": "s1", "cannot_free": "lift"}
DUTIES = [
    (TINY, {}, HELD, "b2-b3", "legal"),
    (TINY, {}, HELD, "a2-a3", "NR-29"),
    (TINY, {}, HELD, "pass", "NR-29"),
    (TINY, {"passing": "always"}, HELD, "pass", "NR-29"),
    (TINY, {"passing": "blocked"}, HELD, "pass", "NR-29"),
    (TINY, {"pat": "off"}, HELD, "a2-a3", "legal"),
    ({"core": "3"}, {}, DOUBLE, "a3-b3", "legal"),
    ({"core": "3"}, {}, DOUBLE, "pass", "NR-10"),
    ({"core": "3"}, {"free": "lift"}, DOUBLE, "a3-b3", "NR-29"),
    ({"core": "3"}, {"free": "lift"}, DOUBLE, "c3-d3", "legal"),
    ({"core": "3"}, {"cannot_free": "lift"}, DOUBLE, "a3-b3", "NR-29"),
    ({"core": "3"}, {"cannot_free": "lift"}, DOUBLE, "c3-d3", "legal"),
    ({"core": "3"}, {"cannot_free": "pass"}, DOUBLE, "c3-d3", "NR-29"),
    ({"core": "3"}, {"cannot_free": "pass", "passing": "never"}, DOUBLE, "pass", "legal"),
    ({"core": "4"}, {}, CLASH, "e5-e4", "NR-30"),
    ({"core": "4"}, {}, CLASH, "b2-c2", "legal"),
    ({"core": "4"}, {"conflict": "s1"}, CLASH, "e5-e4", "legal"),
    ({"core": "4"}, {"conflict": "s1"}, CLASH, "b2-c2", "NR-29"),
    ({"core": "4"}, {"cannot_free": "pass"}, CLASH, "b2-c2", "NR-29"),
    ({"core": "4"}, {"cannot_free": "pass"}, CLASH, "pass", "legal"),
    ({"core": "4"}, {"s2_cause": "new"}, CLASH, "e5-e4", "legal"),
    (TINY, {}, COVERS, "c1-b2", "NR-30"),
    (TINY, {"pat": "off"}, COVERS, "c1-b2", "legal"),
    (TINY, {"s2_cause": "new"}, COVERS, "c1-b2", "NR-30"),
    (TINY, {}, AGAIN, "c1-c2", "NR-30"),
    (TINY, {"s2_cause": "new"}, AGAIN, "c1-c2", "legal"),
    (TINY, {}, AGAIN, "b1-c2", "NR-19"),
    (TINY, {}, OWN_COVER, "c3-b3", "legal"),
    (TINY, {"s2_scope": "cover_any"}, OWN_COVER, "c3-b3", "NR-30"),
    (TINY, {"s2_scope": "cover_any", "s2_cause": "new"}, OWN_COVER, "c3-b3", "legal"),
    (TINY, {"s2_scope": "cover_any"}, AGAIN, "b1-b2", "legal"),
    (TINY, {"s2_scope": "any_move"}, AGAIN, "b1-b2", "NR-30"),
    (TINY, {}, DEEP, "c3-c2", "NR-30"),
    (TINY, {"cover_depth": "top"}, DEEP, "c3-c2", "legal"),
    (TINY, {"cover_depth": "top", "s2_scope": "cover_any"}, DEEP, "c3-c2", "NR-30"),
    (TINY, {**LIFTS}, BARRED_LIFT, "c2-c3", "legal"),
    (TINY, {**LIFTS}, BARRED_LIFT, "a2-a3", "NR-29"),
    (TINY, {**LIFTS, "lift_conflict": "yields"}, BARRED_LIFT, "c2-c3", "NR-30"),
    (TINY, {**LIFTS, "lift_conflict": "yields"}, BARRED_LIFT, "a2-a3", "legal"),
    (TINY, {"conflict": "s1", "lift_conflict": "yields"}, DEEP, "c3-c2", "legal"),  # it frees, and is no makeshift
    (NEST, {}, COMES_HOME, "c4-d5", "legal"),
    (NEST, {"s2_whose_pat": "anyone"}, COMES_HOME, "c4-d5", "NR-30"),
    (NEST, {"s2_whose_pat": "anyone"}, COMES_HOME, "c4-b4", "legal"),
    (NEST, {"s2_whose_pat": "anyone", "cover_depth": "top"}, COMES_HOME, "c4-d5", "NR-30"),
    (NEST, {"s2_whose_pat": "anyone", "pat": "off"}, COMES_HOME, "c4-d5", "legal"),
    (TINY, {"blocker": "any_above"}, SANDWICHED, "c2-b3", "legal"),
    (TINY, {"blocker": "any_above", "s2_whose_pat": "anyone"}, SANDWICHED, "c2-b3", "NR-30"),
    (TINY, {"s2_scope": "cover_any"}, COMES_DOWN, "a3-c1-c3", "legal"),
    (TINY, {"s2_whose_pat": "anyone"}, COMES_DOWN, "a3-c1-c3", "legal"),
    (TINY, {"s2_scope": "cover_any", "s2_whose_pat": "anyone"}, COMES_DOWN, "a3-c1-c3", "NR-30"),
    (TINY, {"s2_scope": "any_move"}, COMES_UP, "c1-c3", "legal"),
    (TINY, {"s2_scope": "any_move", "s2_whose_pat": "anyone"}, COMES_UP, "c1-c3", "NR-30"),
    (TINY, {"s2_scope": "any_move", "s2_whose_pat": "anyone", "s2_cause": "new"}, COMES_UP, "c1-c3", "NR-30"),
    (TINY, {"s2_scope": "any_move", "s2_whose_pat": "anyone"}, STAYS_IN, "c3-b3", "NR-30"),
    (TINY, {"s2_scope": "any_move", "s2_whose_pat": "anyone", "s2_cause": "new"}, STAYS_IN, "c3-b3", "legal"),
    (TINY, {}, EMPTIED, "pass", "legal"),
    (TINY, {}, HOVER, "b2-c2", "legal"),
    (TINY, {"null_move": "legal"}, HOVER, "b2-b4-b2", "NR-30"),  # lifted, and back on what it covers
    (TINY, {"null_move": "legal", "s2_cause": "new"}, HOVER, "b2-b4-b2", "NR-29"),
    (TINY, {"null_move": "legal", "pat": "off"}, HOVER, "b2-b4-b2", "legal"),
    (CROWD, {"s2_scope": "any_move"}, LAST, "d5-c6", "legal"),  # the game is over, so nobody is in pat
    (CROWD, {"s2_scope": "any_move"}, LAST, "d5-e5", "NR-30"),
    (CROWD, {}, LAST, "d5-e5", "legal"),
    (CROWD, {}, HOMED, "d3-e4", "legal"),
    (CROWD, {}, HOMED, "c6-d6", "NR-29"),  # A1 has finished, so to uncover it frees nothing
]


@pytest.mark.parametrize(("params", "readings", "text", "move", "expected"), DUTIES)
def test_the_pat_rule(params: dict[str, str], readings: dict[str, str], text: str, move: str, expected: str) -> None:
    assert verdict(params, readings, text, move) == expected


def test_what_frees() -> None:
    rules, position = opened(TINY, {}, HELD)
    assert [str(rules.named(path)) for path in rules.freeing(position, "A")] == ["b2-b3"]
    freed = rules.after(position, rules.freeing(position, "A")[0])
    assert str(freed) == "A a2:B1 b2:A1 c2:A2B3 b3:B2 c3:A3"
    assert not rules.in_pat(freed, "A")


def test_pat_among_four() -> None:
    """The line-mate fills the square that A wanted; the duty waits for B, who blocks, and passes D by."""
    text = "C d1:C1C2C3 a3:B1B2B3 a4:D1D2D3 b4:B1 e4:A2B3 b5:B2 a6:D1D2D3 b7:A1 c7:C1 e7:C2 f7:C3 g7:A3 d8:A1A2A3"
    rules, position = opened({"players": "4"}, {}, text)
    assert not rules.in_pat(position, "A")
    for move in ("c7-c8", "a4-b3", "b7-c7"):
        assert not rules.options(position).due
        position = rules.play(position, GAME.read_move(rules.params, move))
        assert rules.in_pat(position, "A")
    assert rules.victims(position) == {"A"}
    assert {move.path[0] for move in rules.moves(position)} == {"e4"}
    assert rules.judge(position, GAME.read_move(rules.params, "b4-c4")).clauses == ("NR-29",)
    after = rules.play(position, GAME.read_move(rules.params, "e4-f4"))
    assert not rules.in_pat(after, "A")


# -- Against the naive counter ----------------------------------------------------------------------------------

TABLES = [
    (TINY, naive.Table(2, 2, 1), 150),
    ({"core": "3"}, naive.Table(3, 1, 1), 60),
    ({"core": "4", "side": "east"}, naive.Table(4, 2, 2, side="east"), 12),
    (CROWD, naive.Table(4, 2, 1, players="ABCD"), 20),
    ({**CROWD, "partners": "yes"}, naive.Table(4, 2, 1, players="ABCD", partners=True), 12),
    (PRINTED, naive.Table(), 3),
]
OTHER_RULES: list[tuple[dict[str, str], dict[str, Any]]] = [
    ({}, {}),
    ({"backward": "diagonal_ok"}, {"diagonal_ok": True}),
    ({"opp_lines": "closed", "null_move": "legal"}, {"closed": True, "null_legal": True}),
    ({"land_on_other": "ends_any", "passing": "blocked"}, {"ends_any": True, "passing": "blocked"}),
    ({"back_jump": "net_forward", "passing": "always"}, {"net_forward": True, "passing": "always"}),
    ({"finish_order": "entry", "pat": "no_move"}, {"entry": True, "pat": "no_move"}),
    ({"pat": "no_progress", "s2_scope": "any_move"}, {"pat": "no_progress", "any_move": True}),
    ({"free": "lift"}, {"lift": True}),
    ({"cover_depth": "top"}, {"cover_top": True}),
]


@pytest.mark.parametrize(("readings", "rules"), OTHER_RULES)
@pytest.mark.parametrize(("params", "table", "count"), TABLES)
def test_moves_of_scattered_positions(
    params: dict[str, str], table: Any, count: int, readings: dict[str, str], rules: dict[str, Any]
) -> None:
    played, plain = engine(params, readings), table._replace(**rules)
    rng = random.Random(f"scatter {params}")
    for _ in range(count):
        text = naive.scatter(table, rng)
        found = {str(after) for after in played.moves(GAME.read_position(played.params, text)).values()}
        assert found == naive.results(plain, text), text


@pytest.mark.parametrize(("readings", "rules"), OTHER_RULES[-1:] + OTHER_RULES[:1])
def test_covers_under_a_top_are_counted_as_the_reading_says(readings: dict[str, str], rules: dict[str, Any]) -> None:
    played = engine(TINY, readings)
    found = {str(after) for after in played.moves(GAME.read_position(played.params, DEEP)).values()}
    assert found == naive.results(TABLES[0][1]._replace(**rules), DEEP)
    assert len(found) == (1 if rules else 2)


def test_scattered_positions_reach_the_pat_rule() -> None:
    """Without positions of pat the comparison would say nothing of it."""
    rules, rng = engine(TINY), random.Random(f"scatter {TINY}")
    positions = [GAME.read_position(rules.params, naive.scatter(TABLES[0][1], rng)) for _ in range(150)]
    assert sum(rules.options(p).due for p in positions) >= 5
    assert sum(any(rules.in_pat(p, v) for v in "AB") for p in positions) >= 10


def test_play_from_the_start_keeps_its_promises() -> None:
    """Moves and verdicts agree, texts give positions back, large ones stay uncovered, in early play."""
    rules = engine(TINY)
    for count, position in enumerate(Explored(rules, lazily=True).turns()):
        if count == 500:
            break
        assert GAME.read_position(rules.params, str(position)) == position
        assert all(pyramid.pips < 3 for stack in position.stacks for pyramid in stack[:-1])
        for move, result in rules.moves(position).items():
            assert rules.play(position, move) == result


# -- The rulebook, and pictures ---------------------------------------------------------------------------------


def test_the_rulebook_is_complete() -> None:
    assert list(BOOK.clauses) == [f"NR-{n:02}" for n in range(1, 58)]
    assert list(BOOK.claims) == [f"NC-{n:02}" for n in range(1, 35)]
    assert {p.name: p.default for p in BOOK.parameters} == {"board": "square", **Params().as_dict()}
    assert all(len(c.pointer.split()) <= 8 for c in BOOK.clauses.values())
    source = "".join(inspect.getsource(kind) for kind in (*Engine.__mro__[:-1], engine_board))
    assert set(re.findall(r"\"(NR-\d+)\"", source)) <= set(BOOK.clauses)
    for option in BOOK.options:
        assert f'readings["{option}"]' in source


def test_positions_of_claims_can_be_read() -> None:
    texts = [(c.data.get("params", {}), c.data["position"]) for c in BOOK.claims.values() if "position" in c.data]
    assert len(texts) > 10
    for params, text in texts:
        assert str(GAME.read_position(GAME.params(params), text)) == text


SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("params", "text", "move"),
    [(FOUR, TRANSIT, "c3-a3-c5"), (CROWD, MATES, "c1-c2"), (TINY, HELD, "b2-b3"), (PRINTED, ENTRY, None)],
)
def test_pictures_show_every_pyramid_and_stay_inside(params: dict[str, str], text: str, move: str | None) -> None:
    rules, position = opened(params, {}, text)
    pieces = sorted(re.findall("[ABCD][123]", text))
    assert sorted(re.findall("[ABCD][123]", render.text(GAME, rules.params, position))) == pieces
    drawn = None if move is None else GAME.read_move(rules.params, move)
    root = ET.fromstring(render.svg(GAME, rules.params, position, drawn, (0,)))
    labels = [e.text or "" for e in root.iter(f"{SVG}text")]
    assert sorted(label for label in labels if re.fullmatch("[ABCD][123]", label)) == pieces
    assert len(root.findall(f"{SVG}polygon")) == (0 if move is None else move.count("-"))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for box in root.iter(f"{SVG}rect"):
        x, y = float(box.attrib.get("x", "0")), float(box.attrib.get("y", "0"))
        assert 0 <= x <= x + float(box.attrib["width"]) <= width
        assert 0 <= y <= y + float(box.attrib["height"]) <= height


def test_colours_differ_without_colour() -> None:
    rules = engine(CROWD)
    root = ET.fromstring(render.svg(GAME, rules.params, rules.start()))
    marks: dict[str, set[str]] = {}
    for group in root.iter(f"{SVG}g"):
        if name := next((e.text for e in group if re.fullmatch("[ABCD][123]", e.text or "")), None):
            shapes = {e.attrib.get("d", e.tag.removeprefix(SVG)).count("M") for e in group if e.tag == f"{SVG}path"}
            marks[name] = {f"path {n}" for n in shapes} | {"dot" for e in group if e.tag == f"{SVG}circle"}
    for size in "123":
        drawn = [marks[f"{colour}{size}"] for colour in "ABCD"]
        assert drawn == [set(), {"path 1"}, {"dot"}, {"path 2"}]
