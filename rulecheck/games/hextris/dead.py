"""Hextris: sentences of the sheet that have no effect under a non-default reading.

Each statement is that something never happens; z3 searches every arrangement of the game. Where it does happen, the
sentence is alive, and the witness shows so on the engine.
"""

from __future__ import annotations

from collections.abc import Callable

from rulecheck.analyses.clauses import DeadText
from rulecheck.games.hextris import SIZES, Params
from rulecheck.games.hextris.coverage import ANY, Search
from rulecheck.model import Readings, Result, Status, Witness
from solvers.smt import Answer, Bool, every, no, some
from specs.hextris.spec_rules import SENTENCE

Facts = Callable[[Search], Bool]


def dead_text(params: Params, readings: Readings) -> list[DeadText]:
    return [row for value, rows in _questions().items() for row in _ask(params, readings, value, rows)]


def _questions() -> dict[str, list[tuple[str, str, Facts]]]:
    """For a reading value: the clause, what would make it dead, and the turn that would show it alive."""
    gift = ("HX-30", "no exchange makes a group for an opponent", _gives)
    both = ("HX-33", "no turn makes the last groups of two players", _both_last)
    own = ("HX-25", "no exchange of own pieces needs this permission", _needs_permission)
    sizes = [(clause, "no two sizes are kept from exchanging", _objects(size)) for size, clause in SENTENCE.items()]
    stays = ("HX-29", "no five stays on the board because the game is over", _stays)
    return {
        "swap=symmetric": [gift, both, *sizes, own],
        "swap=mutual": [gift, both, *sizes, own],
        "swap=any_two": [gift, both, *sizes, own],
        "gift=counts_for_mover": [both],
        "gift=void": [both],
        "final_group=remove": [stays],
    }


def _ask(params: Params, readings: Readings, value: str, rows: list[tuple[str, str, Facts]]) -> list[DeadText]:
    name, _, chosen = value.partition("=")
    search = Search(params, readings.replace(**{name: chosen}))
    return [DeadText(clause, value, text, _never(search, clause, facts(search))) for clause, text, facts in rows]


def _never(search: Search, clause: str, shown: Bool) -> Result:
    """Prove that no turn of any arrangement shows this, or play one of a real position that does."""
    asker, scope = search.spec.asker, f"every turn in every arrangement {search.where}"
    with asker.supposing(shown, no(search.spec.over)):
        answer = asker.ask()
        if answer is Answer.NO:
            return Result(Status.PROVED, scope, cases=1)
        answer, _ = search.fewest(clause)
        if answer is not Answer.YES:
            return Result(Status.UNKNOWN, scope)
        position, move = search.spec.read_position(), search.spec.read_move()
    ours, theirs = search.engine.judge(position, move), search.second.judge(position, move)
    if ours.legal != theirs.legal:
        raise AssertionError(f"the case does not replay: {position}, {move}, {ours}, {theirs}")
    said = search.effect(position, move, ours, theirs) or str(ours)
    witness = Witness(str(position), str(move), said, search.params.as_dict(), dict(search.readings))
    return Result(Status.REFUTED, scope, witness)


def _gives(search: Search) -> Bool:
    return every([search.spec.ok["exchange"], search.given_away()])


def _both_last(search: Search) -> Bool:
    last = [search.spec.formed_after[c, search.params.groups] for c in ("A", "B")]
    return every([some(search.spec.ok[k] for k in ANY), *last])


def _objects(size: int) -> Facts:
    """An exchange that breaks the sentence of this size and no other clause, with a piece of another size."""

    def facts(search: Search) -> Bool:
        spec = search.spec
        others = [kept for c, kept in spec.holds["exchange"].items() if c not in SENTENCE.values()]
        unlike = no(some(every([spec.at_src[s], spec.at_dst[s]]) for s in SIZES))
        return every([spec.turn.kind["exchange"], no(spec.holds["exchange"][SENTENCE[size]]), unlike, *others])

    return facts


def _needs_permission(search: Search) -> Bool:
    """A legal exchange of own pieces whose sizes could not exchange if one piece were an opponent's."""
    spec = search.spec
    own = some(every([spec.to_move[c], spec.at_src[c], spec.at_dst[c]]) for c in spec.colours)
    barred = [(s, t) for s in SIZES for t in SIZES if s != t and not search.foes_exchange(s, t)]
    return every([spec.ok["exchange"], own, some(every([spec.at_src[s], spec.at_dst[t]]) for s, t in barred)])


def _stays(search: Search) -> Bool:
    """A five that is counted, and a point of it that keeps its piece."""
    spec = search.spec
    kept = some(every([five, spec.z.taken[inside[0]]]) for (_, inside), five in spec.five.items())
    return every([some(spec.ok[k] for k in ANY), some(spec.takes.values()), kept])
