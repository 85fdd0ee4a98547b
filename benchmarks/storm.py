"""The opponent's best reply to one plan, given to Storm (the optional package stormpy) as a decision process."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator

from rulecheck.solve.walk_tables import WON, walk_ends
from solvers.stochastic_walks import WalkSolution
from solvers.walks import Walks

State = tuple[int, ...]  # a position and who rolls there, 0 the protagonist; the opponent's also with the roll
Ways = list[Counter[State]]  # of a state: the choices, each with the states it may lead to, weighted by rolls
START, GOAL, LOST = 0, 1, 2  # the numbers of these states
LABELS = {START: "init", GOAL: "won"}


def best_reply(game: Walks, known: WalkSolution, start: int, width: float) -> Callable[[], float]:
    """A call that bounds what the reply leaves from both sides, and says what that is at the start."""
    import stormpy

    with tempfile.NamedTemporaryFile("w", suffix=".drn") as file:
        file.writelines(_model(_chart(game, known, start), game.die))
        file.flush()
        model = stormpy.build_model_from_drn(file.name)
    formula = stormpy.parse_properties('Pmin=? [F "won"]')[0]
    environment = stormpy.environments.sound()
    solver = environment.solver().min_max()
    solver.precision, solver.relative_termination_criterion = stormpy.Rational(width), False
    return lambda: float(stormpy.model_checking(model, formula, environment=environment).get_value(START))


def _chart(game: Walks, known: WalkSolution, start: int) -> list[list[Counter[int]]]:
    """The ways to go on from each state that the start leads to, by number."""
    number: dict[State, int] = {(start, 0): START, (WON, 0): GOAL, (WON, 1): LOST}
    found: list[list[Counter[int]]] = []
    for state in (queue := list(number)):
        ways = _ways(game, known, state)
        for there in {there for way in ways for there in way} - number.keys():
            number[there] = len(number)
            queue.append(there)
        found.append([Counter({number[there]: weight for there, weight in way.items()}) for way in ways])
    return found


def _ways(game: Walks, known: WalkSolution, state: State) -> Ways:
    i, role, *rolled = state
    rolls = range(1, game.die + 1)
    if i == WON:
        return [Counter({state: game.die})]
    if rolled:
        return [Counter({(end, int(end == WON)): game.die}) for end in sorted(walk_ends(game, i, rolled[0]))]
    if role == 1:
        return [Counter({(i, 1, roll): 1 for roll in rolls})]
    return [Counter(_planned(game, known, i, roll) for roll in rolls)]


def _planned(game: Walks, known: WalkSolution, i: int, roll: int) -> State:
    """Where the protagonist's plan leads: to a win, or where the most is proved."""
    ends = walk_ends(game, i, roll)
    return (WON, 0) if WON in ends else (max(sorted(ends), key=lambda end: known.bounds.low_g[end]), 1)


def _model(chart: list[list[Counter[int]]], die: int) -> Iterator[str]:
    """In Storm's own text format."""
    choices = sum(map(len, chart))
    yield f"@type: MDP\n@parameters\n\n@reward_models\n\n@nr_states\n{len(chart)}\n@nr_choices\n{choices}\n@model\n"
    for state, ways in enumerate(chart):
        yield f"state {state} {LABELS.get(state, '')}\n"
        for place, way in enumerate(ways):
            yield f"\taction {place}\n"
            yield from (f"\t\t{there} : {way[there] / die!r}\n" for there in sorted(way))
