"""What games without dice are measured by: how fast positions are made, and how much room a solved game takes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.rows import Row, compare_rates, forget_peak, memory, peak_bytes, seconds
from rulecheck import registry
from rulecheck.registry import Choice, Game
from rulecheck.solve.solver import solve_space
from rulecheck.solve.spaces import normaliser, space_of
from solvers.graph import Arena, Block, Kind, Layer, blocks_of, layers_of

EDGE_BYTES = 8  # four as found, and four turned round
PIECE = 1 << 16


def setting(game: Game, params: Mapping[str, str]) -> Choice:
    return Choice(game, game.params(params), game.rulebook.defaults())


def graph_of(slug: str, params: Mapping[str, str]) -> Arena:
    """All positions of a game in one graph, without the numbers that stand for none."""
    space = space_of(setting(registry.find(slug), params))
    kind, first, succ = space.block(0, len(space))
    real = kind != Kind.VOID
    return Arena.of(kind[real], np.append(first[:-1][real], first[-1]), (np.cumsum(real) - 1)[succ])


def generation_row(
    game: Game, params: Mapping[str, str], title: str, fast: Callable[[], Any], count: int, positions: Sequence[Any]
) -> Row:
    """All successors of random positions, symmetric ones counted once: by compiled code, and by the engine."""
    chosen = setting(game, params)
    engine, normalised = chosen.engine(), normaliser(chosen)
    moves, _ = seconds(lambda: [engine.moves(position) for position in positions])

    def kept() -> list[set[Any]]:
        return [{normalised(result) for result in engine.moves(position).values()} for position in positions]

    made, _ = seconds(kept)
    note = f"{moves / made:.0%} of the engine's time are its moves; the rest tells which positions are alike."
    return compare_rates(
        f"{title}: successors", fast, kept, "the engine",
        (count, len(positions)), at_least=50, note=note,
    )  # fmt: skip


def memory_rows(slug: str, params: Mapping[str, str], title: str) -> Iterator[Row]:
    """Solved, checked and written in a process of its own, above what it takes to begin with."""
    checking, (count, size, solving) = peak_bytes(settle, slug, dict(params))
    edges = EDGE_BYTES * most_edges(space_of(setting(registry.find(slug), params)))
    work = f"{title}: {count:,} numbers solved"
    note = (
        f"solving takes {solving / count:.1f} with the edges inside the largest layer, which are kept as found and "
        f"turned round and take {edges / count:.1f}; checking and writing take {checking / count:.1f}."
    )
    most = max(solving - edges, checking)
    yield Row(work, "bytes a number at the peak, without the edges kept", most / count, at_most=64, note=note)
    yield Row(work, "bytes a number in the table", size / count)


def most_edges(space: Any) -> int:
    """How many edges stay inside the layer with most of them."""
    return max(
        sum(_edges_inside(layer, block) for block in blocks_of(space, layer.pieces(PIECE)))
        for layer in layers_of(space)
    )


def _edges_inside(layer: Layer, block: Block) -> int:
    part = np.searchsorted(layer.low, block.succ, side="right") - 1
    return int(((part >= 0) & (block.succ < layer.high[part])).sum())


def settle(slug: str, params: Mapping[str, str], *, warm: bool) -> tuple[int, int, int]:
    """Solve a game, or, to warm up, the smallest one of the same kind: its numbers, the size of its table, and what
    was added to memory before the checker began; the peak that is left is that of the checker."""
    game = registry.find(slug)
    before, added = memory("VmRSS"), 0

    def hear(what: str, done: float) -> None:
        nonlocal added
        if not added and what.startswith("checking"):
            added = memory("VmHWM") - before
            forget_peak()

    with tempfile.TemporaryDirectory() as folder:
        solved = solve_space(setting(game, WARM[slug] if warm else params), Path(folder), hear)
        return len(solved.space), solved.path.stat().st_size, added


# As large as needed to load and compile everything that the other one uses.
WARM = {
    "hextris": {"groups": "1", "group": "2", "pieces": "2,0,0"},
    "nestrace": {"core": "2", "width": "2", "nests": "1"},
}
