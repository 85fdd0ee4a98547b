"""Protects: what every game gets from its fields, engine and constraints alone, shown on noughts and crosses."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from rulecheck.analyses.checks import checks
from rulecheck.analyses.dead_ends import stalemates
from rulecheck.analyses.deciding import coverage
from rulecheck.analyses.everywhere import Everywhere
from rulecheck.analyses.families import run_family
from rulecheck.analyses.separating import separate
from rulecheck.analyses.solved_play import solve_play
from rulecheck.cases import Observer
from rulecheck.explore import Explored, TooLargeError
from rulecheck.model import InputError, Status
from rulecheck.registry import Choice
from rulecheck.solve.solving import demand
from solvers.graph import Outcome

sys.path.insert(0, str(Path(__file__).parents[2] / "docs" / "examples"))
from oxo import GAME  # an example is no part of the project
from oxo.engine import Engine
from oxo.spec import Spec

PARAMS = GAME.params({})
FIELDS = GAME.fields(PARAMS)  # type: ignore[misc]
BOOK = GAME.rulebook


def engine(**readings: str) -> Any:
    return GAME.engine(PARAMS, BOOK.choose(readings))


def read(text: str) -> Any:
    return GAME.read_position(PARAMS, text)


def both(first: dict[str, str], second: dict[str, str]) -> Everywhere[str]:
    return Everywhere(FIELDS, engine(**first), Spec(PARAMS, BOOK.choose(second)))


def test_the_well_known_counts() -> None:
    play = Explored(engine(), read)
    assert (len(play), len(Explored(engine(), read, alike=FIELDS.alike))) == (5478, 765)
    with pytest.raises(TooLargeError, match="more than 100 positions"):
        Explored(engine(), read, limit=100)
    make = lambda params: engine()  # noqa: E731
    counts = {"counts": [9, 72, 504, 3024, 15120, 54720]}
    assert checks(GAME)["perft"](make, counts) == (True, "9, 72, 504, 3,024, 15,120, 54,720 sequences")
    assert not checks(GAME)["perft"](make, {"counts": [9, 71]})[0]


@pytest.mark.parametrize(("right", "wrong"), [([], ["X a1:X"]), (["X a1:Z"], []), (["X b1:O a1:X"], ["X a9:X"])])
def test_what_can_stand_is_checked_both_ways(right: list[str], wrong: list[str]) -> None:
    """A text that reads though it should not, one that does not, and one that is written in another order."""
    read_alike = checks(GAME)["reads"]
    assert read_alike(lambda params: engine(), {"positions": ["X a1:X b1:O"], "refused": ["X a9:X", "X a1:Z"]})[0]
    assert not read_alike(lambda params: engine(), {"positions": right, "refused": wrong})[0]


@pytest.mark.parametrize(
    ("readings", "outcome", "distance"),
    [({}, Outcome.TIE, 9), ({"line": "loses"}, Outcome.TIE, 9), ({"marks": "either"}, Outcome.WIN, 7)],
)
def test_solved(readings: dict[str, str], outcome: Outcome, distance: int) -> None:
    """A draw as usual and in misere; whoever begins wins the wild game."""
    rules = engine(**readings)
    worth = solve_play(GAME, PARAMS, rules, alike=FIELDS.alike).worth(rules.start())
    assert (worth.player, worth.outcome, worth.distance) == ("X", outcome, distance)


def test_a_refusal_says_what_more_would_take() -> None:
    choice = Choice(GAME, PARAMS, BOOK.defaults())
    assert demand(choice, 2_000, 4.0) == (
        "; a million take about 33 min and 250 MB, and all 39,366 arrangements of its fields would take at most 1 min "
        "and 10 MB"
    )
    assert demand(choice, 999, 4.0) == "", "too few to tell"


def test_probing_puts_the_win_first() -> None:
    solved = solve_play(GAME, PARAMS, engine())
    best = solved.ways(read("X a1:X b1:X b2:O c3:O"))[0]
    assert (best.step.label, best.worth.outcome, best.worth.distance) == ("X@c1", Outcome.WIN, 1)


@pytest.mark.parametrize("readings", [{}, {"line": "loses"}, {"marks": "either"}])
def test_both_encodings_agree_on_every_arrangement(readings: dict[str, str]) -> None:
    everywhere = both(readings, readings)
    ends, moves = everywhere.prove_ends(), everywhere.prove_moves(engine().candidates())
    assert (ends.status, moves.status) == (Status.PROVED, Status.PROVED)
    assert "all 39,366 arrangements; legality, clause, effect, winner, end, turn" in moves.scope


def test_other_constraints_are_refuted_with_the_least_arrangement() -> None:
    misere = both({"line": "loses"}, {}).prove_ends()
    assert misere.witness is not None
    assert (misere.status, misere.witness.position) == (Status.REFUTED, "X a1:X b1:X c1:X")
    wild = both({"marks": "either"}, {}).prove_moves(["X@a1"])
    assert wild.witness is not None
    assert (wild.witness.position, wild.witness.move) == ("O b1:X a2:X b2:X", "X@a1")  # the least of the first cases


def test_every_position_in_play_agrees() -> None:
    result = run_family(GAME, "play", PARAMS, (Engine, Spec), BOOK.defaults(), lambda done: None)
    assert result.status is Status.PROVED
    assert "the printed game (5,478)" in result.scope


def test_an_engine_that_lists_too_little_is_refuted() -> None:
    class Forgetful(Engine):
        def moves(self, position: Any) -> Any:
            return {move: result for move, result in super().moves(position).items() if not move.endswith("c3")}

    result = run_family(GAME, "play", PARAMS, (Forgetful, Spec), BOOK.defaults(), lambda done: None)
    assert result.witness is not None
    assert (result.status, result.witness.move) == (Status.REFUTED, "X@c3")
    assert "missing from the moves that are listed" in result.witness.note


def test_readings_are_told_apart_by_who_wins() -> None:
    found = separate(GAME, BOOK.defaults(), "line", ("wins", "loses"))
    witness = found.result.witness
    assert witness is not None
    assert witness.line is not None  # a position in play is shown, and the smallest arrangement is named
    assert (witness.position, witness.move) == ("O a1:X b1:O c1:O a2:X a3:X", None)
    assert witness.note.endswith("smallest arrangement that does: X a1:X b1:X, X@c1")
    assert ["X won" in found.verdicts[0], "O won" in found.verdicts[1]] == [True, True]


def test_each_clause_decides_a_case_of_its_own() -> None:
    rows = {row.clause.id: row for row in coverage(GAME, PARAMS, BOOK.defaults())}
    assert rows["NC-01"].result is None
    shown = {clause: row.result.witness for clause, row in rows.items() if row.result is not None}
    assert {c: (w.position, w.move) for c, w in shown.items() if w} == {
        "NC-02": ("X", "O@a1"),
        "NC-03": ("X a1:X", "X@a1"),
        "NC-04": ("X a1:X b1:X c1:X", "X@a2"),
    }


def test_where_play_stops() -> None:
    rows = {row.name: row.result for row in stalemates(GAME, GAME.params({}), BOOK.defaults())}
    assert {name: row.status for name, row in rows.items()} == {
        "no-move": Status.PROVED,
        "only-pass": Status.PROVED,
        "no-winner": Status.REFUTED,
        "tie": Status.REFUTED,
        "endless": Status.PROVED,
    }
    witness = rows["no-winner"].witness
    assert witness is not None
    assert len(witness.line or ()) == 6  # after six marks nobody may be able to win any more


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "column 1: mover is one of X, O; found nothing"),
        ("X a1", "column 3: expected FIELD:VALUE, found 'a1'"),
        ("X a1:Z", "column 6: a1 is one of ., X, O; found 'Z'"),
        ("X a1:X a1:O", "column 8: field 'a1' stands twice"),
    ],
)
def test_bad_positions_name_the_column(text: str, problem: str) -> None:
    with pytest.raises(InputError, match="column") as caught:
        read(text)
    assert str(caught.value) == problem


def test_positions_round_trip_as_text_and_as_numbers() -> None:
    for position in Explored(engine(), read):
        assert read(str(position)) == position == FIELDS.unpack(FIELDS.pack(position))


def test_undecided_values_answer_as_real_ones() -> None:
    """Whatever is asked of an undecided square, the answers fit one real value."""
    for script in ([0], [1, 0], [1, 1]):
        square = FIELDS.undecided(Observer(script))["a1"]
        answers = [square == ".", square == "X", square == "O"]
        assert sum(answers) == 1
        assert str(square) == ".XO"[answers.index(True)]
