"""Hextris: the two encodings agree where they are proved to, and a wrong rule in either is found."""

from __future__ import annotations

from itertools import islice

import pytest

from rulecheck.analyses.mutants import Mutant, encodings, read_mutants, try_mutant
from rulecheck.cases import Observer, cases
from rulecheck.games.hextris import GAME, PASS, Position, read_move, read_position
from rulecheck.games.hextris.engine import Engine
from rulecheck.games.hextris.families.acts import LazyPosition, board_maps, one_of_each, slides
from rulecheck.games.hextris.families.composed import ComposedProof, Halves, Tokens, prove_composed
from rulecheck.games.hextris.families.groups import Changes, Sight, prove_groups, sightings
from rulecheck.games.hextris.families.listing import prove_listing
from rulecheck.games.hextris.families.lists import arrangements
from rulecheck.games.hextris.families.openness import prove_open
from rulecheck.games.hextris.families.table import SMALL, SMALL_THREE, family_names
from rulecheck.games.hextris.stated import every_turn
from rulecheck.model import InputError, Result, Status
from rulecheck.pyramids import Pyramid
from solvers.smt import Answer
from specs.hextris.spec import Spec
from specs.hextris.spec_board import connected_sets, in_line

PARAMS = GAME.params({})
DEFAULTS = GAME.rulebook.defaults()
SLOW_FAMILIES = ("slide", "open", "small-three", *GAME.hints.long_families)
QUICK_MUTANTS = ("C01", "E01", "E14", "E36", "S07")
MUTANTS = [mutant for mutant in read_mutants(GAME) if mutant.side != "shared"]


def run(family: str, **readings: str) -> Result:
    return GAME.hints.run_family(family, PARAMS, encodings(GAME), GAME.rulebook.choose(readings), lambda done: None)


@pytest.fixture(scope="module")
def spec() -> Spec:
    return Spec(PARAMS, DEFAULTS)


@pytest.mark.parametrize("family", [name for name in family_names(PARAMS) if name not in SLOW_FAMILIES])
def test_short_family_is_proved(family: str) -> None:
    result = run(family)
    assert result.status is Status.PROVED
    assert result.cases > 1


OTHER_READINGS = [
    {name: value}
    for name, reading in GAME.rulebook.options.items()
    for value in reading.values
    if value != reading.default
]


@pytest.mark.parametrize("mutant", [m for m in MUTANTS if m.id in QUICK_MUTANTS], ids=lambda m: m.id)
def test_changed_rule_is_refuted(mutant: Mutant) -> None:
    refuted_with_witness(mutant)


def refuted_with_witness(mutant: Mutant) -> None:
    result = try_mutant(GAME, mutant)
    assert result.status is Status.REFUTED, mutant.text
    assert result.witness is not None


def test_mutants_cover_every_option() -> None:
    tried = {(name, value) for mutant in MUTANTS for name, value in mutant.readings.items()}
    options = {(name, value) for readings in OTHER_READINGS for name, value in readings.items()}
    assert options <= tried
    assert len(MUTANTS) >= 30
    assert sum(mutant.side == "compiled" for mutant in MUTANTS) >= 10


def test_all_long_families_are_named() -> None:
    assert set(GAME.hints.long_families) <= set(family_names(PARAMS))
    assert len(set(family_names(PARAMS))) == len(family_names(PARAMS))
    assert set(GAME.hints.quick_families) <= set(family_names(PARAMS)) - set(GAME.hints.long_families)


def test_witness_of_a_mutant_is_a_position_where_the_real_encodings_agree() -> None:
    mutant = next(m for m in MUTANTS if m.id == "E14")
    witness = try_mutant(GAME, mutant).witness
    assert witness is not None
    assert witness.move is not None
    params = GAME.params(dict(witness.params))
    position, move = read_position(params, witness.position), read_move(params, witness.move)
    told = Spec(params, DEFAULTS).judge(position, move)
    verdict = GAME.engine(params, DEFAULTS).judge(position, move)
    assert set(verdict.clauses) <= set(told.clauses)
    assert verdict.legal == told.legal


# -- The constraints on their own ---------------------------------------------------------------------------


def test_connected_sets_are_as_many_as_counted_by_hand() -> None:
    """On 7 points 12 pairs are adjacent; 15 triples have the centre, and 6 run along the ring."""
    assert len(connected_sets(1, 1)) == 7
    assert len(connected_sets(1, 2)) == 12
    assert len(connected_sets(1, 3)) == 15 + 6
    assert (len(connected_sets(2, 5)), len(connected_sets(2, 6))) == (846, 2179)


def test_a_set_too_many_is_refused_in_words() -> None:
    with pytest.raises(InputError, match=r"write out every connected set"):
        Spec(GAME.params({"radius": "3", "group": "9", "groups": "1"}), DEFAULTS)


@pytest.mark.parametrize(
    ("position", "move", "broken"),
    [
        ("A a1:B1 a2:B2 a3:B3 b4:B1 c4:A3 d3:B2", "c4xd3", []),
        ("A a1:B1 a2:B2 a3:B3 b4:B1 c4:A3 d3:B2", "d3xc4", ["HX-10", "HX-23"]),
        ("A a1:B1", "A1@a1", ["HX-14"]),
        ("A a1:B1", "A1@c3", ["HX-09", "HX-11"]),
        ("A a1:B1", "B1@a2", ["HX-09"]),
        ("A c1:A1 c2:B1", "c1-c3", ["HX-18", "HX-19"]),
        ("A c1:A2", "c1-c4", ["HX-20"]),
        ("A c1:A3", "c1-d1", []),
        ("A c1:A3", "c1-d3", ["HX-13"]),
        ("A c1:A3", "c1xc2", ["HX-13"]),
        ("A c1:A3 c2:B3", "c1xc2", ["HX-22"]),
        ("A a1:A1 a2:A2 a3:A3 b4:A1 d4:A2 e3:A1", "A1@c5", ["HX-31"]),
        ("A hands=5,5,5/0,0,0 groups=0/3", "A1@c5", ["HX-32"]),
        ("A", "pass", ["HX-16"]),
    ],
)
def test_judge_names_every_clause(spec: Spec, position: str, move: str, broken: list[str]) -> None:
    verdict = spec.judge(read_position(PARAMS, position), read_move(PARAMS, move))
    assert list(verdict.clauses) == broken


def test_result_of_a_turn(spec: Spec) -> None:
    text = "A a1:B1 a2:B2 a3:B3 b4:B1 c4:A3 d1:A1 d2:A2 d3:B2 e1:A3 e2:A1 hands=0,0,0/0,0,0 groups=2/2"
    after, won = spec.result(read_position(PARAMS, text), read_move(PARAMS, "c4xd3"))
    assert (after.groups, won, after.mover) == ((3, 3), "A", "B")
    assert str(after).startswith("B a1:B1 a2:B2 a3:B3 b4:B1 c4:B2 d1:A1 d2:A2 d3:A3 e1:A3 e2:A1 ")


@pytest.mark.parametrize("players", ["2", "3"])
def test_judges_agree_along_a_game(players: str) -> None:
    params = GAME.params({"players": players, "radius": "1", "group": "2", "groups": "2", "pieces": "2,1,1"})
    engine, told = GAME.engine(params, DEFAULTS), Spec(params, DEFAULTS)
    position = engine.start()
    for turn in range(2):
        legal = {m for m in every_turn(params) if told.judge(position, m).legal}
        assert legal == {m for m in every_turn(params) if engine.judge(position, m).legal}
        move = sorted(legal, key=str)[(7 * turn + 3) % len(legal)]
        result = engine.play(position, move)
        assert told.result(position, move) == (result, engine.winner(result))
        position = result


# -- What the proofs stand on -------------------------------------------------------------------------------


def test_lazy_position_gives_each_answer_once() -> None:
    """A point is empty, A's or B's: three cases, however it is asked."""

    def looks(observer: object) -> str:
        position = LazyPosition(observer, PARAMS, "A")  # type: ignore[arg-type]
        if position.empty(3):
            assert not position.owns("B", 3)
            return "empty"
        return "A" if position.owns("A", 3) else f"B{position.owns('B', 3)}"

    assert [case.outcome for case in cases(looks)] == ["empty", "A", "BTrue"]


def test_lazy_numbers_follow_from_what_is_known() -> None:
    def looks(observer: object) -> tuple[bool, bool, bool]:
        held = LazyPosition(observer, PARAMS, "A").in_hand("A", 1)  # type: ignore[arg-type]
        return held < 3, held - 1 < 3, held > 5

    outcomes = [case.outcome for case in cases(looks)]
    assert sorted(outcomes) == [(False, False, False), (False, True, False), (True, True, False)]


@pytest.mark.parametrize("game", [SMALL, pytest.param(SMALL_THREE, marks=pytest.mark.slow)], ids=["two", "three"])
def test_small_game_is_proved_in_two_parts_as_well(game: dict[str, str]) -> None:
    """Every turn that the family small proves in one piece, here in two."""
    params = GAME.params(game)
    engine = Engine(params, DEFAULTS)
    turns = [(c, m) for c in params.colours for m in every_turn(params) if m != PASS]
    parts = [
        prove_groups(engine, Spec(params, DEFAULTS), params.points, ignored),
        prove_open(Spec(params, DEFAULTS), Spec, ignored),
        prove_composed(Halves(engine, Spec), turns[::5], "every fifth turn", ignored),
        prove_listing(engine, Spec, ignored),
    ]
    assert [part.status for part in parts] == [Status.PROVED] * 4


def ignored(done: float) -> None:
    assert 0 <= done <= 1


def test_a_group_that_is_looked_into_stops_the_proof() -> None:
    with pytest.raises(TypeError, match="not looked into"):
        assert 3 not in Tokens([19, 20])


def test_grow_sees_one_colour_and_at_most_two_changes() -> None:
    def looks(observer: Observer) -> int:
        changes = Changes(observer, 0)
        with pytest.raises(TypeError, match="own colour"):
            Sight(observer, changes).owns("A", 1)
        return sum(p in changes for p in range(4))

    assert {case.outcome for case in cases(looks)} == {1, 2}


def test_sightings_are_all_that_can_stand_around_a_corner() -> None:
    """On 7 points with groups of 3: what is found around a1 is connected, and of at most one piece too many."""
    params = GAME.params(SMALL)
    found = sightings(Engine(params, DEFAULTS), 0)
    sizes = {len(points) for _, (_, points) in found}
    assert sizes == {1, 2, 3, 4}
    fives = {tuple(sorted(points)) for _, (_, points) in found if len(points) == 3}
    assert fives == {inside for inside in connected_sets(1, 3) if 0 in inside}


def test_an_exchange_in_two_parts_has_few_cases() -> None:
    halves = Halves(Engine(PARAMS, DEFAULTS), Spec)
    proof = ComposedProof(halves, "B", read_move(PARAMS, "b2xc3"))
    assert proof.run() is Answer.NO
    assert 100 < proof.cases < 1000
    assert proof.refuted is None


def test_maps_of_the_board() -> None:
    maps = board_maps(2)
    assert len(set(maps)) == 12
    assert all(sorted(there) == list(range(19)) for there in maps)
    classes = one_of_each(slides(PARAMS), 2)
    lines = [m for m in classes if in_line(2, m.source, m.target)]
    assert sum(in_line(2, m.source, m.target) for m in slides(PARAMS)) > 8 * len(lines)


def test_arrangements_are_positions() -> None:
    params = GAME.params({"radius": "1", "group": "3", "groups": "1", "pieces": "0,0,4/0,0,3"})
    for position in islice(arrangements(params), 40):
        assert isinstance(position, Position)
        assert position.points.count(Pyramid("A", 3)) + position.hands[0][2] == 4
    engine = GAME.engine(params, DEFAULTS)
    assert any(engine.judge(position, PASS).legal for position in arrangements(params))
