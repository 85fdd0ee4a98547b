"""Protects: compiled turns of Hextris against its engine, keys and numbers of positions, and values of solved games."""

from __future__ import annotations

import functools
import itertools
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rulecheck import registry
from rulecheck.games.hextris import GAME
from rulecheck.games.hextris.space import HextrisPacking, maps, moved, normalised, packing, swapped
from rulecheck.model import InputError
from rulecheck.registry import Choice
from rulecheck.solve import certifying
from rulecheck.solve.graph_views import degrees, move_problems
from rulecheck.solve.packed import Packed
from rulecheck.solve.solver import SpaceSolved, solve_space
from rulecheck.solve.spaces import space_of
from solvers.graph import Block, Kind
from solvers.tablebase import open_table, write_table

Pairs = tuple[tuple[str, str], ...]
EXPECTED = tomllib.loads((Path(__file__).parents[1] / "expected" / "hextris.toml").read_text())
CHANGES: list[Pairs] = [
    (),
    *(((name, value),) for name, reading in GAME.rulebook.options.items() for value in list(reading.values)[1:]),
]


def setting(params: dict[str, str], readings: Pairs = ()) -> Choice:
    return Choice(GAME, GAME.params(params), GAME.rulebook.choose(dict(readings)))


def small(group: int, groups: int, pieces: str) -> dict[str, str]:
    return {"radius": "1", "group": str(group), "groups": str(groups), "pieces": pieces}


def packed(params: dict[str, str], readings: Pairs = ()) -> HextrisPacking:
    chosen = setting(params, readings)
    made = packing(chosen.params, chosen.readings)
    assert made is not None
    return made


def name_of(readings: Pairs) -> str:
    return "+".join(f"{name}={value}" for name, value in readings) or "default"


# -- Turns ---------------------------------------------------------------------------------------------------


def differing(params: dict[str, str], readings: Pairs, most: int) -> tuple[list[str], int]:
    """Everything that the engine does otherwise, in all positions or in a sample; and how many were compared."""
    chosen = setting(params, readings)
    space = space_of(chosen)
    count = len(space) - space.endings
    seed = np.random.default_rng(count)
    numbers = range(count) if count <= most else seed.choice(count, size=most, replace=False).tolist()
    problems = move_problems(chosen, space, list(numbers))
    return problems, sum(space.position(number) is not None for number in numbers)


WHOLE = small(2, 1, "1,1,1/0,1,1")
ALSO_WHOLE = (
    small(2, 1, "1,1,1"),
    small(2, 2, "0,2,2/1,0,1"),
    small(2, 3, "0,3,3/1,0,0"),
    small(3, 1, "1,1,1"),
    small(3, 1, "1,0,3/0,2,1"),
    small(2, 2, "2,1,1"),
)


@pytest.mark.parametrize("readings", CHANGES, ids=name_of)
def test_turns_are_the_engines_in_every_position(readings: Pairs) -> None:
    problems, compared = differing(WHOLE, readings, 1000)
    assert problems == []
    assert compared >= 300


@pytest.mark.slow
@pytest.mark.parametrize(
    ("params", "readings"), [*((game, ()) for game in ALSO_WHOLE), *((ALSO_WHOLE[1], change) for change in CHANGES[1:])]
)
def test_turns_are_the_engines_in_every_position_of_more_games(params: dict[str, str], readings: Pairs) -> None:
    problems, compared = differing(params, readings, 20_000)
    assert problems == []
    assert compared >= 300


def together() -> list[Pairs]:
    """Readings that meet: each time one value of every option, drawn at random."""
    rng = np.random.default_rng(7)
    options = GAME.rulebook.options.items()
    return [tuple((name, str(rng.choice(list(option.values)))) for name, option in options) for _ in range(5)]


@pytest.mark.parametrize("readings", together(), ids=range(5))
def test_turns_are_the_engines_where_readings_meet(readings: Pairs) -> None:
    for params in (small(3, 1, "1,1,2"), small(2, 2, "1,1,2/2,0,1")):
        problems, compared = differing(params, readings, 40)
        assert problems == []
        assert compared == 40


# With gift=void a piece can leave the board while the game goes on, so that class is not ranked but searched.
RANKED = [readings for readings in CHANGES if ("gift", "void") not in readings]


@pytest.mark.parametrize("pieces", ["5,0,0", "0,0,5/1,1,1"])
def test_turns_are_the_engines_on_the_full_board(pieces: str) -> None:
    for readings in RANKED:
        problems, compared = differing({"groups": "1", "pieces": pieces}, readings, 8)
        assert problems == []
        assert compared > 0


# -- Keys and numbers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("params", [WHOLE, small(2, 2, "2,1,1"), small(2, 2, "0,2,2/1,0,1")])
def test_keys_are_read_as_they_were_written(params: dict[str, str]) -> None:
    made = packed(params)
    space = Packed(made)
    keys = [made.pack(space.position(number)) for number in range(len(space) - space.endings)]
    assert keys == sorted(set(keys))
    assert [made.pack(made.unpack(key)) for key in keys if key is not None] == keys


@pytest.mark.parametrize("params", [WHOLE, small(3, 1, "1,1,1")])
def test_positions_have_one_key_exactly_if_they_are_alike(params: dict[str, str]) -> None:
    """By the plain maps of `normalised`, which knows nothing of keys."""
    made = packed(params)
    engine = setting(params).engine()
    found: dict[Any, int | None] = {}
    layer = [engine.start()]
    for _ in range(4):
        layer = [r for p in layer for r in engine.moves(p).values() if engine.winner(r) is None][:400]
        for position in layer:
            assert found.setdefault(normalised(position.params, position), made.pack(position)) == made.pack(position)
    assert len(set(found.values())) == len(found) > 50


@pytest.mark.parametrize("pieces", ["3,0,0", "1,2,0/1,0,0", "2,1,0/0,0,2", "0,2,0/1,0,3", "1,1,0/0,1,2"])
def test_every_number_of_a_class_is_a_board_and_back(pieces: str) -> None:
    made = packed({"groups": "1", "group": "3", "pieces": pieces})
    assert made.ranking is not None
    numbers = np.arange(made.ranking.size)
    keys = made.ranking.unrank(numbers)
    assert len(np.unique(keys)) == len(keys)
    assert (made.ranking.rank(keys) == numbers).all()


@pytest.mark.parametrize("pieces", ["3,0,0", "2,1,0/0,0,2"])
def test_a_class_holds_every_board_once(pieces: str) -> None:
    """Reached by search, with no ranking, from the start; the class has besides them what play cannot reach."""
    made = packed({"groups": "1", "group": "3", "pieces": pieces})
    assert made.ranking is not None
    layer, known = np.array([made.start]), {made.start}
    while len(layer):
        found = np.unique(made.expand(layer).succ)
        layer = np.array([key for key in found.tolist() if key >= 0 and key not in known], dtype=np.int64)
        known.update(layer.tolist())
    keys = np.array(sorted(known))
    assert (made.ranking.unrank(made.ranking.rank(keys)) == keys).all()
    real = made.expand_numbers(np.arange(made.ranking.size)).kind == Kind.MOVE
    assert real[made.ranking.rank(keys)].all()
    assert len(keys) <= real.sum() < made.ranking.size


@pytest.mark.parametrize("pieces", ["5,0,0", "0,5,0/1,0,2"])
def test_numbers_have_the_successors_of_their_keys(pieces: str) -> None:
    made = packed({"groups": "1", "pieces": pieces})
    assert made.ranking is not None
    numbers = np.arange(0, made.ranking.size, made.ranking.size // 5000)
    by_keys, by_numbers = made.expand(made.ranking.unrank(numbers)), made.expand_numbers(numbers)
    going_on = by_keys.succ >= 0
    wanted = by_keys.succ.copy()
    wanted[going_on] = made.ranking.rank(wanted[going_on])
    assert (by_keys.kind == by_numbers.kind).all()
    assert (by_keys.first == by_numbers.first).all()
    assert (wanted == by_numbers.succ).all()
    assert (by_keys.kind == Kind.MOVE).any()
    assert (by_keys.kind == Kind.VOID).any()


def test_a_position_that_is_over_or_of_another_game_has_no_key() -> None:
    made = packed({"groups": "1", "pieces": "5,0,0"})
    other = setting({"groups": "1", "pieces": "0,5,0"}).engine().start()
    assert made.pack(other) is None
    line = "A a1:A1 a2:A1 a3:A1 b3:A1 b4:A1 hands=0,0,0/5,0,0 groups=1/0"
    assert made.pack(GAME.read_position(GAME.params({"groups": "1", "pieces": "5,0,0"}), line)) is None


def test_games_too_large_are_refused_in_a_sentence() -> None:
    for params, said in (
        ({}, "a position takes 76 bits"),
        ({"groups": "1", "pieces": "3,3,3"}, "positions up to symmetry"),
        ({"groups": "1", "pieces": "99,99,99"}, "positions up to symmetry"),
    ):
        chosen = setting(params)
        with pytest.raises(InputError, match=said):
            packing(chosen.params, chosen.readings)
    assert packing(setting({"players": "3"}).params, GAME.rulebook.defaults()) is None


# -- Symmetry ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("params", [small(3, 1, "1,1,1"), {"groups": "1", "pieces": "2,2,1"}])
def test_what_is_alike_plays_alike(params: dict[str, str]) -> None:
    """For the engine: all twelve maps, and the change of colours, carry the results of turns into each other."""
    engine = setting(params).engine()
    position = engine.start()
    rng = np.random.default_rng(11)
    goings = maps(position.params.radius)
    assert len(set(goings)) == 12
    for _ in range(14):
        results = list(engine.moves(position).values())
        for goes in goings:
            assert set(engine.moves(moved(position, goes)).values()) == {moved(r, goes) for r in results}
        assert set(engine.moves(swapped(position)).values()) == {swapped(r) for r in results}
        open_results = [r for r in results if engine.winner(r) is None]
        position = open_results[rng.integers(len(open_results))]


# -- Values --------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "find", lambda slug: GAME)


def test_a_table_is_certified_and_a_wrong_one_refused(tmp_path: Path) -> None:
    found = solve_space(setting(small(2, 1, "1,1,1")), tmp_path)
    certificate = certifying.certify(found.path)
    assert (certificate.problems, certificate.positions, certificate.compared) == ((), 367, 367)
    with open_table(found.path) as table:
        header, columns = table.header, {name: table.column(name) for name in table.columns}
        keys = [table.key(row) for row in range(len(table))]
    for column, row in itertools.product(columns, (3, 100, 366)):
        wrong = {name: values.copy() for name, values in columns.items()}
        wrong[column][row] = 3 - wrong[column][row] if column == "outcome" else wrong[column][row] + 2
        write_table(tmp_path / "wrong.table", header, wrong, keys)
        assert certifying.certify(tmp_path / "wrong.table", whole=0, sample=1).problems != ()


def test_a_rule_wrong_at_one_position_is_noticed() -> None:
    """Every position of a game this small is compared, so there is no luck in it."""
    chosen = setting(small(2, 1, "1,1,1"))
    space: Any = space_of(chosen)
    assert certifying.numbers_to_compare(space, 367) == list(range(367))
    expand = space._expand
    for wrong in np.flatnonzero(degrees(space, np.arange(367)) > 3)[[0, 100, -1]].tolist():

        def forgetful(method: str, pieces: Any, wrong: int = wrong) -> Any:
            for piece in pieces:
                kind, first, succ = next(expand(method, [piece]))
                source = np.repeat(piece, np.diff(first))
                here = source == space._keys[wrong]
                kept = ~(here & (succ == succ[here].max(initial=0)))
                yield Block(kind, np.append(0, np.cumsum(kept))[first], succ[kept])

        space._expand = forgetful
        (problem,) = move_problems(chosen, space, range(367))
        assert problem.startswith(f"{space.position(wrong)}: the engine's moves also lead to")


def test_a_ranked_table_is_certified_and_a_wrong_one_refused(tmp_path: Path) -> None:
    found = solve_space(setting({"groups": "1", "group": "3", "pieces": "3,0,0"}), tmp_path)
    assert certifying.certify(found.path, whole=0, sample=20).problems == ()
    with open_table(found.path) as table:
        header, columns = table.header, {name: table.column(name) for name in table.columns}
    outcome = columns["outcome"].copy()
    row = int((outcome == 1).argmax())
    for value in (0, 2, 4):
        outcome[row] = value
        write_table(tmp_path / "wrong.table", header, {**columns, "outcome": outcome})
        assert certifying.certify(tmp_path / "wrong.table", whole=0, sample=1).problems != ()


def worth_text(found: SpaceSolved) -> str:
    return found.worth.text


@functools.cache
def known(title: str) -> dict[str, Any]:
    return next(row for row in EXPECTED["small"] if row["title"] == title)


@pytest.mark.parametrize("row", EXPECTED["small"], ids=lambda row: row["title"])
def test_values_as_printed(row: dict[str, Any], tmp_path: Path) -> None:
    from rulecheck.games.hextris.solved import GAMES

    found = solve_space(setting(GAMES[row["title"]]), tmp_path)
    assert (worth_text(found), len(found.space) - found.space.endings) == (row["default"], row["positions"])


def test_the_longest_win_can_be_played(tmp_path: Path) -> None:
    chosen = setting(small(4, 1, "0,2,2"))
    found = solve_space(chosen, tmp_path)
    engine = chosen.engine()
    position = found.furthest()
    with found.values() as values:
        line = values.best_line(position)
    mover = position.mover
    for move in line:
        position = engine.play(position, GAME.read_move(chosen.params, move))
    assert (len(line), engine.winner(position)) == (15, mover)


@pytest.mark.parametrize("row", EXPECTED["endgame"], ids=lambda row: row["pieces"])
def test_the_longest_wins_of_endgames_can_be_played(row: dict[str, Any]) -> None:
    chosen = setting({"groups": "1", "pieces": row["pieces"]})
    engine = chosen.engine()
    position = GAME.read_position(chosen.params, row["position"])
    mover, line = position.mover, row["line"].split()
    for move in line:
        assert engine.winner(position) is None
        position = {str(m): result for m, result in engine.moves(position).items()}[move]
    assert (len(line), engine.winner(position)) == (row["longest"], mover)


@pytest.mark.slow
def test_values_under_every_reading() -> None:
    from rulecheck.games.hextris.solved import survey
    from rulecheck.jobs import ignore

    for game in survey(1, ignore):
        readings = name_of(tuple(game["readings"].items()))
        row = known(game["title"])
        worth = game["value"] + ("" if game["distance"] is None else f" in {game['distance']}")
        assert row.get("readings", {}).get(readings, row["default"]) == worth, (game["title"], readings)


@pytest.mark.slow
@pytest.mark.parametrize("row", EXPECTED["endgame"], ids=lambda row: row["pieces"])
def test_endgames_of_the_last_group(row: dict[str, Any], tmp_path: Path) -> None:
    """Minutes each."""
    chosen = setting({"groups": "1", "pieces": row["pieces"]})
    found = solve_space(chosen, tmp_path)
    line = (found.longest_win() or {"line": []})["line"]
    assert {name: found.about[name] for name in ("positions", "win", "loss", "draw")} == {
        name: row[name] for name in ("positions", "win", "loss", "draw")
    }
    assert (found.worth.text, len(line)) == (row["start"], row["longest"])


def test_the_report_solves_what_it_weighs() -> None:
    from rulecheck.games.hextris import solved

    assert set(solved.WEIGHED) | set(solved.DISPUTED) <= set(solved.GAMES)
    assert len(solved.GAMES) == len(EXPECTED["small"]) == 28
