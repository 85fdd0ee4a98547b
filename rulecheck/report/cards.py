"""The sections that are cards with pictures: findings, ambiguities, clauses, stalemates."""

from __future__ import annotations

from rulecheck.report.findings import Finding, findings
from rulecheck.report.html import Markup, block, join, listing, prose, table, tag
from rulecheck.report.paper import Document, Paper, badge, is_ours, judged, pair_id, played
from rulecheck.report.tables import SHARES, worth_cells, worth_heads


def split_card(words: Markup, figure: Markup | None, below: Markup | None = None, **attributes: object) -> Markup:
    """Words with a picture beside them (on a phone, after them), and what needs the whole width below."""
    inside = words if figure is None else tag("div", tag("div", words), figure, class_="split")
    return tag("section", block(inside, below), class_="card", **attributes)


def findings_section(paper: Paper) -> Markup:
    return block(*(_finding(paper, found) for found in findings(paper)))


def _finding(paper: Paper, found: Finding) -> Markup:
    words = block(tag("p", found.label, class_="label"), tag("h3", found.headline), found.body)
    return split_card(words, paper.picture(found.witness) if found.witness else None)


# -- Ambiguities ----------------------------------------------------------------------------------------------


def ambiguities_section(paper: Paper) -> Markup:
    return block(*(_ambiguity(paper, row) for row in paper.document["ambiguities"]))


def _ambiguity(paper: Paper, row: Document) -> Markup:
    name, (first, second) = row["reading"], row["values"]
    reading = paper.readings[name]
    words = block(
        tag("h3", f"{name}: {first} or {second}?"),
        *(tag("blockquote", paper.clauses[c]["text"], " ", paper.clause_links([c])) for c in reading["clauses"]),
        tag("p", f"“{paper.meaning(name, first)}” Or: “{paper.meaning(name, second)}”"),
        judged("no position separates the two", row),
        tag("p", prose(reading["why"]), f" ({reading['id']})", class_="small"),
    )
    below = block(_answers(paper, row), _impact(row))
    return split_card(words, _shown(paper, row["witness"]), below, id=pair_id(row))


def _shown(paper: Paper, witness: Document | None) -> Markup | None:
    if witness is None:
        return None
    note = f"{witness['note']}." if witness.get("note") else None
    words = [said for said in (note, played(witness.get("line"))) if said]
    return paper.picture(witness, join(words, " ") if words else None)


def _answers(paper: Paper, row: Document) -> Markup | None:
    if not row["verdicts"]:
        return None
    rows = []
    for value in row["values"]:
        spoken = row["claims"][value]
        heard = [("for it: ", spoken["keeps"]), ("against it: ", spoken["breaks"])]
        claims = join([join([words, paper.claim_links(ids)]) for words, ids in heard if ids], "; ") or "silent"
        shown = "the move shown is " if row["witness"].get("move") else ""
        rows.append((value, f"{shown}{row['verdicts'][value]}", claims))
    return table("What each answer says here", ("answer", "verdict", "the sheet's claims"), rows)


def _impact(row: Document) -> Markup | None:
    """What the start of solved games is worth under either value."""
    if not row["impact"]:
        return None
    worths = [(solved["game"], *pair) for solved in row["impact"] for pair in _worths(solved["values"])]
    head = ("game", "answer", *worth_heads(worths[0][2]))
    rows = [(game, answer, *worth_cells(worth)) for game, answer, worth in worths]
    shares = "" if "value" in worths[0][2] else f" ({SHARES})"
    return table(f"What it does to solved games, at their start{shares}", head, rows)


def _worths(values: Document) -> list[tuple[str, Document]]:
    """One line for each answer, or one for both if they come to the same."""
    worth, other = values.values()
    return [(" or ".join(values), worth)] if worth == other else list(values.items())


# -- The rulebook ---------------------------------------------------------------------------------------------


def clauses_section(paper: Paper) -> Markup:
    return block(*(_clause(paper, row) for row in paper.clauses.values()))


def _clause(paper: Paper, clause: Document) -> Markup:
    found = paper.coverage.get(clause["id"])
    words = block(
        tag("h3", clause["id"], " ", tag("span", f"({clause['kind']})", class_="meta")),
        tag("p", clause["text"]),
        tag("p", f"Sheet: « {clause['pointer']} »", class_="small") if clause["pointer"] else None,
        _relations(paper, clause),
        _decides(paper, found) if found else None,
        _attached(paper, clause["id"]),
    )
    witness = found and found["witness"]
    return split_card(words, paper.picture(witness, witness.get("note")) if witness else None, id=clause["id"])


def _relations(paper: Paper, clause: Document) -> Markup | None:
    said = [(words, clause[key]) for key, words in (("part_of", "Part of "), ("repeats", "Repeats ")) if clause[key]]
    if not said:
        return None
    return tag("p", join([join([words, paper.clause_links([other])]) for words, other in said], "; "), ".")


def _decides(paper: Paper, row: Document) -> Markup:
    if row["result"] is None:
        return tag("p", row["how"][:1].upper(), row["how"][1:], ".", class_="small")
    if row["result"] == "PROVED":
        follows = join(["Adds nothing: it follows from ", paper.clause_links(row["implied_by"]), "."])
        return block(tag("p", tag("b", follows)), judged("this clause adds nothing", row))
    return judged("this clause adds nothing", row)


def _attached(paper: Paper, clause: str) -> Markup | None:
    readings = [r for r in paper.book["readings"] if clause in r["clauses"]]
    claims = [c for c in paper.book["claims"] if clause in c["clauses"]]
    said = paper.claim_links(c["id"] for c in claims if not is_ours(c))
    derived = paper.claim_links(c["id"] for c in claims if is_ours(c))
    named = join([tag("a", r["name"], href=f"#{r['id']}") for r in readings], ", ")
    parts = [("Readings: ", named), ("Claims of the sheet: ", said), ("Consequences: ", derived)]
    lines = [tag("p", words, ids, ".", class_="small") for words, ids in parts if ids]
    return block(*lines) if lines else None


def readings_section(paper: Paper) -> Markup:
    """Every choice, open or decided, with what each value means."""
    head = ("reading", "values, the default first", "standing", "clauses")
    rows = [_reading(paper, row) for row in paper.book["readings"]]
    return block(table("Every choice the sheet leaves, or seems to leave", head, rows), _dead_text(paper))


def _dead_text(paper: Paper) -> Markup | None:
    found = paper.document.get("dead_text")
    if not found:
        return None
    head = ("reading", "clause", "what it says", "what was found")
    rows = [
        (tag("code", r["reading"]), paper.clause_links([r["clause"]]), _stated(paper, r), judged(r["statement"], r))
        for r in found
    ]
    return block(tag("h3", "What a reading leaves without effect"), table("Sentences and readings", head, rows))


def _stated(paper: Paper, row: Document) -> Markup:
    return tag("span", f"“{paper.clauses[row['clause']]['text']}”")


def _reading(paper: Paper, row: Document) -> list[object]:
    values = listing(join([tag("b", v["value"]), ": ", v["meaning"]]) for v in row["values"])
    if row["decided"]:
        standing = join([tag("b", "Decided. "), prose(row["decided"])])
    elif row["kind"] == "document":
        standing = join([tag("b", "Convention. "), prose(row["why"])])
    else:
        standing = join([tag("b", "Open. "), prose(row["why"])])
    name = tag("span", row["id"], tag("br"), tag("code", row["name"]), id=row["id"])
    return [name, values, standing, paper.clause_links(row["clauses"])]


# -- Stalemates -----------------------------------------------------------------------------------------------


def stalemates_section(paper: Paper) -> Markup:
    cards = tag("div", *(_stalemate(paper, row) for row in paper.document["stalemates"]), class_="grid")
    return block(cards, *(_proposal(paper, row) for row in paper.document.get("proposals", ())))


def _proposal(paper: Paper, row: Document) -> Markup:
    """A better wording, and what is known of it."""
    checked = [block(judged(r["statement"], r), _shown(paper, r["witness"])) for r in row["results"]]
    words = [tag("p", prose(part)) for part in row["text"].split("\n\n")]
    return tag("section", block(tag("h3", row["title"]), *words, *checked), class_="card")


def _stalemate(paper: Paper, row: Document) -> Markup:
    answer = {"REFUTED": "not always", "PROVED": "always", "UNKNOWN": "not known"}[row["result"]]
    answer += " in the games searched" if row.get("bounded") else ""
    words = block(
        tag("h3", f"“{row['statement']}”: {answer}"),
        tag("p", badge(row["result"]), f" {row['scope']}. ", paper.clause_links(row["clauses"]), ".", class_="small"),
        _shown(paper, row["witness"]),
        _under(row),
    )
    return tag("section", words, class_="card", id=row["name"])


def _under(row: Document) -> Markup | None:
    """What other readings make of the position shown."""
    if not row.get("under"):
        return None
    items = [join([tag("code", value), f": {said}"]) for value, said in row["under"].items()]
    cure = join([tag("code", value) for value in row["repairs"]], ", ")
    last = tag("p", "Repaired by ", cure, ".") if row["repairs"] else tag("p", "No single reading repairs it.")
    told = tag("details", tag("summary", "What other readings say here"), listing(items))
    return block(last, told) if row["result"] == "REFUTED" else told
