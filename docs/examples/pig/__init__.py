"""Pig: two players, one die, and the question when to stop. What the two encodings share, and no rule."""

from collections.abc import Callable

from rulecheck.fields import Field, Fields, State
from rulecheck.hints import Hints
from rulecheck.params import Params
from rulecheck.registry import Game

PLAYERS = ("A", "B")
MOVES = ("roll", "hold")


def fields(params: Params) -> Fields:
    target = params.number("target")
    points = [Field(name, tuple(range(target + 1)), empty=0) for name in (*PLAYERS, "turn")]
    die = Field("die", ("still", "thrown"), empty="still")
    return Fields([Field("mover", PLAYERS, bare=True), *points, die])


def alike(position: State) -> State:
    """Seen by the player whose turn it is, who is called A: the rules make no difference between the players."""
    swapped = {"mover": "A", "A": position["B"], "B": position["A"]}
    return position if position["mover"] == "A" else position.replace(swapped)


class Swapped(Hints[Params, State, str]):
    def normaliser(self, params: Params) -> Callable[[State], State]:
        return alike


GAME = Game(
    slug="pig",
    title="Pig",
    rulebook_file="pig:rulebook.toml",
    engine_name="pig.engine:Engine",
    spec_name="pig.spec:Spec",
    hints_name="pig:Swapped",
    fields=fields,
)
