"""Icehouse: who attacks, freezes, may be captured, is in the icehouse and scores, as counting over a scene.

A scene (`spec_facts`) holds the facts about a table. If they are unknown, all that follows are terms of z3.

Glossary: a a lying piece, d a standing one, i and j any, by their number on the table; k a player; `gone` the number of
a piece that is left out.
"""

from __future__ import annotations

from collections.abc import Callable

from rulecheck.games.icehouse.pieces import Params
from rulecheck.model import Readings
from specs.icehouse.spec_facts import Scene
from specs.icehouse.spec_terms import Number, Truth, either, every, how_many, no, some, weight


class Status:
    def __init__(self, params: Params, readings: Readings, scene: Scene) -> None:
        self.params, self.readings, self.scene = params, readings, scene
        self._attacks: dict[tuple[int, int, int | None], Truth] = {}
        self._frozen: dict[tuple[int, int | None], Truth] = {}

    def _others(self, *left_out: int | None) -> list[int]:
        return [i for i in self.scene.numbers if i not in left_out]

    def _of(self, reading: str) -> Callable[[int, str], Truth]:
        """Whose a piece is, by a reading that says `colour` or else names the player who placed it."""
        return self.scene.coloured if self.readings[reading] == "colour" else self.scene.placed_by

    # -- IH-17, IH-21 to IH-27, IH-37: attacks ----------------------------------------------------------------

    def hostile(self, a: int, d: int) -> Truth:
        """Reading own: no player is both the owner of d and the one whom a may not attack."""
        mine = self._of("own")
        return no(some(every([mine(a, k), self.scene.coloured(d, k)]) for k in self.params.colours))

    def attacks(self, a: int, d: int, gone: int | None = None) -> Truth:
        key = (a, d, gone)
        if key not in self._attacks:
            self._attacks[key] = self._attack(*key)
        return self._attacks[key]

    def _attack(self, a: int, d: int, gone: int | None) -> Truth:
        x, read = self.scene, self.readings
        pointed = every([no(x.stands(a)), x.stands(d), x.points(a, d, gone)])
        if pointed is False:
            return False
        kept = x.first_aim(a, d, gone) if read["retarget"] == "no" else True
        fresh = no(x.marked(a)) if read["revalidate"] == "no" else True
        return every([pointed, self.hostile(a, d), x.near(a, d), kept, fresh])

    def attacks_nothing(self, a: int) -> Truth:
        return no(some(self.attacks(a, d) for d in self._others(a)))

    def total(self, d: int, gone: int | None = None) -> Number:
        """IH-22: the values of all who attack d."""
        return weight((self.attacks(a, d, gone), self.scene.size(a)) for a in self._others(d, gone))

    def frozen(self, d: int, gone: int | None = None) -> Truth:
        """IH-21, IH-23."""
        key = (d, gone)
        if key not in self._frozen:
            self._frozen[key] = every([self.scene.stands(d), self.total(d, gone) > self.scene.size(d)])
        return self._frozen[key]

    def succeeds(self, i: int) -> Truth:
        """IH-29, IH-33, IH-91."""
        attack = some(every([self.attacks(i, d), self.frozen(d)]) for d in self._others(i))
        return some([every([self.scene.stands(i), no(self.frozen(i))]), attack])

    # -- IH-17, IH-18, IH-27, IH-35, IH-64: what a piece may point at when it is placed ------------------------

    def aim_clauses(self, a: int) -> dict[str, Truth]:
        """What each clause asks of the lying piece a, placed last; reading far."""
        x, others = self.scene, self._others(a)
        at = {i: x.points(a, i, None) for i in others}
        standing = {i: every([at[i], x.stands(i)]) for i in others if at[i] is not False}
        opposed = {d: every([term, self.hostile(a, d)]) for d, term in standing.items() if term is not False}
        reached = (some([no(term), x.near(a, d)]) for d, term in opposed.items() if term is not False)
        return {
            "IH-18": every(some([no(at[i]), term]) for i, term in standing.items()),
            "IH-17": every(some([no(standing[d]), term]) for d, term in opposed.items()),
            "IH-64": no(x.pinched(a)),
            "IH-35": some([*at.values(), x.pinched(a)]),
            "IH-27": True if self.readings["far"] == "legal" else every(reached),
        }

    # -- IH-66 to IH-68, IH-86: over-icing --------------------------------------------------------------------

    def attacker_of(self, a: int, d: int) -> Truth:
        """Reading wasted_capture."""
        x = self.scene
        if self.readings["wasted_capture"] == "no":
            return self.attacks(a, d)
        aimed = every([no(x.stands(a)), x.stands(d), x.first_aim(a, d, None)])
        wasted = every([aimed, self.hostile(a, d), self.attacks_nothing(a)]) if aimed is not False else False
        return some([self.attacks(a, d), wasted])

    def stays_frozen(self, a: int, d: int) -> Truth:
        """Reading redundant: d without a."""
        if self.readings["redundant"] == "recompute":
            return self.frozen(d, a)
        left = weight((self.attacks(j, d), self.scene.size(j)) for j in self._others(a, d))
        return left > self.scene.size(d)

    def victim(self, a: int, d: int) -> Truth:
        return every([self.attacker_of(a, d), self.frozen(d)])

    def redundant(self, a: int, d: int) -> Truth:
        return every([self.victim(a, d), self.stays_frozen(a, d)])

    def over_iced(self, d: int) -> Truth:
        return some(self.redundant(a, d) for a in self._others(d))

    def capture_clauses(self, k: str, a: int) -> dict[str, Truth]:
        """What each clause asks of a capture by k, if a lies."""
        x, read, owner = self.scene, self.readings, self._of("overice_owner")
        hand = no(x.holds_one(k)) if read["capture_hand"] == "empty" else True
        parts: list[dict[str, Truth]] = []
        for d in self._others(a):
            taken = self.victim(a, d)
            if taken is not False:
                once = no(x.marked(d)) if read["capture_chain"] == "one" else True
                asked = {"IH-68": self.stays_frozen(a, d), "IH-86": owner(d, k), "IH-38": hand, "IH-67": once}
                parts.append({clause: some([no(taken), term]) for clause, term in asked.items()})
        joined = {clause: every(p[clause] for p in parts) for clause in ("IH-68", "IH-86", "IH-38", "IH-67")}
        return {"IH-66": some(self.victim(a, d) for d in self._others(a)), **joined}

    # -- IH-41, IH-42: meltdown -------------------------------------------------------------------------------

    def melts_with(self, i: int, k: str) -> Truth:
        """Reading first_two: i is one of those that count for k."""
        return self._of("first_two")(i, k)

    def early(self, a: int, k: str) -> Truth:
        """The lying piece a counts for k, and fewer than two that stand do so and came before it."""
        before = (every([self.scene.stands(j), self.melts_with(j, k)]) for j in self._others(a) if j < a)
        return every([no(self.scene.stands(a)), self.melts_with(a, k), how_many(before) < 2])

    def fault(self, k: str) -> Truth:
        """Readings meltdown (on_call) and meltdown_cure."""
        standing = how_many(every([self.scene.stands(i), self.melts_with(i, k)]) for i in self.scene.numbers)
        uncured = True if self.readings["meltdown_cure"] == "no" else standing < 2
        return every([some(self.early(a, k) for a in self.scene.numbers), uncured])

    def goes_back(self, a: int, k: str) -> Truth:
        """IH-42: a is taken off the table when the fault of k is noticed."""
        return every([no(self.scene.stands(a)), self.melts_with(a, k)])

    # -- IH-44, IH-46, IH-60: the icehouse --------------------------------------------------------------------

    def defenceless(self, k: str) -> Truth:
        x, mine = self.scene, self._of("defender_of")
        there = [every([x.stands(d), mine(d, k)]) for d in x.numbers]
        all_frozen = every(
            some([no(t), self.frozen(d)]) for t, d in zip(there, x.numbers, strict=True) if t is not False
        )
        return {
            "all_frozen": all_frozen,
            "frozen_some": every([some(there), all_frozen]),
            "none_in_play": no(some(there)),
        }[self.readings["icehouse"]]

    def in_icehouse(self, k: str) -> Truth:
        """IH-46, IH-77, reading limit_when."""
        held = how_many([self.scene.holds_one(k)]) if self.readings["limit_when"] == "after_return" else 0
        return every([self.defenceless(k), self.scene.on_pad(k) + held < self.params.limit])

    def found(self, k: str, caller: str) -> Truth:
        """IH-50, IH-57, readings recall and self_call: a call of the caller finds k."""
        known = self.scene.iced(k) if self.readings["recall"] == "new_only" else False
        alone = self.readings["self_call"] == "self_only" and k != caller
        return every([self.in_icehouse(k), no(known), no(self.found(caller, caller)) if alone else True])

    # -- What a call and settling leave: what is true after them, stated over the scene before them --------------

    def iced_by(self, k: str, caller: str) -> Truth:
        """IH-54, IH-57: k is iced after a call."""
        return some([self.scene.iced(k), self.found(k, caller)])

    def lost_by(self, k: str, caller: str) -> Truth:
        """Who was in the icehouse without a call is iced by it now."""
        return every([self.scene.lost(k), no(self.found(k, caller))])

    def spoilt(self, i: int) -> Truth:
        """IH-37, reading revalidate: i is marked from now on, because it lies and attacks nothing, or was so before."""
        if self.readings["revalidate"] == "yes":
            return self.scene.marked(i)
        return some([self.scene.marked(i), every([no(self.scene.stands(i)), self.attacks_nothing(i)])])

    def used_up(self, i: int) -> Truth:
        """IH-67, reading capture_chain: i stays marked, because it lies or is over-iced."""
        if self.readings["capture_chain"] == "many":
            return self.scene.marked(i)
        return every([self.scene.marked(i), some([no(self.scene.stands(i)), self.over_iced(i)])])

    def stays_out(self, k: str, out: Truth) -> Truth:
        """IH-45, reading cryo: k, who is iced or lost, stays so."""
        return out if self.readings["cryo"] == "permanent" else every([out, self.defenceless(k)])

    def falls(self, k: str) -> Truth:
        """IH-44, reading trigger: k is in the icehouse without a call, now or since before."""
        if self.readings["trigger"] == "on_call":
            return self.scene.lost(k)
        return some([self.scene.lost(k), every([no(self.scene.iced(k)), self.in_icehouse(k)])])

    # -- IH-91, IH-95: the count ------------------------------------------------------------------------------

    def silenced(self, k: str) -> Truth:
        """IH-45, IH-60, reading cryo."""
        still = self.defenceless(k) if self.readings["cryo"] == "revocable" else True
        return every([some([self.scene.iced(k), self.scene.lost(k)]), still])

    def score(self, k: str) -> Number:
        mine = self._of("score_owner")
        points = weight((every([mine(i, k), self.succeeds(i)]), self.scene.size(i)) for i in self.scene.numbers)
        return either(self.silenced(k), 0, points)

    def leads(self, k: str) -> Truth:
        """IH-44, IH-95: has not lost, and nobody has more points."""
        return every([no(self.silenced(k)), *(self.score(k) >= self.score(other) for other in self.params.colours)])

    def wins(self, k: str) -> Truth:
        """IH-95, reading tie_for_first, of a game that is over."""
        rivals = [other for other in self.params.colours if other != k and self.readings["tie_for_first"] != "shared"]
        return every([self.leads(k), *(no(self.leads(other)) for other in rivals)])
