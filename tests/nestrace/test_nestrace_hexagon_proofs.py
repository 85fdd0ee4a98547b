"""Protects: the two encodings of Nest race's hexagon agree on its tables and in play, changes of its rules are noticed,
and what the analyses say of that board is so."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from rulecheck.analyses.claims import matrix
from rulecheck.analyses.mutants import Mutant, encodings, read_mutants, try_mutant
from rulecheck.games.nestrace import GAME, PASS, Position, hexagons
from rulecheck.games.nestrace.claims import CHECKS
from rulecheck.games.nestrace.engine import Engine
from rulecheck.games.nestrace.families.hexagon import HEXAGON, SMALL
from rulecheck.games.nestrace.research.hexagon import flat, outlines
from rulecheck.model import Status
from specs.nestrace.spec_board import Board

BOOK = GAME.rulebook
NEW = {name: BOOK.options[name].values for name in ("forward", "seam", "centre", "behind")}
MUTANTS = [mutant for mutant in read_mutants(GAME) if mutant.params.get("board") == "hexagon"]


@pytest.mark.parametrize("values", list(product(*NEW.values())), ids="-".join)
@pytest.mark.parametrize("size", [("2", "2"), ("4", "4"), ("6", "4")], ids="-".join)
def test_both_encodings_have_the_same_board(size: tuple[str, str], values: tuple[str, ...]) -> None:
    core, width = size
    params = GAME.params({"board": "hexagon", "core": core, "width": width})
    readings = BOOK.choose(dict(zip(NEW, values, strict=True)))
    engine, board = Engine(params, readings), Board(params, readings)
    assert set(board.plan.meets) == set(engine.steps)
    assert board.plan.jumps == dict(engine.jumps)
    for p in params.letters:
        hops = [*board.plan.meets, *board.plan.jumps]
        assert {hop for hop in hops if board.backward(p, *hop)} == set(engine.retreats[p])
        assert set(board.starts[p]) == set(engine.starts[p])
        assert set(board.finishes[p]) == set(engine.finishes[p])


@pytest.mark.parametrize("family", ["small-hops", "small-pat", "over", "pat-chosen", "win", "setup", "touched"])
def test_family_finds_no_difference(family: str) -> None:
    params = GAME.params(SMALL)
    assert family in GAME.hints.family_names(params) == list(HEXAGON)
    result = GAME.hints.run_family(family, params, encodings(GAME), BOOK.defaults(), lambda done: None)
    assert result.is_fine, result.witness or result.note
    assert result.cases > 0


@pytest.mark.slow
@pytest.mark.parametrize("family", ["middle-hops", "chains-middle", "small-chains", "listed", "reached"])
def test_longer_family_finds_no_difference(family: str) -> None:
    result = GAME.hints.run_family(family, GAME.params(SMALL), encodings(GAME), BOOK.defaults(), lambda done: None)
    assert result.is_fine, result.witness or result.note


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.id)
def test_changes_of_the_hexagon_are_noticed(mutant: Mutant) -> None:
    result = try_mutant(GAME, mutant)
    assert result.status is Status.REFUTED, mutant.text
    assert result.witness is not None


@pytest.mark.parametrize("name", NEW)
def test_every_pair_of_values_is_parted_or_proved_alike(name: str) -> None:
    for values in combinations(NEW[name], 2):
        row = GAME.hints.separate(BOOK.defaults(), name, values)
        if values == ("along", "fan"):
            assert row.result.status is Status.PROVED
            row = GAME.hints.separate(BOOK.defaults().replace(centre="touching"), name, values)

        assert row.result.status is Status.REFUTED
        assert row.verdicts[0] != row.verdicts[1]


def test_a_circle_of_blockades_is_in_play_and_lasts_for_ever() -> None:
    row = hexagons.circle(hexagons.SMALLEST, BOOK.defaults())
    assert row.result.status is Status.REFUTED
    assert row.result.witness is not None
    assert row.result.witness.line
    engine = Engine(hexagons.SMALLEST, BOOK.defaults())
    position = engine.start()
    for text in row.result.witness.line:
        position = engine.play(position, GAME.read_move(engine.params, text))
    assert str(position) == row.result.witness.position
    reached = {position}
    while new := {after for here in reached for after in engine.moves(here).values()} - reached:
        reached |= new
    assert len(reached) == 3
    assert all(list(engine.moves(here)) == [PASS] for here in reached)


def test_z3_finds_a_circle_by_itself() -> None:
    found = hexagons.Circle(hexagons.SMALLEST, BOOK.defaults()).find()
    assert isinstance(found, Position)
    engine = Engine(hexagons.SMALLEST, BOOK.defaults())
    assert all(engine.in_pat(found, c) for c in engine.players)
    turns = [Position(c, found.stacks, found.squares) for c in engine.players]
    assert [sorted(engine.victims(position)) for position in turns] == [["C"], ["A"], ["B"]]
    assert not any(engine.freeing(position, v) for position in turns for v in engine.victims(position))


def test_without_a_pat_rule_there_is_no_circle() -> None:
    row = hexagons.circle(hexagons.SMALLEST, BOOK.choose({"pat": "off"}))
    assert row.result.status is Status.PROVED


def test_boards_of_six_segments() -> None:
    """35 hexominoes; a row of six has four sides, and an outline turns outward four times more than inward."""
    assert len(flat(6)) == 35
    assert [board.name for board in outlines() if not board.fails()] == ["around a point, each side across a seam"]
    for board in list(outlines())[2:]:
        assert 2 * len(board.corners) - len(board.sides) == 4


def test_claims_about_the_square_board_are_not_asked_of_the_hexagon() -> None:
    square = ["NC-02", "NC-05", "NC-10", "NC-12", "NC-24", "NC-28"]
    found = matrix(GAME, CHECKS, only=[*square, "NC-31"], variant={"board": "hexagon"})
    assert set(found.unasked) == set(square)
    assert not found.disagreements
