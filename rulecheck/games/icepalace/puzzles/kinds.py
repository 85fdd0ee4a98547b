"""Ice Palace: kinds of puzzles."""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass, replace
from typing import Any

from rulecheck.contract import brought
from rulecheck.games.icepalace import GAME, Params, Position
from rulecheck.games.icepalace.engine import Engine, Phase
from rulecheck.games.icepalace.puzzles.building import GreatestNumber, pyramids
from rulecheck.games.icepalace.puzzles.dealt import DealtGame
from rulecheck.games.icepalace.puzzles.forcing import ForceTheRound
from rulecheck.games.icepalace.puzzles.palace import OnlyPalace
from rulecheck.games.icepalace.research.building import Builder, Built
from rulecheck.model import Readings
from rulecheck.puzzles.kinds import changed_answers, level_of
from rulecheck.puzzles.model import Description, Difficulty, Draft
from rulecheck.puzzles.rules import Rules
from rulecheck.puzzles.verdicts import LegalOrNot

SHORT = {"hand": "1"}  # one pyramid of each size, so that rounds stay small
LEAST, MOST = 5, 8  # pyramids to build with
ROUNDS, LONGEST = 40, 200  # games played for a proposal, and steps of each


def before_building(engine: Engine, rng: random.Random) -> Position | None:
    """A position in play in which the winner of a round is about to build."""
    position: Position = engine.start()
    for _ in range(LONGEST):
        if engine.phase(position) is Phase.BUILDING:
            return position
        options = list(brought(engine, position)) or list(engine.moves(position).values())
        if not options:
            return None
        position = rng.choice(options)
    return None


@functools.lru_cache(maxsize=2000)
def _built(params: tuple[tuple[str, str], ...], readings: Readings, text: str) -> Built:
    given = GAME.params(dict(params))
    position = GAME.read_position(given, text)
    engine, spec = GAME.engine(given, readings), GAME.spec(given, readings)
    return Builder(engine, spec, position.palace, position.left, position.mover).answer()


def built(rules: Rules, position: Any) -> Built:
    """The answer, proved by two methods, one for each encoding; without a proof there is none."""
    return _built(tuple(rules.choice.params.as_dict().items()), rules.choice.readings, str(position))


def most_points(rules: Rules, position: Any) -> str:
    answer = built(rules, position)
    return str(answer.best.low) if answer.is_proved else "not known"


@dataclass(frozen=True)
class BuildTheMost:
    """The builder uses as many pyramids as possible: the most points this can bring."""

    params: Params
    name: str = "build-the-most"
    units: int = 100

    def within(self, params: Params) -> BuildTheMost:
        return replace(self, params=params)

    def propose(self, rng: random.Random) -> Draft | None:
        engine = Engine(self.params, GAME.rulebook.defaults())
        for _ in range(ROUNDS):
            position = before_building(engine, rng)
            if position is not None and LEAST <= len(position.left) <= MOST:
                return Draft(str(position), params=self.params.as_dict())
        return None

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        proved = built(rules, position)
        if not position.left or not proved.is_proved or proved.best.low == proved.worst.low:
            return None
        answer, own = str(proved.best.low), sum(q.colour == position.mover for q in position.left)
        methods = {
            "count the builder's own pyramids": lambda: [str(own)],
            "compare all palaces": lambda: [answer],
        }
        level, method = level_of(answer, methods)
        spread = proved.best.low - proved.worst.low
        vector = {"length": proved.number.low, "choices": [len(position.left)], "range": spread}
        steps = " ".join(map(str, proved.best.steps))
        return Description(
            question=f"{position.mover} builds with {pyramids(position)}. How many points at most?",
            policy=(
                "The score is unique: the most points of the builder in the palace, with as many pyramids used as can "
                "be. The layout need not be; one is given."
            ),
            answer=(answer,),
            solution=[
                f"{proved.number.low} of {len(position.left)} pyramids can be used. {answer} points, as by {steps}.",
                f"The worst such palace brings {proved.worst.low}.",
            ],
            difficulty=Difficulty(level, method, vector),
            minimal="No claim of minimality.",
            other_readings=changed_answers(rules, position, answer, most_points),
        )


KINDS = (
    BuildTheMost(GAME.params(SHORT)),
    OnlyPalace(),
    GreatestNumber(),
    ForceTheRound(),
    DealtGame(GAME, {}, 6),
    LegalOrNot(GAME.slug),
)
