"""Protects: the pages are whole, safe, reproducible, and say nothing that does not replay."""

from __future__ import annotations

import copy
import importlib
import json
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.analyses.ambiguities import weigh
from rulecheck.contract import brought
from rulecheck.model import Readings
from rulecheck.pages import prose
from rulecheck.report import kept_opinions, write_report
from rulecheck.report.html import VOID, tag
from rulecheck.report.tables import bounds

# The package exports a function of the same name, which hides the module from a plain import.
collecting = importlib.import_module("rulecheck.report.collect")
REPORTS = Path(__file__).parent.parent / "reports"
SLUGS = registry.names()
HOSTILE = "<script>alert('x')</script> & \"quoted\" </style>"

Document = dict[str, Any]


def _document(slug: str) -> Document:
    found: Document = json.loads((REPORTS / f"{slug}.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def document() -> Document:
    return _document("crosswalk")


def _page(document: Document, folder: Path) -> str:
    write_report([document], folder)
    return (folder / f"{document['game']}.html").read_text(encoding="utf-8")


class _Reader(HTMLParser):
    """Notes every mistake of nesting, every address, every id."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.mistakes: list[str] = []
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.names: set[str] = set()
        self.words: list[str] = []
        self.feed(page)
        self.close()
        self.mistakes += [f"{name} is never closed" for name in self.open]

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(name, attributes)
        if name not in VOID:
            self.open.append(name)

    def handle_startendtag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.names.add(name)
        for key, value in attributes:
            if key in ("href", "src", "xlink:href", "action", "data"):
                self.addresses.append(value or "")
            if key == "id":
                self.ids.append(value or "")

    def handle_endtag(self, name: str) -> None:
        if not self.open or self.open.pop() != name:
            self.mistakes.append(f"{name} is closed at {self.getpos()} out of turn")

    def handle_data(self, data: str) -> None:
        self.words.append(data)


# -- The pages ------------------------------------------------------------------------------------------------


def test_the_reader_sees_mistakes() -> None:
    assert _Reader("<p><b>x</p></b>").mistakes
    assert _Reader("<p>x").mistakes
    assert not _Reader("<p>x<br>y</p>").mistakes


@pytest.mark.parametrize("page", [*(f"{slug}.html" for slug in SLUGS), "index.html"])
def test_pages_are_well_formed_and_need_nothing_else(page: str) -> None:
    text = (REPORTS / page).read_text(encoding="utf-8")
    reader = _Reader(text)
    assert not reader.mistakes
    assert len(reader.ids) == len(set(reader.ids))
    inside = {f"#{name}" for name in reader.ids} | {"index.html", *(f"{slug}.html" for slug in SLUGS)}
    assert set(reader.addresses) <= inside | {"puzzles/puzzles.html", "puzzles/puzzles.pdf"}
    assert all((REPORTS / address).exists() for address in reader.addresses if not address.startswith("#"))
    assert not re.search(r"https?:|url\(|@import", text)
    assert not reader.names & {"link", "img", "iframe", "object"}
    assert text.count("<script>") == 1  # for the search and the copying; everything is there without it


@pytest.mark.parametrize("slug", SLUGS)
def test_every_clause_reading_and_claim_is_there(slug: str) -> None:
    reader = _Reader((REPORTS / f"{slug}.html").read_text(encoding="utf-8"))
    book = registry.find(slug).rulebook
    assert {*book.clauses, *book.readings, *book.claims} <= set(reader.ids)
    words = " ".join(reader.words)
    for reading in book.readings.values():
        assert all(re.search(rf"\b{re.escape(value)}\b", words) for value in reading.values)


def test_committed_pages_are_what_their_documents_give(tmp_path: Path) -> None:
    shutil.copytree(REPORTS / "puzzles", tmp_path / "puzzles")  # the index links to the book and shows its first puzzle
    write_report([_document(name) for name in SLUGS], tmp_path)
    names = ["index.html", *(f"{slug}.{kind}" for slug in SLUGS for kind in ("html", "json"))]
    assert [name for name in names if (tmp_path / name).read_bytes() != (REPORTS / name).read_bytes()] == []


@pytest.mark.parametrize("slug", SLUGS)
def test_committed_documents_are_about_the_rulebook_at_hand(slug: str) -> None:
    assert _document(slug)["rulebook"]["digest"] == registry.find(slug).rulebook.digest


@pytest.mark.parametrize("slug", SLUGS)
def test_no_result_comes_without_its_scope(slug: str) -> None:
    document = _document(slug)
    parts = [*document["ambiguities"], *document["stalemates"], *document["proofs"]["families"]]
    results = [*parts, *(row for row in document["coverage"] if row["result"])]
    assert {row["result"] for row in results} <= {"PROVED", "REFUTED", "UNKNOWN"}
    page = " ".join(_Reader((REPORTS / f"{slug}.html").read_text(encoding="utf-8")).words)
    assert all(row["scope"] and row["scope"] in page for row in results)


def test_hostile_text_is_escaped(document: Document, tmp_path: Path) -> None:
    def spoil(part: Any) -> None:
        for key in ("text", "why", "meaning", "note", "witness", "title", "summary", "scope", "designer", "pointer"):
            if isinstance(part.get(key), str):
                part[key] = HOSTILE + part[key]
        for child in part.values():
            for one in child if isinstance(child, list) else [child]:
                if isinstance(one, dict):
                    spoil(one)

    spoil(document)
    page = _page(document, tmp_path)
    assert not _Reader(page).mistakes
    assert page.count("<script") == 1
    assert page.index("<script") > page.index("</main>")
    assert page.count("</style>") == 1
    assert "&lt;script&gt;alert(" in page


def test_text_is_escaped_once() -> None:
    assert tag("p", "a < b", tag("b", "&"), title='"') == '<p title="&quot;">a &lt; b<b>&amp;</b></p>'
    assert str(prose("`<` and more")) == "<code>&lt;</code> and more"
    assert str(prose("one ` alone")) == "one ` alone"


# -- With and without solved values ---------------------------------------------------------------------------


def _solved() -> Document:
    game = {
        "title": "a small game",
        "params": {"squares": "3"},
        "positions": 1234,
        "width": 1e-5,
        "neither": [0.0, 0.0],
    }
    ours = {**game, "readings": {}, "mover": [0.5100012, 0.5100088], "opponent": [0.48999, 0.49]}
    other = {**ours, "readings": {"spend": "max_points"}, "mover": [0.625, 0.625]}
    return {"games": [ours, other], "text": "It need not end.\n\nA second paragraph."}


def test_solved_values_are_shown_with_their_bounds(document: Document, tmp_path: Path) -> None:
    document["solved"] = _solved()
    claims = document["claims"]["claims"]
    document["ambiguities"] = weigh(document["ambiguities"], claims, document["solved"]["games"])
    page = _page(document, tmp_path)
    assert not _Reader(page).mistakes
    assert "<p>It need not end.</p>" in page
    assert "1,234" in page
    assert page.count("<td>0.510001 to 0.510009</td>") == 1
    assert page.count("<td><code>spend=max_points</code></td><td>1,234</td><td>0.625</td>") == 1
    assert page.count("It changes the chances of 1 of 1 solved games.") == 1


def test_a_document_without_solved_values_says_so(document: Document, tmp_path: Path) -> None:
    document["solved"] = None
    page = _page(document, tmp_path)
    assert not _Reader(page).mistakes
    assert "No solved game is part of this report" in page


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (0.53124413, 0.53124484, "0.5312441 to 0.5312449"),
        (0.21, 0.74, "0.2 to 0.8"),
        (0.0, 0.000023, "0.00000 to 0.00003"),
        (0.807287, 0.807288, "0.807287 to 0.807288"),
        (0.0, 0.0, "0"),
        (0.25, 0.25, "0.25"),
        (1.0, 1.0, "1"),
    ],
)
def test_bounds_are_rounded_outwards(low: float, high: float, shown: str) -> None:
    assert bounds(low, high) == shown
    ends = [float(part) for part in shown.split(" to ")]
    assert ends[0] <= low
    assert high <= ends[-1]


def test_samples_are_named_on_the_page(document: Document, tmp_path: Path) -> None:
    first, second, *_ = document["proofs"]["families"]
    document["proofs"]["headline"] = "PROVED (and 3 sampled)"
    first |= {"headline": "PROVED (and 2 sampled)", "note": "compared besides, as samples: one; two"}
    second |= {"result": "REFUTED", "sample": True, "headline": "REFUTED"}
    page = _page(document, tmp_path)
    assert page.count("PROVED (and 3 sampled)") == 1  # under the proofs, and not on the first screen
    assert '<span class="badge PROVED">PROVED (and 2 sampled)</span>' in page
    assert "; compared besides, as samples: one; two" in page
    assert '<span class="badge REFUTED">REFUTED</span></td><td>' + second["scope"] in page


def test_our_consequences_are_not_put_in_the_sheets_mouth(document: Document, tmp_path: Path) -> None:
    rows = document["claims"]["claims"]
    for row in rows:
        row["source"] = "words (Place)"
    page = _page(document, tmp_path)
    assert "The sheet contradicts itself" in page
    assert page.count('Sheet: <q lang="fr">words (Place)</q>') == len(rows)
    assert "<h3>What we derived</h3>" not in page
    for row in rows:
        row["source"] = "ours"
    page = _page(document, tmp_path)
    assert "The sheet contradicts itself" not in page
    assert "<h3>What the sheet says</h3>" not in page
    assert "<h3>What we derived</h3>" in page
    assert not _Reader(page).mistakes


def test_a_wrong_document_changes_the_page(document: Document, tmp_path: Path) -> None:
    page = _page(document, tmp_path)
    changed = copy.deepcopy(document)
    changed["claims"]["claims"][0]["default"] ^= True
    assert _page(changed, tmp_path) != page


# -- Collecting -----------------------------------------------------------------------------------------------


def test_collecting_weighs_claims_and_tells_how_far_it_is(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    """The analyses stand in as their committed answers; what is put around them must be what is committed."""
    bare = [{k: v for k, v in row.items() if k not in ("claims", "impact")} for row in document["ambiguities"]]
    searches = {name: document[name] for name in collecting.SEARCHES}
    answers = {**document, "searches": searches, "ambiguities": bare}
    parts = {name: (share, _stand_in(answers[name])) for name, (share, _) in collecting.PARTS.items()}
    monkeypatch.setattr(collecting, "PARTS", parts)
    heard: list[float] = []
    found = collecting.collect(registry.find("crosswalk"), 1, lambda what, done: heard.append(done))
    assert {**found, "second": document["second"]} == document
    assert json.loads(json.dumps(found)) == found
    assert heard == sorted(heard)
    assert heard[-1] == 1.0
    assert sum(share for share, _ in parts.values()) == pytest.approx(1.0)


def test_second_opinions_are_kept_for_the_same_proofs_only(document: Document) -> None:
    families = [{"family": row["family"], "cases": row["cases"]} for row in document["proofs"]["families"]]
    heard = {"asked": 2, "agreed": 2, "by": {"CaDiCaL": 2}, "contradicted": 0, "unanswered": 0, "families": families}
    assert kept_opinions(document, {"second": heard}) == heard
    assert kept_opinions(document, {"second": {**heard, "families": families[1:]}}) is None
    families[0] = {**families[0], "cases": families[0]["cases"] + 1}
    assert kept_opinions(document, {"second": heard}) is None
    assert kept_opinions(document, {}) is kept_opinions(document, None) is None


def test_second_opinions_are_shown(document: Document, tmp_path: Path) -> None:
    document["second"] = {"asked": 1200, "agreed": 1198, "by": {"cvc5": 1198}, "contradicted": 0, "unanswered": 2}
    page = _page(document, tmp_path)
    assert "A second opinion: 1,198 of 1,200 confirmed" in page
    assert "2 got no answer" in page
    assert "A second opinion" not in _page({**document, "second": None}, tmp_path)


def _stand_in(answer: Any) -> Any:
    def part(game: registry.Game, given: Any, jobs: int, report: Any) -> Any:
        report("half of it", 0.5)
        return answer

    return part


def test_claims_speak_for_and_against_values(document: Document) -> None:
    rows = {(row["reading"], *row["values"]): row["claims"] for row in document["ambiguities"]}
    assert rows["reloc_onto", "any", "no_direct"] == {
        "any": {"keeps": [], "breaks": ["CC-16"]},
        "no_direct": {"keeps": ["CC-16"], "breaks": []},
    }
    assert rows["spend", "exact", "max_points"]["exact"] == {"keeps": [], "breaks": []}


# -- What the documents say, replayed ---------------------------------------------------------------------------


def _witnesses(document: Document) -> Iterator[tuple[str, Document]]:
    for part in ("ambiguities", "coverage", "stalemates"):
        for row in document[part]:
            if row["witness"]:
                yield part, row


def _readings(document: Document, row: Document) -> Readings:
    return Readings(row["witness"].get("readings") or document["readings"])


@pytest.mark.parametrize("slug", SLUGS)
def test_ambiguities_replay_on_engine_and_spec(slug: str) -> None:
    document, game, seen = _document(slug), registry.find(slug), 0
    for row in (row for part, row in _witnesses(document) if part == "ambiguities"):
        params = game.params(row["witness"]["params"])
        position, move = (
            game.read_position(params, row["witness"]["position"]),
            game.read_move(params, row["witness"]["move"]),
        )
        for value, verdict in row["verdicts"].items():
            readings = _readings(document, row).replace(**{row["reading"]: value})
            engine = game.engine(params, readings)
            said, then, result = verdict.partition(", then ")
            assert str(engine.judge(position, move)) == (said if then else verdict)
            assert game.spec(params, readings).judge(position, move).legal == (said == "legal")
            if then:
                after, (result, told, winner) = engine.play(position, move), result.partition(", and ")
                assert str(after) == result
                end = engine.end(after)
                names = re.split(", | and ", re.sub(" wins?$", "", winner))
                assert not told or names == (list(end.winners) if end and end.winners else ["nobody"])
            seen += 1
    assert seen


@pytest.mark.parametrize("slug", SLUGS)
def test_cases_of_clauses_replay_on_engine_and_spec(slug: str) -> None:
    document, game, seen = _document(slug), registry.find(slug), 0
    for row in (row for part, row in _witnesses(document) if part == "coverage"):
        params, readings = game.params(row["witness"]["params"]), _readings(document, row)
        position = game.read_position(params, row["witness"]["position"])
        engine = game.engine(params, readings)
        if "move" not in row["witness"]:  # two acts in one turn: no single one leads there
            (result,) = re.findall(" would lead to (.*), and no single turn does$", row["witness"]["note"])
            assert result not in map(str, engine.moves(position).values())
            continue
        move = game.read_move(params, row["witness"]["move"])
        verdict = engine.judge(position, move)
        assert verdict.legal == row["witness"]["note"].startswith("legal")
        assert verdict.legal == game.spec(params, readings).judge(position, move).legal
        others = re.findall(r"without this clause \((\w+)=(\w+)\) it is (legal|illegal)", row["witness"]["note"])
        for name, value, said in others:
            without = game.engine(params, readings.replace(**{name: value})).judge(position, move)
            assert without.legal == (said == "legal") != verdict.legal
        assert verdict.legal or others or verdict.clauses == (row["clause"],)
        seen += 1
    assert seen


@pytest.mark.parametrize("slug", SLUGS)
def test_lines_of_play_lead_to_their_positions(slug: str) -> None:
    document, game, seen = _document(slug), registry.find(slug), 0
    for _, row in _witnesses(document):
        if "line" not in row["witness"]:
            continue
        params, readings = game.params(row["witness"]["params"]), _readings(document, row)
        if row.get("verdicts"):
            readings = readings.replace(**{row["reading"]: row["values"][0]})
        engine = game.engine(params, readings)
        position = game.hints.replay(engine, row["witness"]["line"])
        reached = [str(p) for p in brought(engine, position) or (position,)]
        assert row["witness"]["position"] in reached
        seen += 1
    assert seen


def test_stalemates_have_no_valid_turn(document: Document) -> None:
    game = registry.find("crosswalk")
    rows = [row for part, row in _witnesses(document) if part == "stalemates"]
    assert rows
    for row in rows:
        params, readings = game.params(row["witness"]["params"]), _readings(document, row)
        position = game.read_position(params, row["witness"]["position"])
        moves = game.engine(params, readings).moves(position)
        assert all(not move.steps or move.steps[0].relocates for move in moves), row["name"]
        spec = game.spec(params, readings)
        assert all(spec.judge(position, move).legal for move in moves)


def test_a_bounded_search_is_not_called_never(document: Document, tmp_path: Path) -> None:
    proved = next(row for row in document["ambiguities"] if row["result"] == "PROVED")
    assert "Never matters." in _page(document, tmp_path)
    proved["bounded"] = True
    page = _page(document, tmp_path)
    assert "Never matters." not in page
    assert "No difference found in the games searched." in page
