"""A solution in words: the same for the terminal and for the book."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulecheck.puzzles.model import Json

SHOWN = 6  # names in a row; what is beyond is counted


def solution_lines(puzzle: Mapping[str, Json]) -> Iterator[str]:
    """The answer, what happens after each reply, then tries, set play and everything else worth saying."""
    yield from _variations(puzzle["solution"])
    for found in puzzle["tries"]:
        yield f"Try: {found['play']}? {found['refutation']}{'.' if ' ' in found['refutation'] else '!'}"
    if puzzle["set_play"]:
        parts = [f"{_names(found['if'])} {found['play']}" for found in puzzle["set_play"]]
        yield f"Set play: {'; '.join(parts)}"
    if puzzle["duals"]:  # the moves stand in the variations
        yield f"Dual after {'; '.join(' '.join(found['after'][1:]) for found in puzzle['duals'])}."
    if puzzle["short"]:
        yield f"Short after {_names(puzzle['short'])}."
    if puzzle["minimal"]:
        yield puzzle["minimal"]
    difficulty = puzzle["difficulty"]
    yield f"Level {difficulty['level']} ({difficulty['method']}); {_vector(difficulty['vector'])}."
    if puzzle["other_readings"]:
        parts = [f"{reading}: {answer}" for reading, answer in puzzle["other_readings"].items()]
        yield f"Other readings, other answers: {'; '.join(parts)}."


def _variations(solution: Json, depth: int = 0) -> Iterator[str]:
    """A tree of moves, or a list of sentences; replies that are met by the same words stand together."""
    if isinstance(solution, list):
        yield from solution
        return
    yield f"{'    ' * depth}{' or '.join(solution['play'])}" + ("!" if depth == 0 else "")
    met: dict[str, list[str]] = {}
    for branch in solution.get("after", []):
        met.setdefault("\n".join(_answer(branch, depth)), []).extend(branch["if"])
    for words, replies in met.items():
        yield from f"{'    ' * depth}  {_names(replies)}:{words}".split("\n")


def _answer(branch: Json, depth: int) -> Iterator[str]:
    """What follows the colon: on the same line, if it does not matter what the opponent does next."""
    after, plays = branch.get("after", []), branch.get("play", ["and it is over"])
    if not after:
        yield f" {' or '.join(plays)}"
    elif len(after) == 1 and "after" not in after[0] and "play" in after[0]:
        others = f" (or {' or '.join(plays[1:])})" if plays[1:] else ""
        yield f" {plays[0]}{others}, then always {' or '.join(after[0]['play'])}"
    else:
        yield ""
        yield from _variations(branch, depth + 1)


def _names(names: Sequence[str]) -> str:
    if len(names) <= SHOWN:
        return ", ".join(names)
    return f"{', '.join(names[:SHOWN])} and {len(names) - SHOWN} more"


def _vector(vector: Mapping[str, Json]) -> str:
    shown = {name: "-".join(map(str, value)) if isinstance(value, list) else value for name, value in vector.items()}
    return ", ".join(f"{name} {value}" for name, value in shown.items())
