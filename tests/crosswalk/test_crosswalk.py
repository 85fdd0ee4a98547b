"""Protects: Crosswalk's readings in any combination, every kind of turn is compared, witnesses no solver chooses."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.analyses.mutants import encodings, read_mutants
from rulecheck.games.crosswalk import Position, Turn, read_position, read_turn
from rulecheck.games.crosswalk import coverage as covering
from rulecheck.games.crosswalk.engine import Engine
from rulecheck.games.crosswalk.families.turns import TurnProof, _drawn
from rulecheck.games.crosswalk.stalemates import _frozen_board
from rulecheck.model import Readings, Verdict
from rulecheck.registry import Choice
from rulecheck.solve.tables import walks_of
from rulecheck.solve.walk_tables import walk_turn_problems
from specs.crosswalk.spec import Spec

GAME = registry.find("crosswalk")
OPTIONS = GAME.rulebook.options.values()
SMALL = (
    {"squares": "4", "sizes": "1", "pedestrians": "1,-"},
    {"squares": "2", "sizes": "12"},
    {"squares": "3", "sizes": "2", "pedestrians": "11"},
    {"squares": "3", "sizes": "13", "pedestrians": "2", "die": "4"},
)
TINY = {"squares": "3", "sizes": "1", "pedestrians": "1"}  # the smallest in which a pedestrian can be walked


def both(given: dict[str, str], readings: dict[str, str]) -> tuple[Engine, Spec]:
    params, chosen = GAME.params(given), GAME.rulebook.choose(readings)
    return Engine(params, chosen), Spec(params, chosen)


def drawn_readings(rng: random.Random) -> dict[str, str]:
    return {option.name: rng.choice(option.values) for option in OPTIONS}


# -- Combinations of readings -------------------------------------------------------------------------------


def test_a_win_counts_for_the_most_it_can_cost() -> None:
    """max_points and null_turn=forbidden: a walk of 3 points once was legal where a win could spend all 4."""
    engine, spec = both(SMALL[0], {"spend": "max_points", "null_turn": "forbidden"})
    position = read_position(engine.params, "A 2:A1 3:P1B1 roll=4")
    short, full = (read_turn(engine.params, text) for text in ("2-1 1-2 2-1", "2-1 1-2 2-1 1-0"))
    assert engine.judge(position, short).clauses == spec.judge(position, short).clauses == ("CW-12",)
    assert engine.judge(position, full).legal
    assert spec.judge(position, full).legal
    assert {engine.winner(result) for result in engine.moves(position).values()} == {"A"}


@pytest.mark.parametrize("seed", range(8))
def test_encodings_agree_under_drawn_readings(seed: int) -> None:
    """Everything that both say of positions drawn at random, under readings drawn at random."""
    rng = random.Random(seed)
    engine, spec = both(SMALL[seed % len(SMALL)], drawn_readings(rng))
    proof = TurnProof(engine, spec)
    for position in _drawn(engine.params, seed, 16):
        assert proof.disagreement(position) is None, f"{engine.params}, {engine.readings}"


@pytest.mark.parametrize("seed", range(6))
def test_compiled_walks_follow_drawn_readings(seed: int) -> None:
    from rulecheck.games.crosswalk.solving import STEPWISE

    readings = GAME.rulebook.choose(drawn_readings(random.Random(seed)) | STEPWISE)
    setting = Choice(GAME, GAME.params(TINY), readings)
    walks = walks_of(setting)
    assert walk_turn_problems(setting, walks, range(walks.size)) == []


# -- Every kind of turn -------------------------------------------------------------------------------------


class Watched(Engine):
    """Counts the kinds of turns that are judged."""

    def __init__(self, params: Any, readings: Readings) -> None:
        super().__init__(params, readings)
        self.kinds: Counter[str] = Counter()

    def judge(self, position: Position, turn: Turn) -> Verdict:
        verdict = super().judge(position, turn)
        kind = "".join(">" if step.relocates else "-" for step in turn.steps[:2]) or "pass"
        self.kinds[f"{kind} {'legal' if verdict.legal else 'illegal'}"] += 1
        return verdict


@pytest.mark.parametrize("readings", [{}, {"after_relocation": "then_spend"}], ids=["end_turn", "then_spend"])
@pytest.mark.parametrize("spend", ["exact", "max_points", "until_stuck"])
def test_every_kind_of_turn_is_judged(readings: dict[str, str], spend: str) -> None:
    params, chosen = GAME.params(TINY), GAME.rulebook.choose({**readings, "spend": spend})
    engine = Watched(params, chosen)
    proof = TurnProof(engine, Spec(params, chosen))
    for text in ("A 3:A1P1B1 roll=2", "A 3:A1B1P1 roll=2", "A 3:A1B1P1 roll=1"):  # the first has no valid turn
        assert proof.disagreement(read_position(params, text)) is None
    wanted = {"pass legal", "pass illegal", "> legal", "> illegal", "- legal", "-- legal", "-- illegal", ">- illegal"}
    wanted |= {">- legal"} if readings else set()
    assert engine.kinds.keys() >= wanted


def test_what_is_expected_does_not_come_from_the_engine() -> None:
    """An engine without any turns after a relocation differs from the spec, it does not excuse itself."""
    mutant = next(m for m in read_mutants(GAME) if m.text == "any walk will do after a relocation, says the judge")
    make_engine, make_spec = encodings(GAME, mutant)
    params, readings = GAME.params(TINY), GAME.rulebook.choose(mutant.readings)
    proof = TurnProof(make_engine(params, readings), make_spec(params, readings))
    witness = proof.disagreement(read_position(params, "A 3:A1P1B1 roll=2"))
    assert witness is not None
    assert "the engine legal" in witness.note


# -- No choice of the solver's ------------------------------------------------------------------------------


def test_deciding_cases_do_not_depend_on_the_order_of_questions() -> None:
    clauses = [GAME.rulebook.clauses[name] for name in ("CW-10", "CW-12", "CW-15", "CW-20")]
    found = []
    for asked in (clauses, clauses[::-1]):
        covering._spec.cache_clear()
        rows = {c.id: covering.cover(c, GAME.params({}), GAME.rulebook.defaults()).as_json() for c in asked}
        found.append([rows[clause.id] for clause in clauses])
    assert found[0] == found[1]


@pytest.mark.parametrize("seed", [1, 2])
def test_the_first_position_is_found_with_any_seed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    readings = GAME.rulebook.defaults()
    usual = _frozen_board(GAME.params({}), readings)
    made = Spec.__init__

    def seeded(self: Spec, *given: Any, **options: Any) -> None:
        made(self, *given, **options)
        self.asker.solver.set("random_seed", seed)
        self.asker.ask(self.to_move["B"])  # and another question first

    monkeypatch.setattr(Spec, "__init__", seeded)
    assert _frozen_board(GAME.params({}), readings) == usual
