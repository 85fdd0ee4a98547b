"""How long it takes to solve Crosswalk and to prove the answer, stage by stage.

python -m benchmarks.crosswalk_bench [--small]
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.solvers_bench import bench_stochastic, hesitant_race, seconds
from rulecheck import registry
from rulecheck.certifying import turn_problems
from rulecheck.tables import Chart, Setting, Values, values_at, write_solution
from solvers.certificate import check_bounds
from solvers.stochastic import solve

LARGE = {"squares": "5", "sizes": "123", "pedestrians": "none"}
SMALL = {"squares": "5", "sizes": "12", "pedestrians": "none"}
COMPARED = 50


def setting(params: Mapping[str, str]) -> Setting:
    game = registry.find("crosswalk")
    return Setting(game, game.params(params), game.rulebook.defaults())


def bench_solve(params: Mapping[str, str], width: float = 1e-6) -> None:
    """Every stage of `rulecheck solve` and `rulecheck certify` on one game."""
    chosen = setting(params)
    charting, chart = seconds(chosen.chart)
    print(f"{chosen.name}: {len(chart.keys):,} positions (mover's view), {len(chart.arena.succ):,} edges")
    print(f"  graph      {charting:8.2f} s")
    solving, solution = seconds(lambda: solve(chart.arena, width))
    print(f"  bounds     {solving:8.2f} s, {solution.rounds} rounds, width {solution.width:.1e}")
    checking, problems = seconds(lambda: check_bounds(chart.arena, solution.bounds))
    print(f"  check      {checking:8.2f} s, {problems or 'accepted'}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.table"
        writing, _ = seconds(lambda: write_solution(path, chosen, chart, solution.bounds))
        print(f"  table      {writing:8.2f} s, {path.stat().st_size / 1e6:.1f} MB")
    _compare(chosen, chart)
    _print_start(values_at(solution.bounds, chart.keys.index(chart.start)))


def _compare(chosen: Setting, chart: Chart) -> None:
    rows = list(range(0, len(chart.keys), max(1, len(chart.keys) // COMPARED)))
    comparing, problems = seconds(lambda: turn_problems(chosen, chart, rows))
    each = 1000 * comparing / len(rows)
    print(f"  turns      {comparing:8.2f} s for {len(rows)} positions, {each:.0f} ms each; {len(problems)} differ")


def _print_start(values: Values) -> None:
    print(f"  the start: mover {values.win}, opponent {values.loss}, neither {values.neither}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="games that take seconds in all")
    small = parser.parse_args().small
    tiny = hesitant_race(3)
    check_bounds(tiny, solve(tiny).bounds)  # compile first
    bench_solve(SMALL if small else LARGE)
    # Sweeps are told by an oracle when to stop, and even so they are too slow for the large game.
    bench_stochastic(setting(SMALL).chart().arena, reference=small)


if __name__ == "__main__":
    main()
