"""Protects: what a study lacks is one sentence of the command that needs it, and keeps no other game from its turn."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.registry import MissingPartError
from rulecheck.studies import Study

Runner = Callable[..., Any]
# The game of stones under another name, with what is left of its study.
PACKAGE = """
from dataclasses import replace
from rulecheck.studies import Study
import stones
STUDY = Study("{name}", {parts})
GAME = replace(stones.GAME, slug="{name}", study_name="{study}", mutants_file="stones:mutants.toml")
"""


@pytest.fixture
def add(install: Callable[[str, str], None], tmp_path: Path) -> Callable[..., None]:
    """Installs a game with these parts of a study, and modules of its own."""

    def make(name: str, *, parts: str = "", study: str = "", **modules: str) -> None:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text(PACKAGE.format(name=name, parts=parts, study=study or f"{name}:STUDY"))
        for module, text in modules.items():
            (folder / f"{module}.py").write_text(text)
        install(name, f"{name}:GAME")

    return make


# -- One command -----------------------------------------------------------------------------------------------------

NEEDS = {
    "prove": "family_names",
    "claims": "checks",
    "ambiguities": "shapes",
    "clauses": "coverage",
    "stalemates": "stalemates",
    "mutants": "run_family",
}


@pytest.mark.parametrize("command", NEEDS)
def test_a_command_names_the_part_that_is_missing(command: str, add: Callable[..., None], rulecheck: Runner) -> None:
    add(f"partial_{command}")
    run = rulecheck(command, f"partial_{command}")
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith(f"rulecheck: the study partial_{command} has no {NEEDS[command]}: there is no ")
    assert run.err.count("\n") == 1


def test_a_module_without_the_part_is_as_good_as_none(add: Callable[..., None], rulecheck: Runner) -> None:
    add("partial_module", coverage="")
    assert "has no coverage: there is no partial_module.coverage:coverage" in rulecheck("clauses", "partial_module").err


@pytest.mark.parametrize("command", NEEDS)
def test_a_part_that_raises_when_imported_is_one_sentence(
    command: str, add: Callable[..., None], rulecheck: Runner
) -> None:
    name = f"raising_{command}"
    raising = dict.fromkeys(("proofs", "claims", "shapes", "coverage", "stalemates"), "raise RuntimeError('no luck')")
    add(name, **raising)
    run = rulecheck(command, name)
    assert (run.status, run.out) == (2, "")
    assert run.err.endswith("cannot be loaded: RuntimeError: no luck\n")
    assert run.err.count("\n") == 1


def test_a_study_that_is_not_there_is_one_sentence(add: Callable[..., None], rulecheck: Runner) -> None:
    add("lost", study="lost.elsewhere:STUDY")
    for command in (*NEEDS, "audit", "report"):
        run = rulecheck(command, "lost")
        assert (run.status, run.err.count("\n")) == (2, 1)
        assert run.err.startswith("rulecheck: lost.elsewhere:STUDY cannot be loaded: ModuleNotFoundError")


def test_what_a_study_lacks_is_no_attribute_of_it() -> None:
    study = Study("stones")
    assert not hasattr(study, "no_such_part")
    assert not hasattr(study, "coverage")
    with pytest.raises(MissingPartError, match="has no no_such_part"):
        study.no_such_part  # noqa: B018  # asking is the test


@pytest.mark.parametrize("command", ["show", "moves", "perft", "play", "solve", "probe"])
def test_what_needs_no_study_goes_on_without_its_parts(
    command: str, add: Callable[..., None], rulecheck: Runner, tmp_path: Path
) -> None:
    add(f"plain_{command}")
    folder = ("--out", str(tmp_path)) if command in ("solve", "probe") else ()
    if command == "probe":
        rulecheck("solve", "plain_probe", *folder)
    run = rulecheck(command, f"plain_{command}", *folder)
    assert (run.status, run.err) == (0, "")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("puzzles", "comes without puzzles"),
        ("build", "is a question about"),
        ("force", "is a question about"),
        ("fortress", "is a question about"),
        ("best", "is a question about"),
    ],
)
def test_what_is_special_to_other_games_is_refused(
    command: str, sentence: str, add: Callable[..., None], rulecheck: Runner
) -> None:
    add(f"without_{command}")
    run = rulecheck(command, f"without_{command}")
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
    assert sentence in run.err


# -- All games -------------------------------------------------------------------------------------------------------


@pytest.fixture
def several(add: Callable[..., None], install: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole game, one without most parts, one that is broken, one without a study, and one that cannot be loaded."""
    install("stones", "stones:GAME")
    install("noughts", "noughts:GAME")
    install("absent", "no_such_package_anywhere:GAME")
    add("some", parts='shapes="stones.study:shapes", below="stones.study:below", shape_bound="stones.study:bound"')
    add("sorry", stalemates="raise RuntimeError('no luck')")
    mine = ["absent", "noughts", "some", "sorry", "stones"]
    monkeypatch.setattr(registry, "names", lambda: mine)


def test_an_audit_of_all_games_skips_what_they_lack_and_goes_on(
    several: None, rulecheck: Runner, tmp_path: Path
) -> None:
    run = rulecheck("audit", "--out", str(tmp_path / "none"), "-j", "1", "--json")
    found = json.loads(run.out)
    rows = {(row["game"], row["check"]): row for row in found["rows"]}
    assert (run.status, found["disagreements"]) == (1, 2)
    broken = {game: row["found"] for (game, check), row in rows.items() if row["result"] == "BROKEN"}
    assert broken.keys() == {"absent", "sorry"}
    assert broken["sorry"].endswith("cannot be loaded: RuntimeError: no luck")
    assert rows["noughts", "study"]["result"] == "lacking"
    lacking = {check for (game, check), row in rows.items() if game == "some" and row["result"] == "lacking"}
    assert lacking == {"proofs, as printed", "pairs of readings", "clauses", "stalemates"}
    assert rows["some", "ambiguities"]["found"] == "2 change play, 1 never matter in the games searched"
    assert rows["stones", "proofs, as printed"]["result"] == "PROVED, legality alone"
    assert rows["stones", "pairs of readings"]["found"].startswith(
        "1 of 4 combinations cover 3 of 12 pairs of values, "
    )
    assert rows["stones", "stalemates"]["found"] == "1 can happen, 1 cannot happen in the games searched"


def test_a_full_audit_goes_on_too(several: None, rulecheck: Runner, tmp_path: Path) -> None:
    run = rulecheck("audit", "--full", "--out", str(tmp_path / "pages"), "-j", "1", "--json")
    rows = {(row["game"], row["check"]): row for row in json.loads(run.out)["rows"]}
    assert run.status == 1
    assert rows["stones", "mutants"]["found"] == "1 of 2 refuted"
    assert rows["some", "mutants"]["result"] == "lacking"
    assert rows["stones", "pairs of readings"]["found"].startswith("4 combinations cover all 12 pairs of values, ")
    assert ("some", "long proofs, and each reading") not in rows
    assert {path.name for path in (tmp_path / "pages").iterdir()} >= {"stones.html", "some.html", "index.html"}


def test_a_report_of_all_games_writes_what_there_is(several: None, rulecheck: Runner, tmp_path: Path) -> None:
    run = rulecheck("report", "--out", str(tmp_path / "pages"), "-j", "1", "--json")
    assert run.status == 1
    assert json.loads(run.out)["skipped"].keys() == {"absent", "noughts", "sorry"}
    assert run.err.count("\n") == 3
    page = (tmp_path / "pages" / "some.html").read_text(encoding="utf-8")
    assert "the study some has no coverage: there is no some.coverage:coverage" in page
    whole = (tmp_path / "pages" / "stones.html").read_text(encoding="utf-8")
    assert "PROVED, legality alone" in whole
    assert "4 combinations cover all 12 pairs of values of every two readings" in whole


@pytest.mark.parametrize("command", ["audit", "report"])
def test_a_named_game_with_a_part_of_a_study_is_looked_at(
    command: str, several: None, rulecheck: Runner, tmp_path: Path
) -> None:
    run = rulecheck(command, "some", "--out", str(tmp_path / "pages"), "-j", "1")
    assert (run.status, run.err) == (0, "")
