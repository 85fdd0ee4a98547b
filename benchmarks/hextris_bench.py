"""How fast compiled turns of Hextris are against its engine's, and what a class of last-group endgames costs.

python -m benchmarks.hextris_bench [--small]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from benchmarks.solvers_bench import seconds
from rulecheck.games.hextris import GAME
from rulecheck.solving import settle_game
from rulecheck.spaces.hextris import HextrisPacking, packing
from rulecheck.tables import Setting
from solvers.graph import Kind

LARGE = {"groups": "1", "pieces": "5,0,0"}
SMALL = {"groups": "1", "group": "3", "pieces": "3,0,0"}
BY_ENGINE = 300  # positions
BY_CODE = 200_000


def setting(params: Mapping[str, str]) -> Setting:
    return Setting(GAME, GAME.params(params), GAME.rulebook.defaults())


def some_keys(made: HextrisPacking, most: int) -> np.ndarray:
    """Keys of positions from all over the class."""
    assert made.ranking is not None
    numbers = np.arange(0, made.ranking.size, max(1, made.ranking.size // most))
    keys = made.ranking.unrank(numbers)
    return keys[made.expand(keys).kind == Kind.MOVE]


def bench_turns(params: Mapping[str, str]) -> None:
    """All successors of a position: by keys, by numbers, and by the engine."""
    chosen = setting(params)
    made = packing(chosen.params, chosen.readings)
    assert made is not None
    assert made.ranking is not None
    keys = some_keys(made, BY_CODE)
    numbers = made.ranking.rank(keys)
    made.expand_numbers(numbers[:1])  # compile first
    coded, block = seconds(lambda: made.expand(keys))
    ranked, _ = seconds(lambda: made.expand_numbers(numbers))
    engine = chosen.engine()
    positions = [made.unpack(int(key)) for key in some_keys(made, BY_ENGINE)]
    played, _ = seconds(lambda: [engine.moves(position) for position in positions])
    each = played / len(positions)
    print(f"{chosen.name}: {len(block.succ) / len(keys):.1f} turns a position")
    for what, took in (("keys", coded / len(keys)), ("numbers", ranked / len(keys))):
        print(f"  {what:8} {1 / took:12,.0f} positions a second, {each / took:,.0f} times the engine's")
    print(f"  engine   {1 / each:12,.0f} positions a second")


def bench_class(params: Mapping[str, str]) -> None:
    """Solved, checked and written."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as folder:
        took, found = seconds(lambda: settle_game(setting(params), Path(folder)))
        size = found.path.stat().st_size
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    count = len(found.space)
    print(f"  solved   {took:12.1f} s for {count:,} numbers, at the start: {found.worth}")
    each = (peak - before) * 1024 / count
    print(f"  memory   {peak / 1024:12,.0f} MB, {each:.0f} bytes a number; table {size / 1e6:.1f} MB")


def bench_proofs(jobs: int = 2) -> None:
    """Every family of proofs of the full board at the default reading."""
    from rulecheck.jobs import run_all
    from rulecheck.prove import run_task, summary, tasks

    params = GAME.params({})
    todo = tasks(GAME, params.as_dict(), GAME.rulebook.defaults(), GAME.study.family_names(params), False)
    taken, results = seconds(lambda: run_all(run_task, todo, jobs=jobs))
    found = summary(list(zip(todo, results, strict=True)))
    print(f"all proofs of hextris, {jobs} jobs: {found['result']}, {found['cases']:,} cases, {taken:.0f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="a class that takes seconds")
    small = parser.parse_args().small
    params = SMALL if small else LARGE
    bench_turns(params)
    bench_class(params)
    if not small:
        bench_proofs()


if __name__ == "__main__":
    main()
