"""What the appendix shows of clauses and dead ends, in words."""

from __future__ import annotations

import re

from rulecheck.report.figures import Figure
from rulecheck.report.paper import Document, Paper, is_ours
from rulecheck.wording import sentence

ALONE = "; nothing else is against it"


def case_words(note: str) -> str:
    """The smallest case of a clause, as one would say it."""
    if found := re.fullmatch(rf"illegal: \S+, (.*){ALONE}", note):
        return sentence(f"Forbidden, and by this rule alone: {found[1]}")
    if found := re.fullmatch(r"(.*) together would lead to .*, and no single turn does", note):
        return sentence(f"It would take {found[1]} to get there, and no single turn does both")
    if found := re.fullmatch(r"legal.*, and (\w+) has won", note):
        return sentence(f"Allowed, and {found[1]} wins")
    if note.startswith("legal, by this clause"):
        return "Allowed, by this rule."
    if note.startswith("legal, then"):
        return "Allowed, by this rule among others."
    return sentence(note)


def seen(note: str) -> str:
    """What is noted with a witness, where it is said of positions that were searched."""
    if found := re.fullmatch(r"(\d+) of them have this; none is nearer to the start", note):
        return f"{found[1]} such positions arise, and this one is the nearest to the start"
    return note


def clause_figure(paper: Paper, clause: str) -> Figure | None:
    witness = paper.coverage.get(clause, {}).get("witness")
    return paper.artist.figure(witness, case_words(witness.get("note", ""))) if witness else None


def attached(paper: Paper, clause: str) -> list[tuple[str, list[Document]]]:
    """The readings and claims that a clause has to do with."""
    claims = [c for c in paper.book["claims"] if clause in c["clauses"] and c["id"] in paper.verdicts]
    parts = [
        ("Questions of reading", [r for r in paper.book["readings"] if clause in r["clauses"]]),
        ("The sheet says of it", [c for c in claims if not is_ours(c)]),
        ("What follows", [c for c in claims if is_ours(c)]),
    ]
    return [(title, rows) for title, rows in parts if rows]
