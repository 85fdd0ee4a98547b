"""What the graphs of a game say about its positions, as `views`, for comparison with the engine."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor

import numpy as np

from rulecheck.jobs import Report, ignore
from rulecheck.registry import Choice
from rulecheck.solve.comparing import Asked, Numbers, batches, engine_problems, label
from rulecheck.solve.packed import Packed
from rulecheck.solve.spaces import Space, normaliser
from rulecheck.solve.tables import Chart
from rulecheck.solve.views import LOSS, OVER, STUCK, TIE, WIN, acting, view_of
from solvers.graph import Kind

SAME = {Kind.WIN: WIN, Kind.LOSS: LOSS, Kind.TIE: TIE}  # of a successor that has, with the same player to move ...
OTHER = {Kind.WIN: LOSS, Kind.LOSS: WIN, Kind.TIE: TIE}  # ... and with the other
REMEMBERED = 1 << 17  # texts of successors
PIECE = 1 << 16


# -- Spaces --------------------------------------------------------------------------------------------------


def move_problems(
    choice: Choice, space: Packed, numbers: Sequence[int], report: Report = ignore, pool: Executor | None = None
) -> list[str]:
    """Where the space's successors differ from the results of the engine's moves."""
    return engine_problems(choice, _space_asked(choice, space, numbers), len(numbers), report, pool)


def _space_asked(choice: Choice, space: Packed, numbers: Sequence[int]) -> Iterator[Asked]:
    normalised, ended = normaliser(choice), len(space) - space.endings

    @functools.lru_cache(maxsize=REMEMBERED)
    def end(number: int) -> str:
        if number >= ended:
            return OTHER[Kind(int(space.block(number, number + 1).kind[0]))]
        return acting(False, normalised(space.unpacked(number)))

    for batch in batches(numbers):
        kind, first, succ = next(space.blocks([np.array(batch)]))
        for i, number in enumerate(batch):
            if kind[i] != Kind.VOID:
                ends = [end(int(s)) for s in succ[first[i] : first[i + 1]]] or [STUCK]
                over = kind[i] in (Kind.WIN, Kind.LOSS)
                yield Asked(space.unpacked(number), OVER if over else view_of([ends]))


def degrees(space: Space, numbers: Numbers) -> Numbers:
    """The number of successors of each of these numbers."""
    if not isinstance(space, Packed):
        all_degrees: Numbers = np.diff(space.block(0, len(space)).first)
        return all_degrees[numbers]
    pieces = [numbers[at : at + PIECE] for at in range(0, len(numbers), PIECE)]
    return np.concatenate([np.diff(block.first) for block in space.blocks(pieces)])


# -- Charts --------------------------------------------------------------------------------------------------


def turn_problems(
    choice: Choice, chart: Chart, rows: Sequence[int], report: Report = ignore, pool: Executor | None = None
) -> list[str]:
    """Where the graph's turns differ from those that the engine lists."""
    return engine_problems(choice, _chart_asked(choice, chart, rows), len(rows), report, pool)


def _chart_asked(choice: Choice, chart: Chart, rows: Sequence[int]) -> Iterator[Asked]:
    for row in rows:
        position = choice.game.read_position(choice.params, chart.keys[row].decode())
        rolls = chart.arena.successors(int(chart.nodes[row]))
        yield Asked(position, view_of(chart_ends(chart, node) for node in rolls))


def chart_ends(chart: Chart, node: int) -> set[str]:
    """Where a turn can lead from here: to the next rolls, and to the ends of the game."""
    arena = chart.arena
    ends, seen, queue = set(), {(node, True)}, [(node, True)]
    for v, same in queue:  # is the player who has the turn to act at v?
        kind = Kind(int(arena.kind[v]))
        if kind in SAME:
            ends.add((SAME if same else OTHER)[kind])
        elif arena.anchor[v]:
            ends.add(acting(same, chart.keys[int(np.searchsorted(chart.nodes, v))].decode()))
        elif kind is Kind.CHANCE or not same:
            ends.add(acting(same, f"node {v}, which is no position before a roll"))
        else:
            after = {(s, kind is Kind.STEP) for s in arena.successors(v)} - seen
            queue += sorted(after)
            seen |= after
    return ends


def chart_strata(chart: Chart, rows: Numbers) -> Numbers:
    """Strata by the number of turns over all rolls of a position, and the fewest for one roll."""
    degree = chart.arena.degree
    after = [degree[chart.arena.successors(int(chart.nodes[row]))] for row in rows]
    return label(np.array([d.sum() for d in after]), np.array([d.min() for d in after]))
