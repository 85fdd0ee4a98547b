"""Ice Palace: the greatest number, the best and the worst build, found and proved twice, on random palaces."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.rows import Row, seconds
from rulecheck.games.icepalace import GAME, Structure
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.research.building import Builder
from rulecheck.pyramids import Pyramid, Stack
from specs.icepalace.spec import Spec

SIZES = ((4, 6), (8, 15), (12, 30))  # pyramids to build with, pyramids of the palace
DRAWN = 20
CHANGED = (("palace_adjacent", "every_neighbour"), ("grid", "king"), ("palace_island", "yes"))


class Asked(NamedTuple):
    palace: Structure
    left: Stack


def rows(small: bool) -> Iterator[Row]:
    for left, palace in SIZES[:1] if small else SIZES:
        yield building_row({}, left, palace, 2 if small else DRAWN)
    if not small:
        yield from (building_row(dict([change]), 12, 30, DRAWN // 4) for change in CHANGED)


def building_row(readings: dict[str, str], left: int, palace: int, count: int) -> Row:
    """All three answers for A, with both methods; the CPU seconds of the median and of the slowest."""
    engine = Engine(GAME.params({}), GAME.rulebook.choose(readings))
    spec = Spec(engine.params, engine.readings)
    builders = [Builder(engine, spec, *drawn(engine, left, palace, number), "A") for number in range(count)]
    found = [seconds(builder.answer) for builder in builders]
    times, proved = [taken for taken, _ in found], sum(built.is_proved for _, built in found)
    named = ", ".join(f"{name}={value}" for name, value in readings.items())
    work = f"Ice Palace, {left} pyramids to build on a palace of {palace}" + (f", {named}" if named else "")
    note = f"{proved} of {count} proved by two methods; the slowest took {max(times):.1f}"
    return Row(work, "CPU seconds, median", statistics.median(times), at_most=60, note=note)


def drawn(engine: Engine, left: int, size: int, seed: int) -> Asked:
    """A palace built at random, every step legal, and pyramids from what remains of the game."""
    rng = random.Random(f"{left} {size} {seed}")
    params = engine.params
    stock = [Pyramid(c, z) for c in params.letters for z in params.sizes for _ in range(params.stash)]
    palace = Structure()
    while len(palace.pyramids) < size:
        steps = list(engine.palace.steps(palace, tuple(sorted(stock))))
        if not steps:
            return drawn(engine, left, size, seed + DRAWN)
        pyramid, cell = rng.choice(steps)
        palace = palace.put(pyramid, cell)
        stock.remove(pyramid)
    return Asked(palace, tuple(sorted(rng.sample(stock, left))))
