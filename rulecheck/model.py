"""The vocabulary of the whole tool: clauses, readings, claims, verdicts, results.

| word    | meaning |
|---------|---------|
| clause  | one numbered rule, in our words |
| reading | a named choice where the sheet leaves one; `Readings` is a full assignment |
| claim   | something the sheet asserts, or that we derived from it; a reading may keep or break it |
| verdict | the answer to "is this move legal here?": yes, or the clauses it breaks |
| result  | the answer of an analysis: PROVED (scope), REFUTED (witness) or UNKNOWN (budget) |
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

OURS = "ours"  # the source of a claim that is ours, not the sheet's


class InputError(Exception):
    """Bad input: the message is one plain sentence for the user (exit status 2)."""


@dataclass(frozen=True)
class Clause:
    id: str
    text: str
    kind: str
    pointer: str = ""
    part_of: str | None = None
    repeats: str | None = None


@dataclass(frozen=True)
class Reading:
    """A choice that the sheet leaves open. `decided` quotes what in the sheet settles it (then it is no option).

    `where` has the parameters of the only games that ask it; elsewhere its values mean the same.
    """

    id: str
    name: str
    values: tuple[str, ...]
    clauses: tuple[str, ...]
    why: str
    meaning: Mapping[str, str]
    decided: str | None = None
    kind: str = "play"
    where: Mapping[str, str] = field(default_factory=dict)

    @property
    def default(self) -> str:
        return self.values[0]

    @property
    def is_option(self) -> bool:
        return self.kind == "play" and self.decided is None


@dataclass(frozen=True)
class Claim:
    """A statement; `check` names what tests it, `data` its particulars.

    `source` points to the words of the sheet that make it, or is OURS for a consequence that we derived. Only the
    sheet's claims count for or against a reading. A claim that depends on readings holds under the default ones unless
    `by_default` says otherwise.
    """

    id: str
    text: str
    source: str
    clauses: tuple[str, ...]
    check: str
    data: Mapping[str, Any]
    expect: str = "true"
    by_default: str = "true"
    note: str = ""

    @property
    def is_ours(self) -> bool:
        return self.source == OURS

    @property
    def holds_by_default(self) -> bool:
        """What the rulebook expects under the default readings."""
        return (self.by_default if self.expect == "depends" else self.expect) == "true"


class Readings(Mapping[str, str]):
    """One value for every option of a rulebook; immutable and hashable."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(tuple(self._values.items()))

    def replace(self, **changes: str) -> Readings:
        unknown = changes.keys() - self._values.keys()
        if unknown:
            raise KeyError(f"no reading called {sorted(unknown)}")
        return Readings({**self._values, **changes})

    def __repr__(self) -> str:
        return "Readings(" + " ".join(f"{k}={v}" for k, v in self._values.items()) + ")"


@dataclass(frozen=True)
class Verdict:
    """Legal if and only if no clause is broken. Each broken clause comes with the reason in words."""

    broken: tuple[tuple[str, str], ...] = ()

    @property
    def legal(self) -> bool:
        return not self.broken

    @property
    def clauses(self) -> tuple[str, ...]:
        return tuple(clause for clause, _ in self.broken)

    def __str__(self) -> str:
        return "legal" if self.legal else "illegal: " + "; ".join(f"{c}, {why}" for c, why in self.broken)


LEGAL = Verdict()


@functools.lru_cache(maxsize=1024)  # engines say the same few sentences over and over
def breaks(clause: str, why: str) -> Verdict:
    return Verdict(((clause, why),))


def agreement(engine: Verdict, spec: Verdict) -> bool:
    """Both allow the move, or both forbid it and the engine's reasons are among those of the spec."""
    return engine.legal == spec.legal and set(engine.clauses) <= set(spec.clauses)


class Status(StrEnum):
    PROVED = "PROVED"
    REFUTED = "REFUTED"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True)
class Witness:
    """A concrete position (and move) that shows something; the engine replays it before it counts."""

    position: str
    move: str | None = None
    note: str = ""
    params: Mapping[str, str] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    line: tuple[str, ...] | None = None

    def as_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {"position": self.position}
        if self.move is not None:
            document["move"] = self.move
        if self.note:
            document["note"] = self.note
        if self.params:
            document["params"] = dict(self.params)
        if self.readings:
            document["readings"] = dict(self.readings)
        if self.line is not None:
            document["line"] = list(self.line)
        return document


@dataclass(frozen=True)
class Result:
    """PROVED for a stated scope, REFUTED by a witness, or UNKNOWN within a stated budget.

    A sample that shows no difference proves nothing about the rest: it is UNKNOWN, but no failure (`is_fine`), because
    it promised no more. `samples` are the scopes of mere samples beside the proof, and `sampled` counts them, so that
    no headline hides a sample behind PROVED. `bounded` marks a proof for all play in the games searched, up to a size,
    and for no others: it does not mean "never".
    """

    status: Status
    scope: str
    witness: Witness | None = None
    cases: int = 0
    note: str = ""
    sample: bool = False
    samples: tuple[str, ...] = ()
    bounded: bool = False

    def __post_init__(self) -> None:
        if self.status is Status.REFUTED and self.witness is None:
            raise ValueError("a refutation needs its witness")
        if self.status is Status.PROVED and self.sample:
            raise ValueError("a sample is no proof")

    @property
    def is_fine(self) -> bool:
        return self.status is Status.PROVED or (self.sample and self.status is Status.UNKNOWN)

    @property
    def sampled(self) -> int:
        return 1 if self.sample else len(self.samples)

    @property
    def headline(self) -> str:
        """`sampled` for a mere sample; else as for several results."""
        return "sampled" if self.sample and self.is_fine else headline([self])

    def as_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {"result": self.status.value, "scope": self.scope, "cases": self.cases}
        if self.note:
            document["note"] = self.note
        if self.sample:
            document["sample"] = True
        if self.sampled:
            document["sampled"] = self.sampled
        if self.bounded:
            document["bounded"] = True
        document["witness"] = None if self.witness is None else self.witness.as_json()
        return document


def worst(results: Iterable[Result]) -> Status:
    """REFUTED beats UNKNOWN beats PROVED: one bad part spoils the whole. Samples without a difference do not count.

    If there is nothing but samples, nothing is proved.
    """
    statuses = {r.status for r in results if r.status is Status.REFUTED or not r.sample}
    return next((s for s in (Status.REFUTED, Status.UNKNOWN, Status.PROVED) if s in statuses), Status.UNKNOWN)


def headline(results: Sequence[Result]) -> str:
    """`PROVED (and 3 sampled)`: samples are counted beside what is proved."""
    status, sampled = worst(results), sum(result.sampled for result in results)
    if not sampled or status is Status.REFUTED:
        return status.value
    return f"{status.value} ({'' if all(r.sample for r in results) else 'and '}{sampled} sampled)"


def together(parts: Iterable[Result]) -> Result:
    """Combine the results of several parts: the first failure, or all results together.

    The scope lists what is proved, the note the samples; if there are only samples, the scope lists those.
    """
    done: list[Result] = []
    for part in parts:
        done.append(part)
        if not part.is_fine:
            return replace(part, cases=sum(r.cases for r in done))
    proved = [r.scope for r in done if not r.sample]
    samples = tuple(scope for r in done for scope in ((r.scope,) if r.sample else r.samples))
    cases = sum(r.cases for r in done)
    if not proved:
        return Result(Status.UNKNOWN, "; ".join(samples), cases=cases, sample=True)
    note = f"compared besides, as samples: {'; '.join(samples)}" if samples else ""
    return Result(Status.PROVED, "; ".join(proved), cases=cases, note=note, samples=samples)
