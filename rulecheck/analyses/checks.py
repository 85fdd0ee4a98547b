"""Checks that the claims of any game can name, so that most claims are data.

| check     | data | holds if |
|-----------|---|---|
| line      | `moves`; `position`, `result`, `winners` | all moves are legal (and lead there, and these have won) |
| refused   | `move`; `position`, `before`, `clause`   | the move is illegal after `before` (by this clause) |
| moves     | `count` or `moves`; `position`           | this many moves, or exactly these, are legal |
| perft     | `counts`; `position`                     | there are this many sequences of 1, 2, 3 ... moves |
| positions | `count`; `alike`                         | play reaches this many positions (symmetric ones count once) |
| value     | `value`; `distance`, `for`               | the start is worth this by best play |
| reads     | `positions`, `refused`                   | these texts are positions and print alike; those are none |

A line names what chance brings as a line of play does: `4: a1-a2`. `params` chooses a version in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from rulecheck.analyses.claims import Check, Factory
from rulecheck.contract import AnyEngine
from rulecheck.explore import Explored
from rulecheck.model import InputError
from rulecheck.registry import Game

Data = Mapping[str, Any]
Said = tuple[bool, str]


def checks(game: Game) -> dict[str, Check]:
    named: dict[str, Callable[[Game, AnyEngine, Data], Said]] = {
        "line": line, "refused": refused, "moves": moves, "perft": perft, "positions": positions, "value": value,
        "reads": reads,
    }  # fmt: skip
    return {name: partial(_with_engine, game, check) for name, check in named.items()}


def _with_engine(
    game: Game, check: Callable[[Game, AnyEngine, Data], Said], make: Factory, data: Mapping[str, Any]
) -> Said:
    return check(game, make(data.get("params", {})), data)


def _begin(game: Game, engine: AnyEngine, data: Data) -> Any:
    return _read(game, data, data["position"]) if "position" in data else engine.start()


def _read(game: Game, data: Data, text: str) -> Any:
    return game.read_position(game.params(data.get("params", {})), text)


def _move(game: Game, data: Data, text: str) -> Any:
    return game.read_move(game.params(data.get("params", {})), text)


def after(game: Game, engine: AnyEngine, data: Data, position: Any, texts: Sequence[str]) -> Any | str:
    """The position after these moves, or a sentence that names the illegal one."""
    for number, text in enumerate(texts, 1):
        *brought, move = text.split(": ")
        for label in brought:
            position = _chance(engine, position, label)
        if engine.chances(position):
            position = _chance(engine, position, move)
            continue
        asked = _move(game, data, move)
        verdict = engine.judge(position, asked)
        if not verdict.legal:
            return f"move {number} of {len(texts)}, {text}, is {verdict}"
        position = engine.play(position, asked)
    return position


def _chance(engine: AnyEngine, position: Any, label: str) -> Any:
    chances = {chance.label: chance.result for chance in engine.chances(position)}
    if label not in chances:
        raise InputError(f"chance does not bring {label!r} at {position}; known: {', '.join(chances) or 'nothing'}")
    return chances[label]


def line(game: Game, engine: AnyEngine, data: Data) -> Said:
    position = after(game, engine, data, _begin(game, engine, data), data["moves"])
    if isinstance(position, str):
        return False, position
    end = engine.end(position)
    seen = f"it leads to {position}" + (f", and {end}" if end else "")
    right = "result" not in data or position == _read(game, data, data["result"])
    if "winners" in data:
        right &= end is not None and sorted(end.winners) == sorted(data["winners"])
    return right, seen


def refused(game: Game, engine: AnyEngine, data: Data) -> Said:
    position = after(game, engine, data, _begin(game, engine, data), data.get("before", ()))
    if isinstance(position, str):
        return False, position
    verdict = engine.judge(position, _move(game, data, data["move"]))
    named = "clause" not in data or data["clause"] in verdict.clauses
    return not verdict.legal and named, f"{data['move']} at {position} is {verdict}"


def moves(game: Game, engine: AnyEngine, data: Data) -> Said:
    position = _begin(game, engine, data)
    legal = [str(move) for move in engine.moves(position)]
    right = len(legal) == data["count"] if "count" in data else sorted(legal) == sorted(data["moves"])
    return right, f"{len(legal)} moves at {position}" + (f": {', '.join(legal)}" if len(legal) <= 12 else "")


def perft(game: Game, engine: AnyEngine, data: Data) -> Said:
    counts, layer = [], {_begin(game, engine, data): 1}
    for _ in data["counts"]:
        layer = _next(engine, layer)
        counts.append(sum(layer.values()))
    return counts == list(data["counts"]), f"{', '.join(f'{count:,}' for count in counts)} sequences"


def _next(engine: AnyEngine, layer: Mapping[Any, int]) -> dict[Any, int]:
    """The results of one more move, with their numbers of ways; chance is summed and costs no move."""
    following: dict[Any, int] = {}
    queue = list(layer.items())
    for position, ways in queue:
        chances = engine.chances(position)
        queue += [(chance.result, ways * chance.weight) for chance in chances]
        for result in () if chances else engine.moves(position).values():
            following[result] = following.get(result, 0) + ways
    return following


def positions(game: Game, engine: AnyEngine, data: Data) -> Said:
    params = game.params(data.get("params", {}))
    alike = game.fields(params).alike if data.get("alike") and game.fields else None
    play: Explored[Any, Any] = Explored(engine, partial(game.read_position, params), alike=alike)
    return len(play) == data["count"], f"play reaches {len(play):,} positions"


def value(game: Game, engine: AnyEngine, data: Data) -> Said:
    from rulecheck.analyses.solved_play import solve_play

    params = game.params(data.get("params", {}))
    solved = solve_play(game, params, engine, hero=data.get("for"))
    worth = solved.worth(engine.start())
    return worth.is_said(data), f"the start is worth {worth}"


def reads(game: Game, engine: AnyEngine, data: Data) -> Said:
    """What can stand at all: both encodings take it from whoever reads positions, so neither can judge it."""
    right, wrong = data.get("positions", ()), data.get("refused", ())
    seen = {text: _as_read(game, data, text) for text in (*right, *wrong)}
    problems = [f"{text} reads as {seen[text] or 'no position'}" for text in right if seen[text] != text]
    problems += [f"{text} is taken for a position" for text in wrong if seen[text] is not None]
    return not problems, "; ".join(problems) or f"{len(right)} are positions and {len(wrong)} are not"


def _as_read(game: Game, data: Data, text: str) -> str | None:
    """The position as it is written; None if there is none."""
    try:
        return str(_read(game, data, text))
    except InputError:
        return None
