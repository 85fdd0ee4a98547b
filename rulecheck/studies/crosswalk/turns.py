"""Crosswalk: whole turns compared, on every arrangement of small games and on chosen positions of the full one."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

import z3

from rulecheck.engines.crosswalk import Engine
from rulecheck.games.crosswalk import OTHER, PASS, PLAYERS, Position, Step, Turn
from rulecheck.model import Result, Status, Witness
from rulecheck.studies.crosswalk.acts import Tick, arrangements, count_arrangements, described
from solvers.smt import Answer
from specs.crosswalk import Spec


class TurnProof:
    """Compares the whole set of turns of concrete positions."""

    def __init__(self, engine: Engine, spec: Spec) -> None:
        self.engine, self.spec = engine, spec

    def disagreement(self, position: Position) -> str | None:
        """What the two say differently about this position and roll; None if nothing."""
        spec, engine = self.spec, self.engine
        playing = spec.certain(*spec.position_facts(position), spec.playing)
        if playing == (engine.winner(position) is not None):
            on = "on" if playing else "over"
            return f"the engine's winner is {engine.winner(position)}; the spec says the game is {on}"
        moves = {result: turn for turn, result in engine.moves(position).items()}
        if not playing:
            return "the engine finds turns in a finished game" if moves else None
        walks = {result: turn for result, turn in moves.items() if turn.steps and not turn.steps[0].relocates}
        found = self._walks(position, walks)
        if found or not walks:
            return found or self._exceptions(position, moves)
        if len(walks) < len(moves) or engine.judge(position, PASS).legal:
            return "the engine allows a pass or a relocation although a valid turn exists"
        return None

    def _walks(self, position: Position, turns: dict[Position, Turn]) -> str | None:
        """Each turn of the engine is one of the spec's, cut short it is judged alike, and there is no other."""
        spec = self.spec
        given = [*spec.given(position), *spec.good_walk(position)]
        last = len(spec.acts)
        for result, turn in turns.items():
            end = spec.stack_facts(result.stacks, last)
            legal = len(turn.steps) <= last and spec.certain(*given, *spec.walk_literals(turn.steps), *end)
            if not legal or result.mover == position.mover:
                return f"the engine allows {turn}, leading to {result}; the spec does not"
        for steps in {turn.steps[:-1] for turn in turns.values()} - {()}:
            engine_says = self.engine.judge(position, Turn(steps)).legal
            if engine_says != spec.certain(*given, *spec.walk_literals(steps)):
                return f"the engine calls {Turn(steps)} {'legal' if engine_says else 'illegal'}; the spec does not"
        others = [z3.Not(z3.And(spec.stack_facts(result.stacks, last))) for result in turns]
        with spec.asker.supposing(*others):
            if spec.certain(*given):
                return f"the spec allows {spec.read_turn()}, leading to {spec.read_position(last)}; the engine does not"
        return None

    def _exceptions(self, position: Position, found: dict[Position, Turn]) -> str | None:
        """No valid turn: compare passing, the relocations one by one, and the results of the whole exception."""
        spec, engine = self.spec, self.engine
        expected: dict[Position, str] = {}
        passing = spec.may_pass(position)
        if passing != engine.judge(position, PASS).legal:
            return f"the spec {'allows' if passing else 'forbids'} a pass; the engine does not"
        if passing:
            expected[Position(OTHER[position.mover], position.stacks)] = "pass"
        for p in spec.params.places:
            for q in spec.params.places:
                step = Step(p, q, relocates=True)
                if spec.relocation_allowed(position, step):
                    placed = Position(position.mover, spec.read_scene(1), position.roll)
                    for result in self._after(placed):
                        expected.setdefault(result, str(step))
        for result in sorted(found.keys() ^ expected.keys(), key=str):
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
    what = "whole turns, relocations and passes"
    scope = f"{what} for all {total:,} arrangements, each player, each roll of {described(params)}"
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
        f"whole turns of {count} positions of {described(spec.params)}, chosen by z3 (seed {seed}): "
        "no difference in any of them, and nothing is said about the others"
    )
    proof = TurnProof(engine, spec)
    for done, position in enumerate(_chosen(spec, seed, count)):
        if found := proof.disagreement(position):
            witness = Witness(str(position), None, found, params=spec.params.as_dict())
            return Result(Status.REFUTED, scope, witness, done + 1, sample=True)
        tick((done + 1) / count)
    return Result(Status.UNKNOWN, scope, cases=count, sample=True)


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
