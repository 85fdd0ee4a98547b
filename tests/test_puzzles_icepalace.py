"""Puzzles of Ice Palace: what is made is sound, and what is edited is refused with the reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.games.icepalace import GAME, Position
from rulecheck.puzzles.mining import puzzle_of
from rulecheck.puzzles.model import Puzzle
from rulecheck.puzzles.rules import ByConstraints, ByEngine, Rules, rules_of
from rulecheck.puzzles.verify import check
from rulecheck.studies.icepalace.alike import normalised
from rulecheck.studies.icepalace.building_puzzles import builds, by_code, everything, fewer, greatest, used
from rulecheck.studies.icepalace.puzzles import KINDS

PARAMS = GAME.params({})


def rules(how: Any) -> Rules:
    return rules_of(how, GAME.slug, PARAMS.as_dict(), GAME.rulebook.defaults())


def position(text: str) -> Position:
    found: Position = GAME.read_position(PARAMS, text)
    return found


def building(left: str, palace: str = "") -> Position:
    stacks = f" {palace}" if palace else ""
    return position(f"A{stacks} hands=-/-/- bag=000/000/000/000/000 marker=A left={left}")


def puzzle(kind: str, seed: int = 1, unit: int = 0) -> Puzzle:
    found = puzzle_of((GAME.slug, kind, seed, unit))
    assert found is not None
    return found


def edited(found: Puzzle, **changes: Any) -> str:
    """What is said against the puzzle with these things changed by hand."""
    said = json.loads(json.dumps(found.as_json()))
    return check({**said, **changes}).problem


@pytest.fixture(scope="module")
def number() -> Puzzle:
    return puzzle("greatest-number")


def test_every_kind_has_a_name_of_its_own() -> None:
    """A kind is found by its name; a verdict that is edited is refused."""
    names = [kind.name for kind in registry.find(GAME.slug).study.puzzles]
    assert len(set(names)) == len(names) == len(KINDS)
    legal = puzzle("legal-or-not")
    assert edited(legal) == ""
    assert edited(legal, answer=["illegal by IP-99"]).startswith("answer says")


@pytest.mark.parametrize(("left", "palace"), [("A3A3B3C1", ""), ("A1B2C3", "p0,0:A3"), ("A1A2B1", "p0,0:C3B2")])
def test_the_greatest_number_is_that_of_the_longest_build(left: str, palace: str) -> None:
    """Either encoding's number is the length of the longest of all builds that its palace code allows."""
    here = building(left, palace)
    for how in (ByEngine, ByConstraints):
        found = builds(by_code(rules(how)), here, everything)
        assert greatest(rules(how), here) == max(used(here, end) for end in found)
        exact = builds(rules(how), here, everything)
        assert {used(here, end) for end in exact} == {greatest(rules(how), here)}


def test_an_edited_number_is_refused(number: Puzzle) -> None:
    """Another number, another build, another pyramid, a left-out try, a wrong claim of minimality."""
    said = number.as_json()
    assert edited(number) == ""
    assert edited(number, answer=["2"]).startswith("answer says")
    assert edited(number, solution=[said["solution"][0].replace("@p0,-1", "@p0,1", 1)]).startswith("solution says")
    assert edited(number, position=said["position"].replace("left=A1A1", "left=A1A2"))
    assert edited(number, tries=[]).startswith("tries says")
    assert edited(number, minimal="Minimal: nothing is idle.").startswith("minimal says")
    assert edited(number, other_readings={}).startswith("other_readings says")


def test_where_all_can_be_used_or_no_step_wastes_any_there_is_no_puzzle() -> None:
    """The kind refuses what is no question."""
    kind = next(kind for kind in KINDS if kind.name == "greatest-number")
    for here in (building("A1A2A3"), building("A2B3", "p0,0:A3"), building("A1")):
        assert kind.tell(rules(ByEngine), here, "") is None


def test_every_pyramid_is_tried_to_be_taken_away() -> None:
    """What is said of minimality looks at each pyramid of the palace and each different one that is left."""
    here = building("A1A1B2", "p0,0:C3B2 p1,0:B1")
    assert len(list(fewer(rules(ByEngine), here))) == 2 + 3


def test_positions_that_differ_by_a_turn_or_by_seats_are_alike() -> None:
    """Turned, mirrored or with the players moved round, a round is one; of a building alone any colours may change."""
    one = position("A w0,0:A1 w1,0:B2 hands=A2/B1/C3 bag=000/000/000/000/000 marker=A")
    same = position("B w0,0:B1 w0,1:C2 hands=A3/B2/C1 bag=000/000/000/000/000 marker=B")
    other = position("A w0,0:A1 w1,0:C2 hands=A2/B3/C1 bag=000/000/000/000/000 marker=A")
    assert normalised(PARAMS, one) == normalised(PARAMS, same) != normalised(PARAMS, other)
    assert normalised(PARAMS, building("A3B2C1")) == normalised(PARAMS, building("A3B1C2"))
    assert normalised(PARAMS, building("A3B2C1")) != normalised(PARAMS, building("A3B1C1"))
