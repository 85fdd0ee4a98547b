"""Protects: the puzzles that every game gets are sound, edited ones are refused, and equal seeds give equal bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.usefixtures("installed")
KINDS = {
    "nim": {"only-move", "win-in-1", "win-in-2", "win-in-3", "proof-game", "legal-or-not"},
    "twentyone": {"only-move", "proof-game", "legal-or-not"},
}


@pytest.mark.parametrize("game", [pytest.param("nim", marks=pytest.mark.slow), "twentyone"])
def test_puzzles_of_every_kind_are_sound_and_edited_ones_refused(
    game: str, rulecheck: Callable[..., Any], tmp_path: Path
) -> None:
    made = [tmp_path / folder / f"{game}.jsonl" for folder in ("first", "second")]
    for file in made:
        assert rulecheck("puzzles", game, "--count", "8", "--seed", "3", "--out", str(file.parent)).status == 0
    assert made[0].read_bytes() == made[1].read_bytes()
    rows = [json.loads(line) for line in made[0].read_text().splitlines()]
    puzzles = [row for row in rows if "id" in row]
    assert {row["id"].split(":")[1].split("#")[0] for row in puzzles} == KINDS[game]
    assert rulecheck("puzzles", "--verify", str(made[0])).status == 0
    for edited in puzzles:
        others = [row["position"] for row in puzzles if row["position"] != edited["position"]]
        lines = [json.dumps({**row, "position": others[0]} if row is edited else row) for row in rows]
        made[1].write_text("\n".join(lines) + "\n")
        assert rulecheck("puzzles", "--verify", str(made[1])).status in (1, 2), edited["id"]
