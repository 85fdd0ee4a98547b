"""Hextris: for each clause the smallest position and turn where it alone decides, or a proof that there is none.

z3 searches every position that the notation can express, with no piece on the board, then with one, and so on: so the
witness has the fewest pieces, and is the first of those in a fixed order. Both encodings must then agree on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, product

from rulecheck.analyses.clauses import Coverage
from rulecheck.games.hextris import GAME, PASS, SIZES, Exchange, Move, Params, Placement, Position, Slide
from rulecheck.games.hextris.blocked import stuck_position
from rulecheck.games.hextris.engine import Engine
from rulecheck.games.hextris.real import first_case, real
from rulecheck.model import Clause, Readings, Result, Status, Verdict, Witness
from rulecheck.pyramids import LARGE, Pyramid
from solvers.smt import Answer, Bool, at_most, every, no, some
from specs.hextris.spec import Spec
from specs.hextris.spec_board import adjacent, distance
from specs.hextris.spec_rules import KINDS

ANY = ("place", "slide", "exchange")
FORBIDDING = {  # the kinds of turn that can break a clause
    "HX-09": ("place",),
    "HX-10": ("slide",),
    "HX-13": ("slide",),
    "HX-14": ("place",),
    "HX-18": ("slide",),
    "HX-19": ("slide",),
    "HX-20": ("slide",),
    "HX-22": ("exchange",),
    "HX-23": ("exchange",),
    "HX-24": ("exchange",),
    "HX-31": ANY,
}
# What else a turn might do after an exchange of own pieces (HX-26), and the clause that forbids it already.
SECOND_ACTS = {"place": "HX-12", "slide": "HX-15", "exchange": "HX-10"}


def coverage(params: Params, readings: Readings) -> list[Coverage]:
    search = Search(params, readings)
    return [search.cover(clause) for clause in GAME.rulebook.clauses.values()]


class Search:
    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings
        self.engine, self.spec = Engine(params, readings), Spec(params, readings, search=True)
        self.second = Spec(params, readings)  # for a second opinion on the first one's witnesses
        self.real = real(self.spec)
        self.where = f"on {len(params.points)} points"

    def cover(self, clause: Clause) -> Coverage:
        if clause.id in FORBIDDING:
            return self.smallest(clause, "forbids", {k: self.alone(clause.id, k) for k in FORBIDDING[clause.id]})
        if clause.id in self.doing:
            kind, facts = self.doing[clause.id]()
            return self.smallest(clause, kind, facts)
        if clause.id in self.special:
            return self.special[clause.id](clause)
        return Coverage(clause, None, _checked_by(clause))

    # -- By z3 ----------------------------------------------------------------------------------------------

    def alone(self, clause: str, kind: str) -> list[Bool]:
        """A turn of this kind that breaks this clause; a piece stands on its source."""
        holds = self.spec.holds[kind]
        stands = [some(self.spec.at_src[c] for c in self.spec.colours)] if kind != "place" else []
        return [*stands, *(no(kept) if c == clause else kept for c, kept in holds.items())]

    def asked(self, kinds: dict[str, list[Bool]]) -> Bool:
        turn = self.spec.turn
        return some(every([turn.kind[k], *facts]) for k, facts in kinds.items())

    def smallest(self, clause: Clause, how: str, kinds: dict[str, list[Bool]]) -> Coverage:
        with self.spec.asker.supposing(self.asked(kinds)):
            answer, most = self.fewest(clause.id)
            if answer is Answer.UNKNOWN:
                return Coverage(clause, Result(Status.UNKNOWN, f"z3 gave up with {most} pieces {self.where}"), how)
            if answer is Answer.NO:
                return Coverage(clause, Result(Status.PROVED, f"no turn does this in any position {self.where}"), how)
            case = self.spec.read_position(), self.spec.read_move()
        fewer = f"{self.where} positions with fewer than {most} pieces have none" if most else "the board is empty"
        if most == self.least(clause.id) > 0:
            fewer = f"by counting, it takes {most} pieces on the board"
        return self.witnessed(clause, how, *case, f"smallest: {fewer}")

    def fewest(self, clause: str) -> tuple[Answer, int]:
        """The answer for real positions with A to move, and the number of pieces reached; the solution is the least."""
        answer, most = Answer.NO, 0
        with self.spec.asker.supposing(*self.real, self.spec.to_move["A"], no(self.spec.over)):
            for most in range(self.least(clause), len(self.params.points) + 1):
                answer = first_case(self.spec, *self.at_most(most))
                if answer is not Answer.NO:
                    break
        return answer, most

    def least(self, clause: str) -> int:
        """A bound by counting: the pieces of the groups that a turn makes stand already, except one that it places."""
        five = self.params.group
        return {"HX-29": five - 1, "HX-30": five + 1, "HX-31": five, "HX-32": five - 1, "HX-33": 2 * five}.get(
            clause, 0
        )

    def at_most(self, pieces: int) -> list[Bool]:
        """At most `pieces` on the board before the turn; the implied bound after the turn helps z3."""
        after = [some(self.spec.y[c, p] for c in self.spec.colours) for p in self.params.points]
        more = some([self.spec.turn.kind["place"], at_most(after, pieces)])
        return [at_most(list(self.spec.x.taken.values()), pieces), at_most(after, pieces + 1), more]

    def witnessed(self, clause: Clause, how: str, position: Position, move: Move, scope: str) -> Coverage:
        """Accept a case only if both encodings, asked anew, say that this clause alone decides (or permits)."""
        ours, theirs = self.engine.judge(position, move), self.second.judge(position, move)
        note = _only(clause.id, ours, theirs) if how == "forbids" else self.effect(position, move, ours, theirs)
        if note is None:
            raise AssertionError(f"the case does not replay: {clause.id}, {position}, {move}, {ours}, {theirs}")
        witness = Witness(str(position), str(move), note, self.params.as_dict(), dict(self.readings))
        return Coverage(clause, Result(Status.REFUTED, scope, witness), how)

    def effect(self, position: Position, move: Move, ours: Verdict, theirs: Verdict) -> str | None:
        if not (ours.legal and theirs.legal):
            return None
        result = self.engine.play(position, move)
        winner = self.engine.winner(result)
        return f"legal, then {result}" + (f", and {winner} has won" if winner else "")

    @property
    def doing(self) -> dict[str, Callable[[], tuple[str, dict[str, list[Bool]]]]]:
        """Clauses that permit something or have an effect: the turns that do it."""
        return {
            "HX-21": lambda: ("permits", {"slide": [self.spec.ok["slide"], self.spec.at_src[LARGE], self._far(2)]}),
            "HX-29": lambda: ("effect", self._allowed(some(self.spec.takes.values()), no(self.spec.ends))),
            "HX-30": lambda: ("permits", self._allowed(self.given_away())),
            "HX-32": lambda: ("wins", self._allowed(self._last("A"), no(self._last("B")))),
            "HX-33": lambda: ("wins", self._allowed(self._last("A"), self._last("B"))),
        }

    def _allowed(self, *facts: Bool) -> dict[str, list[Bool]]:
        return {k: [self.spec.ok[k], *facts] for k in ANY}

    def _far(self, steps: int) -> Bool:
        turn, points = self.spec.turn, self.params.points
        far = [(p, q) for p, q in product(points, points) if distance(self.params.radius, p, q) > steps]
        return some(every([turn.src[p], turn.dst[q]]) for p, q in far)

    def given_away(self) -> Bool:
        """HX-30: a five of another colour than the mover's."""
        pairs = [(c, d) for c in self.spec.colours for d in self.spec.colours if c != d]
        return some(every([self.spec.to_move[c], self.spec.takes[d]]) for c, d in pairs)

    def _last(self, colour: str) -> Bool:
        return self.spec.formed_after[colour, self.params.groups]

    # -- By other means -------------------------------------------------------------------------------------

    @property
    def special(self) -> dict[str, Callable[[Clause], Coverage]]:
        return {
            "HX-11": self._repeated,
            "HX-12": lambda clause: self._two_acts(clause, ("place", "slide"), 0),
            "HX-15": lambda clause: self._two_acts(clause, ("slide", "exchange"), 2),
            "HX-16": lambda clause: self.witnessed(
                clause, "forbids", self.engine.start(), PASS, "smallest: no position has fewer pieces than the start"
            ),
            "HX-17": self._lost_turn,
            "HX-25": self._own_exchanges,
            "HX-26": self._nothing_further,
        }

    def _repeated(self, clause: Clause) -> Coverage:
        """HX-11: a placement that satisfies HX-09 satisfies it."""
        holds = self.spec.holds["place"]
        scope = f"every placement in every arrangement {self.where}"
        answer = self.spec.asker.ask(self.spec.turn.kind["place"], holds["HX-09"], no(holds[clause.id]))
        status = {Answer.NO: Status.PROVED, Answer.UNKNOWN: Status.UNKNOWN}.get(answer)
        if status is None:
            raise AssertionError("HX-09 no longer implies HX-11: look at the spec")
        return Coverage(
            clause, Result(status, scope, cases=1), "forbids", ("HX-09",) if status is Status.PROVED else ()
        )

    def _lost_turn(self, clause: Clause) -> Coverage:
        blocked = stuck_position(self.params, self.readings, ("A",), False)
        if blocked is None:
            return Coverage(clause, Result(Status.UNKNOWN, f"no position found {self.where}"), "permits")
        scope = f"smallest: {self.where} positions with fewer than {blocked.pieces} pieces have none"
        return self.witnessed(clause, "permits", blocked.position, PASS, scope)

    def _two_acts(self, clause: Clause, acts: tuple[str, str], pieces: int) -> Coverage:
        """Two acts in succession with a result that no single turn has, with the fewest pieces that allow both."""
        kinds = {"place": Placement, "slide": Slide, "exchange": Exchange}
        for position in self._few(pieces):
            single = set(self.engine.moves(position).values())
            for first, between in self.engine.moves(position).items():
                if isinstance(first, kinds[acts[0]]):
                    again = replace(between, mover=position.mover)
                    for second, result in self.engine.moves(again).items():
                        if isinstance(second, kinds[acts[1]]) and result not in single:
                            note = f"{first} and {second} together would lead to {result}, and no single turn does"
                            witness = Witness(str(position), None, note, self.params.as_dict(), dict(self.readings))
                            scope = f"smallest: it takes {pieces} pieces on the board to do both"
                            return Coverage(clause, Result(Status.REFUTED, scope, witness), "forbids")
        return Coverage(clause, Result(Status.UNKNOWN, f"nothing with {pieces} pieces on the first points"), "forbids")

    def _few(self, pieces: int) -> list[Position]:
        """The start; or a piece of A on the first point and one of B on another."""
        start = self.engine.start()
        if pieces == 0:
            return [start]
        positions = [
            self._pair(0, Pyramid("A", s), p, Pyramid("B", t))
            for p, s, t in product(self.params.points[1:], SIZES, SIZES)
        ]
        return [position for position in positions if min(map(min, position.hands)) >= 0]

    def _nothing_further(self, clause: Clause) -> Coverage:
        if set(SECOND_ACTS) != set(KINDS) - {"pass"}:
            raise AssertionError(f"a turn can be something else than {', '.join(SECOND_ACTS)}")
        by_cases = ", ".join(f"{act}: {by}" for act, by in SECOND_ACTS.items())
        scope = f"an argument by cases of what else the turn might do ({by_cases}); only that these are all is checked"
        result = Result(Status.PROVED, scope, cases=len(SECOND_ACTS))
        return Coverage(clause, result, "forbids", tuple(SECOND_ACTS.values()))

    def _own_exchanges(self, clause: Clause) -> Coverage:
        """HX-25 adds no result if one of any two sizes can always be the piece moved under HX-22..24.

        Neighbours, verdicts and results come from the constraints; `witnessed` also asks the engine.
        """
        spec, sizes = self.second, [(s, t) for s in SIZES for t in SIZES if s < t]
        cases = 0
        for p, q in [pair for pair in combinations(self.params.points, 2) if adjacent(self.params.radius, *pair)]:
            for s, t in sizes:
                cases += 1
                ours, theirs = (Pyramid("A", s), Pyramid("B", t)), (Pyramid("B", s), Pyramid("A", t))
                mixed = [self._pair(p, first, q, second) for first, second in (ours, theirs)]
                from_p, from_q = Exchange(p, q, self.params.radius), Exchange(q, p, self.params.radius)
                by_sentence = spec.judge(mixed[0], from_p).legal or spec.judge(mixed[1], from_q).legal
                own = self._pair(p, Pyramid("A", s), q, Pyramid("A", t))
                if not by_sentence:
                    scope = "smallest: fewer than two pieces cannot exchange"
                    return self.witnessed(clause, "permits", own, from_p, scope)
                if spec.result(own, from_p) != spec.result(own, from_q):
                    raise AssertionError(f"an exchange of own pieces depends on which is named first: {own}")
        pairs = cases // len(sizes)
        scope = f"results of exchanges of all {pairs} pairs of neighbours in all different sizes {self.where}"
        return Coverage(clause, Result(Status.PROVED, scope, cases=cases), "permits", ("HX-22", "HX-23", "HX-24"))

    def foes_exchange(self, s: int, t: int) -> bool:
        """Can a piece of A of size s or t exchange with a piece of B of the other size?"""
        p, q = 0, next(q for q in self.params.points if adjacent(self.params.radius, 0, q))
        exchange = Exchange(p, q, self.params.radius)
        pairs = [self._pair(p, Pyramid("A", a), q, Pyramid("B", b)) for a, b in ((s, t), (t, s))]
        return any(self.second.judge(position, exchange).legal for position in pairs)

    def _pair(self, p: int, first: Pyramid, q: int, second: Pyramid) -> Position:
        """Two pieces on the board, the rest of each stash in hand."""
        points: list[Pyramid | None] = [None] * len(self.params.points)
        points[p], points[q] = first, second
        hands = []
        for colour, (small, medium, large) in zip(self.params.colours, self.params.stash, strict=True):
            out = [Pyramid(colour, s) in (first, second) for s in SIZES]
            hands.append((small - out[0], medium - out[1], large - out[2]))
        return replace(self.engine.start(), points=tuple(points), hands=tuple(hands))


def _only(clause: str, ours: Verdict, theirs: Verdict) -> str | None:
    decides = ours.clauses == (clause,) and theirs.clauses == (clause,)
    return f"{ours}; nothing else is against it" if decides else None


def _checked_by(clause: Clause) -> str:
    if clause.kind in ("material", "setup"):
        return "describes the start; the proof family setup compares it"
    if clause.id in ("HX-27", "HX-28"):
        return "says what a group is; every proof family with groups compares it"
    if clause.id == "HX-05":
        return "states the aim; HX-32 says when it is reached"
    return "tells how the game is run, not what a turn may be"


def never_separated(first: Readings, second: Readings) -> Result | None:
    """No two values of an option are the same in play: each pair has a position that separates it."""
    return None
