"""What a game says about itself in a player's words: `letter.toml`, kept beside its rulebook.

It only puts results into words: each finding names the row of the document it is about, and the page prints that row's
verdict and scope with it. A game without a letter gets words made from the rows.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rulecheck.model import InputError
from rulecheck.registry import Game, read_resource

KINDS = ("claim", "clause", "reading", "stalemate", "proposal", "ending")
PICTURE = {"position", "move", "params", "readings", "words", "line"}
KEYS: Mapping[str, set[str]] = {
    "the letter": {"language", "opening", "finding", "question", "happens", "chapter"},
    "a finding": {"about", "title", "text", "picture"},
    "a question": {"ask", "answers", "picture"},
    "a chapter": {"id", "title", "text", "part"},
    "a part of a chapter": {"title", "text", "picture"},
    "a picture": PICTURE,
}


@dataclass(frozen=True)
class Told:
    """A finding in words; `about` names its subject: `claim CC-09`, `stalemate no-turn`, `ending`."""

    about: str
    title: str
    text: str = ""
    picture: Mapping[str, Any] | None = None

    @property
    def kind(self) -> str:
        return self.about.partition(" ")[0]

    @property
    def name(self) -> str:
        return self.about.partition(" ")[2]


@dataclass(frozen=True)
class Question:
    """A reading worded as a question, with its answers in words (by default, the rulebook's meanings)."""

    ask: str = ""
    answers: Mapping[str, str] = field(default_factory=dict)
    picture: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Part:
    """A paragraph of a chapter, with a picture if one helps."""

    title: str
    text: str
    picture: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Chapter:
    """What there is to say about a version of the game, behind the letter."""

    id: str
    title: str
    text: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Letter:
    """`language` is that of the quoted words; `happens` says, for a stalemate, what can happen."""

    language: str = ""
    opening: str = ""
    findings: tuple[Told, ...] = ()
    questions: Mapping[str, Question] = field(default_factory=dict)
    happens: Mapping[str, str] = field(default_factory=dict)
    chapters: tuple[Chapter, ...] = ()


def read_letter(game: Game) -> Letter:
    if game.letter_file is None:
        return Letter()
    name = game.letter_file.partition(":")[2]
    try:
        data = tomllib.loads(read_resource(game.letter_file))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name} is not valid TOML: {error}") from None
    _check(name, "the letter", data)
    findings = tuple(_told(name, row) for row in data.get("finding", ()))
    questions = {key: _question(name, row) for key, row in data.get("question", {}).items()}
    plain = {key: data[key] for key in ("language", "opening", "happens") if key in data}
    chapters = tuple(_chapter(name, row) for row in data.get("chapter", ()))
    return Letter(findings=findings, questions=questions, chapters=chapters, **plain)


def _told(file: str, row: Mapping[str, Any]) -> Told:
    _check(file, "a finding", row)
    _check(file, "a picture", row.get("picture", {}))
    for key in ("about", "title"):
        if key not in row:
            raise InputError(f"{file}: a finding lacks the key {key!r}")
    told = Told(**row)
    if told.kind not in KINDS:
        raise InputError(f"{file}: a finding is about one of {', '.join(KINDS)}, found {told.about!r}")
    return told


def _question(file: str, row: Mapping[str, Any]) -> Question:
    _check(file, "a question", row)
    _check(file, "a picture", row.get("picture", {}))
    return Question(**row)


def _chapter(file: str, row: Mapping[str, Any]) -> Chapter:
    _check(file, "a chapter", row)
    parts = row.get("part", ())
    for part in parts:
        _check(file, "a part of a chapter", part)
        _check(file, "a picture", part.get("picture", {}))
    for what, given, keys in (("a chapter", [row], ("id", "title", "text")), ("a part", parts, ("title", "text"))):
        for key in keys:
            if any(key not in one for one in given):
                raise InputError(f"{file}: {what} lacks the key {key!r}")
    return Chapter(row["id"], row["title"], row["text"], tuple(Part(**part) for part in parts))


def _check(file: str, what: str, row: Mapping[str, Any]) -> None:
    for key in row:
        if key not in KEYS[what]:
            raise InputError(f"{file}: unknown key {key!r} in {what}; known: {', '.join(sorted(KEYS[what]))}")
