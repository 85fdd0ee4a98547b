"""Protects: the second solver hears every NO, is asked the same question, and contradicts when it should."""

from __future__ import annotations

import importlib.util
import json
from typing import Any

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from solvers.second import Opinions, Second
from solvers.smt import Answer, Asker, at_most, exactly, hearing_no

P = z3.Bools("p0 p1 p2 p3 p4")
X, Y = z3.Ints("x y")
R = z3.Real("r")

ATOMS = st.sampled_from(P)


def _larger(smaller: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    few = st.lists(smaller, min_size=1, max_size=4)
    weighed = st.lists(st.tuples(smaller, st.integers(1, 3)), min_size=1, max_size=4)
    return st.one_of(
        smaller.map(z3.Not),
        few.map(z3.And),
        few.map(z3.Or),
        st.tuples(smaller, smaller).map(lambda pair: z3.Implies(*pair)),
        st.tuples(smaller, smaller).map(lambda pair: z3.Xor(*pair)),
        st.tuples(smaller, smaller).map(lambda pair: pair[0] == pair[1]),
        st.tuples(smaller, smaller, smaller).map(lambda three: z3.If(*three)),
        st.tuples(few, st.integers(0, 4)).map(lambda given: at_most(*given)),
        st.tuples(few, st.integers(0, 4)).map(lambda given: exactly(*given)),
        st.tuples(weighed, st.integers(0, 8)).map(lambda given: z3.PbGe(*given)),
        st.tuples(weighed, st.integers(0, 8)).map(lambda given: z3.PbLe(*given)),
        st.tuples(weighed, st.integers(0, 8)).map(lambda given: z3.PbEq(*given)),
    )


BOOLEANS = st.recursive(ATOMS, _larger, max_leaves=12)
NUMBERS = st.sampled_from([X < Y, X + Y == 3, z3.Sum([X]) >= 2, z3.ToReal(X) < R * 2, z3.RealVal("-1/3") <= R, Y != 0])


def _opinion(facts: list[Any], supposed: list[Any], assumptions: list[Any]) -> tuple[Answer, Opinions]:
    """What z3 says, and the second solver, which is asked whatever that was."""
    asker, second = Asker(), Second()
    asker.add(*facts)
    with asker.supposing(*supposed):
        answer = asker.ask(*assumptions)
        second.ask_again(asker, assumptions)
    return answer, second.opinions


@given(st.lists(BOOLEANS, max_size=3), st.lists(BOOLEANS, max_size=2), st.lists(ATOMS, max_size=2))
def test_clauses_say_what_the_terms_say(facts: list[Any], supposed: list[Any], assumptions: list[Any]) -> None:
    answer, opinions = _opinion(facts, supposed, assumptions)
    assert opinions.agreed == ({"CaDiCaL": 1} if answer is Answer.NO else {})
    assert opinions.contradicted == (answer is Answer.YES)


@given(st.lists(st.one_of(BOOLEANS, NUMBERS), max_size=4), st.lists(ATOMS, max_size=2))
def test_text_says_what_the_terms_say(facts: list[Any], assumptions: list[Any]) -> None:
    answer, opinions = _opinion([X >= 0, *facts], [Y <= 4], assumptions)
    assert opinions.agreed == ({"cvc5": 1} if answer is Answer.NO else {})
    assert opinions.contradicted == (answer is Answer.YES)


def test_every_no_is_heard_and_nothing_else() -> None:
    asker, second = Asker(), Second()
    asker.add(z3.Or(P[0], P[1]), True)
    with hearing_no(second.ask_again):
        assert asker.ask(P[0]) is Answer.YES
        assert asker.ask(z3.Not(P[0]), z3.Not(P[1])) is Answer.NO
        with asker.supposing(z3.Not(P[0])):
            with asker.supposing(z3.Not(P[1])):
                assert asker.ask() is Answer.NO
            assert asker.ask() is Answer.YES
        asker.add(z3.Not(P[2]))  # after the first question
        assert asker.ask(P[2]) is Answer.NO
    assert asker.ask(P[2]) is Answer.NO
    assert second.opinions.as_json() == {
        "asked": 3,
        "agreed": 3,
        "by": {"CaDiCaL": 3},
        "contradicted": 0,
        "unanswered": 0,
    }


def test_an_asker_may_come_to_numbers_late() -> None:
    asker, second = Asker(), Second()
    asker.add(P[0])
    with hearing_no(second.ask_again):
        assert asker.ask(z3.Not(P[0])) is Answer.NO
        with asker.supposing(X > 0, X < 1):
            assert asker.ask() is Answer.NO
        assert asker.ask(z3.Not(P[0])) is Answer.NO
    assert second.opinions.agreed == {"CaDiCaL": 1, "cvc5": 2}


def test_without_the_solvers_it_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch, rulecheck: Any) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *a: None if name == "cvc5" else real(name, *a))
    run = rulecheck("prove", "nestrace", "--second", "--family", "win")
    assert run.status == 2
    assert "rulecheck[second]" in run.err
    assert len(run.err.strip().splitlines()) == 1


def test_prove_counts_opinions(rulecheck: Any) -> None:
    found = json.loads(rulecheck("prove", "nestrace", "--family", "win", "--second", "--json").out)
    assert found["second"]["asked"] == found["second"]["agreed"] > 0
    assert [row["family"] for row in found["second"]["families"]] == ["win"]


def test_a_contradiction_is_a_finding(monkeypatch: pytest.MonkeyPatch, rulecheck: Any) -> None:
    """A second solver that says YES to everything makes `prove` fail."""
    monkeypatch.setattr("solvers.second._Clauses.ask", lambda *_: Answer.YES)
    run = rulecheck("prove", "nestrace", "--family", "win", "--second")
    assert run.status == 1
    assert "0 of" in run.out.splitlines()[-1]
