"""Protects the command line as a whole: no fuzzed command ends in a traceback, an odd status, or after a long time."""

from __future__ import annotations

import pytest
from command_fuzz import fuzz


@pytest.mark.slow
@pytest.mark.parametrize("count", [40, 100_000])
def test_whatever_is_typed_is_answered(count: int) -> None:
    wrong, ran = fuzz(seed=1, count=count)
    assert "\n\n".join(map(str, wrong)) == ""
    assert sum(ran.values()) == count
