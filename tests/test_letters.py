"""Protects: a letter says only what the report shows, asks each question once, and every picture can be reproduced."""

from __future__ import annotations

import html
import json
import random
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulecheck import registry, verdicts, wording
from rulecheck.model import InputError
from rulecheck.report.findings import findings, how_sure
from rulecheck.report.letter import Letter, Told, read_letter
from rulecheck.report.page import game_page
from rulecheck.report.paper import Paper
from rulecheck.report.questions import by_weight, cards

REPORTS = Path(__file__).parent.parent / "reports"
SLUGS = ("crosswalk", "hextris", "icehouse", "icepalace", "nestrace")
ASKED = re.compile(r'<code class="command">(.*?)</code>\n<samp class="verdict">(.*?)</samp>', re.DOTALL)


def _paper(slug: str) -> Paper:
    return Paper(json.loads((REPORTS / f"{slug}.json").read_text(encoding="utf-8")), registry.find(slug))


@pytest.fixture(scope="module", params=SLUGS)
def paper(request: pytest.FixtureRequest) -> Paper:
    return _paper(request.param)


def _words(page: str) -> str:
    shown = re.sub(r"<(svg|style|script|details)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return re.sub(r"<[^>]*>", " ", shown)


# -- The letter -----------------------------------------------------------------------------------------------


def test_a_letter_is_short_and_every_finding_has_a_picture(paper: Paper) -> None:
    found = findings(paper)
    assert 3 <= len(found) <= 7
    assert all(finding.figure or finding.label == "A proposal" for finding in found)
    page = (REPORTS / f"{paper.game.slug}.html").read_text(encoding="utf-8")
    letter = page[: page.index('id="appendix"')]
    assert len(_words(letter).split()) < 1500
    assert len(how_sure(paper)) == 3


def test_no_counts_before_the_first_finding(paper: Paper) -> None:
    page = (REPORTS / f"{paper.game.slug}.html").read_text(encoding="utf-8")
    assert not re.search(r"\d", re.sub(r"For \d(-\d| or \d)? players", "", _words(page[: page.index("<h3>")])))


def test_a_letter_cannot_speak_of_what_was_not_found(paper: Paper) -> None:
    for kind in ("claim", "clause", "reading", "stalemate", "proposal"):
        other = Paper(paper.document, paper.game)
        other.__dict__["letter"] = Letter(findings=(Told(f"{kind} nonsense", "It never happened"),))
        with pytest.raises(InputError, match=r"speaks of the .*'nonsense', and the report has none"):
            findings(other)


def test_a_letter_cannot_word_answers_that_do_not_exist() -> None:
    paper = _paper("hextris")
    asked = replace(paper.letter.questions["swap"], answers={"nonsense": "Never."})
    paper.__dict__["letter"] = replace(paper.letter, questions={"swap": asked})
    with pytest.raises(InputError, match="unknown answers to swap"):
        cards(paper)


def test_a_picture_that_shows_no_difference_is_refused() -> None:
    paper = _paper("hextris")
    asked = replace(paper.letter.questions["swap"], picture={"position": "A a1:A2 e3:B3", "move": "a1-a2"})
    paper.__dict__["letter"] = replace(paper.letter, questions={"swap": asked})
    with pytest.raises(InputError, match="shows no difference"):
        cards(paper)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("opening = [", "is not valid TOML"),
        ("closing = 'x'", "unknown key 'closing' in the letter"),
        ("[[finding]]\ntitle = 'x'", "a finding lacks the key 'about'"),
        ("[[finding]]\nabout = 'weather'\ntitle = 'x'", "a finding is about one of"),
        ("[question.swap]\nasked = 'x'", "unknown key 'asked' in a question"),
        ("[[chapter]]\nid = 'x'\ntitle = 'x'", "a chapter lacks the key 'text'"),
        (
            "[[chapter]]\nid = 'x'\ntitle = 'x'\ntext = 'x'\n[[chapter.part]]\ntitle = 'x'",
            "a part lacks the key 'text'",
        ),
        ("[[chapter]]\nname = 'x'", "unknown key 'name' in a chapter"),
    ],
)
def test_a_mistake_in_a_letter_is_one_sentence(text: str, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulecheck.report.letter.read_resource", lambda name: text)
    with pytest.raises(InputError, match=problem):
        read_letter(registry.find("hextris"))


def test_a_chapter_stands_behind_the_letter_of_the_printed_game_alone() -> None:
    paper = _paper("nestrace")
    assert game_page(paper).count('id="three-and-six"') == 1
    smaller = Paper({**paper.document, "params": {**paper.document["params"], "core": "4"}}, paper.game)
    assert not smaller.letter.chapters


def test_a_game_without_a_letter_gets_one_made_of_its_rows(paper: Paper) -> None:
    bare = Paper(paper.document, replace(paper.game, letter_file=None))
    assert 3 <= len(findings(bare)) <= 7
    page = game_page(bare)
    assert page.count('class="finding"') == len(findings(bare))
    assert len(by_weight(bare)) == len(by_weight(paper))


# -- One card a question --------------------------------------------------------------------------------------


def test_every_open_question_has_one_card_and_one_answer_taken(paper: Paper) -> None:
    options = paper.game.rulebook.options
    assert [card.reading["name"] for card in cards(paper)] == list(options)
    assert set(paper.letter.questions) == set(options)
    for card in cards(paper):
        assert [answer.value for answer in card.answers] == list(options[card.reading["name"]].values)
        assert card.taken.value == paper.usual[card.reading["name"]]
        assert card.ask.endswith(("?", ")"))


def test_a_card_says_what_the_rows_say(paper: Paper) -> None:
    rows = {(row["reading"], *sorted(row["values"])): row for row in paper.document["ambiguities"]}
    for card in cards(paper):
        for answer in card.others:
            row = rows[card.reading["name"], *sorted((card.taken.value, answer.value))]
            assert (answer.verdict == "matters") == (row["result"] == "REFUTED")
            assert (answer.figure is not None) == (row["witness"] is not None)
            if answer.figure:
                assert len({ask.verdict for ask in answer.figure.asks}) == 2


def test_hextris_swap_is_asked_with_the_same_words_everywhere() -> None:
    """The page, and the README that sums it up: open, one answer taken, no solved result changed."""
    card = next(card for card in cards(_paper("hextris")) if card.reading["name"] == "swap")
    assert card.result.startswith("It changes the result of none of 24 solved games")
    assert {answer.value: answer.breaks for answer in card.others}["mutual"] == ("HC-06", "HC-11")
    readme = (REPORTS.parent / "README.md").read_text(encoding="utf-8")
    assert "settled" not in readme
    assert "none of 24 solved games" in readme


# -- Verdicts in words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", ["crosswalk", "icehouse"])
def test_the_readme_counts_the_questions_as_the_page_does(slug: str) -> None:
    readme = " ".join((REPORTS.parent / "README.md").read_text(encoding="utf-8").split())
    rows = readme.split("| game | players |")
    about = rows[0] if slug == "crosswalk" else rows[1][rows[1].index(f"reports/{slug}.html") :]
    found = re.search(r"(\w+) of (?:the )?(\w+) open readings change play", about)
    assert found
    paper = _paper(slug)
    counts = len(by_weight(paper)), len(cards(paper))
    assert found.groups() in [tuple(map(str, counts)), tuple(map(wording.number, counts))]


def test_verdicts_have_words_of_their_own() -> None:
    row = {"result": "REFUTED"}
    assert [verdicts.word(kind, row) for kind in ("proof", "clause", "reading", "stalemate")] == [
        "differs", "decides", "matters", "can happen",
    ]  # fmt: skip
    assert verdicts.word("stalemate", {"result": "PROVED"}) == "cannot happen"
    assert "games searched" in verdicts.word("stalemate", {"result": "PROVED", "bounded": True})
    assert verdicts.word("reading", {"result": "UNKNOWN"}) == "not known"


# -- Commands -------------------------------------------------------------------------------------------------


def _asked(slug: str) -> list[tuple[str, str]]:
    page = (REPORTS / f"{slug}.html").read_text(encoding="utf-8")
    return list(dict.fromkeys((html.unescape(a), html.unescape(b)) for a, b in ASKED.findall(page)))


def _check(rulecheck: Any, command: str, verdict: str) -> None:
    program, *arguments = shlex.split(command)
    run = rulecheck(*arguments)
    assert (program, run.status) == ("rulecheck", 0), command
    printed = " ".join(run.out.split())
    for line in verdict.splitlines():
        assert line == "…" or " ".join(line.split()) in printed, f"{command}: {line}"


@pytest.mark.parametrize("slug", SLUGS)
def test_every_picture_has_a_command(slug: str) -> None:
    page = (REPORTS / f"{slug}.html").read_text(encoding="utf-8")
    figures = re.findall(r"<figure>.*?</figure>", page, re.DOTALL)
    assert figures
    assert all(ASKED.search(figure) and '<p class="which">' in figure for figure in figures)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_sample_of_the_commands_gives_the_printed_verdicts(slug: str, rulecheck: Any) -> None:
    for command, verdict in random.Random(slug).sample(_asked(slug), 4):
        _check(rulecheck, command, verdict)


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_every_command_gives_the_printed_verdict(slug: str, rulecheck: Any) -> None:
    for command, verdict in _asked(slug):
        _check(rulecheck, command, verdict)
