"""A solution in words: the same for the terminal and for the book."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rulecheck import registry, wording
from rulecheck.puzzles.model import Json

SHOWN = 6  # names listed; the rest are counted
CHANCE = re.compile(r"keeps a forced win with probability (\S+); the next best loses (\S+) of it")
LOSES = re.compile(r"loses (0\.\d+)")
SAID = ("Minimal: ", "Not minimal: ")  # what a reader wants to know about minimality


def solution_lines(puzzle: Mapping[str, Json]) -> Iterator[str]:
    """The answer, what happens after each reply, then tries, set play and everything else worth saying."""
    chances = chances_of(puzzle["solution"])
    yield from map(in_games, _variations(puzzle["solution"]))
    for row in (_in_games(row, chances) for row in puzzle["tries"]):
        yield f"Try: {row['play']}? {row['refutation']}{'.' if ' ' in row['refutation'] else '!'}"
    if puzzle["set_play"]:
        parts = [f"{_names(row['if'])} {row['play']}" for row in puzzle["set_play"]]
        yield f"Set play: {'; '.join(parts)}"
    if puzzle["duals"]:  # the moves stand in the variations
        yield f"Dual after {'; '.join(' '.join(row['after'][1:]) for row in puzzle['duals'])}."
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
    """For a reader: the main line in full, one line for each other reply, and chances in words."""
    if isinstance(puzzle["solution"], dict):
        yield f"Main line: {' '.join(main_line(puzzle['solution']))}"
        yield from _other_replies(puzzle["solution"])
    else:
        yield from map(in_games, puzzle["solution"])
    chances = chances_of(puzzle["solution"])
    tries = [_in_games(attempt, chances) for attempt in puzzle["tries"]]
    kept = puzzle["minimal"] if puzzle["minimal"].startswith(SAID) else ""
    description = {**puzzle, "solution": [], "tries": tries, "minimal": kept, "other_readings": {}}
    for line in solution_lines(description):
        level = puzzle["difficulty"]
        yield line if not line.startswith("Level ") else f"Level {level['level']}: {level['method']}."
    if puzzle["other_readings"]:
        yield f"{_open_rules(puzzle)} would change the answer."


def _open_rules(puzzle: Mapping[str, Json]) -> str:
    """The rules on which the answer depends, by clause id."""
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
    """The immediate answer to each first reply; the collection has the rest."""
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
    """What the best turn wins, how much less the next best wins, and the largest denominator for either."""

    best: float
    lost: float
    most: int

    def games(self, chance: float) -> str:
        share = Fraction(max(0.0, chance)).limit_denominator(self.most)
        if share in (0, 1):
            return "every game" if share else "no game"
        return f"{share.numerator} game{'s' * (share.numerator != 1)} in {share.denominator}"


def chances_of(solution: Json) -> Chances | None:
    """Rounded as far as the best turn and the next best remain distinct."""
    lines = solution if isinstance(solution, list) else []
    match = next(filter(None, map(CHANCE.search, lines)), None)
    if match is None:
        return None
    best, lost = float(match[1]), float(match[2])
    for most in (4, 6, 8, 10, 12, 20, 50, 100):
        ours, theirs = (Fraction(chance).limit_denominator(most) for chance in (best, best - lost))
        if ours > theirs and abs(ours - best) < lost / 3 and abs(theirs - (best - lost)) < lost / 3:
            return Chances(best, lost, most)
    return None


def in_games(words: str) -> str:
    """A chance as the number of games won out of the number played."""
    match, chances = CHANCE.search(words), chances_of([words])
    if match is None or chances is None:
        return words
    next_best = chances.games(chances.best - chances.lost)
    said = f"wins about {chances.games(chances.best)}; the best other turn {next_best}"
    return words[: match.start()] + said + words[match.end() :]


def _in_games(attempt: Mapping[str, Json], chances: Chances | None) -> Mapping[str, Json]:
    """A try that gives up some of the chances, restated as what it still wins."""
    loses = LOSES.fullmatch(attempt["refutation"])
    if loses is None or chances is None:
        return attempt
    return {**attempt, "refutation": f"wins {chances.games(chances.best - float(loses[1]))}"}


def _variations(solution: Json, depth: int = 0) -> Iterator[str]:
    """A tree of moves, or a list of sentences; replies with the same answer are grouped."""
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
