"""Crosswalk: engine and spec compared, single acts for every arrangement, whole turns where they can be.

Glossary: x the scene before an act, y the scene after it; p, q places; d a depth; k a kind of pyramid.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from typing import Any

import z3

from rulecheck.engines.crosswalk import Engine, Walk
from rulecheck.games.crosswalk import OTHER, PLAYERS, Params, Position, Step, Turn, read_params
from rulecheck.model import Result, Status, Verdict, Witness
from rulecheck.prove import Case, LazyNumber, LazySet, LazyStack, Observer, Question, cases
from rulecheck.pyramids import Pyramid, Stack
from solvers.smt import Answer, Bool, all_of, any_of
from specs.crosswalk import Spec

SMALL_GAMES = (
    {"squares": "3", "sizes": "1", "pedestrians": "1"},
    {"squares": "3", "sizes": "12", "pedestrians": "none"},
)
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
    """How many there are, without listing them."""
    pieces, own = params.material.total(), len(params.sizes)
    walkers = [n for k, n in params.material.items() if k.colour not in PLAYERS]
    total = 0
    for i in range(own + 1):
        for j in range(own + 1):
            rest = pieces - i - j
            orders = math.factorial(rest) // math.prod(map(math.factorial, walkers))
            total += math.perm(own, i) * math.perm(own, j) * orders * math.comb(rest + params.squares - 1, rest)
    return total


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
        """An observation in the spec's own variables."""
        kind, *about = question
        if kind == "at":
            p, d = about
            if answer is not None:
                return self.x.has(p, d, answer)  # type: ignore[arg-type]  # questions carry plain numbers
            return self.named(question, lambda: z3.Not(self.x.taken(p, d)))  # type: ignore[arg-type]
        formulas: dict[Any, Callable[..., Bool]] = {
            "is": self._stack_is,
            "less": lambda _, bound: any_of(self.spec.left[0][:bound]),
            "in": lambda _, k: self.spec.crossed_before[k],
        }
        literal = self.named(question, lambda: formulas[kind](*about))
        return literal if answer else z3.Not(literal)

    def _stack_is(self, p: int, dropped: int, stack: Stack) -> Bool:
        lies = [self.x.has(p, dropped + d, k) for d, k in enumerate(reversed(stack))]
        return z3.And(all_of(lies), z3.Not(self.x.taken(p, dropped + len(stack))))

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
                    engine_says = z3.BoolVal(stack.pushed[-1 - d] == k)
                else:
                    engine_says = self.x.has(stack.place, d - new + stack.dropped, k)
                differences.append(z3.Xor(self.y.has(p, d, k), engine_says))
        return any_of(differences)

    def wrong_cost(self, cost: int) -> Bool:
        before, after = self.spec.left[0], self.spec.left[1]
        return self.named(
            ("cost", cost),
            lambda: any_of(z3.And(b, z3.Not(after[v - cost]) if v >= cost else True) for v, b in enumerate(before)),
        )

    def wrong_crossed(self, crossed: Any) -> Bool:
        """Only asked under finish_bounce=forbidden, where the engine keeps this memory."""
        added = crossed.added if isinstance(crossed, LazySet) else frozenset()
        spec = self.spec
        return self.named(
            ("crossed", added),
            lambda: any_of(
                z3.Xor(spec.has_crossed(1, k), z3.Or(before, z3.BoolVal(k in added)))
                for k, before in spec.crossed_before.items()
            ),
        )

    def check(self, case: Case, wrongs: list[Bool], also: list[Bool]) -> Answer:
        """Can any of the wrongs be true in this case?"""
        self.cases += 1
        facts = [self.literal(q, a) for q, a in case.seen]
        if any(z3.is_false(f) for f in facts):
            return Answer.NO
        with self.spec.asker.supposing(any_of(wrongs)):
            return self.spec.asker.ask(*facts, *also)


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
    walk = Walk(position, LazySet(observer, "crossed"))  # type: ignore[arg-type]  # stands in for a frozenset
    verdict = engine.judge_step(walk, step, LazyNumber(observer, "points"))  # type: ignore[arg-type]
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
    """The solution just found, replayed on the engine."""
    asker = spec.asker
    position = spec.read_position()
    points = [bool(asker.true_in_model([v])) for v in spec.left[0]].index(True)
    crossed = frozenset(k for k, v in spec.crossed_before.items() if asker.true_in_model([v]))
    holds = spec.reloc_holds if step.relocates else spec.holds[0]
    broken = [c for c, v in holds.items() if not asker.true_in_model([v])]
    if step.relocates:
        verdict = engine.judge_relocation(position, step)
        cost = 0
    else:
        verdict = engine.judge_step(Walk(position, crossed), step, points)
        cost = engine.take(Walk(position, crossed), step)[1] if verdict.legal else 0
    after = f", then {engine.shift(position, step)} for {cost} points" if verdict.legal else ""
    spec_after = Position(position.mover, spec.read_scene(1)) if not broken else None
    paid = points - next((v for v, b in enumerate(spec.left[1]) if asker.true_in_model([b])), points)
    spec_text = f"legal, then {spec_after} for {paid} points" if spec_after else f"illegal: {', '.join(broken)}"
    note = f"with {points} points left the engine says {verdict}{after}; the spec says {spec_text}"
    return Witness(str(position), str(step), note, params=spec.params.as_dict())


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


# -- Whole turns --------------------------------------------------------------------------------------------


class TurnProof:
    """Compares the whole set of turns of concrete positions."""

    def __init__(self, engine: Engine, spec: Spec) -> None:
        self.engine, self.spec = engine, spec

    def disagreement(self, position: Position) -> str | None:
        """What the two say differently about this position and roll; None if nothing."""
        spec, engine = self.spec, self.engine
        playing = spec.certain(*spec.position_facts(position), spec.playing)
        if playing == (engine.winner(position) is not None):
            return f"the engine's winner is {engine.winner(position)}, the spec says the game is {'on' if playing else 'over'}"
        if not playing:
            return "the engine finds turns in a finished game" if engine.moves(position) else None
        turns = engine.valid_turns(position)
        return self._walks(position, turns) or (None if turns else self._exceptions(position))

    def _walks(self, position: Position, turns: dict[Position, Turn]) -> str | None:
        spec = self.spec
        with spec.asker.supposing():
            given = [*spec.given(position), *spec.good_walk(position)]
            last = len(spec.acts)
            for result, turn in turns.items():
                end = spec.stack_facts(result.stacks, last)
                if len(turn.steps) > last or not spec.certain(*given, *spec.walk_literals(turn.steps), *end):
                    return f"the engine allows {turn}, leading to {result}; the spec does not"
            for result in turns:
                spec.asker.tell(z3.Not(z3.And(spec.stack_facts(result.stacks, last))))
            if spec.certain(*given):
                return f"the spec allows {spec.read_turn()}, leading to {spec.read_position(last)}; the engine does not"
        return None

    def _exceptions(self, position: Position) -> str | None:
        """No valid turn: compare the relocations one by one, then the results of the whole exception."""
        spec, engine = self.spec, self.engine
        expected: dict[Position, str] = {}
        if spec.may_pass(position):
            expected[engine.hand_over(position)] = "pass"
        for p in spec.params.places:
            for q in spec.params.places:
                step = Step(p, q, relocates=True)
                if spec.relocation_allowed(position, step):
                    placed = Position(position.mover, spec.read_scene(1), position.roll)
                    for result in self._after(placed):
                        expected.setdefault(result, str(step))
        found = engine.exceptions(position)
        for result in found.keys() ^ expected.keys():
            who, way = ("engine", found[result]) if result in found else ("spec", expected[result])
            return f"only the {who} allows {way}, leading to {result}"
        return None

    def _after(self, placed: Position) -> Iterable[Position]:
        """Under then_spend the points are used next, if the spec finds a way; the ways are compared elsewhere."""
        if self.spec.readings["after_relocation"] == "then_spend" and self.spec.has_valid_turn(placed):
            return self.engine.valid_turns(placed)
        return [Position(OTHER[placed.mover], placed.stacks)]


def prove_small_turns(engine: Engine, spec: Spec, tick: Tick) -> Result:
    """All turns, relocations and passes of every arrangement, player and roll of a small game."""
    params = spec.params
    proof = TurnProof(engine, spec)
    total = count_arrangements(params)
    scope = f"whole turns, relocations and passes for all {total:,} arrangements, each player, each roll of {_named(params)}"
    count = 0
    for done, stacks in enumerate(arrangements(params)):
        for mover in PLAYERS:
            for roll in range(1, params.die + 1):
                count += 1
                position = Position(mover, stacks, roll)
                if found := proof.disagreement(position):
                    witness = Witness(str(position), None, found, params=params.as_dict())
                    return Result(Status.REFUTED, scope, witness, count)
        tick((done + 1) / total)
    return Result(Status.PROVED, scope, cases=count)


def prove_chosen_turns(engine: Engine, spec: Spec, seed: int, count: int, tick: Tick) -> Result:
    """All turns of positions of the full game that z3 chose: a sample, and said to be one."""
    scope = (
        f"whole turns of {count} positions of {_named(spec.params)} that z3 chose (seed {seed}): "
        "a sample, complete for each of its positions"
    )
    proof = TurnProof(engine, spec)
    for done, position in enumerate(_chosen(spec, seed, count)):
        if found := proof.disagreement(position):
            witness = Witness(str(position), None, found, params=spec.params.as_dict())
            return Result(Status.REFUTED, scope, witness, done + 1)
        tick((done + 1) / count)
    return Result(Status.PROVED, scope, cases=count)


def _chosen(spec: Spec, seed: int, count: int) -> Iterator[Position]:
    """Positions in play, alternately free ones and ones in which few tops can move (so that turns run out)."""
    rng = random.Random(seed)
    x, params = spec.scenes[0], spec.params
    made = 0
    while made < count:
        mover = rng.choice(PLAYERS)
        roll = rng.randint(1, min(4, params.die)) if made % 2 else 1 + made // 2 % params.die
        wishes = [spec.playing, spec.to_move[mover]]
        if made % 2:
            wishes += [x.shows(p, OTHER[mover]) for p in rng.sample(list(params.board), 2)]
            wishes += [z3.Not(x.shows(p, "P")) for p in params.board]
        else:
            slots = [x.at[p, d, k] for p in params.board for d in (0, 1) for k in x.kinds]
            wishes += rng.sample(slots, 1)
        wishes += [z3.Not(v) for v in rng.sample([x.at[p, 0, k] for p in params.board for k in x.kinds], 6)]
        with spec.asker.supposing(*wishes):
            if spec.asker.ask() is not Answer.YES:
                continue
            position = spec.read_position().rolled(roll)
        made += 1
        yield position


def _named(params: Params) -> str:
    walkers = sum(len(s) for s in params.pedestrians)
    sizes = ",".join(map(str, params.sizes))
    return f"the game on {params.squares} squares with sizes {sizes} and {walkers} pedestrian{'s' * (walkers != 1)}"


# -- The families, as data --------------------------------------------------------------------------------


def family_names(params: Params) -> list[str]:
    return ["step", "relocation", "win", *(f"turns-{i + 1}" for i in range(len(SMALL_GAMES))), "turns-chosen"]


def run_family(name: str, params: Params, encodings: tuple[Any, Any], readings: Any, tick: Tick) -> Result:
    make_engine, make_spec = encodings
    if name.startswith("turns-") and name != "turns-chosen":
        small = read_params(SMALL_GAMES[int(name.removeprefix("turns-")) - 1])
        return prove_small_turns(make_engine(small, readings), make_spec(small, readings), tick)
    engine = make_engine(params, readings)
    if name == "turns-chosen":
        return prove_chosen_turns(engine, make_spec(params, readings), 7, 12, tick)
    spec = make_spec(params, readings, walk_length=1)
    if name == "win":
        return prove_win(engine, spec, tick)
    return prove_acts(engine, spec, name == "relocation", tick)
