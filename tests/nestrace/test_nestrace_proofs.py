"""Protects Nest race: its two encodings agree on hops, chains, the pat rule and the win, and changes are noticed."""

from __future__ import annotations

import pytest

from rulecheck.analyses.mutants import Mutant, encodings, read_mutants, try_mutant
from rulecheck.cases import cases
from rulecheck.games.nestrace import GAME, PASS, Position
from rulecheck.games.nestrace.families import judged
from rulecheck.games.nestrace.families import table as proofs
from rulecheck.games.nestrace.families.beside import Beside, WatchedReadings, prove_beside
from rulecheck.games.nestrace.families.crowds import Codes, Crowd, Reached, prove_all
from rulecheck.games.nestrace.families.hops import Cases, prove_path
from rulecheck.games.nestrace.families.lists import (
    Finder,
    arrangements,
    both_to_move,
    code,
    in_pat,
    prove_lists,
    sampled,
)
from rulecheck.games.nestrace.families.towers import Tower, seen_term, undecided
from rulecheck.games.nestrace.research import facts
from rulecheck.games.nestrace.space import normalised, packing
from rulecheck.model import Status, together
from rulecheck.pyramids import Pyramid, Stack
from specs.nestrace.spec_many import Many, transposed
from specs.nestrace.spec_many import flags as one_of
from specs.nestrace.spec_moves import Path

DEFAULTS = GAME.rulebook.defaults()
SMALL = GAME.params(proofs.SMALL)
QUICK_READINGS = [("cannot_free", "pass")]
QUICK_MUTANTS = (
    *("C03", "E02", "E17", "E28", "E37", "E40", "E44", "E45", "S06", "S14", "S22", "S31", "S36", "S41", "S42"),
    *("L01", "L02", "L03", "L04", "L05", "L06", "L07", "L09"),
)
MUTANTS = [mutant for mutant in read_mutants(GAME) if mutant.side != "shared"]
A1, A2, A3, B1, B2, B3 = (Pyramid(c, z) for c in "AB" for z in (1, 2, 3))


def prove(family: str, **readings: str) -> None:
    chosen_readings = GAME.rulebook.choose(readings)
    result = GAME.hints.run_family(family, GAME.params({}), encodings(GAME), chosen_readings, lambda done: None)
    assert result.is_fine, result.witness or result.note
    assert result.cases > 0


def refute(mutant: Mutant) -> None:
    result = try_mutant(GAME, mutant)
    assert result.status is Status.REFUTED, mutant.text
    assert result.witness is not None
    assert result.witness.position


# -- Lazily decided stacks --------------------------------------------------------------------------------------


@pytest.mark.parametrize("real", [(), (A1,), (B3,), (A1, B2), (B1, A3), (B2, A3), (A1, B2, A3)])
def test_a_tower_answers_as_the_real_stack(real: Stack) -> None:
    """Exactly the cases that fit the real stack, by the spec's own terms, give what the tuple gives."""
    spec = encodings(GAME)[1](SMALL, DEFAULTS)
    square = SMALL.number["b2"]
    flags = spec.scene.flags([real if s == square else () for s in spec.squares])

    def use(stack: object) -> tuple[object, ...]:
        found = [bool(stack)]
        while stack:
            found.append(stack[-1])  # type: ignore[index]
            stack = stack[:-1]  # type: ignore[index]
        return tuple(found)

    def fits(seen: tuple[tuple[tuple[object, ...], object], ...]) -> bool:
        return all(spec.values.compiled(seen_term(spec.scene, q, a))(flags) for q, a in seen)

    run = [case for case in cases(lambda o: use(Tower(o, square, ("A", "B")))) if fits(case.seen)]
    assert [case.outcome for case in run] == [use(real)]


def test_an_order_that_no_stack_has_is_never_found() -> None:
    spec = encodings(GAME)[1](SMALL, DEFAULTS)
    square = SMALL.number["b2"]
    found = list(cases(lambda o: undecided(spec, o, "A").stacks[square] == (A3, A2, A1)))
    terms = [[seen_term(spec.scene, q, a) for q, a in case.seen] for case in found if case.outcome]
    assert terms
    assert all(not spec.certain(*(spec.asker.name(t) for t in facts)) for facts in terms)


def test_arrangements_are_all_there() -> None:
    spec = encodings(GAME)[1](SMALL, DEFAULTS)
    listed = list(arrangements(spec))
    assert len(listed) == len(set(listed)) == (8 * 8 - 4) ** 3


# -- The constraints asked directly -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "move", "clauses"),
    [
        ("A b1:A1A2A3 a2:B1B2B3", "b1-b2", ()),
        ("A b1:A1A2A3 a2:B1B2B3", "b1-c2", ()),
        ("A b1:A1A2A3 a2:B1B2B3", "b1-b3", ("NR-15",)),
        ("A b1:A1A2A3 a2:B1B2B3", "b1-a2", ("NR-19", "NR-27")),
        ("A b1:A1A2A3 a2:B1B2B3", "a2-b2", ("NR-10",)),
        ("A b1:A1A2A3 a2:B1B2B3", "c1-c2", ("NR-11",)),
        ("A b1:A1A2 a2:B1B2B3 b3:A3", "b3-b2", ("NR-13",)),
        ("A b1:A1A2 a2:B1B2B3 b3:A3", "b3-b4", ("NR-22",)),
        ("A b1:A1A2A3 a2:B1B2B3", "pass", ("NR-10",)),
        ("B a2:B1B2B3 b4:A1A2A3", "pass", ("NR-04",)),
    ],
)
def test_every_broken_clause_is_named(text: str, move: str, clauses: tuple[str, ...]) -> None:
    spec = encodings(GAME)[1](SMALL, DEFAULTS)
    position = GAME.read_position(SMALL, text)
    assert spec.judge(position, GAME.read_move(SMALL, move)).clauses == clauses


def test_closed_sets_find_the_pats_that_the_least_set_knows() -> None:
    """z3 says "cannot" by any closed set; each position it finds is a pat to the other route and to the engine."""
    engine, spec = (make(SMALL, DEFAULTS) for make in encodings(GAME))
    found = list(Finder(spec, 3).in_pat(10))
    assert len(found) == 10
    for flags in found:
        stacks = spec.scene.stacks(lambda v, f=flags: f[list(spec.scene.at.values()).index(v)])
        position = Position("A", stacks, SMALL.squares)
        assert [engine.in_pat(position, c) for c in "AB"] == [spec.in_pat(c, flags) for c in "AB"]
        assert any(spec.in_pat(c, flags) for c in "AB")
        assert spec.judge(position, PASS).legal == engine.judge(position, PASS).legal


# -- Many positions at once --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), [("cannot_free", "lift"), ("back_jump", "net_forward")])
def test_many_positions_at_once_are_seen_as_one_by_one(name: str, value: str) -> None:
    params = GAME.params({**proofs.SMALL, **proofs.FOUR})
    spec = encodings(GAME)[1](params, DEFAULTS.replace(**{name: value}))
    positions = list(sampled(spec, 3, 40))
    x, many = transposed([code(flags) for flags in positions], len(spec.scene.at)), Many(spec)
    assert [one_of(x, n) for n in range(len(positions))] == positions
    for b in params.letters:
        found = many.choices(b, x)
        for n, flags in enumerate(positions):
            alone = spec.choice(b, flags)
            assert frozenset(way for way, there in found.base.items() if there >> n & 1) == alone.base
            assert frozenset(way for way, there in found.legal.items() if there >> n & 1) == alone.legal
            assert bool(found.may_pass >> n & 1) == alone.may_pass
            assert bool(found.pats[b] >> n & 1) == spec.in_pat(b, flags)
        assert any(found.pats.values())


def test_codes_are_read_back_and_mirrored() -> None:
    engine, spec = (make(SMALL, DEFAULTS) for make in encodings(GAME))
    codes = Codes(spec)
    for position in [engine.start(), *engine.moves(engine.start()).values()]:
        number = codes.code(position.stacks)
        assert codes.position(position.mover, number) == position
        image = codes.position("AB"[position.mover == "A"], codes.mirrored(number))
        assert codes.mirrored(codes.code(image.stacks)) == number
        expected = normalised(SMALL, position) if position.mover == "B" else None
        assert expected in (None, image)


def test_a_difference_among_many_positions_is_found() -> None:
    """An engine that has another reading is caught, with a position in which the two differ."""
    engine, spec = encodings(GAME)
    deaf = engine(SMALL, DEFAULTS.replace(pat="off"))
    flags = list(Finder(spec(SMALL, DEFAULTS), 3).in_pat(3))
    result = prove_all(deaf, spec(SMALL, DEFAULTS), map(code, flags), "", lambda done: None)
    assert result.status is Status.REFUTED
    assert result.witness is not None
    assert "in pat" in str(result.witness.note)


def test_the_slices_meet_every_part_of_the_pat_rule() -> None:
    """Without duties, forbidden moves and doubled covers the comparison would say nothing of them."""
    engine, spec = (make(SMALL, DEFAULTS) for make in encodings(GAME))
    seen = [facts.facts(engine, p) for chosen in judged.SLICES[:2] for p in judged.arrangements(spec, chosen)]
    met = {
        "duties": sum(bool(found.victims) for found in seen),
        "forbidden": sum(bool(found.forbidden) for found in seen),
        "doubled": sum(found.unable and bool(found.lifts) for found in seen),
        "collisions": sum(found.collides for found in seen),
        "emptied": sum(found.emptied for found in seen),
    }
    assert min(met.values()) >= 3, met


def test_every_loop_free_chain_of_the_smallest_board_is_judged() -> None:
    spec = encodings(GAME)[1](SMALL, DEFAULTS)
    assert judged.turns(spec, 3) == judged.turns(spec, 12)
    assert len(judged.turns(spec, 3)) == 1 + 12 * 11 + 72


def test_a_witness_is_the_same_whatever_was_asked_before() -> None:
    """The first position in an order of our own: z3's choice would hang on earlier questions."""
    wrong = next(m for m in read_mutants(GAME) if m.id == "E12")
    engine, spec = (make(SMALL, DEFAULTS) for make in encodings(GAME, wrong))
    here, there = (SMALL.number[name] for name in ("b2", "c2"))
    others: list[Path] = [(here, t) for t in spec.squares if t != there]

    def witness(before: list[Path]) -> str:
        asked = Cases(spec)
        for path in before:
            prove_path(engine, asked, "B", path)
        result = prove_path(engine, asked, "A", (here, there))
        assert result is not None
        assert result.witness is not None
        return result.witness.position

    assert {witness([]), witness(others), witness(others[::-1])} == {"A b1:A2A3 a2:B2B3 b2:A1 c2:B1"}


# -- Samples ----------------------------------------------------------------------------------------------------

# Under these three readings together no arrangement of the smallest board has a pat.
WITHOUT_PATS = GAME.rulebook.choose({"pat": "no_move", "backward": "diagonal_ok", "finish_order": "entry"})


def test_an_empty_sample_is_not_fine() -> None:
    engine, spec = (make(SMALL, DEFAULTS) for make in encodings(GAME))
    nothing = prove_lists(engine, spec, [], "", lambda done: None)
    assert not nothing.is_fine
    assert not together([nothing]).is_fine
    one = both_to_move(spec, sampled(spec, 3, 1))
    assert prove_lists(engine, spec, one, "", lambda done: None).is_fine


def test_where_no_position_drawn_has_a_pat_others_are_compared() -> None:
    """Also with an engine that has another reading: it is caught there."""
    engine, spec = encodings(GAME)
    family = proofs.Family(SMALL, (engine, spec), WITHOUT_PATS, lambda done: None)
    assert next(in_pat(family.spec, arrangements(family.spec)), None) is None
    result = proofs.drawn_pats(family, 1_000, 40)
    assert result.is_fine
    assert result.cases == 40
    assert "none of which has a pat" in result.scope
    family.engine = engine(SMALL, WITHOUT_PATS.replace(pat="note5"))
    assert proofs.drawn_pats(family, 1_000, 40).status is Status.REFUTED


def test_a_scope_names_the_pat_rule_by_which_its_positions_were_picked() -> None:
    for changes, words in (({}, "with a pat and"), ({"pat": "off", "horizon": "ever"}, "with a pat under pat=note5 ")):
        family = proofs.Family(SMALL, encodings(GAME), GAME.rulebook.choose(changes), lambda done: None)
        assert words in proofs.drawn_pats(family, 200, 4).scope


# -- The families -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", ["small-hops", "small-chains", "small-pat", "win", "setup", "listed"])
def test_proved_as_printed(family: str) -> None:
    prove(family)


def test_nothing_is_learnt_of_a_watched_reading_without_a_note() -> None:
    notes: set[tuple[str, object, bool]] = set()
    readings = WatchedReadings(DEFAULTS, notes)
    assert readings["pat"] == "note5"
    assert readings["free"] != "lift"
    assert notes == {("pat", "note5", True), ("free", "lift", False)}
    for use in (bool, hash, str, lambda value: value in {"note5"}, lambda value: readings.replace(pat="off")):
        with pytest.raises(TypeError):
            use(readings["pat"])


@pytest.mark.slow
def test_side_by_side_a_reading_that_the_engine_ignores_is_noticed() -> None:
    """Of several readings compared at once one is ignored; the witness has that one."""
    ignored = Mutant(
        "T01", "engine", "NR-21", "the top counts", 'self.readings["blocker"] == "top_owner"', "True", "readings-small"
    )
    changes = [("pat", "no_move"), ("blocker", "any_above")]
    result = prove_beside(Beside(SMALL, encodings(GAME, ignored), DEFAULTS, changes), "", lambda done: None)
    assert result.status is Status.REFUTED
    assert result.witness is not None
    assert result.witness.readings["blocker"] == "any_above"


@pytest.mark.slow
def test_as_much_is_reached_as_the_compiled_search_finds() -> None:
    """It leaves out positions in which the game is over."""
    engine, spec = (make(SMALL, DEFAULTS) for make in encodings(GAME))
    crowd = Crowd(engine, spec)
    reached = Reached(crowd)
    for mover, batch in reached.batches():
        found = crowd.disagreement(mover, batch)
        assert isinstance(found, list)
        reached.meet(found)
    going_on = [c for c in reached.known if engine.winner(crowd.codes.position("A", c)) is None]
    assert len(going_on) == packing(SMALL, DEFAULTS).ranking.size  # type: ignore[union-attr]


@pytest.mark.parametrize(("name", "value"), QUICK_READINGS)
def test_pat_rule_proved_for_some_readings(name: str, value: str) -> None:
    prove("small-pat", **{name: value})


def test_the_study_names_its_families() -> None:
    names = GAME.hints.family_names(SMALL)
    assert len(names) == len(set(names))
    assert set(GAME.hints.long_families) == set(proofs.LONG)
    assert set(GAME.hints.quick_families) == set(proofs.QUICK)


@pytest.mark.parametrize("mutant", [m for m in read_mutants(GAME) if m.id in QUICK_MUTANTS], ids=lambda m: m.id)
def test_some_mutants_are_refuted_with_a_witness(mutant: Mutant) -> None:
    refute(mutant)


def test_there_are_enough_mutants_on_each_side() -> None:
    sides = [mutant.side for mutant in read_mutants(GAME)]
    assert sides.count("engine") >= 25
    assert sides.count("spec") >= 25
    assert sides.count("compiled") >= 10
