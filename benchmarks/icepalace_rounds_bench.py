"""Ice Palace: who can force a round, with a strategy and its check, over random deals."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import partial

from benchmarks.rows import Row, seconds
from rulecheck.games.icepalace import GAME, Position
from rulecheck.games.icepalace.engine import Engine
from rulecheck.games.icepalace.research.forcing import Forcing, TooManyStatesError
from rulecheck.games.icepalace.research.forcing_deals import deal
from rulecheck.games.icepalace.research.forcing_strategy import Answer, force

DEALS = {3: 20, 4: 10}  # deals by the number of pyramids each, asked of all three players
FULL, FULL_DEALS, STATES = 6, 10, 60_000


def rows(small: bool) -> Iterator[Row]:
    engine = Engine(GAME.params({}), GAME.rulebook.defaults())
    for keep, count in {2: 2}.items() if small else DEALS.items():
        yield forced_row(engine, keep, count)
    if not small:
        yield searched_row(engine)


def forced_row(engine: Engine, keep: int, count: int) -> Row:
    """Every answer proved: searched, written down and checked."""
    asked = [(deal(engine, seed, keep), player) for seed in range(count) for player in engine.params.letters]
    found: list[tuple[float, Answer]] = [seconds(partial(force, engine, *one)) for one in asked]
    times, proved = [taken for taken, _ in found], sum(answer.forces is not None for _, answer in found)
    yes, nodes = sum(bool(answer.forces) for _, answer in found), max(answer.nodes for _, answer in found)
    largest = f"the slowest took {max(times):.1f}, the largest has {nodes:,} nodes"
    note = f"{proved} of {len(asked)} proved, {yes} of them yes; {largest}"
    work = f"Ice Palace, who forces a round with {keep} pyramids each"
    return Row(work, "CPU seconds, median", statistics.median(times), at_most=60, note=note)


def searched_row(engine: Engine) -> Row:
    """Full hands, the search alone: how many are answered within a bound."""
    asked = [(deal(engine, seed), player) for seed in range(FULL_DEALS) for player in engine.params.letters]
    found = [seconds(partial(_searched, engine, *one)) for one in asked]
    answered = sum(forces is not None for _, forces in found)
    note = f"{answered} of {len(asked)} answered within {STATES:,} states"
    work = f"Ice Palace, who forces a round with full hands of {FULL}, searched and not checked"
    return Row(work, "CPU seconds, median", statistics.median(taken for taken, _ in found), note=note)


def _searched(engine: Engine, start: Position, player: str) -> bool | None:
    try:
        return Forcing(engine, player, STATES).can_force(start)
    except TooManyStatesError:
        return None
