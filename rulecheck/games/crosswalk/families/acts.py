"""Crosswalk: single steps, relocations, the win and the set-up, compared on every arrangement.

Glossary: x the scene before an act, y the scene after it; p, q places; d a depth; k a kind of pyramid.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any, cast

import z3

from rulecheck.cases import Case, Observer, Question, cases
from rulecheck.contract import brought
from rulecheck.games.crosswalk import PLAYERS, Params, Position, Step
from rulecheck.games.crosswalk.engine import Engine, Walk
from rulecheck.games.crosswalk.families.unknowns import NOTHING, LazySet, LazyStack, points, unknown
from rulecheck.model import Result, Status, Verdict, Witness
from rulecheck.pyramids import Pyramid, Stack
from solvers.smt import FALSE, TRUE, Answer, Bool, every, some, unlike
from specs.crosswalk.spec import Spec

Tick = Callable[[float], None]


# -- Arrangements -------------------------------------------------------------------------------------------


def arrangements(params: Params) -> Iterator[tuple[Stack, ...]]:
    """Every way to stack the material on the places, finishes holding only their owner's pyramids."""

    def fill(place: int, left: Counter[Pyramid]) -> Iterator[tuple[Stack, ...]]:
        if place == params.squares + 2:
            if not left.total():
                yield ()
            return
        for stack in _stacks(params, place, left):
            rest = left - Counter(stack)
            for others in fill(place + 1, rest):
                yield (stack, *others)

    yield from fill(0, params.material)


def _stacks(params: Params, place: int, left: Counter[Pyramid]) -> Iterator[Stack]:
    owner = next((c for c in PLAYERS if params.finish(c) == place), None)
    usable = [k for k in sorted(left.elements()) if owner in (None, k.colour)]
    for height in range(len(usable) + 1):
        yield from sorted(set(permutations(usable, height)))


def count_arrangements(params: Params) -> int:
    """The number of arrangements, without listing them."""
    pieces, own = params.material.total(), len(params.sizes)
    walkers = [n for k, n in params.material.items() if k.colour not in PLAYERS]
    total = 0
    for i in range(own + 1):
        for j in range(own + 1):
            rest = pieces - i - j
            orders = math.factorial(rest) // math.prod(map(math.factorial, walkers))
            total += math.perm(own, i) * math.perm(own, j) * orders * math.comb(rest + params.squares - 1, rest)
    return total


def described(params: Params) -> str:
    walkers = sum(len(s) for s in params.pedestrians)
    sizes = ",".join(map(str, params.sizes))
    return f"the game on {params.squares} squares with sizes {sizes} and {walkers} pedestrian{'s' * (walkers != 1)}"


# -- Single acts on every arrangement -----------------------------------------------------------------------


class ActProof:
    """Runs the engine on lazily decided positions and asks the spec about each case."""

    def __init__(self, engine: Engine, spec: Spec) -> None:
        self.engine, self.spec = engine, spec
        self.x, self.y = spec.scenes[0], spec.scenes[1]
        self.names: dict[Any, Bool] = {}
        self.cases = 0

    def named(self, key: Any, formula: Callable[[], Bool]) -> Bool:
        if key not in self.names:
            self.names[key] = self.spec.asker.name(formula())
        return self.names[key]

    def lazy_stacks(self, observer: Observer) -> Any:
        kinds = [tuple(k for k in self.x.kinds if (p, 0, k) in self.x.at) for p in self.spec.params.places]
        return tuple(LazyStack(observer, p, kinds[p]) for p in self.spec.params.places)

    def literal(self, question: Question, answer: Any) -> Bool:
        """An observation in the spec's own variables: does a field hold one of these values?"""
        name, values = cast(tuple[str, tuple[Any, ...]], question)  # as `fields.Cell` asks
        kind, *about = unknown.about[name]
        literal = self.named(question, lambda: some(self._holds(kind, about, value) for value in values))
        return literal if answer else z3.Not(literal)

    def _holds(self, kind: str, about: Sequence[Any], value: Any) -> Bool:
        """The field of this kind, about these things, has this value."""
        if kind == "at":
            p, d = about
            kinds = {str(k): k for k in self.x.kinds}
            return z3.Not(self.x.taken(p, d)) if value == NOTHING else self.x.has(p, d, kinds[value])
        if kind == "points":
            return self.spec.left[0][value]
        term = self._stack_is(*about) if kind == "is" else self.spec.crossed_before[about[0]]
        return term if value else z3.Not(term)

    def _stack_is(self, p: int, dropped: int, stack: tuple[str, ...]) -> Bool:
        kinds = {str(k): k for k in self.x.kinds}
        lies = [self.x.has(p, dropped + d, kinds[text]) for d, text in enumerate(reversed(stack))]
        return z3.And(every(lies), z3.Not(self.x.taken(p, dropped + len(stack))))

    def wrong_stack(self, p: int, stack: LazyStack) -> Bool:
        """The spec's place p after the act is not what the engine's stack says."""
        key = ("after", p, stack.place, stack.dropped, stack.pushed)
        return self.named(key, lambda: self._differs(p, stack))

    def _differs(self, p: int, stack: LazyStack) -> Bool:
        new = len(stack.pushed)
        differences = []
        for d in range(self.x.depth):
            for k in self.x.kinds:
                if d < new:
                    engine_says = TRUE if stack.pushed[-1 - d] == k else FALSE
                else:
                    engine_says = self.x.has(stack.place, d - new + stack.dropped, k)
                differences.append(unlike(self.y.has(p, d, k), engine_says))
        return some(differences)

    def wrong_cost(self, cost: int) -> Bool:
        before, after = self.spec.left[0], self.spec.left[1]
        return self.named(
            ("cost", cost),
            lambda: some(z3.And(b, z3.Not(after[v - cost]) if v >= cost else True) for v, b in enumerate(before)),
        )

    def wrong_crossed(self, crossed: Any) -> Bool:
        """Only used under finish_bounce=forbidden, where the engine keeps this memory."""
        added = crossed.added if isinstance(crossed, LazySet) else frozenset()
        spec = self.spec
        return self.named(
            ("crossed", added),
            lambda: some(
                z3.Xor(spec.has_crossed(1, k), z3.Or(before, z3.BoolVal(k in added)))
                for k, before in spec.crossed_before.items()
            ),
        )

    def check(self, case: Case, wrongs: list[Bool], also: list[Bool]) -> Answer:
        """Can any of the wrongs be true in this case?"""
        self.cases += 1
        facts = [self.literal(q, a) for q, a in case.seen]
        # A name for "something is wrong": to assume it takes z3 a tenth of the time that a push and a pop take.
        wrong = self.named(("wrong", *(w.get_id() for w in wrongs)), lambda: some(wrongs))
        # If nothing is wrong with any number of pyramids, nothing is wrong with the right number.
        if self.spec.asker.ask(wrong, *facts, *also) is Answer.NO:
            return Answer.NO
        counted = self.named("counted", lambda: every(self.spec.counts))
        answer = self.spec.asker.ask(wrong, counted, *facts, *also)
        if answer is Answer.YES:
            self.spec.least_position(wrong, counted, *facts, *also)  # so that the witness is not the solver's choice
        return answer


def prove_acts(engine: Engine, spec: Spec, relocating: bool, tick: Tick) -> Result:
    """Every single step (or relocation), on every arrangement: legality, the clause named, and the effect."""
    proof = ActProof(engine, spec)
    params = spec.params
    pairs = [(m, p, q) for m in PLAYERS for p in params.places for q in params.places]
    what = "relocation" if relocating else "step"
    scope = (
        f"every {what} between any two places, each player to move, on all {count_arrangements(params):,} "
        f"arrangements of {params.material.total()} pyramids on {params.squares} squares; legality, clause, effect"
    )
    for done, (mover, p, q) in enumerate(pairs):
        step = Step(p, q, relocating)
        for case in cases(lambda o, m=mover, s=step: _run_act(engine, proof, o, m, s)):  # type: ignore[misc]
            wrongs = _wrongs(proof, case.outcome, mover, relocating)
            to_move = spec.to_move[mover]
            answer = proof.check(case, wrongs, [to_move, *spec.acts[0].literals(step)])
            if answer is Answer.YES:
                return Result(Status.REFUTED, scope, _act_witness(engine, spec, step), proof.cases)
            if answer is Answer.UNKNOWN:
                return Result(Status.UNKNOWN, scope, cases=proof.cases, note="z3 ran out of its budget")
        tick((done + 1) / len(pairs))
    return Result(Status.PROVED, scope, cases=proof.cases)


def _run_act(engine: Engine, proof: ActProof, observer: Observer, mover: str, step: Step) -> Any:
    position = Position(mover, proof.lazy_stacks(observer))
    if step.relocates:
        verdict = engine.judge_relocation(position, step)
        return (Walk(engine.shift(position, step)), 0) if verdict.legal else verdict
    walk = Walk(position, LazySet(observer))  # type: ignore[arg-type]  # stands in for a frozenset
    left: Any = points(observer, len(proof.spec.left[0]) - 1)
    verdict = engine.judge_step(walk, step, left)
    return engine.take(walk, step) if verdict.legal else verdict


def _wrongs(proof: ActProof, outcome: Any, mover: str, relocating: bool) -> list[Bool]:
    """What must be impossible if the spec agrees with this outcome of the engine."""
    spec = proof.spec
    holds = spec.reloc_holds if relocating else spec.holds[0]
    if isinstance(outcome, Verdict):
        return [holds[c] for c in outcome.clauses if c in holds] or [z3.BoolVal(True)]
    (position, crossed), cost = outcome
    wrongs = [z3.Not(v) for v in holds.values()]
    wrongs += [proof.wrong_stack(p, stack) for p, stack in enumerate(position.stacks)]
    if position.mover != mover:
        wrongs.append(z3.BoolVal(True))
    if not relocating:
        wrongs.append(proof.wrong_cost(cost))
        if spec.readings["finish_bounce"] == "forbidden":
            wrongs.append(proof.wrong_crossed(crossed))
    return wrongs


def _act_witness(engine: Engine, spec: Spec, step: Step) -> Witness:
    """The current solution, replayed on the engine: a witness counts only if the two really differ."""
    holds = spec.asker.holds
    position = spec.read_position()
    points = next(v for v, left in enumerate(spec.left[0]) if holds(left))
    crossed = frozenset(k for k, v in spec.crossed_before.items() if holds(v))
    clauses = spec.reloc_holds if step.relocates else spec.holds[0]
    broken = [c for c, v in clauses.items() if not holds(v)]
    spec_says = f"illegal: {', '.join(broken)}" if broken else f"legal, {_spec_effect(spec, points, step)}"
    if step.relocates:
        verdict, walk, cost = engine.judge_relocation(position, step), Walk(position), 0
    else:
        verdict, walk, cost = engine.judge_step(Walk(position, crossed), step, points), Walk(position, crossed), 0
    engine_says = str(verdict)
    if verdict.legal:
        walk, cost = (Walk(engine.shift(position, step)), 0) if step.relocates else engine.take(walk, step)
        engine_says = f"legal, {_effect(walk.position, cost, walk.crossed)}"
    if engine_says == spec_says or set(verdict.clauses) & set(broken):
        raise AssertionError(f"the witness does not replay: {position}, {step}, {engine_says}")
    note = f"with {points} points left the engine says {engine_says}; the spec says {spec_says}"
    return Witness(str(position), str(step), note, params=spec.params.as_dict())


def _effect(after: Position, cost: int, crossed: Iterable[Pyramid]) -> str:
    marks = f", crossed: {' '.join(sorted(map(str, crossed)))}" if crossed else ""
    return f"then {after} for {cost} points{marks}"


def _spec_effect(spec: Spec, points: int, step: Step) -> str:
    holds = spec.asker.holds
    left = next(v for v, term in enumerate(spec.left[1]) if holds(term))
    bounces = spec.readings["finish_bounce"] == "forbidden"
    crossed = [k for k in spec.crossed_before if holds(spec.has_crossed(1 if bounces else 0, k))]
    after = Position(spec.read_position().mover, spec.read_scene(1))
    return _effect(after, 0 if step.relocates else points - left, [] if step.relocates else crossed)


def prove_win(engine: Engine, spec: Spec, tick: Tick) -> Result:
    """The nest of each player, and whether it stops a walk, on every arrangement."""
    proof = ActProof(engine, spec)
    scope = f"the win of each player on all {count_arrangements(spec.params):,} arrangements"
    questions: list[tuple[str, str, Callable[[Position], bool], Bool]] = []
    for player in PLAYERS:
        nest = proof.named(("nest", player), lambda c=player: spec.nest(spec.scenes[0], c))  # type: ignore[misc]
        questions.append((player, player, lambda at, c=player: engine.nested(at.stacks, c), nest))  # type: ignore[misc]
        stop = proof.named(("stop", player), lambda: spec.ends_at_once(spec.scenes[0]))
        questions.append((player, "the walk", engine.stops_walk, stop))
    for mover, what, asked, term in questions:
        to_move = spec.to_move[mover]
        for case in cases(lambda o, m=mover, f=asked: f(Position(m, proof.lazy_stacks(o)))):  # type: ignore[misc]
            answer = proof.check(case, [z3.Not(term) if case.outcome else term], [to_move])
            if answer is Answer.UNKNOWN:
                return Result(Status.UNKNOWN, scope, cases=proof.cases)
            if answer is Answer.YES:
                position = spec.read_position()
                note = f"the engine says {asked(position)} for {what}, the spec says {not case.outcome}"
                return Result(Status.REFUTED, scope, Witness(str(position), None, note), proof.cases)
    tick(1.0)
    return Result(Status.PROVED, scope, cases=proof.cases)


def prove_setup(engine: Engine, spec: Spec, tick: Tick) -> Result:
    """The start of the engine is the one arrangement that the set-up clauses describe, and so are the rolls."""
    scope = f"the starting position and the rolls of {described(spec.params)}"
    start = engine.start()
    facts = spec.position_facts(start)
    with spec.asker.supposing(spec.setup()):
        if not spec.certain(*facts):
            return Result(Status.REFUTED, scope, Witness(str(start), None, "the spec's set-up forbids this start"), 1)
        spec.asker.add(z3.Not(z3.And(facts)))
        if spec.certain():
            other = spec.least_position()
            return Result(Status.REFUTED, scope, Witness(str(other), None, "the spec's set-up allows this too"), 2)
    rolls = {position.roll for position in brought(engine, start)}
    wanted = {v for v in range(spec.params.die + 1) if spec.certain(*facts, spec.is_roll, spec.left[0][v])}
    if rolls != wanted or any(position.rolled(None) != start for position in brought(engine, start)):
        note = f"the engine rolls {sorted(map(str, rolls))}, the spec {sorted(wanted)}"
        return Result(Status.REFUTED, scope, Witness(str(start), None, note), 3)
    tick(1.0)
    return Result(Status.PROVED, scope, cases=2 + len(wanted))
