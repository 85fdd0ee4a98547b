"""Legal or not, and by which rule? Asked about positions in play, in any game.

A verdict is chosen first and a case second, so that legal moves and every clause that forbids something occur. A case
is asked only if both encodings name the same clause and no other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rulecheck.analyses.versions import versions
from rulecheck.contract import AnyEngine, AnySpec
from rulecheck.contract import Rules as Alphabet
from rulecheck.explore import steps
from rulecheck.model import agreement
from rulecheck.puzzles.kinds import level_of
from rulecheck.puzzles.model import Description, Difficulty, Draft
from rulecheck.puzzles.pools import FromPools, pools, voice
from rulecheck.puzzles.rules import DisagreementError, Rules
from rulecheck.puzzles.verdicts import changed_verdicts, sentences, verdict, verdict_methods

POLICY = "One verdict: legal, or illegal by exactly one clause. Both are asked about in positions of play."
LONGEST = 40  # steps of a random game
Case = tuple[Any, Any]  # a position and a move


@dataclass(frozen=True)
class Judged(FromPools):
    name: str = "legal-or-not"
    units: int = 200
    samples: int = 30  # positions looked at in a unit

    def propose(self, rng: random.Random) -> Draft | None:
        engine, positions = self._positions(rng)
        spec = None if self.game.spec_name is None else self.game.spec(engine.params, engine.readings)
        cases = _by_verdict(engine, positions)
        for name in rng.sample(sorted(cases), len(cases)):
            for position, move in rng.sample(cases[name], min(self.samples, len(cases[name]))):
                if _is_plain(engine, spec, position, move):
                    return Draft(str(position), str(move), params=engine.params.as_dict())
        return None

    def _positions(self, rng: random.Random) -> tuple[AnyEngine, list[Any]]:
        """Positions in play of a version that can be explored, otherwise of random games of the smallest version."""
        known = pools(self.game, self.params)
        if not known:
            smallest = versions(self.game)[0].params if self.params is None else self.params
            engine = self.game.engine(smallest, self.game.rulebook.defaults())
            played = list(random_play(engine, rng))
            return engine, rng.sample(played, min(self.samples, len(played)))
        pool = rng.choice(known)
        numbers = rng.sample(pool.different, min(self.samples, len(pool.different)))
        return pool.play.engine, [pool.play.position(number) for number in numbers]

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        answer = verdict(rules, position, asked)
        if " and " in answer:
            return None
        others = changed_verdicts(rules, position, asked)
        level, method = level_of(answer, verdict_methods(rules, answer, others))
        vector = {"length": 1, "clauses": len(rules.choice.game.rulebook.clauses), "verdict": answer.split()[0]}
        return Description(
            question=f"{_wish(rules.playable, position, asked)} Is that legal, and if not, by which rule?",
            policy=POLICY,
            answer=(answer,),
            solution=sentences(rules, answer),
            difficulty=Difficulty(level, method, vector),
            minimal=f"A position of play, so nothing can be taken away. {voice(rules)}",
            other_readings=others,
        )


def random_play(engine: AnyEngine, rng: random.Random) -> Iterator[Any]:
    """The positions of one game played at random."""
    position = engine.start()
    for _ in range(LONGEST):
        yield position
        _, ways = steps(engine, position)
        if not ways:
            return
        position = rng.choice(ways).result
    yield position


def _by_verdict(engine: AnyEngine, positions: Sequence[Any]) -> dict[tuple[str, ...], list[Case]]:
    """The cases by the clauses that the engine names."""
    cases: dict[tuple[str, ...], list[Case]] = {}
    alphabet = _alphabet(engine, positions)
    for position in positions:
        for move in alphabet:
            cases.setdefault(engine.judge(position, move).clauses, []).append((position, move))
    return {clauses: group for clauses, group in cases.items() if len(clauses) <= 1}


def _alphabet(engine: AnyEngine, positions: Sequence[Any]) -> Sequence[Any]:
    """Every possible move; if the engine does not list them, those that are legal in some position."""
    if isinstance(engine, Alphabet):
        return engine.candidates()
    return list(dict.fromkeys(move for position in positions for move in engine.moves(position)))


def _is_plain(engine: AnyEngine, spec: AnySpec | None, position: Any, move: Any) -> bool:
    """Do both encodings name the same clauses? Any other difference between them is a finding."""
    if spec is None:
        return True
    ours, theirs = engine.judge(position, move), spec.judge(position, move)
    if not agreement(ours, theirs):
        raise DisagreementError(f"{position}, {move}: {ours} by the engine, {theirs} by the constraints")
    return set(ours.clauses) == set(theirs.clauses)


def _wish(engine: AnyEngine, position: Any, asked: str) -> str:
    if engine.end(position) is not None:
        return f"Next comes: {asked}."
    return f"{engine.actor(position)} wants to play {asked}."
