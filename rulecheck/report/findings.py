"""The headline findings of a document: what one would write to the game's designer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulecheck.report.html import Markup, block, join, link, listing, prose, tag, text
from rulecheck.report.paper import Document, Paper, badge, pair_id

NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")
NOT_SEEN = ("No difference seen", " in the games searched")


@dataclass(frozen=True)
class Finding:
    label: str
    headline: str
    body: Markup
    witness: Document | None = None


def findings(paper: Paper) -> list[Finding]:
    return [
        *_contradictions(paper),
        *_dead_ends(paper),
        *_broken_by_default(paper),
        *_open_questions(paper),
        *_leanings(paper),
        *_consequences(paper),
        *_idle_questions(paper),
        *_redundant(paper),
        ending(paper),
    ]


def count(number: int, one: str, many: str) -> str:
    """`Nine questions`, `One question`."""
    word = NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"
    return f"{word} {one if number == 1 else many}"


# -- What the sheet claims ------------------------------------------------------------------------------------


def _contradictions(paper: Paper) -> Iterator[Finding]:
    for name, row in paper.said.items():
        if row["contradiction"]:
            body = tag("p", prose(row["note"]), " Seen: ", row["witness"], ". ", link(name, name), ".")
            headline = f"“{row['text']}” It is not so, under any reading tried."
            yield Finding("The sheet contradicts itself", headline, body, paper.claim_witness(name))


def _broken_by_default(paper: Paper) -> Iterator[Finding]:
    for name, row in paper.said.items():
        if row["verdict"] == "depends" and not row["default"]:
            saved = [value for value, holds in row["readings"].items() if holds]
            body = block(
                tag("p", prose(row["note"]), " It would hold under ", _values(saved), "."),
                tag("p", "Seen: ", row["witness"], ". ", link(name, name), ".", class_="small"),
            )
            headline = f"“{row['text']}” Under the natural reading this fails."
            yield Finding("A claim that fails", headline, body, paper.claim_witness(name))


def _leanings(paper: Paper) -> Iterator[Finding]:
    for name, row in paper.said.items():
        if row["verdict"] == "depends" and row["default"]:
            broken = [value for value, holds in row["readings"].items() if not holds]
            body = tag("p", prose(row["note"]), " ", link(name, name), ".")
            headline = f"“{row['text']}” This speaks against {' and '.join(broken)}."
            yield Finding("The sheet answers in passing", headline, body, paper.claim_witness(name))


def _consequences(paper: Paper) -> Iterator[Finding]:
    """What we derived and what does not hold under every reading: it says what a reading does, not which is right."""
    rows = {name: row for name, row in paper.derived.items() if row["finding"]}
    if rows:
        items = [join([row["text"], " ", prose(row["finding"]), " ", link(n, n), "."]) for n, row in rows.items()]
        body = block(
            tag("p", "The sheet says none of this. We derived it, and it speaks for no answer:"), listing(items)
        )
        headline = count(len(rows), "consequence depends", "consequences depend") + " on how the sheet is read."
        yield Finding("What follows", headline, body)


def _values(names: list[str]) -> Markup:
    return join([tag("code", name) for name in names], " or ")


# -- What the sheet leaves open -------------------------------------------------------------------------------


def differing(paper: Paper) -> dict[str, Document]:
    """The readings that matter in play, each with the first pair of values that shows it."""
    found: dict[str, Document] = {}
    for row in paper.document["ambiguities"]:
        if row["result"] == "REFUTED":
            found.setdefault(row["reading"], row)
    return found


def _open_questions(paper: Paper) -> Iterator[Finding]:
    rows = differing(paper)
    if rows:
        items = [_question(paper, name, row) for name, row in rows.items()]
        elsewhere = " (or that leads elsewhere)" if any(map(_both_allow, rows.values())) else ""
        body = block(
            tag("p", "Each picture shows a move, in a position that play reaches, that one answer allows and another "
                f"does not{elsewhere}. The first answer is the natural reading, which this page uses for everything "
                "else."),
            listing(items, "ol", class_="questions"),
        )  # fmt: skip
        headline = count(len(rows), "question is", "questions are") + " left open by the sheet."
        yield Finding("Please decide", headline, body)


def _both_allow(row: Document) -> bool:
    """Is the move of the witness legal under both values, with different results?"""
    return all(verdict.startswith("legal") for verdict in row["verdicts"].values())


def _question(paper: Paper, name: str, row: Document) -> Markup:
    first, *others = (v["meaning"] for v in paper.readings[name]["values"])
    words = join([first, *others], tag("em", " Or: "))
    figure = tag("figure", paper.drawing(row["witness"]), tag("figcaption", _parting(row)))
    return tag("div", tag("div", words, " ", _more(row)), figure, class_="split thumb")


def _more(row: Document) -> Markup:
    return join([link(pair_id(row), f"More on {row['reading']}"), "."])


def _parting(row: Document) -> Markup:
    """The move of a witness (if it has one), and for which of the two values it is legal, or what comes of it."""
    allows, refuses = sorted(row["values"], key=lambda value: row["verdicts"][value] != "legal")
    said = f"legal with {allows}, not with {refuses}"
    if _both_allow(row):
        said = f"leads elsewhere with {allows} than with {refuses}"
    if all(verdict.endswith(" wins") for verdict in row["verdicts"].values()):
        won = [f"{verdict.rpartition(', and ')[2]} with {value}" for value, verdict in row["verdicts"].items()]
        said = ", ".join(won)
    return join([tag("code", row["witness"]["move"]), f": {said}"]) if row["witness"].get("move") else text(said)


def _idle_questions(paper: Paper) -> Iterator[Finding]:
    for row in paper.document["ambiguities"]:
        if row["result"] == "PROVED":
            first, second = (paper.meaning(row["reading"], value) for value in row["values"])
            scope = f" with every other reading at its default; {row['scope']}. "
            body = tag("p", badge("PROVED"), scope, prose(paper.readings[row["reading"]]["why"]), " ", _more(row))
            label, where = ("No need to decide", "") if not row.get("bounded") else NOT_SEEN
            headline = f"“{first}” or “{second}” As the rest is read here, it makes no difference{where}."
            yield Finding(label, headline, body)


# -- What the rules do ----------------------------------------------------------------------------------------


def _redundant(paper: Paper) -> Iterator[Finding]:
    for name, row in paper.coverage.items():
        if row["result"] == "PROVED":
            others = paper.clause_links(row["implied_by"])
            quoted = paper.clauses[name]["pointer"] or paper.clauses[name]["text"]
            body = block(
                tag("p", f"Clause {name}, “{paper.clauses[name]['text']}”, follows from ", others, "."),
                tag("p", badge("PROVED"), f" {row['scope']}. ", link(name, name), ".", class_="small"),
            )
            decides = (paper.coverage[other]["witness"] for other in row["implied_by"])
            yield Finding("Words to spare", f"“{quoted}” adds nothing.", body, next(decides, None))


def _dead_ends(paper: Paper) -> Iterator[Finding]:
    """Told by the last one that play is known to reach: the list goes from common to rare."""
    rows = [r for r in paper.document["stalemates"] if r["result"] == "REFUTED" and "line" in r["witness"]]
    if rows:
        items = [join([f"“{r['statement']}”: {r['witness']['note']}. ", link(r["name"], "see")]) for r in rows]
        body = block(
            tag("p", "What one would take for granted, and the smallest game in which it fails:"), listing(items)
        )
        yield Finding("Dead ends", "Play can come to a dead end.", body, rows[-1]["witness"])


def ending(paper: Paper) -> Finding:
    solved = paper.document.get("solved")
    if solved and solved.get("text"):
        body = block(*(tag("p", prose(part)) for part in solved["text"].split("\n\n")))
    else:
        body = tag("p", badge("UNKNOWN"), " No solved game is part of this report, so it says nothing about this.")
    return Finding("The end", "Does the game have to end?", body)
