"""How quick Nest race's compiled successors are against its readable engine, and what a solve takes.

All seconds are those of one core, whatever else the machine does.

python -m benchmarks.nestrace_bench [--small]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rulecheck.certifying import move_problems, rows_to_compare
from rulecheck.games.nestrace import GAME
from rulecheck.outcomes import about
from rulecheck.spaces import space_of
from rulecheck.spaces.nestrace import NestPacking
from rulecheck.spaces.packed import Packed
from rulecheck.tables import Setting
from solvers.certificate import check_outcomes
from solvers.graph import Kind, Outcome
from solvers.retrograde import solve_outcomes
from solvers.tablebase import write_table

SMALL = {"core": "2", "width": "2", "nests": "1"}
MIDDLE = {"core": "3", "width": "3", "nests": "1"}
LARGE = {"core": "4", "width": "2", "nests": "1"}
BY_ENGINE, BY_PACKING, COMPARED = 500, 400_000, 100


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


def setting(params: Mapping[str, str]) -> Setting:
    return Setting(GAME, GAME.params(params), GAME.rulebook.defaults())


def bench_successors(params: Mapping[str, str]) -> None:
    """The same positions, drawn by lot, by both; on one core."""
    chosen = setting(params)
    packing, engine = NestPacking(chosen.params, chosen.readings), chosen.engine()
    keys = packing.ranking.unrank(np.random.default_rng(1).integers(0, packing.ranking.size, BY_PACKING))
    keys = keys[packing.expand(keys).kind != Kind.VOID]
    fast, block = seconds(lambda: packing.expand(keys))
    positions = [packing.unpack(int(key)) for key in keys[:BY_ENGINE]]
    slow, _ = seconds(lambda: [engine.moves(position) for position in positions])
    ratio = (slow / len(positions)) / (fast / len(keys))
    print(f"{chosen.name}: {len(block.succ) / len(keys):.1f} successors a position")
    print(f"  compiled   {len(keys) / fast:12,.0f} positions a second on one core")
    print(f"  engine     {len(positions) / slow:12,.0f} positions a second, {ratio:,.0f} times as long")


def bench_solve(params: Mapping[str, str]) -> None:
    """Every stage of `rulecheck solve` and `rulecheck certify` on one game."""
    chosen = setting(params)
    before = peak()
    finding, space = seconds(lambda: space_of(chosen))
    solving, found = seconds(lambda: solve_outcomes(space))
    taken = peak() - before
    checking, problems = seconds(lambda: check_outcomes(space, found.outcome, found.distance))
    stated = about(space, found.outcome, found.distance)
    print(f"{chosen.name}: {stated['positions']:,} positions, {len(space):,} numbers")
    print(f"  numbers    {finding:8.2f} s")
    print(f"  outcomes   {solving:8.2f} s, {taken / len(space):.0f} bytes a number, {peak() / 1e9:.2f} GB at the most")
    print(f"  check      {checking:8.2f} s, {problems or 'accepted'}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.table"
        columns = {"outcome": found.outcome, "distance": found.distance}
        writing, _ = seconds(lambda: write_table(path, chosen.header(**stated), columns, space.keys()))
        print(f"  table      {writing:8.2f} s, {path.stat().st_size / 1e6:.1f} MB")
    numbers = rows_to_compare(len(space) - space.endings, 0, COMPARED)
    comparing, problems = seconds(lambda: move_problems(chosen, space, numbers))
    print(f"  moves      {comparing:8.2f} s for {len(numbers)} positions against the engine; {len(problems)} differ")
    worth = f"{Outcome(int(found.outcome[space.start])).name.lower()} in {found.distance[space.start]}"
    print(f"  the start: {worth}; " + ", ".join(f"{stated[name]:,} {name}" for name in ("win", "loss", "tie", "draw")))


def peak() -> int:
    """The most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="games that take seconds in all")
    small = parser.parse_args().small
    tiny = Packed(NestPacking(GAME.params(SMALL), GAME.rulebook.defaults()))
    check_outcomes(tiny, *vars(solve_outcomes(tiny)).values())  # compile first
    bench_successors(SMALL)
    bench_successors(LARGE)
    bench_solve(SMALL if small else MIDDLE)


if __name__ == "__main__":
    main()
