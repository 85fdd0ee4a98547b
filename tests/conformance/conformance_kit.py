"""What every game must keep, said without naming one.

A setting is a choice of parameters and readings. The kit plays seeded random games in it and, in each
position it meets, puts legal moves and mutilated ones to the engine and to the spec.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from typing import Any

from rulecheck.contract import AnyEngine, AnySpec, brought
from rulecheck.model import InputError, Readings, agreement
from rulecheck.notation import NotationError
from rulecheck.playouts import offer_of
from rulecheck.registry import Choice, Game


class Kit:
    """Both encodings of a game under one choice of parameters and readings, and what must be true of them."""

    def __init__(self, game: Game, params: dict[str, str], readings: dict[str, str]) -> None:
        self.game = game
        self.params = game.params(params)
        self.readings: Readings = game.rulebook.choose(readings)
        self.engine: AnyEngine = game.engine(self.params, self.readings)
        self.spec: AnySpec = game.spec(self.params, self.readings)
        self.seen: list[str] = []  # moves of earlier positions, likely to be illegal in a later one
        choice = Choice(game, self.params, self.readings)
        drawn = not game.hints.lists_all_moves  # where moves cannot be listed
        self.offer = offer_of(choice) if drawn else None

    def playout(self, rng: random.Random, plies: int) -> Iterator[Any]:
        """Positions with a player to act, along one random game; a finished game is followed by a new one."""
        position = self.engine.start()
        for _ in range(plies):
            while chances := brought(self.engine, position):
                position = rng.choice(chances)
            yield position
            moves = self.offer(self.engine, position, rng) if self.offer else self.engine.moves(position)
            results = list(moves.values())
            position = rng.choice(results) if results else self.engine.start()

    # -- One position ----------------------------------------------------------------------------------------

    def check_value(self, position: Any) -> None:
        """A position is a value: its text gives it back, equal ones hash equal, and it cannot be changed."""
        again = self.game.read_position(self.params, str(position))
        assert again == position
        assert hash(again) == hash(position)
        for name in vars(position):
            try:
                setattr(position, name, None)
            except AttributeError:
                continue
            raise AssertionError(f"{name} of a position can be changed")

    def check_turns(self, position: Any, rng: random.Random, legal: int, odd: int) -> int:
        """Moves that are listed and moves that are drawn, legal and odd; returns how many odd ones are not legal."""
        return self.check_moves(position, rng, legal, odd) + self.check_drawn(position, rng, odd)

    def check_moves(self, position: Any, rng: random.Random, legal: int, odd: int) -> int:
        """Listed moves are legal to both and lead where they say; returns how many odd ones are not."""
        moves = self.engine.moves(position)
        assert len(set(moves.values())) == len(moves), f"two moves with one result: {position}"
        for move in _some(rng, list(moves), legal):
            self._check_legal(position, move, moves[move])
        return sum(self._check_odd(position, move, moves) for move in self.odd_moves(list(moves), rng, odd))

    def check_drawn(self, position: Any, rng: random.Random, odd: int) -> int:
        """Where moves are drawn: each is legal to both. Of mutilated ones, and of words of the position, both say the
        same: what stands in it can hardly be put there again. How many are not legal?"""
        drawn = self.offer(self.engine, position, rng) if self.offer else {}
        for move, result in drawn.items():
            self._check_legal(position, move, result)
        fallen = 0
        for move in self._mutilated([*map(str, drawn), *str(position).split()], rng, odd) if drawn else ():
            verdict = self.engine.judge(position, move)
            assert agreement(verdict, self.spec.judge(position, move)), f"{position}, {move}, {self.readings}"
            fallen += not verdict.legal
        return fallen

    def check_ask(self, position: Any, text: str) -> str:
        """Both say the same of an event, and where they describe results, of what comes of it; what the engine says."""
        move = self.game.read_move(self.params, text)
        verdict, where = self.engine.judge(position, move), f"{position}, {text}, {self.readings}"
        assert agreement(verdict, self.spec.judge(position, move)), where
        if not verdict.legal:
            return str(verdict)
        result = self.engine.play(position, move)
        after = getattr(self.spec, "after", None)
        assert after is None or after(position, move) == result, where
        return str(result)

    def _check_legal(self, position: Any, move: Any, result: Any) -> None:
        where = f"{position}, {move}, {self.readings}"
        assert self.game.read_move(self.params, str(move)) == move, where
        assert self.engine.judge(position, move).legal, where
        assert self.spec.judge(position, move).legal, where
        assert self.engine.play(position, move) == result, where

    def _check_odd(self, position: Any, move: Any, moves: dict[Any, Any]) -> bool:
        """Both encodings say the same of any move; what neither forbids leads to a listed result."""
        engine, spec = self.engine.judge(position, move), self.spec.judge(position, move)
        assert agreement(engine, spec), f"{position}, {move}, {self.readings}: engine {engine}, spec {spec}"
        if engine.legal:
            assert self.engine.play(position, move) in moves.values()
            return False
        try:
            self.engine.play(position, move)
        except InputError:
            return True
        raise AssertionError(f"{position}: the illegal {move} was played")

    def _mutilated(self, texts: list[str], rng: random.Random, count: int) -> Iterator[Any]:
        for _ in range(count):
            with contextlib.suppress(NotationError):
                yield self.game.read_move(self.params, mutilated(rng.choice(texts), texts, rng))

    # -- Moves that may be wrong -----------------------------------------------------------------------------

    def odd_moves(self, moves: list[Any], rng: random.Random, count: int) -> Iterator[Any]:
        """Moves seen earlier, and legal ones mutilated: what no longer is a move at all is left out."""
        texts = [str(move) for move in moves] or ["pass"]
        self.seen += _some(rng, texts, 5)
        for number in range(count):
            odd = mutilated(rng.choice(texts), texts, rng) if number % 3 else rng.choice(self.seen)
            try:
                yield self.game.read_move(self.params, odd)
            except NotationError:
                continue


def mutilated(text: str, others: list[str], rng: random.Random) -> str:
    """A token dropped, added, replaced or moved, one character changed, there and back; or a pass."""
    words = text.split(" ")
    at = rng.randrange(len(words))
    kind = rng.randrange(7)
    if kind == 0:
        return "pass"
    if kind == 1 and len(words) > 1:
        del words[at]
    elif kind == 2:
        words.insert(at, rng.choice(rng.choice(others).split(" ")))
    elif kind == 3:
        words[at] = rng.choice(rng.choice(others).split(" "))
    elif kind == 4:
        rng.shuffle(words)
    elif kind == 5:
        words = [words[0], "-".join(reversed(words[0].split("-")))]
    else:
        letter = rng.randrange(len(words[at]))
        words[at] = words[at][:letter] + rng.choice("0123456789->abc") + words[at][letter + 1 :]
    return " ".join(words)


def _some(rng: random.Random, items: list[Any], count: int) -> list[Any]:
    return items if len(items) <= count else rng.sample(items, count)
