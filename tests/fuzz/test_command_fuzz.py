"""Protects the command line as a whole: no fuzzed command ends in a traceback, an odd status, or after a long time."""

from __future__ import annotations

import pytest
from command_fuzz import fuzz


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "count"), [(0, 40), *((seed, 5_000) for seed in range(1, 21))])
def test_whatever_is_typed_is_answered(seed: int, count: int) -> None:
    """100,000 commands, in portions of a few minutes."""
    wrong, ran = fuzz(seed=seed, count=count)
    assert "\n\n".join(map(str, wrong)) == ""
    assert sum(ran.values()) == count
