"""Protects: `solve`, `probe` and `certify` are right about somebody else's game, or refuse it with a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import oddities
import pytest

from rulecheck.spaces import symmetry

Install = Callable[[str, str], None]
Runner = Callable[..., Any]


def refused(rulecheck: Runner, slug: str, folder: Path) -> str:
    run = rulecheck("solve", slug, "--out", str(folder))
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
    assert not list(folder.glob("*.table"))
    return str(run.err)


def answer(rulecheck: Runner, *arguments: str, status: int = 0) -> Any:
    run = rulecheck(*arguments, "--json")
    assert (run.status, run.err) == (status, "")
    return json.loads(run.out)


@pytest.mark.parametrize(
    ("slug", "entry", "sentence"),
    [
        ("again", "AGAIN", "after 0-2 in A 6 the same player, A, is to act"),
        ("keeps", "KEEPS", "after 0-2 in A 2 the same player, A, is to act"),
        ("later", "LATER", "chance decides at B -2, so no outcome can be forced"),
        ("three", "THREE", "and this one has 3"),
        ("turning", "TURNING", "and this one has 3"),
        ("unlike", "UNLIKE", "the game calls B 2,1 and B 1,2 alike, but their moves or ends are not"),
    ],
)
def test_what_would_come_out_wrong_is_refused(
    slug: str, entry: str, sentence: str, install: Install, rulecheck: Runner, tmp_path: Path
) -> None:
    install(slug, f"oddities:{entry}")
    assert sentence in refused(rulecheck, slug, tmp_path)


def test_a_true_symmetry_is_compared_everywhere(install: Install, rulecheck: Runner, tmp_path: Path) -> None:
    """One stone or two from one of two equal heaps: the second player does the same to the other heap, and wins."""
    install("alike", "oddities:ALIKE")
    found = answer(rulecheck, "solve", "alike", "--out", str(tmp_path))
    assert (found["value"], found["alike"]) == ("loss", {"compared": 5, "everywhere": True})
    proof = answer(rulecheck, "certify", found["table"])
    assert (proof["result"], proof["compared"], proof["alike"]) == ("PROVED", 0, found["alike"])
    assert proof["headline"] == "PROVED given the engine, which there is no spec to compare with"


def test_a_symmetry_that_was_only_sampled_is_in_the_headline(
    install: Install, rulecheck: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulecheck.certifying.COMPARED_WHOLE", 4)
    monkeypatch.setitem(symmetry.check_alike.__kwdefaults__, "whole", 4)
    install("alike", "oddities:ALIKE")
    run = rulecheck("solve", "alike", "--out", str(tmp_path))
    assert "checker, given the symmetry of the game, which holds at" in run.out.splitlines()[0]
    (table,) = tmp_path.glob("*.table")
    assert "and the symmetry of the game, which holds at" in rulecheck("certify", str(table)).out.splitlines()[0]


# -- Compared with the spec ------------------------------------------------------------------------------------


def test_an_engine_that_solved_its_own_game_is_compared_with_the_spec(
    install: Install, rulecheck: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule that the engine has and the spec has not: nobody sets a mark on c1 once five stand."""
    from noughts import SQUARES
    from noughts.engine import Engine

    from rulecheck.model import breaks

    def forbidden(position: Any, move: Any) -> bool:
        return bool(move.square == SQUARES.index("c1") and sum(map(bool, position.stacks)) >= 5)

    monkeypatch.setattr("rulecheck.certifying.CONFIRMED", 40)
    install("noughts", "noughts:GAME")
    judge, moves = Engine.judge, Engine.moves
    monkeypatch.setattr(
        Engine, "judge", lambda self, p, m: breaks("NC-03", "") if forbidden(p, m) else judge(self, p, m)
    )
    monkeypatch.setattr(
        Engine, "moves", lambda self, p: {m: r for m, r in moves(self, p).items() if not forbidden(p, m)}
    )
    table = answer(rulecheck, "solve", "noughts", "--out", str(tmp_path))["table"]
    refuted = answer(rulecheck, "certify", table, "--seed", "1", status=1)
    assert refuted["headline"] == "REFUTED"
    assert any("the spec alone allows A1@c1" in problem for problem in refuted["problems"])


# -- Several rolls in a turn -----------------------------------------------------------------------------------


State = tuple[int, int, int]  # own points, the other player's, those of the turn


def pig_values() -> dict[State, float]:
    """The chance of whoever is about to roll, by plain iteration."""
    states = [
        (a, b, turn) for a in range(oddities.GOAL) for b in range(oddities.GOAL) for turn in range(oddities.GOAL - a)
    ]
    value = dict.fromkeys(states, 0.5)
    for _ in range(400):
        value = {(a, b, turn): _rolled(value, a, b, turn) for a, b, turn in states}
    return value


def _rolled(value: dict[State, float], a: int, b: int, turn: int) -> float:
    after = [max(_held(value, a, b, turn + roll), value.get((a, b, turn + roll), 0.0)) for roll in (2, 3)]
    return (1 - value[b, a, 0] + sum(after)) / 3


def _held(value: dict[State, float], a: int, b: int, turn: int) -> float:
    return 1.0 if a + turn >= oddities.GOAL else 1 - value[b, a + turn, 0]


def test_a_turn_of_several_rolls_has_its_values_and_best_moves(
    install: Install, rulecheck: Runner, tmp_path: Path
) -> None:
    install("pig", "oddities:PIGLET")
    value, played = pig_values(), set()
    found = answer(rulecheck, "solve", "pig", "--out", str(tmp_path))
    assert found["low"] - 1e-6 <= value[0, 0, 0] <= found["high"] + 1e-6
    for a, b, turn in value:
        if 1 in (a, b, turn):  # no roll adds a single point
            continue
        probed = answer(rulecheck, "probe", "pig", f"A {a},{b},{turn}", "--out", str(tmp_path))
        assert probed["low"] - 1e-6 <= value[a, b, turn] <= probed["high"] + 1e-6
        for roll, best in probed["best"].items():
            after = turn + int(roll)
            assert best == ("hold" if _held(value, a, b, after) >= value.get((a, b, after), 0.0) else "roll")
            played.add(best)
    assert played == {"hold", "roll"}
    assert "with 2: " in rulecheck("probe", "pig", "--out", str(tmp_path)).out


def test_certify_accepts_the_true_table_and_refutes_a_false_graph(
    install: Install, rulecheck: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("pig", "oddities:PIGLET")
    table = answer(rulecheck, "solve", "pig", "--out", str(tmp_path))["table"]
    proof = answer(rulecheck, "certify", table)
    assert proof["headline"] == "PROVED given the engine, which there is no spec to compare with"
    assert proof["compared"] == proof["positions"]
    hold = oddities.Pig.moves
    monkeypatch.setattr(oddities.Pig, "moves", lambda self, p: {k: v for k, v in hold(self, p).items() if k == "hold"})
    monkeypatch.setattr(oddities.Mirrored, "chart", lambda hints, engine, report: chart)
    with monkeypatch.context() as patch:
        patch.setattr(oddities.Pig, "moves", hold)
        chart = oddities.pig_chart(oddities.Pig(oddities.Params(), {}))
    refuted = answer(rulecheck, "certify", table, status=1)
    assert "only the graph leads to same" in refuted["problems"][0]
