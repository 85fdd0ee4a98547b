"""Commands that check the rules: prove, mutants, claims, ambiguities, clauses, stalemates."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rulecheck.commands.common import (
    AsJson,
    Chosen,
    GameName,
    Jobs,
    Params,
    emit,
    finish,
    open_game,
    progress_bar,
    settings,
)


def _witness_lines(witness: dict[str, Any] | None) -> None:
    for key, value in (witness or {}).items():
        text = " ".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, dict) else value
        print(f"    {key}: {text}")


def prove(
    game: GameName,
    param: Params = None,
    reading: Chosen = None,
    family: Annotated[list[str] | None, typer.Option("--family", help="only this family (may be repeated)")] = None,
    every_reading: Annotated[bool, typer.Option("--every-reading", help="each other reading value in turn too")] = False,
    jobs: Jobs = 1,
    as_json: AsJson = False,
) -> None:
    """Prove that the engine and the constraints agree."""
    from rulecheck.jobs import run_all
    from rulecheck.prove import run_task, summary, tasks
    from rulecheck.rulebook import check_known

    opened = open_game(game, param, reading)
    known = opened.game.study.family_names(opened.params)
    for name in family or ():
        check_known("family", name, known)
    todo = tasks(opened.game, opened.params.as_dict(), opened.readings, family or known, every_reading)
    with progress_bar(f"proving {game}") as report:
        results = run_all(run_task, todo, jobs=jobs, report=report)
    found = {"game": game, **settings(opened), **summary(list(zip(todo, results, strict=True)))}
    emit(found, as_json, lambda: _print_proof(found))
    finish(found["result"] != "PROVED")


def _print_proof(found: dict[str, Any]) -> None:
    for row in found["families"]:
        under = "" if row["readings"] == "as given" else f" with {row['readings']}"
        print(f"{row['result']:8} {row['family']}{under}: {row['scope']} ({row['cases']:,} cases)")
        _witness_lines(row["witness"])
    print(f"{found['result']}: {found['cases']:,} cases, {found['disagreements']} disagreements")


def mutants(game: GameName, jobs: Jobs = 1, as_json: AsJson = False) -> None:
    """Change one rule at a time on purpose; every change must be refuted by a proof."""
    from rulecheck.mutants import read_mutants, score

    opened = open_game(game)
    with progress_bar(f"mutants of {game}") as report:
        rows = score(opened.game, read_mutants(opened.game), jobs, report)
    refuted = sum(row["result"] == "REFUTED" for row in rows)
    found = {"game": game, "mutants": len(rows), "refuted": refuted, "rows": rows}
    emit(found, as_json, lambda: _print_mutants(found))
    finish(refuted < len(rows))


def _print_mutants(found: dict[str, Any]) -> None:
    for row in found["rows"]:
        print(f"{row['result']:8} {row['mutant']} {row['side']:6} {row['clause']:6} {row['text']}")
    print(f"{found['refuted']} of {found['mutants']} mutants refuted")


def register(app: typer.Typer) -> None:
    for command in (prove, mutants):
        app.command()(command)
