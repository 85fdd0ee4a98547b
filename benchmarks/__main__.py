"""python -m benchmarks [--small] [--out DIR] [NAME ...]: all benchmarks, or those of the modules named.

A whole run is kept in `reports/`; a small one only shows that everything still runs, and is kept nowhere.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
from pathlib import Path

import benchmarks
from benchmarks.page import keep

ENDING = "_bench"
REPORTS = Path("reports")


def names() -> list[str]:
    """Every module that measures something: `solvers` stands for `benchmarks.solvers_bench`."""
    found = (module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(name.removesuffix(ENDING) for name in found if name.endswith(ENDING))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="How much the solvers gain.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(names())}; all if left out")
    parser.add_argument("--small", action="store_true", help="seconds instead of minutes, and nothing is kept")
    parser.add_argument("--out", type=Path, help=f"where to keep the results [default: {REPORTS}]")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(names()):
        parser.error(f"there is no benchmark {sorted(unknown)[0]!r}; there are {', '.join(names())}")
    found = {name: measure(name, asked.small) for name in asked.names or names()}
    out = asked.out or (None if asked.small else REPORTS)
    for path in keep(out, found) if out else ():
        print(path)


def measure(name: str, small: bool) -> list[dict[str, object]]:
    module = importlib.import_module(f"benchmarks.{name}{ENDING}")
    found = []
    for row in module.rows(small):
        print(row, flush=True)
        found.append(row.as_json())
    return found


if __name__ == "__main__":
    main()
