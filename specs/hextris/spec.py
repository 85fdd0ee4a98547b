"""Hextris as constraints, asked about concrete positions and turns; what they are made of is in `hextris_rules`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulecheck.games.hextris import PASS, SIZES, Exchange, Move, Pass, Placement, Position, Slide, Triple
from rulecheck.model import Verdict
from rulecheck.pyramids import Pyramid
from solvers.smt import Answer, Bool, every, no
from specs.hextris.spec_rules import Rules, Scene, kind_of


class Spec(Rules):
    def setup(self) -> Bool:
        """HX-02, 06, 07: an empty board, all pieces in hand, nothing formed; A begins."""
        empty = [no(taken) for taken in self.x.taken.values()]
        nothing = [no(formed) for formed in self.has_formed.values()]
        return every([self.to_move["A"], *empty, *self.has_hand.values(), *nothing])

    def position_facts(self, position: Position) -> list[Bool]:
        """Literals that fix the scene before the turn, the hands, the groups formed and the mover."""
        facts = [self.to_move[position.mover]]
        for p, piece in enumerate(position.points):
            if piece is None:
                facts.append(no(self.x.taken[p]))
            else:
                facts += [self.x.at[piece.colour, p], self.x.at[piece.pips, p]]
        for (c, s, v), held in self.has_hand.items():
            facts.append(held if position.in_hand(c, s) >= v else no(held))
        for (c, v), formed in self.has_formed.items():
            facts.append(formed if position.formed(c) >= v else no(formed))
        return facts

    def move_facts(self, move: Move) -> list[Bool]:
        """Literals that fix the turn."""
        turn, kind = self.turn, self.turn.kind[kind_of(move)]
        if isinstance(move, Pass):
            return [kind]
        if isinstance(move, Placement):
            return [kind, turn.put[move.piece.colour], turn.put[move.piece.pips], turn.dst[move.target]]
        return [kind, turn.src[move.source], turn.dst[move.target]]

    def certain(self, *assumptions: Bool) -> bool:
        answer = self.asker.ask(*assumptions)
        if answer is Answer.UNKNOWN:
            raise TimeoutError("z3 gave no answer within its budget")
        return answer is Answer.YES

    def may_pass(self, position: Position) -> bool:
        """HX-16, 17: no turn that counts is legal."""
        return not self.certain(*self.position_facts(position), self.must)

    def judge(self, position: Position, move: Move) -> Verdict:
        """Every clause that the turn breaks."""
        solved = self.certain(*self.position_facts(position), *self.move_facts(move))
        assert solved, "a position and a turn fix everything and contradict nothing"
        broken = [c for c, kept in self.holds[kind_of(move)].items() if not self.asker.holds(kept)]
        if isinstance(move, Pass) and not broken and not self.may_pass(position):
            broken = ["HX-16"]
        return Verdict(tuple((c, "the constraint of this clause is false") for c in sorted(broken)))

    def result(self, position: Position, move: Move) -> tuple[Position, str | None]:
        """What a legal turn leads to, and who has won by it."""
        solved = self.certain(*self.position_facts(position), *self.move_facts(move))
        assert solved, "a position and a turn fix everything and contradict nothing"
        return self.read_result()

    def read_position(self) -> Position:
        """The position before the turn in the solution just found."""
        return self._read(self.x, self.to_move, self.has_hand, self.has_formed, self.asker.holds)

    def read_move(self) -> Move:
        """The turn in the solution just found."""
        true, turn, radius = self.asker.holds, self.turn, self.params.radius
        kind = next(k for k in turn.kinds if true(turn.kind[k]))
        if kind == "pass":
            return PASS
        target = next(p for p in self.points if true(turn.dst[p]))
        if kind == "place":
            colour = next(c for c in self.colours if true(turn.put[c]))
            return Placement(Pyramid(colour, next(s for s in SIZES if true(turn.put[s]))), target, radius)
        source = next(p for p in self.points if true(turn.src[p]))
        return (Slide if kind == "slide" else Exchange)(source, target, radius)

    def read_result(self, true: Callable[[Bool], bool] | None = None) -> tuple[Position, str | None]:
        """The position after the turn in the solution just found (or told by `true`), and the winner."""
        true = true or self.asker.holds
        after = self._read(self.z, self.next_to_move, self.hand_after, self.formed_after, true)
        won = [c for c in self.colours if true(self.won_after[c])]
        return after, won[0] if won else None

    def _read(
        self,
        scene: Scene,
        to_move: Mapping[str, Bool],
        hand: Mapping[tuple[str, int, int], Bool],
        formed: Mapping[tuple[str, int], Bool],
        true: Callable[[Bool], bool],
    ) -> Position:
        points: list[Pyramid | None] = []
        for p in self.points:
            colour = [c for c in self.colours if true(scene.at[c, p])]
            size = [s for s in SIZES if true(scene.at[s, p])]
            points.append(Pyramid(colour[0], size[0]) if colour else None)
        hands: list[Triple] = []
        for c in self.colours:
            small, medium, large = (sum(true(f) for (o, t, _), f in hand.items() if (o, t) == (c, s)) for s in SIZES)
            hands.append((small, medium, large))
        counted = tuple(sum(true(f) for (o, _), f in formed.items() if o == c) for c in self.colours)
        mover = next(c for c in self.colours if true(to_move[c]))
        return Position(mover, tuple(points), tuple(hands), counted, self.params)
