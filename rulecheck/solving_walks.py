"""Solves a large game of walks by number, and has the answer checked before it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rulecheck.jobs import Report, ignore
from rulecheck.solving import WIDTH, NotProvedError, PairKeeper, checkpoint_store, kept_pair, kept_when_stopped
from rulecheck.tables import Setting, Values, plain_sentences
from rulecheck.walking import values_in, write_walk_table
from solvers.stochastic_walks import WalkSolution, solve_walks
from solvers.walk_certificate import check_walk_bounds
from solvers.walks import Walks

LOWS = ("low_f", "low_g")  # what is kept of an unfinished solve


@dataclass(frozen=True, eq=False)
class WalkSolved:
    setting: Setting
    game: Walks
    solution: WalkSolution
    path: Path

    @property
    def values(self) -> Values:
        """What the start is worth to the player to move."""
        row, bounds = self.setting.number(self.setting.engine().start()), self.solution.bounds
        return values_in([column[row] for column in bounds.columns().values()], bounds.one)

    @property
    def size(self) -> dict[str, int]:
        return {"positions": int((~self.game.over).sum()), "edges": self.game.edges}


def solve_by_number(
    setting: Setting,
    folder: Path,
    width: float = WIDTH,
    *,
    resume: bool = False,
    sweeps: int | None = None,
    report: Report = ignore,
) -> WalkSolved:
    """Solve, have the answer checked, and write it; after `sweeps`, if given, with what is proved by then."""
    store = checkpoint_store(setting, folder, width)
    start = kept_pair(store, LOWS) if resume else None
    game = setting.walks(report)
    keeper = PairKeeper(store, LOWS)
    with kept_when_stopped(keeper, resume):
        solution = solve_walks(game, width, progress=report, checkpoint=keeper, start=start, most_sweeps=sweeps)
    report("checking", 1.0)
    if problems := check_walk_bounds(game, solution.bounds):
        raise NotProvedError(f"the checker does not accept the solver's answer: {problems[0]}")
    path = folder / f"{setting.name}.table"
    write_walk_table(path, setting, game, solution.bounds)
    with plain_sentences():
        store.clear()
    return WalkSolved(setting, game, solution, path)
