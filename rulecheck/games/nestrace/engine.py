"""Nest race, executable: what a careful player does. The pat rule and the whole; moves are in `nestrace_moves`.

Glossary: as for moves; v a victim of the pat rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rulecheck.games.nestrace import Move, Position
from rulecheck.games.nestrace.engine_moves import GOALS, Lifted, Moves, Path, breaks, top_down
from rulecheck.model import LEGAL, InputError, Verdict


class Options(NamedTuple):
    """The legal paths, whether they are those that meet a duty to free, and whether the player may pass."""

    paths: list[Path]
    due: bool
    may_pass: bool


class Engine(Moves):
    # -- The pat rule --------------------------------------------------------------------------------------

    def covers(self, position: Position, p: str) -> Iterator[frozenset[str]]:
        """NR-21: for each covered unfinished pyramid of p, the others who immobilise it; none: p's own cover."""
        for square, stack in enumerate(position.stacks):
            if not stack[:-1] or square in self.finishes[p]:
                continue
            above: list[str] = []
            for pyramid in top_down(stack):
                if above and pyramid.colour == p:
                    yield frozenset(above[:1] if self.readings["blocker"] == "top_owner" else above) - {p}
                above.append(pyramid.colour)

    def blockers(self, position: Position, p: str) -> frozenset[str]:
        return frozenset().union(*self.covers(position, p))

    def in_pat(self, position: Position, p: str) -> bool:
        """NR-29, NR-55, NR-56, in the order of the rulebook's four conditions."""
        if not self.blockers(position, p) or self.winner(position) or self.readings["pat"] == "off":
            return False
        if self.readings["pat"] == "no_move":
            return not any(True for _ in self.base_moves(position, p))
        if self.readings["self_cover"] == "not_pat" and not all(self.covers(position, p)):
            return False
        if self.readings["pat"] == "note5" and not self.all_before_finish(position, p):
            return False
        moves = list(self.base_moves(position, p))
        if self.readings["finished"] == "breaks" and any(path[0] in self.finishes[p] for path in moves):
            return False
        if any(self.advances(p, path) for path in moves):
            return False
        return self.readings["horizon"] == "now" or not self.ever_advances(position, p)

    def all_before_finish(self, position: Position, p: str) -> bool:
        """NR-55: every uncovered unfinished pyramid stands on the row before the finish line."""
        ends = self.brinks[p] | self.finishes[p]
        return all(n in ends for n, stack in enumerate(position.stacks) if stack and stack[-1].colour == p)

    def ever_advances(self, position: Position, p: str) -> bool:
        """horizon=ever: could p, moving alone, come to have an advancing move?"""
        waiting, seen = [position], {position.stacks}
        while waiting:
            here = waiting.pop()
            for path in self.base_moves(here, p):
                if self.advances(p, path):
                    return True
                there = self.after(here, path)
                if there.stacks not in seen:
                    seen.add(there.stacks)
                    waiting.append(there)
        return False

    def victims(self, position: Position) -> frozenset[str]:
        """NR-29, NR-38: the players in pat of whose pyramids the mover immobilises one."""
        others = (v for v in self.players if v != position.mover)
        return frozenset(v for v in others if position.mover in self.blockers(position, v) and self.in_pat(position, v))

    def frees(self, position: Position, path: Path, victims: Iterable[str], how: str) -> bool:
        """NR-29: uncover a victim's pyramid, or (how=lift) take a top off the stack it lies in."""
        below = list(top_down(position.stacks[path[0]][:-1]))
        concerned = (q.colour for q in (below[:1] if how == "uncover" else below) if q.colour in victims)
        return path[0] != path[-1] and any(path[0] not in self.finishes[v] for v in concerned)

    def freeing(self, position: Position, v: str) -> list[Path]:
        """The mover's base moves that free a pyramid of v, whether v is in pat or not."""
        paths = self.base_moves(position, position.mover)
        return [path for path in paths if self.frees(position, path, (v,), self.readings["free"])]

    def forbidden(self, position: Position, path: Path) -> bool:
        """NR-30: does this base move bring about a pat of another player (s2_whose_pat=anyone: of any player)?"""
        under = Lifted(position.stacks[path[0]][-1], path[0], position.stacks).under(path[-1])
        anyone = self.readings["s2_whose_pat"] == "anyone"
        scope, others = self.readings["s2_scope"], [v for v in self.players if anyone or v != position.mover]
        if scope != "any_move" and not under:
            return False
        below = list(top_down(under))
        covered = {q.colour for q in (below[:1] if self.readings["cover_depth"] == "top" else below)}
        hurt = [v for v in others if v in covered] if scope == "cover_victim" else others
        after = self.after(position, path)
        victims = [v for v in hurt if self.in_pat(after, v)]
        return any(self.readings["s2_cause"] == "after" or not self.in_pat(position, v) for v in victims)

    # -- The whole -----------------------------------------------------------------------------------------

    def options(self, position: Position) -> Options:
        """The base moves that NR-29 and NR-30 leave, and whether the player may pass instead."""
        paths = list(self.base_moves(position, position.mover))
        lawful = [path for path in paths if not self.forbidden(position, path)]
        victims = self.victims(position)
        if victims:
            unable = self.readings["cannot_free"]
            for makeshift, how in enumerate((self.readings["free"], *(["lift"] if unable == "lift" else []))):
                meets = [path for path in paths if self.frees(position, path, victims, how)]
                best = [path for path in meets if path in lawful]
                if best or (meets and self.outranks(makeshift > 0)):
                    return Options(best or meets, due=True, may_pass=False)
            if unable == "pass":
                return Options([], due=True, may_pass=True)
        return Options(lawful, due=False, may_pass=self.may_pass(position, lawful))

    def outranks(self, makeshift: bool) -> bool:
        """Does the duty of NR-29 go before the ban of NR-30? A makeshift is a lift, asked of who cannot free."""
        first = self.readings["conflict"] == "s1"
        return first and not (makeshift and self.readings["lift_conflict"] == "yields")

    def may_pass(self, position: Position, paths: list[Path]) -> bool:
        """NR-10, NR-57"""
        passing = self.readings["passing"]
        if passing == "note5":
            passing = "blocked" if self.waits(position) else "never"
        if passing == "blocked":
            return not any(self.advances(position.mover, path) for path in paths)
        if passing == "never":
            return not paths and self.has_finished(position, position.mover)
        return passing == "always" or not paths

    def waits(self, position: Position) -> bool:
        """NR-57, literally: the mover has a pyramid under another player's, and a free one short of row 7."""
        return bool(self.blockers(position, position.mover)) and not self.all_before_finish(position, position.mover)

    def moves(self, position: Position) -> dict[Move, Position]:
        if self.winner(position):
            return {}
        options = self.options(position)
        ways = sorted(options.paths, key=lambda path: (len(path), path))
        shortest: dict[Position, Move] = {}
        for path in [(), *ways] if options.may_pass else ways:
            shortest.setdefault(self.after(position, path), self.named(path))
        return {move: result for result, move in shortest.items()}

    def named(self, path: Path) -> Move:
        return Move(tuple(self.params.squares[n] for n in path))

    def numbered(self, move: Move) -> Path:
        return tuple(self.params.number[name] for name in move.path)

    def judge(self, position: Position, move: Move) -> Verdict:
        if self.winner(position):
            goal = GOALS[self.params.shared, self.params.partners]
            return breaks(goal, "the game is over, the nests are rebuilt")
        path = self.numbered(move)
        verdict = self.judge_path(position, path) if path else LEGAL
        return self._judge_options(position, path) if verdict.legal else verdict

    def _judge_options(self, position: Position, path: Path) -> Verdict:
        """NR-29, NR-30, and passing."""
        options = self.options(position)
        if options.may_pass if not path else any((q[0], q[-1]) == (path[0], path[-1]) for q in options.paths):
            return LEGAL
        if path and self.forbidden(position, path):
            return breaks("NR-30", "the move immobilises a pyramid and leaves its player in pat")
        if options.due:
            return breaks("NR-29", "a player in pat must be freed")
        return breaks("NR-10", "the player has to move")

    def play(self, position: Position, move: Move) -> Position:
        """The position after a legal move; an illegal one is refused."""
        verdict = self.judge(position, move)
        if not verdict.legal:
            raise InputError(f"the move {move} is {verdict}")
        return self.after(position, self.numbered(move))
