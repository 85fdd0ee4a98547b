"""Crosswalk: how fast its positions are made, and certified bounds against plainer ways to the same values."""

from __future__ import annotations

import functools
import importlib.util
import math
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.rows import Row, compare, compare_rates, peak_bytes, seconds
from rulecheck import registry
from rulecheck.contract import brought
from rulecheck.games.crosswalk import space_steps as steps
from rulecheck.games.crosswalk.space import arrangements, rules_of
from rulecheck.registry import Choice
from rulecheck.solve.by_number import solve_by_number
from rulecheck.solve.tables import drawn_chart, number_of, position_of, walks_of
from solvers import stochastic_walks
from solvers import walk_sweeps as sweeps
from solvers.stochastic_walks import FINE, WalkSolution, solve_walks
from solvers.walk_certificate import check_walk_bounds
from solvers.walks import Walks

Params = Mapping[str, str]
TINY = {"squares": "3", "sizes": "1", "pedestrians": "1"}
SMALL = {"squares": "4", "sizes": "12", "pedestrians": "none"}
MIDDLE = {"squares": "5", "sizes": "12", "pedestrians": "none"}
LARGE = {"squares": "5", "sizes": "123", "pedestrians": "none"}
STREET = {"squares": "3", "sizes": "123", "pedestrians": "21"}
WIDTH = 1e-6
BY_CODE, BY_ENGINE = 20_000, 200
SWEEPS = 3  # where a game is not solved
PLANS, ROLLS = 3, 6  # at the peak of a solve, with an end of a turn for each roll


def setting(params: Params) -> Choice:
    game = registry.find("crosswalk")
    return Choice(game, game.params(params), game.rulebook.defaults())


def title(params: Params) -> str:
    walkers = "" if params["pedestrians"] == "none" else f", pedestrians {params['pedestrians']}"
    return f"Crosswalk, {params['squares']} squares, sizes {', '.join(params['sizes'])}{walkers}"


def solved(game: Walks) -> WalkSolution:
    """Bounds that the checker has accepted."""
    found = solve_walks(game, WIDTH)
    assert found.reached
    assert check_walk_bounds(game, found.bounds) == []
    return found


# -- Positions ---------------------------------------------------------------------------------------------------


def generation_rows(params: Params) -> Iterator[Row]:
    """Mirror image, endings and all single steps of positions in a row, as numbers, from which all turns follow.

    The engine makes positions without numbers: once single steps as well, once the turns of every roll.
    """
    chosen = setting(params)
    numbered, rules = arrangements(chosen.params), rules_of(chosen.readings)
    begin = max(0, numbered.size // 2 - BY_CODE)
    count = min(BY_CODE, numbered.size - begin)
    positions = [position_of(chosen, begin + i * count // BY_ENGINE) for i in range(BY_ENGINE)]
    engine: Any = chosen.engine()
    steps.survey(numbered.street, rules, 0, 1)  # compiles
    ways = (("the engine's single steps", steps_by_engine, 50), ("the engine's turns", turns_by_engine, None))
    for against, work, wanted in ways:
        yield compare_rates(
            f"{title(params)}: positions with their links",
            lambda: steps.survey(numbered.street, rules, begin, begin + count),
            functools.partial(for_each, positions, work, engine), against,
            (count, BY_ENGINE), at_least=wanted,
        )  # fmt: skip


def for_each(positions: Sequence[Any], work: Callable[[Any, Any], Any], engine: Any) -> list[Any]:
    return [work(engine, position) for position in positions]


def turns_by_engine(engine: Any, position: Any) -> Any:
    return [engine.moves(rolled) for rolled in brought(engine, position)]


def steps_by_engine(engine: Any, position: Any) -> Any:
    from rulecheck.games.crosswalk.engine import Walk

    walk = Walk(position)
    after = [engine.take(walk, step) for step in engine.steps(walk, engine.params.die)]
    return engine.winner(position), engine.stops_walk(position), engine.hand_over(position).mirrored(), after


# -- Bounds ------------------------------------------------------------------------------------------------------


def networkx_row(params: Params, repeats: int) -> Row:
    """One networkx sweep of value iteration, taken as often as sweeps from below need to come within the width."""
    from solvers.reference import iterate_values

    game, graph = walks_of(setting(params)), drawn_chart(setting(params)).arena.to_networkx()
    count = sweeps_from_below(game, solved(game), 100_000)[0]
    note = f"one sweep of networkx, taken {count} times."
    return compare(
        f"{title(params)}: bounds within {WIDTH:g}", lambda: solved(game), lambda: iterate_values(graph, 0.0, 1),
        "networkx", at_least=100, shares=(1, 1 / count), repeats=repeats, note=note,
    )  # fmt: skip


def sweeps_from_below(game: Walks, known: WalkSolution, most: int) -> tuple[int, list[float]]:
    """Sweeps until all values are within the width of the known ones, which they cannot know; and the error by tens."""
    bounds = known.bounds
    middle = [(low + high) // 2 for low, high in ((bounds.low_f, bounds.high_f), (bounds.low_g, bounds.high_g))]
    low = [np.zeros(game.size, dtype=np.int64) for _ in range(2)]
    sweep, errors = sweeps.Sweep(game, np.int64), []
    for count in range(1, most + 1):
        for role in range(2):
            sweep.image(role, low[1 - role], np.int64(FINE))
            sweep.change(sweeps.rise, low[role], FINE // stochastic_walks.ROOM)
        if count % 10 == 0:
            errors.append(max(int(np.abs(a - b).max()) for a, b in zip(low, middle, strict=True)) / FINE)
            if errors[-1] <= WIDTH:
                return count, errors
    return most, errors


def sweeping_row(params: Params, most: int) -> Row:
    """The same kernel sweeping from below; where that takes too long, its last errors say how long it would have."""
    game = walks_of(setting(params))
    ours, known = seconds(lambda: solved(game))
    taken, (count, errors) = seconds(lambda: sweeps_from_below(game, known, most))
    needed, note = count, f"{count} sweeps, stopped by an oracle that knows the answer; nothing is proved by them."
    if errors[-1] > WIDTH:
        tens = len(errors) // 3
        shrinks = math.log(errors[-1 - tens] / errors[-1]) / (10 * tens)
        needed = count + math.ceil(math.log(errors[-1] / WIDTH) / shrinks)
        note = (
            f"still {errors[-1]:.1e} short after {count} sweeps; {needed:,} would be needed at the pace of the last "
            f"{10 * tens}, and the seconds are those of {needed:,}. Nothing is proved by sweeps."
        )
    theirs = taken * needed / count
    return Row(
        f"{title(params)}: bounds within {WIDTH:g}", "CPU seconds", ours, "Gauss-Seidel from below", theirs,
        theirs / ours, at_least=10, note=note,
    )  # fmt: skip


def storm_row(params: Params, repeats: int) -> Iterator[Row]:
    """Storm gets the protagonist's plan and bounds what the opponent leaves of it; we bound the whole game."""
    if importlib.util.find_spec("stormpy") is None:
        return
    from benchmarks.storm import best_reply

    chosen, game = setting(params), walks_of(setting(params))
    known, start = solved(game), number_of(chosen, chosen.engine().start())
    reply = best_reply(game, known, start, WIDTH)
    low, high = known.bounds.low_f[start] / FINE, known.bounds.high_f[start] / FINE
    assert low - 2 * WIDTH <= reply() <= high + 2 * WIDTH
    note = "sound value iteration on the opponent's replies to one plan; the model is built beforehand."
    yield compare(
        f"{title(params)}: bounds within {WIDTH:g}", lambda: solved(game), reply, "Storm, one plan fixed",
        at_least=1, repeats=repeats, note=note,
    )  # fmt: skip


# -- Room ----------------------------------------------------------------------------------------------------------


def memory_rows(params: Params, street: Params) -> Iterator[Row]:
    """In a process of its own, above what it takes to begin with; the second game in the way of very large ones."""
    yield memory_row(params, "the whole solve", None)
    yield memory_row(street, "sweeps alone, as very large games", SWEEPS)
    with tempfile.TemporaryDirectory() as folder:
        found = solve_by_number(setting(params), Path(folder), WIDTH)
        each = found.path.stat().st_size / found.game.size
    yield Row(f"{title(params)}: table", "bytes a position on disk", each)


def memory_row(params: Params, how: str, most: int | None) -> Row:
    peak, (size, links) = peak_bytes(solve_here, dict(params), most)
    note = f"{size:,} positions; the links take another {links / size:.0f}."
    if most is None:
        edges = PLANS * ROLLS * np.dtype(np.int32).itemsize * size
        note += f" So do the edges of the chains that plans make, a turn's end for each roll: {edges // size}, for"
        note += " the plans of both players and for the best reply to one of them."
        links += edges
    else:
        note += f" Bounds of four bytes, as kept from {stochastic_walks.LARGE:,} positions on, and {most} sweeps."
    each = (peak - links) / size
    return Row(
        f"{title(params)}: {how}", "bytes a position at the peak, without the edges kept", each, at_most=64, note=note
    )


def solve_here(params: Params, most: int | None, *, warm: bool) -> tuple[int, int]:
    """How many positions there are, and the bytes of the links between them."""
    if most is not None:
        stochastic_walks.LARGE = 0
    with tempfile.TemporaryDirectory() as folder:
        game = solve_by_number(setting(MIDDLE if warm else params), Path(folder), WIDTH, sweeps=most).game
    assert isinstance(game, Walks)
    return game.size, sum(part.nbytes for part in game if isinstance(part, np.ndarray))


def rows(small: bool) -> Iterator[Row]:
    solved(walks_of(setting(TINY)))  # compiles
    chosen, repeats = (SMALL, 1) if small else (MIDDLE, 3)
    yield from generation_rows(chosen if small else STREET)
    yield networkx_row(chosen, repeats)
    yield from storm_row(chosen, repeats)
    yield from memory_rows(*((chosen, chosen) if small else (LARGE, STREET)))
    yield sweeping_row(chosen if small else LARGE, 2000)
