"""`export`: a static copy of the explorer for a plain web server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rulecheck import registry
from rulecheck.commands.common import AsJson, complete_game, emit, finish
from rulecheck.commands.serve import Reports, Tables, needed
from rulecheck.progress import show_progress
from rulecheck.rulebook import check_known

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="where the site goes")]
Games = Annotated[
    list[str] | None,
    typer.Option("--game", metavar="GAME", help="only this game (may be repeated)", autocompletion=complete_game),
]
Pages = Annotated[int, typer.Option("--pages", min=1, max=1_000_000, metavar="N", help="copy at most N pages")]


def register(app: typer.Typer) -> None:
    app.command()(export)


def export(
    folder: Folder,
    game: Games = None,
    pages: Pages = 1000,
    tables: Tables = Path("tables"),
    reports: Reports = Path("reports"),
    as_json: AsJson = False,
) -> None:
    """Write findings, lines, puzzles and small tables as a static site that works from a plain web server."""
    with needed():
        from rulecheck.explorer.app import make_app
        from rulecheck.explorer.explorer import Folders
        from rulecheck.explorer.export import export as copy
    from rulecheck.solve.solver import need_folder

    for name in game or ():
        check_known("game", name, registry.names())
    need_folder(folder)
    chosen = game or registry.names()
    app = make_app(Folders(tables, reports, reports / "puzzles"), warm=False)
    try:
        with show_progress("copying the explorer") as report:
            copied = copy(app, folder, chosen, pages, report)
    finally:
        app.state.explorer.close()
    document = {"folder": str(folder), "pages": copied.pages, "left_out": copied.left_out, "unknown": copied.unknown}
    emit(document, as_json, lambda: _print(document))
    finish(bool(copied.unknown))


def _print(document: dict[str, Any]) -> None:
    print(f"{document['pages']:,} pages in {document['folder']}; {document['left_out']:,} links beyond are left out")
    for sentence in document["unknown"]:
        print(f"not copied: {sentence}")
