"""The rulebook of a game with the results of its report: each clause's deciding case, mutants and readings."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rulecheck import registry
from rulecheck.explorer.address import Address
from rulecheck.explorer.look import chosen
from rulecheck.registry import Game
from rulecheck.report.letter import Letter, read_letter
from rulecheck.report.paper import Paper
from rulecheck.verdicts import word
from rulecheck.wording import sentence

Document = dict[str, Any]


def report_of(folder: Path, slug: str) -> Document:
    """The document of a kept report, or an empty one; read again only when the file changes."""
    path = folder / f"{slug}.json"
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        return {}
    return _read_report(folder, slug, changed)


@functools.lru_cache(maxsize=8)
def _read_report(folder: Path, slug: str, changed: int) -> Document:
    from rulecheck.report import kept_document

    return kept_document(folder, slug) or {}


def rules(slug: str, reports: Path) -> Document:
    """Every clause, every finding with a position that shows it, and whether there is a report at all."""
    game = registry.find(slug)
    report, book = report_of(reports, slug), game.rulebook
    stale = bool(report) and report["rulebook"]["digest"] != book.digest
    rows = {row["clause"]: row for row in report.get("coverage", ())}
    return {
        "game": slug,
        "title": book.title,
        "designer": book.designer,
        "sheet": book.sheet,
        "summary": book.summary,
        "report": bool(report),
        "stale": stale,
        "clauses": [_clause(game, clause, rows.get(clause.id), report) for clause in book.clauses.values()],
        "letter": list(_told(game, {} if stale else report)),
        "findings": list(_findings(game, report)),
    }


def _clause(game: Game, clause: Any, row: Document | None, report: Document) -> Document:
    mutants = (report.get("mutants") or {}).get("rows", ())
    readings = [r for r in game.rulebook.readings.values() if clause.id in r.clauses]
    return {
        "id": clause.id,
        "kind": clause.kind,
        "text": clause.text,
        "pointer": clause.pointer,
        "repeats": clause.repeats,
        "decides": None if row is None or row["result"] is None else _case(game, row, "clause"),
        "how": "" if row is None else row["how"],
        "mutants": [{"text": m["text"], "side": m["side"], "by": m["by"]} for m in mutants if m["clause"] == clause.id],
        "readings": [{"name": r.name, "why": r.why, "open": r.is_option} for r in readings],
    }


def _case(game: Game, row: Mapping[str, Any], analysis: str) -> Document:
    """A result in plain words, with the address of the position that shows it."""
    witness = row.get("witness")
    return {
        "result": row["result"],
        "word": word(analysis, row),
        "scope": row["scope"],
        "implied_by": row.get("implied_by", []),
        "witness": witness,
        "address": None if not witness else address_of(game, witness).as_json(),
    }


def address_of(game: Game, witness: Mapping[str, Any], **readings: str) -> Address:
    """The address that shows a witness."""
    params, read = chosen(game, witness.get("params", {}), {**witness.get("readings", {}), **readings})
    return Address(game.slug, witness["position"], params, read, move=witness.get("move"))


def _told(game: Game, report: Document) -> Iterator[Document]:
    """The findings of the letter to the designer, in its order, each with the address of a position if there is one."""
    letter = letter_of(game)
    for told in letter.findings if report else ():
        drawn = told.picture if told.picture and "position" in told.picture else None
        witness = drawn or _witness(game, report, told.kind, told.name)
        there = address_of(game, witness).as_json() if witness else None
        yield {"title": told.title, "text": told.text, "address": there}


def sample(slug: str, reports: Path) -> Document:
    """The address of a position that is worth a look: that of the first finding, or else the start."""
    game = registry.find(slug)
    told = _told(game, report_of(reports, slug))
    return next((finding["address"] for finding in told if finding["address"]), Address(slug).as_json())


SHOWN = {"reading": ("ambiguities", "reading"), "stalemate": ("stalemates", "name"), "clause": ("coverage", "clause")}


def _witness(game: Game, report: Document, kind: str, name: str) -> Mapping[str, Any] | None:
    """The position in the row that a finding of the letter refers to."""
    if kind == "claim":
        return Paper(report, game).claim_witness(name)
    table, key = SHOWN.get(kind, ("", ""))
    rows = (row["witness"] for row in report.get(table, ()) if row[key] == name)
    return next(filter(None, rows), None)


@functools.lru_cache(maxsize=16)
def letter_of(game: Game) -> Letter:
    """The questions and findings in a player's words; empty for a game that brings none."""
    return read_letter(game)


def question(game: Game, name: str) -> str:
    """A reading worded as a question, or its name if it has no wording."""
    asked = letter_of(game).questions.get(name)
    return (asked.ask if asked else "") or name


def answer(game: Game, name: str, value: str) -> str:
    asked = letter_of(game).questions.get(name)
    return (asked.answers.get(value) if asked else None) or game.rulebook.options[name].meaning[value]


def _findings(game: Game, report: Document) -> Iterator[Document]:
    """Findings that a board can show: readings that matter, dead ends, clauses without effect."""
    rows = [row for row in report.get("ambiguities", ()) if row["result"] == "REFUTED" and row["witness"]]
    for name in dict.fromkeys(row["reading"] for row in rows):
        cases = [_separated(game, row) for row in rows if row["reading"] == name]
        yield {"label": "Open question", "text": question(game, name), "name": name, "cases": cases, **cases[0]["case"]}
    for row in report.get("stalemates", ()):
        if row["witness"]:
            happens = letter_of(game).happens.get(row["name"])
            text = sentence(happens) if happens else row["statement"]
            yield {"label": "Dead end", "text": text, "name": "", "cases": [], **_case(game, row, "stalemate")}
    for row in report.get("dead_text", ()):
        if row["witness"]:
            text = f"{row['clause']} under {row['reading']}: {row['statement']}"
            case = _case(game, row, "dead_text")
            yield {"label": "Clause and reading", "text": text, "name": "", "cases": [], **case}


def _separated(game: Game, row: Mapping[str, Any]) -> Document:
    """Two answers to a question, and a position that they treat differently."""
    verdicts = [_under(game, row, value) for value in row["values"]]
    return {"case": _case(game, row, "reading"), "move": row["witness"].get("move"), "verdicts": verdicts}


def _under(game: Game, row: Mapping[str, Any], value: str) -> Document:
    address = address_of(game, row["witness"], **{row["reading"]: value})
    words = answer(game, row["reading"], value)
    return {"value": value, "words": words, "verdict": row["verdicts"][value], "address": address.as_json()}


def impact(report: Document, name: str) -> list[Document]:
    """How the values of a reading affect solved games: one row per pair of values and game."""
    rows = []
    for row in report.get("ambiguities", ()):
        if row["reading"] == name:
            rows += [{"values": v["values"], "game": v["game"]} for v in row.get("impact") or ()]
    return rows


def deciding(address: Address, clause: str, reports: Path) -> Document:
    """The smallest position in which a clause alone decides: from the report of these rules, else from z3 now."""
    game = registry.find(address.game)
    report = report_of(reports, address.game)
    if report and report["rulebook"]["digest"] == game.rulebook.digest:
        row = next((r for r in report["coverage"] if r["clause"] == clause), None)
    else:
        row = _searched(address.game).get(clause)
    if row is None or row["result"] is None:
        return {"how": "" if row is None else row["how"], "case": None}
    return {"how": row["how"], "case": _case(game, row, "clause")}


@functools.lru_cache(maxsize=4)
def _searched(slug: str) -> dict[str, Document]:
    """The deciding cases of a printed game without a report."""
    game = registry.find(slug)
    if game.spec_name is None:
        return {}
    rows = game.hints.coverage(game.params({}), game.rulebook.defaults())
    return {row.clause.id: row.as_json() for row in rows}
