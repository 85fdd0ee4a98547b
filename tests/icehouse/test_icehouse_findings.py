"""Protects: what is said about Icehouse: claims under every reading, enclosed defenders, ambiguities, dead ends."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from rulecheck.analyses.claims import Outcome, evaluate, factory
from rulecheck.games.icehouse import GAME, read_params, read_position
from rulecheck.games.icehouse.claims import CHECKS
from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.research import overall
from rulecheck.games.icehouse.research.enclosed import enclosed
from rulecheck.games.icehouse.stalemates import always_room, replay, round_for_ever, stalemates
from rulecheck.model import Status

BOOK = GAME.rulebook


def outcome(name: str, data: Any = None, **readings: str) -> Outcome:
    claim = BOOK.claims[name]
    claim = claim if data is None else dataclasses.replace(claim, data=data)
    return evaluate(claim, factory(GAME, BOOK.defaults().replace(**readings)), CHECKS)


# -- Claims -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOOK.claims)
def test_claims_under_the_default_readings(name: str) -> None:
    """The fortresses of the claims are proved safe here, not only tried."""
    found = outcome(name)
    assert found.holds, found.seen
    assert "no proof" not in found.seen


def test_every_check_is_used() -> None:
    assert {claim.check for claim in BOOK.claims.values()} == set(CHECKS)


@pytest.mark.parametrize(
    ("name", "reading", "value", "seen"),
    [
        ("IC-15", "graze", "closed", "points at nothing"),
        ("IC-16b", "icehouse", "frozen_some", "B calls"),
        ("IC-17", "graze", "open", "B1@13,12>-4/5,-3/5 attacks it"),
        ("IC-19b", "edge", "overhang", "B1@37,1>-1,0 attacks it"),
        ("IC-19", "graze", "open", "attacks it"),
        ("IC-23", "revalidate", "no", "frozen [2]"),
    ],
)
def test_claims_that_depend_on_a_reading(name: str, reading: str, value: str, seen: str) -> None:
    found = outcome(name, **{reading: value})
    assert not found.holds
    assert seen in found.seen


def test_a_claim_about_walls_can_fail() -> None:
    """A gap is noticed, by an attack through it."""
    case = BOOK.claims["IC-17"].data["cases"][0]
    assert outcome("IC-17", {"cases": [case]}).holds
    assert not outcome("IC-17", {"cases": [{**case, "open": True}]}).holds
    wide = {**case, "position": case["position"].replace("A1@0,18", "A1@0,20"), "tries": ["B1@12,12>-4/5,-3/5"]}
    assert not outcome("IC-17", {"cases": [wide]}).holds


def test_a_piece_that_leaves_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that lets defenders melt breaks the claim that they stay."""

    def melted(self: Engine, position: Any, side: str) -> Any:
        return dataclasses.replace(position, pieces=())

    monkeypatch.setattr(Engine, "melted", melted)
    holds, seen = overall.defenders_stay(Engine(read_params({}), BOOK.defaults()), ())
    assert not holds
    assert "takes a standing piece away" in seen


# -- Enclosed defenders -------------------------------------------------------------------------------------

FLUSH = "all A1@0,0 A1@18,0 A1@-18,0 A1@0,18 A1@0,-18"


@pytest.mark.parametrize(
    ("line", "table", "readings", "proved"),
    [
        pytest.param(FLUSH, "none", {}, True, id="walls meet at corners"),
        pytest.param(FLUSH, "none", {"graze": "closed"}, True, id="closed"),
        pytest.param(FLUSH, "none", {"graze": "open"}, False, id="a line of no width fits"),
        pytest.param(FLUSH.replace("A1@0,18", "A1@0,181/10"), "none", {}, False, id="a gap"),
        pytest.param(FLUSH.replace("A1@0,18", "A1@1,18"), "none", {}, False, id="a corner is free"),
        pytest.param("all A1@9,9 A1@27,9 A1@9,27", "99x99", {}, True, id="a corner of the table"),
        pytest.param("all A1@9,9 A1@27,9 A1@9,27", "99x99", {"edge": "overhang"}, False, id="an edge that is no wall"),
        pytest.param("all A1@9,9 A1@27,9 A1@9,27", "none", {}, False, id="no table"),
    ],
)  # fmt: skip
def test_enclosed(line: str, table: str, readings: dict[str, str], proved: bool) -> None:
    """Whatever is proved safe is flush on all sides; a proof says at how many points walls meet."""
    params = read_params({"table": table})
    found = enclosed(Engine(params, BOOK.defaults().replace(**readings)), read_position(params, line), 0)
    assert bool(found) == proved


def test_a_pinwheel_has_no_weak_point() -> None:
    """Each wall covers the end of the next, so even a line of no width is kept out."""
    line = "all A2@0,0 A3@57/2,7/2 A3@-7/2,57/2 A3@-57/2,-7/2 A3@7/2,-57/2"
    params = read_params({})
    found = enclosed(Engine(params, BOOK.defaults().replace(graze="open")), read_position(params, line), 0)
    assert found is not None
    assert "none of them ends there" in found


# -- Dead ends ----------------------------------------------------------------------------------------------


def test_dead_ends_are_shown_in_play() -> None:
    """Each witness is what its line of play leads to, and nothing is left unknown."""
    rows = {row.name: row.result for row in stalemates(read_params({}), BOOK.defaults())}
    assert {name for name, result in rows.items() if result.status is Status.PROVED} == {"room"}
    for name, result in rows.items():
        if result.witness is not None:
            engine = Engine(read_params(dict(result.witness.params)), BOOK.defaults())
            assert str(replay(engine, result.witness.line or ())) == result.witness.position, name
    assert Status.UNKNOWN not in {result.status for result in rows.values()}


def test_room_has_to_be_enough() -> None:
    """On a smaller table, or with pads in the way, nothing is claimed; what is kept off is a bound by hand."""
    assert always_room(read_params({"table": "960x720"})).status is Status.PROVED
    assert always_room(read_params({"table": "600x400"})).status is Status.UNKNOWN
    pads = "0,0,90,90/100,0,190,90/200,0,290,90/300,0,390,90"
    assert always_room(read_params({"table": "960x720", "pads": pads})).status is Status.UNKNOWN


def test_a_round_needs_the_right_readings() -> None:
    assert round_for_ever(BOOK.defaults().replace(own="placer")).status is Status.UNKNOWN


# -- Readings that only the count can tell apart --------------------------------------------------------------


def test_a_reading_of_the_count_shows_in_who_wins() -> None:
    found = GAME.hints.separate(BOOK.defaults(), "score_owner", ("colour", "placer"))
    assert found.result.status is Status.REFUTED
    assert found.verdicts[0].endswith("A and B win")
    assert found.verdicts[1].endswith(" B wins")


def test_bounds_are_claimed_for_the_usual_readings_only() -> None:
    """That fewer pieces cannot do is argued from them; under others nothing is said."""
    for base, said in ((BOOK.defaults(), "fewer cannot be"), (BOOK.defaults().replace(range="inclusive"), "not asked")):
        found = GAME.hints.separate(base, "capture_chain", ("many", "one"))
        assert "with 6 pieces" in found.result.scope
        assert said in found.result.scope
