"""Protects: solves that are killed, run out of disk or are spread over an executor; checkers against wrong values."""

from __future__ import annotations

import importlib
import itertools
import multiprocessing
import os
import pickle
import random
import resource
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rulecheck import registry
from rulecheck.analyses.mutants import read_mutants, try_mutant
from rulecheck.games.nestrace import space_moves as nestrace_moves
from rulecheck.jobs import stream
from rulecheck.model import InputError, Status
from rulecheck.registry import Choice
from rulecheck.solve import solver as solving
from rulecheck.solve.certifying import certify
from rulecheck.solve.graph_views import move_problems
from rulecheck.solve.solver import solve_chart, solve_space
from rulecheck.solve.spaces import space_of
from rulecheck.solve.tables import header_of, table_name
from solvers import compiled
from solvers.certificate import check_outcomes
from solvers.graph import Arena, Outcome
from solvers.retrograde import solve_outcomes
from solvers.tablebase import open_table

HEXTRIS = {"groups": "1", "group": "2", "pieces": "2,0,0"}  # ranked: 4,267 numbers in 6 layers
SEARCHED = {"radius": "1", "group": "2", "groups": "1", "pieces": "1,1,1/0,1,1"}
CROSSWALK = {"squares": "3", "sizes": "12", "pedestrians": "none"}
NESTRACE = {"core": "2", "width": "2", "nests": "1"}


def setting(slug: str, params: dict[str, str]) -> Choice:
    game = registry.find(slug)
    return Choice(game, game.params(params), game.rulebook.defaults())


# -- Killed --------------------------------------------------------------------------------------------------


class Reaper:
    """Ends the process, as a power cut would, at one of the moments in which it computes or writes."""

    def __init__(self, moment: float) -> None:
        self.moment, self.count = moment, 0

    def __call__(self, *_: Any) -> None:
        self.count += 1
        if self.count >= self.moment:
            os.kill(os.getpid(), signal.SIGKILL)

    def before(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*args: Any, **kwargs: Any) -> Any:
            self()
            return work(*args, **kwargs)

        return watched


def solve_until(moment: float, chosen: Choice, folder: Path, resume: bool, told: Any = None) -> None:
    """In a process of its own: every block, sync and rename is a moment, and each layer or round is kept."""
    reaper = Reaper(moment)
    solving.KEEP_EVERY, solving.KEEP_SHARE = -1, 0
    zlib.compress, os.fsync, os.replace = map(reaper.before, (zlib.compress, os.fsync, os.replace))
    os.unlink = reaper.before(os.unlink)
    solve = solve_chart if chosen.game.slug == "crosswalk" else solve_space
    solve(chosen, folder, resume=resume, report=reaper)
    if told is not None:
        told.put(reaper.count)


def run_until(moment: float, chosen: Choice, folder: Path, resume: bool = False, told: Any = None) -> int | None:
    process = multiprocessing.get_context("fork").Process(
        target=solve_until, args=(moment, chosen, folder, resume, told)
    )
    process.start()
    process.join()
    return process.exitcode


@pytest.mark.parametrize(
    ("slug", "params"),
    [("hextris", HEXTRIS), ("hextris", SEARCHED), ("nestrace", NESTRACE), ("crosswalk", CROSSWALK)],
    ids=["ranked", "searched", "reached", "dice"],
)
def test_a_solve_killed_at_any_moment_goes_on(slug: str, params: dict[str, str], tmp_path: Path) -> None:
    chosen, rng = setting(slug, params), random.Random(5)
    told = multiprocessing.get_context("fork").SimpleQueue()
    assert run_until(1e9, chosen, tmp_path / "whole", told=told) == 0
    moments = told.get()
    assert moments > 12
    for trial in range(4):
        folder = tmp_path / str(trial)
        while status := run_until(
            rng.randint(1, moments), chosen, folder, (folder / f"{table_name(chosen)}.checkpoint").exists()
        ):
            assert status == -signal.SIGKILL
            for path in folder.glob("*.table"):
                with open_table(path) as table:
                    table.verify()
        assert [path.name for path in folder.iterdir()] == [f"{table_name(chosen)}.table"]
        assert certify(folder / f"{table_name(chosen)}.table", whole=0, sample=5).problems == ()
        if slug != "crosswalk":  # bounds may differ, outcomes may not
            whole, again = (f / f"{table_name(chosen)}.table" for f in (tmp_path / "whole", folder))
            assert whole.read_bytes() == again.read_bytes()


PROGRAM = """
import sys
from rulecheck import cli
from rulecheck.solve import solver as solving
solving.KEEP_EVERY, solving.KEEP_SHARE = 0, 0
sys.argv[0] = "rulecheck"
cli.main()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        ("hextris", "-p", "groups=1", "-p", "group=3", "-p", "pieces=2,1,0"),
        ("crosswalk", "-p", "squares=5", "-p", "sizes=12", "-p", "pedestrians=none"),
    ],
    ids=["no dice", "dice"],
)
def test_the_command_killed_at_random_times_goes_on(options: tuple[str, ...], tmp_path: Path) -> None:
    rng = random.Random(8)
    command = [sys.executable, "-c", PROGRAM, "solve", *options, "--out", str(tmp_path)]
    killed = 0
    while not list(tmp_path.glob("*.table")):
        resume = ["--resume"] if list(tmp_path.glob("*.checkpoint")) else []
        try:
            subprocess.run(command + resume, timeout=rng.uniform(1, 4) * (1 + killed / 3), check=True)
        except subprocess.TimeoutExpired:  # which sends SIGKILL
            killed += 1
    assert killed > 0
    (path,) = tmp_path.glob("*.table")
    assert certify(path, whole=0, sample=20).problems == ()


# -- Compiled successors -------------------------------------------------------------------------------------


def test_a_change_of_compiled_code_is_noticed_and_left_behind() -> None:
    """The changed code is compiled beside the real one, and nothing of it is kept on disk."""

    def kept() -> dict[str, int]:
        folder = Path(nestrace_moves.__file__).parent / "__pycache__"
        return {str(p): p.stat().st_mtime_ns for p in folder.glob(f"{nestrace_moves.__name__}-*/**/*.nb?")}

    game, njit, before = registry.find("nestrace"), compiled.njit, kept()
    mutant = next(m for m in read_mutants(game) if m.module == nestrace_moves.__name__)
    assert try_mutant(game, mutant).status is Status.REFUTED
    assert compiled.njit is njit
    assert kept() == before
    chosen = setting("nestrace", NESTRACE)
    assert move_problems(chosen, space_of(chosen), range(0, 44_000, 4000)) == []


def test_every_mutant_of_compiled_code_has_its_text() -> None:
    """So that a change of the code cannot silently leave one behind; the slow tests compile them all."""
    for slug in ("crosswalk", "hextris", "nestrace"):
        game = registry.find(slug)
        for mutant in read_mutants(game):
            if mutant.side == "compiled":
                module = importlib.import_module(mutant.module or str(game.hints.compiled).partition(":")[0])
                assert module.__file__ is not None
                assert Path(module.__file__).read_text().count(mutant.old) == 1, mutant.id


# -- Interrupted, resumed, no room ---------------------------------------------------------------------------


def interrupt_at(layer: int) -> Callable[[str, float], None]:
    def report(what: str, done: float) -> None:
        if what.startswith(f"layer {layer} of"):
            raise KeyboardInterrupt

    return report


def test_an_interrupted_solve_without_dice_is_kept_and_resumed(tmp_path: Path) -> None:
    chosen = setting("hextris", HEXTRIS)
    with pytest.raises(solving.InterruptedSolve, match="--resume goes on from there"):
        solve_space(chosen, tmp_path, interrupt_at(4))
    heard: list[str] = []
    found = solve_space(chosen, tmp_path, lambda what, done: heard.append(what), resume=True)
    assert heard[0].startswith("layer 4 of")
    assert [path.name for path in tmp_path.iterdir()] == [found.path.name]
    assert certify(found.path, whole=0, sample=5).problems == ()


def test_resume_refuses_what_is_no_checkpoint_of_this_game(tmp_path: Path) -> None:
    chosen = setting("hextris", HEXTRIS)
    path = tmp_path / f"{table_name(chosen)}.checkpoint"
    with pytest.raises(InputError, match="there is nothing to resume"):
        solve_space(chosen, tmp_path, resume=True)
    store = solving.CheckpointStore(path, header_of(chosen))
    store.save({"outcome": np.zeros(5, dtype=np.uint8)})
    with pytest.raises(InputError, match="is no checkpoint of a solve"):
        solve_space(chosen, tmp_path, resume=True)
    columns = {"outcome": np.zeros(5, dtype=np.uint8), "distance": np.zeros(5, dtype=np.int8)}
    store.save({**columns, "layers": np.array([2])})
    with pytest.raises(InputError, match="of another game; leave out --resume"):
        solve_space(chosen, tmp_path, resume=True)


@pytest.mark.parametrize(("slug", "params"), [("hextris", HEXTRIS), ("crosswalk", CROSSWALK)])
def test_a_disk_without_room_is_a_sentence(
    slug: str,
    params: dict[str, str],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both when a solve is kept and when its table is written; nothing half-written stays."""
    chosen = setting(slug, params)
    solve = solve_chart if slug == "crosswalk" else solve_space
    solve(chosen, tmp_path_factory.mktemp("before"))  # what is compiled is cached in files, which need room, too
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    for every in (-1.0, 1e9):
        monkeypatch.setattr(solving, "KEEP_EVERY", every)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
        try:
            with pytest.raises(InputError, match="file too large"):
                solve(chosen, tmp_path)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert list(tmp_path.iterdir()) == []


# -- Executors -----------------------------------------------------------------------------------------------


class Remote(Executor):
    """What a cluster's client does: work and results travel as bytes, and come back in any order."""

    def __init__(self) -> None:
        self.tasks = 0
        self._pool = ThreadPoolExecutor(2)

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks += 1
        sent = pickle.dumps((work, args, kwargs))
        return self._pool.submit(lambda: pickle.loads(self._answer(sent)))

    def _answer(self, sent: bytes) -> bytes:
        work, args, kwargs = pickle.loads(sent)
        return pickle.dumps(work(*args, **kwargs))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._pool.shutdown(wait, cancel_futures=cancel_futures)


@pytest.mark.parametrize(("slug", "params"), [("hextris", HEXTRIS), ("hextris", SEARCHED), ("nestrace", NESTRACE)])
def test_any_executor_solves_and_certifies(slug: str, params: dict[str, str], tmp_path: Path) -> None:
    chosen = setting(slug, params)
    alone = solve_space(chosen, tmp_path / "alone").path.read_bytes()
    for executor in (Remote(), ThreadPoolExecutor(2)):
        with executor:
            found = solve_space(chosen, tmp_path / "shared", executor=executor)
            assert found.path.read_bytes() == alone
            proof = certify(found.path, whole=0, sample=300, seed=5, executor=executor)
            assert proof.problems == ()
            assert proof == certify(found.path, whole=0, sample=300, seed=5)
            assert getattr(executor, "tasks", 3) >= 3


def test_processes_solve_the_same(tmp_path: Path) -> None:
    chosen = setting("hextris", HEXTRIS)
    tables = [solve_space(chosen, tmp_path / str(jobs), jobs=jobs).path.read_bytes() for jobs in (1, 2)]
    assert tables[0] == tables[1]


def test_a_stream_is_only_a_few_steps_ahead() -> None:
    taken = []

    def arguments() -> Iterator[int]:
        for number in range(50):
            taken.append(number)
            yield number

    with ThreadPoolExecutor(2) as pool:
        found = stream(abs, arguments(), pool)
        assert next(found) == 0
        assert len(taken) < 10
        assert list(found) == list(range(1, 50))


# -- Checkers ------------------------------------------------------------------------------------------------


def frozen(game: Any) -> Arena:
    """The whole graph in arrays, so that it can be checked thousands of times."""
    block = game.block(0, len(game))
    return Arena(block.kind, block.first, block.succ.astype(np.int32), np.zeros(len(game), dtype=np.bool_))


def wrong_entries(outcome: int, distance: int, furthest: int) -> Iterable[tuple[int, int]]:
    """Every other outcome and distance, those of forms that cannot be included."""
    both = itertools.product((int(o) for o in Outcome), range(-2, furthest + 3))
    return (entry for entry in both if entry != (outcome, distance))


@pytest.mark.parametrize(
    ("params", "most"), [(SEARCHED, 400), ({**SEARCHED, "pieces": "1,0,1"}, 400)], ids=["unlike", "alike"]
)
def test_every_wrong_value_of_a_small_game_is_refused(params: dict[str, str], most: int) -> None:
    """Not a damaged byte, which a checksum would find: a whole table with one entry that is not true."""
    game = frozen(space_of(setting("hextris", params)))
    found = solve_outcomes(game)
    assert check_outcomes(game, found.outcome, found.distance) == []
    assert len(game) < most
    furthest = int(found.distance.max())
    for v in range(len(game)):
        true = int(found.outcome[v]), int(found.distance[v])
        for wrong in wrong_entries(*true, furthest):
            found.outcome[v], found.distance[v] = wrong
            assert check_outcomes(game, found.outcome, found.distance) != [], (v, wrong)
        found.outcome[v], found.distance[v] = true
