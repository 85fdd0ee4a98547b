"""Protects: slips of the pen made from the source of both encodings are noticed by proofs, or shown as survivors."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nim import GAME
from oxo import GAME as OXO

from rulecheck.analyses.edits import edited, edits
from rulecheck.analyses.made_mutants import Made, drawn, made_mutants, try_made
from rulecheck.analyses.mutants import Mutant
from rulecheck.model import Status

SOURCE = '''"""A text for people."""
from solvers.smt import every, some

SIGNS = ("A", "B")


def judge(mover: str, moved: str, count: int) -> bool:
    """Another one."""
    if count > 2 and mover in SIGNS:
        raise ValueError("not legal")
    return no(every([mover == "A", count + 1 < 4])) if moved else True
'''


def changes(source: str) -> set[tuple[str, str, str]]:
    text = source.encode()
    return {(e.kind, text[e.start : e.stop].decode().strip(), e.new.strip()) for e in edits(source)}


def test_each_kind_of_slip_is_made() -> None:
    found = changes(SOURCE)
    assert found >= {
        ("comparison", ">", ">="),
        ("comparison", "in", "not in"),
        ("constant", "2", "3"),
        ("constant", "2", "1"),
        ("constant", '"A"', '"B"'),
        ("constant", "True", "False"),
        ("dropped", "count > 2 and mover in SIGNS", "((mover in SIGNS))"),
        ("dropped", "count > 2 and mover in SIGNS", "False"),
        ("dropped", '("A", "B")', '("B",)'),
        ("negation", "count > 2 and mover in SIGNS", "(not (count > 2 and mover in SIGNS))"),
        ("name", "every", "some"),
        ("name", "mover", "moved"),
        ("name", "+", "-"),
    }


def test_texts_for_people_and_errors_are_left_alone() -> None:
    changed = {old for _, old, _ in changes(SOURCE)}
    assert not any("text" in old or "Another" in old or "legal" in old for old in changed)


@given(st.sampled_from([made for game in (GAME, OXO) for made in made_mutants(game)]))
def test_each_changes_one_place_of_a_program_that_can_be_read(made: Made) -> None:
    mutant = made.mutant
    assert mutant.old != mutant.new
    lines = made.diff.splitlines()
    assert {line[0] for line in lines} == {"-", "+"}


def test_edits_can_be_compiled() -> None:
    for edit in edits(SOURCE):
        changed = edited(SOURCE, edit)
        assert changed != SOURCE
        compile(changed, "changed", "exec")


def test_equal_seeds_draw_equal_mutants_of_every_kind() -> None:
    possible = made_mutants(GAME)
    first = drawn(possible, 10, 1)
    assert first == drawn(possible, 10, 1) != drawn(possible, 10, 2)
    assert len(first) == 10
    assert {one.kind for one in first} == {"comparison", "constant", "dropped", "negation", "name"}
    assert {one.mutant.side for one in first} == {"engine", "spec"}
    assert drawn(possible, 10_000, 1) == possible


def test_every_mutant_of_nim_is_noticed_but_those_that_change_nothing() -> None:
    """What NI-04 says follows from NI-03, so nothing depends on it; and a move more to ask about is never legal."""
    survivors = [one for one in made_mutants(GAME) if not try_made(GAME, one.mutant)[1]]
    assert [one.diff.splitlines()[-1].strip("+ ") for one in survivors] == [
        'return [f"{heap}-{taken}" for heap in heaps(self.params) for taken in range(1, most + 2)]',
        "return (LEGAL)",
        'return breaks("NI-03", "the game is over") if self.end(position) else LEGAL',
        'return {"NI-03": x[heap] >= int(taken)}',
        '"NI-04": some(x[heap] != (-1) for heap in heaps(self.params)),',
    ]


def test_a_change_that_never_ends_is_unknown() -> None:
    old = "        if any(position.number(heap) > 0 for heap in heaps(self.params)):\n"
    endless = Mutant("endless", "engine", "NI-05", "", old, f"        while True:\n            pass\n{old}")
    result, by = try_made(GAME, endless, seconds=0.5)
    assert (result.status, by) == (Status.UNKNOWN, "")
    assert "0.5 seconds" in result.scope


@pytest.mark.usefixtures("installed")
def test_the_command_shows_survivors_with_their_diff(rulecheck: Callable[..., Any]) -> None:
    found = json.loads(rulecheck("mutants", "nim", "--all", "--json").out)
    survivor = next(row for row in found["rows"] if not row["noticed"])
    run = rulecheck("mutants", "nim", "--only", survivor["mutant"])
    assert run.status == 1
    assert f"SURVIVES {survivor['mutant']}" in run.out
    assert all(f"    {line}" in run.out.splitlines() for line in survivor["diff"].splitlines())
    assert rulecheck("mutants", "nim", "--all", "--made", "3").status == 2
