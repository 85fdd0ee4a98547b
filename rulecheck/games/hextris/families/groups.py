"""Hextris: the engine's `grow` and the constraints agree on the group around a point, on every arrangement.

This is the half of a two-part proof that concerns groups; `composed` has the other half, and says why the two suffice.
Here `grow` runs alone, for an abstract colour and a position that reveals only where this colour stands. Each run is
then compared with the constraints for each player.

Glossary: c a colour; p, q, r points; G the points of a group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulecheck.cases import Observer, cases
from rulecheck.games.hextris.engine import Engine
from rulecheck.games.hextris.families.acts import Tick, difference
from rulecheck.games.hextris.real import bare_case, real
from rulecheck.model import Result, Status, Witness
from solvers.smt import TRUE, Answer, Bool, every, no, some
from specs.hextris.spec import Spec
from specs.hextris.spec_board import between, in_line

BATCH = 200  # cases put into one question

Seen = frozenset[tuple[int, str, bool]]  # where the colour was seen or missed, before or after the turn
Grown = tuple[bool, frozenset[int]]  # of the colour asked for, and its points

GROUP_CLAUSES = ("HX-29", "HX-31")
WHEN = {"before": "before", "after": "after", "given": "after"}  # what is given away is missed after the turn
COLOUR, ANOTHER, SAME = object(), object(), object()  # what grow may compare, and nothing else


class Changes:
    """The points that change hands: the first goes to the colour, at most one other to nobody or to another colour."""

    def __init__(self, observer: Observer, first: int) -> None:
        self.observer, self.known = observer, {first: COLOUR}
        self.kept: set[int] = set()  # known not to change hands

    def __contains__(self, point: int) -> bool:
        if point not in self.known and len(self.known) < 2:
            value = self.observer.ask(("given", point), (SAME, None, ANOTHER))
            if value is not SAME:
                self.known[point] = value
        if point not in self.known:
            self.kept.add(point)
        return point in self.known

    def __getitem__(self, point: int) -> object:
        return self.known[point]


class Sight:
    """The position before the turn, which reveals only whether the colour stands on a point.

    On a point known not to change hands, this holds after the turn as well.
    """

    def __init__(self, observer: Observer, changes: Changes) -> None:
        self.observer, self.changes = observer, changes

    def owns(self, colour: object, point: int) -> bool:
        if colour is not COLOUR:
            raise TypeError("a group is looked for by its own colour")
        when = "after" if point in self.changes.kept else "before"
        return bool(self.observer.ask((when, point), (False, True)))


def sightings(engine: Engine, first: int) -> dict[tuple[Seen, Grown], int]:
    """All that `grow` can see around a point, with the group it grows, and the number of runs that do.

    A point that the turn takes from the colour counts as one where the colour is missing.
    """
    ways: dict[tuple[Seen, Grown], int] = {}

    def grown(observer: Observer) -> Grown:
        changes = Changes(observer, first)
        colour, points = engine.grow(Sight(observer, changes), changes, first)  # type: ignore[arg-type]  # they answer alike
        return colour is COLOUR, points

    for case in cases(grown):
        asked: Any = case.seen
        seen = frozenset((q, WHEN[kind], said is True) for (kind, q), said in asked if said is not SAME)
        ways[seen, case.outcome] = ways.get((seen, case.outcome), 0) + 1
    return ways


class GroupProof:
    """Compares the sightings around a point with the constraints for one colour."""

    def __init__(self, spec: Spec, colour: str, *, passing: bool) -> None:
        self.spec, self.colour, self.passing = spec, colour, passing
        there: Any = spec.rest if passing else spec.y
        self.facts: dict[tuple[int, str, bool], Bool] = {}
        for p in spec.points:
            for when, mine in (("before", spec.x.at[colour, p]), ("after", there[colour, p])):
                self.facts |= {(p, when, True): mine, (p, when, False): no(mine)}
        self.leaves = [] if passing else leaving(spec, colour)
        self.stays = [no(leaves) for leaves in self.leaves]

    def premise(self, first: int) -> Bool:
        """The sliding piece passes over this point, or the turn has given it to the colour."""
        return self.spec.at_src[self.colour] if self.passing else self.spec.new[self.colour, first]

    def only_one(self, first: int) -> Answer:
        """Could the turn have given the colour a second point?"""
        asker = self.spec.asker
        with asker.supposing(self.premise(first), some(self.others(first))):
            return asker.ask()

    def others(self, first: int) -> list[Bool]:
        return [] if self.passing else [self.spec.new[self.colour, q] for q in self.spec.points if q != first]

    def case(self, first: int, seen: Seen, grown: Grown) -> Bool:
        """What must be impossible: this is seen, and the constraints contradict the group grown."""
        return every([*(self.facts[fact] for fact in sorted(seen)), some(self.wrongs(first, *grown))])

    def wrongs(self, first: int, own: bool, points: frozenset[int]) -> list[Bool]:
        """Too large or not, and which points leave: none, unless the group is a five."""
        size = self.spec.params.group
        if not own or not 1 <= len(points) <= size + 1:
            return [TRUE]
        if self.passing:
            joins = self.spec.joins[self.colour, first]
            return [no(joins) if len(points) > size else joins]
        too_large = self.spec.too_large[self.colour]
        if len(points) != size:
            return [no(too_large) if len(points) > size else too_large, self.spec.makes[self.colour]]
        return [too_large, *(self.stays[p] if p in points else leaves for p, leaves in enumerate(self.leaves))]


def leaving(spec: Spec, colour: str) -> list[Bool]:
    """For each point: it belongs to a five of this colour that the turn makes."""
    fives = [(inside, five) for (c, inside), five in spec.five.items() if c == colour]
    return [spec.name(some(five for inside, five in fives if p in inside)) for p in spec.points]


def prove_groups(engine: Engine, spec: Spec, points: Sequence[int], tick: Tick) -> Result:
    """HX-27, 28, 29, 31: around these points, for every colour, on every arrangement and for every turn."""
    params = engine.params
    which = "each" if len(points) == len(params.points) else f"{len(points)}, one of each class,"
    scope = f"the group around {which} of {len(params.points)} points, of each of {params.players} colours"
    scope += ", on every arrangement, whatever turn has made it"
    proofs = [GroupProof(spec, c, passing=False) for c in params.colours]
    if spec.joins:
        scope += ", also while a piece slides past"
        proofs += [GroupProof(spec, c, passing=True) for c in params.colours]
    done = 0
    for number, first in enumerate(points):
        sighted = sightings(engine, first)
        for proof in (p for p in proofs if not p.passing or (p.colour, first) in spec.joins):
            done += sum(sighted.values())
            answer, witness = _held(engine, proof, first, sighted)
            if witness:
                return Result(Status.REFUTED, scope, witness, done)
            if answer is not Answer.NO:
                note = "z3 ran out of its budget, or no position shows the difference"
                return Result(Status.UNKNOWN, scope, cases=done, note=note)
        tick((number + 1) / len(points))
    return Result(Status.PROVED, scope, cases=done)


def _held(
    engine: Engine, proof: GroupProof, first: int, sighted: Mapping[tuple[Seen, Grown], int]
) -> tuple[Answer, Witness | None]:
    """Can the constraints contradict any sighting around this point?"""
    if (answer := proof.only_one(first)) is not Answer.NO:
        return answer, None
    asker, todo = proof.spec.asker, [proof.case(first, *case) for case in sighted]
    with asker.supposing(proof.premise(first), *map(no, proof.others(first))):
        for at in range(0, len(todo), BATCH):
            with asker.supposing(some(todo[at : at + BATCH])):
                answer = asker.ask()
                if answer is not Answer.NO:
                    return answer, _shown(engine, proof, first) if answer is Answer.YES else None
    return Answer.NO, None


def _shown(engine: Engine, proof: GroupProof, first: int) -> Witness | None:
    """A real position and an otherwise legal turn on which the two differ."""
    spec = proof.spec
    kinds = [k for k in spec.holds if k == "slide" or not proof.passing]
    allowed = [[spec.turn.kind[k], *(f for c, f in spec.holds[k].items() if c not in GROUP_CLAUSES)] for k in kinds]
    spec.asker.add(*real(spec), some(map(every, allowed)))
    if proof.passing:
        radius, pairs = spec.params.radius, [(p, q) for p in spec.points for q in spec.points]
        ways = [(p, q) for p, q in pairs if in_line(radius, p, q) and first in between(radius, p, q)]
        spec.asker.add(some(every([spec.turn.src[p], spec.turn.dst[q]]) for p, q in ways))
    if bare_case(spec) is not Answer.YES:
        return None
    return difference(engine, spec, spec.read_move())
