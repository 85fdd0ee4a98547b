"""The least solution is one of our own choosing: it depends on the facts alone."""

from __future__ import annotations

from itertools import product

import hypothesis.strategies as st
import pytest
import z3
from hypothesis import given, settings

from solvers.smt import Answer, Asker, Bool, no, some

ATOMS = [z3.Bool(f"least {i}") for i in range(6)]
Signed = tuple[int, bool]
literals = st.tuples(st.integers(0, 5), st.booleans())


def term(literal: Signed) -> Bool:
    return ATOMS[literal[0]] if literal[1] else no(ATOMS[literal[0]])


@settings(max_examples=100, deadline=None)
@given(
    clauses=st.lists(st.lists(literals, min_size=1, max_size=3), max_size=8),
    ordered=st.permutations(range(6)),
    signs=st.tuples(*[st.booleans()] * 6),
    counted=st.sets(literals, max_size=8),
)
def test_it_has_the_fewest_and_then_comes_first(
    clauses: list[list[Signed]], ordered: list[int], signs: tuple[bool, ...], counted: set[Signed]
) -> None:
    """Compared with all 64 assignments of six Booleans."""
    asker = Asker()
    asker.add(*(some(map(term, clause)) for clause in clauses))
    fitting = [v for v in product((True, False), repeat=6) if all(any(v[i] == s for i, s in c) for c in clauses)]
    answer = asker.least([term(x) for x in sorted(counted)], [term((i, signs[i])) for i in ordered])
    assert (answer is Answer.YES) == bool(fitting)
    if fitting:
        wanted = min(fitting, key=lambda v: (sum(v[i] == s for i, s in counted), [v[i] != signs[i] for i in ordered]))
        assert tuple(map(asker.holds, ATOMS)) == wanted
    assert asker.ask() is answer, "nothing that was supposed on the way is left behind"


def test_it_goes_down_one_by_one() -> None:
    """Fewer of what the solver likes to make true: at least two of six are false."""
    asker = Asker()
    false = [no(x) for x in ATOMS]
    asker.add(z3.PbGe([(x, 1) for x in false], 2))
    assert asker.least(false, ATOMS) is Answer.YES
    assert [asker.holds(x) for x in ATOMS] == [True] * 4 + [False] * 2


def test_earlier_questions_and_facts_in_another_order_change_nothing() -> None:
    def solution(*, shuffled: bool) -> list[bool]:
        asker, facts = Asker(), [z3.PbGe([(x, 1) for x in ATOMS], 3), no(ATOMS[0]), some([ATOMS[4], ATOMS[5]])]
        asker.add(*(reversed(facts) if shuffled else facts))
        if shuffled:
            asker.ask(ATOMS[5], ATOMS[3])
            asker.ask(no(ATOMS[1]))
        assert asker.least(ATOMS, ATOMS) is Answer.YES
        return [asker.holds(x) for x in ATOMS]

    assert solution(shuffled=False) == solution(shuffled=True) == [False, True, True, False, True, False]


class Interrupted(Asker):
    """Has no answer to one of the questions."""

    unknown = 0

    def ask(self, *assumptions: Bool) -> Answer:
        answer = super().ask(*assumptions)
        if self.asked == self.unknown:
            self.model, answer = None, Answer.UNKNOWN
        return answer


@pytest.mark.parametrize("solvable", [True, False])
def test_unknown_to_any_question_is_unknown(solvable: bool) -> None:
    def asked(unknown: int) -> tuple[Interrupted, Answer]:
        asker = Interrupted()
        asker.unknown = unknown
        asker.add(z3.PbGe([(x, 1) for x in ATOMS], 3), some([ATOMS[4], ATOMS[5]]))
        return asker, asker.least(
            [no(x) for x in ATOMS], [no(x) for x in ATOMS], *([] if solvable else [z3.Not(ATOMS[0]), ATOMS[0]])
        )

    asker, answer = asked(unknown=0)
    assert answer is (Answer.YES if solvable else Answer.NO)
    for n in range(1, asker.asked + 1):
        interrupted, answer = asked(unknown=n)
        assert (answer, interrupted.model) == (Answer.UNKNOWN, None)
