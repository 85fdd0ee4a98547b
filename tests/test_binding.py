"""Protects: a comparison by a sample meets every rule that binds where it looks, and says which it met."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rulecheck import registry
from rulecheck.model import LEGAL, Verdict, breaks
from rulecheck.registry import Choice
from rulecheck.solve.binding import draw_by_rules, refusing, unmet
from rulecheck.solve.certifying import certify
from rulecheck.solve.graph_views import degrees
from rulecheck.solve.solver import solve_space
from rulecheck.solve.spaces import space_of

SMALL = {"radius": "1", "group": "2", "groups": "1", "pieces": "1,1,1/0,1,1"}
RARE = 411


class Numbers:
    """A number may grow by one or two; the clause RARE forbids that at one number alone, EVEN at all even ones."""

    players = ("A", "B")

    def start(self) -> int:
        return 0

    def actor(self, position: int) -> str:
        return "A"

    def chances(self, position: int) -> tuple[()]:
        return ()

    def end(self, position: int) -> None:
        return None

    def moves(self, position: int) -> dict[str, int]:
        return {move: position + len(move) for move in ("+", "++") if self.judge(position, move).legal}

    def judge(self, position: int, move: str) -> Verdict:
        if position == RARE:
            return breaks("RARE", "here it is forbidden")
        return LEGAL if position % 2 or len(move) == 2 else breaks("EVEN", "one is too few")


class Numbered:
    """As much of a choice as is asked for."""

    def engine(self) -> Any:
        return Numbers()


def alike(numbers: Any) -> Any:
    """One stratum."""
    return np.zeros(len(numbers), dtype=np.int64)


@pytest.mark.parametrize("seed", range(10))
def test_a_rule_that_binds_once_is_met(seed: int) -> None:
    found = draw_by_rules(Numbered(), 600, alike, int, 300, seed)  # type: ignore[arg-type]
    assert len(found.numbers) == len(set(found.numbers)) == 300
    assert found.numbers == sorted(found.numbers)
    assert RARE in found.numbers
    assert found.met is not None
    assert found.met["RARE"] == 1
    assert 70 <= found.met["EVEN"] <= 80
    assert draw_by_rules(Numbered(), 600, alike, int, 300, seed) == found  # type: ignore[arg-type]


def test_what_stands_for_no_position_refuses_nothing() -> None:
    assert refusing(Numbered(), [2, None, RARE, 3], 1) == [  # type: ignore[arg-type]
        frozenset({"EVEN"}),
        frozenset(),
        frozenset({"RARE"}),
        frozenset(),
    ]


def choice() -> Choice:
    game = registry.find("hextris")
    return Choice(game, game.params(SMALL), game.rulebook.defaults())


def test_clauses_that_forbid_something_and_met_nothing_are_named() -> None:
    forbidding = {c.id for c in choice().game.rulebook.clauses.values() if c.kind == "forbids" and not c.repeats}
    assert set(unmet(choice(), {})) == forbidding
    some = min(forbidding)
    assert set(unmet(choice(), {some: 3})) == forbidding - {some}


def test_compiled_moves_are_compared_where_rules_bind() -> None:
    space = space_of(choice())
    found = draw_by_rules(
        choice(), len(space) - space.endings, lambda rows: degrees(space, rows), space.position, 60, 1
    )
    assert len(found.numbers) == 60
    assert found.met
    assert set(found.met) <= set(choice().game.rulebook.clauses)


def test_a_sampled_certificate_says_which_rules_it_met(tmp_path: Any, rulecheck: Callable[..., Any]) -> None:
    path = solve_space(choice(), tmp_path).path
    whole, part = certify(path), certify(path, whole=0, sample=40, seed=1)
    assert (whole.met, whole.unmet) == (None, None)
    assert part.met
    assert part.unmet is not None
    assert not set(part.met) & set(part.unmet)
    assert part.compared == 40
