"""Noughts and crosses: nine squares, two marks. What the two encodings share, and no rule."""

from rulecheck.fields import Field, Fields
from rulecheck.params import Params
from rulecheck.registry import Game

PLAYERS = ("X", "O")
SQUARES = tuple(f"{column}{row}" for row in "123" for column in "abc")
MIRRORED = {f"{column}{row}": f"{'cba'['abc'.index(column)]}{row}" for row in "123" for column in "abc"}
TURNED = {f"{column}{row}": f"{'abc'[int(row) - 1]}{3 - 'abc'.index(column)}" for row in "123" for column in "abc"}


def fields(params: Params) -> Fields:
    squares = [Field(square, (".", *PLAYERS), empty=".") for square in SQUARES]
    return Fields([Field("mover", PLAYERS, bare=True), *squares], symmetries=[MIRRORED, TURNED])


GAME = Game(
    slug="oxo",
    title="Noughts and crosses",
    rulebook_file="oxo:rulebook.toml",
    engine_name="oxo.engine:Engine",
    spec_name="oxo.spec:Spec",
    fields=fields,
)
