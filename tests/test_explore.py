"""Protects: the explorer meets every position once, nearest first, and knows a shortest line to each."""

from __future__ import annotations

from typing import Any

import pytest
from drawn_games import Drawn, Spot, games
from hypothesis import given
from plain_solving import reachable

from rulecheck.contract import TIE, End
from rulecheck.explore import Explored, TooLargeError, Who, as_line, decisions, steps
from rulecheck.model import InputError


def distances(engine: Drawn) -> dict[int, int]:
    """How many ways on each position is away from the start."""
    ways = reachable(engine)
    away, count, layer = {0: 0}, 0, {0}
    while layer:
        count += 1
        layer = {result for position in layer for _, result in ways[position]} - away.keys()
        away |= dict.fromkeys(layer, count)
    return away


def follow(engine: Any, line: tuple[str, ...]) -> Any:
    """Where a line of play leads."""
    position = engine.start()
    for label in (part for move in line for part in move.split(": ")):
        position = next(way.result for way in steps(engine, position)[1] if way.label == label)
    return position


@given(games("AB", with_chance=True))
def test_every_position_once_and_nearest_first(game: Drawn) -> None:
    play = Explored(game, int)
    away = distances(game)
    assert sorted(play) == sorted(away)
    order = [away[position] for position in play]
    assert order == sorted(order)
    for number, position in enumerate(play):
        assert play.find(position) == number
        assert follow(game, play.line(number)) == position
        assert sum(label.count(": ") + 1 for label in play.line(number)) == away[position]
        ways = reachable(game)[position]
        assert [play.position(s) for s in play.successors(number)] == [s for _, s in ways]
        assert list(play.weights(number)) == [weight for weight, _ in ways]
        assert play.end(number) == game.end(position)
        assert play.actor(number) == (None if game.end(position) else game.actor(position))
        assert play.is_stuck(number) == (not ways and game.end(position) is None)


@given(games("AB", with_chance=True))
def test_a_circle_leads_back(game: Drawn) -> None:
    play = Explored(game, int)
    ways = {n: [s for _, s in on] for n, on in reachable(game).items()}
    for number, position in enumerate(play):
        beyond, queue = set(), list(ways[position])
        for n in queue:
            if n not in beyond:
                beyond.add(n)
                queue += ways[n]
        circle = play.circle(number)
        assert bool(circle) == (position in beyond)
        if circle:
            assert follow(_Begun(game, position), circle) == position


class _Begun(Drawn):
    def __init__(self, game: Drawn, position: int) -> None:
        super().__init__(game.players, game.spots)
        self.position = position

    def start(self) -> int:
        return self.position


def test_what_chance_brings_stands_before_the_move() -> None:
    spots = [Spot("A", chances=((1, 2), (2, 1))), Spot("A", moves=(3,)), Spot("A", end=TIE), Spot("B", end=TIE)]
    play = Explored(Drawn("AB", spots), int)
    assert [play.line(n) for n in range(4)] == [(), ("roll 1",), ("roll 2",), ("roll 1: to 3",)]
    assert [play.who(n) for n in range(4)] == [Who.CHANCE, Who.PLAYER, Who.NOBODY, Who.NOBODY]
    assert as_line([]) == ()


CHAIN = [*(Spot("AB"[n % 2], moves=(n + 1,)) for n in range(9)), Spot("A", end=End(("A",)))]


def test_the_limit_is_a_sentence() -> None:
    assert len(Explored(Drawn("AB", CHAIN), int, limit=10)) == 10
    with pytest.raises(TooLargeError, match="play reaches more than 9 positions, which is the limit here"):
        Explored(Drawn("AB", CHAIN), int, limit=9)


def test_play_may_begin_anywhere() -> None:
    play = Explored(Drawn("AB", CHAIN), int, begin=7)
    assert (list(play), play.line(2)) == ([7, 8, 9], ("to 8", "to 9"))


def test_alike_keeps_one_of_each() -> None:
    """Positions 1 and 2 are the two wings of a symmetric game."""
    wings = [Spot("A", moves=(1, 2)), Spot("B", moves=(3,)), Spot("B", moves=(3,)), Spot("A", end=TIE)]
    play = Explored(Drawn("AB", wings), int, alike=lambda n: 1 if n == 2 else n)
    assert (list(play), play.successors(0).tolist(), play.find(2)) == ([0, 1, 3], [1, 1], 1)


@given(games("AB", with_chance=True))
def test_a_lazy_search_meets_the_same_turns_in_the_same_order(game: Drawn) -> None:
    whole, lazy = Explored(game, int), Explored(game, lazily=True)
    turns = list(lazy.turns())
    assert list(lazy) == list(whole)
    assert turns == [p for p in whole if p in set(turns)]
    decided = {at for position in turns for at in decisions(game, position)}
    assert decided == {p for n, p in enumerate(whole) if whole.who(n) is not Who.CHANCE}
    for position in turns:
        assert lazy.line_to(position) == whole.line_to(position)


def test_a_lazy_search_goes_no_further_than_it_is_asked() -> None:
    play = Explored(Drawn("AB", CHAIN), lazily=True, limit=4)
    turns = play.turns()
    assert [next(turns) for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(TooLargeError):
        next(turns)
    with pytest.raises(InputError, match="no line of play to 7 is known"):
        play.line_to(7)


def test_the_first_of_each_kind_is_kept_and_its_line_is_real_play() -> None:
    """Positions 1 and 2 are of one kind, and so are 3 and 4; 4 alone leads on."""
    wings = [Spot("A", moves=(2, 1)), Spot("B", moves=(3,)), Spot("B", moves=(4,)), Spot("A"), Spot("A", moves=(5,))]
    game = Drawn("AB", [*wings, Spot("B", end=TIE)])
    play = Explored(game, kind=lambda n: {1: 2, 3: 4}.get(n, n), lazily=True)
    assert list(play.turns()) == [0, 2, 4, 5]
    assert play.line_to(5) == ("to 2", "to 4", "to 5")


@pytest.mark.parametrize(
    ("spots", "alike", "problem"),
    [
        ([Spot("A", moves=(1,)), Spot("Z", moves=(0,))], None, "1: 'Z' is to act, who is none of A, B, C"),
        ([Spot("A", moves=(1,)), Spot("B", moves=(0,))], {1: 0}, "1 and 0 are called alike, but who is to act differs"),
        ([Spot("A", moves=(1,)), Spot("A", end=TIE)], {1: 0}, "1 and 0 are called alike, but who is to act differs"),
    ],
)
def test_broken_promises_are_one_sentence(spots: list[Spot], alike: dict[int, int] | None, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        Explored(Drawn("ABC", spots), int, alike=alike and (lambda n: alike.get(n, n)))
    assert str(caught.value) == problem


def test_progress_is_reported() -> None:
    said: list[str] = []
    Explored(Drawn("AB", CHAIN), int, report=lambda what, done: said.append(what))
    assert said == ["0 of 1 positions met so far, of 300,000 at most"]
