"""Draws the house: its rooms, who imports whom, and the way of one question; `make docs` runs it, a test checks it.

Rooms are groups of modules. Imports are read from the code (grimp), the rules from import-linter's contracts in
pyproject.toml, and the way of the question is recorded while the command runs.
"""

from __future__ import annotations

import fnmatch
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from types import FrameType
from typing import NamedTuple

import grimp

from rulecheck.render.svg import Element, points
from rulecheck.theme import LIGHT

ROOT = Path(__file__).parents[1]
PAGE, PICTURE = ROOT / "docs" / "reference" / "house.md", ROOT / "docs" / "pictures" / "house.svg"
QUESTION = ("why", "crosswalk", "-p", "squares=2", "-p", "sizes=1", "A 1:B1 2:A1 roll=1", "2-1")


class Room(NamedTuple):
    name: str
    modules: tuple[str, ...]  # patterns; the longest that fits takes a module
    what: str


# Floor by floor, from the top.
FLOORS: tuple[tuple[Room, ...], ...] = (
    (
        Room(
            "commands", ("rulecheck.cli", "rulecheck.__main__", "rulecheck.commands*"), "read arguments, print results"
        ),
        Room("explorer", ("rulecheck.explorer*",), "the games in a browser"),
        Room("api", ("rulecheck.api*",), "the same from Python"),
    ),
    (
        Room("report", ("rulecheck.report*", "rulecheck.audit"), "the page for the designer; all checks at once"),
        Room("puzzles", ("rulecheck.puzzles*",), "make and verify puzzles"),
        Room("render", ("rulecheck.render*",), "pictures"),
    ),
    (
        Room("analyses", ("rulecheck.analyses*",), "prove, claims, ambiguities, clauses, mutants"),
        Room("solve", ("rulecheck.solve*",), "tables, probing, certifying"),
        Room("hints", ("rulecheck.hints",), "what a game may bring besides"),
    ),
    (Room("core", ("rulecheck", "rulecheck.*"), "contract, model, rulebook, fields, explorer of play"),),
    (Room("solvers", ("solvers*",), "methods and checkers that know no game"),),
)
WING: tuple[Room, ...] = (  # one folder a game, beside the floors
    Room("games", ("rulecheck.games*",), "hints, families, drawings, research of a game"),
    Room("vocabulary", (), "what engine and spec share; no rules"),
    Room("engines", ("rulecheck.games.*.engine*",), "the rules as a program"),
    Room("specs", ("specs*",), "the rules as constraints"),
)


# -- Which module is in which room ---------------------------------------------------------------------------


def room_of(module: str, vocabulary: frozenset[str]) -> str:
    if module in vocabulary:
        return "vocabulary"
    known = [(pattern, room) for floor in (*FLOORS, WING) for room in floor for pattern in room.modules]
    return max((len(pattern), room.name) for pattern, room in known if fnmatch.fnmatchcase(module, pattern))[1]


class House(NamedTuple):
    rooms: Mapping[str, str]  # of each module
    edges: frozenset[tuple[str, str]]  # a module of the first room imports one of the second

    @property
    def floors(self) -> list[list[Room]]:
        """The rooms that are not empty."""
        used = set(self.rooms.values())
        return [[room for room in floor if room.name in used] for floor in FLOORS]

    @property
    def all_rooms(self) -> list[Room]:
        return [room for floor in self.floors for room in floor] + list(WING)


def house() -> House:
    graph = grimp.build_graph("rulecheck", "specs", "solvers", exclude_type_checking_imports=True)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in sorted(graph.modules)}
    vocabulary = frozenset(_vocabulary(imports))
    rooms = {module: room_of(module, vocabulary) for module in imports}
    edges = {(rooms[module], rooms[other]) for module, others in imports.items() for other in others}
    return House(rooms, frozenset((a, b) for a, b in edges if a != b))


def _vocabulary(imports: Mapping[str, set[str]]) -> Iterator[str]:
    """Of a game's modules those that its spec imports, and what these import in their turn."""
    waiting = [module for module in imports if module.startswith("specs.")]
    met: set[str] = set()
    while waiting:
        others = {other for other in imports[waiting.pop()] if other.startswith("rulecheck.games.")} - met
        met |= others
        waiting += others
        yield from others


# -- Who may import whom -------------------------------------------------------------------------------------


def contracts() -> list[dict[str, object]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: list[dict[str, object]] = settings["tool"]["importlinter"]["contracts"]
    return found


def forbidden(rooms: Mapping[str, str]) -> set[tuple[str, str]]:
    """Pairs of rooms of which the first may not import the second, by a contract about all modules of both."""
    found = set()
    for contract in contracts():
        if contract["type"] == "forbidden":
            never = _covered(contract["forbidden_modules"], rooms)
            found |= {(a, b) for a in _covered(contract["source_modules"], rooms) - never for b in never}
    return found


def _covered(patterns: object, rooms: Mapping[str, str]) -> set[str]:
    """Rooms all of whose modules fit one of the patterns, as import-linter reads them: with all that is inside."""
    assert isinstance(patterns, list)
    words = [re.escape(pattern).replace(r"\*", r"[^.]+") for pattern in patterns]
    fits = re.compile(rf"(?:{'|'.join(words)})(?:\..*)?")
    left_out = {room for module, room in rooms.items() if "." in module and not fits.fullmatch(module)}
    return set(rooms.values()) - left_out


# -- The way of one question ---------------------------------------------------------------------------------


class Stop(NamedTuple):
    module: str
    function: str


def way() -> list[Stop]:
    """Each module in the order in which the question enters it, in a process that has asked nothing before."""
    run = subprocess.run(
        [sys.executable, __file__, "--trace"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120
    )
    lines = [line.split() for line in run.stderr.splitlines() if line.startswith("enters ")]
    return [Stop(module, function) for _, module, function in lines]


def trace() -> None:
    """Ask the question, and write a line for each module that is entered for the first time."""
    from rulecheck.cli import main

    entered: set[str] = set()

    def watch(frame: FrameType, event: str, arg: object) -> None:
        module, name = frame.f_globals.get("__name__", ""), frame.f_code.co_qualname
        if event != "call" or module in entered or not module.startswith(("rulecheck.", "specs.", "solvers.")):
            return
        if "<" in name or _is_importing(frame):
            return
        entered.add(module)
        print("enters", module, name, file=sys.stderr)

    sys.setprofile(watch)
    main(QUESTION)


def _is_importing(frame: FrameType | None) -> bool:
    """Is this called while a module is being imported, and not by the question?"""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals["__name__"] != "__main__":
            return True
        frame = frame.f_back
    return False


# -- The page ------------------------------------------------------------------------------------------------

HEAD = """# The house

<!-- Written by docs/house.py from the code itself; `make docs` writes it anew. -->

![The rooms of the house, floor by floor, and the way of one question through them](../pictures/house.svg)

A command opens a game, hands it to one analysis and prints the result. Analyses know no game; games know no command
but their own. A game is a folder of `rulecheck/games/` and a folder of `specs/`, drawn here as the wing on the right.

## Who imports whom

Read a row from left to right: **●** the room imports the other one; **✕** a contract forbids it, and `lint-imports`
checks that; blank: neither.
"""


def page(built: House, stops: Sequence[Stop]) -> str:
    rows = "\n".join(f"| `{room.name}` | {room.what} | {_patterns(room)} |" for room in built.all_rooms)
    named = "\n".join(f"- {contract['name']}" for contract in contracts())
    steps = "\n".join(
        f"{at}. `{stop.module}.{stop.function}` ({built.rooms[stop.module]})" for at, stop in enumerate(stops, start=1)
    )
    command = " ".join(f'"{word}"' if " " in word else word for word in ("rulecheck", *QUESTION))
    return (
        f"{HEAD}\n{_matrix(built)}\n\n| room | what it does | modules |\n|---|---|---|\n{rows}\n\n"
        f"The contracts in `pyproject.toml`:\n\n{named}\n\n## The way of one question\n\n"
        f"`{command}` enters these modules, in this order:\n\n{steps}\n"
    )


def _patterns(room: Room) -> str:
    return ", ".join(f"`{pattern}`" for pattern in room.modules) or "the modules of a game that its spec imports"


def _matrix(built: House) -> str:
    names, never = [room.name for room in built.all_rooms], forbidden(built.rooms)

    def cell(row: str, column: str) -> str:
        return "·" if row == column else "●" if (row, column) in built.edges else "✕" if (row, column) in never else ""

    lines = [f"| | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    return "\n".join([*lines, *(f"| **{row}** | {' | '.join(cell(row, c) for c in names)} |" for row in names)])


# -- The picture ---------------------------------------------------------------------------------------------

WIDE, HIGH, GAP, LEFT, WING_WIDE = 640, 76, 16, 20, 250


def places(built: House) -> dict[str, tuple[float, float, float, float]]:
    """Left, top, width and height of each room."""
    found = {}
    for at, floor in enumerate(built.floors):
        wide = (WIDE - GAP * (len(floor) - 1)) / len(floor)
        for column, room in enumerate(floor):
            found[room.name] = (LEFT + column * (wide + GAP), 60.0 + at * (HIGH + GAP), wide, float(HIGH))
    high = (len(FLOORS) * (HIGH + GAP) - GAP - GAP * (len(WING) - 1)) / len(WING)
    for at, room in enumerate(WING):
        found[room.name] = (LEFT + WIDE + 2 * GAP, 60.0 + at * (high + GAP), float(WING_WIDE), high)
    return found


def picture(built: House, stops: Sequence[Stop]) -> str:
    where = places(built)
    width, height = LEFT * 2 + WIDE + 2 * GAP + WING_WIDE, 60 + len(FLOORS) * (HIGH + GAP) + 40
    svg = Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", width=width, height=height,
        font_family="sans-serif", role="img",
    )  # fmt: skip
    svg = svg.add(Element("title").add("The rooms of the house and the way of one question"))
    svg = svg.add(Element("rect", width=width, height=height, fill=LIGHT["paper"], **{"class": "paper"}))
    svg = svg.add(_text(LEFT, 40, "the tool, which names no game", 15, LIGHT["soft"]))
    svg = svg.add(_text(LEFT + WIDE + 2 * GAP, 40, "one folder a game", 15, LIGHT["soft"]))
    for room in built.all_rooms:
        left, top, wide, high = where[room.name]
        svg = svg.add(
            Element("rect", x=left, y=top, width=wide, height=high, rx=6, fill=LIGHT["tint"], stroke=LIGHT["line"]),
            _text(left + 12, top + 26, room.name, 17, LIGHT["ink"]),
            *(
                _text(left + 12, top + 46 + 16 * row, line, 12, LIGHT["soft"])
                for row, line in enumerate(wrap(room.what, int((wide - 20) / 6.2)))
            ),
        )
    return str(svg.add(*_walked(built, stops, where, LIGHT["accent"])).add(_caption(height, LIGHT["accent"])))


def _text(x: float, y: float, text: str, size: int, colour: str, **more: object) -> Element:
    return Element("text", x=x, y=y, font_size=size, fill=colour, **more).add(text)


def rooms_entered(built: House, stops: Sequence[Stop]) -> list[str]:
    """The rooms on the way, each once, in the order in which the question enters them."""
    return list(dict.fromkeys(built.rooms[stop.module] for stop in stops))


def _walked(
    built: House, stops: Sequence[Stop], where: Mapping[str, tuple[float, float, float, float]], colour: str
) -> Iterator[Element]:
    seen = rooms_entered(built, stops)
    spots = [(where[name][0] + where[name][2] - 22, where[name][1] + 22) for name in seen]
    yield Element(
        "polyline",
        points=points(spots),
        fill="none",
        stroke=colour,
        stroke_width=2,
        stroke_dasharray="5 4",
        opacity=0.7,
    )
    for number, (x, y) in enumerate(spots, start=1):
        yield Element("circle", cx=x, cy=y, r=12, fill=colour)
        yield _text(x, y + 5, str(number), 14, "#ffffff", text_anchor="middle")


def _caption(height: int, colour: str) -> Element:
    return _text(LEFT, height - 18, "1, 2, 3 ...: the rooms that the question below enters, in order", 13, colour)


def written() -> dict[Path, str]:
    """What the files should hold."""
    built, stops = house(), way()
    return {PAGE: page(built, stops), PICTURE: picture(built, stops)}


def main() -> None:
    if sys.argv[1:] == ["--trace"]:
        trace()
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
