"""Protects the findings: deciding cases, ambiguities and stalemates are real, smallest, and found again."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from rulecheck import registry
from rulecheck.analyses.ambiguities import find_difference, pairs
from rulecheck.explore import Explored
from rulecheck.games.crosswalk.coverage import cover, coverage, never_separated
from rulecheck.games.crosswalk.engine import Engine
from rulecheck.games.crosswalk.shapes import shapes
from rulecheck.games.crosswalk.stalemates import stalemates
from rulecheck.jobs import run_all
from rulecheck.model import Result, Status

GAME = registry.find("crosswalk")
DEFAULTS = GAME.rulebook.defaults()
QUICK = ("spend", "win", "reloc_onto", "reloc_null", "null_turn", "after_relocation")
PAIRS = pairs(GAME.rulebook.options.values())


def engine(given: dict[str, str], **readings: str) -> Engine:
    made = GAME.engine(GAME.params(given), GAME.rulebook.choose(readings))
    assert isinstance(made, Engine)
    return made


def check_line(witness_params: dict[str, str], readings: dict[str, str], line: tuple[str, ...], end: str) -> None:
    """The line of play leads from the start to the position of the witness."""
    game = engine(witness_params, **readings)
    position = game.start()
    for entry in line:
        roll, _, turn = entry.partition(": ")
        position = game.play(position.rolled(int(roll)), GAME.read_move(game.params, turn))
    assert str(position) == end.partition(" roll=")[0]


# -- Clauses ------------------------------------------------------------------------------------------------


def test_every_clause_of_play_has_its_deciding_case_or_a_proof() -> None:
    rows = {row.clause.id: row for row in coverage(GAME.params({}), DEFAULTS)}
    assert rows.keys() == GAME.rulebook.clauses.keys()
    tested = [row for row in rows.values() if row.result]
    assert {row.clause.id for row in tested} >= {f"CW-{n}" for n in (2, *range(10, 24)) if n > 9}
    assert not [row.clause.id for row in tested if row.result and row.result.status is Status.UNKNOWN]
    assert [(row.clause.id, row.implied_by) for row in tested if row.is_redundant] == [("CW-15b", ("CW-15",))]


def test_a_clause_of_a_reading_decides_only_under_it() -> None:
    clause, params = GAME.rulebook.clauses["CW-02"], GAME.params({})
    assert cover(clause, params, DEFAULTS).how == "wins"
    row = cover(clause, params, DEFAULTS.replace(finish_entry="nest_order"))
    assert row.how == "forbids"
    assert row.result is not None
    assert row.result.status is Status.REFUTED


# -- Ambiguities --------------------------------------------------------------------------------------------


def check_pair(name: str, first: str, second: str) -> Result:
    found = GAME.hints.separate(DEFAULTS, name, (first, second))
    if found.result.witness:
        witness = found.result.witness
        assert witness.line is not None
        check_line(dict(witness.params), {name: first}, witness.line, witness.position)
        assert sorted(v == "legal" for v in found.verdicts) == [False, True]
    return found.result


@pytest.mark.parametrize(("name", "first", "second"), [p for p in PAIRS if p[0] in QUICK])
def test_values_are_separated_by_a_position_in_play(name: str, first: str, second: str) -> None:
    result = check_pair(name, first, second)
    assert result.status is (Status.PROVED if name == "reloc_null" else Status.REFUTED)


def test_putting_a_pyramid_back_matters_if_relocation_is_a_duty() -> None:
    """The proof that reloc_null never matters must not be offered where it does."""
    must = DEFAULTS.replace(relocation="must")
    assert never_separated(must, must.replace(reloc_null="forbidden")) is None
    assert never_separated(DEFAULTS, DEFAULTS.replace(reloc_from="board")) is None
    assert never_separated(DEFAULTS, DEFAULTS.replace(spend="max_points")) is None


def test_equal_engines_do_not_differ() -> None:
    small = {"squares": "2", "sizes": "1"}
    assert find_difference(engine(small), engine(small)) is None
    assert find_difference(engine(small), engine(small, reloc_null="forbidden")) is None


def test_shapes_come_smallest_first_and_only_once() -> None:
    listed = list(shapes(5, 4))
    sizes = [(shape.material.total(), shape.squares) for shape in listed]
    assert sizes == sorted(sizes)
    assert len(set(listed)) == len(listed)
    assert {shape.material.total() for shape in listed} == {2, 3, 4, 5}


# -- Stalemates ---------------------------------------------------------------------------------------------


def test_stalemates_are_in_play_and_real() -> None:
    rows = {row.name: row.result for row in stalemates(GAME.params({}), DEFAULTS)}
    assert {name for name, result in rows.items() if result.status is Status.REFUTED} == rows.keys()
    for name in ("no-turn", "no-turn-any-roll", "nothing-to-relocate"):
        witness = rows[name].witness
        assert witness is not None
        assert witness.line is not None
        check_line(dict(witness.params), {}, witness.line, witness.position)
        game = engine(dict(witness.params))
        position = GAME.read_position(game.params, witness.position)
        assert not game.valid_turns(position)
        assert bool(list(game.relocations(position))) == (name != "nothing-to-relocate")


def test_reachable_positions_have_lines_that_lead_to_them() -> None:
    game = engine({"squares": "3", "sizes": "1", "pedestrians": "1"})
    play = Explored(game, lazily=True)
    positions = list(play.turns())
    assert len(positions) == len(set(positions)) == 106
    for position in positions[::10]:
        check_line(game.params.as_dict(), {}, play.line_to(position), str(position))


# -- Commands, and work done side by side ---------------------------------------------------------------------


def double(number: int) -> int:
    return 2 * number


def test_any_executor_carries_the_work_and_keeps_the_order() -> None:
    """A cluster's executor offers the same interface; threads stand in for it here."""
    numbers = list(range(20))
    heard: list[float] = []
    with ThreadPoolExecutor(3) as pool:
        found = run_all(double, numbers, executor=pool, report=lambda what, done: heard.append(done))
    assert found == run_all(double, numbers) == run_all(double, numbers, jobs=2) == [2 * n for n in numbers]
    assert sorted(heard)[-1] == 1.0


def test_commands_print_the_promised_keys(rulecheck) -> None:  # type: ignore[no-untyped-def]  # a fixture
    proof = json.loads(rulecheck("prove", "crosswalk", "--family", "setup", "--json").out)
    assert proof.keys() >= {"result", "scope", "cases", "disagreements", "families"}
    found = json.loads(rulecheck("ambiguities", "crosswalk", "--only", "win", "--json").out)
    assert found[0].keys() >= {"reading", "values", "result", "witness"}
    assert rulecheck("prove", "crosswalk", "--family", "stpe").status == 2
    assert "did you mean 'step'" in rulecheck("prove", "crosswalk", "--family", "stpe").err
