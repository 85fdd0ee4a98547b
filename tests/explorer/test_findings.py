"""Protects: readings, rules and puzzles in the explorer say what the engine, the reports and the collections say."""

from __future__ import annotations

import html
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rulecheck import registry
from rulecheck.explorer import book, compare, puzzling
from rulecheck.explorer.address import Address
from rulecheck.explorer.look import look

ROOT = Path(__file__).parents[2]
REPORTS = ROOT / "reports"
FIVE = ("crosswalk", "hextris", "icehouse", "icepalace", "nestrace")


def _verdicts(slug: str) -> list[tuple[Address, str]]:
    """Every link of a report's findings that names a verdict, with that verdict."""
    findings = book.rules(slug, REPORTS)["findings"]
    verdicts = [under for row in findings for case in row["cases"] for under in case["verdicts"]]
    notes = [(row["address"], row["witness"]["note"]) for row in findings if _names_a_verdict(row)]
    every = [*((under["address"], under["verdict"]) for under in verdicts), *notes]
    return [(Address.of_json(address), verdict) for address, verdict in every]


def _names_a_verdict(row: dict[str, Any]) -> bool:
    return row["label"] == "Clause and reading" and (row["witness"] or {}).get("note", "").startswith(
        ("legal", "illegal")
    )


@pytest.mark.parametrize("slug", FIVE)
def test_every_open_in_explorer_link_reproduces_its_verdict(slug: str) -> None:
    links = _verdicts(slug)
    assert links
    for address, verdict in links:
        read = Address.of_json(json.loads(json.dumps(address.as_json())))
        assert _told(look(read), verdict), f"{address.url()} should be {verdict}"


@pytest.mark.parametrize("slug", FIVE)
def test_every_deciding_case_is_decided_by_its_clause(slug: str) -> None:
    """Each can be opened, and what is forbidden is mostly illegal by that clause; a definition may speak for it."""
    cases = [clause for clause in book.rules(slug, REPORTS)["clauses"] if (clause["decides"] or {}).get("address")]
    named: list[str] = []
    for clause in cases:
        address = Address.of_json(clause["decides"]["address"])
        seen = look(address)
        assert seen["position"] == address.position
        assert not seen["asked_problem"]
        broken = seen["asked"]["broken"] if seen["asked"] else []
        named.extend(entry["clause"] for entry in broken if entry["clause"] == clause["id"])
    assert 2 * len(named) > sum(clause["kind"] == "forbids" for clause in cases)


@pytest.mark.parametrize("slug", FIVE)
def test_every_finding_can_be_opened(client: TestClient, slug: str) -> None:
    found = book.rules(slug, REPORTS)
    rows = [*found["letter"], *found["findings"]]
    addresses = [Address.of_json(row["address"]) for row in rows if row["address"]]
    page = html.unescape(client.get(f"/rules/{slug}").text)
    assert found["stale"] == ("made for other words of this rulebook" in page)
    assert found["stale"] or len(addresses) > len(found["letter"]) > 3
    for address in addresses:
        seen = look(address)
        assert seen["position"] == address.position
        assert not seen["asked_problem"], address.url()
        assert address.url() in page


def _told(seen: dict[str, Any], verdict: str) -> bool:
    """The engine's words, or where a legal move leads and what comes of it."""
    asked = seen["asked"]
    return verdict.partition(";")[0] == asked["text"] or f"{verdict},".startswith(f"legal, then {asked['result']},")


def test_toggling_a_reading_changes_the_moves_as_the_report_says() -> None:
    report = book.report_of(REPORTS, "hextris")
    for row in report["ambiguities"][:6]:
        if row["witness"] is None or not {"legal"} & set(row["verdicts"].values()):
            continue
        game = registry.find("hextris")
        first, second = row["values"]
        there = book.address_of(game, row["witness"], **{row["reading"]: first}).but()
        option = next(o for o in compare.readings(there, REPORTS)["options"] if o["name"] == row["reading"])
        change = next(v for v in option["values"] if v["value"] == second)["change"]
        legal = [row["verdicts"][value] == "legal" for value in (first, second)]
        if legal == [False, True]:
            assert row["witness"]["move"] in change["more"]
        elif legal == [True, False]:
            assert row["witness"]["move"] in change["less"]


def test_two_readings_side_by_side_mark_what_differs(client: TestClient) -> None:
    page = client.get("/readings/hextris/A_a1:A2_a2:B3?v=swap:symmetric")
    assert page.status_code == 200
    assert "legal only on the right" in page.text
    assert "a1xa2" in page.text
    same = client.get("/readings/hextris/A_a1:A2_a2:B3?v=gift:void").text
    assert "Both allow the same moves here" in same


@pytest.mark.parametrize("slug", [*FIVE, "oxo"])
def test_every_clause_stands_on_the_page_of_the_rules(client: TestClient, slug: str) -> None:
    page = html.unescape(client.get(f"/rules/{slug}").text)
    for clause in registry.find(slug).rulebook.clauses.values():
        assert f'id="{clause.id}"' in page
        assert clause.text in page


# -- Puzzles ---------------------------------------------------------------------------------------------------

FOLDERS = [REPORTS / "puzzles"]
PUZZLES = puzzling.collected(FOLDERS)[0]


def _solve(address: Address, puzzle: dict[str, Any]) -> dict[str, Any]:
    """Play what the solution says, and against it the last defence that is offered, as long as there is one."""
    for _ in range(40):
        panel = puzzling.panel(address, FOLDERS)
        if panel["status"] == "solved":
            return panel
        if panel["mode"] in ("legal", "text"):
            address = address.but(answer=puzzle["answer"][0].partition(" by ")[0])
            continue
        if panel["defences"]:
            defence = panel["defences"][-1]
            address = address.but(position=defence["result"], line=(*address.line, *defence["moves"]))
            continue
        seen = look(address)
        if seen["chances"]:
            rolls = puzzle["asked"].split()
            done = sum(step["chance"] for step in seen["line"])
            step = next(c for c in seen["chances"] if c["label"] == rolls[done])
            address = address.but(position=step["result"], line=(*address.line, step["label"]))
            continue
        key = puzzling.panel(address.but(hint=3), FOLDERS)["hints"][2].removeprefix("It is ").removesuffix(".")
        result = next(move["result"] for move in seen["moves"] if move["move"] == key)
        address = address.but(position=result, line=(*address.line, key))
    raise AssertionError(f"{puzzle['id']} is never solved")


@pytest.mark.parametrize("name", sorted(PUZZLES))
def test_every_puzzle_of_the_collections_can_be_solved(name: str) -> None:
    puzzle = PUZZLES[name]
    begin = puzzling.begin(puzzle)
    assert puzzling.panel(begin, FOLDERS)["status"] == "open"
    assert _solve(begin, puzzle)["solution"]


def test_wrong_moves_and_wrong_answers_fail(client: TestClient) -> None:
    for puzzle in PUZZLES.values():
        begin = puzzling.begin(puzzle)
        mode = puzzling.panel(begin, FOLDERS)["mode"]
        if mode in ("legal", "text"):
            wrong = {"legal": "illegal", "illegal": "legal"}.get(puzzle["answer"][0].partition(" by ")[0], "nonsense")
            assert puzzling.panel(begin.but(answer=wrong), FOLDERS)["status"] == "wrong"
        elif mode == "tree" and puzzle["game"] == "hextris":
            seen = look(begin)
            right = {m["result"] for m in seen["moves"] if m["move"] in puzzle["answer"]}
            bad = next(move for move in seen["moves"] if move["result"] not in right)
            played = begin.but(position=bad["result"], line=(bad["move"],))
            assert puzzling.panel(played, FOLDERS)["status"] == "wrong"
    assert client.get("/g/oxo?z=nonsense").status_code == 400


@pytest.mark.parametrize("name", sorted(PUZZLES))
def test_no_answer_is_given_away(client: TestClient, name: str) -> None:
    """While a question is open its page lists no moves, asks no encoding and shows no score; then it does."""
    begin = puzzling.begin(PUZZLES[name])
    if puzzling.panel(begin, FOLDERS)["mode"] not in ("legal", "text"):
        return
    page = html.unescape(client.get(begin.url()).text)
    assert "data-move" not in page
    assert "Why (not)?" not in page
    assert '<a class="place' not in page
    assert "/picture/" not in page  # the move that is asked about is drawn on the board, unless that tells
    if begin.game == "icehouse":
        assert not re.search(r"\d points?,", page)
        assert re.search(r"\d points?,", client.get(begin.but(hint=4).url()).text)
    assert "Why (not)?" in client.get(begin.but(hint=4).url()).text


def test_puzzles_are_filtered(client: TestClient) -> None:
    every = client.get("/puzzles").text.count("data-puzzle")
    assert every == len(PUZZLES)
    some = client.get("/puzzles?game=hextris&kind=win-in-2").text.count("data-puzzle")
    assert some == sum(p["kind"] == "win-in-2" and p["game"] == "hextris" for p in PUZZLES.values())


def test_the_games_are_shown_in_progress(client: TestClient) -> None:
    """By the first finding of the report; a game without one is shown at its start."""
    page = client.get("/").text
    for slug in FIVE:
        shown = re.search(rf'<img [^>]*src="(/picture/{slug}[^"]*)"', page)
        assert shown
        assert "/" in shown[1].removeprefix(f"/picture/{slug}")
        picture = client.get(html.unescape(shown[1]))
        assert picture.headers["content-type"] == "image/svg+xml"
        assert "prefers-color-scheme: dark" in (ET.fromstring(picture.text)[0].text or "")
    assert 'src="/picture/oxo"' in page
