"""A collection proved again from its text alone, by the encoding that did not find it.

Each line names a game, a kind and a position; everything else it says is worked out anew from the constraints and
compared. So a moved piece, another solution, a changed level or a left-out defence is refused, with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulecheck import registry
from rulecheck.jobs import Report, ignore, run_all
from rulecheck.model import InputError
from rulecheck.puzzles.kinds import kind_of
from rulecheck.puzzles.mining import alike_key, told_by
from rulecheck.puzzles.model import Json, plain, read_line
from rulecheck.puzzles.rules import ByConstraints, DisagreementError

LONGEST = 120  # characters of what a line says, quoted in a reason


@dataclass(frozen=True)
class Checked:
    """`problem` is empty if everything that the line says is proved."""

    id: str
    problem: str = ""


def read_collection(path: Path) -> list[dict[str, Json]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no UTF-8 text"
        raise InputError(f"cannot read {str(path)!r}: {reason}") from None
    lines = text.splitlines()
    if not lines:
        raise InputError(f"{path} is empty; expected one puzzle a line")
    return [read_line(line, f"{path}, line {number}") for number, line in enumerate(lines, start=1)]


def verify(puzzles: Sequence[Mapping[str, Json]], jobs: int = 1, report: Report = ignore) -> list[Checked]:
    """Every line on its own, then that no two are one puzzle."""
    found = run_all(check, [dict(puzzle) for puzzle in puzzles], jobs=jobs, report=_by_id(report))
    first: dict[str, str] = {}
    for at, (puzzle, checked) in enumerate(zip(puzzles, found, strict=True)):
        if not checked.problem:
            same = first.setdefault(alike_key(puzzle), puzzle["id"])
            if same != puzzle["id"] or any(p["id"] == puzzle["id"] for p in puzzles[:at]):
                found[at] = Checked(puzzle["id"], f"it is the same puzzle as {same}, seen from another side or twice")
    return found


def _by_id(report: Report) -> Report:
    return lambda what, done: report("", done)


def check(puzzle: Mapping[str, Json]) -> Checked:
    """Is all true that this line says?"""
    try:
        problem = _problem(puzzle)
    except (InputError, DisagreementError) as error:
        problem = str(error)
    return Checked(puzzle["id"], problem)


def _problem(puzzle: Mapping[str, Json]) -> str:
    game = registry.find(puzzle["game"])
    kind = kind_of(game, puzzle["kind"])
    params, readings = game.params(puzzle["params"]).as_dict(), dict(game.rulebook.choose(puzzle["readings"]))
    if params != puzzle["params"] or readings != puzzle["readings"]:
        return "it does not write out all parameters and readings of its game"
    told = told_by(ByConstraints, kind, game.slug, params, readings, puzzle["position"], puzzle["asked"])
    if told is None:
        return f"the position is no sound puzzle of the kind {kind.name}"
    return difference(puzzle, plain(told))


def difference(said: Mapping[str, Json], proved: Mapping[str, Json]) -> str:
    """The first thing that the line says and the constraints do not."""
    for key, value in proved.items():
        if said[key] != value:
            return f"{key} says {_shown(said[key])}, but by the constraints it is {_shown(value)}"
    return ""


def _shown(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
