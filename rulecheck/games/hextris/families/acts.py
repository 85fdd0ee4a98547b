"""Hextris: single turns compared on every arrangement, by complete case analysis.

The engine runs on a position that decides who stands on a point, how large a piece is, or whether a number is
reached, only when the engine asks; everything else is arbitrary, even beyond what play can reach.

Glossary: x the scene before a turn, z the scene after it; p, q points; c a colour; s a size; v a number.
"""

from __future__ import annotations

import functools
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, TypeVar

import z3

from rulecheck.cases import Observer, Question, cases
from rulecheck.fields import Facts, Undecided
from rulecheck.games.hextris import (
    COLOURS,
    SIZES,
    Exchange,
    Move,
    Params,
    Placement,
    Position,
    Slide,
    read_position,
)
from rulecheck.games.hextris.engine import Engine
from rulecheck.games.hextris.real import bare_case, real
from rulecheck.games.hextris.stated import every_turn
from rulecheck.model import Result, Status, Verdict, Witness
from rulecheck.notation import NotationError
from solvers.smt import FALSE, TRUE, Answer, Bool, every, no, some
from specs.hextris.spec import Spec
from specs.hextris.spec_board import coordinates
from specs.hextris.spec_rules import at_least, kind_of

Tick = Callable[[float], None]
T = TypeVar("T")
BATCH = 100  # cases put into one question


# -- A position that is decided where it is read ------------------------------------------------------------


@dataclass(frozen=True)
class Unmoved:
    """Whatever stands on this point before the turn."""

    point: int


class Count(Undecided):
    """A number that, beside another count, is asked for the larger one; fields alone would decide one completely."""

    def __ge__(self, other: Any) -> bool:
        if not isinstance(other, Count):
            return not super().__lt__(other)
        question = ("as many", self.cell.name, other.cell.name, other.seen(0) - self.seen(0))
        return bool(self.cell.observer.ask(question, (False, True)))

    def __gt__(self, other: Any) -> bool:
        return bool(self >= other + 1)

    def __lt__(self, other: Any) -> bool:
        return not self >= other

    def __le__(self, other: Any) -> bool:
        return not self > other


NOBODY = "nobody"


class Unknowns:
    """What a position is made of, as fields: who stands on each point, how large the piece there is, and two counts."""

    def __init__(self, params: Params) -> None:
        self.facts = Facts()
        self.stands = [self.facts((NOBODY, *params.colours), "stands", p) for p in params.points]
        self.pips = [self.facts(tuple(SIZES), "pips", p) for p in params.points]
        self.hands = [
            [self.facts(tuple(range(most + 1)), "hand", c, s) for s, most in zip(SIZES, params.pieces(c), strict=True)]
            for c in params.colours
        ]
        self.groups = [self.facts(tuple(range(params.groups + 1)), "groups", c) for c in params.colours]


unknowns = functools.cache(Unknowns)


class LazyPosition:
    """Answers as a `Position` does; `points`, `hands` and `groups` can be handed on, but not looked into."""

    def __init__(self, observer: Observer, params: Params, mover: str) -> None:
        self.observer, self.params, self.mover = observer, params, mover
        self.fields = unknowns(params)
        self.points = tuple(Unmoved(p) for p in params.points)
        self.hands = tuple(tuple(field.undecided(observer) for field in hand) for hand in self.fields.hands)
        self.groups = tuple(Count(field.undecided(observer).cell) for field in self.fields.groups)
        self._stands: dict[int, Undecided] = {}

    def _stands_on(self, point: int) -> Undecided:
        if point not in self._stands:
            self._stands[point] = self.fields.stands[point].undecided(self.observer)
        return self._stands[point]

    def empty(self, point: int) -> bool:
        return self._stands_on(point) == NOBODY

    def owns(self, colour: str, point: int) -> bool:
        return self._stands_on(point) == colour

    def pips(self, point: int) -> int:
        if self.empty(point):
            raise ValueError(f"no piece stands on {self.params.names[point]}")
        return int(self.fields.pips[point].decided(self.observer))

    def in_hand(self, colour: str, pips: int) -> Undecided:
        return self.hands[COLOURS.index(colour)][pips - 1]

    def formed(self, colour: str) -> Undecided:
        return self.groups[COLOURS.index(colour)]


# -- One turn against the constraints -----------------------------------------------------------------------


class TurnProof:
    """Runs the engine with one turn on lazily decided positions, and asks the spec about the cases."""

    def __init__(self, engine: Engine, spec: Spec, mover: str, move: Move) -> None:
        self.engine, self.spec, self.mover, self.move = engine, spec, mover, move
        self.kind = kind_of(move)
        self.about = unknowns(engine.params).facts.about
        self.given: list[Bool] = []  # what fixes the turn, where the spec leaves it open
        self.names: dict[Any, Bool] = {}
        self.facts: list[Bool] = []
        self.wrong: list[Bool] = []  # of each outcome: what must be impossible
        self.numbers: dict[Any, int] = {}
        self.cases = 0
        self.refuted: Witness | None = None

    def named(self, key: Any, formula: Callable[[], Bool]) -> Bool:
        if key not in self.names:
            self.names[key] = self.spec.name(formula())
        return self.names[key]

    def opposite(self, term: Bool) -> Bool:
        if term is FALSE:
            return TRUE
        return self.named(("not", term.get_id()), lambda: self.spec.name(no(term)))

    def literal(self, question: Question, answer: Any) -> Bool:
        """An observation in the spec's own variables: does a field hold one of these values?"""
        if question[0] == "as many":
            term = self.named(question, lambda: self._as_many(*question[1:]))
            return term if answer else self.opposite(term)
        name, values = question  # as `fields.Cell` asks
        terms = [term for term in self._among(self.about[str(name)], values) if term is not TRUE]
        term = terms[0] if len(terms) == 1 else self.named(question, lambda: every(terms))
        return term if answer else self.opposite(term)

    def _among(self, about: tuple[Any, ...], values: Any) -> list[Bool]:
        """That the field holds one of these values, as a conjunction."""
        x, (kind, *key) = self.spec.x, about
        if kind in ("hand", "groups"):
            counts, more = self.number(kind), values[-1] + 1
            return [at_least(counts, *key, values[0]), self.opposite(at_least(counts, *key, more))]
        (value,) = values  # what stands on a point is only compared with one thing at a time
        return [self.opposite(x.taken[key[0]]) if value == NOBODY else x.at[value, key[0]]]

    def _as_many(self, first: Any, second: Any, plus: Any) -> Bool:
        """The first number is at least as large as the second plus `plus`."""
        (kind, *more), (kind_less, *less) = (self.about[name] for name in (first, second))
        most = max(sum(self.spec.params.pieces(c)) for c in self.spec.colours) + self.spec.params.groups
        first, second = self.number(kind), self.number(kind_less)
        return every(
            some([no(at_least(second, *less, v - plus)), at_least(first, *more, v)]) for v in range(1, most + 1)
        )

    def number(self, kind: str) -> Any:
        return self.spec.has_hand if kind == "hand" else self.spec.has_formed

    def outcome(self, observer: Observer) -> Any:
        """The engine's answer about the turn: a refusal, or the next position and its winner."""
        position: Any = LazyPosition(observer, self.engine.params, self.mover)
        verdict = self.engine.judge(position, self.move)
        if not verdict.legal:
            return verdict
        result = self.engine.play(position, self.move)
        return result, self.engine.winner(result)

    def key(self, outcome: Any) -> Any:
        """An outcome in comparable form."""
        if isinstance(outcome, Verdict):
            return outcome.clauses
        result, winner = outcome
        numbers = [n for hand in (*result.hands, result.groups) for n in hand]
        counts = tuple(_shifted(n) if isinstance(n, Undecided) else n for n in numbers)
        return result.mover, result.points, counts, winner

    def wrongs(self, outcome: Any) -> list[Bool]:
        """What must be impossible if the spec agrees with this outcome of the engine."""
        spec = self.spec
        if isinstance(outcome, Verdict):
            return [spec.holds[self.kind].get(c, TRUE) for c in outcome.clauses]
        result, winner = outcome
        wrong = [self.opposite(spec.ok[self.kind]), self.opposite(spec.next_to_move[result.mover])]
        wrong += [self.wrong_point(p, content) for p, content in enumerate(result.points)]
        for i, c in enumerate(spec.colours):
            wrong.append(self.wrong_number(spec.formed_after, (c,), spec.params.groups, result.groups[i]))
            for s, most, number in zip(SIZES, spec.params.pieces(c), result.hands[i], strict=True):
                wrong.append(self.wrong_number(spec.hand_after, (c, s), most, number))
        return [*wrong, self.named(("winner", winner), lambda: self._wrong_winner(winner))]

    def wrong_point(self, p: int, content: Any) -> Bool:
        """The spec's point p after the turn is not what the engine's is."""
        x, z = self.spec.x.at, self.spec.z
        if content is None:
            return z.taken[p]
        if isinstance(content, Unmoved):
            pairs = [(z.at[w, p], x[w, content.point]) for w in (*self.spec.colours, *SIZES)]
            return self.named((p, content), lambda: some(z3.Xor(a, b) for a, b in pairs if not a.eq(b)))
        return self.named((p, content), lambda: no(every([z.at[content.colour, p], z.at[content.pips, p]])))

    def wrong_number(self, after: Any, about: tuple[Any, ...], most: int, number: Any) -> Bool:
        """The spec's number after the turn is not the engine's, be that known or given by one before the turn."""
        if isinstance(number, Undecided):
            name, plus = _shifted(number)
            kind, *key = self.about[name]
            said = {v: at_least(self.number(kind), *key, v - plus) for v in range(1, most + 2)}
            label: Any = (about, name, plus)
        else:
            said, label = {v: TRUE if v <= number else FALSE for v in range(1, most + 2)}, (about, number)
        pairs = [(at_least(after, *about, v), term) for v, term in said.items()]
        return self.named(label, lambda: some(z3.Xor(a, b) for a, b in pairs if not a.eq(b)))

    def _wrong_winner(self, winner: str | None) -> Bool:
        spec = self.spec
        wins = {c: spec.wins(c, spec.formed_after, spec.next_to_move) for c in spec.colours}
        return some(wins.values()) if winner is None else no(wins[winner])

    def run(self) -> Answer:
        """Can the spec say otherwise in any case? If so, `refuted` has the witness."""
        batch: list[Bool] = []
        for (seen, outcome), sizes in self._merged().items():
            wrong, facts = self.wrong[outcome], [self.facts[n] for n in array("H", seen)]
            if wrong is not FALSE:
                batch.append(every([*facts, some(every(self.facts[n] for n in pair) for pair in sizes), wrong]))
            if len(batch) >= BATCH:
                if (answer := self._any(batch)) is not Answer.NO:
                    return answer
                batch = []
        return self._any(batch)

    def _merged(self) -> dict[tuple[bytes, int], dict[tuple[int, ...], None]]:
        """The cases; those with the same outcome that differ only in the sizes seen are merged.

        There can be hundreds of thousands, so facts and outcomes are numbered.
        """
        merged: dict[tuple[bytes, int], dict[tuple[int, ...], None]] = {}
        for case in cases(self.outcome):
            self.cases += 1
            seen = array("H", (self._fact(q, a) for q, a in case.seen if not _of_size(q))).tobytes()
            sizes = tuple(self._fact(q, a) for q, a in case.seen if _of_size(q))
            merged.setdefault((seen, self._outcome(case.outcome)), {})[sizes] = None
        return merged

    def _fact(self, question: Question, answer: Any) -> int:
        """The number of an observation; those that say the same have one number."""
        if (question, answer) not in self.numbers:
            fact = self.literal(question, answer)
            number = self.numbers.setdefault(("fact", fact.get_id()), len(self.facts))
            if number == len(self.facts):
                self.facts.append(fact)
            self.numbers[question, answer] = number
        return self.numbers[question, answer]

    def _outcome(self, outcome: Any) -> int:
        """The number of an outcome."""
        key = self.key(outcome)
        if key not in self.numbers:
            self.numbers[key] = len(self.wrong)
            self.wrong.append(some(self.wrongs(outcome)))
        return self.numbers[key]

    def _any(self, batch: list[Bool]) -> Answer:
        """One question for many cases; one for each only if that does not settle them all."""
        asker = self.spec.asker
        with asker.supposing(*self.given, some(batch)):
            if asker.ask() is Answer.NO:
                return Answer.NO
        answers = set()
        for term in batch:
            answers.add(self.possible(term))
            if self.refuted:
                break
        return next((a for a in (Answer.YES, Answer.UNKNOWN) if a in answers), Answer.NO)

    def possible(self, term: Bool) -> Answer:
        asker = self.spec.asker
        with asker.supposing(*self.given, term):
            answer = asker.ask()
            if answer is Answer.YES:  # without regard to numbers of pieces; a witness must be a real position
                answer = bare_case(self.spec, *real(self.spec))
            if answer is Answer.YES:
                self.refuted = replayed(self.engine, self.spec, self.move)
        return answer


def _shifted(number: Undecided) -> tuple[str, int]:
    """A number before the turn, and what the turn adds to it."""
    return number.cell.name, number.seen(0)


def _of_size(question: Question) -> bool:
    return str(question[0]).startswith("pips.")


def prove_turns(
    encodings: tuple[Engine, Callable[..., Spec]], turns: Sequence[tuple[str, Move]], scope: str, tick: Tick
) -> Result:
    """Each of these turns, by this player, on every arrangement: legality, the clause named, and the effect."""
    engine, make_spec = encodings
    compared = 0
    for done, (mover, move) in enumerate(turns):
        spec = make_spec(engine.params, engine.readings, given=(mover, move))
        proof = TurnProof(engine, spec, mover, move)
        answer = proof.run()
        compared += proof.cases
        if proof.refuted:
            return Result(Status.REFUTED, scope, proof.refuted, compared)
        if answer is not Answer.NO:
            return Result(Status.UNKNOWN, scope, cases=compared, note="z3 ran out of its budget")
        tick((done + 1) / len(turns))
    return Result(Status.PROVED, scope, cases=compared)


def replayed(engine: Engine, spec: Spec, move: Move) -> Witness:
    """A witness from the current solution, on which the two must really differ."""
    witness = difference(engine, spec, move)
    if witness is None:
        raise AssertionError(f"the witness does not replay: {spec.read_position()}, {move}")
    return witness


def difference(engine: Engine, spec: Spec, move: Move) -> Witness | None:
    """The current solution, replayed on the engine: a witness if the two differ about it."""
    position, kind = spec.read_position(), kind_of(move)
    broken = [c for c, kept in spec.holds[kind].items() if not spec.asker.holds(kept)]
    after, won = spec.read_result()
    spec_says = f"illegal: {', '.join(broken)}" if broken else f"legal, then {described(after, won)}"
    verdict = engine.judge(position, move)
    engine_says = str(verdict)
    if verdict.legal:
        result = engine.play(position, move)
        engine_says = f"legal, then {described(result, engine.winner(result))}"
    if engine_says == spec_says or set(verdict.clauses) & set(broken):
        return None
    try:
        read_position(spec.params, str(position))
    except NotationError as error:
        raise AssertionError(f"the witness is not a position: {position}: {error}") from error
    note = f"the engine says {engine_says}; the spec says {spec_says}"
    return Witness(str(position), str(move), note, params=spec.params.as_dict(), readings=dict(spec.readings))


def described(position: Position, winner: str | None) -> str:
    return f"{position}{f', {winner} has won' if winner else ''}"


# -- Turns, and those that are alike ------------------------------------------------------------------------


def placements(params: Params) -> list[Placement]:
    return [move for move in every_turn(params) if isinstance(move, Placement)]


def slides(params: Params) -> list[Slide]:
    return [move for move in every_turn(params) if isinstance(move, Slide)]


def exchanges(params: Params) -> list[Exchange]:
    return [move for move in every_turn(params) if isinstance(move, Exchange)]


def board_maps(radius: int) -> list[tuple[int, ...]]:
    """The twelve ways to turn or mirror the board, each as the list of where its points go."""
    at = coordinates(radius)
    maps = []
    for order in permutations(range(3)):
        for sign in (1, -1):
            moved = [(sign * spot[order[0]], sign * spot[order[1]], sign * spot[order[2]]) for spot in at]
            maps.append(tuple(at.index(spot) for spot in moved))
    return maps


def one_of_each(turns: Iterable[T], radius: int) -> list[T]:
    """The first turn of each class of turns that the maps of the board carry into each other."""
    maps = board_maps(radius)
    seen: set[Any] = set()
    kept = []
    for turn in turns:
        if turn not in seen:
            kept.append(turn)
            seen |= {_carried(turn, there) for there in maps}
    return kept


def _carried(turn: Any, there: tuple[int, ...]) -> Any:
    if isinstance(turn, Placement):
        return Placement(turn.piece, there[turn.target], turn.radius)
    return type(turn)(there[turn.source], there[turn.target], turn.radius)
