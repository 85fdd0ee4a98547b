"""Protects: Nest race's compiled successors against its engine under every reading, and its solved values."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rulecheck import registry
from rulecheck.games.nestrace import GAME, Position
from rulecheck.games.nestrace import space as nestrace
from rulecheck.games.nestrace.hints import PAT
from rulecheck.games.nestrace.space import NestPacking, normalised
from rulecheck.model import InputError
from rulecheck.registry import Choice
from rulecheck.solve import certifying
from rulecheck.solve import solver as solving
from rulecheck.solve.graph_views import degrees, move_problems
from rulecheck.solve.outcomes import about
from rulecheck.solve.packed import LOST, Packed
from rulecheck.solve.play_tables import explored_graph
from rulecheck.solve.spaces import space_of
from solvers.graph import Block, Kind, Outcome
from solvers.retrograde import solve_outcomes
from solvers.tablebase import Header, open_table, write_table

Pairs = tuple[tuple[str, str], ...]
SQUARE = (("core", "2"), ("width", "2"), ("nests", "1"))
CROSS = (("core", "3"), ("width", "1"), ("nests", "1"))
EAST = (("core", "3"), ("width", "3"), ("nests", "1"), ("side", "east"))
TWO_NESTS = (("core", "2"), ("width", "2"), ("nests", "2"))
LARGE = (("core", "4"), ("width", "2"), ("nests", "1"))
WIDE = (("core", "4"), ("width", "4"), ("nests", "1"))
WIDEST = (("core", "5"), ("width", "3"), ("nests", "1"))
FOR_FOUR = ("order_colour", "rule9_4p", "mate_transit")
# On the smallest board; the last two need other readings there.
UNSEEN = ("finish_order", "order_transit", "line_transit", "back_jump", "horizon", "s2_whose_pat", "lift_conflict")
OPTIONS = {name: reading for name, reading in GAME.rulebook.asked({}).items() if name not in FOR_FOUR}
VALUES = [(name, value) for name, reading in OPTIONS.items() for value in reading.values[1:]]
LEAN = 30  # positions compared of those that a reading changes, and as many of all
DRAWN = 50_000
SEARCHED = 1 << 21  # keys; on larger boards all are drawn from, also those that play does not reach

# What two rules can do together: drawn once, so that equal runs stay equal.
MIXTURES = [
    {"backward": "diagonal_ok", "line_transit": "final_only", "back_jump": "net_forward"},
    {"finish_order": "entry", "order_transit": "final_only", "null_move": "legal"},
    {"finish_order": "entry", "backward": "diagonal_ok", "horizon": "ever", "finished": "breaks"},
    {"land_on_other": "ends_any", "back_jump": "net_forward", "pat": "no_progress"},
    {"passing": "always", "cannot_free": "lift", "s2_scope": "any_move"},
    {"passing": "blocked", "cannot_free": "lift", "conflict": "s1", "s2_scope": "cover_any"},
    {"passing": "never", "cannot_free": "pass", "s2_scope": "any_move", "s2_cause": "new"},
    {"pat": "no_progress", "horizon": "ever", "self_cover": "ignored", "blocker": "any_above"},
    {"pat": "no_move", "null_move": "legal", "passing": "always", "free": "lift"},
    {"pat": "no_progress", "cover_depth": "top", "conflict": "s1", "cannot_free": "lift", "lift_conflict": "yields"},
    {"s2_whose_pat": "anyone", "cover_depth": "top", "blocker": "any_above", "self_cover": "ignored"},
    {"s2_whose_pat": "anyone", "s2_scope": "any_move", "s2_cause": "new", "passing": "note5"},
]


def setting(params: Pairs, **readings: str) -> Choice:
    return Choice(GAME, GAME.params(dict(params)), GAME.rulebook.choose(readings))


@functools.lru_cache(maxsize=8)
def packing(params: Pairs, readings: Pairs = ()) -> NestPacking:
    return NestPacking(GAME.params(dict(params)), GAME.rulebook.choose(dict(readings)), SEARCHED)


def lists(block: Block) -> list[list[int]]:
    return [block.succ[a:b].tolist() for a, b in zip(block.first, block.first[1:], strict=False)]


def differences(params: Pairs, readings: Pairs, keys: NDArray[np.int64]) -> list[str]:
    return differences_of(packing(params, readings), setting(params, **dict(readings)), keys)


def differences_of(packed: NestPacking, chosen: Choice, keys: NDArray[np.int64]) -> list[str]:
    """Positions whose successors are not what the engine's moves lead to, or are listed twice."""
    engine, block, found = chosen.engine(), packed.expand(keys), []
    for key, kind, given in zip(keys.tolist(), block.kind, lists(block), strict=True):
        if kind == Kind.VOID:
            continue
        position = packed.unpack(key)
        results = engine.moves(position).values()
        wanted = {LOST if engine.winner(result) == position.mover else packed.pack(result) for result in results}
        once = len(given) == len(set(given))
        if not once or set(given) != wanted or kind != (Kind.MOVE if given else Kind.TIE):
            found.append(str(position))
    return found


def telling(params: Pairs, readings: Pairs, most: int) -> NDArray[np.int64]:
    """Keys drawn at random: some in whose moves the readings show, and as many of all."""
    packed, rng = packing(params, readings), np.random.default_rng(1)
    size = packed.ranking.size
    numbers = np.arange(size) if size <= DRAWN else np.unique(rng.integers(0, size, DRAWN))
    keys = rng.permutation(packed.ranking.unrank(numbers))
    keys = keys[packed.expand(keys).kind != Kind.VOID]
    if not readings or "finish_order" in dict(readings):  # which changes the keys
        return keys[:most]
    shows = (sums(packed.expand(keys)) != sums(packing(params).expand(keys))).any(axis=0)
    return np.unique(np.concatenate([keys[shows][:most], keys[:most]]))


def sums(block: Block) -> NDArray[np.int64]:
    """How many successors each key has, and the sum of their keys."""
    total = np.append(0, np.cumsum(block.succ))
    return np.stack([np.diff(block.first), np.diff(total[block.first])])


# -- Against the engine ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_each_reading_gives_the_moves_of_the_engine(name: str, value: str) -> None:
    readings = ((name, value),)
    keys = telling(SQUARE, readings, LEAN)
    assert differences(SQUARE, readings, keys) == []
    # A comparison that cannot fail is worthless: held against the default rules, the same lists are wrong.
    seen = differences_of(packing(SQUARE, readings), setting(SQUARE), keys) != []
    assert seen == (name not in UNSEEN)


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("lift_conflict", (("conflict", "s1"), ("cannot_free", "lift"))),
        ("s2_whose_pat", (("s2_scope", "cover_any"),)),
        ("s2_whose_pat", (("s2_scope", "any_move"), ("s2_cause", "new"))),
    ],
)
def test_what_other_readings_bring_out_gives_the_moves_of_the_engine(name: str, base: Pairs) -> None:
    first, second = ((*base, (name, value)) for value in GAME.rulebook.options[name].values)
    ranking = packing(SQUARE, first).ranking
    keys = ranking.unrank(np.arange(ranking.size))
    keys = keys[packing(SQUARE, second).ranking.rank(keys) >= 0]  # results of the others are not numbered there
    found = [lists(packing(SQUARE, readings).expand(keys)) for readings in (first, second)]
    told_apart = np.array([key for key, one, other in zip(keys, *found, strict=True) if one != other])[: 10 * LEAN]
    assert len(told_apart)
    for readings in (first, second):
        assert differences(SQUARE, readings, told_apart) == []
    assert differences_of(packing(SQUARE, first), setting(SQUARE, **dict(second)), told_apart)


@pytest.mark.parametrize(("name", "value"), [pair for pair in VALUES if pair[0] in PAT])
def test_each_reading_of_the_pat_rule_on_the_next_board(name: str, value: str) -> None:
    readings = ((name, value),)
    assert differences(CROSS, readings, telling(CROSS, readings, LEAN)) == []


@pytest.mark.parametrize("mixture", MIXTURES, ids=lambda mixture: "-".join(mixture.values()))
@pytest.mark.parametrize("params", [SQUARE, TWO_NESTS, EAST, LARGE])
def test_readings_that_meet_give_the_moves_of_the_engine(params: Pairs, mixture: dict[str, str]) -> None:
    readings = tuple(mixture.items())
    assert differences(params, readings, telling(params, readings, LEAN)) == []


@pytest.mark.parametrize("params", [SQUARE, CROSS, EAST, TWO_NESTS, LARGE, WIDE, WIDEST])
def test_moves_are_those_of_the_engine(params: Pairs) -> None:
    assert differences(params, (), telling(params, (), 300)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), [("pat", "note5"), *VALUES])
def test_every_position_gives_the_moves_of_the_engine(name: str, value: str) -> None:
    readings = ((name, value),)
    ranking = packing(SQUARE, readings).ranking
    assert differences(SQUARE, readings, ranking.unrank(np.arange(ranking.size))) == []


# -- Symmetry ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "step"),
    [(SQUARE, 100), (CROSS, 5000), pytest.param(SQUARE, 1, marks=pytest.mark.slow)],
)
def test_reflection_exchanges_the_players(params: Pairs, step: int) -> None:
    """B's moves are A's in the mirror, so that the player to move may always be taken for A."""
    packed, engine, seen = packing(params), setting(params).engine(), 0
    for number in range(0, packed.ranking.size, step):
        before = packed.unpack(int(packed.ranking.unrank(np.array([number]))[0]))
        for position in engine.moves(before).values():
            image = normalised(engine.params, position)
            assert (position.mover, image.mover) == ("B", "A")
            assert (engine.winner(position), engine.winner(image)) in ((None, None), ("A", "B"))
            if engine.winner(position) is None:
                there = {normalised(engine.params, result) for result in engine.moves(image).values()}
                assert there == set(engine.moves(position).values())
                seen += 1
    assert seen > 500


def test_the_start_is_its_own_mirror_image() -> None:
    for params in (SQUARE, CROSS, LARGE, TWO_NESTS):
        engine = setting(params).engine()
        start = engine.start()
        assert packing(params).unpack(packing(params).start) == start
        assert normalised(engine.params, replace(start, mover="B")) == start


# -- Keys ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("params", [SQUARE, CROSS, EAST, TWO_NESTS, LARGE, WIDEST])
def test_keys_and_numbers_round_trip(params: Pairs) -> None:
    packed, game = packing(params), GAME.params(dict(params))
    numbers = np.random.default_rng(2).integers(0, packed.ranking.size, 500)
    keys = packed.ranking.unrank(numbers)
    assert (packed.ranking.rank(keys) == numbers).all()
    for key, kind in zip(keys.tolist(), packed.expand(keys).kind, strict=True):
        if kind != Kind.VOID:
            position = packed.unpack(key)
            assert packed.pack(position) == key
            assert GAME.read_position(game, str(position)) == position


def test_numbers_of_no_position_are_void() -> None:
    """Two pyramids of one size on one square: only such numbers, and all of them."""
    packed = packing(LARGE)
    keys = np.random.default_rng(3).integers(0, packed.ranking.size, 2000)
    kinds = packed.expand(keys).kind
    assert 0 < (kinds == Kind.VOID).sum() < 1000
    for key, kind in zip(keys.tolist(), kinds, strict=True):
        stacks = packed.unpack(key).stacks
        assert (kind == Kind.VOID) == any(len({q.pips for q in stack}) < len(stack) for stack in stacks)


def test_what_cannot_arise_has_no_key() -> None:
    for text in ("A a2:B1B2B3 c4:A1A2A3", "A c1:A1A3 a2:B1B2B3 b4:A2"):  # won, and out of order
        assert packing(SQUARE).pack(read(SQUARE, text)) is None
    lost = Position("A", ((),) * 12, GAME.params(dict(SQUARE)).squares)
    assert packing(SQUARE).pack(lost) is None


def read(params: Pairs, text: str) -> Position:
    found: Position = GAME.read_position(GAME.params(dict(params)), text)
    return found


def test_games_that_cannot_be_numbered_are_refused() -> None:
    readings = GAME.rulebook.defaults()
    with pytest.raises(InputError, match="can be numbered"):
        nestrace.packing(GAME.params({}), readings)
    assert nestrace.packing(GAME.params({"players": "4"}), readings) is None


# -- Solved values and their tables ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "readings", "worth", "counts"),
    [
        (SQUARE, {}, "draw", (24864, 14757, 0, 4452)),
        (SQUARE, {"passing": "never"}, "tie in 7", (21968, 12066, 9841, 191)),
        (CROSS, {}, "win in 31", (392290, 190412, 0, 16743)),
        (CROSS, {"pat": "off"}, "draw", (270617, 138624, 0, 200171)),
    ],
)
def test_known_values(
    params: Pairs, readings: dict[str, str], worth: str, counts: tuple[int, ...], tmp_path: Path
) -> None:
    found = solving.solve_space(setting(params, **readings), tmp_path)
    stated = about(found.space, found.outcomes.outcome, found.outcomes.distance)
    assert (found.worth.text, tuple(stated[name] for name in ("win", "loss", "tie", "draw"))) == (worth, counts)


@pytest.mark.slow
@pytest.mark.parametrize("readings", [{}, {"passing": "never"}])
def test_the_engine_alone_comes_to_the_same_values(readings: dict[str, str]) -> None:
    chosen = setting(SQUARE, **readings)
    graph, packed = explored_graph(chosen), space_of(chosen)
    plain, quick = solve_outcomes(graph.arena), solve_outcomes(packed)
    nodes = zip(graph.play, graph.node, strict=True)
    worth = {position: (plain.outcome[node], plain.distance[node]) for position, node in nodes}
    numbers = range(len(packed) - packed.endings)
    assert len(numbers) == sum(chosen.engine().winner(position) is None for position in worth)
    assert all(worth[packed.position(n)] == (quick.outcome[n], quick.distance[n]) for n in numbers)


@pytest.fixture
def found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "find", lambda slug: GAME)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return solving.solve_space(setting(SQUARE), tmp_path_factory.mktemp("tables")).path


def rewritten(table: Path, change: Callable[[dict[str, Any], Header], Header | None]) -> Path:
    with open_table(table) as opened:
        columns, header = {name: opened.column(name).copy() for name in opened.columns}, opened.header
    path = table.parent / "changed.table"
    write_table(path, change(columns, header) or header, columns)
    return path


@pytest.mark.usefixtures("found_by_name")
def test_a_table_is_certified(table: Path) -> None:
    proof = certifying.certify(table, whole=0, sample=300)
    assert (proof.positions, proof.compared, proof.problems) == (44073, 300, ())
    assert proof.headline.startswith(
        "PROVED given the compiled moves, which agree with the engine at 300 of 44,073 positions"
    )
    other = certifying.certify(table, whole=0, sample=300)
    assert proof.seed != other.seed  # one in four thousand million that they are


class Forgetful(NestPacking):
    """Leaves out a move of ten positions."""

    def expand(self, keys: NDArray[np.int64]) -> Block:
        kind, first, succ = super().expand(keys)
        kept = np.ones(len(succ), dtype=np.bool_)
        if hasattr(self, "forgotten"):
            kept[first[1:][np.isin(keys, self.forgotten)] - 1] = False
        return Block(kind, np.append(0, np.cumsum(kept))[first], succ[kept])


@pytest.mark.slow
def test_a_rule_wrong_at_ten_positions_is_noticed(table: Path) -> None:
    """Of 44,073; a sample of 300 would pass in 93 of 100 trials."""
    chosen = setting(SQUARE)
    wrong = Forgetful(chosen.params, chosen.readings)
    space = Packed(wrong)
    rich = np.flatnonzero(degrees(space, np.arange(44073)) > 1)
    forgotten = rich[:: len(rich) // 10][:10]
    wrong.forgotten = wrong.ranking.unrank(forgotten)
    assert len(certifying.Limits().chosen(44073, lambda numbers: numbers)) == 44073
    problems = move_problems(chosen, space, range(44073))
    assert [problem.partition(": ")[0] for problem in problems] == [str(space.position(n)) for n in forgotten]
    assert all("the engine's moves also lead to other" in problem for problem in problems)


@pytest.mark.usefixtures("found_by_name")
@pytest.mark.parametrize(("row", "outcome", "more"), [(0, "WIN", 2), (20_000, "LOSS", 0), (44_072, "WIN", 2)])
def test_one_corrupted_value_is_refused(row: int, outcome: str, more: int, table: Path) -> None:
    def corrupt(columns: dict[str, Any], header: Header) -> None:
        columns["outcome"][row] = Outcome[outcome]
        columns["distance"][row] += more

    problems = certifying.certify(rewritten(table, corrupt), whole=0, sample=10).problems
    assert any(problem.startswith(f"node {row}: says {outcome}") for problem in problems)


@pytest.mark.usefixtures("found_by_name")
def test_a_table_of_another_reading_is_refused(table: Path) -> None:
    """horizon=ever has the same positions here; only a reading that changes moves makes a lie of it."""

    def relabel(**readings: str) -> Callable[[dict[str, Any], Header], Header]:
        return lambda columns, header: replace(header, readings={**header.readings, **readings})

    assert certifying.certify(rewritten(table, relabel(horizon="ever")), whole=0, sample=10).problems == ()
    assert certifying.certify(rewritten(table, relabel(null_move="legal")), whole=0, sample=10).problems
    assert certifying.certify(rewritten(table, relabel(passing="blocked")), whole=0, sample=10).problems


def test_successors_of_other_rules_are_noticed() -> None:
    space = space_of(setting(SQUARE, null_move="legal"))
    numbers = certifying.numbers_to_compare(space, 100)
    assert move_problems(setting(SQUARE, null_move="legal"), space, numbers) == []
    assert move_problems(setting(SQUARE), space, numbers) != []


@pytest.mark.parametrize("params", [EAST, LARGE])
def test_certifying_compares_where_all_keys_are_numbered(params: Pairs) -> None:
    space = space_of(setting(params))
    numbers = certifying.numbers_to_compare(space, 50)
    assert move_problems(setting(params), space, numbers) == []


def test_the_report_weighs_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulecheck.games.nestrace import solved

    monkeypatch.setattr(solved, "GAME", GAME)
    monkeypatch.setattr(solved, "GAMES", {solved.SQUARE: solved.GAMES[solved.SQUARE]})
    usual, _, no_move, off = solved.impact(["pat"], 1, lambda what, done: None)
    assert (usual["value"], usual["distance"], usual["neither"]) == ("draw", None, [1, 1])
    assert usual["longest_win"]["distance"] == len(usual["longest_win"]["line"]) == 23
    assert no_move["changed"] == {"compared": 43936, "value": 17048, "distance": 7277}
    assert off["readings"] == {"pat": "off"}
    assert "pat=off: 16,588 and 6,909" in solved._who_wins([usual, no_move, off])
