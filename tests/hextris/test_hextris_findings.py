"""What is found out about Hextris: lines replay, witnesses witness, and small cases are smallest by brute force."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest

from rulecheck.analyses.ambiguities import pairs
from rulecheck.analyses.claims import matrix
from rulecheck.explore import Explored
from rulecheck.games.hextris import (
    GAME,
    Params,
    Pass,
    Position,
    claims,
    dead,
    read_move,
    read_params,
    read_position,
    shapes,
    stalemates,
)
from rulecheck.games.hextris.blocked import Blocked, stuck_position
from rulecheck.games.hextris.coverage import Search
from rulecheck.games.hextris.engine import Engine
from rulecheck.games.hextris.families.lists import arrangements, images
from rulecheck.games.hextris.lines import line_to
from rulecheck.games.hextris.playing import estimate
from rulecheck.games.hextris.separated import find_difference, none_on_seven_points
from rulecheck.games.hextris.shapes import WIN_AND_OVERFLOW, distinct, least_image
from rulecheck.games.hextris.stated import every_turn
from rulecheck.model import Status
from rulecheck.pyramids import Pyramid
from solvers.smt import every
from specs.hextris.spec import Spec

DEFAULTS = GAME.rulebook.defaults()
TINY = read_params({"radius": "1", "group": "2", "groups": "1", "pieces": "0,2,0/0,0,1"})
SMALL = read_params({"radius": "1", "group": "3", "groups": "1", "pieces": "2,1,0"})
NOT_IN_LADDER = {("win_overflow", "illegal", "allowed")}


def engine(params: Params = Params(), **readings: str) -> Engine:  # noqa: B008  # a frozen value
    return Engine(params, DEFAULTS.replace(**readings))


def replay(rules: Engine, line: tuple[str, ...]) -> Position:
    position = rules.start()
    for text in line:
        position = rules.play(position, read_move(rules.params, text))
    return position


# -- Claims -------------------------------------------------------------------------------------------------

QUICK = [name for name, claim in GAME.rulebook.claims.items() if claim.check not in ("everywhere", "line")]


def test_claims_of_single_positions_come_out_as_the_rulebook_expects() -> None:
    assert [row.claim.id for row in matrix(GAME, GAME.hints.checks(), only=QUICK).disagreements] == []


def test_the_shortest_game_is_found_and_no_bound_is_taken_on_trust() -> None:
    params = read_params({"radius": "1", "group": "2", "groups": "2", "pieces": "4,0,0/0,4,0"})
    assert claims.shortest_game(engine(params)) == claims.least_turns(engine(params)) == 7
    assert claims.shortest_game(engine(params, gift="counts_for_mover")) == 6


# -- Play up to the maps of the board -----------------------------------------------------------------------


def test_play_up_to_maps_has_one_position_of_each_kind() -> None:
    everything = {least_image(position) for position in Explored(engine(TINY), lazily=True).turns()}
    found = list(distinct(engine(TINY)).turns())
    assert {least_image(position) for position in found} == everything
    assert len(found) == len(everything)


def test_lines_of_play_up_to_maps_replay() -> None:
    play = distinct(engine(TINY))
    for position in play.turns():
        assert replay(engine(TINY), play.line_to(position)) == position


# -- Ambiguities --------------------------------------------------------------------------------------------


def first_difference(name: str, first: str, second: str):  # type: ignore[no-untyped-def]
    for shape in shapes.shapes():
        ours, theirs = engine(shape, **{name: first}), engine(shape, **{name: second})
        if found := find_difference(ours, theirs):
            return ours, theirs, found
    return None


EASY = [p for p in pairs(GAME.rulebook.options.values()) if p not in NOT_IN_LADDER and p[0] != "overflow_test"]


@pytest.mark.parametrize(("name", "first", "second"), EASY)
def test_values_are_separated_by_a_position_in_play(name: str, first: str, second: str) -> None:
    ours, theirs, (position, move, line) = first_difference(name, first, second)
    assert replay(ours, line) == position
    legal = ours.judge(position, move).legal, theirs.judge(position, move).legal
    assert legal[0] != legal[1] or ours.play(position, move) != theirs.play(position, move)


@pytest.mark.slow
def test_a_group_on_the_way_needs_a_large_piece_and_nineteen_points() -> None:
    ours, theirs, (position, move, line) = first_difference("overflow_test", "result", "transit")
    assert ours.params == shapes.LONG_SLIDE
    assert ours.judge(position, move).legal
    assert theirs.judge(position, move).clauses == ("HX-31",)
    assert replay(ours, line) == position


def test_a_win_with_a_group_too_large_is_found_with_a_line() -> None:
    both = engine(WIN_AND_OVERFLOW), engine(WIN_AND_OVERFLOW, win_overflow="allowed")
    found = find_difference(*both)
    assert found is not None
    position, move, line = found
    assert replay(both[0], line) == position
    assert [rules.judge(position, move).clauses for rules in both] == [("HX-31",), ()]
    assert none_on_seven_points(DEFAULTS)


@pytest.mark.usefixtures("random_choices")
@pytest.mark.parametrize("clause", ["HX-14", "HX-18", "HX-23"])
def test_a_deciding_case_is_the_first_of_the_smallest(clause: str) -> None:
    """Compared with every turn of A in every arrangement, whatever z3 would choose."""
    found = Search(TINY, DEFAULTS).cover(GAME.rulebook.clauses[clause]).result
    assert found is not None
    assert found.witness is not None
    positions = {image for position in arrangements(TINY) for image in images(position) if position.mover == "A"}
    rules, spec = engine(TINY), Spec(TINY, DEFAULTS)
    broken = [
        (_pieces(position), str(position), str(move))
        for position in positions
        for move in every_turn(TINY)
        if rules.judge(position, move).clauses == (clause,) and spec.judge(position, move).clauses == (clause,)
    ]
    standing = [case for case in broken if not claims.fives(TINY, read_position(TINY, case[1]).points)]
    assert (found.witness.position, found.witness.move) == min(standing)[1:]


@pytest.mark.usefixtures("random_choices")
def test_a_win_with_a_group_too_large_is_the_first_to_which_a_line_leads() -> None:
    found = find_difference(engine(WIN_AND_OVERFLOW), engine(WIN_AND_OVERFLOW, win_overflow="allowed"))
    assert found is not None
    assert list(map(str, found[:2])) == ["A a1:A2 a2:B1 b3:A2 b4:B1 c3:B1", "b3xa2"]


# -- Lines --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("claim", ["HC-12", "HC-12b", "HC-14"])
def test_a_line_to_a_position_replays(claim: str) -> None:
    position = read_position(Params(), GAME.rulebook.claims[claim].data["position"])
    line = line_to(engine(), position)
    assert line is not None
    assert replay(engine(), line) == position


def test_no_line_leads_where_nobody_can_come() -> None:
    assert line_to(engine(), read_position(Params(), "A a1:A1")) is None  # B had to put one down
    assert line_to(engine(TINY), read_position(TINY, "B b2:A2")) is None  # nothing is put on the interior


# -- Players without a turn ---------------------------------------------------------------------------------

VALUES = [
    {},
    {"swap": "symmetric"},
    {"swap": "mutual"},
    {"swap": "any_two"},
    {"place_group": "illegal"},
    {"overflow_test": "transit"},
]


@pytest.mark.parametrize("readings", VALUES, ids=str)
def test_the_constraints_on_all_turns_agree_with_the_engine(readings: dict[str, str]) -> None:
    """Positions with many pieces and empty hands, or full ones: on a small board both answers are common."""
    rules, chance = engine(SMALL, **readings), random.Random(5)
    spec = Spec(SMALL, rules.readings)
    stuck = {c: spec.name(every(Blocked(spec).facts(c))) for c in SMALL.colours}
    seen = set()
    for _ in range(150):
        sizes = chance.choice((1, 2))
        pieces = [Pyramid(chance.choice("AB"), chance.randint(1, sizes)) for _ in range(7)]
        points = [None if chance.random() < 0.15 else piece for piece in pieces]
        hands = chance.choice([((0, 0, 0), (0, 0, 0)), SMALL.stash])
        position = Position("A", tuple(points), hands, (0, 0), SMALL)
        spec.certain(*spec.position_facts(position), spec.turn.kind["pass"])
        said = spec.asker.holds(stuck["A"])
        assert said == all(isinstance(m, Pass) for m in rules.moves(position)), position
        seen.add(said)
    assert seen == {True, False}


def test_they_agree_around_stalemates_of_the_printed_game() -> None:
    """One point changed at a time: emptied, or given to another piece."""
    rules, spec, chance = engine(), Spec(Params(), DEFAULTS), random.Random(3)
    stuck = spec.name(every(Blocked(spec).facts("A")))
    seen = []
    for claim in ("HC-12", "HC-12b"):
        position = read_position(Params(), GAME.rulebook.claims[claim].data["position"])
        for p in range(19):
            points = list(position.points)
            points[p] = chance.choice([None, Pyramid("A", 3), Pyramid("B", 1), position.points[p]])
            changed = replace(position, points=tuple(points), hands=((0, 0, 0), (0, 0, 0)))
            spec.certain(*spec.position_facts(changed), spec.turn.kind["pass"])
            seen.append(spec.asker.holds(stuck))
            assert seen[-1] == stalemates.only_passes(rules, changed), changed
    assert set(seen) == {True, False}


def test_the_smallest_position_without_a_turn_is_smallest() -> None:
    """Every arrangement of one size with fewer pieces on 7 points, tried on the engine."""
    params = read_params({"radius": "1", "group": "4", "groups": "1", "pieces": "4,0,0/4,0,0"})
    found, rules = stuck_position(params, DEFAULTS, ("A",), False), engine(params)
    assert found is not None
    assert stalemates.only_passes(rules, found.position)
    fewest = min(_pieces(p) for p in _arrangements(rules) if stalemates.only_passes(rules, p))
    assert found.pieces == _pieces(found.position) == fewest


def _pieces(position: Position) -> int:
    return sum(piece is not None for piece in position.points)


def _arrangements(rules: Engine):  # type: ignore[no-untyped-def]
    """All that nothing has left, with no group complete."""
    for colours in product((None, "A", "B"), repeat=7):
        points = tuple(Pyramid(c, 1) if c else None for c in colours)
        hands = tuple((4 - colours.count(c), 0, 0) for c in "AB")
        position = Position("A", points, hands, (0, 0), rules.params)
        groups = [rules.grow(position, {p: c}, p).points for p, c in enumerate(colours) if c]
        if min(h[0] for h in hands) >= 0 and all(len(group) < 4 for group in groups):
            yield position


@pytest.mark.slow
def test_stalemates_of_the_printed_game_replay() -> None:
    rows = {row.name: row for row in stalemates.stalemates(Params(), DEFAULTS)}
    for row in rows.values():
        witness = row.result.witness
        assert row.result.status is Status.REFUTED
        assert witness is not None
        rules = Engine(read_params(witness.params), DEFAULTS)
        position = read_position(rules.params, witness.position)
        assert rules.judge(position, read_move(rules.params, witness.move or "")).legal
        if witness.line is not None:
            assert replay(rules, witness.line) == position
    assert "fewer than 13 pieces" in rows["no-turn"].result.scope
    assert "fewer than 18 pieces" in rows["nobody-ever"].result.scope
    assert rows["nobody-ever"].result.witness.line  # type: ignore[union-attr]


def test_small_findings_name_their_readings() -> None:
    gap = stalemates.placed_group(Params(), DEFAULTS)
    assert [said.startswith("legal") for said in gap.under.values()] == [True, False, True]
    assert stalemates.waiting(Params(), DEFAULTS).result.status is Status.REFUTED
    assert [row.result.status for row in stalemates.in_play(DEFAULTS)] == [Status.REFUTED, Status.REFUTED]


# -- Clauses ------------------------------------------------------------------------------------------------


def test_clauses_of_a_small_game_decide_or_are_redundant() -> None:
    """The replay on both encodings is part of the search; here, what it comes to."""
    search = Search(read_params({"radius": "1", "group": "2", "groups": "2", "pieces": "2,1,1"}), DEFAULTS)
    rows = {c.id: search.cover(c) for c in GAME.rulebook.clauses.values() if c.id != "HX-17"}
    # On 7 points no slide is longer than two, so HX-20 forbids and HX-21 permits nothing there.
    assert {n for n, row in rows.items() if row.is_redundant} == {"HX-11", "HX-20", "HX-21", "HX-25", "HX-26"}
    assert rows["HX-22"].result is not None
    assert rows["HX-22"].result.status is Status.REFUTED


def test_own_exchanges_need_their_permission_under_mutual_only() -> None:
    clause = GAME.rulebook.clauses["HX-25"]
    statuses = {v: Search(TINY_SIZES, DEFAULTS.replace(swap=v)).cover(clause).is_redundant for v in SWAPS}
    assert statuses == {"initiator": True, "symmetric": True, "mutual": False, "any_two": True}


SWAPS = ("initiator", "symmetric", "mutual", "any_two")
TINY_SIZES = read_params({"radius": "1", "group": "3", "groups": "1", "pieces": "2,2,2"})


def test_dead_text_is_alive_where_it_should_be() -> None:
    rows = {(r.clause, r.reading): r.result.status for r in dead.dead_text(TINY_SIZES, DEFAULTS)}
    assert rows["HX-30", "swap=mutual"] is Status.PROVED
    assert rows["HX-30", "swap=symmetric"] is Status.REFUTED
    assert rows["HX-23", "swap=symmetric"] is Status.PROVED
    assert rows["HX-23", "swap=mutual"] is Status.REFUTED
    assert rows["HX-29", "final_group=remove"] is Status.PROVED
    usual = Search(TINY_SIZES, DEFAULTS)
    assert dead._never(usual, "HX-29", dead._stays(usual)).status is Status.REFUTED


def test_an_estimate_likes_groups() -> None:
    position = read_position(Params(), "A a1:A1 a2:A1 e1:B1 e3:B1")
    assert estimate(engine(), position, "A") > 0 > estimate(engine(), position, "B")
    ahead = replace(position, groups=(0, 1))
    assert estimate(engine(), ahead, "A") < 0
