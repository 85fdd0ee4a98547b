"""Icehouse's own questions: `attack` for one piece against one defender, `fortress` for every defender and size."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
    position_at,
    settings,
)
from rulecheck.model import InputError
from rulecheck.progress import show_progress
from rulecheck.pyramids import SIZE_NAMES
from rulecheck.registry import Choice

if TYPE_CHECKING:
    from rulecheck.games.icehouse.research.attack import Answer
    from rulecheck.games.icehouse.research.certificate import Checked
    from rulecheck.games.icehouse.research.fortress import Known

GAME = "icehouse"
BUDGET = 20_000

AskedPosition = Annotated[str, typer.Argument(metavar="POSITION", help="a position, or - for standard input")]
Fortified = Annotated[str | None, typer.Argument(metavar="[POSITION]", help="a position, or - for standard input")]
Attacker = Annotated[str, typer.Argument(metavar="PIECE", help="the attacking piece, as in B2")]
Defender = Annotated[int, typer.Argument(metavar="DEFENDER", help="the number of the defender, counted from 1")]
Placer = Annotated[
    str | None, typer.Option("--by", metavar="PLAYER", help="who places it [default: the owner of its colour]")
]
Defenders = Annotated[
    list[int] | None, typer.Option("--defender", "-d", metavar="N", help="only this piece (may be repeated)")
]
Sizes = Annotated[list[int] | None, typer.Option("--size", "-s", min=1, max=3, help="only attackers of 1, 2 or 3 pips")]
Name = Annotated[str | None, typer.Option("--known", metavar="NAME", help="a known fortress")]
All = Annotated[
    bool, typer.Option("--all", help="ask about all known fortresses and compare the answers with the expected ones")
]
Budget = Annotated[int, typer.Option("--budget", min=1, max=10_000_000, help="give up after N cells")]
CertificateFile = Annotated[
    Path | None, typer.Option("--certificate", metavar="FILE", help="write the proofs for `rulecheck certify`")
]
SvgFile = Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="draw the attacks found")]


def _open(game: str, params: list[str] | None, readings: list[str] | None, what: str) -> Choice:
    choice = open_game(game, params, readings)
    if choice.game.slug != GAME:
        raise InputError(f"{what} is a question about {GAME}, and in {choice.game.slug} nothing is aimed at anything")
    return choice


# -- attack --------------------------------------------------------------------------------------------------


def attack(
    game: GameName,
    position: AskedPosition,
    piece: Attacker,
    defender: Defender,
    by: Placer = None,
    budget: Budget = BUDGET,
    certificate: CertificateFile = None,
    svg: SvgFile = None,
    param: Params = None,
    reading: Chosen = None,
    as_json: AsJson = False,
) -> None:
    """Find a placement of a piece that attacks a defender, or prove that there is none."""
    from rulecheck.games.icehouse.research.attack import attack as ask
    from rulecheck.notation import Token, read_stack

    choice = _open(game, param, reading, "attack")
    here = position_at(choice, position).value
    attacker, *more = read_stack(Token(piece, 1), 0, choice.params.colours)
    if more:
        raise InputError(f"expected one piece, as in {attacker}, found {piece!r}")
    if by is not None and by not in choice.params.colours:
        raise InputError(f"option --by wants one of {', '.join(choice.params.colours)}, found {by!r}")
    answer = ask(choice, here, attacker, defender, placer=by, budget=budget)
    _write(choice, here, [answer], certificate, svg)
    document = {"position": str(here), **_answer_json(answer), **_files(certificate, svg), **settings(choice)}
    emit(document, as_json, lambda: print(f"{answer.result.status.value} {answer.word}: {answer.result.scope}"))
    finish(answer.word == "unknown")


def _answer_json(answer: Answer) -> dict[str, Any]:
    """The proof itself is in the certificate."""
    named = {"player": answer.player, "piece": str(answer.pyramid)} if answer.player else {}
    return {
        "target": answer.target,
        "pips": answer.pips,
        **named,
        "answer": answer.word,
        "result": answer.result.status.value,
        "scope": answer.result.scope,
        "cells": answer.result.cases,
        "attack": None if answer.attack is None else str(answer.attack),
    }


def _files(certificate: Path | None, svg: Path | None) -> dict[str, str | None]:
    return {name: None if file is None else str(file) for name, file in (("certificate", certificate), ("svg", svg))}


def _write(choice: Choice, here: Any, answers: Sequence[Answer], certificate: Path | None, svg: Path | None) -> None:
    from rulecheck.files import write_file
    from rulecheck.games.icehouse.drawing import attacks_svg
    from rulecheck.games.icehouse.research.fortress import document

    if certificate is not None:
        write_file(certificate, json.dumps(document(choice, here, answers)) + "\n")
    if svg is not None:
        attacks = [(answer.attack, answer.target) for answer in answers if answer.attack is not None]
        unsafe = {answer.target for answer in answers if answer.word != "safe"}
        safe = {answer.target for answer in answers} - unsafe
        write_file(svg, attacks_svg(choice.params, here, attacks, safe))


# -- fortress ------------------------------------------------------------------------------------------------


def fortress(
    game: GameName,
    position: Fortified = None,
    defender: Defenders = None,
    size: Sizes = None,
    known: Name = None,
    every: All = False,
    budget: Budget = BUDGET,
    certificate: CertificateFile = None,
    svg: SvgFile = None,
    jobs: Jobs = 1,
    param: Params = None,
    reading: Chosen = None,
    as_json: AsJson = False,
) -> None:
    """Show for each defender and size of attacker that it is safe (by a proof) or open (by an attack)."""
    choice = _open(game, param, reading, "fortress")
    if (position is not None) + (known is not None) + every != 1:
        raise InputError("fortress wants one of a position, --known NAME and --all")
    if position is None and (param or reading or defender):
        raise InputError("a known fortress comes with its parameters, readings and defender; leave -p, -r and -d out")
    if every:
        if certificate is not None or svg is not None:
            raise InputError("--all is about many positions, and --certificate and --svg are for one")
        _all_known(size, budget, jobs, as_json)
        return
    here = None if position is None else position_at(choice, position).value
    if known is not None:
        choice, here, defender = _known(known)
    answers = _ask(choice, here, defender, size, budget, jobs)
    _write(choice, here, answers, certificate, svg)
    listed = [_answer_json(answer) for answer in answers]
    document = {"position": str(here), "answers": listed, **_files(certificate, svg), **settings(choice)}
    emit(document, as_json, lambda: _print_answers(here, answers))
    finish(any(answer.word == "unknown" for answer in answers))


def _known(name: str) -> tuple[Choice, Any, list[int]]:
    from rulecheck.games.icehouse.research.fortress import find_known

    entry = find_known(name)
    return entry.choice, entry.position, [entry.target]


def _ask(
    choice: Choice, here: Any, defenders: list[int] | None, sizes: list[int] | None, budget: int, jobs: int
) -> list[Answer]:
    from rulecheck.games.icehouse.pieces import SIZES
    from rulecheck.games.icehouse.research.fortress import fortress as ask

    with show_progress("attacks") as report:
        return ask(choice, here, targets=defenders, sizes=sizes or SIZES, budget=budget, jobs=jobs, report=report)


def _print_answers(here: Any, answers: Sequence[Answer]) -> None:
    shown = None
    for answer in answers:
        if answer.target != shown:
            shown = answer.target
            print(f"{shown} {here.pieces[shown - 1]}")
        print(f"    {SIZE_NAMES[answer.pips]:<6}  {answer.word:<7}  {_reason(answer)}")
    if not answers:
        print("nothing stands, so there is nothing to attack")


def _reason(answer: Answer) -> str:
    if answer.attack is not None:
        return str(answer.attack)
    if isinstance(answer.proof, str) or answer.word == "unknown":
        return answer.result.scope
    return f"PROVED, {answer.result.cases:,} cells accepted by the checker"


# -- The known set -------------------------------------------------------------------------------------------


def _all_known(sizes: list[int] | None, budget: int, jobs: int, as_json: bool) -> None:
    from rulecheck.games.icehouse.research.fortress import known_fortresses

    rows = []
    for known in known_fortresses():
        answers = _ask(known.choice, known.position, [known.target], sizes, budget, jobs)
        rows.append(_row(known, answers))
        if not as_json:
            _print_row(rows[-1])
    wrong = sum(row["expected"] != row["found"] for row in rows)
    if as_json:
        emit({"fortresses": rows, "wrong": wrong}, as_json, lambda: None)
    else:
        print(f"{len(rows)} fortresses, {len(rows) - wrong} as expected")
    finish(bool(wrong))


def _row(known: Known, answers: Sequence[Answer]) -> dict[str, Any]:
    return {
        "name": known.name,
        "position": str(known.position),
        "target": known.target,
        "expected": {str(answer.pips): known.expect[answer.pips] for answer in answers},
        "found": {str(answer.pips): answer.word for answer in answers},
        "answers": [_answer_json(answer) for answer in answers],
        "why": known.why,
        **settings(known.choice),
    }


def _print_row(row: dict[str, Any]) -> None:
    words = "  ".join(f"{word:<7}" for word in row["found"].values())
    expected = "" if row["expected"] == row["found"] else f"  expected {', '.join(row['expected'].values())}"
    print(f"{row['name']:<44}  {words.rstrip()}{expected}")


# -- certify -------------------------------------------------------------------------------------------------


def certify_answers(file: Path, document: Any, as_json: bool) -> None:
    """Check a certificate with the engine and the geometry alone."""
    from rulecheck.games.icehouse.research.certificate import check_document

    checked = check_document(document)
    problems = [_problem(entry) for entry in checked if entry.problem is not None]
    verdict = {
        "certificate": str(file),
        "result": "REFUTED" if problems else "PROVED",
        "game": GAME,
        "position": document["position"],
        "answers": [vars(entry) for entry in checked],
        "problems": problems,
        "params": document["params"],
        "readings": document["readings"],
    }
    emit(verdict, as_json, lambda: _print_checked(verdict))
    finish(bool(problems))


def _problem(checked: Checked) -> str:
    return f"{_about(checked.target, checked.pips)}, said to be {checked.answer}: {checked.problem}"


def _about(target: int, pips: int) -> str:
    return f"piece {target} against {SIZE_NAMES[pips]} attackers"


def _print_checked(document: dict[str, Any]) -> None:
    claims = [entry for entry in document["answers"] if entry["answer"] != "unknown"]
    cells = sum(entry["cells"] for entry in claims)
    unknown = len(document["answers"]) - len(claims)
    rest = f"; {unknown} unknown, of which nothing is claimed" if unknown else ""
    answers = "1 answer" if len(claims) == 1 else f"{len(claims)} answers"
    print(f"{document['result']}: {answers} about {document['position']}, {cells:,} cells{rest}")
    for entry in claims:
        if entry["problem"] is None:
            print(f"    {_about(entry['target'], entry['pips'])}: {entry['answer']}")
    for problem in document["problems"]:
        print(f"    {problem}")
