"""Runs every analysis of a game and gathers the answers in one JSON document.

Nothing in it depends on the machine, the day or the number of jobs. A game without mutants or
solved values has null in their place; what else it lacks is empty, and `lacking` says why.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from rulecheck.hints import MissingPartError
from rulecheck.jobs import Report, ignore, run_all, stage
from rulecheck.kept import run_kept
from rulecheck.model import InputError
from rulecheck.processes import Processes
from rulecheck.registry import Game, find
from rulecheck.rulebook import Rulebook

FORMAT = 1

Given = Mapping[str, str]  # parameters
PRINTED: Given = MappingProxyType({})  # the game as printed
Search = tuple[Any, ...]  # the game, what is searched for, and parameters given

SEARCHES = ("coverage", "dead_text", "stalemates", "proposals")

Document = dict[str, Any]
Part = Callable[[Game, Given, int, Report], Any]


def collect(
    game: Game, jobs: int = 1, report_progress: Report = ignore, quick: bool = False, given: Given = PRINTED
) -> Document:
    """Everything about a game under its default readings; `report_progress` gets each step and the share done.

    `quick` leaves out the parts in SLOW, and tries only a few pairs of readings. A document about other parameters
    leaves out what is known for the printed game alone.
    """
    params = game.params(given)
    document: Document = {
        "format": FORMAT,
        "game": game.slug,
        "rulebook": describe(game.rulebook),
        "params": params.as_dict(),
        "readings": dict(game.rulebook.defaults()),
        "start": str(game.engine(params, game.rulebook.defaults()).start()),
    }
    todo = {name: part for name, part in PARTS.items() if not (quick and name in SLOW)}
    if given:
        document |= dict.fromkeys(OF_PRINTED)
        todo = {name: part for name, part in todo.items() if name not in OF_PRINTED}
    elif quick:
        todo["pairs"] = (PARTS["pairs"][0], _few_pairs)
    whole, done = sum(share for share, _ in todo.values()), 0.0
    lacking: dict[str, str] = {}
    for name, (share, part) in todo.items():
        report_progress(name, done)
        try:
            result = part(game, given, jobs, stage(report_progress, done, done + share / whole, name))
        except MissingPartError as error:
            lacking[name], result = str(error), _empty(game, name)
        if name == "searches":
            lacking |= {search: rows for search, rows in result.items() if isinstance(rows, str)}
            result = {search: [] if isinstance(rows, str) else rows for search, rows in result.items()}
        document.update(result if name == "searches" else {name: result})
        done += share / whole
    document["ambiguities"] = _weighed(document)
    report_progress("done", 1.0)
    return {**document, "lacking": lacking} if lacking else document


def _empty(game: Game, name: str) -> Any:
    """The placeholder for a part that this game cannot have."""
    from rulecheck.analyses.claims import COMBINATION_LIMIT, Matrix
    from rulecheck.analyses.prove import summary

    if name == "claims":
        return Matrix(game.rulebook, (), COMBINATION_LIMIT).as_json()
    return {"proofs": summary(game, []), "ambiguities": []}.get(name)


def _weighed(document: Document) -> list[Document]:
    from rulecheck.analyses.ambiguities import weigh

    solved = document.get("solved")
    return weigh(document["ambiguities"], document["claims"]["claims"], solved["games"] if solved else [])


# -- The rulebook as data -------------------------------------------------------------------------------------


def describe(book: Rulebook) -> Document:
    return {
        "slug": book.slug,
        "title": book.title,
        "designer": book.designer,
        "sheet": book.sheet,
        "players": book.players,
        "summary": book.summary,
        "move_identity": book.move_identity,
        "digest": book.digest,
        "parameters": [{"name": p.name, "default": p.default, "text": p.text} for p in book.parameters],
        "clauses": [dataclasses.asdict(c) for c in book.clauses.values()],
        "readings": [_reading(r) for r in book.readings.values()],
        "claims": [{**vars(c), "clauses": list(c.clauses), "data": dict(c.data)} for c in book.claims.values()],
    }


def _reading(reading: Any) -> Document:
    about = {"id": reading.id, "name": reading.name, "kind": reading.kind, "clauses": list(reading.clauses)}
    values = [{"value": v, "meaning": reading.meaning[v]} for v in reading.values]
    return {**about, "why": reading.why, "decided": reading.decided, "open": reading.is_option, "values": values}


# -- The analyses ---------------------------------------------------------------------------------------------


def _claims(game: Game, given: Given, jobs: int, report: Report) -> Any:
    from rulecheck.analyses.claims import matrix, side_by_side

    if given:
        return matrix(game, game.hints.checks(), variant=given, tick=report).as_json()
    return side_by_side(game, jobs, report).as_json()


def _ambiguities(game: Game, given: Given, jobs: int, report: Report) -> Any:
    from rulecheck.analyses.ambiguities import ambiguities

    book = game.rulebook
    names = list(book.asked(dict(given)) if given else book.options)
    rows = ambiguities(game, book.defaults(), names, jobs, report, dict(given) or None)
    return [row.as_json() for row in rows]


def _searches(game: Game, given: Given, jobs: int, report: Report) -> dict[str, list[Document] | str]:
    """Run each search in a fresh process, because z3's choice among several positions may depend on earlier queries. A
    text in place of rows says what is missing."""

    def run(missing: Sequence[Search]) -> list[list[Document] | str]:
        with Processes(jobs, fresh=True) as pool:
            return run_all(_search, missing, executor=pool, report=report)

    todo = [(game.slug, name, *given.items()) for name in SEARCHES]
    rows = run_kept(game, "searches", _search, todo, list[Document] | str, report=report, run=run)
    return dict(zip(SEARCHES, rows, strict=True))


def _search(task: Search) -> list[Document] | str:
    slug, name, *given = task
    game = find(slug)
    hints, params, readings = game.hints, game.params(dict(given)), game.rulebook.defaults()
    searches: Mapping[str, Callable[[], Iterable[Any]]] = {
        "coverage": lambda: hints.coverage(params, readings),
        "dead_text": lambda: hints.dead_text(params, readings),
        "stalemates": lambda: hints.stalemates(params, readings),
        "proposals": lambda: hints.proposals(params, readings),
    }
    try:
        return [row.as_json() for row in searches[name]()]
    except MissingPartError as error:
        return str(error)
    except InputError as error:
        if not given:
            raise
        return f"not asked of these parameters: {error}"


def _solved(game: Game, given: Given, jobs: int, report: Report) -> Any:
    def run(missing: Sequence[str]) -> list[Document | None]:
        return [find(slug).hints.solved(jobs, report) for slug in missing]

    (solved,) = run_kept(game, "solved games", _solved_games, [game.slug], Document | None, report=report, run=run)
    return solved


def _solved_games(slug: str) -> Document | None:
    return find(slug).hints.solved(1, ignore)


def _proof_tasks(game: Game, given: Given = PRINTED) -> list[Any]:
    from rulecheck.analyses.prove import tasks

    params = game.params(given)
    families = [name for name in game.hints.family_names(params) if name not in game.hints.long_families]
    return tasks(game, params.as_dict(), game.rulebook.defaults(), families, False)


def second_opinions(game: Game, jobs: int, report: Report) -> Document:
    """What other solvers say about the proofs in a report."""
    from rulecheck.analyses.prove import prove_twice

    return prove_twice(_proof_tasks(game), jobs, report)[1]


def kept_opinions(document: Document, kept: Document | None) -> Document | None:
    """Those of an earlier report, if they are about the same proofs: not everybody has the other solvers."""
    opinions: Document | None = (kept or {}).get("second")
    if opinions is None:
        return None
    proved, heard = ([(r["family"], r["cases"]) for r in part["families"]] for part in (document["proofs"], opinions))
    return opinions if proved == heard else None


def _proofs(game: Game, given: Given, jobs: int, report: Report) -> Any:
    from rulecheck.analyses.prove import prove_all, summary

    todo = _proof_tasks(game, given)
    return summary(game, list(zip(todo, prove_all(game, todo, jobs, report), strict=True)))


def _pairs(game: Game, given: Given, jobs: int, report: Report) -> Any:
    from rulecheck.analyses.pairwise import prove_every

    return prove_every(game, jobs, report)


def _few_pairs(game: Game, given: Given, jobs: int, report: Report) -> Any:
    from rulecheck.analyses.pairwise import prove_share

    return prove_share(game, jobs, report)


def _mutants(game: Game, given: Given, jobs: int, report: Report) -> Any:
    """The score, without the witnesses, because they are about wrong rules."""
    from rulecheck.analyses.mutants import read_mutants, score

    if game.mutants_file is None:
        return None
    keys = ("mutant", "side", "clause", "text", "family", "by", "result")
    rows = [{key: row[key] for key in keys} for row in score(game, read_mutants(game), jobs, report)]
    return {"mutants": len(rows), "refuted": sum(row["result"] == "REFUTED" for row in rows), "rows": rows}


OF_PRINTED = ("solved", "pairs", "mutants")  # known for the printed game alone
SLOW = ("solved", "mutants")  # checks of solvers and of checks
PARTS: Mapping[str, tuple[float, Part]] = {  # each with its approximate share of the time
    "claims": (0.05, _claims),
    "ambiguities": (0.15, _ambiguities),
    "searches": (0.06, _searches),
    "solved": (0.04, _solved),
    "proofs": (0.40, _proofs),
    "pairs": (0.15, _pairs),
    "mutants": (0.15, _mutants),
}
