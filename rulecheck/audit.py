"""Everything at once, and a table of what came out.

A plain audit proves, checks claims and searches under the default readings, and holds what it finds against the report
in the folder; a full one adds every reading value, the long proofs, mutants and solved games, and writes the report.

A finding about the rules (a claim that is false, a clause that adds nothing) is no disagreement; one is only what
speaks against the tool: the encodings differ, a mutant survives, a claim comes out other than the rulebook says,
a solved value is not accepted by the checker, or a question that should be settled is UNKNOWN.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from rulecheck.jobs import Report, run_all
from rulecheck.prove import run_task, summary, tasks
from rulecheck.registry import Game
from rulecheck.report import Document, collect
from rulecheck.report.paper import headline

VERDICTS = {"true": "true", "depends": "depending on a reading", "false": "false under all readings"}
QUESTIONS = (  # the part of the document, the command, and what its two answers mean
    ("coverage", "clauses", "decide a case of their own", "add nothing"),
    ("ambiguities", "ambiguities", "change play", "never matter"),
    ("stalemates", "stalemates", "can happen", "cannot happen"),
)


@dataclass(frozen=True)
class Row:
    game: str
    check: str
    result: str
    found: str
    disagreements: int = 0

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def audit_game(game: Game, kept: Document | None, jobs: int, report: Report) -> list[Row]:
    """One row for each check, and one for the report kept of the game."""
    document = collect(game, jobs, report, quick=True)
    return [*_rows(game, document), _report_row(game, document, kept)]


def audit_in_full(game: Game, jobs: int, report: Report) -> tuple[Document, list[Row]]:
    """The document of the game's report, and one row for each check."""
    document = collect(game, jobs, lambda what, done: report(what, done * 0.4))
    readings = _reading_proofs(game, jobs, lambda what, done: report(what, 0.4 + done * 0.6))
    rows = [_proof_row(game, "long proofs, and each reading", readings), _mutants_row(game, document["mutants"])]
    return document, [*_rows(game, document), *rows, _solved_row(game, document["solved"])]


def _rows(game: Game, document: Document) -> list[Row]:
    rows = [_proof_row(game, "proofs, as printed", document["proofs"]), _claims_row(game, document["claims"])]
    return rows + [_question_row(game, document, *question) for question in QUESTIONS]


def _reading_proofs(game: Game, jobs: int, report: Report) -> Document:
    """Each value of each reading that is not the default, and the proofs that take longest."""
    params, defaults = game.params({}), game.rulebook.defaults()
    long = game.study.long_families
    short = [name for name in game.study.family_names(params) if name not in long]
    families = list(dict.fromkeys([*short, *game.study.quick_families]))
    todo = [task for task in tasks(game, params.as_dict(), defaults, families, every=True) if task.label]
    todo += tasks(game, params.as_dict(), defaults, long, every=False)
    return summary(game, list(zip(todo, run_all(run_task, todo, jobs=jobs, report=report), strict=True)))


def _report_row(game: Game, document: Document, kept: Document | None) -> Row:
    """Whether the report says what was found. If not it is old, or another release of z3 chose other positions: no
    disagreement, since every position found has been replayed."""
    if kept is None:
        return Row(game.slug, "report", "missing", "`rulecheck report` writes it")
    other = [name for name in document if _without_solved(name, document[name]) != _without_solved(name, kept[name])]
    if other:
        return Row(game.slug, "report", "differs", f"in {', '.join(other)}; `rulecheck report` writes it anew")
    return Row(game.slug, "report", "fine", "says what was found here")


def _without_solved(name: str, part: Any) -> Any:
    """What a reading does to solved games stands with the ambiguities, but is not looked at here."""
    if name != "ambiguities":
        return part
    return [{key: value for key, value in row.items() if key != "impact"} for row in part]


def _proof_row(game: Game, check: str, proof: Document) -> Row:
    rows = proof["families"]
    proofs = sum(not row.get("sample") for row in rows)
    found = f"{proofs} proofs, {proof['cases']:,} cases"
    bad = sum(row["result"] == "REFUTED" or (row["result"] != "PROVED" and not row.get("sample")) for row in rows)
    return Row(game.slug, check, headline(proof), found, bad)


def _mutants_row(game: Game, score: Document) -> Row:
    survived = score["mutants"] - score["refuted"]
    return Row(game.slug, "mutants", _fine(survived), f"{score['refuted']} of {score['mutants']} refuted", survived)


def _claims_row(game: Game, claims: Document) -> Row:
    verdicts = Counter(row["verdict"] for row in claims["claims"])
    found = ", ".join(f"{verdicts[v]} {words}" for v, words in VERDICTS.items() if verdicts[v])
    bad = len(claims["disagreements"])
    return Row(game.slug, "claims", _fine(bad), found, bad)


def _question_row(game: Game, document: Document, part: str, check: str, refuted: str, proved: str) -> Row:
    results = Counter("bounded" if row.get("bounded") else row["result"] for row in document[part] if row["result"])
    words = {"REFUTED": refuted, "PROVED": proved, "bounded": f"{proved} in the games searched", "UNKNOWN": "UNKNOWN"}
    found = ", ".join(f"{results[result]} {word}" for result, word in words.items() if results[result])
    return Row(game.slug, check, _fine(results["UNKNOWN"]), found, results["UNKNOWN"])


def _solved_row(game: Game, solved: Document | None) -> Row:
    games = (solved or {}).get("games", [])
    return Row(game.slug, "solved", "fine", f"{len(games)} games, each accepted by the checker")


def _fine(bad: int) -> str:
    return "DISAGREES" if bad else "fine"
