"""What an audit says of what it finds: against the kept report, and when the tool is wrong."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulecheck import audit, registry
from rulecheck.report import kept_document, write_report
from rulecheck.report.collect import SLOW

REPORTS = Path(__file__).parents[1] / "reports"
GAME = registry.find("crosswalk")


@pytest.fixture
def document(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What a plain audit collects, taken from the kept report instead of being searched for again."""
    kept = kept_document(REPORTS, "crosswalk")
    assert kept is not None
    found = {name: part for name, part in kept.items() if name not in SLOW}
    monkeypatch.setattr(audit, "collect", lambda *args, quick: found)
    return copy.deepcopy(kept)


def rows(document: dict[str, Any], folder: Path) -> dict[str, audit.Row]:
    """What is said of a report that was made from this document."""
    write_report([document], folder)
    return {row.check: row for row in audit.audit_game(GAME, folder, 1, lambda *_: None)}


def test_a_report_that_says_what_was_found_is_fine(document: dict[str, Any], tmp_path: Path) -> None:
    found = rows(document, tmp_path)
    assert found["report"].result == "fine"
    assert found["proofs, as printed"].result.startswith("PROVED")
    assert sum(row.disagreements for row in found.values()) == 0


def test_solved_values_are_not_held_against_a_plain_audit(document: dict[str, Any], tmp_path: Path) -> None:
    for row in document["ambiguities"]:
        row["impact"] = []
    assert rows(document, tmp_path)["report"].result == "fine"


def test_an_old_report_is_a_disagreement_and_is_named_with_the_parts(document: dict[str, Any], tmp_path: Path) -> None:
    document["claims"]["claims"][0]["verdict"] = "false"
    document["stalemates"].pop()
    found = rows(document, tmp_path)["report"]
    assert (found.result, found.disagreements) == ("DIFFERS", 1)
    assert found.found == "in claims, stalemates; `rulecheck report` writes it anew"


@pytest.mark.parametrize("name", ["crosswalk.html", "crosswalk.json", "index.html"])
@pytest.mark.parametrize("spoil", [lambda path: path.write_bytes(path.read_bytes() + b" "), Path.unlink])
def test_pages_of_other_bytes_are_a_disagreement(
    document: dict[str, Any], tmp_path: Path, name: str, spoil: Callable[[Path], Any]
) -> None:
    assert rows(document, tmp_path)["report"].result == "fine"
    spoil(tmp_path / name)
    row = audit._report_row(GAME, audit.collect(quick=True), tmp_path)  # type: ignore[call-arg]  # the stand-in
    missing = name == "crosswalk.json" and not (tmp_path / name).exists()
    assert (row.result, row.disagreements) == (("missing", 0) if missing else ("DIFFERS", 1))
    assert missing or name in row.found


def test_a_report_that_cannot_be_read_is_a_disagreement(document: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "crosswalk.json").write_text("{")
    assert audit._report_row(GAME, document, tmp_path).disagreements == 1


def test_a_missing_report_is_no_disagreement(tmp_path: Path) -> None:
    row = audit._report_row(GAME, {}, tmp_path)
    assert (row.result, row.disagreements) == ("missing", 0)


@pytest.mark.parametrize("result", ["REFUTED", "UNKNOWN"])
def test_a_proof_that_fails_is_a_disagreement(document: dict[str, Any], result: str) -> None:
    proofs = document["proofs"]
    proofs["families"][0]["result"] = result
    assert audit._proof_row(GAME, "proofs", proofs).disagreements == 1


def test_a_sample_is_counted_apart(document: dict[str, Any]) -> None:
    proofs = document["proofs"]
    proofs["families"][0] |= {"result": "UNKNOWN", "sample": True}
    proofs["headline"] = "PROVED (and 2 sampled)"
    row = audit._proof_row(GAME, "proofs", proofs)
    assert (row.result, row.disagreements) == ("PROVED (and 2 sampled)", 0)
    assert row.found.startswith(f"{sum(not row.get('sample') for row in proofs['families'])} proofs, ")


def test_only_documents_of_the_game_are_kept_reports(tmp_path: Path) -> None:
    (tmp_path / "crosswalk.json").write_text(json.dumps({"format": 1, "game": "hextris"}))
    assert kept_document(tmp_path, "crosswalk") is None
    assert kept_document(tmp_path, "hextris") is None
