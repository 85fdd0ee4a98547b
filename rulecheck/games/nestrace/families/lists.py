"""Nest race: whole lists of legal moves, with passes and the pat rule, compared position by position.

The constraints are looked up for one position at a time (`specs.nestrace.spec_scene.Values`), which is the same
formulas without the solver. A position is compared completely: who is in pat, what may be played, where it leads, and
which clauses the base moves break that may not be played.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import z3

from rulecheck.games.nestrace import PASS, SIZES, Move, Position
from rulecheck.games.nestrace.families.hops import Tick, read_flags
from rulecheck.model import Result, Status, Witness
from solvers.smt import FALSE, Answer, Bool, every, no, some
from specs.nestrace.spec import Spec
from specs.nestrace.spec_moves import Path
from specs.nestrace.spec_scene import Flags, View


class Lists:
    def __init__(self, engine: Any, spec: Spec) -> None:
        self.engine, self.spec = engine, spec

    def disagreement(self, position: Position) -> str | None:
        """What engine and spec see differently here, in words."""
        flags = self.spec.scene.flags(position.stacks)
        return self._pats(position, flags) or self._moves(position, flags) or self._reasons(position, flags)

    def _pats(self, position: Position, flags: Flags) -> str | None:
        for c in self.spec.params.letters:
            if self.engine.in_pat(position, c) != self.spec.in_pat(c, flags):
                return f"only the {'spec' if self.spec.in_pat(c, flags) else 'engine'} says that {c} is in pat"
        victims = sorted(self.engine.victims(position)), sorted(self.spec.victims(position.mover, flags))
        return None if victims[0] == victims[1] else f"the engine's victims are {victims[0]}, the spec's {victims[1]}"

    def _moves(self, position: Position, flags: Flags) -> str | None:
        spec, c = self.spec, position.mover
        choice, following = spec.choice(c, flags), spec.next_player(c)
        expected = {spec.following(c, way, flags) for way in choice.legal} | ({flags} if choice.may_pass else set())
        listed = self.engine.moves(position)
        allowed = {spec.scene.flags(after.stacks): move for move, after in listed.items()}
        if any(after.mover != following for after in listed.values()):
            return f"the turn does not pass to {following}"
        for result in sorted(allowed.keys() ^ expected):
            who = f"engine allows {allowed[result]}" if result in allowed else "spec allows a move"
            return f"only the {who} that leads to {read_flags(spec, following, result)}"
        wrong = [move for move in allowed.values() if move != PASS and not self._keeps(c, self._path(move), flags)]
        return f"the engine's path {wrong[0]} is not legal to the spec" if wrong else None

    def _path(self, move: Move) -> Path:
        return tuple(self.spec.params.number[name] for name in move.path)

    def _keeps(self, c: str, path: Path, flags: Flags) -> bool:
        spec, tops = self.spec, dict(self.spec.tops(c, flags))
        if path[0] not in tops:
            return False
        key = (c, tops[path[0]], path)
        return bool(spec.test(("keeps", *key), lambda: every(spec.path_clauses(*key).values()))(flags))

    def _reasons(self, position: Position, flags: Flags) -> str | None:
        """Where the pat rule takes moves away: the clause that the engine names is one the spec finds broken."""
        spec, choice = self.spec, self.spec.choice(position.mover, flags)
        if not choice.forbidden and choice.owed is None:
            return None
        names, paths = spec.params.squares, {(p[0], p[-1]): p for p in self.engine.base_moves(position, position.mover)}
        taken_away = [paths.get((o, t), (o, t)) for o, _, t in sorted(choice.base - choice.legal)]
        for path in [(), *taken_away]:
            move = Move(tuple(names[s] for s in path))
            said = self.engine.judge(position, move).clauses
            broken = spec.broken_by_pat_rule(position.mover, path, flags)
            if bool(said) != bool(broken) or not broken.issuperset(said):
                return f"{move} breaks {sorted(said)} to the engine, {sorted(broken)} to the spec"
        return None


def prove_lists(engine: Any, spec: Spec, positions: Iterable[Position], scope: str, tick: Tick) -> Result:
    """Each position given, completely. They are a sample, and nothing is said about the others.

    Without a position nothing was compared: that is UNKNOWN, and no sample.
    """
    lists, count = Lists(engine, spec), 0
    for position in positions:
        count += 1
        if words := lists.disagreement(position):
            witness = Witness(str(position), None, words, spec.params.as_dict(), dict(spec.readings))
            return Result(Status.REFUTED, scope, witness, count, sample=True)
    tick(1.0)
    if not count:
        return Result(Status.UNKNOWN, scope, note="there was no such position to compare")
    return Result(Status.UNKNOWN, scope, cases=count, sample=True)


# -- Which positions --------------------------------------------------------------------------------------------


def arrangements(spec: Spec) -> Iterator[Flags]:
    """Every way to put two players' nests, one each, on the squares where they can stand."""
    number, (a, b) = spec.scene.number, spec.params.letters
    pairs = [[(number[s, z, a], number[t, z, b]) for s, t in _apart(spec, z)] for z in SIZES]
    empty = (False,) * len(number)
    for chosen in product(*pairs):
        flags = list(empty)
        for at, other in chosen:
            flags[at] = flags[other] = True
        yield tuple(flags)


def _apart(spec: Spec, z: int) -> list[tuple[int, int]]:
    a, b = ([s for s in spec.squares if (s, z, c) in spec.scene.at] for c in spec.params.letters)
    return [(s, t) for s in a for t in b if s != t]


def code(flags: Flags) -> int:
    """As the number whose bit n is slot n."""
    return sum(1 << n for n, flag in enumerate(flags) if flag)


def both_to_move(spec: Spec, all_flags: Iterable[Flags]) -> Iterator[Position]:
    for flags in all_flags:
        position = read_flags(spec, spec.params.letters[0], flags)
        for c in spec.params.letters:
            yield Position(c, position.stacks, position.squares)


def in_pat(spec: Spec, all_flags: Iterable[Flags]) -> Iterator[Flags]:
    """Those in which somebody is in pat."""
    return (flags for flags in all_flags if any(spec.in_pat(c, flags) for c in spec.params.letters))


def before_pat(spec: Spec, all_flags: Iterable[Flags]) -> Iterator[tuple[str, Flags]]:
    """From arrangements with a pat: who may have brought it about with a base move of his, and from where."""
    for flags in all_flags:
        for b in spec.params.letters:
            if any(spec.in_pat(v, flags) for v in spec.others(b)):
                yield from ((b, before) for before in _moved_last(spec, b, flags))


def _moved_last(spec: Spec, b: str, flags: Flags) -> Iterator[Flags]:
    for t, z in spec.tops(b, flags):
        for o in (o for o in spec.squares if (o, z, b) in spec.scene.at and not _fills(spec, flags, o, z)):
            before = spec.following(b, (t, z, o), flags)
            if (o, z) in spec.tops(b, before) and t in spec.ends(b, (o, z), before):
                yield before


def _fills(spec: Spec, flags: Flags, s: int, z: int) -> bool:
    """A pyramid of this size is there already."""
    numbers = (spec.scene.number.get((s, z, c)) for c in spec.params.letters)
    return any(flags[n] for n in numbers if n is not None)


def reachable(engine: Any) -> Iterator[Position]:
    """What play reaches from the start, nearest first."""
    positions = [engine.start()]
    known = set(positions)
    for position in positions:
        yield position
        fresh = [after for after in engine.moves(position).values() if after not in known]
        known.update(fresh)
        positions += fresh


def sampled(spec: Spec, seed: int, count: int) -> Iterator[Flags]:
    """So many arrangements, drawn by chance: every pyramid anywhere its player can stand."""
    rng, number = random.Random(seed), spec.scene.number
    room = {c: [s for s in spec.squares if (s, 1, c) in spec.scene.at] for c in spec.params.letters}
    for _ in range(count):
        flags = [False] * len(number)
        for z in SIZES:
            used: set[int] = set()
            for c in spec.params.letters * spec.params.nests:
                s = rng.choice([s for s in room[c] if s not in used])
                used.add(s)
                flags[number[s, z, c]] = True
        yield tuple(flags)


class Finder:
    """Arrangements that chance draws among those with certain facts: z3 says what is possible, and chooses nothing."""

    def __init__(self, spec: Spec, seed: int) -> None:
        self.spec, self.rng = type(spec)(spec.params, spec.readings), random.Random(seed)
        self.pats = {c: self.spec.pat_facts(c) for c in spec.params.letters}

    def find(self, wishes: Iterable[Bool]) -> Flags | None:
        """An arrangement in which all of this is so, the first when the slots are shuffled; None also if z3 does not
        find out."""
        asker, slots = self.spec.asker, self.spec.scene.slots
        answer = asker.least((), self.rng.sample(slots, len(slots)), *wishes)
        return tuple(map(asker.holds, slots)) if answer is Answer.YES else None

    def in_pat(self, count: int) -> Iterator[Flags]:
        """Arrangements in which a player is in pat, each with other chance wishes."""
        spec, letters, made = self.spec, self.spec.params.letters, 0
        for tried in range(4 * count):
            c = letters[tried % len(letters)]
            flags = self.find([*self.pats[c], *_wishes(spec, self.rng, c)])
            if flags is None:
                continue
            if spec.readings["horizon"] == "now" and not spec.in_pat(c, flags):
                raise AssertionError(f"closed sets and the least set differ: {read_flags(spec, c, flags)}")
            made += 1
            yield flags
            if made == count:
                return

    def over(self, count: int) -> Iterator[Flags]:
        """Arrangements after the end of the game in which pyramids still lie immobilised."""
        spec, rng = self.spec, self.rng
        blocked = some([spec.blocks(b, v) for v in spec.params.letters for b in spec.others(v)])
        for _ in range(count):
            c = rng.choice(spec.params.letters)
            back = [slot for slot in spec.unfinished(c) if spec.is_early(c, slot[0])]
            wishes = [spec.over(), blocked, spec.blocks(rng.choice(spec.others(c)), c)]
            wishes += [no(View(spec.scene).top(*slot, [c])) for slot in back]
            flags = self.find(wishes + [no(v) for v in rng.sample(list(spec.scene.at.values()), 4)])
            if flags is not None:
                yield flags


def _wishes(spec: Spec, rng: random.Random, c: str) -> list[Bool]:
    """A pyramid of c's immobilised by a certain player, some slots filled or empty; mostly orderly finish lines."""
    at, b = spec.scene.at, rng.choice(spec.others(c))
    covers = [term for slot in spec.unfinished(c) if (term := spec.immobilises(b, c, *slot)) is not FALSE]
    empty, filled = rng.sample(list(at), len(at) // 8), rng.sample(list(at), 3)
    wishes = [some(rng.sample(covers, 3)), some([at[s] for s in filled]), *(no(at[s]) for s in empty)]
    return wishes + (_orderly(spec) if rng.random() < 0.75 else [])


def _orderly(spec: Spec) -> list[Bool]:
    """As play leaves them: what stands on its finish line stands on the next smaller one of its colour."""
    at = spec.scene.at
    inside = [(s, z, c) for s, z, c in at if spec.on_finish(c, s) and z > SIZES[0]]
    return [z3.Implies(at[s, z, c], at[s, z - 1, c]) for s, z, c in inside]
