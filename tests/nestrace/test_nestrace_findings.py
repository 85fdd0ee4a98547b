"""Nest race: its claims come out as the rulebook says, its readings are told apart, and each clause has its case."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from rulecheck.analyses import ambiguities as ambiguity
from rulecheck.analyses.claims import Outcome, evaluate, factory, matrix
from rulecheck.analyses.clauses import Coverage, redundant
from rulecheck.games.nestrace import GAME, cases, coverage, read_move, read_params, read_position, shapes
from rulecheck.games.nestrace.claims import CHECKS
from rulecheck.games.nestrace.engine import Engine
from rulecheck.games.nestrace.research import everywhere
from rulecheck.games.nestrace.research.proofgames import replay
from rulecheck.model import LEGAL, Claim, InputError, Readings, Result, Status

BOOK = GAME.rulebook
DEFAULTS = BOOK.defaults()
BROAD = [name for name, claim in BOOK.claims.items() if claim.check in ("invariant", "idle", "mirror")]
NARROW = [name for name in BOOK.claims if name not in BROAD]
SMALL = shapes.SEARCHED[0]


def outcome(claim: Claim, **readings: str) -> Outcome:
    return evaluate(claim, factory(GAME, DEFAULTS.replace(**readings)), CHECKS)


def with_data(name: str, **changes: Any) -> Claim:
    claim = BOOK.claims[name]
    return dataclasses.replace(claim, data={**claim.data, **changes})


def engine(**readings: str) -> Engine:
    return Engine(SMALL, DEFAULTS.replace(**readings))


# -- Claims ---------------------------------------------------------------------------------------------------


def test_every_claim_has_a_check_and_every_check_a_claim() -> None:
    assert {claim.check for claim in BOOK.claims.values()} == set(CHECKS)
    wanted = {c.data["property"] for c in BOOK.claims.values() if c.check == "invariant"}
    assert wanted == set(everywhere.PROPERTIES)


@pytest.mark.parametrize("name", BOOK.claims)
def test_claims_under_the_default_readings(name: str) -> None:
    found = outcome(BOOK.claims[name])
    assert found.holds == (name != "NC-04"), found.seen


def test_claims_about_positions_under_all_readings() -> None:
    found = matrix(GAME, CHECKS, only=NARROW)
    assert not found.disagreements
    broken = {(row.claim.id, name) for row in found.rows for name, seen in row.singles.items() if not seen.holds}
    assert {("NC-13", "rule9_4p=literal"), ("NC-16", "rule9_4p=literal"), ("NC-22", "conflict=s1")} <= broken
    # Of the printed board all of it is derived; the note on the other one speaks of jumps through the centre.
    assert found.suspects == {"backward=diagonal_ok": ["NC-32"], "centre=none": ["NC-31", "NC-32", "NC-33"]}


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("NC-01", {"squares": 51}),
        ("NC-01", {"cut": ["c1"]}),
        ("NC-06", {"repeats": 3}),
        ("NC-06", {"line": ["c1-c2", "a3-b3"], "repeats": 2}),
        ("NC-13", {"move": "e7-d7"}),
        ("NC-16", {"winner": "C"}),
        ("NC-18", {"moves": False}),
        ("NC-19", {"without": {"pat": "off"}}),
        ("NC-20", {"off_row": False}),
        ("NC-21", {"free": True}),
        ("NC-22", {"lawful": True}),
        ("NC-23", {"position": "A b2:B1 c2:A2 b3:A1B2A3 d3:B3"}),
        ("NC-25", {"clause": "NR-13"}),
        ("NC-26", {"changes": [{"reading": "opp_lines", "value": "closed", "ply": 1, "line": ["c1-c2"]}]}),
        ("NC-05", {"most": 83}),
    ],
)
def test_a_claim_with_other_data_fails(name: str, changes: dict[str, Any]) -> None:
    assert not outcome(with_data(name, **changes)).holds


def test_an_unknown_property_is_bad_input() -> None:
    with pytest.raises(InputError, match="claim NC-07: no property is called heavy"):
        outcome(with_data("NC-07", property="heavy"))


@pytest.mark.parametrize(
    ("name", "readings"),
    [
        ("rows_never_fall", {"backward": "diagonal_ok"}),
        ("free_large_off_finish", {"finish_order": "entry"}),
        ("finish_stacks", {"finish_order": "entry"}),
        ("pats_are_self_made", {"pat": "no_progress"}),
        ("pat_on_own_turn", {"pat": "no_progress"}),
    ],
)
def test_a_property_fails_under_a_reading_that_breaks_it(name: str, readings: dict[str, str]) -> None:
    holds, seen = everywhere.PROPERTIES[name](engine(**readings))
    assert not holds, seen


@pytest.mark.parametrize("name", ["stacks_increase", "large_uncovered"])
def test_a_property_fails_without_the_rule_it_comes_from(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "judge_touchdown", lambda *_: LEGAL)
    assert not everywhere.PROPERTIES[name](engine())[0]


def test_properties_of_the_board_fail_on_a_wrong_board() -> None:
    wrong = engine()
    wrong.jumps = {**wrong.jumps, (0, 3): 1}  # from b1 to b2, over c1
    assert not everywhere.only_steps_from_row_7(wrong)[0]
    assert not everywhere.origin_never_jumped(wrong)[0]


def test_lines_are_mixed_without_the_rule_that_spares_the_line_mate(monkeypatch: pytest.MonkeyPatch) -> None:
    four = Engine(read_params({"players": "4", "core": "2"}), DEFAULTS)
    assert everywhere.lines_stay_unmixed(four)[0]
    monkeypatch.setattr(Engine, "covers_mate", lambda *_: False)
    assert not everywhere.lines_stay_unmixed(four)[0]


def test_blocked_from_ahead_fails_if_nothing_can_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "ends", lambda *_: {})
    assert not everywhere.blocked_from_ahead(engine())[0]


def test_without_nr24_and_nr25_more_is_possible_under_other_readings() -> None:
    for name in ("NC-02", "NC-03"):
        for readings in ({"backward": "diagonal_ok"}, {"back_jump": "net_forward"}):
            assert not outcome(BOOK.claims[name], **readings).holds


def test_all_play_is_the_engines() -> None:
    """A sample of the positions in play has the moves the engine gives it."""
    now, one = everywhere.play(SMALL, DEFAULTS), engine()
    assert len(now.keys) == 44_073
    for n in range(0, len(now.keys), 4_001):
        ends = now.after[now.before == n]
        assert len(ends) == len(one.moves(now.unpack(int(now.keys[n]))))


# -- Readings told apart ----------------------------------------------------------------------------------------


def differ(name: str, values: tuple[str, str], params: Any) -> tuple[ambiguity.Difference | None, list[Engine]]:
    engines = [Engine(params, DEFAULTS.replace(**{name: value})) for value in values]
    return shapes.find_difference(engines[0], engines[1]), engines


def confirm(found: ambiguity.Difference, engines: list[Engine]) -> None:
    """The line leads there under both readings, and one of them allows the move, in both encodings."""
    position, move, line = found
    assert [replay(one, line)[-1] for one in engines] == [position, position]
    ours = [one.judge(position, move).legal for one in engines]
    assert ours == [GAME.spec(one.params, one.readings).judge(position, move).legal for one in engines]
    assert sorted(ours) == [False, True]


@pytest.mark.parametrize("kept", shapes.KEPT, ids=lambda kept: kept.reading)
def test_kept_lines_tell_their_readings_apart(kept: shapes.Kept) -> None:
    first, second = BOOK.options[kept.reading].values
    found, engines = differ(kept.reading, (first, second), kept.params)
    assert found is not None
    confirm(found, engines)
    assert "were not searched" in shapes.difference_scope(kept.params)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("backward", ("strict", "diagonal_ok")),
        ("opp_lines", ("transit", "closed")),
        ("land_on_other", ("continue", "ends_top")),
        ("passing", ("stuck", "blocked")),
        ("pat", ("note5", "off")),
    ],
)
def test_the_compiled_search_finds_what_plain_play_finds(name: str, values: tuple[str, str]) -> None:
    found, engines = differ(name, values, SMALL)
    plain = ambiguity.find_difference(engines[0], engines[1])
    assert found is not None
    assert plain is not None
    assert len(found[2]) == len(plain[2])
    confirm(found, engines)


def test_equal_readings_are_not_told_apart() -> None:
    assert differ("pat", ("note5", "note5"), SMALL)[0] is None
    assert differ("rule9_4p", ("perpendicular", "literal"), SMALL)[0] is None


def test_shapes_are_in_order_and_lines_that_no_longer_fit_are_left_alone() -> None:
    assert list(shapes.shapes())[:2] == list(shapes.SEARCHED)
    one = Engine(shapes.KEPT[0].params, DEFAULTS.replace(passing="always", backward="diagonal_ok"))
    assert shapes.find_difference(one, one) is None


def test_line_transit_is_proved_to_change_nothing_while_nothing_goes_back() -> None:
    proof = coverage.never_separated(DEFAULTS, DEFAULTS.replace(line_transit="final_only"))
    assert isinstance(proof, Result)
    assert (proof.status, proof.cases) == (Status.PROVED, 1208)
    for name, value in (("backward", "diagonal_ok"), ("back_jump", "net_forward")):
        base = DEFAULTS.replace(**{name: value})
        assert coverage.never_separated(base, base.replace(line_transit="final_only")) is None
    assert coverage.never_separated(DEFAULTS, DEFAULTS.replace(pat="off")) is None


def test_a_forbidden_lift_is_proved_to_need_two_other_readings() -> None:
    proof = coverage.never_separated(DEFAULTS, DEFAULTS.replace(lift_conflict="yields"))
    assert isinstance(proof, Result)
    assert (proof.status, proof.cases) == (Status.PROVED, 64)
    base = DEFAULTS.replace(conflict="s1", cannot_free="lift")
    assert coverage.never_separated(base, base.replace(lift_conflict="yields")) is None
    engines = [Engine(SMALL, base.replace(lift_conflict=value)) for value in BOOK.options["lift_conflict"].values]
    found = shapes.find_difference(engines[0], engines[1])
    assert found is not None
    assert str(found[0]) == "B a2:B1 c2:A1B2B3 b3:A3 c3:A2"
    confirm(found, engines)


def test_the_depth_of_a_cover_is_told_apart_in_play() -> None:
    found, engines = differ("cover_depth", ("anywhere", "top"), SMALL)
    assert found is not None
    assert (str(found[0]), str(found[1]), len(found[2])) == ("B a2:B1 b2:A1B2 b3:A2B3 c3:A3", "b3-b2", 7)
    confirm(found, engines)


# -- Clauses -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rows() -> dict[str, Coverage]:
    return {row.clause.id: row for row in coverage.coverage(read_params({}), DEFAULTS)}


def test_every_clause_has_a_row(rows: dict[str, Coverage]) -> None:
    assert list(rows) == list(BOOK.clauses)
    assert all(row.how for row in rows.values())
    assert {row.clause.id for row in redundant(list(rows.values()))} == {"NR-24", "NR-25"}
    assert rows["NR-24"].implied_by == ("NR-13", "NR-18")
    assert not [row for row in rows.values() if row.result and row.result.status is Status.UNKNOWN]


def test_cases_replay(rows: dict[str, Coverage]) -> None:
    shown = {name: row.result.witness for name, row in rows.items() if row.result and row.result.witness}
    assert len(shown) == 24
    for name, witness in shown.items():
        params = read_params(witness.params)
        one = Engine(params, Readings(witness.readings))
        position = read_position(params, witness.position)
        assert witness.line is None or replay(one, witness.line)[-1] == position
        verdict = one.judge(position, read_move(params, witness.move or ""))
        assert str(verdict) in witness.note or verdict.legal, name
        if rows[name].how == "forbids":
            assert verdict.clauses == (name,)


def test_a_rule_that_is_gone_forbids_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without NR-27 in the engine no case of it is found."""
    search = cases.Search(SMALL, DEFAULTS)
    monkeypatch.setattr(search.engine, "foreign", {p: frozenset() for p in "AB"})
    monkeypatch.setattr(cases, "NEAR", 20)
    assert search.forbidding({"NR-27", "NR-17"}, set()).keys() == {"NR-17"}


def test_clauses_that_other_readings_wake_or_silence() -> None:
    found = {(row.clause, row.reading): row.result for row in coverage.dead_text(read_params({}), DEFAULTS)}
    alive = {key for key, result in found.items() if result.status is Status.REFUTED}
    silent = {key for key, result in found.items() if result.status is Status.PROVED}
    assert alive == set(coverage.ALIVE)
    assert silent == {
        ("NR-28", "opp_lines=closed"),
        ("NR-29", "pat=off"),
        ("NR-30", "pat=off"),
        ("NR-55", "pat=off"),
        ("NR-56", "pat=off"),
        ("NR-57", "passing=never"),
    }


@pytest.mark.parametrize(
    ("ask", "readings"),
    [
        (lambda r: coverage._nothing_touches(read_params({}), r), {}),
        (lambda r: coverage._nobody_in_pat(read_params({}), r), {}),
        (coverage._no_passes, {}),
        (coverage._no_passes, {"passing": "always"}),
    ],
)
def test_clauses_are_not_silent_by_default(ask: Callable[[Readings], Result], readings: dict[str, str]) -> None:
    assert ask(DEFAULTS.replace(**readings)).status is not Status.PROVED
