"""Crosswalk: the facts behind a turn's verdict, once both encodings agree on them.

One question covers all walks (or all relocations) of a position: is there one on which the two differ? Each position is
asked about once, however many turns contain it.

Glossary: a *way* is a walk that the engine makes, one to each *end*; p, q places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import z3

from rulecheck.games.crosswalk import PASS, PLAYERS, Position, Step, Turn
from rulecheck.games.crosswalk.engine import Engine
from rulecheck.pyramids import Pyramid, Stack
from solvers.smt import Bool, every, no, some
from specs.crosswalk.spec import Spec

Stacks = tuple[Stack, ...]
End = tuple[Stacks, int, frozenset[Pyramid]]  # of a walk: the stacks, the points left, who has crossed a finish line


class Differs(Exception):
    """The two encodings say different things about a position."""

    def __init__(self, position: Position, text: str) -> None:
        super().__init__(text)
        self.position = position


@dataclass(frozen=True)
class Walked:
    """The walks of one position and roll."""

    judged: dict[Turn, bool]  # each way, and each way with one step more: is it a valid turn?
    results: dict[Turn, Position]  # where the valid ways lead


class Agreed:
    """The facts behind the spec's verdict on a turn, asked of both encodings and cached."""

    def __init__(self, engine: Engine, spec: Spec) -> None:
        self.engine, self.spec = engine, spec
        places, name = spec.params.places, spec.asker.name
        self.pairs = list(product(places, places))
        self._beside = [(p, q) for p, q in self.pairs if abs(p - q) == 1]
        self._does = [
            {(p, q): name(z3.And(act.go, act.src[p], act.dst[q])) for p, q in self.pairs} for act in spec.acts
        ]
        bounces = spec.readings["finish_bounce"] == "allowed"
        crossed = {} if bounces else {k: spec.has_crossed(len(spec.acts), k) for k in spec.crossed_before}
        self._crossed = {k: name(term) for k, term in crossed.items()}
        self._next = {mover: spec.moves_after(mover) for mover in PLAYERS}
        self._ends: dict[Stacks, Bool] = {}
        self._valid_terms: dict[int, Bool] = {}
        self._on: dict[Position, bool] = {}
        self._walked: dict[Position, Walked] = {}
        self._relocated: dict[Position, dict[Step, Position]] = {}

    def handed_over(self, position: Position) -> Position:
        """The position for the other player, before the roll."""
        return Position(self._next[position.mover], position.stacks)

    # -- The facts ---------------------------------------------------------------------------------------------

    def is_on(self, position: Position) -> bool:
        unrolled = position.rolled(None)
        if unrolled not in self._on:
            self._on[unrolled] = self._ask_is_on(unrolled)
        return self._on[unrolled]

    def has_valid_turn(self, position: Position) -> bool:
        return bool(self.walked(position).results)

    def may_pass(self, position: Position) -> bool:
        return self.spec.may_pass(position)

    def relocated(self, position: Position, step: Step) -> tuple[set[str], Position]:
        """Whether the step is legal; the broken clause is not determined here."""
        after = self.relocations(position).get(step)
        return (set(), after.rolled(position.roll)) if after else ({"CW-20"}, position)

    def broken_by_walk(self, position: Position, steps: Sequence[Step]) -> set[str]:
        """Whether a way, or a way with one step more, is valid; the broken clause is not determined here."""
        if any(step.relocates for step in steps):
            return self.spec.broken_by_walk(position, steps)
        return set() if self.walked(position).judged[Turn(tuple(steps))] else {"CW-12"}

    def walked(self, position: Position) -> Walked:
        if position not in self._walked:
            self._walked[position] = self._ask_walks(position)
        return self._walked[position]

    def relocations(self, position: Position) -> dict[Step, Position]:
        """All relocations allowed under the exception, and their results."""
        unrolled = position.rolled(None)
        if unrolled not in self._relocated:
            self._relocated[unrolled] = self._ask_relocations(unrolled)
        return self._relocated[unrolled]

    # -- Asking --------------------------------------------------------------------------------------------------

    def _ask_is_on(self, position: Position) -> bool:
        spec, winner = self.spec, self.engine.winner(position)
        if spec.is_on(position):
            winners: list[str | None] = [None]
        else:
            winners = [c for c in PLAYERS if spec.certain(*spec.position_facts(position), spec.nests[c])]
        if winner not in winners:
            raise Differs(position, f"the engine's winner is {winner}, the spec's {' or '.join(map(str, winners))}")
        return winners == [None]

    def _ask_relocations(self, position: Position) -> dict[Step, Position]:
        engine, spec = self.engine, self.spec
        steps = [Step(p, q, relocates=True) for p, q in self.pairs]
        results = {s: engine.shift(position, s) for s in steps if engine.judge_relocation(position, s).legal}
        does = {step: self._does[0][step.source, step.target] for step in results}
        wrong = [z3.Xor(every(spec.reloc_holds.values()), some(does.values()))]
        wrong += [z3.And(does[step], no(every(spec.stack_facts(after.stacks, 1)))) for step, after in results.items()]
        given = [*spec.position_facts(position), *self._exactly(1)]
        with spec.asker.supposing(some(wrong)):
            if spec.certain(*given):
                p, q = next(pair for pair in self.pairs if spec.certain(*given, self._does[0][pair]))
                raise Differs(position, f"the two differ on relocating by {p}>{q}")
        return results

    def _ask_walks(self, position: Position) -> Walked:
        ways = self._ways(position)
        turns = [*ways.values()]
        for way in (PASS, *ways.values()):
            turns += [Turn((*way.steps, Step(p, q))) for p, q in (self._beside if way.steps else self.pairs)]
        judged = {turn: self.engine.judge(position, turn).legal for turn in dict.fromkeys(turns)}
        valid = self._valid(position)
        with self.spec.asker.supposing(some(self._wrongs(valid, ways, judged))):
            if self.spec.certain(*self.spec.given(position), *self.spec.fresh_turn):
                raise Differs(position, self._least_walk(position, valid))
        if position.roll == 2:  # two steps, if they are short
            self._check_judge(position, judged)
        good = {way: Position(position.mover, stacks) for (stacks, _, _), way in ways.items() if judged[way]}
        return Walked(judged, {way: self.handed_over(ended) for way, ended in good.items()})

    def _check_judge(self, position: Position, judged: dict[Turn, bool]) -> None:
        """The spec's verdict on a single walk matches its constraints on all: tested on the first and the last walk of
        either verdict."""
        for verdict in (True, False):
            turns = [turn for turn, legal in judged.items() if legal is verdict]
            for turn in turns[:1] + turns[-1:]:
                if bool(self.spec.broken_by_walk(position, turn.steps)) is verdict:
                    raise Differs(position, f"the spec's verdict on {turn} is not what its constraints say")

    def _ways(self, position: Position) -> dict[End, Turn]:
        ways: dict[End, Turn] = {}
        for walks in self.engine.walks(position):
            for left, layer in enumerate(reversed(walks)):
                ways |= {(walk.position.stacks, left, walk.crossed): way for walk, way in layer.items() if way.steps}
        return ways

    def _wrongs(self, valid: Bool, ways: dict[End, Turn], judged: dict[Turn, bool]) -> Iterator[Bool]:
        """Disagreements: a walk ends where no way ends, or is valid where the way to its end is not; a way leads
        elsewhere, or is judged differently, alone or with one step more."""
        spec = self.spec
        ends = {end: self._ended(end) for end in ways}
        good = some(ends[end] for end, way in ways.items() if judged[way])
        yield every([spec.moved, spec.all_legal, some([no(some(ends.values())), z3.Xor(valid, good)])])
        for end, way in ways.items():
            yield every([*self._acts(way), some([no(ends[end]), no(valid) if judged[way] else valid])])
        for way in (PASS, *ways.values()):
            if len(way.steps) < len(spec.acts):
                does = {Turn((*way.steps, Step(*pair))): term for pair, term in self._does[len(way.steps)].items()}
                asked = some(term for turn, term in does.items() if turn in judged)
                legal = some(term for turn, term in does.items() if judged.get(turn))
                yield every([*self._acts(way, 1), asked, z3.Xor(valid, legal)])

    # -- Terms -----------------------------------------------------------------------------------------------------

    def _valid(self, position: Position) -> Bool:
        """The walk is a valid turn."""
        conditions = self.spec.good_walk(position)
        used = conditions[-1].get_id()  # the only one that depends on the position
        if used not in self._valid_terms:
            self._valid_terms[used] = self.spec.asker.name(every(conditions))
        return self._valid_terms[used]

    def _ended(self, end: End) -> Bool:
        stacks, left, crossed = end
        if stacks not in self._ends:
            self._ends[stacks] = self.spec.asker.name(every(self.spec.stack_facts(stacks, len(self.spec.acts))))
        marks = [term if k in crossed else no(term) for k, term in self._crossed.items()]
        return every([self._ends[stacks], self.spec.left[-1][left], *marks])

    def _acts(self, way: Turn, more: int = 0) -> list[Bool]:
        """The walk goes this way, then makes `more` steps, then stops."""
        n = len(way.steps)
        acts = [self._does[t][step.source, step.target] for t, step in enumerate(way.steps)]
        acts += [act.go for act in self.spec.acts[n : n + more]]
        return acts + [act.rest for act in self.spec.acts[n + more : n + more + 1]]

    def _exactly(self, length: int) -> list[Bool]:
        acts = self.spec.acts
        return [act.go for act in acts[:length]] + [act.rest for act in acts[length:]]

    def _least_walk(self, position: Position, valid: Bool) -> str:
        """The shortest walk on which the two differ, the first by its places, whatever the solver would choose."""
        spec = self.spec
        given = [*spec.given(position), *spec.fresh_turn]
        length = next(n for n in range(1, len(spec.acts) + 1) if spec.certain(*given, *self._exactly(n)))
        given += self._exactly(length)
        steps = []
        for does in self._does[:length]:
            pair = next(pair for pair in self.pairs if spec.certain(*given, does[pair]))
            given.append(does[pair])
            steps.append(Step(*pair))
        turn, spec_says = Turn(tuple(steps)), "legal" if spec.certain(*given, valid) else "illegal"
        engine_says = "legal" if self.engine.judge(position, turn).legal else "illegal"
        if engine_says == spec_says:
            return f"the two differ on where {turn} leads, or on another way to the same end"
        return f"the spec calls {turn} {spec_says}, the engine {engine_says}"
