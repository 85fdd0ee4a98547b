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
    """`level` is the number (from 1) of the first of the kind's methods that singles out the answer.

    `vector` has the length, the choices at each move, the tries, how deep the refutations are, and what the key is
    like. It is no claim about people.
    """

    level: int
    method: str
    vector: Mapping[str, Json]


@dataclass(frozen=True)
class Description:
    """What a kind says about a position. Engine and constraints must agree on it, or it is no puzzle.

    `solution` is a list of variations: `{"play": [moves], "after": [{"if": [replies], ...}]}` or plain sentences.
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
    description: Description

    def line(self) -> str:
        return json.dumps(self.as_json(), ensure_ascii=False)

    def as_json(self) -> dict[str, Json]:
        whole = asdict(self)
        description = whole.pop("description")
        plain: dict[str, Json] = json.loads(json.dumps({**whole, **description}))
        return plain


def plain(description: Description) -> dict[str, Json]:
    """As in a line of JSON: tuples become lists."""
    parts: dict[str, Json] = json.loads(json.dumps(asdict(description)))
    return parts


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
    """A puzzle as a plain table with every key present and of the right type; whether it is true is not checked."""
    try:
        puzzle = json.loads(text, object_pairs_hook=lambda pairs: _no_repeats(pairs, where))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: no JSON: {error}") from None
    if not isinstance(puzzle, dict):
        raise InputError(f"{where}: a puzzle is a table of JSON, found {type(puzzle).__name__}")
    for key in EVERYTHING:
        if key not in puzzle:
            raise InputError(f"{where}: {key!r} is missing")
    for key in puzzle:
        if key not in EVERYTHING:
            raise InputError(f"{where}: nothing is known about {key!r}")
    _check_shapes(puzzle, where)
    return puzzle


def _no_repeats(pairs: list[tuple[str, Json]], where: str) -> dict[str, Json]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise InputError(f"{where}: a key stands twice")
    return table


def _check_shapes(puzzle: Mapping[str, Json], where: str) -> None:
    wanted: list[tuple[tuple[str, ...], type, str]] = [(TEXTS, str, "a text"), (LISTS, list, "a list")]
    for keys, kind, name in [*wanted, ((*TABLES, "difficulty"), dict, "a table")]:
        for key in keys:
            if not isinstance(puzzle[key], kind):
                raise InputError(f"{where}: {key!r} wants {name}")
    for key in TABLES:
        if not all(isinstance(value, str) for value in puzzle[key].values()):
            raise InputError(f"{where}: {key!r} wants texts as values")
    for key, problem in _odd_parts(puzzle):
        raise InputError(f"{where}: {key!r} wants {problem}")
    version, named, *_ = read_id(puzzle["id"])
    if (read_version(version)[0], named) != (puzzle["game"], puzzle["kind"]):
        raise InputError(f"{where}: the id {puzzle['id']!r} is of another game or kind than the puzzle says")


def _odd_parts(puzzle: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """The keys whose lists or tables have unexpected contents, each with what is expected."""
    for key in ("answer", "short", "idle"):
        if not _texts(puzzle[key]):
            yield key, "texts in its list"
    for key, parts in PARTS.items():
        if not all(isinstance(row, dict) and _fits(row, parts) for row in puzzle[key]):
            yield key, f"tables with {' and '.join(parts)} in its list"
    if not _fits(puzzle["difficulty"], {"level": _count, "method": _text, "vector": _vector}):
        yield "difficulty", "a level, a method and a vector of numbers and texts"
    if not _texts(puzzle["solution"]) and not _tree(puzzle["solution"]):
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
    """Moves, and what follows each reply. Below the first moves there may be none, when the game is over."""
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
