"""Protects: positions made of fields are one text and one number each, symmetry gives one of all that are alike, and
fields that are decided when looked at answer as real ones do."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulecheck.cases import cases
from rulecheck.fields import Facts, Field, Fields, State, plain
from rulecheck.model import InputError

WORD = st.text("abcXY.01-", min_size=1, max_size=3)
DOMAIN = st.one_of(
    st.lists(WORD, min_size=1, max_size=4, unique=True).map(tuple),
    st.integers(0, 4).map(lambda most: tuple(range(most + 1))),
)


@st.composite
def some_fields(draw: Any) -> Fields:
    names = draw(st.lists(WORD, min_size=1, max_size=5, unique=True))
    bare = draw(st.integers(0, len(names)))
    made = []
    for at, name in enumerate(names):
        domain = draw(DOMAIN)
        empty = draw(st.none() | st.sampled_from(domain)) if at >= bare else None
        made.append(Field(name, domain, empty, bare=at < bare))
    return Fields(made)


@given(some_fields(), st.data())
def test_text_and_number_round_trip(fields: Fields, data: Any) -> None:
    number = data.draw(st.integers(0, fields.size - 1))
    state = fields.unpack(number)
    assert fields.pack(state) == number
    assert fields.read(str(state)) == state
    assert fields.state(dict(zip(fields.place, state.values, strict=True))) == state


def test_different_states_have_different_texts() -> None:
    fields = Fields(
        [Field("who", ("A", "B"), bare=True), Field("a", (0, 1, 2), empty=0), Field("b", (0, 1, 2), empty=1)]
    )
    states = [fields.unpack(n) for n in range(fields.size)]
    assert len({str(state) for state in states}) == len(set(states)) == fields.size == 18
    assert str(fields.state({"who": "A", "b": 0})) == "A b:0"


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: Field("a", ()), "field 'a': a domain is different values without blanks or colons"),
        (lambda: Field("a", ("1", 1)), "field 'a': a domain is different values without blanks or colons"),
        (lambda: Field("a b", ("1",)), "field 'a b': a domain is different values without blanks or colons"),
        (lambda: Field("a", ("x:y",)), "field 'a': a domain is different values without blanks or colons"),
        (lambda: Field("a", ("1",), empty="2"), "field 'a': its empty value '2' is not in its domain"),
        (lambda: Field("a", ("1",), empty="1", bare=True), "field 'a': a bare field is always written"),
        (lambda: Fields([Field("a", ("1",)), Field("a", ("1",))]), "fields have different names"),
        (lambda: Fields([Field("a", ("1",)), Field("b", ("1",), bare=True)]), "and bare ones come first"),
        (lambda: Fields([Field("a", (1,)), Field("b", (2,))], [{"a": "b", "b": "a"}]), "not two fields of one domain"),
        (lambda: Fields([Field("a", (1,)), Field("b", (1,))], [{"a": "b"}]), "takes two fields to one place"),
        (lambda: Fields([Field("a", (1, 2))]).state({"b": 1}), "no field is called 'b'"),
        (lambda: Fields([Field("a", (1, 2))]).state({"a": 3}), "field 'a' takes 1, 2, found 3"),
        (lambda: Fields([Field("a", (1, 2))]).read(""), "column 1: expected field 'a'"),
        (lambda: Fields([Field("a", (1, 2))]).unpack(2), "there are 2 arrangements, and none has the number 2"),
    ],
)
def test_bad_fields_are_one_sentence(make: Callable[[], object], problem: str) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert problem in str(caught.value)


# -- Symmetry ------------------------------------------------------------------------------------------------------

RING = Fields([Field("who", ("A", "B"), bare=True), *(Field(n, (".", "x", "y"), empty=".") for n in "abcd")], [
    {"a": "b", "b": "c", "c": "d", "d": "a"},
    {"b": "d", "d": "b"},
])  # fmt: skip


def test_symmetries_together_are_the_eight_of_a_square() -> None:
    assert len(RING.group) == 8


@given(st.integers(0, RING.size - 1))
def test_all_that_are_alike_have_one_first_among_them(number: int) -> None:
    state = RING.unpack(number)
    images = RING.images(state)
    assert state in images
    assert {RING.alike(image) for image in images} == {min(images, key=RING.pack)}
    assert len(images) in (1, 2, 4, 8)


def test_necklaces() -> None:
    """Necklaces of four beads of three colours that may be turned over: 21 (Burnside)."""
    assert len({RING.alike(RING.unpack(n)) for n in range(RING.size)}) == 2 * 21


# -- Undecided -----------------------------------------------------------------------------------------------------

NUMBERS, TEXTS = ("m", "n"), ("s", "t")
LAZY = Fields([Field(n, (0, 1, 2, 3)) for n in NUMBERS] + [Field(t, (".", "A1", "B1", "A1B2")) for t in TEXTS])
number, text, constant = st.sampled_from(NUMBERS), st.sampled_from(TEXTS), st.integers(0, 4)

Probe = Callable[[State], Any]
PROBES: list[Callable[[str, str, str, str, int], Probe]] = [
    lambda m, n, s, t, c: lambda x: x[m] == c,
    lambda m, n, s, t, c: lambda x: x[m] != x[n],
    lambda m, n, s, t, c: lambda x: x[m] == x[m],
    lambda m, n, s, t, c: lambda x: x[m] + c == x[m] * 2,
    lambda m, n, s, t, c: lambda x: (x[m] < c, x[m] <= x[n]),
    lambda m, n, s, t, c: lambda x: (c > x[m], c >= x[n]),
    lambda m, n, s, t, c: lambda x: (x[m] > c, x[m] >= x[n]),
    lambda m, n, s, t, c: lambda x: bool(x[m]),
    lambda m, n, s, t, c: lambda x: x[m] + x[n] > c,
    lambda m, n, s, t, c: lambda x: (c - x[m] == 1, x[m] - c == -1, abs(x[m] - x[n]) == 2, -x[n] < -c),
    lambda m, n, s, t, c: lambda x: (x[m] % 2 == 1, x[m] // 2 == 1, x[m] * c == 6, c * x[n] == 3),
    lambda m, n, s, t, c: lambda x: (x[m] ^ x[n] == c, x[m] & c == 1, c | x[n] == 3, 7 % (x[m] + 1) == 1),
    lambda m, n, s, t, c: lambda x: min(x[m], x[n]) == max(x[m], c),
    lambda m, n, s, t, c: lambda x: sum([x[m], x[n]]) == c,
    lambda m, n, s, t, c: lambda x: (x[s] == x[t], x[s] == "A1", x[s] != "."),
    lambda m, n, s, t, c: lambda x: (x[s][-2:-1] == "A", x[t][-1:] < "2", "B" in x[s]),
    lambda m, n, s, t, c: lambda x: (len(x[s]), str(x[t]), f"{x[m]:02}"),
    lambda m, n, s, t, c: lambda x: (x[s] + x[t]).startswith("A"),
    lambda m, n, s, t, c: lambda x: (("x" + x[s]) == "xB1", list(x[t]) == ["A", "1"]),
    lambda m, n, s, t, c: lambda x: {0: "none", 1: "one"}.get(x[m], "many"),
    lambda m, n, s, t, c: lambda x: "abcd"[x[m]] + "wxyz"[int(x[n])],
    lambda m, n, s, t, c: lambda x: list(range(x[m])),
    lambda m, n, s, t, c: lambda x: x[s] in (".", "B1") and x[m] in (1, c),
    lambda m, n, s, t, c: lambda x: plain(x.replace({m: x[n]})[m] + 1),
]


@given(st.lists(st.tuples(st.sampled_from(PROBES), number, number, text, text, constant), min_size=1, max_size=5))
def test_undecided_fields_answer_as_real_ones(drawn: list[Any]) -> None:
    """Each arrangement belongs to exactly one case, and the case has the outcome that the arrangement has."""
    probes = [make(m, n, s, t, c) for make, m, n, s, t, c in drawn]

    def run(state: State) -> list[Any]:
        return [probe(state) for probe in probes]

    decided = list(cases(lambda observer: run(LAZY.undecided(observer))))
    assert len(decided) <= LAZY.size
    for values in product(*(field.domain for field in LAZY)):
        state = LAZY.state(dict(zip(LAZY.place, values, strict=True)))
        fitting = [c for c in decided if all((state[name] in among) == yes for (name, among), yes in c.seen)]
        assert [case.outcome for case in fitting] == [run(state)]


def test_no_more_is_decided_than_is_asked() -> None:
    questions = [case.seen for case in cases(lambda observer: LAZY.undecided(observer).text("s")[-2:-1] == "A")]
    assert questions == [((("s", ("A1",)), True),), ((("s", ("A1",)), False),)]
    assert len(list(cases(lambda observer: len(LAZY.undecided(observer).text("s"))))) == 3


def test_facts_are_fields_named_for_what_they_are_about() -> None:
    """A family of proofs asks for them one by one; equal facts are one field, so they are decided once."""
    facts = Facts()
    pips = facts((1, 2, 3), "pips", (0, -1))
    assert (pips.name, facts.about[pips.name]) == ("pips.(0,-1)", ("pips", (0, -1)))
    assert facts((1, 2, 3), "pips", (0, -1)) is pips
    assert [case.outcome for case in cases(pips.decided)] == [1, 2, 3]
    twice = cases(lambda observer: (pips.decided(observer), pips.undecided(observer) > 1))
    assert [case.outcome for case in twice] == [(1, False), (2, True), (3, True)]
