"""Legal or not, and by which rule? The cases that `rulecheck clauses` finds, asked as questions.

A case is used only if both encodings agree that it is legal, or that exactly one clause forbids it.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulecheck import registry
from rulecheck.contract import EVERYBODY
from rulecheck.processes import Processes
from rulecheck.puzzles.kinds import NoPositionsError, changed_answers, level_of
from rulecheck.puzzles.model import Description, Difficulty, Draft
from rulecheck.puzzles.rules import Rules

POLICY = "One verdict: legal, or illegal by exactly one clause. A clause that only repeats another is not asked about."
PARTS = 3  # into which the rulebook is divided
STATED = "No claim: the position is the smallest that `rulecheck clauses` found for its clause."


@dataclass(frozen=True)
class LegalOrNot:
    """A position and a move; the answer is a verdict."""

    game: str
    name: str = "legal-or-not"
    units: int = 100
    given: tuple[tuple[str, str], ...] = ()  # parameters of the version whose cases are asked about

    def within(self, params: Any) -> LegalOrNot:
        return replace(self, given=tuple(params.as_dict().items()))

    def propose(self, rng: random.Random) -> Draft | None:
        drafts = cases(self.game, self.given)
        if not drafts:
            raise NoPositionsError(
                f"no puzzles of the kind {self.name} of this version: all cases that `rulecheck clauses` finds are of "
                "other versions"
            )
        return rng.choice(drafts)

    def describe(self, rules: Rules, position: Any, asked: str) -> Description | None:
        answer = verdict(rules, position, asked)
        if " and " in answer:
            return None
        others = changed_verdicts(rules, position, asked)
        level, method = level_of(answer, verdict_methods(rules, answer, others))
        vector = {"length": 1, "clauses": len(rules.choice.game.rulebook.clauses), "verdict": answer.split()[0]}
        return Description(
            question=f"{_wish(rules, position, asked)} Is that legal, and if not, by which rule?",
            policy=POLICY,
            answer=(answer,),
            solution=sentences(rules, answer),
            difficulty=Difficulty(level, method, vector),
            minimal=STATED,
            other_readings=others,
        )


def verdict_methods(rules: Rules, answer: str, others: Mapping[str, str]) -> dict[str, Callable[[], list[str]]]:
    """A guess, then knowing ever more of the rulebook, which goes from general rules to special ones."""
    names = list(rules.choice.game.rulebook.clauses)
    clause = answer.rpartition(" ")[2]

    def knowing(share: int) -> list[str]:
        return [answer if clause in names[: len(names) * share // PARTS] else "legal"]

    return {
        "take it to be legal, unless another reading of a rule says otherwise": lambda: [
            "illegal" if others else "legal"
        ],
        "know the first third of the rules": lambda: knowing(1),
        "know two thirds of the rules": lambda: knowing(2),
        "know all rules": lambda: [answer],
    }


def _wish(rules: Rules, position: Any, asked: str) -> str:
    """Not every game has a player to move at every moment."""
    engine = rules.choice.engine()
    who = EVERYBODY if engine.end(position) is not None else engine.actor(position)
    return f"Next comes: {asked}." if who == EVERYBODY else f"{who} wants to play {asked}."


def verdict(rules: Rules, position: Any, move: str) -> str:
    ruling = rules.judge(position, rules.choice.game.read_move(rules.choice.params, move))
    return "legal" if ruling.legal else f"illegal by {' and '.join(sorted(ruling.clauses))}"


def changed_verdicts(rules: Rules, position: Any, asked: str) -> dict[str, str]:
    """The readings under which legality changes; the clause that forbids the move is not compared."""
    now = verdict(rules, position, asked).split()[0]
    return changed_answers(rules, position, now, lambda other, there: verdict(other, there, asked).split()[0])


def sentences(rules: Rules, answer: str) -> list[str]:
    clause = answer.rpartition(" ")[2]
    known = rules.choice.game.rulebook.clauses
    return [f"{clause}: {known[clause].text}"] if clause in known else ["It is legal: no rule is against it."]


@functools.cache
def cases(slug: str, given: tuple[tuple[str, str], ...] = ()) -> list[Draft]:
    """The cases of all clauses that both encodings judge by at most one clause.

    They may come from smaller games, but not from games that lack what was changed from the printed one.

    Which of several smallest cases z3 returns depends on its earlier queries. A fresh process computes them, so that an
    id always generates the same puzzle.
    """
    with Processes(1, fresh=True) as pool:
        drafts: list[Draft] = pool.submit(_cases, slug, given).result()
    return drafts


def _cases(slug: str, given: tuple[tuple[str, str], ...]) -> list[Draft]:
    game = registry.find(slug)
    params, readings = game.params(dict(given)), game.rulebook.defaults()
    printed = game.params({}).as_dict()
    changed = {name: value for name, value in params.as_dict().items() if value != printed.get(name)}
    drafts = []
    for row in game.hints.coverage(params, readings):
        case = row.result.witness if row.result is not None else None
        if case is not None and case.move is not None:
            draft = Draft(case.position, case.move, dict(case.params), dict(case.readings))
            there = game.params(case.params)
            if not changed.items() <= there.as_dict().items():
                continue
            judges = [make(there, game.rulebook.choose(case.readings)) for make in (game.engine, game.spec)]
            position, move = game.read_position(there, case.position), game.read_move(there, case.move)
            ours, theirs = (judge.judge(position, move) for judge in judges)
            if set(ours.clauses) == set(theirs.clauses) and len(ours.clauses) <= 1:
                drafts.append(draft)
    return drafts
