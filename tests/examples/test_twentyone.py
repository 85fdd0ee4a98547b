"""Protects: Twenty-one, a game of three: what each can force against the two others together."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from opened import Opened
from plain_solving import outcomes
from twentyone import GAME

from rulecheck.analyses.solved_play import solve_play
from rulecheck.model import InputError, Status
from solvers.graph import Outcome

READINGS = [{"order": order, "last": last} for order, last in product(("round", "turning"), ("loses", "wins"))]


@cache
def is_safe(left: int, seat: int) -> bool:
    """With so many numbers left, can the player who speaks in so many turns make another say the last one?"""
    safe = [seat != 0 if n == left else is_safe(left - n, (seat - 1) % 3) for n in (1, 2, 3) if n <= left]
    return any(safe) if seat == 0 else all(safe)


def test_from_six_numbers_on_two_can_make_the_third_lose() -> None:
    """Whatever one says, the two others can add 2 to 6 to it: so 1 is lost, then 6 to 8, and from these all beyond."""
    assert [n for n in range(1, 22) if not is_safe(n, 0)] == [1, *range(6, 22)]
    for target in range(1, 22):
        game = Opened(GAME, target=str(target))
        engine = game.engine()
        for seat, hero in enumerate(engine.players):
            worth = solve_play(GAME, game.params, engine, hero=hero).worth(engine.start())
            safe = (worth.outcome is Outcome.WIN) == (hero == "A")  # others' wins are the hero's losses
            assert safe == is_safe(target, seat), (target, hero)
            assert worth.player == ("A" if hero == "A" else "the others")


@pytest.mark.parametrize("readings", READINGS, ids=str)
@pytest.mark.parametrize("hero", ["A", "B", "C"])
def test_a_plain_solver_agrees(readings: dict[str, str], hero: str) -> None:
    game = Opened(GAME, target="12")
    engine = game.engine(**readings)
    solved = solve_play(GAME, game.params, engine, hero=hero)
    for position, (outcome, moves) in outcomes(engine, hero).items():
        if engine.end(position) is None:
            worth = solved.worth(position)
            seen = worth if worth.player == hero else worth.swapped(hero)
            assert (seen.outcome, seen.distance) == (outcome, moves), position


def test_the_one_to_solve_for_has_to_be_named() -> None:
    game = Opened(GAME)
    with pytest.raises(InputError, match="a game of 3: say for whom"):
        solve_play(GAME, game.params, game.engine())


@pytest.mark.parametrize("readings", READINGS, ids=str)
def test_encodings_agree_on_every_arrangement(readings: dict[str, str]) -> None:
    game = Opened(GAME)
    moves, ends = game.prove(game.engine(**readings), game.spec(**readings))
    assert {moves.status, ends.status} == {Status.PROVED}
    assert moves.scope == "3 moves on all 132 arrangements; legality, clause, effect, winner, turn"


@pytest.mark.parametrize(
    ("readings", "position", "move"),
    [({"order": "turning"}, "A", "two"), ({"last": "wins"}, "A said:18", "three")],
    ids=str,
)
def test_readings_part(readings: dict[str, str], position: str, move: str) -> None:
    game = Opened(GAME)
    assert game.apart({}, readings) == (position, move)
    assert game.prove(game.engine(**readings), game.spec())[0].status is Status.REFUTED


def test_turning_goes_both_ways_round_the_table() -> None:
    game = Opened(GAME)
    engine = game.engine(order="turning")
    position = engine.start()
    speakers = []
    for move in ("one", "two", "one", "three", "two", "three"):
        speakers.append(engine.actor(position))
        position = engine.play(position, move)
    assert "".join(speakers) + engine.actor(position) == "ABACAB" + "A"


def test_counts() -> None:
    """Play round the table: with n numbers said by at least n/3 and at most n turns, any player may be next."""
    game = Opened(GAME)
    turns = {n: {t % 3 for t in range(-(-n // 3), n + 1)} for n in range(21)}
    last = {(t - 1) % 3 for t in range(7, 22)}
    assert len(game.play()) == sum(map(len, turns.values())) + len(last)
    for position in game.play(order="turning"):
        assert game.fields.read(str(position)) == position == game.fields.unpack(game.fields.pack(position))
