"""`rules`: the rulebook of a game, for reading."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from rulecheck.commands.common import AsJson, GameName, book_of_line, emit, open_game, settings
from rulecheck.model import Claim, Clause, Reading
from rulecheck.rulebook import Rulebook, check_known

OPEN = "\nOpen readings (-r NAME=VALUE; the first value is the default)"
CLOSED = "\nReadings that the sheet decides, or that do not change play"


def _complete_clause(ctx: typer.Context, incomplete: str) -> list[str]:
    book = book_of_line(ctx)
    return [name for name in book.clauses if name.startswith(incomplete)] if book else []


AskedClause = Annotated[
    str | None,
    typer.Argument(metavar="[CLAUSE]", help="only this clause, and what refers to it", autocompletion=_complete_clause),
]


def register(app: typer.Typer) -> None:
    app.command()(rules)


def rules(game: GameName, clause: AskedClause = None, as_json: AsJson = False) -> None:
    """Print the rules: clauses, readings and their meanings, parameters and claims; or everything about one clause."""
    choice = open_game(game)
    book = choice.game.rulebook
    if clause is not None:
        check_known("clause", clause, book.clauses)
    document = {"title": book.title, **_document(book, clause), **settings(choice)}
    emit(document, as_json, lambda: print("\n".join(_lines(book, clause))))


def _about(book: Rulebook, clause: str | None) -> tuple[list[Clause], list[Reading], list[Claim]]:
    """Everything, or one clause with its parts and whatever refers to it."""
    clauses = [c for c in book.clauses.values() if clause in (None, c.id, c.part_of, c.repeats)]
    readings = [r for r in book.readings.values() if clause is None or clause in r.clauses]
    return clauses, readings, [c for c in book.claims.values() if clause is None or clause in c.clauses]


# -- JSON ------------------------------------------------------------------------------------------------------


def _document(book: Rulebook, clause: str | None) -> dict[str, Any]:
    clauses, readings, claims = _about(book, clause)
    about = {
        "clauses": [_clause_json(c) for c in clauses],
        "choices": [_reading_json(r) for r in readings],
        "claims": [{"id": c.id, "text": c.text, "source": c.source, "clauses": list(c.clauses)} for c in claims],
    }
    if clause is not None:
        return about
    params = [{"name": p.name, "default": p.default, "text": p.text} for p in book.parameters]
    versions = [{"name": v.name, "params": dict(v.params)} for v in book.versions]
    said = {"designer": book.designer, "sheet": book.sheet, "players": book.players, "summary": book.summary}
    return {**said, **about, "parameters": params, "versions": versions}


def _clause_json(clause: Clause) -> dict[str, Any]:
    return {
        "id": clause.id,
        "kind": clause.kind,
        "text": clause.text,
        "pointer": clause.pointer,
        "part_of": clause.part_of,
        "repeats": clause.repeats,
    }


def _reading_json(reading: Reading) -> dict[str, Any]:
    return {
        "id": reading.id,
        "name": reading.name,
        "default": reading.default,
        "values": dict(reading.meaning),
        "clauses": list(reading.clauses),
        "why": reading.why,
        "decided": reading.decided,
        "open": reading.is_option,
    }


# -- For people ------------------------------------------------------------------------------------------------


def _lines(book: Rulebook, clause: str | None) -> Iterator[str]:
    clauses, readings, claims = _about(book, clause)
    if clause is None:
        yield f"{book.title}, by {book.designer}, for {book.players} players"
        yield book.summary
        yield "\nClauses"
    yield from (f"  {c.id}  {_flat(c.text)}" for c in clauses)
    yield from _readings(OPEN, [reading for reading in readings if reading.is_option])
    yield from _readings(CLOSED, [reading for reading in readings if not reading.is_option])
    if claims:
        yield "\nClaims"
        for claim in claims:
            yield f"  {claim.id}  {_flat(claim.text)}" + ("" if claim.is_ours else f"  [{_flat(claim.source)}]")
    if clause is None and book.parameters:
        yield "\nParameters (-p NAME=VALUE)"
        yield from (f"  {p.name}={p.default}  {_flat(p.text)}" for p in book.parameters)


def _readings(title: str, readings: list[Reading]) -> Iterator[str]:
    if readings:
        yield title
    for reading in readings:
        yield f"  {reading.name}  ({reading.id}; {', '.join(reading.clauses)})"
        yield from (f"      {value}: {_flat(meaning)}" for value, meaning in reading.meaning.items())
        if reading.decided:
            yield f"      decided by: {_flat(reading.decided)}"


def _flat(text: str) -> str:
    return " ".join(text.split())
