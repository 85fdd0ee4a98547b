"""Puzzles of Ice Palace: what is made is sound, and what is edited is refused with the reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.games.icepalace import GAME, Position
from rulecheck.games.icepalace.alike import normalised
from rulecheck.games.icepalace.puzzles.building import builds, by_code, everything, fewer, greatest, used
from rulecheck.games.icepalace.puzzles.forcing import Round
from rulecheck.games.icepalace.puzzles.forcing import fewer as fewer_in_round
from rulecheck.games.icepalace.puzzles.kinds import KINDS
from rulecheck.games.icepalace.research.forcing_check import turns, winner
from rulecheck.puzzles.mining import puzzle_of
from rulecheck.puzzles.model import Puzzle
from rulecheck.puzzles.rules import ByConstraints, ByEngine, Rules, rules_of
from rulecheck.puzzles.verify import untrue

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
    """What the constraints have against the puzzle with these things changed by hand."""
    said = json.loads(json.dumps(found.as_json()))
    return untrue({**said, **changes})


@pytest.fixture(scope="module")
def number() -> Puzzle:
    return puzzle("greatest-number")


def test_every_kind_has_a_name_of_its_own() -> None:
    """A kind is found by its name; a verdict that is edited is refused."""
    names = [kind.name for kind in registry.find(GAME.slug).hints.puzzles()]
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
        assert kind.describe(rules(ByEngine), here, "") is None


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


def made(kind_name: str, text: str) -> Puzzle:
    """A puzzle that the engine describes, about a position of the printed game."""
    kind = next(kind for kind in KINDS if kind.name == kind_name)
    description = kind.describe(rules(ByEngine), position(text), "")
    assert description is not None
    readings = dict(GAME.rulebook.defaults())
    return Puzzle(f"icepalace:{kind_name}#1.0", GAME.slug, kind_name, PARAMS.as_dict(), readings, text, "", description)


def test_the_only_palace_is_the_best_of_all_builds_and_edits_are_refused() -> None:
    """Its points are the most of all builds, no other palace has them, and nothing that is said can be changed."""
    here = building("A1B1B3C2")
    found = made("only-palace", str(here))
    engine: Any = rules(ByEngine).choice.engine()
    scores = sorted(engine.score(end.palace)["A"] for end in builds(rules(ByEngine), here, everything))
    assert found.description.answer[0] == str(scores[-1])
    assert scores[-2] < scores[-1]
    assert edited(found) == ""
    assert edited(found, answer=[str(scores[-2]), found.description.answer[1]]).startswith("answer says")
    assert edited(found, answer=[found.description.answer[0], "p0,0:B3C2A1 p1,0:B1"]).startswith("answer says")
    assert edited(found, position=str(building("A1B1B3C3")))
    assert edited(found, tries=[]).startswith("tries says")


# -- Rounds by force -------------------------------------------------------------------------------------------

ROUND = "A w0,0:C1 w-1,1:A3 w0,1:W3 hands=K2W2/C2/- bag=000/000/000/000/000 marker=A"


def in_round(text: str = ROUND) -> Position:
    return position(text)


def plain_forces(engine: Any, here: Position, player: str) -> bool:
    """Everything that can happen in the round is looked at, and nothing is remembered."""
    ended = [winner(engine, here) == player if after is None else None for after in turns(engine, here).values()]
    afters = [after for after in turns(engine, here).values() if after is not None]
    worth = [*(end for end in ended if end is not None), *(plain_forces(engine, after, player) for after in afters)]
    return any(worth) if here.mover == player else all(worth)


@pytest.mark.parametrize("hands", ["K2/C2/-", "K2/-/B3", "C3/A2/-"])
def test_who_forces_a_round_is_what_all_play_says(hands: str) -> None:
    """By either encoding each first move is worth what a search without any guide finds."""
    here = in_round(f"A w0,0:C1 w1,0:W3 hands={hands} bag=000/000/000/000/000 marker=A")
    engine: Any = rules(ByEngine).choice.engine()
    for how in (ByEngine, ByConstraints):
        played = Round(rules(how), "A")
        for result in played.options(here).values():
            assert played.after(here, result) == plain_forces(engine, result, "A"), result


def test_an_edited_round_is_refused() -> None:
    """Another first move, a left-out defence, a pyramid more, another level."""
    found = made("force-the-round", ROUND)
    said = found.as_json()
    assert edited(found) == ""
    assert edited(found, answer=["W2@w0,0"]).startswith("answer says")
    tree = {**said["solution"], "after": said["solution"]["after"][1:]}
    assert edited(found, solution=tree).startswith("solution says")
    assert edited(found, position=ROUND.replace("/C2/-", "/C2/C3"))
    assert edited(found, difficulty={**said["difficulty"], "level": 1}).startswith("difficulty says")


def test_a_pyramid_taken_away_leaves_the_name_of_the_move_right() -> None:
    """Without the stack on 0,0 the worksite begins elsewhere, and the same move is called by another cell."""
    rest = {name: (str(here), key) for name, here, key in fewer_in_round(in_round(), "K2@w0,0")}
    assert len(rest) == 3 + 3
    here, key = rest["C1 on w0,0"]
    assert here.startswith("A w0,0:A3 w1,0:W3 ")
    assert key == "K2@w1,-1"
