"""Protects: what both encodings share is watched by something else, and the score says by what."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.analyses.mutants import SHARED, Mutant, read_mutants, try_mutant
from rulecheck.analyses.shared import noticed
from rulecheck.model import InputError, Status

ROWS = [(slug, m) for slug in registry.names() for m in read_mutants(registry.find(slug)) if m.side == SHARED]
QUICK = {("crosswalk", "V02"), ("crosswalk", "V11"), ("hextris", "V04"), ("icepalace", "V07"), ("nestrace", "V08")}


def _refuted(slug: str, mutant: Mutant) -> None:
    found = try_mutant(registry.find(slug), mutant)
    assert found.status is Status.REFUTED
    assert found.scope.startswith(("claim ", "perft line "))
    assert found.witness is not None
    assert found.witness.note


@pytest.mark.parametrize(("slug", "mutant"), [row for row in ROWS if (row[0], row[1].id) in QUICK])
def test_some_changes_are_noticed(slug: str, mutant: Mutant) -> None:
    _refuted(slug, mutant)


def test_every_game_has_enough_of_them() -> None:
    assert min(Counter(slug for slug, _ in ROWS).values()) >= 10
    assert {slug for slug, _ in ROWS} == set(registry.names())


def test_what_changes_nothing_is_not_noticed() -> None:
    """Otherwise `noticed` would say so of everything."""
    mutant = Mutant(
        "X", SHARED, "CW-03", "nothing", 'PEDESTRIAN = "P"', "PEDESTRIAN = 'P'", module="rulecheck.games.crosswalk"
    )
    found = try_mutant(registry.find("crosswalk"), mutant)
    assert (found.status, found.witness) == (Status.UNKNOWN, None)
    assert found.cases > 30  # all claims and counts were tried


def test_the_real_module_stays_as_it_is() -> None:
    game = registry.find("crosswalk")
    before = game.params({}).finish("A")
    _refuted("crosswalk", next(m for m in read_mutants(game) if m.id == "V02"))
    assert registry.find("crosswalk").params({}).finish("A") == before == 0


def test_what_cannot_be_run_is_one_sentence() -> None:
    with pytest.raises(
        InputError, match=r"crosswalk cannot be run with the changed rulecheck.pyramids: .*invalid syntax"
    ):
        noticed("crosswalk", "rulecheck.pyramids", "def")
    with pytest.raises(InputError, match="is imported already"):
        noticed("crosswalk", "rulecheck", "")


def test_rows_that_lack_a_key_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.find("crosswalk")
    row = 'id = "X"\nside = "{}"\nclause = "CW-03"\ntext = "t"\nold = "a"\nnew = "b"\n'
    for side, key in ((SHARED, "module"), ("engine", "family")):
        text = "[[mutant]]\n" + row.format(side)
        monkeypatch.setattr("rulecheck.analyses.mutants.read_resource", lambda name, text=text: text)
        with pytest.raises(InputError, match=f"lacks the key '{key}'"):
            read_mutants(game)


def test_the_score_says_by_what(rulecheck: Any) -> None:
    run = rulecheck("mutants", "crosswalk", "--only", "V02", "--only", "E01")
    assert "(by claim CC-11)" in run.out
    assert "(by family win)" in run.out
    rows = json.loads(rulecheck("mutants", "crosswalk", "--only", "V02", "--json").out)["rows"]
    assert [row["by"] for row in rows] == ["claim CC-11"]
