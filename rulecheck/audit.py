"""Every check at once, and a table of the results.

A plain audit proves, checks claims and searches under the default readings, and compares its findings with the report
in the folder; a full one adds every reading value, the long proofs, mutants and solved games, and writes the report.

A finding about the rules (a claim that is false, a clause that adds nothing) is no disagreement. A disagreement is
evidence against the tool: the encodings differ, a mutant survives, a claim's outcome is not what the rulebook expects,
the checker rejects a solved value, a question that should be settled is UNKNOWN, a game cannot be loaded, or `rulecheck
report` would write other bytes than are in the folder. A part that a game lacks is no disagreement either; a row says
so.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rulecheck.analyses.promises import check_promises
from rulecheck.analyses.prove import has_failed, prove_all, summary, tasks
from rulecheck.jobs import Report, stage
from rulecheck.registry import Game
from rulecheck.report import Document, collect, kept_document, stale_files
from rulecheck.report.paper import headline

VERDICTS = {"true": "true", "depends": "depending on a reading", "false": "false under all readings"}
QUESTIONS = (  # the part of the document, the command, and the meanings of its two answers
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


def audit_game(game: Game, folder: Path, jobs: int, report: Report) -> list[Row]:
    """One row for each check, and one for the report of the game in the folder."""
    promises = promises_row(game)
    document = collect(game, jobs, report, quick=True)
    return [promises, *_rows(game, document), _report_row(game, document, folder)]


def audit_in_full(game: Game, jobs: int, report: Report) -> tuple[Document, list[Row]]:
    """Return the document of the game's report and one row for each check."""
    promises = promises_row(game)
    document = collect(game, jobs, stage(report, 0.0, 0.4))
    rows = [promises, *_rows(game, document)]
    if "proofs" not in document.get("lacking", ()):
        readings = _reading_proofs(game, jobs, stage(report, 0.4, 1.0, "readings"))
        rows.append(_proof_row(game, "long proofs, and each reading", readings))
    return document, [*rows, _mutants_row(game, document["mutants"]), _solved_row(game, document["solved"])]


def promises_row(game: Game) -> Row:
    """The promises every analysis relies on; a broken one ends the audit with one sentence."""
    kept = check_promises(game, game.rulebook.defaults())
    of = "" if len(kept.versions) == 1 else f" of {len(kept.versions)} versions"
    return Row(game.slug, "promises", "fine", f"kept at the first {kept.positions:,} positions{of}")


def _rows(game: Game, document: Document) -> list[Row]:
    lacking = document.get("lacking", {})
    rows = {
        "proofs": _proof_row(game, "proofs, as printed", document["proofs"]),
        "pairs": _pairs_row(game, document.get("pairs")),
        "claims": _claims_row(game, document["claims"]),
        **{question[0]: _question_row(game, document, *question) for question in QUESTIONS},
    }
    return [lacks(game.slug, row.check, lacking[part]) if part in lacking else row for part, row in rows.items()]


def lacks(slug: str, check: str, why: str) -> Row:
    return Row(slug, check, "lacking", why)


def broken(slug: str, why: str) -> Row:
    return Row(slug, "game", "BROKEN", why, 1)


def _reading_proofs(game: Game, jobs: int, report: Report) -> Document:
    """The proofs under each non-default value of each reading, and the longest proofs."""
    params, defaults = game.params({}), game.rulebook.defaults()
    long = game.hints.long_families
    short = [name for name in game.hints.family_names(params) if name not in long]
    families = list(dict.fromkeys([*short, *game.hints.quick_families]))
    todo = [task for task in tasks(game, params.as_dict(), defaults, families, every=True) if task.label]
    todo += tasks(game, params.as_dict(), defaults, long, every=False)
    return summary(game, list(zip(todo, prove_all(game, todo, jobs, report), strict=True)))


def _report_row(game: Game, document: Document, folder: Path) -> Row:
    """Do the report and its pages match these results? Solved games and mutants are left out."""
    kept, file = kept_document(folder, game.slug), f"{game.slug}.json"
    if kept is None and not (folder / file).exists():
        return Row(game.slug, "report", "missing", "`rulecheck report` writes it")
    other = [file] if kept is None else _differing(document, kept) or stale_files(kept, folder)
    if other:
        return Row(game.slug, "report", "DIFFERS", f"in {', '.join(other)}; `rulecheck report` writes it anew", 1)
    return Row(game.slug, "report", "fine", "says what was found here")


def _differing(document: Document, kept: Document) -> list[str]:
    return [name for name in (*document, "lacking") if not _same(name, document.get(name), kept.get(name))]


def _same(name: str, part: Any, kept: Any) -> bool:
    """The comparison skips what readings do to solved games (kept with the ambiguities) and covers only some of the
    pairs of readings."""
    if name == "pairs" and part and kept:
        return all(row in kept["families"] for row in part["families"])
    if name != "ambiguities" or kept is None:
        return bool(part == kept)
    ours, theirs = ([{key: v for key, v in row.items() if key != "impact"} for row in rows] for rows in (part, kept))
    return ours == theirs


def _proof_row(game: Game, check: str, proof: Document) -> Row:
    rows = proof["families"]
    proofs = sum(not row.get("sample") for row in rows)
    figures = f"{proofs} proofs, {proof['cases']:,} cases"
    return Row(game.slug, check, headline(proof), figures, sum(map(has_failed, rows)))


def _pairs_row(game: Game, proof: Document | None) -> Row:
    """Pairs of readings; documents of earlier releases and games without readings have none."""
    check = "pairs of readings"
    if proof is None or not proof["pairs"]["pairs"]:
        return lacks(game.slug, check, "there are no two readings to be combined")
    return replace(_proof_row(game, check, proof), found=f"{proof['pairs']['words']}, {proof['cases']:,} cases")


def _mutants_row(game: Game, score: Document | None) -> Row:
    if score is None:
        return lacks(game.slug, "mutants", "there is none to be refuted")
    survived = score["mutants"] - score["refuted"]
    return Row(game.slug, "mutants", _fine(survived), f"{score['refuted']} of {score['mutants']} refuted", survived)


def _claims_row(game: Game, claims: Document) -> Row:
    verdicts = Counter(row["verdict"] for row in claims["claims"])
    counts = ", ".join(f"{verdicts[v]} {words}" for v, words in VERDICTS.items() if verdicts[v])
    bad = len(claims["disagreements"])
    return Row(game.slug, "claims", _fine(bad), counts, bad)


def _question_row(game: Game, document: Document, part: str, check: str, refuted: str, proved: str) -> Row:
    results = Counter("bounded" if row.get("bounded") else row["result"] for row in document[part] if row["result"])
    words = {"REFUTED": refuted, "PROVED": proved, "bounded": f"{proved} in the games searched", "UNKNOWN": "UNKNOWN"}
    counts = ", ".join(f"{results[result]} {word}" for result, word in words.items() if results[result])
    return Row(game.slug, check, _fine(results["UNKNOWN"]), counts, results["UNKNOWN"])


def _solved_row(game: Game, solved: Document | None) -> Row:
    games = (solved or {}).get("games", [])
    return Row(game.slug, "solved", "fine", f"{len(games)} games, each accepted by the checker")


def _fine(bad: int) -> str:
    return "DISAGREES" if bad else "fine"
