"""Nest race: for each clause a position and move where it decides, a proof that it adds nothing, or what checks it.

The smallest game for two (and for four, by hand) is enough for every clause about moves. Clauses that a reading can
switch off are compared with that reading in all play of the smallest games. Both encodings confirm every case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from rulecheck.analyses.clauses import Coverage, DeadText
from rulecheck.games.nestrace import GAME, SIZES, Params, Position, read_move, read_params, read_position
from rulecheck.games.nestrace.cases import PERMITTING, Case, Search
from rulecheck.games.nestrace.engine import Engine
from rulecheck.games.nestrace.engine_moves import Path
from rulecheck.games.nestrace.hexagons import cover
from rulecheck.games.nestrace.research.everywhere import play
from rulecheck.games.nestrace.research.proofgames import replay
from rulecheck.games.nestrace.shapes import SEARCHED, difference_scope, find_difference
from rulecheck.model import Clause, Readings, Result, Status, Witness
from solvers.smt import FALSE
from specs.nestrace.spec import Spec

SMALLEST = SEARCHED[0]
FORBIDDING = {"NR-10", "NR-13", "NR-17", "NR-22", "NR-27"}
PAT = {"NR-29", "NR-30"}
SWITCHES = {  # what the rules are without the clause
    "NR-18": {"back_jump": "net_forward"},
    "NR-28": {"opp_lines": "closed"},
    "NR-55": {"pat": "no_move"},
    "NR-56": {"pat": "no_progress"},
    "NR-57": {"passing": "never"},
}
TRIAL = "a trial rule; what it says is asked under the reading that puts it in force"
FOR_FOUR = {  # kind, parameters, position, move
    "NR-32": ("wins", {}, "A c1:C1C2C3 a2:B1B2B3 a3:D1D2D3 b3:A3 b4:A1A2", "b3-b4"),
    "NR-33": ("wins", {}, "A c1:C1C2C3 a2:B1B2B3 a3:D1D2D3 b3:A3 c4:A1A2", "b3-c4"),
    "NR-37": ("forbids", {}, "A b1:A1A2 c1:C1 a2:B1B2B3 b2:A3 c2:C2 a3:D1D2D3 b3:C3", "b1-c1"),
    "NR-40": ("wins", {"partners": "yes"}, "C a2:B1B2B3 a3:D1D2D3 c3:C3 b4:A1A2A3 c4:C1C2", "c3-c4"),
}
OTHERWISE = {
    "NR-11": "a move is written by squares, so only a top can be named; the proofs of moves compare which pyramid goes",
    "NR-16": "tells what a move leaves alone; the proofs of moves compare it",
    "NR-21": "follows from NR-11, as the sheet says itself: a move takes the top of a stack",
    "NR-38": "with four players; the study of blockades shows it, and the proofs of the pat rule compare it",
    "NR-42": TRIAL,
    "NR-43": TRIAL,
    "NR-44": TRIAL,
    "NR-53": "advice; it changes nothing in play",
    "NR-54": "advice; it changes nothing in play",
}
HOW = {
    "material": "describes the board and the pyramids; the proof of the set-up compares it",
    "setup": "describes the start; the proof of the set-up compares it",
    "procedure": "tells how play goes on; the proofs of whole lists of moves compare it",
}
ON_HEXAGONS = {f"NR-{number}" for number in range(45, 53)}
NOTES = {"NR-18": "it would follow from NR-13 if that were asked of every jump, not of whole moves"}


def coverage(params: Params, readings: Readings) -> list[Coverage]:
    search = Search(SMALLEST, readings)
    cases = {**search.forbidding(FORBIDDING, PAT), **search.permitting(PERMITTING)}
    return [_cover(clause, params, readings, cases) for clause in GAME.rulebook.clauses.values()]


def _cover(clause: Clause, params: Params, readings: Readings, cases: dict[str, Case]) -> Coverage:
    number = clause.id
    if number in ON_HEXAGONS:
        return cover(clause, readings)
    if clause.repeats:
        return Coverage(clause, None, f"says again what {clause.repeats} says")
    if number in OTHERWISE:
        return Coverage(clause, None, OTHERWISE[number])
    if number in ("NR-24", "NR-25"):
        return _lines(clause, params, readings)
    if number in FORBIDDING | PAT | PERMITTING.keys():
        return _case(clause, readings, cases.get(number))
    if number in SWITCHES:
        return _switched(clause, readings, SWITCHES[number])
    if number == "NR-04":
        return _winning(clause, readings)
    if number in FOR_FOUR:
        return _for_four(clause, readings)
    return Coverage(clause, None, HOW.get(clause.kind, "changes nothing in the encodings"))


def _refuted(position: Position, move: str, note: str, params: Params, readings: Readings, scope: str) -> Result:
    return Result(Status.REFUTED, scope, Witness(str(position), move, note, params.as_dict(), dict(readings)))


def _case(clause: Clause, readings: Readings, case: Case | None) -> Coverage:
    kind = "permits" if clause.id in PERMITTING else "forbids"
    if case is None:
        return Coverage(clause, Result(Status.UNKNOWN, "no case near the start of the smallest game for two"), kind)
    scope = "in play; no game is smaller, and of those looked at no position is nearer to the start"
    witness = Witness(str(case.position), case.move, case.note, SMALLEST.as_dict(), dict(readings), case.line)
    return Coverage(clause, Result(Status.REFUTED, scope, witness), kind)


def _switched(clause: Clause, readings: Readings, change: dict[str, str]) -> Coverage:
    """Compare with the rules without the clause: a move that only one of them allows."""
    named = " ".join(f"{name}={value}" for name, value in change.items())
    without = readings.replace(**change)
    for shape in SEARCHED if without != readings else ():
        engines = Engine(shape, readings), Engine(shape, without)
        if difference := find_difference(*engines):
            position, move, line = difference
            said = [str(engine.judge(position, move)) for engine in engines]
            confirmed = [str(Spec(shape, r).judge(position, move).legal) for r in (readings, without)]
            if confirmed != [str(text == "legal") for text in said]:
                raise AssertionError(f"the case does not replay: {position}, {move}, {said}, {confirmed}")
            note = f"{said[0]}; without this clause ({named}) it is {said[1]}"
            witness = Witness(str(position), str(move), note, shape.as_dict(), dict(readings), line)
            does = "decides" if clause.kind == "procedure" else clause.kind
            how = "; ".join([does, *([NOTES[clause.id]] if clause.id in NOTES else [])])
            return Coverage(clause, Result(Status.REFUTED, difference_scope(shape), witness), how)
    how = f"not in force under these readings ({named})" if without == readings else clause.kind
    return Coverage(clause, None if without == readings else Result(Status.UNKNOWN, difference_scope(SMALLEST)), how)


def _winning(clause: Clause, readings: Readings) -> Coverage:
    """NR-04: a move in play that wins."""
    engine, now = Engine(SMALLEST, readings), play(SMALLEST, readings)
    for at in (now.after < 0).nonzero()[0]:
        position = now.unpack(int(now.keys[now.before[at]]))
        for move, result in engine.moves(position).items():
            if engine.winner(result) == position.mover and Spec(SMALLEST, readings).judge(position, move).legal:
                scope = "in play; no game is smaller"
                note = f"legal, and {position.mover} has won"
                return Coverage(clause, _refuted(position, str(move), note, SMALLEST, readings, scope), "wins")
    return Coverage(clause, Result(Status.UNKNOWN, "no winning move in the smallest game for two"), "wins")


def _for_four(clause: Clause, readings: Readings) -> Coverage:
    kind, more, text, move = FOR_FOUR[clause.id]
    params = read_params({"players": "4", "core": "2", **more})
    engine, position = Engine(params, readings), read_position(params, text)
    ours = engine.judge(position, read_move(params, move))
    theirs = Spec(params, readings).judge(position, read_move(params, move))
    scope = "the position was made by hand; no game for four is smaller"
    if kind == "forbids" and ours.clauses == theirs.clauses == (clause.id,):
        note = f"{ours}; nothing else is against it"
        return Coverage(clause, _refuted(position, move, note, params, readings, scope), kind)
    if kind == "wins" and ours.legal and theirs.legal:
        winner = engine.winner(engine.play(position, read_move(params, move)))
        if winner is None:
            return Coverage(clause, Result(Status.UNKNOWN, "the move made by hand does not win"), kind)
        note = f"legal, and {' and '.join(winner)} {'have' if len(winner) > 1 else 'has'} won"
        return Coverage(clause, _refuted(position, move, note, params, readings, scope), kind)
    return Coverage(clause, Result(Status.UNKNOWN, f"the position made by hand shows nothing: {ours}"), kind)


# -- NR-24 and NR-25: does a hop that keeps the other rules ever cross those lines? --------------------------------


def _crossing(params: Params, readings: Readings) -> tuple[int, list[tuple[str, int, int]]]:
    """All hops, and those that come back to the start line or leave the finish line without being backward."""
    spec, hops, crossing = Spec(params, readings), 0, []
    for c in params.letters:
        for s in spec.squares:
            for t in (t for t in spec.squares if spec.is_step(s, t) or spec.is_jump(s, t)):
                hops += 1
                returns = spec.on_start(c, t) and not spec.on_start(c, s)
                leaves = spec.on_finish(c, s) and not spec.on_finish(c, t)
                if (returns or leaves) and not spec.backward(c, s, t):
                    crossing.append((c, s, t))
    return hops, crossing


def _lines(clause: Clause, params: Params, readings: Readings) -> Coverage:
    hops, crossing = _crossing(params, readings)
    if not crossing and readings["back_jump"] == "never":
        scope = (
            f"all {hops} steps and jumps on {len(params.squares)} squares, whatever lies on them: each that comes back "
            "to the start line or leaves the finish line is backward, and so no path of others does"
        )
        result = Result(Status.PROVED, scope, cases=hops)
        return Coverage(clause, result, "forbids", ("NR-13", "NR-18"))
    for name, value in (("backward", "diagonal_ok"), ("back_jump", "net_forward")):
        if readings[name] == value and (alive := _alive(clause.id, f"{name}={value}", readings)):
            return Coverage(clause, alive, "forbids")
    return Coverage(
        clause, Result(Status.UNKNOWN, f"{len(crossing)} hops are not backward; no case was made"), "forbids"
    )


def never_separated(first: Readings, second: Readings) -> Result | None:
    """A proof, for the printed board, that two choices of readings allow the same moves; None if it has none."""
    changed = {name for name in first if first[name] != second[name]}
    if changed == {"lift_conflict"}:
        return _lifts_alike(first, second)
    if changed != {"line_transit"} or first["back_jump"] != "never":
        return None
    hops, crossing = _crossing(read_params({}), first)
    if crossing:
        return None
    scope = (
        f"while backward={first['backward']} and back_jump=never: of all {hops} steps and jumps of the printed board, "
        "each that comes back to the start line or leaves the finish line is backward; so no path does, on its way or "
        "as a whole"
    )
    return Result(Status.PROVED, scope, cases=hops)


class Kind(NamedTuple):
    """All that a duty to free asks of a base move; whoever frees lifts."""

    frees: bool
    lifts: bool
    forbidden: bool


KINDS = [
    Kind(frees, lifts, forbidden) for frees, lifts, forbidden in product((False, True), repeat=3) if lifts >= frees
]


class Owing(Engine):
    """The engine where the mover owes B a freed pyramid and has one base move of each of these kinds."""

    def __init__(self, readings: Readings, kinds: Sequence[Kind]) -> None:
        super().__init__(SMALLEST, readings)
        self.kinds: dict[Path, Kind] = dict(zip(sorted(self.steps), kinds, strict=False))

    def base_moves(self, position: Position, p: str) -> Iterator[Path]:
        yield from self.kinds

    def victims(self, position: Position) -> frozenset[str]:
        return frozenset("B")

    def forbidden(self, position: Position, path: Path) -> bool:
        return self.kinds[path].forbidden

    def frees(self, position: Position, path: Path, victims: Iterable[str], how: str) -> bool:
        return self.kinds[path].frees if how == "uncover" else self.kinds[path].lifts


def _lifts_alike(first: Readings, second: Readings) -> Result | None:
    """A duty leaves the same moves under both, whatever kinds of base moves there are; None if it does not."""
    choices = [kinds for count in range(len(KINDS) + 1) for kinds in combinations(KINDS, count)]
    start = Engine(SMALLEST, first).start()
    if any(Owing(first, kinds).options(start) != Owing(second, kinds).options(start) for kinds in choices):
        return None
    scope = (
        f"while conflict={first['conflict']} and cannot_free={first['cannot_free']}: a duty to free leaves the same "
        f"moves, whichever of {len(KINDS)} kinds of base moves there are (that free, lift or neither, and are "
        "forbidden or not); without a duty the reading is not asked"
    )
    return Result(Status.PROVED, scope, cases=len(choices))


# -- Clauses under readings that are not the default -------------------------------------------------------------------

CHAIN_BACK = "A c1:A1A2A3 d1:A1A2 f1:A1A2A3 d2:A1 e2:A2 a3:B1B2 d3:A3 a4:B1B2B3 f4:A3 a5:B1B2B3 e5:B3 a6:B1B2B3"
CHAIN_OFF = "A d1:A1A2A3 e1:A1A2A3 f1:A1A2A3 a3:B1B2 a4:B1B2B3 d4:A1 a5:B1B2B3 d5:B3 a6:B1B2B3 d7:A2 e7:A3"
STEP_OFF = "A c1:A2A3 d1:A1A2A3 e1:A1A2A3 f1:A1A2A3 a3:B1B2B3 a4:B1B2B3 a5:B1B2B3 a6:B1B2B3 d8:A1"
EARLY = "A c1:A1A2 d1:A1A2A3 e1:A1A2A3 f1:A1A2A3 b2:A3 a3:B1B2 b3:B3 a4:B1B2B3 a5:B1B2B3 a6:B1B2B3"
LEVEL = "B c1:A1 d1:A1A2A3 e1:A1A2A3 f1:A1A2A3 c2:A3 a3:B1B2 c3:A2 a4:B1B2B3 b4:B3 a5:B1B2B3 a6:B1B2B3"
LINES = {EARLY: "c1-b2 a3-b3", LEVEL: "c1-c2 a3-b4 c1-c3"}  # how play leads there
ALIVE = {  # a move of the printed game that this clause alone forbids
    ("NR-24", "backward=diagonal_ok"): (EARLY, "b2-c1"),
    ("NR-24", "back_jump=net_forward"): (CHAIN_BACK, "d3-d1-f3-f5"),
    ("NR-25", "backward=diagonal_ok"): (STEP_OFF, "d8-e7"),
    ("NR-25", "back_jump=net_forward"): (CHAIN_OFF, "d4-d6-d8-f6"),
    ("NR-42", "opp_lines=closed"): (EARLY, "e1-c1-a3-c3"),
    ("NR-43", "land_on_other=ends_any"): (EARLY, "e1-c1-a3-c3"),
    ("NR-43", "land_on_other=ends_top"): (EARLY, "e1-c1-a3-c3"),
    ("NR-44", "back_jump=net_forward"): (LEVEL, "b4-d2-b2"),
}


def _alive(clause: str, reading: str, readings: Readings) -> Result | None:
    """The kept move, if both encodings say that this clause alone is against it."""
    text, move = ALIVE[clause, reading]
    params = read_params({})
    engine, position = Engine(params, readings), read_position(params, text)
    ours = engine.judge(position, read_move(params, move))
    theirs = Spec(params, readings).judge(position, read_move(params, move))
    if not ours.clauses == theirs.clauses == (clause,):
        return None
    line = tuple(LINES[text].split()) if text in LINES else None
    if line is not None and replay(engine, line)[-1] != position:
        return None
    reached = "in play" if line else "made by hand, and whether it can be reached was not asked"
    witness = Witness(text, move, f"{ours}; nothing else is against it", params.as_dict(), dict(readings), line)
    return Result(Status.REFUTED, f"the printed game; the position is {reached}", witness)


def dead_text(params: Params, readings: Readings) -> list[DeadText]:
    """Which clauses come alive, or fall silent, under another value of a reading."""
    rows = []
    for clause, reading in ALIVE:
        name, _, value = reading.partition("=")
        result = _alive(clause, reading, readings.replace(**{name: value}))
        unknown = Result(Status.UNKNOWN, "the kept move does not show it under these readings")
        statement = f"{clause} forbids nothing that is not forbidden anyway"
        rows.append(DeadText(clause, reading, statement, result or unknown))
    closed = _nothing_touches(params, readings.replace(opp_lines="closed"))
    off = _nobody_in_pat(params, readings.replace(pat="off"))
    never = _no_passes(readings.replace(passing="never"))
    rows.append(DeadText("NR-28", "opp_lines=closed", "NR-28 permits nothing", closed))
    rows += [DeadText(clause, "pat=off", "nobody is ever in pat", off) for clause in sorted({*PAT, "NR-55", "NR-56"})]
    rows.append(DeadText("NR-57", "passing=never", "no pass is ever open", never))
    return rows


def _nothing_touches(params: Params, readings: Readings) -> Result:
    """Every touchdown on a foreign line breaks NR-42, whatever lies there."""
    spec, looked = Spec(params, readings), 0
    for c in params.letters:
        for s in spec.squares:
            for t in (t for t in spec.squares if spec.foreign(c, t) and (spec.is_step(s, t) or spec.is_jump(s, t))):
                looked += 1
                if any(spec.touchdown(c, z, s, s, t)["NR-42"] is not FALSE for z in SIZES):
                    return Result(Status.UNKNOWN, f"a hop of {c}'s to {params.squares[t]} was not refused outright")
    scope = f"all {looked} hops to a foreign line on {len(params.squares)} squares, whatever lies there"
    return Result(Status.PROVED, scope, cases=looked)


def _nobody_in_pat(params: Params, readings: Readings) -> Result:
    spec = Spec(params, readings)
    if any(spec.pat_facts(c) != [FALSE] for c in params.letters):
        return Result(Status.UNKNOWN, "the constraint of a pat is not plainly false")
    return Result(Status.PROVED, "every arrangement of the printed game", cases=params.players)


def _no_passes(readings: Readings) -> Result:
    """A pass leaves everything where it is: looked for in all play of the smallest game."""
    engine, now = Engine(SMALLEST, readings), play(SMALLEST, readings)
    kept = (now.own[now.before] == now.other[now.after]) & (now.other[now.before] == now.own[now.after])
    passes = kept.all(axis=1) & (now.after >= 0)
    scope = f"all {len(now.keys):,} positions in play of the smallest game for two"
    if not passes.any():
        return Result(Status.PROVED, scope, cases=len(now.keys))
    position = now.unpack(int(now.keys[now.before[passes.argmax()]]))
    verdict = engine.judge(position, read_move(SMALLEST, "pass"))
    return _refuted(position, "pass", str(verdict), SMALLEST, readings, scope)
