"""Protects: nothing that a solver happens to choose reaches a reader.

What the kept reports say is asked again with a solver that decides at random, after unrelated questions, in another
order and in one process; when a report is written each search has a process of its own.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.analyses.ambiguities import pairs
from rulecheck.report.collect import SEARCHES

REPORTS = Path(__file__).parent.parent / "reports"
QUICK = {
    *(("crosswalk", part) for part in ("stalemates", "coverage")),
    *(("icehouse", part) for part in ("stalemates", "coverage")),
    *(("icepalace", part) for part in ("stalemates", "coverage")),
    ("nestrace", "coverage"),
}
Rows = list[dict[str, Any]]


def questions() -> list[Any]:
    """Each analysis of each game, the last first."""
    found = []
    for slug in registry.names():
        for part in ("ambiguities", *reversed(SEARCHES)):
            marks = () if (slug, part) in QUICK else pytest.mark.slow
            found.append(pytest.param(slug, part, marks=marks, id=f"{slug}-{part}"))
    return found


@pytest.mark.parametrize(("slug", "part"), questions())
@pytest.mark.usefixtures("random_choices")
def test_the_report_says_the_same_whatever_the_solver_chooses(slug: str, part: str) -> None:
    kept: Rows = json.loads((REPORTS / f"{slug}.json").read_text(encoding="utf-8"))[part]
    rows = ambiguities(slug) if part == "ambiguities" else searched(slug, part)
    assert [{key: row[key] for key in found} for row, found in zip(kept, rows, strict=True)] == rows


def searched(slug: str, part: str) -> Rows:
    game = registry.find(slug)
    found = getattr(game.hints, part)(game.params({}), game.rulebook.defaults())
    return plain([row.as_json() for row in found])


def ambiguities(slug: str) -> Rows:
    """Asked for in another order, and put back into that of the rulebook."""
    game = registry.find(slug)
    order = pairs(game.rulebook.options.values())
    shuffled = random.Random(1).sample(order, len(order))
    found = {pair: game.hints.separate(game.rulebook.defaults(), pair[0], pair[1:]) for pair in shuffled}
    return plain([found[pair].as_json() for pair in order])


def plain(rows: Rows) -> Rows:
    """As a report holds them."""
    found: Rows = json.loads(json.dumps(rows))
    return found
