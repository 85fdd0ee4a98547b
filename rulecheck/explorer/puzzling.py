"""Puzzles to be solved on the board: compare what was played or answered with the collection.

In a tree, the solver's moves must be in it, and every defence that it stores is offered. A line of moves is played
move by move; questions about legality get a yes or no, all others a text.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rulecheck import registry
from rulecheck.explorer.address import Address
from rulecheck.explorer.look import Table, chosen, sequences, table_of
from rulecheck.model import InputError
from rulecheck.puzzles.verify import read_collection
from rulecheck.puzzles.words import solution_lines

Document = dict[str, Any]
MOST_DEFENCES = 80
LARGEST = 20_000_000  # bytes of a collection


# -- Collections -----------------------------------------------------------------------------------------------


def collected(folders: Sequence[Path]) -> tuple[dict[str, Document], list[str]]:
    """Every puzzle by its id, and why some files cannot be used; read again only when a file changes."""
    puzzles: dict[str, Document] = {}
    problems = []
    for file in sorted(file for folder in folders for file in folder.glob("*.jsonl")):
        try:
            size = file.stat()
            if size.st_size > LARGEST:
                raise InputError(f"{file.name} is too large for the explorer")
            puzzles |= _collection(file, size.st_mtime_ns)
        except (InputError, OSError) as error:
            problems.append(str(error))
    return puzzles, problems


@functools.lru_cache(maxsize=32)
def _collection(file: Path, changed: int) -> dict[str, Document]:
    return {puzzle["id"]: {**puzzle, "file": file.name} for puzzle in read_collection(file)}


def listing(folders: Sequence[Path]) -> Document:
    """What a list of puzzles shows about each."""
    puzzles, problems = collected(folders)
    known = set(registry.names())
    rows = [
        {
            "id": puzzle["id"],
            "game": puzzle["game"],
            "title": registry.find(puzzle["game"]).title,
            "kind": puzzle["kind"],
            "level": puzzle["difficulty"]["level"],
            "question": puzzle["question"],
            "file": puzzle["file"],
            "url": f"/puzzle/{quote(puzzle['id'], safe='')}",
        }
        for puzzle in puzzles.values()
        if puzzle["game"] in known
    ]
    return {"puzzles": rows, "problems": problems}


def opened(id: str, folders: Sequence[Path]) -> Document:
    """The address at which the puzzle with this id is solved."""
    puzzles, _ = collected(folders)
    if id not in puzzles:
        raise InputError(f"no collection here has a puzzle {id[:80]!r}")
    return begin(puzzles[id]).as_json()


def begin(puzzle: Mapping[str, Any]) -> Address:
    """Where solving begins: at the position, or at the start if the question is how play leads to it."""
    game = registry.find(puzzle["game"])
    params, readings = chosen(game, puzzle["params"], puzzle["readings"])
    there = Address(game.slug, puzzle["position"], params, readings, puzzle=puzzle["id"])
    return there.but(position=None) if _mode(table_of(there), puzzle) == "game" else there


# -- One puzzle ------------------------------------------------------------------------------------------------


@dataclass
class State:
    """The solver's progress: open, right so far, wrong or solved; with a message and what to offer next."""

    status: str = "open"
    words: str = ""
    expected: list[str] = field(default_factory=list)  # the correct moves at this point
    defences: list[Document] = field(default_factory=list)


def panel(address: Address, folders: Sequence[Path]) -> Document:
    """What the page of a position says about the puzzle being solved there."""
    puzzles, _ = collected(folders)
    puzzle = puzzles.get(address.puzzle or "")
    if puzzle is None or puzzle["game"] != address.game:
        raise InputError(f"no collection here has a puzzle {address.puzzle!r} of {address.game}")
    table = table_of(address)
    mode = _mode(table, puzzle)
    state = _state(table, address, puzzle, mode)
    done = state.status == "solved" or address.hint >= 4
    ids = [p["id"] for p in puzzles.values() if p["game"] == address.game]
    following = puzzles[ids[(ids.index(puzzle["id"]) + 1) % len(ids)]]
    return {
        "id": puzzle["id"],
        "kind": puzzle["kind"],
        "level": puzzle["difficulty"]["level"],
        "question": puzzle["question"],
        "policy": puzzle["policy"],
        "asked": puzzle["asked"],
        "mode": mode,
        "target": puzzle["position"] if mode == "game" else None,
        "status": state.status,
        "words": state.words,
        "defences": state.defences,
        "hints": _hints(table, puzzle, state, mode)[: min(address.hint, 3)],
        "solution": list(solution_lines(puzzle)) if done else [],
        "begin": begin(puzzle).as_json(),
        "next": f"/puzzle/{quote(following['id'], safe='')}",
    }


def _mode(table: Table, puzzle: Mapping[str, Any]) -> str:
    if isinstance(puzzle["solution"], dict):
        return "tree"
    first = puzzle["answer"][0] if puzzle["answer"] else ""
    if first == "legal" or first.startswith("illegal"):
        return "legal"
    here = table.read(puzzle["position"])
    if _replayed(table, here, puzzle["answer"], ()) is not None:
        return "moves"
    rolls = tuple(puzzle["asked"].split())
    there = _replayed(table, table.engine.start(), puzzle["answer"], rolls)
    return "game" if there is not None and str(there) == str(here) else "text"


def _replayed(table: Table, here: Any, moves: Sequence[str], rolls: Sequence[str]) -> Any | None:
    """Where moves lead, with the given rolls before them; None if they cannot be played."""
    left = list(rolls)
    try:
        for text in moves:
            while table.engine.end(here) is None and (chances := table.engine.chances(here)):
                label = left.pop(0) if left else ""
                here = next(c.result for c in chances if c.label == label)
            here = table.engine.play(here, table.read_move(text))
    except (InputError, StopIteration):
        return None
    return here


def _state(table: Table, address: Address, puzzle: Mapping[str, Any], mode: str) -> State:
    if mode == "tree":
        return _in_tree(table, puzzle, address.line)
    if mode in ("moves", "game"):
        return _in_line(table, puzzle, address.line, mode)
    if address.answer is None:
        return State()
    right = puzzle["answer"]
    if mode == "legal":
        is_right = (address.answer == "legal") == (right[0] == "legal")
        said = f"It is {right[0]}."
        return State("solved" if is_right else "wrong", said if is_right else "No. Look again.")
    return State("solved", "Right.") if _same(address.answer, right) else State("wrong", "No, that is not it.")


def _same(said: str, right: Sequence[str]) -> bool:
    """Equal apart from spacing; a list of numbers may be in any order."""

    def plain(text: str) -> list[str]:
        return re.findall(r"[^\s,;.]+", text.lower().replace(" and ", " "))

    words, wanted = plain(said), plain(" ".join(right))
    numbers = all(word.isdecimal() for word in wanted)
    return words == wanted or (numbers and sorted(words) == sorted(wanted)) or words == plain(right[0])


# -- A line of moves -------------------------------------------------------------------------------------------


def _in_line(table: Table, puzzle: Mapping[str, Any], line: Sequence[str], mode: str) -> State:
    here = table.engine.start() if mode == "game" else table.read(puzzle["position"])
    answer = list(puzzle["answer"])
    for label in line:
        if table.engine.end(here) is None and (chances := table.engine.chances(here)):
            here = next((c.result for c in chances if c.label == label), here)
            continue
        if not answer:
            break
        wanted = table.engine.play(here, table.read_move(answer.pop(0)))
        here = table.engine.play(here, table.read_move(label))
        if here != wanted:
            return State("wrong", f"{label}{_why_not(puzzle, label)}")
    if not answer:
        return State("solved", "Solved.")
    right = f"Right so far, {len(answer)} to go." if len(answer) < len(puzzle["answer"]) else ""
    return State("right" if right else "open", right, answer[:1])


def _why_not(puzzle: Mapping[str, Any], label: str) -> str:
    for row in puzzle["tries"]:
        if row["play"] == label:
            return f"? A try: {row['refutation']}"
    return " is not the solution."


# -- A tree ----------------------------------------------------------------------------------------------------


def _in_tree(table: Table, puzzle: Mapping[str, Any], line: Sequence[str]) -> State:
    """Follow the tree: a move of the solver, then a defence, possibly several moves by several opponents."""
    node, here, left = puzzle["solution"], table.read(puzzle["position"]), list(line)
    while True:
        plays = node.get("play", [])
        if not plays:
            return State("solved", "Solved: it is over.")
        if not left:
            right = "" if node is puzzle["solution"] else "Right so far. Go on."
            return State("right" if right else "open", right, list(plays))
        label = left.pop(0)
        results = {table.engine.play(here, table.read_move(play)) for play in plays}
        here = table.engine.play(here, table.read_move(label))
        if here not in results:
            return State("wrong", f"{label}{_why_not(puzzle, label)}")
        if not node.get("after"):
            return State("solved", "Solved.")
        if not left:
            return State("right", "Right. Now the defence: choose any.", [], _defences(table, here, node["after"]))
        defended = _defended(table, here, node["after"], left)
        if defended is None:
            return State("right", "The tree stores no such defence.", [], _defences(table, here, node["after"]))
        node, here, left = defended


def _moves_of(table: Table, here: Any, reply: str) -> tuple[list[str], Any] | None:
    """The moves of a stored defence (one move, or several separated by spaces) and where they lead."""
    for parts in ([reply], reply.split(" ")):
        there = _replayed(table, here, parts, ())
        if there is not None:
            return parts, there
    return None


def _defences(table: Table, here: Any, branches: Sequence[Mapping[str, Any]]) -> list[Document]:
    defences: list[Document] = []
    for reply in (reply for branch in branches for reply in branch["if"]):
        moved = _moves_of(table, here, reply)
        if moved is not None and len(defences) < MOST_DEFENCES:
            defences.append({"label": reply, "moves": moved[0], "result": str(moved[1])})
    return defences


def _defended(
    table: Table, here: Any, branches: Sequence[Mapping[str, Any]], left: Sequence[str]
) -> tuple[Mapping[str, Any], Any, list[str]] | None:
    """The branch that the moves played belong to, where it leads, and the moves left after it."""
    for branch in branches:
        for reply in branch["if"]:
            moved = _moves_of(table, here, reply)
            if moved is not None and _replayed(table, here, left[: len(moved[0])], ()) == moved[1]:
                return branch, moved[1], list(left[len(moved[0]) :])
    return None


# -- Hints -----------------------------------------------------------------------------------------------------


def _hints(table: Table, puzzle: Mapping[str, Any], state: State, mode: str) -> list[str]:
    """Three hints: the method, then the piece or clause, then the key."""
    key = (state.expected or puzzle["answer"] or [""])[0]
    method = f"Method: {puzzle['difficulty']['method']}."
    if mode == "legal":
        clause = puzzle["answer"][0].removeprefix("illegal by ")
        about = "No rule is against it." if clause == "legal" else f"Think of {clause}."
        return [method, about, f"It is {puzzle['answer'][0]}."]
    drawer, here = table.drawer, table.read(puzzle["position"])
    places = {} if drawer.places is None else drawer.places(table.choice.params, here, None, ())
    named = sequences(places)(key)
    piece = f"Begin with {named[0]}." if named else f"The answer has {len(puzzle['answer'])} part(s)."
    return [method, piece, f"It is {key}."]
