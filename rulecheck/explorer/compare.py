"""What the readings change in a position: which moves each other value would allow or forbid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulecheck.explorer.address import Address, Pairs
from rulecheck.explorer.book import answer, impact, question, report_of
from rulecheck.explorer.look import Table, asked_here, open_table, table_of
from rulecheck.model import InputError, Reading

Document = dict[str, Any]
Where = tuple[Any, Any | None]  # a position, and a move that is asked about
MOST_SHOWN = 40  # moves that differ


def readings(address: Address, reports: Path) -> Document:
    """Every open question with its answers, and how each answer changes this position."""
    table = table_of(address)
    report = report_of(reports, address.game)
    here = table.engine.start() if address.position is None else table.read(address.position)
    asked = asked_here(table, here, address)
    legal = _legal(table, here, asked)
    options = table.choice.game.rulebook.options.values()
    return {
        "position": legal["position"],
        "to_act": legal["to_act"],
        "options": [_option(address, table, reading, (here, asked), legal, report) for reading in options],
        "decided": [
            {"name": r.name, "decided": r.decided, "meaning": r.meaning[r.default]}
            for r in table.choice.game.rulebook.readings.values()
            if r.decided
        ],
        "asked": None if asked is None else str(asked),
        "complete": table.choice.game.hints.lists_all_moves,
        "beside": _beside(address, (here, asked), legal) if address.against else None,
    }


def _option(
    address: Address, table: Table, reading: Reading, where: Where, legal: Document, report: Document
) -> Document:
    chosen = table.choice.readings[reading.name]
    values = []
    for value in reading.values:
        pairs = _with(address, table, reading.name, value)
        entry = {
            "value": value,
            "meaning": answer(table.choice.game, reading.name, value),
            "chosen": value == chosen,
            "readings": pairs,
        }
        if value != chosen:
            entry["change"] = _change(legal, _legal(open_table(address.game, address.params, pairs), *where))
        values.append(entry)
    return {
        "name": reading.name,
        "ask": question(table.choice.game, reading.name),
        "why": reading.why,
        "clauses": list(reading.clauses),
        "values": values,
        "impact": impact(report, reading.name),
    }


def _with(address: Address, table: Table, name: str, value: str) -> Pairs:
    """The readings of an address with one of them changed, without those as printed."""
    usual = table.choice.game.rulebook.defaults()
    chosen = {**dict(address.readings), name: value}
    return tuple((key, said) for key, said in chosen.items() if usual.get(key) != said)


def _legal(table: Table, here: Any, asked: Any | None) -> Document:
    """The moves here, each with its result; where chance is to act, what it may bring. The move asked about need not
    be one of those that are listed."""
    engine = table.engine
    try:
        if engine.end(here) is not None:
            return {"position": str(here), "to_act": "nobody", "moves": {"(the game is over)": str(engine.end(here))}}
        chances = engine.chances(here)
        if chances:
            return {"position": str(here), "to_act": "chance", "moves": {c.label: str(c.result) for c in chances}}
        moves = {str(move): str(result) for move, result in engine.moves(here).items()}
        if asked is not None and str(asked) not in moves and engine.judge(here, asked).legal:
            moves[str(asked)] = str(engine.play(here, asked))
    except InputError as error:
        return {"position": str(here), "to_act": "nobody", "moves": {f"({error})": ""}}
    return {"position": str(here), "to_act": str(engine.actor(here)), "moves": moves}


def _change(one: Document, other: Document) -> Document:
    """The moves that only the other allows, those it forbids, and those with a different result under it."""
    mine, theirs = one["moves"], other["moves"]
    more = [move for move in theirs if move not in mine]
    less = [move for move in mine if move not in theirs]
    moved = [move for move in mine if move in theirs and mine[move] != theirs[move]]
    counts = {"more": len(more), "less": len(less), "elsewhere": len(moved)}
    return {
        "counts": counts,
        "more": more[:MOST_SHOWN],
        "less": less[:MOST_SHOWN],
        "elsewhere": moved[:MOST_SHOWN],
        "none": not (more or less or moved),
    }


def _beside(address: Address, where: Where, legal: Document) -> Document:
    """Two sets of readings side by side: every move of either, and which of them allows it."""
    other = _legal(open_table(address.game, address.params, address.against), *where)
    mine, theirs = legal["moves"], other["moves"]
    rows = []
    for move in dict.fromkeys((*mine, *theirs)):
        both = move in mine and move in theirs
        differs = "same" if both and mine[move] == theirs[move] else "elsewhere" if both else "one"
        rows.append({"move": move, "left": mine.get(move), "right": theirs.get(move), "differs": differs})
    return {"rows": sorted(rows, key=lambda row: row["differs"] == "same"), "change": _change(legal, other)}
