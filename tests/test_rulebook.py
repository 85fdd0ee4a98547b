"""The rulebook format: every mistake names its line, and the shipped rulebook is complete."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulecheck import registry
from rulecheck.games.crosswalk import GAME, Params
from rulecheck.model import InputError
from rulecheck.registry import read_resource
from rulecheck.rulebook import CLAUSE_KINDS, RulebookError, read_rulebook

SMALL = """\
[game]
slug = "tiny"
title = "Tiny"
designer = "Nobody"
sheet = "none"
players = "2"
summary = "A game for tests."
move_identity = "the result"

[[parameter]]
name = "size"
default = "3"
text = "How large."

[[clause]]
id = "T-01"
kind = "procedure"
text = "Something moves."

[[clause]]
id = "T-02"
kind = "forbids"
text = "But not there."
part_of = "T-01"

[[reading]]
id = "R-01"
name = "speed"
clauses = ["T-01"]
why = "Not said."

[reading.values]
slow = "One at a time."
fast = "Two at a time."

[[reading]]
id = "R-02"
name = "look"
kind = "document"
clauses = ["T-02"]
why = "Not said."

[reading.values]
plain = "No colours."

[[claim]]
id = "K-01"
text = "It moves."
source = "ours"
clauses = ["T-01"]
check = "moves"

[claim.data]
position = "A 1:A1"
"""


def line_of(text: str) -> int:
    """Where this text stands in SMALL, for the first time."""
    return SMALL[: SMALL.index(text)].count("\n") + 1


def test_small_rulebook_is_read() -> None:
    book = read_rulebook(SMALL)
    assert list(book.clauses) == ["T-01", "T-02"]
    assert book.clauses["T-02"].part_of == "T-01"
    assert book.readings["R-01"].values == ("slow", "fast")
    assert book.readings["R-01"].default == "slow"
    assert list(book.options) == ["speed"]
    assert book.claims["K-01"].expect == "true"
    assert book.claims["K-01"].is_ours
    assert book.claims["K-01"].data == {"position": "A 1:A1"}
    assert book.parameters[0].default == "3"


# What is replaced, by what, the text on whose line (of SMALL) the error is, and a part of the sentence.
MISTAKES = {
    "unknown key": ('text = "Som', 'colour = "x"\ntext = "Som', 'text = "Som', "unknown key 'colour' in clause"),
    "unknown table": ("[[claim]]", "[[hint]]\n[[claim]]", "[[claim]]", "unknown table 'hint'"),
    "dangling part": ('of = "T-01"', 'of = "T-09"', 'part_of = "T-01"', "no clause has the id 'T-09'"),
    "dangling repetition": ("part_of", "repeats = 'T-8'\n#", "part_of", "no clause has the id 'T-8'"),
    "dangling clause of a reading": ('["T-02"]', '["T-07"]', '["T-02"]', "no clause has the id 'T-07'"),
    "duplicate clause": ('id = "T-02"', 'id = "T-01"', 'id = "T-02"', "'T-01' stands twice"),
    "duplicate reading": ('id = "R-02"', 'id = "R-01"', 'id = "R-02"', "'R-01' stands twice"),
    "duplicate name": ('name = "look"', 'name = "speed"', 'name = "look"', "'speed' stands twice"),
    "unknown kind": ('kind = "forbids"', 'kind = "bans"', 'kind = "forbids"', "unknown kind 'bans'"),
    "unknown reading kind": ('"document"', '"style"', '"document"', "unknown kind 'style'"),
    "a default of what does not depend": (
        'check = "moves"\n',
        'by_default = "false"\ncheck = "moves"\n',
        'check = "moves"',
        "K-01 does not",
    ),
    "missing key": ('check = "moves"\n', "", "[[claim]]", "claim K-01 lacks the key 'check'"),
    "claim without a source": ('source = "ours"\n', "", "[[claim]]", "claim K-01 lacks the key 'source'"),
    "source without a place": (
        '"ours"',
        '"Our own"',
        'source = "ours"',
        "source must be 'ours', or words of the sheet",
    ),
    "empty source": ('"ours"', '""', 'source = "ours"', "source must be 'ours', or words of the sheet"),
    "not TOML": ('text = "It moves."', "text = It moves.", 'text = "It moves."', "not valid TOML"),
}


@pytest.mark.parametrize(("old", "new", "at", "problem"), MISTAKES.values(), ids=MISTAKES.keys())
def test_mistakes_name_their_line(old: str, new: str, at: str, problem: str) -> None:
    with pytest.raises(RulebookError, match=re.escape(problem)) as caught:
        read_rulebook(SMALL.replace(old, new, 1), "tiny.toml")
    assert caught.value.line == line_of(at)
    assert str(caught.value).startswith(f"tiny.toml, line {line_of(at)}: ")


def test_mistakes_are_placed_in_the_table_they_are_in() -> None:
    """The key also stands in earlier tables; the line must be that of the table with the mistake."""
    text = SMALL.replace('clauses = ["T-01"]\ncheck', 'clauses = ["T-05"]\ncheck')
    with pytest.raises(RulebookError, match="no clause has the id 'T-05'") as caught:
        read_rulebook(text)
    assert caught.value.line == line_of('check = "moves"') - 1


def test_unknown_expectation_is_refused() -> None:
    text = SMALL.replace('check = "moves"', 'check = "moves"\nexpect = "perhaps"')
    with pytest.raises(RulebookError, match="unknown expect 'perhaps'; known: true, false, depends") as caught:
        read_rulebook(text)
    assert caught.value.line == line_of('check = "moves"') + 1


def test_reading_without_values_is_refused() -> None:
    text = SMALL.replace('plain = "No colours."\n', "")
    with pytest.raises(RulebookError, match="reading 'look' has no values") as caught:
        read_rulebook(text)
    # The table of the second reading is meant, not that of the first.
    assert caught.value.line == line_of('plain = "No colours."') - 1


@pytest.mark.parametrize("text", ["", SMALL + SMALL.partition("[[parameter]]")[0].replace("[game]", "[[game]]")])
def test_one_game_table_is_wanted(text: str) -> None:
    with pytest.raises(RulebookError):
        read_rulebook(text)


def test_digest_changes_with_every_word() -> None:
    assert read_rulebook(SMALL).digest != read_rulebook(SMALL.replace("Two at", "Three at")).digest


def test_choice_of_readings_is_checked() -> None:
    book = read_rulebook(SMALL)
    assert dict(book.choose({"speed": "fast"})) == {"speed": "fast"}
    with pytest.raises(InputError, match="unknown reading 'sped'; known: speed; did you mean 'speed'"):
        book.choose({"sped": "fast"})
    with pytest.raises(InputError, match="unknown value of reading speed 'fats'"):
        book.choose({"speed": "fats"})
    with pytest.raises(InputError, match="unknown reading 'look'"):  # a document reading changes no play
        book.choose({"look": "plain"})


def test_reading_may_be_asked_of_some_games_only() -> None:
    read = read_rulebook(SMALL.replace('why = "Not said."', 'why = "Not said."\nwhere = { size = "4" }', 1))
    assert list(read.options) == list(read.asked({"size": "4"})) == ["speed"]
    assert not read.asked({})
    with pytest.raises(
        RulebookError, match="reading 'speed': where gives parameters of this game as texts, found 'weight'"
    ):
        read_rulebook(SMALL.replace('why = "Not said."', 'why = "Not said."\nwhere = { weight = "4" }', 1))


KEY_LINES = [n for n, line in enumerate(SMALL.splitlines()) if re.match(r"[a-z_]+ = ", line)]


@given(st.sampled_from(KEY_LINES), st.from_regex(r"\A[a-z]{3,8}x\Z"))
def test_misspelt_keys_never_pass(number: int, word: str) -> None:
    """A renamed key is refused, unless it is a name the editor chooses: a value of a reading or a claim's data."""
    lines = SMALL.splitlines()
    key = lines[number].partition(" = ")[0]
    lines[number] = lines[number].replace(key, word, 1)
    text = "\n".join(lines)
    if key in ("slow", "fast", "plain", "position"):
        read_rulebook(text)
        return
    with pytest.raises(RulebookError, match=f"unknown key '{word}'") as caught:
        read_rulebook(text)
    assert caught.value.line == number + 1


@given(st.text(max_size=200))
def test_any_text_gets_a_sentence_or_a_rulebook(text: str) -> None:
    with pytest.raises(RulebookError, match=r"^rulebook, line \d+: "):
        read_rulebook(text)


@given(st.integers(0, len(SMALL) - 1), st.characters())
def test_damaged_rulebooks_never_crash(at: int, character: str) -> None:
    damaged = SMALL[:at] + character + SMALL[at + 1 :]
    try:
        read_rulebook(damaged)
    except RulebookError as error:
        assert 1 <= error.line <= damaged.count("\n") + 1  # noqa: PT017 (a valid rulebook is fine, too)


# -- The shipped rulebook -----------------------------------------------------------------------------------

BOOK = GAME.rulebook
OPTIONS = {
    "spend": ("exact", "max_points", "until_stuck"),
    "win": ("immediate", "end_of_turn"),
    "relocation": ("may", "must"),
    "reloc_from": ("anywhere", "board"),
    "reloc_onto": ("any", "no_direct"),
    "reloc_null": ("allowed", "forbidden"),
    "finish_entry": ("free", "nest_order"),
    "null_turn": ("allowed", "forbidden"),
    "after_relocation": ("end_turn", "then_spend"),
    "finish_bounce": ("allowed", "forbidden"),
}


def test_crosswalk_clauses_are_complete_and_in_order() -> None:
    whole = [c.id for c in BOOK.clauses.values() if c.part_of is None]
    assert whole == [f"CW-{n:02}" for n in range(1, 24)]
    assert [c.id for c in BOOK.clauses.values() if c.part_of] == ["CW-15b"]
    assert BOOK.clauses["CW-15b"].part_of == "CW-15"
    assert {c.id: c.repeats for c in BOOK.clauses.values() if c.repeats} == {"CW-22": "CW-02"}
    assert {c.kind for c in BOOK.clauses.values()} == set(CLAUSE_KINDS)


def test_crosswalk_readings_are_complete() -> None:
    assert list(BOOK.readings) == [f"CR-{n:02}" for n in range(1, 31)]
    assert {name: reading.values for name, reading in BOOK.options.items()} == OPTIONS
    for reading in BOOK.readings.values():
        assert reading.clauses
        assert all(meaning.endswith(".") for meaning in reading.meaning.values())


def test_crosswalk_decided_readings_say_what_decides_them() -> None:
    """Each claim they name exists, so that the reason can be looked up."""
    for reading in BOOK.readings.values():
        for claim in re.findall(r"CC-\d\d", f"{reading.decided} {reading.why}"):
            assert claim in BOOK.claims
    decided = {r.name for r in BOOK.readings.values() if r.decided}
    assert decided >= {"block", "direction", "interleave", "finish_cost", "own_on_own", "size_limit"}


def test_crosswalk_parameters_are_those_of_the_game() -> None:
    assert {p.name: p.default for p in BOOK.parameters} == Params().as_dict()


def test_crosswalk_pointers_are_no_quotations() -> None:
    assert all(len(c.pointer.split()) <= 8 for c in BOOK.clauses.values())


# What the sheets assert themselves; every other claim is ours.
SAID = {
    "crosswalk": [f"CC-{n:02}" for n in range(2, 19) if n != 10],
    "hextris": ["HC-05", "HC-06", "HC-11"],
    "icehouse": [f"IC-{n:02}" for n in (1, 3, 4, 5, 6, 9, 11, 13, 17, 19, 21)],
    "icepalace": [f"IC-{n:02}" for n in (1, 2, 4, 5, 6, 7, 12, 15, 17, 20)],
    "nestrace": ["NC-01", "NC-29", "NC-30", "NC-31", "NC-32", "NC-33"],
}


@pytest.mark.parametrize("slug", registry.names())
def test_every_claim_has_a_source(slug: str) -> None:
    """A pointer to the sheet is at most eight of its words, and their place."""
    claims = registry.find(slug).rulebook.claims.values()
    assert [claim.id for claim in claims if not claim.is_ours] == SAID[slug]
    for claim in claims:
        words, _, place = claim.source.rpartition(" (")
        assert claim.is_ours or (1 <= len(words.split()) <= 8 and place.endswith(")")), claim.id


def test_crosswalk_encodings_name_only_clauses_of_the_rulebook() -> None:
    from pathlib import Path

    import rulecheck.games.crosswalk.engine as engine
    import specs.crosswalk.spec_rules as rules

    for module in (engine, rules):
        named = set(re.findall(r"\"(CW-\w+)\"", Path(module.__file__ or "").read_text(encoding="utf-8")))
        assert len(named) > 5
        assert named <= set(BOOK.clauses)


def test_crosswalk_rulebook_text_is_plain() -> None:
    """No line too long to read in a terminal, none with trailing blanks."""
    lines = read_resource(GAME.rulebook_file).splitlines()
    assert max(map(len, lines)) <= 120
    assert all(line == line.rstrip() for line in lines)
