"""python -m benchmarks [--small]: all of them."""

from __future__ import annotations

from benchmarks import crosswalk_bench, hextris_bench, nestrace_bench, solvers_bench

if __name__ == "__main__":
    solvers_bench.main()
    crosswalk_bench.main()
    hextris_bench.main()
    nestrace_bench.main()
