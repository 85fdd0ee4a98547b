"""A puzzle is the one that its id names: a piece moved by hand is refused, even if all that is said stays true."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from rulecheck import registry
from rulecheck.cli import app
from rulecheck.model import InputError
from rulecheck.puzzles.kinds import kinds_of
from rulecheck.puzzles.mining import puzzle_of
from rulecheck.puzzles.model import Json, read_id
from rulecheck.puzzles.verdicts import cases
from rulecheck.puzzles.verify import check, foreign, read_collection, untrue

SAMPLES = sorted((Path(__file__).parents[1] / "reports" / "puzzles").glob("*.jsonl"))
LINES: list[dict[str, Json]] = [line for file in SAMPLES for line in read_collection(file)]
KINDS = {(line["game"], line["kind"]): line for line in LINES}  # one of each
# To propose these takes a solved game, a proof for every tip and direction, or the cases of all clauses.
DEAR = {("crosswalk", "best-turn"), ("crosswalk", "relocate"), ("icehouse", "find-the-attack")}
DEAR |= {("icehouse", "open-the-fortress"), *((game, "legal-or-not") for game in registry.names())}


def moved(line: dict[str, Json]) -> Iterator[dict[str, Json]]:
    """The line with a piece elsewhere, two pyramids in each other's place or one of another size, if it can be read."""
    game = registry.find(line["game"])
    params = game.params(line["params"])
    for text in (text for edits in (elsewhere, swapped, resized) for text in edits(line["position"])):
        if text != line["position"] and _reads(game, params, text):
            yield {**line, "position": text}


def elsewhere(position: str) -> Iterator[str]:
    """What stands on one square, point, cell or spot stands on one nearby; its token where it was, or anywhere."""
    head, *tokens = position.split()
    for at, token in enumerate(tokens):
        if match := re.match(r"([A-Z]\d@|[a-z]*)(-?\d+)(.*)", token):
            place, number, after = match.groups()
            rest = [*tokens[:at], *tokens[at + 1 :]]
            for by, to in product((1, -1, 2, -2), (at, *range(len(tokens)))):
                yield " ".join([head, *rest[:to], f"{place}{int(number) + by}{after}", *rest[to:]])


def swapped(position: str) -> Iterator[str]:
    for one, two in combinations(re.finditer("[A-Z][123]", position), 2):
        yield position[: one.start()] + two[0] + position[one.end() : two.start()] + one[0] + position[two.end() :]


def resized(position: str) -> Iterator[str]:
    for one, size in product(re.finditer("[A-Z][123]", position), "123"):
        yield f"{position[: one.end() - 1]}{size}{position[one.end() :]}"


def _reads(game: Any, params: Any, text: str) -> bool:
    try:
        return str(game.read_position(params, text)) == text
    except InputError:
        return False


def test_the_samples_have_every_kind() -> None:
    """Otherwise a kind would go without the tests below."""
    assert set(KINDS) == {(slug, name) for slug in registry.names() for name in kinds_of(registry.find(slug))}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in DEAR), id=":".join(name)) for name in KINDS]
)
def test_a_moved_piece_is_refused(name: tuple[str, str]) -> None:
    """The line as it is has the position of its id; with any piece elsewhere it has not, and the reason says so."""
    alike = [line for line in reversed(LINES) if (line["game"], line["kind"]) == name]
    line, edited = next((line, edited) for line in alike for edited in moved(line))  # some positions allow no edit
    assert foreign(line) == ""
    assert check(edited).problem.startswith("position says")


def test_a_moved_piece_that_leaves_everything_true_is_refused(tmp_path: Path) -> None:
    """Icehouse: where the count stays the same, only the id tells that a piece was moved."""
    true = next(line for line in moved(KINDS["icehouse", "final-score"]) if not untrue(line))
    file = tmp_path / "moved.jsonl"
    file.write_text(json.dumps(true) + "\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["puzzles", "--verify", str(file)])
    assert result.exit_code == 1
    assert f"REFUTED  {true['id']}: position says" in result.output


def test_a_long_line_is_quoted_where_it_is_wrong() -> None:
    """The reason shows both the piece as it was and as it is now, however many stand before it."""
    line = KINDS["icehouse", "which-captures"]
    last = list(moved(line))[-1]
    problem = check(last).problem
    old, new = (set(said["position"].split()) for said in (line, last))
    assert all(token in problem for token in old ^ new)


@pytest.mark.slow
def test_an_id_makes_the_same_puzzle_whatever_was_asked_before() -> None:
    """The cases of clauses come from z3, which remembers; found after other work they are what they were."""
    first = cases("hextris")
    assert puzzle_of(read_id(KINDS["hextris", "win-in-2"]["id"])) is not None
    cases.cache_clear()
    assert cases("hextris") == first
