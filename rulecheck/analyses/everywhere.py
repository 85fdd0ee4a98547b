"""Engine = constraints on every arrangement, for games whose positions are made of fields.

The engine runs on a position that decides its fields when they are read, once for every possible outcome. Each run is a
case. For each answer of the engine one formula says "the constraints say otherwise"; z3 decides for many cases at a
time whether it can be true. NO for all of them is a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, cast

from rulecheck.cases import Observer, cases
from rulecheck.contract import End, M, Rules
from rulecheck.fields import Fields, State, Undecided, Value, plain
from rulecheck.model import InputError, Result, Status, Witness, agreement
from rulecheck.terms import Brought, Constraints, Term, Terms, least_position, position_of, unknown_position
from solvers.smt import FALSE, TRUE, Answer, Asker, Bool, every, no, some

TOGETHER = 200  # cases in one question
MOST_CASES = 2_000_000  # after which a proof ends as UNKNOWN
BUDGET = 200_000_000  # z3's resource limit for one question


@dataclass(frozen=True)
class Seen:
    """What the engine made of a case, in a form that can be compared: the clauses that a move breaks, or what each
    field holds after it (a value, or what becomes of a field's value), how the game has ended, whose turn it is, and
    what chance may bring, each with its weight. Whatever the constraints say, it is wrong if the engine failed, or
    allows a move where no player is to act."""

    broken: tuple[str, ...] = ()
    failed: str = ""
    late: bool = False
    after: tuple[tuple[str, Hashable], ...] = ()
    end: End | None = None
    actor: str | None = None
    chances: tuple[tuple[str, int, Seen], ...] = ()


@dataclass(frozen=True)
class Image:
    """A field's value after a move as a function of a field before it, value by value."""

    field: str
    values: tuple[tuple[Value, Value], ...]


class Effect(Generic[M]):
    """The constraints on the position after some changes, stated once for all cases."""

    def __init__(self, spec: Constraints[M], x: Terms, changes: Mapping[str, Value | Term]) -> None:
        self.changes, self.after = changes, x.replace(changes)
        self.wins, self.ended, self.acts = spec.wins(self.after), spec.ended(self.after), spec.acts(self.after)


class Everywhere(Generic[M]):
    """Both encodings over one unknown arrangement."""

    def __init__(self, fields: Fields, engine: Rules[State, M], spec: Constraints[M]) -> None:
        self.fields, self.engine, self.spec = fields, engine, spec
        self.asker = Asker(BUDGET)
        self.x: Terms = unknown_position(self.asker, fields)
        self.sense = spec.sense(self.x)
        self.asker.add(self.sense)
        self.facts: dict[Hashable, Bool] = {}

    # -- What the engine does ----------------------------------------------------------------------------------

    def _of_move(self, move: M) -> Callable[[Observer], Seen]:
        def run(observer: Observer) -> Seen:
            position = self.fields.undecided(observer)
            verdict = self.engine.judge(position, move)
            if not verdict.legal:
                return Seen(verdict.clauses)
            if self.engine.end(position) is not None or self.engine.chances(position):
                return Seen(late=True)
            return self._reached(self.engine.play(position, move))

        return run

    def _of_position(self, observer: Observer) -> Seen:
        position = self.fields.undecided(observer)
        here = self._reached(position)
        if here.end is not None:
            return here
        chances = ((c.label, c.weight, self._reached(c.result)) for c in self.engine.chances(position))
        return replace(here, chances=tuple(chances))

    def _reached(self, position: State) -> Seen:
        after = tuple(self._changes(position))
        end = self.engine.end(position)
        if end is None:
            return Seen(after=after, actor=plain(self.engine.actor(position)))
        return Seen(after=after, end=replace(end, winners=tuple(map(plain, end.winners))))

    def _changes(self, result: State) -> Iterator[tuple[str, Hashable]]:
        """The fields that a move may have changed, and how."""
        for field, value in zip(self.fields, result.values, strict=True):
            if not isinstance(value, Undecided):
                yield field.name, value
            elif value.view is not None or value.cell.name != field.name:
                domain = self.fields[value.cell.name].domain
                yield field.name, Image(value.cell.name, tuple((v, _image(value, v)) for v in domain))

    # -- What the constraints say ------------------------------------------------------------------------------

    def _against_move(self, move: M) -> Callable[[Seen], Bool]:
        clauses = self.spec.clauses(self.x, move)
        changes = self.spec.after(self.x, move)
        effect = None if changes is None else Effect(self.spec, self.x, changes)

        def wrong(seen: Seen) -> Bool:
            if seen.broken:
                return some(clauses.get(clause, TRUE) for clause in seen.broken)
            if seen.late:
                return TRUE
            parts = [no(every(clauses.values()))]
            if effect is not None:
                parts += [self._differs(effect, seen), self._ends_otherwise(effect, seen)]
            return some(parts)

        return wrong

    def _differs(self, effect: Effect[M], seen: Seen) -> Bool:
        said = dict(seen.after)
        names = dict.fromkeys((*said, *effect.changes))
        return some(self._field_differs(effect.after[name], said.get(name), name) for name in names)

    def _field_differs(self, term: Term, value: Hashable, name: str) -> Bool:
        if value is None:  # the engine left it as it was
            value = Image(name, tuple((v, v) for v in self.fields[name].domain))
        if isinstance(value, Image):
            before = self.x[value.field].cases
            return some(every([before[v], no(term == image)]) for v, image in value.values)
        return no(term == value)

    def _ends_otherwise(self, effect: Effect[M], seen: Seen) -> Bool:
        winners = seen.end.winners if seen.end else ()
        parts = [no(won) if player in winners else won for player, won in (effect.wins or {}).items()]
        if effect.ended is not None:
            parts.append(effect.ended if seen.end is None else no(effect.ended))
        if effect.acts is not None and seen.actor is not None:
            parts.append(no(effect.acts.get(seen.actor, FALSE)))
        return some(parts)

    def _against_position(self) -> Callable[[Seen], Bool]:
        here = Effect(self.spec, self.x, {})
        chances = self.spec.chances(self.x)
        effects = {label: Effect(self.spec, self.x, chance.changes) for label, chance in (chances or {}).items()}

        def wrong(seen: Seen) -> Bool:
            brings = [] if chances is None else self._brings_otherwise(chances, effects, seen)
            return some([self._ends_otherwise(here, seen), *brings])

        return wrong

    def _brings_otherwise(
        self, chances: Mapping[str, Brought], effects: Mapping[str, Effect[M]], seen: Seen
    ) -> Iterator[Bool]:
        said = {label: (weight, result) for label, weight, result in seen.chances}
        yield from (chance.when for label, chance in chances.items() if label not in said)
        for label, (weight, result) in said.items():
            if label in chances and chances[label].weight == weight:
                yield no(chances[label].when)
                yield from (self._differs(effects[label], result), self._ends_otherwise(effects[label], result))
            else:
                yield TRUE

    def stated(self) -> list[str]:
        """The parts that the constraints state besides legality and clauses."""
        move = next(iter(self.engine.candidates()))
        parts = {
            "effect": self.spec.after(self.x, move),
            "winner": self.spec.wins(self.x),
            "end": self.spec.ended(self.x),
            "turn": self.spec.acts(self.x),
            "chance": self.spec.chances(self.x),
        }
        return [name for name, formula in parts.items() if formula is not None]

    # -- The two together --------------------------------------------------------------------------------------

    def prove_moves(self, moves: Sequence[M]) -> Result:
        """Every one of these moves on every arrangement."""
        count = 0
        for move in moves:
            result = self._prove(self._of_move(move), self._against_move(move), move)
            count += result.cases
            if result.status is not Status.PROVED:
                return result
        parts = ["legality", "clause", *(part for part in self.stated() if part != "chance")]
        scope = f"{len(moves):,} moves on all {self.fields.size:,} arrangements{self._sensible()}; {', '.join(parts)}"
        return Result(Status.PROVED, scope, cases=count)

    def prove_ends(self) -> Result:
        """The winners, the end, the turn and the results of chance, on every arrangement."""
        parts = [part for part in self.stated() if part != "effect"]
        if not parts:
            return Result(Status.UNKNOWN, "the constraints say nothing of how the game ends", sample=True)
        result = self._prove(self._of_position, self._against_position(), None)
        if result.status is not Status.PROVED:
            return result
        scope = f"all {self.fields.size:,} arrangements{self._sensible()}; {', '.join(parts)}"
        return Result(Status.PROVED, scope, cases=result.cases)

    def prove_sense(self) -> Result | None:
        """The start and every legal move preserve the invariant; None if there is none."""
        if self.sense is TRUE:
            return None
        start = self.engine.start()
        at_start = [self.x[field.name] == start[field.name] for field in self.fields]
        if self._ask(every(at_start)) is not Answer.YES:
            note = "the start is not among the arrangements that the constraints call sensible"
            return Result(Status.REFUTED, "the start", Witness(str(start), note=note))
        asked = 1
        for name, when, changes in self._changes_stated():
            asked += 1
            if changes is None:
                return Result(Status.UNKNOWN, "the constraints do not say what moves do")
            answer = self.least(when, no(self.spec.sense(self.x.replace(changes))))
            if answer is Answer.UNKNOWN:
                return Result(Status.UNKNOWN, f"z3 gave up on {name}")
            if answer is Answer.YES:
                note = "this leads to an arrangement that the constraints do not call sensible"
                return Result(Status.REFUTED, "every legal move", Witness(str(self.model()), name, note))
        parts = "the start, every legal move and whatever chance brings keep"
        return Result(Status.PROVED, f"{parts} what the constraints take for granted", cases=asked)

    def _changes_stated(self) -> Iterator[tuple[str, Bool, Mapping[str, Value | Term] | None]]:
        """Each move and each result of chance: its name, its condition, and its effect."""
        for move in self.engine.candidates():
            yield str(move), every(self.spec.clauses(self.x, move).values()), self.spec.after(self.x, move)
        for label, chance in (self.spec.chances(self.x) or {}).items():
            yield label, chance.when, chance.changes

    def _sensible(self) -> str:
        return "" if self.sense is TRUE else " that the constraints call sensible"

    def _prove(self, run: Callable[[Observer], Seen], wrong: Callable[[Seen], Bool], move: M | None) -> Result:
        named: dict[Seen, Bool] = {}
        batch: list[Bool] = []
        count = 0
        for case in cases(partial(_guarded, run)):
            count += 1
            if count > MOST_CASES:
                return Result(Status.UNKNOWN, f"more than {MOST_CASES:,} cases", cases=count)
            facts = [self._fact(question, answer) for question, answer in case.seen]
            if case.outcome.failed:
                self._require_nonsense(every(facts), move, case.outcome.failed)
                continue
            if case.outcome not in named:
                named[case.outcome] = self.asker.name(wrong(case.outcome))
            batch.append(every([*facts, named[case.outcome]]))
            if len(batch) == TOGETHER and (result := self._possible(batch, move, count)):
                return result
        return self._possible(batch, move, count) or Result(Status.PROVED, "", cases=count)

    def _fact(self, question: tuple[Hashable, ...], answer: bool) -> Bool:
        """The fact that a field holds one of the values in question, or none of them."""
        if question not in self.facts:
            name, values = question  # as `fields.Cell` asks
            self.facts[question] = self.asker.name(self.x[str(name)].is_in(cast(tuple[Value, ...], values)))
        return self.facts[question] if answer else no(self.facts[question])

    def _possible(self, batch: list[Bool], move: M | None, count: int) -> Result | None:
        """A refutation by the least arrangement on which one of these cases differs; None if none does."""
        question = some(batch)
        batch.clear()
        answer = self._ask(question)
        if answer is Answer.NO:
            return None
        if answer is Answer.YES and self.least(question) is Answer.YES:
            position = self.model()
            asked = None if move is None else str(move)
            witness = Witness(str(position), asked, self.replay(position, move))
            return Result(Status.REFUTED, "every arrangement", witness, count)
        return Result(Status.UNKNOWN, f"z3 gave up on {move}", cases=count)

    def _require_nonsense(self, facts: Bool, move: M | None, error: str) -> None:
        """An engine may fail only on arrangements that violate the invariant."""
        if self.least(facts) is not Answer.NO:
            where = "" if self.asker.model is None else f" at {self.model()}"
            about = "" if move is None else f" when asked about {move}"
            raise InputError(f"the engine fails{where}{about}: {error}")

    def replay(self, position: State, move: M | None) -> str:
        """The answers of both about a real position; an error if they agree."""
        engine, spec = self.engine, self.spec
        if move is not None:
            verdicts = engine.judge(position, move), spec.judge(position, move)
            if not agreement(*verdicts):
                return f"engine: {verdicts[0]}; constraints: {verdicts[1]}"
            if not verdicts[0].legal:
                raise AssertionError(f"the witness does not replay: {position}, {move}")
            if engine.end(position) is not None or engine.chances(position):
                return f"engine: {move} is legal, but no player is to act"
            after, said = engine.play(position, move), spec.result(position, move)
            if said != after:
                return f"engine: leads to {after}; constraints: lead to {said}"
            position = after
        end, winners = engine.end(position), spec.winners(position)
        if end is not None:
            return f"engine: {end}; constraints: winners {winners}"
        chances, brought = {c.label: (c.weight, c.result) for c in engine.chances(position)}, spec.brought(position)
        if brought is not None and chances != brought:
            return f"engine: chance brings {_unlike(chances, brought)}; constraints: {_unlike(brought, chances)}"
        return f"engine: {engine.actor(position)} to act; constraints: winners {winners}, otherwise as stated"

    # -- Asking ------------------------------------------------------------------------------------------------

    def _ask(self, question: Bool) -> Answer:
        with self.asker.supposing(question):
            return self.asker.ask()

    def least(self, *questions: Bool) -> Answer:
        return least_position(self.asker, self.x, *questions)

    def model(self) -> State:
        return position_of(self.asker, self.x)


def _guarded(run: Callable[[Observer], Seen], observer: Observer) -> Seen:
    """The engine's response to a case, or why it fails."""
    try:
        return run(observer)
    except Exception as error:  # the engine is somebody else's
        return Seen(failed=repr(error))


def _unlike(chances: Mapping[str, tuple[int, State]], others: Mapping[str, tuple[int, State]]) -> str:
    """The results of chance that one side has and the other lacks."""
    rows = ((label, *row) for label, row in chances.items() if others.get(label) != row)
    return ", ".join(f"{label} (weight {weight}: {result})" for label, weight, result in rows) or "nothing more"


def _image(value: Undecided, before: Value) -> Any:
    """An undecided value, given what its field holds; a text that is no value if that is undefined."""
    try:
        return value.seen(before)
    except Exception:  # a view may not be meant for values that the engine has ruled out
        return "(none)"
