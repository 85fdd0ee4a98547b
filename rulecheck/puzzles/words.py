"""A solution in words: the same for the terminal and for the book."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from rulecheck.puzzles.model import Json

SHOWN = 6  # names in a row; what is beyond is counted
CHANCE = re.compile(r"keeps a forced win with probability (\S+); the next best loses (\S+) of it")


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


def book_lines(puzzle: Mapping[str, Json]) -> Iterator[str]:
    """For a reader: the main line in full, what else the opponent may try in a line each, and chances in words."""
    if isinstance(puzzle["solution"], dict):
        yield f"Main line: {' '.join(main_line(puzzle['solution']))}"
        yield from _other_replies(puzzle["solution"])
    else:
        yield from map(in_games, puzzle["solution"])
    for line in solution_lines({**puzzle, "solution": []}):
        yield line if not line.startswith("Level ") else f"Level {puzzle['difficulty']['level']}: {_method(puzzle)}."


def _method(puzzle: Mapping[str, Json]) -> str:
    return str(puzzle["difficulty"]["method"])


def main_line(solution: Json) -> Iterator[str]:
    """The key, then the reply that holds out longest (the first of these), and so on to the end."""
    yield solution["play"][0]
    replies = [branch for branch in solution.get("after", []) if "play" in branch]
    if replies:
        branch = max(replies, key=_depth)
        yield branch["if"][0]
        yield from main_line(branch)


def _depth(branch: Json) -> int:
    return 1 + max((_depth(after) for after in branch.get("after", [])), default=0)


def _other_replies(solution: Json) -> Iterator[str]:
    """What is played at once against each first reply; what follows that is in the collection."""
    met: dict[str, list[str]] = {}
    for branch in solution.get("after", []):
        answer = " or ".join(branch.get("play", ["and it is over"])[:2])
        met.setdefault(answer, []).extend(branch["if"])
    for answer, replies in list(met.items())[:SHOWN]:
        yield f"    after {_names(replies)}: {answer}"
    if len(met) > SHOWN:
        yield f"    and {len(met) - SHOWN} other answers to other replies"


def in_games(words: str) -> str:
    """A chance as games won of so many, rounded so that the two can still be told apart."""
    found = CHANCE.search(words)
    if found is None:
        return words
    best, lost = float(found[1]), float(found[2])
    for most in (4, 6, 8, 10, 12, 20, 50, 100):
        ours, theirs = (Fraction(chance).limit_denominator(most) for chance in (best, best - lost))
        if ours > theirs and abs(ours - best) < lost / 3 and abs(theirs - (best - lost)) < lost / 3:
            said = f"wins about {_games(ours)}; the best other turn {_games(theirs)}"
            return words[: found.start()] + said + words[found.end() :]
    return words


def _games(share: Fraction) -> str:
    if share == 1:
        return "every game"
    return f"{share.numerator} game{'s' * (share.numerator != 1)} in {share.denominator}" if share else "no game"


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
