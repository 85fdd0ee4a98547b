"""Everything at once: what the report needs, the proofs for every reading value, and a table of what came out.

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
from rulecheck.report import collect

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


def audit_game(game: Game, full: bool, jobs: int, report: Report) -> tuple[dict[str, Any], list[Row]]:
    """The document of the game's report, and one row for each check."""
    document = collect(game, jobs, lambda what, done: report(what, done * 0.6))
    readings = _reading_proofs(game, full, jobs, lambda what, done: report(what, 0.6 + done * 0.4))
    rows = [_proof_row(game, "proofs, as printed", document["proofs"])]
    rows += [_proof_row(game, "proofs, each reading", readings)]
    rows += [_mutants_row(game, document["mutants"]), _claims_row(game, document["claims"])]
    rows += [_question_row(game, document, *question) for question in QUESTIONS]
    return document, [*rows, _solved_row(game, document["solved"])]


def _reading_proofs(game: Game, full: bool, jobs: int, report: Report) -> dict[str, Any]:
    """Each value of each reading that is not the default; in full also the proofs that take longest."""
    params, defaults = game.params({}), game.rulebook.defaults()
    families = game.study.family_names(params) if full else game.study.quick_families
    todo = [task for task in tasks(game, params.as_dict(), defaults, families, every=True) if task.label]
    if full:
        todo += tasks(game, params.as_dict(), defaults, game.study.long_families, every=False)
    return summary(list(zip(todo, run_all(run_task, todo, jobs=jobs, report=report), strict=True)))


def _proof_row(game: Game, check: str, proof: dict[str, Any]) -> Row:
    rows = proof["families"]
    sampled = sum(bool(row.get("sample")) for row in rows)
    samples = f" (and {sampled} sampled)" if sampled else ""
    found = f"{len(rows) - sampled} proofs{samples}, {proof['cases']:,} cases"
    bad = sum(row["result"] == "REFUTED" or (row["result"] != "PROVED" and not row.get("sample")) for row in rows)
    return Row(game.slug, check, proof["result"], found, bad)


def _mutants_row(game: Game, score: dict[str, Any]) -> Row:
    survived = score["mutants"] - score["refuted"]
    return Row(game.slug, "mutants", _fine(survived), f"{score['refuted']} of {score['mutants']} refuted", survived)


def _claims_row(game: Game, claims: dict[str, Any]) -> Row:
    verdicts = Counter(row["verdict"] for row in claims["claims"])
    found = ", ".join(f"{verdicts[v]} {words}" for v, words in VERDICTS.items() if verdicts[v])
    bad = len(claims["disagreements"])
    return Row(game.slug, "claims", _fine(bad), found, bad)


def _question_row(game: Game, document: dict[str, Any], part: str, check: str, refuted: str, proved: str) -> Row:
    results = Counter(row["result"] for row in document[part] if row["result"])
    words = {"REFUTED": refuted, "PROVED": proved, "UNKNOWN": "UNKNOWN"}
    found = ", ".join(f"{results[result]} {word}" for result, word in words.items() if results[result])
    return Row(game.slug, check, _fine(results["UNKNOWN"]), found, results["UNKNOWN"])


def _solved_row(game: Game, solved: dict[str, Any] | None) -> Row:
    games = (solved or {}).get("games", [])
    return Row(game.slug, "solved", "fine", f"{len(games)} games, each accepted by the checker")


def _fine(bad: int) -> str:
    return "DISAGREES" if bad else "fine"
