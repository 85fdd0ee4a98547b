"""Pig: two players, one die, and the question when to stop. What the two encodings share, and no rule."""

from rulecheck.fields import Field, Fields, State
from rulecheck.params import Params
from rulecheck.registry import Game

PLAYERS = ("A", "B")
MOVES = ("roll", "hold")


def fields(params: Params) -> Fields:
    target = params.number("target")
    scores = [Field(player, tuple(range(target + 1)), empty=0) for player in PLAYERS]
    turn = Field("turn", tuple(range(target + 1)), empty=0)
    die = Field("die", ("still", "thrown"), empty="still")
    return Fields([Field("mover", PLAYERS, bare=True), *scores, turn, die])


def alike(position: State) -> State:
    """Seen by the player whose turn it is, who is called A: the rules make no difference between the players."""
    if position["mover"] == "A":
        return position
    return position.replace({"mover": "A", "A": position["B"], "B": position["A"]})


GAME = Game(
    slug="pig",
    title="Pig",
    rulebook_file="pig:rulebook.toml",
    engine_name="pig.engine:Engine",
    spec_name="pig.spec:Spec",
    fields=fields,
)
