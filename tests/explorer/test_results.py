"""Protects: what a job found is shown as it was found, and each finding opens the position that it is about."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

import pytest
from starlette.testclient import TestClient

from rulecheck.explorer.results import shown


@pytest.fixture
def found(installed: None, rulecheck: Any) -> Any:
    def run(*arguments: str) -> Any:
        return json.loads(rulecheck(*arguments, "--json").out)

    return run


def test_a_comparison_is_a_table_of_both_games(found: Any) -> None:
    document = found("compare", "oxo", "-r", "marks=either", "--games", "2")
    page = shown("compare", document)
    assert page["rows"][0] == ("legal moves at the start", "9", "18")
    worths = {row[0]: row[1:] for row in page["rows"] if row[0].startswith("solved")}
    assert worths == {"solved: the printed game": tuple(document[side]["solved"]["the printed game"] for side in
                                                        ("printed", "changed"))}  # fmt: skip
    told = document["claims"]
    assert sum(item["result"] == "no longer holds" for item in page["items"]) == len(told["breaks"]) > 0


def test_dead_ends_open_where_they_are(found: Any, client: TestClient) -> None:
    rows = found("stalemates", "oxo", "-r", "line=loses")
    items = shown("stalemates", rows)["items"]
    assert [item["result"] for item in items] == [row["result"] for row in rows]
    for item, row in zip(items, rows, strict=True):
        assert bool(item["url"]) == bool(row["witness"])
        if row["witness"]:
            assert "r=line:loses" in item["url"]
            assert row["witness"]["position"].replace(" ", "_") in unquote(item["url"])
            assert client.get(item["url"]).status_code == 200


def test_solved_games_and_puzzles_lead_on(found: Any, client: TestClient, tmp_path: Any) -> None:
    page = shown("solve", found("solve", "oxo", "--out", str(tmp_path)))
    assert ("for X", "tie in 9") in page["rows"]
    (item,) = page["items"]
    assert client.get(item["url"]).status_code == 200
    made = shown("puzzles", found("puzzles", "oxo", "--count", "1", "--seed", "1", "--out", str(tmp_path)))
    assert made["items"][0]["url"].startswith("/puzzle/oxo")
    bounds = shown("solve", found("solve", "pig", "-p", "target=5", "--out", str(tmp_path)))
    assert [row[0] for row in bounds["rows"]][-3:] == ["the player to move", "the opponent", "neither"]


def test_a_job_that_no_page_knows_is_its_document() -> None:
    assert shown("certify", {"result": "PROVED"}) == {}
