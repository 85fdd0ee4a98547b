"""Protects: position pages say what the engine says, for every game, and no request can do harm or cause an error."""

from __future__ import annotations

import html
import re
import time
from collections import OrderedDict
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from rulecheck import registry
from rulecheck.explorer import weigh
from rulecheck.explorer.address import Address, escaped, unescaped
from rulecheck.explorer.desk import OutOfTimeError, Worker
from rulecheck.explorer.explorer import Folders

GAMES = ("crosswalk", "hextris", "icehouse", "icepalace", "nestrace", "oxo", "nim", "pig", "gobblet", "twentyone")
HEXTRIS = "A a1:A2 a2:B3"


def _links(page: str) -> dict[str, str]:
    """The moves on a page, and where each leads."""
    found = re.findall(r'<a class="move" href="([^"]*)"[^>]*data-move="([^"]*)"', page)
    return {html.unescape(move): html.unescape(href) for href, move in found}


def _position(url: str) -> str:
    return unescaped(unquote(url.partition("?")[0]).split("/", 3)[3])


@pytest.mark.parametrize("slug", GAMES)
def test_every_legal_move_leads_where_the_engine_says(client: TestClient, slug: str) -> None:
    game = registry.find(slug)
    engine = game.engine(game.params({}), game.rulebook.defaults())
    here = engine.start()
    while chances := engine.chances(here):
        here = chances[0].result
    url = Address(slug, str(here)).url()
    page = client.get(url)
    assert page.status_code == 200
    links = _links(page.text)
    for move, result in engine.moves(here).items():
        assert _position(links[str(move)]) == str(result)


def test_a_line_of_play_is_kept_and_taken_back(client: TestClient) -> None:
    start = client.get("/g/oxo").text
    first = _links(start)["X@a1"]
    second = _links(client.get(first).text)["O@b2"]
    page = client.get(second).text
    assert re.findall(r'<li class=""><a href="[^"]*">(.*?)</a>', page) == ["X@a1", "O@b2"]
    back = re.search(r'rel="prev"[^>]*href="([^"]*)"', page)
    assert back
    assert html.unescape(back[1]) == first
    assert "leads elsewhere" in client.get("/g/oxo/O_a1:X?l=X@c3").text
    assert "is dropped" in client.get("/g/oxo/O_a1:X?l=nonsense").text


def test_a_position_that_is_no_start_begins_its_own_line(client: TestClient) -> None:
    url = _links(client.get("/g/oxo/O_b2:X").text)["O@a1"]
    assert Address.read("oxo", "", [("from", "O b2:X")]).begin == "O b2:X"
    assert "from=O%20b2:X" in url
    assert 'rel="prev"' in client.get(url).text


def _settled(client: TestClient, url: str, pending: str = "data-refresh") -> str:
    """The page once nothing is pending any more."""
    for _ in range(900):
        page = client.get(url).text
        if pending not in page:
            return page
        time.sleep(0.1)
    raise AssertionError(f"{url} is never settled")


def test_small_games_are_solved_and_large_ones_are_not_guessed_at(client: TestClient) -> None:
    assert "Tie in 9" in _settled(client, "/g/oxo")
    won = _settled(client, "/g/oxo/X_a1:X_b1:X_a2:O_b2:O")
    assert "X wins in 1" in won
    assert won.index("Winning") < won.index("Losing")
    assert "Not solved" in _settled(client, "/g/icehouse")
    pig = _settled(client, "/g/pig?p=target:10")
    assert re.search(r'class="headline">0\.\d{4} / 0\.\d{4} / ', pig)


def test_play_beyond_the_budget_is_not_solved(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weigh, "_solved", OrderedDict())
    monkeypatch.setattr(weigh, "POSITIONS", 5)
    monkeypatch.setattr(weigh, "POSITIONS_HERE", 5)
    found = weigh.weigh(Address("hextris"), folders.tables, folders.reports)
    assert found["solved"] is False
    assert "too large" in found["reason"]


def test_an_illegal_move_shows_its_clause_by_both_encodings(client: TestClient) -> None:
    asked = Address("hextris", HEXTRIS, move="a1xa2")
    page = _settled(client, asked.url(), "thinking")
    assert "HX-23" in page
    clause = registry.find("hextris").rulebook.clauses["HX-23"].text
    assert clause in html.unescape(page)
    assert "thinking" not in page
    clicked = client.get(Address("hextris", HEXTRIS, at=("a1", "a2")).url()).text
    assert "a1xa2" in clicked
    assert "HX-23" in clicked


def test_chance_acts_by_its_weights_and_only_where_it_is_to_act(client: TestClient) -> None:
    before = "/roll/crosswalk"
    rolled = client.post(before)
    assert rolled.status_code == 303
    assert re.search(r"roll=[1-6]", rolled.headers["location"])
    assert client.post("/roll/hextris").status_code == 400


def test_editing_refuses_with_the_reason_and_keeps_what_was_typed(client: TestClient) -> None:
    good = client.get("/edit/oxo?head=O&at.a1=X")
    assert good.headers["location"] == "/g/oxo/O_a1:X"
    bad = client.get("/edit/oxo?head=O&at.a1=Z")
    assert bad.status_code == 400
    assert "a1 is one of" in bad.text
    assert 'name="at.a1" value="Z"' in bad.text
    moved = client.get("/edit/hextris?head=A&at.a1=A2&at.b2=B3")
    assert _position(moved.headers["location"]).startswith("A a1:A2 b2:B3")


def test_what_cannot_be_is_one_sentence(client: TestClient) -> None:
    for url, words in {
        "/g/nogame": "unknown game",
        "/g/hextris/zzz": "column 1",
        "/g/hextris?p=radius:99": "radius",
        "/g/hextris?r=swap:never": "unknown value of reading swap",
        "/g/hextris?p=radius": "wants NAME:VALUE",
        "/g/hextris/" + "A" * 20_000: "characters",
        "/nowhere": "no such page",
        "/g/faulty/X": "ZeroDivisionError",
    }.items():
        answer = client.get(url)
        assert 400 <= answer.status_code < 500, url
        assert words in html.unescape(answer.text), url
    assert "expected" in html.unescape(client.get("/g/hextris?m=%C2%A7").text)  # the page stays, beside the sentence


# -- Harm ------------------------------------------------------------------------------------------------------


def test_other_hosts_and_other_pages_are_refused(client: TestClient) -> None:
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400
    assert client.get("/", headers={"host": "localhost:8765"}).status_code == 200
    for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}):
        assert client.post("/roll/crosswalk", headers=headers).status_code == 403
    assert client.post("/roll/crosswalk", headers={"origin": "http://127.0.0.1"}).status_code == 303
    assert client.post("/roll/crosswalk", content=b"x" * 100_000).status_code == 413
    assert client.get("/g/oxo?m=" + "x" * 60_000).status_code == 414


def test_no_page_runs_what_an_address_says(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    page = client.get("/g/oxo?m=%3Cscript%3Ealert(1)%3C/script%3E&at=%22%3E%3Cb%3E").text
    assert "<script>alert" not in page
    assert '"><b>' not in page


def test_a_question_that_takes_too_long_is_unknown_and_the_next_one_is_answered() -> None:
    worker = Worker("test", _slow, 0.8)
    try:
        with pytest.raises(OutOfTimeError):
            worker.answer("sleep", {"seconds": 30})
        assert worker.answer("sleep", {"seconds": 0}) == {"slept": 0}
    finally:
        worker.close()


def _slow(name: str, about: dict[str, float]) -> dict[str, float]:
    time.sleep(about["seconds"])
    return {"slept": about["seconds"]}


# -- Any input -------------------------------------------------------------------------------------------------

TEXTS = ["A a1:A2", "X", "roll=3", "a1", "a1-b2", "hold", "O_a1:X", "A3>", "1,2", "nan"]
TEXT = st.text(max_size=30) | st.sampled_from(TEXTS)
KEYS = st.sampled_from([*"prlmvx", "at", "from", "pos", "head", "at.a1", "key.groups", "spot.x", "spot.y"])


@settings(max_examples=80)
@given(
    view=st.sampled_from(["g", "edit", "picture"]),
    slug=st.sampled_from(["hextris", "crosswalk", "oxo", "pig", "icehouse", "faulty"]) | st.text(max_size=8),
    position=TEXT,
    query=st.lists(st.tuples(KEYS, TEXT), max_size=5),
)
def test_no_input_is_an_error_of_ours(
    client: TestClient, view: str, slug: str, position: str, query: list[tuple[str, str]]
) -> None:
    from urllib.parse import quote, urlencode

    url = f"/{view}/{quote(slug, safe='')}/{quote(position, safe='')}?{urlencode(query, errors='ignore')}"
    assert client.get(url).status_code < 500


@given(st.text())
def test_positions_survive_their_addresses(text: str) -> None:
    words = " ".join(text.split())
    assert unescaped(escaped(words)) == words


@given(st.lists(st.tuples(st.sampled_from("abc"), st.text()), max_size=3, unique_by=lambda pair: pair[0]))
def test_addresses_survive_their_text(pairs: list[tuple[str, str]]) -> None:
    from urllib.parse import parse_qsl

    made = Address("oxo", "O a1:X", tuple(pairs), line=("a b", "ü&="), begin="X", move="?", at=("1,2", "/"))
    query = parse_qsl(made.url().partition("?")[2], keep_blank_values=True)
    assert Address.read("oxo", "O_a1:X", query) == made
