"""Icehouse: whether an answer to "what is the best order?" is right. Reads the engine and nothing of the search.

The answer comes with all positions that can arise, level by level: after one event, after two and so on. The list is
complete if every event in a listed position leads to another listed one, no later than the next level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulecheck.games.icehouse.engine import Engine
from rulecheck.games.icehouse.pieces import Call, Capture, Event, Place, Position

ORDER = {"retarget": "yes", "wasted_capture": "no"}  # with other values it matters which piece came first


def points(scores: Mapping[str, int], player: str) -> int:
    return scores[player]


def lead(scores: Mapping[str, int], player: str) -> int:
    return scores[player] - max(points for other, points in scores.items() if other != player)


GOALS: Mapping[str, Callable[[Mapping[str, int], str], int]] = {"lead": lead, "points": points}


@dataclass(frozen=True)
class Task:
    """What a player may do: place from the list, capture, and with `calls` call when somebody is in the icehouse."""

    start: Position
    player: str
    candidates: tuple[Place, ...]
    goal: str = "lead"
    calls: bool = False
    events: int | None = None


def problem(
    engine: Engine, task: Task, levels: Sequence[Sequence[Position]], line: Sequence[Event], worth: int
) -> str | None:
    """What is wrong with an answer; None if it is right."""
    known = {_name(engine, position): n for n, level in reversed(list(enumerate(levels))) for position in level}
    if not levels or [*levels[0]] != [task.start]:
        return "the positions do not begin with the one asked about"
    end = _played(engine, task, line)
    if isinstance(end, str):
        return end
    if GOALS[task.goal](engine.scores(end), task.player) != worth:
        return f"the line is not worth {worth}"
    for number, level in enumerate(levels):
        last = task.events is not None and number >= task.events
        for position in level:
            if GOALS[task.goal](engine.scores(position), task.player) > worth:
                return f"{position} is worth more"
            for event in () if last else _doable(engine, task, position):
                level_reached = known.get(_name(engine, engine.play(position, event)))
                if level_reached is None or level_reached > number + 1:
                    return f"{event} in {position} leads to a position that was not looked at"
    return None


def _name(engine: Engine, position: Position) -> str:
    """The line of a position; with its pieces sorted, if no reading asks which of them came first."""
    plain = engine.readings["meltdown"] != "on_call" and all(engine.readings[k] == v for k, v in ORDER.items())
    head, *words = str(position).split(" ")
    pieces = [word for word in words if "=" not in word]
    rest = [word for word in words if "=" in word]
    return " ".join([head, *(sorted(pieces) if plain else pieces), *rest])


def _doable(engine: Engine, task: Task, position: Position) -> Iterator[Event]:
    numbers = range(1, len(position.pieces) + 1)
    tried: list[Event] = [*task.candidates, *(Capture(task.player, n) for n in numbers)]
    tried += [Call(task.player)] if task.calls and engine.found(position, task.player) else []
    return (event for event in tried if engine.judge(position, event).legal)


def _played(engine: Engine, task: Task, line: Sequence[Event]) -> Position | str:
    """Where the line leads, or what is wrong with it."""
    position = task.start
    if task.events is not None and len(line) > task.events:
        return f"the line has more than {task.events} events"
    for event in line:
        if event not in list(_doable(engine, task, position)):
            return f"{event} cannot be done in {position}"
        position = engine.play(position, event)
    return position
