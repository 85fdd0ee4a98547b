"""Protects: the rules of Hextris case by case, its notation, its rulebook, its pictures, and its turns against a
counter that shares no code with it."""

from __future__ import annotations

import random
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rulecheck.games.hextris.engine as engine_module
from rulecheck.counts import read_counts
from rulecheck.games.hextris import GAME, PASS, Params, Position, read_move, read_params, read_position
from rulecheck.games.hextris.drawing import DRAWER
from rulecheck.games.hextris.engine import Engine
from rulecheck.model import InputError
from rulecheck.notation import NotationError
from rulecheck.perft import perft
from rulecheck.registry import read_resource

FOLDER = Path(__file__).parents[1] / "perft"
sys.path.insert(0, str(FOLDER))
import naive_hextris as naive  # noqa: E402  # lives here, what it counted in specs

BOOK = GAME.rulebook
PRINTED = read_params({})
SVG = "{http://www.w3.org/2000/svg}"


def engine(params: dict[str, str] | None = None, **readings: str) -> Engine:
    return Engine(read_params(params or {}), BOOK.choose(readings))


def at(text: str, params: dict[str, str] | None = None) -> Position:
    return read_position(read_params(params or {}), text)


def turn(text: str, params: dict[str, str] | None = None) -> Any:
    return read_move(read_params(params or {}), text)


def after(rules: Engine, position: str, *moves: str) -> str:
    here = read_position(rules.params, position)
    for move in moves:
        here = rules.play(here, read_move(rules.params, move))
    return str(here)


def broken(rules: Engine, position: str, move: str) -> str:
    """The clauses that a turn breaks, or `legal`."""
    verdict = rules.judge(read_position(rules.params, position), read_move(rules.params, move))
    return " ".join(verdict.clauses) or "legal"


# -- Parameters ---------------------------------------------------------------------------------------------

BAD_PARAMS = [
    ({"players": "4"}, "parameter players wants a whole number from 2 to 3, found '4'"),
    ({"radius": "0"}, "parameter radius wants a whole number from 1 to 3, found '0'"),
    ({"group": "1"}, "parameter group wants a whole number from 2 to 9, found '1'"),
    ({"groups": "x"}, "parameter groups wants a whole number from 1 to 9, found 'x'"),
    ({"pieces": "5,5"}, "parameter pieces wants the numbers of small, medium and large pieces as in 5,5,5"),
    ({"pieces": "5,5,5/5,5,5/5,5,5"}, "or 2 such triples separated by '/'"),
    ({"pieces": "5,5,-5"}, "found '5,5,-5'"),
    ({"pieces": "4,5,5"}, "nobody can win: 3 groups of 5 take 15 pieces of a player"),
    ({"radius": "1", "group": "8", "groups": "1"}, "a group of 8 does not fit on a board of 7 points"),
    ({"size": "2"}, "unknown parameter 'size'; known: players, radius, group, groups, pieces"),
]


@pytest.mark.parametrize(("given", "sentence"), BAD_PARAMS)
def test_bad_parameters_get_a_sentence(given: dict[str, str], sentence: str) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        read_params(given)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"groups": "1", "pieces": "5,0,0"},
        {"players": "3", "radius": "3", "group": "4"},
        {"radius": "1", "group": "3", "groups": "1", "pieces": "1,1,1/0,0,1"},
    ],
)
def test_parameters_are_read_and_told(given: dict[str, str]) -> None:
    params = read_params(given)
    told = params.as_dict()
    assert {name: told[name] for name in given} == given
    assert read_params(told) == params


def test_one_player_may_be_unable_to_win() -> None:
    """Who has too few pieces can only be in the way; that is a sensible small game, and documented."""
    assert read_params({"groups": "1", "pieces": "5,0,0/1,0,0"}).stash == ((5, 0, 0), (1, 0, 0))


# -- Notation -----------------------------------------------------------------------------------------------

FULL = "hands=5,5,5/5,5,5 groups=0/0"
BAD_POSITIONS = [
    ("A a1:A1 a2:A1 b1:A1 c1:A1 d2:A1 e3:A1", 36, "A1 stands 6 times, but A has 5"),
    ("A a1:A1A2", 8, "a point holds one piece, found 2 on a1"),
    ("A a4:A1", 3, "unknown place 'a4'"),
    ("A a1:C1", 6, "expected a pyramid, a colour (A, B) and 1, 2 or 3 pips, found 'C1'"),
    ("C a1:A1", 1, "expected the player to move (A or B), found 'C'"),
    ("A a2:A1 a1:A1", 9, "place a1 is out of order"),
    ("A a1:A1 a1:A2", 9, "place a1 stands twice"),
    (f"A {FULL}", 3, "hands= and groups= are left out while nothing has left the board"),
    ("A hands=0,5,5/5,5,5", 20, "hands= and groups= stand together, groups= is missing"),
    ("A groups=1/0", 13, "hands= and groups= stand together, hands= is missing"),
    ("A groups=1/0 hands=0,5,5/5,5,5", 14, "key hands is out of order"),
    ("A hands=0,5,5 groups=1/0", 9, "expected the hands as S,M,L/S,M,L in numbers"),
    ("A hands=00,5,5/5,5,5 groups=1/0", 9, "expected numbers without leading zeros"),
    ("A a1:A1 hands=5,0,5/5,5,5 groups=1/0", 15, "A cannot hold 5 small pieces: 4 of them are not on the board"),
    ("A hands=1,5,5/5,5,5 groups=1/0", 9, "the pieces of A do not add up: 4 are neither on the board nor in hand"),
    ("A hands=0,5,5/5,5,5 groups=1/1", 9, "the groups do not add up: 2 have been formed, and the pieces gone make 1"),
    ("A hands=0,5,5/0,5,5 groups=2/0 ", 32, "found a second or stray space"),
    ("A hands=0,5,5/5,5,5 groups=1", 28, "expected 2 numbers of groups, found '1'"),
    ("A hands=0,0,0/0,0,5 groups=4/2", 28, "expected a number of groups from 0 to 3, found '4'"),
    ("A a1:A1 a2:A1 a3:A1 b1:A1 b2:A1 b3:A2", 3, "the piece on a1 belongs to a group of 6, and no group may be larger"),
]


@pytest.mark.parametrize(("text", "column", "sentence"), BAD_POSITIONS)
def test_bad_positions_get_a_sentence(text: str, column: int, sentence: str) -> None:
    with pytest.raises(NotationError, match=re.escape(sentence)) as caught:
        at(text)
    assert caught.value.column == column


BAD_MOVES = [
    ("", 1, "expected a position or move, found an empty line"),
    ("a1", 1, "expected FROM-TO or FROMxTO, found 'a1'"),
    ("a1-a9", 4, "expected a point from a1 to e3, found 'a9'"),
    ("a1xf1", 4, "expected a point from a1 to e3, found 'f1'"),
    ("a1-a2-a3", 4, "expected a point from a1 to e3, found 'a2-a3'"),
    ("C1@a1", 1, "expected a pyramid, a colour (A, B) and 1, 2 or 3 pips"),
    ("A1A1@a1", 3, "expected '@' after one piece, found 'A1@a1'"),
    ("@a1", 1, "expected a stack"),
    ("A1@", 4, "expected a point from a1 to e3, found ''"),
    ("a1-a2 pass", 7, "expected the end of the move, found 'pass'"),
]


@pytest.mark.parametrize(("text", "column", "sentence"), BAD_MOVES)
def test_bad_moves_get_a_sentence(text: str, column: int, sentence: str) -> None:
    with pytest.raises(NotationError, match=re.escape(sentence)) as caught:
        turn(text)
    assert caught.value.column == column


@pytest.mark.parametrize("text", ["c4-c2", "c4xd3", "A2@c5", "B3@a1", "pass"])
def test_moves_round_trip(text: str) -> None:
    assert str(turn(text)) == text


def test_a_slide_is_not_an_exchange() -> None:
    assert turn("a1-a2") != turn("a1xa2")


@pytest.mark.parametrize(
    "text",
    [
        "A",
        "B a1:A3 c3:B1",
        "A a1:A1 a2:A1 a3:A1 b1:A1 b2:A1",  # a whole group stands: so it may under place_group=ignored
        "B hands=0,5,5/5,5,5 groups=0/1",  # counted for the mover, under gift=counts_for_mover
        "B hands=5,5,5/0,5,5 groups=0/0",  # counted for nobody, under gift=void
        "B a1:A3 a2:A3 a3:A3 b3:A3 b4:A3 hands=0,0,0/5,5,5 groups=3/0",  # the last group stays
        "B hands=0,0,0/5,5,5 groups=3/0",  # the last group is removed
    ],
)
def test_positions_round_trip(text: str) -> None:
    position = at(text)
    assert str(position) == text
    assert at(str(position)) == position
    assert hash(at(text)) == hash(position)


def test_a_group_too_large_may_stand_once_the_game_is_over() -> None:
    """win_overflow=allowed and final_group=keep leave it there, so its text must be read."""
    rules = engine(win_overflow="allowed")
    text = after(rules, BOOK.claims["HC-17"].data["position"], "c4xd3")
    assert str(at(text)) == text
    with pytest.raises(NotationError, match="belongs to a group of 6"):
        at(text.replace("groups=3/0", "groups=2/0"))


# -- The rulebook -------------------------------------------------------------------------------------------

OPTIONS = {
    "swap": ("initiator", "symmetric", "mutual", "any_two"),
    "place_group": ("counts", "illegal", "ignored"),
    "win_overflow": ("illegal", "allowed"),
    "final_group": ("keep", "remove"),
    "allowed_move": ("any_action", "displacement"),
    "overflow_test": ("result", "transit"),
    "gift": ("counts_for_colour", "counts_for_mover", "void"),
}


def test_the_rulebook_is_complete() -> None:
    assert list(BOOK.clauses) == [f"HX-{n:02}" for n in range(1, 35)]
    assert {name: reading.values for name, reading in BOOK.options.items()} == OPTIONS
    assert {p.name: p.default for p in BOOK.parameters} == Params().as_dict()
    assert all(len(c.pointer.split()) <= 8 for c in BOOK.clauses.values())
    for reading in BOOK.readings.values():
        assert all(meaning.endswith(".") for meaning in reading.meaning.values())
        for claim in re.findall(r"HC-\d\d\w?", f"{reading.decided} {reading.why}"):
            assert claim in BOOK.claims


def test_the_rulebook_is_plain_text() -> None:
    lines = read_resource(GAME.rulebook_file).splitlines()
    assert max(map(len, lines)) <= 120
    assert all(line == line.rstrip() for line in lines)


def test_the_engine_names_only_clauses_of_the_rulebook() -> None:
    source = Path(engine_module.__file__).read_text(encoding="utf-8")
    named = set(re.findall(r"\"(HX-\w+)\"", source))
    assert len(named) > 10
    assert named <= set(BOOK.clauses)


# -- The board ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("radius", "points", "rim", "pairs"), [(1, 7, 6, 12), (2, 19, 12, 42), (3, 37, 18, 90)])
def test_the_board(radius: int, points: int, rim: int, pairs: int) -> None:
    """HC-01, and the same for the other sizes."""
    rules = engine({"radius": str(radius)})
    assert len(rules.params.names) == points
    assert len(rules.perimeter) == rim
    assert sum(map(len, rules.neighbours.values())) == 2 * pairs
    assert max(map(len, rules.ways.values())) == 2 * radius


def test_names_and_neighbours() -> None:
    rules, names = engine(), PRINTED.names
    near = {names[p]: {names[q] for q in found} for p, found in rules.neighbours.items()}
    assert near["a1"] == {"a2", "b1", "b2"}
    assert near["b4"] == {"a3", "b3", "c4", "c5"}
    assert near["c3"] == {"b2", "b3", "c2", "c4", "d2", "d3"}
    assert near["d1"] == {"c1", "c2", "d2", "e1"}


# -- Single turns -------------------------------------------------------------------------------------------

SLIDERS = "A a1:A1 b3:B1 c1:A2 c4:B2 e1:A3"
REFUSED = [  # position, turn, clause
    (SLIDERS, "B1@a2", "HX-09"),
    ("A hands=0,5,5/5,5,5 groups=1/0", "A1@a2", "HX-09"),
    (SLIDERS, "A1@c3", "HX-11"),
    (SLIDERS, "A1@a1", "HX-14"),
    (SLIDERS, "b3-b2", "HX-10"),
    (SLIDERS, "b2-b1", "HX-10"),
    (SLIDERS, "a1-b3", "HX-13"),
    (SLIDERS, "a1-a1", "HX-13"),
    (SLIDERS, "a1-a3", "HX-19"),
    (SLIDERS, "c1-a3", "HX-13"),
    (SLIDERS, "c1-c4", "HX-20"),
    (SLIDERS, "e1-a2", "HX-13"),
    (SLIDERS, "e1-a3", "HX-18"),
    ("A b1:A3 b2:B1", "b1-b2", "HX-18"),
    ("A b1:A3 b2:B1", "b1-b3", "HX-18"),
    ("A a1:A1 b1:A1", "a1-b1", "HX-18"),
    ("A c1:A3 c3:B2", "c1xc3", "HX-13"),
    ("A c1:A3 c3:B2", "c1xc2", "HX-13"),
    ("A c1:A3 c3:B2", "c1xc1", "HX-13"),
    ("A c1:A3 c2:B2", "c2xc1", "HX-10"),
    ("A c1:A3 c2:B2", "d1xc1", "HX-10"),
    ("A c1:A3 c2:B1", "c1xc2", "HX-22"),
    ("A c1:A3 c2:B3", "c1xc2", "HX-22"),
    ("A c1:A2 c2:B3", "c1xc2", "HX-23"),
    ("A c1:A2 c2:A2", "c1xc2", "HX-23"),
    ("A c1:A1 c2:B2", "c1xc2", "HX-24"),
    ("A c1:A1 c2:A1", "c1xc2", "HX-24"),
    ("A", "pass", "HX-16"),
    ("A a1:A1 a2:A2 a3:A3 b4:A1 d4:A2 e3:A1", "A1@c5", "HX-31"),
    ("A a1:A1 a2:A2 a3:A3 b4:A1 c2:A2 d4:A1", "c2-c4", "HX-31"),
    ("B hands=0,0,0/5,5,5 groups=3/0", "B1@a1", "HX-32"),
    ("B hands=0,0,0/5,5,5 groups=3/0", "pass", "HX-32"),
]


@pytest.mark.parametrize(("position", "move", "clause"), REFUSED)
def test_refused_turns_name_the_clause(position: str, move: str, clause: str) -> None:
    rules = engine()
    assert broken(rules, position, move) == clause
    assert turn(move) not in rules.moves(at(position))
    with pytest.raises(InputError, match=f"the turn {move} is illegal: {clause}, "):
        rules.play(at(position), turn(move))


PLAYED = [  # position, turn, result
    ("A", "A2@c5", "B c5:A2"),
    ("A a1:A1", "a1-b2", "B b2:A1"),
    ("A c1:A2", "c1-c3", "B c3:A2"),
    ("A c1:A3", "c1-c5", "B c5:A3"),
    ("A c1:A3 c2:B2", "c1xc2", "B c1:B2 c2:A3"),
    ("A c1:A2 c2:B1", "c1xc2", "B c1:B1 c2:A2"),
    ("A c1:A1 c2:B3", "c1xc2", "B c1:B3 c2:A1"),
    ("A c1:A2 c2:A3", "c1xc2", "B c1:A3 c2:A2"),
    ("A c1:A2 c2:A3", "c2xc1", "B c1:A3 c2:A2"),
    ("A a1:A1 a2:A2 a3:A3 b4:A1 c2:A2", "c2-c4", "B hands=3,3,4/5,5,5 groups=1/0"),
    # A slide may leave and rejoin its own group, and pass by what it would make too large.
    ("A a1:A1 a2:A2 a3:A3 b4:A3", "b4-b1", "B a1:A1 a2:A2 a3:A3 b1:A3"),
    ("A a2:A1 b2:A1 b3:A1 c1:A3 d2:A2 d3:A2", "c1-c5", "B a2:A1 b2:A1 b3:A1 c5:A3 d2:A2 d3:A2"),
]


@pytest.mark.parametrize(("position", "move", "result"), PLAYED)
def test_played_turns(position: str, move: str, result: str) -> None:
    rules = engine()
    assert after(rules, position, move) == result
    assert result in map(str, rules.moves(at(position)).values())


def test_turns_go_round_three_players() -> None:
    assert after(engine({"players": "3"}), "A", "A1@a1", "B1@a2", "C1@a3", "A2@e1") == "B a1:A1 a2:B1 a3:C1 e1:A2"


def test_turns_with_one_result_are_listed_once() -> None:
    rules = engine()
    moves = rules.moves(at("A c1:A2 c2:A3"))
    assert len(set(moves.values())) == len(moves)
    assert sum(str(m) in ("c1xc2", "c2xc1") for m in moves) == 1


# -- The readings -------------------------------------------------------------------------------------------

SIZES = ["11", "12", "13", "21", "22", "23", "31", "32", "33"]
DIFFERENT = ["12", "13", "21", "23", "31", "32"]


@pytest.mark.parametrize(
    ("swap", "foe"),
    [("initiator", ["13", "21", "32"]), ("symmetric", DIFFERENT), ("mutual", []), ("any_two", DIFFERENT)],
)
def test_who_exchanges_with_whom(swap: str, foe: list[str]) -> None:
    """HC-04 and HC-05."""
    rules = engine(swap=swap)

    def pairs(first: str, second: str) -> list[str]:
        return [s for s in SIZES if broken(rules, f"A c1:{first}{s[0]} c2:{second}{s[1]}", "c1xc2") == "legal"]

    assert pairs("A", "B") == foe
    assert pairs("A", "A") == DIFFERENT
    assert pairs("B", "B") == (DIFFERENT if swap == "any_two" else [])


def test_under_mutual_the_size_that_objects_is_named() -> None:
    rules = engine(swap="mutual")
    assert broken(rules, "A c1:A3 c2:B2", "c1xc2") == "HX-23"
    assert broken(rules, "A c1:A2 c2:B3", "c1xc2") == "HX-23"
    assert broken(rules, "A c1:A3 c2:B1", "c1xc2") == "HX-22"


FOUR = "A a1:A1 a2:A2 a3:A3 b4:A1"


def test_five_by_placing() -> None:
    """HC-09 under each reading."""
    assert after(engine(), FOUR, "A2@c5") == "B hands=3,3,4/5,5,5 groups=1/0"
    assert broken(engine(place_group="illegal"), FOUR, "A2@c5") == "HX-29"
    assert after(engine(place_group="ignored"), FOUR, "A2@c5") == "B a1:A1 a2:A2 a3:A3 b4:A1 c5:A2"


def test_an_ignored_five_counts_when_a_move_makes_it() -> None:
    rules = engine(place_group="ignored")
    five = "A a1:A1 a2:A2 a3:A3 b4:A1 c5:A2"
    assert broken(rules, five, "A1@d4") == "HX-31"
    assert after(rules, five, "c5-c4") == "B hands=3,3,4/5,5,5 groups=1/0"  # four of them and the one that moved
    assert after(rules, five, "c5xb4") == "B a1:A1 a2:A2 a3:A3 b4:A2 c5:A1"  # an own exchange makes no group
    assert after(rules, five, "c5-d4") == "B a1:A1 a2:A2 a3:A3 b4:A1 d4:A2"


def test_illegal_placing_bars_even_a_win() -> None:
    last = {"groups": "1", "pieces": "5,0,0"}
    rules = engine(last, place_group="illegal")
    assert broken(rules, "A a1:A1 a2:A1 a3:A1 b4:A1", "A1@c5") == "HX-29"


TRANSIT = "A a2:A1 b2:A1 b3:A1 c1:A3 d2:A2 d3:A2"


def test_transit() -> None:
    """On c2, c3 and c4 the large piece would connect three and two."""
    rules = engine(overflow_test="transit")
    assert broken(rules, TRANSIT, "c1-c5") == "HX-31"
    assert broken(rules, TRANSIT, "c1-a1") == "legal"
    assert after(rules, "A a1:A1 a2:A2 a3:A3 b1:A3", "b1-b3") == "B a1:A1 a2:A2 a3:A3 b3:A3"
    assert after(rules, "A b1:A1 b2:A1 c1:A3 d2:A2", "c1-c5") == "B b1:A1 b2:A1 c5:A3 d2:A2"  # five in passing: nothing


def test_transit_does_not_bind_a_winning_slide_if_overflow_is_allowed() -> None:
    """The medium piece makes its three on c5 and passes c4, where it would make four."""
    params = {"group": "3", "groups": "1", "pieces": "5,1,0"}
    position = "A a3:A1 b4:A1 c3:A2 d3:A1"
    assert broken(engine(params), position, "c3-c5") == "legal"
    assert broken(engine(params, overflow_test="transit"), position, "c3-c5") == "HX-31"
    both = engine(params, overflow_test="transit", win_overflow="allowed")
    assert broken(both, position, "c3-c5") == "legal"


def test_overflow_and_winning() -> None:
    """HC-17, and the same when the opponent wins by it."""
    own = BOOK.claims["HC-17"].data["position"]
    assert broken(engine(), own, "c4xd3") == "HX-31"
    rules = engine(win_overflow="allowed")
    assert rules.winner(at(after(rules, own, "c4xd3"))) == "A"
    foe = "A a1:B1 a2:B2 a3:B3 b4:B1 c4:A3 d1:A1 d2:A2 d3:B2 e1:A3 e2:A1 e3:A2 hands=3,3,3/0,0,0 groups=0/2"
    assert broken(engine(), foe, "c4xd3") == "HX-31"
    assert rules.winner(at(after(rules, foe, "c4xd3"))) == "B"
    no_win = foe.replace("hands=3,3,3/0,0,0 groups=0/2", "").strip()
    assert broken(rules, no_win, "c4xd3") == "HX-31"


GIVES = BOOK.claims["HC-06"].data["position"]


def test_gifts() -> None:
    """HC-06 under each reading: the five leave in any case."""
    assert after(engine(), GIVES, "c4xd3") == "B d3:A3 hands=5,5,4/3,3,4 groups=0/1"
    assert after(engine(gift="counts_for_mover"), GIVES, "c4xd3") == "B d3:A3 hands=5,5,4/3,3,4 groups=1/0"
    assert after(engine(gift="void"), GIVES, "c4xd3") == "B d3:A3 hands=5,5,4/3,3,4 groups=0/0"
    assert broken(engine(swap="mutual"), GIVES, "c4xd3") == "HX-23"


BOTH = BOOK.claims["HC-11"].data["position"]


@pytest.mark.parametrize(
    ("gift", "groups"), [("counts_for_colour", "3/3"), ("counts_for_mover", "3/2"), ("void", "3/2")]
)
def test_both_last_groups_at_once(gift: str, groups: str) -> None:
    """HC-11: the mover wins. Two groups for the mover still count only to the number that wins."""
    rules = engine(gift=gift)
    result = after(rules, BOTH, "c4xd3")
    assert result.endswith(f"groups={groups}")
    assert rules.winner(at(result)) == "A"
    assert rules.moves(at(result)) == {}


def test_the_last_group_stays_or_goes() -> None:
    assert after(engine(), BOTH, "c4xd3").count(":") == 10
    assert after(engine(final_group="remove"), BOTH, "c4xd3") == "B hands=0,0,0/0,0,0 groups=3/3"
    # Nothing at all leaves with the last turn, not even another five.
    first = BOTH.replace("hands=0,0,0/0,0,0 groups=2/2", "hands=0,0,0/3,3,4 groups=2/0")
    assert after(engine(), first, "c4xd3").count(":") == 10
    assert after(engine(), first, "c4xd3").endswith("groups=3/1")


def test_giving_the_last_group_loses() -> None:
    """HC-18."""
    rules = engine()
    assert rules.winner(at(after(rules, BOOK.claims["HC-18"].data["position"], "c4xd3"))) == "B"


def test_two_opponents_at_once() -> None:
    """Only under any_two, with three players: the one whose turn comes first wins."""
    params = {"players": "3", "radius": "1", "group": "2", "groups": "1", "pieces": "1,0,1"}
    rules = engine(params, swap="any_two")
    result = after(rules, "A a1:C1 a2:B1 b3:C3 c2:B3", "a2xb3")
    assert result.endswith("groups=0/1/1")
    assert rules.winner(at(result, params)) == "B"


# -- Having nothing to do -----------------------------------------------------------------------------------


def test_who_only_can_place_must_place_or_may_pass() -> None:
    assert broken(engine(), "A", "pass") == "HX-16"
    free = engine(allowed_move="displacement")
    assert broken(free, "A", "pass") == "legal"
    assert len(free.moves(free.start())) == 37
    assert broken(free, "A a1:A1", "pass") == "HX-16"
    assert broken(free, "A a1:B1", "pass") == "legal"


@pytest.mark.parametrize("swap", OPTIONS["swap"])
@pytest.mark.parametrize("place_group", OPTIONS["place_group"])
def test_nobody_has_anything_to_do(swap: str, place_group: str) -> None:
    """HC-12b, reached by play, and there turns are lost for ever."""
    rules = engine(swap=swap, place_group=place_group)
    data = BOOK.claims["HC-12b"].data
    assert after(rules, "A", *data["line"]) == data["position"]
    assert after(rules, data["position"], "pass", "pass") == data["position"]
    for player in "AB":
        assert list(rules.moves(replace(at(data["position"]), mover=player))) == [PASS]


@pytest.mark.parametrize(("swap", "turns"), [("initiator", 1), ("symmetric", 7), ("mutual", 1), ("any_two", 12)])
def test_one_player_has_nothing_to_do(swap: str, turns: int) -> None:
    """HC-12."""
    position = at(BOOK.claims["HC-12"].data["position"])
    moves = engine(swap=swap).moves(position)
    assert len(moves) == turns
    assert (PASS in moves) == (turns == 1)
    assert len(engine(swap=swap).moves(replace(position, mover="B"))) > 1


# -- Other claims about one position ------------------------------------------------------------------------


def test_four_and_two_are_not_joined() -> None:
    """HC-08."""
    data = BOOK.claims["HC-08"].data
    moves = [str(m) for m in engine().moves(at(data["position"]))]
    assert moves
    assert not any(m.endswith("@c5") for m in moves)


def test_an_own_exchange_is_a_waiting_turn() -> None:
    """HC-13."""
    assert after(engine(), "A a1:A1 a2:A2 a3:A3", "a3xa2") == "B a1:A1 a2:A3 a3:A2"
    assert after(engine(), "A a1:A1 a2:A2 a3:A3", "a3xa2", "B1@e1", "a2xa3") == "B a1:A1 a2:A2 a3:A3 e1:B1"


@pytest.mark.parametrize(("swap", "answer"), [("initiator", "HX-23"), ("symmetric", "legal"), ("any_two", "legal")])
def test_taking_an_exchange_back(swap: str, answer: str) -> None:
    """HC-14."""
    rules = engine(swap=swap)
    assert broken(rules, after(rules, "A c1:A3 c2:B2", "c1xc2"), "c1xc2") == answer


def test_the_fifth_piece_on_different_points() -> None:
    """HC-15: one result, so one turn; apart if the five stay."""
    assert after(engine(), FOUR, "A2@b1") == after(engine(), FOUR, "A2@c5")
    moves = [str(m) for m in engine().moves(at(FOUR))]
    assert "A2@b1" in moves
    assert "A2@c5" not in moves
    assert {"A2@b1", "A2@c5"} <= {str(m) for m in engine(place_group="ignored").moves(at(FOUR))}


def test_the_shortest_game() -> None:
    """HC-16: 29 placements, and nobody has won before the last."""
    rules, position = engine(), engine().start()
    for move in BOOK.claims["HC-16"].data["line"]:
        assert rules.winner(position) is None
        position = rules.play(position, turn(move))
    assert len(BOOK.claims["HC-16"].data["line"]) == 29
    assert rules.winner(position) == "A"
    assert rules.moves(position) == {}


# -- How much the engine looks at ---------------------------------------------------------------------------


class Watched:
    """A position that notes which points were looked at, and has nothing but the five observations."""

    def __init__(self, position: Position) -> None:
        self.position, self.mover, self.seen = position, position.mover, set[str]()

    def _look(self, point: int) -> None:
        self.seen.add(PRINTED.names[point])

    def empty(self, point: int) -> bool:
        self._look(point)
        return self.position.empty(point)

    def owns(self, colour: str, point: int) -> bool:
        self._look(point)
        return self.position.owns(colour, point)

    def pips(self, point: int) -> int:
        self._look(point)
        return self.position.pips(point)

    def in_hand(self, colour: str, pips: int) -> int:
        return self.position.in_hand(colour, pips)

    def formed(self, colour: str) -> int:
        return self.position.formed(colour)


@pytest.mark.parametrize(
    ("position", "move", "seen"),
    [
        ("A a1:A1", "A1@c3", ""),
        ("A a1:A1", "a1xc3", ""),
        ("A a1:A1", "a1-b2", "a1 a2 b1 b2 b3 c2 c3"),
        ("A a1:A1 a3:A2", "A2@a1", "a1"),
        ("A c1:A3 c3:B1", "c1-c5", "c1 c2 c3"),
        ("A c1:A3 c2:A2", "c1xc2", "c1 c2"),
    ],
)
def test_the_engine_looks_only_where_it_must(position: str, move: str, seen: str) -> None:
    """Proofs by cases are as short as the looks are few."""
    watched: Any = Watched(at(position))
    engine().judge(watched, turn(move))
    assert sorted(watched.seen) == seen.split()


# -- Against the naive counter ------------------------------------------------------------------------------

GAMES: list[tuple[dict[str, str], int]] = [  # parameters, how many positions
    ({}, 25),
    ({"players": "3"}, 15),
    ({"radius": "1", "group": "3", "groups": "2", "pieces": "2,2,2"}, 60),
    ({"radius": "1", "group": "2", "groups": "2", "pieces": "2,1,2", "players": "3"}, 60),
    ({"group": "4", "groups": "2", "pieces": "3,3,3"}, 25),
    ({"radius": "3", "group": "4"}, 5),
]


def _playouts(given: dict[str, str], count: int, plies: int = 5) -> Any:
    """Scattered positions under random readings, and what follows from them, with a liking for groups."""
    rng = random.Random(f"hextris {given}")
    for _ in range(count):
        readings = {name: rng.choice(values) for name, values in OPTIONS.items()}
        rules, plain = engine(given, **readings), naive.game(**given)
        position = at(naive.scatter(rng, plain, late=rng.random() < 0.5), given)
        for _ in range(plies):
            moves = rules.moves(position)
            yield rules, plain, readings, position, moves
            if not moves:
                break
            grouping = [r for r in moves.values() if r.groups != position.groups]
            position = rng.choice(grouping or list(moves.values()))


@pytest.mark.parametrize(("given", "count"), GAMES)
def test_turns_of_scattered_positions(given: dict[str, str], count: int) -> None:
    for rules, plain, readings, position, moves in _playouts(given, count):
        text = str(position)
        assert read_position(rules.params, text) == position
        assert {str(r) for r in moves.values()} == naive.results(plain, readings, text), f"{text}, {readings}"
        assert rules.winner(position) == naive.winner(plain, text), text
        for move, result in moves.items():
            assert rules.play(position, move) == result
            assert read_move(rules.params, str(move)) == move


def test_scattered_positions_reach_what_matters() -> None:
    """Without passes, wins and gifts the comparison would say little."""
    passes = wins = gifts = 0
    for given, count in GAMES[2:4]:
        for rules, _, _, position, moves in _playouts(given, count):
            passes += PASS in moves
            wins += rules.winner(position) is not None
            foes = [i for i, c in enumerate(rules.params.colours) if c != position.mover]
            gifts += any(r.groups[i] > position.groups[i] for r in moves.values() for i in foes)
    assert min(passes, wins, gifts) >= 5, (passes, wins, gifts)


def _counted() -> list[Any]:
    return [
        pytest.param(line.params, line.readings, line.position, line.counts, id=str(line.line))
        for line in read_counts(GAME)
    ]


@pytest.mark.parametrize(("params", "readings", "position", "counts"), _counted())
def test_counts_are_those_of_the_naive_counter(
    params: Mapping[str, str], readings: Mapping[str, str], position: str, counts: Mapping[int, int]
) -> None:
    text = "A" if position == "start" else position
    rules = engine(params, **readings)
    for depth, count in counts.items():
        if depth == 1 or count <= 1000:
            assert naive.perft(naive.game(**params), {**naive.DEFAULTS, **readings}, text, depth) == count
            assert perft(rules, at(text, params), depth) == count


def test_every_reading_is_counted() -> None:
    wanted = {(name, value) for name, values in OPTIONS.items() for value in values[1:]}
    assert wanted <= {pair for line in _counted() for pair in line.values[1].items()}


# -- Pictures -----------------------------------------------------------------------------------------------


def _drawn(text: str, move: str | None = None, params: dict[str, str] | None = None, highlight: Any = ()) -> str:
    asked = None if move is None else turn(move, params)
    return DRAWER.svg(read_params(params or {}), at(text, params), asked, highlight)


def test_text_picture() -> None:
    assert DRAWER.text(PRINTED, at(GIVES)).splitlines() == [
        "A to move",
        "",
        "a      B1  B2  B3",
        "b    .   .   .   B1",
        "c  .   .   .   A3  .",
        "d    .   .   B2  .",
        "e      .   .   .",
        "",
        "A  in hand 5 small, 5 medium, 4 large; 0 of 3 groups",
        "B  in hand 3 small, 3 medium, 4 large; 0 of 3 groups",
    ]


THREE = "B a2:A2 b1:A1 c1:B1 c3:C3 d2:C2 d4:C1 e1:B3 e2:B2"


@pytest.mark.parametrize(("text", "players"), [(GIVES, "2"), (BOTH, "2"), (THREE, "3")])
def test_every_piece_and_point_is_drawn_once(text: str, players: str) -> None:
    labels = [e.text or "" for e in ET.fromstring(_drawn(text, params={"players": players})).iter(f"{SVG}text")]
    assert sorted(x for x in labels if re.fullmatch("[A-C][123]", x)) == sorted(re.findall("[A-C][123]", text))
    assert [x for x in labels if re.fullmatch("[a-e][1-5]", x)] == list(PRINTED.names)


@pytest.mark.parametrize("radius", ["1", "2", "3"])
@pytest.mark.parametrize("move", ["a1xa2", "a1-a2", "A3@a1", "pass", "a1-a1", "a1xa1"])
def test_nothing_lies_outside_the_picture(radius: str, move: str) -> None:
    root = ET.fromstring(_drawn("A a1:A3 a2:B2", move, {"radius": radius, "players": "3"}))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for polygon in root.iter(f"{SVG}polygon"):
        for corner in polygon.attrib["points"].split():
            x, y = map(float, corner.split(","))
            assert 0 <= x <= width
            assert 0 <= y <= height
    for circle in root.iter(f"{SVG}circle"):
        assert float(circle.attrib["r"]) <= float(circle.attrib["cx"]) <= width
        assert float(circle.attrib["r"]) <= float(circle.attrib["cy"]) <= height


def test_moves_have_arrows() -> None:
    """One head for a slide, two for an exchange, a ring and the piece for a placement."""

    def more(move: str, tag: str) -> int:
        drawn, plain = (ET.fromstring(_drawn("A c1:A3 c2:B2", m)) for m in (move, None))
        return len(drawn.findall(f"{SVG}{tag}")) - len(plain.findall(f"{SVG}{tag}"))

    assert more("c1-b1", "polygon") == 1
    assert more("c1xc2", "polygon") == 2
    assert more("A1@e1", "polygon") == 0
    assert (more("A1@e1", "circle"), more("A1@e1", "g")) == (1, 1)
    assert "A passes" in _drawn("A c1:A3 c2:B2", "pass")


def test_colours_differ_without_colour() -> None:
    marks = {}
    for group in ET.fromstring(_drawn(THREE, params={"players": "3"})).iter(f"{SVG}g"):
        label = next((e.text for e in group.iter(f"{SVG}text")), None)
        if label:
            marks[label[0]] = {e.tag.removeprefix(SVG) for e in group} & {"path", "circle"}
    assert marks == {"A": set(), "B": {"path"}, "C": {"circle"}}


def test_pictures_are_accessible_self_contained_and_repeatable() -> None:
    picture = _drawn(GIVES, "c4xd3", highlight=(3, 1))
    assert ET.fromstring(picture)[0].text == f"Hextris: {GIVES}, turn c4xd3"
    assert not re.search(r"href|url\(| id=", picture)
    assert picture.count("http") == 1  # the namespace
    assert picture.count("#fff3c4") == 2
    assert picture == _drawn(GIVES, "c4xd3", highlight=(1, 3))
