"""Crosswalk: whole turns compared, on every arrangement of small games and on random positions of the full one.

What the engine lists and what it judges must both be what the spec says of the turn: of walks, of relocations, of walks
after a relocation, and of passing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from rulecheck.games.crosswalk import PASS, PLAYERS, Params, Position, Step, Turn
from rulecheck.games.crosswalk.engine import Engine
from rulecheck.games.crosswalk.families.acts import Tick, arrangements, count_arrangements, described
from rulecheck.games.crosswalk.families.agreed import Agreed, Differs
from rulecheck.model import Result, Status, Witness
from rulecheck.pyramids import Stack
from specs.crosswalk.spec import Spec

WHAT = "every walk by its end and with a step more, relocations, walks after them, passes"


class TurnProof:
    """Compares everything that may be done in concrete positions."""

    def __init__(self, engine: Engine, spec: Spec) -> None:
        self.engine, self.spec = engine, spec
        self.agreed = Agreed(engine, spec)

    def disagreement(self, position: Position) -> Witness | None:
        """What the two say differently about this position and roll, or one that a relocation leaves."""
        try:
            self._check_listed(position, self._legal_turns(position))
        except Differs as difference:
            return Witness(str(difference.position), None, str(difference), params=self.spec.params.as_dict())
        return None

    def _legal_turns(self, position: Position) -> dict[Turn, Position]:
        """Turns that both call legal, at least one for each result."""
        legal = dict(self.agreed.walked(position).results) if self.agreed.is_on(position) else {}
        for turn, result in self._other_turns(position):
            spec_says = self.spec.judge_by(self.agreed, position, turn)
            if self.engine.judge(position, turn).legal != spec_says.legal:
                says = ("legal", "illegal") if spec_says.legal else ("illegal", "legal")
                raise Differs(position, f"the spec calls {turn} {says[0]}, the engine {says[1]}")
            if spec_says.legal and result:
                legal[turn] = result
        return legal

    def _other_turns(self, position: Position) -> Iterator[tuple[Turn, Position | None]]:
        """Turns besides walks, legal or not, with the results of the legal ones: passing, every relocation, and after
        an allowed relocation every walk. While a walk is valid, only relocations that would be allowed are
        included; after the end of the game, every single step as well."""
        agreed, pairs = self.agreed, self.agreed.pairs
        yield PASS, agreed.handed_over(position)
        if not agreed.is_on(position):
            yield from ((Turn((Step(p, q, relocates),)), None) for p, q in pairs for relocates in (False, True))
            return
        allowed, walks = agreed.relocations(position), agreed.has_valid_turn(position)
        for step in allowed if walks else [Step(p, q, relocates=True) for p, q in pairs]:
            _, placed = agreed.relocated(position, step)
            yield Turn((step,)), agreed.handed_over(placed)
            if step in allowed and not walks:
                yield Turn((step, step)), None
                walked = agreed.walked(placed)
                yield from ((Turn((step, *way.steps)), walked.results.get(way)) for way in walked.judged)

    def _check_listed(self, position: Position, legal: dict[Turn, Position]) -> None:
        """What is listed is one legal turn for each result."""
        listed, results = self.engine.moves(position), set(legal.values())
        for result in sorted(results ^ set(listed.values()), key=str):
            which = "spec" if result in results else "engine"
            raise Differs(position, f"only the {which} has a turn that leads to {result}")
        if len(listed) > len(results):
            raise Differs(position, "the engine lists two turns with the same result")
        for turn, result in listed.items():
            spec_says = turn in legal or self.spec.judge(position, turn).legal
            if not spec_says or self.engine.play(position, turn) != result:
                raise Differs(position, f"the engine lists {turn}, leading to {result}; the spec does not")


def prove_small_turns(engine: Engine, spec: Spec, tick: Tick) -> Result:
    """All turns, relocations and passes of every arrangement, player and roll of a small game."""
    params = spec.params
    proof = TurnProof(engine, spec)
    total = count_arrangements(params)
    scope = f"{WHAT}, listed and judged, for all {total:,} arrangements, each player, each roll of {described(params)}"
    count = 0
    for done, stacks in enumerate(arrangements(params)):
        for mover in PLAYERS:
            for roll in range(1, params.die + 1):
                count += 1
                if witness := proof.disagreement(Position(mover, stacks, roll)):
                    return Result(Status.REFUTED, scope, witness, count)
        tick((done + 1) / total)
    return Result(Status.PROVED, scope, cases=count)


def prove_chosen_turns(engine: Engine, spec: Spec, seed: int, count: int, tick: Tick) -> Result:
    """All turns of positions of the full game: a sample, and said to be one."""
    scope = (
        f"{WHAT}, listed and judged, in {count} positions of {described(spec.params)}, drawn at random (seed {seed}): "
        "no difference in any of them, and nothing is said about the others"
    )
    proof = TurnProof(engine, spec)
    for done, position in enumerate(_drawn(spec.params, seed, count)):
        if witness := proof.disagreement(position):
            return Result(Status.REFUTED, scope, witness, done + 1, sample=True)
        tick((done + 1) / count)
    return Result(Status.UNKNOWN, scope, cases=count, sample=True)


def _drawn(params: Params, seed: int, count: int) -> Iterator[Position]:
    """Alternately any arrangement, and one with no pedestrian above a player's pyramid, so that turns run out."""
    rng = random.Random(seed)
    for number in range(count):
        roll = rng.randint(1, min(4, params.die)) if number % 2 else 1 + number // 2 % params.die
        pieces = rng.sample(sorted(params.material.elements()), params.material.total())
        if number % 2:
            pieces.sort(key=lambda piece: piece.colour in PLAYERS)
        stacks: list[Stack] = [()] * len(params.places)
        for piece in pieces:
            finish = [params.finish(piece.colour)] if piece.colour in PLAYERS else []
            place = rng.choice([*params.board, *finish])
            stacks[place] = (*stacks[place], piece)
        yield Position(rng.choice(PLAYERS), tuple(stacks), roll)
