"""Protects: the combinations of readings that are proved hold every pair of values, are few, and always the same."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulecheck import registry
from rulecheck.analyses import pairwise
from rulecheck.analyses.pairwise import combined_readings, covered, covering_array, prove_pairs, value_pairs
from rulecheck.model import Result, Status

OPTIONS = st.lists(st.integers(1, 5), max_size=8).map(
    lambda sizes: {f"r{n}": [f"v{v}" for v in range(size)] for n, size in enumerate(sizes)}
)


@given(OPTIONS)
def test_every_pair_of_values_is_in_some_combination(options: dict[str, list[str]]) -> None:
    rows = covering_array(options)
    assert all(row.keys() == options.keys() and all(row[name] in options[name] for name in row) for row in rows)
    for one, other in combinations(options, 2):
        held = {(row[one], row[other]) for row in rows}
        assert held == {(v, w) for v in options[one] for w in options[other]}
    assert covered(rows) == len(value_pairs(options))


@given(OPTIONS)
def test_no_combination_is_idle(options: dict[str, list[str]]) -> None:
    rows = covering_array(options)
    assert all(covered(rows[: n + 1]) > covered(rows[:n]) for n in range(len(rows)))


@pytest.mark.parametrize("slug", registry.names())
def test_our_games_need_few_combinations(slug: str) -> None:
    """No fewer than the two readings with most values have pairs, and at most twice as many."""
    options = registry.find(slug).rulebook.options.values()
    most, more = sorted((len(option.values) for option in options), reverse=True)[:2]
    rows = combined_readings(registry.find(slug))
    assert rows[0] == registry.find(slug).rulebook.defaults()
    assert most * more <= len(rows) <= 2 * most * more
    assert rows == combined_readings(registry.find(slug))


def test_readings_about_another_board_are_left_to_games_on_it() -> None:
    game = registry.find("nestrace")
    on_it, printed = combined_readings(game, {"board": "hexagon"}), combined_readings(game)
    assert {row["forward"] for row in on_it} == {"steps", "axis"}
    assert {row["forward"] for row in printed} == {"steps"}
    assert covered(on_it) > covered(printed)


@pytest.mark.parametrize(
    ("second", "counted"),
    [
        (Result(Status.PROVED, "all", cases=1), 2),
        (Result(Status.UNKNOWN, "some", cases=1, sample=True), 2),
        (Result(Status.PROVED, "none at all"), 1),
        (Result(Status.UNKNOWN, "none at all", sample=True), 1),
        (Result(Status.UNKNOWN, "out of budget", cases=1), 1),
    ],
)
def test_a_combination_counts_if_each_family_compared_something(
    monkeypatch: pytest.MonkeyPatch, second: Result, counted: int
) -> None:
    game, proved = registry.find("nestrace"), Result(Status.PROVED, "all", cases=1)
    rows = combined_readings(game)[:2]
    answers = [proved, proved, proved, second]  # two families under each of two combinations
    monkeypatch.setattr(pairwise, "run_kept", lambda *_, **__: answers)
    figures = prove_pairs(game, {}, ("touched", "listed"), rows)["pairs"]
    asked = [{name: row[name] for name in game.rulebook.asked({})} for row in rows]
    assert (figures["combinations"], figures["covered"]) == (counted, covered(asked[:counted]))
