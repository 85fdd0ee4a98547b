"""Hextris: whole turns compared on every arrangement, given what `groups` proves about single groups.

The engine learns about groups through `grow` and in no other way: it runs here with a `grow` that leaves open how
large the group is, from one piece to one too many, and whose points are tokens that can be counted and cleared
from the board but not looked into. Everything else is observed as in `acts`. So each run stands for all positions
that agree with its observations and on which the real `grow` finds groups of these sizes. It is compared with the
constraints under the facts that `groups` proves for such sizes: a group too large is one of HX-31, a five is a five
whose points are those the constraints say it has, a smaller one is neither. `groups` proves them of what stands on
the board when the turn has given its points away; that the engine passes `grow` just that is part of each question
here (`unlike`). Every turn by every player on every position is one of these runs, so both halves together show
that the encodings agree on it.

Each turn is also tried as the only one there is: it must keep its player from passing if and only if the constraints
let it. With `listing`, which proves that the engine tries every turn that could be allowed, this says who may pass.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import z3

from rulecheck.cases import Observer, Question
from rulecheck.games.hextris import SIZES, Move, Params, Pass, Placement, Position
from rulecheck.games.hextris.engine import Engine, Group
from rulecheck.games.hextris.families.acts import LazyPosition, Tick, TurnProof, Unmoved, difference
from rulecheck.games.hextris.families.openness import alike, open_spec
from rulecheck.games.hextris.real import bare_case, first_case, real
from rulecheck.model import Result, Status, Verdict, Witness
from solvers.smt import FALSE, TRUE, Answer, Bool, every, no, some
from specs.hextris.spec import Spec

Call = tuple[str, int, tuple[tuple[int, str | None], ...]]  # the colour, the first point, what has changed hands


class Tokens(frozenset[int]):
    """The points of a group under proof: numbers beyond the board, one block of them for each first point."""

    def __contains__(self, point: object) -> bool:
        raise TypeError("a group under proof is counted and cleared, not looked into")


def block(params: Params, first: int) -> range:
    """The tokens of the group around this point, enough for one piece too many."""
    start = len(params.points) + first * (params.group + 1)
    return range(start, start + params.group + 1)


class OpenPosition(LazyPosition):
    """A position with tokens behind its points; it keeps the groups that were asked for."""

    def __init__(self, observer: Observer, params: Params, mover: str) -> None:
        super().__init__(observer, params, mover)
        tokens = [Unmoved(n) for p in params.points for n in block(params, p)]
        self.points = (*self.points, *tokens)
        self.calls: dict[Call, int] = {}


def answered(engine: Engine, position: Any, changed: dict[int, str | None], first: int) -> Group:
    """In place of `grow`: a group of any size."""
    colour = changed[first]
    assert colour is not None
    call = colour, first, tuple(sorted(changed.items()))
    size = position.observer.ask(("group", *call), range(1, engine.params.group + 2))
    position.calls[call] = size
    return Group(colour, Tokens(block(engine.params, first)[:size]))


def changed_engine(engine: Engine, **methods: Any) -> Engine:
    """The same engine, with other methods in place of some."""
    other: Any = type("Changed", (type(engine),), methods)
    changed: Engine = other(engine.params, engine.readings)
    return changed


def alone(engine: Engine, **methods: Any) -> Any:
    """An engine that tries nothing but the turn `tried`."""
    return changed_engine(
        engine,
        placements=lambda e, position: iter([e.tried] if isinstance(e.tried, Placement) else []),
        displacements=lambda e, position: iter([] if isinstance(e.tried, Placement) else [e.tried]),
        **methods,
    )


@dataclass(frozen=True)
class Response:
    """The engine's answer about a turn: a verdict, or the next position with its winner; and about the pass."""

    outcome: Any
    may_pass: bool | None  # None once the game is over
    calls: tuple[tuple[Call, int], ...]


class Halves:
    """The engine, the constraints with open groups and, when a witness is wanted, those with their own."""

    def __init__(self, engine: Engine, make_spec: Callable[..., Spec]) -> None:
        self.engine, self.make_spec = engine, make_spec
        self.open, self.alone = changed_engine(engine, grow=answered), alone(engine, grow=answered)
        self.spec = open_spec(make_spec, engine.params, engine.readings)
        self.names: dict[Any, Bool] = {}  # formulas that the proofs of many turns share

    @functools.cached_property
    def full(self) -> Spec:
        return self.make_spec(self.engine.params, self.engine.readings)

    def joint(self) -> list[Bool]:
        return [*self.spec.asker.facts, *alike(self.spec, self.full)]


class ComposedProof(TurnProof):
    """One turn, with groups of any size."""

    def __init__(self, halves: Halves, mover: str, move: Move) -> None:
        super().__init__(halves.engine, halves.spec, mover, move)
        self.halves, self.names = halves, halves.names
        self.given = [self.spec.to_move[mover], *self.spec.move_facts(move)]
        self.open = halves.open
        self.gone: tuple[str, ...] = ()

    # -- What the engine makes of it ------------------------------------------------------------------------

    def outcome(self, observer: Observer) -> Response:
        position: Any = OpenPosition(observer, self.engine.params, self.mover)
        outcome: Any = self.open.judge(position, self.move)
        over = outcome.clauses == ("HX-32",)
        self.halves.alone.tried = self.move
        may_pass = None if over else self.halves.alone.may_pass(position)
        if outcome.legal:
            result = self.open.play(position, self.move)
            outcome = result, self.open.winner(result)
        return Response(outcome, may_pass, tuple((call, self.kind_of_size(n)) for call, n in position.calls.items()))

    def kind_of_size(self, size: int) -> int:
        """1 too large, 0 a five, -1 smaller."""
        return (size > self.spec.params.group) - (size < self.spec.params.group)

    def key(self, outcome: Response) -> Any:
        return super().key(outcome.outcome), outcome.may_pass, outcome.calls

    def literal(self, question: Question, answer: Any) -> Bool:
        if question[0] != "group":
            return super().literal(question, answer)
        _, colour, first, _ = question
        kind = self.kind_of_size(answer)
        passed = first if self.passes(first) else None
        return self.named(("size", colour, passed, kind), lambda: self._said(colour, first, kind))

    def _said(self, colour: Any, first: Any, kind: int) -> Bool:
        """What the constraints say of a group of this kind, by `groups`."""
        spec = self.spec
        if self.passes(first):
            joins = spec.joins[colour, first]
            return joins if kind > 0 else no(joins)
        too_large, makes = spec.too_large[colour], spec.makes[colour]
        return every([too_large if kind > 0 else no(too_large), no(makes) if kind else makes])

    def passes(self, first: Any) -> bool:
        """Is this a point that the turn only passes over?"""
        if isinstance(self.move, Pass):
            return True
        ends = (self.move.target,) if isinstance(self.move, Placement) else (self.move.source, self.move.target)
        return first not in ends

    # -- What must be impossible ----------------------------------------------------------------------------

    def wrongs(self, outcome: Response) -> list[Bool]:
        wrong = [self.unlike(*call) for call, _ in outcome.calls]
        if outcome.may_pass is not None:
            wrong.append(self.spec.must if outcome.may_pass else self.opposite(self.spec.must))
        if isinstance(outcome.outcome, Verdict):
            return wrong + super().wrongs(outcome.outcome)
        result, winner = outcome.outcome
        gone = self.cleared(result, outcome.calls)
        if gone is None:
            return [TRUE]
        self.gone = gone
        return wrong + super().wrongs((replace(result, points=result.points[: len(self.spec.points)]), winner))

    def unlike(self, colour: str, first: int, changed: tuple[tuple[int, str | None], ...]) -> Bool:
        """The arguments of `grow` are not those that `groups` covers."""
        key = "unlike", colour, first, changed, self.passes(first)
        return self.named(key, lambda: some(self._unlike(colour, first, dict(changed))))

    def _unlike(self, colour: str, first: int, changed: dict[int, str | None]) -> Iterator[Bool]:
        spec, passes = self.spec, self.passes(first)
        there = spec.rest if passes else spec.y
        yield no(spec.at_src[colour] if passes else spec.new[colour, first])
        others = [owner for q, owner in changed.items() if q != first]
        if len(others) > 1 or colour in others:  # more than `groups.Changes` can be
            yield TRUE
        for q in spec.points:
            if q != first:
                yield z3.Xor(there[colour, q], FALSE if q in changed else spec.x.at[colour, q])

    def cleared(self, result: Position, calls: Sequence[tuple[Call, int]]) -> tuple[str, ...] | None:
        """The colours whose five has left the board; None if anything else of a group has."""
        params = self.spec.params
        fives = {first: colour for (colour, first, _), kind in calls if kind == 0 and not self.passes(first)}
        colours = []
        for p in params.points:
            gone = [n for n in block(params, p) if result.points[n] is None]
            if gone and (p not in fives or gone != list(block(params, p)[: params.group])):
                return None
            if gone:
                colours.append(fives[p])
        return tuple(sorted(colours))

    def wrong_point(self, p: int, content: Any) -> Bool:
        return self.named((p, content, self.gone), lambda: self._wrong_point(p, content))

    def _wrong_point(self, p: int, content: Any) -> Bool:
        """The spec's point p after the turn is not what the engine's is, less the fives that leave."""
        spec = self.spec
        stays = no(some(spec.five[c, (p,)] for c in self.gone))
        wrong = []
        for w in (*spec.colours, *SIZES):
            if isinstance(content, Unmoved):
                there = spec.x.at[w, content.point]
            else:
                there = TRUE if content is not None and w in content else FALSE
            wrong.append(z3.Xor(spec.z.at[w, p], every([there, stays])))
        return some(wrong)

    # -- If it is possible ----------------------------------------------------------------------------------

    def possible(self, term: Bool) -> Answer:
        """If it is with open groups: is it with those that the constraints describe, and on a real position?"""
        asker, full = self.spec.asker, self.halves.full
        with asker.supposing(*self.given, term):
            if (answer := asker.ask()) is not Answer.YES:
                return answer
        with full.asker.supposing(*self.halves.joint(), *self.given, term):
            answer = full.asker.ask()
            for case in (bare_case, first_case):  # what `unlike` objects to need not show with few pieces
                if answer is Answer.YES and not self.refuted:
                    answer = case(full, *real(full))
                    if answer is Answer.YES:
                        self.refuted = difference(self.engine, full, self.move) or self._alone(full)
        return answer

    def _alone(self, spec: Spec) -> Witness | None:
        """Replay the turn as the only one that the player can try."""
        position = spec.read_position()
        trier = alone(self.engine)
        trier.tried = self.move
        may_pass = trier.may_pass(position)
        keeps = spec.asker.holds(spec.must)
        if self.engine.winner(position) or may_pass != keeps:
            return None
        says = "it is allowed and counts" if keeps else "it does not keep from passing"
        note = f"without any other turn a pass is {'legal' if may_pass else 'illegal'}; the spec says {says}"
        return Witness(str(position), str(self.move), note, params=spec.params.as_dict(), readings=dict(spec.readings))


def prove_composed(halves: Halves, turns: Sequence[tuple[str, Move]], scope: str, tick: Tick) -> Result:
    """Each of these turns, by this player, on every arrangement: legality, clause, effect, and the pass."""
    compared = 0
    for done, turn in enumerate(turns):
        proof = ComposedProof(halves, *turn)
        answer = proof.run()
        compared += proof.cases
        if proof.refuted:
            return Result(Status.REFUTED, scope, proof.refuted, compared)
        if answer is not Answer.NO:
            note = "z3 ran out of its budget, or no position shows the difference"
            return Result(Status.UNKNOWN, scope, cases=compared, note=note)
        tick((done + 1) / len(turns))
    return Result(Status.PROVED, scope, cases=compared)
