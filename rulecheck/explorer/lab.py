"""The lab: a game with parameters and readings of one's own, the commands to run on it, and the tables they leave."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rulecheck import registry
from rulecheck.explorer.address import Address
from rulecheck.explorer.book import answer, question
from rulecheck.explorer.look import chosen as as_chosen
from rulecheck.explorer.look import table_of
from rulecheck.files import read_json, write_file
from rulecheck.model import InputError
from rulecheck.registry import Game
from rulecheck.rulebook import check_known

Document = dict[str, Any]
PARAM, READING = "param.", "reading."
MOST_TABLES = 200


def typed(query: Sequence[tuple[str, str]]) -> tuple[dict[str, str], dict[str, str]]:
    """The parameters and readings of a submitted form."""
    given = {key: value.strip() for key, value in query[:400] if value.strip()}
    params = {key.removeprefix(PARAM): value for key, value in given.items() if key.startswith(PARAM)}
    readings = {key.removeprefix(READING): value for key, value in given.items() if key.startswith(READING)}
    return params, readings


def form(game: Game, address: Address) -> Document:
    """Every parameter and every open question, as chosen."""
    book = game.rulebook
    params, readings = dict(address.params), dict(address.readings)
    return {
        "params": [
            {"name": p.name, "text": p.text, "value": params.get(p.name, p.default), "default": p.default,
             "one_of": list(p.one_of), "limits": "" if p.least is None else f"{p.least} to {p.most}"}
            for p in book.parameters
        ],
        "readings": [
            {"name": r.name, "ask": question(game, r.name), "value": readings.get(r.name, r.default),
             "values": [(value, answer(game, r.name, value)) for value in r.values]}
            for r in book.options.values()
        ],
        "versions": [{"name": v.name, "params": dict(v.params)} for v in book.versions],
    }  # fmt: skip


def settled(address: Address) -> Document:
    """The same game in short form; InputError if it is impossible."""
    table = table_of(address)
    game = table.choice.game
    params, readings = as_chosen(game, table.choice.params.as_dict(), dict(table.choice.readings))
    players = list(table.engine.players)
    return {"address": Address(game.slug, None, params, readings).as_json(), "players": players}


Command = tuple[str, list[str]]  # the title and the arguments of a job


def command(kind: str, address: Address, folders: Mapping[str, Path], about: Mapping[str, str]) -> Command:
    check_known("game", address.game, registry.names())
    said = [f"--param={key}={value}" for key, value in address.params]
    said += [f"--reading={key}={value}" for key, value in address.readings]
    called = " ".join((address.game, *(f"{key}={value}" for key, value in (*address.params, *address.readings))))
    if kind == "solve":
        hero = [f"--for={about['for']}"] if about.get("for") else []
        return f"solve {called}", ["solve", address.game, *said, *hero, "--out", str(folders["tables"]), "--json"]
    if kind == "stalemates":
        return f"stalemates {called}", ["stalemates", address.game, *said, "--json"]
    if kind == "compare":
        if not said:
            raise InputError("nothing is changed: choose other parameters or readings, then compare")
        games = _number(about, "games", 20, 500, 1)
        return f"compare {called}", ["compare", address.game, *said, "--games", str(games), "--json"]
    if kind == "puzzles":
        count, seed = _number(about, "count", 10, 200), _number(about, "seed", 1, 10**9)
        more = ["--count", str(count), "--seed", str(seed), "--out", str(folders["puzzles"]), "--json"]
        return f"puzzles {address.game}", ["puzzles", address.game, *more]
    if kind == "certify":
        path = table_path(folders["tables"], about.get("table", ""))
        return f"certify {path.name}", ["certify", str(path), "--json"]
    raise InputError(f"no job is called {kind[:40]!r}; known: solve, stalemates, compare, puzzles, certify")


def _number(about: Mapping[str, str], name: str, usual: int, most: int, least: int = 0) -> int:
    text = about.get(name, "") or str(usual)
    if not text.isdecimal() or len(text) > 10 or not least <= int(text) <= most:
        raise InputError(f"{name} wants a whole number from {least} to {most:,}, found {text[:40]!r}")
    return int(text)


# -- Tables ----------------------------------------------------------------------------------------------------


def table_path(folder: Path, name: str) -> Path:
    """The path of a table in the folder; nothing outside the folder is allowed."""
    if name != Path(name).name or not name.endswith(".table") or not (folder / name).is_file():
        raise InputError(f"there is no table {name[:200]!r} in {folder}")
    return folder / name


def tables(folder: Path) -> Document:
    """Every table in the folder, with its header and whether its certificate was checked."""
    files = sorted(folder.glob("*.table"))[:MOST_TABLES]
    return {"folder": str(folder), "tables": [_table(file) for file in files]}


def _table(file: Path) -> Document:
    from solvers.tablebase import TableError, open_table

    try:
        with open_table(file) as opened:
            header = opened.header
    except (TableError, OSError) as error:
        return {"name": file.name, "problem": str(error)}
    said = {"name": file.name, "game": header.game, "bytes": file.stat().st_size, "about": header.about, "problem": ""}
    return {**said, **_opened(header), "certified": _certified(file)}


def _opened(header: Any) -> Document:
    """The address of the table's game, if the game is known and its rules are the same."""
    try:
        game = registry.find(header.game)
        params, readings = as_chosen(game, header.parameters, header.readings)
    except (InputError, KeyError):
        return {"address": None, "stale": True}
    address = Address(header.game, None, params, readings)
    return {"address": address.as_json(), "stale": game.rulebook.digest != header.rulebook}


def certificate_path(file: Path) -> Path:
    return file.with_suffix(".certificate.json")


def keep_certificate(file: Path, stamp: int, document: Any) -> None:
    """Keep the result of `certify` for the table with this time stamp."""
    write_file(certificate_path(file), json.dumps({"stamp": stamp, "document": document}, indent=1) + "\n")


def _certified(file: Path) -> Document | None:
    """The kept answer of `certify`, if the table has not changed since."""
    try:
        kept = read_json(certificate_path(file))
        fresh = kept["stamp"] == file.stat().st_mtime_ns
    except (InputError, KeyError, TypeError, OSError):
        return None
    return {"result": kept["document"]["result"], "headline": kept["document"]["headline"]} if fresh else None
