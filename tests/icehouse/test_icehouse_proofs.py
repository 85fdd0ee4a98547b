"""Protects Icehouse: its two encodings agree on geometry, status and events, and changes of a rule are noticed."""

from __future__ import annotations

import random
import sys
from fractions import Fraction

import pytest
import z3

from rulecheck.analyses.mutants import Mutant, encodings, read_mutants, try_mutant
from rulecheck.cases import Observer
from rulecheck.games.icehouse import GAME, read_params, read_position
from rulecheck.games.icehouse.families import table as proofs
from rulecheck.games.icehouse.families.drawn import KEPT
from rulecheck.games.icehouse.families.places import WAYS
from rulecheck.games.icehouse.families.unknowns import Decisions, Ground, runs
from rulecheck.games.icehouse.pieces import Piece
from rulecheck.games.icehouse.sampling import TURNS, proposals
from rulecheck.model import InputError, Status
from solvers.smt import Asker
from specs.icehouse.spec_geometry import Row, point_exists, shape_of

DEFAULTS = GAME.rulebook.defaults()
VALUES = [(r.name, v) for r in GAME.rulebook.options.values() for v in r.values[1:]]
QUICK_VALUES = [("own", "placer"), ("redundant", "arithmetic"), ("score_owner", "placer"), ("range", "inclusive")]
MUTANTS = {mutant.id: mutant for mutant in read_mutants(GAME) if mutant.side != "shared"}
QUICK_MUTANTS = ("E01", "E07", "E11", "E19", "E24", "E40", "E53", "E55", "E71", "E81", "E83")
QUICK_MUTANTS += ("S01", "S09", "S17", "S22", "S30", "S36", "S42", "S46", "S50")


def prove(family: str, *, sample: bool = False, **readings: str) -> None:
    chosen = GAME.rulebook.choose(readings)
    result = GAME.hints.run_family(family, GAME.params({}), encodings(GAME), chosen, lambda done: None)
    assert result.is_fine, result.witness or result.note
    assert result.sample is sample
    assert result.cases > 0


def refute(mutant: Mutant) -> None:
    result = try_mutant(GAME, mutant)
    assert result.status is Status.REFUTED, mutant.text
    assert not result.sample, "a change is refuted by a proof that fails, not by luck"
    assert result.witness is not None
    assert result.witness.position


# -- Unknown numbers --------------------------------------------------------------------------------------------


def test_unknown_numbers_are_compared_in_every_way_that_is_possible() -> None:
    """Three numbers have thirteen orders; with one of them fixed above another five are left."""
    x, y, w = z3.Reals("x y w")

    def order(observer: Observer, decisions: Decisions) -> tuple[int, ...]:
        numbers = [decisions.unknown(v) for v in (x, y, w)]
        return tuple(sum(other < number for other in numbers) for number in numbers)

    assert len({run.outcome for run in runs(Ground(), order)}) == 13
    assert {run.outcome[:2] for run in runs(Ground([x > y]), order)} == {(1, 0), (2, 0), (2, 1)}
    assert len({run.outcome for run in runs(Ground([x > y]), order)}) == 5


def test_unknown_numbers_that_cancel_are_numbers() -> None:
    x = z3.Real("x")

    def use(observer: Observer, decisions: Decisions) -> object:
        unknown = decisions.unknown(x)
        return (2 * unknown + 3 - unknown) - unknown, unknown * 0, (unknown * unknown < 0)

    assert {run.outcome for run in runs(Ground(), use)} == {(Fraction(3), Fraction(0), False)}


# -- Geometry ---------------------------------------------------------------------------------------------------


def test_eliminating_unknowns_says_what_z3_says() -> None:
    """The constraints ask whether a point exists; z3 is asked the same of the inequalities as they stand."""
    rng = random.Random(7)
    answers = []
    for _ in range(60):
        numbers = [[Fraction(rng.randint(-3, 3)) for _ in range(3)] for _ in range(5)]
        rows = [Row(a, b, c, rng.random() < 0.5) for a, b, c in numbers]
        x, y = z3.Reals("x y")
        terms = [z3.RealVal(r.a) * x + z3.RealVal(r.b) * y + z3.RealVal(r.c) for r in rows]
        solver = z3.SolverFor("QF_LRA")
        solver.add([t > 0 if r.strict else t >= 0 for t, r in zip(terms, rows, strict=True)])
        answers.append(point_exists(rows))
        assert answers[-1] == (solver.check() == z3.sat), rows
    assert 10 < sum(answers) < 50


def test_shapes_have_the_corners_that_are_drawn() -> None:
    """Corners are stated a second time, from the inequalities' side: each satisfies all, and two of them sharply."""
    for pips, lying, direction in ((p, lies, d) for p in (1, 2, 3) for lies in (False, True) for d in TURNS):
        piece = Piece("A", pips, lying, (Fraction(5, 3), Fraction(-7, 2)), direction, "A")
        shape = shape_of(piece)
        assert set(shape.corners) == set(piece.corners)
        for corner in piece.corners:
            values = [row.at(corner) for row in shape.rows]
            assert min(values) == 0
            assert values.count(0) == 2


# -- The families -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "family", ["one-contact", "one-line", "one-range", "one-fits", "attack", "aim", "freezing", "early", "icehouse"]
)
def test_a_short_proof_succeeds(family: str) -> None:
    prove(family)


@pytest.mark.parametrize(
    "family", ["icehouse", "first", "pads", "each-range", "capturing", "redundancy", "found", "counted", "listed"]
)
def test_another_short_proof_succeeds(family: str) -> None:
    prove(family)


@pytest.mark.parametrize("family", ["kept", "melting", "over-iced"])
def test_samples_are_called_samples(family: str) -> None:
    prove(family, sample=True)


@pytest.mark.parametrize(("name", "value"), QUICK_VALUES)
def test_a_reading_value_is_proved(name: str, value: str) -> None:
    prove("touched", sample=False, **{name: value})


def test_every_reading_has_its_quick_proof() -> None:
    assert set(proofs.TOUCHED) == set(GAME.rulebook.options)
    assert {part for parts in proofs.TOUCHED.values() for part in parts} <= set(proofs.SHORT)


def test_lines_point_along_each_axis_and_into_each_quadrant() -> None:
    signs = {tuple((part > 0) - (part < 0) for part in way) for _, _, way in proofs.LYING}
    assert signs == {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)} - {(0, 0)}
    assert {(pips, way) for pips, _, way in proofs.LYING} == {(p, w) for p in (1, 2, 3) for w in WAYS}
    for pairs in (proofs.paired(proofs.LYING, proofs.STANDING), proofs.paired(proofs.LYING, proofs.LYING[7:])):
        assert {line for line, _ in pairs} == set(proofs.LYING)
    sizes = {(line[0], target[0]) for line, target in proofs.paired(proofs.LYING, proofs.STANDING)}
    assert sizes == {(a, b) for a in (1, 2, 3) for b in (1, 2, 3)}


@pytest.mark.parametrize("name", ["E01", "E11", "E24", "S17"])
def test_a_witness_is_not_the_solver_s_choice(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another seed of z3 stands for another release, or for other questions before."""
    real, witnesses = Asker.__init__, set()
    for seed in (7, 1, 99):

        def seeded(asker: Asker, *args: object, seed: int = seed, **more: object) -> None:
            real(asker, *args, **more)  # type: ignore[arg-type]
            asker.solver.set("random_seed", seed)

        monkeypatch.setattr(Asker, "__init__", seeded)
        witness = try_mutant(GAME, MUTANTS[name]).witness
        assert witness is not None
        witnesses.add((witness.position, witness.move, witness.note))
    assert len(witnesses) == 1


def test_long_families_are_those_of_the_study() -> None:
    assert set(GAME.hints.long_families) == set(proofs.LONG)
    assert set(GAME.hints.family_names(GAME.params({}))) == {*proofs.LONG, *proofs.USUAL}


def test_kept_placements_are_on_the_verge() -> None:
    """Each is judged otherwise under some reading value than under the usual ones, or is there to touch something."""
    told = 0
    for given, line, event in KEPT:
        params = read_params(given)
        position, place = read_position(params, line), GAME.read_move(params, event)
        usual = GAME.engine(params, DEFAULTS).judge(position, place).clauses
        others = [GAME.engine(params, GAME.rulebook.choose({n: v})).judge(position, place).clauses for n, v in VALUES]
        told += any(other != usual for other in others)
    assert told >= len(KEPT) - 4


def test_proposals_reach_both_verdicts() -> None:
    """A sample in which everything is refused, or nothing, would compare little."""
    spec = encodings(GAME)[1]
    params = read_params({"players": "2"})
    position = read_position(params, "all A1@0,0 A2@60,0 B1@0,60 B2@60,60")
    draws = proposals(random.Random(7), position)
    verdicts = [spec(params, DEFAULTS).judge(position, next(draws)).legal for _ in range(40)]
    assert 3 < sum(verdicts) < 37


# -- Mutants ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", QUICK_MUTANTS)
def test_a_change_of_a_rule_is_refuted(name: str) -> None:
    refute(MUTANTS[name])


def test_there_are_changes_on_both_sides_and_of_the_geometry() -> None:
    sides = [mutant.side for mutant in MUTANTS.values()]
    assert min(sides.count("engine"), sides.count("spec")) >= 40
    assert sum("geometry" in mutant.module for mutant in MUTANTS.values()) >= 20


def test_a_change_in_one_of_several_modules_leaves_the_real_ones_alone() -> None:
    mutant = next(m for m in MUTANTS.values() if m.module == "rulecheck.games.icehouse.engine_geometry")
    real = encodings(GAME)[0]
    before = {
        name: module for name, module in sys.modules.items() if name.startswith("rulecheck.games.icehouse.engine")
    }
    changed = encodings(GAME, mutant)[0]
    after = {name: module for name, module in sys.modules.items() if name.startswith("rulecheck.games.icehouse.engine")}
    assert changed is not real
    assert before == after
    assert encodings(GAME)[0] is real


def test_a_change_of_a_module_of_another_encoding_is_refused() -> None:
    mutant = Mutant("E99", "engine", "IH-01", "", "a", "b", "first", module="rulecheck.games.hextris.engine")
    with pytest.raises(InputError, match="no part of"):
        encodings(GAME, mutant)
