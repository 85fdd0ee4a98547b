"""A document with what all parts of its page need: look-ups, words, pictures."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulecheck.model import OURS, InputError, Readings
from rulecheck.registry import Game
from rulecheck.report.figures import Artist, Figure
from rulecheck.report.letter import Letter, read_letter

Document = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Paper:
    document: Document
    game: Game

    @property
    def book(self) -> Document:
        rulebook: Document = self.document["rulebook"]
        return rulebook

    @functools.cached_property
    def changed(self) -> dict[str, str]:
        """The parameters that are not as printed."""
        printed = self.game.params({}).as_dict()
        return {name: value for name, value in self.document["params"].items() if printed.get(name) != value}

    @property
    def name(self) -> str:
        """The base name of its files."""
        return "_".join([self.game.slug, *(f"{key}={value}" for key, value in self.changed.items())])

    @property
    def variant(self) -> str:
        """The version of the game in words, unless it is the printed one."""
        return self.artist.which(self.game.params(self.document["params"])) if self.changed else ""

    @functools.cached_property
    def letter(self) -> Letter:
        """Its findings and chapters belong to the printed game; its words for questions fit every version."""
        letter = read_letter(self.game)
        return replace(letter, opening="", findings=(), chapters=()) if self.changed else letter

    @functools.cached_property
    def usual(self) -> Readings:
        """The readings taken; one newer than a kept document has its default."""
        return Readings({**self.game.rulebook.defaults(), **self.document["readings"]})

    @functools.cached_property
    def artist(self) -> Artist:
        return Artist(self.game, self.usual, self.changed)

    # -- Look-ups ---------------------------------------------------------------------------------------------

    @functools.cached_property
    def clauses(self) -> dict[str, Document]:
        return {row["id"]: row for row in self.book["clauses"]}

    @functools.cached_property
    def readings(self) -> dict[str, Document]:
        """The readings by option name."""
        return {row["name"]: row for row in self.book["readings"]}

    @functools.cached_property
    def claims(self) -> dict[str, Document]:
        return {row["id"]: row for row in self.book["claims"]}

    @functools.cached_property
    def verdicts(self) -> dict[str, Document]:
        """The verdict on each claim."""
        return {row["claim"]: row for row in self.document["claims"]["claims"]}

    @functools.cached_property
    def said(self) -> dict[str, Document]:
        """The claims of the sheet; only these count for or against a reading."""
        return {name: row for name, row in self.verdicts.items() if not is_ours(row)}

    @functools.cached_property
    def derived(self) -> dict[str, Document]:
        """The consequences that we derived."""
        return {name: row for name, row in self.verdicts.items() if is_ours(row)}

    @functools.cached_property
    def coverage(self) -> dict[str, Document]:
        return {row["clause"]: row for row in self.document["coverage"]}

    @functools.cached_property
    def stalemates(self) -> dict[str, Document]:
        return {row["name"]: row for row in self.document["stalemates"]}

    def row(self, table: Mapping[str, Document], what: str, name: str) -> Document:
        """The row that a letter refers to; an error if it is missing."""
        if name not in table:
            raise InputError(f"the letter of {self.game.slug} speaks of the {what} {name!r}, and the report has none")
        return table[name]

    # -- Pictures ---------------------------------------------------------------------------------------------

    def figure(self, witness: Document | None, words: str = "") -> Figure | None:
        return None if witness is None else self.artist.figure(witness, words)

    def claim_witness(self, claim: str) -> Document | None:
        """The position of a claim, or one that shows the two values of a reading on which the claim depends."""
        data = self.claims[claim]["data"]
        if "position" in data:
            roll = f" roll={data['roll']}" if "roll" in data else ""
            move = data.get("turn") or data.get("move") or next(iter(data.get("moves", ())), None)
            return {"position": data["position"] + roll, "move": move, "params": data.get("params")}
        if "cases" in data:
            case = data["cases"][0]
            shown = [*(step["event"] for step in case.get("steps", ())), *case.get("tries", ())]
            return {"position": case["position"], "move": next(iter(shown), None), "params": case.get("params")}
        return next((row["witness"] for row in self.splits(claim) if row["witness"]), None)

    def splits(self, claim: str) -> list[Document]:
        """The pairs of values that this claim distinguishes."""
        return [row for row in self.document["ambiguities"] if any(claim in w["keeps"] for w in row["claims"].values())]


def is_ours(claim: Document) -> bool:
    """Is the claim ours? Documents of earlier releases do not say; such a claim is not attributed to the sheet."""
    return bool(claim.get("source", OURS) == OURS)


def headline(row: Document) -> str:
    """The result of one or more proofs, including what was only sampled; earlier documents lack the words."""
    usual = "sampled" if row.get("sample") and row["result"] == "UNKNOWN" else row["result"]
    return str(row.get("headline", usual))
