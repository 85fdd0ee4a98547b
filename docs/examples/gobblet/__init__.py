"""Gobblet on a small board: pieces that cover each other. What the two encodings share, and no rule."""

from rulecheck.fields import Field, Fields
from rulecheck.params import Params
from rulecheck.registry import Game

PLAYERS = ("A", "B")
SIZES = ("1", "2")  # small and large
STACKS = (".", "A1", "B1", "A2", "B2", "A1A2", "A1B2", "B1A2", "B1B2")  # what a square can hold, the lowest piece first


def squares(params: Params) -> list[str]:
    side = params.number("side")
    return [f"{column}{row}" for row in "123"[:side] for column in "abc"[:side]]


def fields(params: Params) -> Fields:
    side = params.number("side")
    hands = [Field(player + size, tuple(range(side)), empty=0) for player in PLAYERS for size in SIZES]
    board = [Field(square, STACKS, empty=".") for square in squares(params)]
    mirrored = {f"{c}{r}": f"{'abc'[side - 1 - 'abc'.index(c)]}{r}" for c, r in squares(params)}
    turned = {f"{c}{r}": f"{'abc'[int(r) - 1]}{side - 'abc'.index(c)}" for c, r in squares(params)}
    return Fields([Field("mover", PLAYERS, bare=True), *hands, *board], symmetries=[mirrored, turned])


GAME = Game(
    slug="gobblet",
    title="Small Gobblet",
    rulebook_file="gobblet:rulebook.toml",
    engine_name="gobblet.engine:Engine",
    spec_name="gobblet.spec:Spec",
    fields=fields,
)
