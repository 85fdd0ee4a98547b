"""What the engine says about a position: who is to act, every way on, the line so far, and the picture."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulecheck import registry, render
from rulecheck.contract import EVERYBODY, AnyEngine, Rules
from rulecheck.explorer import generic_picture
from rulecheck.explorer.address import Address, Pairs
from rulecheck.explorer.canvas import clicked, meant, panel, taken
from rulecheck.model import InputError, Verdict
from rulecheck.registry import Choice, Game
from rulecheck.render import Box, Drawer

Document = dict[str, Any]
SHAPES = ("{}", "{}-{}", "{}x{}", "{}>{}", "{}@{}")  # how moves are usually written
MOST_TRIED = 12
MOST_CHOICES = 120  # of one field of a form
MOST_MOVES = 3_000


@dataclass(frozen=True)
class Table:
    """A game as an address chose it, with its engine."""

    choice: Choice
    engine: AnyEngine

    @property
    def drawer(self) -> Drawer:
        game = self.choice.game
        if game.render_name is None and game.fields is not None:
            return generic_picture.drawer_of(game.fields(self.choice.params))
        return render.drawer(game)

    def read(self, text: str) -> Any:
        return self.choice.game.read_position(self.choice.params, text)

    def read_move(self, text: str) -> Any:
        return self.choice.game.read_move(self.choice.params, text)


@functools.lru_cache(maxsize=64)
def open_table(slug: str, params: Pairs, readings: Pairs) -> Table:
    game = registry.find(slug)
    choice = Choice(game, game.params(dict(params)), game.rulebook.choose(dict(readings)))
    return Table(choice, choice.engine())


def chosen(game: Game, params: Mapping[str, str], readings: Mapping[str, str]) -> tuple[Pairs, Pairs]:
    """Parameters and readings for an address: only those that have to be named."""
    defaults = game.rulebook.defaults()
    short = tuple((name, value) for name, value in readings.items() if defaults[name] != value)
    return tuple(game.named(game.params(params)).items()), short


def table_of(address: Address) -> Table:
    return open_table(address.game, address.params, address.readings)


# -- One position ----------------------------------------------------------------------------------------------


def look(address: Address) -> Document:
    """Everything that the engine says about a position."""
    table = table_of(address)
    engine, game = table.engine, table.choice.game
    here = engine.start() if address.position is None else table.read(address.position)
    end = engine.end(here)
    chances = [] if end is not None else list(engine.chances(here))
    moves = {} if end is not None or chances else _offered(table, here)
    asked, problem, hand = _asked(table, here, address)
    picture = _picture(table, here, asked, moves, hand)
    canvas, params = table.drawer.canvas, table.choice.params
    places = sequences(picture["places"] if canvas is None else {})
    actor = None if end is not None else engine.actor(here)
    listed = [
        {
            "move": str(move),
            "result": str(to),
            "places": places(str(move)) if canvas is None else list(canvas.named(move)),
            "by": game.hints.actor(engine, here, move) if actor == EVERYBODY else "",
        }
        for move, to in moves.items()
    ]
    whole = sum(chance.weight for chance in chances)
    line, dropped = _line(table, address, str(here))
    return {
        "game": game.slug,
        "title": game.title,
        "position": str(here),
        "is_start": str(here) == str(engine.start()),
        "start": str(engine.start()),
        "params": table.choice.params.as_dict(),
        "readings": dict(table.choice.readings),
        "players": list(engine.players),
        "actor": actor,
        "everybody": actor == EVERYBODY,
        "end": None if end is None else {"text": str(end), "winners": list(end.winners), "points": dict(end.points)},
        "chances": [
            {"label": c.label, "weight": c.weight, "of": whole, "result": str(c.result)} for c in chances
        ],
        "moves": listed,
        "complete": game.hints.lists_all_moves and len(listed) < MOST_MOVES,
        "line": line,
        "line_problem": dropped,
        "asked": None if asked is None else _judged(table, here, asked),
        "asked_problem": problem,
        "tried": [] if canvas is not None else _tried(table, here, address.at, listed, places),
        "canvas": panel(canvas, params, here, address, hand),
        "clauses": clauses_of(table.choice),
        "riddle": _riddle(table, here) if address.puzzle else "",
        "changed": _changed(table.choice),
        **picture,
    }  # fmt: skip


def asked_here(table: Table, here: Any, address: Address) -> Any | None:
    """The move asked about, if it can be read."""
    return _asked(table, here, address)[0]


def _asked(table: Table, here: Any, address: Address) -> tuple[Any, str, tuple[str, ...]]:
    """The move asked about, as text or by clicks; why it cannot be read, if it cannot; and what is in hand."""
    canvas, params = table.drawer.canvas, table.choice.params
    try:
        if address.move is not None:
            return table.read_move(address.move), "", ()
        hand = taken(canvas, params, here, address.at)
        return meant(canvas, params, hand), "", hand
    except InputError as error:
        return None, str(error), ()


def _offered(table: Table, here: Any) -> dict[Any, Any]:
    """Every legal move; for a continuum without a canvas, a fixed sample that the game draws."""
    hints = table.choice.game.hints
    moves = dict(table.engine.moves(here))
    if not hints.lists_all_moves and table.drawer.canvas is None:
        moves.update(hints.offered(table.engine, here, random.Random(str(here))))
    return dict(list(moves.items())[:MOST_MOVES])


def clauses_of(choice: Choice) -> Document:
    """The text of each clause, and its place on the sheet."""
    return {id: {"text": c.text, "pointer": c.pointer} for id, c in choice.game.rulebook.clauses.items()}


def _changed(choice: Choice) -> list[str]:
    """The settings that are not as printed, in command-line form."""
    usual = {**choice.game.params({}).as_dict(), **choice.game.rulebook.defaults()}
    chosen = {**choice.params.as_dict(), **choice.readings}
    return [f"{name}={value}" for name, value in chosen.items() if usual.get(name) != value]


def _picture(table: Table, here: Any, move: Any, moves: Mapping[Any, Any], hand: Sequence[str]) -> Document:
    drawer, params = table.drawer, table.choice.params
    if drawer.canvas is not None:
        boxes = {} if hand else drawer.canvas.places(params, here, move)
        return _pictured(drawer, params, here, drawer.canvas.svg(params, here, move, hand[1:]), boxes)
    highlight = () if drawer.shown is None else drawer.shown(moves)
    boxes = {} if drawer.places is None else drawer.places(params, here, move, highlight)
    return _pictured(drawer, params, here, drawer.svg(params, here, move, highlight), boxes)


def _pictured(drawer: Drawer, params: Any, here: Any, svg: str, boxes: Mapping[str, Box]) -> Document:
    return {
        "svg": svg,
        "text": drawer.text(params, here),
        "legend": drawer.legend,
        "drawn": drawer is not render.PLAIN,
        "places": {name: [round(side, 2) for side in box] for name, box in boxes.items()},
    }


def _riddle(table: Table, here: Any) -> str:
    """A picture that gives no answers away, if the usual one would."""
    drawer = table.drawer
    return "" if drawer.riddle is None else drawer.riddle(table.choice.params, here)


def picture(address: Address) -> Document:
    """The position with a move drawn in, framed as on the page that lists its moves."""
    table = table_of(address)
    here = table.engine.start() if address.position is None else table.read(address.position)
    asked, problem, hand = _asked(table, here, address)
    if problem:
        raise InputError(problem)
    over = table.engine.end(here) is not None or table.engine.chances(here)
    return {"svg": _picture(table, here, asked, {} if over else _offered(table, here), hand)["svg"]}


def domains(address: Address) -> Document:
    """What each field may hold, where positions are made of fields; long lists are left out."""
    game, params = table_of(address).choice.game, table_of(address).choice.params
    fields = [] if game.fields is None else list(game.fields(params))
    return {f.name: [str(value) for value in f.domain] for f in fields if len(f.domain) <= MOST_CHOICES}


def spotted(address: Address, x: float, y: float) -> Document:
    """The address after a click on a board without places."""
    table = table_of(address)
    here = table.engine.start() if address.position is None else table.read(address.position)
    return clicked(table.drawer.canvas, table.choice.params, here, address, x, y).as_json()


# -- Clicks ----------------------------------------------------------------------------------------------------


def sequences(places: Mapping[str, Any]) -> Callable[[str], list[str]]:
    """What finds the places that a move names, in its order: they are what is clicked on to make it.

    A place is a word of its own; an `x` between two of them, as in `a1xa2`, is part of neither.
    """
    if not places:
        return lambda move: []
    names = "|".join(re.escape(name) for name in sorted(places, key=lambda name: -len(name)))
    return re.compile(rf"(?:(?<![A-Za-z0-9])|(?<=[0-9]x))(?:{names})(?:(?![A-Za-z0-9])|(?=x[A-Za-z0-9]))").findall


def _tried(
    table: Table, here: Any, at: Sequence[str], listed: Sequence[Document], places: Callable[[str], list[str]]
) -> list[Document]:
    """Moves that the clicked places may mean, each with its verdict, if no legal move begins like that."""
    wanted = list(at)
    if not wanted or any(move["places"][: len(wanted)] == wanted for move in listed):
        return []
    matching: dict[str, Any] = {}
    for text in _spellings(table.engine, wanted, listed, places):
        try:
            move = table.read_move(text)
        except InputError:
            continue
        if places(str(move)) == wanted:
            matching.setdefault(str(move), move)
    judged = [_judged(table, here, move) for move in list(matching.values())[:MOST_TRIED]]
    return sorted(judged, key=lambda entry: len(entry["broken"]))


def _spellings(
    engine: AnyEngine, wanted: Sequence[str], listed: Sequence[Document], places: Callable[[str], list[str]]
) -> list[str]:
    """The moves of the alphabet that name these places; without one, the shapes of other moves filled in."""
    if isinstance(engine, Rules):
        return [text for text in map(str, engine.candidates()) if places(text) == list(wanted)]
    shapes = dict.fromkeys(shape for entry in listed if (shape := _shape(entry["move"], entry["places"])))
    shapes |= dict.fromkeys((*SHAPES, "-".join(["{}"] * len(wanted))))
    return [shape.format(*wanted) for shape in shapes if shape.count("{}") == len(wanted)]


def _shape(move: str, places: Sequence[str]) -> str | None:
    """`c1-c2` with its places left out: `{}-{}`."""
    if set(move) & set("{}"):
        return None
    parts, rest = [], move
    for place in places:
        before, _, rest = rest.partition(place)
        parts.append(before)
    return "{}".join([*parts, rest])


# -- Verdicts --------------------------------------------------------------------------------------------------


def _judged(table: Table, here: Any, move: Any) -> Document:
    """The engine's verdict, in its own words and in those of the rulebook."""
    if table.engine.end(here) is not None or table.engine.chances(here):
        verdict = _judged_off_turn(table, here, move)
    else:
        verdict = table.engine.judge(here, move)
    broken = [] if verdict is None else [{"clause": clause, "why": why} for clause, why in verdict.broken]
    legal = verdict is not None and verdict.legal
    result = str(table.engine.play(here, move)) if legal else None
    said = "nobody is to move here" if verdict is None else str(verdict)
    return {"move": str(move), "legal": legal, "text": said, "broken": broken, "result": result}


def _judged_off_turn(table: Table, here: Any, move: Any) -> Verdict | None:
    """After the end, or when chance is to act, no move is legal and an engine need not have an answer."""
    try:
        verdict = table.engine.judge(here, move)
    except InputError:
        return None
    return None if verdict.legal else verdict


# -- The line so far -------------------------------------------------------------------------------------------


def _line(table: Table, address: Address, here: str) -> tuple[list[Document], str]:
    """Each step with the position before it and whether chance made it; and why the line cannot be shown, if so."""
    key = (address.game, address.params, address.readings)
    try:
        at = str(table.engine.start()) if address.begin is None else str(table.read(address.begin))
        line = []
        for label in address.line:
            after, by_chance = _stepped(key, at, label)
            line.append({"label": label, "before": at, "after": after, "chance": by_chance})
            at = after
    except InputError as error:
        return [], f"the line of play in this address is dropped: {error}"
    if address.line and at != here:
        return [], "the line of play in this address leads elsewhere, so it is dropped"
    return line, ""


@functools.lru_cache(maxsize=20_000)
def _stepped(key: tuple[str, Pairs, Pairs], before: str, label: str) -> tuple[str, bool]:
    """Where a step leads, and whether chance makes it."""
    table = open_table(*key)
    here = table.read(before)
    if table.engine.end(here) is not None:
        raise InputError(f"the game is over before {label!r}")
    chances = table.engine.chances(here)
    if not chances:
        return str(table.engine.play(here, table.read_move(label))), False
    for chance in chances:
        if chance.label == label:
            return str(chance.result), True
    raise InputError(f"chance cannot bring {label!r}; known: {', '.join(c.label for c in chances[:20])}")
