"""Protects: what is said of a game of another package, with a small study of its own, is no more than was shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.analyses import ambiguities as ambiguity
from rulecheck.analyses.ambiguities import Search, find_difference, separate
from rulecheck.analyses.pairwise import prove_share
from rulecheck.contract import Chance, End
from rulecheck.hints import COMPARED
from rulecheck.model import InputError, Result, Status

Runner = Callable[..., Any]


@pytest.fixture(autouse=True)
def installed(install: Callable[[str, str], None]) -> None:
    install("stones", "stones:GAME")


def _json(rulecheck: Runner, *arguments: str) -> Any:
    run = rulecheck(*arguments, "--json")
    assert run.err == ""
    return json.loads(run.out)


# -- Two readings that differ in who wins ---------------------------------------------------------------------------


def test_who_wins_tells_two_readings_apart(rulecheck: Runner) -> None:
    (row,) = _json(rulecheck, "ambiguities", "stones", "--only", "last")
    assert (row["result"], row["witness"]["position"], row["witness"]["move"]) == ("REFUTED", "A 1", "take-1")
    assert row["verdicts"] == {"wins": "legal, then B 0, and A wins", "loses": "legal, then B 0, and B wins"}
    assert row["witness"]["params"] == {"stones": "1"}


def test_who_wins_after_longer_play_tells_them_apart() -> None:
    game = registry.find("stones")
    engines = [game.engine(game.params({"stones": "4"}), game.rulebook.choose({"last": v})) for v in ("wins", "loses")]
    found = find_difference(*engines)
    assert found is not None
    assert (str(found[0]), str(found[1]), found[2]) == ("B 2", "take-2", ("take-2",))


class _Rolling:
    """The stones, taken by a die: who has won is known when it has fallen."""

    def __init__(self, engine: Any, ways: int, sure: str | None) -> None:
        self.engine, self.ways, self.sure = engine, ways, sure

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)

    def chances(self, position: Any) -> tuple[Chance[Any], ...]:
        return (Chance("it falls", self.ways, type(position)("A", 1)),) if position == self.start() else ()

    def end(self, position: Any) -> End | None:
        return End((self.sure,)) if self.sure and position.stones == 1 else None


@pytest.mark.parametrize(
    ("first", "second", "where"),
    [((2, None), (2, "B"), "A 1"), ((2, None), (3, None), "A 4"), ((2, "A"), (2, "A"), None)],
)
def test_what_chance_does_and_decides_is_compared(first: Any, second: Any, where: str | None) -> None:
    game = registry.find("stones")
    plain = game.engine(game.params({}), game.rulebook.defaults())
    rolling: list[Any] = [_Rolling(plain, *first), _Rolling(plain, *second)]
    found = find_difference(rolling[0], rolling[1])
    assert (None if found is None else (str(found[0]), found[1])) == (None if where is None else (where, None))
    if found:
        said = ambiguity._said(rolling, found[0], None)
        assert said[0] != said[1]


# -- Searches that leave nothing out --------------------------------------------------------------------------------


def test_a_complete_search_that_shows_no_difference_is_a_proof_of_its_scope(rulecheck: Runner) -> None:
    (row,) = _json(rulecheck, "ambiguities", "stones", "--only", "heap")
    assert (row["result"], row["bounded"]) == ("PROVED", True)
    assert row["scope"] == "every position in play of games of up to 5 stones"
    assert "heap: round and square do not differ in the games searched" in rulecheck("ambiguities", "stones").out


def test_a_search_of_a_games_own_is_not_known_to_be_complete() -> None:
    from stones.study import below, bound, shapes

    game = registry.find("stones")
    search = Search(shapes, below, bound, lambda first, second: None, find=lambda first, second: None)
    row = separate(game, game.rulebook.defaults(), "last", ("wins", "loses"), search)
    assert (row.result.status, row.result.bounded) == (Status.UNKNOWN, False)


def test_a_stalemate_that_no_play_reaches_is_proved_for_the_games_searched(rulecheck: Runner) -> None:
    stuck, forced = _json(rulecheck, "stalemates", "stones")
    assert (stuck["result"], stuck["scope"]) == ("PROVED", "every position in play of games of up to 5 stones")
    assert (forced["result"], forced["witness"]["position"]) == ("REFUTED", "A 1")


# -- What a proof is about ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("compared", "words", "scope"),
    [
        ((), ", legality alone", "legality alone, not results or winners: "),
        (("results",), ", legality and results", "legality and results, not winners: "),
        (("results", "winners"), "", ""),
    ],
)
def test_a_proof_says_what_it_does_not_compare(
    compared: tuple[str, ...], words: str, scope: str, rulecheck: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The constraints of this game know neither results nor winners, so that is what is said unless it says more."""
    if compared:
        monkeypatch.setattr("stones.study.StonesHints.compares", ("legality", *compared), raising=False)
    found = _json(rulecheck, "prove", "stones")
    assert (found["result"], found["headline"]) == ("PROVED", f"PROVED{words}")
    assert found["compares"] == ["legality", *compared]
    assert found["scope"] == f"{scope}every number taken from heaps of up to 4 stones"
    assert rulecheck("prove", "stones").out.splitlines()[-1] == f"PROVED{words}: 30 cases, 0 disagreements"


def test_our_games_compare_everything() -> None:
    for slug in set(registry.names()) - {"stones"}:
        assert registry.find(slug).hints.compares == COMPARED


# -- A mutant that survives -----------------------------------------------------------------------------------------


def test_a_surviving_mutant_is_shown(rulecheck: Runner) -> None:
    run = rulecheck("mutants", "stones", "--only", "E2")
    assert (run.status, run.err) == (1, "")
    assert run.out.splitlines()[0].startswith("PROVED   E2 engine   ST-04")
    assert run.out.endswith("0 of 1 mutants refuted\n")
    assert rulecheck("mutants", "stones").out.endswith("1 of 2 mutants refuted\n")


# -- Readings that are changed together -----------------------------------------------------------------------------


def test_every_pair_of_values_is_proved(rulecheck: Runner) -> None:
    found = _json(rulecheck, "prove", "stones", "--pairs")
    assert found["pairs"]["words"] == "4 combinations cover all 12 pairs of values"
    rows = [row["readings"] for row in found["families"]]
    assert (len(rows), rows[0], found["cases"], found["result"]) == (4, "as given", 120, "PROVED")
    assert rulecheck("prove", "stones", "--pairs").out.splitlines()[-2] == found["pairs"]["words"]


def test_a_disagreement_of_two_readings_together_is_noticed(rulecheck: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the two readings alone is right, so that proofs of one reading at a time see nothing."""
    from stones.engine import Engine

    def forgets(engine: Engine) -> int:
        return 2 if engine.readings["last"] == "loses" else int(engine.readings["most"])

    monkeypatch.setattr(Engine, "most", property(forgets, lambda engine, value: None), raising=False)
    singly = rulecheck("prove", "stones", "--every-reading")
    assert singly.status == 0
    run = rulecheck("prove", "stones", "--pairs", "--json")
    found = json.loads(run.out)
    assert (run.status, found["result"]) == (1, "REFUTED")
    assert found["pairs"]["words"] == "3 of 4 combinations cover 9 of 12 pairs of values"
    (wrong,) = (row["readings"] for row in found["families"] if row["result"] == "REFUTED")
    assert wrong.startswith("most=3 last=loses")


def test_combinations_that_a_game_refuses_are_counted(rulecheck: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    from stones import study

    real = study.run_family

    def refusing(name: str, params: Any, encodings: Any, readings: Any, tick: Any) -> Any:
        if readings["most"] == "3" and readings["last"] == "loses":
            raise InputError("nobody takes three to lose")
        return real(name, params, encodings, readings, tick)

    monkeypatch.setattr(study, "run_family", refusing)
    run = rulecheck("prove", "stones", "--pairs")
    assert run.status == 0
    assert "; 1 combinations are refused" in run.out
    assert ": nobody takes three to lose\n" in run.out


@pytest.mark.parametrize("option", [("-r", "most=3"), ("--every-reading",)])
def test_pairs_leave_no_reading_to_choose(option: tuple[str, ...], rulecheck: Runner) -> None:
    run = rulecheck("prove", "stones", "--pairs", *option)
    assert (run.status, run.err.count("\n")) == (2, 1)


def test_a_share_of_the_pairs_is_said_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.find("stones")
    assert prove_share(game)["pairs"]["words"] == "1 of 4 combinations cover 3 of 12 pairs of values"
    monkeypatch.setattr(
        "stones.study.run_family", lambda *_: Result(Status.UNKNOWN, "some heaps", cases=5, sample=True)
    )
    few = prove_share(game)
    assert few["headline"] == "UNKNOWN (1 sampled), legality alone"
    assert few["pairs"]["words"].endswith("cover 3 of 12 pairs of values, 3 of them only sampled")
