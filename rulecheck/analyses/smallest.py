"""The smallest arrangement that shows something about the constraints, or a proof that none does.

For games whose positions are made of fields: the question is a formula over an unknown arrangement and an unknown move
of the alphabet. "Smallest" has the fewest pieces; of those the first in the order of the notation is taken, with the
first move, so that readers never see a solver's arbitrary choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from rulecheck.contract import M
from rulecheck.fields import Fields, State
from rulecheck.model import Readings
from rulecheck.terms import Constraints, Term, Terms, least_position, position_of, unknown_position
from solvers.smt import FALSE, TRUE, Answer, Asker, Bool, every, exactly, no, some

BUDGET = 200_000_000


@dataclass(frozen=True)
class SmallestCase(Generic[M]):
    """An answer; for YES, also the arrangement and the move."""

    answer: Answer
    position: State | None = None
    move: M | None = None


class Smallest(Generic[M]):
    """Questions to one or more sets of constraints of one game, about any arrangement and any of these moves."""

    def __init__(self, fields: Fields, moves: Sequence[M], *specs: Constraints[M]) -> None:
        import z3

        self.fields, self.moves, self.specs = fields, list(moves), specs
        self.asker = Asker(BUDGET)
        self.x: Terms = unknown_position(self.asker, fields)
        self.asker.add(*(spec.sense(self.x) for spec in specs))
        self.chosen = [z3.Bool(f"move {at}") for at in range(len(self.moves))]
        self.asker.add(exactly(self.chosen, 1))

    def find(self, wanted: Callable[[Terms, M], Bool]) -> SmallestCase[M]:
        """The smallest case for which this can be true."""
        parts = [every([chosen, wanted(self.x, move)]) for chosen, move in zip(self.chosen, self.moves, strict=True)]
        return self._least(some(parts))

    def find_position(self, wanted: Bool) -> SmallestCase[M]:
        """The same for a formula about the arrangement alone."""
        case = self._least(wanted)
        return SmallestCase(case.answer, case.position)

    def _least(self, question: Bool) -> SmallestCase[M]:
        answer = least_position(self.asker, self.x, question, then=self.chosen)
        if answer is not Answer.YES:
            return SmallestCase(answer)
        move = next(m for m, chosen in zip(self.moves, self.chosen, strict=True) if self.asker.holds(chosen))
        return SmallestCase(answer, position_of(self.asker, self.x), move)

    # -- Questions ---------------------------------------------------------------------------------------------

    def decided_by(self, clause: str) -> SmallestCase[M]:
        """A move that this clause alone forbids."""

        def alone(x: Terms, move: M) -> Bool:
            kept = self.specs[0].clauses(x, move)
            return every([no(kept.get(clause, TRUE)), *(k for name, k in kept.items() if name != clause)])

        return self.find(alone)

    def implied_by(self, clause: str) -> tuple[str, ...]:
        """A minimal set of clauses that forbid all that this one forbids, if `decided_by` said NO."""
        names = list(dict.fromkeys(name for move in self.moves for name in self.specs[0].clauses(self.x, move)))
        literals = {name: self.asker.name(self._kept(name)) for name in names if name != clause}
        broken = self.asker.name(no(self._kept(clause)))
        core = self.asker.smallest_core([broken, *literals.values()])
        return tuple(name for name, literal in literals.items() if any(literal.eq(kept) for kept in core))

    def _kept(self, clause: str) -> Bool:
        """The chosen move satisfies the clause."""
        rows = zip(self.chosen, self.moves, strict=True)
        return every(some([no(c), self.specs[0].clauses(self.x, m).get(clause, TRUE)]) for c, m in rows)

    def separated(self) -> SmallestCase[M]:
        """A move that the two sets of constraints judge differently, or that has another effect, or another end."""
        first, second = self.specs

        def differs(x: Terms, move: M) -> Bool:
            legal = [every(spec.clauses(x, move).values()) for spec in (first, second)]
            after = [spec.after(x, move) for spec in (first, second)]
            parts = [_unlike(legal[0], legal[1])]
            if after[0] is not None and after[1] is not None:
                results = [x.replace(after[0]), x.replace(after[1])]
                changed = dict.fromkeys((*after[0], *after[1]))
                both = [_terms_differ(results[0][name], results[1][name]) for name in changed]
                parts.append(every([*legal, some([*both, *_ends_differ(first, second, results[0], results[1])])]))
            return some(parts)

        return self.find(differs)

    def ends_separated(self) -> SmallestCase[M]:
        """An arrangement that has ended for one set of constraints only, or with other winners."""
        first, second = self.specs
        return self.find_position(some(_ends_differ(first, second, self.x, self.x)))

    def stuck(self) -> SmallestCase[M]:
        """An arrangement that has not ended, in which chance is not to act and no move is legal."""
        (spec,) = self.specs
        none = [no(every(spec.clauses(self.x, move).values())) for move in self.moves]
        ended = spec.ended(self.x)
        over = [*(spec.wins(self.x) or {}).values()] if ended is None else [ended]
        brought = [chance.when for chance in (spec.chances(self.x) or {}).values()]
        return self.find_position(every([*none, *(no(o) for o in (*over, *brought))]))


def _unlike(a: Bool, b: Bool) -> Bool:
    return some([every([a, no(b)]), every([no(a), b])])


def _terms_differ(a: Term, b: Term) -> Bool:
    return no(a == b)


def _ends_differ(first: Constraints[M], second: Constraints[M], x: Terms, y: Terms) -> list[Bool]:
    wins = first.wins(x) or {}, second.wins(y) or {}
    parts = [_unlike(wins[0][player], wins[1][player]) for player in wins[0] if player in wins[1]]
    ended = first.ended(x), second.ended(y)
    if ended[0] is not None and ended[1] is not None:
        parts.append(_unlike(ended[0], ended[1]))
    acts = first.acts(x) or {}, second.acts(y) or {}
    still = [no(e) for e in ended if e is not None]
    parts += [every([*still, _unlike(acts[0][p], acts[1][p])]) for p in acts[0] if p in acts[1]]
    return parts + _chances_differ(first, second, x, y)


def _chances_differ(first: Constraints[M], second: Constraints[M], x: Terms, y: Terms) -> list[Bool]:
    one, other = first.chances(x), second.chances(y)
    if one is None or other is None:
        return []
    parts = [chance.when for label, chance in (*one.items(), *other.items()) if not (label in one and label in other)]
    for label in (label for label in one if label in other):
        results = x.replace(one[label].changes), y.replace(other[label].changes)
        changed = dict.fromkeys((*one[label].changes, *other[label].changes))
        differ = [_terms_differ(results[0][name], results[1][name]) for name in changed]
        alike = TRUE if one[label].weight == other[label].weight else FALSE
        parts.append(_unlike(one[label].when, other[label].when))
        parts.append(every([one[label].when, some([no(alike), *differ])]))
    return parts


def readings_apart(base: Readings, name: str, values: Sequence[str]) -> list[Readings]:
    return [base.replace(**{name: value}) for value in values]
