"""Protects: Nim, a game of numbers without a board: Bouton's rule, Grundy values, and a clause that adds nothing."""

from __future__ import annotations

from functools import cache, reduce
from operator import xor

import pytest
from nim import GAME, heaps
from opened import Opened

from rulecheck.analyses.deciding import coverage
from rulecheck.analyses.solved_play import solve_play
from rulecheck.fields import State
from rulecheck.model import InputError, Status
from solvers.graph import Outcome


def counters(nim: Opened, position: State) -> list[int]:
    return [position.number(heap) for heap in heaps(nim.params)]


def is_lost(sizes: list[int], misere: bool) -> bool:
    """Bouton: the exclusive or of the heaps is 0; if the last counter loses, it is 1 once all heaps are of one."""
    return reduce(xor, sizes) == (1 if misere and max(sizes) < 2 else 0)


@pytest.mark.parametrize("last", ["wins", "loses"])
@pytest.mark.parametrize("sizes", ["3,4,5", "1,2,3", "2,2", "1,1,1,2"])
def test_every_position_is_lost_where_the_rule_says(sizes: str, last: str) -> None:
    nim = Opened(GAME, heaps=sizes)
    engine = nim.engine(last=last)
    for alike in (None, nim.fields.alike):
        solved = solve_play(GAME, nim.params, engine, alike=alike)
        for position in nim.play(last=last):
            if engine.end(position) is None:
                lost = is_lost(counters(nim, position), last == "loses")
                assert solved.worth(position).outcome is (Outcome.LOSS if lost else Outcome.WIN), position


def test_grundy_values() -> None:
    """The least number that no move leads to is the exclusive or of the heaps (Sprague, Grundy)."""
    nim = Opened(GAME)
    engine = nim.engine()

    @cache
    def grundy(position: State) -> int:
        following = {grundy(result) for result in engine.moves(position).values()}
        return next(n for n in range(100) if n not in following)

    for position in nim.play():
        assert grundy(position) == reduce(xor, counters(nim, position))


def test_counts() -> None:
    """All arrangements within the heaps, less those in which each heap has lost one counter or none and the turn is
    wrong; with heaps in any order, far fewer."""
    nim = Opened(GAME)
    assert len(nim.play()) == 4 * 5 * 6 * 2 - 2**3
    fewer = {(p["mover"], *sorted(counters(nim, p))) for p in nim.play()}
    assert len(nim.play(alike=nim.fields.alike)) == len(fewer)


@pytest.mark.parametrize("last", ["wins", "loses"])
def test_encodings_agree_on_every_arrangement(last: str) -> None:
    nim = Opened(GAME)
    moves, ends = nim.prove(nim.engine(last=last), nim.spec(last=last))
    assert {moves.status, ends.status} == {Status.PROVED}
    assert moves.scope == "15 moves on all 432 arrangements; legality, clause, effect, winner, turn"


def test_the_last_counter_tells_the_readings_apart() -> None:
    nim = Opened(GAME)
    assert nim.apart({}, {"last": "loses"}) == ("A a:1", "a-1")
    moves, ends = nim.prove(nim.engine(last="loses"), nim.spec())
    assert [(r.status, r.witness and r.witness.position) for r in (moves, ends)] == [
        (Status.REFUTED, "A a:1"),
        (Status.REFUTED, "A"),
    ]


def test_the_end_forbids_nothing_that_empty_heaps_do_not() -> None:
    nim = Opened(GAME)
    rows = {row.clause.id: row for row in coverage(GAME, nim.params, GAME.rulebook.defaults())}
    deciding, redundant = rows["NI-03"].result, rows["NI-04"].result
    assert deciding is not None
    assert deciding.witness is not None
    assert (deciding.witness.position, deciding.witness.move) == ("A a:1", "a-2")
    assert redundant is not None
    assert (redundant.status, rows["NI-04"].implied_by) == (Status.PROVED, ("NI-03",))


@pytest.mark.parametrize("sizes", ["", "3,,5", "3,x", "1,1,1,1,1,1,1", "0", "100"])
def test_bad_heaps_are_one_sentence(sizes: str) -> None:
    with pytest.raises(InputError, match="parameter heaps is up to six numbers"):
        Opened(GAME, heaps=sizes)


def test_positions_round_trip() -> None:
    nim = Opened(GAME)
    for position in nim.play():
        assert nim.fields.read(str(position)) == position == nim.fields.unpack(nim.fields.pack(position))
