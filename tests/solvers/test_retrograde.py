"""Protects the win/loss/tie/draw solver: it agrees with plain backward induction, and its checker bites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solver_arenas import arenas, race

from solvers import certificate, retrograde
from solvers.certificate import check_outcomes
from solvers.graph import Arena, ArenaBuilder, ArenaError, Block, Kind, Layer, Outcome
from solvers.reference import iterate_outcomes
from solvers.retrograde import Outcomes, solve_outcomes


@settings(max_examples=300, deadline=None)
@given(arenas(chance=False, max_nodes=20))
def test_agrees_with_backward_induction_and_is_accepted(arena: Arena) -> None:
    table = solve_outcomes(arena)
    expected = iterate_outcomes(arena.to_networkx())
    assert [(Outcome(o), d) for o, d in zip(table.outcome, table.distance, strict=True)] == [
        expected[v] for v in range(len(arena))
    ]
    assert check_outcomes(arena, table.outcome, table.distance) == []


@settings(max_examples=300, deadline=None)
@given(arenas(chance=False), st.data())
def test_every_single_wrong_entry_is_found(arena: Arena, data: st.DataObject) -> None:
    table = solve_outcomes(arena)
    v = data.draw(st.integers(0, len(arena) - 1))
    outcome, distance = table.outcome.copy(), table.distance.copy()
    wrong = data.draw(st.sampled_from([o for o in Outcome if o != outcome[v]]))
    outcome[v] = wrong
    if wrong == Outcome.DRAW or distance[v] < 0:
        distance[v] = -1 if wrong == Outcome.DRAW else data.draw(st.integers(0, 30))
    assert check_outcomes(arena, outcome, distance)
    distance = table.distance.copy()
    distance[v] += data.draw(st.integers(-5, 5).filter(bool))
    assert check_outcomes(arena, table.outcome, distance)


@settings(max_examples=100, deadline=None)
@given(arenas(chance=False, max_nodes=20), st.integers(1, 7))
def test_the_size_of_blocks_does_not_matter(arena: Arena, size: int) -> None:
    whole = solve_outcomes(arena)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(retrograde, "BLOCK", size)
        patch.setattr(certificate, "BLOCK", size)
        parts = solve_outcomes(arena)
        assert check_outcomes(arena, whole.outcome, whole.distance) == []
    assert (parts.outcome == whole.outcome).all()
    assert (parts.distance == whole.distance).all()


class WithHole:
    """Two positions that hand over to each other or win, and a number in between that is no position."""

    def __init__(self, target: int) -> None:
        self.target = target

    def __len__(self) -> int:
        return 4

    def block(self, low: int, high: int) -> Block:
        lists = [[2, 3], [], [0, self.target], []]
        kinds = [Kind.MOVE, Kind.VOID, Kind.MOVE, Kind.LOSS]
        first = np.cumsum([0, *(len(s) for s in lists[low:high])])
        succ = np.array([s for part in lists[low:high] for s in part])
        return Block(np.array(kinds[low:high], dtype=np.uint8), first, succ)


def test_numbers_that_are_no_position() -> None:
    table = solve_outcomes(WithHole(0))
    assert table.outcome.tolist() == [Outcome.WIN, Outcome.UNSOLVED, Outcome.LOSS, Outcome.LOSS]
    assert table.distance.tolist() == [1, -1, 2, 0]
    assert check_outcomes(WithHole(0), table.outcome, table.distance) == []
    claimed = table.outcome.copy()
    claimed[1] = Outcome.DRAW
    assert "node 1" in check_outcomes(WithHole(0), claimed, table.distance)[0]
    assert "node 2" in check_outcomes(WithHole(1), table.outcome, table.distance)[0]


def test_a_cycle_cannot_claim_to_be_won() -> None:
    b = ArenaBuilder()
    b.add(Kind.STEP, [1])
    b.add(Kind.STEP, [0])
    arena = b.freeze()
    assert list(solve_outcomes(arena).outcome) == [Outcome.DRAW] * 2
    for distances in ([1, 1], [1, 2], [0, 0]):
        claim = np.full(2, Outcome.WIN, dtype=np.uint8)
        assert check_outcomes(arena, claim, np.array(distances, dtype=np.int32))


def test_a_tie_is_not_a_draw() -> None:
    b = ArenaBuilder()
    tie = b.add(Kind.TIE)
    shuffle = b.reserve(Kind.MOVE)
    b.connect(shuffle, [shuffle])
    both = b.add(Kind.MOVE, [shuffle, tie])
    table = solve_outcomes(b.freeze())
    assert table.outcome[[tie, shuffle, both]].tolist() == [Outcome.TIE, Outcome.DRAW, Outcome.TIE]
    assert table.distance[[tie, shuffle, both]].tolist() == [0, -1, 1]


def test_dice_are_refused() -> None:
    with pytest.raises(ArenaError, match="chance"):
        solve_outcomes(race(2))
    columns = np.ones(len(race(2)), dtype=np.uint8), np.ones(len(race(2)), dtype=np.int32)
    assert "chance" in check_outcomes(race(2), *columns)[0]


def test_malformed_columns_are_named() -> None:
    b = ArenaBuilder()
    b.add(Kind.WIN)
    arena = b.freeze()
    good = np.array([Outcome.WIN], dtype=np.uint8), np.array([0], dtype=np.int32)
    assert check_outcomes(arena, *good) == []
    assert "outcome" in check_outcomes(arena, good[0].astype(np.float64), good[1])[0]
    assert "distance" in check_outcomes(arena, good[0], np.array([0, 0], dtype=np.int32))[0]
    assert "not win" in check_outcomes(arena, np.array([77], dtype=np.uint8), good[1])[0]


# -- Layer by layer ------------------------------------------------------------------------------------------


class InLayers:
    """An arena whose strongly connected parts are layers of their own, or a few of them together."""

    def __init__(self, arena: Arena, together: int) -> None:
        graph = networkx.DiGraph(arena.to_networkx())
        graph.add_nodes_from(range(len(arena)))
        parts = list(networkx.strongly_connected_components(graph))  # what is led to comes first
        groups = [set().union(*parts[at : at + together]) for at in range(0, len(parts), together)]
        self._layers = [Layer.of(sorted(group), [v + 1 for v in sorted(group)]) for group in groups]
        self.arena = arena

    def __len__(self) -> int:
        return len(self.arena)

    def block(self, low: int, high: int) -> Block:
        return self.arena.block(low, high)

    def layers(self) -> list[Layer]:
        return self._layers

    def blocks(self, pieces: Iterable[np.ndarray]) -> Iterator[Block]:
        for piece in pieces:
            lists = [self.arena.successors(int(v)) for v in piece]
            first = np.cumsum([0, *map(len, lists)])
            yield Block(self.arena.kind[piece], first, np.array([s for part in lists for s in part], dtype=np.int64))


@settings(max_examples=200, deadline=None)
@given(arenas(chance=False, max_nodes=20), st.integers(1, 4), st.integers(1, 7))
def test_layers_do_not_matter(arena: Arena, together: int, size: int) -> None:
    """Also where a loss inside a layer is shorter than one outside, and where edges are not kept for long."""
    whole = solve_outcomes(arena)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(retrograde, "BLOCK", size)
        patch.setattr(retrograde, "KEPT", 3)
        parts = solve_outcomes(InLayers(arena, together))
    assert parts.outcome.tolist() == whole.outcome.tolist()
    assert parts.distance.tolist() == whole.distance.tolist()


@settings(max_examples=100, deadline=None)
@given(arenas(chance=False, max_nodes=20), st.data())
def test_a_solve_goes_on_from_any_layer(arena: Arena, data: st.DataObject) -> None:
    """What was kept of layers that were not finished is not believed."""
    game, kept = InLayers(arena, 2), {}
    whole = solve_outcomes(game, keep=lambda layers, found: kept.update({layers: Outcomes(**deepcopy(vars(found)))}))
    done = data.draw(st.sampled_from(sorted(kept)))
    rest = np.concatenate([np.arange(0), *(layer.low for layer in game.layers()[done:])])
    kept[done].outcome[rest], kept[done].distance[rest] = Outcome.WIN, 1
    again = solve_outcomes(game, start=(done, kept[done]))
    assert again.outcome.tolist() == whole.outcome.tolist()
    assert again.distance.tolist() == whole.distance.tolist()


def test_what_was_kept_of_another_game_is_refused() -> None:
    b = ArenaBuilder()
    b.add(Kind.MOVE, [b.add(Kind.LOSS)])
    for done, size in ((1, 3), (2, 2)):
        with pytest.raises(ArenaError, match="another game"):
            solve_outcomes(b.freeze(), start=(done, Outcomes.unknown(size)))


def test_an_edge_to_a_later_layer_is_refused() -> None:
    b = ArenaBuilder()
    b.add(Kind.MOVE, [b.add(Kind.LOSS)])
    game = InLayers(b.freeze(), 1)
    game._layers.reverse()
    with pytest.raises(ArenaError, match="later layer"):
        solve_outcomes(game)


def test_progress_tells_how_many_and_how_fast() -> None:
    b = ArenaBuilder()
    b.add(Kind.MOVE, [b.add(Kind.LOSS)])
    heard: list[tuple[str, float]] = []
    solve_outcomes(InLayers(b.freeze(), 1), lambda what, done: heard.append((what, done)))
    assert [done for _, done in heard] == [0, 0.5]
    assert heard[1][0].startswith("layer 2 of 2, 1 of 2 positions, ")
    assert heard[1][0].endswith(" a second")
