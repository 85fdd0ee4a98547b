"""Small Gobblet as constraints: a square holds a set of pieces, and the largest of them is seen."""

from collections.abc import Mapping

from gobblet import PLAYERS, SIZES, squares
from rulecheck.fields import Value
from rulecheck.params import Params
from rulecheck.terms import Constraints, Term, Terms, choose, combined
from solvers.smt import Bool, every, no, some

LINES = {2: "a1b1 a2b2 a1a2 b1b2 a1b2 a2b1", 3: "a1b1c1 a2b2c2 a3b3c3 a1a2a3 b1b2b3 c1c2c3 a1b2c3 a3b2c1"}


def pieces(stack: str) -> set[str]:
    return {piece for player in PLAYERS for size in SIZES if (piece := player + size) in stack}


def seen(stack: str) -> str:
    return max(pieces(stack), key=lambda piece: piece[1], default="no")


def stack_of(held: set[str]) -> str:
    return "".join(sorted(held, key=lambda piece: piece[1])) or "."


class Spec(Constraints[str]):
    params: Params

    def clauses(self, x: Terms, move: str) -> Mapping[str, Bool]:
        place, target = move[:-3], x[move[-2:]]
        going_on = {"GB-06": no(some(self._lines(x).values()))}
        if "@" in move:
            held = [every([x["mover"] == player, x[player + place] >= 1]) for player in PLAYERS]
            return {"GB-03": some(held), "GB-04": self._below(target, place), **going_on}
        own = [every([x["mover"] == player, self._shows(x[place], player)]) for player in PLAYERS]
        covers = [every([self._shows(x[place], size), no(self._below(target, size))]) for size in SIZES]
        lines = self._lines(x.replace({place: self._bared(x[place])}))
        opened = [every([x["mover"] != p, lines[p]]) for p in PLAYERS if self.readings["lift"] == "stays"]
        return {"GB-03": some(own), "GB-04": no(some(covers)), "GB-05": no(some(opened)), **going_on}

    def after(self, x: Terms, move: str) -> Mapping[str, Value | Term]:
        place, target = move[:-3], move[-2:]
        piece = x["mover"].map(lambda player: player + place) if "@" in move else x[place].map(seen)
        hands = {player + place: x[player + place] for player in PLAYERS if "@" in move}
        spent = {name: choose(piece == name, hand - 1, hand) for name, hand in hands.items()}
        changes = spent or {place: self._bared(x[place])}
        covered = combined(x[target], piece, lambda stack, added: stack_of(pieces(stack) | {added}))
        return {**changes, target: covered, "mover": choose(x["mover"] == "A", "B", "A")}

    def acts(self, x: Terms) -> Mapping[str, Bool]:
        return {player: x["mover"] == player for player in PLAYERS}

    def wins(self, x: Terms) -> Mapping[str, Bool]:
        a, b = (self._lines(x)[player] for player in PLAYERS)
        for_a = x["mover"] == ("A" if self.readings["both"] == "other" else "B")  # where both have a line
        return {"A": every([a, some([no(b), for_a])]), "B": every([b, some([no(a), no(for_a)])])}

    def sense(self, x: Terms) -> Bool:
        """Each piece is in the hand or on the board."""
        counts = {"A1": self.params.number("side") - 1, "A2": 1, "B1": self.params.number("side") - 1, "B2": 1}
        return every(self._count(x, piece) == count for piece, count in counts.items())

    def _count(self, x: Terms, piece: str) -> Term:
        return sum((x[square].map(lambda stack: int(piece in stack)) for square in squares(self.params)), x[piece])

    def _lines(self, x: Terms) -> dict[str, Bool]:
        lines = [[s for s in squares(self.params) if s in line] for line in LINES[self.params.number("side")].split()]
        return {p: some(every(self._shows(x[square], p) for square in line) for line in lines) for p in PLAYERS}

    def _shows(self, square: Term, player_or_size: str) -> Bool:
        return square.where(lambda stack: player_or_size in seen(stack))

    def _below(self, square: Term, size: str) -> Bool:
        return square.where(lambda stack: all(piece[1] < size for piece in pieces(stack)))

    def _bared(self, square: Term) -> Term:
        return square.map(lambda stack: stack_of(pieces(stack) - {seen(stack)}))
