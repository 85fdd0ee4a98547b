"""Pictures for readers: each with its caption, its game, and a command that gives the verdict printed with it."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from rulecheck import render
from rulecheck.contract import AnyEngine
from rulecheck.model import Readings
from rulecheck.registry import Game
from rulecheck.wording import sentence

NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'  # not needed inside HTML
LEAST = 10  # pixels, the height of a letter
MOST_MOVES = 3  # listed under a picture
PRINTED = "The printed game."

Witness = Mapping[str, Any]  # a position, and perhaps a move, parameters, readings and a line of play


def legible(drawing: str) -> str:
    """A picture that never shrinks until its smallest words are illegible; a narrow page scrolls it instead."""
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', drawing)]
    width = re.search(r'<svg [^>]*?\bwidth="(\d+)"', drawing)
    if not sizes or width is None:
        return drawing
    least = min(int(width[1]), math.ceil(int(width[1]) * LEAST / min(sizes)))
    return drawing.replace("<svg ", f'<svg style="min-width: {least}px" ', 1)


@dataclass(frozen=True)
class Ask:
    """A command line, and lines of what it prints."""

    command: str
    verdict: tuple[str, ...]
    label: str = ""


@dataclass(frozen=True)
class Figure:
    drawing: Markup
    words: str
    which: str  # the version of the game, in words
    asks: tuple[Ask, ...]
    line: tuple[str, ...] | None  # from the start to the position


@dataclass(frozen=True)
class Artist:
    """Draws witnesses of one game; `usual` are the readings that need not be named, `given` the parameters of a version
    in which a witness that names none stands."""

    game: Game
    usual: Readings
    given: Mapping[str, str] = field(default_factory=dict)

    def figure(self, witness: Witness, words: str = "", answers: Mapping[str, Readings] | None = None) -> Figure:
        """Draw a witness; `answers` asks the same under several readings, each with a label in words."""
        params = self.game.params({**self.given, **(witness.get("params") or {})})
        chosen = Readings({**self.usual, **(witness.get("readings") or {})})
        position = self.game.read_position(params, witness["position"])
        move = self.game.read_move(params, witness["move"]) if witness.get("move") else None
        drawing = legible(render.svg(self.game, params, position, move).replace(NAMESPACE, ""))
        asks = self._asks(params, answers or {"": chosen}, position, move)
        line = None if witness.get("line") is None else tuple(witness["line"])
        return Figure(Markup("\n" + drawing), sentence(words) if words else "", self.which(params), tuple(asks), line)

    def which(self, params: Any) -> str:
        if params == self.game.params({}):
            return PRINTED
        return sentence(self.game.hints.in_words(params))

    def _asks(self, params: Any, answers: Mapping[str, Readings], position: Any, move: Any) -> list[Ask]:
        """One verdict per answer; if all allow the move, its result under each."""
        asks = [self._ask(params, readings, position, move, label) for label, readings in answers.items()]
        if move is None or len(asks) < 2 or len({ask.verdict for ask in asks}) > 1:
            return asks
        return [self._outcome(params, readings, position, move, label) for label, readings in answers.items()]

    def _outcome(self, params: Any, readings: Readings, position: Any, move: Any, label: str) -> Ask:
        """Where the move leads, as `rulecheck why` says it."""
        engine = self.game.engine(params, readings)
        after = engine.play(position, move)
        end = engine.end(after)
        leads = str(after) if end is None else f"{after}; {end}"
        command = self.command("why", params, readings, str(position), str(move))
        return Ask(command, ("legal", f"then: {leads}"), label)

    def _ask(self, params: Any, readings: Readings, position: Any, move: Any, label: str) -> Ask:
        engine = self.game.engine(params, readings)
        if move is not None:
            command = self.command("why", params, readings, str(position), str(move))
            return Ask(command, (str(engine.judge(position, move)),), label)
        if engine.end(position) is not None or engine.chances(position):
            return Ask(self.command("show", params, readings, str(position)), (str(position),), label)
        return Ask(self.command("moves", params, readings, str(position)), _listed(engine, position), label)

    def command(self, name: str, params: Any, readings: Readings, *asked: str) -> str:
        options = [("-p", k, v) for k, v in self.game.named(params).items()]
        options += [("-r", k, v) for k, v in readings.items() if self.usual.get(k) != v]
        words = [word for flag, key, value in options for word in (flag, f"{key}={value}")]
        plain = ["--"] if any(word.startswith("-") for word in asked) else []
        return shlex.join(["rulecheck", name, self.game.slug, *words, *plain, *asked])


def _listed(engine: AnyEngine, position: Any) -> tuple[str, ...]:
    """The first few moves, as `rulecheck moves` lists them."""
    moves = [f"{move}  {result}" for move, result in engine.moves(position).items()]
    if not moves:
        return ("no legal move",)
    return tuple(moves[:MOST_MOVES]) + (("…",) if len(moves) > MOST_MOVES else ())
