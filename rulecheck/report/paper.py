"""A document with what every section of its page needs: look-ups, pictures, badges."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rulecheck import render
from rulecheck.model import OURS
from rulecheck.registry import Game
from rulecheck.report.html import Markup, join, link, tag, text

Document = Mapping[str, Any]
NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'  # needless inside HTML


@dataclass(frozen=True, eq=False)
class Paper:
    document: Document
    game: Game

    @property
    def book(self) -> Document:
        found: Document = self.document["rulebook"]
        return found

    @functools.cached_property
    def clauses(self) -> dict[str, Document]:
        return {row["id"]: row for row in self.book["clauses"]}

    @functools.cached_property
    def readings(self) -> dict[str, Document]:
        """By the name an option uses."""
        return {row["name"]: row for row in self.book["readings"]}

    @functools.cached_property
    def claims(self) -> dict[str, Document]:
        return {row["id"]: row for row in self.book["claims"]}

    @functools.cached_property
    def verdicts(self) -> dict[str, Document]:
        """What was found about each claim."""
        return {row["claim"]: row for row in self.document["claims"]["claims"]}

    @functools.cached_property
    def said(self) -> dict[str, Document]:
        """The claims that the sheet makes: no other speaks for or against a reading."""
        return {name: row for name, row in self.verdicts.items() if not is_ours(row)}

    @functools.cached_property
    def derived(self) -> dict[str, Document]:
        """The consequences that we derived."""
        return {name: row for name, row in self.verdicts.items() if is_ours(row)}

    @functools.cached_property
    def coverage(self) -> dict[str, Document]:
        return {row["clause"]: row for row in self.document["coverage"]}

    def meaning(self, name: str, value: str) -> str:
        return next(str(v["meaning"]) for v in self.readings[name]["values"] if v["value"] == value)

    # -- Pictures ---------------------------------------------------------------------------------------------

    def picture(self, witness: Document, caption: object = None) -> Markup:
        """A position, with its move as arrows, its own line below it, and what there is to say about it."""
        line = [tag("code", witness["position"])]
        if witness.get("move"):
            line += [tag("code", witness["move"])]
        shown = join(line, Markup(" · "))
        words = shown if caption is None else join([caption, tag("br"), shown])
        return tag("figure", self.drawing(witness), tag("figcaption", words))

    def drawing(self, witness: Document) -> Markup:
        params = self.game.params(witness.get("params") or {})
        position = self.game.read_position(params, witness["position"])
        move = self.game.read_move(params, witness["move"]) if witness.get("move") else None
        return Markup("\n" + render.svg(self.game, params, position, move).replace(NAMESPACE, ""))

    def claim_witness(self, claim: str) -> Document | None:
        """The position a claim speaks of, or the one in which a reading it depends on shows its two values."""
        data = self.claims[claim]["data"]
        if "position" in data:
            roll = f" roll={data['roll']}" if "roll" in data else ""
            move = data.get("turn") or data.get("move")
            return {"position": data["position"] + roll, "move": move, "params": data.get("params")}
        if "cases" in data:
            case = data["cases"][0]
            shown = [*(step["event"] for step in case.get("steps", ())), *case.get("tries", ())]
            return {"position": case["position"], "move": next(iter(shown), None), "params": case.get("params")}
        return next((row["witness"] for row in self.splits(claim) if row["witness"]), None)

    def splits(self, claim: str) -> list[Document]:
        """The pairs of values that this claim tells apart."""
        return [row for row in self.document["ambiguities"] if any(claim in w["keeps"] for w in row["claims"].values())]

    # -- Names ------------------------------------------------------------------------------------------------

    def clause_links(self, ids: Iterable[str]) -> Markup:
        return join([link(i, i) for i in ids], ", ")

    def claim_links(self, ids: Iterable[str]) -> Markup:
        return join([tag("a", i, href=f"#{i}", title=self.claims[i]["text"]) for i in ids], ", ")


def is_ours(claim: Document) -> bool:
    """Documents of earlier releases do not say who makes a claim; it is not put in the sheet's mouth."""
    return bool(claim.get("source", OURS) == OURS)


def badge(status: str, words: str = "") -> Markup:
    return tag("span", words or status, class_=f"badge {status}")


def headline(row: Document) -> str:
    """What a proof, or several, came to, with what was only sampled; documents of earlier releases lack the words."""
    usual = "sampled" if row.get("sample") and row["result"] == "UNKNOWN" else row["result"]
    return str(row.get("headline", usual))


def judged(statement: str, row: Document) -> Markup:
    """A statement, what became of it, and for what scope."""
    cases = f" ({row['cases']:,} cases)" if row.get("cases", 0) > 1 else ""
    shown = ", by the case shown" if row["result"] == "REFUTED" else ""
    return tag("p", badge(row["result"]), f" “{statement}”{shown}; {row['scope']}{cases}.", class_="small")


def pair_id(row: Document) -> str:
    return "-".join([row["reading"], *row["values"]])


FEW = 12  # moves that are shown without being asked for


def played(line: Iterable[str] | None) -> Markup | None:
    """How a position came about, or None if no line of play is known."""
    if line is None:
        return None
    turns = [tag("code", turn) for turn in line]
    if len(turns) > FEW:
        summary = tag("summary", f"Reached from the start by {len(turns)} moves")
        return tag("details", summary, join(turns, " "))
    return join(["Reached from the start by ", join(turns, ", then "), "."]) if turns else text("This is the start.")
