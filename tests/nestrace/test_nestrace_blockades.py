"""Nest race's pat rule taken apart: every position shown is what it is said to be, and every line of play is legal.

Protects: that a blockade in the report is one by the engine and by the constraints, that lines replay, that what is
said about other readings is what the engine says, and that bounds and proofs are able to fail.
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, ClassVar

import pytest

from rulecheck.explore import Explored
from rulecheck.games.nestrace import GAME, Position, read_move, read_params, read_position
from rulecheck.games.nestrace import stalemates as study
from rulecheck.games.nestrace.engine import Engine
from rulecheck.games.nestrace.playing import estimate
from rulecheck.games.nestrace.research import facts, proposal, small, statements
from rulecheck.games.nestrace.research.blockades import Blockades, blockades
from rulecheck.games.nestrace.research.proofgames import Retreat, replay
from rulecheck.games.nestrace.research.witnesses import KEPT, kept
from rulecheck.model import Status
from rulecheck.pyramids import Pyramid
from solvers.smt import Answer
from specs.nestrace.spec import Spec
from specs.nestrace.spec_scene import Flags

DEFAULTS = GAME.rulebook.defaults()
CASES = {case.name: case for case in study.CASES}
SIZE = {
    "pat-with-moves": 3,
    "pat-without-moves": 4,
    "freed-again": 4,
    "cover-doubled": 5,
    "cover-stuck": 5,
    "stuck-early": 6,
    "never-freed": 6,
    "first-blocker-stuck": 6,
    "collision": 7,
    "pat-by-line-mate": 7,
    "no-reading-helps": 9,
    "nothing-left": 10,
}


# -- The positions and the lines to them --------------------------------------------------------------------


def test_every_case_has_a_position_and_every_position_a_case():
    assert KEPT.keys() == CASES.keys() == SIZE.keys()


@pytest.mark.parametrize("name", KEPT)
def test_line_leads_to_the_position(name):
    engine, position, _ = kept(name, DEFAULTS)
    positions = replay(engine, KEPT[name].line.split())
    assert positions[-1] == position
    assert not any(engine.winner(p) for p in positions)


@pytest.mark.parametrize("name", KEPT)
def test_position_shows_what_it_is_kept_for(name):
    engine, position, moves = kept(name, DEFAULTS)
    assert CASES[name].shows(engine, position, moves)
    assert study.size(engine, position) == SIZE[name]
    assert CASES[name].shows(engine, engine.start(), ("c1-c2",)) is None, "the start shows nothing of the kind"


@functools.cache
def the_spec(players: str) -> Spec:
    return Spec(read_params({"players": players}), DEFAULTS)


@pytest.mark.parametrize("name", KEPT)
def test_constraints_see_the_same(name):
    """The other encoding agrees on who is in pat, what is forbidden, and what is legal."""
    engine, position, _ = kept(name, DEFAULTS)
    spec = the_spec(KEPT[name].players)
    flags = spec.scene.flags(position.stacks)
    seen, choice = facts.facts(engine, position), spec.choice(position.mover, flags)

    def ends(paths):
        return {(path[0], path[-1]) for path in paths}

    assert set(seen.victims) == set(spec.victims(position.mover, flags))
    assert ends(seen.base) == {(o, t) for o, _, t in choice.base}
    assert ends(seen.forbidden) == {(o, t) for o, _, t in choice.forbidden}
    assert ends(seen.options.paths) == {(o, t) for o, _, t in choice.legal}
    assert seen.options.may_pass == choice.may_pass


def test_facts_of_the_collision():
    engine, position, moves = kept("collision", DEFAULTS)
    seen = facts.facts(engine, position)
    assert [str(engine.named(path)) for path in seen.frees] == list(moves) == ["g7-g6"]
    assert seen.frees[0] in seen.forbidden
    assert engine.judge(position, read_move(engine.params, "g7-g6")).clauses == ("NR-30",)
    duty_first = Engine(engine.params, DEFAULTS.replace(conflict="s1"))
    assert [str(move) for move in duty_first.moves(position)] == ["g7-g6"]


def test_facts_of_the_move_less_blocker():
    engine, position, _ = kept("nothing-left", DEFAULTS)
    assert [str(move) for move in engine.moves(position)] == ["pass"]
    assert len(engine.moves(position)) == 1
    assert len(Engine(engine.params, DEFAULTS.replace(pat="off")).moves(position)) == 4


def test_duty_passes_to_the_second_blocker():
    engine, position, _ = kept("first-blocker-stuck", DEFAULTS)
    later = Position("D", position.stacks, position.squares)
    assert engine.victims(later) == {"A"}
    assert engine.options(later).due


# -- What is said about readings ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in KEPT if not CASES[name].smaller])
def test_rows_without_z3(name):
    row = study._row(CASES[name], DEFAULTS)
    assert row.result.status is Status.REFUTED
    assert row.result.witness.line == tuple(KEPT[name].line.split())


class Sharing(Spec):
    """No reading of the pat rule changes base moves, so specs of one board share what they look up for them."""

    known: ClassVar[dict[tuple[str, str, int, int], Any]] = {}

    def hops(self, c: str, z: int, o: int) -> Any:
        key = (str(self.params), c, z, o)
        if key not in self.known:
            self.known[key] = super().hops(c, z, o)
        return self.known[key]


@functools.cache
def spec_with(players: str, reading: str, value: str) -> Spec:
    return Sharing(read_params({"players": players}), DEFAULTS.replace(**{reading: value}), counted=False)


class Stated:
    """What the constraints say of a position, in the words of `facts`."""

    def __init__(self, spec: Spec, mover: str, flags: Flags) -> None:
        self.spec, self.mover, self.flags = spec, mover, flags
        self.choice = spec.choice(mover, flags)
        self.victims = spec.victims(mover, flags)
        base = self.choice.base
        self.frees = spec.freeing(mover, base, spec.readings["free"], flags)
        self.lifts = spec.freeing(mover, base, "lift", flags)

    def blockers(self, v: str) -> list[str]:
        spec = self.spec
        return [b for b in spec.others(v) if spec.test(("blocks", b, v), lambda b=b: spec.blocks(b, v))(self.flags)]

    def can_move(self, v: str) -> bool:
        return any(self.spec.base_moves(v, self.flags).values())

    def held_up(self, v: str) -> bool:
        """An uncovered pyramid is short of row 7."""
        return any(self.spec.is_early(v, o) for o, _ in self.spec.tops(v, self.flags))

    def play(self, text: str) -> Stated | None:
        """After this move, if it is legal."""
        following, path = self.spec.next_player(self.mover), text.split("-")
        if text == "pass":
            return Stated(self.spec, following, self.flags) if self.choice.may_pass else None
        o, t = (self.spec.params.number[name] for name in (path[0], path[-1]))
        for way in self.choice.legal:
            if (way[0], way[2]) == (o, t):
                return Stated(self.spec, following, self.spec.following(self.mover, way, self.flags))
        return None

    def round(self, moves: Sequence[str]) -> list[Stated]:
        """Its positions, if it is legal and leads back here."""
        found: list[Stated] = [self]
        for move in moves:
            after = found[-1].play(move)
            if after is None:
                return []
            found.append(after)
        back = (found[-1].mover, found[-1].flags) == (self.mover, self.flags)
        return found[:-1] if back else []

    def meets_a_duty(self) -> bool:
        return self.choice.owed is not None and bool(self.frees & self.choice.legal)

    def is_never_freed(self, moves: Sequence[str]) -> bool:
        turns = [at for at in self.round(moves) if at.mover == self.mover]
        victims = set.intersection(*(set(at.victims) for at in turns)) if turns else set()
        return bool(victims) and not any(at.frees & at.choice.legal for at in turns)

    def makes_a_pat_of_others(self, move: str) -> bool:
        after = self.play(move)
        others = self.spec.others(self.mover) if after else []
        new = [v for v in others if self.spec.in_pat(v, after.flags) and not self.spec.in_pat(v, self.flags)]
        return any(self.mover not in after.blockers(v) for v in new)


# Each case by the constraints: does the position, with the moves kept for it, show it?
SHOWN: dict[str, Callable[[Stated, Sequence[str]], bool]] = {
    "pat-with-moves": lambda at, _: any(at.can_move(v) for v in at.victims),
    "pat-without-moves": lambda at, _: any(not at.can_move(v) for v in at.victims),
    "stuck-early": lambda at, _: any(
        at.blockers(v) and not at.can_move(v) and at.held_up(v) for v in at.spec.others(at.mover)
    ),
    "freed-again": lambda at, moves: any(turn.meets_a_duty() for turn in at.round(moves)),
    "cover-doubled": lambda at, _: bool(at.victims and not at.frees and at.lifts),
    "never-freed": lambda at, moves: (
        at.is_never_freed(moves) or at.is_never_freed([m if n % 2 else "pass" for n, m in enumerate(moves)])
    ),
    "first-blocker-stuck": lambda at, _: (
        any(len(at.blockers(v)) > 1 for v in at.victims) and not at.frees & at.choice.legal
    ),
    "pat-by-line-mate": lambda at, moves: at.makes_a_pat_of_others(moves[0]),
    "nothing-left": lambda at, _: (
        bool(at.choice.base) and not at.choice.legal and at.choice.forbidden == at.choice.base
    ),
    "cover-stuck": lambda at, _: bool(at.victims and not at.frees and not at.lifts),
    "no-reading-helps": lambda at, _: bool(at.victims and not at.frees and not at.lifts),
    "collision": lambda at, _: bool(at.frees) and not at.frees & at.choice.legal,
}


def in_words(at: Stated) -> str:
    """The sentence of `facts.described`, from the constraints alone."""
    choice, count = at.choice, len(at.choice.base)
    who = f"{' and '.join(at.victims)} is in pat" if at.victims else "the mover owes nobody a freed pyramid"
    free = f"{len(at.frees)} free, " if at.victims else ""
    left = f"{len(choice.legal)} legal" + (", or a pass" if choice.may_pass else "")
    moves = f"{count} move{'' if count == 1 else 's'}"
    return f"{who}; of {at.mover}'s {moves} {free}{len(choice.forbidden)} forbidden, {left}"


@pytest.mark.parametrize("name", KEPT)
def test_other_readings(name):
    """What is told of each other reading, and which of them are repairs, is what the constraints say."""
    told, repairs = study._under(CASES[name], DEFAULTS)
    values = [(n, v) for n in study.READ for v in GAME.rulebook.options[n].values if v != DEFAULTS[n]]
    assert list(told) == [f"{n}={v}" for n, v in values]
    _, position, moves = kept(name, DEFAULTS)
    shown = {}
    for reading, value in values:
        spec = spec_with(KEPT[name].players, reading, value)
        at = Stated(spec, position.mover, spec.scene.flags(position.stacks))
        if CASES[name].tells is not facts.after_move:
            assert told[f"{reading}={value}"].startswith(in_words(at))
        shown[f"{reading}={value}"] = SHOWN[name](at, moves)
    assert repairs == tuple(key for key, shows in shown.items() if not shows and key != "pat=off")


@pytest.mark.parametrize(
    ("name", "repairs"),
    [
        ("cover-stuck", ("pat=no_move",)),
        ("cover-doubled", ("pat=no_move", "free=lift")),
        ("never-freed", ("pat=no_move", "free=lift", "cannot_free=lift")),
        ("collision", ("pat=no_move", "conflict=s1", "cover_depth=top", "s2_cause=new")),
        ("nothing-left", ("pat=no_move",)),
        ("no-reading-helps", ()),
    ],
)
def test_repairs(name, repairs):
    assert study._under(CASES[name], DEFAULTS)[1] == repairs


def test_under_other_readings_nothing_is_claimed_that_is_not_shown():
    row = study._row(CASES["cover-doubled"], DEFAULTS.replace(free="lift"))
    assert row.result.status is Status.UNKNOWN
    row = study._row(CASES["cover-doubled"], DEFAULTS.replace(conflict="s1"))
    assert row.result.status is Status.REFUTED
    assert "not asked" in row.result.scope


# -- The constraints behind the bounds ----------------------------------------------------------------------


def some_positions(count: int, seed: int) -> list[Position]:
    """Random arrangements in which A is nearly home, some of A's pyramids under B's."""
    params, rng = read_params({}), random.Random(seed)
    brink = [params.number[f"{file}7"] for file in "bcdefg"]
    core = [n for n, (column, row) in enumerate(params.places) if 1 < column < 8 and 1 < row < 8]
    found = []
    while len(found) < count:
        stacks = [[] for _ in params.squares]
        for file in "cdef":
            stacks[params.number[f"{file}8"]] = [Pyramid("A", z) for z in range(1, rng.randint(1, 4))]
        home = [pyramid for stack in stacks for pyramid in stack]
        away = [Pyramid("A", z) for z in (1, 2, 3) for _ in range(4 - home.count(Pyramid("A", z)))]
        places = brink if rng.random() < 0.7 else core
        placed = [(pyramid, rng.choice(places)) for pyramid in away]
        placed += [(Pyramid("B", z), rng.choice(core)) for z in (1, 2, 3) for _ in range(4)]
        for pyramid, n in sorted(placed, key=lambda item: item[0].pips):
            stacks[n].append(pyramid)
        if all(a.pips < b.pips for stack in stacks for a, b in pairwise(stack)):
            found.append(Position("B", tuple(map(tuple, stacks)), params.squares))
    return found


def test_formula_for_pat_is_the_engines():
    board = blockades()
    engine = Engine(board.spec.params, DEFAULTS)
    in_pat = board.spec.values.compiled(board.in_pat_now())
    positions = some_positions(400, seed=5) + [kept(n, DEFAULTS)[1] for n in KEPT if KEPT[n].players == "2"]
    answers = [engine.in_pat(p, "A") for p in positions]
    assert [in_pat(board.scene.flags(p.stacks)) for p in positions] == answers
    assert 8 <= sum(answers) < len(answers), "a test of both answers"


@pytest.mark.parametrize(
    "name", [name for name in KEPT if CASES[name].smaller in (Blockades.in_pat, Blockades.cover_doubled)]
)
def test_bound_is_tight(name):
    board = blockades()
    question = CASES[name].smaller(board)
    assert board.of_size(question, SIZE[name] - 1) is Answer.NO
    assert board.of_size(question, SIZE[name]) is Answer.YES
    position = board.least(question)
    engine = Engine(board.spec.params, DEFAULTS)
    assert study.size(engine, position) == SIZE[name]
    assert CASES[name].shows(engine, position, ())


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in KEPT if CASES[name].smaller])
def test_every_bound_is_tight(name):
    """z3 finds a position of that size, which the engine accepts, and none that is smaller."""
    board = blockades()
    question = CASES[name].smaller(board)
    assert board.of_size(question, SIZE[name] - 1) is Answer.NO
    assert board.of_size(question, SIZE[name]) is Answer.YES
    assert CASES[name].shows(Engine(board.spec.params, DEFAULTS), board.least(question), ())


def test_the_least_pat_is_the_same_whatever_was_asked_before():
    first = Blockades(read_params({}), DEFAULTS)
    alone = str(first.least(first.in_pat()))
    second = Blockades(read_params({}), DEFAULTS)
    for question in (second.cover_doubled, second.in_pat, second.without_large):
        second.of_size(question(), 9)
    assert str(second.least(second.in_pat())) == alone
    assert alone == "B b2:A2B3 h3:B1B2B3 h4:B1B2B3 h5:B1B2B3 h6:B1B2 b7:A3 c8:A1A2A3 d8:A1A2A3 e8:A1A2A3 f8:A1"


def test_jumps_into_the_finish_line_are_noticed():
    """The formula for pat needs that nothing jumps from row 7 to another row; with backward jumps that is not so."""
    with pytest.raises(ValueError, match="jump"):
        Blockades(read_params({}), DEFAULTS.replace(back_jump="net_forward"))


# -- What the notes take for granted ------------------------------------------------------------------------


def test_statements_are_proved():
    rows = statements.statements(DEFAULTS)
    assert [(row.name, row.result.status) for row in rows] == [
        ("lines", Status.PROVED),
        ("large-on-row-7", Status.PROVED),
        ("self-made", Status.PROVED),
    ]


def test_proof_that_pats_are_self_made_could_fail():
    board = blockades()
    assert board.of_size(board.made_by_other(lawful=False), 24) is Answer.YES, "without NR-30 the blocker makes pats"


def test_lines_matter_if_diagonals_are_never_backward():
    row = statements.statements(DEFAULTS.replace(backward="diagonal_ok"))[0]
    assert row.result.status is Status.REFUTED
    assert row.result.witness.move == "b2-c1"


# -- Small games -----------------------------------------------------------------------------------------------


def test_whole_play_of_the_smallest_game():
    (row,) = small.small_games([read_params(small.GAMES[0])], DEFAULTS)
    assert row.result.status is Status.REFUTED
    assert row.result.cases == 44_073
    counts = dict(part.split(": ") for part in row.result.witness.note.split("; "))
    assert [counts[kind] for kind in small.KINDS] == ["954", "861", "93", "167", "21", "75", "4"]
    assert row.result.witness.line == tuple(small.LINES[row.name].split())


def test_the_two_sentences_never_collide_in_the_smallest_game_if_only_tops_are_covered():
    """Four positions, up to the mirror, hang on whether sentence 2 looks under the top of a stack."""
    (row,) = small.small_games([read_params(small.GAMES[0])], DEFAULTS.replace(cover_depth="top"))
    counts = dict(part.split(": ") for part in row.result.witness.note.split("; "))
    assert [counts[kind] for kind in small.KINDS] == ["954", "861", "93", "167", "21", "68", "0"]
    assert row.result.cases == 44_070


@pytest.mark.slow
def test_whole_play_by_the_engine_alone():
    """The same counts by breadth-first play on the engine: every position once for each player to move."""
    engine = Engine(read_params(small.GAMES[0]), DEFAULTS)
    counts = dict.fromkeys(small.KINDS, 0)
    for position in Explored(engine, lazily=True, limit=math.inf).turns():
        if engine.winner(position) is None:
            for kind in small.kinds(engine, position):
                counts[kind] += 1
    assert list(counts.values()) == [2 * n for n in (954, 861, 93, 167, 21, 75, 4)]


@pytest.mark.slow
def test_whole_play_of_the_cross():
    (row,) = small.small_games([read_params(small.GAMES[1])], DEFAULTS)
    counts = dict(part.split(": ") for part in row.result.witness.note.split("; "))
    assert row.result.cases == 599_445
    assert [counts[kind] for kind in small.KINDS] == ["11,612", "11,612", "0", "62", "420", "58", "0"]


def test_sentences_collide_after_nine_moves():
    engine = Engine(read_params(small.GAMES[0]), DEFAULTS)
    line = small.LINES["whole-play-2-2-1"].split()
    assert len(line) == 9
    *before, end = replay(engine, line)
    assert facts.collision(engine, end, ())
    assert not any(facts.collision(engine, position, ()) for position in before)


def test_nothing_is_said_about_four_players_on_a_small_board():
    (row,) = small.small_games([read_params({"core": "2", "nests": "1", "players": "4"})], DEFAULTS)
    assert row.result.status is Status.UNKNOWN


# -- The wording proposed -----------------------------------------------------------------------------------------


def test_drawing_out():
    """A1 lies under B2 and B3 on f7 and enters; both covers stay where they are."""
    engine, position, _ = kept("cover-doubled", DEFAULTS)
    rules = proposal.DrawingOut(engine.params, DEFAULTS)
    turn = Position("A", position.stacks, position.squares)
    results = [t.result for t in rules.draws(turn) if t.advances]
    there = read_position(
        engine.params,
        "B h3:B1B2B3 h4:B1 h5:B1B2B3 h6:B1B2B3 c7:A3 e7:A2 f7:B2B3 c8:A1A2A3 d8:A1A2A3 e8:A1 f8:A1A2A3",
    )
    assert results == [there]
    off = Engine(engine.params, DEFAULTS.replace(pat="off"))
    ordinary = {t.result for t in rules.turns(turn) if not t.drawn}
    assert ordinary == set(off.moves(turn).values()), "what the rest of the rules allows is legal"


def test_nothing_is_drawn_out_without_pat():
    engine = Engine(read_params({}), DEFAULTS)
    rules = proposal.DrawingOut(engine.params, DEFAULTS)
    for position in replay(engine, KEPT["collision"].line.split())[:-1:7]:
        results = {turn.result for turn in rules.turns(position)}
        assert results == set(Engine(engine.params, DEFAULTS.replace(pat="off")).moves(position).values())


def test_no_choice_of_readings_lets_the_blocker_free():
    statement, result = proposal._no_reading(DEFAULTS)
    assert (result.status, result.cases) == (Status.PROVED, 96)
    assert "must free and cannot" in statement


def test_drawing_out_of_the_blockades_shown():
    _, result = proposal._blockades(DEFAULTS)
    assert result.status is Status.REFUTED
    assert result.witness.note.startswith("in 7 of 8")
    _, helpless, _ = kept("no-reading-helps", DEFAULTS)
    assert result.witness.position == str(Position("A", helpless.stacks, helpless.squares))


@pytest.mark.slow
def test_proposal():
    (found,) = study.proposals(read_params({}), DEFAULTS)
    statuses = [result.status for _, result in found.results]
    assert statuses == [Status.PROVED, Status.PROVED, Status.REFUTED, Status.REFUTED, Status.PROVED]
    assert found.results[2][1].witness.note.startswith("1,566 turns begin in pat, 1,534 of them")


@pytest.mark.slow
def test_a_move_taken_away_or_drawn_without_pat_is_noticed():
    play = proposal.Play(proposal.DrawingOut(read_params(proposal.SMALL), DEFAULTS))
    assert proposal._only_added(play, "").status is Status.PROVED
    start = play.engine.start()
    turns = play.turns[start]
    play.turns[start] = turns[1:]
    assert proposal._only_added(play, "").witness.position == str(start)
    play.turns[start] = [*turns, turns[0]._replace(drawn=True)]
    assert proposal._only_added(play, "").witness.position == str(start)


# -- Finding lines, and playing -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pat-with-moves", "pat-by-line-mate"])
def test_line_is_found_again(name):
    """Some try of a few leads back to the start; what it finds is replayed."""
    engine, position, _ = kept(name, DEFAULTS)
    line = next(found for seed in range(20) if (found := Retreat(engine, seed).line(position)))
    assert replay(engine, line)[-1] == position


def test_no_line_to_a_position_that_cannot_be():
    """B to move at the set-up: whoever moved last has moved nothing, so there is nothing to take back."""
    engine = Engine(read_params({}), DEFAULTS)
    start = engine.start()
    assert Retreat(engine, 0).line(Position("B", start.stacks, start.squares)) is None


def test_estimate():
    engine, position, _ = kept("pat-with-moves", DEFAULTS)
    assert estimate(engine, engine.start(), "A") == estimate(engine, engine.start(), "B") == 0
    assert estimate(engine, position, "B") == -estimate(engine, position, "A")
    after = engine.play(engine.start(), read_move(engine.params, "c1-c2"))
    assert estimate(engine, after, "A") == 1
    team = Engine(read_params({"players": "4", "partners": "yes"}), DEFAULTS)
    assert estimate(team, team.play(team.start(), read_move(team.params, "c1-c2")), "C") == 1
