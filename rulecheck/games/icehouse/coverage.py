"""Icehouse: for each clause a position and event where it decides, a proof that it adds nothing, or what checks it.

Looked through are all composed play of the smallest games and the lines kept for larger ones, those with fewest pieces
first. A clause that forbids has an event that it alone is against; one that permits something or has an effect is
compared with the rules without it. Both encodings confirm every case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from rulecheck.analyses.clauses import Coverage
from rulecheck.games.icehouse import GAME, read_move, read_params, read_position
from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.families.compared import small_events
from rulecheck.games.icehouse.families.stashes import TABLES, events, positions
from rulecheck.games.icehouse.pieces import SIZES, TIME, Event, Melt, Params, Place, Position, Return
from rulecheck.games.icehouse.puzzles.composed import placements
from rulecheck.games.icehouse.research.overall import tip_is_body
from rulecheck.games.icehouse.shapes import ATTACKED, FIVE, KEPT, OVER_ICED, SEARCHED, THREE, composed_play, replayed
from rulecheck.games.icehouse.without import METHODS, without
from rulecheck.model import Clause, Readings, Result, Status, Witness
from specs.icehouse.spec import Spec

FORBIDDING = {
    *("IH-04", "IH-10", "IH-16", "IH-17", "IH-18", "IH-19", "IH-27", "IH-35", "IH-38", "IH-51", "IH-64", "IH-66"),
    *("IH-68", "IH-70", "IH-78", "IH-79", "IH-83"),
}
SWITCHES = {  # what the rules are without the clause, where a reading says it
    "IH-34": {"far": "legal"},
    "IH-62": {"edge": "overhang"},
    "IH-63": {"graze": "open"},
    "IH-74": {"own": "placer"},
    "IH-75": {"score_owner": "placer"},
    "IH-76": {"own": "placer"},
}
ATTACKS = {"IH-21", "IH-22", "IH-31", "IH-33", "IH-37", "IH-60", "IH-63", "IH-67", "IH-91"}  # say nothing without any
TOGETHER = ("A2@0,0", "B1@300,0", "B1@340,0", "C1@300,100", "C1@340,100", "B2@22,0>-1,0", "C2@-22,0>1,0")
EXTRA: tuple[tuple[Params, tuple[str, ...]], ...] = (  # the last event of a line may be one that is refused
    (FIVE, ("A1@0,0", "B1@5,0")),  # overlaps
    (FIVE, (*ATTACKED, "B1@70,0>-1,0")),  # points at an attacker
    (FIVE, (*ATTACKED, "B calls", "A1@100,100")),  # by one who is iced
    (FIVE, (*OVER_ICED, "A captures 4")),
    (FIVE, ("time", "A1@0,0")),
    (THREE, TOGETHER),
)
OTHERWISE = {
    "IH-06": "permits what a surface without limits (table=none) allows; no check is made there",
    "IH-13": "permits what nothing forbids: any piece of the pad may be played first",
    "IH-23": "gives a name to what IH-21 says",
    "IH-25": "names two conditions, which IH-26 and IH-27 state",
    "IH-26": "says what an attacker points at; the proofs of lines compare it for all places",
    "IH-32": "gives a name to what fails",
    "IH-36": "a refused placement is not made, so nothing has to be taken back",
    "IH-39": "about hands and time; an event is one act here",
    "IH-40": "about hands; neither encoding has two",
    "IH-50": "says who is examined: everybody; the proof families found and stashes compare it",
    "IH-52": "gives a name to a piece on another pad; what may be done with it is said elsewhere",
    "IH-69": "permits what nothing forbids: captures are asked for at any time",
    "IH-72": "permits what nothing forbids; the claim IC-14 plays it",
    "IH-73": "permits what nothing forbids: a wall is a piece like any other",
    "IH-80": "after a crash everything is as before, so nothing is to be seen of it",
    "IH-90": "says again what IH-70 says, but for a piece in the hand (IR-36)",
    "IH-96": "about several games",
}
HOW = {
    "material": "describes the pieces and the table; parameters and notation have it so",
    "setup": "describes the start; every game begins so",
    "procedure": "tells how the game is run; the encodings have nothing that could break it",
}


class Scene(NamedTuple):
    """A position in play and what to ask there."""

    params: Params
    position: Position
    line: tuple[Event, ...]
    asked: tuple[Event, ...]


class Case(NamedTuple):
    scene: Scene
    event: Event
    note: str


def coverage(params: Params, readings: Readings) -> list[Coverage]:
    search = Search(readings)
    return [search.cover(clause) for clause in GAME.rulebook.clauses.values()]


class Search:
    def __init__(self, readings: Readings) -> None:
        self.readings = readings
        self.scenes = sorted(_scenes(readings), key=lambda scene: len(scene.position.pieces))
        self.engines = {params: Engine(params, readings) for params in {scene.params for scene in self.scenes}}
        self.specs = {params: Spec(params, readings) for params in self.engines}
        self.forbidden = dict(self._forbidden())
        self.said: dict[tuple[Params, Position, Event], Outcome] = {}

    def cover(self, clause: Clause) -> Coverage:
        number = clause.id
        if clause.repeats:
            return Coverage(clause, None, f"says again what {clause.repeats} says")
        if clause.part_of:
            return Coverage(clause, None, f"an example or a consequence of {clause.part_of}; claims check it")
        if number in IMPLIED:
            return IMPLIED[number](clause, self.readings)
        if number in FORBIDDING:
            return self._found(clause, self.forbidden.get(number), "forbids")
        if number in SWITCHES:
            return self._switched(clause)
        if number in METHODS:
            others = {p: without(engine, number) for p, engine in self.engines.items()}
            return self._found(clause, self._decides(number, others, "without this clause"), clause.kind)
        return Coverage(clause, None, OTHERWISE.get(number) or HOW.get(clause.kind, "changes nothing in the encodings"))

    def _found(self, clause: Clause, case: Case | None, how: str) -> Coverage:
        if case is None:
            scope = f"no case in {self._where()}"
            return Coverage(clause, Result(Status.UNKNOWN, scope), how)
        scene, event, note = case
        line = tuple(map(str, scene.line))
        witness = Witness(str(scene.position), str(event), note, scene.params.as_dict(), dict(self.readings), line)
        return Coverage(clause, Result(Status.REFUTED, f"fewest pieces in {self._where()}", witness), how)

    def _where(self) -> str:
        return f"composed play of {len(SEARCHED)} games with one small piece each and in lines kept for larger ones"

    # -- What forbids -------------------------------------------------------------------------------------------

    def _forbidden(self) -> Iterator[tuple[str, Case]]:
        """For each clause the first event that it alone is against, by both encodings."""
        missing = set(FORBIDDING)
        for scene in self.scenes:
            engine, spec = self.engines[scene.params], self.specs[scene.params]
            sizes = [size for size in SIZES if scene.params.pieces[size - 1]]
            others = (e for e in small_events(scene.position, sizes) if not isinstance(e, Return))
            for event in (*scene.asked, *placements(scene.position), *others):
                verdict = engine.judge(scene.position, event)
                new = len(verdict.clauses) == 1 and verdict.clauses[0] in missing
                if new and spec.judge(scene.position, event).clauses == verdict.clauses:
                    missing -= set(verdict.clauses)
                    yield verdict.clauses[0], Case(scene, event, f"{verdict}; nothing else is against it")
            if not missing:
                return

    # -- What permits or has an effect --------------------------------------------------------------------------

    def _switched(self, clause: Clause) -> Coverage:
        change = SWITCHES[clause.id]
        named = " ".join(f"{name}={value}" for name, value in change.items())
        changed = self.readings.replace(**change)
        if changed == self.readings:
            return Coverage(clause, None, f"not in force under these readings ({named})")
        others = {params: Engine(params, changed) for params in self.engines}
        case = self._decides(clause.id, others, f"without this clause ({named})", more=True)
        return self._found(clause, case, clause.kind)

    def _decides(self, clause: str, others: dict[Params, Engine], words: str, *, more: bool = False) -> Case | None:
        """The first event of which the rules with and without the clause say different things.

        Those that are not allowed with it are asked about, too, if the rules without it may allow `more`.
        """
        for scene in self.scenes:
            engine, other = self.engines[scene.params], others[scene.params]
            if engine.over(scene.position):
                continue
            asked = (*scene.asked, *(placements(scene.position) if more else ()), TIME)
            for event in filter(partial(attacking, scene.position), asked) if clause in ATTACKS else asked:
                ours, theirs = self._usual(engine, scene.position, event), outcome(other, scene.position, event)
                if ours != theirs:
                    self._confirm(scene, event)
                    return Case(scene, event, _compared(ours, theirs, words))
        return None

    def _usual(self, engine: Engine, position: Position, event: Event) -> Outcome:
        """What the rules as they are say; asked for every clause, so it is remembered."""
        key = engine.params, position, event  # positions of different games can be equal
        if key not in self.said:
            self.said[key] = outcome(engine, position, event)
        return self.said[key]

    def _confirm(self, scene: Scene, event: Event) -> None:
        engine, spec = self.engines[scene.params], self.specs[scene.params]
        if outcome(engine, scene.position, event) != outcome(spec, scene.position, event):
            raise AssertionError(f"the case does not replay: {scene.position}, {event}")


Outcome = tuple[str, ...]
REFUSED: Outcome = ("illegal",)


def outcome(rules: Any, position: Position, event: Event) -> Outcome:
    """What comes of an event: a refusal, or the result with its count."""
    if not rules.judge(position, event).legal:
        return REFUSED
    after = rules.play(position, event) if isinstance(rules, Engine) else rules.after(position, event)
    points = " ".join(f"{player} {count}" for player, count in rules.scores(after).items())
    winners = " and ".join(rules.winners(after)) or "nobody"
    return f"leads to {after}", f"points: {points}", f"{winners} wins"


def attacking(position: Position, event: Event) -> bool:
    """Is there an attacker, before or after the event?"""
    return any(piece.lying for piece in position.pieces) or (isinstance(event, Place) and event.piece.lying)


def _compared(ours: Outcome, theirs: Outcome, words: str) -> str:
    """What the clause does to an event: only what is not the same without it."""
    if REFUSED in (ours, theirs):
        return f"{_allowed(ours)}; {words} it is {_allowed(theirs)}"
    pairs = [(one, other) for one, other in zip(ours, theirs, strict=True) if one != other]
    return f"legal, {', '.join(one for one, _ in pairs)}; {words} {', '.join(other for _, other in pairs)}"


def _allowed(said: Outcome) -> str:
    return "illegal" if said == REFUSED else f"legal and {said[0]}"


def _scenes(readings: Readings) -> Iterator[Scene]:
    for params in SEARCHED:
        for position, line, allowed in composed_play(params, readings):
            yield Scene(params, position, line, tuple(allowed))
    lines = [(kept.params, (*kept.line, kept.event)) for kept in KEPT]
    for params, texts in (*lines, *EXTRA):
        engine, played = Engine(params, readings), [read_move(params, text) for text in texts]
        for count, event in enumerate(played):
            there = replayed(engine, played[:count])
            if there is not None:
                yield Scene(params, there, tuple(played[:count]), (event,))


# -- What follows from other clauses ----------------------------------------------------------------------------


def _one_more(clause: Clause, readings: Readings) -> Coverage:
    """IH-65: for whole numbers more is one more."""
    totals = range(5 * 15 * 3 + 1)
    if any((total > value) != (total >= value + 1) for total in totals for value in SIZES):
        raise AssertionError("whole numbers are not what they were")
    scope = "all totals that five stashes can make, against each value: more than it is at least one more"
    return Coverage(clause, Result(Status.PROVED, scope, cases=len(totals) * len(SIZES)), clause.kind, ("IH-21",))


def _thirty(clause: Clause, readings: Readings) -> Coverage:
    total = sum(size * count for size, count in zip(SIZES, read_params({}).pieces, strict=True))
    if total != 30:
        raise AssertionError(f"a stash is worth {total}")
    scope = "five pieces of each value make 30, and no piece earns more than its value"
    return Coverage(clause, Result(Status.PROVED, scope, cases=1), clause.kind, ("IH-02", "IH-20", "IH-91"))


def _example(clause: Clause, readings: Readings) -> Coverage:
    """IH-94: as the example says, and with the other clauses alone."""
    params = read_params({})
    engine = Engine(params, readings)
    position = read_position(params, "all A3@0,0 B2@20,0>-1,0 C2@-20,0>1,0")
    said = {"A": 0, "B": 2, "C": 2, "D": 0}
    if engine.scores(position) != said or Spec(params, readings).scores(position) != said:
        return Coverage(clause, Result(Status.UNKNOWN, "the example comes out otherwise"), clause.kind)
    scope = "its example, which both encodings work out from the other clauses"
    return Coverage(clause, Result(Status.PROVED, scope, cases=1), clause.kind, ("IH-21", "IH-22", "IH-91"))


IMPLIED = {"IH-65": _one_more, "IH-92": _thirty, "IH-94": _example}


# -- Readings that make no difference ---------------------------------------------------------------------------


def never_separated(first: Readings, second: Readings) -> Result | None:
    """A proof that two choices of readings are the same in play; None if there is none."""
    changed = {name for name in first if first[name] != second[name]}
    if changed == {"distance"} and {first["distance"], second["distance"]} == {"tip", "body"}:
        why = tip_is_body()
        return None if why is None else Result(Status.PROVED, why, cases=len(SIZES) ** 2)
    if changed == {"meltdown_cure"} and first["meltdown"] != "on_call":
        return _never_asked("meltdown_cure", first, ("empty", "frozen", "early", "melted"))
    return None


def _never_asked(name: str, readings: Readings, tables: Sequence[str]) -> Result | None:
    """Every event in every distribution of pieces on these tables is judged by encodings that cannot tell the reading.

    The constraints look at all clauses of a meltdown that is noticed; so one of them has to be broken each time.
    """
    silent, cases = Readings({key: value for key, value in readings.items() if key != name}), 0
    for table in (TABLES[name] for name in tables):
        params, start = table.start()
        engine, spec, usual = Engine(params, silent), Spec(params, silent), Spec(params, readings)
        for position in positions(readings, params, start):
            for event in events(table, position):
                cases += 1
                if not _judged(engine, usual if isinstance(event, Melt) else spec, position, event):
                    return None
    scope = (
        f"while meltdown={readings['meltdown']}: only a meltdown that is noticed asks for it, and none can be. Neither "
        f"encoding asks, for any event wherever the pieces may be that are not on {len(tables)} small tables"
    )
    return Result(Status.PROVED, scope, cases=cases)


def _judged(engine: Engine, spec: Spec, position: Position, event: Event) -> bool:
    try:
        ours, theirs = engine.judge(position, event), spec.judge(position, event)
        if ours.legal:
            engine.play(position, event)
            spec.after(position, event)
    except KeyError:
        return False
    over = engine.over(position)
    return ours.legal == theirs.legal and (over or not isinstance(event, Melt) or "IH-42" in theirs.clauses)
