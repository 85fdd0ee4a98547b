"""Protects: values of solved games, the proofs of their tables, and what `solve`, `probe` and `certify` answer."""

from __future__ import annotations

import functools
import json
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rulecheck import registry
from rulecheck.contract import brought
from rulecheck.model import InputError
from rulecheck.registry import Choice
from rulecheck.solve import certifying, comparing, graph_views, tables
from rulecheck.solve import solver as solving
from rulecheck.solve.probing import probe_table
from rulecheck.solve.solver import ChartSolved
from rulecheck.solve.spaces import key_of
from rulecheck.solve.tables import Chart, drawn_chart, header_of, table_name
from solvers.certificate import ONE, Bounds
from solvers.exact import ExactValues, solve_exactly
from solvers.graph import Kind
from solvers.tablebase import Header, open_table, write_table

Runner = Callable[..., Any]
EXPECTED = tomllib.loads((Path(__file__).parents[1] / "expected" / "solved.toml").read_text())["solved"]

TINY = (("squares", "3"), ("sizes", "1"), ("pedestrians", "1"))
NARROW = (("squares", "2"), ("sizes", "12"))
THREE = (("squares", "3"), ("sizes", "12"), ("pedestrians", "none"))
LANE = (("squares", "4"), ("sizes", "1"), ("pedestrians", "1,-"))
FOUR = (("squares", "4"), ("sizes", "1"), ("pedestrians", "1,1"))
FIVE = (("squares", "5"), ("sizes", "12"), ("pedestrians", "none"))
WALKER = (("squares", "3"), ("sizes", "12"), ("pedestrians", "1"))
Pairs = tuple[tuple[str, str], ...]
TABLES = tempfile.TemporaryDirectory(prefix="rulecheck-tables-")  # removed when the tests end

# Other readings that the single-step graph has to get right, alone and where they meet.
STEPWISE = (
    {},
    {"win": "end_of_turn"},
    {"relocation": "must"},
    {"reloc_from": "board"},
    {"reloc_onto": "no_direct"},
    {"relocation": "must", "reloc_null": "forbidden"},
    {"finish_entry": "nest_order"},
    {"after_relocation": "then_spend"},
    {"after_relocation": "then_spend", "relocation": "must", "win": "end_of_turn"},
)


def setting(params: Pairs, **readings: str) -> Choice:
    game = registry.find("crosswalk")
    return Choice(game, game.params(dict(params)), game.rulebook.choose(readings))


@functools.cache
def solved(params: Pairs, readings: Pairs = ()) -> ChartSolved:
    return solving.solve_chart(setting(params, **dict(readings)), Path(TABLES.name))


@functools.cache
def exact(params: Pairs) -> ExactValues:
    return solve_exactly(solved(params).chart.arena)


def options(params: Pairs) -> list[str]:
    return [text for key, value in params for text in ("-p", f"{key}={value}")]


# -- Values --------------------------------------------------------------------------------------------------


def rows() -> list[Any]:
    def name(row: dict[str, Any]) -> str:
        return "-".join([*row["params"].values(), *row.get("readings", {})])

    marks = {True: [pytest.mark.slow], False: []}
    return [pytest.param(row, id=name(row), marks=marks[row.get("slow", False)]) for row in EXPECTED]


@pytest.mark.parametrize("row", rows())
def test_known_values(row: dict[str, Any]) -> None:
    found = solved(tuple(row["params"].items()), tuple(row.get("readings", {}).items()))
    assert (len(found.chart.keys), len(found.chart.arena)) == (row["positions"], row["nodes"])
    assert found.solution.reached
    for name in ("win", "loss"):
        bound = getattr(found.worth.values, name)
        assert bound.low / ONE - 1e-7 <= row[name] <= bound.high / ONE + 1e-7


@pytest.mark.parametrize("params", [TINY, NARROW, FOUR, WALKER])
def test_nobody_is_promised_more_than_everything(params: Pairs) -> None:
    bounds = solved(params).solution.bounds
    assert (bounds.low_f + bounds.low_g <= ONE).all()
    assert (bounds.low_f > 0).any()


@pytest.mark.parametrize(("params", "rounds"), [(TINY, 300), (LANE, 400)])
def test_the_networkx_reference_arrives_at_the_same(params: Pairs, rounds: int) -> None:
    from solvers.reference import iterate_values

    found = solved(params)
    below = iterate_values(found.chart.arena.to_networkx(), 0.0, rounds)
    for row, node in enumerate(found.chart.nodes.tolist()):
        for role, bound in enumerate(tables.values_at(found.solution.bounds, row)):
            assert bound.low / ONE - 1e-6 <= below[node, role] <= bound.high / ONE + 1e-12


@pytest.mark.parametrize("params", [NARROW, THREE, FOUR, FIVE])
def test_the_networkx_reference_finds_nothing_to_change(params: Pairs) -> None:
    """Where the reference would need too many rounds to arrive: the exact values are a fixpoint of one."""
    from solvers.reference import bellman

    graph, values = solved(params).chart.arena.to_networkx(), exact(params)
    x = {(v, role): float(worth[v]) for v in graph for role, worth in enumerate((values.f, values.g))}
    assert all(abs(bellman(graph, x, *key) - value) < 1e-12 for key, value in x.items())


@pytest.mark.parametrize("params", [TINY, NARROW, THREE, FOUR, FIVE])
def test_exact_fractions_lie_within_the_bounds(params: Pairs) -> None:
    found, values = solved(params), exact(params)
    for row, node in enumerate(found.chart.nodes.tolist()):
        win, loss = tables.values_at(found.solution.bounds, row)
        assert win.low <= values.f[node] * ONE <= win.high
        assert loss.low <= values.g[node] * ONE <= loss.high


def test_a_start_to_the_last_digit() -> None:
    assert solved(TINY).exact_start() == ("105234/130355", "25121/130355")


def test_an_exact_value_outside_its_bounds_is_no_answer() -> None:
    found = solved(TINY)
    bounds = found.solution.bounds
    shifted = replace(bounds, low_f=bounds.low_f // 2, high_f=bounds.low_f // 2)
    wrong = replace(found, solution=replace(found.solution, bounds=shifted))
    with pytest.raises(solving.NotProvedError, match="outside its bounds"):
        wrong.exact_start()


# -- The graph -----------------------------------------------------------------------------------------------


def charts(chosen: Choice) -> tuple[Chart, Chart]:
    from rulecheck.games.crosswalk.solving import chart_by_steps, chart_by_turns

    engine: Any = chosen.engine()
    return chart_by_steps(engine), chart_by_turns(engine)


@pytest.mark.parametrize("readings", STEPWISE, ids=lambda readings: "-".join(readings.values()) or "defaults")
@pytest.mark.parametrize("params", [TINY, NARROW])
def test_step_by_step_is_turn_by_turn(params: Pairs, readings: dict[str, str]) -> None:
    chosen = setting(params, **readings)
    steps, turns = charts(chosen)
    assert (steps.keys, steps.start) == (turns.keys, turns.start)
    for row in range(len(steps.keys)):
        assert results(steps, row) == results(turns, row)
    assert graph_views.turn_problems(chosen, steps, range(len(steps.keys))) == []


def results(chart: Chart, row: int) -> list[set[str]]:
    return [graph_views.chart_ends(chart, node) for node in chart.arena.successors(int(chart.nodes[row]))]


def test_both_graphs_have_the_same_values() -> None:
    from solvers.stochastic import solve

    steps, turns = (solve(chart.arena).bounds for chart in charts(setting(WALKER)))
    for name in "fg":
        low = np.maximum(getattr(steps, f"low_{name}"), getattr(turns, f"low_{name}"))
        assert (low <= np.minimum(getattr(steps, f"high_{name}"), getattr(turns, f"high_{name}"))).all()


@pytest.mark.parametrize(
    "readings",
    [{"spend": "max_points"}, {"spend": "until_stuck"}, {"null_turn": "forbidden"}, {"finish_bounce": "forbidden"}],
    ids=lambda readings: "-".join(readings.values()),
)
def test_other_readings_are_solved_turn_by_turn(readings: dict[str, str]) -> None:
    found = solved(TINY, tuple(readings.items()))
    assert set(found.chart.arena.kind) <= {Kind.CHANCE, Kind.MOVE, Kind.LOSS}
    assert found.solution.reached


@pytest.mark.parametrize("first", ["A", "B"])
def test_every_position_of_play_is_kept_once(first: str) -> None:
    """Searched with the engine alone and without turning the board round."""
    chosen = setting((*NARROW, ("first", first)))
    engine = chosen.engine()
    seen, queue = {engine.start()}, [engine.start()]
    for position in queue:
        found = {after for rolled in brought(engine, position) for after in engine.moves(rolled).values()}
        queue += found - seen
        seen |= found
    assert sorted({key_of(chosen, p) for p in seen if not engine.winner(p)}) == drawn_chart(chosen).keys
    assert {p.mover for p in seen} == {"A", "B"}


@pytest.mark.parametrize("readings", [{}, {"spend": "max_points"}], ids=["by-steps", "by-turns"])
def test_a_game_that_is_too_large_is_refused(readings: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    from rulecheck.games.crosswalk import solving as charting

    monkeypatch.setattr(charting, "MOST_STACKS", 30)
    monkeypatch.setattr(charting, "TICK", 1)
    with pytest.raises(InputError, match="more than 30 positions, too many to be solved here"):
        drawn_chart(setting(TINY, **readings))


def test_turns_of_another_reading_are_noticed() -> None:
    chart = drawn_chart(setting(TINY, win="end_of_turn"))
    assert graph_views.turn_problems(setting(TINY), chart, range(len(chart.keys)))


# -- Certificates --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("params", [TINY, THREE])
def test_certify_accepts_what_solve_wrote(params: Pairs) -> None:
    found = certifying.certify(solved(params).path)
    assert found.problems == ()
    assert found.compared == found.positions == len(solved(params).chart.keys)


def test_a_large_game_is_compared_by_strata_and_its_headline_says_so() -> None:
    found = certifying.certify(solved(WALKER).path, whole=100, sample=20)
    assert (found.problems, found.compared, found.positions) == ((), 20, 3707)
    assert found.headline.startswith(
        "PROVED given the compiled moves, which agree with the engine at 20 of 3,707 positions, and the symmetry"
    )
    assert found.alike is not None
    assert (found.alike.compared, found.alike.everywhere) == (20, False)


def test_a_draw_takes_what_is_rare_and_is_made_afresh() -> None:
    """Of 5,000 numbers three are of a kind of their own, and one is not to be compared."""

    def strata(numbers: Any) -> Any:
        return np.where(numbers == 17, -1, np.where(np.isin(numbers, (5, 600, 4999)), 7, numbers % 2))

    draws = [comparing.draw(5000, strata, 40, seed) for seed in range(30)]
    for drawn in draws:
        assert drawn == sorted(set(drawn))
        assert len(drawn) == 40
        assert {5, 600, 4999} < set(drawn)
        assert 17 not in drawn
        odd = sum(number % 2 for number in set(drawn) - {5, 600, 4999})
        assert 18 <= odd <= 19
    assert len(set(map(tuple, draws))) == 30
    assert comparing.draw(5000, strata, 40, 3) == draws[3]
    assert comparing.draw(5000, strata, 9000, 3) == [number for number in range(5000) if number != 17]


def test_a_draw_from_very_many_looks_at_some_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "POOL", 500)
    drawn = comparing.draw(10**9, lambda numbers: numbers % 3, 90, 1)
    assert len(drawn) == 90
    assert [sum(number % 3 == kind for number in drawn) for kind in range(3)] == [30, 30, 30]


def undecided_row(name: str) -> int:
    """A row whose exact value lies strictly between its bounds, so that closing them on either side is a lie."""
    found, values = solved(TINY), exact(TINY)
    for row, node in enumerate(found.chart.nodes.tolist()):
        bound = tables.values_at(found.solution.bounds, row)["fg".index(name)]
        if 0 < bound.low < getattr(values, name)[node] * ONE < bound.high:
            return row
    raise AssertionError("every bound is exact")


def lower(bounds: Bounds, name: str) -> None:
    row = undecided_row(name)
    getattr(bounds, f"high_{name}")[row] = getattr(bounds, f"low_{name}")[row]


def lift(bounds: Bounds, name: str) -> None:
    row = undecided_row(name)
    getattr(bounds, f"low_{name}")[row] = getattr(bounds, f"high_{name}")[row]


def unrank(bounds: Bounds, name: str) -> None:
    getattr(bounds, f"rank_{name}")[undecided_row(name)] = 0


def blunder(bounds: Bounds, name: str) -> None:
    """Choose a clearly worse first step for one roll."""
    arena, values = solved(TINY).chart.arena, exact(TINY)
    for node in {s for v in solved(TINY).chart.nodes for s in arena.successors(int(v))}:
        worth = [values.f[s] for s in arena.successors(node)]
        if arena.kind[node] == Kind.STEP and min(worth) < values.f[node] - Fraction(1, 100):
            bounds.choice[node] = worth.index(min(worth))
            return
    raise AssertionError("no step is a blunder")


@pytest.mark.parametrize(
    ("corrupt", "name", "complaint"),
    [
        (lower, "f", "upper bound of f"),
        (lower, "g", "upper bound of g"),
        (lift, "f", "lower bound of f"),
        (lift, "g", "lower bound of g"),
        (unrank, "f", "rank of f"),
        (unrank, "g", "rank of g"),
        (blunder, "choice", "lower bound of f"),
    ],
)
def test_one_corrupted_value_is_rejected(
    corrupt: Callable[[Bounds, str], None], name: str, complaint: str, tmp_path: Path, rulecheck: Runner
) -> None:
    found = solved(TINY)
    bounds = Bounds(**{key: column.copy() for key, column in found.solution.bounds.columns().items()})
    corrupt(bounds, name)
    path = tmp_path / "corrupted.table"
    tables.write_solution(path, found.choice, found.chart, bounds)
    run = rulecheck("certify", str(path), "--json")
    assert (run.status, json.loads(run.out)["result"]) == (1, "REFUTED")
    assert any(complaint in problem for problem in json.loads(run.out)["problems"])


def test_other_positions_are_rejected(tmp_path: Path) -> None:
    found = solved(TINY)
    odd = replace(found.chart, keys=[*found.chart.keys[:-1], b"z"])
    tables.write_solution(tmp_path / "odd.table", found.choice, odd, found.solution.bounds)
    (problem,) = certifying.certify(tmp_path / "odd.table").problems
    assert "its 41 positions are not the 41 of the game" in problem


def test_a_header_that_boasts_is_rejected(tmp_path: Path) -> None:
    found = solved(TINY)
    header = header_of(found.choice, **{**tables.about(found.chart, found.solution.bounds), "width": 1e-9})
    write_table(tmp_path / "boast.table", header, found.solution.bounds.columns(), found.chart.keys)
    (problem,) = certifying.certify(tmp_path / "boast.table").problems
    assert problem.startswith("its header says width 1e-09")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"game": "draughts"}, "unknown game 'draughts'"),
        ({"rulebook": "0" * 64}, "another rulebook"),
        ({"parameters": {"squares": "99"}}, "other parameters or readings"),
        ({"parameters": {"squares": 3}}, "other parameters or readings"),
        ({"parameters": {}}, "does not state all parameters"),
        ({"readings": {"spend": "never"}}, "other parameters or readings"),
        ({"readings": {}}, "does not state all parameters"),
    ],
)
def test_a_table_of_something_else_is_refused(
    change: dict[str, Any], sentence: str, tmp_path: Path, rulecheck: Runner
) -> None:
    found, path = solved(TINY), tmp_path / "foreign.table"
    header: Header = replace(header_of(found.choice), **change)
    write_table(path, header, found.solution.bounds.columns(), found.chart.keys)
    run = rulecheck("certify", str(path))
    assert (run.status, run.out) == (2, "")
    assert sentence in run.err
    assert run.err.count("\n") == 1


# -- Probing -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("params", "stride"), [(TINY, 1), (NARROW, 3), (WALKER, 97)])
def test_stored_bounds_follow_from_one_turn_ahead(params: Pairs, stride: int) -> None:
    """Proved bounds are inductive: one roll and one turn by the engine must not make them false."""
    found = solved(params)
    with open_table(found.path) as table:
        for key in found.chart.keys[::stride]:
            position = found.choice.game.read_position(found.choice.params, key.decode())
            answer = probe_table(table, found.choice, position)
            for name in ("win", "loss"):
                stored = getattr(answer.worth.values, name)
                ahead = [getattr(roll.worth.values, name) for roll in answer.ways]
                assert stored.low * len(ahead) <= sum(bound.low for bound in ahead)
                assert stored.high * len(ahead) >= sum(bound.high for bound in ahead)


def test_the_other_side_sees_the_same() -> None:
    found = solved(WALKER)
    start = found.choice.engine().start()
    with open_table(found.path) as table:
        here, there = (probe_table(table, found.choice, p) for p in (start, start.mirrored()))
    assert here.worth.values == there.worth.values
    assert [roll.worth.values for roll in here.ways] == [roll.worth.values for roll in there.ways]


def test_probe_ranks_the_turns_of_a_roll(rulecheck: Runner) -> None:
    table = str(solved(WALKER).path)
    run = rulecheck("probe", "crosswalk", *options(WALKER), "--table", table, "--roll", "6", "--json")
    answer = json.loads(run.out)
    (roll,) = answer["rolls"]
    assert (roll["roll"], answer["best"]) == (6, {"6": roll["turns"][0]["move"]})
    assert answer["low"] == max(turn["low"] for turn in roll["turns"]) == roll["turns"][0]["low"]
    for turn in roll["turns"]:
        assert turn["loses"]["low"] == max(0.0, answer["low"] - turn["high"])
        assert turn["loses"]["high"] == max(0.0, answer["high"] - turn["low"])
    legal = json.loads(rulecheck("moves", "crosswalk", *options(WALKER), "--roll", "6", "--json").out)["moves"]
    assert {turn["move"] for turn in roll["turns"]} == {entry["move"] for entry in legal}


def test_probe_prints_what_each_roll_is_worth(rulecheck: Runner) -> None:
    run = rulecheck("probe", "crosswalk", *options(TINY), "--table", str(solved(TINY).path))
    assert run.status == 0
    assert "the player to move can force  0.807287" in run.out
    assert [line.split(":")[0] for line in run.out.splitlines() if line.startswith("with")] == [
        f"with {roll} (1 of 6)" for roll in range(1, 7)
    ]


@pytest.mark.parametrize("mover", "AB")
def test_probe_knows_the_end_of_the_game(mover: str, rulecheck: Runner) -> None:
    """Nobody is to act any more, so it is told for the first player."""
    table = str(solved(TINY).path)
    run = rulecheck("probe", "crosswalk", f"{mover} 0:A1 2:P1 3:B1", *options(TINY), "--table", table, "--json")
    answer = json.loads(run.out)
    assert (answer["for"], answer["low"], answer["high"], answer["best"]) == ("A", 1.0, 1.0, [])


def test_ranges_are_printed_rounded_outwards() -> None:
    third = tables.Range(ONE // 3, ONE // 3 + 1)
    assert str(third) == "0.3333333 to 0.3333334"
    assert str(tables.Range(ONE, ONE)) == "1.0000000"


# -- Commands ------------------------------------------------------------------------------------------------


def test_solve_probe_certify(tmp_path: Path, rulecheck: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = rulecheck("solve", "crosswalk", *options(TINY), "--exact", "--json")
    found = json.loads(run.out)
    assert (run.status, run.err) == (0, "")
    assert found["low"] <= 105234 / 130355 <= found["high"]
    assert (found["value"], found["distance"], found["positions"]) == ("105234/130355", None, 41)
    assert found["width"] <= 1e-6
    assert list(found["best"]) == ["1", "2", "3", "4", "5", "6"]
    assert [path.name for path in (tmp_path / "tables").iterdir()] == [Path(found["table"]).name]
    assert rulecheck("certify", found["table"]).out.startswith("PROVED: bounds of 41 positions")
    answer = json.loads(rulecheck("probe", "crosswalk", *options(TINY), "--json").out)
    assert (answer["low"], answer["best"]) == (found["low"], found["best"])


def test_solve_in_words(tmp_path: Path, rulecheck: Runner) -> None:
    run = rulecheck("solve", "crosswalk", *options(TINY), "--out", str(tmp_path), "--exact")
    assert run.out.startswith("41 positions, all bounds within")
    assert "exactly: 105234/130355 and 25121/130355" in run.out


@pytest.mark.parametrize("width", ["0", "-1", "nan", "2"])
def test_a_width_that_is_none_is_refused(width: str, tmp_path: Path, rulecheck: Runner) -> None:
    run = rulecheck("solve", "crosswalk", *options(TINY), "--out", str(tmp_path), "--width", width)
    assert run.status == 2
    assert "the width of the bounds must be more than 0" in run.err
    assert list(tmp_path.iterdir()) == []


def test_a_width_out_of_reach_is_a_finding(tmp_path: Path, rulecheck: Runner) -> None:
    run = rulecheck("solve", "crosswalk", *options(TINY), "--out", str(tmp_path), "--width", "1e-15")
    assert run.status == 1
    assert "the bounds hold, but are wider than the 1e-15 asked for" in run.out


def test_what_the_checker_rejects_is_not_written(
    tmp_path: Path, rulecheck: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "check_bounds", lambda arena, bounds: ["node 7: made up"])
    run = rulecheck("solve", "crosswalk", *options(TINY), "--out", str(tmp_path))
    assert (run.status, run.out) == (1, "")
    assert run.err == "rulecheck: UNKNOWN, the checker does not accept the solver's answer: node 7: made up\n"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_none_is_refused(tmp_path: Path, rulecheck: Runner) -> None:
    (tmp_path / "file").write_text("")
    run = rulecheck("solve", "crosswalk", *options(TINY), "--out", str(tmp_path / "file"))
    assert run.status == 2
    assert "cannot write tables into" in run.err


def test_a_missing_table_names_the_command_that_makes_it(tmp_path: Path, rulecheck: Runner) -> None:
    run = rulecheck("probe", "crosswalk", *options(TINY), "-r", "win=end_of_turn", "--out", str(tmp_path))
    assert run.status == 2
    wanted = "rulecheck solve crosswalk -p squares=3 -p sizes=1 -p pedestrians=1 -r win=end_of_turn"
    assert run.err.endswith(f"make it with: {wanted} --out {tmp_path}\n")


def test_exact_fractions_of_a_large_game_are_refused(
    tmp_path: Path, rulecheck: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "MOST_EXACT", 40)
    run = rulecheck("solve", "crosswalk", *options(TINY), "--out", str(tmp_path), "--exact")
    assert run.status == 2
    assert "this game has 41 positions; up to 40" in run.err


def test_a_table_of_another_reading_is_refused(rulecheck: Runner) -> None:
    table = str(solved(TINY).path)
    run = rulecheck("probe", "crosswalk", *options(TINY), "-r", "win=end_of_turn", "--table", table)
    assert run.status == 2
    assert "is a table for readings" in run.err


def test_a_position_outside_play_is_refused(rulecheck: Runner) -> None:
    """Both players' smalls at the bottom of the other one's way: no turn ever leads there."""
    table = str(solved(THREE).path)
    run = rulecheck("probe", "crosswalk", "A 1:A1B1 3:A2B2", *options(THREE), "--table", table)
    held = open_table(solved(THREE).path).find(b"A 1:A1B1 3:A2B2")
    assert held is None
    assert run.status == 2
    assert "cannot arise from the start" in run.err


@pytest.mark.parametrize("command", ["probe", "certify"])
@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "text", "folder"])
def test_a_damaged_table_is_refused(command: str, damage: str, tmp_path: Path, rulecheck: Runner) -> None:
    path = tmp_path / "damaged.table"
    whole = bytearray(solved(TINY).path.read_bytes())
    if damage == "folder":
        path.mkdir()
    elif damage == "flipped":
        with open_table(solved(TINY).path) as table:
            offset = table._index[0][0]  # the first block holds the keys, which both commands read
        whole[offset + 5] ^= 1
        path.write_bytes(whole)
    else:
        path.write_bytes({"cut": whole[: len(whole) // 2], "empty": b"", "text": b"A 1:B1 3:A1\n"}[damage])
    asked = ["probe", "crosswalk", *options(TINY), "--table"] if command == "probe" else ["certify"]
    run = rulecheck(*asked, str(path))
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
    assert "damaged.table" in run.err


@pytest.mark.parametrize("name", ["no/such.table", "x" * 5000, "nul\0byte", ""])
def test_a_table_that_is_not_there_is_refused(name: str, rulecheck: Runner) -> None:
    for asked in (["certify", name], ["probe", "crosswalk", "--table", name]):
        run = rulecheck(*asked)
        assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)


def test_names_of_tables_tell_games_apart() -> None:
    readings = [{}, {"win": "end_of_turn"}, {"spend": "max_points"}]
    names = {table_name(setting(params, **chosen)) for params in (TINY, THREE, FIVE, WALKER) for chosen in readings}
    assert len(names) == 12
    others = {name: reading.values[-1] for name, reading in registry.find("crosswalk").rulebook.options.items()}
    assert len(table_name(setting(WALKER, **others))) < 150


# -- Interruptions -------------------------------------------------------------------------------------------


def interrupted(rounds: int) -> Callable[..., Any]:
    """The solver, stopped by the user after so many rounds."""
    from solvers.stochastic import solve

    def stopped(arena: Any, width: float, *, checkpoint: Callable[[Any], None], **others: Any) -> Any:
        left = rounds

        def count(plan: Any) -> None:
            nonlocal left
            if left == 0:
                raise KeyboardInterrupt
            left -= 1
            checkpoint(plan)

        return solve(arena, width, checkpoint=count, **others)

    return stopped


def test_an_interrupted_solve_is_resumed(tmp_path: Path, rulecheck: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["solve", "crosswalk", *options(TINY), "--out", str(tmp_path), "--json"]
    with monkeypatch.context() as patch:
        patch.setattr(solving, "solve", interrupted(rounds=2))
        run = rulecheck(*command)
    assert (run.status, run.out) == (130, "")
    assert "--resume" in run.err
    (kept,) = tmp_path.iterdir()
    assert kept.name in run.err
    found = json.loads(rulecheck(*command, "--resume").out)
    assert found["low"] <= 105234 / 130355 <= found["high"]
    assert [path.suffix for path in tmp_path.iterdir()] == [".table"]


def test_an_early_interruption_leaves_nothing(
    tmp_path: Path, rulecheck: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "solve", interrupted(rounds=0))
    run = rulecheck("solve", "crosswalk", *options(TINY), "--out", str(tmp_path))
    assert run.status == 130
    assert "--resume" not in run.err
    assert list(tmp_path.iterdir()) == []


def test_a_crash_costs_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing to wait for, every round is kept; the file is there before anybody interrupts."""
    monkeypatch.setattr(solving, "KEEP_EVERY", -1.0)
    seen = []
    keep = solving.ColumnKeeper.__call__
    monkeypatch.setattr(
        solving.ColumnKeeper, "__call__", lambda self, *plan: (keep(self, *plan), seen.append(self.store.path.exists()))
    )
    solving.solve_chart(setting(TINY), tmp_path)
    assert seen
    assert all(seen)


def test_resuming_needs_a_checkpoint(tmp_path: Path, rulecheck: Runner) -> None:
    run = rulecheck("solve", "crosswalk", *options(TINY), "--out", str(tmp_path), "--resume")
    assert run.status == 2
    assert "there is nothing to resume" in run.err


@pytest.mark.parametrize("plan", [np.zeros(7, dtype=np.int32), np.full(314, 99, dtype=np.int32)], ids=["short", "wild"])
def test_a_plan_of_another_graph_is_refused(plan: Any, tmp_path: Path, rulecheck: Runner) -> None:
    chosen = setting(TINY)
    path = tmp_path / f"{table_name(chosen)}.checkpoint"
    write_table(path, header_of(chosen), {"protagonist": plan, "opponent": plan})
    run = rulecheck("solve", "crosswalk", *options(TINY), "--out", str(tmp_path), "--resume")
    assert run.status == 2
    assert "does not fit this game" in run.err
