"""Crosswalk, executable: what a careful player does, step by step.

Glossary: a *step* moves one top pyramid by one place; a *walk* is a series of steps within one turn, known by
its stacks, the points it has spent and the pyramids that have crossed their finish line in it; a *turn* is a
whole walk, a relocation or a pass. Two turns with the same resulting position are the same turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rulecheck.contract import Chance, End
from rulecheck.games.crosswalk import OTHER, PASS, PEDESTRIAN, PLAYERS, Params, Position, Step, Turn
from rulecheck.model import LEGAL, InputError, Readings, Verdict, breaks
from rulecheck.pyramids import Pyramid, Stack

Stacks = tuple[Stack, ...]


class Walk(NamedTuple):
    position: Position
    crossed: frozenset[Pyramid] = frozenset()


Layers = list[dict[Walk, Turn]]  # by points spent: walks, and one way to make each


class Engine:
    players = PLAYERS

    def __init__(self, params: Params, readings: Readings) -> None:
        self.params, self.readings = params, readings
        # CW-02: a nest has the small lowest and the large on top.
        self.nests = {c: tuple(Pyramid(c, s) for s in sorted(params.sizes)) for c in PLAYERS}
        last = params.squares + 1
        # CW-10, CW-11: one square at a time, either direction; the finishes lie one step past the ends.
        self.paces = tuple(Step(p, q) for p in range(last + 1) for q in (p - 1, p + 1) if 0 <= q <= last)

    # -- Setting up ---------------------------------------------------------------------------------------

    def start(self) -> Position:
        """CW-04, CW-05: trees (large lowest) on opposite ends, pedestrians on the squares between."""
        stacks: list[Stack] = [()] * (self.params.squares + 2)
        for colour in PLAYERS:
            stacks[self.params.home(colour)] = self.nests[colour][::-1]
        for square, pips in enumerate(self.params.pedestrians, start=2):
            stacks[square] = tuple(Pyramid(PEDESTRIAN, s) for s in pips)
        return Position(self.params.first, tuple(stacks))  # CW-07: who starts is settled outside the game

    def actor(self, position: Position) -> str:
        return position.mover

    def chances(self, position: Position) -> tuple[Chance[Position], ...]:
        """CW-08: a turn opens with one roll of the die."""
        if position.roll is not None or self.winner(position):
            return ()
        return tuple(Chance(str(r), 1, position.rolled(r)) for r in range(1, self.params.die + 1))

    # -- Winning ------------------------------------------------------------------------------------------

    def nested(self, stacks: Stacks, player: str) -> bool:
        """CW-02: all the player's pyramids stand at the player's finish as a nest."""
        return stacks[self.params.finish(player)] == self.nests[player]

    def winner(self, position: Position) -> str | None:
        """CW-22, CW-23: who has brought the nest home has won."""
        return next((c for c in PLAYERS if self.nested(position.stacks, c)), None)

    def end(self, position: Position) -> End | None:
        winner = self.winner(position)
        return None if winner is None else End((winner,))

    def stops_walk(self, position: Position) -> bool:
        """CW-22: under win=immediate the nest ends the game in the middle of a turn."""
        return self.readings["win"] == "immediate" and self.nested(position.stacks, position.mover)

    # -- One step -----------------------------------------------------------------------------------------

    def judge_step(self, walk: Walk, step: Step, points: int) -> Verdict:
        """May the mover make this single step with this many points left?"""
        position, (source, target, _) = walk.position, step
        mover, foe = position.mover, OTHER[position.mover]
        stacks = position.stacks
        if abs(source - target) != 1:
            return breaks("CW-11", "a step goes to a place next to where the pyramid stands")
        if not stacks[source]:
            return breaks("CW-14", "no pyramid stands there")
        moved = stacks[source][-1]  # CW-14: of a stack only the top pyramid moves
        if moved.colour == foe:
            return breaks("CW-13", "the opponent's pyramids may not be moved")
        if self.stops_walk(position) or self.nested(stacks, foe):
            return breaks("CW-22", "the game is over, a nest stands at a finish")
        if moved.pips > points:
            return breaks("CW-10", "the step costs more points than are left")
        finishes = (self.params.finish(mover), self.params.finish(foe))
        if moved.colour == PEDESTRIAN:  # CW-16: a pedestrian may stand on anybody
            if target in finishes:
                return breaks("CW-18", "pedestrians may not enter a finish")
            return LEGAL
        if target == finishes[1]:
            return breaks("CW-17", "only the own finish may be entered")
        if stacks[target] and stacks[target][-1].colour == foe:
            return breaks("CW-15", "an own pyramid may not stand directly on an opponent's")
        if self.readings["finish_bounce"] == "forbidden" and moved in walk.crossed and self.crosses(step, mover):
            return breaks("CW-17", "this pyramid has already crossed the finish line in this turn")
        if self.readings["finish_entry"] == "nest_order" and target == finishes[0] and not self.fits(stacks, moved):
            return breaks("CW-02", "the finish takes the pyramids in the order of a nest only")
        return LEGAL

    def crosses(self, step: Step, player: str) -> bool:
        """CW-17: from the board to the own finish or back."""
        return self.params.finish(player) in (step.source, step.target)

    def fits(self, stacks: Stacks, moved: Pyramid) -> bool:
        """Would the finish, with this pyramid on top, be the lower part of a nest?"""
        nest = self.nests[moved.colour]
        grown = stacks[self.params.finish(moved.colour)] + (moved,)
        return any(grown == nest[:k] for k in range(1, len(nest) + 1))

    def shift(self, position: Position, step: Step) -> Position:
        """The top pyramid of one place goes on top of another."""
        stacks = list(position.stacks)
        moved = stacks[step.source][-1]
        stacks[step.source] = stacks[step.source][:-1]
        stacks[step.target] = stacks[step.target] + (moved,)
        return Position(position.mover, tuple(stacks), position.roll)

    def take(self, walk: Walk, step: Step) -> tuple[Walk, int]:
        """CW-10: make a legal step, and say what it costs: the pips of the pyramid moved."""
        moved = walk.position.stacks[step.source][-1]
        crossed = walk.crossed
        if self.readings["finish_bounce"] == "forbidden" and self.crosses(step, walk.position.mover):
            crossed |= {moved}
        return Walk(self.shift(walk.position, step), crossed), moved.pips

    def steps(self, walk: Walk, points: int) -> Iterator[Step]:
        """CW-11: any pyramid, either direction, while the points last."""
        return (pace for pace in self.paces if self.judge_step(walk, pace, points).legal)

    # -- A whole turn of steps ----------------------------------------------------------------------------

    def walks(self, position: Position) -> tuple[Layers, Layers]:
        """All walks by points spent (one way each), and apart from them those that win on the spot."""
        roll = self._roll(position)
        layers: Layers = [{} for _ in range(roll + 1)]
        wins: Layers = [{} for _ in range(roll + 1)]
        layers[0][Walk(position)] = PASS
        for spent, layer in enumerate(layers):
            for walk, way in layer.items():
                for step in self.steps(walk, roll - spent):
                    after, cost = self.take(walk, step)
                    reached = wins if self.stops_walk(after.position) else layers
                    reached[spent + cost].setdefault(after, Turn((*way.steps, step)))
        return layers, wins

    def valid_turns(self, position: Position) -> dict[Position, Turn]:
        """CW-12: the turns that use the points as they must be used, by resulting position."""
        if self.winner(position):
            return {}
        layers, wins = self.walks(position)
        ends = [*wins, *(layers[total] for total in self._totals(position, layers, wins))]
        if self.readings["spend"] == "until_stuck":
            ends = [*wins, *self._stuck(layers)]
        turns: dict[Position, Turn] = {}
        for walks in ends:
            for walk, way in walks.items():
                if not self._is_null(position, walk.position):
                    turns.setdefault(self.hand_over(walk.position), way)
        return turns

    def _totals(self, position: Position, layers: Layers, wins: Layers) -> Iterator[int]:
        """The total that satisfies CW-12: the whole roll, or under max_points the largest that any walk reaches."""
        roll = len(layers) - 1
        if self.readings["spend"] == "exact":
            yield roll
        elif self.readings["spend"] == "max_points":
            for total in range(roll, 0, -1):
                walks = layers[total] | wins[total]
                if any(not self._is_null(position, walk.position) for walk in walks):
                    yield total
                    return

    def _stuck(self, layers: Layers) -> Iterator[dict[Walk, Turn]]:
        """Walks of at least one step after which no further step can be paid for."""
        roll = len(layers) - 1
        for spent, layer in enumerate(layers[1:], start=1):
            yield {w: way for w, way in layer.items() if not any(True for _ in self.steps(w, roll - spent))}

    def _is_null(self, before: Position, after: Position) -> bool:
        return self.readings["null_turn"] == "forbidden" and before.stacks == after.stacks

    def hand_over(self, position: Position) -> Position:
        """CW-07: turns alternate."""
        return Position(OTHER[position.mover], position.stacks)

    # -- When no valid turn exists ------------------------------------------------------------------------

    def judge_relocation(self, position: Position, step: Step) -> Verdict:
        """May this pyramid be picked up and put down there, given that the exception is open?"""
        source, target, _ = step
        mover, foe = position.mover, OTHER[position.mover]
        stacks = position.stacks
        if not stacks[source]:
            return breaks("CW-20", "no pyramid stands there")
        moved = stacks[source][-1]
        if moved.colour == mover:
            return breaks("CW-20", "only a pyramid that is not the player's own may be relocated")
        if self.readings["reloc_from"] == "board" and source not in self.params.board:
            return breaks("CW-20", "pyramids at a finish have left the board")
        if target not in self.params.board:
            return breaks("CW-21", "a relocated pyramid is put down on the board")
        if self.readings["reloc_null"] == "forbidden" and source == target:
            return breaks("CW-21", "a relocated pyramid is put down somewhere else")
        under = stacks[source][:-1] if source == target else stacks[target]
        if self.readings["reloc_onto"] == "no_direct" and moved.colour == foe and under and under[-1].colour == mover:
            return breaks("CW-15", "an opponent's pyramid may not be put directly on one's own")
        return LEGAL

    def relocations(self, position: Position) -> Iterator[Step]:
        for source in self.params.places:
            for target in self.params.board:
                step = Step(source, target, relocates=True)
                if self.judge_relocation(position, step).legal:
                    yield step

    def exceptions(self, position: Position) -> dict[Position, Turn]:
        """CW-19..21: what may be done when no turn is valid, by resulting position."""
        turns: dict[Position, Turn] = {}
        steps = list(self.relocations(position))
        if self.readings["relocation"] == "may" or not steps:
            turns[self.hand_over(position)] = PASS
        for step in steps:
            placed = self.shift(position, step)
            after = self.valid_turns(placed) if self.readings["after_relocation"] == "then_spend" else {}
            if not after:
                turns.setdefault(self.hand_over(placed), Turn((step,)))
            for result, way in after.items():
                turns.setdefault(result, Turn((step, *way.steps)))
        return turns

    # -- The whole -----------------------------------------------------------------------------------------

    def moves(self, position: Position) -> dict[Turn, Position]:
        if self.winner(position):
            return {}
        turns = self.valid_turns(position) or self.exceptions(position)
        return {turn: result for result, turn in turns.items()}

    def judge(self, position: Position, turn: Turn) -> Verdict:
        if self.winner(position):
            return breaks("CW-22", "the game is over, a nest stands at a finish")
        if not turn.steps:
            return self._judge_pass(position)
        if turn.steps[0].relocates:
            return self._judge_exception(position, turn)
        return self._judge_walk(position, turn)

    def _judge_pass(self, position: Position) -> Verdict:
        if self.valid_turns(position):
            return breaks("CW-12", "a valid turn exists, so the points must be used")
        if PASS not in self.exceptions(position).values():
            return breaks("CW-20", "a pyramid must be relocated")
        return LEGAL

    def _judge_exception(self, position: Position, turn: Turn) -> Verdict:
        step, *rest = turn.steps
        if self.valid_turns(position):
            return breaks("CW-19", "a valid turn exists, so nothing may be relocated")
        verdict = self.judge_relocation(position, step)
        if not verdict.legal:
            return verdict
        if self.readings["after_relocation"] == "end_turn":
            return breaks("CW-19", "the relocation is the whole turn") if rest else LEGAL
        placed = self.shift(position, step)
        if rest:
            return self._judge_walk(placed, Turn(tuple(rest)))
        return breaks("CW-12", "after the relocation the points must be used") if self.valid_turns(placed) else LEGAL

    def _judge_walk(self, position: Position, turn: Turn) -> Verdict:
        walk, left = Walk(position), self._roll(position)
        for step in turn.steps:
            if step.relocates:
                return breaks("CW-19", "a relocation is open only instead of steps")
            verdict = self.judge_step(walk, step, left)
            if not verdict.legal:
                return verdict
            walk, cost = self.take(walk, step)
            left -= cost
        if self.stops_walk(walk.position):
            return LEGAL
        if self._is_null(position, walk.position):
            return breaks("CW-11", "the turn changes nothing")
        return LEGAL if self._spent(position, walk, left) else breaks("CW-12", "not all points are used")

    def _spent(self, position: Position, walk: Walk, left: int) -> bool:
        """CW-12: have the points been used as they must be?"""
        if self.readings["spend"] == "exact":
            return left == 0
        if self.readings["spend"] == "until_stuck":
            return not any(True for _ in self.steps(walk, left))
        layers, wins = self.walks(position)
        return self._roll(position) - left in self._totals(position, layers, wins)

    def play(self, position: Position, turn: Turn) -> Position:
        """The position after a legal turn; an illegal one is refused."""
        verdict = self.judge(position, turn)
        if not verdict.legal:
            raise InputError(f"the turn {turn} is {verdict}")
        for step in turn.steps:
            position = self.shift(position, step)
        return self.hand_over(position)

    def _roll(self, position: Position) -> int:
        if position.roll is None:
            raise InputError("a turn needs a roll: say --roll N, or add roll=N to the position")
        return position.roll
