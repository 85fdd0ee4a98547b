"""Hextris: the constraints with open groups, and a proof that they differ in nothing else.

An open spec leaves open, for each colour, whether the turn makes a group that is too large, which points form a five,
and around which points a piece sliding past would be one too many. The spec's own code builds the rest. `prove_open`
shows that the constraints depend on groups in no other way: with the true answers, every clause and effect is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import z3

from rulecheck.games.hextris.families.acts import Tick
from rulecheck.games.hextris.families.groups import leaving
from rulecheck.model import Result, Status
from solvers.smt import Answer, Asker, Bool, every, no, some
from specs.hextris.spec import Spec


class Recorder(Asker):
    """An asker for many small questions, three times as fast as the usual one."""

    def __init__(self, facts: Iterable[Bool]) -> None:
        super().__init__(logic="QF_FD")
        self.add(*facts)


class OpenSpec(Spec):
    """What `open_spec` makes is one of these in all but its class."""

    asker: Recorder


def _groups(spec: Any) -> None:
    """In place of the groups: any points may be those of a five; only that a turn must give the colour a point."""
    spec.too_large = {c: z3.Bool(f"open: too large {c}") for c in spec.colours}
    spec.five = {(c, (p,)): z3.Bool(f"open: five {c} {p}") for c in spec.colours for p in spec.points}
    for c in spec.colours:
        given = some(spec.new[c, p] for p in spec.points)
        spec.asker.add(*(some([no(term), given]) for term in _made(spec, c)))


def _made(spec: Spec, colour: str) -> list[Bool]:
    return [spec.too_large[colour], *(five for (c, _), five in spec.five.items() if c == colour)]


def _joined(spec: Any, c: str, r: int) -> Bool:
    return z3.Bool(f"open: joined {c} {r}")


def open_spec(make_spec: Callable[..., Spec], params: Any, readings: Any) -> OpenSpec:
    """A spec with open groups, of the class `make_spec` if it is one, else of `Spec`."""
    base = make_spec if isinstance(make_spec, type) else Spec
    opened: Any = type("OpenSpec", (base,), {"_groups": _groups, "_joined": _joined})
    spec: OpenSpec = opened(params, readings)
    spec.asker = Recorder(spec.asker.facts)
    return spec


def alike(opened: Spec, full: Spec) -> Iterator[Bool]:
    """The open terms equal those of the constraints."""
    for c in full.colours:
        yield opened.too_large[c] == full.too_large[c]
        yield from (opened.five[c, (p,)] == leaves for p, leaves in enumerate(leaving(full, c)))
    yield from (opened.joins[key] == joins for key, joins in full.joins.items())


def prove_open(full: Spec, make_spec: Callable[..., Spec], tick: Tick) -> Result:
    """Layer by layer: what is proved to be the same helps with the next."""
    opened = open_spec(make_spec, full.params, full.readings)
    points, players = len(full.points), full.params.players
    scope = f"open groups change nothing else in the constraints on {points} points for {players} players, every turn"
    asked = 0
    with full.asker.supposing():
        answer = _any(full, [_unasked(full, c) for c in full.colours])
        full.asker.add(*opened.asker.facts, *alike(opened, full))
        for mine, theirs in zip(_layers(opened), _layers(full), strict=True):
            if answer is Answer.NO:
                pairs = [(a, b) for a, b in zip(mine, theirs, strict=True) if not a.eq(b)]
                answer = _first([_any(full, [z3.Xor(a, b)]) for a, b in pairs])
                full.asker.add(*(a == b for a, b in pairs))
                asked += len(pairs)
    tick(1.0)
    if answer is Answer.NO:
        return Result(Status.PROVED, scope, cases=asked)
    return Result(Status.UNKNOWN, scope, cases=asked, note="the constraints use groups in a way that open ones do not")


def _any(spec: Spec, terms: list[Bool]) -> Answer:
    with spec.asker.supposing(some(terms)):
        return spec.asker.ask()


def _first(answers: Iterable[Answer]) -> Answer:
    """NO if all are; else the first that is not."""
    return next((a for a in answers if a is not Answer.NO), Answer.NO)


def _unasked(spec: Spec, colour: str) -> Bool:
    """A group of the colour is made, and the turn has given it no point."""
    return every([some(_made(spec, colour)), *(no(spec.new[colour, p]) for p in spec.points)])


def _layers(spec: Spec) -> Iterator[list[Bool]]:
    """All terms in a proof of a turn, from its premises to its conclusions."""
    yield [*spec.at_src.values(), *spec.at_dst.values()]
    yield [*spec.y.values()]
    yield [*spec.new.values(), *spec.rest.values(), *spec.joins.values()]
    yield [*spec.makes.values(), *spec.takes.values()]
    yield [*spec.formed_after.values(), spec.over, spec.ends]
    yield [*spec.z.at.values(), *spec.hand_after.values(), *spec.next_to_move.values()]
    yield [*spec.z.taken.values()]
    yield [kept for clauses in spec.holds.values() for kept in clauses.values()]
    yield [*spec.ok.values(), spec.must]
    yield [spec.wins(c, spec.formed_after, spec.next_to_move) for c in spec.colours]
