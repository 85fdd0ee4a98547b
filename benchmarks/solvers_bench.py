"""How much the array solvers gain over plain ones, on made-up games and on real ones."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.rows import Row, compare, seconds
from benchmarks.spaces import graph_of
from solvers.graph import Arena, ArenaBuilder, Kind, Outcome

FLIPPED = (0, int(Outcome.LOSS), int(Outcome.WIN), int(Outcome.TIE), int(Outcome.DRAW))
DEGREE = 10
SWIFT = 10  # times that what takes milliseconds is done


def random_game(nodes: int, degree: int, seed: int = 1) -> Arena:
    """A deterministic game without structure: one node in fifty is an end, the rest move anywhere."""
    rng = np.random.default_rng(seed)
    kind = np.full(nodes, Kind.MOVE, dtype=np.uint8)
    ends = rng.random(nodes) < 0.02
    kind[ends] = rng.choice([Kind.WIN, Kind.LOSS, Kind.TIE], size=int(ends.sum()), p=[0.1, 0.8, 0.1])
    first = np.concatenate([[0], np.cumsum(np.where(ends, 0, degree))])
    return Arena.of(kind, first, rng.integers(0, nodes, size=first[-1], dtype=np.int32))


def hesitant_race(length: int) -> Arena:
    """Two runners who may take a roll, refuse it, or send the other back: long games, many decisions."""
    b = ArenaBuilder()
    won = b.add(Kind.WIN)
    chance = {(i, j): b.reserve(Kind.CHANCE) for i in range(length) for j in range(length)}
    for (i, j), node in chance.items():
        rolls = []
        for roll in range(1, 7):
            stay = b.add(Kind.MOVE, [chance[j, i]])
            run = won if i + roll == length else b.add(Kind.MOVE, [chance[j, min(i + roll, length - 1)]])
            back = b.add(Kind.MOVE, [chance[max(j - roll, 0), i]])
            rolls.append(b.add(Kind.STEP, [stay, run, back]))
        b.connect(node, rolls)
    return b.freeze()


def as_lists(arena: Arena) -> tuple[list[int], list[list[int]]]:
    first, succ = arena.first.tolist(), arena.succ.tolist()
    return arena.kind.tolist(), [succ[a:b] for a, b in itertools.pairwise(first)]


def plain_outcomes(kind: list[int], succ: list[list[int]]) -> tuple[list[int], list[int]]:
    """Retrograde analysis with Python lists, otherwise the same method as the compiled one."""
    back: list[list[int]] = [[] for _ in succ]
    for v, targets in enumerate(succ):
        for s in targets:
            back[s].append(v)
    outcome = [k + 1 if k <= Kind.TIE else 0 for k in kind]
    distance = [0 if o else -1 for o in outcome]
    _spread(back, kind, outcome, distance, [len(targets) for targets in succ])
    queue = [v for v, o in enumerate(outcome) if o == Outcome.TIE]
    for s in queue:
        for v in back[s]:
            if not outcome[v]:
                outcome[v], distance[v] = int(Outcome.TIE), distance[s] + 1
                queue.append(v)
    return [o or int(Outcome.DRAW) for o in outcome], distance


def _spread(
    back: list[list[int]], kind: list[int], outcome: list[int], distance: list[int], still_open: list[int]
) -> None:
    queue = [v for v, o in enumerate(outcome) if o in (Outcome.WIN, Outcome.LOSS)]
    for s in queue:
        for v in back[s]:
            if outcome[v]:
                continue
            seen = FLIPPED[outcome[s]] if kind[v] == Kind.MOVE else outcome[s]
            still_open[v] -= 1
            if seen == Outcome.WIN or not still_open[v]:
                outcome[v], distance[v] = seen, distance[s] + 1
                queue.append(v)


def queued_outcomes(graph: Any) -> dict[int, tuple[int, int]]:
    """The same with the dictionaries of networkx, which knows predecessors by itself."""
    kind = dict(graph.nodes(data="kind"))
    known = {v: (k + 1, 0) for v, k in kind.items() if k <= Kind.TIE}
    still_open = dict(graph.out_degree())
    queue = [v for v, (o, _) in known.items() if o != Outcome.TIE]
    for s in queue:
        for v in graph.predecessors(s):
            if v in known:
                continue
            seen = FLIPPED[known[s][0]] if kind[v] == Kind.MOVE else known[s][0]
            still_open[v] -= graph.number_of_edges(v, s)
            if seen == Outcome.WIN or not still_open[v]:
                known[v] = seen, known[s][1] + 1
                queue.append(v)
    queue = [v for v, (o, _) in known.items() if o == Outcome.TIE]
    for s in queue:
        for v in graph.predecessors(s):
            if v not in known:
                known[v] = int(Outcome.TIE), known[s][1] + 1
                queue.append(v)
    return {v: known.get(v, (int(Outcome.DRAW), -1)) for v in graph}


def list_row(title: str, arena: Arena, repeats: int) -> Row:
    """Compiled against lists, by the same method; each has the graph in its own form beforehand."""
    from solvers.retrograde import solve_outcomes

    found = solve_outcomes(arena)  # compiles
    making, plain = seconds(lambda: as_lists(arena))
    assert (found.outcome.tolist(), found.distance.tolist()) == plain_outcomes(*plain)
    row = compare(
        outcome_work(title, arena), lambda: solve_outcomes(arena), lambda: plain_outcomes(*plain),
        "plain Python lists", at_least=20, repeats=repeats,
    )  # fmt: skip
    assert row.theirs is not None
    return replace(row, note=f"{(row.theirs + making) / row.ours:.0f} times if making the lists of arrays counts.")


def networkx_row(title: str, arena: Arena, at_least: float | None, repeats: int) -> Row:
    """Compiled against the readable reference, on the same small game; each has its graph beforehand."""
    from solvers.reference import iterate_outcomes
    from solvers.retrograde import solve_outcomes

    found = solve_outcomes(arena)
    making, graph = seconds(arena.to_networkx)
    reference = iterate_outcomes(graph)
    queueing, other = seconds(lambda: queued_outcomes(graph))
    assert reference == other == dict(enumerate(zip(found.outcome.tolist(), found.distance.tolist(), strict=True)))
    row = compare(
        outcome_work(title, arena), lambda: _repeated(lambda: solve_outcomes(arena)), lambda: iterate_outcomes(graph),
        "networkx", at_least=at_least, shares=(SWIFT, 1), repeats=repeats,
    )  # fmt: skip
    assert row.theirs is not None
    note = (
        f"the reference, distance by distance, up to {found.distance.max()}; {queueing / row.ours:.0f} times if "
        "networkx goes backwards as is done here; "
        f"{(row.theirs + making) / row.ours:.0f} times if making its graph counts."
    )
    return replace(row, note=note)


def _repeated(work: Callable[[], Any]) -> None:
    """Milliseconds are measured by doing it more often."""
    for _ in range(SWIFT):
        work()


def outcome_work(title: str, arena: Arena) -> str:
    return f"win, loss, draw and distances: {title}, {len(arena):,} positions, {len(arena.succ):,} edges"


def outcome_rows(small: bool) -> Iterator[Row]:
    nodes, few, group, repeats = (50_000, (1000,), 3, 1) if small else (1_000_000, (20_000, 100_000), 4, 3)
    yield list_row("a made-up game", random_game(nodes, DEGREE), repeats)
    pieces = f"{group},0,0"
    graph = graph_of("hextris", {"groups": "1", "group": str(group), "pieces": pieces})
    yield list_row(f"Hextris, {pieces} each", graph, repeats)
    board = graph_of("nestrace", {"core": "2", "width": "2", "nests": "1"})
    for size in few:  # smaller than above: networkx takes seconds, and gigabytes for a million
        yield networkx_row("a made-up game", random_game(size, DEGREE), 100, repeats)
    yield networkx_row("Nest race, core 2, width 2", board, None, repeats)


def gauss_seidel(arena: Arena, goal: np.ndarray, error: float, limit: int = 100_000) -> int:
    """Sweeps of value iteration until the anchors are within `error` of `goal`, which it cannot know."""
    from solvers import sweeps

    order, _ = sweeps.visiting_order(arena)
    value = sweeps.terminal_values(arena, 1.0, np.float64)
    plan = np.zeros((len(arena), 2), dtype=np.int32)
    for count in range(1, limit + 1):
        sweeps.improve(arena.kind, arena.first, arena.succ, order, len(order), value, plan, 3, 0.0)
        if count % 10 == 0 and np.abs(value[arena.anchor] - goal).max() < error:
            return count
    return limit


def bounds_rows(arena: Arena, work: str, width: float = 1e-6, repeats: int = 3) -> Iterator[Row]:
    """Certified bounds beside compiled Gauss-Seidel sweeps with a known end, and as many networkx sweeps."""
    from solvers.certificate import ONE, check_bounds
    from solvers.reference import iterate_values
    from solvers.stochastic import solve

    bounds = solve(arena, width).bounds
    assert check_bounds(arena, bounds) == []
    middle = np.stack([bounds.low_f + bounds.high_f, bounds.low_g + bounds.high_g], axis=1) / (2 * ONE)
    count = gauss_seidel(arena, middle, width)
    note = f"{count} sweeps from below, stopped by an oracle that knows the answer; nothing is proved by them."
    yield compare(
        work, lambda: solve(arena, width), lambda: gauss_seidel(arena, middle, width), "Gauss-Seidel",
        repeats=repeats, note=note,
    )  # fmt: skip
    graph = arena.to_networkx()
    note = f"one sweep of networkx, taken {count} times."
    yield compare(
        work, lambda: solve(arena, width), lambda: iterate_values(graph, 0.0, 1), "networkx",
        at_least=100, shares=(1, 1 / count), repeats=repeats, note=note,
    )  # fmt: skip


def rows(small: bool) -> Iterator[Row]:
    yield from outcome_rows(small)
    race = hesitant_race(12 if small else 40)
    work = f"a race with dice, bounds within 1e-6: {len(race.anchors):,} positions"
    yield from bounds_rows(race, work, repeats=1 if small else 3)
