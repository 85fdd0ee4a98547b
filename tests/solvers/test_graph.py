"""Protects the arena arrays: what is no game graph is refused with a sentence that names the place."""

from __future__ import annotations

import numpy as np
import pytest
from solver_arenas import race

from solvers.graph import Arena, ArenaBuilder, ArenaError, Kind

W, S, C = Kind.WIN, Kind.STEP, Kind.CHANCE


@pytest.mark.parametrize(
    ("kind", "first", "succ", "anchor", "sentence"),
    [
        ([W, S], [0, 0, 1], [2], None, "an edge leads to a node that does not exist"),
        ([W, S], [0, 0, 1], [-1], None, "an edge leads to a node that does not exist"),
        ([W, S], [0, 0, 2], [0], None, "first does not rise"),
        ([W, S], [0, 0], [], None, "first is"),
        ([W, 9], [0, 0, 1], [0], None, "node 1 has an unknown kind"),
        ([W, W], [0, 0, 1], [0], None, "node 1 is terminal but has successors"),
        ([W, S], [0, 0, 0], [], None, "node 1 has no successors"),
        ([W, S], [0, 0, 1], [0], [0], "node 0 is terminal and cannot be an anchor"),
        ([S, S], [0, 1, 2], [1, 0], [], "non-anchor 0 leads to non-anchor 1"),
        ([W, S], [0, 0, 1], [0], [7], "an anchor index"),
    ],
)
def test_broken_arrays_are_refused(
    kind: list[int], first: list[int], succ: list[int], anchor: list[int] | None, sentence: str
) -> None:
    with pytest.raises(ArenaError, match=sentence):
        Arena.of(kind, first, succ, anchor)


def test_chosen_anchors_break_every_cycle() -> None:
    arena = Arena.of([W, S, C], [0, 0, 2, 4], [2, 0, 1, 1])
    assert arena.anchors.tolist() == [1]


def test_builder_wants_every_promise_kept_once() -> None:
    b = ArenaBuilder()
    later = b.reserve(S)
    with pytest.raises(ArenaError, match="never connected"):
        b.freeze()
    b.connect(later, [b.add(W)])
    with pytest.raises(ArenaError, match="already"):
        b.connect(later, [later])
    assert b.freeze().successors(later) == [1]


def test_networkx_holds_the_same_graph() -> None:
    arena = race(3)
    graph = arena.to_networkx()
    assert graph.number_of_edges() == len(arena.succ)
    for v in range(len(arena)):
        assert graph.nodes[v]["kind"] == arena.kind[v]
        placed = sorted((d["place"], s) for _, s, d in graph.out_edges(v, data=True))
        assert [s for _, s in placed] == arena.successors(v)
    assert np.array_equal(arena.anchors, [v for v in graph if graph.nodes[v]["anchor"]])
