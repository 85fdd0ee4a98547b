"""Crosswalk as constraints, clause by clause: what an act does, and what each clause asks of it.

A scene says what lies at each depth of each place: depth 0 is the top, because only tops ever move. A walk is
a row of scenes; between two scenes an act may carry the top of one place (`src`) to another (`dst`). `holds`
names, for each clause, the condition under which the act keeps it: the act is legal if all of them are true.

Glossary: x, y scenes; p, q places; d a depth; k a kind of pyramid; t the number of a scene within a walk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import z3

from rulecheck.games.crosswalk import PEDESTRIAN, PLAYERS, Params, Step
from rulecheck.model import Readings
from rulecheck.pyramids import Pyramid
from solvers.smt import FALSE, TRUE, Asker, Bool, at_most, either, every, exactly, some

Carried = Mapping[Pyramid, Bool]  # for each kind of pyramid, whether it is one that this is said of


class Scene:
    """Who lies where at one moment. Slots that no arrangement can fill are constant."""

    def __init__(self, params: Params, name: str) -> None:
        self.kinds = sorted(params.material)
        self.depth = sum(params.material.values())
        self.at: dict[tuple[int, int, Pyramid], Bool] = {}
        self.full: dict[tuple[int, int], Bool] = {}
        self.free: dict[tuple[int, int], Bool] = {}
        for p in params.places:
            owner = next((c for c in PLAYERS if params.finish(c) == p), None)
            height = self.depth if owner is None else len(params.sizes)
            for d in range(height):
                self.full[p, d] = z3.Bool(f"{name}:{p}.{d}")
                self.free[p, d] = z3.Not(self.full[p, d])
                for k in self.kinds:
                    if owner in (None, k.colour):
                        self.at[p, d, k] = z3.Bool(f"{name}:{p}.{d}.{k}")

    def has(self, p: int, d: int, k: Pyramid) -> Bool:
        return self.at.get((p, d, k), FALSE)

    def taken(self, p: int, d: int = 0) -> Bool:
        return self.full.get((p, d), FALSE)

    def definitions(self) -> list[Bool]:
        """A slot is taken if some pyramid is in it."""
        inside: dict[tuple[int, int], list[Bool]] = {slot: [] for slot in self.full}
        for (p, d, _), pyramid in self.at.items():
            inside[p, d].append(pyramid)
        return [full == some(inside[slot]) for slot, full in self.full.items()]

    def shows(self, p: int, colour: str, d: int = 0) -> Bool:
        """A pyramid of this colour lies at depth d (the top, if nothing else is said)."""
        return some(self.at[p, d, k] for k in self.kinds if k.colour == colour and (p, d, k) in self.at)


class Act:
    """One pyramid is carried from a place to a place, or (not `go`) nothing happens."""

    def __init__(self, go: Bool, src: list[Bool], dst: list[Bool]) -> None:
        self.go, self.rest, self.src, self.dst = go, z3.Not(go), src, dst

    @classmethod
    def named(cls, params: Params, name: str) -> Act:
        src, dst = ([z3.Bool(f"{name}:{end}{p}") for p in params.places] for end in ("src", "dst"))
        return cls(z3.Bool(f"{name}:go"), src, dst)

    @classmethod
    def between(cls, params: Params, p: int, q: int) -> Act:
        """An act that is given: the top of p goes to q."""
        src, dst = ([TRUE if place == end else FALSE for place in params.places] for end in (p, q))
        return cls(TRUE, src, dst)

    def literals(self, step: Step | None) -> list[Bool]:
        return [self.rest] if step is None else [self.go, self.src[step.source], self.dst[step.target]]


class Rules:
    """`walk_length` scenes beyond the first; the longest walk a roll allows, if nothing is said."""

    def __init__(
        self, params: Params, readings: Readings, *, walk_length: int | None = None, counted: bool = True
    ) -> None:
        self.params, self.readings = params, readings
        shortest = min(k.pips for k in params.material)
        # One act more than any roll pays for: the act that is one too many can then be judged as well.
        length = params.die // shortest + 1 if walk_length is None else walk_length
        # Measured: single acts are answered faster without a logic, whole walks with this one.
        self.asker = Asker(logic="QF_FD" if length > 1 else None)
        self.a_moves = z3.Bool("A to move")
        self.to_move = {"A": self.a_moves, "B": z3.Not(self.a_moves)}
        # CW-07: the turn goes to who is not to move.
        self.moves_next = {player: z3.Not(to_move) for player, to_move in self.to_move.items()}
        # CW-11: the places lie in a row, and a pyramid goes along it up or down.
        self.next_to = [*pairwise(params.places), *pairwise(reversed(params.places))]
        self.scenes = [Scene(params, f"x{t}") for t in range(length + 1)]
        self.acts = [Act.named(params, f"a{t}") for t in range(length)]
        own = [Pyramid(c, s) for c in PLAYERS for s in params.sizes]
        # Whether a pyramid has crossed its finish line earlier in the turn than the first scene shows.
        self.crossed_before = {k: z3.Bool(f"{k} has crossed") for k in own}
        self.fresh_turn = [z3.Not(v) for v in self.crossed_before.values()]
        self.left = [[z3.Bool(f"left{t}={v}") for v in range(params.die + 1)] for t in range(length + 1)]
        for scene in self.scenes:
            self.asker.add(*scene.definitions())
        self._arrangement(self.scenes[0])
        self.counts = self._counts(self.scenes[0])
        if counted:  # what is proved for any number of pyramids is proved for the right one, and z3 wanders less
            self.asker.add(*self.counts)
        self.asker.add(exactly(self.left[0], 1))
        self.carried: list[dict[Pyramid, Bool]] = []
        self.holds: list[dict[str, Bool]] = []
        self.ok: list[Bool] = []
        for t, act in enumerate(self.acts):
            self._carry(self.scenes[t], act, self.scenes[t + 1])
            self._pay(t)
            clauses = self._step_clauses(self.scenes[t], act, self.carried[t], self.left[t], self._crossed(t))
            self.holds.append({c: self.asker.name(f, f"{c}@{t}") for c, f in clauses.items()})
            self.ok.append(self.asker.name(every(self.holds[t].values()), f"ok@{t}"))
        self.permits: dict[str, Bool] = {}
        self.reloc_holds: dict[str, Bool] = {}
        if self.acts:
            self.permits = {c: self.asker.name(f, f"permit {c}") for c, f in self._permissions().items()}
            exception = self._relocation_clauses(self.scenes[0], self.acts[0])
            self.reloc_holds = {c: self.asker.name(f, f"reloc {c}") for c, f in exception.items()}
        self._walk()

    # -- What every arrangement obeys ------------------------------------------------------------------------

    def _arrangement(self, x: Scene) -> None:
        """CW-04..06: stacks have no holes."""
        add = self.asker.add
        for p in self.params.places:
            for d in range(x.depth):
                slot = [x.at[p, d, k] for k in x.kinds if (p, d, k) in x.at]
                if slot:
                    add(at_most(slot, 1), z3.Implies(x.taken(p, d + 1), x.taken(p, d)))

    def _counts(self, x: Scene) -> list[Bool]:
        """CW-03: all pyramids of the game are there, and no others."""
        slots = {k: [v for (_, _, kind), v in x.at.items() if kind == k] for k in x.kinds}
        return [exactly(slots[k], self.params.material[k]) for k in x.kinds]

    def setup(self) -> Bool:
        """CW-04, 05, 07: trees (small on top, large lowest) at opposite ends, the given stacks between them."""
        x, wanted = self.scenes[0], [self.to_move[self.params.first]]
        for player in PLAYERS:
            home = self.params.home(player)
            wanted += [x.has(home, d, Pyramid(player, s)) for d, s in enumerate(sorted(self.params.sizes))]
            wanted.append(z3.Not(x.taken(home, len(self.params.sizes))))
        for p, pips in zip(self.params.board[1:-1], self.params.pedestrians, strict=True):
            wanted += [x.has(p, d, Pyramid(PEDESTRIAN, s)) for d, s in enumerate(reversed(pips))]
            wanted.append(z3.Not(x.taken(p, len(pips))))
        return every(wanted)

    # -- Words ----------------------------------------------------------------------------------------------

    def _by_mover(self, if_a: Bool, if_b: Bool) -> Bool:
        return either(self.a_moves, if_a, if_b)

    def own(self, x: Scene, p: int, d: int = 0) -> Bool:
        return self._by_mover(x.shows(p, "A", d), x.shows(p, "B", d))

    def foe(self, x: Scene, p: int, d: int = 0) -> Bool:
        return self._by_mover(x.shows(p, "B", d), x.shows(p, "A", d))

    def nest(self, x: Scene, player: str) -> Bool:
        """CW-02: large on medium on small at the player's finish, and nothing else of the player's anywhere."""
        finish = self.params.finish(player)
        order = sorted(self.params.sizes, reverse=True)
        return every(x.has(finish, d, Pyramid(player, s)) for d, s in enumerate(order))

    def mover_nest(self, x: Scene) -> Bool:
        return self._by_mover(self.nest(x, "A"), self.nest(x, "B"))

    def foe_nest(self, x: Scene) -> Bool:
        return self._by_mover(self.nest(x, "B"), self.nest(x, "A"))

    def ends_at_once(self, x: Scene) -> Bool:
        """CW-22: under win=immediate the game stops the moment the mover's nest stands."""
        return self.mover_nest(x) if self.readings["win"] == "immediate" else FALSE

    # -- What an act does -----------------------------------------------------------------------------------

    def _carry(self, x: Scene, act: Act, y: Scene) -> None:
        """CW-14: the top goes; everything under it, and everything elsewhere, stays as it lies."""
        add = self.asker.add
        add(exactly([*act.src, z3.Not(act.go)], 1), exactly([*act.dst, z3.Not(act.go)], 1))
        carried = {
            k: self.asker.name(some(z3.And(act.src[p], x.has(p, 0, k)) for p in self.params.places), "carried")
            for k in x.kinds
        }
        self.carried.append(carried)
        for (p, d, k), after in y.at.items():
            under = carried[k] if d == 0 else x.has(p, d - 1, k)
            here, there = act.src[p], act.dst[p]
            add(z3.Implies(z3.And(here, z3.Not(there)), after == x.has(p, d + 1, k)))
            add(z3.Implies(z3.And(there, z3.Not(here)), after == under))
            add(z3.Implies(here == there, after == x.at[p, d, k]))

    def _pay(self, t: int) -> None:
        """CW-10: an act costs the pips of the pyramid carried."""
        for v, before in enumerate(self.left[t]):
            self.asker.add(z3.Implies(z3.And(z3.Not(self.acts[t].go), before), self.left[t + 1][v]))
            for k, carried in self.carried[t].items():
                if v >= k.pips:
                    self.asker.add(z3.Implies(z3.And(before, carried), self.left[t + 1][v - k.pips]))
        self.asker.add(exactly(self.left[t + 1], 1))

    # -- The clauses of a step ------------------------------------------------------------------------------

    def _step_clauses(
        self, x: Scene, act: Act, carried: Carried, left: Sequence[Bool], crossed: Carried
    ) -> dict[str, Bool]:
        """`carried` says which pyramid goes, `left` how many points there are, `crossed` what has crossed before."""
        walkers = some(v for k, v in carried.items() if k.colour == PEDESTRIAN)
        mine = some(z3.And(act.src[p], self.own(x, p)) for p in self.params.places)
        clauses = {
            # CW-02: only under finish_entry=nest_order, a finish is filled in the order of a nest.
            "CW-02": self._entry_in_order(x, act, carried) if self.readings["finish_entry"] == "nest_order" else TRUE,
            # CW-10: the pips of the pyramid are there to be spent.
            "CW-10": every(z3.Implies(v, some(left[k.pips :])) for k, v in carried.items()),
            # CW-11: to the next place, in either direction.
            "CW-11": some(z3.And(act.src[p], act.dst[q]) for p, q in self.next_to),
            # CW-13: never the opponent's.
            "CW-13": z3.Not(some(z3.And(act.src[p], self.foe(x, p)) for p in self.params.places)),
            # CW-14: there is a top to move.
            "CW-14": some(z3.And(act.src[p], x.taken(p)) for p in self.params.places),
            # CW-15: an own pyramid does not come to lie directly on an opponent's. CW-16: pedestrians may.
            "CW-15": z3.Not(z3.And(mine, some(z3.And(act.dst[q], self.foe(x, q)) for q in self.params.board))),
            # CW-17: of the two finishes an own pyramid may enter the own one only.
            "CW-17": z3.And(z3.Not(z3.And(mine, self._foe_finish(act.dst))), self._crosses_once(act, carried, crossed)),
            # CW-18: pedestrians enter neither.
            "CW-18": z3.Not(z3.And(walkers, some(act.dst[self.params.finish(c)] for c in PLAYERS))),
            # CW-22: nothing happens after the end.
            "CW-22": z3.Not(z3.Or(self.ends_at_once(x), self.foe_nest(x))),
        }
        return clauses

    def _permissions(self) -> dict[str, Bool]:
        """The first act does what only a permission allows."""
        x, act = self.scenes[0], self.acts[0]
        walkers = some(v for k, v in self.carried[0].items() if k.colour == PEDESTRIAN)
        return {
            # CW-16: a pedestrian comes to lie directly on an opponent's pyramid.
            "CW-16": z3.And(walkers, some(z3.And(act.dst[q], self.foe(x, q)) for q in self.params.board)),
            # CW-17: an own pyramid goes to the own finish.
            "CW-17": self._own_finish(act.dst),
        }

    def passes_over(self) -> Bool:
        """CW-15b broken: an own pyramid makes two steps, and between them lies where an opponent's was on top."""
        x, first, second = self.scenes[0], *self.acts[:2]
        mine = some(z3.And(first.src[p], self.own(x, p)) for p in self.params.places)
        over = some(z3.And(first.dst[p], second.src[p], self.foe(x, p)) for p in self.params.board)
        return z3.And(first.go, second.go, mine, over)

    def _foe_finish(self, places: Sequence[Bool]) -> Bool:
        return self._by_mover(places[self.params.finish("B")], places[self.params.finish("A")])

    def _own_finish(self, places: Sequence[Bool]) -> Bool:
        return self._by_mover(places[self.params.finish("A")], places[self.params.finish("B")])

    def _entry_in_order(self, x: Scene, act: Act, carried: Carried) -> Bool:
        """Whoever enters the own finish finds exactly all smaller own sizes there, the next smaller on top."""
        sizes = sorted(self.params.sizes)
        rules = []
        for player in PLAYERS:
            finish = self.params.finish(player)
            for n, size in enumerate(sizes):
                entering = z3.And(act.dst[finish], carried[Pyramid(player, size)])
                ready = [x.has(finish, d, Pyramid(player, s)) for d, s in enumerate(reversed(sizes[:n]))]
                rules.append(z3.Implies(entering, z3.And(every(ready), z3.Not(x.taken(finish, n)))))
        return every(rules)

    def _cross(self, act: Act, carried: Carried, k: Pyramid) -> Bool:
        """CW-17: this pyramid goes from the board to its finish or back."""
        finish = self.params.finish(k.colour)
        return z3.And(carried[k], z3.Or(act.src[finish], act.dst[finish]))

    def _crosses_once(self, act: Act, carried: Carried, crossed: Carried) -> Bool:
        """Under finish_bounce=forbidden no pyramid crosses its finish line twice in a turn."""
        return z3.Not(some(z3.And(self._cross(act, carried, k), before) for k, before in crossed.items()))

    def _crossed(self, t: int) -> Carried:
        """What must not cross its finish line in act t, because it may have done so before."""
        bounces = self.readings["finish_bounce"] == "allowed"
        return {} if bounces else {k: self.has_crossed(t, k) for k in self.crossed_before}

    def has_crossed(self, t: int, k: Pyramid) -> Bool:
        """Has this pyramid crossed its finish line in the turn before act t?"""
        return z3.Or(self.crossed_before[k], some(self._cross(self.acts[u], self.carried[u], k) for u in range(t)))

    # -- The clauses of a relocation ------------------------------------------------------------------------

    def _relocation_clauses(self, x: Scene, act: Act) -> dict[str, Bool]:
        p_and = [(p, act.src[p]) for p in self.params.places]
        on_board = some(act.dst[q] for q in self.params.board)
        elsewhere = z3.Not(some(z3.And(act.src[p], act.dst[p]) for p in self.params.places))
        from_board = some(act.src[p] for p in self.params.board)
        taken_foreign = some(z3.And(s, x.taken(p), z3.Not(self.own(x, p))) for p, s in p_and)
        return {
            # CW-20: an uncovered pyramid that is not the player's own.
            "CW-20": z3.And(taken_foreign, from_board if self.readings["reloc_from"] == "board" else TRUE),
            # CW-21: put down on the board.
            "CW-21": z3.And(on_board, elsewhere if self.readings["reloc_null"] == "forbidden" else TRUE),
            # CW-15: only under reloc_onto=no_direct, an opponent's pyramid does not land directly on an own one.
            "CW-15": self._no_contact(x, act) if self.readings["reloc_onto"] == "no_direct" else TRUE,
        }

    def _no_contact(self, x: Scene, act: Act) -> Bool:
        foe_lifted = some(z3.And(act.src[p], self.foe(x, p)) for p in self.params.places)
        onto_own = some(
            z3.And(act.dst[q], either(act.src[q], self.own(x, q, 1), self.own(x, q))) for q in self.params.board
        )
        return z3.Not(z3.And(foe_lifted, onto_own))

    # -- The clauses of a whole walk ------------------------------------------------------------------------

    def _walk(self) -> None:
        """CW-08..12, 22: every act of the walk is legal, none follows a stop, and the points are used."""
        first, last = self.scenes[0], self.scenes[-1]
        legal = [z3.Implies(a.go, ok) for a, ok in zip(self.acts, self.ok, strict=True)]
        in_a_row = [z3.Implies(b.go, a.go) for a, b in zip(self.acts, self.acts[1:], strict=False)]
        for fact in in_a_row:
            self.asker.add(fact)
        name = self.asker.name
        self.nests = {c: name(self.nest(first, c), f"CW-22 {c}") for c in PLAYERS}
        self.playing = name(z3.Not(z3.Or(self.mover_nest(first), self.foe_nest(first))), "CW-22 playing")
        self.all_legal = name(every(legal), "walk legal")
        self.won = name(self.ends_at_once(last), "won")
        self.is_roll = name(some(self.left[0][1:]), "CW-08 roll")
        self.moved = self.acts[0].go if self.acts else FALSE
        same = [y == last.at[slot] for slot, y in first.at.items()]
        self.changed = name(z3.Not(every(same)), "changed")
        self.not_null = name(self.changed if self.readings["null_turn"] == "forbidden" else TRUE, "CW-11 walk")
        self.spent_all = self.left[-1][0]
        # CW-12, CW-22: so many points are left over, or there is nothing to be owed any more.
        self.leaves = [name(z3.Or(rest, self.won), "CW-12") for rest in self.left[-1]]
        stuck = self._stuck() if self.readings["spend"] == "until_stuck" else FALSE
        self.stuck = name(z3.Or(stuck, self.won), "CW-12 stuck")

    def _stuck(self) -> Bool:
        """No single step is legal where the walk ends: the clauses of a step refuse an extra act from p to q."""
        x, rest, crossed = self.scenes[-1], self.left[-1], self._crossed(len(self.acts))
        able = []
        for p, q in self.next_to:  # CW-11 refuses all others
            tops = {k: x.has(p, 0, k) for k in x.kinds}
            step = self._step_clauses(x, Act.between(self.params, p, q), tops, rest, crossed)
            able.append(z3.simplify(every(step.values())))
        return z3.Not(some(able))
