"""Nest race: steps, jumps and short chains, the win and the set-up, compared on every arrangement.

Glossary: c the mover; o, s, t squares (origin, from, to); a path is a row of squares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from rulecheck.cases import Case, Observer, cases
from rulecheck.games.nestrace import Params, Position
from rulecheck.games.nestrace.families.towers import Tower, seen_term, slots, undecided, wrong_stack
from rulecheck.model import Result, Status, Verdict, Witness
from rulecheck.pyramids import Stack
from solvers.smt import Answer, Asker, Bool, every, no, some
from specs.nestrace.spec import Spec
from specs.nestrace.spec_moves import Path

Tick = Callable[[float], None]


def described(params: Params) -> str:
    nests = f"{params.nests} nest{'s' * (params.nests != 1)} each"
    team = " in partnership" if params.partners else ""
    board = "board" if params.board == "square" else "hexagon"
    return f"the {board} of core {params.core} and lines of {params.width}, {params.players} players{team}, {nests}"


class Cases:
    """One solver for the paths from one square: few facts, so each question is short."""

    def __init__(self, spec: Spec) -> None:
        self.spec, self.asker = spec, Asker()
        self.asker.add(*spec.scene.arrangement())
        self.names: dict[Any, Bool] = {}
        self.count = 0

    def named(self, key: Any, term: Callable[[], Bool]) -> Bool:
        if key not in self.names:
            self.names[key] = self.asker.name(term())
        return self.names[key]

    def could_be(self, case: Case, wrong: Bool) -> Answer:
        """Can this be true in this case? If not with any number of pyramids, then not with the right one.

        If it can, `stacks` has the first arrangement, in the order of the slots.
        """
        self.count += 1
        facts = [self.named((q, a), lambda q=q, a=a: seen_term(self.spec.scene, q, a)) for q, a in case.seen]  # type: ignore[misc]
        if self.asker.ask(*facts, wrong) is Answer.NO:
            return Answer.NO
        with self.asker.supposing(*self.spec.counts):
            return self.asker.least((), self.spec.scene.slots, *facts, wrong)

    def stacks(self) -> tuple[Stack, ...]:
        return self.spec.scene.stacks(self.asker.holds)


# -- Paths ----------------------------------------------------------------------------------------------------


def single_hops(spec: Spec, o: int) -> Iterator[Path]:
    """To every square, its own included: what is no hop is compared as well."""
    yield from ((o, t) for t in spec.squares)


def chains(length: int) -> Callable[[Spec, int], Iterator[Path]]:
    """Paths of so many jumps over the board, whatever their direction."""

    def extend(spec: Spec, path: Path) -> Iterator[Path]:
        if len(path) > length:
            yield path
            return
        for t in spec.squares:
            if spec.is_jump(path[-1], t):
                yield from extend(spec, (*path, t))

    return lambda spec, o: extend(spec, (o,))


def line_chains(spec: Spec, o: int) -> Iterator[Path]:
    """Chains of two jumps that touch down on A's lines and go along them with one of the jumps."""
    for s in (s for s in spec.squares if spec.is_jump(o, s) and spec.on_line("A", s)):
        ends = [t for t in spec.squares if spec.is_jump(s, t) and t != o]
        yield from ((o, s, t) for t in ends if spec.row("A", s) in (spec.row("A", o), spec.row("A", t)))


def there_and_back(spec: Spec, o: int) -> Iterator[Path]:
    """Chains of two jumps that leave one of A's lines and come back to it."""
    for s in (s for s in spec.squares if spec.is_jump(o, s) and spec.on_line("A", o)):
        yield from ((o, s, t) for t in spec.squares if spec.is_jump(s, t) and spec.row("A", t) == spec.row("A", o))


def odd_paths(spec: Spec, o: int) -> Iterator[Path]:
    """Two hops of which one or both are steps; and for each pair of squares one path that is not straight."""
    for s in spec.squares:
        steps, jumps = spec.is_step(o, s), spec.is_jump(o, s)
        ends = [t for t in spec.squares if spec.is_step(s, t) or (not jumps and spec.is_jump(s, t))]
        yield from ((o, s, t) for t in (ends if steps or jumps else ends[:1]))


def prove_paths(
    engine: Any, spec: Spec, paths: Callable[[Spec, int], Iterable[Path]], scope: str, tick: Tick
) -> Result:
    """Legality, the clause named, and the effect of every path, each player to move, on every arrangement."""
    total = 0
    for o in spec.squares:
        asked = Cases(spec)
        for path in paths(spec, o):
            for mover in spec.params.letters:
                result = prove_path(engine, asked, mover, path)
                if result is not None:
                    return Result(result.status, scope, result.witness, total + asked.count, result.note)
        total += asked.count
        tick((o + 1) / len(spec.squares))
    return Result(Status.PROVED, scope, cases=total)


def prove_path(engine: Any, asked: Cases, mover: str, path: Path) -> Result | None:
    spec = asked.spec
    terms = spec.asked(mover, path)
    for case in cases(lambda o: _run_path(engine, spec, o, mover, path)):
        answer = asked.could_be(case, _wrong(asked, terms, case, mover, path))
        if answer is Answer.UNKNOWN:
            return Result(Status.UNKNOWN, "", note="z3 ran out of its budget")
        if answer is Answer.YES:
            position = Position(mover, asked.stacks(), spec.params.squares)
            return Result(Status.REFUTED, "", path_witness(engine, spec, position, path))
    return None


def _run_path(engine: Any, spec: Spec, observer: Observer, mover: str, path: Path) -> Any:
    position = undecided(spec, observer, mover)
    verdict = engine.judge_path(position, path)
    return engine.after(position, path) if verdict.legal else verdict


def _wrong(asked: Cases, terms: dict[str, Bool], case: Case, mover: str, path: Path) -> Bool:
    """What must be impossible if the spec agrees with this outcome of the engine."""
    if isinstance(case.outcome, Verdict):
        (clause,) = case.outcome.clauses
        return asked.named((mover, path, clause), lambda: terms.get(clause, every(())))
    illegal = asked.named((mover, path), lambda: no(every(terms.values())))
    after: Position = case.outcome
    seen = dict(case.seen)
    top = seen[("at", path[0], 0)]
    spec = asked.spec
    if top.colour != mover or after.mover != spec.next_player(mover):
        return asked.named("always", lambda: every(()))
    touched = [s for s, tower in enumerate(after.stacks) if not _is_itself(s, tower) or s in (path[0], path[-1])]
    wanted = slots(spec.scene, *spec.effect(mover, (path[0], top.pips, path[-1])))
    key = (mover, path, top, *((s, t.place, t.dropped, t.pushed) for s, t in _looks(after, touched)))
    moved = asked.named(key, lambda: some(wrong_stack(spec.scene, s, t, wanted) for s, t in _looks(after, touched)))
    return asked.named((illegal.get_id(), moved.get_id()), lambda: some([illegal, moved]))


def _is_itself(s: int, tower: Any) -> bool:
    return bool(tower.place == s and tower.is_untouched)


def _looks(after: Position, touched: list[int]) -> list[tuple[int, Tower]]:
    return [(s, after.stacks[s]) for s in touched]  # type: ignore[misc]  # stacks under proof


def path_witness(engine: Any, spec: Spec, position: Position, path: Path) -> Witness:
    """The position found, replayed on the engine: a witness is one only if the two really differ."""
    verdict = engine.judge_path(position, path)
    flags = spec.scene.flags(position.stacks)
    asked = spec.asked(position.mover, path)
    broken = [n for n, term in asked.items() if not spec.values.compiled(term)(flags)]
    spec_says = f"illegal: {', '.join(broken)}" if broken else "legal"
    engine_says = str(verdict)
    if verdict.legal:
        engine_says = f"legal, then {engine.after(position, path)}"
    if verdict.legal and not broken:
        way = next((o, z, path[-1]) for o, z in spec.tops(position.mover, flags) if o == path[0])
        after = read_flags(spec, spec.next_player(position.mover), spec.following(position.mover, way, flags))
        spec_says = f"legal, then {after}"
    if engine_says == spec_says or set(verdict.clauses) & set(broken):
        raise AssertionError(f"the witness does not replay: {position}, {path}, {engine_says}")
    note = f"the engine says {engine_says}; the spec says {spec_says}"
    move = "-".join(spec.params.squares[s] for s in path)
    return Witness(str(position), move, note, params=spec.params.as_dict(), readings=dict(spec.readings))


def read_flags(spec: Spec, mover: str, flags: Any) -> Position:
    true = {v.get_id() for slot, v in spec.scene.at.items() if flags[spec.scene.number[slot]]}
    return Position(mover, spec.scene.stacks(lambda v: v.get_id() in true), spec.params.squares)


# -- The win and the set-up ------------------------------------------------------------------------------------


def prove_win(engine: Any, spec: Spec, scope: str, tick: Tick) -> Result:
    """Who has finished, and whether the game is over and by whom, on every arrangement."""
    asked = Cases(spec)
    questions = [_has_finished(engine, spec, c) for c in spec.params.letters]
    questions.append(("who has won", engine.winner, lambda said: no(_is_winner(spec, said))))
    for done, (what, look, wrong) in enumerate(questions):
        for case in cases(lambda o, look=look: look(undecided(spec, o, "A"))):  # type: ignore[misc]
            said = case.outcome
            answer = asked.could_be(case, asked.named((what, said), lambda w=wrong, s=said: w(s)))  # type: ignore[misc]
            if answer is Answer.UNKNOWN:
                return Result(Status.UNKNOWN, scope, cases=asked.count)
            if answer is Answer.YES:
                position = Position("A", asked.stacks(), spec.params.squares)
                note = f"{what}: the engine says {look(position)}, the spec does not"
                return Result(Status.REFUTED, scope, Witness(str(position), None, note), asked.count)
        tick((done + 1) / len(questions))
    return Result(Status.PROVED, scope, cases=asked.count)


def _has_finished(engine: Any, spec: Spec, c: str) -> tuple[str, Callable[[Position], Any], Callable[[Any], Bool]]:
    wrong = partial(_unless, term=spec.finished(c))
    return f"has {c} finished", lambda position: engine.has_finished(position, c), wrong


def _unless(said: bool, term: Bool) -> Bool:
    return no(term) if said else term


def _is_winner(spec: Spec, said: str | None) -> Bool:
    """NR-04, NR-32, NR-40: it is one of those who have won, or nobody has."""
    return no(spec.over()) if said is None else spec.won(said[0])


def prove_setup(engine: Any, spec: Spec, scope: str, tick: Tick) -> Result:
    """The start of the engine is the one arrangement that the set-up clauses describe; A begins; turns go round."""
    start: Position = engine.start()

    def refuted(note: str, cases: int) -> Result:
        return Result(Status.REFUTED, scope, Witness(str(start), None, note), cases)

    with spec.asker.supposing(spec.setup()):
        facts = spec.scene.facts(start.stacks)
        if not spec.certain(*facts):
            return refuted("the spec's set-up forbids this start", 1)
        spec.asker.add(no(every(facts)))
        if spec.certain():
            return refuted("the spec's set-up allows another start too", 2)
    if start.mover != "A":
        return refuted("A does not begin", 3)
    turns = {c: engine.next_player(c) for c in spec.params.letters}
    if any(turns[c] != spec.next_player(c) for c in turns):
        return refuted(f"turns go {turns}", 4)
    tick(1.0)
    return Result(Status.PROVED, scope, cases=3 + len(turns))
