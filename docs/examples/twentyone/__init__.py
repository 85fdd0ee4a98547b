"""Twenty-one: three players count up, and the last number loses. What the two encodings share, and no rule."""

from rulecheck.fields import Field, Fields
from rulecheck.params import Params
from rulecheck.registry import Game

PLAYERS = ("A", "B", "C")
WAYS = ("left", "right")


def fields(params: Params) -> Fields:
    said = Field("said", tuple(range(params.number("target") + 1)), empty=0)
    way = Field("way", WAYS, empty="left")
    return Fields([Field("mover", PLAYERS, bare=True), said, way])


GAME = Game(
    slug="twentyone",
    title="Twenty-one",
    rulebook_file="twentyone:rulebook.toml",
    engine_name="twentyone.engine:Engine",
    spec_name="twentyone.spec:Spec",
    fields=fields,
)
