"""What a puzzle says, in the vocabulary of problem composers, and its strict form: one line of JSON.

| word      | meaning |
|-----------|---------|
| key       | the first move of the solution |
| try       | a first move that fails to exactly one reply, its refutation |
| set play  | what would happen in the diagram if the opponent had to move |
| dual      | a later choice between moves that solve equally fast |
| short     | a reply after which the solution takes fewer moves than asked for |
| idle      | a pyramid that could be taken away and leave the puzzle sound, with the same answer |
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rulecheck.model import InputError

Json = Any  # what JSON can say
ID = re.compile(r"([a-z]+(?:\[[^][\s]+(?: [^][\s]+)*\])?):([a-z0-9-]+)#(\d{1,9})\.(\d{1,6})")


@dataclass(frozen=True)
class Difficulty:
    """`level` is the first of the kind's methods, from 1 on, that singles out the answer: no lower method does.

    `vector` has the length, the choices at each move, the tries, how deep the refutations are, and what the key is
    like. It is no claim about people.
    """

    level: int
    method: str
    vector: Mapping[str, Json]


@dataclass(frozen=True)
class Told:
    """What a kind finds out about a position: the same by the engine and by the constraints, or it is no puzzle.

    `solution` is a row of variations: `{"play": [moves], "after": [{"if": [replies], ...}]}` or plain sentences.
    """

    question: str
    policy: str
    answer: tuple[str, ...]
    solution: Json
    difficulty: Difficulty
    tries: tuple[Mapping[str, Json], ...] = ()
    set_play: tuple[Mapping[str, Json], ...] = ()
    duals: tuple[Mapping[str, Json], ...] = ()
    short: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    minimal: str = ""
    other_readings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Draft:
    """A position that might make a puzzle; `asked` is what else the question is about, such as a move."""

    position: str
    asked: str = ""
    params: Mapping[str, str] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Puzzle:
    """`id` is `game:kind#seed.unit`, which makes the puzzle again; a version asked for stands behind the game."""

    id: str
    game: str
    kind: str
    params: Mapping[str, str]
    readings: Mapping[str, str]
    position: str
    asked: str
    told: Told

    def line(self) -> str:
        return json.dumps(self.as_json(), ensure_ascii=False)

    def as_json(self) -> dict[str, Json]:
        whole = asdict(self)
        told = whole.pop("told")
        plain: dict[str, Json] = json.loads(json.dumps({**whole, **told}))
        return plain


def plain(told: Told) -> dict[str, Json]:
    """As a line says it: tuples are lists."""
    found: dict[str, Json] = json.loads(json.dumps(asdict(told)))
    return found


def puzzle_id(game: str, kind: str, seed: int, unit: int) -> str:
    return f"{game}:{kind}#{seed}.{unit}"


def version_name(slug: str, given: Mapping[str, str]) -> str:
    """A game as an id names it: `hextris`, or `hextris[group=4]` if parameters are given."""
    return f"{slug}[{' '.join(f'{key}={value}' for key, value in given.items())}]" if given else slug


def read_version(name: str) -> tuple[str, dict[str, str]]:
    """The game, and the parameters given."""
    slug, _, given = name.rstrip("]").partition("[")
    pairs = [pair.partition("=") for pair in given.split()]
    return slug, {key: value for key, _, value in pairs}


def read_id(text: str) -> tuple[str, str, int, int]:
    """Game, kind, seed and unit; the game with the parameters given, if any."""
    match = ID.fullmatch(text)
    if match is None:
        raise InputError(f"a puzzle is named game:kind#seed.unit, as in hextris:win-in-2#7.31, found {text!r}")
    game, kind, seed, unit = match.groups()
    return game, kind, int(seed), int(unit)


# -- Reading a line -------------------------------------------------------------------------------------------

DEEPEST = 100  # replies to replies in a solution
TEXTS = ("id", "game", "kind", "position", "asked", "question", "policy", "minimal")
TABLES = ("params", "readings", "other_readings")
LISTS = ("answer", "tries", "set_play", "duals", "short", "idle")
EVERYTHING = (*TEXTS, *TABLES, *LISTS, "solution", "difficulty")


def read_line(text: str, where: str) -> dict[str, Json]:
    """A puzzle as a plain table, every key there and of the right kind; whether it is true is another question."""
    try:
        found = json.loads(text, object_pairs_hook=lambda pairs: _no_repeats(pairs, where))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: no JSON: {error}") from None
    if not isinstance(found, dict):
        raise InputError(f"{where}: a puzzle is a table of JSON, found {type(found).__name__}")
    for key in EVERYTHING:
        if key not in found:
            raise InputError(f"{where}: {key!r} is missing")
    for key in found:
        if key not in EVERYTHING:
            raise InputError(f"{where}: nothing is known about {key!r}")
    _check_shapes(found, where)
    return found


def _no_repeats(pairs: list[tuple[str, Json]], where: str) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InputError(f"{where}: a key stands twice")
    return found


def _check_shapes(found: Mapping[str, Json], where: str) -> None:
    wanted: list[tuple[tuple[str, ...], type, str]] = [(TEXTS, str, "a text"), (LISTS, list, "a list")]
    for keys, kind, name in [*wanted, ((*TABLES, "difficulty"), dict, "a table")]:
        for key in keys:
            if not isinstance(found[key], kind):
                raise InputError(f"{where}: {key!r} wants {name}")
    for key in TABLES:
        if not all(isinstance(value, str) for value in found[key].values()):
            raise InputError(f"{where}: {key!r} wants texts as values")
    for key, problem in _odd_parts(found):
        raise InputError(f"{where}: {key!r} wants {problem}")
    version, named, *_ = read_id(found["id"])
    if (read_version(version)[0], named) != (found["game"], found["kind"]):
        raise InputError(f"{where}: the id {found['id']!r} is of another game or kind than the puzzle says")


def _odd_parts(found: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """Which keys hold lists and tables with something else in them than a solution is written with, and what is due."""
    for key in ("answer", "short", "idle"):
        if not _texts(found[key]):
            yield key, "texts in its list"
    for key, parts in PARTS.items():
        if not all(isinstance(row, dict) and _fits(row, parts) for row in found[key]):
            yield key, f"tables with {' and '.join(parts)} in its list"
    if not _fits(found["difficulty"], {"level": _count, "method": _text, "vector": _vector}):
        yield "difficulty", "a level, a method and a vector of numbers and texts"
    if not _texts(found["solution"]) and not _tree(found["solution"]):
        yield "solution", "a list of sentences, or a tree of moves and replies"


def _text(value: Json) -> bool:
    return isinstance(value, str)


def _texts(value: Json) -> bool:
    return isinstance(value, list) and all(map(_text, value))


def _count(value: Json) -> bool:
    return type(value) is int


def _vector(value: Json) -> bool:
    lists = value.values() if isinstance(value, dict) else [None]
    return all(_text(part) or _count(part) or (isinstance(part, list) and all(map(_count, part))) for part in lists)


def _tree(value: Json, depth: int = 0) -> bool:
    """Moves, and what follows each reply. Below the first moves there may be none: then it is over."""
    if not isinstance(value, dict) or depth > DEEPEST or not _texts(value.get("play", [] if depth else None)):
        return False
    after = value.get("after", [])
    if not isinstance(after, list) or (depth and not _texts(value.get("if"))):
        return False
    return all(_tree(branch, depth + 1) for branch in after)


def _fits(row: Mapping[str, Json], parts: Mapping[str, Callable[[Json], bool]]) -> bool:
    return all(name in row and right(row[name]) for name, right in parts.items())


PARTS: Mapping[str, Mapping[str, Callable[[Json], bool]]] = {
    "tries": {"play": _text, "refutation": _text},
    "set_play": {"if": _texts, "play": _text},
    "duals": {"after": _texts, "play": _texts},
}
