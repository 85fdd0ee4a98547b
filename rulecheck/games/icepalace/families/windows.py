"""Ice Palace: the two codes by complete case analysis, for every surroundings of every cell of the grid.

The engine is given a cell that may or may not be 0,0, a structure that may or may not have begun, a pyramid of which
the size is open, and stacks of which it learns what it looks at. It may look at no cell outside the window in which
the constraints are stated: one that does is refuted.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, cast

import z3

from rulecheck.cases import Case, Observer, Question, cases
from rulecheck.fields import Facts, Field, Undecided
from rulecheck.games.icepalace import ORIGIN, SIZES, WORKSITE, Cell, Move, Position, Structure
from rulecheck.model import Result, Status, Verdict, Witness
from rulecheck.pyramids import Pyramid, Stack
from solvers.smt import Answer, Asker, Bool, every, exactly, some
from specs.icepalace.spec import Spec
from specs.icepalace.spec_codes import HERE, KEPT, Code, Window

Tick = Callable[[float], None]
SUBSETS = [s for n in (1, 2, 3) for s in combinations(SIZES, n)]  # the sizes that a stack may have


NO_OR_YES = (False, True)  # the first value is tried first
unknown = Facts()  # about the middle of a window and the stacks around it


class Beyond(Exception):
    """The engine looked at a cell outside the window."""


class Somewhere(tuple[int, int]):
    """The cell of the placement, as the middle of the window; whether it is 0,0 is asked."""

    observer: Observer

    def __eq__(self, other: object) -> bool:
        if other == (0, 0):
            return bool(unknown(NO_OR_YES, "origin").decided(self.observer))
        raise Beyond

    __hash__ = None  # type: ignore[assignment]


class Whole(Undecided):
    """A value that the first look decides completely, as few as there are."""

    def _asks(self, yes: Callable[[Any], Any]) -> bool:
        return bool(yes(self.decided()))


@dataclass(frozen=True, eq=False)
class AnyPyramid:
    """A pyramid of a stack, the `level`-th from below or (-1) the top; colour and size are asked apart."""

    pile: Pile
    level: int

    @property
    def colour(self) -> str:
        return str(unknown(self.pile.colours, "colour", self.pile.place, self.level).decided(self.pile.observer))

    @property
    def pips(self) -> int:
        return int(unknown(SIZES, "pips", self.pile.place, self.level).decided(self.pile.observer))


@dataclass(frozen=True, eq=False)
class Pile:
    """An unknown stack that answers as a tuple of pyramids would, as far as it is looked at."""

    observer: Observer
    place: Cell
    colours: tuple[str, ...]
    most: int  # how many places beside the middle may be taken in all

    def __bool__(self) -> bool:
        taken = unknown(NO_OR_YES, "taken", self.place)
        if self.place != HERE and len(list(self._taken())) >= self.most:
            self.observer.ask((taken.name, (False,)), (True,))  # there are no more
        return bool(taken.decided(self.observer))

    def _taken(self) -> Iterator[Any]:
        """The places beside the middle that have been found taken."""
        for (name, _), free in self.observer.log:
            kind, *where = unknown.about[str(name)]
            if kind == "taken" and where != [HERE] and not free:
                yield where[0]

    def __getitem__(self, level: int) -> AnyPyramid:
        return AnyPyramid(self, level)

    def __iter__(self) -> Iterator[AnyPyramid]:
        if self:
            yield AnyPyramid(self, 0)
            for level in range(1, len(SIZES)):
                if not unknown(NO_OR_YES, "higher", self.place, level).decided(self.observer):
                    return
                yield AnyPyramid(self, level)


def least(asker: Asker, window: Window, *facts: Bool) -> Answer:
    """As few pyramids around the cell as can be, on 0,0 if it can be; then near before far, small before large."""
    there = list(window.at.values())
    return asker.least(there, [window.origin, window.begun, *there], *facts)


# -- What was seen, as terms over the variables of the constraints ----------------------------------------------


class Seen:
    """Each answer as a literal, in the variables themselves and by none of the words of the code under proof."""

    def __init__(self, code: Code) -> None:
        self.code, self.window = code, code.window
        self.size = {z: z3.Bool(f"new {z}") for z in SIZES}
        code.asker.add(exactly(list(self.size.values()), 1))
        self._literals: dict[tuple[Question, Any], Bool] = {}
        self._wrong: dict[tuple[str, tuple[str, ...]], Bool] = {}

    def literal(self, question: Question, answer: Any) -> Bool:
        """An observation: does a field hold one of these values?"""
        key = (question, answer)
        if key not in self._literals:
            name, values = cast(tuple[str, tuple[Any, ...]], question)  # as `fields.Cell` asks
            holds = some(self.term(unknown.about[name], value) for value in values)
            self._literals[key] = self.code.asker.name(holds if answer else z3.Not(holds))
        return self._literals[key]

    def _are(self, place: Any, sizes: Sequence[int]) -> Bool:
        """Exactly these sizes stand there."""
        at, colours = self.window.at, self.window.colours
        there = {z: some(at[place, z, c] for c in colours) for z in SIZES}
        return every(there[z] if z in sizes else z3.Not(there[z]) for z in SIZES)

    def term(self, about: tuple[Any, ...], answer: Any) -> Bool:
        """The field about this has this value."""
        kind, *where = about
        if kind in ("begun", "origin", "size"):
            flag = {"begun": self.window.begun, "origin": self.window.origin, "size": self.size.get(answer)}[kind]
            return flag if answer else z3.Not(flag)
        place: Any = where[0]
        if kind == "taken":
            return some(self._are(place, s) for s in SUBSETS) if answer else self._are(place, ())
        level: Any = where[1]
        if kind == "kept":
            return self._keeps(place, level, answer)
        if kind == "higher":
            return some(self._are(place, s) for s in [(), *SUBSETS] if (len(s) > level) == answer)
        options = []
        for sizes in (s for s in SUBSETS if level < len(s)):
            z = sorted(sizes, reverse=not self.code.rising)[level]
            right = [self.window.at[place, z, answer]] if kind == "colour" else [z3.BoolVal(z == answer)]
            options.append(every([self._are(place, sizes), *right]))
        return some(options)

    def _keeps(self, place: Any, colour: str, count: int) -> Bool:
        """Exactly the first `count` clauses of matching are kept with the stack there."""
        code: Any = self.code  # the worksite's
        kept = [code.matches_stack(place, colour, clauses) for clauses in KEPT]
        return every([*kept[:count], *(z3.Not(term) for term in kept[count : count + 1])])

    def wrong(self, colour: str, verdict: Verdict) -> Bool:
        """The constraints say otherwise of a pyramid of this colour."""
        key = (colour, verdict.clauses)
        if key not in self._wrong:
            sizes = [z3.And(flag, self._denies(Pyramid(colour, z), verdict)) for z, flag in self.size.items()]
            self._wrong[key] = self.code.asker.name(some(sizes))
        return self._wrong[key]

    def least(self, *facts: Bool) -> Answer:
        """The smallest new pyramid, in the least surroundings."""
        with self.code.asker.supposing(*facts):
            for flag in self.size.values():
                if self.code.asker.ask(flag) is Answer.YES:
                    return least(self.code.asker, self.window, flag)
        return Answer.UNKNOWN

    def _denies(self, pyramid: Pyramid, verdict: Verdict) -> Bool:
        terms = self.code.literals(pyramid)
        if verdict.legal:
            return z3.Not(every(terms.values()))
        return some(terms.get(clause, z3.BoolVal(True)) for clause in verdict.clauses)


# -- The proof ----------------------------------------------------------------------------------------------------


def prove_code(engine: Any, spec: Spec, site: str, most: int, scope: str, tick: Tick) -> Result:
    """Every pyramid in every window of one site, with at most `most` stacks around the cell."""
    rules, code = (engine.worksite, spec.worksite) if site == WORKSITE else (engine.palace, spec.palace)
    seen, count = Seen(code), 0
    for number, colour in enumerate(code.window.colours):
        for case in cases(lambda observer, c=colour: _judged(rules, code, observer, c, most)):  # type: ignore[misc]
            count += 1
            facts = [seen.literal(question, answer) for question, answer in case.seen]
            if case.outcome is not None:  # else it looked beyond the window, if these answers are possible at all
                facts.append(seen.wrong(colour, case.outcome))
            reply = code.asker.ask(*facts)
            if reply is Answer.YES:
                reply = seen.least(*facts)
            if reply is Answer.UNKNOWN:
                return Result(Status.UNKNOWN, scope, cases=count, note="z3 gave no answer within its budget")
            if reply is Answer.YES:
                return Result(Status.REFUTED, scope, _witness(rules, spec, seen, site, colour, case), count)
        tick((number + 1) / len(code.window.colours))
    return Result(Status.PROVED, scope, cases=count)


def _judged(rules: Any, code: Code, observer: Observer, colour: str, most: int) -> Verdict | None:
    def look(cell: Cell) -> Pile:
        if tuple(cell) not in code.window.places:
            raise Beyond
        return Pile(observer, (cell[0], cell[1]), code.window.colours, most)

    cell = Somewhere((0, 0))
    cell.observer = observer
    begins = Undecided(unknown(NO_OR_YES, "begun").undecided(observer).cell, operator.not_)
    try:
        verdict: Verdict = rules.judge(look, begins, _new(observer, colour), cell)
    except Beyond:
        return None
    return verdict


def _new(observer: Observer, colour: str) -> Any:
    size: Any = Whole(unknown(SIZES, "size").undecided(observer).cell)
    return Pyramid(colour, size)


def prove_matching(engine: Any, spec: Spec, scope: str) -> Result:
    """How many clauses of matching a pyramid keeps with one stack beside it, for every such stack."""
    rules, code, count = engine.worksite, spec.worksite, 0
    seen, place = Seen(code), code.near[0]

    def kept(observer: Observer, colour: str) -> int | None:
        pile = Pile(observer, place, code.window.colours, most=1)
        return rules.kept_beside(_new(observer, colour), pile) if pile else None

    for colour in code.window.colours:
        for case in cases(lambda observer, c=colour: kept(observer, c)):  # type: ignore[misc]
            if case.outcome is None:  # no stack, nothing to match
                continue
            count += 1
            facts = [seen.literal(question, answer) for question, answer in case.seen]
            agrees = seen.literal((_kept(place, colour).name, (case.outcome,)), True)
            answer = code.asker.ask(*facts, z3.Not(agrees))
            if answer is Answer.YES:
                answer = seen.least(*facts, z3.Not(agrees))
            if answer is Answer.UNKNOWN:
                return Result(Status.UNKNOWN, scope, cases=count, note="z3 gave no answer within its budget")
            if answer is Answer.YES:
                return Result(Status.REFUTED, scope, _witness(rules, spec, seen, WORKSITE, colour, None), count)
    return Result(Status.PROVED, scope, cases=count)


def _kept(place: Cell, colour: str) -> Field:
    """How many clauses of matching are kept beside that stack."""
    return unknown(tuple(range(len(KEPT) + 1)), "kept", place, colour)


def prove_code_by_matching(engine: Any, spec: Spec, most: int, scope: str, tick: Tick) -> Result:
    """The worksite code where whole stacks are looked at: matching with one stack first, then how it is used."""
    first = prove_matching(engine, spec, scope)
    if first.status is not Status.PROVED:
        return first
    rules = engine.worksite

    def asked(pyramid: Pyramid, pile: Pile) -> int:
        return int(_kept(pile.place, pyramid.colour).decided(pile.observer))

    rules.kept_beside = asked
    try:
        second = prove_code(engine, spec, WORKSITE, most, scope, tick)
    finally:
        rules.__dict__.pop("kept_beside", None)
    return Result(second.status, scope, second.witness, first.cases + second.cases, second.note)


def _witness(rules: Any, spec: Spec, seen: Seen, site: str, colour: str, case: Case | None) -> Witness:
    """The least surroundings, replayed on the engine."""
    asker, window = seen.code.asker, seen.window
    stacks: dict[Cell, Stack] = {}
    for place in window.places:
        sizes = [z for z in window.upwards if any(asker.holds(window.at[place, z, c]) for c in window.colours)]
        stack = [Pyramid(c, z) for z in sizes for c in window.colours if asker.holds(window.at[place, z, c])]
        stacks |= {place: tuple(stack)} if stack else {}
    begun, origin = asker.holds(window.begun), asker.holds(window.origin)
    pyramid = Pyramid(colour, next(z for z, flag in seen.size.items() if asker.holds(flag)))
    if begun and not stacks:
        stacks[7, 7] = (pyramid,)  # it stands somewhere else
    cell = ORIGIN if origin else (1, 1)
    structure = Structure.of({(x + cell[0], y + cell[1]): stack for (x, y), stack in stacks.items()})
    position = _around(spec, site, structure, pyramid)
    move = Move(pyramid, site, cell)
    if case is not None and case.outcome is None:
        return Witness(str(position), str(move), "the engine looks further than two cells away")
    rules.__dict__.pop("kept_beside", None)  # the engine itself, not what stood in for a part of it
    said, broken = rules.judge(structure.at, not structure, pyramid, cell), spec.by_code(position, move)
    if said.legal == (not broken) and set(said.clauses) <= broken:
        raise AssertionError(f"the witness does not replay: {position}, {move}")
    note = f"engine: {said}; constraints: {', '.join(sorted(broken)) or 'legal'}"
    return Witness(str(position), str(move), note, spec.params.as_dict(), dict(spec.readings))


def _around(spec: Spec, site: str, structure: Structure, pyramid: Pyramid) -> Position:
    """A position in which the pyramid may be about to be placed."""
    bag = ((0, 0, 0),) * len(spec.params.colours)
    hands = tuple((pyramid,) if site == WORKSITE and c == "A" else () for c in spec.letters)
    if site == WORKSITE:
        return Position("A", structure, Structure(), hands, bag, "A")
    return Position("A", Structure(), structure, hands, bag, "A", left=(pyramid,))


def prove_nothing_far(spec: Spec, scope: str) -> Result:
    """The constraints refuse every pyramid on a cell around which nothing stands, once the structure has begun."""
    count = 0
    for code in (spec.worksite, spec.palace):
        window, island = code.window, spec.readings["palace_island"] == "yes" and not code.rising
        near = window.places if island else [HERE, *code.near]
        empty = [z3.Not(v) for (p, _, _), v in window.at.items() if p in near]
        for pyramid in (Pyramid(c, z) for c in window.colours for z in SIZES):
            count += 1
            answer = code.asker.ask(window.begun, *empty, *code.literals(pyramid).values())
            if answer is Answer.UNKNOWN:
                return Result(Status.UNKNOWN, scope, cases=count, note="z3 gave no answer within its budget")
            if answer is Answer.YES:
                position = _around(spec, "w" if code.rising else "p", Structure.of({(7, 7): (pyramid,)}), pyramid)
                witness = Witness(str(position), None, f"{pyramid} is allowed where nothing is near")
                return Result(Status.REFUTED, scope, witness, count)
    return Result(Status.PROVED, scope, cases=count)
