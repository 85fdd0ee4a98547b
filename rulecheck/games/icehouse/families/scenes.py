"""Icehouse: scenes of which only the number of pieces is known, for the engine and for the constraints.

Whether a piece stands, whose it is and what its line points at are fields. The engine is run for all their values, even
those that no table shows. So what is proved on a scene holds for every table with that number of pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import z3

from rulecheck.cases import Observer, Question
from rulecheck.fields import Facts, Field, Value
from rulecheck.games.icehouse.families.unknowns import Decisions, Ground, Run, runs
from rulecheck.games.icehouse.pieces import SIZES, Params, Position
from rulecheck.model import Result, Status, Witness
from rulecheck.terms import Term, unknown_value
from solvers.smt import Answer, Bool
from specs.icehouse.spec_terms import Truth

YES_OR_NO, NO_OR_YES = (True, False), (False, True)  # the first value is tried first
NOTHING, PINCHED = "nothing", "pinched"
HANDS = (NOTHING, "pieces")
Found = tuple[int, tuple[str, str] | None]  # the number of cases; a scene and what was said of it


unknown = Facts()  # about pieces and players of a scene


@dataclass(frozen=True)
class Given:
    """What is known of a piece beforehand; None is unknown. Its line can point at the pieces in `sees`, or at none.

    One that is `sure` points at the first of them that is there; one that is `squeezed` may be pinched instead.
    """

    lying: bool | None = None
    colour: str | None = None
    placer: str | None = None
    marked: bool | None = False
    sees: tuple[int, ...] = ()
    near: bool | None = True
    sure: bool = False
    squeezed: bool = False

    def sights(self, there: Iterable[int]) -> tuple[Value, ...]:
        """What its line may do, if only these pieces are there."""
        seen = [number for number in self.sees if number in there]
        return tuple(seen[:1]) if self.sure else (NOTHING, *seen, *([PINCHED] if self.squeezed else []))


@dataclass(frozen=True, eq=False)
class LazyPiece:
    """A piece that is looked at only as far as the engine looks."""

    number: int
    given: Given
    observer: Observer
    pips: Any
    params: Params

    def _read(self, what: str, known: Any, domain: tuple[Any, ...]) -> Any:
        return unknown(domain, what, self.number).decided(self.observer) if known is None else known

    @property
    def lying(self) -> bool:
        return bool(self._read("lying", self.given.lying, YES_OR_NO))

    @property
    def colour(self) -> str:
        return str(self._read("colour", self.given.colour, self.params.colours))

    @property
    def placer(self) -> str:
        return str(self._read("placer", self.given.placer, self.params.colours))

    @property
    def marked(self) -> bool:
        return bool(self._read("marked", self.given.marked, NO_OR_YES))

    def __str__(self) -> str:
        return f"piece {self.number + 1}"


def pad_sizes(params: Params) -> tuple[int, ...]:
    """How many pieces may lie on a pad: up to one more than the limit, or all that there are."""
    return tuple(dict.fromkeys((*range(params.limit + 2), params.players * sum(params.pieces))))


@dataclass(frozen=True)
class LazyPosition(Position):
    """Pads and hands that are looked at only if asked for; of a pad only the number of pieces is."""

    observer: Observer = field(compare=False, repr=False, kw_only=True)

    def hand(self, player: str) -> Any:
        there = unknown(HANDS, "hand", player).decided(self.observer)
        return None if there == NOTHING else there

    def pad(self, player: str) -> Any:
        return range(unknown(pad_sizes(self.params), "pad", player).decided(self.observer))


class LazyMembers:
    """The players in iced= or lost=, as a tuple that is only asked who is in it."""

    def __init__(self, observer: Observer, *names: str) -> None:
        self.observer, self.names = observer, names

    def __contains__(self, player: str) -> bool:
        return any(unknown(NO_OR_YES, name, player).decided(self.observer) for name in self.names)

    def __add__(self, other: LazyMembers) -> LazyMembers:
        return LazyMembers(self.observer, *self.names, *other.names)


def sight_of(number: int, given: Given, there: Sequence[int]) -> Field:
    """What its line does, if only these pieces are there."""
    return unknown(given.sights(there) or (NOTHING,), "sight", number, *there)


def on_scenes(engine_class: Any, **overridden: Callable[..., Any]) -> Any:
    """An engine whose lines and ranges are answered by asking, and perhaps more."""

    def sight(_: Any, pieces: Sequence[LazyPiece], piece: LazyPiece, among: Iterable[int]) -> Any:
        there = {pieces[n].number: n for n in among}
        answer = sight_of(piece.number, piece.given, sorted(there)).decided(piece.observer)
        return SimpleNamespace(piece=there.get(answer), entry=0, pinched=answer == PINCHED)

    def in_range(_: Any, attacker: LazyPiece, target: LazyPiece, entry: Any) -> bool:
        known, near = attacker.given.near, unknown(YES_OR_NO, "near", attacker.number, target.number)
        return bool(near.decided(attacker.observer) if known is None else known)

    return type("OnScenes", (engine_class,), {"sight": sight, "in_range": in_range, **overridden})


class Stage:
    """Pieces by what is given of them; also the scene as the constraints see it."""

    def __init__(self, params: Params, given: Sequence[Given]) -> None:
        self.params, self.given = params, given
        self.numbers = range(len(given))
        self.sizes: list[Any] = [z3.Int(f"size{i}") for i in self.numbers]
        self.ground = Ground([z3.And(size >= 1, size <= 3) for size in self.sizes])
        self.terms: dict[str, Term] = {}  # the fields that the constraints speak of
        self.model: Any = None  # when a scene has been found, all facts are looked up in it

    # -- For the engine ---------------------------------------------------------------------------------------

    def position(self, observer: Observer, decisions: Decisions) -> LazyPosition:
        sizes = [decisions.unknown(size) for size in self.sizes]
        pieces = [LazyPiece(i, self.given[i], observer, sizes[i], self.params) for i in self.numbers]
        iced: Any = LazyMembers(observer, "iced")
        lost: Any = LazyMembers(observer, "lost")
        there: Any = tuple(pieces)
        hands, pads = (None,) * self.params.players, ((),) * self.params.players
        return LazyPosition(there, hands, pads, iced, lost, False, self.params, observer=observer)

    # -- For the constraints ----------------------------------------------------------------------------------

    def fact(self, field: Field, value: Value) -> Truth:
        """That the field holds this value."""
        if field.name not in self.terms:
            self.terms[field.name] = unknown_value(self.ground.asker, field, "scene")
        term = self.terms[field.name] == value
        return term if self.model is None else bool(z3.is_true(self.model.eval(term, model_completion=True)))

    def _is(self, what: str, i: int, known: Any, domain: tuple[Any, ...], value: Any) -> Truth:
        return self.fact(unknown(domain, what, i), value) if known is None else known == value

    def stands(self, i: int) -> Truth:
        return self._is("lying", i, self.given[i].lying, YES_OR_NO, False)

    def size(self, i: int) -> Any:
        if self.model is None:
            return self.sizes[i]
        return self.model.eval(self.sizes[i], model_completion=True).as_long()

    def coloured(self, i: int, k: str) -> Truth:
        return self._is("colour", i, self.given[i].colour, self.params.colours, k)

    def placed_by(self, i: int, k: str) -> Truth:
        return self._is("placer", i, self.given[i].placer, self.params.colours, k)

    def marked(self, i: int) -> Truth:
        return self._is("marked", i, self.given[i].marked, NO_OR_YES, True)

    def points(self, a: int, i: int, gone: int | None) -> Truth:
        return self._sight(a, i, [n for n in self.numbers if n not in (a, gone)])

    def first_aim(self, a: int, i: int, gone: int | None) -> Truth:
        return self._sight(a, i, [n for n in self.numbers if n < a and n != gone])

    def _sight(self, a: int, i: int | str, among: Sequence[int]) -> Truth:
        field = sight_of(a, self.given[a], among)
        if i not in field.domain:
            return False
        return self.fact(field, i) if len(field.domain) > 1 else True

    def pinched(self, a: int) -> Truth:
        return self._sight(a, PINCHED, [n for n in self.numbers if n != a])

    def near(self, a: int, d: int) -> Truth:
        known = self.given[a].near
        return self.fact(unknown(YES_OR_NO, "near", a, d), True) if known is None else known

    def on_pad(self, k: str) -> Any:
        numbers = pad_sizes(self.params)
        pad = unknown(numbers, "pad", k)
        if self.model is not None:
            return next(n for n in numbers if self.fact(pad, n))
        return z3.Sum([z3.If(self.fact(pad, n), n, 0) for n in numbers])

    def holds_one(self, k: str) -> Truth:
        return self.fact(unknown(HANDS, "hand", k), "pieces")

    def iced(self, k: str) -> Truth:
        return self.fact(unknown(NO_OR_YES, "iced", k), True)

    def lost(self, k: str) -> Truth:
        return self.fact(unknown(NO_OR_YES, "lost", k), True)

    # -- Holding one against the other ------------------------------------------------------------------------

    def disagreement(
        self, run: Callable[[LazyPosition], Any], say: Callable[[], Any], differs: Callable[[Any, Any], Truth]
    ) -> Found:
        """The number of cases, and a scene for which the engine's outcome `differs` from what the constraints say."""
        said, count = say(), 0  # said first: so all facts are known, with their answers, before the engine asks
        for case in runs(self.ground, lambda observer, decisions: run(self.position(observer, decisions))):
            count += 1
            model = self._model(case, differs(case.outcome, said))
            if model is not None:
                self.model = model
                return count, self._replayed(case, differs(case.outcome, say()))
        return count, None

    def _model(self, case: Run, differs: Truth) -> Any:
        """The first scene in which each question has the first answer that it can have, and sizes are small."""
        # What the constraints do not speak of must not make a difference, so it is left open.
        seen = [self._seen(*looked) for looked in case.seen if looked[0][0] in self.terms]
        term = z3.BoolVal(differs) if isinstance(differs, bool) else differs
        if self.ground.model([*case.facts, *seen], term) is None:
            return None
        asker = self.ground.asker
        answers = [literal for term in self.terms.values() for literal in term.cases.values()]
        sizes = [asker.name(size == pips) for size in self.sizes for pips in SIZES]
        if asker.least((), [*answers, *sizes], *case.facts, *seen, term) is not Answer.YES:
            raise TimeoutError("z3 gave no answer within its budget")
        return asker.model

    def _seen(self, question: Question, answer: Any) -> Bool:
        """What the engine has found, as `fields.Cell` asks for it."""
        name, values = cast(tuple[str, tuple[Value, ...]], question)
        holds = self.terms[name].is_in(values)
        return holds if answer else z3.Not(holds)

    def _replayed(self, case: Run, differs: Truth) -> tuple[str, str]:
        if differs is not True:
            raise AssertionError("the constraints do not confirm the scene that z3 has found")
        text = " ".join(self._described(i) for i in self.numbers)
        looks = (
            (name, "is" if yes else "is not", cast(tuple[Value, ...], values)) for (name, values), yes in case.seen
        )
        answers = "; ".join(f"{name} {verb} {', '.join(map(str, values))}" for name, verb, values in looks)
        return f"scene {text}".strip(), f"engine: {case.outcome}; {answers}"

    def _described(self, i: int) -> str:
        colour, placer = ([k for k in self.params.colours if of(i, k)] for of in (self.coloured, self.placed_by))
        sees = [str(n + 1) for n in self.given[i].sees if self.points(i, n, None)]
        text = f"{i + 1}:{''.join(colour)}{self.size(i)}"
        text += f":{placer[0]}" if placer and placer != colour else ""
        return text + ("" if self.stands(i) else ">" + ("".join(sees) or "-"))


def together(parts: Iterable[Found], scope: str) -> Result:
    """One result for several scenes: refuted by the first that shows a difference."""
    count = 0
    for cases, difference in parts:
        count += cases
        if difference is not None:
            position, note = difference
            return Result(Status.REFUTED, scope, Witness(position, None, note), count)
    return Result(Status.PROVED, scope, cases=count)
