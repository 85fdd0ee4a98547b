"""Icehouse: kinds of puzzles."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

from rulecheck.games.icehouse import GAME
from rulecheck.games.icehouse.puzzles.attack import FindTheAttack
from rulecheck.games.icehouse.puzzles.capture import WhichCaptures
from rulecheck.games.icehouse.puzzles.fortress import OpenTheFortress
from rulecheck.games.icehouse.puzzles.umpires import TAKEN, fewer, in_order, umpire
from rulecheck.games.icehouse.sampling import proposals
from rulecheck.puzzles.battle import minimal_sentence
from rulecheck.puzzles.kinds import changed_answers, level_of
from rulecheck.puzzles.model import Description, Difficulty, Draft
from rulecheck.puzzles.rules import Rules
from rulecheck.puzzles.verdicts import LegalOrNot

SMALL_GAME = {"players": "2", "pieces": "2,2,2", "limit": "6"}
TRIES = 600  # placements proposed for one position


def counted(rules: Rules, position: Any) -> str:
    """The count, by the encoding that these rules use."""
    return ", ".join(f"{player} {points}" for player, points in umpire(rules).scores(position).items())


def at_a_glance(position: Any) -> str:
    """Every piece on the table counts its pips for its colour."""
    points_of = dict.fromkeys(position.params.colours, 0)
    for piece in position.pieces:
        points_of[piece.colour] += piece.pips
    return ", ".join(f"{player} {points}" for player, points in points_of.items())


@dataclass(frozen=True)
class FinalScore:
    """The time is up: who has how many points?"""

    params: Any
    name: str = "final-score"
    units: int = 100
    pieces: int = 9
    standing: int = 5
    attacking: int = 3

    def within(self, params: Any) -> FinalScore:
        return replace(self, params=params)

    def propose(self, rng: random.Random) -> Draft | None:
        engine = GAME.engine(self.params, GAME.rulebook.defaults())
        position = engine.start()
        for _ in range(TRIES):
            event = next(proposals(rng, position), None)
            if event is None or len(position.pieces) == self.pieces:
                break
            wanted = event.piece.lying or sum(not piece.lying for piece in position.pieces) < self.standing
            if wanted and engine.judge(position, event).legal:
                position = engine.play(position, event)
        attacking = sum(piece.lying for piece in position.pieces)
        return Draft(str(position), params=self.params.as_dict()) if attacking >= self.attacking else None

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        answer = counted(rules, position)
        methods = {
            "count the pips of every piece on the table": lambda: [at_a_glance(position)],
            "find out what is iced and what points at nothing": lambda: [answer],
        }
        level, method = level_of(answer, methods)
        if level == 1:
            return None
        lying = sum(piece.lying for piece in position.pieces)
        kept = ((n, rest) for n, rest in fewer(position) if in_order(rules, rest) and counted(rules, rest) == answer)
        idle = [str(position.pieces[n]) for n, rest in kept if at_a_glance(rest) != answer]
        vector = {"length": 1, "pieces": len(position.pieces), "lying": lying}
        return Description(
            question="The time is up. What is the score?",
            policy="One score, by the count of the rules; pieces that were not placed count nothing.",
            answer=(answer,),
            solution=[f"{answer}. All pips on the table would give {at_a_glance(position)}."],
            difficulty=Difficulty(level, method, vector),
            idle=tuple(idle),
            minimal=minimal_sentence(idle, TAKEN),
            other_readings=changed_answers(rules, position, answer, counted),
        )


KINDS = (
    FindTheAttack(),
    OpenTheFortress(),
    WhichCaptures(),
    FinalScore(GAME.params(SMALL_GAME)),
    LegalOrNot(GAME.slug),
)
