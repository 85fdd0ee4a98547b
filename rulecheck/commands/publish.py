"""Commands that look at everything: report writes the pages, audit runs every check and says what disagrees."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from rulecheck import registry
from rulecheck.api.game import OpenGame
from rulecheck.commands.colour import TONES
from rulecheck.commands.common import (
    AsJson,
    Fresh,
    Jobs,
    Params,
    complete_game,
    counted,
    emit,
    finish,
    is_interruption,
    kept_results,
    open_game,
)
from rulecheck.jobs import Report, stage
from rulecheck.model import InputError
from rulecheck.progress import show_progress
from rulecheck.registry import Game

R = TypeVar("R")

Games = Annotated[
    list[str] | None, typer.Argument(metavar="[GAME]...", help="games [default: all]", autocompletion=complete_game)
]
Folder = Annotated[Path, typer.Option("--out", metavar="DIR", help="the folder for the pages")]
CORES = os.cpu_count() or 1


Skipped = dict[str, str]  # game: why it was skipped


def _games(names: list[str] | None) -> tuple[list[Game], Skipped]:
    """The games asked for, or all games, with the reason for each that is broken."""
    if names:
        return [registry.find(name) for name in names], {}
    known, broken = [], {}
    for name in registry.names():
        try:
            known.append(registry.find(name))
        except InputError as error:
            broken[name] = str(error)
    return known, broken


def _going_on(game: Game, work: Callable[[], R], broken: Skipped, alone: bool) -> R | None:
    """Do the work for one game; if it is one of several, its failure must not stop the others."""
    try:
        return work()
    except Exception as error:
        if alone or is_interruption(error):
            raise
        broken[game.slug] = str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
        return None


def _reported(
    game: Game, given: dict[str, str], second: bool, out: Path, jobs: int, progress: Report
) -> dict[str, Any]:
    from rulecheck.report import collect, kept_document, kept_opinions, second_opinions

    rest = 0.3 if second else 0.0
    heard = second_opinions(game, jobs, stage(progress, 0.0, rest, "other solvers")) if second else None
    document = collect(game, jobs, stage(progress, rest, 1.0), given=given)
    document["second"] = None if given else heard or kept_opinions(document, kept_document(out, game.slug))
    return document


def _kept(game: Game, out: Path) -> dict[str, Any]:
    from rulecheck.report import kept_document

    document = kept_document(out, game.slug)
    if document is None:
        raise InputError(
            f"there is no report of {game.slug} in {str(out)!r} to make a page of; expected {game.slug}.json"
        )
    return document


def report(
    games: Games = None,
    param: Params = None,
    out: Folder = Path("reports"),
    second: Annotated[
        bool, typer.Option("--second", help="have other solvers confirm the proofs, as in `prove --second`")
    ] = False,
    render: Annotated[
        bool, typer.Option("--render", help="rebuild the pages from the kept JSON; compute nothing")
    ] = False,
    jobs: Jobs = CORES,
    fresh: Fresh = False,
    as_json: AsJson = False,
) -> None:
    """Write a page with all findings for each game, and an index; with -p, a page for one changed game."""
    from rulecheck.report import require_reports, write_report
    from rulecheck.solve.solver import need_folder

    chosen, broken = _games(games)
    if param and (len(chosen) != 1 or second or render):
        raise InputError("-p goes with one game, and without --second and --render, which are of the printed game")
    given = OpenGame(open_game(chosen[0].slug, param)).changed_params if param else {}
    need_folder(out)
    require_reports(out)
    documents = []
    with kept_results(fresh):
        for game in chosen:
            with show_progress(game.title) as progress:
                work = functools.partial(_reported, game, given, second, out, jobs, progress)
                work = functools.partial(_kept, game, out) if render else work
                document = _going_on(game, work, broken, alone=bool(games))
            documents += [document] if document else []
    paths = [str(path) for path in write_report(documents, out)]
    emit({"written": paths, "skipped": broken}, as_json, lambda: print("\n".join(paths)))
    for sentence in broken.values():
        typer.echo(f"rulecheck: {sentence}", err=True)
    finish(bool(broken))


def audit(
    games: Games = None,
    full: Annotated[
        bool, typer.Option("--full", help="add long proofs, each reading, mutants and solved games")
    ] = False,
    out: Folder = Path("reports"),
    jobs: Jobs = CORES,
    fresh: Fresh = False,
    as_json: AsJson = False,
) -> None:
    """Check every game and its report (with --full: rewrite it); exit status 1 if anything disagrees."""
    from rulecheck import audit as audits
    from rulecheck.report import require_reports, write_report

    chosen, failed = _games(games)
    require_reports(out)
    rows: list[audits.Row] = []
    documents = []
    with kept_results(fresh):
        for game in chosen:
            with show_progress(game.title) as progress:
                work = functools.partial(_audited, game, full, out, jobs, progress)
                document, game_rows = _going_on(game, work, failed, alone=bool(games)) or (None, [])
            documents += [document] if document else []
            rows += game_rows
    if documents:
        write_report(documents, out)
    rows += [audits.broken(slug, why) for slug, why in failed.items()]
    bad = sum(row.disagreements for row in rows)
    summary = {"rows": [row.as_json() for row in rows], "disagreements": bad, "report": str(out / "index.html")}
    emit(summary, as_json, lambda: _print_audit(summary))
    finish(bad > 0)


def _audited(game: Game, full: bool, out: Path, jobs: int, progress: Report) -> tuple[dict[str, Any] | None, list[Any]]:
    """Audit one game; return the rows and, for a full audit, the document."""
    from rulecheck.audit import audit_game, audit_in_full
    from rulecheck.report import kept_document, kept_opinions

    if not full:
        return None, audit_game(game, out, jobs, progress)
    document, rows = audit_in_full(game, jobs, progress)
    document["second"] = kept_opinions(document, kept_document(out, game.slug))
    return document, rows


def _print_audit(summary: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for title in ("game", "check", "result"):
        table.add_column(title, no_wrap=True)  # a verdict is never cut in mid-word; the last column gives way
    table.add_column("what was found")
    for row in summary["rows"]:
        tone = TONES.get(row["result"].split()[0], "") if row["result"] else ""
        table.add_row(row["game"], row["check"], Text(row["result"], style=tone), row["found"])
    Console(width=None if os.isatty(1) else 120).print(table)
    print(counted(summary["disagreements"], "disagreement"))
    if Path(summary["report"]).exists():
        print(f"report: {summary['report']}")


def register(app: typer.Typer) -> None:
    for command in (report, audit):
        app.command()(command)
