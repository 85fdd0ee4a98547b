"""Ice Palace: what the sheet claims, reading by reading; and that each check can fail."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from rulecheck.analyses.claims import Outcome, evaluate, factory
from rulecheck.games.icepalace import GAME, read_position
from rulecheck.games.icepalace.claims import CHECKS as OWN
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.research import rounds
from rulecheck.games.icepalace.research.lengths import Bounds, bounds
from rulecheck.model import InputError

BOOK = GAME.rulebook
CHECKS = GAME.hints.checks()
DEFAULTS = BOOK.defaults()
FALSE_BY_DEFAULT = {"IC-07", "IC-22"}


def outcome(name: str, *, data: dict[str, Any] | None = None, **readings: str) -> Outcome:
    claim = dataclasses.replace(BOOK.claims[name], data={**BOOK.claims[name].data, **(data or {})})
    return evaluate(claim, factory(GAME, DEFAULTS.replace(**readings)), CHECKS)


@pytest.mark.parametrize("name", BOOK.claims)
def test_claims_under_the_default_readings(name: str) -> None:
    found = outcome(name)
    assert found.holds == (name not in FALSE_BY_DEFAULT), found.seen


def test_every_check_is_used_and_known() -> None:
    assert {claim.check for claim in BOOK.claims.values()} == {*OWN, "reads"}


def test_the_smallest_worksite_that_loses_a_small() -> None:
    """The hint on smalls fails with three pyramids, white between two smalls; with two of whatever kind it holds."""
    found = outcome("IC-07")
    assert "0,0:A1 -1,1:B1 0,1:W1" in found.seen
    assert outcome("IC-07", data={"most": 2}).holds
    assert outcome("IC-07", palace_island="yes").holds
    assert not outcome("IC-07", palace_island="yes", max_number="agreed").holds


def test_black_is_dead_weight_only_if_it_cannot_be_stacked() -> None:
    """What decides the default of stacking: under the words alone the hint would be empty."""
    held = {value: outcome("IC-22", stacking=value).holds for value in BOOK.options["stacking"].values}
    assert held == {"any_colour": False, "player_colours": True, "player_and_white": True}
    assert [value for value in held if outcome("IC-05", stacking=value).holds] == ["any_colour"]
    assert DEFAULTS["stacking"] == "any_colour"
    assert outcome("IC-04", stacking="any_colour", onto_black="no", match="any").holds


def test_the_two_codes_are_mirror_images() -> None:
    """For structures of any size, if both ask as much of what stands beside; else there is a place that tells."""
    same = outcome("IC-14", adjacent="every_neighbour", palace_adjacent="every_neighbour", grid="king")
    assert same.holds
    assert "PROVED" in same.seen
    assert outcome("IC-14", stacking="player_colours", onto_black="no", white_white="no").holds
    assert not outcome("IC-14", adjacent="every_neighbour").holds
    assert "0,0:B2A1" in outcome("IC-14", match="base").seen


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("IC-01", {"cells": ["0,1"]}),
        ("IC-02", {"position": "B w0,0:K2 hands=A1A2A3/B1B2B3/C1C2C3 bag=000/000/000/000/000 marker=A"}),
        ("IC-02", {"winner": "B"}),
        ("IC-03", {"shut": ["K2", "K3"]}),
        ("IC-04", {"pyramids": ["K2"]}),
        ("IC-12", {"pyramids": 3}),
        ("IC-15", {"scores": {"A": 4, "B": 1, "C": 1}}),
        ("IC-18", {"own": 3}),
        ("IC-20", {"players": ["A", "B"]}),
        ("IC-23", {"bounds": {"3": [4, 57]}}),
        ("IC-24", {"clause": "IP-13"}),
        ("IC-25", {"redraw": {"3": "1/2"}}),
    ],
)
def test_checks_can_fail(name: str, changes: dict[str, Any]) -> None:
    """With other data the answer is another."""
    assert not outcome(name, data=changes).holds


def test_mistakes_in_a_claim_are_told() -> None:
    for changes in ({"property": "at_most_tree"}, {"site": "building"}):
        with pytest.raises(InputError, match=r"claim IC-13: unknown (property|site)"):
            outcome("IC-13", data=changes)


def test_rounds_of_small_games() -> None:
    """One of each size for three players and two times the stash: two rounds, or more if little is placed."""
    small = Engine(GAME.params({"stash": "2", "hand": "1", "black": "0", "white": "0"}), DEFAULTS)
    assert bounds(small) == Bounds(2, 10)
    assert bounds(Engine(small.params, DEFAULTS.replace(refill="total"))) == Bounds(2, 10)
    assert bounds(Engine(small.params, DEFAULTS.replace(opening="may_pass"))).most is None


def test_a_corrupted_table_of_a_round_is_noticed() -> None:
    """The checker of forced rounds follows every entry to those after it."""
    engine = Engine(GAME.params({}), DEFAULTS)
    start = read_position(engine.params, "B w0,0:A3 hands=A1/A2/W1 bag=000/000/000/000/000 marker=A")
    table: rounds.Table = {}
    worth = rounds.solve(engine, start, table)
    assert rounds.complaint(engine, start, table) is None
    assert worth is None or rounds.line(engine, start, table)[-1] == "pass"
    for position in list(table)[::40]:
        wrong = rounds.Forced("A", 99) if table[position] is None else None
        assert rounds.complaint(engine, start, {**table, position: wrong}), position
        without = {key: value for key, value in table.items() if key != position}
        assert rounds.complaint(engine, start, without), position
