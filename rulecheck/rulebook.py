"""Reads and validates a rulebook: the clauses, readings and claims of a game, as a TOML file an editor can read.

Every mistake in the file is one sentence that names the line.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from rulecheck.model import OURS, Claim, Clause, InputError, Reading, Readings

CLAUSE_KINDS = ("material", "setup", "procedure", "forbids", "permits", "effect", "goal")
READING_KINDS = ("play", "document")
EXPECTATIONS = ("true", "false", "depends")
KEYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # table: (required keys, optional keys)
    "game": (("slug", "title", "designer", "sheet", "players", "summary", "move_identity"), ()),
    "parameter": (("name", "default", "text"), ("one_of", "least", "most")),
    "version": (("name", "params"), ()),
    "clause": (("id", "kind", "text"), ("pointer", "part_of", "repeats")),
    "reading": (("id", "name", "clauses", "why", "values"), ("decided", "kind", "where")),
    "claim": (("id", "text", "source", "clauses", "check"), ("data", "expect", "by_default", "note")),
}

QUOTED = r"\S.* \(\S.*\)"  # words of the sheet (their place)
TYPES = {  # every other value is a text
    "clauses": list, "one_of": list, "values": dict, "data": dict, "params": dict, "where": dict,
    "least": int, "most": int,
}  # fmt: skip
KIND_OF_VALUE = {list: "a list of texts", dict: "a table", int: "a whole number", str: "a text"}


def _all_text(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


class RulebookError(InputError):
    def __init__(self, name: str, line: int, problem: str) -> None:
        super().__init__(f"{name}, line {line}: {problem}")
        self.line = line


@dataclass(frozen=True)
class Parameter:
    """A parameter: one of some texts, a whole number between limits, or anything the game reads."""

    name: str
    default: str
    text: str
    one_of: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True)
class Version:
    """A smaller version of a game: its name and its parameters."""

    name: str
    params: Mapping[str, str]


@dataclass(frozen=True)
class Rulebook:
    slug: str
    title: str
    designer: str
    sheet: str
    players: str
    summary: str
    move_identity: str
    parameters: tuple[Parameter, ...]
    versions: tuple[Version, ...]  # the smallest first
    clauses: Mapping[str, Clause]
    readings: Mapping[str, Reading]
    claims: Mapping[str, Claim]
    digest: str

    @property
    def options(self) -> dict[str, Reading]:
        """The readings that change play and that nothing in the sheet decides."""
        return {r.name: r for r in self.readings.values() if r.is_option}

    def asked(self, params: Mapping[str, str]) -> dict[str, Reading]:
        """The options that matter in a game with these parameters, the others as printed."""
        chosen = {**{p.name: p.default for p in self.parameters}, **params}
        return {name: r for name, r in self.options.items() if r.where.items() <= chosen.items()}

    def defaults(self) -> Readings:
        return Readings({name: r.default for name, r in self.options.items()})

    def choose(self, chosen: Mapping[str, str]) -> Readings:
        """The default readings with the user's choices, each checked."""
        for name, value in chosen.items():
            check_known("reading", name, self.options)
            check_known(f"value of reading {name}", value, self.options[name].values)
        return self.defaults().replace(**chosen)


def check_known(what: str, name: str, known: Iterable[str]) -> None:
    """Refuse an unknown name with a list of the known ones and the nearest match."""
    listed = list(known)
    if name in listed:
        return
    near = get_close_matches(name, listed, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise InputError(f"unknown {what} {name!r}; known: {', '.join(listed) or 'none'}{hint}")


class _Lines:
    """Finds the line of a table or key, so that errors can name it (tomllib keeps no positions)."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.headers: dict[str, list[int]] = {}
        for number, line in enumerate(self.lines, 1):
            if match := re.match(r"\s*\[\[?([A-Za-z_.]+)\]\]?", line):
                self.headers.setdefault(match[1], []).append(number)

    def of(self, table: str, index: int, key: str | None = None) -> int:
        headers = self.headers.get(table, [1])
        start = headers[min(index, len(headers) - 1)]
        if key is None:
            return start
        for number in range(start, len(self.lines) + 1):
            if re.match(rf"\s*{re.escape(key)}\s*=", self.lines[number - 1]):
                return number
            if re.match(rf"\s*\[{table}\.{re.escape(key)}\]", self.lines[number - 1]):
                return number
        return start


class _Reader:
    def __init__(self, text: str, name: str) -> None:
        self.name, self.lines = name, _Lines(text)
        try:
            self.data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            where = re.search(r"line (\d+)", str(error))
            raise RulebookError(name, int(where[1]) if where else 1, f"not valid TOML: {error}") from None
        for table in self.data:
            if table not in KEYS:
                raise RulebookError(name, self.lines.of(table, 0), f"unknown table {table!r}; known: {', '.join(KEYS)}")

    def fail(self, table: str, index: int, key: str | None, problem: str) -> RulebookError:
        return RulebookError(self.name, self.lines.of(table, index, key), problem)

    def tables(self, table: str) -> list[dict[str, Any]]:
        rows = self.data.get(table, [])
        if not isinstance(rows, list):
            rows = [rows]
        if not all(isinstance(row, dict) for row in rows):
            raise self.fail(table, 0, table, f"{table} must be a table")
        required, optional = KEYS[table]
        for index, row in enumerate(rows):
            for key in row:
                if key not in required + optional:
                    known = ", ".join(required + optional)
                    raise self.fail(table, index, key, f"unknown key {key!r} in {table}; known: {known}")
            for key, value in row.items():
                wanted = TYPES.get(key, str)
                if not isinstance(value, wanted) or (wanted is list and not _all_text(value)):
                    raise self.fail(table, index, key, f"{key} must be {KIND_OF_VALUE[wanted]}, found {value!r}")
            for key in required:
                if key not in row:
                    named = f"{table} {row['id']}" if "id" in row else table
                    raise self.fail(table, index, None, f"{named} lacks the key {key!r}")
        return rows

    def choice(self, table: str, index: int, key: str, value: str, known: tuple[str, ...]) -> str:
        if value not in known:
            raise self.fail(table, index, key, f"unknown {key} {value!r}; known: {', '.join(known)}")
        return value

    def unique(self, table: str, index: int, key: str, value: str, seen: Iterable[str]) -> None:
        if value in seen:
            raise self.fail(table, index, key, f"{table} {value!r} stands twice")

    def known_clauses(
        self, table: str, index: int, key: str, ids: Iterable[str], clauses: Mapping[str, Clause]
    ) -> None:
        for clause in ids:
            if clause not in clauses:
                raise self.fail(table, index, key, f"no clause has the id {clause!r}")


def _clauses(reader: _Reader) -> dict[str, Clause]:
    clauses: dict[str, Clause] = {}
    rows = reader.tables("clause")
    for index, row in enumerate(rows):
        reader.unique("clause", index, "id", row["id"], clauses)
        reader.choice("clause", index, "kind", row["kind"], CLAUSE_KINDS)
        clauses[row["id"]] = Clause(**row)
    for index, row in enumerate(rows):
        for key in ("part_of", "repeats"):
            if key in row:
                reader.known_clauses("clause", index, key, [row[key]], clauses)
    return clauses


def _check_params(reader: _Reader, table: str, index: int, key: str, named: str, given: Mapping[str, Any]) -> None:
    known = [row["name"] for row in reader.tables("parameter")]
    for name, value in given.items():
        if name not in known or not isinstance(value, str):
            problem = f"{table} {named!r}: {key} gives parameters of this game as texts, found {name!r}"
            raise reader.fail(table, index, key, problem)


def _readings(reader: _Reader, clauses: Mapping[str, Clause]) -> dict[str, Reading]:
    readings: dict[str, Reading] = {}
    names: set[str] = set()
    for index, row in enumerate(reader.tables("reading")):
        reader.unique("reading", index, "id", row["id"], readings)
        reader.unique("reading", index, "name", row["name"], names)
        names.add(row["name"])
        reader.known_clauses("reading", index, "clauses", row["clauses"], clauses)
        values = row.pop("values")
        if not values:
            raise reader.fail("reading", index, "values", f"reading {row['name']!r} has no values")
        reader.choice("reading", index, "kind", row.get("kind", "play"), READING_KINDS)
        _check_params(reader, "reading", index, "where", row["name"], row.get("where", {}))
        row["clauses"] = tuple(row["clauses"])
        readings[row["id"]] = Reading(values=tuple(values), meaning=values, **row)
    return readings


def _claims(reader: _Reader, clauses: Mapping[str, Clause]) -> dict[str, Claim]:
    claims: dict[str, Claim] = {}
    for index, row in enumerate(reader.tables("claim")):
        reader.unique("claim", index, "id", row["id"], claims)
        reader.known_clauses("claim", index, "clauses", row["clauses"], clauses)
        expected = reader.choice("claim", index, "expect", row.get("expect", "true"), EXPECTATIONS)
        reader.choice("claim", index, "by_default", row.get("by_default", "true"), EXPECTATIONS[:2])
        if "by_default" in row and expected != "depends":
            problem = f"by_default is said of a claim that depends on readings, and {row['id']} does not"
            raise reader.fail("claim", index, "by_default", problem)
        if row["source"] != OURS and not re.fullmatch(QUOTED, row["source"]):
            problem = f"source must be {OURS!r}, or words of the sheet and their place in brackets"
            raise reader.fail("claim", index, "source", f"{problem}, found {row['source']!r}")
        row["clauses"] = tuple(row["clauses"])
        claims[row["id"]] = Claim(**{"data": {}, **row})
    return claims


def _parameters(reader: _Reader) -> tuple[Parameter, ...]:
    rows = reader.tables("parameter")
    return tuple(Parameter(**{**row, "one_of": tuple(row.get("one_of", ()))}) for row in rows)


def _versions(reader: _Reader) -> tuple[Version, ...]:
    versions: list[Version] = []
    for index, row in enumerate(reader.tables("version")):
        reader.unique("version", index, "name", row["name"], [version.name for version in versions])
        _check_params(reader, "version", index, "params", row["name"], row["params"])
        versions.append(Version(row["name"], row["params"]))
    return tuple(versions)


def read_rulebook(text: str, name: str = "rulebook") -> Rulebook:
    reader = _Reader(text, name)
    games = reader.tables("game")
    if len(games) != 1:
        raise RulebookError(name, 1, "a rulebook has exactly one [game] table")
    clauses = _clauses(reader)
    return Rulebook(
        **games[0],
        parameters=_parameters(reader),
        versions=_versions(reader),
        clauses=clauses,
        readings=_readings(reader, clauses),
        claims=_claims(reader, clauses),
        digest=hashlib.sha256(text.encode()).hexdigest(),
    )
