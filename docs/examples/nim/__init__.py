"""Nim: heaps of counters and no board. What the two encodings share, and no rule."""

from itertools import pairwise

from rulecheck.fields import Field, Fields
from rulecheck.model import InputError
from rulecheck.params import Params
from rulecheck.registry import Game

PLAYERS = ("A", "B")


def heaps(params: Params) -> dict[str, int]:
    """The heaps by name, and how many counters each has at the start."""
    sizes = str(params["heaps"]).split(",")
    if len(sizes) > 6 or not all(size.isdecimal() and 0 < int(size) < 100 for size in sizes):
        raise InputError(f"parameter heaps is up to six numbers below 100 like 3,4,5, found {params['heaps']!r}")
    return dict(zip("abcdef", map(int, sizes), strict=False))


def fields(params: Params) -> Fields:
    names, largest = list(heaps(params)), max(heaps(params).values())
    counters = [Field(heap, tuple(range(largest + 1)), empty=0) for heap in names]
    swaps = [{one: other, other: one} for one, other in pairwise(names)]
    return Fields([Field("mover", PLAYERS, bare=True), *counters], symmetries=swaps)


GAME = Game(
    slug="nim",
    title="Nim",
    rulebook_file="nim:rulebook.toml",
    engine_name="nim.engine:Engine",
    spec_name="nim.spec:Spec",
    fields=fields,
)
