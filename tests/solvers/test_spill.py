"""Protects: bounds that wait in a file while a solve needs their room."""

from __future__ import annotations

import resource
from pathlib import Path

import numpy as np
import pytest

from rulecheck.model import InputError
from rulecheck.solve.by_number import solve_by_number
from solvers.spill import Spill
from solvers.stochastic_walks import WARM_UP, solve_walks
from solvers.tablebase import TableError
from solvers.walk_certificate import NAMES, check_walk_bounds
from tests.crosswalk.test_crosswalk_walks import LANE, NARROW, TINY, Pairs, game_of, setting

ARRAYS = [np.arange(5), np.zeros(0), np.array([1.5, -0.0]), np.arange(6, dtype=np.int32).reshape(2, 3)]


@pytest.mark.parametrize("in_file", [True, False])
def test_what_was_put_aside_comes_back(tmp_path: Path, in_file: bool) -> None:
    spill = Spill(tmp_path if in_file else None, ARRAYS)
    for found in spill.arrays():
        found[...] = 7  # theirs who ask, and not what is kept
    found = list(spill.arrays())
    assert [part.dtype for part in found] == [part.dtype for part in ARRAYS]
    assert all(np.array_equal(part, kept) for part, kept in zip(found, ARRAYS, strict=True))
    assert list(tmp_path.iterdir()) == []  # its file has no name, so none is left behind by a process that dies


def test_no_place_to_put_it_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"cannot put bounds aside in .*nowhere: no such file"):
        Spill(tmp_path / "nowhere", ARRAYS)


def test_no_room_to_put_it_is_a_sentence(tmp_path: Path) -> None:
    chosen = setting(NARROW)
    solve_by_number(chosen, tmp_path)  # compiles, into files that need room, too
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(InputError, match=f"cannot put bounds aside in {tmp_path}: file too large"):
            solve_by_number(chosen, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("params", [TINY, LANE])
def test_a_file_makes_no_difference(params: Pairs, tmp_path: Path) -> None:
    game = game_of(params)
    here, there = solve_walks(game), solve_walks(game, scratch=tmp_path)
    for name in NAMES:
        assert (getattr(here.bounds, name) == getattr(there.bounds, name)).all()


@pytest.mark.parametrize("rounds", [0, 1])
def test_plans_lose_nothing_that_sweeps_have_proved(rounds: int) -> None:
    """Bad plans prove less at some positions than sweeps have, and more at others."""
    game = game_of(LANE)
    swept, planned = solve_walks(game, most_sweeps=WARM_UP).bounds, solve_walks(game, most_rounds=rounds).bounds
    assert check_walk_bounds(game, planned) == []
    for low, high in (("low_f", "high_f"), ("low_g", "high_g")):
        assert (getattr(planned, low) >= getattr(swept, low)).all()
        assert (getattr(planned, high) <= getattr(swept, high)).all()
    assert planned.width < swept.width
