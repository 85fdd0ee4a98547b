"""Protects the central promise: engine and constraints agree everywhere, and a disagreement would be found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.analyses.mutants import Mutant, encodings, read_mutants, try_mutant
from rulecheck.analyses.pairwise import combined_readings
from rulecheck.analyses.prove import ProofTask, run_task, summary, tasks
from rulecheck.cases import Observer, cases
from rulecheck.commands.check import _print_proof
from rulecheck.games.crosswalk.families.acts import arrangements, count_arrangements
from rulecheck.games.crosswalk.families.unknowns import NOTHING, LazySet, LazyStack, points, unknown
from rulecheck.model import Readings, Result, Status, Witness, headline, together, worst
from rulecheck.pyramids import Pyramid

GAME = registry.find("crosswalk")
A1, B2 = Pyramid("A", 1), Pyramid("B", 2)
COMBINED = combined_readings(GAME)  # which hold every pair of values; the first are the default readings
MUTANTS = [mutant for mutant in read_mutants(GAME) if mutant.side != "shared"]
QUICK_MUTANTS = MUTANTS[1::4]


def prove(family: str, readings: Readings) -> None:
    result = run_task(ProofTask("crosswalk", (), tuple(readings.items()), family))
    assert result.status is (Status.UNKNOWN if family == "turns-chosen" else Status.PROVED), result.witness
    assert result.sample is (family == "turns-chosen")
    assert result.cases > 0


def test_a_sample_is_no_proof_and_no_failure() -> None:
    with pytest.raises(ValueError, match="no proof"):
        Result(Status.PROVED, "ten positions", sample=True)
    sample, gap = Result(Status.UNKNOWN, "ten positions", sample=True), Result(Status.UNKNOWN, "no time")
    proof = Result(Status.PROVED, "all positions")
    assert (sample.is_fine, gap.is_fine, proof.is_fine) == (True, False, True)
    whole = [worst(found) for found in ([proof, sample], [sample], [proof, gap], [])]
    assert whole == ["PROVED", "UNKNOWN", "UNKNOWN", "UNKNOWN"]


def test_a_headline_counts_what_was_only_sampled() -> None:
    sample, gap = Result(Status.UNKNOWN, "ten positions", sample=True), Result(Status.UNKNOWN, "no time")
    proof, wrong = Result(Status.PROVED, "all positions"), Result(Status.REFUTED, "one", Witness("here"), sample=True)
    mixed = together([proof, sample, sample])
    assert (mixed.headline, mixed.sampled) == ("PROVED (and 2 sampled)", 2)
    assert together([mixed, proof, sample]).sampled == 3, "what was sampled inside a part is not lost"
    assert "ten positions" in together([mixed, proof]).note
    assert (sample.headline, proof.headline, gap.headline, wrong.headline) == (
        "sampled",
        "PROVED",
        "UNKNOWN",
        "REFUTED",
    )
    assert headline([proof, mixed, sample]) == "PROVED (and 3 sampled)"
    assert headline([sample, sample]) == "UNKNOWN (2 sampled)"
    assert headline([gap, sample]) == "UNKNOWN (and 1 sampled)"
    assert headline([proof, sample, wrong]) == "REFUTED"
    assert (mixed.as_json()["sampled"], "sampled" in proof.as_json()) == (2, False)


def test_the_command_says_that_a_sample_is_among_the_proofs(rulecheck, capsys) -> None:  # type: ignore[no-untyped-def]  # fixtures
    """This is also where the turns drawn at random are compared."""
    run = rulecheck("prove", "crosswalk", "--family", "setup", "--family", "turns-chosen", "--json")
    found = json.loads(run.out)
    assert (found["result"], found["headline"], found["sampled"]) == ("PROVED", "PROVED (and 1 sampled)", 1)
    assert [row["headline"] for row in found["families"]] == ["PROVED", "sampled"]
    setup, drawn = found["families"]
    assert (setup["result"], drawn["result"], drawn["sample"]) == ("PROVED", "UNKNOWN", True)
    assert min(setup["cases"], drawn["cases"]) > 0
    _print_proof(found)
    assert capsys.readouterr().out.splitlines()[-1].startswith("PROVED (and 1 sampled): ")


# -- Complete case analysis ---------------------------------------------------------------------------------


def test_cases_are_all_answers_to_all_questions_asked() -> None:
    def run(observer: Observer) -> str:
        first = observer.ask(("colour",), "rgb")
        return first + observer.ask(("size",), "12") if first != "g" else first

    found = [case.outcome for case in cases(run)]
    assert found == ["r1", "r2", "g", "b1", "b2"]


def test_a_question_asked_twice_has_one_answer() -> None:
    found = [case.outcome for case in cases(lambda o: (o.ask(("x",), (0, 1)), o.ask(("x",), (0, 1))))]
    assert found == [(0, 0), (1, 1)]


@pytest.mark.parametrize("real", [(), (A1,), (B2,), (A1, B2), (B2, A1), (A1, A1, B2)])
def test_a_lazy_stack_answers_as_the_real_one(real: tuple[Pyramid, ...]) -> None:
    """In the case whose answers are those of the real stack, every use of it gives what the tuple gives."""

    def use(stack: tuple[Pyramid, ...]) -> tuple[object, ...]:
        grown = stack + (A1,)
        return bool(stack), stack and stack[-1], bool(stack[:-1]), grown[-1], grown == (B2, A1), grown[:-1] == (A1, B2)

    def answer(question: tuple[Any, ...]) -> bool:
        name, values = question
        kind, _, depth, *rest = unknown.about[name]
        if kind == "is":
            return (tuple(map(str, real[: len(real) - depth])) == rest[0]) in values
        return (str(real[-1 - depth]) if depth < len(real) else NOTHING) in values

    def run(observer: Observer) -> tuple[object, ...]:
        return use(LazyStack(observer, 0, (A1, B2)))  # type: ignore[arg-type]  # it stands in for a tuple

    matching = [c for c in cases(run) if all(answer(q) == a for q, a in c.seen)]
    outcomes = {tuple(x or None for x in case.outcome) for case in matching}
    assert outcomes == {tuple(x or None for x in use(real))}


def test_lazy_numbers_and_sets_branch_both_ways() -> None:
    numbers = [c.outcome for c in cases(lambda o: points(o, 6) < 3)]
    members = [c.outcome for c in cases(lambda o: (A1 in LazySet(o), B2 in (LazySet(o) | {B2})))]
    assert numbers == [True, False]
    assert members == [(False, True), (True, True)]


def test_arrangements_are_counted_right() -> None:
    for given in ({"squares": "2", "sizes": "12"}, {"squares": "3", "sizes": "1", "pedestrians": "11"}):
        params = GAME.params(given)
        listed = list(arrangements(params))
        assert len(listed) == len(set(listed)) == count_arrangements(params)


# -- Crosswalk ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "family", ["step", "relocation", "win", pytest.param("turns-1", marks=pytest.mark.slow)]
)  # the plain audit proves whole turns
def test_proved_as_printed(family: str) -> None:
    prove(family, COMBINED[0])


@pytest.mark.parametrize("number", range(1, len(COMBINED)))
@pytest.mark.parametrize("family", ["step", "relocation", "win"])
def test_single_acts_proved_under_every_pair_of_readings(family: str, number: int) -> None:
    prove(family, COMBINED[number])


@pytest.mark.parametrize("mutant", QUICK_MUTANTS, ids=lambda m: m.id)
def test_some_mutants_are_refuted_with_a_witness(mutant: Mutant) -> None:
    refute(mutant)


def refute(mutant: Mutant) -> None:
    result = try_mutant(GAME, mutant)
    assert result.status is Status.REFUTED, mutant.text
    assert result.witness is not None
    assert result.witness.position


def test_there_are_enough_mutants_on_each_side() -> None:
    sides = [mutant.side for mutant in read_mutants(GAME)]
    assert sides.count("engine") >= 20
    assert sides.count("spec") >= 20
    assert sides.count("compiled") >= 10


def test_a_mutant_leaves_the_real_encodings_alone() -> None:
    mutant = read_mutants(GAME)[0]
    engine, spec = encodings(GAME, mutant)
    assert engine is not encodings(GAME)[0]
    assert type(spec(GAME.params({"squares": "2"}), GAME.rulebook.defaults(), walk_length=1)) is encodings(GAME)[1]


def test_summary_lets_one_bad_part_spoil_the_whole() -> None:
    todo = tasks(GAME, {}, GAME.rulebook.defaults(), ["setup"], every=False)
    good = run_task(todo[0])
    bad = try_mutant(GAME, next(m for m in read_mutants(GAME) if m.family == "setup"))
    assert summary(GAME, [(todo[0], good)])["result"] == "PROVED"
    assert summary(GAME, [(todo[0], good), (todo[0], bad)])["result"] == "REFUTED"
    assert summary(GAME, [(todo[0], good), (todo[0], bad)])["disagreements"] == 1
