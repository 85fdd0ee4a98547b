"""Solving a game: `solve`, `probe`, `certify`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    progress_log,
    settings,
)
from rulecheck.commands.own import certify_document, is_document
from rulecheck.files import read_json
from rulecheck.model import InputError
from rulecheck.registry import Choice

if TYPE_CHECKING:
    from rulecheck.analyses.lookahead import Foreseen
    from rulecheck.api.solving import AnySolved, Effort
    from rulecheck.solve.by_number import WalkSolved
    from rulecheck.solve.certifying import Certificate
    from rulecheck.solve.solver import Solved
    from rulecheck.solve.tables import Probe, RollValue, Values
    from solvers.tablebase import Table

TABLES = Path("tables")
Shown = Callable[[], None]
SHOWN = 5  # turns printed for each roll when no roll is asked for

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


def print_values(values: Values) -> None:
    print(f"the player to move can force  {values.win}")
    print(f"the opponent can force        {values.loss}")
    print(f"neither can                   {values.neither}")


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
    from rulecheck.api.solving import Effort
    from rulecheck.api.solving import solve as solve_it
    from rulecheck.solve.solver import InterruptedSolve, NotProvedError

    choice = open_game(game, param, reading)
    effort = Effort(width, exact, sweeps, rounds, hero, limit, resume, jobs)
    try:
        with progress_log(f"solving {game}") as report:
            solved = solve_it(choice, out, effort, report)
        _tell(solved, effort, as_json)
    except NotProvedError as error:
        _not_proved(error)
    except InterruptedSolve as error:
        _stop(str(error))


def _tell(solved: AnySolved, effort: Effort, as_json: bool) -> None:
    from rulecheck.commands.play_solve import tell_play
    from rulecheck.commands.settle import tell_settled
    from rulecheck.solve.by_play import PlaySolved
    from rulecheck.solve.solver import Settled

    if isinstance(solved, Settled):
        tell_settled(solved, as_json)
    elif isinstance(solved, PlaySolved):
        tell_play(solved, effort, as_json)
    else:
        _tell_bounds(solved, effort, as_json)


def _tell_bounds(solved: Solved | WalkSolved, effort: Effort, as_json: bool) -> None:
    from rulecheck.solve.solver import Solved, exact_start

    fractions = exact_start(solved) if effort.exact and isinstance(solved, Solved) else None
    document = {"game": solved.choice.game.slug, **_solved_json(solved, fractions), **settings(solved.choice)}
    emit(document, as_json, lambda: _print_solved(solved, document))
    finish(not solved.solution.reached)


def _stop(sentence: str) -> NoReturn:
    """Leave as an interrupted command does, but say what was kept."""
    from rulecheck.cli import fail

    fail(sentence or "interrupted; nothing half-written is left behind", INTERRUPTED)


def _solved_json(solved: Solved | WalkSolved, fractions: tuple[str, str] | None) -> dict[str, Any]:
    exact = {} if fractions is None else {"value": fractions[0], "opponent_value": fractions[1]}
    return {
        **exact,
        **solved.values.as_json(),
        "distance": None,  # with dice there is none
        "best": _best_turns(solved),
        **solved.size,
        "width": solved.solution.width,
        "reached": solved.solution.reached,
        "resumable": solved.resumable,
        "alike": None if solved.alike is None else solved.alike.as_json(),
        "table": str(solved.path),
    }


def _best_turns(solved: Solved | WalkSolved) -> dict[str, str]:
    """For each roll at the start, the best turn by the table just written."""
    from rulecheck.solve.tables import find_table, probe

    choice = solved.choice
    with find_table(choice, solved.path, TABLES) as table:
        answer = probe(table, choice, choice.engine().start())
    return {str(roll.roll): roll.best for roll in answer.rolls if roll.best is not None}


def _print_solved(solved: Solved | WalkSolved, found: dict[str, Any]) -> None:
    from rulecheck.commands.settle import sampled_symmetry

    checked = f"accepted by the checker{sampled_symmetry(found)}"
    print(f"{found['positions']:,} positions, all bounds within {found['width']:.2g}, {checked}")
    print_values(solved.values)
    if "value" in found:
        print(f"exactly: {found['value']} and {found['opponent_value']}")
    for roll, turn in found["best"].items():
        print(f"best with {roll}: {turn}")
    if not found["reached"]:
        wanted = f"{solved.solution.requested:g}"
        print(f"the bounds hold, but are wider than the {wanted} asked for; turns are ranked by their lower bounds")
    if found["resumable"]:
        print("--resume continues from here")
    print(f"table: {found['table']}")


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
    """Look a position up in a table: its value, the best turn (for each roll), and what the others lose.

    With --depth, without a table: what can be forced within that many moves.
    """
    if depth is not None:
        _look_ahead(open_game(game, param, reading), position, roll, table, hero, depth, limit, as_json)
        return
    if limit is not None:
        raise InputError("--limit is for a look ahead (--depth N); a table needs none")
    from rulecheck.solve.play_tables import one_of_many
    from rulecheck.solve.tables import find_table

    choice = open_game(game, param, reading)
    here = position_at(choice, position, roll).value
    solved_for = one_of_many(choice, hero) if table is None or hero is not None else None
    with find_table(choice, table, out, solved_for) as opened:
        found, printed = ask_table(opened, choice, here, hero)
    emit({"game": game, **found, "table": str(opened.path), **settings(choice)}, as_json, printed)


def _look_ahead(
    choice: Choice, position: str | None, roll: str | None, table: Path | None, hero: str | None, depth: int,
    limit: int | None, as_json: bool,
) -> None:  # fmt: skip
    if table is not None:
        raise InputError("--depth looks ahead without a table, so leave out --table")
    here = position_at(choice, position, roll)
    with progress_log(f"looking ahead in {choice.game.slug}") as report:
        found = here.look_ahead(depth, player=hero, limit=limit, report=report)
    document = {"position": str(here), **found.as_json(), **settings(choice)}
    emit(document, as_json, lambda: _print_foreseen(str(here), found))
    finish(not found.is_complete)


def _print_foreseen(position: str, found: Foreseen) -> None:
    print(position)
    print(found)
    if found.best:
        print(f"best: {', '.join(found.best)}")
    if found.line:
        print(f"line: {', '.join(found.line)}")
    if found.result == "open":
        print("this says nothing about what comes later")


def ask_table(table: Table, choice: Choice, here: Any, hero: str | None) -> tuple[dict[str, Any], Shown]:
    from rulecheck.api.solving import Effort, refuse_play
    from rulecheck.commands.play_solve import ask_play
    from rulecheck.commands.settle import print_answer
    from rulecheck.solve import outcomes, tables
    from rulecheck.solve.tables import Method, method_of

    method = method_of(table)
    if method is Method.PLAY:
        return ask_play(table, choice, here, hero)
    refuse_play(choice.game.slug, Effort(hero=hero))
    if method is Method.RETROGRADE:
        answer = outcomes.probe(table, choice, here)
        return answer.as_json(), lambda: print_answer(answer)
    rolled = tables.probe(table, choice, here)
    return _probe_json(rolled), lambda: _print_probe(rolled)


def _probe_json(answer: Probe) -> dict[str, Any]:
    best = {str(roll.roll): roll.best for roll in answer.rolls if roll.best is not None}
    rolls = [roll.as_json() for roll in answer.rolls]
    return {"position": answer.position, **answer.values.as_json(), "distance": None, "best": best, "rolls": rolls}


def _print_probe(answer: Probe) -> None:
    print(answer.position)
    print_values(answer.values)
    if not answer.rolls:
        print("the game is over")
    for roll in answer.rolls:
        _print_roll(roll, len(roll.turns) if len(answer.rolls) == 1 else SHOWN)


def _print_roll(roll: RollValue, shown: int) -> None:
    print(f"{'' if roll.roll is None else f'with {roll.roll}: '}{roll.values.win}")
    width = max((len(turn.move) for turn in roll.turns[:shown]), default=0)
    contenders = sum(turn.loses.low == 0 for turn in roll.turns)
    for turn in roll.turns[:shown]:
        best = "best" if contenders == 1 or turn.loses.high == 0 else "may be best"
        loses = f"loses {turn.loses}" if turn.loses.low else best
        print(f"    {turn.move:<{width}}  {turn.values.win}  {loses}")
    if shown < len(roll.turns):
        print(f"    and {len(roll.turns) - shown} more; --roll {roll.roll} shows all")


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

    with progress_log(f"certifying {file.name}") as report:
        found = check(file, everywhere=everywhere, seed=seed, report=report, jobs=jobs)
    document = _certificate_json(file, found)
    emit(document, as_json, lambda: _print_certificate(document))
    finish(bool(found.problems))


def _certificate_json(file: Path, found: Certificate) -> dict[str, Any]:
    return {
        "table": str(file),
        "result": "REFUTED" if found.problems else "PROVED",
        "headline": found.headline,
        "given": found.given,
        "game": found.choice.game.slug,
        "positions": found.positions,
        "width": found.width,
        "compared": found.compared,
        "compared_with": "spec" if found.by_engine else "engine",
        "confirmed": None if found.confirmed is None else found.confirmed.as_json(),
        "alike": None if found.alike is None else found.alike.as_json(),
        "seed": found.seed,
        "problems": list(found.problems),
        "params": found.choice.params.as_dict(),
        "readings": dict(found.choice.readings),
    }


def _print_certificate(found: dict[str, Any]) -> None:
    what, within = ("outcomes", "") if found["width"] is None else ("bounds", f", within {found['width']:.2g}")
    print(f"{tinted(found['headline'])}: {what} of {found['positions']:,} positions of {found['game']}{within}")
    for sentence in _compared_sentences(found):
        print(sentence)
    for problem in found["problems"]:
        print(f"    {problem}")


def _compared_sentences(found: dict[str, Any]) -> Iterator[str]:
    everywhere = found["compared"] == found["positions"]
    where = "all positions" if everywhere else f"{found['compared']:,} positions drawn by strata"
    if found["compared_with"] == "engine":
        yield f"turns compared with the engine's at {where}"
    else:
        yield "solved by the engine itself, so where moves lead and who has won is taken from it"
    if found["confirmed"]:
        asked = found["confirmed"]
        yield f"the spec judged {asked['legal']:,} legal and {asked['illegal']:,} illegal moves at {where}"
    if found["alike"]:
        positions = "all of them" if found["alike"]["everywhere"] else "drawn at random"
        yield f"{found['alike']['compared']:,} positions compared with their symmetric counterparts, {positions}"
    if found["seed"] is not None:
        yield f"--seed {found['seed']} draws the same again"
