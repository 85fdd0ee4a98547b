"""Which claims hold under which readings: what the sheet says, and what we derived from it.

A claim is evaluated under the default readings, under every other value of every reading one at a time, and
under all combinations of the readings that share a clause with it, if those are few enough. Its row of
outcomes is `true` (it always held), `false` (it never did: a sheet that says it contradicts itself) or `depends`.
The rulebook says which of the three it expects, and what under the default readings; anything else is a disagreement.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from types import MappingProxyType
from typing import Any

from rulecheck.contract import AnyEngine
from rulecheck.jobs import Report, ignore
from rulecheck.kept import run_kept
from rulecheck.model import Claim, InputError, Readings
from rulecheck.registry import Game, find
from rulecheck.rulebook import Rulebook, check_known

COMBINATION_LIMIT = 96  # a claim with more combinations than this is tried with single changes only

Factory = Callable[[Mapping[str, str]], AnyEngine]  # parameters as text: an engine with the readings under test
Check = Callable[[Factory, Mapping[str, Any]], tuple[bool, str]]  # (does it hold, what the engine answered)
Tick = Callable[[str, float], None]
Params = Mapping[str, str]  # of a variant: those that are not as printed


@dataclass(frozen=True)
class Outcome:
    holds: bool
    seen: str


@dataclass(frozen=True)
class Row:
    """One claim: its outcome under each full assignment of readings that was tried."""

    claim: Claim
    default: Outcome
    singles: Mapping[str, Outcome]
    combined: Mapping[str, Outcome] = field(default_factory=dict)
    untried: int = 0

    def _outcomes(self) -> Iterator[tuple[str, Outcome]]:
        yield "the default readings", self.default
        yield from self.singles.items()
        yield from self.combined.items()

    @property
    def verdict(self) -> str:
        """The verdict, in the words of a rulebook's `expect`."""
        held = {outcome.holds for _, outcome in self._outcomes()}
        return "depends" if len(held) == 2 else "true" if held == {True} else "false"

    @property
    def agrees(self) -> bool:
        return self.verdict == self.claim.expect and self.default.holds == self.claim.holds_by_default

    @property
    def contradiction(self) -> bool:
        """No reading that was tried satisfies the claim."""
        return self.verdict == "false"

    @property
    def surprises(self) -> dict[str, bool]:
        """Combinations whose outcome their single changes do not explain."""
        unexplained = {}
        for name, outcome in self.combined.items():
            parts = [self.singles[part].holds for part in name.split() if part in self.singles]
            expected = all(parts) if self.default.holds else any(parts)
            if outcome.holds != expected:
                unexplained[name] = outcome.holds
        return unexplained

    @property
    def finding(self) -> str | None:
        """What a reader of the sheet should know, or None if the claim simply holds."""
        note = f" {self.claim.note}" if self.claim.note else ""
        if self.verdict == "true":
            return None
        if self.verdict == "false":
            return f"No reading tried makes this true.{note}"
        return f"It {self._split()}.{note}"

    def _split(self) -> str:
        """The single changes that reverse the outcome of the default readings."""
        turned = [name for name, outcome in self.singles.items() if outcome.holds != self.default.holds]
        turned = turned or [n for n, o in self.combined.items() if o.holds != self.default.holds]
        first, then = ("holds", "fails") if self.default.holds else ("fails", "holds")
        return f"{first} by default and {then} under {' or '.join(turned)}"

    def as_json(self) -> dict[str, Any]:
        return {
            "claim": self.claim.id,
            "text": self.claim.text,
            "source": self.claim.source,
            "expect": self.claim.expect,
            "verdict": self.verdict,
            "agrees": self.agrees,
            "contradiction": self.contradiction,
            "default": self.default.holds,
            "readings": {name: outcome.holds for name, outcome in self.singles.items()},
            "combinations": {
                "tried": len(self.combined),
                "untried": self.untried,
                "surprises": self.surprises,
            },
            "finding": self.finding,
            "note": self.claim.note,
            "witness": self.default.seen,
            "witnesses": {n: o.seen for n, o in self.singles.items() if o != self.default},
        }


@dataclass(frozen=True)
class Matrix:
    """All claims of a game against all its readings."""

    rulebook: Rulebook
    rows: tuple[Row, ...]
    limit: int
    unasked: Mapping[str, str] = field(default_factory=dict)  # claims that do not apply to a variant, and why

    @property
    def disagreements(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if not row.agrees)

    @property
    def suspects(self) -> dict[str, list[str]]:
        """Per reading value (the others at their defaults): the sheet's claims it breaks and another value keeps."""
        broken: dict[str, list[str]] = {}
        said = [row for row in self.rows if not row.claim.is_ours]
        for name, reading in self.rulebook.options.items():
            for row in said:
                held = {v: row.singles.get(f"{name}={v}", row.default).holds for v in reading.values}
                for value in reading.values:
                    if not held[value] and any(held.values()):
                        broken.setdefault(f"{name}={value}", []).append(row.claim.id)
        return broken

    def as_json(self) -> dict[str, Any]:
        return {
            "claims": [row.as_json() for row in self.rows],
            "suspects": self.suspects,
            "disagreements": [row.claim.id for row in self.disagreements],
            "combination_limit": self.limit,
            **({"unasked": dict(self.unasked)} if self.unasked else {}),
        }


def label(readings: Readings, defaults: Readings) -> str:
    """A full assignment named by what it changes."""
    return " ".join(f"{name}={value}" for name, value in readings.items() if value != defaults[name])


def single_changes(rulebook: Rulebook, claim: Claim | None = None) -> Iterator[Readings]:
    """Every other value of each reading of the printed game, and of those about other games that the claim is about."""
    for name, reading in rulebook.options.items():
        is_asked = name in rulebook.asked({}) or (claim and set(reading.clauses) & set(claim.clauses))
        for value in reading.values[1:] if is_asked else ():
            yield rulebook.defaults().replace(**{name: value})


def combinations(rulebook: Rulebook, claim: Claim) -> tuple[int, Iterator[Readings]]:
    """The combinations of the readings that share a clause with the claim: their number, and each of them."""
    near = {n: r.values for n, r in rulebook.options.items() if set(r.clauses) & set(claim.clauses)}
    chosen = (dict(zip(near, values, strict=True)) for values in product(*near.values()))
    return math.prod(map(len, near.values())), (rulebook.defaults().replace(**c) for c in chosen)


def plan(rulebook: Rulebook, claims: Iterable[Claim], limit: int) -> dict[Readings, list[Claim]]:
    """Which of these claims to evaluate under which readings."""
    wanted: dict[Readings, list[Claim]] = {}
    for claim in claims:
        tried = dict.fromkeys([rulebook.defaults(), *single_changes(rulebook, claim)])
        count, combined = combinations(rulebook, claim)
        if count <= limit:
            tried.update(dict.fromkeys(combined))
        for readings in tried:
            wanted.setdefault(readings, []).append(claim)
    return wanted


def factory(game: Game, readings: Readings, variant: Params = MappingProxyType({})) -> Factory:
    """Engines for one assignment of readings; the same parameters give the same engine back.

    A claim's own parameters override those of the variant.
    """

    @functools.cache
    def made(params: tuple[tuple[str, str], ...]) -> AnyEngine:
        return game.engine(game.params(dict(params)), readings)

    return lambda params: made(tuple(sorted({**variant, **params}.items())))


def evaluate(
    claim: Claim, make: Factory, checks: Mapping[str, Check], variant: Params = MappingProxyType({})
) -> Outcome:
    """Run the check a claim names; a mistake in the claim's data is bad input, not a false claim."""
    data = {**claim.data, "params": {**variant, **claim.data.get("params", {})}} if variant else claim.data
    try:
        check_known("check", claim.check, checks)
        return Outcome(*checks[claim.check](make, data))
    except KeyError as missing:
        raise InputError(f"claim {claim.id}: the check {claim.check} needs the key {missing}") from missing
    except InputError as problem:
        raise InputError(f"claim {claim.id}: {problem}") from problem


def matrix(
    game: Game,
    checks: Mapping[str, Check],
    *,
    only: Iterable[str] | None = None,
    limit: int = COMBINATION_LIMIT,
    tick: Tick | None = None,
    variant: Params = MappingProxyType({}),
) -> Matrix:
    """Evaluate all claims (or only those of these ids), one assignment of readings after the other.

    A claim about a position that a variant lacks does not apply: it is left out, with the reason.
    """
    rulebook = game.rulebook
    claims = _chosen(rulebook, only)
    wanted = plan(rulebook, claims, limit)
    outcomes: dict[str, dict[str, Outcome]] = {claim.id: {} for claim in claims}
    unasked: dict[str, str] = {}
    for done, (readings, due) in enumerate(wanted.items()):
        name = label(readings, rulebook.defaults())
        if tick:
            tick(name or "default readings", done / len(wanted))
        make = factory(game, readings, variant)
        for claim in (claim for claim in due if claim.id not in unasked):
            try:
                outcomes[claim.id][name] = evaluate(claim, make, checks, variant)
            except InputError as error:
                if not variant:
                    raise
                unasked[claim.id] = str(error).removeprefix(f"claim {claim.id}: ")
    rows = tuple(_row(rulebook, c, outcomes[c.id], limit) for c in claims if c.id not in unasked)
    return Matrix(rulebook, rows, limit, unasked)


def said_under(game: Game, names: Iterable[str]) -> list[dict[str, Any]]:
    """Every claim of the sheet under the values of these readings alone, in the form of a report."""
    book, checks = game.rulebook, game.hints.checks()
    changed = {f"{name}={value}": {name: value} for name in names for value in book.options[name].values[1:]}
    usual = factory(game, book.defaults())
    makers = {label: factory(game, book.defaults().replace(**change)) for label, change in changed.items()}
    return [
        {
            "claim": claim.id,
            "source": claim.source,
            "default": evaluate(claim, usual, checks).holds,
            "readings": {label: evaluate(claim, make, checks).holds for label, make in makers.items()},
        }
        for claim in book.claims.values()
        if not claim.is_ours
    ]


def side_by_side(game: Game, jobs: int, report: Report = ignore) -> Matrix:
    """The whole matrix, computed claim by claim in `jobs` processes."""
    todo = [(game.slug, name) for name in game.rulebook.claims]
    rows = run_kept(game, "claims", _one_row, todo, Row, jobs=jobs, report=report)
    return Matrix(game.rulebook, tuple(rows), COMBINATION_LIMIT)


def _one_row(task: tuple[str, str]) -> Row:
    slug, name = task
    game = find(slug)
    return matrix(game, game.hints.checks(), only=[name]).rows[0]


def _chosen(rulebook: Rulebook, only: Iterable[str] | None) -> list[Claim]:
    ids = list(rulebook.claims if only is None else only)
    for name in ids:
        check_known("claim", name, rulebook.claims)
    return [rulebook.claims[name] for name in ids]


def _row(rulebook: Rulebook, claim: Claim, outcomes: Mapping[str, Outcome], limit: int) -> Row:
    count, _ = combinations(rulebook, claim)
    singles = {name: outcome for name, outcome in outcomes.items() if len(name.split()) == 1}
    combined = {name: outcome for name, outcome in outcomes.items() if len(name.split()) > 1}
    return Row(claim, outcomes[""], singles, combined, 0 if count <= limit else count)
