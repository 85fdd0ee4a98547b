"""Protects: upper bounds on games of walks, which hang on finding every circle in which a player can stay for ever."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np
import pytest

from rulecheck.solve.walk_tables import WON, walk_ends
from solvers import stochastic_walks
from solvers.chunked_loops import ChunkedLoops
from solvers.end_components import EndComponents, Members, find_end_components
from solvers.stochastic_walks import solve_walks
from solvers.walk_certificate import check_walk_bounds
from solvers.walks import Walks
from tests.crosswalk.test_crosswalk_walks import LANE, NARROW, TINY, TWINS, Pairs, game_of, solved

ROAD = (("squares", "4"), ("sizes", "12"), ("pedestrians", "none"))  # where play need not end
SPENT_AFTER = (("after_relocation", "then_spend"),)
Node = tuple[Any, ...]


def some_plan(game: Walks, seed: int, lazy: float) -> Any:
    """Any end of a turn for each roll of the opponent's; the lazier, the more often the first in the list."""
    rng = np.random.default_rng(seed)
    plan = np.full((game.size, game.die), game.size + 1, dtype=np.int32)
    for i in np.flatnonzero(~game.over).tolist():
        for roll in range(1, game.die + 1):
            ends = sorted(walk_ends(game, int(game.mirror[i]), roll))
            end = ends[0] if rng.random() < lazy else ends[rng.integers(len(ends))]
            plan[i, roll - 1] = game.size + 1 if end == WON else end
    return plan


def turns(game: Walks, plan: Any) -> nx.DiGraph[Any]:
    """Who rolls at a position, what was rolled, and where turns end; all of it listed."""
    graph: nx.DiGraph[Any] = nx.DiGraph()
    for i in np.flatnonzero(~game.over).tolist():
        for roll in range(1, game.die + 1):
            graph.add_edge(("rolls", i), ("rolled", i, roll))
            ends = walk_ends(game, i, roll)
            graph.add_edges_from(
                (("rolled", i, roll), ("waits", int(game.mirror[e])) if e != WON else ("won",)) for e in ends
            )
        graph.add_edges_from((("waits", i), ("rolls", int(j)) if j < game.size else ("lost",)) for j in plan[i])
    return graph


def end_components(graph: nx.DiGraph[Any], within: set[Node]) -> Iterator[set[Node]]:
    """By the definition, again and again: strongly connected parts, without chance that leaves them."""
    for part in nx.strongly_connected_components(graph.subgraph(within)):
        leaving = {v for v in part if v[0] in ("rolls", "waits") and not set(graph.successors(v)) <= part}
        if leaving:
            yield from end_components(graph, part - leaving)
        elif graph.subgraph(part).number_of_edges():
            yield part


def parts(components: EndComponents) -> set[frozenset[Node]]:
    found: dict[int, set[Node]] = {}
    for who, members in (("rolls", components.rolls), ("waits", components.waits)):
        for i, component in zip(members.positions.tolist(), members.component.tolist(), strict=True):
            found.setdefault(component, set()).add((who, i))
    assert sorted(found) == list(range(components.number))
    return {frozenset(part) for part in found.values()}


@pytest.mark.parametrize("lazy", [0.0, 0.9, 1.0])
@pytest.mark.parametrize(
    ("params", "readings"), [(TINY, ()), (TWINS, ()), (LANE, ()), (LANE, SPENT_AFTER), (NARROW, ())]
)
def test_circles_are_all_maximal_end_components(params: Pairs, readings: Pairs, lazy: float) -> None:
    game = game_of(params, readings)
    plan = some_plan(game, 3, lazy)
    graph = turns(game, plan)
    wanted = {frozenset(v for v in part if v[0] != "rolled") for part in end_components(graph, set(graph))}
    assert parts(find_end_components(game, plan, ChunkedLoops(game.size))) == wanted


def test_there_are_circles_to_be_found() -> None:
    """Or else the comparison above would compare nothing."""
    game = game_of(LANE)
    assert find_end_components(game, some_plan(game, 3, 0.9), ChunkedLoops(game.size)).number > 3


def test_without_circles_nothing_false_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A circle that is missed makes upper bounds useless, but not wrong."""
    game, truth = game_of(ROAD), solved(ROAD).bounds

    def none(game: Walks, *about: Any) -> EndComponents:
        nobody = Members(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32))
        return EndComponents(nobody, nobody, 0)

    monkeypatch.setattr(stochastic_walks, "find_end_components", none)
    found = solve_walks(game)
    assert not found.reached
    assert check_walk_bounds(game, found.bounds) == []
    assert (found.bounds.high_f >= truth.low_f).all()


@pytest.mark.parametrize("rounds", [0, 1, 2])
@pytest.mark.parametrize("params", [LANE, NARROW, ROAD])
def test_plans_prove_something_at_any_moment(params: Pairs, rounds: int) -> None:
    """Good or bad, each plan has a best reply, and the truth lies between the two."""
    game, truth = game_of(params), solved(params).bounds
    found = solve_walks(game, most_rounds=rounds)
    assert found.rounds == rounds
    assert check_walk_bounds(game, found.bounds) == []
    for low, high in ((truth.low_f, found.bounds.high_f), (found.bounds.low_f, truth.high_f)):
        assert (low <= high).all()


def test_once_plans_are_best_only_the_price_of_turns_is_left() -> None:
    assert solved(ROAD).width < 1e-8
    assert solve_walks(game_of(ROAD), 1e-9).reached
