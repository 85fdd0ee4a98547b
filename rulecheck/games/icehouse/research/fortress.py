"""Icehouse: which defenders of a position no single further piece can attack, and the set of known fortresses.

An answer holds for the next placement. As an added piece only takes room and blocks lines, a defender that is safe by
its surroundings stays safe however many pieces are added, until one leaves the table.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulecheck.games.icehouse import GAME
from rulecheck.games.icehouse.pieces import SIZES, Position
from rulecheck.games.icehouse.research.attack import BUDGET, NOBODY, Answer, Question, defender_at, engine_of
from rulecheck.games.icehouse.research.certificate import attackers, certificate
from rulecheck.jobs import Report, ignore, run_all
from rulecheck.model import InputError, Result, Status
from rulecheck.pyramids import SIZE_NAMES
from rulecheck.registry import Choice, read_resource

KNOWN_FILE = "specs.icehouse:fortresses.toml"


@dataclass(frozen=True)
class Task:
    """One defender and one size of attackers."""

    choice: Choice
    position: Position
    target: int
    pips: int
    budget: int

    def __str__(self) -> str:
        return f"{SIZE_NAMES[self.pips]} pieces against {self.target}"

    # A choice holds functions that cannot be sent to another process; its parts can be written down.
    def __reduce__(self) -> tuple[Any, ...]:
        params, readings = self.choice.params.as_dict(), dict(self.choice.readings)
        return _task, (params, readings, str(self.position), self.target, self.pips, self.budget)


def _task(params: dict[str, str], readings: dict[str, str], position: str, target: int, pips: int, budget: int) -> Task:
    choice = Choice(GAME, GAME.params(params), GAME.rulebook.choose(readings))
    return Task(choice, GAME.read_position(choice.params, position), target, pips, budget)


def fortress(
    choice: Choice,
    position: Position,
    *,
    targets: Sequence[int] | None = None,
    sizes: Sequence[int] = SIZES,
    budget: int = BUDGET,
    jobs: int = 1,
    report: Report = ignore,
) -> list[Answer]:
    """For each defender (or each of `targets`) and each size of attackers: safe, open or unknown."""
    if targets is None:
        targets = [n for n, piece in enumerate(position.pieces, start=1) if not piece.lying]
    for target in targets:
        defender_at(position, target)
    tasks = [Task(choice, position, target, pips, budget) for target in targets for pips in sizes]
    return run_all(answer, tasks, jobs=jobs, report=report)


def answer(task: Task) -> Answer:
    engine = engine_of(task.choice)
    who = attackers(engine, task.position, task.target, task.pips)
    if not who:
        why = f"nobody has a {SIZE_NAMES[task.pips]} piece to place that could attack piece {task.target}"
        return Answer(task.target, task.pips, Result(Status.PROVED, why), proof=NOBODY)
    player, pyramid = who[0]  # size is all that matters to the geometry
    return Question(task.choice, engine, task.position, player, pyramid, task.target).answer(task.budget)


def document(choice: Choice, position: Position, answers: Sequence[Answer]) -> dict[str, Any]:
    """The certificate of these answers."""
    return certificate(engine_of(choice), position, [answer.as_json() for answer in answers])


# -- Known fortresses ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Known:
    """A position (after some events, if there are any), a defender in it, and the answers we expect."""

    name: str
    choice: Choice
    position: Position
    target: int
    expect: Mapping[int, str]
    why: str


def known_fortresses() -> list[Known]:
    rows = tomllib.loads(read_resource(KNOWN_FILE))["fortress"]
    return [_known(row) for row in rows]


def _known(row: Mapping[str, Any]) -> Known:
    choice = Choice(GAME, GAME.params(row.get("params", {})), GAME.rulebook.choose(row.get("readings", {})))
    engine = engine_of(choice)
    position = GAME.read_position(choice.params, row["position"])
    for text in row.get("events", ()):
        position = engine.play(position, GAME.read_move(choice.params, text))
    expect = dict(zip(SIZES, row["expect"], strict=True))
    return Known(row["name"], choice, position, row["target"], expect, row["why"])


def find_known(name: str) -> Known:
    for known in known_fortresses():
        if known.name == name:
            return known
    raise InputError(f"there is no fortress called {name!r}; rulecheck fortress icehouse --all lists them")
