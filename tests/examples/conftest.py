"""Puts the example games on the path with the metadata of their entry points, as installing them would."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
sys.path.insert(0, str(EXAMPLES))


@pytest.fixture(scope="session")
def installed() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder:
        for game in EXAMPLES.iterdir():
            metadata = Path(folder, f"{game.name}-1.0.dist-info")
            metadata.mkdir()
            (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {game.name}\nVersion: 1.0\n")
            (metadata / "entry_points.txt").write_text(f"[rulecheck.games]\n{game.name} = {game.name}:GAME\n")
        sys.path.insert(0, folder)
        yield
        sys.path.remove(folder)
