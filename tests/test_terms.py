"""Protects: formulas over fields mean what they say, of a known position without a solver and of an unknown one with
it; and the least position is chosen by us."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulecheck.fields import Field, Fields, State
from rulecheck.terms import (
    Brought,
    Constraints,
    Term,
    Terms,
    choose,
    combined,
    is_true,
    known_position,
    least_position,
    position_of,
    unknown_position,
)
from solvers.smt import FALSE, TRUE, Answer, Asker, Bool, every, no, some

FIELDS = Fields(
    [Field("m", (0, 1, 2, 3), empty=0), Field("n", (0, 1, 2, 3), empty=0), Field("s", (".", "A", "B"), ".")]
)
STATES = [FIELDS.unpack(number) for number in range(FIELDS.size)]

Question = tuple[Callable[[Terms, int], Bool], Callable[[State, int], bool]]
QUESTIONS: list[Question] = [  # a formula, and what it should say
    (lambda x, c: x["m"] == c, lambda s, c: s["m"] == c),
    (lambda x, c: x["m"] != x["n"], lambda s, c: s["m"] != s["n"]),
    (lambda x, c: x["m"] < x["n"], lambda s, c: s.number("m") < s.number("n")),
    (lambda x, c: x["m"] <= c, lambda s, c: s.number("m") <= c),
    (lambda x, c: x["m"] > x["n"], lambda s, c: s.number("m") > s.number("n")),
    (lambda x, c: x["m"] >= c, lambda s, c: s.number("m") >= c),
    (lambda x, c: x["m"] + x["n"] == c, lambda s, c: s.number("m") + s.number("n") == c),
    (lambda x, c: x["m"] - x["n"] > c - 2, lambda s, c: s.number("m") - s.number("n") > c - 2),
    (lambda x, c: x["m"] + 1 == x["n"] - 1, lambda s, c: s.number("m") + 1 == s.number("n") - 1),
    (lambda x, c: x["s"].is_in([".", "B", "Z"]), lambda s, c: s["s"] in ".B"),
    (lambda x, c: x["m"].where(lambda v: v % 2 == c % 2), lambda s, c: s.number("m") % 2 == c % 2),
    (lambda x, c: x["m"].map(lambda v: v // 2) == 1, lambda s, c: s.number("m") // 2 == 1),
    (lambda x, c: x["s"] == c, lambda s, c: False),
    (
        lambda x, c: combined(x["m"], x["s"], lambda v, w: f"{v}{w}") == f"{c}A",
        lambda s, c: f"{s['m']}{s['s']}" == f"{c}A",
    ),
    (lambda x, c: choose(x["s"] == "A", x["m"], c) == 2, lambda s, c: (s["m"] if s["s"] == "A" else c) == 2),
    (lambda x, c: x.replace({"m": x["n"], "n": c})["m"] == c, lambda s, c: s["n"] == c),
]


@pytest.mark.parametrize("number", range(len(QUESTIONS)))
@pytest.mark.parametrize("constant", range(4))
def test_formulas_mean_what_they_say(number: int, constant: int) -> None:
    formula, meaning = QUESTIONS[number]
    asker = Asker()
    x = unknown_position(asker, FIELDS)
    literal = asker.name(formula(x, constant))
    for state in STATES:
        expected = meaning(state, constant)
        assert is_true(formula(known_position(state), constant)) == expected
        with asker.supposing(*(x[field.name] == state[field.name] for field in FIELDS)):
            assert asker.ask(literal) is (Answer.YES if expected else Answer.NO)


def test_a_field_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(KeyError, match="no field is called 'z'"):
        known_position(STATES[0]).replace({"z": 1})


def test_a_formula_with_unknowns_is_neither_true_nor_false() -> None:
    with pytest.raises(ValueError, match="holds unknowns"):
        is_true(unknown_position(Asker(), FIELDS)["m"] == 1)


@given(st.lists(st.sampled_from(STATES), min_size=1, max_size=6, unique=True))
def test_the_least_position_has_the_fewest_pieces_and_then_comes_first(allowed: list[State]) -> None:
    asker = Asker()
    x = unknown_position(asker, FIELDS)
    question = some(every(x[f.name] == state[f.name] for f in FIELDS) for state in allowed)
    assert least_position(asker, x, question) is Answer.YES

    def order(state: State) -> tuple[int, ...]:
        pieces = sum(value != field.empty for field, value in zip(FIELDS, state.values, strict=True))
        return pieces, *(f.fullest_first.index(v) for f, v in zip(FIELDS, state.values, strict=True))

    assert position_of(asker, x) == min(allowed, key=order)


def test_nothing_is_no_least_position() -> None:
    asker = Asker()
    assert least_position(asker, unknown_position(asker, FIELDS), FALSE) is Answer.NO


class Toy(Constraints[str]):
    """Adds n to m, up to 3; chance may take all of n away."""

    def clauses(self, x: Terms, move: str) -> dict[str, Bool]:
        return {"T-1": x["s"] == move, "T-2": x["n"] != 0}

    def after(self, x: Terms, move: str) -> dict[str, Any]:
        return {"m": (x["m"] + x["n"]).map(lambda v: min(v, 3)), "s": "."}

    def wins(self, x: Terms) -> dict[str, Bool]:
        return {player: every([x["s"] == player, x["m"] == 3]) for player in "AB"}

    def chances(self, x: Terms) -> dict[str, Brought]:
        return {"lost": Brought(x["s"] == ".", {"n": 0}, weight=2), "kept": Brought(no(x["s"] != "."), {})}


def test_constraints_about_one_position() -> None:
    toy = Toy(None, None)  # type: ignore[arg-type]  # it needs neither
    position = FIELDS.read("m:2 n:2 s:A")
    assert toy.judge(position, "A").legal
    assert toy.judge(position, "B").clauses == ("T-1",)
    assert toy.judge(FIELDS.read("m:2"), "B").clauses == ("T-1", "T-2")
    assert toy.result(position, "A") == FIELDS.read("m:3 n:2")
    assert (toy.winners(position), toy.winners(FIELDS.read("m:3 s:B"))) == ((), ("B",))
    assert toy.brought(position) == {}
    lost, kept = FIELDS.read("m:2"), FIELDS.read("m:2 n:2")
    assert toy.brought(kept) == {"lost": (2, lost), "kept": (1, kept)}


def test_what_is_not_stated_is_none() -> None:
    class Silent(Constraints[str]):
        def clauses(self, x: Terms, move: str) -> dict[str, Bool]:
            return {"S-1": TRUE}

    silent, position = Silent(None, None), STATES[0]  # type: ignore[arg-type]
    assert silent.judge(position, "A").legal
    assert (silent.result(position, "A"), silent.winners(position), silent.brought(position)) == (None, None, None)


def test_a_field_needs_one_value() -> None:
    class Torn(Toy):
        def after(self, x: Terms, move: str) -> dict[str, Any]:
            return {"m": Term({1: TRUE, 2: TRUE})}

    with pytest.raises(ValueError, match="give field 'm' 2 values"):
        Torn(None, None).result(STATES[0], "A")  # type: ignore[arg-type]
