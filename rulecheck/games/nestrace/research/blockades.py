"""Nest race: blockades as constraints, on the full board, so that z3 can find the smallest.

All of it is about two players and the rules as printed: A is the victim, B the blocker and to move. A base move off
row 7 that advances is then a single step onto the finish line (`only_steps_enter` makes sure), so whether A is in pat
is a plain formula, and so is whether A would be after a move of B's. The *size* of a position is the number of its
pyramids that are not on their finish line.

Glossary: s, o, t squares, o and t those a move begins and ends on; z a size; x the scene with B's top lifted from o.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

import z3

from rulecheck.games.nestrace import GAME, SIZES, Params, Position, read_params
from rulecheck.model import Readings
from solvers.smt import FALSE, Answer, Bool, at_most, every, exactly, no, some
from specs.nestrace.spec import Spec
from specs.nestrace.spec_scene import View

A, B = "A", "B"


class Blockades:
    def __init__(self, params: Params, readings: Readings) -> None:
        self.spec = Spec(params, readings, search=True)
        self.scene, self.asker, self.squares = self.spec.scene, self.spec.asker, self.spec.squares
        if not self.only_steps_enter():
            raise ValueError("here a jump can enter the finish line from the row before it")
        self.asker.add(*self.in_play())
        self.quiet = {s: self.asker.name(self._quiet(View(self.scene), s)) for s in self.squares}
        self.quiet_but = {
            t: self.asker.name(every(self.quiet[s] for s in self.squares if s != t)) for t in self.squares
        }
        # Terms that more than one question needs.
        self.quiet_after = functools.cache(lambda o, z: self._quiet(View(self.scene, o, z), o))
        self.pat_after = functools.cache(self._pat_after)
        self.cannot = functools.cache(self._cannot)
        self.may_go = functools.cache(self._may_go)
        self.unfinished = [v for (s, _, c), v in self.scene.at.items() if not self.spec.on_finish(c, s)]

    def only_steps_enter(self) -> bool:
        """No jump that is not backward leads from row 7 to another row; so chains from there stay on it."""
        last = [s for s in self.squares if self.spec.on_brink(A, s)]
        return all(self.spec.on_brink(A, t) for s in last for t, _ in self.spec.jumps_from(A, s))

    def in_play(self) -> list[Bool]:
        """An invariant of positions in play: the game is on, and nests on finish lines grow in order (NR-22)."""
        finish = [(s, c) for c in (A, B) for s in self.squares if self.spec.on_finish(c, s)]
        has = View(self.scene).has
        grown = [some([no(has(s, z, c)), has(s, z - 1, c)]) for s, c in finish for z in SIZES[1:]]
        return [*grown, no(self.spec.over())]

    # -- Pat, now and after a move ---------------------------------------------------------------------------

    def _quiet(self, x: View, s: int) -> Bool:
        """Nothing on s keeps A from being in pat: nothing A could uncover, or that is short of row 7 or can enter."""
        if self.spec.on_finish(A, s):
            return every([])
        tops = {z: x.top(s, z, [A]) for z in SIZES}
        own_cover = [every([tops[z], x.holds(s, [A], range(1, z))]) for z in SIZES[1:]]
        if not self.spec.on_brink(A, s):
            return no(some(tops.values()))
        entries = [t for t in self.squares if self.spec.on_finish(A, t) and self.spec.is_step(s, t)]
        enters = [every([tops[z], *self.spec.path_clauses(A, z, (s, t)).values()]) for z in SIZES for t in entries]
        return no(some([*own_cover, *enters]))

    def pat(self) -> Bool:
        return every([self.spec.blocks(B, A), *self.quiet.values()])

    def held(self, o: int, z: int) -> Bool:
        """B's top of size z on o lies directly on an unfinished pyramid of A's: to move it frees."""
        return every([View(self.scene).top(o, z, [B]), some(View(self.scene, o, z).top(o, y, [A]) for y in SIZES)])

    def _pat_after(self, o: int, z: int, t: int) -> Bool:
        """NR-30: B's top goes from o onto a stack with a pyramid of A's, and A is in pat then."""
        x = View(self.scene, o, z)
        return every(
            [x.holds(t, [A]), self.quiet_after(o, z), self.quiet_but[t]]
        )  # o is quiet as long as B's top is there

    def moves(self) -> Iterator[tuple[int, int, int]]:
        """Every (o, z, t) that could be a base move of B's."""
        own = [s for s in self.squares if not self.spec.foreign(B, s)]
        for o in own:
            for t in own:
                if o != t and not self.spec.row(B, t) < self.spec.row(B, o):
                    yield from ((o, z, t) for z in SIZES)

    def _cannot(self, o: int, t: int) -> Bool:
        return self.spec.closed_sets(B, o)(t)

    def _may_go(self, o: int, z: int, t: int) -> Bool:
        """Too weak, never too strong: the step from o to t is a base move, or t is where jumps from o can lead."""
        step = every(self.spec.path_clauses(B, z, (o, t)).values()) if self.spec.is_step(o, t) else FALSE
        if t not in self.spec.touchable(o):
            return step
        return some([step, *(self.spec.jump_clauses(B, z, o, o, u) for u, _ in self.spec.jumps_from(B, o))])

    def barred(self, lying: dict[tuple[int, int], Bool]) -> list[Bool]:
        """Some of these pyramids of B's may move, and NR-30 forbids all that they may do."""
        ways = {(o, z, t): self.pat_after(o, z, t) for o, z, t in self.moves()}
        some_way = some(every([lying[o, z], after, self.may_go(o, z, t)]) for (o, z, t), after in ways.items())
        return [some_way, *(some([no(lying[o, z]), self.cannot(o, t), after]) for (o, z, t), after in ways.items())]

    # -- The questions ---------------------------------------------------------------------------------------

    def in_pat(self) -> list[Bool]:
        return [self.pat()]

    def stuck_in_pat(self) -> list[Bool]:
        """In pat, and without any base move: all free pyramids of A's are on rows 7 and 8."""
        return [self.pat(), *self.still(s for s in self.squares if not self.spec.is_early(A, s))]

    def stuck_elsewhere(self) -> list[Bool]:
        """A has a pyramid under one of B's and no base move at all, but a free pyramid short of row 7."""
        early = [s for s in self.squares if self.spec.is_early(A, s)]
        free = some(View(self.scene).top(s, z, [A]) for s in early for z in SIZES)
        return [self.spec.blocks(B, A), free, *self.still(self.squares)]

    def still(self, places: Iterable[int]) -> list[Bool]:
        """No base move of A's begins there."""
        own = [s for s in self.squares if not self.spec.foreign(A, s)]
        pairs = [(o, t) for o in places for t in own if o != t and not self.spec.row(A, t) < self.spec.row(A, o)]
        return [self.spec.closed_sets(A, o)(t) for o, t in pairs if o in own]

    def cover_stuck(self) -> list[Bool]:
        """In pat; some cover lies directly on A's, and no such cover can move."""
        held = {(o, z): self.held(o, z) for o, z, _ in self.moves()}
        return [
            self.pat(),
            some(held.values()),
            *(some([no(held[o, z]), self.cannot(o, t)]) for o, z, t in self.moves()),
        ]

    def both_stuck(self) -> list[Bool]:
        """A in pat without any base move, under covers that cannot move."""
        return [*self.stuck_in_pat(), *self.cover_stuck()]

    def cover_doubled(self) -> list[Bool]:
        """In pat; on every pyramid of A's that B covers, another one of B's lies under the top."""
        return [self.pat(), *(no(self.held(o, z)) for o, z in {(o, z) for o, z, _ in self.moves()})]

    def collision(self) -> list[Bool]:
        """In pat; some cover directly on A's may move, and NR-30 forbids every such move."""
        return [self.pat(), *self.barred({(o, z): self.held(o, z) for o, z, _ in self.moves()})]

    def all_forbidden(self) -> list[Bool]:
        """Some top of B's may move, and NR-30 forbids every move of B's."""
        return self.barred({(o, z): View(self.scene).top(o, z, [B]) for o, z, _ in self.moves()})

    # -- What is true of every pat ---------------------------------------------------------------------------

    def without_large(self) -> list[Bool]:
        """In pat without a free large pyramid on row 7."""
        brink = [s for s in self.squares if self.spec.on_brink(A, s)]
        return [self.pat(), *(no(View(self.scene).top(s, SIZES[-1], [A])) for s in brink)]

    def in_pat_now(self) -> Bool:
        """The same as `pat`, without names in it."""
        return every([self.spec.blocks(B, A), *(self._quiet(View(self.scene), s) for s in self.squares)])

    def made_by_other(self, lawful: bool = True) -> list[Bool]:
        """A is not in pat; B's top of some size goes from some square to any other, which NR-30 allows; A is in pat.

        It ignores whether a hop leads there, so it covers more than the moves of B's.
        """
        own = [s for s in self.squares if (s, SIZES[0], B) in self.scene.at]
        leaves, lands = ({s: z3.Bool(f"{word} {s}") for s in own} for word in ("leaves", "lands"))
        moved = {z: z3.Bool(f"moves a {z}") for z in SIZES}
        x, facts = View(self.scene), [exactly(list(chosen.values()), 1) for chosen in (leaves, lands, moved)]
        after = []
        for s in own:
            if lawful:
                facts.append(no(every([lands[s], x.holds(s, [A])])))
            for z in SIZES:
                facts.append(z3.Implies(z3.And(leaves[s], moved[z]), x.top(s, z, [B])))
                facts.append(z3.Implies(z3.And(lands[s], moved[z]), no(x.taken(s, range(z, SIZES[-1] + 1)))))
                here = self.scene.at[s, z, B]
                stays = z3.And(here, z3.Not(z3.And(leaves[s], moved[z])))
                after.append((here, z3.Or(stays, z3.And(lands[s], moved[z]))))
        pat = self.in_pat_now()
        return [*facts, no(pat), z3.substitute(pat, *after)]

    # -- Answers ---------------------------------------------------------------------------------------------

    def of_size(self, facts: list[Bool], size: int) -> Answer:
        """Is there a position of at most this size with these facts?"""
        with self.asker.supposing(*facts, at_most(self.unfinished, size)):
            return self.asker.ask()

    def least(self, facts: list[Bool]) -> Position | None:
        """The first position, in the order of the slots, of the least size with these facts; None if z3 gives up."""
        answer = self.asker.least(self.unfinished, self.scene.slots, *facts)
        return Position(B, self.spec.read_stacks(), self.spec.params.squares) if answer is Answer.YES else None


@functools.lru_cache(maxsize=1)
def blockades() -> Blockades:
    """The full board under the default readings, built once."""
    return Blockades(read_params({}), GAME.rulebook.defaults())
