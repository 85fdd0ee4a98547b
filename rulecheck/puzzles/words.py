"""A solution in words: the same for the terminal and for the book."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rulecheck import registry, wording
from rulecheck.puzzles.model import Json

SHOWN = 6  # names in a row; what is beyond is counted
CHANCE = re.compile(r"keeps a forced win with probability (\S+); the next best loses (\S+) of it")
LOSES = re.compile(r"loses (0\.\d+)")
SAID = ("Minimal: ", "Not minimal: ")  # what a reader wants to know of what could be taken away


def solution_lines(puzzle: Mapping[str, Json]) -> Iterator[str]:
    """The answer, what happens after each reply, then tries, set play and everything else worth saying."""
    chances = chances_of(puzzle["solution"])
    yield from map(in_games, _variations(puzzle["solution"]))
    for found in (_in_games(found, chances) for found in puzzle["tries"]):
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
    chances = chances_of(puzzle["solution"])
    tries = [_in_games(found, chances) for found in puzzle["tries"]]
    kept = puzzle["minimal"] if puzzle["minimal"].startswith(SAID) else ""
    told = {**puzzle, "solution": [], "tries": tries, "minimal": kept, "other_readings": {}}
    for line in solution_lines(told):
        level = puzzle["difficulty"]
        yield line if not line.startswith("Level ") else f"Level {level['level']}: {level['method']}."
    if puzzle["other_readings"]:
        yield f"{_open_rules(puzzle)} would change the answer."


def _open_rules(puzzle: Mapping[str, Json]) -> str:
    """The rules on which the answer hangs, by the ids under which a reader finds them."""
    readings = registry.find(puzzle["game"]).rulebook.options
    names = dict.fromkeys(value.partition("=")[0] for value in puzzle["other_readings"])
    clauses = sorted({clause for name in names for clause in readings[name].clauses})
    return f"Another reading of {wording.listed(clauses, 'or')}"


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


@dataclass(frozen=True)
class Chances:
    """What the best turn wins, what the next best loses of it, and the most games in which one says so."""

    best: float
    lost: float
    most: int

    def games(self, chance: float) -> str:
        share = Fraction(max(0.0, chance)).limit_denominator(self.most)
        if share in (0, 1):
            return "every game" if share else "no game"
        return f"{share.numerator} game{'s' * (share.numerator != 1)} in {share.denominator}"


def chances_of(solution: Json) -> Chances | None:
    """Rounded so far that the best turn and the next can still be told apart."""
    lines = solution if isinstance(solution, list) else []
    found = next(filter(None, map(CHANCE.search, lines)), None)
    if found is None:
        return None
    best, lost = float(found[1]), float(found[2])
    for most in (4, 6, 8, 10, 12, 20, 50, 100):
        ours, theirs = (Fraction(chance).limit_denominator(most) for chance in (best, best - lost))
        if ours > theirs and abs(ours - best) < lost / 3 and abs(theirs - (best - lost)) < lost / 3:
            return Chances(best, lost, most)
    return None


def in_games(words: str) -> str:
    """A chance as games won of so many."""
    found, chances = CHANCE.search(words), chances_of([words])
    if found is None or chances is None:
        return words
    next_best = chances.games(chances.best - chances.lost)
    said = f"wins about {chances.games(chances.best)}; the best other turn {next_best}"
    return words[: found.start()] + said + words[found.end() :]


def _in_games(found: Mapping[str, Json], chances: Chances | None) -> Mapping[str, Json]:
    """A try that loses some of the chances, by what it still wins."""
    loses = LOSES.fullmatch(found["refutation"])
    if loses is None or chances is None:
        return found
    return {**found, "refutation": f"wins {chances.games(chances.best - float(loses[1]))}"}


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
