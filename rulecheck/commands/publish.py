"""Commands that look at everything: report writes the pages, audit runs every check and says what disagrees."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from rulecheck import registry
from rulecheck.commands.common import AsJson, Jobs, emit, finish, progress_bar
from rulecheck.registry import Game

Games = Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="all games if left out")]
Folder = Annotated[Path, typer.Option("--out", metavar="DIR", help="where the pages go")]
CORES = os.cpu_count() or 1


def _games(names: list[str] | None) -> list[Game]:
    """The games asked for; those that come with studies if none is named."""
    found = [registry.find(name) for name in names or registry.names()]
    return [game for game in found if names or game.study_name]


def report(games: Games = None, out: Folder = Path("reports"), jobs: Jobs = CORES, as_json: AsJson = False) -> None:
    """Write one page for each game, and an index, with everything that was found."""
    from rulecheck.report import collect, write_report

    documents = []
    for game in _games(games):
        with progress_bar(game.title) as progress:
            documents.append(collect(game, jobs, progress))
    paths = [str(path) for path in write_report(documents, out)]
    emit({"written": paths}, as_json, lambda: print("\n".join(paths)))


def audit(
    games: Games = None,
    full: Annotated[bool, typer.Option("--full", help="also long proofs, each reading, mutants, solved games")] = False,
    out: Folder = Path("reports"),
    jobs: Jobs = CORES,
    as_json: AsJson = False,
) -> None:
    """Check every game and its report (in full: write the report); exit status 1 if anything disagrees."""
    from rulecheck.audit import Row, audit_game, audit_in_full
    from rulecheck.report import kept_document, write_report

    rows: list[Row] = []
    documents = []
    for game in _games(games):
        with progress_bar(game.title) as progress:
            if full:
                document, found = audit_in_full(game, jobs, progress)
                documents.append(document)
            else:
                found = audit_game(game, kept_document(out, game.slug), jobs, progress)
        rows += found
    if documents:
        write_report(documents, out)
    bad = sum(row.disagreements for row in rows)
    summary = {"rows": [row.as_json() for row in rows], "disagreements": bad, "report": str(out / "index.html")}
    emit(summary, as_json, lambda: _print_audit(summary))
    finish(bad > 0)


def _print_audit(summary: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("game", "check", "result", "what was found")
    for row in summary["rows"]:
        table.add_row(row["game"], row["check"], row["result"], row["found"])
    Console(width=None if os.isatty(1) else 120).print(table)
    print(f"{summary['disagreements']} disagreements")
    print(f"report: {summary['report']}")


def register(app: typer.Typer) -> None:
    for command in (report, audit):
        app.command()(command)
