"""The rulebook of a game with what its report found out: for each clause its deciding case, mutants and readings."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulecheck import registry
from rulecheck.explorer.address import Address
from rulecheck.explorer.look import chosen
from rulecheck.registry import Game
from rulecheck.verdicts import word

Document = dict[str, Any]


def report_of(folder: Path, slug: str) -> Document:
    """The document of a kept report; empty if there is none. Read again only when the file changes."""
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
    """Where a witness can be looked at."""
    params, read = chosen(game, witness.get("params", {}), {**witness.get("readings", {}), **readings})
    return Address(game.slug, witness["position"], params, read, move=witness.get("move"))


def _findings(game: Game, report: Document) -> Any:
    """What can be shown on a board: readings that matter, dead ends, clauses without effect."""
    for row in report.get("ambiguities", ()):
        if row["result"] == "REFUTED" and row["witness"]:
            yield {
                "label": "Open question",
                "text": f"{row['reading']}: {' or '.join(row['values'])}",
                "verdicts": [_under(game, row, value) for value in row["values"]],
                **_case(game, row, "reading"),
            }
    for row in report.get("stalemates", ()):
        if row["witness"]:
            yield {"label": "Dead end", "text": row["statement"], "verdicts": [], **_case(game, row, "stalemate")}
    for row in report.get("dead_text", ()):
        if row["witness"]:
            text = f"{row['clause']} under {row['reading']}: {row['statement']}"
            yield {"label": "Clause and reading", "text": text, "verdicts": [], **_case(game, row, "dead_text")}


def _under(game: Game, row: Mapping[str, Any], value: str) -> Document:
    address = address_of(game, row["witness"], **{row["reading"]: value})
    return {"value": value, "verdict": row["verdicts"][value], "address": address.as_json()}


def impact(report: Document, name: str) -> list[Document]:
    """What the values of a reading do to solved games, one row a pair of values and game."""
    rows = []
    for row in report.get("ambiguities", ()):
        if row["reading"] == name:
            rows += [{"values": v["values"], "game": v["game"]} for v in row.get("impact") or ()]
    return rows


def deciding(address: Address, clause: str, reports: Path) -> Document:
    """The smallest position in which a clause alone decides: from the report of these rules, else asked of z3 now."""
    game = registry.find(address.game)
    report = report_of(reports, address.game)
    if report and report["rulebook"]["digest"] == game.rulebook.digest:
        found = next((r for r in report["coverage"] if r["clause"] == clause), None)
    else:
        found = _searched(address.game).get(clause)
    if found is None or found["result"] is None:
        return {"how": "" if found is None else found["how"], "case": None}
    return {"how": found["how"], "case": _case(game, found, "clause")}


@functools.lru_cache(maxsize=4)
def _searched(slug: str) -> dict[str, Document]:
    """Of a game without a report, as printed."""
    game = registry.find(slug)
    if game.spec_name is None:
        return {}
    rows = game.hints.coverage(game.params({}), game.rulebook.defaults())
    return {row.clause.id: row.as_json() for row in rows}
