"""Clauses and dead ends in the words of the appendix."""

from __future__ import annotations

import re

from rulecheck.report.figures import Figure
from rulecheck.report.paper import Document, Paper, is_ours
from rulecheck.wording import sentence

ALONE = "; nothing else is against it"


def case_words(note: str) -> str:
    """The smallest case of a clause, in plain words."""
    if match := re.fullmatch(rf"illegal: \S+, (.*){ALONE}", note):
        return sentence(f"Forbidden, and by this rule alone: {match[1]}")
    if match := re.fullmatch(r"(.*) together would lead to .*, and no single turn does", note):
        return sentence(f"It would take {match[1]} to get there, and no single turn does both")
    if match := re.fullmatch(r"legal.*, and (\w+) has won", note):
        return sentence(f"Allowed, and {match[1]} wins")
    if note.startswith("legal, by this clause"):
        return "Allowed, by this rule."
    if note.startswith("legal, then"):
        return "Allowed, by this rule among others."
    return sentence(note)


def seen(note: str) -> str:
    """The note of a witness, reworded if it counts the positions searched."""
    if match := re.fullmatch(r"(\d+) of them have this; none is nearer to the start", note):
        return f"{match[1]} such positions arise, and this one is the nearest to the start"
    return note


def clause_figure(paper: Paper, clause: str) -> Figure | None:
    witness = paper.coverage.get(clause, {}).get("witness")
    return paper.artist.figure(witness, case_words(witness.get("note", ""))) if witness else None


def attached(paper: Paper, clause: str) -> list[tuple[str, list[Document]]]:
    """The readings and claims related to a clause."""
    claims = [c for c in paper.book["claims"] if clause in c["clauses"] and c["id"] in paper.verdicts]
    parts = [
        ("Questions of reading", [r for r in paper.book["readings"] if clause in r["clauses"]]),
        ("The sheet says of it", [c for c in claims if not is_ours(c)]),
        ("What follows", [c for c in claims if is_ours(c)]),
    ]
    return [(title, rows) for title, rows in parts if rows]
