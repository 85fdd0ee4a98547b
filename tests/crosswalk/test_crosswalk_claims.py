"""The claims of the sheet: each comes out as the rulebook says, the constraints agree, and none of them cannot fail."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from rulecheck.analyses import claims
from rulecheck.analyses.ambiguities import weigh
from rulecheck.analyses.claims import Matrix, Outcome, Row, evaluate, factory, matrix
from rulecheck.commands.check import _print_claims
from rulecheck.games.crosswalk import GAME, Position, Step, read_params, read_position, read_turn
from rulecheck.games.crosswalk.claims import CHECKS as OWN
from rulecheck.games.crosswalk.engine import Engine, Walk
from rulecheck.model import LEGAL, Claim, InputError, Verdict
from rulecheck.registry import Game, read_resource
from rulecheck.rulebook import read_rulebook
from specs.crosswalk.spec import Spec

BOOK = GAME.rulebook
CHECKS = GAME.hints.checks()
DEFAULTS = BOOK.defaults()
BROAD = ("CC-19", "CC-20", "CC-22")  # they search whole games under every reading: most of the time goes there
NARROW = [name for name in BOOK.claims if name not in BROAD]
FALSE_BY_DEFAULT = {"CC-09", "CC-16"}


def outcome(name: str, **readings: str) -> Outcome:
    return evaluate(BOOK.claims[name], factory(GAME, DEFAULTS.replace(**readings)), CHECKS)


def with_data(name: str, **changes: Any) -> Claim:
    claim = BOOK.claims[name]
    return dataclasses.replace(claim, data={**claim.data, **changes})


# -- What the sheet says ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOOK.claims)
def test_claims_under_the_default_readings(name: str) -> None:
    found = outcome(name)
    assert found.holds == (name not in FALSE_BY_DEFAULT), found.seen


def test_the_list_is_complete() -> None:
    assert list(BOOK.claims) == [f"CC-{n:02}" for n in range(1, 24) if n != 21]
    assert {c.check for c in BOOK.claims.values()} == {*OWN, "reads"}
    assert {c.id: c.expect for c in BOOK.claims.values() if c.expect != "true"} == {
        "CC-08": "depends",
        "CC-09": "false",
        "CC-16": "depends",
    }


def test_the_example_is_one_game() -> None:
    """Each turn begins where the one before it ended."""
    data = {name: claim.data for name, claim in BOOK.claims.items()}
    assert data["CC-02"]["position"] == data["CC-01"]["position"]
    for before, after in (("02", "03"), ("03", "05"), ("05", "08"), ("14", "15")):
        assert data[f"CC-{after}"]["position"] == data[f"CC-{before}"]["result"]
    assert data["CC-04"]["position"] == data["CC-05"]["position"]
    assert {data[f"CC-{n}"]["position"] for n in ("06", "07", "08", "18")} == {data["CC-05"]["result"]}
    assert {data[f"CC-{n}"]["position"] for n in ("09", "10")} == {data["CC-08"]["result"]}
    assert data["CC-12"]["position"] == data["CC-14"]["position"]
    assert data["CC-13"]["position"] == data["CC-12"]["position"].replace("B ", "A ", 1)


def test_the_constraints_agree_with_the_example() -> None:
    """The second encoding is asked about every example turn; nothing of the engine is used."""
    spec = Spec(read_params({}), DEFAULTS)

    def judge(data: Mapping[str, Any], roll: int) -> Verdict:
        position = read_position(spec.params, data["position"]).rolled(roll)
        return spec.judge(position, read_turn(spec.params, data["turn"]))

    played = [c for c in BOOK.claims.values() if c.check == "plays"]
    assert len(played) == 7
    for claim in played:
        assert judge(claim.data, claim.data["roll"]).legal, claim.id
    assert "CW-15" in judge(BOOK.claims["CC-04"].data, 1).clauses
    trapped = read_position(spec.params, BOOK.claims["CC-07"].data["position"])
    assert [r for r in range(1, 7) if not spec.has_valid_turn(trapped.rolled(r))] == [1, 3]


# -- The matrix ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def narrow() -> Matrix:
    return matrix(GAME, CHECKS, only=NARROW)


def test_matrix_agrees_with_the_rulebook(narrow: Matrix) -> None:
    assert [row.claim.id for row in narrow.rows] == NARROW
    assert not narrow.disagreements
    assert all(len(row.singles) == 11 and not row.untried for row in narrow.rows)
    assert [row.claim.id for row in narrow.rows if row.contradiction] == ["CC-09"]


def test_matrix_names_the_suspect_readings(narrow: Matrix) -> None:
    assert narrow.suspects == {"reloc_onto=any": ["CC-16"], "after_relocation=then_spend": ["CC-08"]}


def test_matrix_has_the_rows_that_depend_on_readings(narrow: Matrix) -> None:
    rows = {row.claim.id: row for row in narrow.rows}
    broken = {name: [n for n, o in row.singles.items() if not o.holds] for name, row in rows.items()}
    assert broken["CC-08"] == ["after_relocation=then_spend"]
    assert [n for n, o in rows["CC-16"].singles.items() if o.holds] == ["reloc_onto=no_direct"]
    assert len(broken["CC-09"]) == 11
    assert not any(broken[name] for name in NARROW if name not in ("CC-08", "CC-09", "CC-16"))
    # Every combination does what its parts do.
    assert not any(row.surprises for row in narrow.rows)
    assert sum(len(row.combined) for row in narrow.rows) > 300


def test_matrix_shows_what_the_sheet_does_not_say(narrow: Matrix) -> None:
    """The rolls that are blocked in the example, and those that would have won for Red, by reading."""
    rows = {row.claim.id: row for row in narrow.rows}
    seen = {name: o.seen for name, o in [("", rows["CC-07"].default), *rows["CC-07"].singles.items()]}
    others = {"spend=max_points", "spend=until_stuck"}
    assert {n for n, text in seen.items() if text == "rolls without a valid turn: 1"} == others
    assert {text for n, text in seen.items() if n not in others} == {"rolls without a valid turn: 1, 3"}
    winning = rows["CC-13"]
    assert winning.default.seen == "winning rolls: 3, 4, 5, 6"
    assert winning.singles["win=end_of_turn"].seen == "winning rolls: 3, 5, 6"
    assert winning.combined["spend=max_points win=end_of_turn"].seen == "winning rolls: 3, 5, 6"
    assert winning.combined["spend=until_stuck win=end_of_turn"].seen == "winning rolls: 3, 4, 5, 6"


def test_matrix_as_json(narrow: Matrix) -> None:
    document = narrow.as_json()
    rows = {row["claim"]: row for row in document["claims"]}
    assert rows["CC-02"]["finding"] is None
    assert "after_relocation=then_spend" in rows["CC-08"]["finding"]
    assert rows["CC-08"]["readings"]["after_relocation=then_spend"] is False
    assert rows["CC-08"]["readings"]["spend=max_points"] is rows["CC-08"]["default"] is True
    assert rows["CC-09"]["contradiction"]
    assert "P1" in rows["CC-09"]["witness"]
    assert document["disagreements"] == []
    assert document["combination_limit"] == claims.COMBINATION_LIMIT


# -- Claims can fail ----------------------------------------------------------------------------------------

CORRUPTIONS: dict[str, dict[str, Any]] = {
    "CC-01": {"pips": 31},
    "CC-02": {"turn": "5-4 5-4 4-3"},  # the medium one then lies on the small one: another result
    "CC-03": {"roll": 4},
    "CC-04": {"turn": "3-4"},
    "CC-05": {"turn": "3-4 3-2 4-3 4-3"},
    "CC-06": {"pieces": ["B1", "B3"]},
    "CC-07": {"rolls": [1, 2]},
    "CC-08": {"roll": 2},
    "CC-10": {"pieces": ["A1", "A3"]},
    "CC-11": {"never": [1, 2, 3]},
    "CC-12": {"result": "A 0:A1A2 1:A3 2:P1P2 3:P3P2P1P3 4:P2P1P3 5:B1B3B2"},
    "CC-13": {"least": 4},
    "CC-14": {"roll": 2},
    "CC-15": {"winning_rolls": [5, 6]},
    "CC-17": {"rolls": [1, 1]},
    "CC-18": {"position": "A 1:B3B2B1 2:P3P2P1 3:P3P2P1 4:P3P2P1 5:A3A2A1"},
    "CC-19": {"turn": "1-0 1-0"},
    "CC-20": {"null_rolls": [2, 4, 5, 6]},
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_corrupted_claim_fails(name: str) -> None:
    found = evaluate(with_data(name, **CORRUPTIONS[name]), factory(GAME, DEFAULTS), CHECKS)
    assert not found.holds, found.seen


def test_the_false_claim_can_be_true() -> None:
    """CC-09 would hold if the pedestrian had gone, too."""
    cleared = with_data("CC-09", position="A 1:B3P1 2:P3P2P1B1B2 3:P3P2 4:P3P2P1A2 5:A3A1")
    found = evaluate(cleared, factory(GAME, DEFAULTS), CHECKS)
    assert found == Outcome(True, "nothing of another colour above; B1 can step from a 3 on; B2 can step from a 2 on")


def test_a_turn_that_ends_elsewhere_or_wins_for_nobody_is_no_proof() -> None:
    make = factory(GAME, DEFAULTS)
    other = BOOK.claims["CC-02"].data["result"].replace("3:P3P2P1A1 4:P3P2P1A2", "3:P3P2P1A2 4:P3P2P1A1")
    assert not evaluate(with_data("CC-02", result=other), make, CHECKS).holds
    assert not evaluate(with_data("CC-02", winner="A"), make, CHECKS).holds
    assert not evaluate(with_data("CC-15", winner="B"), make, CHECKS).holds
    line = BOOK.claims["CC-19"].data["line"]
    assert not evaluate(with_data("CC-19", line=line[:-1]), make, CHECKS).holds


class LongWayBack(Engine):
    """Wrong on purpose: a pyramid that leaves place 0 goes two places at once."""

    def shift(self, position: Position, step: Step) -> Position:
        if step.source == 0 and not step.relocates:
            step = Step(0, 2)
        return super().shift(position, step)


class RelocatesHome(Engine):
    """Wrong on purpose: a relocated pyramid may be put down at its owner's finish."""

    def relocations(self, position: Position) -> Iterator[Step]:
        yield from super().relocations(position)
        for source in self.params.places:
            for player in "AB":
                moved = position.stacks[source][-1:]
                if moved and moved[0].colour == player != position.mover:
                    yield Step(source, self.params.finish(player), relocates=True)


class StandsOnFoes(Engine):
    """Wrong on purpose: nothing stops an own pyramid from standing on an opponent's."""

    def judge_step(self, walk: Walk, step: Step, points: int) -> Verdict:
        verdict = super().judge_step(walk, step, points)
        return LEGAL if "CW-15" in verdict.clauses else verdict


class EveryStepCostsOne(Engine):
    """Wrong on purpose: every step costs one point, whatever the pyramid."""

    def take(self, walk: Walk, step: Step) -> tuple[Walk, int]:
        after, _ = super().take(walk, step)
        return after, 1


@pytest.mark.parametrize(
    ("name", "wrong", "readings"),
    [
        ("CC-20", LongWayBack, {}),
        ("CC-22", RelocatesHome, {}),
        ("CC-16", StandsOnFoes, {"reloc_onto": "no_direct"}),
        ("CC-19", EveryStepCostsOne, {}),
        ("CC-04", StandsOnFoes, {}),
        ("CC-11", EveryStepCostsOne, {}),
    ],
)
def test_a_wrong_engine_is_noticed(name: str, wrong: type[Engine], readings: dict[str, str]) -> None:
    chosen = DEFAULTS.replace(**readings)
    assert outcome(name, **readings).holds

    def make(params: Mapping[str, str]) -> Engine:
        return wrong(read_params(params), chosen)

    found = evaluate(BOOK.claims[name], make, CHECKS)
    assert not found.holds, found.seen


# -- The machinery, on claims whose outcome is known ----------------------------------------------------------

TOY_CLAIMS = """
[[claim]]
id = "K-1"
text = "Always."
source = "words (Place)"
clauses = ["CW-12"]
check = "constant"
data = { holds = true }

[[claim]]
id = "K-2"
text = "Never, though the rulebook expects it."
source = "words (Place)"
clauses = ["CW-12"]
check = "constant"
data = { holds = false }

[[claim]]
id = "K-3"
text = "Only if two readings change together."
source = "words (Place)"
clauses = ["CW-12"]
check = "both"
expect = "depends"
by_default = "false"

[[claim]]
id = "K-4"
text = "The same, but no clause tells that they belong together."
source = "words (Place)"
clauses = ["CW-01"]
check = "both"
expect = "false"
note = "Looked at singly they hide it."
"""
TOY_CHECKS: dict[str, claims.Check] = {
    "constant": lambda make, data: (data["holds"], "a constant"),
    "both": lambda make, data: (
        make({}).readings["spend"] == "until_stuck" and make({}).readings["win"] == "end_of_turn",
        "two readings",
    ),
}


def toy_game(text: str) -> Game:
    """Crosswalk with other claims."""
    whole = read_resource(GAME.rulebook_file).partition("[[claim]]")[0] + text
    game = dataclasses.replace(GAME, title="Toy")
    game.__dict__["rulebook"] = read_rulebook(whole)  # where the cached property keeps its value
    return game


def toy_rows(**options: Any) -> dict[str, Row]:
    return {row.claim.id: row for row in matrix(toy_game(TOY_CLAIMS), TOY_CHECKS, **options).rows}


def test_rows_are_true_false_or_depend() -> None:
    rows = toy_rows()
    assert {name: row.verdict for name, row in rows.items()} == {
        "K-1": "true",
        "K-2": "false",
        "K-3": "depends",
        "K-4": "false",
    }
    assert [name for name, row in rows.items() if not row.agrees] == ["K-2"]
    assert rows["K-2"].contradiction
    assert rows["K-4"].finding == "No reading tried makes this true. Looked at singly they hide it."


def test_combinations_that_singles_do_not_explain_are_told() -> None:
    row = toy_rows()["K-3"]
    assert not row.default.holds
    assert not any(o.holds for o in row.singles.values())
    together = {"spend=until_stuck", "win=end_of_turn"}
    assert row.surprises
    assert all(together <= set(name.split()) and holds for name, holds in row.surprises.items())
    assert row.finding is not None
    assert "spend=until_stuck win=end_of_turn" in row.finding


def test_the_bound_on_combinations_is_kept_and_told() -> None:
    row = toy_rows(limit=23)["K-3"]  # spend, win, null_turn and after_relocation: 3 x 2 x 2 x 2
    assert (len(row.combined), row.untried, row.agrees) == (0, 24, False)
    assert row.as_json()["combinations"]["untried"] == 24
    assert toy_rows(limit=24)["K-3"].untried == 0


SOURCES = """
[[claim]]
id = "K-1"
text = "The sheet says it."
source = "words (Place)"
clauses = ["CW-12"]
check = "exact"
expect = "depends"

[[claim]]
id = "K-2"
text = "We say the same."
source = "ours"
clauses = ["CW-12"]
check = "exact"
expect = "depends"
"""


@pytest.fixture
def sourced() -> Matrix:
    """Two claims with the same outcome; the second is ours."""
    checks = {"exact": lambda make, data: (make({}).readings["spend"] == "exact", "a reading")}
    return matrix(toy_game(SOURCES), checks)


def test_only_the_sheet_speaks_against_a_reading(sourced: Matrix) -> None:
    said, derived = sourced.rows
    assert (said.default, said.singles, said.verdict) == (derived.default, derived.singles, derived.verdict)
    assert sourced.suspects == {"spend=max_points": ["K-1"], "spend=until_stuck": ["K-1"]}
    pair = {"reading": "spend", "values": ["exact", "max_points"], "usual": "exact"}
    (weighed,) = weigh([pair], sourced.as_json()["claims"], [])
    assert weighed["claims"] == {
        "exact": {"keeps": ["K-1"], "breaks": []},
        "max_points": {"keeps": [], "breaks": ["K-1"]},
    }


def test_the_two_kinds_of_claims_are_printed_apart(sourced: Matrix, capsys: pytest.CaptureFixture[str]) -> None:
    _print_claims(sourced.as_json())
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(("    finding", "    seen"))]
    assert lines == [
        "What the sheet says:",
        "depends  K-1: The sheet says it.",
        "    sheet: words (Place)",
        "Consequences that we derived:",
        "depends  K-2: We say the same.",
        "suspect  spend=max_points, because it breaks K-1",
        "suspect  spend=until_stuck, because it breaks K-1",
        "2 claims, 0 disagreements with the rulebook",
    ]


def test_mistakes_in_a_claim_are_bad_input() -> None:
    make = factory(GAME, DEFAULTS)
    with pytest.raises(InputError, match=r"claim CC-02: unknown check 'play'; known: .*counts, .*did you mean"):
        evaluate(dataclasses.replace(BOOK.claims["CC-02"], check="play"), make, CHECKS)
    with pytest.raises(InputError, match="claim CC-02: the check plays needs the key 'position'"):
        evaluate(dataclasses.replace(BOOK.claims["CC-02"], data={}), make, CHECKS)
    with pytest.raises(InputError, match="claim CC-02: column 3: unknown place '9'"):
        evaluate(with_data("CC-02", position="A 9:B3"), make, CHECKS)
    with pytest.raises(InputError, match="unknown claim 'CC-99'"):
        matrix(GAME, CHECKS, only=["CC-99"])


def test_progress_is_told() -> None:
    told: list[float] = []
    matrix(toy_game(TOY_CLAIMS), TOY_CHECKS, tick=lambda what, done: told.append(done))
    assert told == sorted(told)
    assert 0 <= told[0] < told[-1] < 1


def test_what_holds_by_default_is_expected_too() -> None:
    """A claim that depends on readings, and comes out the other way round under the default ones."""
    text = TOY_CLAIMS.replace('by_default = "false"\n', "")
    found = matrix(toy_game(text), TOY_CHECKS, only=["K-3"])
    assert found.rows[0].verdict == found.rows[0].claim.expect == "depends"
    assert found.disagreements == found.rows
