"""Protects: a kept result is one that would be computed now; an edit, another version or damage makes it a miss."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulecheck import kept, registry
from rulecheck.analyses.ambiguities import Ambiguity
from rulecheck.analyses.claims import Outcome, Row
from rulecheck.analyses.prove import run_task
from rulecheck.jobs import ignore
from rulecheck.kept import Keeper, cache_folder, digest, keeping, run_kept
from rulecheck.model import Result, Status, Witness
from rulecheck.plain import plain, rebuilt
from rulecheck.registry import Game

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
GAME = registry.find("crosswalk")
WITNESS = Witness("A 1:B1", None, "why", {"squares": "2"}, {}, ("1-2", "pass"))
REFUTED = Result(Status.REFUTED, "somewhere", WITNESS, 3, sample=True)
PROVED = Result(Status.PROVED, "all", cases=12, note="so", samples=("ten", "twenty"))


# -- One result ---------------------------------------------------------------------------------------------


def results(task: tuple[str, int]) -> Result:
    CALLS.append(task)
    return PROVED if task[1] % 2 else REFUTED


CALLS: list[tuple[str, int]] = []
TODO = [("crosswalk", 1), ("crosswalk", 2), ("crosswalk", 3)]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Asks for all results, which must be right, and says how many of them were computed."""
    monkeypatch.setenv(kept.FOLDER, str(tmp_path / "results"))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(kept, "digest", lambda game, module: f"{game.slug} {kept._versions()}")

    def counted(fresh: bool = False, game: Game = GAME) -> int:
        CALLS.clear()
        with keeping(fresh):
            found = run_kept(game, "results", results, TODO, Result, report=ignore)
        assert found == [PROVED, REFUTED, PROVED]
        return len(CALLS)

    return counted


def test_what_was_computed_is_kept_and_said(ask: Callable[..., int], tmp_path: Path) -> None:
    assert [ask(), ask(), ask(fresh=True), ask()] == [3, 0, 3, 0]
    with keeping() as keeper:
        run_kept(GAME, "results", results, [*TODO, ("crosswalk", 5)], Result, report=ignore)
    assert str(keeper) == "results: 1 computed, 3 kept"
    assert ask(game=registry.find("hextris")) == 3, "another game's results are not this one's"


def test_without_a_command_nothing_is_kept(ask: Callable[..., int], tmp_path: Path) -> None:
    assert run_kept(GAME, "results", results, TODO, Result, report=ignore) == [PROVED, REFUTED, PROVED]
    assert not list(tmp_path.iterdir())
    assert ask() == 3


@pytest.mark.parametrize("version", ["z3-solver", "numba"])
def test_another_version_is_a_miss(version: str, ask: Callable[..., int], monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask() == 3
    usual = kept._versions()
    assert f"\n{version} " in usual
    monkeypatch.setattr(kept, "_versions", lambda: usual.replace(f"\n{version} ", f"\n{version} 0."))
    assert [ask(), ask()] == [3, 0]


def damaged(text: str) -> dict[str, str]:
    entry = json.loads(text)
    return {
        "cut short": text[: len(text) // 2],
        "empty": "",
        "a word changed": text.replace("all", "none").replace("somewhere", "nowhere"),
        "the status changed": text.replace("REFUTED", "UNKNOWN").replace("PROVED", "REFUTED"),
        "without its checksum": json.dumps({"result": entry["result"]}),
        "no object": "[1]",
        "deep": "[" * 100_000,
        "bytes": "\udcff",
    }


@pytest.mark.parametrize("how", list(damaged('{"result": 1}')))
def test_a_damaged_entry_is_a_miss(how: str, ask: Callable[..., int], tmp_path: Path) -> None:
    assert ask() == 3
    for path in (tmp_path / "results").glob("*/*.json"):
        path.write_text(damaged(path.read_text())[how], errors="surrogateescape")
    assert [ask(), ask()] == [3, 0]


def test_an_entry_under_another_name_is_a_miss(ask: Callable[..., int], tmp_path: Path) -> None:
    assert ask() == 3
    first, second, third = sorted((tmp_path / "results").glob("*/*.json"))
    texts = [path.read_text() for path in (first, second, third)]
    for path, text in zip((second, third, first), texts, strict=True):
        path.write_text(text)
    assert [ask(), ask()] == [3, 0]


def test_where_nothing_can_be_written_all_is_computed(
    ask: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(kept.FOLDER, str(tmp_path / "file" / "results"))
    assert [ask(), ask()] == [3, 3]


@pytest.mark.parametrize(("variable", "value"), [("CI", "true"), ("CI", "1"), (kept.FOLDER, "off")])
def test_continuous_integration_computes_all(
    variable: str, value: str, ask: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask() == 3
    monkeypatch.setenv(variable, value)
    assert [ask(), ask()] == [3, 3]


def test_the_usual_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv(kept.FOLDER)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "rulecheck" / "results"


def test_what_nobody_asks_for_is_removed(ask: Callable[..., int], tmp_path: Path) -> None:
    assert ask() == 3
    old, *others = sorted((tmp_path / "results").glob("*/*.json"))
    os.utime(old, (0, 0))
    with keeping():
        pass
    assert sorted((tmp_path / "results").glob("*/*.json")) == others


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Result, PROVED),
        (Result, REFUTED),
        (Result | str, "refused"),
        (Result | str, PROVED),
        (Ambiguity, Ambiguity("spend", ("exact", "all"), REFUTED, "exact", ("legal", "illegal"))),
        (Row, Row(GAME.rulebook.claims["CC-20"], Outcome(True, "yes"), {"a=b": Outcome(False, "no")}, {}, 4)),
        (list[dict[str, Any]] | str, [{"b": [1.5, None], "a": {"x": True}}]),
    ],
)
def test_a_result_comes_back_as_it_was(kind: Any, value: Any) -> None:
    assert rebuilt(kind, json.loads(json.dumps(plain(value)))) == value


def test_what_json_cannot_hold_is_refused() -> None:
    with pytest.raises(TypeError, match="no form for set"):
        plain({"a": {1}})
    with pytest.raises(TypeError, match="keys that are no texts"):
        plain({1: "a"})


# -- What results depend on ---------------------------------------------------------------------------------


def test_everything_that_runs_is_in_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    from solvers import sources

    usual, source = digest(GAME, run_task.__module__), sources.source_text
    for part in ("rulecheck.games.crosswalk.engine", "specs.crosswalk.spec_rules", "rulecheck.cases", "solvers.smt"):
        changed = {part: (source(part) or b"") + b"#"}
        monkeypatch.setattr(sources, "source_text", lambda name, own=changed: own.get(name) or source(name))
        assert digest(GAME, run_task.__module__) not in (usual, None)
    for part in ("rulecheck.games.hextris.engine", "specs.hextris.spec", "rulecheck.report.page"):
        changed = {part: b"#"}
        monkeypatch.setattr(sources, "source_text", lambda name, own=changed: own.get(name) or source(name))
        assert digest(GAME, run_task.__module__) == usual, "what has no part in it does not count"


def test_code_that_is_older_than_its_source_keeps_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kept, "STARTED", 0.0)
    assert digest(GAME, run_task.__module__) is None
    assert Keeper(tmp_path).key(GAME, run_task, "x") is None


# -- The commands -------------------------------------------------------------------------------------------


@pytest.fixture
def prove(tmp_path: Path) -> Callable[..., tuple[str, str]]:
    """Installs Nim and proves something of it in a process of its own; what is printed, and what is noted."""
    shutil.copytree(EXAMPLES / "nim", tmp_path / "nim", ignore=shutil.ignore_patterns("__pycache__"))
    metadata = tmp_path / "nim-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: nim\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[rulecheck.games]\nnim = nim:GAME\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    environment = {**os.environ, "PYTHONPATH": path, kept.FOLDER: str(tmp_path / "results"), "CI": ""}

    def run(*options: str) -> tuple[str, str]:
        program = "import sys; from rulecheck.cli import main; main(sys.argv[1:])"
        command = [sys.executable, "-B", "-c", program, "prove", "nim", "--family", "moves", *options]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        return done.stdout, done.stderr.strip()

    return run


def test_an_edit_of_a_source_is_a_miss(prove: Callable[..., tuple[str, str]], tmp_path: Path) -> None:
    computed, again = "proofs: 1 computed, 0 kept", "proofs: 0 computed, 1 kept"
    first = prove("--json")
    assert first[1] == computed
    assert json.loads(first[0])["result"] == "PROVED"
    assert prove("--json") == (first[0], again), "equal bytes, kept or computed"
    assert prove("--json", "--fresh") == (first[0], computed)
    engine = tmp_path / "nim" / "engine.py"
    engine.write_text(engine.read_text().replace("int(taken):", "int(taken) - 1:", 1))
    wrong = prove("--json")
    assert wrong[1] == computed
    assert json.loads(wrong[0])["result"] == "REFUTED"
    shutil.copy(EXAMPLES / "nim" / "engine.py", engine)
    assert prove("--json") == (first[0], again)
    rulebook = tmp_path / "nim" / "rulebook.toml"
    rulebook.write_text(rulebook.read_text() + "\n# a word\n")
    assert prove("--json") == (first[0], computed)
