"""Where play stops, or need not stop, in any game: each with its smallest position and the line that leads to it.

The statements are what one would take for granted. REFUTED means that a statement can fail, and here it does; PROVED
that it holds in every position of all versions that could be searched completely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import networkx

from rulecheck.analyses.stalemates import Stalemate
from rulecheck.analyses.versions import Sized, played
from rulecheck.explore import Explored, Who
from rulecheck.model import Readings, Result, Status, Witness
from rulecheck.registry import Game

PASS = "pass"
Play = Explored[Any, Any]
Finder = Callable[[Play], tuple[int, str] | None]  # the nearest position that shows it, and a note


def no_move(play: Play) -> tuple[int, str] | None:
    number = next((n for n in range(len(play)) if play.is_stuck(n)), None)
    return None if number is None else (number, f"{play.actor(number)} has no legal move")


def only_a_pass(play: Play) -> tuple[int, str] | None:
    for number in range(len(play)):
        if play.who(number) is Who.PLAYER and len(play.successors(number)) == 1:
            (move,) = play.engine.moves(play.position(number))
            if str(move) == PASS:
                return number, f"{play.actor(number)} can only pass"
    return None


def no_winner(play: Play) -> tuple[int, str] | None:
    """The nearest position, not ended, from which no line of play leads to a winner."""
    lost_hope = _without(play, [n for n in range(len(play)) if (end := play.end(n)) and end.winners])
    number = next((n for n in range(len(play)) if n in lost_hope and play.end(n) is None), None)
    return None if number is None else (number, "whatever is played from here, nobody wins")


def tied(play: Play) -> tuple[int, str] | None:
    number = next((n for n in range(len(play)) if (end := play.end(n)) and not end.winners), None)
    return None if number is None else (number, "the game has ended, and nobody has won")


def endless(play: Play) -> tuple[int, str] | None:
    """The nearest position to which play can return, with the way round."""
    graph = _graph(play)
    circling = {n for part in networkx.strongly_connected_components(graph) if len(part) > 1 for n in part}
    circling |= {n for n in graph if graph.has_edge(n, n)}
    if not circling:
        return None
    number = min(circling)
    return number, f"play can come back here: {', '.join(play.circle(number))}"


def _graph(play: Play) -> networkx.DiGraph:
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(len(play)))
    graph.add_edges_from((n, s) for n in range(len(play)) for s in play.successors(n))
    return graph


def _without(play: Play, goals: list[int]) -> set[int]:
    """The positions from which none of the goals can be reached."""
    back = _graph(play).reverse(copy=False)
    reach = set(networkx.multi_source_dijkstra_path_length(back, set(goals))) if goals else set()
    return set(range(len(play))) - reach


QUESTIONS: dict[str, tuple[str, Finder]] = {
    "no-move": ("a player to act has a legal move", no_move),
    "only-pass": ("a player to act can do something other than pass", only_a_pass),
    "no-winner": ("somebody can still win while the game goes on", no_winner),
    "tie": ("a game that ends has a winner", tied),
    "endless": ("play comes to an end, whatever is played", endless),
}


def stalemates(game: Game, params: Any, readings: Readings) -> Iterator[Stalemate]:
    """The dead ends of the printed game and its smaller versions, or of the one game with the user's parameters."""
    searched = list(played(game, params, readings))
    for name, (statement, find) in QUESTIONS.items():
        yield Stalemate(name, statement, (), _smallest(searched, find, readings))


def _smallest(searched: list[tuple[Sized, Play | None]], find: Finder, readings: Readings) -> Result:
    """The nearest position of the smallest version that shows it."""
    below: list[str] = []
    for version, play in searched:
        if play is None:
            continue
        shown = find(play)
        if shown is None:
            below.append(version.name)
            continue
        number, note = shown
        params = version.params.as_dict()
        witness = Witness(play.texts[number].decode(), None, note, params, dict(readings), play.line(number))
        smaller = f"; not in {', '.join(below)}" if below else ""
        return Result(Status.REFUTED, f"smallest: the nearest position of {version.name}{smaller}", witness)
    if not below:
        return Result(Status.UNKNOWN, "no version is small enough to be searched")
    partly = len(below) < len(searched)  # the others reach more positions than can be searched
    return Result(Status.PROVED, f"every position in play of {', '.join(below)}", bounded=partly)
