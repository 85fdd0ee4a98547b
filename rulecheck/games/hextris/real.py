"""Hextris: what holds of every position that can be written down, and which of many solutions is shown.

Proofs do without it: what is proved of all arrangements is proved of these. A witness has to satisfy it, and is the
least of its kind: the solver's own choice depends on what it was asked before.
"""

from __future__ import annotations

import z3

from rulecheck.games.hextris import SIZES
from solvers.smt import FALSE, TRUE, Answer, Bool, at_most, every, no, some
from specs.hextris.spec import Spec
from specs.hextris.spec_board import connected_sets
from specs.hextris.spec_rules import at_least


def least_case(spec: Spec, *facts: Bool) -> Answer:
    """Ask for the least position and turn: the fewest pieces on the board, then the first in order."""
    return spec.asker.least(list(spec.x.taken.values()), _in_order(spec), *facts)


def first_case(spec: Spec, *facts: Bool) -> Answer:
    """Ask for the first in order, where it is known already how many pieces it takes."""
    return spec.asker.least([], _in_order(spec), *facts)


def bare_case(spec: Spec, *facts: Bool) -> Answer:
    """Ask for one with nothing to spare: each point, from the first, is empty if it can be.

    That is quick where it would take long to prove how few pieces will do.
    """
    return spec.asker.least([], [*map(no, spec.x.taken.values()), *_in_order(spec)], *facts)


def _in_order(spec: Spec) -> list[Bool]:
    """The fewest groups formed; then the order of the notation (the player to move, the points, the turn) with as much
    in hand as can be."""
    turn = spec.turn
    terms = [*map(no, spec.has_formed.values()), *spec.to_move.values()]
    terms += [spec.x.at[what, p] for p in spec.points for what in (*spec.colours, *SIZES)]
    terms += spec.has_hand.values()
    terms += [turn.kind["place"], *turn.put.values(), *turn.src]  # A1@a1 comes before a1-a2, and that before a1xa2
    terms += [turn.kind["slide"], turn.kind["exchange"], turn.kind["pass"], *turn.dst]
    return [term for term in terms if term is not TRUE and term is not FALSE]


def real(spec: Spec) -> tuple[Bool, ...]:
    gone = {
        (c, v): z3.Bool(f"gone {c}>={v}")
        for c in spec.colours
        for v in range(1, sum(spec.params.pieces(c)) // spec.params.group + 1)
    }
    return (*_pieces(spec, gone), *_credit(spec, gone), *_groups(spec))


def _pieces(spec: Spec, gone: dict[tuple[str, int], Bool]) -> list[Bool]:
    """HX-02, 06, 29: no kind of piece is there too often, and what is not there has left by whole groups."""
    facts = [z3.Implies(more, at_least(gone, c, v - 1)) for (c, v), more in gone.items()]
    for c in spec.colours:
        weighed = [(left, spec.params.group) for (o, _), left in gone.items() if o == c]
        for s in SIZES:
            kind = [every([spec.x.at[c, p], spec.x.at[s, p]]) for p in spec.points]
            kind += [held for (o, t, _), held in spec.has_hand.items() if (o, t) == (c, s)]
            facts.append(at_most(kind, spec.params.pieces(c)[s - 1]))
            weighed += [(piece, 1) for piece in kind]
        facts.append(z3.PbEq(weighed, sum(spec.params.pieces(c))))
    return facts


def _credit(spec: Spec, gone: dict[tuple[str, int], Bool]) -> list[Bool]:
    """HX-29, 30: each group gone is counted for somebody, by the reading of `gift`; the last ones may have stayed."""
    facts: list[Bool] = []
    kept = z3.BoolVal(False) if spec.readings["final_group"] == "remove" else spec.over
    if spec.readings["gift"] == "counts_for_mover":
        left = [(term, 1) for term in gone.values()] + [(z3.Not(term), 1) for term in spec.has_formed.values()]
        all_left = len(spec.has_formed)
        return [z3.Or(spec.over, z3.PbEq(left, all_left)), z3.PbGe(left, all_left - 2), z3.PbLe(left, all_left + 1)]
    for (c, v), counted in spec.has_formed.items():
        facts.append(z3.Implies(counted, z3.Or(at_least(gone, c, v), z3.And(kept, at_least(gone, c, v - 1)))))
    if spec.readings["gift"] == "counts_for_colour":
        facts += [z3.Implies(left, at_least(spec.has_formed, *key)) for key, left in gone.items()]
    return facts


def _groups(spec: Spec) -> list[Bool]:
    """HX-29, 31: while the game goes on nothing too large stands, nor a five that should have left."""
    params = spec.params
    size = params.group + (spec.readings["place_group"] == "ignored")
    if size > len(params.points):
        return []
    others = {key: no(there) for key, there in spec.x.at.items()}
    return [
        some([spec.over, *(others[c, p] for p in inside)])
        for c in spec.colours
        for inside in connected_sets(params.radius, size)
    ]
