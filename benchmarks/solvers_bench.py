"""How much the array solvers gain over the plain ones. All figures of a line come from the same run.

python -m benchmarks.solvers_bench [--small]
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from solvers.graph import Arena, ArenaBuilder, Kind, Outcome

FLIPPED = (0, int(Outcome.LOSS), int(Outcome.WIN), int(Outcome.TIE), int(Outcome.DRAW))


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result


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


def plain_outcomes(kind: list[int], succ: list[list[int]]) -> list[int]:
    """Retrograde analysis with Python lists, otherwise the same method as the compiled one."""
    back: list[list[int]] = [[] for _ in succ]
    for v, targets in enumerate(succ):
        for s in targets:
            back[s].append(v)
    outcome = [k + 1 if k <= Kind.TIE else 0 for k in kind]
    still_open = [len(targets) for targets in succ]
    _spread(back, kind, outcome, still_open, [v for v, o in enumerate(outcome) if o in (1, 2)])
    queue = [v for v, o in enumerate(outcome) if o == Outcome.TIE]
    for s in queue:
        for v in back[s]:
            if not outcome[v]:
                outcome[v] = int(Outcome.TIE)
                queue.append(v)
    return [o or int(Outcome.DRAW) for o in outcome]


def _spread(
    back: list[list[int]], kind: list[int], outcome: list[int], still_open: list[int], queue: list[int]
) -> None:
    for s in queue:
        for v in back[s]:
            if outcome[v]:
                continue
            seen = FLIPPED[outcome[s]] if kind[v] == Kind.MOVE else outcome[s]
            still_open[v] -= 1
            if seen == Outcome.WIN or not still_open[v]:
                outcome[v] = seen
                queue.append(v)


def bench_retrograde(nodes: int, degree: int = 10, reference_nodes: int = 5000) -> None:
    """Compiled against lists on the same graph; networkx on a smaller one, compared per edge."""
    from solvers.reference import iterate_outcomes
    from solvers.retrograde import solve_outcomes

    solve_outcomes(random_game(1000, degree))  # compile first
    arena = random_game(nodes, degree)
    fast, table = seconds(lambda: solve_outcomes(arena))
    plain = as_lists(arena)
    lists, outcome = seconds(lambda: plain_outcomes(*plain))
    assert table.outcome.tolist() == outcome
    small = random_game(reference_nodes, degree)
    graph = small.to_networkx()
    slow, _ = seconds(lambda: iterate_outcomes(graph))
    per_edge = (slow / len(small.succ)) / (fast / len(arena.succ))
    print(f"retrograde, {len(arena):,} positions, {len(arena.succ):,} edges: {fast:.2f} s")
    print(f"  Python lists, same graph: {lists:.2f} s, {lists / fast:.0f} times as long")
    print(f"  networkx, {len(small):,} positions: {slow:.2f} s, {per_edge:.0f} times as long per edge")


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


def bench_stochastic(arena: Arena, width: float = 1e-6, reference: bool = True) -> None:
    """Certified bounds against compiled Gauss-Seidel sweeps, told when to stop, and one networkx sweep."""
    from solvers.certificate import ONE, check_bounds
    from solvers.reference import iterate_values
    from solvers.stochastic import solve

    tiny = hesitant_race(3)
    check_bounds(tiny, solve(tiny).bounds)  # compile first
    fast, solution = seconds(lambda: solve(arena, width))
    bounds = solution.bounds
    check, problems = seconds(lambda: check_bounds(arena, bounds))
    assert problems == []
    middle = np.stack([bounds.low_f + bounds.high_f, bounds.low_g + bounds.high_g], axis=1) / (2 * ONE)
    slow, count = seconds(lambda: gauss_seidel(arena, middle, width))
    print(f"dice game, {len(arena.anchors):,} anchors, {len(arena.succ):,} edges, width {solution.width:.1e}:")
    print(f"  bounds {fast:.2f} s in {solution.rounds} rounds, check {check:.3f} s")
    print(f"  Gauss-Seidel, stopped by an oracle: {slow:.2f} s, {count} sweeps, {slow / fast:.1f} times as long")
    if reference:
        graph = arena.to_networkx()
        sweep, _ = seconds(lambda: iterate_values(graph, 0.0, 1))
        total = sweep * count
        print(f"  networkx, one sweep {sweep:.2f} s; {count} would take {total / fast:.0f} times as long")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="graphs that take seconds in all")
    small = parser.parse_args().small
    bench_retrograde(50_000 if small else 1_000_000, reference_nodes=1000 if small else 5000)
    bench_stochastic(hesitant_race(12 if small else 40))


if __name__ == "__main__":
    main()
