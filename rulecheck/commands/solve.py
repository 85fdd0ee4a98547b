"""Solving a game: `solve`, `probe`, `certify`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from rulecheck.commands.colour import tinted
from rulecheck.commands.common import (
    FINDING,
    INTERRUPTED,
    AsJson,
    Chosen,
    For,
    GameName,
    Jobs,
    Limit,
    Params,
    PositionText,
    Roll,
    emit,
    finish,
    open_game,
    position_at,
    settings,
)
from rulecheck.commands.own import certify_document, is_document
from rulecheck.files import read_json
from rulecheck.model import InputError
from rulecheck.progress import show_progress
from rulecheck.registry import Choice

if TYPE_CHECKING:
    from rulecheck.analyses.lookahead import Foreseen
    from rulecheck.solve.certifying import Certificate
    from rulecheck.solve.solved import Solved
    from rulecheck.solve.solving import Effort

TABLES = Path("tables")

Width = Annotated[
    float | None, typer.Option("--width", metavar="W", help="largest gap between the bounds [default: 1e-06]")
]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="the folder of the tables")]
Resume = Annotated[bool, typer.Option("--resume", help="continue an interrupted solve")]
Exact = Annotated[bool, typer.Option("--exact", help="also give exact fractions (small games)")]
Sweeps = Annotated[
    int | None, typer.Option("--sweeps", min=1, metavar="N", help="stop after N sweeps and keep what they prove")
]
Rounds = Annotated[
    int | None,
    typer.Option(
        "--rounds", min=0, metavar="N", help="stop after N rounds of better policies and keep what they prove"
    ),
]
TableFile = Annotated[Path | None, typer.Option("--table", metavar="FILE", help="the table to ask")]
Everywhere = Annotated[bool, typer.Option("--everywhere", help="compare all positions, however long that takes")]
DrawSeed = Annotated[
    int | None, typer.Option("--seed", min=0, help="repeat an earlier draw of positions [default: a new one]")
]
Ahead = Annotated[
    int | None,
    typer.Option("--depth", min=1, max=99, metavar="N", help="without a table: what can be forced within N moves"),
]
LookLimit = Annotated[
    int | None,
    typer.Option("--limit", min=1, metavar="N", help="with --depth: look at no more positions [default: 100000]"),
]
CertifiedFile = Annotated[Path, typer.Argument(metavar="FILE", help="a table, or another command's certificate")]


def register(app: typer.Typer) -> None:
    for command in (solve, probe, certify):
        app.command()(command)


def _not_proved(error: Exception) -> NoReturn:
    typer.echo(f"rulecheck: UNKNOWN, {error}", err=True)
    raise typer.Exit(FINDING) from None


# -- solve ---------------------------------------------------------------------------------------------------


def solve(
    game: GameName,
    param: Params = None,
    reading: Chosen = None,
    width: Width = None,
    out: Out = TABLES,
    resume: Resume = False,
    exact: Exact = False,
    sweeps: Sweeps = None,
    rounds: Rounds = None,
    hero: For = None,
    limit: Limit = None,
    jobs: Jobs = 1,
    as_json: AsJson = False,
) -> None:
    """Find and prove what either player can force from every position; write a table."""
    from rulecheck.solve.solver import InterruptedSolve, NotProvedError
    from rulecheck.solve.solving import Effort
    from rulecheck.solve.solving import solve as solve_it

    choice = open_game(game, param, reading)
    effort = Effort(width, exact, sweeps, rounds, hero, limit, resume, jobs)
    try:
        with show_progress(f"solving {game}") as report:
            solved = solve_it(choice, out, effort, report)
        _print_outcome(solved, effort, as_json)
    except NotProvedError as error:
        _not_proved(error)
    except InterruptedSolve as error:
        _stop(str(error))


def _print_outcome(solved: Solved, effort: Effort, as_json: bool) -> None:
    from rulecheck.commands.solved import print_solved

    start = solved.start(effort.hero)
    said = solved.as_json(start, exact=effort.exact)
    document = {"game": solved.choice.game.slug, **said, **settings(solved.choice)}
    emit(document, as_json, lambda: print_solved(solved, start, document))
    finish(solved.solution is not None and not solved.solution.reached)


def _stop(sentence: str) -> NoReturn:
    """Leave as an interrupted command does, but say what was kept."""
    from rulecheck.cli import fail

    fail(sentence or "interrupted; nothing half-written is left behind", INTERRUPTED)


# -- probe ---------------------------------------------------------------------------------------------------


def probe(
    game: GameName,
    position: PositionText = None,
    roll: Roll = None,
    table: TableFile = None,
    out: Out = TABLES,
    param: Params = None,
    reading: Chosen = None,
    hero: For = None,
    depth: Ahead = None,
    limit: LookLimit = None,
    as_json: AsJson = False,
) -> None:
    """Look up a position in a table: its value, the best turn (for each roll), and what other turns lose.

    With --depth, without a table: what can be forced within that many moves.
    """
    if depth is not None:
        _look_ahead(open_game(game, param, reading), position, roll, table, hero, depth, limit, as_json)
        return
    if limit is not None:
        raise InputError("--limit is for a look ahead (--depth N); a table needs none")
    from rulecheck.commands.solved import print_probe
    from rulecheck.solve.play_tables import one_of_many
    from rulecheck.solve.probing import probe_table
    from rulecheck.solve.tables import find_table

    choice = open_game(game, param, reading)
    here = position_at(choice, position, roll).value
    solved_for = one_of_many(choice, hero) if table is None or hero is not None else None
    with find_table(choice, table, out, solved_for) as opened:
        answer = probe_table(opened, choice, here, hero)
    document = {"game": game, **answer.as_json(), "table": str(opened.path), **settings(choice)}
    emit(document, as_json, lambda: print_probe(answer))


def _look_ahead(
    choice: Choice, position: str | None, roll: str | None, table: Path | None, hero: str | None, depth: int,
    limit: int | None, as_json: bool,
) -> None:  # fmt: skip
    if table is not None:
        raise InputError("--depth looks ahead without a table, so leave out --table")
    here = position_at(choice, position, roll)
    with show_progress(f"looking ahead in {choice.game.slug}") as report:
        foreseen = here.look_ahead(depth, player=hero, limit=limit, report=report)
    document = {"position": str(here), **foreseen.as_json(), **settings(choice)}
    emit(document, as_json, lambda: _print_foreseen(str(here), foreseen))
    finish(not foreseen.is_complete)


def _print_foreseen(position: str, foreseen: Foreseen) -> None:
    print(position)
    print(foreseen)
    if foreseen.best:
        print(f"best: {', '.join(foreseen.best)}")
    if foreseen.line:
        print(f"line: {', '.join(foreseen.line)}")
    if foreseen.result == "open":
        print("this says nothing about what comes later")


# -- certify -------------------------------------------------------------------------------------------------


def certify(
    file: CertifiedFile,
    everywhere: Everywhere = False,
    seed: DrawSeed = None,
    jobs: Jobs = 1,
    as_json: AsJson = False,
) -> None:
    """Prove a table without the solver, by rebuilding its game and checking every entry; or check a certificate."""
    if is_document(file):
        certify_document(file, read_json(file), as_json)
        return
    from rulecheck.solve.certifying import certify as check

    with show_progress(f"certifying {file.name}") as report:
        certificate = check(file, everywhere=everywhere, seed=seed, report=report, jobs=jobs)
    document = _certificate_json(file, certificate)
    emit(document, as_json, lambda: _print_certificate(document))
    finish(bool(certificate.problems))


def _certificate_json(file: Path, certificate: Certificate) -> dict[str, Any]:
    return {
        "table": str(file),
        "result": "REFUTED" if certificate.problems else "PROVED",
        "headline": certificate.headline,
        "given": certificate.given,
        "game": certificate.choice.game.slug,
        "positions": certificate.positions,
        "width": certificate.width,
        "compared": certificate.compared,
        "compared_with": "spec" if certificate.by_engine else "engine",
        "confirmed": None if certificate.confirmed is None else certificate.confirmed.as_json(),
        "alike": None if certificate.alike is None else certificate.alike.as_json(),
        "seed": certificate.seed,
        "met": None if certificate.met is None else dict(certificate.met),
        "unmet": certificate.unmet,
        "problems": list(certificate.problems),
        "params": certificate.choice.params.as_dict(),
        "readings": dict(certificate.choice.readings),
    }


def _print_certificate(document: dict[str, Any]) -> None:
    what, within = ("outcomes", "") if document["width"] is None else ("bounds", f", within {document['width']:.2g}")
    print(
        f"{tinted(document['headline'])}: {what} of {document['positions']:,} positions of {document['game']}{within}"
    )
    for sentence in _compared_sentences(document):
        print(sentence)
    for problem in document["problems"]:
        print(f"    {problem}")


def _compared_sentences(document: dict[str, Any]) -> Iterator[str]:
    everywhere = document["compared"] == document["positions"]
    where = "all positions" if everywhere else f"{document['compared']:,} positions drawn by strata"
    if document["compared_with"] == "engine":
        yield f"turns compared with the engine's at {where}"
    else:
        yield "solved by the engine itself, so where moves lead and who has won is taken from it"
    if document["confirmed"]:
        asked = document["confirmed"]
        yield f"the spec judged {asked['legal']:,} legal and {asked['illegal']:,} illegal moves at {where}"
    if document["met"] is not None:
        met = ", ".join(f"{clause} ({count:,})" for clause, count in document["met"].items())
        yield f"rules that refused moves there: {met or 'none'}"
    if document["unmet"]:
        yield f"rules that forbid something, and refused nothing there: {', '.join(document['unmet'])}"
    if document["alike"]:
        positions = "all of them" if document["alike"]["everywhere"] else "drawn at random"
        yield f"{document['alike']['compared']:,} positions compared with their symmetric counterparts, {positions}"
    if document["seed"] is not None:
        yield f"--seed {document['seed']} draws the same again"
