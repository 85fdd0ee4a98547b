"""Protects: the rules of Ice Palace, clause by clause and reading by reading, and against a second counter."""

from __future__ import annotations

import functools
import random
import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import rulecheck.games.icepalace.engine as engine_module
import rulecheck.games.icepalace.engine_building as building_module
from rulecheck import render
from rulecheck.games.icepalace import GAME, PASS, Params, Position, Structure
from rulecheck.games.icepalace.engine import Engine, Phase
from rulecheck.games.icepalace.engine_building import PalaceCode
from rulecheck.model import InputError
from rulecheck.notation import NotationError
from rulecheck.perft import perft
from rulecheck.pyramids import Pyramid, Stack
from rulecheck.registry import read_resource

sys.path.insert(0, str(Path(__file__).parents[1] / "perft"))
import naive_icepalace as naive  # lives here, what it counted in specs

from rulecheck.contract import brought
from rulecheck.explore import Explored

BOOK = GAME.rulebook
SMALL = {"stash": "2", "hand": "1", "black": "1", "white": "1"}
FLAT = {"stash": "2", "black": "2", "white": "2", "sizes": "12"}
SPENT = "bag=000/000/000/000/000 marker=A"


def engine(readings: dict[str, str] | None = None, params: dict[str, str] | None = None) -> Engine:
    return Engine(GAME.params(params or {}), BOOK.choose(readings or {}))


def opened(text: str, readings: dict[str, str] | None = None) -> tuple[Engine, Position]:
    rules = engine(readings)
    return rules, GAME.read_position(rules.params, text)


def verdict(text: str, move: str, readings: dict[str, str] | None = None) -> str:
    """`legal`, or the clause that the engine names; what is listed and what is judged must agree."""
    rules, position = opened(text, readings)
    asked = GAME.read_move(rules.params, move)
    found = rules.judge(position, asked)
    assert found.legal == (asked in rules.moves(position))
    return found.clauses[0] if found.clauses else "legal"


def played(text: str, moves: list[str], readings: dict[str, str] | None = None) -> str:
    rules, position = opened(text, readings)
    for move in moves:
        position = rules.play(position, GAME.read_move(rules.params, move))
    return str(position)


# -- Parameters, positions, moves ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"player": "3"}, "unknown parameter 'player'; known: players"),
        ({"players": "2"}, "parameter players wants a whole number from 3 to 6, found '2'"),
        ({"stash": "0"}, "parameter stash wants a whole number from 1 to 9, found '0'"),
        ({"hand": "two"}, "parameter hand wants a whole number from 1 to 9, found 'two'"),
        ({"black": "-1"}, "parameter black wants a whole number from 0 to 9, found '-1'"),
        ({"sizes": "31"}, "parameter sizes wants some of the pips 123 in rising order, found '31'"),
        ({"sizes": ""}, "parameter sizes wants some of the pips 123 in rising order, found ''"),
        ({"stash": "1", "black": "0"}, "full hands take 6 pyramids of each size, and this game has only 4"),
    ],
)
def test_bad_parameters(given: dict[str, str], problem: str) -> None:
    with pytest.raises(InputError, match=re.escape(problem)):
        GAME.params(given)


def test_black_and_white_are_as_many_as_the_stash() -> None:
    assert GAME.params({"stash": "4"}) == Params(stash=4, black=4, white=4)
    for given in ({}, SMALL, FLAT, {"players": "6", "white": "0"}):
        assert GAME.params(GAME.params(given).as_dict()) == GAME.params(given)


FULL = "hands=A1A1A2A2A3A3/B1B1B2B2B3B3/C1C1C2C2C3C3 bag=333/333/333/555/555"
BAD_POSITIONS = {
    "unknown player": (f"D {FULL} marker=A", 1, "expected the player to move (A or B or C or -), found 'D'"),
    "unknown colour": (f"B w0,0:D1 hands=-/-/- {SPENT}", 8, "expected a pyramid, a colour (A, B, C, K, W)"),
    "no cell": (f"B x0,0:A1 hands=-/-/- {SPENT}", 3, "expected a cell of the worksite or palace"),
    "minus nothing": (f"B w-0,0:A1 hands=-/-/- {SPENT}", 3, "expected a cell of the worksite or palace"),
    "cell given twice": (f"B w0,0:A1 w0,0:A2 hands=-/-/- {SPENT}", 11, "place w0,0 stands twice"),
    "order of cells": (f"B w1,0:A1 w0,0:A2 hands=-/-/- {SPENT}", 11, "place w0,0 is out of order"),
    "not at 0,0": (f"B w1,0:A1 hands=-/-/- {SPENT}", 3, "the first pyramid of the worksite stands on w0,0"),
    "floating worksite": (f"B w0,0:A1 w2,0:A1 hands=-/-/- {SPENT}", 11, "the stack on w2,0 does not hang together"),
    "floating palace": (f"A p0,0:A1 p3,0:A1 hands=-/-/- {SPENT} left=A1", 11, "p3,0 does not hang together"),
    "worksite upside down": (f"B w0,0:A2B1 hands=-/-/- {SPENT}", 10, "B1 cannot stand on A2 of w0,0, which is not sm"),
    "equal sizes": (f"B w0,0:A2B2 hands=-/-/- {SPENT}", 10, "B2 cannot stand on A2 of w0,0, which is not smaller"),
    "palace upside down": (f"A p0,0:A2B3 hands=-/-/- {SPENT} left=A1", 10, "B3 cannot stand on A2 of p0,0, which is"),
    "black in the palace": (f"A p0,0:A2K1 hands=-/-/- {SPENT} left=A1", 10, "K1 cannot stand in the palace"),
    "white left": (f"A hands=-/-/- {SPENT} left=A1W1", 55, "W1 is not built with, it leaves the game"),
    "two hands": (f"B w0,0:A1 hands=-/- {SPENT}", 17, "expected 3 hands separated by '/'"),
    "hand too large": (f"B w0,0:A1 hands=-/A2B2C2/- {SPENT}", 19, "B holds 3 medium pyramids, a full hand has 2"),
    "hand not in order": (f"B w0,0:A1 hands=-/B2A2/- {SPENT}", 19, "expected a hand in order, A2B2, found 'B2A2'"),
    "bag of another game": ("B w0,0:A1 hands=-/-/- bag=333 marker=A", 27, "expected the bag as AAA/BBB/CCC/KKK/WWW"),
    "too many": (f"B w0,0:A1 {FULL.replace('333', '533', 1)} marker=A", 60, "A1 is there 8 times in all, this"),
    "no bag": ("B w0,0:A1 hands=-/-/- marker=A", 31, "the position lacks bag="),
    "no marker": ("B w0,0:A1 hands=-/-/- bag=000/000/000/000/000", 46, "marker= is missing"),
    "marker of nobody": (f"A {FULL} marker=D", 79, "expected who has the marker (A or B or C), found 'D'"),
    "zero passes": (f"B w0,0:A1 {FULL.replace('333', '233', 1)} marker=A passes=0", 96, "expected passes from 1 to 2"),
    "worksite and building": (f"A w0,0:A1 hands=-/-/- {SPENT} left=A1", 61, "of building, when no worksite stands"),
    "passes and building": (f"A hands=-/-/- {SPENT} passes=1 left=A1", 62, "of building, when nobody passes"),
    "nobody in a round": (f"- w0,0:A1 hands=-/-/- {SPENT}", 1, "somebody is to move while the worksite stands"),
    "nobody with full hands": (f"- {FULL} marker=A", 1, "all hands are full, so somebody is to move"),
    "somebody before the draw": (f"A {FULL.replace('B1B1', 'B1')} marker=A", 1, "before B has drawn a small pyramid"),
    "wrong opener": (f"B {FULL} marker=A", 1, "A has the marker, so after 0 passes A is to move, not B"),
    "odd start": ("- hands=A1/B1/C1 bag=000/000/000/000/000", 9, "before the first player is chosen all hold one own"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "column", "problem"), BAD_POSITIONS.values(), ids=BAD_POSITIONS.keys())
def test_bad_positions(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError, match=re.escape(problem)) as caught:
        GAME.read_position(GAME.params({}), text)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "found an empty line"),
        ("A1", 1, "expected PYRAMID@CELL, pass or done, found 'A1'"),
        ("D1@w0,0", 1, "expected a pyramid, a colour (A, B, C, K, W)"),
        ("A1A2@w0,0", 3, "expected one pyramid, found 'A1A2'"),
        ("A1@w0", 4, "expected a cell of the worksite or palace (w1,0 or p-2,3), found 'w0'"),
        ("A1@w0,1000", 4, "expected a cell of the worksite or palace"),
        ("A1@w0,0 pass", 9, "expected one move, found 'pass' after it"),
    ],
)
def test_bad_moves(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError, match=re.escape(problem)) as caught:
        GAME.read_move(GAME.params({}), text)
    assert caught.value.column == column


def test_moves_are_read_back() -> None:
    for text in ("A2@w1,0", "K3@w-10,7", "B1@p0,-1", "pass", "done"):
        assert str(GAME.read_move(GAME.params({}), text)) == text


def test_canonical_forms() -> None:
    """One value for all translations; one for all turns and mirrorings, which keep what may be placed."""
    rules, text = engine(), "A w0,0:A1 w1,0:A2 w0,1:B3 p0,0:A3 p1,0:A2 p1,1:A1 hands=-/-/- bag=000/000/000/000/000"
    position = GAME.read_position(rules.params, f"{text} marker=A")
    for image in position.worksite.images():
        assert min(i.stacks for i in image.images()) == min(i.stacks for i in position.worksite.images())
        hand = (Pyramid("A", 1), Pyramid("B", 3))
        assert len(list(rules.worksite.placements(image, hand))) == len(
            list(rules.worksite.placements(position.worksite, hand))
        )
    moved = Structure.of({(x + 3, y - 2): stack for (x, y), stack in position.worksite})
    assert moved.shifted() == position.worksite.shifted() == position.worksite
    assert len(set(position.worksite.images())) == 8
    assert GAME.read_position(rules.params, str(position.turned())) == position.turned()
    assert position.turned().turned() == position.turned()


# -- Setting up and drawing ------------------------------------------------------------------------------------


def test_the_start_of_the_printed_game() -> None:
    rules = engine()
    start = rules.start()
    assert str(start) == "- hands=A1A2A3/B1B2B3/C1C2C3 bag=444/444/444/555/555"
    firsts = brought(rules, start)
    assert [first.marker for first in firsts] == ["A", "B", "C"]  # IP-08: a fair lot
    drawn = brought(rules, firsts[1])
    assert len(drawn) == 22  # IP-10: four of each colour, five black, five white of the small ones
    assert (
        Counter(position.hands[0] for position in drawn)[(Pyramid("A", 1), Pyramid("A", 1), *start.hands[0][1:])] == 4
    )
    assert rules.moves(start) == {}
    assert rules.judge(start, PASS).clauses == ("IP-08",)
    assert rules.judge(firsts[0], PASS).clauses == ("IP-37",)


def test_a_deal_gives_full_hands_and_loses_nothing() -> None:
    rules, rng = engine({}, {"players": "4"}), random.Random(4)
    for _ in range(20):
        position, draws = rules.start(), 0
        while chances := brought(rules, position):
            position, draws = rng.choice(chances), draws + 1
        assert draws == 1 + 3 * 4
        assert position.mover == position.marker
        assert all(Counter(q.pips for q in hand) == {1: 2, 2: 2, 3: 2} for hand in position.hands)
        assert all(sum(q.colour == c for q in h) >= 3 for c, h in zip("ABCD", position.hands, strict=True))
        assert sum(map(len, position.hands)) + sum(map(sum, position.bag)) == 90


def test_chance_of_the_praised_hand() -> None:
    """Four of the own colour and two white, by walking through all draws of the first hand: 300 / 22^3."""
    rules = engine()
    layer = {brought(rules, rules.start())[0]: Fraction(1)}
    for _ in range(3):
        following: dict[Position, Fraction] = {}
        for position, weight in layer.items():
            chances = brought(rules, position)
            for after in chances:
                following[after] = following.get(after, Fraction(0)) + weight / len(chances)
        layer = following
    praised = (w for p, w in layer.items() if Counter(q.colour for q in p.hands[0]) == {"A": 4, "W": 2})
    assert sum(praised) == Fraction(300, 22**3)


# -- The worksite, clause by clause ----------------------------------------------------------------------------

HELD = f"hands=A1A3K2W1/A2B1K3W2W3/C1C2C3W1 {SPENT}"
TOWERS = f"B w0,0:K1A2 w1,0:W1 w0,1:A1B3 {HELD}"
OPEN = f"A {FULL} marker=A"
TURNS = [
    (OPEN, "A3@w0,0", {}, "legal"),
    (OPEN, "A3@w1,0", {}, "IP-19"),
    (OPEN, "B1@w0,0", {}, "IP-13"),
    (OPEN, "pass", {}, "IP-12"),
    (OPEN, "pass", {"opening": "may_pass"}, "legal"),
    (OPEN, "A1@p0,0", {}, "IP-26"),
    (OPEN, "done", {}, "IP-26"),
    (TOWERS, "pass", {}, "legal"),
    (TOWERS, "A1@w-1,0", {}, "IP-13"),
    (TOWERS, "K3@w0,0", {}, "legal"),  # black on a stack
    (TOWERS, "K3@w0,0", {"stacking": "player_colours"}, "IP-14"),
    (TOWERS, "K3@w0,0", {"stacking": "player_and_white"}, "IP-14"),
    (TOWERS, "W3@w0,0", {"stacking": "player_and_white"}, "legal"),
    (TOWERS, "W3@w0,0", {"stacking": "player_colours"}, "IP-14"),
    (TOWERS, "W3@w0,1", {}, "IP-15"),
    (TOWERS, "W2@w0,0", {}, "IP-14"),
    (TOWERS, "A2@w5,5", {}, "IP-16"),
    (TOWERS, "A2@w-1,0", {}, "legal"),  # beside A2
    (TOWERS, "A2@w-1,0", {"match": "base"}, "IP-16"),  # beside K1
    (TOWERS, "A2@w-1,0", {"match": "any"}, "legal"),
    (TOWERS, "A2@w-1,0", {"match": "all"}, "IP-16"),
    (TOWERS, "A2@w0,2", {}, "IP-16"),  # beside B3
    (TOWERS, "A2@w0,2", {"match": "base"}, "legal"),  # beside A1
    (TOWERS, "W2@w-1,0", {"match": "base"}, "IP-17"),
    (TOWERS, "W2@w-1,0", {"match": "all"}, "IP-17"),
    (TOWERS, "W2@w2,0", {}, "legal"),  # white beside white
    (TOWERS, "W2@w2,0", {"white_white": "no"}, "IP-18"),
    (TOWERS, "K3@w2,0", {}, "IP-17"),  # black beside white
    (TOWERS, "K3@w0,2", {}, "IP-16"),  # black beside a colour
    (TOWERS, "K3@w-1,0", {"match": "base"}, "IP-17"),  # black beside black
    (TOWERS, "A2@w1,1", {}, "legal"),  # W1 matches, B3 does not
    (TOWERS, "A2@w1,1", {"adjacent": "every_neighbour"}, "IP-16"),
    (TOWERS, "B1@w1,1", {"adjacent": "every_neighbour"}, "legal"),
    (TOWERS, "A2@w-1,-1", {}, "IP-16"),
    (TOWERS, "A2@w-1,-1", {"grid": "king"}, "legal"),
    (f"B w0,0:K1 {HELD}", "A2@w0,0", {}, "legal"),
    (f"B w0,0:K1 {HELD}", "A2@w0,0", {"onto_black": "no"}, "IP-17"),
    (f"B w0,0:K1 {HELD}", "W2@w0,1", {}, "IP-17"),
    (f"B w0,0:W1 w1,0:K2 {HELD}", "W2@w0,1", {"adjacent": "every_neighbour"}, "legal"),
]


@pytest.mark.parametrize(("text", "move", "readings", "expected"), TURNS)
def test_turns(text: str, move: str, readings: dict[str, str], expected: str) -> None:
    assert verdict(text, move, readings) == expected


# -- The end of a round ----------------------------------------------------------------------------------------


def test_passing_round_the_table() -> None:
    """IP-23, IP-26, IP-27: the last to place may place again, and builds when all have passed."""
    text = f"B w0,0:A3 hands=A1A2/B1/C1 {SPENT}"
    assert played(text, ["pass", "pass", "A1@w1,0"]) == f"B w0,0:A3 w1,0:A1 hands=A2/B1/C1 {SPENT}"
    assert played(text, ["pass", "pass", "pass"]) == f"A hands=A1A2/B1/C1 {SPENT} left=A3"
    others = played(text, ["pass", "pass"], {"round_end": "others_pass"})
    assert others == f"A hands=A1A2/B1/C1 {SPENT} left=A3"
    with pytest.raises(InputError, match=r"the move B1@w1,0 is illegal: IP-16, the colours are not the same"):
        played(text, ["B1@w1,0"])


def test_a_round_that_nobody_opens_is_void() -> None:
    for end in ("all_pass", "others_pass"):
        readings = {"opening": "may_pass", "round_end": end}
        assert played(OPEN, ["pass", "pass", "pass"], readings) == f"B {FULL} marker=B"
        assert played(OPEN, ["pass"], readings) == f"B {FULL} marker=A passes=1"
        opened_late = played(OPEN, ["pass", "B1@w0,0"], readings)
        assert opened_late.startswith("C w0,0:B1 hands=A1A1A2A2A3A3/B1B2B2B3B3/")


def test_black_and_white_leave_the_game() -> None:
    """IP-28: with nothing to build the next round follows at once."""
    text = "A w0,0:K2W3 hands=A1A1A2A2A3A3/B1B1B2B2B3/C1C1C2C2C3C3 bag=333/333/333/545/554 marker=C passes=2"
    after = played(text, ["pass"])
    assert after.startswith("- hands=A1A1A2A2A3A3/B1B1B2B2B3/")
    assert after.endswith("bag=333/333/333/545/554 marker=A")


# -- Building --------------------------------------------------------------------------------------------------

PALACE = f"A p0,0:A3B2 p1,0:B3 p0,1:B3C2 hands=A2/-/- {SPENT}"
UNUSABLE = f"A hands=A2/B2/C2 {SPENT} left=A1A1B2C2"
STEPS = [
    (f"{PALACE} left=A1B1C1", "A1@p0,0", {}, "legal"),
    (f"{PALACE} left=A1B1C1", "A1@p0,0", {"palace_stack": "same_colour"}, "IP-30"),
    (f"{PALACE} left=A2B1C1", "A2@p0,0", {}, "IP-30"),
    (f"{PALACE} left=A1B1C1", "B1@p-1,0", {}, "legal"),
    (f"{PALACE} left=A1B1C1", "B1@p-1,1", {}, "IP-31"),
    (f"{PALACE} left=A1B1C1", "C1@p-1,0", {}, "IP-31"),
    (f"{PALACE} left=A1B1C1", "B1@p1,1", {}, "legal"),
    (f"{PALACE} left=A1B1C1", "B1@p1,1", {"palace_adjacent": "every_neighbour"}, "IP-31"),
    (f"{PALACE} left=A1B1C1", "B1@p-1,1", {"palace_island": "yes"}, "IP-31"),
    (f"{PALACE} left=A1B1C1", "A1@p3,0", {"palace_island": "yes"}, "legal"),
    (f"{PALACE} left=A1B1C1", "A1@p4,0", {"palace_island": "yes"}, "IP-31"),
    (f"{PALACE} left=A1B1C1", "A1@p-1,-1", {"palace_island": "yes"}, "legal"),
    (f"{PALACE} left=A1B1C1", "A1@p-1,-1", {"palace_island": "yes", "grid": "king"}, "IP-31"),
    (f"{PALACE} left=A1B1C1", "B1@p2,1", {"grid": "king"}, "legal"),
    (f"{PALACE} left=A1B1C1", "C3@p0,0", {}, "IP-29"),
    (f"{PALACE} left=A1B1C1", "A2@w0,0", {}, "IP-29"),
    (f"{PALACE} left=A1B1C1", "pass", {}, "IP-29"),
    (f"{PALACE} left=A1B1C1", "done", {}, "IP-34"),
    (f"{PALACE} left=A1B1C1", "done", {"max_number": "maximal"}, "IP-34"),
    (f"{PALACE} left=A1B1C1", "done", {"max_number": "agreed"}, "legal"),
    (f"A p0,0:A2 hands=A2/-/- {SPENT} left=A1B1", "B1@p0,0", {}, "IP-33"),  # A1 must come first, or elsewhere
    (UNUSABLE, "A1@p0,0", {}, "IP-34"),
    (UNUSABLE, "A1@p0,0", {"max_number": "maximal"}, "legal"),
    (UNUSABLE, "B2@p0,0", {}, "legal"),
    (UNUSABLE, "B2@p0,1", {}, "IP-19"),
    (UNUSABLE, "B2@p0,0", {"palace_first": "literal"}, "IP-31"),
    (UNUSABLE, "B2@p0,0", {"palace_first": "literal", "palace_island": "yes"}, "legal"),
]


@pytest.mark.parametrize(("text", "move", "readings", "expected"), STEPS)
def test_steps(text: str, move: str, readings: dict[str, str], expected: str) -> None:
    assert verdict(text, move, readings) == expected


def test_what_cannot_be_used_leaves_the_game() -> None:
    """IP-34, IP-35: three of four, whichever way; the last step ends the building and here the game."""
    rules, position = opened(UNUSABLE)
    assert rules.greatest_number(position) == 3
    after = played(UNUSABLE, ["C2@p0,0", "A1@p0,0", "A1@p0,1"])
    assert after == "- p0,0:C2A1 p0,1:A1 hands=A2/B2/C2 bag=000/000/000/000/000 marker=B"
    assert rules.winner(GAME.read_position(rules.params, after)) == "A"
    assert rules.judge(GAME.read_position(rules.params, after), PASS).clauses == ("IP-39",)


def test_the_table_may_settle_for_nothing() -> None:
    done = played(UNUSABLE, ["done"], {"max_number": "agreed"})
    assert done == "- hands=A2/B2/C2 bag=000/000/000/000/000 marker=B"
    rules, position = opened(done)
    assert rules.winner(position) == "ABC"  # IP-41: nobody has a point, so all share


@pytest.mark.parametrize(("bag", "refill", "after"), [("300/100", "total", "C"), ("300/100", "per_size", "-")])
def test_a_bag_that_lacks_a_size(bag: str, refill: str, after: str) -> None:
    """Enough in all, but no large one: by size the game is over, in total it goes on with a short hand."""
    hands = "hands=A1A1A2A2A3A3/B1B1B2B2B3/C1C1C2C2C3C3"
    text = f"B {hands} bag={bag}/000/000/000 marker=B left=B3"
    assert played(text, ["B3@p0,0"], {"refill": refill}) == f"{after} p0,0:B3 {hands} bag={bag}/000/000/000 marker=C"


def test_a_bag_that_is_just_enough() -> None:
    """IP-39: the bag is empty then, and a last round is played."""
    hands, bag = "hands=A1A1A2A2A3A3/B1B1B2B2B3/C1C1C2C2C3C3", "001/000/000/000/000"
    rules, position = opened(played(f"B {hands} bag={bag} marker=B left=B3", ["B3@p0,0"]))
    (drawn,) = brought(rules, position)
    assert rules.phase(drawn) is Phase.ROUND
    assert str(drawn) == ("C p0,0:B3 hands=A1A1A2A2A3A3/A3B1B1B2B2B3/C1C1C2C2C3C3 bag=000/000/000/000/000 marker=C")


def test_nobody_to_move_where_somebody_should() -> None:
    rules, position = opened(
        "- hands=A1A1A2A2A3A3/B1B1B2B2B3/C1C1C2C2C3C3 bag=300/100/000/000/000 marker=B", {"refill": "total"}
    )
    with pytest.raises(InputError, match="nobody is to move in this position"):
        rules.moves(position)


def test_scores() -> None:
    rules, position = opened("- p-1,0:A1 p0,0:C3B2A1 p1,0:B3B1 hands=-/-/- bag=000/000/000/000/000 marker=B")
    assert rules.score(position.palace) == {"A": 4, "B": 2, "C": 0}
    assert rules.winner(position) == "A"
    rules, position = opened("- p0,0:C3A2 p1,0:A3C1 hands=-/-/- bag=000/000/000/000/000 marker=B")
    assert rules.winner(position) == "AC"  # a shared win


# -- Against the second counter --------------------------------------------------------------------------------


def compare(params: dict[str, str], readings: dict[str, str], seed: int, plies: int) -> Counter[Phase]:
    """Random play: what chance and players can do must be what the naive rules say, line by line."""
    rules, rng, met = engine(readings, params), random.Random(seed), Counter[Phase]()
    given: dict[str, Any] = {"hand": rules.params.hand, "sizes": "".join(map(str, rules.params.sizes)), **readings}
    position = rules.start()
    while met[Phase.ROUND] + met[Phase.BUILDING] < plies:
        met[rules.phase(position)] += 1
        chances, moves = brought(rules, position), rules.moves(position)
        assert sorted(map(str, chances)) == sorted(naive.draws(str(position), **given)), str(position)
        if len(position.left) < 3:  # more takes the naive search too long
            assert sorted(map(str, moves.values())) == sorted(naive.results(str(position), **given)), str(position)
        assert (rules.winner(position) is None) == bool(chances or moves)
        assert GAME.read_position(rules.params, str(position)) == position
        pass_on = PASS in moves and rng.random() < 0.4
        position = moves[PASS] if pass_on else rng.choice([*chances, *moves.values()] or [rules.start()])
    return met


def test_play_by_default_readings() -> None:
    assert set(compare(SMALL, {}, 1, 250)) == set(Phase)


CHANGES = [{name: value} for name, reading in BOOK.options.items() for value in reading.values[1:]]


@pytest.mark.parametrize("readings", CHANGES, ids=lambda change: "=".join(next(iter(change.items()))))
def test_play_by_each_reading(readings: dict[str, str]) -> None:
    met = compare(SMALL, readings, 3, 40)
    assert met[Phase.ROUND] > 15
    assert met[Phase.BUILDING] > 0 or "palace_first" in readings


def _mixed(seed: int) -> dict[str, str]:
    rng = random.Random(seed)
    return {name: rng.choice(reading.values) for name, reading in BOOK.options.items()}


@pytest.mark.parametrize("seed", range(8))
def test_play_by_mixed_readings(seed: int) -> None:
    assert compare(FLAT if seed % 2 else SMALL, _mixed(seed), seed, 20)[Phase.ROUND] > 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8, 40))
def test_longer_play_by_mixed_readings(seed: int) -> None:
    assert compare(FLAT if seed % 2 else SMALL, _mixed(seed), seed, 60)[Phase.ROUND] > 20


def scattered(rng: random.Random) -> tuple[naive.Site, list[str]]:
    """A crowded palace, often walled in by another colour, so that room beside stacks is scarce."""
    side, colours = rng.choice([2, 3, 3, 4]), rng.choice(["AB", "ABC"])
    cells = [(x, y) for x in range(side) for y in range(side)]
    site = {
        cell: [f"{rng.choice(colours)}{size}" for size in sorted(rng.sample([1, 2, 3], rng.choice([1, 1, 2])))[::-1]]
        for cell in cells
        if rng.random() < 0.8 or cell == (0, 0)
    }
    if rng.random() < 0.7:
        wall = [(x, y) for x in range(-1, side + 1) for y in range(-1, side + 1) if (x, y) not in cells]
        site |= {cell: ["D1"] for cell in wall if rng.random() < 0.97}
    return site, sorted(f"{rng.choice(colours)}{rng.choice([1, 2, 3])}" for _ in range(rng.choice([1, 2, 2, 3])))


def _pyramids(names: list[str]) -> Stack:
    return tuple(Pyramid(name[0], int(name[1])) for name in names)


def greatest_numbers(seed: int, count: int) -> tuple[int, int]:
    """Compare with the naive search; how often not everything fits, and how often the bound is too high."""
    rng, short, beyond = random.Random(seed), 0, 0
    for _ in range(count):
        readings = {
            "palace_adjacent": rng.choice(["some_neighbour", "every_neighbour"]),
            "palace_stack": rng.choice(["any_colour", "any_colour", "same_colour"]),
            "grid": rng.choice(["orthogonal", "king"]),
        }
        site, left = scattered(rng)
        code, held = PalaceCode(BOOK.choose(readings)), _pyramids(left)
        palace = Structure.of({cell: _pyramids(stack) for cell, stack in site.items()})
        number = code.greatest_number(palace, held)
        assert number == naive.greatest(site, left, {**naive.PLAIN, **readings}), (site, left, readings)
        short, beyond = short + (number < len(left)), beyond + (number < code.bound(palace, held))
    return short, beyond


def test_greatest_numbers() -> None:
    short, beyond = greatest_numbers(1, 250)
    assert short > 50
    assert beyond > 20  # else the bound alone would have done, and the search would not be tested


@pytest.mark.slow
def test_more_greatest_numbers() -> None:
    greatest_numbers(2, 4000)


GROWTH = [  # site, pyramids, readings, how many structures of 1, 2 ... pyramids up to translation
    ("w", "A1A1A1A1A1", {}, [1, 2, 6, 19, 63]),  # the fixed polyominoes
    ("p", "A1A1A1A1A1", {}, [1, 2, 6, 19, 63]),
    ("w", "A1A1A1A1", {"grid": "king"}, [1, 4, 20, 110]),  # the fixed polyplets
    ("w", "A1A2B2K1W1", {}, [5, 22, 100, 284]),
    ("p", "A3A2A1B3B1", {}, [5, 24, 100, 292]),
    ("p", "A1B1C1", {"palace_island": "yes"}, [3, 60, 780]),
]


@pytest.mark.parametrize(("site", "names", "readings", "expected"), GROWTH)
def test_growth(site: str, names: str, readings: dict[str, str], expected: list[int]) -> None:
    """Counted by both; equal pyramids side by side are the polyominoes, whose numbers are well known."""
    assert naive.growth(site, names, len(expected), **readings) == expected
    rules = engine(readings)
    layer, counts = {(Structure(), _pyramids(naive.pieces(names)))}, []
    for _ in expected:
        following = set()
        for grown, rest in layer:
            steps = rules.worksite.placements(grown, rest) if site == "w" else rules.palace.steps(grown, rest)
            for pyramid, cell in steps:
                at = rest.index(pyramid)
                following.add((grown.put(pyramid, cell).shifted(), rest[:at] + rest[at + 1 :]))
        layer = following
        counts.append(len(layer))
    assert counts == expected


def test_a_whole_small_game() -> None:
    """Three players with a small pyramid each: the opener places, all pass, the opener builds; one way for each."""
    rules = engine({}, {"stash": "1", "hand": "1", "black": "0", "white": "0", "sizes": "1"})
    counts = [perft(rules, rules.start(), depth) for depth in range(7)]
    assert counts == [naive.count(str(rules.start()), depth, 1, "1") for depth in range(7)] == [1, 3, 3, 3, 3, 3, 0]


@pytest.mark.slow
def test_printed_games_come_to_an_end() -> None:
    for seed in range(3):
        rules, rng = engine(), random.Random(seed)
        position = rules.start()
        while following := brought(rules, position) or tuple(rules.moves(position).values()):
            position = rng.choice(following)
        points = rules.score(position.palace)
        assert sum(points.values()) == len(position.palace.pyramids)
        assert set(rules.winner(position) or "") == {c for c in points if points[c] == max(points.values())}


# -- The rulebook ----------------------------------------------------------------------------------------------


def test_rulebook_is_complete_and_in_order() -> None:
    assert list(BOOK.clauses) == [f"IP-{n:02}" for n in range(1, 42)]
    assert list(BOOK.readings) == [f"IR-{n:02}" for n in range(1, 35)]
    assert {name: reading.values for name, reading in BOOK.options.items()} == {
        "stacking": ("any_colour", "player_colours", "player_and_white"),
        "onto_black": ("yes", "no"),
        "match": ("top", "base", "any", "all"),
        "adjacent": ("some_neighbour", "every_neighbour"),
        "white_white": ("match", "no"),
        "grid": ("orthogonal", "king"),
        "opening": ("must_place", "may_pass"),
        "round_end": ("all_pass", "others_pass"),
        "palace_first": ("free", "literal"),
        "palace_island": ("no", "yes"),
        "palace_adjacent": ("some_neighbour", "every_neighbour"),
        "palace_stack": ("any_colour", "same_colour"),
        "max_number": ("exact", "maximal", "agreed"),
        "refill": ("per_size", "total"),
        "empty_round": ("void", "same_opener"),
        "tie": ("shared", "undecided"),
        "draw_order": ("seats", "marker"),
    }
    assert {p.name: p.default for p in BOOK.parameters} == Params().as_dict()
    assert all(len(clause.pointer.split()) <= 8 for clause in BOOK.clauses.values())


def test_engine_names_only_clauses_of_the_rulebook() -> None:
    named = set()
    for module in (engine_module, building_module):
        named |= set(re.findall(r"\"(IP-\w+)\"", Path(module.__file__ or "").read_text(encoding="utf-8")))
    assert len(named) > 10
    assert named <= set(BOOK.clauses)


def test_rulebook_text_is_plain() -> None:
    lines = read_resource(GAME.rulebook_file).splitlines()
    assert max(map(len, lines)) <= 120
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("claim", BOOK.claims.values(), ids=lambda claim: claim.id)
def test_claims_are_in_our_notation(claim: Any) -> None:
    data, params = claim.data, GAME.params(claim.data.get("params", {}))
    positions = [data[key] for key in ("position", "result") if key in data] + list(data.get("positions", []))
    for text in positions:
        assert str(GAME.read_position(params, text)) == text
    for text in data.get("moves", []):
        assert str(GAME.read_move(params, text)) == text


@pytest.mark.parametrize("claim", [c for c in BOOK.claims.values() if c.check == "plays"], ids=lambda claim: claim.id)
def test_claims_of_play_hold_by_default(claim: Any) -> None:
    assert played(claim.data["position"], claim.data["moves"]) == claim.data["result"]


# -- Pictures --------------------------------------------------------------------------------------------------

SHOWN = (
    "B w0,0:A1B3 w1,0:A2 w2,0:A1C2 w1,1:W1K2A3 p0,-1:C2 p-1,0:A1 p0,0:C3B2A1 p1,0:B3B1 "
    "hands=A1A2A3B1K2W3/B1B2C2C3/- bag=011/110/111/322/222 marker=A passes=1"
)
SVG = "{http://www.w3.org/2000/svg}"


def _drawn(text: str, move: str | None = None, highlight: tuple[str, ...] = ()) -> str:
    params = GAME.params({})
    asked = None if move is None else GAME.read_move(params, move)
    return render.svg(GAME, params, GAME.read_position(params, text), asked, highlight)


@pytest.mark.parametrize("text", [SHOWN, UNUSABLE, OPEN])
def test_every_pyramid_is_drawn_once(text: str) -> None:
    pieces = sorted(re.findall("[ABCKW][123]", re.sub("bag=[0-9/]+", "", text)))
    shown = render.text(GAME, GAME.params({}), GAME.read_position(GAME.params({}), text))
    assert sorted(re.findall("[ABCKW][123]", shown)) == pieces
    labels = [e.text or "" for e in ET.fromstring(_drawn(text)).iter(f"{SVG}text")]
    assert sorted(label for label in labels if re.fullmatch("[ABCKW][123]", label)) == pieces


def test_why_nobody_is_to_move() -> None:
    """Drawing has no engine to ask: the picture goes by the marker, the hands and the bag."""
    params = GAME.params({})
    chosen, drawn, over = (
        render.text(GAME, params, GAME.read_position(params, text)).splitlines()[0]
        for text in (
            "- hands=A1A2A3/B1B2B3/C1C2C3 bag=444/444/444/555/555",
            "- hands=A1A2A3/B1B2B3/C1C2C3 bag=444/444/444/555/555 marker=B",
            "- hands=A1A2A3/B1B2B3/C1C2C3 bag=000/000/000/000/000 marker=B",
        )
    )
    assert chosen == "the first player is chosen"
    assert drawn == "pyramids are drawn, marker at B"
    assert over == "the game is over, marker at B"


def test_text_picture() -> None:
    params = GAME.params({})
    assert render.text(GAME, params, GAME.read_position(params, SHOWN)).splitlines() == [
        "B to move, marker at A, passes in a row: 1",
        "",
        "Worksite",
        "   1    .     W1K2A3    .",
        "   0   A1B3     A2     A1C2",
        "        0       1       2",
        "",
        "Palace",
        "   0    A1    C3B2A1   B3B1",
        "  -1    .       C2      .",
        "        -1      0       1",
        "",
        "hand of A: A1 A2 A3 B1 K2 W3",
        "hand of B: B1 B2 C2 C3",
        "hand of C: empty",
        "bag (small-medium-large): A 0-1-1, B 1-1-0, C 1-1-1, K 3-2-2, W 2-2-2",
    ]


@pytest.mark.parametrize("move", [None, "C3@w2,0", "B2@w5,-3", "B1@p-4,2", "pass", "done"])
def test_nothing_lies_outside_the_picture(move: str | None) -> None:
    picture = _drawn(SHOWN, move, ("w1,0", "p3,3"))
    root = ET.fromstring(picture)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for part in root.iter(f"{SVG}rect"):
        x, y = float(part.attrib.get("x", 0)), float(part.attrib.get("y", 0))
        assert x >= 0
        assert y >= 0
        assert x + float(part.attrib["width"]) <= width
        assert y + float(part.attrib["height"]) <= height
    assert picture.count("#fff3c4") == 2
    assert root[0].text == f"Ice Palace: {SHOWN}" + (f", move {move}" if move else "")
    assert picture == _drawn(SHOWN, move, ("p3,3", "w1,0"))
    assert "href" not in picture


def test_a_move_shows_the_stack_it_makes() -> None:
    labels = Counter(e.text for e in ET.fromstring(_drawn(SHOWN, "C3@w2,0")).iter(f"{SVG}text"))
    plain = Counter(e.text for e in ET.fromstring(_drawn(SHOWN)).iter(f"{SVG}text"))
    assert labels - plain == {"C3": 1, "A1": 1, "C2": 1}
    assert "pass" in {e.text for e in ET.fromstring(_drawn(SHOWN, "pass")).iter(f"{SVG}text")}


def test_play_can_be_explored_up_to_turns_and_mirrors() -> None:
    """Who is to act is the same in all positions that are called alike, so small rounds can be solved."""
    rules, here = opened(f"A w0,0:C2 hands=A3/B3/C3 {SPENT}")
    read = functools.partial(GAME.read_position, rules.params)
    alike = GAME.hints.normaliser(rules.params)
    whole, folded = (Explored(rules, read, begin=here, alike=kept, limit=5_000) for kept in (None, alike))
    assert len(folded) < len(whole)
