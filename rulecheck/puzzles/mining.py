"""Collections of puzzles from a seed.

Work comes in units: a unit is one proposal, and depends on nothing but the game, the kind, the seed and its number.
Their results are accepted in the order of their numbers, so any number of jobs makes the same collection. The engine
finds a puzzle; the constraints must describe it identically before it is accepted.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulecheck import registry
from rulecheck.jobs import Report, at_once, ignore, run_all, stage, workers
from rulecheck.puzzles.kinds import Kind, NoPositionsError, kind_within, kinds_within
from rulecheck.puzzles.model import Description, Draft, Puzzle, puzzle_id, read_id, read_version, version_name
from rulecheck.puzzles.rules import ByConstraints, ByEngine, DisagreementError, rules_of
from rulecheck.registry import Choice, Game

BATCH = 2  # units handed out together to each of several jobs

Task = tuple[str, str, int, int]  # game (with the parameters given), kind, seed, unit


@dataclass(frozen=True)
class Started:
    """The progress of an interrupted run with a kind: units used, and the ids of the puzzles they made."""

    units: int = 0
    ids: tuple[str, ...] = ()


Progress = Mapping[str, Started]
Note = Callable[[str, int, Puzzle | None], None]  # kind, units used, the puzzle from the last of them


def _unnoted(kind: str, units: int, puzzle: Puzzle | None) -> None:
    pass


@dataclass(frozen=True)
class Collection:
    """`wanted` and `units`, the number of proposals used, are by kind; `lacking` says why some have no positions."""

    puzzles: tuple[Puzzle, ...]
    wanted: Mapping[str, int]
    units: Mapping[str, int]
    lacking: Mapping[str, str] = field(default_factory=dict)

    @property
    def missing(self) -> dict[str, int]:
        made = {name: sum(p.kind == name for p in self.puzzles) for name in self.wanted}
        short = {name: count - made[name] for name, count in self.wanted.items() if made[name] < count}
        return {name: count for name, count in short.items() if name not in self.lacking}


def draft_of(task: Task) -> Draft | None:
    """What one unit of work proposes, here and everywhere."""
    return _kind_of(task).propose(random.Random(puzzle_id(*task)))


def _kind_of(task: Task) -> Kind:
    slug, given = read_version(task[0])
    return kind_within(registry.find(slug), task[1], given)


def puzzle_of(task: Task) -> Puzzle | None:
    """What one unit of work finds: a verified puzzle, or nothing."""
    draft = draft_of(task)
    if draft is None:
        return None
    game, name, kind = read_version(task[0])[0], task[1], _kind_of(task)
    params, readings = settings_of(registry.find(game), draft)
    where = (game, params, readings, draft.position, draft.asked)
    description = described_by(ByEngine, kind, *where)
    if description is None:
        return None
    if description != described_by(verifier(registry.find(game)), kind, *where):
        raise DisagreementError(f"{draft.position}: engine and constraints describe it differently for {name}")
    return Puzzle(puzzle_id(*task), game, name, params, readings, draft.position, draft.asked, description)


def verifier(game: Game) -> type[ByEngine] | type[ByConstraints]:
    """The encoding that must agree; for a game without constraints, the engine itself."""
    return ByEngine if game.spec_name is None else ByConstraints


def settings_of(game: Game, draft: Draft) -> tuple[dict[str, str], dict[str, str]]:
    """All parameters and readings, written out."""
    return game.params(draft.params).as_dict(), dict(game.rulebook.choose(draft.readings))


def described_by(
    how: Any,
    kind: Kind,
    game: str,
    params: Mapping[str, str],
    readings: Mapping[str, str],
    position: str,
    asked: str,
) -> Description | None:
    rules = rules_of(how, game, params, readings)
    return kind.describe(rules, rules.read(position), asked)


# -- A collection ---------------------------------------------------------------------------------------------


def collect(
    game: Game,
    kinds: Sequence[str],
    count: int,
    seed: int,
    budget: int | None,
    jobs: int,
    report: Report = ignore,
    note: Note = _unnoted,
    started: Progress | None = None,
    given: Mapping[str, str] | None = None,
) -> Collection:
    """Make `count` puzzles, spread over the kinds; each kind may use up its budget of units.

    `note` is called after each unit; `started` is the progress of an interrupted run with the same settings. With
    parameters given, the positions are of that version; a kind that was asked for and has none there is refused.
    """
    names = list(kinds or kinds_within(game, given or {})[0])
    share, more = divmod(count, len(names))
    wanted = {name: share + (at < more) for at, name in enumerate(names)}
    puzzles: list[Puzzle] = []
    units: dict[str, int] = {}
    lacking: dict[str, str] = {}
    with workers(jobs) as pool:
        for name, number in wanted.items():
            here = stage(report, len(units) / len(wanted), (len(units) + 1) / len(wanted))
            here(name, 0.0)
            miner = _Miner(game, given or {}, name, number, seed, budget, jobs, pool, here, note)
            try:
                puzzles += miner.run((started or {}).get(name, Started()))
            except NoPositionsError as error:
                if kinds:
                    raise
                lacking[name] = str(error)
            units[name] = miner.used
    return Collection(tuple(puzzles), wanted, units, lacking)


class _Miner:
    """Puzzles of one kind."""

    def __init__(
        self,
        game: Game,
        given: Mapping[str, str],
        name: str,
        wanted: int,
        seed: int,
        budget: int | None,
        jobs: int,
        pool: Any,
        report: Report,
        note: Note,
    ) -> None:
        self.version, self.name, self.wanted, self.seed = version_name(game.slug, given), name, wanted, seed
        self.budget = kind_within(game, name, given).units if budget is None else budget
        self.jobs, self.pool, self.report, self.note = at_once(jobs, pool), pool, report, note
        self.accepted: list[Puzzle] = []
        self.seen: set[str] = set()
        self.used = 0

    def run(self, started: Started) -> list[Puzzle]:
        for task in map(read_id, started.ids):
            self._accept(task, puzzle_of(task))
        first = self.used = max(self.used, started.units if len(self.accepted) < self.wanted else 0)
        while len(self.accepted) < self.wanted and first < self.budget:
            last = min(self.budget, first + (BATCH * self.jobs if self.jobs > 1 else 1))
            tasks = [(self.version, self.name, self.seed, unit) for unit in range(first, last)]
            for task, puzzle in zip(tasks, run_all(puzzle_of, tasks, jobs=self.jobs, executor=self.pool), strict=True):
                self._accept(task, puzzle)
            share = max(last / max(1, self.budget), len(self.accepted) / self.wanted)
            self.report(f"{self.name}: {len(self.accepted)} of {self.wanted} in {self.used} tries", share)
            first = last
        return self.accepted

    def _accept(self, task: Task, puzzle: Puzzle | None) -> None:
        if len(self.accepted) == self.wanted:
            return
        self.used = task[3] + 1
        if puzzle is None or (key := alike_key(puzzle.as_json())) in self.seen:
            self.note(self.name, self.used, None)
            return
        self.seen.add(key)
        self.accepted.append(puzzle)
        self.note(self.name, self.used, puzzle)


def alike_key(puzzle: Mapping[str, Any]) -> str:
    """Equal for puzzles of one kind that ask the same about one position, up to symmetry."""
    game = registry.find(puzzle["game"])
    choice = Choice(game, game.params(puzzle["params"]), game.rulebook.choose(puzzle["readings"]))
    position = game.read_position(choice.params, puzzle["position"])
    about = (puzzle["game"], puzzle["kind"], puzzle["asked"], sorted(puzzle["params"].items()))
    return f"{about} {game.hints.same_puzzle(choice.params, position)}"
