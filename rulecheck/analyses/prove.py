"""Engine = spec, by complete case analysis.

The engine looks at a position through small observations ("what lies on top here?"). It gets a position that
decides an observation only on demand, and runs again for every other answer: each run is a *case*, a partial
position with the engine's response. For each case one question goes to z3: could the spec say otherwise for
some completion of this partial position? NO for all cases proves that the two agree on every position, not on
a sample.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulecheck import registry
from rulecheck.analyses.mutants import encodings
from rulecheck.hints import COMPARED
from rulecheck.jobs import Report, run_all, tell
from rulecheck.kept import run_kept
from rulecheck.model import InputError, Readings, Result, Status, headline, worst


@dataclass(frozen=True)
class ProofTask:
    """One family of proofs under one choice of readings; plain data, so that any executor can carry it."""

    game: str
    params: tuple[tuple[str, str], ...]
    readings: tuple[tuple[str, str], ...]
    family: str
    label: str = ""

    def __str__(self) -> str:
        return f"{self.family} {self.label}".strip()


def run_task(task: ProofTask) -> Result:
    game = registry.find(task.game)
    readings = Readings(dict(task.readings))
    result: Result = game.hints.run_family(task.family, game.params(dict(task.params)), encodings(game), readings, tell)
    return result


def run_task_twice(task: ProofTask) -> tuple[Result, dict[str, Any]]:
    """The same, with a second solver's answers to every question that z3 answers with NO."""
    from solvers.second import Second
    from solvers.smt import hearing_no

    second = Second()
    with hearing_no(second.ask_again):
        result = run_task(task)
    return result, second.opinions.as_json()


def prove_twice(todo: Sequence[ProofTask], jobs: int, report: Report) -> tuple[list[Result], dict[str, Any]]:
    """The results, and what `prove --second --json` prints besides: of all families together, and of each."""
    if any(importlib.util.find_spec(name) is None for name in ("pysat", "cvc5")):
        raise InputError("a second opinion takes python-sat and cvc5, which `pip install 'rulecheck[second]'` installs")
    done = run_all(run_task_twice, todo, jobs=jobs, report=report)
    families = [
        {"family": task.family, "readings": task.label or "as given", "cases": result.cases, **heard}
        for task, (result, heard) in zip(todo, done, strict=True)
    ]
    solvers = sorted({name for row in families for name in row["by"]})
    return [result for result, _ in done], {
        **{key: sum(row[key] for row in families) for key in ("asked", "agreed", "contradicted", "unanswered")},
        "by": {name: sum(row["by"].get(name, 0) for row in families) for name in solvers},
        "families": families,
    }


def prove_all(game: registry.Game, todo: Sequence[ProofTask], jobs: int, report: Report) -> list[Result]:
    """The result of each task."""
    return run_kept(game, "proofs", run_task, todo, Result, jobs=jobs, report=report)


def tasks(
    game: registry.Game, params: Mapping[str, str], readings: Readings, families: Sequence[str], every: bool
) -> list[ProofTask]:
    """The families under the readings given and, if `every`, under each other value of each reading in turn."""
    variants = [("", readings)]
    if every:
        for name, reading in game.rulebook.asked(params).items():
            others = [v for v in reading.values if v != readings[name]]
            variants += [(f"{name}={value}", readings.replace(**{name: value})) for value in others]
    given = tuple(params.items())
    return [
        ProofTask(game.slug, given, tuple(chosen.items()), family, label)
        for label, chosen in variants
        for family in families
    ]


def has_failed(row: Mapping[str, Any]) -> bool:
    """Is this row of a summary neither proved, nor a sample without a difference?"""
    return bool(row["result"] == "REFUTED" or (row["result"] != "PROVED" and not row.get("sample")))


def _limits(compared: Sequence[str]) -> tuple[str, str]:
    """The addition to a headline and to a scope where results or winners are not compared."""
    missing = [what for what in COMPARED if what not in compared]
    if not missing:
        return "", ""
    alone = " alone" if len(compared) == 1 else ""
    words = f"{' and '.join(compared)}{alone}"
    return f", {words}", f"{words}, not {' or '.join(missing)}: "


def summary(game: registry.Game, done: Sequence[tuple[ProofTask, Result]]) -> dict[str, Any]:
    """What `prove --json` prints."""
    results = [result for _, result in done]
    decisive = [result for result in results if not result.sample] or results  # samples prove nothing
    words, of = _limits(game.hints.compares)
    return {
        "result": worst(results).value,
        "headline": headline(results) + words,
        "sampled": sum(result.sampled for result in results),
        "compares": list(game.hints.compares),
        "scope": of + "; ".join(dict.fromkeys(result.scope for result in decisive)),
        "cases": sum(result.cases for result in results),
        "disagreements": sum(result.status is Status.REFUTED for result in results),
        "families": [
            {"family": t.family, "readings": t.label or "as given", "headline": r.headline, **r.as_json()}
            for t, r in done
        ],
    }
