"""A collection proved again from its text alone, by the encoding that did not find it.

Each line names a game, a kind and a position. The position must be the one that the id generates, so a moved piece is
rejected even if every statement remains true of it. Everything else is recomputed from the constraints and compared:
a different solution, a changed level or a missing defence is rejected, with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulecheck import registry
from rulecheck.jobs import Report, ignore, run_all
from rulecheck.model import InputError
from rulecheck.puzzles.kinds import kind_of
from rulecheck.puzzles.mining import alike_key, described_by, draft_of, settings_of, verifier
from rulecheck.puzzles.model import Json, plain, read_id, read_line
from rulecheck.puzzles.rules import DisagreementError

LONGEST = 120  # characters of a value quoted in a reason
BEFORE = 30  # of these, the number before the first difference


@dataclass(frozen=True)
class Checked:
    """`problem` is empty if every statement of the line is proved."""

    id: str
    problem: str = ""


def read_collection(path: Path) -> list[dict[str, Json]]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror}") from None
    except ValueError:
        raise InputError(f"cannot read {str(path)!r}: no UTF-8 text") from None
    lines = text.splitlines()
    if not lines:
        raise InputError(f"{path} is empty; expected one puzzle a line")
    return [read_line(line, f"{path}, line {number}") for number, line in enumerate(lines, start=1)]


def verify(puzzles: Sequence[Mapping[str, Json]], jobs: int = 1, report: Report = ignore) -> list[Checked]:
    """Check every line by itself, then that no two lines are the same puzzle."""
    results = run_all(check, [dict(puzzle) for puzzle in puzzles], jobs=jobs, report=_by_id(report))
    first: dict[str, str] = {}
    for at, (puzzle, checked) in enumerate(zip(puzzles, results, strict=True)):
        if not checked.problem:
            same = first.setdefault(alike_key(puzzle), puzzle["id"])
            if same != puzzle["id"] or any(p["id"] == puzzle["id"] for p in puzzles[:at]):
                results[at] = Checked(puzzle["id"], f"it is the same puzzle as {same}, seen from another side or twice")
    return results


def _by_id(report: Report) -> Report:
    return lambda what, done: report("", done)


def check(puzzle: Mapping[str, Json]) -> Checked:
    """Is this the puzzle that its id names, and is every statement true?"""
    try:
        problem = foreign(puzzle) or untrue(puzzle)
    except (InputError, DisagreementError) as error:
        problem = str(error)
    return Checked(puzzle["id"], problem)


def foreign(puzzle: Mapping[str, Json]) -> str:
    """The first difference in setup between the line and the puzzle that its id generates."""
    draft = draft_of(read_id(puzzle["id"]))
    if draft is None:
        return "its id makes no puzzle"
    params, readings = settings_of(registry.find(puzzle["game"]), draft)
    made = {"params": params, "readings": readings, "position": draft.position, "asked": draft.asked}
    return difference(puzzle, made, "by the id")


def untrue(puzzle: Mapping[str, Json]) -> str:
    """The first statement about the position that the constraints do not confirm."""
    game = registry.find(puzzle["game"])
    kind = kind_of(game, puzzle["kind"])
    params, readings = puzzle["params"], puzzle["readings"]
    description = described_by(verifier(game), kind, game.slug, params, readings, puzzle["position"], puzzle["asked"])
    if description is None:
        return f"the position is no sound puzzle of the kind {kind.name}"
    return difference(puzzle, plain(description), f"by the {voice_of([game.slug])}")


def voice_of(slugs: Iterable[str]) -> str:
    """Who proves puzzles of these games."""
    games = [registry.find(slug) for slug in slugs]
    return "constraints" if all(game.spec_name for game in games) else "engine alone where there are no constraints"


def difference(said: Mapping[str, Json], true: Mapping[str, Json], source: str) -> str:
    """The first value in the line that differs from the true one."""
    for key, value in true.items():
        if said[key] != value:
            return f"{key} says {_shown(said[key], value)}, but {source} it is {_shown(value, said[key])}"
    return ""


def _shown(value: Json, other: Json) -> str:
    """Shortened: a long text starts just before the first difference."""
    text, against = (json.dumps(said, ensure_ascii=False) for said in (value, other))
    parting = next((at for at, (a, b) in enumerate(zip(text, against, strict=False)) if a != b), 0)
    first = max(0, min(parting - BEFORE, len(text) - LONGEST))
    last = first + LONGEST
    return f"{'...' * (first > 0)}{text[first:last]}{'...' * (last < len(text))}"
