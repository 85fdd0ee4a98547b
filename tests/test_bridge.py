"""Protects: the one way from an engine to the solvers, for players who move again, chance at any time, ties, loops,
dead ends and more than two players. Compared with the plainest solvers on any small game, and with published values."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from drawn_games import Drawn, Spot, games
from hypothesis import given
from plain_solving import outcomes, values

from rulecheck.bridge import PlayGraph, graph_of
from rulecheck.contract import End
from rulecheck.explore import Explored
from rulecheck.model import InputError
from solvers.certificate import ONE, check_bounds, check_outcomes
from solvers.graph import Kind, Outcome
from solvers.reference import iterate_outcomes
from solvers.retrograde import solve_outcomes
from solvers.stochastic import solve

sys.path.insert(0, str(Path(__file__).parent / "examples"))
from sowing import Kalah, read

SWAPPED = {Outcome.WIN: Outcome.LOSS, Outcome.LOSS: Outcome.WIN}


def solved(graph: PlayGraph[int, str]) -> list[tuple[Outcome, int]]:
    """The outcome and the distance in moves of each position, for the side whose turn it is."""
    table = solve_outcomes(graph.arena)
    assert check_outcomes(graph.arena, table.outcome, table.distance) == []
    for node, entry in iterate_outcomes(graph.arena.to_networkx()).items():
        assert entry == (table.outcome[node], table.distance[node])
    away = [int(table.distance[node]) for node in graph.node]
    assert all(d == -1 or d % graph.length == 0 for d in away)
    seen = [Outcome(int(table.outcome[node])) for node in graph.node]
    return [(o, d if d < 0 else d // graph.length) for o, d in zip(seen, away, strict=True)]


@pytest.mark.parametrize("players", ["AB", "ABC"])
def test_any_game_without_chance(players: str) -> None:
    @given(games(players, with_chance=False))
    def check(game: Drawn) -> None:
        play = Explored(game, int)
        for hero in players:
            expected = outcomes(game, hero)
            for number, (outcome, moves) in enumerate(solved(graph_of(play, hero))):
                position = play.position(number)
                own = game.end(position) is not None or game.actor(position) == hero
                assert (outcome if own else SWAPPED.get(outcome, outcome), moves) == expected[position]

    check()


@pytest.mark.parametrize("players", ["AB", "ABC"])
def test_any_game_with_chance(players: str) -> None:
    @given(games(players, with_chance=True))
    def check(game: Drawn) -> None:
        play = Explored(game, int)
        for hero in players:
            graph = graph_of(play, hero)
            bounds = solve(graph.arena, 1e-6).bounds
            assert check_bounds(graph.arena, bounds) == []
            expected = values(game, hero)
            for number, position in enumerate(play):
                node = int(graph.node[number])
                if not graph.arena.anchor[node]:
                    continue
                at = int(np.searchsorted(graph.arena.anchors, node))
                own = game.actor(position) == hero
                low, high = (bounds.low_f, bounds.high_f) if own else (bounds.low_g, bounds.high_g)
                assert low[at] / ONE - 1e-9 <= expected[position] <= high[at] / ONE + 1e-9

    check()


PUBLISHED = {  # Irving, Donkers and Uiterwijk, Solving Kalah (2000): by holes on a side, with 1, 2, ... seeds in each
    1: "tie loss win loss win tie",
    2: "win loss loss",
    3: "tie",
}


@pytest.mark.parametrize("holes", PUBLISHED)
def test_kalah_where_a_player_may_move_again(holes: int) -> None:
    for seeds, value in enumerate(PUBLISHED[holes].split(), 1):
        game = Kalah(holes, seeds)
        graph = graph_of(Explored(game, read))
        start, *_ = solved(graph)
        assert start[0].name.lower() == value
        assert start == outcomes(game, "A")[game.start()]
        assert graph.length == (1 if holes == 1 else 2)  # with one hole nobody moves again while there is a choice


def test_a_win_is_as_many_moves_away_as_it_is() -> None:
    """A may go on twice and win, or hand over to B, who has lost after two more moves."""
    spots = [Spot("A", moves=(1, 3)), Spot("A", moves=(2,)), Spot("A", moves=(5,)), Spot("B", moves=(4,))]
    spots += [Spot("A", moves=(5,)), Spot("B", end=End(("A",)))]
    play = Explored(Drawn("AB", spots), int)
    assert solved(graph_of(play))[0] == (Outcome.WIN, 3)


def test_nodes_are_in_the_order_of_texts() -> None:
    play = Explored(Drawn("AB", [Spot("A", moves=(10, 2)), *[Spot("A", end=End())] * 10]), int)
    graph = graph_of(play)
    assert graph.keys == [b"0", b"10", b"2"]
    assert [play.texts[number] for number in np.argsort(graph.node)] == graph.keys


@pytest.mark.parametrize(
    ("weights", "problem"),
    [((1, 0), "0: the weights of chance must be at least 1, found 0"), ((1, 5000), "0: its weights of chance add up")],
)
def test_bad_weights_are_one_sentence(weights: tuple[int, int], problem: str) -> None:
    spots = [Spot("A", chances=((1, weights[0]), (2, weights[1]))), Spot("A", end=End()), Spot("A", end=End())]
    with pytest.raises(InputError) as caught:
        graph_of(Explored(Drawn("AB", spots), int))
    assert problem in str(caught.value)


def test_equal_weights_are_listed_once() -> None:
    spots = [Spot("A", chances=((1, 3000), (2, 6000))), Spot("A", end=End(("A",))), Spot("A", end=End(("B",)))]
    arena = graph_of(Explored(Drawn("AB", spots), int)).arena
    assert [Kind(int(arena.kind[s])) for s in arena.successors(0)] == [Kind.WIN, Kind.LOSS, Kind.LOSS]
