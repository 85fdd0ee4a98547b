"""Protects: the API, jobs, tables and the static copy answer with the same documents, and refuse what cannot be."""

from __future__ import annotations

import html
import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from rulecheck.explorer.api import ENDPOINTS, ROOT
from rulecheck.explorer.explorer import Folders


def test_the_api_says_what_the_commands_say(client: TestClient, rulecheck: Any) -> None:
    asked = {"pos": "A a1:A2 a2:B3", "m": "a1xa2"}
    assert client.get(f"{ROOT}/why/hextris", params=asked).json() == json.loads(
        rulecheck("why", "hextris", asked["pos"], asked["m"], "--json").out
    )
    listed = json.loads(rulecheck("moves", "oxo", "O a1:X", "--json").out)["moves"]
    assert client.get(f"{ROOT}/moves/oxo", params={"pos": "O a1:X"}).json()["moves"] == listed
    probed = client.get(f"{ROOT}/probe/oxo").json()
    assert (probed["value"], probed["distance"]) == ("tie", 9)


def test_openapi_describes_every_endpoint(client: TestClient) -> None:
    described = client.get(f"{ROOT}/openapi.json").json()
    assert sorted(described["paths"]) == sorted(f"{ROOT}{path}" for path, *_ in ENDPOINTS)
    for path in described["paths"]:
        url = path.replace("{game}", "oxo")
        assert client.get(url, params={"m": "O@a1"}).status_code == 200, url
        assert path in client.get("/api").text


def test_refusals_are_json_too(client: TestClient) -> None:
    for url in (f"{ROOT}/moves/none", f"{ROOT}/why/oxo", f"{ROOT}/moves/oxo?pos=nonsense", f"{ROOT}/nothing"):
        answer = client.get(url)
        assert answer.status_code == 400
        assert answer.json()["error"]


KEYS = st.sampled_from(["pos", "p", "r", "m", "v", "l", "z", "hint", "param.squares", "reading.swap", "kind", "level"])
TEXTS = st.text(max_size=12) | st.sampled_from(["O a1:X", "a1", "swap:any_two"])
PATHS = st.sampled_from([path for path, *_ in ENDPOINTS if path != "/probe/{game}"]).map(lambda path: ROOT + path)


@settings(max_examples=40)
@given(
    path=PATHS | st.sampled_from(["/lab/{game}", "/rules/{game}", "/readings/{game}", "/puzzles/{game}", "/tables"]),
    game=st.sampled_from(["oxo", "hextris", "crosswalk", "faulty", "nothing"]),
    query=st.lists(
        st.tuples(KEYS, st.text(max_size=12) | st.sampled_from(["O a1:X", "a1", "swap:any_two"])), max_size=4
    ),
)
def test_no_request_is_an_error_of_ours(client: TestClient, path: str, game: str, query: list[tuple[str, str]]) -> None:
    from urllib.parse import urlencode

    assert client.get(f"{path.format(game=game)}?{urlencode(query, errors='ignore')}").status_code < 500


# -- Jobs and tables -------------------------------------------------------------------------------------------

SMALL = {"game": "hextris", "p": ["radius:1", "group:3", "groups:1", "pieces:0,1,2"]}


def _over(client: TestClient, number: int) -> Any:
    jobs = client.app.state.explorer.jobs  # type: ignore[attr-defined]
    for _ in range(1200):
        job = jobs.all()[number]
        if job.is_over:
            return job
        time.sleep(0.1)
    raise AssertionError("the job never ends")


@pytest.mark.slow
def test_a_solved_table_is_kept_used_and_certified(client: TestClient, folders: Folders) -> None:
    started = client.post("/jobs", data={"kind": "solve", **SMALL})
    assert started.status_code == 303
    assert started.headers["location"].startswith("/lab/hextris")
    job = _over(client, 0)
    assert job.status == "done", job.words
    (table,) = folders.tables.glob("*.table")
    page = client.get("/tables").text
    assert table.name in page
    assert "not checked since" in page
    probed = client.get(f"{ROOT}/probe/hextris", params={"p": SMALL["p"]}).json()
    assert probed["source"] == f"table {table.name}"
    assert (probed["value"], probed["distance"]) == ("win", 7)
    client.post("/jobs", data={"kind": "certify", "game": "hextris", "table": table.name})
    assert _over(client, 0).status == "done"
    assert "its certificate was checked" in client.get("/tables").text
    table.touch()
    assert "not checked since" in client.get("/tables").text


def test_pages_show_what_a_finished_job_found(client: TestClient, installed: None) -> None:
    client.post("/jobs", data={"kind": "solve", "game": "oxo"})
    job = _over(client, 0)
    assert job.status == "done", job.words
    for page in ("/lab/oxo", "/tables"):
        seen = client.get(page)
        assert seen.status_code == 200
        assert "<td>tie in 9</td>" in seen.text


def test_a_job_can_be_cancelled_and_only_so_many_run(client: TestClient) -> None:
    long = {"kind": "puzzles", "game": "hextris", "count": "200"}
    client.post("/jobs", data={**long, "seed": "1"})
    client.post("/jobs", data={**long, "seed": "2"})
    again = client.post("/jobs", data={**long, "seed": "3"})
    assert again.status_code == 400
    assert "jobs are running" in again.text
    for job in client.app.state.explorer.jobs.all()[:2]:  # type: ignore[attr-defined]
        assert client.post(f"/jobs/{job.id}/cancel").status_code == 303
        assert job.status == "cancelled"
    assert client.post("/jobs/99999/cancel").status_code == 400


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"kind": "solve", "game": "none"}, "unknown game"),
        ({"kind": "format", "game": "oxo"}, "no job is called"),
        ({"kind": "certify", "game": "oxo", "table": "../../etc/passwd"}, "there is no table"),
        ({"kind": "puzzles", "game": "oxo", "count": "many"}, "whole number"),
        ({"kind": "solve", "game": "--help"}, "unknown game"),
    ],
)
def test_jobs_that_cannot_be_are_refused(client: TestClient, form: dict[str, str], words: str) -> None:
    answer = client.post("/jobs", data=form)
    assert answer.status_code == 400
    assert words in answer.text


def test_the_lab_refuses_in_place(client: TestClient) -> None:
    refused = client.get("/lab/hextris?param.radius=77")
    assert refused.status_code == 400
    assert "parameter radius" in refused.text
    assert 'value="77"' in refused.text
    assert "Work on it" not in refused.text
    taken = client.get(
        "/lab/hextris?param.radius=1&param.group=3&param.groups=1&param.pieces=0,1,2&reading.swap=any_two"
    )
    assert "<code>swap=any_two</code>" in taken.text


def test_the_lab_offers_what_fits_a_change(client: TestClient) -> None:
    """The form sends every parameter; those left as printed need not stand in the way of one that was changed."""
    as_printed = "param.players=2&param.core=6&param.width=4&param.nests=4&param.side=west"
    refused = client.get(f"/lab/nestrace?param.board=hexagon&{as_printed}")
    assert refused.status_code == 400
    [link] = re.findall(r'With the rest made to fit: <a href="([^"]*)"', refused.text)
    fitting = client.get(html.unescape(link))
    assert fitting.status_code == 200
    assert all(f"<code>{said}</code>" in fitting.text for said in ("board=hexagon", "players=3", "side=south"))
    assert "made to fit" not in client.get("/lab/nestrace?param.board=hexagon&param.core=3").text


def test_the_way_to_the_lab_keeps_parameters_and_readings(client: TestClient) -> None:
    page = client.get("/g/hextris?p=group:3&r=swap:any_two&m=A2@a1").text
    assert 'href="/lab/hextris?p=group:3&amp;r=swap:any_two"' in page


# -- The static copy -------------------------------------------------------------------------------------------


def test_a_static_copy_has_no_dead_links(installed: None, rulecheck: Any, tmp_path: Path) -> None:
    run = rulecheck("export", str(tmp_path / "site"), "--game", "oxo", "--pages", "12", "--json")
    assert run.status == 0, run.err
    assert json.loads(run.out)["pages"] == 12
    site = tmp_path / "site"
    for page in site.rglob("*.html"):
        text = page.read_text()
        assert "<form" not in text
        assert "<script" not in text
        for link in re.findall(r'(?:href|src)="([^"#][^"#]*)', text):
            assert (page.parent / link).is_file(), f"{page} links to {link}"
    assert "Tie in 9" in (site / "g" / "oxo.html").read_text()
    assert all(file.suffix == ".svg" for file in (site / "picture").iterdir())  # or a server would call them pages
